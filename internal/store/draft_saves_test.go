package store_test

import (
	"errors"
	"testing"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
)

// TestSavesOfDraft: which saves raise the version of a draft, and which are refused.
func TestSavesOfDraft(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	page, other := uuid.NewString(), uuid.NewString()
	type save struct {
		page    string
		number  int
		version int // that the page sends
		title   string
		want    int // version afterwards; 0: refused
	}
	for name, saves := range map[string][]save{
		"a change":                        {{page, 1, 1, "Vedtak", 2}, {page, 2, 2, "Vedtak om skole", 3}},
		"the same again":                  {{page, 1, 1, "Vedtak", 2}, {page, 2, 2, "Vedtak", 2}},
		"nothing typed yet":               {{page, 1, 1, "", 1}},
		"two when the page is left":       {{page, 1, 1, "Vedtak", 2}, {page, 2, 1, "Vedtak", 2}, {other, 1, 2, "Vedtak om skole", 3}},
		"the answer to the first is lost": {{page, 1, 1, "Vedtak", 2}, {page, 2, 1, "Vedtak om skole", 3}},
		"in the wrong order":              {{page, 2, 1, "Vedtak om skole", 2}, {page, 1, 1, "Vedtak", 0}},
		"by another page":                 {{page, 1, 1, "Vedtak", 2}, {other, 1, 1, "Vedtak om skole", 0}},
		"by another page, the same":       {{page, 1, 1, "Vedtak", 2}, {other, 1, 1, "Vedtak", 0}},
		"by a page without a name":        {{"", 0, 1, "Vedtak", 2}, {"", 0, 1, "Vedtak om skole", 0}, {"", 0, 2, "Vedtak om skole", 3}},
	} {
		t.Run(name, func(t *testing.T) {
			id, err := items.In(r.s).Drafts.Create(t.Context(), r.Account.ID, r.Actor, uuid.NewString(), dispatch.DraftFields{})
			if err != nil {
				t.Fatal(err)
			}
			for i, s := range saves {
				d := dispatch.Draft{Item: dispatch.Item{ID: id}, Version: s.version, By: dispatch.PageSave{Page: s.page, Number: s.number}, Fields: dispatch.DraftFields{Title: s.title}}
				err := items.In(r.s).Drafts.Save(t.Context(), r.Account.ID, &d, r.Actor)
				switch {
				case s.want == 0 && !errors.Is(err, store.ErrStale):
					t.Errorf("save %d: %v, want a refusal", i+1, err)
				case s.want == 0:
				case err != nil:
					t.Errorf("save %d: %v", i+1, err)
				case d.Version != s.want || r.draftVersion(t, id) != s.want:
					t.Errorf("save %d made version %d, stored %d, want %d", i+1, d.Version, r.draftVersion(t, id), s.want)
				}
			}
		})
	}
}

// TestSavesOfUnfinished: an autosaved form that is stored already keeps its version, also where the answer to its save was lost.
func TestSavesOfUnfinished(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	type save struct {
		version int // that the page sends
		fields  string
		want    int // version afterwards; 0: refused
	}
	for name, saves := range map[string][]save{
		"a change":                  {{0, "tekst=Hei", 1}, {1, "tekst=Hei+du", 2}},
		"the same again":            {{0, "tekst=Hei", 1}, {1, "tekst=Hei", 1}, {1, "tekst=Hei+du", 2}},
		"the same, answer lost":     {{0, "tekst=Hei", 1}, {0, "tekst=Hei", 1}},
		"something else, elsewhere": {{0, "tekst=Hei", 1}, {1, "tekst=Hei+du", 2}, {1, "tekst=Hallo", 0}},
	} {
		t.Run(name, func(t *testing.T) {
			id := uuid.NewString()
			for i, s := range saves {
				u, err := items.In(r.s).Forms.Save(t.Context(), r.Account.ID, r.User, items.Unfinished{ID: id, Fields: s.fields, Version: s.version})
				switch {
				case s.want == 0 && !errors.Is(err, store.ErrStale):
					t.Errorf("save %d: %v, want a refusal", i+1, err)
				case s.want == 0:
				case err != nil:
					t.Errorf("save %d: %v", i+1, err)
				case u.Version != s.want || u.SavedAt.IsZero():
					t.Errorf("save %d made version %d, saved at %v, want version %d", i+1, u.Version, u.SavedAt, s.want)
				}
			}
		})
	}
}
