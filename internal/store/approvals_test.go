package store_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/registry"
	"utsending/internal/store/storetest"
)

// sensitive gives the account a rule.
func (r *rig) sensitive(t *testing.T, rule dispatch.ApprovalRule) {
	t.Helper()
	r.Account.Approval = rule
	if _, err := registry.In(r.s).Accounts.Save(t.Context(), r.Account); err != nil {
		t.Fatal(err)
	}
}

// colleague is somebody else than the sample's user.
func (r rig) colleague(t *testing.T) store.Actor {
	t.Helper()
	user, err := r.s.SaveLogin(t.Context(), store.Login{Issuer: "https://login.example", Subject: uuid.NewString(), Name: "Amir Hansen"})
	if err != nil {
		t.Fatal(err)
	}
	return store.Actor{User: user, Origin: "127.0.0.2"}
}

// toApprove is a draft that somebody else has to approve, with what can be done to it.
type toApprove struct {
	send, ask, change, discard func() error
	approve                    func(dispatch.ApprovalID, store.Actor) error
	last                       func() (dispatch.Approval, error)
	sent                       func() string // how many items of it wait for delivery, or are made so
	force                      string        // the statement that would let it go all the same
	object                     string
}

// wholeShipment is a shipment that can be sent.
func wholeShipment(sensitive bool) dispatch.Shipment {
	return dispatch.Shipment{Title: "Vedtak", SourceSystem: "Utsending", Encrypted: sensitive}
}

