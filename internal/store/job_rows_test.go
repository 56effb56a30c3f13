package store_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store/items"
)

// TestRowsGoWithTheirJob: a discarded draft leaves nothing of its recipients, and other jobs keep their lists.
func TestRowsGoWithTheirJob(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	draft := func() (left func() int, discard func() error) {
		id, err := items.In(r.s).Jobs.Create(t.Context(), r.Account.ID, r.Actor, uuid.NewString())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := items.In(r.s).Rows.Fill(t.Context(), r.Account.ID, id, r.Actor, listOf(3)); err != nil {
			t.Fatal(err)
		}
		return func() int { return read[int](t, r, `SELECT count(*) FROM job_rows WHERE job_id = $1`, id) },
			func() error { return items.In(r.s).Jobs.Discard(t.Context(), r.Account.ID, id, r.Actor) }
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

// TestRowsAreAllThereOrNone: a list is longer than one batch of rows. If its reader, its request or the database
// fails, the previous list stays, and the error tells which failed.
func TestRowsAreAllThereOrNone(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id, err := items.In(r.s).Jobs.Create(t.Context(), r.Account.ID, r.Actor, uuid.NewString())
	if err != nil {
		t.Fatal(err)
	}
	kept := func() int { return read[int](t, r, `SELECT count(*) FROM job_rows WHERE job_id = $1`, id) }
	if n, err := items.In(r.s).Rows.Fill(t.Context(), r.Account.ID, id, r.Actor, listOf(3000)); err != nil || n.Valid != 3000 || kept() != 3000 {
		t.Fatalf("got %+v and %d rows, %v; want 3000", n, kept(), err)
	}
	first, last := read[int](t, r, `SELECT min(position) FROM job_rows WHERE job_id = $1`, id), read[int](t, r, `SELECT max(position) FROM job_rows WHERE job_id = $1`, id)
	if last-first != 2999 {
		t.Errorf("rows stand from %d to %d", first, last)
	}
	unreadable := errors.New("the file ends in the middle of a row")
	for name, tt := range map[string]struct {
		at   int
		does func(cancel func()) error
		want error
	}{
		"the reader":  {700, func(func()) error { return unreadable }, unreadable},
		"the request": {700, func(cancel func()) error { cancel(); return nil }, context.Canceled},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			list, n := listOf(2000), 0
			whole := list.Rows
			list.Rows = func(do func(dispatch.JobRow) error) error {
				return whole(func(row dispatch.JobRow) error {
					if n++; n == tt.at {
						if err := tt.does(cancel); err != nil {
							return err
						}
					}
					return do(row)
				})
			}
			if _, err := items.In(r.s).Rows.Fill(ctx, r.Account.ID, id, r.Actor, list); !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
			if got := kept(); got != 3000 {
				t.Errorf("%d rows are left of the list that was there", got)
			}
		})
	}
	t.Run("the database", func(t *testing.T) {
		list := listOf(2000)
		whole := list.Rows
		list.Rows = func(do func(dispatch.JobRow) error) error {
			return whole(func(row dispatch.JobRow) error {
				row.Problem.Key = "\xff" // no text that the database takes
				return do(row)
			})
		}
		if _, err := items.In(r.s).Rows.Fill(t.Context(), r.Account.ID, id, r.Actor, list); err == nil || errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want what the database says", err)
		}
		if got := kept(); got != 3000 {
			t.Errorf("%d rows are left of the list that was there", got)
		}
	})
}
