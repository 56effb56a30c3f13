package store_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/lists"
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
	for it, err := range items.In(r.s).EachJobItem(t.Context(), r.Account.ID, id) {
		if err != nil {
			t.Fatal(err)
		}
		if it.State == dispatch.StateFailed {
			originals = append(originals, it.ID)
		}
	}
	again := func(key string, want error) dispatch.JobID {
		t.Helper()
		made, err := items.In(r.s).JobAgain(t.Context(), r.Account.ID, id, r.Actor, key)
		wantErr(t, err, want)
		return made
	}
	resendable := func(want int) {
		t.Helper()
		if n, err := items.In(r.s).Resendable(t.Context(), r.job(t, id)); err != nil || n != want {
			t.Errorf("%d can be sent again, %v; want %d", n, err, want)
		}
	}
	refused := func() {
		t.Helper()
		for _, one := range originals {
			wantErr(t, items.In(r.s).Resend(t.Context(), items.Resend{Account: r.Account, ID: one, Kind: dispatch.KindSMS}, r.Actor), store.ErrChanged)
		}
	}
	send := func(draft dispatch.JobID) error {
		return items.In(r.s).SendJob(t.Context(), r.Account, draft, r.SeenJob(t, r.s, draft), r.Actor, true)
	}
	resendable(2)
	first, second := again("0198f3a0-0000-7000-8000-000000000001", nil), again("0198f3a0-0000-7000-8000-000000000002", nil)
	successors := func(want string) {
		t.Helper()
		var got []string
		list, err := items.In(r.s).Successors(t.Context(), r.job(t, id), r.Actor.User)
		for _, n := range list {
			got = append(got, fmt.Sprint(n.ID == first, n.Draft, n.N))
		}
		if slices.Sort(got); err != nil || strings.Join(got, ", ") != want {
			t.Errorf("it leads to %q, %v; want %q", got, err, want)
		}
	}
	successors("false true 2, true true 2")
	if list, err := items.In(r.s).Successors(t.Context(), r.job(t, id), dispatch.UserID(id)); err != nil || len(list) > 0 {
		t.Errorf("somebody else's drafts: %v, %v", list, err)
	}
	wantErr(t, send(first), nil)
	successors("false true 2, true false 2")
	if again := r.job(t, first); !again.Again || again.Former != id || r.job(t, id).Again || r.job(t, id).Former != "" {
		t.Errorf("the new job is one to those whom another did not reach: %t, %q; want %q", again.Again, again.Former, id)
	}
	refused() // although nothing is made yet
	resendable(0)
	wantErr(t, send(second), items.ErrReplaced)
	r.made(t)
	refused()
	resendable(0)
	wantErr(t, send(second), items.ErrReplaced)
	again("0198f3a0-0000-7000-8000-000000000003", items.ErrEmpty)
	groups, _, err := lists.In(r.s).BulkGroups(t.Context(), r.Account.ID, dispatch.BulkAgain, lists.Selection{Viewer: r.Actor.User, Items: originals})
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
			wantErr(t, items.In(r.s).QueueSMS(t.Context(), r.Account, other, r.Seen(t, r.s, other), r.Actor), nil)
		}, func(by dispatch.Replacement) bool { return by.Item.ID != "" && !by.Again }},
		"it was sent again itself": {dispatch.StateFailed, func(t *testing.T, r rig, of dispatch.ItemID) {
			wantErr(t, items.In(r.s).SendAgain(t.Context(), r.Account.ID, of, r.Actor), nil)
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
				return items.In(r.s).QueueSMS(t.Context(), r.Account, draft, r.Seen(t, r.s, draft), by)
			}
			ask := func(by store.Actor) error {
				return items.In(r.s).AskSMS(t.Context(), r.Account, asked, r.Seen(t, r.s, asked), by)
			}
			approve := func() error {
				a, err := items.In(r.s).LastApproval(t.Context(), r.Account.ID, asked)
				if err != nil {
					t.Fatal(err)
				}
				return items.In(r.s).ApproveSMS(t.Context(), r.Account, a.ID, r.colleague(t))
			}
			already := func() dispatch.Replacement {
				by, err := items.In(r.s).AlreadyReplaced(t.Context(), r.Account.ID, draft)
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
			a, err := items.In(r.s).LastApproval(t.Context(), r.Account.ID, asked)
			if err != nil {
				t.Fatal(err)
			}
			wantErr(t, items.In(r.s).Withdraw(t.Context(), r.Account.ID, a.ID, r.Actor), nil)
			wantErr(t, ask(r.Actor), items.ErrSecond)
			both := r.Actor
			both.Anyway = true
			wantErr(t, ask(both), nil)
			wantErr(t, approve(), nil)
			wantErr(t, send(both), nil)
		})
	}
}
