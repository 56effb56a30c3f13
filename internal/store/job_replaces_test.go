package store_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/lists"
	"utsending/internal/store/storetest"
)

// TestJobAgainReplaces: what a draft to those whom a job did not reach sends stands in place of the job's items, which nobody can send once
// more from anywhere.
func TestJobAgainReplaces(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.SendJob(t, r.s, listOf(3), items.JobText{Text: "Hei der", Segments: 3})
	r.made(t)
	r.exec(t, `UPDATE items SET state = 'failed' WHERE job_id = $1 AND job_position <> (SELECT max(job_position) FROM items WHERE job_id = $1)`, id)
	r.exec(t, `UPDATE items SET state = 'cancelled' WHERE job_id = $1 AND state <> 'failed'`, id)
	var originals []dispatch.ItemID
	for it, err := range items.In(r.s).Jobs.EachItem(t.Context(), r.Account.ID, id) {
		if err != nil {
			t.Fatal(err)
		}
		if it.State == dispatch.StateFailed {
			originals = append(originals, it.ID)
		}
	}
	colleague := r.colleague(t)
	colleague.Reason = "Hun er syk"
	again := func(by store.Actor, key string, want error) dispatch.JobID {
		t.Helper()
		made, err := items.In(r.s).Repeats.Again(t.Context(), r.Account.ID, id, by, key)
		wantErr(t, err, want)
		return made
	}
	unreached := func(left, drafted int) {
		t.Helper()
		if n, err := items.In(r.s).Jobs.CountUnreached(t.Context(), r.job(t, id), r.Actor.User); err != nil || n.Left != left || n.Drafted != drafted {
			t.Errorf("%+v can be sent again, %v; want %d and %d in a draft", n, err, left, drafted)
		}
	}
	refused := func() {
		t.Helper()
		for _, one := range originals {
			wantErr(t, items.In(r.s).Resends.Resend(t.Context(), items.Resend{Account: r.Account, ID: one, Kind: dispatch.KindSMS}, r.Actor), store.ErrChanged)
		}
	}
	send := func(by store.Actor, draft dispatch.JobID) error {
		return items.In(r.s).SMSJobs.Send(t.Context(), r.Account, draft, r.SeenJob(t, r.s, draft), by, true)
	}
	unreached(2, 0)
	first := again(r.Actor, "0198f3a0-0000-7000-8000-000000000001", nil)
	unreached(0, 2)
	again(r.Actor, "0198f3a0-0000-7000-8000-000000000002", items.ErrEmpty) // they are in the first
	second := again(colleague, "0198f3a0-0000-7000-8000-000000000003", nil)
	successors := func(want string) {
		t.Helper()
		var got []string
		list, err := items.In(r.s).Origins.Successors(t.Context(), r.job(t, id), r.Actor.User)
		for _, n := range list {
			got = append(got, fmt.Sprint(n.ID == first, n.Draft, n.N))
		}
		if slices.Sort(got); err != nil || strings.Join(got, ", ") != want {
			t.Errorf("it leads to %q, %v; want %q", got, err, want)
		}
	}
	successors("true true 2")
	if list, err := items.In(r.s).Origins.Successors(t.Context(), r.job(t, id), dispatch.UserID(id)); err != nil || len(list) > 0 {
		t.Errorf("somebody else's drafts: %v, %v", list, err)
	}
	wantErr(t, send(r.Actor, first), nil)
	successors("true false 2")
	if again := r.job(t, first); !again.Again || again.Former != id || r.job(t, id).Again || r.job(t, id).Former != "" {
		t.Errorf("the new job is one to those whom another did not reach: %t, %q; want %q", again.Again, again.Former, id)
	}
	refused() // although nothing is made yet
	unreached(0, 0)
	wantErr(t, send(colleague, second), items.ErrReplaced)
	r.made(t)
	refused()
	unreached(0, 0)
	wantErr(t, send(colleague, second), items.ErrReplaced)
	again(r.Actor, "0198f3a0-0000-7000-8000-000000000004", items.ErrEmpty)
	groups, _, err := lists.In(r.s).Selections.Groups(t.Context(), r.Account.ID, dispatch.BulkAgain, lists.Selection{Viewer: r.Actor.User, Items: originals})
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range groups {
		if why := dispatch.BulkAgain.LeftOut(g.BulkItem); why != dispatch.BulkReplaced {
			t.Errorf("sending several again leaves out %d for %q, want %q", g.N, why, dispatch.BulkReplaced)
		}
	}
}

