package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/queue"
	"utsending/internal/store/registry"
	"utsending/internal/store/storetest"
)

// rig is an account that sends, in its own database, with access past the store.
type rig struct {
	storetest.Sample
	url string
	s   *store.Store
	db  *sql.DB
}

var slugs atomic.Int64

func slug() string { return fmt.Sprintf("konto-%d", slugs.Add(1)) }

// newRig returns a rig whose database has delivered before.
func newRig(t *testing.T) rig {
	t.Helper()
	url := storetest.Database(t)
	s := storetest.Open(t, url)
	if _, err := queue.In(s).Guards.Check(t.Context(), queue.Witness{}); err != nil {
		t.Fatal(err)
	}
	return rig{Sample: storetest.NewSample(t, s, slug()), url: url, s: s, db: storetest.DB(t, url)}
}

// other returns another account, with an integration of its own, in the same database.
func (r rig) other(t *testing.T) rig {
	t.Helper()
	r.Sample = storetest.NewSample(t, r.s, slug())
	return r
}

// sharing returns another account on the same integration.
func (r rig) sharing(t *testing.T) rig {
	t.Helper()
	two := r.other(t)
	two.Integration, two.Account.SMSIntegration = r.Integration, r.Integration.ID
	if _, err := registry.In(r.s).Accounts.Save(t.Context(), two.Account); err != nil {
		t.Fatal(err)
	}
	return two
}

func (r rig) exec(t *testing.T, query string, args ...any) {
	t.Helper()
	if _, err := r.db.ExecContext(t.Context(), query, args...); err != nil {
		t.Fatal(err)
	}
}

