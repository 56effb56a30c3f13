package delivery_test

import (
	"fmt"
	"testing"

	"utsending/internal/await"
	"utsending/internal/clients/simulator"
	"utsending/internal/delivery"
	"utsending/internal/dispatch"
	"utsending/internal/store/queue"
)

func TestTokenEndpointAway(t *testing.T) {
	t.Parallel()
	for name, status := range map[string]int{"answers 500": 500, "answers 503": 503, "is busy": 429, "cuts the connection": simulator.CutConnection} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, simulator.Options{})
			r.sim.RefuseTokens(status)
			id := r.queue(t, "020")
			r.start(t)
			await.True(t, "an attempt has ended", func() bool { return r.attempted(t, id) > 0 })
			if it := r.Item(t, r.s, id); it.State == dispatch.StateAccepted || it.Reason.Key != "reason.token_unavailable" || it.Block != dispatch.BlockNone {
				t.Errorf("got %s because of %q, hold %q", it.State, it.Reason.Key, it.Block)
			}
			if n := r.calls(simulator.OpSend); n != 0 {
				t.Errorf("got %d calls without a token", n)
			}
			r.sim.RefuseTokens(0)
			r.awaitState(t, id, dispatch.StateAccepted)
			if n := len(r.sim.Books()); n != 1 {
				t.Errorf("got %d accepted", n)
			}
		})
	}
}

func TestTokenEndpointRefuses(t *testing.T) {
	t.Parallel()
	for _, status := range []int{400, 401, 403} {
		t.Run(fmt.Sprint("with ", status), func(t *testing.T) {
			t.Parallel()
			r := newRig(t, simulator.Options{})
			r.sim.RefuseTokens(status)
			ids := r.queueMany(t, 6)
			r.start(t)
			r.awaitHeld(t, len(ids), 1)
			it := r.Item(t, r.s, ids[5])
			if it.Block != dispatch.BlockRefused || r.calls(simulator.OpSend) != 0 {
				t.Errorf("got hold %q and %d calls", it.Block, r.calls(simulator.OpSend))
			}
			if key := read[string](t, r, `SELECT refused_key FROM integrations WHERE id = $1`, r.Integration.ID); key != "reason.token_refused" {
				t.Errorf("got %q", key)
			}
			r.sim.RefuseTokens(0)
			if _, err := queue.In(r.s).Operations.ClearRefusal(t.Context(), r.Integration.ID, "", r.Actor); err != nil {
				t.Fatal(err)
			}
			r.awaitAccepted(t, len(ids))
			r.wantOnce(t, ids)
		})
	}
}

func (r *rig) refused(t *testing.T) bool {
	t.Helper()
	return read[bool](t, r, `SELECT refused_at IS NOT NULL FROM integrations WHERE id = $1`, r.Integration.ID)
}

func TestRevokedTokensAreFetchedAnew(t *testing.T) {
	t.Parallel()
	r := newRig(t, simulator.Options{})
	r.start(t)
	r.awaitState(t, r.queue(t, "020"), dispatch.StateAccepted)
	r.sim.RevokeTokens()
	ids := r.queueMany(t, 10)
	r.awaitAccepted(t, 11)
	r.wantOnce(t, ids)
	if r.refused(t) || len(r.sim.Books()) != 11 {
		t.Errorf("got the integration refused: %t, and %d accepted", r.refused(t), len(r.sim.Books()))
	}
}

// After an integration is moved to another service, no message may be sent to the old one.
func TestIntegrationThatIsMoved(t *testing.T) {
	t.Parallel()
	old, fresh := newRig(t, simulator.Options{}), newRig(t, simulator.Options{})
	moved := fresh.service("moved")
	old.start(t, func(o *delivery.Options) { o.Upstream = old.services(o.Store, moved) })
	old.awaitState(t, old.queue(t, "020"), dispatch.StateAccepted)
	old.with(t, func(in *dispatch.Integration) { in.Service = moved.Name })
	id := old.queue(t, "020")
	old.awaitState(t, id, dispatch.StateAccepted)
	if len(old.sim.Books()) != 1 || len(fresh.sim.Books()) != 1 {
		t.Errorf("got %d messages at the old service and %d at the new one", len(old.sim.Books()), len(fresh.sim.Books()))
	}
}

func TestIntegrationThatCannotBeRead(t *testing.T) {
	t.Parallel()
	r := newRig(t, simulator.Options{})
	r.with(t, func(in *dispatch.Integration) { in.Service = "ikke satt opp" })
	id := r.queue(t, "020")
	r.start(t)
	await.True(t, "an attempt has ended", func() bool { return r.attempted(t, id) > 0 })
	if it := r.Item(t, r.s, id); it.State != dispatch.StateQueued || it.Reason.Key != "reason.integration_unreadable" {
		t.Errorf("got %s because of %q", it.State, it.Reason.Key)
	}
	r.with(t, func(in *dispatch.Integration) { in.Service = "sms" })
	r.awaitState(t, id, dispatch.StateAccepted)
}

// A message that cannot be opened must not block the others of its account.
func TestMessageThatDoesNotOpen(t *testing.T) {
	t.Parallel()
	r := newRig(t, simulator.Options{})
	broken := r.queue(t, "020")
	r.exec(t, `UPDATE sms SET text = recipient WHERE item_id = $1`, broken)
	r.queueMany(t, 10)
	r.start(t)
	r.awaitAccepted(t, 10)
	if got := r.state(t, broken); got == dispatch.StateUncertain {
		t.Errorf("got %s, but it was surely not sent", got)
	}
}

// state reads the state of an item whose content cannot be opened.
func (r *rig) state(t *testing.T, id dispatch.ItemID) dispatch.State {
	t.Helper()
	return read[dispatch.State](t, r, `SELECT state FROM items WHERE id = $1`, id)
}
