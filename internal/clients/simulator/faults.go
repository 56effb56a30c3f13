package simulator

import (
	"cmp"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"
)

// Fault is a fault to inject into one call. The zero value is [NoFault]; values below 1000 are HTTP statuses, see
// [Status].
type Fault int

// The faults that are more than an HTTP status. Only those that say so accept the message.
const (
	NoFault Fault = 0

	LostBefore   Fault = 1000 + iota // the connection is cut without acceptance
	LostAfter                        // accepts, then cuts the connection without an answer
	HalfAnswer                       // accepts, then cuts the connection in the middle of the answer
	HTMLAnswer                       // 200 with HTML
	HTMLError                        // 400 with HTML
	EmptyAnswer                      // 500 with no body
	Slow                             // accepts, then takes Options.SlowFor to answer
	Redirect                         // 307 to another address
	ErrorObject                      // 400 with an ErrorMessage whose errorJson is an object
	NoID                             // 200 with a JSON object that has no fields
	DownOnce                         // 503 the first time for a recipient, then no fault
	FailedOnce                       // accepts, but answers 500 the first time for a recipient; then no fault
	NewStatus                        // a status value unknown to the specification, where a status is asked for
	LostOnce                         // the connection is cut without acceptance the first time for a recipient; then no fault
	CutInBody                        // the connection is cut before the documents are read; without documents as LostBefore
	EarlyError                       // 503 before the documents are read; without documents a plain 503
	Duplicate                        // 400 with the message of an id that was used before
	Repeated                         // 400 GJENTAGENDE_FORSENDELSE
	AcceptedNoID                     // accepts, but answers a JSON object that has no fields
	AcceptedHTML                     // accepts, but answers 200 with HTML
	BadTitle                         // 400 with a message that names tittel, as no rule of ours does
)

// Status is the fault of answering with this HTTP status (200 to 599) and an ErrorMessage, accepting nothing.
func Status(code int) Fault { return Fault(code) }

const (
	redirectTarget = "/redirected"
	page           = "<!doctype html><title>Proxy</title><p>Proxy</p>"
)

// String is the value of [Call.Fault].
func (f Fault) String() string {
	names := map[Fault]string{
		NoFault: "", LostBefore: "LostBefore", LostAfter: "LostAfter", HalfAnswer: "HalfAnswer", HTMLAnswer: "HTMLAnswer",
		HTMLError: "HTMLError", EmptyAnswer: "EmptyAnswer", Slow: "Slow", Redirect: "Redirect", ErrorObject: "ErrorObject",
		NoID: "NoID", DownOnce: "DownOnce", FailedOnce: "FailedOnce", NewStatus: "NewStatus", LostOnce: "LostOnce",
		CutInBody: "CutInBody", EarlyError: "EarlyError", Duplicate: "Duplicate", Repeated: "Repeated",
		AcceptedNoID: "AcceptedNoID", AcceptedHTML: "AcceptedHTML", BadTitle: "BadTitle",
	}
	if name, ok := names[f]; ok {
		return name
	}
	return fmt.Sprintf("Status %d", int(f))
}

// Decide asks the chaos function, then the ending of the recipient, and records the chosen fault.
func (x *Exchange) Decide(recipient string, ending Fault) Fault {
	x.Sim.mu.Lock()
	chaos := x.Sim.chaos
	x.Sim.mu.Unlock()
	fault := NoFault
	if chaos != nil {
		fault = chaos(x.operation, recipient) // not under the lock: it may call our methods
	}
	if fault == NoFault {
		fault = ending
	}
	once := fault == DownOnce || fault == FailedOnce || fault == LostOnce
	if once && !x.firstTime(fault, recipient) {
		fault = NoFault
	}
	x.Note(func(c *Call) { c.Fault = fault.String() })
	return fault
}

func (x *Exchange) firstTime(f Fault, recipient string) bool {
	key := f.String() + " " + x.operation + " " + international(recipient)
	x.Sim.mu.Lock()
	defer x.Sim.mu.Unlock()
	first := !x.Sim.seen[key]
	x.Sim.seen[key] = true
	return first
}

