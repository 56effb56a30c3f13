// Package wire is the common part of both generations of the shipment service on the wire: lenient decoding, and the
// multipart submission.
package wire

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"utsending/internal/clients"
	"utsending/internal/dispatch"
)

// AskedFor maps ids in lower case to the requested ids: the service may change their case.
func AskedFor(ids []string) map[string]string {
	asked := map[string]string{}
	for _, id := range ids {
		asked[strings.ToLower(id)] = id
	}
	return asked
}

// NotKnown gives the 404 of a call about one shipment its reason: the service does not know it. See [clients.Missing]
// for whether the service itself said so.
func NotKnown(err error) error {
	var e *clients.Error
	if errors.As(err, &e) && e.HTTPStatus == http.StatusNotFound {
		e.Key = "reason.not_known"
	}
	return err
}

// Understood decodes the list of a successful answer (see listIn).
func Understood[T any](x clients.Exchange, name string) (List[T], error) {
	if x.Status == http.StatusOK && !x.Cut {
		if l, ok := listIn[T](x.Body, name); ok {
			return l, nil
		}
	}
	return nil, Unread(x)
}

// Usable drops types that would have to be repaired: the chosen one is sent back verbatim.
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

// Rejected is our own refusal of what the specification forbids; no call was made.
func Rejected() error {
	return &clients.Error{Outcome: dispatch.OutcomeRejected, Key: "reason.invalid"}
}

// Refused is the error of a real person's number in a test environment: it was not sent.
func Refused() error {
	return &clients.Error{Outcome: dispatch.OutcomeRejected, Key: "reason.real_number"}
}

// Unread is the error of a failed call that cannot send anything: it is never uncertain.
func Unread(x clients.Exchange) *clients.Error { return clients.ClassifyRead(x) }
