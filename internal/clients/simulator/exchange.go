package simulator

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/google/uuid"
)

const maxBody = 1 << 20

// Exchange is one request handled by the simulator. Its check methods return false when they have answered.
type Exchange struct {
	Sim        *Simulator
	w          http.ResponseWriter
	Request    *http.Request
	operation  string
	number     int // in Simulator.calls
	AccountID  string
	Generation string // of the shipment service
	Credential Credential
	Body       []byte
	booked     []int // in Simulator.books
	shipped    []int // in shipmentBooks.list

	Challenge string // of a 401; empty: Bearer
	Missing   string // message of a 404; empty: that of an SMS
	Success   int    // status of a good answer; 0: 200
	streamed  bool   // the handler reads the body
	early     bool   // an answer does not wait for the rest of a streamed body
}

// Operation wraps the handler of one operation: the call is recorded and its body read first.
func (s *Simulator) Operation(name string, h func(*Exchange)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		x := &Exchange{Sim: s, w: w, Request: r, operation: name, number: s.open(name)}
		if x.readBody() {
			h(x)
		}
	}
}

// Upload wraps the handler of an operation whose body is too large for memory: the handler reads it.
func (s *Simulator) Upload(name string, h func(*Exchange)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		h(&Exchange{Sim: s, w: w, Request: r, operation: name, number: s.open(name), streamed: true})
	}
}

// readBody reads the whole body before anything is answered: only then does net/http notice a client that goes away.
func (x *Exchange) readBody() bool {
	body, err := io.ReadAll(http.MaxBytesReader(x.w, x.Request.Body, maxBody))
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return x.Invalid("body over 1 MiB")
	}
	if err != nil { // the client disconnected during the body
		x.cut()
		return false
	}
	x.Body = body
	return true
}

// CheckUp answers 503 while the service is down.
func (x *Exchange) CheckUp() bool {
	if !x.Sim.isDown() {
		return true
	}
	x.Note(func(c *Call) { c.Fault = "Down" })
	x.Fail(http.StatusServiceUnavailable)
	return false
}

// CheckShape checks the headers. A missing length or an idempotency key would not disturb the real service, but the
// delivery rules rely on their opposite, so they are recorded as violations only.
func (x *Exchange) CheckShape() bool {
	x.NoteKeys()
	if x.Request.ContentLength < 0 {
		x.Violate("no Content-Length")
	}
	if x.Request.Method == http.MethodGet || x.Request.Method == http.MethodDelete {
		if len(x.Body) > 0 {
			x.Violate("a body where none belongs")
		}
		return true
	}
	return x.checkJSONType()
}

// NoteKeys records headers that the contract does not have.
func (x *Exchange) NoteKeys() {
	for _, name := range []string{"Idempotency-Key", "X-Idempotency-Key"} {
		if x.Request.Header.Values(name) != nil {
			x.Violate("header " + name)
		}
	}
}

func (x *Exchange) checkJSONType() bool {
	if !isText(x.Request.Header.Get("Content-Type"), "application/json") {
		return x.Invalid("Content-Type is not application/json")
	}
	return true
}

// isText tells whether a content type is the wanted one, in UTF-8.
func isText(contentType, want string) bool {
	kind, params, err := mime.ParseMediaType(contentType)
	charset, given := params["charset"]
	return err == nil && kind == want && (!given || strings.EqualFold(charset, "utf-8"))
}

// CheckAccount reads kontoId from the path.
func (x *Exchange) CheckAccount() bool {
	id := x.Request.PathValue("kontoId")
	if !IsUUID(id) {
		return x.Invalid("kontoId is not a uuid")
	}
	x.AccountID = strings.ToLower(id)
	x.Note(func(c *Call) { c.AccountID = x.AccountID })
	return x.CheckAccess()
}

// CheckAccess requires that the integration may use the account.
func (x *Exchange) CheckAccess() bool {
	if !x.Sim.mayUse(x.Credential.IntegrationID, x.AccountID) {
		x.Fail(http.StatusForbidden)
		return false
	}
	return true
}

// IsUUID accepts the canonical form only; uuid.Parse alone is more lenient.
func IsUUID(id string) bool {
	return len(id) == len("00000000-0000-0000-0000-000000000000") && uuid.Validate(id) == nil
}

// Decode decodes the body strictly (see DecodeStrict).
func (x *Exchange) Decode(into any) bool {
	if err := DecodeStrict(x.Body, into); err != nil {
		return x.Invalid(err.Error())
	}
	return true
}

// SetRecipient sets Call.Recipient.
func (x *Exchange) SetRecipient(recipient string) {
	x.Note(func(c *Call) { c.Recipient = recipient })
}

// head writes the status line, after recording it. The rest of a streamed body is read before: most clients do not
// read an answer before they have written everything.
func (x *Exchange) head(status int, contentType string) {
	if x.streamed && !x.early {
		_, _ = io.Copy(io.Discard, x.Request.Body) // a client that went away does not see the answer either
	}
	x.Note(func(c *Call) { c.Status = status })
	if contentType != "" {
		x.w.Header().Set("Content-Type", contentType)
	}
	x.w.WriteHeader(status)
}

// answer sends a status and v as JSON, or no body when v is nil.
func (x *Exchange) answer(status int, v any) {
	if v == nil {
		x.head(status, "")
		return
	}
	x.head(status, "application/json")
	_, _ = x.w.Write(encode(v)) // the client may have gone
}

func encode(v any) []byte {
	b, _ := json.Marshal(v) // our own types always encode
	return b
}

// CheckQuery refuses unknown and repeated parameters.
func (x *Exchange) CheckQuery(known ...string) bool {
	for name, values := range x.Request.URL.Query() {
		if !slices.Contains(known, name) || len(values) > 1 {
			return x.Invalid("unknown or repeated query parameter")
		}
	}
	return true
}
