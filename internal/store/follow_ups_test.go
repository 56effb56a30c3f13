package store_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/lists"
	"utsending/internal/store/queue"
	"utsending/internal/store/storetest"
)

// cause is the cause of an item's follow-up after a sweep.
func (r rig) cause(t *testing.T, id dispatch.ItemID) dispatch.Cause {
	t.Helper()
	r.sweep(t)
	f, err := lists.In(r.s).FollowUps.ByID(t.Context(), r.Account.ID, id)
	if err != nil {
		t.Fatal(err)
	}
	return f.Cause
}

// sweep makes the follow-ups that fall due by time, and checks that none is missing or surplus.
func (r rig) sweep(t *testing.T) {
	t.Helper()
	if _, err := lists.In(r.s).FollowUps.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n, err := lists.In(r.s).FollowUps.Drift(t.Context()); err != nil || n != 0 {
		t.Errorf("%d follow-ups are not what the items say, %v", n, err)
	}
}

// acceptedShipment returns a shipment accepted at a time.
func (r rig) acceptedShipment(t *testing.T, status dispatch.Status, since time.Duration) dispatch.ItemID {
	t.Helper()
	r.queuedShipment(t)
	c := r.claimShipment(t)
	r.finish(t, c, accepted(uuid.NewString()))
	r.exec(t, `UPDATE items SET status = $2, accepted_at = now() - $3 * interval '1 second', status_at = now() - $3 * interval '1 second', checked_at = now() WHERE id = $1`,
		c.Item, status, since.Seconds())
	return c.Item
}

