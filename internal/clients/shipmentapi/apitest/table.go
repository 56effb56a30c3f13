package apitest

import (
	"strings"
	"testing"
	"time"

	"utsending/internal/dispatch"
)

// Strange are successes without what the operation promises.
var Strange = map[string]struct {
	Status int
	Body   string
}{
	"an id that is no uuid": {200, `{"id":"17"}`},

	"an id that is a number": {200, `{"id":17}`},

	"an id that is null": {200, `{"id":null}`},

	"no id": {200, `{}`},

	"null": {200, `null`},

	"an ErrorMessage": {200, `{"status":400,"message":"Ugyldig"}`},

	"a list": {200, `[{"id":"` + ShipmentID + `"}]`},

	"nothing": {200, ``},

	"HTML": {200, `<p>Logg inn</p>`},

	"an id with something behind": {200, Accepted + `<!-- proxy -->`},

	"201 though with an id": {201, Accepted},

	"202 though with an id": {202, Accepted},

	"204": {204, ``},
}

// SendTable is the table of docs/delivery.md, Outcomes, for answers written by the service itself to a complete
// submission.
func SendTable() map[int]Result {
	const integration = dispatch.ScopeIntegration
	table := map[int]Result{
		401: {dispatch.OutcomeRefused, integration, "reason.unauthorized", 401},
		403: {dispatch.OutcomeRefused, dispatch.ScopeAccount, "reason.forbidden", 403},
		408: {dispatch.OutcomeUncertain, "", "reason.timeout", 408},
		413: {dispatch.OutcomeRejected, "", "reason.too_large", 413},
		429: {dispatch.OutcomeUnavailable, "", "reason.busy", 429},
		503: {dispatch.OutcomeUnavailable, "", "reason.busy", 503},
	}
	for _, status := range []int{400, 409, 422} {
		table[status] = Result{dispatch.OutcomeRejected, "", "reason.rejected", status}
	}
	for _, status := range []int{404, 405, 415, 418, 451} {
		table[status] = Result{dispatch.OutcomeRefused, integration, "reason.wrong_address", status}
	}
	for _, status := range []int{301, 302, 303, 304, 307, 308} {
		table[status] = Result{dispatch.OutcomeUncertain, integration, "reason.redirect", status}
	}
	for _, status := range []int{500, 501, 502, 504, 599} {
		table[status] = Result{dispatch.OutcomeUncertain, "", "reason.server_error", status}
	}
	return table
}

// FromProxy is the result of such an answer if a proxy may have written it: always uncertain.
func FromProxy(own Result) Result {
	switch {
	case own.Outcome == dispatch.OutcomeUncertain:
		return own
	case own.Status == 403:
		own.Key = "reason.blocked"
	case own.Status == 413:
		own.Key = "reason.perhaps_too_large"
	default:
		own.Key = "reason.not_its_own"
	}
	if own.Status != 401 && own.Status != 403 && own.Status != 404 && own.Status != 405 {
		own.Scope = ""
	}
	own.Outcome = dispatch.OutcomeUncertain
	return own
}

// Unsent is its result if the last byte was never sent, as it never is for a call that cannot send anything.
func Unsent(own Result) Result {
	switch own.Status {
	case 400, 409, 422:
		return Result{dispatch.OutcomeRefused, dispatch.ScopeIntegration, "reason.wrong_address", own.Status}
	case 403:
		own.Key = "reason.blocked"
	}
	if own.Key == "reason.redirect" {
		own.Outcome = dispatch.OutcomeRefused
	}
	return own
}

// Tail is the length of a submission's clients.Body.Tail: one byte of the last document, and the closing boundary.
const Tail = 1 + int64(len("\r\n--")+60+len("--\r\n"))

// TooLong is a word longer than any status.
var TooLong = strings.Repeat("S", 6000)

// RepairedWords are words from the service that cannot be stored as they are, with what is stored.
var RepairedWords = map[string]string{TooLong: strings.Repeat("S", 99) + "…", "LE\ufffeST": "LE\ufffdST"}

// CheckStored compares the stored form of a text.
func CheckStored(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %.150q, want %.150q", what, got, want)
	}
}

// At is 20 October 2019, 21:04:34.246 in Oslo, an example of upstream facts 2.1.
var At = time.UnixMilli(1571598274246).UTC()