// TestSecondReplacement: where the recipient would get two, a draft in place of an item is sent only if its sender has said that both are
// meant.
func TestSecondReplacement(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		ended     dispatch.State
		meanwhile func(t *testing.T, r rig, of dispatch.ItemID)
		want      func(dispatch.Replacement) bool
	}{
		"another was sent": {dispatch.StateRejected, func(t *testing.T, r rig, of dispatch.ItemID) {
			other := r.instead(t, of)
			wantErr(t, items.In(r.s).SMS.Queue(t.Context(), r.Account, other, r.Seen(t, r.s, other), r.Actor), nil)
		}, func(by dispatch.Replacement) bool { return by.Item.ID != "" && !by.Again }},
		"it was sent again itself": {dispatch.StateFailed, func(t *testing.T, r rig, of dispatch.ItemID) {
			wantErr(t, items.In(r.s).Decisions.SendAgain(t.Context(), r.Account.ID, of, r.Actor), nil)
		}, func(by dispatch.Replacement) bool { return by.Item.ID != "" && by.Again }},
		"a list will make one": {dispatch.StateRejected, func(t *testing.T, r rig, of dispatch.ItemID) {
			id := r.SendJob(t, r.s, listOf(1), items.JobText{Text: "Hei der", Segments: 1})
			r.exec(t, `UPDATE job_rows SET replaces = $2 WHERE job_id = $1`, id, of)
		}, func(by dispatch.Replacement) bool { return by.Job != "" }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			of := r.in(t, test.ended)
			draft, asked := r.instead(t, of), r.instead(t, of)
			send := func(by store.Actor) error {
				return items.In(r.s).SMS.Queue(t.Context(), r.Account, draft, r.Seen(t, r.s, draft), by)
			}
			ask := func(by store.Actor) error {
				return items.In(r.s).Approvals.AskSMS(t.Context(), r.Account, asked, r.Seen(t, r.s, asked), by)
			}
			approve := func() error {
				a, err := items.In(r.s).Approvals.Last(t.Context(), r.Account.ID, asked)
				if err != nil {
					t.Fatal(err)
				}
				return items.In(r.s).Approvals.ApproveSMS(t.Context(), r.Account, a.ID, r.colleague(t))
			}
			already := func() dispatch.Replacement {
				by, err := items.In(r.s).Origins.AlreadyReplaced(t.Context(), r.Account.ID, draft)
				if err != nil {
					t.Fatal(err)
				}
				return by
			}
			if by := already(); !by.None() {
				t.Errorf("got %+v before anything was sent", by)
			}
			wantErr(t, ask(r.Actor), nil)
			test.meanwhile(t, r, of)
			if by := already(); !test.want(by) {
				t.Errorf("got %+v", by)
			}
			wantErr(t, approve(), items.ErrSecond) // it happened after the request
			wantErr(t, send(r.Actor), items.ErrSecond)
			a, err := items.In(r.s).Approvals.Last(t.Context(), r.Account.ID, asked)
			if err != nil {
				t.Fatal(err)
			}
			wantErr(t, items.In(r.s).Approvals.Withdraw(t.Context(), r.Account.ID, a.ID, r.Actor), nil)
			wantErr(t, ask(r.Actor), items.ErrSecond)
			both := r.Actor
			both.Anyway = true
			wantErr(t, ask(both), nil)
			wantErr(t, approve(), nil)
			wantErr(t, send(both), nil)
		})
	}
}

// TestDraftsToUnreachedShareNobody: a second draft goes only to those whom the first does not have, however close together they are made.
// One that is discarded lets its recipients go.
func TestDraftsToUnreachedShareNobody(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.SendJob(t, r.s, listOf(5), items.JobText{Text: "Hei der", Segments: 5})
	r.made(t)
	fail := func(n int) {
		t.Helper()
		r.exec(t, `UPDATE items SET state = 'failed' WHERE id IN (SELECT id FROM items WHERE job_id = $1 AND state <> 'failed' ORDER BY job_position LIMIT $2)`, id, n)
	}
	again := func(s *store.Store) (dispatch.JobID, error) {
		key, err := store.NewID()
		if err != nil {
			t.Fatal(err)
		}
		return items.In(s).Repeats.Again(t.Context(), r.Account.ID, id, r.Actor, key)
	}
	to := func(draft dispatch.JobID, want ...int) {
		t.Helper()
		rows, _, err := items.In(r.s).Rows.Unreached(t.Context(), r.Account.ID, draft, items.RowsChosen, -1, 10)
		var got []int
		for _, row := range rows {
			if got = append(got, row.Position); row.Item.State != dispatch.StateFailed || row.Replaced {
				t.Errorf("row %d: %+v", row.Position, row)
			}
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("the draft goes to rows %v, %v; want %v", got, err, want)
		}
	}
	fail(2)
	type made struct {
		id  dispatch.JobID
		err error
	}
	both := make(chan made, 2)
	for _, process := range []*store.Store{r.s, storetest.Open(t, r.url)} {
		go func() {
			draft, err := again(process)
			both <- made{draft, err}
		}()
	}
	one, other := <-both, <-both
	if one.err != nil {
		one, other = other, one
	}
	if one.err != nil || !errors.Is(other.err, items.ErrEmpty) {
		t.Fatalf("two drafts at a time: %v, %v", one.err, other.err)
	}
	first := 0
	if err := r.s.DB.GetContext(t.Context(), &first, `SELECT min(position) FROM job_rows WHERE job_id = $1`, id); err != nil {
		t.Fatal(err)
	}
	to(one.id, first, first+1)
	fail(1)
	second, err := again(r.s)
	wantErr(t, err, nil)
	to(second, first+2)
	wantErr(t, items.In(r.s).Jobs.Discard(t.Context(), r.Account.ID, one.id, r.Actor), nil)
	third, err := again(r.s)
	wantErr(t, err, nil)
	to(third, first, first+1)
	for _, draft := range []dispatch.JobID{second, third} {
		wantErr(t, items.In(r.s).SMSJobs.Send(t.Context(), r.Account, draft, r.SeenJob(t, r.s, draft), r.Actor, true), nil)
	}
}