// draftsToApprove makes a draft of each kind.
func (r rig) draftsToApprove(t *testing.T) map[string]toApprove {
	t.Helper()
	ctx, in, account := t.Context(), items.In(r.s), r.Account
	hidden := storetest.ToPhone("+4740000001", "Hei")
	hidden.HideInReport = true
	sms := r.Draft(t, r.s, hidden)
	letter, err := in.Drafts.Create(ctx, account.ID, r.Actor, uuid.NewString(), dispatch.DraftFields{Title: "Vedtak"})
	if err != nil {
		t.Fatal(err)
	}
	job := r.JobDraft(t, r.s, storetest.ListOf(nil, storetest.Row(1, "+4740000001"), storetest.Row(2, "+4740000002")), items.JobText{Text: "Hei", Segments: 2})
	many := r.ShipmentJob(t, r.s, "til alle", storetest.ShipmentRows(2))
	r.LookOver(t, r.s, many)
	ofItem := func(id dispatch.ItemID) func() string {
		return func() string { return read[string](t, r, `SELECT state FROM items WHERE id = $1`, id) }
	}
	ofJob := func(id dispatch.JobID) func() string {
		return func() string { return read[string](t, r, `SELECT state FROM jobs WHERE id = $1`, id) }
	}
	return map[string]toApprove{
		"an SMS": {
			send:    func() error { return in.SMS.Queue(ctx, account, sms, r.Seen(t, r.s, sms), r.Actor) },
			ask:     func() error { return in.Approvals.AskSMS(ctx, account, sms, r.Seen(t, r.s, sms), r.Actor) },
			change:  func() error { return in.SMS.ChangeDraft(ctx, account.ID, sms, r.Actor, hidden) },
			discard: func() error { return in.Drafts.Discard(ctx, account.ID, dispatch.KindSMS, sms, r.Actor) },
			approve: func(id dispatch.ApprovalID, by store.Actor) error {
				return in.Approvals.ApproveSMS(ctx, account, id, by)
			},
			last: func() (dispatch.Approval, error) { return in.Approvals.Last(ctx, account.ID, sms) },
			sent: ofItem(sms), object: string(sms),
			force: `UPDATE items SET state = 'queued', due_at = now(), due_since = now() WHERE id = '` + string(sms) + `'`,
		},
		"a shipment": {
			send: func() error {
				return in.Drafts.Queue(ctx, account, letter, r.Actor, r.draftVersion(t, letter), wholeShipment(true))
			},
			ask: func() error {
				return in.Approvals.AskShipment(ctx, account, letter, r.Actor, r.draftVersion(t, letter), wholeShipment(true))
			},
			change: func() error {
				return in.Drafts.Save(ctx, account.ID, &dispatch.Draft{Item: dispatch.Item{ID: letter}, Version: r.draftVersion(t, letter)}, r.Actor)
			},
			discard: func() error { return in.Drafts.Discard(ctx, account.ID, dispatch.KindShipment, letter, r.Actor) },
			approve: func(id dispatch.ApprovalID, by store.Actor) error {
				return in.Approvals.ApproveShipment(ctx, account, id, by, wholeShipment(true))
			},
			last: func() (dispatch.Approval, error) { return in.Approvals.Last(ctx, account.ID, letter) },
			sent: ofItem(letter), object: string(letter),
			force: `UPDATE items SET state = 'queued', due_at = now(), due_since = now() WHERE id = '` + string(letter) + `'`,
		},
		"an SMS to many": {
			send: func() error { return in.SMSJobs.Send(ctx, account, job, r.SeenJob(t, r.s, job), r.Actor, true) },
			ask:  func() error { return in.Approvals.AskJob(ctx, account, job, r.SeenJob(t, r.s, job), r.Actor, true) },
			change: func() error {
				return in.Rows.SaveText(ctx, account.ID, job, r.Actor, items.JobText{Text: "Hei igjen", Mode: dispatch.ModeTraceable, Segments: 2})
			},
			discard: func() error { return in.Jobs.Discard(ctx, account.ID, job, r.Actor) },
			approve: func(id dispatch.ApprovalID, by store.Actor) error {
				return in.Approvals.ApproveJob(ctx, account, id, by)
			},
			last: func() (dispatch.Approval, error) { return in.Approvals.LastOfJob(ctx, account.ID, job) },
			sent: ofJob(job), object: string(job),
			force: `UPDATE jobs SET state = 'running', sent_at = now(), due_at = now() WHERE id = '` + string(job) + `'`,
		},
		"a shipment to many": {
			send: func() error { return in.ShipmentJobs.Send(ctx, account, many.Job, r.Actor, many.Shipment, true) },
			ask:  func() error { return in.Approvals.AskShipments(ctx, account, many.Job, r.Actor, many.Shipment, true) },
			change: func() error {
				return errors.Join(
					in.Drafts.Save(ctx, account.ID, &dispatch.Draft{Item: dispatch.Item{ID: many.Draft}, Version: r.draftVersion(t, many.Draft)}, r.Actor),
					in.ShipmentJobs.LeaveOutFaulty(ctx, account.ID, many.Job, r.Actor))
			},
			discard: func() error { return in.Drafts.Discard(ctx, account.ID, dispatch.KindShipment, many.Draft, r.Actor) },
			approve: func(id dispatch.ApprovalID, by store.Actor) error {
				return in.Approvals.ApproveShipments(ctx, account, id, by, many.Shipment)
			},
			last: func() (dispatch.Approval, error) { return in.Approvals.LastOfJob(ctx, account.ID, many.Job) },
			sent: ofJob(many.Job), object: string(many.Job),
			force: `UPDATE jobs SET state = 'running', sent_at = now(), due_at = now() WHERE id = '` + string(many.Job) + `'`,
		},
	}
}

func (r rig) draftVersion(t *testing.T, id dispatch.ItemID) int {
	t.Helper()
	return read[int](t, r, `SELECT version FROM shipments WHERE item_id = $1`, id)
}

// eachToApprove runs a test with a draft of each kind, on an account whose rule asks for approval of it.
func eachToApprove(t *testing.T, do func(t *testing.T, r rig, d toApprove)) {
	for _, name := range []string{"an SMS", "a shipment", "an SMS to many", "a shipment to many"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t).shipments(t)
			r.sensitive(t, dispatch.ApprovalRule{Recipients: 2, Sensitive: true})
			do(t, r, r.draftsToApprove(t)[name])
		})
	}
}

