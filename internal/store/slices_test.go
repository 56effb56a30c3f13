package store_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store/items"
	"utsending/internal/store/storetest"
)

// divided divides a shipment's file into one slice per content.
func (r rig) divided(t *testing.T, l storetest.Shipment, contents ...string) {
	t.Helper()
	of := dispatch.Division{Document: l.Content.Documents[0].ID, Pages: 1}
	err := items.In(r.s).DivideShipment(t.Context(), r.Account.ID, l.Job, r.Actor, of, func(add items.AddSlice) error {
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
	if err := items.In(r.s).FixJobRow(t.Context(), r.Account.ID, l.Job, r.Actor, row); err != nil {
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
		if _, err := items.In(r.s).ShipmentsAgain(t.Context(), r.Account.ID, l.Job, r.Actor, key); !errors.Is(err, items.ErrEmpty) {
			t.Errorf("a draft to nobody: %v", err)
		}
		if _, err := r.db.ExecContext(t.Context(), `UPDATE items SET state = 'rejected' WHERE job_id = $1 AND job_position > 1`, l.Job); err != nil {
			t.Fatal(err)
		}
		draft, err := items.In(r.s).ShipmentsAgain(t.Context(), r.Account.ID, l.Job, r.Actor, key)
		if err != nil {
			t.Fatal(err)
		}
		if same, err := items.In(r.s).ShipmentsAgain(t.Context(), r.Account.ID, l.Job, r.Actor, key); err != nil || same != draft {
			t.Errorf("the same form made another draft: %v", err)
		}
		j, err := items.In(r.s).ShipmentJob(t.Context(), r.Account.ID, draft, r.Actor.User)
		if err != nil || j.List.Read != 2 || j.Division.Kept != divided {
			t.Fatalf("got %+v, %v", j, err)
		}
		again := storetest.Shipment{Draft: draft, Job: j.ID, Shipment: items.Shipment{Fields: l.Fields, ChecksVersion: "1", Content: l.Content}}
		want := []string{"2: to", "3: tre"}
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
	}
}

// TestBrokenDivisionLeavesNothing: slices of an unfinished division are deleted, and those of the previous one stay.
func TestBrokenDivisionLeavesNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	l := r.ShipmentJob(t, r.s, "alle", storetest.ShipmentRows(2))
	r.divided(t, l, "en", "to")
	broken := errors.New("broken")
	err := items.In(r.s).DivideShipment(t.Context(), r.Account.ID, l.Job, r.Actor, dispatch.Division{Document: l.Content.Documents[0].ID, Pages: 9}, func(add items.AddSlice) error {
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
