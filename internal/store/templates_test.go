package store_test

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/storetest"
)

func content(name, text string) dispatch.TemplateContent {
	return dispatch.TemplateContent{Name: name, Text: text}
}

// template makes a template of the rig's account.
func (r rig) template(t *testing.T, c dispatch.TemplateContent) dispatch.TemplateID {
	t.Helper()
	id := dispatch.TemplateID(uuid.NewString())
	if err := items.In(r.s).Templates.Create(t.Context(), r.Account.ID, id, r.Actor, c); err != nil {
		t.Fatal(err)
	}
	return id
}

// now is the current version of a template.
func (r rig) now(t *testing.T, id dispatch.TemplateID) dispatch.Template {
	t.Helper()
	got, err := items.In(r.s).Templates.ByID(t.Context(), r.Account.ID, id)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func (r rig) change(t *testing.T, id dispatch.TemplateID, version int, c dispatch.TemplateContent) error {
	t.Helper()
	return items.In(r.s).Templates.Change(t.Context(), r.Account.ID, id, r.Actor, version, c)
}

func TestTemplateVersions(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	first := content("Time", "Hei ((fornavn))")
	second := dispatch.TemplateContent{Name: "Time i dag", Text: "Hei ((fornavn))", Nynorsk: "Hei ((fornavn)), du"}
	id := r.template(t, first)
	if err := r.change(t, id, 1, second); err != nil {
		t.Fatal(err)
	}
	if err := items.In(r.s).Templates.Restore(t.Context(), r.Account.ID, id, r.Actor, 2, 1); err != nil {
		t.Fatal(err)
	}
	versions, err := items.In(r.s).Templates.Versions(t.Context(), r.Account.ID, id)
	if err != nil {
		t.Fatal(err)
	}
	var got []dispatch.TemplateVersion
	for _, v := range versions {
		if v.At.IsZero() {
			t.Error("a version has no time")
		}
		got = append(got, dispatch.TemplateVersion{TemplateContent: v.TemplateContent, Number: v.Number, By: v.By, RestoredFrom: v.RestoredFrom})
	}
	want := []dispatch.TemplateVersion{
		{TemplateContent: first, Number: 3, By: "Kari Nordmann", RestoredFrom: 1}, {TemplateContent: second, Number: 2, By: "Kari Nordmann"},
		{TemplateContent: first, Number: 1, By: "Kari Nordmann"},
	}
	if d := cmp.Diff(got, want); d != "" {
		t.Error(d)
	}
	t.Run("what is the same makes no version", func(t *testing.T) {
		if err := r.change(t, id, 3, first); err != nil {
			t.Fatal(err)
		}
		if now := r.now(t, id); now.Number != 3 {
			t.Errorf("got version %d, want 3", now.Number)
		}
	})
	t.Run("a version that never was cannot be taken back", func(t *testing.T) {
		wantErr(t, items.In(r.s).Templates.Restore(t.Context(), r.Account.ID, id, r.Actor, 3, 9), store.ErrNotFound)
	})
	t.Run("every act is in the event log, with the version", func(t *testing.T) {
		log := read[string](t, r, `SELECT string_agg(action || ' ' || (details->>'version'), ', ' ORDER BY id) FROM audit_events WHERE object_id = $1 AND actor_id = $2`, id, r.User)
		if log != "template.create 1, template.update 2, template.restore 3" {
			t.Errorf("got %q", log)
		}
	})
}

func TestTwoChangeATemplateAtOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.template(t, content("Time", "Hei"))
	var wg sync.WaitGroup
	errs := make([]error, 8)
	for i := range errs {
		wg.Go(func() { errs[i] = r.change(t, id, 1, content("Time", "Hei "+strings.Repeat("x", i+1))) })
	}
	wg.Wait()
	saved := 0
	for _, err := range errs {
		if err == nil {
			saved++
		} else {
			wantErr(t, err, store.ErrStale)
		}
	}
	if now := r.now(t, id); saved != 1 || now.Number != 2 {
		t.Errorf("%d were saved, and the version is %d", saved, now.Number)
	}
}

