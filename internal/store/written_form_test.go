package store_test

import (
	"errors"
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

// TestTwoTextsOfAJob: both are kept, sealed, with who gets which; each item names the form of its own; another text in nynorsk is
// another job, and a job made again has both.
func TestTwoTextsOfAJob(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	template := r.template(t, dispatch.TemplateContent{Name: "Møte", Text: "Hei fra oss", Nynorsk: "Hallo frå oss"})
	list := storetest.ListOf([]string{"målform"}, storetest.Row(1, "90000101", "nb"), storetest.Row(2, "90000102", "nynorsk"), storetest.Row(3, "90000103", ""))
	text := func(nynorsk string) items.JobText {
		return items.JobText{Text: "Hei fra oss", SecondText: dispatch.SecondText{Nynorsk: nynorsk, Otherwise: dispatch.FormNynorsk}, Mode: dispatch.ModeTraceable,
			Template: dispatch.TemplateUse{ID: template, Version: 1, Form: dispatch.FormBokmal}, Segments: 3, Forms: dispatch.FormCounts{Bokmal: 1, Nynorsk: 2, Unsaid: 1}}
	}
	draft := r.JobDraft(t, r.s, list, text("Hallo frå oss"))
	if j := r.job(t, draft); j.SecondText != text("Hallo frå oss").SecondText || j.Forms != text("").Forms {
		t.Errorf("got %+v, %+v", j.SecondText, j.Forms)
	}
	if n := read[int](t, r, `SELECT count(*) FROM jobs WHERE position(convert_to('Hallo', 'UTF8') IN content) > 0`); n != 0 {
		t.Error("the text in nynorsk is in clear")
	}
	send := func(nynorsk string) error {
		id := r.JobDraft(t, r.s, list, text(nynorsk))
		return items.In(r.s).SMSJobs.Send(t.Context(), r.Account, id, r.SeenJob(t, r.s, id), r.Actor, false)
	}
	if err := send("Hallo frå oss"); err != nil {
		t.Fatal(err)
	}
	if err := send("Hallo frå oss"); !errors.Is(err, items.ErrRepeated) {
		t.Errorf("the same again: %v", err)
	}
	if err := send("Hallo frå alle oss"); err != nil {
		t.Errorf("with another text in nynorsk: %v", err)
	}
	r.made(t)
	if got := read[string](t, r, `SELECT string_agg(m.template_form, ' ' ORDER BY it.created_at, it.job_position) FROM sms m JOIN items it ON it.id = m.item_id
		WHERE it.job_id = (SELECT id FROM jobs WHERE sent_at IS NOT NULL ORDER BY sent_at LIMIT 1)`); got != "nb nn nn" {
		t.Errorf("the items are in %q", got)
	}
	sent := dispatch.JobID(read[string](t, r, `SELECT id::text FROM jobs WHERE sent_at IS NOT NULL ORDER BY sent_at LIMIT 1`))
	r.exec(t, `UPDATE items SET state = 'rejected', reason_key = 'reason.rejected', reason_at = now() WHERE job_id = $1`, sent)
	again, err := items.In(r.s).Repeats.Again(t.Context(), r.Account.ID, sent, r.Actor, uuid.NewString())
	if err != nil {
		t.Fatal(err)
	}
	if j := r.job(t, again); j.SecondText != text("Hallo frå oss").SecondText {
		t.Errorf("made again it has %+v", j.SecondText)
	}
}

// TestTemplateUses: items are counted by month and template, before and after counts are folded; drafts, other accounts and what is
// older than a year are not.
func TestTemplateUses(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	template := r.template(t, content("Møte", "Hei fra oss"))
	use := items.JobText{Text: "Hei fra oss", Template: dispatch.TemplateUse{ID: template, Version: 1, Form: dispatch.FormBokmal}, Segments: 2}
	r.JobDraft(t, r.s, listOf(4), use)
	r.SendJob(t, r.s, listOf(2), use)
	r.made(t)
	now := read[time.Time](t, r, `SELECT now()`)
	wants := func(n int) {
		t.Helper()
		uses, err := items.In(r.s).Templates.Usage(t.Context(), r.Account.ID, now)
		if err != nil {
			t.Fatal(err)
		}
		got := uses[template]
		if n == 0 && len(got) == 0 {
			return
		}
		day := now.In(dispatch.Oslo).Format(time.DateOnly)
		if len(uses) != 1 || len(got) != 1 || got[0].N != n || got[0].Last.Format(time.DateOnly) != day || got[0].Month.Format(time.DateOnly) != day[:8]+"01" {
			t.Errorf("got %+v, want %d on %s", uses, n, day)
		}
	}
	wants(2)
	if err := lists.In(r.s).Statistics.Fold(t.Context()); err != nil {
		t.Fatal(err)
	}
	wants(2)
	r.exec(t, `INSERT INTO stats (account_id, day, kind, dimension, value, n, arrived, stopped, parts)
		VALUES ($1, now()::date - 420, 'sms', 'template', $2::text, 7, 0, 0, 7)`, r.Account.ID, template)
	wants(2)
	other, err := registry.In(r.s).Accounts.Save(t.Context(), dispatch.Account{Slug: "annen", Name: "Annen"})
	if err != nil {
		t.Fatal(err)
	}
	if uses, err := items.In(r.s).Templates.Usage(t.Context(), other, now); err != nil || len(uses) != 0 {
		t.Errorf("another account: %v, %v", uses, err)
	}
}

// lettersOfTemplate sends one shipment, and a list of two, begun with a template; a draft begun with it is left.
func (r rig) lettersOfTemplate(t *testing.T, template dispatch.TemplateID) (one dispatch.ItemID, list dispatch.JobID) {
	t.Helper()
	ctx, in, use := t.Context(), items.In(r.s), dispatch.TemplateUse{ID: template, Version: 1}
	begin := func() dispatch.ItemID {
		id, err := in.Drafts.Begin(ctx, r.Account.ID, r.Actor, uuid.NewString(), dispatch.DraftFields{Title: "Vedtak"}, use)
		succeed(t, err)
		return id
	}
	begin()
	one = begin()
	succeed(t, in.Drafts.Queue(ctx, r.Account, one, r.Actor, 1, wholeShipment(false)))
	many := r.ShipmentJob(t, r.s, "til alle", storetest.ShipmentRows(2))
	r.exec(t, `UPDATE shipments SET template_id = $2, template_version = 1 WHERE item_id = $1`, many.Draft, template)
	r.SendShipments(t, r.s, many)
	r.made(t)
	return one, many.Job
}

// choices is a template of shipments.
func choices(name string) dispatch.TemplateContent {
	return dispatch.TemplateContent{Name: name, Choices: "farger=true"}
}

// TestLettersAreCountedByTemplate: as SMS are, single ones and those of lists, and the list of them holds as many.
func TestLettersAreCountedByTemplate(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	template := r.template(t, choices("Vedtak"))
	one, _ := r.lettersOfTemplate(t, template)
	now := read[time.Time](t, r, `SELECT now()`)
	wants := func(n int) {
		t.Helper()
		uses, err := items.In(r.s).Templates.Usage(t.Context(), r.Account.ID, now)
		if err != nil || len(uses[template]) != 1 || uses[template][0].N != n {
			t.Errorf("got %+v, want %d, %v", uses, n, err)
		}
		if st := r.today(t).Templates; len(st) != 1 || st[0].Kind != dispatch.KindShipment || st[0].Name != "Vedtak" || st[0].N != n {
			t.Errorf("the lead's numbers: %+v", st)
		}
		if ids, _, _ := r.page(t, lists.ListQuery{Viewer: r.User, Filter: dispatch.ListFilter{Template: template}}, store.Page{Limit: 50}); len(ids) != n {
			t.Errorf("the list holds %d, want %d", len(ids), n)
		}
		r.agree(t)
	}
	wants(3)
	succeed(t, lists.In(r.s).Statistics.Fold(t.Context()))
	wants(3)
	r.exec(t, `UPDATE items SET state = 'rejected' WHERE id = $1`, one)
	wants(3)
	r.exec(t, `UPDATE shipments SET billing_code = 'K-1' WHERE item_id = $1`, one)
	wants(3)
	r.exec(t, `DELETE FROM items WHERE id = $1`, one)
	wants(2)
}

// TestLettersFromBeforeAreCountedByTemplate: migrate counts those of releases that did not, once.
func TestLettersFromBeforeAreCountedByTemplate(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.lettersOfTemplate(t, r.template(t, choices("Vedtak")))
	succeed(t, lists.In(r.s).Statistics.Fold(t.Context()))
	r.exec(t, `DELETE FROM stats WHERE kind = 'shipment' AND dimension = 'template'`)
	for range 2 {
		r.exec(t, `DELETE FROM applied_code`)
		if _, err := storetest.Open(t, storetest.Owner(r.url)).Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		r.agree(t)
	}
	if st := r.today(t).Templates; len(st) != 1 || st[0].N != 3 {
		t.Errorf("got %+v", st)
	}
}
