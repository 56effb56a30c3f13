package store_test

import (
	"testing"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/storetest"
)

// TestKeysAndIDsAreOfAKind: a form's key or an id of one kind means nothing to the other.
func TestKeysAndIDsAreOfAKind(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	key := uuid.NewString()
	shipment, err := items.In(r.s).Drafts.Create(t.Context(), r.Account.ID, r.Actor, key, dispatch.DraftFields{})
	if err != nil {
		t.Fatal(err)
	}
	sms, err := items.In(r.s).SMS.SaveDraft(t.Context(), r.Account.ID, r.Actor, key, storetest.ToPhone("90000123", "Hei"))
	if err != nil || sms == shipment {
		t.Errorf("the shipment's key made %s, %v", sms, err)
	}
	if again, err := items.In(r.s).Drafts.Create(t.Context(), r.Account.ID, r.Actor, key, dispatch.DraftFields{}); again != shipment || err != nil {
		t.Errorf("the shipment's key made another shipment: %s, %v", again, err)
	}
	seen := read[string](t, r, `SELECT coalesce((SELECT xmin::text FROM sms WHERE item_id = $1), '0')`, shipment)
	wantErr(t, items.In(r.s).SMS.ChangeDraft(t.Context(), r.Account.ID, shipment, r.Actor, storetest.ToPhone("90000123", "Hei")), store.ErrNotFound)
	wantErr(t, items.In(r.s).SMS.Queue(t.Context(), r.Account, shipment, seen, r.Actor), store.ErrNotFound)
	wantErr(t, items.In(r.s).Drafts.Discard(t.Context(), r.Account.ID, dispatch.KindSMS, shipment, r.Actor), store.ErrNotFound)
	wantErr(t, items.In(r.s).Drafts.Queue(t.Context(), r.Account, sms, r.Actor, 1, dispatch.Shipment{}), store.ErrNotFound)
	if n := read[int](t, r, `SELECT count(*) FROM audit_events WHERE action IN ('sms.send', 'shipment.send')`); n != 0 {
		t.Errorf("%d lines of the log tell of sending", n)
	}
	job, err := items.In(r.s).ShipmentJobs.Create(t.Context(), r.Account.ID, shipment, r.Actor)
	if err != nil {
		t.Fatal(err)
	}
	if other, err := items.In(r.s).Jobs.Create(t.Context(), r.Account.ID, r.Actor, string(shipment)); other == job || err != nil {
		t.Errorf("a job of SMS is that of the shipment: %v", err)
	}
	for name, statement := range map[string]string{
		"SMS of a shipment": `INSERT INTO sms (item_id, account_id, by_phone, recipient, recipient_hash, text, encoding, parts)
			SELECT '` + string(shipment) + `', account_id, by_phone, recipient, recipient_hash, text, encoding, parts FROM sms LIMIT 1`,
		"shipment of an SMS": `INSERT INTO shipments (item_id, account_id, form) SELECT '` + string(sms) + `', account_id, form FROM shipments LIMIT 1`,
		"change of kind":     `UPDATE items SET kind = 'sms' WHERE id = '` + string(shipment) + `'`,
	} {
		if _, err := r.db.ExecContext(t.Context(), statement); err == nil {
			t.Errorf("%s: the database lets it be", name)
		}
	}
}

// TestDraftWithAListIsNotOneShipment: whatever its sender was shown.
func TestDraftWithAListIsNotOneShipment(t *testing.T) {
	t.Parallel()
	r := newRig(t).shipments(t)
	l := r.ShipmentJob(t, r.s, "Vedtak", storetest.ShipmentRows(3))
	version := read[int](t, r, `SELECT version FROM shipments WHERE item_id = $1`, l.Draft)
	wantErr(t, items.In(r.s).Drafts.Queue(t.Context(), r.Account, l.Draft, r.Actor, version, dispatch.Shipment{Title: "Vedtak"}), items.ErrMany)
	if state := r.state(t, l.Draft); state != dispatch.StateDraft {
		t.Errorf("it is %s", state)
	}
}
