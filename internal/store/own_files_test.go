package store_test

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/storetest"
)

// ownRow is a row that names a file.
func ownRow(position int, number, file string) dispatch.JobRow {
	r := storetest.ShipmentRow(position, number, "Mottaker "+number[10:])
	r.Fields = []string{file}
	return r
}

// ownList lets each row of a job have a file of its own.
func (r rig) ownList(t *testing.T, rows ...dispatch.JobRow) storetest.Shipment {
	t.Helper()
	l := r.ShipmentJob(t, r.s, "til alle", storetest.ListOf([]string{"fil"}, rows...))
	if err := items.In(r.s).OwnFiles.Use(t.Context(), r.Account.ID, l.Job, r.Actor, "fil"); err != nil {
		t.Fatal(err)
	}
	return l
}

// addOwn uploads a file for rows, or for one.
func (r rig) addOwn(t *testing.T, l storetest.Shipment, name, content string, row int) error {
	t.Helper()
	_, err := items.In(r.s).OwnFiles.Add(t.Context(), items.OwnUpload{Job: l.Job, Row: row, Upload: items.Upload{
		Account: r.Account.ID, User: r.Actor.User, FileName: name, Content: strings.NewReader(content),
		Inspect: func(context.Context, func() io.Reader, int64) (dispatch.Document, error) {
			return dispatch.Document{MimeType: dispatch.MimePDF, Pages: len(content) % 7}, nil
		},
	}}, r.Actor)
	return err
}

// match gives each file to the row that names it, as the pages do.
func (r rig) match(t *testing.T, l storetest.Shipment) {
	t.Helper()
	m := dispatch.NewFileMatcher(0)
	for row, err := range items.In(r.s).Rows.Each(t.Context(), r.Account.ID, l.Job, items.RowsAll) {
		if err != nil {
			t.Fatal(err)
		}
		m.Add(row)
	}
	files, err := items.In(r.s).OwnFiles.List(t.Context(), r.Account.ID, l.Job)
	if err != nil {
		t.Fatal(err)
	}
	places := map[dispatch.DocumentID]int{}
	for _, f := range files {
		if place := m.Place(f.Key); place > 0 {
			places[f.ID] = place
		}
	}
	if err := items.In(r.s).OwnFiles.Assign(t.Context(), r.Account.ID, l.Job, r.Actor, r.job(t, l.Job).Revision, places); err != nil {
		t.Fatal(err)
	}
}

// sendOwn sends a job whose rows have files of their own.
func (r rig) sendOwn(t *testing.T, l storetest.Shipment) {
	t.Helper()
	l.Content.Documents = append([]dispatch.Document{{ID: r.job(t, l.Job).Division.Document}}, l.Content.Documents...)
	r.SendShipments(t, r.s, l)
	r.made(t)
}

const (
	olasNumber = "01810000001"
	karisOwn   = "01810000002"
	sivsNumber = "01810000003"
)

