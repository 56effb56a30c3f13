package upstream_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"utsending/internal/await"
	"utsending/internal/clients/simulator"
	"utsending/internal/dispatch"
)

// people are numbers to look up; the ending of the n-th may be chosen.
func people(n int, endings map[int]string) []dispatch.LookupNumber {
	numbers := make([]dispatch.LookupNumber, n)
	for i := range numbers {
		digits := fmt.Sprintf("0281%06d0", i)
		if ending := endings[i]; ending != "" {
			digits = fmt.Sprintf("0281%04d%s", i, ending)
		}
		numbers[i] = dispatch.LookupNumber(digits)
	}
	return numbers
}

func TestLookUp(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		n       int
		endings map[int]string
		want    string // of each call: how many contacts, or why none
		calls   int
	}{
		{"one", 1, nil, "1", 1},
		{"a thousand with one call", 1000, nil, "1000", 1},
		{"one more with two", 1001, nil, "1000 1", 2},
		{"the second of three fails", 2500, map[int]string{1500: "934"}, "1000 reason.server_error 500", 3},
		{"the first fails", 1500, map[int]string{3: "934"}, "reason.server_error 500", 2},
		{"refused: the rest are not asked for", 2500, map[int]string{3: "938"}, "reason.forbidden reason.forbidden reason.forbidden", 1},
		{"one number is left out", 3, map[int]string{1: "931"}, "2", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			numbers := people(tt.n, tt.endings)
			calls := r.clients.LookUp(t.Context(), r.Account, numbers)
			var got []string
			asked := 0
			for _, c := range calls {
				asked += len(c.Asked)
				if c.Failure.Key != "" {
					if c.Answer.Message == "" || c.Answer.Path == "" {
						t.Errorf("what the service said is lost: %+v", c.Answer)
					}
					got = append(got, c.Failure.Key)
				} else {
					got = append(got, fmt.Sprint(len(c.Contacts)))
				}
			}
			if strings.Join(got, " ") != tt.want || asked != tt.n {
				t.Errorf("got %v for %d numbers, want %s", got, asked, tt.want)
			}
			made := 0
			for _, c := range r.sim.Calls() {
				if c.Operation == simulator.OpLookup {
					made++
				}
			}
			if made != tt.calls {
				t.Errorf("made %d calls, want %d", made, tt.calls)
			}
		})
	}
}

// TestLookUpChangesNothing: a look-up that fails marks no integration, and what is sent goes on.
func TestLookUpChangesNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	before := r.marks(t)
	failing := map[string]func(t *testing.T){
		"no access to the account": func(*testing.T) {},
		"the login is refused": func(t *testing.T) {
			r.sim.SetChaos(func(string, string) simulator.Fault { return simulator.Status(http.StatusUnauthorized) })
		},
		"down": func(t *testing.T) {
			r.sim.SetChaos(func(string, string) simulator.Fault { return simulator.Status(http.StatusServiceUnavailable) })
		},
	}
	for name, fail := range failing {
		t.Run(name, func(t *testing.T) {
			fail(t)
			calls := r.clients.LookUp(t.Context(), r.Account, people(1, map[int]string{0: "938"}))
			if len(calls) != 1 || calls[0].Failure.Key == "" {
				t.Errorf("got %d calls, and no failure", len(calls))
			}
			if after := r.marks(t); after != before {
				t.Errorf("got %s, want %s", after, before)
			}
		})
	}
}

// marks is all that is known of the integration, its credentials and its accounts.
func (r *rig) marks(t *testing.T) string {
	t.Helper()
	var marks string
	err := r.db.QueryRowContext(t.Context(), `
		SELECT concat((SELECT string_agg(i::text, ' ') FROM integrations i), (SELECT string_agg(c::text, ' ') FROM credentials c),
		              (SELECT string_agg(a::text, ' ') FROM accounts a))`).Scan(&marks)
	if err != nil {
		t.Fatal(err)
	}
	return marks
}

func TestLookUpWithoutAService(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	if _, err := r.db.ExecContext(t.Context(), `UPDATE integrations SET stopped_at = now()`); err != nil {
		t.Fatal(err)
	}
	none := r.Account
	none.SMSIntegration = ""
	for name, tt := range map[string]struct {
		account dispatch.Account
		want    string
	}{"stopped by a person": {r.Account, "reason.stopped"}, "no integration": {none, "reason.integration_unreadable"}} {
		calls := r.clients.LookUp(t.Context(), tt.account, people(1, nil))
		if len(calls) != 1 || calls[0].Failure.Key != tt.want {
			t.Errorf("%s: got %+v, want %s", name, calls, tt.want)
		}
	}
	if got := r.sim.Calls(); len(got) > 0 {
		t.Errorf("got calls %+v, want none", got)
	}
}

// TestFirstCallsFetchOneToken: concurrent first calls fetch one token, and one that gives up does not end it for the others.
func TestFirstCallsFetchOneToken(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{}, 16)
	r := newRig(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/token" {
				asked <- struct{}{}
			}
			next.ServeHTTP(w, r)
		})
	})
	begin, ended := make(chan struct{}), make(chan dispatch.Reason, 8)
	for n := range 8 {
		ctx, giveUp := context.WithCancel(t.Context())
		defer giveUp()
		go func() {
			<-begin
			if n == 0 {
				giveUp()
			}
			ended <- r.clients.LookUp(ctx, r.Account, []dispatch.LookupNumber{"987654321"})[0].Failure
		}()
	}
	tx, err := r.db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(`LOCK TABLE credentials IN ACCESS EXCLUSIVE MODE`); err != nil {
		t.Fatal(err)
	}
	close(begin)
	waiting := func() (n int) {
		err := r.db.QueryRowContext(t.Context(), `SELECT count(*) FROM pg_locks WHERE database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND relation = 'credentials'::regclass AND NOT granted`).Scan(&n)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	await.True(t, "somebody reads the credentials", func() bool { return waiting() > 0 })
	for range 50 {
		waiting() // the others come meanwhile, if they do
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	failed := 0
	for range 8 {
		if (<-ended).Key != "" {
			failed++
		}
	}
	if failed > 1 || len(asked) != 1 {
		t.Errorf("%d failed, and %d tokens were fetched; want the one that gave up, and one", failed, len(asked))
	}
}