// Accepts tells whether the operation is performed despite the fault.
func (f Fault) Accepts() bool {
	switch f {
	case NoFault, NewStatus, LostAfter, HalfAnswer, Slow, FailedOnce, AcceptedNoID, AcceptedHTML:
		return true
	}
	return false
}

// Play injects a fault. act performs the operation and returns the body of its success; lost tells it that the caller
// will not get the answer. Faults that accept nothing do not call it.
func (x *Exchange) Play(f Fault, act func(lost bool) any) {
	switch f {
	case NoFault, NewStatus:
		x.answer(x.good(), act(false))
	case LostBefore, LostOnce, CutInBody:
		x.cut()
	case LostAfter:
		act(true)
		x.cut()
	case HalfAnswer:
		x.half(act(true))
	case Slow:
		x.slow(act(true))
	case FailedOnce:
		act(true)
		x.Fail(http.StatusInternalServerError)
	case AcceptedNoID:
		act(true)
		x.answer(x.good(), struct{}{})
	case AcceptedHTML:
		act(true)
		x.html(http.StatusOK)
	case DownOnce, EarlyError:
		x.Fail(http.StatusServiceUnavailable)
	default:
		x.answerFault(f)
	}
}

// answerFault injects the faults that are only an answer.
func (x *Exchange) answerFault(f Fault) {
	switch f {
	case HTMLAnswer:
		x.html(http.StatusOK)
	case HTMLError:
		x.html(http.StatusBadRequest)
	case EmptyAnswer:
		x.answer(http.StatusInternalServerError, nil)
	case Redirect:
		x.w.Header().Set("Location", redirectTarget+x.Request.URL.Path)
		x.head(http.StatusTemporaryRedirect, "")
	case ErrorObject:
		m := x.errorMessage(http.StatusBadRequest, "")
		m.ErrorJSON = errorDetail{Detail: "simulated"}
		x.answer(http.StatusBadRequest, m)
	case NoID:
		x.answer(http.StatusOK, struct{}{})
	case Duplicate:
		x.Refuse(duplicateOf("", http.StatusBadRequest))
	case Repeated:
		x.Refuse(repeatedShipment())
	case BadTitle:
		x.FailWith(http.StatusBadRequest, "tittel inneholder ord som ikke er tillatt")
	default:
		x.Fail(int(f))
	}
}

// good is the status of a success.
func (x *Exchange) good() int { return cmp.Or(x.Success, http.StatusOK) }

func (x *Exchange) html(status int) {
	x.head(status, "text/html; charset=utf-8")
	_, _ = x.w.Write([]byte(page)) // the client may be gone
}

// slow delays the answer; a client that leaves, or Close, ends the delay.
func (x *Exchange) slow(body any) {
	timer := time.NewTimer(x.Sim.Options.SlowFor)
	defer timer.Stop()
	select {
	case <-timer.C:
		x.settle()
		x.answer(x.good(), body)
	case <-x.Request.Context().Done():
		x.cut()
	case <-x.Sim.closed:
		x.cut()
	}
}

// half announces more bytes than it writes.
func (x *Exchange) half(body any) {
	full := []byte("  ") // operations without a body still promise one
	if body != nil {
		full = encode(body)
	}
	x.w.Header().Set("Content-Length", strconv.Itoa(len(full)))
	x.head(http.StatusOK, "application/json")
	_, _ = x.w.Write(full[:len(full)/2])
	_ = http.NewResponseController(x.w).Flush() // if it fails, less than half is sent, which serves as well
	panic(http.ErrAbortHandler)                 // net/http's documented way to cut a connection
}

// cut closes the connection without an answer: with a reset if the connection can be hijacked, else as net/http does
// it.
func (x *Exchange) cut() {
	conn, _, err := http.NewResponseController(x.w).Hijack()
	if err != nil { // HTTP/2
		panic(http.ErrAbortHandler)
	}
	raw := conn
	if t, ok := conn.(interface{ NetConn() net.Conn }); ok { // TLS would send a close notification first
		raw = t.NetConn()
	}
	if l, ok := raw.(interface{ SetLinger(int) error }); ok {
		_ = l.SetLinger(0) // otherwise the close is orderly
	}
	_ = raw.Close()
}