// TestEachRowGetsTheFileThatItNames: whatever the order in which files come, after files were replaced, removed and refused, and after the
// list came in another order with another row left out. What no row has goes to nobody.
func TestEachRowGetsTheFileThatItNames(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	l := r.ownList(t, ownRow(1, olasNumber, "ola.pdf"), ownRow(2, karisOwn, "Kari"), ownRow(3, sivsNumber, "siv.pdf"))
	for _, f := range [][2]string{{"SIV.pdf", "til siv"}, {"kari.PDF", "til kari"}, {"per.pdf", "til per"}, {"ola.pdf", "gammel til ola"}} {
		if err := r.addOwn(t, l, f[0], f[1], 0); err != nil {
			t.Fatal(err)
		}
	}
	wantErr(t, r.addOwn(t, l, "Ola", "en annens", 0), items.ErrName)
	r.match(t, l)
	if err := r.addOwn(t, l, "ny ola.pdf", "til ola", 1); err != nil {
		t.Fatal(err)
	}
	wantErr(t, r.addOwn(t, l, "siv.pdf", "til ola igjen", 1), items.ErrName)
	wantErr(t, r.addOwn(t, l, "x.pdf", "til ingen", 9), store.ErrNotFound)
	if n := read[int](t, r, `SELECT count(*) FROM documents WHERE own_name <> ''`); n != 4 {
		t.Errorf("%d files, want 4", n)
	}
	_, err := items.In(r.s).Rows.Fill(t.Context(), r.Account.ID, l.Job, r.Actor,
		storetest.ListOf([]string{"fil"}, ownRow(4, sivsNumber, "siv"), ownRow(6, karisOwn, "kari.pdf"), ownRow(7, olasNumber, "Ny Ola")))
	if err != nil {
		t.Fatal(err)
	}
	if n := read[int](t, r, `SELECT count(*) FROM documents WHERE own_name <> '' AND part > 0`); n != 0 {
		t.Errorf("%d files still belong to rows of the former list", n)
	}
	r.LookOver(t, r.s, l)
	wantErr(t, items.In(r.s).ShipmentJobs.Send(t.Context(), r.Account, l.Job, r.Actor, l.Shipment, true), items.ErrFaulty) // no row has a file
	r.match(t, l)
	out := ownRow(6, karisOwn, "kari.pdf")
	out.Problem.Key = dispatch.ProblemLeftOut
	if err := items.In(r.s).Rows.Fix(t.Context(), r.Account.ID, l.Job, r.Actor, out); err != nil {
		t.Fatal(err)
	}
	r.match(t, l)
	r.sendOwn(t, l)
	if diff := cmp.Diff([]string{"4: til siv til alle", "7: til ola til alle"}, r.shipmentFiles(t, l.Job)); diff != "" {
		t.Error(diff)
	}
	if n := read[int](t, r, `SELECT count(*) FROM documents WHERE part <> 0 AND job_id IS NOT NULL`); n != 0 {
		t.Errorf("%d files that nobody got are left", n)
	}
	wantErr(t, r.addOwn(t, l, "sen.pdf", "for sen", 0), store.ErrChanged)

	if _, err := r.db.ExecContext(t.Context(), `UPDATE items SET state = 'rejected' WHERE job_id = $1 AND job_position = 7`, l.Job); err != nil {
		t.Fatal(err)
	}
	draft, err := items.In(r.s).Repeats.ShipmentsAgain(t.Context(), r.Account.ID, l.Job, r.Actor, uuid.NewString())
	if err != nil {
		t.Fatal(err)
	}
	j, err := items.In(r.s).ShipmentJobs.ByID(t.Context(), r.Account.ID, draft, r.Actor.User)
	if err != nil || j.Division.By != dispatch.DivideByFiles || j.Division.Column != "fil" || j.Division.Kept {
		t.Fatalf("got %+v, %v", j.Division, err)
	}
	again := storetest.Shipment{Draft: draft, Job: j.ID, Shipment: items.Shipment{Fields: l.Fields, ChecksVersion: "1", Content: l.Content}}
	if again.Content.Documents, err = r.s.Documents(t.Context(), r.Account.ID, draft); err != nil {
		t.Fatal(err)
	}
	r.match(t, again)
	r.sendOwn(t, again)
	if diff := cmp.Diff([]string{"7: til ola til alle"}, r.shipmentFiles(t, j.ID)); diff != "" {
		t.Error(diff)
	}
}

