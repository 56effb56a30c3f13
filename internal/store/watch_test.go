package store_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/lists"
	"utsending/internal/store/seeds"
)

// TestFailuresAreThoseOfTheIndex: the domain's causes of failure are those of the index that counts them; with others the lead's page would read
// every follow-up.
func TestFailuresAreThoseOfTheIndex(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	condition := read[string](t, r, `SELECT pg_get_expr(indpred, indrelid) FROM pg_index WHERE indexrelid = 'follow_ups_failed_idx'::regclass`)
	var indexed []string
	for _, found := range regexp.MustCompile(`'([a-z_]+)'`).FindAllStringSubmatch(condition, -1) {
		indexed = append(indexed, found[1])
	}
	var causes []string
	for _, c := range dispatch.FailureCauses() {
		causes = append(causes, string(c))
	}
	slices.Sort(indexed)
	slices.Sort(causes)
	if !slices.Equal(indexed, causes) || !strings.Contains(condition, "ended_at IS NULL") {
		t.Errorf("the index has %s, want %q", condition, causes)
	}
}

// rowsOf counts the rows of a list of the account, all its pages.
func (r rig) rowsOf(t *testing.T, f dispatch.ListFilter) (n int) {
	t.Helper()
	page := store.Page{Limit: 50}
	for {
		rows, older, _, err := lists.In(r.s).Items.List(t.Context(), r.Account.ID, lists.ListQuery{Viewer: r.User, Filter: f, Page: page})
		if err != nil {
			t.Fatal(err)
		}
		if n += len(rows); !older {
			return n
		}
		last := rows[len(rows)-1]
		page.Before = store.Cursor{At: last.CreatedAt, ID: last.ID}
	}
}

// asked is what a team lead asks first, with the check that each number is that of its list.
func (r rig) asked(t *testing.T) dispatch.Standing {
	t.Helper()
	at := time.Now()
	n, err := lists.In(r.s).Statistics.Standing(t.Context(), r.Account, at)
	if err != nil {
		t.Fatal(err)
	}
	watch := func(w dispatch.Watch, k dispatch.Kind) dispatch.ListFilter {
		return dispatch.ListFilter{Kind: k, Watch: w, WatchAt: r.Account.WatchAt(w, at)}
	}
	for _, c := range []struct {
		of    string
		waits dispatch.Waits
		list  dispatch.ListFilter
	}{
		{"failed", n.Failed, watch(dispatch.WatchFailed, "")},
		{"unread", n.Unread, watch(dispatch.WatchUnread, "")},
		{"unread shipments", n.Unread, watch(dispatch.WatchUnread, dispatch.KindShipment)},
		{"due SMS", n.SMS, watch(dispatch.WatchQueued, dispatch.KindSMS)},
		{"due shipments", n.Shipments, watch(dispatch.WatchQueued, dispatch.KindShipment)},
		{"uncertain", n.Uncertain, dispatch.ListFilter{Group: dispatch.GroupUncertain}},
		{"ready", n.Ready, dispatch.ListFilter{Kind: dispatch.KindShipment, Status: dispatch.StatusReadyToFetch}},
	} {
		if got := r.rowsOf(t, c.list); got != c.waits.N {
			t.Errorf("%s: %d, and the list has %d rows", c.of, c.waits.N, got)
		}
		if (c.waits.N == 0) != c.waits.Since.IsZero() {
			t.Errorf("%s: %d since %s", c.of, c.waits.N, c.waits.Since)
		}
	}
	return n
}

