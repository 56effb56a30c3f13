package store_test

import (
	"testing"

	"github.com/google/uuid"
)

// TestRowsGoWithTheirJob: a draft that is thrown away leaves nothing of whom it was for, and others keep their lists.
func TestRowsGoWithTheirJob(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	draft := func() (left func() int, discard func() error) {
		id, err := r.s.CreateJob(t.Context(), r.Account.ID, r.Actor, uuid.NewString())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.s.FillJob(t.Context(), r.Account.ID, id, r.Actor, listOf(3)); err != nil {
			t.Fatal(err)
		}
		return func() int { return read[int](t, r, `SELECT count(*) FROM job_rows WHERE job_id = $1`, id) },
			func() error { return r.s.DiscardJob(t.Context(), r.Account.ID, id, r.Actor) }
	}
	gone, discard := draft()
	kept, _ := draft()
	if gone() != 3 || kept() != 3 {
		t.Fatalf("got %d and %d rows, want 3 each", gone(), kept())
	}
	if err := discard(); err != nil || gone() != 0 || kept() != 3 {
		t.Errorf("got %d and %d rows, %v; want none of the one and all of the other", gone(), kept(), err)
	}
}
