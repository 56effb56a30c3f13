package store_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/lists"
	"utsending/internal/store/registry"
	"utsending/internal/store/storetest"
)

// in days from now, things are purged as they are kept by default.
func (r rig) purge(t *testing.T, days int) registry.PurgeCounts {
	t.Helper()
	owner := storetest.Open(t, storetest.Owner(r.url))
	at := time.Now().AddDate(0, 0, days)
	preview, err := registry.In(r.s).Retention.Preview(t.Context(), dispatch.DefaultRetention(), at)
	if err != nil {
		t.Fatal(err)
	}
	counts, err := registry.In(owner).Retention.Purge(t.Context(), dispatch.DefaultRetention(), at)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []dispatch.Keeping{dispatch.KeepDrafts, dispatch.KeepContent, dispatch.KeepIdentity, dispatch.KeepRows} {
		if preview[k] != counts[k] {
			t.Errorf("%d of %s were announced, and %d went", preview[k], k, counts[k])
		}
	}
	return counts
}

// ended returns an item that was delivered and is read no more.
func (r rig) ended(t *testing.T) dispatch.ItemID {
	t.Helper()
	id := r.in(t, dispatch.StateAccepted)
	r.exec(t, `UPDATE items SET status = 'LEVERT', status_at = now(), settled_at = now(), next_check_at = NULL WHERE id = $1`, id)
	return id
}

func TestPurgeContent(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.ended(t)
	r.exec(t, `INSERT INTO answers (item_id, account_id, sealed) VALUES ($1, $2, 'x')`, id, r.Account.ID)
	if got := r.purge(t, 89); got[dispatch.KeepContent] != 0 {
		t.Errorf("purged %d before the time was up", got[dispatch.KeepContent])
	}
	if got := r.purge(t, 91); got[dispatch.KeepContent] != 1 || got[dispatch.KeepIdentity] != 0 {
		t.Errorf("got %v", got)
	}
	if n := read[int](t, r, `SELECT count(*) FROM answers`); n != 0 {
		t.Errorf("%d answers of the service are left", n)
	}
	it := r.Item(t, r.s, id)
	if !it.Purged() || it.Text != "" || it.Recipient.Phone.Reveal() != "90000123" || it.Status != dispatch.StatusDelivered {
		t.Errorf("got %q to %q, %s", it.Text, it.Recipient.Masked(), it.Status)
	}
	if got := r.purge(t, 92); got[dispatch.KeepContent] != 0 {
		t.Errorf("purged %d again", got[dispatch.KeepContent])
	}
}