// refused expects that PostgreSQL itself refuses a statement.
func (r rig) refused(t *testing.T, constraint, query string, args ...any) {
	t.Helper()
	_, err := r.db.ExecContext(t.Context(), query, args...)
	var e *pq.Error
	if !errors.As(err, &e) || e.Constraint != constraint {
		t.Errorf("PostgreSQL answers %v, want a violation of %s", err, constraint)
	}
}

func (d toApprove) approval(t *testing.T) dispatch.Approval {
	t.Helper()
	a, err := d.last()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func succeed(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestWhatWaitsForApprovalStays: it is not sent without, cannot be changed, and PostgreSQL lets nothing take it on; when somebody
// else has approved it, it goes.
func TestWhatWaitsForApprovalStays(t *testing.T) {
	t.Parallel()
	eachToApprove(t, func(t *testing.T, r rig, d toApprove) {
		wantErr(t, d.send(), items.ErrApproval)
		succeed(t, d.ask())
		a := d.approval(t)
		if !a.Waiting() || a.AskedBy != r.User || len(a.Reasons) == 0 || a.Recipients == 0 {
			t.Errorf("the approval is %+v", a)
		}
		for _, err := range []error{d.send(), d.ask(), d.change(), d.discard()} {
			wantErr(t, err, items.ErrWaiting)
			wantErr(t, err, store.ErrChanged)
		}
		r.refused(t, "approvals_hold", d.force)
		r.refused(t, "approvals_own_check", `UPDATE approvals SET state = 'approved', decided_by = asked_by, decided_at = now() WHERE id = $1`, a.ID)
		r.made(t)
		if n := read[int](t, r, `SELECT count(*) FROM items WHERE state <> 'draft'`); n != 0 {
			t.Errorf("%d items are there to be delivered", n)
		}
		if d.sent() != "draft" {
			t.Errorf("it is %s", d.sent())
		}
		amir := r.colleague(t)
		wantErr(t, d.approve(a.ID, r.Actor), store.ErrNotFound)
		wantErr(t, items.In(r.s).Approvals.Return(t.Context(), r.Account.ID, a.ID, "Nei", r.Actor), store.ErrNotFound)
		wantErr(t, items.In(r.s).Approvals.Withdraw(t.Context(), r.Account.ID, a.ID, amir), store.ErrNotFound)
		wantErr(t, items.In(r.s).Approvals.Return(t.Context(), r.other(t).Account.ID, a.ID, "Nei", amir), store.ErrNotFound)
		succeed(t, d.approve(a.ID, amir))
		if got := d.sent(); got != "queued" && got != "running" {
			t.Errorf("approved, it is %s", got)
		}
		wantErr(t, d.approve(a.ID, amir), store.ErrChanged)
		log := read[string](t, r, `SELECT string_agg(action || ' ' || actor_name, ', ' ORDER BY id) FROM audit_events WHERE object_id = $1 AND action LIKE 'approval.%'`, d.object)
		if log != "approval.asked Kari Nordmann, approval.approved Amir Hansen" {
			t.Errorf("the event log says %s", log)
		}
	})
}

// TestApprovalIsInTheTimeline: of an SMS every act has its line.
func TestApprovalIsInTheTimeline(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.sensitive(t, dispatch.ApprovalRule{Sensitive: true})
	d := r.shipments(t).draftsToApprove(t)["an SMS"]
	amir := r.colleague(t)
	succeed(t, d.ask())
	succeed(t, items.In(r.s).Approvals.Withdraw(t.Context(), r.Account.ID, d.approval(t).ID, r.Actor))
	succeed(t, d.ask())
	succeed(t, items.In(r.s).Approvals.Return(t.Context(), r.Account.ID, d.approval(t).ID, "  Datoen er feil.\r\n", amir))
	if a := d.approval(t); !a.Returned() || a.Note != "Datoen er feil." || a.Decider != "Amir Hansen" {
		t.Errorf("it came back as %+v", a)
	}
	if n := read[int](t, r, `SELECT count(*) FROM approvals WHERE position('Datoen'::bytea IN note) > 0`); n != 0 {
		t.Error("the note stands in clear")
	}
	succeed(t, d.change())
	succeed(t, d.ask())
	succeed(t, d.approve(d.approval(t).ID, amir))
	got := read[string](t, r, `SELECT string_agg(kind, ' ' ORDER BY id) FROM events WHERE item_id = $1`, d.object)
	if want := "created asked withdrawn asked returned edited asked approved queued"; got != want {
		t.Errorf("the timeline is %s, want %s", got, want)
	}
}

// TestTwoApproversAtOnce: one decides, and the others are told that it is decided.
func TestTwoApproversAtOnce(t *testing.T) {
	t.Parallel()
	eachToApprove(t, func(t *testing.T, r rig, d toApprove) {
		succeed(t, d.ask())
		id := d.approval(t).ID
		one, two := r.colleague(t), r.colleague(t)
		acts := []func() error{
			func() error { return d.approve(id, one) }, func() error { return d.approve(id, two) },
			func() error { return items.In(r.s).Approvals.Return(t.Context(), r.Account.ID, id, "Vent", two) },
			func() error { return items.In(r.s).Approvals.Withdraw(t.Context(), r.Account.ID, id, r.Actor) },
		}
		errs := make([]error, len(acts))
		var all sync.WaitGroup
		for i, act := range acts {
			all.Go(func() { errs[i] = act() })
		}
		all.Wait()
		decided := 0
		for _, err := range errs {
			switch {
			case err == nil:
				decided++
			case !errors.Is(err, store.ErrChanged):
				t.Errorf("who was later is told %v", err)
			}
		}
		if decided != 1 {
			t.Errorf("%d have decided: %v", decided, errs)
		}
		went, approved := d.sent() != "draft", d.approval(t).State == dispatch.ApprovalApproved
		if went != approved {
			t.Errorf("it is %s and the approval %s", d.sent(), d.approval(t).State)
		}
	})
}

// TestApproveWhatWasWithdrawn: who approves what the sender has taken back, or changed since and asked for once more, approves
// nothing.
func TestApproveWhatWasWithdrawn(t *testing.T) {
	t.Parallel()
	eachToApprove(t, func(t *testing.T, r rig, d toApprove) {
		amir := r.colleague(t)
		succeed(t, d.ask())
		before := d.approval(t).ID
		succeed(t, items.In(r.s).Approvals.Withdraw(t.Context(), r.Account.ID, before, r.Actor))
		wantErr(t, d.approve(before, amir), store.ErrChanged)
		wantErr(t, d.send(), items.ErrApproval)
		succeed(t, d.ask())
		wantErr(t, d.approve(before, amir), store.ErrChanged)
		if d.sent() != "draft" {
			t.Errorf("it is %s", d.sent())
		}
		succeed(t, d.approve(d.approval(t).ID, amir))
	})
}

// TestApproveWhatIsNotAsItWas: content that somebody has changed behind our back is not what was asked for.
func TestApproveWhatIsNotAsItWas(t *testing.T) {
	t.Parallel()
	eachToApprove(t, func(t *testing.T, r rig, d toApprove) {
		succeed(t, d.ask())
		r.exec(t, `UPDATE sms SET urgent = NOT urgent`)
		r.exec(t, `UPDATE shipments SET version = version + 1`)
		r.exec(t, `UPDATE jobs SET urgent = NOT urgent`)
		wantErr(t, d.approve(d.approval(t).ID, r.colleague(t)), store.ErrStale)
		if a := d.approval(t); !a.Waiting() || d.sent() != "draft" {
			t.Errorf("the approval is %s, and it is %s", a.State, d.sent())
		}
	})
}

// TestRuleTurnedOffMeanwhile: what waits still waits: it is approved, or withdrawn and sent without.
func TestRuleTurnedOffMeanwhile(t *testing.T) {
	t.Parallel()
	for _, end := range []string{"approved", "withdrawn"} {
		t.Run(end, func(t *testing.T) {
			t.Parallel()
			eachToApprove(t, func(t *testing.T, r rig, d toApprove) {
				succeed(t, d.ask())
				r.sensitive(t, dispatch.ApprovalRule{})
				wantErr(t, d.send(), items.ErrWaiting)
				if end == "approved" {
					succeed(t, d.approve(d.approval(t).ID, r.colleague(t)))
					return
				}
				succeed(t, items.In(r.s).Approvals.Withdraw(t.Context(), r.Account.ID, d.approval(t).ID, r.Actor))
				succeed(t, d.send())
			})
		})
	}
}

// TestRuleTurnedOnMeanwhile: a page that was made before does not send without.
func TestRuleTurnedOnMeanwhile(t *testing.T) {
	t.Parallel()
	r := newRig(t).shipments(t)
	drafts := r.draftsToApprove(t)
	r.sensitive(t, dispatch.ApprovalRule{Recipients: 1})
	for name, d := range drafts {
		if err := d.send(); !errors.Is(err, items.ErrApproval) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestTemplateAsksForApproval: what is written from it, and nothing else.
func TestTemplateAsksForApproval(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.template(t, dispatch.TemplateContent{Name: "Vedtak", Text: "Hei der"})
	m := storetest.ToPhone("+4740000001", "Hei der")
	m.Template = dispatch.TemplateUse{ID: id, Version: 1, Form: dispatch.FormBokmal}
	send := func(m dispatch.SMS) error {
		draft := r.Draft(t, r.s, m)
		return items.In(r.s).SMS.Queue(t.Context(), r.Account, draft, r.Seen(t, r.s, draft), r.Actor)
	}
	succeed(t, send(m))
	succeed(t, items.In(r.s).Templates.RequireApproval(t.Context(), r.Account.ID, id, r.Actor, 1, true))
	wantErr(t, send(m), items.ErrApproval)
	succeed(t, send(storetest.ToPhone("+4740000001", "Hei der")))
	if n := read[int](t, r, `SELECT count(*) FROM audit_events WHERE action = 'template.needs_approval' AND object_id = $1`, id); n != 1 {
		t.Errorf("%d lines in the event log", n)
	}
	wantErr(t, items.In(r.s).Templates.RequireApproval(t.Context(), r.other(t).Account.ID, id, r.Actor, 1, true), store.ErrNotFound)
}

// TestApprovalsWaitInOrder: each account sees its own, the oldest first, and counts those that one may decide.
func TestApprovalsWaitInOrder(t *testing.T) {
	t.Parallel()
	r := newRig(t).shipments(t)
	r.sensitive(t, dispatch.ApprovalRule{Recipients: 2, Sensitive: true})
	drafts := r.draftsToApprove(t)
	var want []string
	for _, name := range []string{"a shipment to many", "an SMS", "an SMS to many", "a shipment"} {
		succeed(t, drafts[name].ask())
		want = append(want, string(drafts[name].approval(t).ID))
	}
	list, err := items.In(r.s).Approvals.Waiting(t.Context(), r.Account.ID)
	succeed(t, err)
	var got []string
	for _, a := range list {
		got = append(got, string(a.ID))
		if a.Kind == "" || a.Item == "" && a.Kind == dispatch.KindShipment || a.Asker == "" {
			t.Errorf("one is %+v", a)
		}
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("they wait as %v, want %v", got, want)
	}
	for _, one := range []struct {
		account dispatch.AccountID
		user    dispatch.UserID
		want    int
	}{{r.Account.ID, r.User, 0}, {r.Account.ID, r.colleague(t).User, 4}, {r.other(t).Account.ID, r.colleague(t).User, 0}} {
		if n, err := items.In(r.s).Approvals.CountFor(t.Context(), one.account, one.user); n != one.want || err != nil {
			t.Errorf("there are %d for %s: %v", n, one.user, err)
		}
	}
	if fmt.Sprint(list[1].Reasons) != "[sensitive]" || fmt.Sprint(list[2].Reasons) != "[recipients]" {
		t.Errorf("the reasons are %v and %v", list[1].Reasons, list[2].Reasons)
	}
}

// TestApprovedOnceADay: who made the same list twice and asked for both gets the second one back, unless they have said that it goes
// although the first one did.
func TestApprovedOnceADay(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.sensitive(t, dispatch.ApprovalRule{Recipients: 2})
	ctx, in, boss := t.Context(), items.In(r.s), r.colleague(t)
	asked := func(anyway bool) dispatch.ApprovalID {
		job := r.JobDraft(t, r.s, storetest.ListOf(nil, storetest.Row(1, "+4740000001"), storetest.Row(2, "+4740000002")), items.JobText{Text: "Hei", Segments: 2})
		succeed(t, in.Approvals.AskJob(ctx, r.Account, job, r.SeenJob(t, r.s, job), r.Actor, anyway))
		a, err := in.Approvals.LastOfJob(ctx, r.Account.ID, job)
		succeed(t, err)
		return a.ID
	}
	first, second := asked(false), asked(false)
	succeed(t, in.Approvals.ApproveJob(ctx, r.Account, first, boss))
	if err := in.Approvals.ApproveJob(ctx, r.Account, second, boss); !errors.Is(err, items.ErrRepeated) {
		t.Errorf("the second one: %v", err)
	}
	succeed(t, in.Approvals.ApproveJob(ctx, r.Account, asked(true), boss))
}

// TestCopyAsksForApprovalToo: a copy of a shipment is asked the same as the template that the shipment began with asks.
func TestCopyAsksForApprovalToo(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	ctx, in := t.Context(), items.In(r.s)
	template := r.template(t, content("Vedtak", "Hei"))
	sent, err := in.Drafts.Begin(ctx, r.Account.ID, r.Actor, uuid.NewString(), dispatch.DraftFields{Title: "Vedtak"}, dispatch.TemplateUse{ID: template, Version: 1})
	succeed(t, err)
	succeed(t, in.Drafts.Queue(ctx, r.Account, sent, r.Actor, 1, wholeShipment(false)))
	r.exec(t, `UPDATE templates SET needs_approval = true WHERE id = $1`, template)
	made, err := in.Shipments.Copy(ctx, r.Account.ID, r.Actor, items.Copy{Of: sent, Key: uuid.NewString()})
	succeed(t, err)
	if err := in.Drafts.Queue(ctx, r.Account, made, r.Actor, r.draftVersion(t, made), wholeShipment(false)); !errors.Is(err, items.ErrApproval) {
		t.Errorf("the copy: %v", err)
	}
}

// TestCopyOfAListLetterAsksForApprovalToo: letters of a list know their template, so that a copy of one is asked the same.
func TestCopyOfAListLetterAsksForApprovalToo(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	ctx, in := t.Context(), items.In(r.s)
	template := r.template(t, choices("Vedtak"))
	_, list := r.lettersOfTemplate(t, template)
	r.exec(t, `UPDATE templates SET needs_approval = true WHERE id = $1`, template)
	letter := dispatch.ItemID(read[string](t, r, `SELECT id FROM items WHERE job_id = $1 LIMIT 1`, list))
	made, err := in.Shipments.Copy(ctx, r.Account.ID, r.Actor, items.Copy{Of: letter, Key: uuid.NewString()})
	succeed(t, err)
	if err := in.Drafts.Queue(ctx, r.Account, made, r.Actor, r.draftVersion(t, made), wholeShipment(false)); !errors.Is(err, items.ErrApproval) {
		t.Errorf("the copy: %v", err)
	}
}