// TestDraftToUnreachedThatWereReached: a draft is refused when one that it replaces was itself sent again, or arrived after all, and goes
// when that row is left out.
func TestDraftToUnreachedThatWereReached(t *testing.T) {
	t.Parallel()
	for name, meanwhile := range map[string]string{
		"it was sent again":    `UPDATE items SET state = 'queued' WHERE id = $1`,
		"it arrived after all": `UPDATE items SET state = 'accepted', upstream_id = gen_random_uuid(), status = 'LEVERT' WHERE id = $1`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			id := r.SendJob(t, r.s, listOf(2), items.JobText{Text: "Hei der", Segments: 2})
			r.made(t)
			r.exec(t, `UPDATE items SET state = 'failed' WHERE job_id = $1`, id)
			draft, err := items.In(r.s).Repeats.Again(t.Context(), r.Account.ID, id, r.Actor, "0198f3a0-0000-7000-8000-000000000001")
			wantErr(t, err, nil)
			rows, _, err := items.In(r.s).Rows.Unreached(t.Context(), r.Account.ID, draft, items.RowsChosen, -1, 10)
			if err != nil || len(rows) != 2 {
				t.Fatalf("%d rows, %v", len(rows), err)
			}
			r.exec(t, meanwhile, rows[0].Item.ID)
			send := func() error {
				return items.In(r.s).SMSJobs.Send(t.Context(), r.Account, draft, r.SeenJob(t, r.s, draft), r.Actor, true)
			}
			replaced := func(want int) {
				t.Helper()
				if j := r.job(t, draft); j.Replaced != want || j.AllReplaced {
					t.Errorf("%d rows must be left out, all: %t; want %d", j.Replaced, j.AllReplaced, want)
				}
			}
			replaced(1)
			if f, err := items.In(r.s).Rows.ContactForecast(t.Context(), r.Account.ID, draft); err != nil || f.Replaced != 1 || f.ByPhone+f.Unanswered != 1 {
				t.Errorf("the forecast is %+v, %v", f, err)
			}
			wantErr(t, send(), items.ErrReplaced)
			if rows, _, err = items.In(r.s).Rows.Unreached(t.Context(), r.Account.ID, draft, items.RowsChosen, -1, 10); err != nil || !rows[0].Replaced || rows[1].Replaced {
				t.Errorf("rows %+v, %v", rows, err)
			}
			out := rows[0].JobRow
			out.Problem.Key = dispatch.ProblemLeftOut
			wantErr(t, items.In(r.s).Rows.Fix(t.Context(), r.Account.ID, draft, r.Actor, out), nil)
			replaced(0)
			wantErr(t, second(items.In(r.s).Rows.TakeInLeftOut(t.Context(), r.Account.ID, draft, r.Actor)), nil)
			replaced(0) // the row stays left out
			if f, err := items.In(r.s).Rows.ContactForecast(t.Context(), r.Account.ID, draft); err != nil || f.LeftOut != 1 || f.Returning != 0 || f.Staying != 1 {
				t.Errorf("%d rows are left out, %d of them can be taken in again, %v", f.LeftOut, f.Returning, err)
			}
			whether := func(all bool) {
				t.Helper()
				got := r.job(t, draft).AllReplaced
				list, err := items.In(r.s).Origins.Successors(t.Context(), r.job(t, id), r.Actor.User)
				if err != nil || got != all || len(list) != 1 || list[0].AllReplaced != all {
					t.Errorf("of the draft all are replaced: %t, %+v, %v; want %t", got, list, err, all)
				}
			}
			inDraft := func(item dispatch.ItemID, want dispatch.JobID) {
				t.Helper()
				if got, err := items.In(r.s).Origins.ListDraftInstead(t.Context(), r.Account.ID, item, r.Actor.User); err != nil || got.ID != want {
					t.Errorf("the item leads to the draft %q, %v; want %q", got.ID, err, want)
				}
			}
			whether(false)
			inDraft(rows[1].Item.ID, draft)
			r.exec(t, `UPDATE items SET state = 'uncertain' WHERE id = $1`, rows[1].Item.ID)
			whether(true) // one is left out, and the other must be
			inDraft(rows[1].Item.ID, "")
			r.exec(t, `UPDATE items SET state = 'failed' WHERE id = $1`, rows[1].Item.ID)
			wantErr(t, send(), nil)
		})
	}
}
