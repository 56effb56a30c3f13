package store_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/registry"
	"utsending/internal/store/storetest"
)

// personRow is a row by national identity number.
func personRow(position int, id string, fields ...string) dispatch.JobRow {
	return dispatch.JobRow{Position: position, Recipient: dispatch.SMSRecipient{NationalID: dispatch.NationalID(id)}, Typed: id, Fields: fields}
}

// answeredJob is a draft to a phone and to five people: the register can reach the first, has a useless number of the second, none of the
// third, an unknown word for the fourth, and was not asked about the fifth.
func (r rig) answeredJob(t *testing.T) dispatch.JobID {
	t.Helper()
	columns := []string{"navn", "adresse", "postnr", "poststed"}
	var rows []dispatch.JobRow
	rows = append(rows, storetest.Row(1, "90000100", "Per", "Storgata 1", "7713", "Steinkjer"))
	for i := range 5 {
		rows = append(rows, personRow(2+i, fmt.Sprintf("0281329999%d", i), fmt.Sprintf("Ola %d", i), "Storgata 1", "7713", "Steinkjer"))
	}
	id := r.JobDraft(t, r.s, storetest.ListOf(columns, rows...), items.JobText{Text: "Hei ((navn))", Segments: 6})
	r.answer(t, id, "valid", "invalid", "not_found", "other", "")
	return id
}

