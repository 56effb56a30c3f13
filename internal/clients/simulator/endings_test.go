package simulator_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"utsending/internal/clients/simulator"
)

// outcome is what a caller of send meets, and the truth behind it.
type outcome struct {
	status   int    // 0: the connection broke before an answer
	broken   bool   // the connection broke
	contains string // in the body
	accepted int
	lost     bool
}

// sendOutcomes says for each ending what send does; those that are missing here are accepted like any other number.
func sendOutcomes() map[string]outcome {
	want := map[string]outcome{
		"901": {broken: true, accepted: 1, lost: true},
		"902": {broken: true},
		"903": {status: 200, contains: "<!doctype html>"},
		"904": {status: 200, broken: true, contains: `{"id":"`, accepted: 1, lost: true},
		"905": {status: 200, contains: `{"id":"`, accepted: 1},
		"906": {status: 307},
		"907": {status: 400, contains: `"errorJson":{`},
		"908": {status: 500},
		"909": {status: 400, contains: "<!doctype html>"},
		"910": {status: 503, contains: `"errorId":"`},
		"911": {status: 200, contains: "{}"},
		"912": {status: 500, contains: `"errorId":"`, accepted: 1, lost: true},
	}
	for _, code := range []int{400, 401, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 504} {
		want[strconv.Itoa(code)] = outcome{status: code, contains: `"errorJson":"`}
	}
	return want
}

func TestEndingsOfSend(t *testing.T) {
	t.Parallel()
	outcomes := sendOutcomes()
	for _, e := range simulator.Endings() {
		want, ok := outcomes[e.Digits]
		if !ok {
			want = outcome{status: 200, contains: `{"id":"`, accepted: 1}
		}
		delete(outcomes, e.Digits)
		t.Run(e.Digits+" "+e.Meaning, func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{SlowFor: time.Nanosecond})
			checkOutcome(t, g, g.send(t, "40000"+e.Digits), want)
		})
	}
	if len(outcomes) > 0 {
		t.Errorf("got no ending for %v", outcomes)
	}
}

func checkOutcome(t *testing.T, g *rig, got reply, want outcome) {
	t.Helper()
	if got.status != want.status || (got.err != nil) != want.broken {
		t.Errorf("got status %d, error %v, want %d", got.status, got.err, want.status)
	}
	if !strings.Contains(got.body, want.contains) || (want.contains == "" && got.body != "") {
		t.Errorf("got body %q, want %q in it", got.body, want.contains)
	}
	books := g.sim.Books()
	if len(books) != want.accepted {
		t.Fatalf("got %d accepted, want %d", len(books), want.accepted)
	}
	if len(books) == 1 && books[0].AnswerLost != want.lost {
		t.Errorf("got answer lost %t, want %t", books[0].AnswerLost, want.lost)
	}
	last := g.sim.Calls()[len(g.sim.Calls())-1]
	if last.Status != want.status || last.Operation != simulator.OpSend {
		t.Errorf("got call %+v, want send with status %d", last, want.status)
	}
	if got := g.sim.Violations(); got != nil {
		t.Errorf("got violations %q, want none", got)
	}
}

func TestEndingsOfStatus(t *testing.T) {
	t.Parallel()
	for digits, want := range map[string]int{"921": 403, "922": 404, "923": 500} {
		t.Run(digits+" answers "+strconv.Itoa(want), func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{})
			checkError(t, g.status(t, g.accepted(t, message("40000"+digits))), want)
		})
	}
	t.Run("924 answers a status nobody knows", func(t *testing.T) {
		t.Parallel()
		g := newRig(t, simulator.Options{})
		if got := g.statusValue(t, g.accepted(t, message("40000924"))); got != "NY_VERDI" {
			t.Errorf("got %s, want NY_VERDI", got)
		}
	})
}

func TestEndingsWorkOnceOnly(t *testing.T) {
	t.Parallel()
	for digits, want := range map[string]int{"910": 2, "912": 3} {
		t.Run(digits+" works from the second time on, whatever the form of the number", func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{})
			first := g.send(t, "40000"+digits)
			g.accepted(t, message("004740000"+digits))
			g.accepted(t, message("+4740000"+digits))
			if first.status < 500 || len(g.sim.Books()) != want {
				t.Errorf("got status %d first and %d accepted, want 5xx and %d", first.status, len(g.sim.Books()), want)
			}
			if other := g.send(t, "41111"+digits); other.status < 500 {
				t.Errorf("got status %d for another number, want 5xx", other.status)
			}
		})
	}
}

func TestEndingsHeaders(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	for digits, want := range map[string]struct{ header, value string }{
		"401": {"WWW-Authenticate", "Bearer"},
		"429": {"Retry-After", "2"},
		"903": {"Content-Type", "text/html; charset=utf-8"},
		"906": {"Location", "/redirected" + smsPath(account, "send")},
		"911": {"Content-Type", "application/json"},
	} {
		t.Run(digits+" sets "+want.header, func(t *testing.T) {
			if got := g.send(t, "40000"+digits).header.Get(want.header); got != want.value {
				t.Errorf("got %q, want %q", got, want.value)
			}
		})
	}
}

func TestABatchMeetsTheFaultOfItsFirstNumber(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		numbers  string
		status   int
		accepted int
	}{
		"503 first":  {`["40000503","40000100"]`, 503, 0},
		"503 second": {`["40000100","40000503"]`, 200, 2},
		"901 first":  {`["40000901","40000100"]`, 0, 2},
		"902 first":  {`["40000902","40000100"]`, 0, 0},
		"904 first":  {`["40000904","40000100"]`, 200, 2},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{})
			got := g.post(t, "sendBatch", `{"tekst":"Hei","telefonnummere":`+tt.numbers+`}`)
			if got.status != tt.status || len(g.sim.Books()) != tt.accepted {
				t.Errorf("got status %d and %d accepted, want %d and %d", got.status, len(g.sim.Books()), tt.status, tt.accepted)
			}
		})
	}
}

func TestEndingsAreDistinctAndExplained(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, e := range simulator.Endings() {
		if len(e.Digits) != 3 || e.Meaning == "" || seen[e.Digits] {
			t.Errorf("got ending %q with meaning %q, want three digits, once, explained", e.Digits, e.Meaning)
		}
		seen[e.Digits] = true
	}
	if got := len(seen); got != 6+13+12+4 {
		t.Errorf("got %d endings, want 35", got)
	}
}
