package store_test

import (
	"context"
	"io"
	"strings"
	"testing"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/storetest"
)

var commentGone = dispatch.Cleaning{Removed: []dispatch.ActiveKind{dispatch.ActiveComment}, Changed: dispatch.PageSet{Count: 1, First: []int{1}}}

// clean puts a copy in the place of a file of a draft.
func (r rig) clean(t *testing.T, sample storetest.Sample, item dispatch.ItemID, of dispatch.DocumentID) (dispatch.Document, error) {
	t.Helper()
	return items.In(r.s).Documents.Clean(t.Context(), items.Upload{
		Account: sample.Account.ID, Item: item, User: sample.Actor.User, FileName: "brev.pdf", Content: strings.NewReader("%PDF-1.7 uten"),
		Inspect: func(context.Context, func() io.Reader, int64) (dispatch.Document, error) {
			return dispatch.Document{MimeType: dispatch.MimePDF, Pages: 1}, nil
		},
	}, sample.Actor, of, commentGone)
}

// files counts all files of the account, those that were replaced too.
func (r rig) files(t *testing.T) (n int) {
	t.Helper()
	if err := r.db.QueryRowContext(t.Context(), `SELECT count(*) FROM documents WHERE account_id = $1`, r.Account.ID).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestCleanDocument(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	item := r.shipment(t)
	for _, name := range []string{"foran.pdf", "brev.pdf", "bak.pdf"} {
		if _, err := r.upload(t, item, name, strings.NewReader("%PDF-1.7 "+name)); err != nil {
			t.Fatal(err)
		}
	}
	draft := func() dispatch.Draft {
		d, err := items.In(r.s).Drafts.ByID(t.Context(), r.Account.ID, item, r.Actor.User)
		if err != nil || len(d.Documents) != 3 {
			t.Fatalf("%d files, %v", len(d.Documents), err)
		}
		return d
	}
	d := draft()
	old := d.Documents[1]
	d.Fields = dispatch.DraftFields{Title: "Vedtak", Sign: true, SignDocument: string(old.ID), Documents: map[dispatch.DocumentID]dispatch.DocumentFields{old.ID: {Giro: "1"}}}
	if err := items.In(r.s).Drafts.Save(t.Context(), r.Account.ID, &d, r.Actor); err != nil {
		t.Fatal(err)
	}
	version := draft().Version
	made, err := r.clean(t, r.Sample, item, old.ID)
	if err != nil {
		t.Fatal(err)
	}
	d = draft()
	got := d.Documents[1]
	if got.ID != made.ID || got.FileName != "brev.pdf" || !got.Original || got.Cleaned == nil || !got.Altered() || d.Version == version {
		t.Errorf("the copy in the draft: %+v, version %d after %d", got, d.Version, version)
	}
	if d.Fields.SignDocument != string(made.ID) || d.Fields.Documents[made.ID].Giro != "1" || len(d.Fields.Documents) != 1 {
		t.Errorf("the choices: %+v", d.Fields)
	}
	if content, err := r.content(t, got); string(content) != "%PDF-1.7 uten" || err != nil {
		t.Errorf("%q, %v", content, err)
	}

	_, err = r.clean(t, r.Sample, item, old.ID) // another click
	wantErr(t, err, store.ErrNotFound)
	_, err = r.clean(t, r.Sample, item, made.ID) // a copy is made of no copy
	wantErr(t, err, store.ErrNotFound)
	two := r.other(t)
	_, err = r.clean(t, two.Sample, item, got.ID)
	wantErr(t, err, store.ErrNotFound)
	_, err = items.In(r.s).Documents.Restore(t.Context(), two.Account.ID, item, two.Actor, made.ID)
	wantErr(t, err, store.ErrNotFound)
	if n := r.files(t); n != 4 {
		t.Errorf("%d files, want three and the one that was replaced", n)
	}

	of, err := items.In(r.s).Documents.Restore(t.Context(), r.Account.ID, item, r.Actor, made.ID)
	if err != nil || of != old.ID {
		t.Fatalf("got %s, %v", of, err)
	}
	d = draft()
	if got := d.Documents[1]; got.ID != old.ID || got.Cleaned != nil || got.Original || d.Fields.Documents[old.ID].Giro != "1" || d.Fields.SignDocument != string(old.ID) {
		t.Errorf("brought back: %+v, %+v", got, d.Fields)
	}
	if content, err := r.content(t, d.Documents[1]); string(content) != "%PDF-1.7 brev.pdf" || err != nil {
		t.Errorf("%q, %v", content, err)
	}
	_, err = items.In(r.s).Documents.Restore(t.Context(), r.Account.ID, item, r.Actor, made.ID)
	wantErr(t, err, store.ErrNotFound)
	if n := r.files(t); n != 3 {
		t.Errorf("%d files, want three", n)
	}
}

// What was replaced goes with the file that took its place, however that goes, and when the draft is sent.
func TestReplacedFilesGo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		act  func(*testing.T, rig, dispatch.ItemID, dispatch.Document)
		left int
	}{
		"the file is removed": {func(t *testing.T, r rig, item dispatch.ItemID, d dispatch.Document) {
			if err := items.In(r.s).Documents.Remove(t.Context(), r.Account.ID, item, r.Actor, d.ID); err != nil {
				t.Fatal(err)
			}
		}, 0},
		"the draft is discarded": {func(t *testing.T, r rig, item dispatch.ItemID, _ dispatch.Document) {
			if err := items.In(r.s).Drafts.Discard(t.Context(), r.Account.ID, dispatch.KindShipment, item, r.Actor); err != nil {
				t.Fatal(err)
			}
		}, 0},
		"the draft is purged": {func(t *testing.T, r rig, item dispatch.ItemID, _ dispatch.Document) {
			r.exec(t, `UPDATE items SET created_at = now() - interval '60 days' WHERE id = $1`, item)
			r.exec(t, `UPDATE shipments SET changed_at = now() - interval '60 days' WHERE item_id = $1`, item)
			r.exec(t, `UPDATE events SET at = now() - interval '60 days' WHERE item_id = $1`, item)
			r.purge(t, 31)
		}, 0},
		"the draft is sent": {func(t *testing.T, r rig, item dispatch.ItemID, d dispatch.Document) {
			version := 0
			if err := r.db.QueryRowContext(t.Context(), `SELECT version FROM shipments WHERE item_id = $1`, item).Scan(&version); err != nil {
				t.Fatal(err)
			}
			content := dispatch.Shipment{Title: "Vedtak", SourceSystem: "Utsending", Documents: []dispatch.Document{d}}
			if err := items.In(r.s).Drafts.Queue(t.Context(), r.Account, item, r.Actor, version, content); err != nil {
				t.Fatal(err)
			}
			_, err := r.clean(t, r.Sample, item, d.ID)
			wantErr(t, err, store.ErrChanged)
			_, err = items.In(r.s).Documents.Restore(t.Context(), r.Account.ID, item, r.Actor, d.ID)
			wantErr(t, err, store.ErrChanged)
		}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			item := r.shipment(t)
			old, err := r.upload(t, item, "brev.pdf", strings.NewReader("%PDF-1.7"))
			if err != nil {
				t.Fatal(err)
			}
			made, err := r.clean(t, r.Sample, item, old.ID)
			if err != nil {
				t.Fatal(err)
			}
			if r.files(t) != 2 {
				t.Fatal("the file that was replaced is not kept")
			}
			c.act(t, r, item, made)
			if got := r.files(t); got != c.left {
				t.Errorf("%d files are left, want %d", got, c.left)
			}
		})
	}
}

