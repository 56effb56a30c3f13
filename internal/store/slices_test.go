package store_test

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/lists"
	"utsending/internal/store/storetest"
)

// divided divides a shipment's file into one slice per content.
func (r rig) divided(t *testing.T, l storetest.Shipment, contents ...string) {
	t.Helper()
	of := dispatch.Division{Document: l.Content.Documents[0].ID, Pages: 1}
	err := items.In(r.s).Slices.Divide(t.Context(), r.Account.ID, l.Job, r.Actor, of, func(add items.AddSlice) error {
		for _, content := range contents {
			if err := add(strings.NewReader(content), dispatch.Document{FileName: "brev.pdf", MimeType: dispatch.MimePDF, Pages: 1}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestEachShipmentGetsItsSlice: also if a row between is left out, whose slice is discarded.
func TestEachShipmentGetsItsSlice(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	l := r.ShipmentJob(t, r.s, "alle", storetest.ShipmentRows(4))
	r.divided(t, l, "en", "to")
	r.divided(t, l, "en", "to", "tre", "fire")
	row := storetest.ShipmentRow(2, "01810000001", "Mottaker 2")
	row.Problem.Key = dispatch.ProblemLeftOut
	if err := items.In(r.s).Rows.Fix(t.Context(), r.Account.ID, l.Job, r.Actor, row); err != nil {
		t.Fatal(err)
	}
	r.SendShipments(t, r.s, l)
	r.made(t)
	if diff := cmp.Diff([]string{"1: en", "3: tre", "4: fire"}, r.shipmentFiles(t, l.Job)); diff != "" {
		t.Error(diff)
	}
	if n := read[int](t, r, `SELECT count(*) FROM document_chunks`); n != 3 {
		t.Errorf("%d pieces are stored, want those of three parts", n)
	}
	// A shipment's slice is deleted with the shipment.
	for _, statement := range []string{`DELETE FROM items WHERE job_id = $1`, `DELETE FROM jobs WHERE id = $1`} {
		if _, err := r.db.ExecContext(t.Context(), statement, l.Job); err != nil {
			t.Fatal(err)
		}
	}
	if n := read[int](t, r, `SELECT (SELECT count(*) FROM document_chunks) + (SELECT count(*) FROM documents) + (SELECT count(*) FROM job_rows)`); n != 0 {
		t.Errorf("%d rows are left of a job that is gone", n)
	}
}

// TestShipmentsAgain: to the recipients whom the job did not reach, with files of their own.
func TestShipmentsAgain(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, divided := range []bool{false, true} {
		l := r.ShipmentJob(t, r.s, "alle", storetest.ShipmentRows(3))
		if divided {
			r.divided(t, l, "en", "to", "tre")
		}
		r.SendShipments(t, r.s, l)
		r.made(t)
		key := uuid.NewString()
		if _, err := items.In(r.s).Repeats.ShipmentsAgain(t.Context(), r.Account.ID, l.Job, r.Actor, key); !errors.Is(err, items.ErrEmpty) {
			t.Errorf("a draft to nobody: %v", err)
		}
		if _, err := r.db.ExecContext(t.Context(), `UPDATE items SET state = 'rejected' WHERE job_id = $1 AND job_position > 1`, l.Job); err != nil {
			t.Fatal(err)
		}
		draft, err := items.In(r.s).Repeats.ShipmentsAgain(t.Context(), r.Account.ID, l.Job, r.Actor, key)
		if err != nil {
			t.Fatal(err)
		}
		if same, err := items.In(r.s).Repeats.ShipmentsAgain(t.Context(), r.Account.ID, l.Job, r.Actor, key); err != nil || same != draft {
			t.Errorf("the same form made another draft: %v", err)
		}
		j, err := items.In(r.s).ShipmentJobs.ByID(t.Context(), r.Account.ID, draft, r.Actor.User)
		if err != nil || j.List.Read != 2 || j.Division.Kept != divided {
			t.Fatalf("got %+v, %v", j, err)
		}
		again := storetest.Shipment{Draft: draft, Job: j.ID, Shipment: items.Shipment{Fields: l.Fields, ChecksVersion: "1", Content: l.Content}}
		want := []string{"2: to", "3: tre"}
		named := func(want dispatch.Job) {
			t.Helper()
			rows, err := items.In(r.s).Drafts.List(t.Context(), r.Account.ID, r.Actor.User)
			list, _, _, listErr := lists.In(r.s).Items.List(t.Context(), r.Account.ID, lists.ListQuery{Viewer: r.Actor.User, Page: store.Page{Limit: 10}, Filter: dispatch.ListFilter{Group: dispatch.GroupPlanned}})
			if err != nil || listErr != nil || len(rows) != 1 || len(list) != 1 {
				t.Fatalf("%d and %d drafts, %v, %v", len(rows), len(list), err, listErr)
			}
			want.Kind, want.State, want.Again = dispatch.KindShipment, dispatch.JobDraft, true
			if diff := cmp.Diff([]*dispatch.Job{&want, &want}, []*dispatch.Job{rows[0].Many(), list[0].Many}); diff != "" {
				t.Error(diff)
			}
		}
		both := dispatch.JobList{Read: 2, Valid: 2}
		named(dispatch.Job{List: both})
		r.exec(t, `UPDATE items SET state = 'queued' WHERE job_id = $1 AND job_position = 2`, l.Job)
		named(dispatch.Job{List: both, Replaced: 1})
		r.exec(t, `UPDATE items SET state = 'queued' WHERE job_id = $1 AND job_position = 3`, l.Job)
		named(dispatch.Job{List: both, Replaced: 2, AllReplaced: true})
		r.exec(t, `UPDATE items SET state = 'rejected' WHERE job_id = $1 AND job_position > 1`, l.Job)
		if !divided {
			if again.Content.Documents, err = r.s.Documents(t.Context(), r.Account.ID, draft); err != nil {
				t.Fatal(err)
			}
			want = []string{"2: alle", "3: alle"}
		}
		r.SendShipments(t, r.s, again)
		r.made(t)
		if diff := cmp.Diff(want, r.shipmentFiles(t, j.ID)); diff != "" {
			t.Error(diff)
		}
		_, err = items.In(r.s).Repeats.ShipmentsAgain(t.Context(), r.Account.ID, l.Job, r.Actor, uuid.NewString())
		wantErr(t, err, items.ErrEmpty) // they are replaced
	}
}

// TestBrokenDivisionLeavesNothing: slices of an unfinished division are deleted, and those of the previous one stay.
func TestBrokenDivisionLeavesNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	l := r.ShipmentJob(t, r.s, "alle", storetest.ShipmentRows(2))
	r.divided(t, l, "en", "to")
	broken := errors.New("broken")
	err := items.In(r.s).Slices.Divide(t.Context(), r.Account.ID, l.Job, r.Actor, dispatch.Division{Document: l.Content.Documents[0].ID, Pages: 9}, func(add items.AddSlice) error {
		if err := add(strings.NewReader("ny"), dispatch.Document{FileName: "brev.pdf", MimeType: dispatch.MimePDF}); err != nil {
			return err
		}
		return broken
	})
	if !errors.Is(err, broken) {
		t.Fatalf("got %v", err)
	}
	if d := r.job(t, l.Job).Division; d.Pages != 1 || d.Slices != 2 {
		t.Errorf("the division is %+v", d)
	}
	if n := read[int](t, r, `SELECT count(*) FROM documents WHERE part > 0`); n != 2 {
		t.Errorf("%d parts, want 2", n)
	}
}

// TestMatchedSlices go to the rows that they say, whatever their order; those that are dropped go to nobody, a list that was
// changed meanwhile gets none, and a new list loses them.
func TestMatchedSlices(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	l := r.ShipmentJob(t, r.s, "alle", storetest.ShipmentRows(3))
	of := dispatch.Division{Document: l.Content.Documents[0].ID, By: dispatch.DivideByAddress}
	left := []dispatch.UnassignedSlice{{First: 4, Last: 5, Reason: dispatch.SliceAgain}}
	match := func(revision string, dropped ...int) error {
		return items.In(r.s).Slices.Match(t.Context(), r.Account.ID, l.Job, r.Actor, of, revision, func(add items.AddSlice) (items.Divided, error) {
			for _, place := range []int{3, 1, 2} {
				d := dispatch.Document{FileName: "brev.pdf", MimeType: dispatch.MimePDF, Pages: place, Slice: place}
				if err := add(strings.NewReader("til "+strconv.Itoa(place)), d); err != nil {
					return items.Divided{}, err
				}
			}
			return items.Divided{Unassigned: left, Dropped: dropped}, nil
		})
	}
	if err := match("another"); !errors.Is(err, store.ErrStale) {
		t.Fatalf("got %v for a list that was changed", err)
	}
	if n := read[int](t, r, `SELECT count(*) FROM documents WHERE part > 0`); n != 0 {
		t.Errorf("%d slices are left of it", n)
	}
	if err := match(r.job(t, l.Job).Revision, 2); err != nil {
		t.Fatal(err)
	}
	j := r.job(t, l.Job)
	of.Slices = 2
	if j.Division != of || !slices.Equal(j.Unassigned, left) {
		t.Errorf("got %+v, %v", j.Division, j.Unassigned)
	}
	counted, err := items.In(r.s).Slices.Sizes(t.Context(), r.Account.ID, l.Job)
	if diff := cmp.Diff([]dispatch.SliceSize{{Pages: 1, N: 1}, {Pages: 3, N: 1}}, counted); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if d, err := items.In(r.s).Slices.Longest(t.Context(), r.Account.ID, l.Job); err != nil || d.Slice != 3 {
		t.Errorf("the longest is %d, %v", d.Slice, err)
	}
	row := storetest.ShipmentRow(2, "01810000001", "Mottaker 2")
	row.Problem.Key = dispatch.ProblemLeftOut
	if err := items.In(r.s).Rows.Fix(t.Context(), r.Account.ID, l.Job, r.Actor, row); err != nil {
		t.Fatal(err)
	}
	again := r.ShipmentJob(t, r.s, "andre", storetest.ShipmentRows(2))
	r.SendShipments(t, r.s, l)
	r.made(t)
	if diff := cmp.Diff([]string{"1: til 1", "3: til 3"}, r.shipmentFiles(t, l.Job)); diff != "" {
		t.Error(diff)
	}
	of.Document, l = again.Content.Documents[0].ID, again
	if err := match(""); err != nil {
		t.Fatal(err)
	}
	if _, err := items.In(r.s).Rows.Fill(t.Context(), r.Account.ID, l.Job, r.Actor, storetest.ListOf(nil, storetest.ShipmentRow(2, "01810000001", "Mottaker 2"))); err != nil {
		t.Fatal(err)
	}
	if n := read[int](t, r, `SELECT count(*) FROM documents WHERE part > 0 AND job_id IS NOT NULL`); n != 0 || r.job(t, l.Job).Division.Slices != 0 {
		t.Errorf("%d slices of another list are left", n)
	}
}
