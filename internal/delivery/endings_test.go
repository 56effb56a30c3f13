package delivery_test

import (
	"strings"
	"testing"
	"time"

	"utsending/internal/await"
	"utsending/internal/clients/simulator"
	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
)

// ended is a message's expected outcome, from the table of docs/delivery.md, Outcomes.
type ended struct {
	state  dispatch.State
	booked int            // how often the service has accepted it
	mark   dispatch.Scope // what is refused
}

var (
	isRejected    = ended{state: dispatch.StateRejected}
	isUncertain   = ended{state: dispatch.StateUncertain}
	isBookedThen  = ended{state: dispatch.StateUncertain, booked: 1}
	isUnavailable = ended{state: dispatch.StateQueued}
	isAccepted    = ended{state: dispatch.StateAccepted, booked: 1}
	marksAccount  = ended{state: dispatch.StateQueued, mark: dispatch.ScopeAccount}
)

var endings = map[string]ended{
	"020": isAccepted, // no ending
	"400": isRejected, "409": isRejected, "413": isRejected, "422": isRejected,
	"401": isUnavailable, // of one call alone: a harmless question is let in
	"403": marksAccount, "404": marksAccount,
	"408": isUncertain, "500": isUncertain, "502": isUncertain, "504": isUncertain,
	"429": isUnavailable, "503": isUnavailable,
	"901": isBookedThen, // accepted, no answer
	"902": isUncertain,  // no answer
	"903": isUncertain,  // 200 with HTML
	"904": isBookedThen, // accepted, half an answer
	"905": isAccepted,   // slow
	"906": isUncertain,  // redirect
	"907": isRejected,   // errorJson as an object
	"908": isUncertain,  // 500 without a body
	"909": isUncertain,  // 400 with HTML
	"910": isAccepted,   // 503 once
	"911": isUncertain,  // 200 without an id
	"912": isBookedThen, // accepted, answers 500
}

func TestEveryEnding(t *testing.T) {
	t.Parallel()
	for _, e := range simulator.Endings() {
		if _, ok := endings[e.Digits]; !ok && strings.HasPrefix(e.Meaning, "send ") {
			t.Errorf("nothing is said of ending %s: %s", e.Digits, e.Meaning)
		}
	}
	base := newRig(t, simulator.Options{SlowFor: 50 * time.Millisecond})
	rigs, ids := map[string]*rig{}, map[string]dispatch.ItemID{}
	for digits := range endings {
		rigs[digits] = base.other(t, false)
		ids[digits] = rigs[digits].queue(t, digits)
	}
	w := base.start(t)
	for digits, want := range endings {
		await.True(t, "the message to "+digits+" has come to its end", func() bool {
			it := base.attempted(t, ids[digits])
			return it > 0 && rigs[digits].Item(t, base.s, ids[digits]).State == want.state
		})
	}
	w.stop()
	for digits, want := range endings {
		t.Run(digits, func(t *testing.T) { rigs[digits].wantEnded(t, ids[digits], want) })
	}
}

// attempted counts an item's ended attempts.
func (r *rig) attempted(t *testing.T, id dispatch.ItemID) int {
	t.Helper()
	return read[int](t, r, `SELECT count(*) FROM attempts WHERE item_id = $1 AND finished_at IS NOT NULL`, id)
}

func (r *rig) wantEnded(t *testing.T, id dispatch.ItemID, want ended) {
	t.Helper()
	it := r.Item(t, r.s, id)
	if it.State != want.state || r.booked(it.Recipient.Phone) != want.booked {
		t.Errorf("got %s (%s), booked %d times; want %s, %d", it.State, it.Reason.Key, r.booked(it.Recipient.Phone), want.state, want.booked)
	}
	if (it.State == dispatch.StateAccepted) == (it.Reason.Key != "") || (it.State == dispatch.StateAccepted) == (it.UpstreamID == "") {
		t.Errorf("got reason %q and id %q", it.Reason.Key, it.UpstreamID)
	}
	if refused := read[bool](t, r, `SELECT refused_at IS NOT NULL FROM integrations WHERE id = $1`, r.Integration.ID); refused != (want.mark == dispatch.ScopeIntegration) {
		t.Errorf("the integration is refused: %t", refused)
	}
	if refused := read[bool](t, r, `SELECT EXISTS (SELECT FROM account_refusals WHERE account_id = $1)`, r.Account.ID); refused != (want.mark == dispatch.ScopeAccount) {
		t.Errorf("the account is refused: %t", refused)
	}
	if want == isUnavailable && !it.DueAt.After(it.Reason.At) {
		t.Error("it does not wait before the next attempt")
	}
	holds := map[dispatch.Scope]dispatch.Block{dispatch.ScopeIntegration: dispatch.BlockRefused, dispatch.ScopeAccount: dispatch.BlockAccount}
	if it.Block != holds[want.mark] {
		t.Errorf("got hold %q", it.Block)
	}
}

// An uncertain message is sent again only by a person's decision.
func TestUncertainIsNeverResentByItself(t *testing.T) {
	t.Parallel()
	r := newRig(t, simulator.Options{})
	lost, once := r.queue(t, "901"), r.queue(t, "912")
	r.start(t)
	r.awaitState(t, lost, dispatch.StateUncertain)
	it := r.awaitState(t, once, dispatch.StateUncertain)
	r.exec(t, `UPDATE items SET due_at = now() - interval '1 hour'`)
	r.queueMany(t, 5)
	r.awaitAccepted(t, 5)
	if n := len(r.sim.Books()); n != 7 {
		t.Fatalf("got %d accepted messages, want 7", n)
	}
	if n, err := items.In(r.s).Decisions.Resolve(t.Context(), r.Account, []dispatch.ItemID{once}, dispatch.DecisionSendAgain, store.Actor{User: r.User}); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	r.awaitState(t, once, dispatch.StateAccepted)
	if n := r.booked(it.Recipient.Phone); n != 2 {
		t.Errorf("got %d after the decision to send again, want 2", n)
	}
}
