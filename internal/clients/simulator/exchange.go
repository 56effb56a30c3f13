package simulator

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/google/uuid"
)

const maxBody = 1 << 20

// exchange is one request on its way through the simulator. Its check methods return false when they have answered.
type exchange struct {
	s          *Simulator
	w          http.ResponseWriter
	r          *http.Request
	operation  string
	number     int // in Simulator.calls
	accountID  string
	generation string // of the shipment service
	credential Credential
	body       []byte
	booked     []int // in Simulator.books
	shipped    []int // in shipmentBooks.list

	challenge string // of a 401; empty: Bearer
	missing   string // message of a 404; empty: that of an SMS
	success   int    // status of a good answer; 0: 200
	streamed  bool   // the body is read by the handler
	early     bool   // an answer does not wait for the rest of a streamed body
}

// operation wraps the handler of one operation: the call is listed and its body read, whatever happens next.
func (s *Simulator) operation(name string, h func(*exchange)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		x := &exchange{s: s, w: w, r: r, operation: name, number: s.open(name)}
		if x.readBody() {
			h(x)
		}
	}
}

// upload wraps the handler of an operation whose body is too large to be kept: the handler reads it.
func (s *Simulator) upload(name string, h func(*exchange)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		h(&exchange{s: s, w: w, r: r, operation: name, number: s.open(name), streamed: true})
	}
}

// readBody reads all before anything is answered: only then does net/http notice a client that goes away.
func (x *exchange) readBody() bool {
	body, err := io.ReadAll(http.MaxBytesReader(x.w, x.r.Body, maxBody))
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return x.invalid("body over 1 MiB")
	}
	if err != nil { // the client went away in mid-body; there is nobody to answer
		x.cut()
		return false
	}
	x.body = body
	return true
}

// checkUp answers 503 while the service is down.
func (x *exchange) checkUp() bool {
	if !x.s.isDown() {
		return true
	}
	x.note(func(c *Call) { c.Fault = "Down" })
	x.fail(http.StatusServiceUnavailable)
	return false
}

// checkShape looks at what surrounds the body. A missing length or an idempotency key would not disturb the real
// service, but the delivery rules rely on their opposite, so they are only written down.
func (x *exchange) checkShape() bool {
	x.noteKeys()
	if x.r.ContentLength < 0 {
		x.violate("no Content-Length")
	}
	if x.r.Method == http.MethodGet || x.r.Method == http.MethodDelete {
		if len(x.body) > 0 {
			x.violate("a body where none belongs")
		}
		return true
	}
	return x.checkJSONType()
}

func (x *exchange) noteKeys() {
	for _, name := range []string{"Idempotency-Key", "X-Idempotency-Key"} {
		if x.r.Header.Values(name) != nil {
			x.violate("header " + name)
		}
	}
}

func (x *exchange) checkJSONType() bool {
	if !isText(x.r.Header.Get("Content-Type"), "application/json") {
		return x.invalid("Content-Type is not application/json")
	}
	return true
}

// isText says whether a content type is the wanted one, in UTF-8.
func isText(contentType, want string) bool {
	kind, params, err := mime.ParseMediaType(contentType)
	charset, given := params["charset"]
	return err == nil && kind == want && (!given || strings.EqualFold(charset, "utf-8"))
}

// checkAccount reads kontoId from the path.
func (x *exchange) checkAccount() bool {
	id := x.r.PathValue("kontoId")
	if !isUUID(id) {
		return x.invalid("kontoId is not a uuid")
	}
	x.accountID = strings.ToLower(id)
	x.note(func(c *Call) { c.AccountID = x.accountID })
	return x.checkAccess()
}

// checkAccess wants the account to be granted to the integration.
func (x *exchange) checkAccess() bool {
	if !x.s.mayUse(x.credential.IntegrationID, x.accountID) {
		x.fail(http.StatusForbidden)
		return false
	}
	return true
}

// isUUID takes the canonical form only; uuid.Parse alone is milder.
func isUUID(id string) bool {
	return len(id) == len("00000000-0000-0000-0000-000000000000") && uuid.Validate(id) == nil
}

// decode reads the body by the strict rules of decodeStrict.
func (x *exchange) decode(into any) bool {
	if err := decodeStrict(x.body, into); err != nil {
		return x.invalid(err.Error())
	}
	return true
}

func (x *exchange) setRecipient(recipient string) {
	x.note(func(c *Call) { c.Recipient = recipient })
}

// head writes the status line, and notes it first. What is left of a streamed body is read before: most clients do not
// look at an answer before they have written all.
func (x *exchange) head(status int, contentType string) {
	if x.streamed && !x.early {
		_, _ = io.Copy(io.Discard, x.r.Body) // a client that went away does not see the answer either
	}
	x.note(func(c *Call) { c.Status = status })
	if contentType != "" {
		x.w.Header().Set("Content-Type", contentType)
	}
	x.w.WriteHeader(status)
}

// answer sends a status and v as JSON, or no body when v is nil.
func (x *exchange) answer(status int, v any) {
	if v == nil {
		x.head(status, "")
		return
	}
	x.head(status, "application/json")
	_, _ = x.w.Write(encode(v)) // the client may be gone, which is its own business
}

func encode(v any) []byte {
	b, _ := json.Marshal(v) // our own types always encode
	return b
}