// read returns the one value that a query gives.
func read[T any](t *testing.T, r rig, query string, args ...any) T {
	t.Helper()
	var v T
	if err := r.db.QueryRowContext(t.Context(), query, args...).Scan(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// row returns all columns of an item.
func (r rig) row(t *testing.T, id dispatch.ItemID) string {
	t.Helper()
	return read[string](t, r, `SELECT i::text FROM items i WHERE id = $1`, id)
}

func (r rig) state(t *testing.T, id dispatch.ItemID) dispatch.State {
	t.Helper()
	return read[dispatch.State](t, r, `SELECT state FROM items WHERE id = $1`, id)
}

// events returns the kinds of an item's events, oldest first, with the detail after a colon.
func (r rig) events(t *testing.T, id dispatch.ItemID) string {
	t.Helper()
	return read[string](t, r, `
		SELECT coalesce(string_agg(kind || CASE WHEN detail = '' THEN '' ELSE ':' || detail END, ' ' ORDER BY id), '')
		FROM events WHERE item_id = $1`, id)
}

// lane is the account's lane, whether or not Lanes would name it.
func (r rig) lane() queue.Lane {
	return queue.Lane{Account: r.Account.ID, Channel: dispatch.KindSMS, ServiceID: r.Account.SMSAccountID, Integration: r.Integration.ID,
		Kind: r.Integration.Kind, Service: r.Integration.Service, Parallelism: r.Integration.Parallelism, RatePerSec: r.Integration.RatePerSec}
}

// tryClaim claims the next item of a lane; nil when there is none.
func (r rig) tryClaim(t *testing.T, lane queue.Lane) *queue.Claim {
	t.Helper()
	c, err := queue.In(r.s).Claims.Claim(t.Context(), lane, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (r rig) claim(t *testing.T) *queue.Claim {
	t.Helper()
	c := r.tryClaim(t, r.lane())
	if c == nil {
		t.Fatal("nothing to claim")
	}
	return c
}

func (r rig) finish(t *testing.T, c *queue.Claim, result dispatch.Result) {
	t.Helper()
	if err := queue.In(r.s).Outcomes.Finish(t.Context(), queue.Ended{Claim: c, Result: result}); err != nil {
		t.Fatal(err)
	}
}

// queued returns a due item.
func (r rig) queued(t *testing.T) dispatch.ItemID {
	t.Helper()
	return r.Queue(t, r.s, storetest.ToPhone("90000123", "Hei der"))
}

// died leaves an item in the middle of a call, with an expired lease.
func (r rig) died(t *testing.T) *queue.Claim {
	t.Helper()
	r.queued(t)
	c := r.claim(t)
	r.exec(t, `UPDATE items SET lease_until = now() - interval '1 second' WHERE id = $1`, c.Item)
	if n, err := queue.In(r.s).Claims.RecoverDead(t.Context(), time.Minute); err != nil || n != (queue.Dead{Uncertain: 1}) {
		t.Fatalf("recovered %+v, %v; want 1 uncertain", n, err)
	}
	return c
}

func (r rig) resolve(t *testing.T, id dispatch.ItemID, d dispatch.Decision) {
	t.Helper()
	if n, err := items.In(r.s).Decisions.Resolve(t.Context(), r.Account, []dispatch.ItemID{id}, d, r.Actor); err != nil || n != 1 {
		t.Fatalf("resolved %d, %v; want 1", n, err)
	}
}

// overdue is a queued item that has waited for more than a day, as a pseudo-state of tests.
const overdue = dispatch.State("overdue")

// in returns an item that the store itself has brought into a state.
func (r rig) in(t *testing.T, state dispatch.State) dispatch.ItemID {
	t.Helper()
	if state == dispatch.StateDraft {
		return r.Draft(t, r.s, storetest.ToPhone("90000123", "Hei der"))
	}
	id := r.queued(t)
	switch state {
	case dispatch.StateQueued:
	case overdue:
		r.exec(t, `UPDATE items SET due_at = now() - interval '25 hours', due_since = now() - interval '25 hours' WHERE id = $1`, id)
	case dispatch.StateCancelled:
		if err := stop(r.s, t.Context(), r.Account.ID, id, r.Actor); err != nil {
			t.Fatal(err)
		}
	case dispatch.StateSending:
		r.claim(t)
	case dispatch.StateFailed:
		c := r.claim(t)
		r.exec(t, `UPDATE items SET due_since = now() - interval '25 hours' WHERE id = $1`, id)
		r.finish(t, c, unavailable())
	default:
		r.finish(t, r.claim(t), map[dispatch.State]dispatch.Result{
			dispatch.StateAccepted: accepted(uuid.NewString()), dispatch.StateRejected: rejected(), dispatch.StateUncertain: uncertain(),
		}[state])
	}
	return id
}

func accepted(id string) dispatch.Result {
	return dispatch.Result{Outcome: dispatch.OutcomeAccepted, UpstreamID: id, NextCheck: time.Now().Add(time.Minute)}
}

func rejected() dispatch.Result {
	return dispatch.Result{Outcome: dispatch.OutcomeRejected, Reason: dispatch.Reason{Key: "reason.rejected", HTTPStatus: 400, ErrorID: "e-400"}}
}

func unavailable() dispatch.Result {
	return dispatch.Result{Outcome: dispatch.OutcomeUnavailable, Wait: time.Minute, Reason: dispatch.Reason{Key: "reason.busy", HTTPStatus: 503}}
}

func uncertain() dispatch.Result {
	return dispatch.Result{Outcome: dispatch.OutcomeUncertain, Reason: dispatch.Reason{Key: "reason.server_error", HTTPStatus: 500}}
}

func refused(scope dispatch.Scope) dispatch.Result {
	return dispatch.Result{Outcome: dispatch.OutcomeRefused, Scope: scope,
		Reason: dispatch.Reason{Key: "reason.forbidden", HTTPStatus: 403, ErrorID: "e-403"}}
}

// wantErr compares an error with the expected one by errors.Is.
func wantErr(t *testing.T, got, want error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Errorf("got error %v, want %v", got, want)
	}
}

// stop stops an item; a wish that is only kept is ErrChanged.
func stop(s *store.Store, ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, by store.Actor) error {
	asked, err := items.In(s).Decisions.Stop(ctx, account, id, by)
	if err == nil && asked {
		return store.ErrChanged
	}
	return err
}
