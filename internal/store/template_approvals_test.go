package store_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
)

// proposed is the approval of a template that waits.
func (r rig) proposed(t *testing.T, id dispatch.TemplateID) dispatch.ApprovalID {
	t.Helper()
	a, err := items.In(r.s).Approvals.LastOfTemplate(t.Context(), r.Account.ID, id)
	if err != nil || !a.Waiting() {
		t.Fatalf("nothing waits: %+v, %v", a, err)
	}
	return a.ID
}

// TestTemplatesWaitForApproval: where the account wants that, a new template cannot be used and a changed one is used as it was,
// until somebody else approves it, once; what is returned is not used, and the next try is another version.
func TestTemplatesWaitForApproval(t *testing.T) {
	t.Parallel()
	for name, of := range map[string]func(string) dispatch.TemplateContent{"SMS": func(name string) dispatch.TemplateContent { return content(name, "Hei fra "+name) }, "shipments": choices} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			ctx, in, boss := t.Context(), items.In(r.s), r.colleague(t)
			r.sensitive(t, dispatch.ApprovalRule{Templates: true})
			id := r.template(t, of("Time"))
			now := r.now(t, id)
			if !now.Unused || !now.Waits() || now.Offered() || now.Name != "Time" || now.Number != 1 {
				t.Errorf("a new one is %+v", now)
			}
			_, err := in.Templates.UsedVersion(ctx, r.Account.ID, dispatch.TemplateUse{ID: id, Version: 1})
			wantErr(t, err, store.ErrNotFound)
			wantErr(t, r.change(t, id, 1, of("Møte")), items.ErrWaiting)
			wantErr(t, in.Approvals.ApproveTemplate(ctx, r.Account.ID, r.proposed(t, id), r.Actor), store.ErrNotFound)
			wantErr(t, in.Approvals.ApproveTemplate(ctx, r.other(t).Account.ID, r.proposed(t, id), boss), store.ErrNotFound)
			succeed(t, in.Approvals.ApproveTemplate(ctx, r.Account.ID, r.proposed(t, id), boss))
			if now = r.now(t, id); !now.Offered() || now.Proposed != "" || now.Number != 1 {
				t.Errorf("approved it is %+v", now)
			}

			succeed(t, r.change(t, id, 1, of("Møte")))
			if now = r.now(t, id); !now.Offered() || !now.Waits() || now.Number != 1 || now.Newest != 2 || now.Name != "Time" {
				t.Errorf("changed it is %+v", now)
			}
			wantErr(t, r.change(t, id, 1, of("Samtale")), items.ErrWaiting)
			wantErr(t, in.Templates.Restore(ctx, r.Account.ID, id, r.Actor, 1, 2), items.ErrWaiting)
			r.refused(t, "approvals_hold", `UPDATE templates SET version = 2 WHERE id = $1`, id)
			first := r.proposed(t, id)
			succeed(t, in.Approvals.Return(ctx, r.Account.ID, first, "Skriv hvor.", boss))
			if now = r.now(t, id); now.Proposed != dispatch.ApprovalReturned || now.Number != 1 {
				t.Errorf("returned it is %+v", now)
			}
			wantErr(t, in.Approvals.ApproveTemplate(ctx, r.Account.ID, first, boss), store.ErrChanged)

			succeed(t, r.change(t, id, 1, of("Samtale")))
			var wg sync.WaitGroup
			errs, again := make([]error, 4), r.proposed(t, id)
			bosses := []store.Actor{boss, r.colleague(t), boss, r.colleague(t)}
			for i := range errs {
				wg.Go(func() { errs[i] = in.Approvals.ApproveTemplate(ctx, r.Account.ID, again, bosses[i]) })
			}
			wg.Wait()
			done := 0
			for _, err := range errs {
				if err == nil {
					done++
				} else {
					wantErr(t, err, store.ErrChanged)
				}
			}
			if now = r.now(t, id); done != 1 || now.Number != 3 || now.Name != "Samtale" || now.Proposed != "" {
				t.Errorf("%d approved it, and it is %+v", done, now)
			}

			succeed(t, r.change(t, id, 3, of("Time")))
			succeed(t, in.Approvals.Withdraw(ctx, r.Account.ID, r.proposed(t, id), r.Actor))
			if now = r.now(t, id); now.Number != 3 || now.Proposed != dispatch.ApprovalWithdrawn {
				t.Errorf("withdrawn it is %+v", now)
			}
			log := read[string](t, r, `SELECT string_agg(action || ' ' || (details->>'version'), ', ' ORDER BY id) FROM audit_events WHERE object_id = $1`, id)
			if log != "template.asked 1, template.approved 1, template.asked 2, template.returned 2, template.asked 3, template.approved 3, template.asked 4, template.withdrawn 4" {
				t.Errorf("the event log has %q", log)
			}
			versions, err := in.Templates.Versions(ctx, r.Account.ID, id)
			if err != nil || len(versions) != 4 || versions[0].Asked != dispatch.ApprovalWithdrawn || versions[2].Asked != dispatch.ApprovalReturned {
				t.Errorf("versions %+v, %v", versions, err)
			}
		})
	}
}

