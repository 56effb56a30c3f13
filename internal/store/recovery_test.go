package store_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/queue"
	"utsending/internal/store/registry"
)

// shipments returns a rig whose account sends shipments too.
func (r rig) shipments(t *testing.T) rig {
	t.Helper()
	in := dispatch.Integration{Name: "V1", Kind: dispatch.IntegrationShipmentV1, Service: "v1", ReserveIDs: true, Parallelism: 4, RatePerSec: 1000}
	var err error
	in.ID, err = registry.In(r.s).Integrations.Save(t.Context(), in, dispatch.Credentials{ClientID: "bruker", ClientSecret: "passord"})
	if err == nil {
		r.Integration, r.Account.ShipmentIntegration = in, in.ID
		_, err = registry.In(r.s).Accounts.Save(t.Context(), r.Account)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (r rig) shipmentLane() queue.Lane {
	l := r.lane()
	l.Channel, l.Kind, l.ReserveIDs = dispatch.KindShipment, dispatch.IntegrationShipmentV1, true
	return l
}

// claimShipment claims the next shipment.
func (r rig) claimShipment(t *testing.T) *queue.Claim {
	t.Helper()
	c := r.tryClaim(t, r.shipmentLane())
	if c == nil {
		t.Fatal("no shipment to claim")
	}
	return c
}

// queuedShipment queues a shipment.
func (r rig) queuedShipment(t *testing.T) {
	t.Helper()
	id, err := items.In(r.s).Drafts.Create(t.Context(), r.Account.ID, r.Actor, uuid.NewString(), dispatch.DraftFields{})
	if err == nil {
		err = items.In(r.s).Drafts.Queue(t.Context(), r.Account, id, r.Actor, 1, dispatch.Shipment{Title: "Vedtak"})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// diedShipment leaves a shipment in the middle of a call, with a reserved id and an expired lease.
func (r rig) diedShipment(t *testing.T) *queue.Claim {
	t.Helper()
	r.queuedShipment(t)
	c := r.claimShipment(t)
	if err := queue.In(r.s).Claims.Reserve(t.Context(), c, uuid.NewString()); err != nil {
		t.Fatal(err)
	}
	r.exec(t, `UPDATE items SET lease_until = now() - interval '1 second' WHERE id = $1`, c.Item)
	if n, err := queue.In(r.s).Claims.RecoverDead(t.Context(), 0); err != nil || n != (queue.Dead{Uncertain: 1}) {
		t.Fatalf("recovered %+v, %v; want 1", n, err)
	}
	return c
}

// recovery claims the look-up of the only uncertain shipment.
func (r rig) recovery(t *testing.T) queue.Recovery {
	t.Helper()
	r.exec(t, `UPDATE items SET recover_at = now() - interval '1 second' WHERE recover_at IS NOT NULL`)
	list, err := queue.In(r.s).Recoveries.Claim(t.Context(), r.lookedUpAt(t), 16)
	if err != nil || len(list) != 1 {
		t.Fatalf("got %d look-ups, %v; want 1", len(list), err)
	}
	return list[0]
}

// lookedUpAt is the only integration with a due look-up.
func (r rig) lookedUpAt(t *testing.T) dispatch.IntegrationID {
	t.Helper()
	due, err := queue.In(r.s).Recoveries.Due(t.Context())
	if err != nil || len(due) != 1 {
		t.Fatalf("got %d integrations to ask, %v; want 1", len(due), err)
	}
	return due[0]
}

func (r rig) sendOnceMore(t *testing.T, rec queue.Recovery) {
	t.Helper()
	if err := queue.In(r.s).Recoveries.SendOnceMore(t.Context(), rec); err != nil {
		t.Fatal(err)
	}
}

// lostShipment is an uncertain result with a recovery window of an hour.
func lostShipment() dispatch.Result {
	lost := uncertain()
	lost.LookUpAfter, lost.Window = time.Minute, time.Hour
	return lost
}

// A process delayed between its look-up and its decision must not send a shipment that another one has looked up and
// sent meanwhile: its knowledge is older than the last call.
func TestASlowLookUpDecidesNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t).shipments(t)
	r.diedShipment(t)
	slow := r.recovery(t)
	r.sendOnceMore(t, r.recovery(t))
	c := r.claimShipment(t)
	r.finish(t, c, lostShipment())
	before := r.row(t, c.Item)
	r.sendOnceMore(t, slow)
	if err := queue.In(r.s).Recoveries.Postpone(t.Context(), slow, 0); err != nil {
		t.Fatal(err)
	}
	if got := r.row(t, c.Item); got != before {
		t.Errorf("it became\n%s, was\n%s", got, before)
	}
	if err := queue.In(r.s).Recoveries.Found(t.Context(), slow, c.Reserved, time.Now()); err != nil || r.state(t, c.Item) != dispatch.StateAccepted {
		t.Errorf("that it was found is proof at any time, but it is %s, %v", r.state(t, c.Item), err)
	}
}

func TestAShipmentThatDoesNotOpenHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	r := newRig(t).shipments(t)
	broken, whole := r.diedShipment(t), r.diedShipment(t)
	r.exec(t, `UPDATE shipments SET content = form WHERE item_id = $1`, broken.Item)
	list, err := queue.In(r.s).Recoveries.Claim(t.Context(), r.lookedUpAt(t), 16)
	if err == nil || len(list) != 1 || list[0].Item != whole.Item {
		t.Errorf("got %d look-ups, %v; want the one that opens, and an error", len(list), err)
	}
}

// The result of the first call tells nothing about the second, which keeps its window and its look-ups.
func TestALateAnswerLeavesTheWindowOfTheNextCall(t *testing.T) {
	t.Parallel()
	for _, late := range []dispatch.Result{unavailable(), rejected(), uncertain()} {
		t.Run(string(late.Outcome), func(t *testing.T) {
			t.Parallel()
			r := newRig(t).shipments(t)
			first := r.diedShipment(t)
			r.sendOnceMore(t, r.recovery(t))
			second := r.claimShipment(t)
			r.finish(t, second, lostShipment())
			r.finish(t, first, late)
			if got := r.state(t, second.Item); got != dispatch.StateUncertain {
				t.Fatalf("got %s", got)
			}
			wantIn(t, "window", read[time.Time](t, r, `SELECT window_ends_at FROM items WHERE id = $1`, second.Item), time.Hour)
			if r.recovery(t).WindowOver {
				t.Error("the window is over")
			}
		})
	}
}

// TestDeathBeforeAnIDIsReserved: nothing can have been sent, so no look-up is needed.
func TestDeathBeforeAnIDIsReserved(t *testing.T) {
	t.Parallel()
	r := newRig(t).shipments(t)
	r.queuedShipment(t)
	c := r.claimShipment(t)
	r.exec(t, `UPDATE items SET lease_until = now() - interval '1 second' WHERE id = $1`, c.Item)
	if n, err := queue.In(r.s).Claims.RecoverDead(t.Context(), time.Minute); err != nil || n != (queue.Dead{Queued: 1}) {
		t.Fatalf("got %+v, %v", n, err)
	}
	// A frozen process that continues must not send an item whose lease it has lost.
	wantErr(t, queue.In(r.s).Claims.Reserve(t.Context(), c, uuid.NewString()), store.ErrChanged)
	again := r.claimShipment(t)
	if again.Item != c.Item || again.Reserved != "" {
		t.Errorf("got %+v, want the shipment again without an id", again)
	}
	if got := read[string](t, r, `SELECT outcome || ' ' || reason_key FROM attempts WHERE id = $1`, c.Attempt); got != "unavailable reason.lease_lost" {
		t.Errorf("the attempt is %q", got)
	}
}

// TestDeathWithoutReserving: if no id was reserved first, the call may have succeeded.
func TestDeathWithoutReserving(t *testing.T) {
	t.Parallel()
	r := newRig(t).shipments(t)
	r.queuedShipment(t)
	lane := r.shipmentLane()
	lane.ReserveIDs = false
	c := r.tryClaim(t, lane)
	if c == nil {
		t.Fatal("no shipment to claim")
	}
	r.exec(t, `UPDATE items SET lease_until = now() - interval '1 second' WHERE id = $1`, c.Item)
	if n, err := queue.In(r.s).Claims.RecoverDead(t.Context(), time.Minute); err != nil || n != (queue.Dead{Uncertain: 1}) {
		t.Fatalf("got %+v, %v", n, err)
	}
	if got := read[string](t, r, `SELECT state FROM items WHERE id = $1`, c.Item); got != "uncertain" {
		t.Errorf("the shipment is %s", got)
	}
}