// answer stores answers about the people of a job, in order.
func (r rig) answer(t *testing.T, id dispatch.JobID, groups ...dispatch.LookupGroup) {
	t.Helper()
	rows, _, err := items.In(r.s).Rows.Read(t.Context(), r.Account.ID, id, items.RowsUnasked, 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	_, err = items.In(r.s).Rows.KeepContacts(t.Context(), r.Account.ID, id, r.Actor, rows, func(row dispatch.JobRow) dispatch.LookupGroup {
		for i := range rows {
			if rows[i].Position == row.Position && i < len(groups) {
				return groups[i]
			}
		}
		return ""
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (r rig) forecast(t *testing.T, id dispatch.JobID) string {
	t.Helper()
	f, err := items.In(r.s).Rows.ContactForecast(t.Context(), r.Account.ID, id)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("phone %d, valid %d, invalid %d, not found %d, other %d, unanswered %d, left out %d", f.ByPhone, f.Valid, f.Invalid, f.NotFound, f.Other, f.Unanswered, f.LeftOut)
}

func (r rig) rest(t *testing.T, id dispatch.JobID, n int, unclear bool) items.Rest {
	t.Helper()
	return items.Rest{Unclear: unclear, N: n, Seen: r.job(t, id).Revision}
}

func restShipment() items.RestShipment {
	return items.RestShipment{Key: uuid.NewString(), Row: func(r dispatch.JobRow) dispatch.JobRow {
		to := &dispatch.ShipmentRecipient{Number: r.Recipient.NationalID.Reveal(), Postal: dispatch.PostalAddress{Name: r.Fields[0], Line1: r.Fields[1], PostalCode: r.Fields[2], City: r.Fields[3]}}
		return dispatch.JobRow{Position: r.Position, Fields: r.Fields, Shipment: to}
	}}
}

const everyAnswer = "phone 1, valid 1, invalid 1, not found 1, other 1, unanswered 1, left out 0"

func TestContactForecast(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.answeredJob(t)
	revision := r.job(t, id).Revision
	if got := r.forecast(t, id); got != everyAnswer {
		t.Errorf("got %s", got)
	}
	if f, err := items.In(r.s).Rows.ContactForecast(t.Context(), r.other(t).Account.ID, id); err != nil || f != (dispatch.ContactForecast{}) {
		t.Errorf("another account sees %+v, %v", f, err)
	}
	if got := r.job(t, id).Revision; got != revision {
		t.Error("a look-up makes the text of another tab stale")
	}
	if n := read[int](t, r, `SELECT count(*) FROM row_contacts WHERE row_contacts::text LIKE '%0281329999%'`); n > 0 {
		t.Error("an answer holds a number")
	}
	t.Run("says nothing about whoever takes a row's place", func(t *testing.T) {
		row := personRow(2, "02813299999", "Ola 0", "Storgata 1", "7713", "Steinkjer")
		if err := items.In(r.s).Rows.Fix(t.Context(), r.Account.ID, id, r.Actor, row); err != nil {
			t.Fatal(err)
		}
		if got := r.forecast(t, id); got != "phone 1, valid 0, invalid 1, not found 1, other 1, unanswered 2, left out 0" {
			t.Errorf("got %s", got)
		}
	})
	t.Run("drops answers about rows that were replaced while the register was asked", func(t *testing.T) {
		was := []dispatch.JobRow{personRow(2, "02813299990")}
		n, err := items.In(r.s).Rows.KeepContacts(t.Context(), r.Account.ID, id, r.Actor, was, func(dispatch.JobRow) dispatch.LookupGroup { return dispatch.GroupValid })
		if err != nil || n != 0 {
			t.Errorf("kept %d, %v", n, err)
		}
	})
	t.Run("is not another's to store", func(t *testing.T) {
		_, err := items.In(r.s).Rows.KeepContacts(t.Context(), r.Account.ID, id, r.colleague(t), nil, nil)
		if !errors.Is(err, store.ErrNotFound) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("is forgotten after a day", func(t *testing.T) {
		r.exec(t, `UPDATE row_contacts SET asked_at = now() - interval '25 hours'`)
		if err := items.In(r.s).Lists.Purge(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := r.forecast(t, id); got != "phone 1, valid 0, invalid 0, not found 0, other 0, unanswered 5, left out 0" {
			t.Errorf("got %s", got)
		}
	})
	t.Run("is forgotten when the draft is sent", func(t *testing.T) {
		r.answer(t, id, "valid")
		if err := items.In(r.s).SMSJobs.Send(t.Context(), r.Account, id, r.SeenJob(t, r.s, id), r.Actor, true); err != nil {
			t.Fatal(err)
		}
		if n := read[int](t, r, `SELECT count(*) FROM row_contacts`); n != 0 {
			t.Errorf("%d answers are left", n)
		}
	})
}

func TestLeaveOutRest(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.answeredJob(t)
	for name, rest := range map[string]items.Rest{"another count": r.rest(t, id, 3, false), "another list": {N: 2, Seen: "0"}} {
		if err := items.In(r.s).Rows.LeaveOutRest(t.Context(), r.Account.ID, id, r.Actor, rest); !errors.Is(err, store.ErrStale) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if err := items.In(r.s).Rows.LeaveOutRest(t.Context(), r.Account.ID, id, r.Actor, r.rest(t, id, 2, false)); err != nil {
		t.Fatal(err)
	}
	if got := r.forecast(t, id); got != "phone 1, valid 1, invalid 0, not found 0, other 1, unanswered 1, left out 2" {
		t.Errorf("got %s", got)
	}
	if j := r.job(t, id); j.List.Valid != 4 || j.List.LeftOut != 2 || j.List.Invalid() != 0 {
		t.Errorf("got %+v", j.List)
	}
	if err := items.In(r.s).Rows.LeaveOutRest(t.Context(), r.Account.ID, id, r.Actor, r.rest(t, id, 2, true)); err != nil {
		t.Fatal(err)
	}
	if j := r.job(t, id); j.List.Valid != 2 || j.List.LeftOut != 4 {
		t.Errorf("got %+v", j.List)
	}
	t.Run("can be undone, but not into an SMS twice", func(t *testing.T) {
		row := personRow(2, "02813299991", "Ola", "Storgata 1", "7713", "Steinkjer") // whom the third row has, which is left out
		if err := items.In(r.s).Rows.Fix(t.Context(), r.Account.ID, id, r.Actor, row); err != nil {
			t.Fatal(err)
		}
		if n, err := items.In(r.s).Rows.TakeInLeftOut(t.Context(), r.Account.ID, id, r.Actor); err != nil || n != 3 {
			t.Fatal(n, err)
		}
		if j := r.job(t, id); j.List.Valid != 5 || j.List.LeftOut != 1 {
			t.Errorf("got %+v", j.List)
		}
	})
}

// everybody lists the recipients of all drafts' lists.
func (r rig) everybody(t *testing.T) string {
	t.Helper()
	all := ""
	for _, id := range []string{"sms", "shipment"} {
		var job dispatch.JobID
		if err := r.db.QueryRow(`SELECT coalesce(min(id::text), '') FROM jobs WHERE kind = $1`, id).Scan(&job); err != nil {
			t.Fatal(err)
		}
		all += id + ":"
		if job == "" {
			continue
		}
		for row, err := range items.In(r.s).Rows.Each(t.Context(), r.Account.ID, job, items.RowsValid) {
			if err != nil {
				t.Fatal(err)
			}
			all += fmt.Sprintf(" %d", row.Position)
			if row.Shipment != nil {
				all += fmt.Sprintf("(%s %s %s %s %s)", row.Shipment.Number[9:], row.Shipment.Postal.Name, row.Shipment.Postal.Line1, row.Shipment.Postal.PostalCode, row.Shipment.Postal.City)
			}
		}
		all += " "
	}
	return all
}

func TestShipmentToRest(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.answeredJob(t)
	r.exec(t, `INSERT INTO list_chunks (job_id, position, data, kept_at) VALUES ($1, 0, 'x', now())`, id)
	form, rest := restShipment(), r.rest(t, id, 2, false)
	moved := make([]dispatch.ItemID, 4)
	var all sync.WaitGroup
	for i := range moved {
		all.Go(func() {
			var err error
			if moved[i], err = items.In(r.s).Rows.ShipmentToRest(t.Context(), r.Account.ID, id, r.Actor, rest, form); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for _, m := range moved {
		if m != moved[0] || m == "" {
			t.Errorf("one form made %v", moved)
		}
	}
	want := "sms: 1 2 5 6 shipment: 3(91 Ola 1 Storgata 1 7713 Steinkjer) 4(92 Ola 2 Storgata 1 7713 Steinkjer) "
	if got := r.everybody(t); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if j := r.job(t, id); j.List.Read != 4 || j.List.Valid != 4 || j.Received || j.Segments != 0 {
		t.Errorf("the SMS job is %+v, received %t, %d segments", j.List, j.Received, j.Segments)
	}
	j, err := items.In(r.s).ShipmentJobs.ByID(t.Context(), r.Account.ID, moved[0], r.User)
	if err != nil || j.List.Read != 2 || j.List.Valid != 2 || len(j.Columns) != 4 {
		t.Errorf("the shipment's list is %+v, %v, %v", j.List, j.Columns, err)
	}
	if got := r.forecast(t, id); got != "phone 1, valid 1, invalid 0, not found 0, other 1, unanswered 1, left out 0" {
		t.Errorf("got %s", got)
	}
	if n := read[int](t, r, `SELECT count(*) FROM row_contacts`); n != 2 {
		t.Errorf("%d answers are left, of two people", n)
	}
	if got := read[string](t, r, `SELECT string_agg(concat_ws(' ', action, object_id = $1, details->>'recipients', details->>'made' = $2), ',') FROM audit_events WHERE action LIKE 'job.%'`, id, moved[0]); got != "job.letters t 2 t" {
		t.Errorf("the event log says %q", got)
	}
}

func TestShipmentToRestRefused(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.answeredJob(t)
	before := r.everybody(t)
	tests := map[string]struct {
		by   store.Actor
		rest items.Rest
		want error
	}{
		"somebody else's":  {r.colleague(t), r.rest(t, id, 2, false), store.ErrNotFound},
		"another count":    {r.Actor, r.rest(t, id, 1, false), store.ErrStale},
		"another revision": {r.Actor, items.Rest{N: 2, Seen: "0"}, store.ErrStale},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if _, err := items.In(r.s).Rows.ShipmentToRest(t.Context(), r.Account.ID, id, tt.by, tt.rest, restShipment()); !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
		})
	}
	t.Run("no room for drafts: all of it stays", func(t *testing.T) {
		r.exec(t, `INSERT INTO items (id, account_id, kind, created_by, form_key) SELECT gen_random_uuid(), $1, 'shipment', $2, gen_random_uuid() FROM generate_series(1, $3)`,
			r.Account.ID, r.User, dispatch.PileShipments.Most())
		var full store.Full
		if _, err := items.In(r.s).Rows.ShipmentToRest(t.Context(), r.Account.ID, id, r.Actor, r.rest(t, id, 2, false), restShipment()); !errors.As(err, &full) {
			t.Errorf("got %v", err)
		}
		r.exec(t, `DELETE FROM items WHERE kind = 'shipment'`)
	})
	t.Run("sent meanwhile", func(t *testing.T) {
		rest := r.rest(t, id, 2, false)
		if got := r.everybody(t); got != before {
			t.Errorf("a refused one moved somebody: %s, was %s", got, before)
		}
		if err := items.In(r.s).SMSJobs.Send(t.Context(), r.Account, id, r.SeenJob(t, r.s, id), r.Actor, true); err != nil {
			t.Fatal(err)
		}
		if _, err := items.In(r.s).Rows.ShipmentToRest(t.Context(), r.Account.ID, id, r.Actor, rest, restShipment()); !errors.Is(err, store.ErrChanged) {
			t.Errorf("got %v", err)
		}
	})
}

// TestBeginListLookup: as many of a long list are asked about as the hour has room for, with one line for the list.
func TestBeginListLookup(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.answeredJob(t)
	var got []int
	for _, n := range []int{4000, 4000, 1} {
		l := asking(n)
		l.Job = id
		l, refused, err := registry.In(r.s).Lookups.BeginList(t.Context(), r.Account.ID, r.Actor, l, false)
		if err != nil {
			t.Fatal(err)
		}
		if refused != nil {
			got = append(got, -1)
			continue
		}
		got = append(got, len(l.Entries))
	}
	if fmt.Sprint(got) != "[4000 1000 -1]" {
		t.Errorf("got %v", got)
	}
	if lines := read[string](t, r, `SELECT string_agg(concat_ws(' ', object_id = $1, details->>'asked', details->>'purpose'), ', ' ORDER BY id) FROM audit_events WHERE action = 'lookup'`, id); lines != "t 4000 Varsle om stengt skole, t 1000 Varsle om stengt skole" {
		t.Errorf("got %q", lines)
	}
}

// TestMovedRowsDoNotComeBack: who reads the received list again while its rest becomes letters, and gets the draft afterwards, does
// not bring back the rows that went.
func TestMovedRowsDoNotComeBack(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	job := r.JobDraft(t, r.s, storetest.ListOf(nil, storetest.Row(1, "+4740000001")), items.JobText{Text: "Hei", Segments: 1}) // its received list is gone
	again := storetest.ListOf(nil, storetest.Row(1, "+4740000001"), storetest.Row(2, "+4740000002"))
	again.Again = true
	if _, err := items.In(r.s).Rows.Fill(t.Context(), r.Account.ID, job, r.Actor, again); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("read again: %v", err)
	}
	if n := read[int](t, r, `SELECT count(*) FROM job_rows WHERE job_id = $1`, job); n != 1 {
		t.Errorf("there are %d rows", n)
	}
}

// What is sent to a phone, and what is not sent at all, is neither asked about nor counted by an answer: that depends on the way of
// sending, and on texts that cannot be sent.
func TestContactForecastOfWhatIsSent(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	both := personRow(3, "02813299993", "Kari", "Storgata 1", "7713", "Steinkjer")
	both.Phone = "90000103"
	rows := []dispatch.JobRow{storetest.Row(1, "90000100", "Per"), personRow(2, "02813299992", "Ola"), both, personRow(4, "02813299994", ""), personRow(5, "02813299995", "Åse")}
	id := r.JobDraft(t, r.s, storetest.ListOf([]string{"navn"}, rows...), items.JobText{Text: "Hei", Segments: 5})
	unasked := func() (positions []int) {
		list, _, err := items.In(r.s).Rows.Read(t.Context(), r.Account.ID, id, items.RowsUnasked, 0, 100)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range list {
			positions = append(positions, row.Position)
		}
		return positions
	}
	save := func(text items.JobText) dispatch.ContactForecast {
		if err := items.In(r.s).Rows.SaveText(t.Context(), r.Account.ID, id, r.Actor, text); err != nil {
			t.Fatal(err)
		}
		f, err := items.In(r.s).Rows.ContactForecast(t.Context(), r.Account.ID, id)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	f := save(items.JobText{Text: "Hei ((navn))", Mode: dispatch.ModeTraceable, Unfit: []int{4}})
	if got := unasked(); !slices.Equal(got, []int{2, 3, 5}) || f.ByPhone != 1 || f.Unanswered != 3 || f.Unfit != 1 || f.Phoneless != 0 {
		t.Errorf("with a text that one cannot get: asks about %v, %+v", got, f)
	}
	f = save(items.JobText{Text: "Hei", Mode: dispatch.ModeFast})
	if got := unasked(); len(got) > 0 || f.ByPhone != 2 || f.Unanswered != 0 || f.Phoneless != 3 {
		t.Errorf("by phone: asks about %v, %+v", got, f)
	}
	f = save(items.JobText{Text: "Hei ((navn))", Mode: dispatch.ModeTraceable, Unfit: []int{4}})
	r.answer(t, id, "valid", "not_found", "invalid")
	r.exec(t, `UPDATE row_contacts SET asked_at = now() - interval '5 hours' WHERE job_id = $1 AND position <> 5`, id)
	r.exec(t, `UPDATE row_contacts SET asked_at = now() - interval '1 hour' WHERE job_id = $1 AND position = 5`, id)
	f, err := items.In(r.s).Rows.ContactForecast(t.Context(), r.Account.ID, id)
	if age := time.Since(f.At); err != nil || age < 30*time.Minute || age > 2*time.Hour {
		t.Errorf("asked %s ago, %v; want the last answer", age, err)
	}
	r.exec(t, `UPDATE job_rows SET unfit = true WHERE job_id = $1 AND position = 3`, id)
	if err := items.In(r.s).Rows.LeaveOutRest(t.Context(), r.Account.ID, id, r.Actor, r.rest(t, id, 1, false)); err != nil {
		t.Errorf("the rest without who gets no SMS for another reason: %v", err)
	}
}

// A text that everybody can get leaves nobody out who could not get the one before it.
func TestNobodyStaysUnfit(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	rows := []dispatch.JobRow{personRow(1, "02813299991", "Ola"), personRow(2, "02813299992", "")}
	id := r.JobDraft(t, r.s, storetest.ListOf([]string{"navn"}, rows...), items.JobText{Text: "Hei ((navn))", Segments: 1, Unfit: []int{2}})
	if got := r.job(t, id).List; got.Unfit != 1 {
		t.Fatalf("%d unfit, want one", got.Unfit)
	}
	if err := items.In(r.s).Rows.SaveText(t.Context(), r.Account.ID, id, r.Actor, items.JobText{Text: "Hei", Mode: dispatch.ModeTraceable, Segments: 2}); err != nil {
		t.Fatal(err)
	}
	if got := r.job(t, id).List; got.Unfit != 0 || got.Recipients(dispatch.ModeTraceable) != 2 {
		t.Errorf("%d unfit, %d are sent to; want nobody and two", got.Unfit, got.Recipients(dispatch.ModeTraceable))
	}
}
