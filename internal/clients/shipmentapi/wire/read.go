// Package wire is what both generations of the shipment service have in common on the wire: lenient reading, and the
// multipart submission.
package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"utsending/internal/clients"
	"utsending/internal/dispatch"
)

// AskedFor maps ids in lower case to the ids that were asked for: the service may change their case.
func AskedFor(ids []string) map[string]string {
	asked := map[string]string{}
	for _, id := range ids {
		asked[strings.ToLower(id)] = id
	}
	return asked
}

// NotKnown gives the 404 of a call about one shipment its reason: the service does not know it. See [clients.Missing] for whether
// the service itself said so.
func NotKnown(err error) error {
	var e *clients.Error
	if errors.As(err, &e) && e.HTTPStatus == http.StatusNotFound {
		e.Key = "reason.not_known"
	}
	return err
}

// Understood reads a list out of a good answer (see [ListIn]).
func Understood[T any](x clients.Exchange, name string) (List[T], error) {
	if x.Status == http.StatusOK && !x.Cut {
		if l, ok := listIn[T](x.Body, name); ok {
			return l, nil
		}
	}
	return nil, Unread(x)
}

// Usable leaves out types that would have to be repaired: the chosen one is sent back verbatim.
func Usable(types []string) []string {
	return slices.DeleteFunc(types, func(t string) bool { return clients.Word(t) != t })
}

// Each converts every value of a list.
func Each[T, U any](all []T, to func(T) U) []U {
	var out []U
	for _, one := range all {
		out = append(out, to(one))
	}
	return out
}

// Encode writes JSON without escaping <, > and &: texts go out as they were written.
func Encode(body any) ([]byte, error) {
	if body == nil {
		return nil, nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(body); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// Rejected is our own refusal to send or ask what the specification does not allow; nothing was called.
func Rejected() error {
	return &clients.Error{Outcome: dispatch.OutcomeRejected, Key: "reason.invalid"}
}

// Unread is the error of a call that cannot send anything and did not succeed: it is never uncertain.
func Unread(x clients.Exchange) *clients.Error { return clients.ClassifyRead(x) }