func TestWhatWantsAPerson(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	shipments := r.shipments(t)
	const day = 24 * time.Hour
	sms := func(status dispatch.Status, since time.Duration) func(*testing.T) dispatch.ItemID {
		return func(t *testing.T) dispatch.ItemID {
			id := r.in(t, dispatch.StateAccepted)
			r.exec(t, `UPDATE items SET status = $2, accepted_at = now() - $3 * interval '1 second', status_at = now() - $3 * interval '1 second', checked_at = now() WHERE id = $1`,
				id, status, since.Seconds())
			return id
		}
	}
	shipment := func(status dispatch.Status, since time.Duration, change string) func(*testing.T) dispatch.ItemID {
		return func(t *testing.T) dispatch.ItemID {
			id := shipments.acceptedShipment(t, status, since)
			if change != "" {
				r.exec(t, `UPDATE shipments SET `+change+` WHERE item_id = $1`, id)
			}
			return id
		}
	}
	r.exec(t, `UPDATE accounts SET unread_hours = 24 WHERE id = $1`, r.Account.ID)
	tests := []struct {
		name string
		make func(*testing.T) dispatch.ItemID
		want dispatch.Cause
	}{
		{"a draft", func(t *testing.T) dispatch.ItemID { return r.in(t, dispatch.StateDraft) }, ""},
		{"a cancelled one", func(t *testing.T) dispatch.ItemID { return r.in(t, dispatch.StateCancelled) }, ""},
		{"a rejected one", func(t *testing.T) dispatch.ItemID { return r.in(t, dispatch.StateRejected) }, dispatch.CauseRejected},
		{"one that we gave up", func(t *testing.T) dispatch.ItemID { return r.in(t, dispatch.StateFailed) }, dispatch.CauseFailed},
		{"an uncertain SMS", func(t *testing.T) dispatch.ItemID { return r.in(t, dispatch.StateUncertain) }, dispatch.CauseUncertain},
		{"an uncertain shipment that is looked for", func(t *testing.T) dispatch.ItemID { return shipments.diedShipment(t).Item }, ""},
		{"an accepted one", func(t *testing.T) dispatch.ItemID { return r.in(t, dispatch.StateAccepted) }, ""},
		{"an SMS that is delivered", sms(dispatch.StatusDelivered, 40*day), ""},
		{"an SMS that was not sent", sms(dispatch.StatusNotSent, time.Minute), dispatch.CauseNotDelivered},
		{"an SMS that was not delivered", sms(dispatch.StatusNotDelivered, 40*day), dispatch.CauseNotDelivered},
		{"an SMS on its way since yesterday", sms(dispatch.StatusSent, day), ""},
		{"an SMS that nothing is heard of", sms(dispatch.StatusSent, 3*day), dispatch.CauseSilent},
		{"an SMS with an unknown status that nothing is heard of", sms("NYTT", 3*day), dispatch.CauseSilent},
		{"a shipment that is read", shipment(dispatch.StatusRead, 30*day, ""), ""},
		{"a shipment that was dismissed", shipment(dispatch.StatusDismissed, time.Minute, ""), dispatch.CauseNotDelivered},
		{"a shipment that failed on reception", shipment(dispatch.StatusFailedOnReception, time.Minute, ""), dispatch.CauseNotDelivered},
		{"a shipment that somebody handled", shipment(dispatch.StatusHandledManually, 30*day, ""), ""},
		{"an unread shipment of today", shipment(dispatch.StatusNotified, 20*time.Hour, ""), ""},
		{"an unread shipment near print", shipment(dispatch.StatusNotified, 25*time.Hour, ""), dispatch.CauseUnread},
		{"an unread shipment that is never printed", shipment(dispatch.StatusNotified, 25*time.Hour, "digital_only = true"), ""},
		{"a shipment at the printer's for five days", shipment(dispatch.StatusSentToPrint, 5*day, ""), ""},
		{"a shipment at the printer's for eight days", shipment(dispatch.StatusSentToPrint, 8*day, ""), dispatch.CauseSilent},
		{"a shipment to be signed next week", shipment(dispatch.StatusRead, day, "sign_by = now() + interval '6 days', signing_status = 'VENTER_SIGNERING'"), ""},
		{"a shipment to be signed tomorrow", shipment(dispatch.StatusRead, day, "sign_by = now() + interval '1 day', signing_status = 'VENTER_SIGNERING'"), dispatch.CauseSigning},
		{"a shipment that is signed", shipment(dispatch.StatusRead, day, "sign_by = now() + interval '1 day', signing_status = 'SIGNERT_AV_MOTTAKER'"), ""},
		{"a shipment that nobody would sign", shipment(dispatch.StatusRead, day, "sign_by = now() + interval '1 day', signing_status = 'AVVIST_AV_MOTTAKER'"), dispatch.CauseSigningEnded},
		{"a shipment that nobody has signed", shipment(dispatch.StatusRead, day, "sign_by = now() - interval '1 day', signing_status = 'UTLOPT'"), dispatch.CauseSigningEnded},
		{"one that the service does not know", func(t *testing.T) dispatch.ItemID {
			id := sms(dispatch.StatusSent, time.Minute)(t)
			r.exec(t, `UPDATE items SET missing_reads = 3 WHERE id = $1`, id)
			return id
		}, dispatch.CauseMissing},
		{"one that waits for a day", func(t *testing.T) dispatch.ItemID { return r.in(t, overdue) }, dispatch.CauseWaiting},
		{"one in the queue", func(t *testing.T) dispatch.ItemID { return r.in(t, dispatch.StateQueued) }, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := r.cause(t, test.make(t)); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
	t.Run("is counted as it is listed", func(t *testing.T) {
		counts, err := lists.In(r.s).FollowUps.Counts(t.Context(), r.Account.ID)
		if err != nil {
			t.Fatal(err)
		}
		total := 0
		for _, c := range dispatch.Causes() {
			list, _, _, err := lists.In(r.s).FollowUps.List(t.Context(), r.Account.ID, lists.FollowUpFilter{Cause: c}, store.Page{Limit: 100})
			if err != nil || len(list) != counts[c] || len(list) == 0 {
				t.Errorf("%s: %d in the list, %d counted, %v", c, len(list), counts[c], err)
			}
			total += len(list)
		}
		badge, err := lists.In(r.s).FollowUps.Badge(t.Context(), r.Account.ID)
		if err != nil || badge != total {
			t.Errorf("the navigation says %d, %v; want %d", badge, err, total)
		}
		other := r.other(t)
		if n, err := lists.In(r.s).FollowUps.Badge(t.Context(), other.Account.ID); err != nil || n != 0 {
			t.Errorf("another account has %d, %v", n, err)
		}
	})
}

func (r rig) followUp(t *testing.T, id dispatch.ItemID) dispatch.FollowUp {
	t.Helper()
	f, err := lists.In(r.s).FollowUps.ByID(t.Context(), r.Account.ID, id)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func (r rig) handle(t *testing.T, id dispatch.ItemID, h dispatch.Handling, want error) {
	t.Helper()
	wantErr(t, lists.In(r.s).FollowUps.Handle(t.Context(), r.Account.ID, id, h, r.Actor), want)
}

func TestHandling(t *testing.T) {
	t.Parallel()
	done := dispatch.Handling{Owner: dispatch.OwnerKeep, KeepDue: true, Done: true, Reason: "Ringt mottakeren"}

	t.Run("keeps owner, day and note, sealed", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		id := r.in(t, dispatch.StateRejected)
		due := time.Date(2026, 12, 4, 0, 0, 0, 0, dispatch.Oslo)
		r.handle(t, id, dispatch.Handling{Owner: dispatch.OwnerMe, Due: due, Note: "Ring Ola"}, nil)
		got := r.followUp(t, id)
		if got.Owner != r.User || got.Name != "Kari Nordmann" || !got.Due.Equal(due) || got.Note != "Ring Ola" || !got.Open() {
			t.Errorf("got %+v", got)
		}
		if n := read[int](t, r, `SELECT count(*) FROM follow_ups WHERE note LIKE '%Ola%'`); n != 0 {
			t.Error("the note stands in clear")
		}
		r.handle(t, id, dispatch.Handling{Owner: dispatch.OwnerNobody, KeepDue: true}, nil)
		if got := r.followUp(t, id); got.Owner != "" || !got.Due.Equal(due) || got.Note != "Ring Ola" {
			t.Errorf("got %+v", got)
		}
		r.handle(t, id, dispatch.Handling{Owner: dispatch.OwnerSender, KeepDue: true}, nil)
		if got := r.followUp(t, id); got.Owner != r.User {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("is done until there is another cause", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		id := r.in(t, dispatch.StateAccepted)
		r.exec(t, `UPDATE items SET status = 'IKKE_SENDT', status_at = now() WHERE id = $1`, id)
		r.handle(t, id, done, nil)
		if got := r.followUp(t, id); got.Open() || got.Reason != "Ringt mottakeren" || got.DoneBy != "Kari Nordmann" {
			t.Errorf("got %+v", got)
		}
		r.handle(t, id, done, store.ErrChanged) // somebody was faster
		r.sweep(t)
		if n, _ := lists.In(r.s).FollowUps.Badge(t.Context(), r.Account.ID); n != 0 {
			t.Errorf("%d are open", n)
		}
		r.exec(t, `UPDATE items SET missing_reads = 1 WHERE id = $1`, id)
		if got := r.followUp(t, id); got.Open() {
			t.Error("open again though nothing has come to it")
		}
		r.exec(t, `UPDATE items SET status = 'IKKE_LEVERT', status_at = now() + interval '1 second' WHERE id = $1`, id)
		if got := r.followUp(t, id); !got.Open() || got.Reason != "" {
			t.Errorf("got %+v, want it open again", got)
		}
		r.exec(t, `UPDATE items SET status = 'LEVERT', status_at = now() WHERE id = $1`, id)
		if got := r.followUp(t, id); got.Cause != "" {
			t.Errorf("got %+v, want none", got)
		}
	})
	t.Run("is not another account's business", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		id := r.in(t, dispatch.StateRejected)
		r.other(t).handle(t, id, done, store.ErrChanged)
		if f, err := lists.In(r.s).FollowUps.ByID(t.Context(), r.other(t).Account.ID, id); err != nil || f.Cause != "" {
			t.Errorf("got %+v, %v", f, err)
		}
	})
	t.Run("ends when another one that replaces it is sent", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		old := r.in(t, dispatch.StateRejected)
		fresh := r.instead(t, old)
		if r.cause(t, old) != dispatch.CauseRejected {
			t.Error("a draft replaces it")
		}
		if err := items.In(r.s).SMS.Queue(t.Context(), r.Account, fresh, r.Seen(t, r.s, fresh), r.Actor); err != nil {
			t.Fatal(err)
		}
		if got := r.cause(t, old); got != "" {
			t.Errorf("got %q, though it is replaced", got)
		}
		relatives, err := items.In(r.s).Origins.Relatives(t.Context(), r.Account.ID, old)
		if err != nil || len(relatives) != 1 || relatives[0].ID != fresh || relatives[0].Before {
			t.Errorf("got %+v, %v", relatives, err)
		}
		if relatives, _ = items.In(r.s).Origins.Relatives(t.Context(), r.Account.ID, fresh); len(relatives) != 1 || relatives[0].ID != old || !relatives[0].Before {
			t.Errorf("got %+v", relatives)
		}
		if err := stop(r.s, t.Context(), r.Account.ID, fresh, r.Actor); err != nil {
			t.Fatal(err)
		}
		if got := r.cause(t, old); got != dispatch.CauseRejected {
			t.Errorf("got %q, though what replaced it was stopped", got)
		}
	})
	t.Run("does not replace another account's", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		r.instead(t, r.other(t).in(t, dispatch.StateRejected))
		if n := read[int](t, r, `SELECT count(*) FROM items WHERE origin_id IS NOT NULL`); n != 0 {
			t.Error("it does")
		}
	})
	t.Run("keeps what people wrote while an uncertain shipment is looked for again", func(t *testing.T) {
		t.Parallel()
		r := newRig(t).shipments(t)
		id := r.diedShipment(t).Item
		r.exec(t, `UPDATE items SET recover_at = NULL WHERE id = $1`, id)
		r.handle(t, id, dispatch.Handling{Owner: dispatch.OwnerMe, Note: "Spurt"}, nil)
		if err := items.In(r.s).Decisions.LookAgain(t.Context(), r.Account.ID, id, r.Actor); err != nil {
			t.Fatal(err)
		}
		if got := r.cause(t, id); got != "" {
			t.Errorf("got %q while it is looked for", got)
		}
		wantErr(t, items.In(r.s).Decisions.LookAgain(t.Context(), r.Account.ID, id, r.Actor), store.ErrChanged)
		list, err := queue.In(r.s).Recoveries.Claim(t.Context(), r.lookedUpAt(t), 10)
		if err != nil || len(list) != 1 {
			t.Fatalf("%d to look up, %v", len(list), err)
		}
		if err := queue.In(r.s).Recoveries.Postpone(t.Context(), list[0], 0); err != nil {
			t.Fatal(err)
		}
		r.sweep(t)
		if got := r.followUp(t, id); got.Cause != dispatch.CauseUncertain || got.Note != "Spurt" || got.Owner != r.User {
			t.Errorf("got %+v", got)
		}
	})
}

// TestFollowUpsFollowTheItems changes items at random, also in bulk, and compares the follow-ups with them.
func TestFollowUpsFollowTheItems(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	shipments := r.shipments(t)
	var ids []dispatch.ItemID
	for range 12 {
		ids = append(ids, r.in(t, dispatch.StateAccepted), shipments.acceptedShipment(t, dispatch.StatusNotified, time.Hour))
	}
	ages := []string{"1 minute", "2 hours", "25 hours", "3 days", "9 days"}
	rng := rand.New(rand.NewPCG(7, 28))
	pick := func(of []string) string { return of[rng.IntN(len(of))] }
	for i := range 300 {
		id, age := ids[rng.IntN(len(ids))], pick(ages)
		change := pick([]string{
			`state = 'accepted', status = 'SENDT', status_at = now() - interval '` + age + `', settled_at = NULL`,
			`state = 'accepted', status = 'VARSLET', status_at = now() - interval '` + age + `', settled_at = NULL`,
			`state = 'accepted', status = 'IKKE_LEVERT', status_at = now() - interval '` + age + `', settled_at = now()`,
			`state = 'accepted', status = 'LEST', status_at = now() - interval '` + age + `'`,
			`state = 'rejected', reason_at = now() - interval '` + age + `'`, `state = 'failed'`, `state = 'cancelled'`,
			`state = 'uncertain', recover_at = now()`, `state = 'uncertain', recover_at = NULL`,
			`missing_reads = 3`, `missing_reads = 0`, `checked_at = now()`, `check_error_at = now()`, `upstream_id = NULL`, `upstream_id = gen_random_uuid()`,
			`state = 'queued', due_at = now(), due_since = now() - interval '` + age + `'`,
		})
		if rng.IntN(10) == 0 {
			r.exec(t, `UPDATE items SET `+change+` WHERE account_id = $1`, r.Account.ID)
		} else {
			r.exec(t, `UPDATE items SET `+change+` WHERE id = $1`, id)
		}
		switch rng.IntN(6) {
		case 0:
			r.exec(t, `UPDATE shipments SET signing_status = $2, sign_by = now() + $3::interval, signing_at = now() WHERE item_id = $1`, id,
				pick([]string{"", "VENTER_SIGNERING", "UTLOPT", "SIGNERT_AV_MOTTAKER"}), pick([]string{"1 day", "5 days", "-1 day"}))
		case 1:
			r.exec(t, `UPDATE accounts SET unread_hours = $2 WHERE id = $1`, r.Account.ID, rng.IntN(3)*12)
		case 2:
			other := ids[rng.IntN(len(ids))]
			r.exec(t, `UPDATE items SET origin_id = $2, origin_kind = 'replaces', state = 'draft', due_at = NULL WHERE id = $1 AND id <> $2`, id, other)
			r.exec(t, `UPDATE items SET state = 'cancelled' WHERE id = $1 AND state = 'draft'`, id)
		}
		if r.sweep(t); t.Failed() {
			t.Fatalf("after change %d: %s\n%s", i, change, read[string](t, r, `
				SELECT string_agg(concat_ws(' ', it.state, it.status, it.status_at, it.upstream_id IS NOT NULL, it.missing_reads, s.signing_status, s.sign_by,
				       'wants', t.cause, t.since, 'has', f.cause, f.since, f.ended_at), E'\n')
				FROM items it LEFT JOIN LATERAL follow_up_of(it) t ON true LEFT JOIN follow_ups f ON f.item_id = it.id AND f.ended_at IS NULL
				LEFT JOIN shipments s ON s.item_id = it.id
				WHERE (t.cause, t.since) IS DISTINCT FROM (f.cause, f.since)`))
		}
	}
}

// TestFollowUpsOfBulk: items inserted with a state and a status are followed up too.
func TestFollowUpsOfBulk(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	from := r.in(t, dispatch.StateAccepted)
	for i, status := range []string{"LEVERT", "IKKE_LEVERT", "IKKE_SENDT"} {
		id := uuid.NewString()
		r.exec(t, `
			INSERT INTO items (id, account_id, kind, state, created_by, form_key, upstream_id, accepted_at, status, status_at)
			SELECT $2, account_id, kind, 'accepted', created_by, gen_random_uuid(), gen_random_uuid(), now(), $3, now() FROM items WHERE id = $1`, from, id, status)
		r.exec(t, `
			INSERT INTO sms (item_id, account_id, by_phone, recipient, recipient_hash, text, hide_in_report, encoding, parts)
			SELECT $2, account_id, by_phone, recipient, recipient_hash, text, hide_in_report, encoding, parts FROM sms WHERE item_id = $1`, from, id)
		if n, err := lists.In(r.s).FollowUps.Badge(t.Context(), r.Account.ID); err != nil || n != i {
			t.Errorf("%s: %s", status, fmt.Sprintf("%d, %v; want %d", n, err, i))
		}
	}
	r.sweep(t)
}

// instead stores a draft that replaces an item.
func (r rig) instead(t *testing.T, of dispatch.ItemID) dispatch.ItemID {
	t.Helper()
	id, err := items.In(r.s).SMS.SaveDraftFrom(t.Context(), r.Account.ID, r.Actor, uuid.NewString(), storetest.ToPhone("90000123", "Hei der"),
		items.MadeFrom{Source: of, Origin: dispatch.OriginReplaces})
	if err != nil {
		t.Fatal(err)
	}
	return id
}