func TestTemplateNames(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	first, second := r.template(t, content("Ærlig talt", "Hei")), r.template(t, content("Time", "Hei"))
	create := func(name string) error {
		return items.In(r.s).Templates.Create(t.Context(), r.Account.ID, dispatch.TemplateID(uuid.NewString()), r.Actor, content(name, "Hei"))
	}
	archive := func(id dispatch.TemplateID, archived bool) error {
		return items.In(r.s).Templates.Archive(t.Context(), r.Account.ID, id, r.Actor, 1, archived)
	}
	wantErr(t, create("ærlig TALT"), store.ErrTaken)
	wantErr(t, r.change(t, second, 1, content("Ærlig talt", "Hei")), store.ErrTaken)
	if now := r.now(t, second); now.Number != 1 || now.Name != "Time" {
		t.Errorf("a refused change left version %d", now.Number)
	}
	r.other(t).template(t, content("Time", "Hei")) // another account has its own names
	if err := archive(first, true); err != nil {
		t.Fatal(err)
	}
	if now := r.now(t, first); !now.Archived() || now.ArchivedBy != "Kari Nordmann" {
		t.Error("it is not archived")
	}
	wantErr(t, r.change(t, first, 1, content("Ærlig talt", "Hei du")), store.ErrChanged)
	if err := create("Ærlig talt"); err != nil {
		t.Fatal(err)
	}
	wantErr(t, archive(first, false), store.ErrTaken)
	wantErr(t, items.In(r.s).Templates.Archive(t.Context(), r.Account.ID, second, r.Actor, 7, true), store.ErrStale)
}

func TestTheSameTemplateFormTwice(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.template(t, content("Time", "Hei"))
	if err := items.In(r.s).Templates.Create(t.Context(), r.Account.ID, id, r.Actor, content("Time", "Hei")); err != nil {
		t.Errorf("got %v, want the template that is there", err)
	}
	if all, err := items.In(r.s).Templates.List(t.Context(), r.Account.ID, dispatch.KindSMS); err != nil || len(all) != 1 {
		t.Errorf("got %d templates, %v", len(all), err)
	}
}

func TestForeignTemplates(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id, stranger := r.template(t, content("Time", "Hei")), r.other(t)
	_, err := items.In(r.s).Templates.ByID(t.Context(), stranger.Account.ID, id)
	wantErr(t, err, store.ErrNotFound)
	_, err = items.In(r.s).Templates.Versions(t.Context(), stranger.Account.ID, id)
	wantErr(t, err, store.ErrNotFound)
	_, err = items.In(r.s).Templates.UsedVersion(t.Context(), stranger.Account.ID, dispatch.TemplateUse{ID: id, Version: 1})
	wantErr(t, err, store.ErrNotFound)
	wantErr(t, stranger.change(t, id, 1, content("Time", "Tyv")), store.ErrNotFound)
	wantErr(t, items.In(r.s).Templates.Restore(t.Context(), stranger.Account.ID, id, r.Actor, 1, 1), store.ErrNotFound)
	wantErr(t, items.In(r.s).Templates.Archive(t.Context(), stranger.Account.ID, id, r.Actor, 1, true), store.ErrNotFound)
	wantErr(t, r.change(t, "1", 1, content("Time", "Hei")), store.ErrNotFound)
	if err := items.In(r.s).Templates.Create(t.Context(), stranger.Account.ID, id, r.Actor, content("Tyv", "Hei")); err != nil {
		t.Fatal(err)
	}
	if now := r.now(t, id); now.Name != "Time" {
		t.Error("another account's form changed it")
	}
}

// TestSMSRemembersItsTemplate: in the draft, after a change of it, and when it is sent.
func TestSMSRemembersItsTemplate(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	use := dispatch.TemplateUse{ID: r.template(t, content("Time", "Hei")), Version: 1, Form: dispatch.FormBokmal}
	m := storetest.ToPhone("90000123", "Hei")
	m.Template = use
	id := r.Draft(t, r.s, m)
	if got := r.Item(t, r.s, id).Template; got != use {
		t.Errorf("got %v, want %v", got, use)
	}
	if err := r.change(t, use.ID, 1, content("Time", "Hei du")); err != nil {
		t.Fatal(err)
	}
	if err := items.In(r.s).SMS.Queue(t.Context(), r.Account, id, r.Seen(t, r.s, id), r.Actor); err != nil {
		t.Fatal(err)
	}
	if got := r.Item(t, r.s, id).Template; got != use {
		t.Errorf("sent: got %v, want %v", got, use)
	}
	plain := r.Draft(t, r.s, m)
	m.Template = dispatch.TemplateUse{}
	if err := items.In(r.s).SMS.ChangeDraft(t.Context(), r.Account.ID, plain, r.Actor, m); err != nil {
		t.Fatal(err)
	}
	if got := r.Item(t, r.s, plain).Template; got != m.Template {
		t.Errorf("without: got %v", got)
	}
	t.Run("and never another account's", func(t *testing.T) {
		m.Template = use
		stranger := r.other(t)
		_, err := items.In(r.s).SMS.SaveDraft(t.Context(), stranger.Account.ID, stranger.Actor, uuid.NewString(), m)
		if err == nil || errors.Is(err, store.ErrNotFound) {
			t.Errorf("got %v, want the database to refuse", err)
		}
	})
}