func TestStanding(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	shipments := r.shipments(t)
	if n := r.asked(t); n != (dispatch.Standing{}) {
		t.Errorf("of nothing: %+v", n)
	}
	other := r.other(t)
	other.in(t, dispatch.StateRejected)
	other.shipments(t).acceptedShipment(t, dispatch.StatusNotified, 30*24*time.Hour)

	long := 12 * 24 * time.Hour // past the deadline, whatever day it is
	shipments.acceptedShipment(t, dispatch.StatusNotified, time.Hour)
	shipments.acceptedShipment(t, dispatch.StatusReadyToFetch, long)
	shipments.acceptedShipment(t, dispatch.StatusSentToPrint, long)
	for _, status := range []dispatch.Status{dispatch.StatusNotified, dispatch.StatusSentToAltinn, dispatch.StatusDeliveredToAltinn} {
		r.exec(t, `UPDATE items SET created_at = status_at WHERE id = $1`, shipments.acceptedShipment(t, status, long))
	}
	rejected, replaced, old := r.in(t, dispatch.StateRejected), r.in(t, dispatch.StateFailed), r.in(t, dispatch.StateRejected)
	r.in(t, dispatch.StateUncertain)
	r.exec(t, `UPDATE items SET reason_at = now() - interval '3 days' WHERE id = $1`, old)
	if err := items.In(r.s).Decisions.SendAgain(t.Context(), r.Account.ID, replaced, r.Actor); err != nil {
		t.Fatal(err)
	}
	overdue := r.in(t, overdue)
	r.exec(t, `UPDATE items SET due_at = now() + interval '1 hour', due_since = now() + interval '1 hour' WHERE id = $1`, r.in(t, dispatch.StateQueued))

	n := r.asked(t)
	if n.Failed.N != 2 || n.FailedOpen != 2 {
		t.Errorf("failed: %+v, %d open", n.Failed, n.FailedOpen)
	}
	if n.Unread.N != 3 || time.Since(n.Unread.Since) < long {
		t.Errorf("unread: %+v", n.Unread)
	}
	if n.SMS.N != 2 || n.Shipments.N != 0 || time.Since(n.SMS.Since) < 24*time.Hour {
		t.Errorf("waiting: %+v and %+v; %s is overdue", n.SMS, n.Shipments, overdue)
	}
	if n.Uncertain.N != 1 || n.Ready.N != 1 || n.Approvals.N != 0 {
		t.Errorf("uncertain %+v, ready %+v, approvals %+v", n.Uncertain, n.Ready, n.Approvals)
	}
	if err := lists.In(r.s).FollowUps.Handle(t.Context(), r.Account.ID, rejected, dispatch.Handling{Done: true, Reason: "Ringt.", Owner: dispatch.OwnerKeep, KeepDue: true}, r.Actor); err != nil {
		t.Fatal(err)
	}
	if n := r.asked(t); n.Failed.N != 2 || n.FailedOpen != 1 {
		t.Errorf("after one is marked: %+v, %d open", n.Failed, n.FailedOpen)
	}
}

// TestStandingOfMany: the numbers are those of the lists among many items of years, failed, waiting and unread ones by the hundred.
func TestStandingOfMany(t *testing.T) {
	t.Parallel()
	r := newRig(t).shipments(t)
	if err := items.In(r.s).Filler.Fill(t.Context(), r.Account.ID, seeds.Items(6000, []dispatch.UserID{r.User}, time.Now())); err != nil {
		t.Fatal(err)
	}
	change := func(set, kind string, part int) {
		r.exec(t, `UPDATE items SET `+set+` WHERE account_id = $1 AND kind = $2 AND abs(hashtext(id::text)) % 20 = $3`, r.Account.ID, kind, part)
	}
	change(`state = 'accepted', status = 'VARSLET', status_at = created_at + interval '1 minute', settled_at = NULL`, "shipment", 0)
	change(`state = 'rejected', status = '', reason_at = now() - random() * interval '5 days'`, "shipment", 1)
	change(`state = 'uncertain', status = ''`, "sms", 2)
	change(`state = 'queued', status = '', due_at = created_at, due_since = created_at`, "sms", 3)
	n := r.asked(t)
	if n.Unread.N < 150 || n.Failed.N < 30 || n.SMS.N < 40 || n.Uncertain.N < 40 {
		t.Errorf("too few to tell: %+v", n)
	}
}
