package store_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/storetest"
)

func TestSMSDraft(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	sm := storetest.NewSample(t, s, "oppvekst")
	key := uuid.NewString()
	first, err := items.In(s).SMS.SaveDraft(t.Context(), sm.Account.ID, sm.Actor, key, storetest.ToPhone("90000123", "Hei der"))
	if err != nil {
		t.Fatal(err)
	}
	t.Run("the same form posted again changes the same draft", func(t *testing.T) {
		again, err := items.In(s).SMS.SaveDraft(t.Context(), sm.Account.ID, sm.Actor, key, storetest.ToPhone("90000123", "Hei igjen"))
		if err != nil || again != first {
			t.Fatalf("got %s, %v; want %s", again, err, first)
		}
		if got := sm.Item(t, s, first); got.Text != "Hei igjen" || got.Recipient.Phone != "90000123" {
			t.Errorf("content was not changed")
		}
	})
	t.Run("changed since it was looked over, it is not sent", func(t *testing.T) {
		seen := sm.Seen(t, s, first)
		if err := items.In(s).SMS.ChangeDraft(t.Context(), sm.Account.ID, first, sm.Actor, storetest.ToPhone("90000123", "Hei på deg")); err != nil {
			t.Fatal(err)
		}
		wantErr(t, items.In(s).SMS.Queue(t.Context(), sm.Account, first, seen, sm.Actor), store.ErrStale)
		if got := sm.Item(t, s, first); got.State != dispatch.StateDraft {
			t.Errorf("it is %s", got.State)
		}
	})
	t.Run("once sent, the same form sends nothing more", func(t *testing.T) {
		if err := items.In(s).SMS.Queue(t.Context(), sm.Account, first, sm.Seen(t, s, first), sm.Actor); err != nil {
			t.Fatal(err)
		}
		again, err := items.In(s).SMS.SaveDraft(t.Context(), sm.Account.ID, sm.Actor, key, storetest.ToPhone("90000123", "Hei igjen"))
		if !errors.Is(err, store.ErrChanged) || again != first {
			t.Errorf("got %s, %v; want %s and ErrChanged", again, err, first)
		}
		if err := items.In(s).SMS.Queue(t.Context(), sm.Account, first, sm.Seen(t, s, first), sm.Actor); !errors.Is(err, store.ErrChanged) {
			t.Errorf("second send: got %v, want ErrChanged", err)
		}
	})
	t.Run("another account's SMS is not found", func(t *testing.T) {
		other := storetest.NewSample(t, s, "helse")
		if _, err := items.In(s).SMS.ByID(t.Context(), other.Account.ID, first); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("got %v, want ErrNotFound", err)
		}
	})
	t.Run("another person's draft is not found", func(t *testing.T) {
		id := sm.Draft(t, s, storetest.ToPhone("90000123", "Utkast"))
		stranger := store.Actor{User: dispatch.UserID(uuid.NewString())}
		if err := items.In(s).SMS.Queue(t.Context(), sm.Account, id, sm.Seen(t, s, id), stranger); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("got %v, want ErrNotFound", err)
		}
	})
}

func TestTheSameFormPostedAtOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	key := uuid.NewString()
	var ids [6]dispatch.ItemID
	var all sync.WaitGroup
	for i := range ids {
		all.Go(func() {
			var err error
			if ids[i], err = items.In(r.s).SMS.SaveDraft(t.Context(), r.Account.ID, r.Actor, key, storetest.ToPhone("90000123", "Hei der")); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for _, id := range ids {
		if id != ids[0] {
			t.Errorf("got %s and %s, want one item", id, ids[0])
		}
	}
	if n := read[int](t, r, `SELECT count(*) FROM items`); n != 1 {
		t.Errorf("got %d items, want 1", n)
	}
	t.Run("another person's form with the same key is another item", func(t *testing.T) {
		colleague := r.other(t)
		id, err := items.In(r.s).SMS.SaveDraft(t.Context(), r.Account.ID, colleague.Actor, key, storetest.ToPhone("90000123", "Hei der"))
		if err != nil || id == ids[0] {
			t.Errorf("got %s, %v", id, err)
		}
	})
}
