package store_test

import (
	"sync"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/registry"
)

// TestAskRetention: of times read before another changed them, nothing is saved, and nothing waits.
func TestAskRetention(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	reg := registry.In(r.s)
	by := r.Actor
	by.Reason = "Vedtak"
	usual, changed, typed := dispatch.DefaultRetention(), dispatch.DefaultRetention(), dispatch.DefaultRetention()
	changed[dispatch.KeepLog], typed[dispatch.KeepDrafts], typed[dispatch.KeepContent] = 2000, 60, 30
	wantErr(t, reg.Retention.Save(t.Context(), usual, changed, by), nil)
	wantErr(t, reg.Retention.Ask(t.Context(), usual, typed, time.Now(), by), store.ErrStale)
	got, err := reg.Retention.Current(t.Context())
	if list, listErr := reg.ActRequests.List(t.Context()); err != nil || listErr != nil || len(list) != 0 || got.String() != changed.String() {
		t.Errorf("kept %s, %d wait, %v, %v", got, len(list), err, listErr)
	}
}

// TestActRequests: the database holds that an act is approved by another, once, and in time.
func TestActRequests(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	other := r.other(t)
	now := time.Now()
	reg := registry.In(r.s)
	by := r.Actor
	by.Reason = "Ikke i bruk"
	wantErr(t, reg.ActRequests.Ask(t.Context(), dispatch.ActRequest{Act: dispatch.ActOpen, Object: r.Integration.ID, Name: "SMS", Seen: "1"}, now, by), nil)
	wantErr(t, reg.ActRequests.Ask(t.Context(), dispatch.ActRequest{Act: dispatch.ActOpen, Object: r.Integration.ID, Name: "SMS", Seen: "1"}, now, other.Actor), store.ErrTaken)
	wantErr(t, reg.ActRequests.Ask(t.Context(), dispatch.ActRequest{Act: dispatch.ActRetention, Before: dispatch.DefaultRetention(), After: dispatch.DefaultRetention()}, now, by), nil)
	wantErr(t, reg.ActRequests.Ask(t.Context(), dispatch.ActRequest{Act: dispatch.ActRetention, Before: dispatch.DefaultRetention(), After: dispatch.DefaultRetention()}, now, by), store.ErrTaken)
	shorter := dispatch.DefaultRetention()
	shorter[dispatch.KeepContent] = 30
	wantErr(t, reg.Retention.Ask(t.Context(), dispatch.DefaultRetention(), shorter, now, other.Actor), store.ErrTaken)
	list, err := reg.ActRequests.List(t.Context())
	if err != nil || len(list) != 2 {
		t.Fatalf("got %+v, %v", list, err)
	}
	id := list[1].ID
	if list[1].Act != dispatch.ActOpen {
		id = list[0].ID
	}
	does := func(*sqlx.Tx, dispatch.ActRequest) error { return nil }
	wantErr(t, reg.ActRequests.Approve(t.Context(), id, now, r.Actor, does), registry.ErrOwnRequest)
	wantErr(t, reg.ActRequests.Refuse(t.Context(), id, now, r.Actor), registry.ErrOwnRequest)
	wantErr(t, reg.ActRequests.Withdraw(t.Context(), id, now, other.Actor), store.ErrNotFound)
	wantErr(t, reg.ActRequests.Approve(t.Context(), "x", now, other.Actor, does), store.ErrNotFound)
	for name, statement := range map[string]string{
		"by who asked":         `UPDATE act_requests SET state = 'approved', decided_by = asked_by, decided_at = now()`,
		"another act":          `UPDATE act_requests SET seen = 'another'`,
		"with another reason":  `UPDATE act_requests SET reason = 'another'`,
		"for longer than that": `UPDATE act_requests SET expires_at = expires_at + interval '1 day'`,
		"by nobody":            `UPDATE act_requests SET state = 'refused', decided_at = now()`,
	} {
		if _, err := r.s.DB.Exec(statement); err == nil {
			t.Errorf("%s: the database takes it", name)
		}
	}
	var wg sync.WaitGroup
	done := make(chan error, 8)
	for range cap(done) {
		wg.Go(func() { done <- reg.ActRequests.Approve(t.Context(), id, now, other.Actor, does) })
	}
	wg.Wait()
	close(done)
	approved := 0
	for err := range done {
		if err == nil {
			approved++
		} else {
			wantErr(t, err, store.ErrChanged)
		}
	}
	if approved != 1 {
		t.Errorf("approved %d times", approved)
	}
	wantErr(t, reg.ActRequests.Expire(t.Context(), now.Add(dispatch.ActRequestLife)), nil)
	list, err = reg.ActRequests.List(t.Context())
	if err != nil || len(list) != 2 || list[0].State != dispatch.ActExpired && list[1].State != dispatch.ActExpired {
		t.Errorf("got %+v, %v", list, err)
	}
	if n, err := reg.ActRequests.CountFor(t.Context(), other.User, now); n != 0 || err != nil {
		t.Errorf("%d wait, %v", n, err)
	}
}