// TestContentOfAFollowUpEnds: that somebody has to follow an item up does not keep its content; when it goes is told, and that it is gone.
func TestContentOfAFollowUpEnds(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id, kept, waits := r.in(t, dispatch.StateRejected), r.in(t, dispatch.StateRejected), r.in(t, dispatch.StateQueued)
	r.exec(t, `UPDATE items SET created_at = now() - interval '60 days', reason_at = now() - interval '60 days' WHERE id = ANY($1)`, "{"+string(id)+","+string(kept)+"}")
	r.exec(t, `UPDATE events SET at = now() - interval '60 days' WHERE item_id = $1`, id)
	if err := registry.In(r.s).Holds.Retain(t.Context(), r.Account.ID, kept, "Klagesak", r.Actor); err != nil {
		t.Fatal(err)
	}
	ends := func() map[dispatch.ItemID]dispatch.ContentEnd {
		t.Helper()
		got, err := registry.In(r.s).Retention.ContentEnds(t.Context(), r.Account.ID, []dispatch.ItemID{id, kept, waits})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	got := ends()
	end := got[id]
	if left := time.Until(end.At); len(got) != 1 || end.Gone || left < 29*24*time.Hour || left > 31*24*time.Hour+2*time.Hour {
		t.Fatalf("got %v", got)
	}
	if end.Soon(time.Now()) || !end.Soon(end.At.AddDate(0, 0, -13)) {
		t.Error("it is not told two weeks before")
	}
	r.purge(t, int(time.Until(end.At).Hours()/24)-2)
	if ends()[id].Gone {
		t.Error("it went before the time that was told")
	}
	r.purge(t, int(time.Until(end.At).Hours()/24)+2)
	if now := ends(); !now[id].Gone || now[kept].Gone {
		t.Errorf("got %v", now)
	}
}

// TestPurgeLeavesWhatIsNotOver: items that may still be sent, are uncertain, or are still read are never purged,
// however old.
func TestPurgeLeavesWhatIsNotOver(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, state := range []dispatch.State{dispatch.StateQueued, dispatch.StateUncertain, dispatch.StateSending, dispatch.StateAccepted} {
		two := r.other(t)
		id := two.in(t, state)
		r.exec(t, `UPDATE items SET created_at = now() - interval '5 years' WHERE id = $1`, id)
		if got := two.purge(t, 4000); got[dispatch.KeepContent]+got[dispatch.KeepIdentity]+got[dispatch.KeepRows] != 0 {
			t.Errorf("%s: purged %v", state, got)
		}
		if it := two.Item(t, r.s, id); it.Text == "" || it.State != state {
			t.Errorf("%s: became %s with %q", state, it.State, it.Text)
		}
	}
	t.Run("and counts from the last change", func(t *testing.T) {
		two := r.other(t)
		id := two.ended(t)
		r.exec(t, `UPDATE items SET created_at = now() - interval '200 days', accepted_at = now() - interval '200 days', settled_at = now() - interval '200 days' WHERE id = $1`, id)
		if got := two.purge(t, 80); got[dispatch.KeepContent] != 0 {
			t.Error("it changed 80 days ago, and went")
		}
	})
}

func TestPurgeIdentityAndRows(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id, twin := r.ended(t), r.ended(t)
	if got := r.purge(t, 366); got[dispatch.KeepContent] != 2 || got[dispatch.KeepIdentity] != 2 || got[dispatch.KeepRows] != 0 {
		t.Errorf("got %v", got)
	}
	it := r.Item(t, r.s, id)
	if it.Recipient != (dispatch.SMSRecipient{}) || it.Segments.Count != 1 {
		t.Errorf("got %+v", it.Recipient)
	}
	if same := read[bool](t, r, `SELECT a.recipient_hash = b.recipient_hash FROM sms a, sms b WHERE a.item_id = $1 AND b.item_id = $2`, id, twin); same {
		t.Error("two pseudonyms tell that they are one person")
	}
	found, _, err := lists.In(r.s).Searches.Save(t.Context(), r.Account.ID, r.Actor, dispatch.Search{Phone: "90000123"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lists.In(r.s).Searches.ByID(t.Context(), r.Account.ID, r.User, found); err != nil {
		t.Fatal(err)
	}
	if got := r.purge(t, 1096); got[dispatch.KeepRows] != 2 {
		t.Errorf("got %v", got)
	}
	for _, table := range []string{"items", "sms", "attempts", "events", "listed", "follow_ups"} {
		if n := read[int](t, r, `SELECT count(*) FROM `+table); n != 0 {
			t.Errorf("%d rows of %s are left", n, table)
		}
	}
	if n, err := lists.In(r.s).Statistics.Drift(t.Context()); n != 0 || err != nil {
		t.Errorf("%d numbers are not what the items say, %v", n, err)
	}
}

func TestPurgedIsNotSentAgain(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.in(t, dispatch.StateFailed)
	r.purge(t, 91)
	wantErr(t, items.In(r.s).Decisions.SendAgain(t.Context(), r.Account.ID, id, r.Actor), store.ErrChanged)
	if got := r.state(t, id); got != dispatch.StateFailed {
		t.Errorf("it is %s", got)
	}
}

func TestPurgeDrafts(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	old := r.in(t, dispatch.StateDraft)
	fresh := r.in(t, dispatch.StateDraft)
	r.exec(t, `UPDATE events SET at = at + interval '20 days' WHERE item_id = $1`, fresh)
	shipment, err := items.In(r.s).Drafts.Create(t.Context(), r.Account.ID, r.Actor, uuid.NewString(), dispatch.DraftFields{})
	if err != nil {
		t.Fatal(err)
	}
	r.exec(t, `UPDATE items SET created_at = now() - interval '60 days' WHERE id = $1`, shipment)
	r.exec(t, `UPDATE events SET at = now() - interval '60 days' WHERE item_id = $1`, shipment)
	if got := r.purge(t, 29); got[dispatch.KeepDrafts] != 0 {
		t.Errorf("purged %v: the shipment was changed 29 days ago", got)
	}
	if got := r.purge(t, 31); got[dispatch.KeepDrafts] != 2 {
		t.Errorf("got %v", got)
	}
	wantErr(t, func() error { _, err := items.In(r.s).SMS.ByID(t.Context(), r.Account.ID, old); return err }(), store.ErrNotFound)
	if it := r.Item(t, r.s, fresh); it.Text == "" {
		t.Error("one that was changed later went")
	}
}

// TestPurgeDraftsOfJobs: drafts to many are kept from their last change, as others are, and counted among them. The list of a
// letter's draft stays as long as that draft, and the draft as long as its list is worked on.
func TestPurgeDraftsOfJobs(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	old, changed := r.JobDraft(t, r.s, listOf(2), items.JobText{}), r.JobDraft(t, r.s, listOf(2), items.JobText{})
	letter := r.ShipmentJob(t, r.s, "alle", storetest.ShipmentRows(2))
	r.exec(t, `UPDATE jobs SET created_at = now() - interval '60 days', changed_at = now() - interval '60 days'`)
	r.exec(t, `UPDATE jobs SET rows_warned = 1 WHERE id = $1`, changed) // as each change of a draft does
	left := func() int {
		return read[int](t, r, `SELECT count(*) FROM jobs WHERE id IN ($1, $2, $3)`, old, changed, letter.Job)
	}
	if got := r.purge(t, 0); got[dispatch.KeepDrafts] != 1 || left() != 2 {
		t.Errorf("purged %v, %d are left; want the one that nobody has changed", got, left())
	}
	r.exec(t, `UPDATE items SET created_at = now() - interval '60 days'; UPDATE shipments SET changed_at = now() - interval '60 days'; UPDATE events SET at = now() - interval '60 days'`)
	r.exec(t, `UPDATE jobs SET rows_warned = 2 WHERE id = $1`, letter.Job)
	if got := r.purge(t, 29); got[dispatch.KeepDrafts] != 0 {
		t.Errorf("purged %v: their lists were changed 29 days ago", got)
	}
	if got := r.purge(t, 31); got[dispatch.KeepDrafts] != 2 || left() != 0 {
		t.Errorf("purged %v, %d are left", got, left())
	}
}

func TestHold(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id, two := r.ended(t), r.other(t)
	wantErr(t, registry.In(r.s).Holds.Retain(t.Context(), two.Account.ID, id, "Klagesak", r.Actor), store.ErrChanged)
	if err := registry.In(r.s).Holds.Retain(t.Context(), r.Account.ID, id, "Klagesak", r.Actor); err != nil {
		t.Fatal(err)
	}
	wantErr(t, registry.In(r.s).Holds.Retain(t.Context(), r.Account.ID, id, "Klagesak", r.Actor), store.ErrChanged)
	wantErr(t, registry.In(r.s).Holds.Retain(t.Context(), r.Account.ID, r.in(t, dispatch.StateDraft), "Klagesak", r.Actor), store.ErrChanged)
	if h, err := registry.In(r.s).Holds.Held(t.Context(), r.Account.ID, id); err != nil || h == nil || h.Reason != "Klagesak" || h.By != "Kari Nordmann" {
		t.Errorf("got %v, %v", h, err)
	}
	r.purge(t, 4000)
	if it := r.Item(t, r.s, id); it.Text == "" {
		t.Error("it went although it is kept")
	}
	wantErr(t, registry.In(r.s).Holds.Release(t.Context(), two.Account.ID, id, "Avsluttet", r.Actor), store.ErrChanged)
	if err := registry.In(r.s).Holds.Release(t.Context(), r.Account.ID, id, "Avsluttet", r.Actor); err != nil {
		t.Fatal(err)
	}
	if got := r.purge(t, 4000); got[dispatch.KeepRows] != 1 {
		t.Errorf("got %v", got)
	}
}

// TestHoldReasonsAreSealed: plain reasons of an earlier release can be read, and are removed once sealed.
func TestHoldReasonsAreSealed(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	fresh, old := r.ended(t), r.ended(t)
	if err := registry.In(r.s).Holds.Retain(t.Context(), r.Account.ID, fresh, "Klagesak hos Statsforvalteren", r.Actor); err != nil {
		t.Fatal(err)
	}
	r.exec(t, `INSERT INTO holds (item_id, account_id, reason, set_by) VALUES ($1, $2, 'Tilsyn fra Helsetilsynet', $3)`, old, r.Account.ID, r.Actor.User)
	wantReasons := func() {
		t.Helper()
		for id, want := range map[dispatch.ItemID]string{fresh: "Klagesak hos Statsforvalteren", old: "Tilsyn fra Helsetilsynet"} {
			if h, err := registry.In(r.s).Holds.Held(t.Context(), r.Account.ID, id); err != nil || h == nil || h.Reason != want {
				t.Errorf("got %v, %v, want %q", h, err, want)
			}
		}
	}
	wantReasons()
	if n, err := registry.In(r.s).Holds.Seal(t.Context()); n != 1 || err != nil {
		t.Errorf("sealed %d, %v", n, err)
	}
	wantReasons()
	held := read[string](t, r, `SELECT string_agg(h::text || encode(coalesce(sealed, ''), 'escape'), E'\n') FROM holds h`)
	for _, clear := range []string{"Klagesak", "Tilsyn"} {
		if strings.Contains(held, clear) {
			t.Errorf("found %q in %q", clear, held)
		}
	}
	if n, err := registry.In(r.s).Holds.Seal(t.Context()); n != 0 || err != nil {
		t.Errorf("sealed %d again, %v", n, err)
	}
}

// TestPurgedLogCanBeVerified: the chain continues where it was cut, and a later cut cannot be forged.
func TestPurgedLogCanBeVerified(t *testing.T) {
	t.Parallel()
	r := chained(t, 6)
	r.exec(t, `UPDATE audit_events SET at = at - interval '4 years' WHERE id <= (SELECT audit_id FROM audit_chain WHERE position = 4); DELETE FROM audit_chain`)
	r.chain(t) // as if they had been written then
	end := r.verify(t).Last
	if counts, err := registry.In(r.s).Retention.Purge(t.Context(), dispatch.DefaultRetention(), time.Now()); err != nil || counts[dispatch.KeepLog] != 0 {
		t.Fatalf("the server purged %v, %v", counts, err)
	}
	if got := r.purge(t, 0); got[dispatch.KeepLog] != 4 {
		t.Errorf("purged %d lines, want 4", got[dispatch.KeepLog])
	}
	if v := r.verify(t, end); !v.Whole() || v.First != 5 || v.Lines != 2 || v.Last.String() != end.String() {
		t.Errorf("got %+v", v)
	}
	r.log(t, 7)
	r.chain(t)
	if v := r.verify(t, end); !v.Whole() || v.Lines != 4 { // with that of the purge itself
		t.Errorf("got %+v", v)
	}
	r.exec(t, `WITH gone AS (DELETE FROM audit_chain WHERE position = 5 RETURNING audit_id) DELETE FROM audit_events USING gone WHERE id = audit_id`)
	if v := r.verify(t); v.Whole() {
		t.Error("a line after the purged ones is gone, and nothing shows it")
	}
}

func TestPurgeByOneANight(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	night, ok := dispatch.PurgesNow(time.Date(2026, 11, 23, 1, 30, 0, 0, time.UTC))
	if !ok || night.Day() != 23 {
		t.Fatalf("half past two in Oslo is %s, %t", night, ok)
	}
	now := time.Now()
	for i, want := range []bool{true, false} {
		if got, err := registry.In(r.s).Retention.BeginPurge(t.Context(), night, now); err != nil || got != want {
			t.Errorf("%d: got %t, %v", i, got, err)
		}
	}
	if got, err := registry.In(r.s).Retention.BeginPurge(t.Context(), night, now.Add(2*time.Hour)); err != nil || !got {
		t.Errorf("nobody takes over from one that died: %t, %v", got, err)
	}
	if err := registry.In(r.s).Retention.EndPurge(t.Context(), night, now, registry.PurgeCounts{dispatch.KeepDrafts: 3}); err != nil {
		t.Fatal(err)
	}
	if got, err := registry.In(r.s).Retention.BeginPurge(t.Context(), night, now.Add(5*time.Hour)); err != nil || got {
		t.Errorf("got %t, %v after the end", got, err)
	}
	if list, err := registry.In(r.s).Retention.Purges(t.Context(), 5); err != nil || len(list) != 1 || list[0].Counts[dispatch.KeepDrafts] != 3 || list[0].EndedAt.IsZero() {
		t.Errorf("got %+v, %v", list, err)
	}
}

// TestPurgeJobOfShipments: its shipments' content is purged, and with the last of it their common content and the
// list. Then it cannot be sent again, and the page can tell why. One kept shipment keeps the files that it shares
// with the others.
func TestPurgeJobOfShipments(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	l := r.ShipmentJob(t, r.s, "alle", storetest.ShipmentRows(3))
	r.SendShipments(t, r.s, l)
	r.made(t)
	r.exec(t, `UPDATE items SET state = 'rejected', reason_at = now() WHERE job_id = $1`, l.Job)
	if err := items.In(r.s).Jobs.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	kept := dispatch.ItemID(read[string](t, r, `SELECT id::text FROM items WHERE job_id = $1 ORDER BY job_position LIMIT 1`, l.Job))
	if err := registry.In(r.s).Holds.Retain(t.Context(), r.Account.ID, kept, "Klage", r.Actor); err != nil {
		t.Fatal(err)
	}
	left := func() [3]int {
		return [3]int{
			read[int](t, r, `SELECT count(*) FROM shipments h JOIN items it ON it.id = h.item_id WHERE it.job_id = $1 AND h.content <> ''`, l.Job),
			read[int](t, r, `SELECT count(*) FROM document_chunks c JOIN documents d ON d.id = c.document_id WHERE d.job_id = $1`, l.Job),
			read[int](t, r, `SELECT count(*) FROM job_rows WHERE job_id = $1`, l.Job),
		}
	}
	before := left()
	r.purge(t, 91)
	if got := left(); got != [3]int{1, before[1], 3} || before != [3]int{3, before[1], 3} || before[1] == 0 {
		t.Errorf("with one shipment kept: got %v, had %v", got, before)
	}
	if j := r.job(t, l.Job); j.Purged {
		t.Error("the job counts as purged while one shipment is kept")
	}
	if err := registry.In(r.s).Holds.Release(t.Context(), r.Account.ID, kept, "Ferdig", r.Actor); err != nil {
		t.Fatal(err)
	}
	r.purge(t, 92)
	if got := left(); got != [3]int{} {
		t.Errorf("when nothing is kept: got %v", got)
	}
	if j := r.job(t, l.Job); !j.Purged || j.Recipients != 3 {
		t.Errorf("got purged %t to %d recipients", j.Purged, j.Recipients)
	}
	if _, err := items.In(r.s).Repeats.ShipmentsAgain(t.Context(), r.Account.ID, l.Job, r.Actor, uuid.NewString()); !errors.Is(err, items.ErrEmpty) {
		t.Errorf("to send again what is gone: %v", err)
	}
}

// TestNothingIsPurgedWithoutItsLine: each purge writes its line of the event log in the same transaction, however the
// night ends.
func TestNothingIsPurgedWithoutItsLine(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id, draft := r.ended(t), r.in(t, dispatch.StateDraft)
	job := r.JobDraft(t, r.s, storetest.ListOf(nil, storetest.Row(1, "90000123")), items.JobText{Text: "Hei der", Segments: 1})
	r.exec(t, `
		CREATE FUNCTION no_line() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'the log takes nothing'; END $$;
		CREATE TRIGGER no_line BEFORE INSERT ON audit_events FOR EACH ROW EXECUTE FUNCTION no_line()`)
	owner := storetest.Open(t, storetest.Owner(r.url))
	at := time.Now().AddDate(0, 0, 100)
	left := func() int {
		return read[int](t, r, `SELECT (SELECT count(*) FROM items WHERE id IN ($1, $2)) + (SELECT count(*) FROM sms WHERE item_id = $1 AND text IS NOT NULL) + (SELECT count(*) FROM jobs WHERE id = $3)`, id, draft, job)
	}
	if counts, err := registry.In(owner).Retention.Purge(t.Context(), dispatch.DefaultRetention(), at); err == nil || left() != 4 {
		t.Fatalf("%v went without a line, %d of 4 are left: %v", counts, left(), err)
	}
	r.exec(t, `DROP TRIGGER no_line ON audit_events; DELETE FROM set_aside`)
	if _, err := registry.In(owner).Retention.Purge(t.Context(), dispatch.DefaultRetention(), at); err != nil || left() != 1 {
		t.Fatalf("%d are left, want 1: %v", left(), err)
	}
	lines := read[string](t, r, `SELECT coalesce(string_agg(details::text, ' ' ORDER BY id), '') FROM audit_events WHERE action = 'retention.purge'`)
	if lines != `{"drafts": 1} {"content": 1} {"jobs": 1}` {
		t.Errorf("the log says %s", lines)
	}
}
