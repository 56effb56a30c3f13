package store_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/registry"
)

// TestReadingsAreSealed: what was read in a file comes back whole, is not in the database in clear, and belongs to its
// file.
func TestReadingsAreSealed(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id, err := items.In(r.s).Drafts.Create(t.Context(), r.Account.ID, r.Actor, uuid.NewString(), dispatch.DraftFields{})
	if err != nil {
		t.Fatal(err)
	}
	want := &dispatch.FileReading{Version: "1.7", Words: []dispatch.Word{{Text: "Vinduskonvolutten", X: 1}}, Ink: []dispatch.InkBounds{{1, 2, 3, 4, 5}},
		Sizes: []dispatch.PageSize{{Width: 210, Height: 297, First: 1, Pages: 1}}}
	add := func(name string, reading *dispatch.FileReading) {
		t.Helper()
		_, err := items.In(r.s).Documents.Add(t.Context(), items.Upload{Account: r.Account.ID, Item: id, User: r.User, FileName: name, Content: strings.NewReader(name),
			Inspect: func(_ context.Context, open func() io.Reader, size int64) (dispatch.Document, error) {
				for range 2 { // it may be read more than once
					if content, err := io.ReadAll(open()); err != nil || string(content) != name || size != int64(len(name)) {
						t.Errorf("got %q, %v", content, err)
					}
				}
				return dispatch.Document{MimeType: dispatch.MimePDF, Pages: 1, Reading: reading}, nil
			}})
		if err != nil {
			t.Fatal(err)
		}
	}
	add("a.pdf", want)
	add("b.pdf", nil)
	documents, err := r.s.Documents(t.Context(), r.Account.ID, id)
	if err != nil || len(documents) != 2 {
		t.Fatalf("got %v, %v", documents, err)
	}
	if diff := cmp.Diff(want, documents[0].Reading); diff != "" || documents[1].Reading != nil {
		t.Errorf("%s%v", diff, documents[1].Reading)
	}
	if strings.Contains(strings.ToLower(dump(t, r)), "vinduskonvolutten") {
		t.Error("a word is in the database in clear")
	}
	r.exec(t, `UPDATE documents SET reading = (SELECT reading FROM documents WHERE file_name = 'a.pdf' AND item_id = $1) WHERE item_id = $1`, id)
	if _, err := r.s.Documents(t.Context(), r.Account.ID, id); err == nil {
		t.Error("the reading of another file opens")
	}
}

func TestPrintRulesAreKept(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	account := func() dispatch.Account {
		t.Helper()
		all, err := registry.In(r.s).Accounts.List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range all {
			if a.ID == r.Account.ID {
				return a
			}
		}
		t.Fatal("the account is gone")
		return dispatch.Account{}
	}
	before := account()
	if diff := cmp.Diff(dispatch.DefaultPrintRules(), before.Rules()); diff != "" {
		t.Error(diff)
	}
	rules := dispatch.DefaultPrintRules()
	rules.MaxPages, rules.Chosen = 20, map[dispatch.Check]dispatch.Severity{dispatch.CheckSize: dispatch.SeverityTip}
	if err := items.In(r.s).PrintRules.Save(t.Context(), before, &rules, r.Actor); err != nil {
		t.Fatal(err)
	}
	after := account()
	if diff := cmp.Diff(rules, after.Rules()); diff != "" {
		t.Error(diff)
	}
	if err := items.In(r.s).PrintRules.Save(t.Context(), before, nil, r.Actor); !errors.Is(err, store.ErrStale) {
		t.Errorf("got %v, want stale", err)
	}
	if err := items.In(r.s).PrintRules.Save(t.Context(), after, nil, r.Actor); err != nil || account().PrintRules != nil {
		t.Errorf("the ordinary rules do not come back: %v", err)
	}
}