// TestTemplateArchivedWhileItWaits: nobody is to approve it any more; taken into use again it is as it was.
func TestTemplateArchivedWhileItWaits(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	ctx, in, boss := t.Context(), items.In(r.s), r.colleague(t)
	r.sensitive(t, dispatch.ApprovalRule{Templates: true})
	id := r.template(t, content("Time", "Hei"))
	waiting := r.proposed(t, id)
	succeed(t, in.Templates.Archive(ctx, r.Account.ID, id, boss, 1, true))
	wantErr(t, in.Approvals.ApproveTemplate(ctx, r.Account.ID, waiting, boss), store.ErrChanged)
	if n, err := in.Approvals.CountFor(ctx, r.Account.ID, boss.User); n != 0 || err != nil {
		t.Errorf("%d wait, %v", n, err)
	}
	r.refused(t, "approvals_draft", `INSERT INTO approvals (id, account_id, template_id, seen, recipients, reasons, asked_by) VALUES ($1, $2, $3, '1', 0, '{}', $4)`,
		uuid.NewString(), r.Account.ID, id, r.User)
	succeed(t, in.Templates.Archive(ctx, r.Account.ID, id, r.Actor, 1, false))
	if now := r.now(t, id); !now.Unused || now.Proposed != dispatch.ApprovalWithdrawn {
		t.Errorf("it is %+v", now)
	}
	succeed(t, r.change(t, id, 1, content("Time", "Hei"))) // the same again: it was never used
	succeed(t, in.Approvals.ApproveTemplate(ctx, r.Account.ID, r.proposed(t, id), boss))
	if now := r.now(t, id); !now.Offered() || now.Number != 2 {
		t.Errorf("it is %+v", now)
	}
}

// TestTemplateRuleTurnedOffMeanwhile: what waits still waits, and what is saved from then on does not.
func TestTemplateRuleTurnedOffMeanwhile(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	ctx, in, boss := t.Context(), items.In(r.s), r.colleague(t)
	r.sensitive(t, dispatch.ApprovalRule{Templates: true})
	id, second := r.template(t, content("Time", "Hei")), r.template(t, content("Møte", "Hei"))
	r.sensitive(t, dispatch.ApprovalRule{})
	if !r.now(t, id).Waits() {
		t.Error("it does not wait any more")
	}
	succeed(t, in.Approvals.ApproveTemplate(ctx, r.Account.ID, r.proposed(t, id), boss))
	succeed(t, r.change(t, id, 1, content("Time", "Hei du")))
	succeed(t, in.Approvals.Withdraw(ctx, r.Account.ID, r.proposed(t, second), r.Actor))
	succeed(t, r.change(t, second, 1, content("Møte", "Hei")))
	for _, one := range []dispatch.TemplateID{id, second} {
		if now := r.now(t, one); now.Number != 2 || !now.Offered() || now.Proposed != "" {
			t.Errorf("it is %+v", now)
		}
	}
}

// TestTemplateNameTakenMeanwhile: told to who proposes it, and to the approver where it came to be later; then it still waits.
func TestTemplateNameTakenMeanwhile(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	ctx, in, boss := t.Context(), items.In(r.s), r.colleague(t)
	id, other := r.template(t, content("Time", "Hei")), r.template(t, content("Møte", "Hei"))
	r.sensitive(t, dispatch.ApprovalRule{Templates: true})
	wantErr(t, r.change(t, id, 1, content("MØTE", "Hei")), store.ErrTaken)
	succeed(t, r.change(t, id, 1, content("Samtale", "Hei")))
	r.sensitive(t, dispatch.ApprovalRule{})
	succeed(t, r.change(t, other, 1, content("Samtale", "Hei")))
	wantErr(t, in.Approvals.ApproveTemplate(ctx, r.Account.ID, r.proposed(t, id), boss), store.ErrTaken)
	if now := r.now(t, id); !now.Waits() || now.Number != 1 {
		t.Errorf("it is %+v", now)
	}
	if err := in.Approvals.ApproveTemplate(ctx, r.Account.ID, dispatch.ApprovalID(uuid.NewString()), boss); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("none at all: %v", err)
	}
}