// TestFilesOfRowsHaveBounds, and are nobody else's.
func TestFilesOfRowsHaveBounds(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	l := r.ownList(t, ownRow(1, olasNumber, "ola.pdf"))
	if err := r.addOwn(t, l, "ola.pdf", "til ola", 0); err != nil {
		t.Fatal(err)
	}
	files, err := items.In(r.s).OwnFiles.List(t.Context(), r.Account.ID, l.Job)
	if err != nil || len(files) != 1 {
		t.Fatalf("got %v, %v", files, err)
	}
	stranger := r.Actor
	stranger.User = dispatch.UserID(uuid.NewString())
	_, err = items.In(r.s).OwnFiles.Remove(t.Context(), r.Account.ID, l.Job, stranger, []dispatch.DocumentID{files[0].ID})
	wantErr(t, err, store.ErrNotFound)
	other := dispatch.AccountID(uuid.NewString())
	_, err = items.In(r.s).OwnFiles.Remove(t.Context(), other, l.Job, r.Actor, []dispatch.DocumentID{files[0].ID})
	wantErr(t, err, store.ErrNotFound)
	if list, err := items.In(r.s).OwnFiles.List(t.Context(), other, l.Job); err != nil || len(list) != 0 {
		t.Errorf("another account has %v, %v", list, err)
	}
	second := r.ownList(t, ownRow(1, karisOwn, "kari.pdf"))
	if n, err := items.In(r.s).OwnFiles.Remove(t.Context(), r.Account.ID, second.Job, r.Actor, []dispatch.DocumentID{files[0].ID, "nonsense"}); err != nil || n != 0 {
		t.Errorf("%d files of another draft were removed, %v", n, err)
	}
	for statement, want := range map[string]error{
		`UPDATE documents SET size = 4999999998 WHERE own_name <> ''`: items.ErrRoom,
		`INSERT INTO documents (id, job_id, account_id, position, file_name, own_name, part)
			SELECT gen_random_uuid(), job_id, account_id, 0, 'f' || n, 'f' || n, -1 FROM documents, generate_series(1, 9999) n WHERE own_name = 'ola'`: items.ErrFull,
	} {
		if _, err := r.db.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
		wantErr(t, r.addOwn(t, l, "ny.pdf", "mer", 0), want)
		if _, err := r.db.ExecContext(t.Context(), `UPDATE documents SET size = 1`); err != nil {
			t.Fatal(err)
		}
	}
	divided := r.ShipmentJob(t, r.s, "alle", storetest.ShipmentRows(1))
	wantErr(t, r.addOwn(t, divided, "ola.pdf", "til ola", 0), store.ErrStale)
	if n := read[int](t, r, `SELECT count(*) FROM documents WHERE NOT complete AND own_name IN ('ny', 'ola')`); n != 0 {
		t.Errorf("%d halves are left", n)
	}
}

// TestAFileOfASurplusStaysThatIsNamedMeanwhile: files that nobody gets are removed as they were shown.
func TestAFileOfASurplusStaysThatIsNamedMeanwhile(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	l := r.ownList(t, ownRow(1, olasNumber, "ola.pdf"))
	for _, name := range []string{"ola.pdf", "per.pdf"} {
		if err := r.addOwn(t, l, name, name, 0); err != nil {
			t.Fatal(err)
		}
	}
	r.match(t, l)
	seen := r.job(t, l.Job).Revision
	if err := items.In(r.s).Rows.Fix(t.Context(), r.Account.ID, l.Job, r.Actor, ownRow(1, olasNumber, "per.pdf")); err != nil {
		t.Fatal(err)
	}
	if n, err := items.In(r.s).OwnFiles.RemoveSurplus(t.Context(), r.Account.ID, l.Job, r.Actor, seen); err != nil || n != 0 {
		t.Errorf("%d were removed, %v", n, err)
	}
	r.match(t, l)
	if n, err := items.In(r.s).OwnFiles.RemoveSurplus(t.Context(), r.Account.ID, l.Job, r.Actor, r.job(t, l.Job).Revision); err != nil || n != 1 {
		t.Errorf("%d were removed, %v", n, err)
	}
	if err := items.In(r.s).Slices.Divide(t.Context(), r.Account.ID, l.Job, r.Actor, dispatch.Division{}, func(items.AddSlice) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if n := read[int](t, r, `SELECT count(*) FROM documents WHERE own_name <> ''`); n != 0 {
		t.Errorf("%d files of rows stay where all get the same", n)
	}
	wantErr(t, r.addOwn(t, l, "ola.pdf", "til ola", 0), store.ErrStale)
}
