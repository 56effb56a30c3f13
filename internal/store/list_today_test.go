package store_test

import (
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/store/items"
	"utsending/internal/store/storetest"
)

// TestListSentToday: recipients are counted once, in either channel, today only, and not for what did not reach them; named are all of one's own, and of a short list nothing is
// told of what colleagues sent.
func TestListSentToday(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	ctx, in, boss := t.Context(), items.In(r.s), r.colleague(t)
	told := func(id dispatch.JobID, viewer dispatch.UserID, n, own, rows int) items.ListToday {
		t.Helper()
		got, err := in.Today.ToList(ctx, r.job(t, id), viewer)
		if err != nil || got.N != n || got.Own != own || len(got.Rows) != rows {
			t.Errorf("got %d, own %d, %d rows, %v; want %d, %d, %d", got.N, got.Own, len(got.Rows), err, n, own, rows)
		}
		return got
	}
	send := func(phone string) dispatch.ItemID { return r.Queue(t, r.s, storetest.ToPhone(phone, "Hei")) }
	first := send("+4740000001")
	send("+4740000001")
	third := send("+4740000003")
	yesterday := send("+4740000004")
	r.exec(t, `UPDATE items SET due_since = due_since - interval '2 days', created_at = created_at - interval '2 days' WHERE id = $1`, yesterday)
	r.exec(t, `UPDATE items SET state = 'cancelled' WHERE id = $1`, send("+4740000005"))
	for _, status := range []dispatch.Status{dispatch.StatusNotSent, dispatch.StatusNotDelivered} {
		r.exec(t, `UPDATE items SET state = 'accepted', status = $2, accepted_at = now() WHERE id = $1`, send("+4740000005"), status)
	}
	list := func(phones ...string) items.List {
		var rows []dispatch.JobRow
		for i, p := range phones {
			rows = append(rows, storetest.Row(i+2, p))
		}
		return storetest.ListOf(nil, rows...)
	}
	long := r.JobDraft(t, r.s, list("+4740000001", "+4740000002", "+4740000003", "+4740000004", "+4740000005"), items.JobText{Text: "Hei", Segments: 5})
	short := r.JobDraft(t, r.s, list("+4740000001", "+4740000002"), items.JobText{Text: "Hei", Segments: 2})
	got := told(long, r.User, 2, 2, 3)
	if got.Sent != 0 || got.Doubt != 0 || got.Later != 2 || got.OwnOnly {
		t.Errorf("of what waits: %+v", got)
	}
	if len(got.Rows) == 3 && (got.Rows[0].Row.Position != 2 || got.Rows[1].Sent.ID != first || got.Rows[2].Row.Position != 4) {
		t.Errorf("rows %+v", got.Rows)
	}
	told(long, boss.User, 2, 0, 0)
	if got := told(short, r.User, 1, 1, 2); !got.OwnOnly {
		t.Error("a short list does not say that colleagues' are not counted")
	}
	r.exec(t, `UPDATE items SET state = 'uncertain' WHERE id = $1`, first)
	r.exec(t, `UPDATE items SET state = 'accepted', accepted_at = now() WHERE id = $1`, third)
	if got := told(long, r.User, 2, 2, 3); got.Sent != 1 || got.Doubt != 1 || got.Later != 1 {
		t.Errorf("of what waits, went and may have gone: %+v", got)
	}
	told(short, boss.User, 0, 0, 0)
	other := r.other(t)
	if got, err := in.Today.ToList(ctx, dispatch.Job{ID: long, AccountID: other.Account.ID}, r.User); err != nil || got.N != 0 {
		t.Errorf("another account: %+v, %v", got, err)
	}

	letters := r.ShipmentJob(t, r.s, "brev", storetest.ShipmentRows(5)) // no one's yet
	told(letters.Job, r.User, 0, 0, 0)
	sent := r.ShipmentJob(t, r.s, "brev", storetest.ShipmentRows(3))
	r.SendShipments(t, r.s, sent)
	r.made(t)
	told(letters.Job, r.User, 3, 3, 3)
}

// TestSentTodayIsLogged: the event log names what a review shows that the recipient was sent, and nothing else that was sent to the number.
func TestSentTodayIsLogged(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	send := func() dispatch.ItemID { return r.Queue(t, r.s, storetest.ToPhone("+4740000001", "Hei")) }
	r.exec(t, `UPDATE items SET state = 'rejected', reason_key = 'reason.rejected' WHERE id = $1`, send())
	shown, draft := send(), send()
	list, refused, err := items.In(r.s).Today.ToNumber(t.Context(), r.Account.ID, dispatch.Search{Phone: "+4740000001"}, draft, r.Actor)
	if err != nil || refused != nil || len(list) != 1 || list[0].ID != shown {
		t.Fatalf("got %+v, %v, %v; want %s", list, refused, err, shown)
	}
	if found := read[string](t, r, `SELECT details ->> 'found' FROM audit_events WHERE action = 'recipient.today'`); found != `["`+string(shown)+`"]` {
		t.Errorf("the log has found %s, want %s", found, shown)
	}
}

// TestChangedRowsChangeTheDraft: the list of drafts tells when rows of a shipment to several were changed.
func TestChangedRowsChangeTheDraft(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	draft := r.ShipmentJob(t, r.s, "brev", storetest.ShipmentRows(2))
	r.exec(t, `UPDATE shipments SET changed_at = now() - interval '1 hour'`)
	r.exec(t, `UPDATE documents SET created_at = now() - interval '1 hour'`)
	rows, _, err := items.In(r.s).Rows.Read(t.Context(), r.Account.ID, draft.Job, items.RowsAll, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	rows[0].Problem.Key = dispatch.ProblemLeftOut
	wantErr(t, items.In(r.s).Rows.Fix(t.Context(), r.Account.ID, draft.Job, r.Actor, rows...), nil)
	drafts, err := items.In(r.s).Drafts.List(t.Context(), r.Account.ID, r.User)
	if err != nil || len(drafts) != 1 || time.Since(drafts[0].ChangedAt) > 30*time.Minute {
		t.Errorf("got %+v, %v", drafts, err)
	}
}