func TestReplacedFilesOfAListGo(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	l := r.ShipmentJob(t, r.s, "%PDF-1.7", storetest.ShipmentRows(2))
	made, err := r.clean(t, r.Sample, l.Draft, l.Content.Documents[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	l.Content.Documents[0] = made
	r.SendShipments(t, r.s, l)
	if n := r.files(t); n != 1 {
		t.Errorf("%d files, want the copy only", n)
	}
}

// Recipients have their parts of a file that was divided, so nothing takes its place.
func TestDividedFilesAreNotReplaced(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	l := r.ShipmentJob(t, r.s, "%PDF-1.7", storetest.ShipmentRows(1))
	of := l.Content.Documents[0].ID
	err := items.In(r.s).Slices.Divide(t.Context(), r.Account.ID, l.Job, r.Actor, dispatch.Division{Document: of, Pages: 1}, func(add items.AddSlice) error {
		return add(strings.NewReader("%PDF-1.7 del"), dispatch.Document{FileName: "brev.pdf", MimeType: dispatch.MimePDF, Pages: 1})
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = r.clean(t, r.Sample, l.Draft, of)
	wantErr(t, err, items.ErrDivided)
	if n := r.files(t); n != 2 {
		t.Errorf("%d files, want the file and its part", n)
	}
}
