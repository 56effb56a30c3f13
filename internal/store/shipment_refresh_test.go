package store_test

import (
	"testing"
	"time"

	"utsending/internal/store/items"
	"utsending/internal/store/queue"
)

// TestStatusTimeOfTheService: the service's time of a status is stored besides ours, for the account's own shipments
// only.
func TestStatusTimeOfTheService(t *testing.T) {
	t.Parallel()
	r := newRig(t).shipments(t)
	r.queuedShipment(t)
	id := r.claimShipment(t).Item
	at := time.Now().Add(-time.Hour).Truncate(time.Second)
	stranger := r.other(t)
	for _, save := range []struct {
		check queue.Check
		at    time.Time
	}{{queue.Check{Item: id, Account: r.Account.ID}, at}, {queue.Check{Item: id, Account: stranger.Account.ID}, at.Add(time.Hour)}} {
		if err := queue.In(r.s).Checks.SaveStatusTime(t.Context(), save.check, save.at); err != nil {
			t.Fatal(err)
		}
	}
	it, err := items.In(r.s).Shipments.ByID(t.Context(), r.Account.ID, id)
	if err != nil || !it.ServiceStatusAt.Equal(at) {
		t.Errorf("got %v, %v; want %v", it.ServiceStatusAt, err, at)
	}
}
