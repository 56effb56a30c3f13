package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/seal"
)

// OwnFault tells whether work failed for a reason of its own, as a poison message does: not because we shut down, or
// the database is away, busy or full.
func OwnFault(ctx context.Context, err error) bool {
	if err == nil || ctx.Err() != nil || Unreachable(err) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, ErrChanged) {
		return false
	}
	var e *pq.Error
	if !errors.As(err, &e) {
		return true
	}
	switch e.Code.Class() {
	case "25", "40", "42", "53", "54", "55", "58": // transaction state, rollback, statement or right, resources, limits, locks, system
		return false
	}
	return true
}

func asideCause(err error) dispatch.AsideCause {
	var e *pq.Error
	switch {
	case errors.As(err, &e):
		return dispatch.AsideCause("sql_" + string(e.Code))
	case errors.Is(err, seal.ErrSealed):
		return dispatch.AsideSealed
	case errors.Is(err, ErrSlice):
		return dispatch.AsideSlice
	}
	return dispatch.AsideOther
}

// accountOfKey is the account of a key, by queue; $2 is the key.
var accountOfKey = map[dispatch.Queue]string{
	dispatch.QueueMake:      `(SELECT account_id FROM jobs WHERE id = $2::uuid)`,
	dispatch.QueueRefresh:   `(SELECT account_id FROM items WHERE id = $2::uuid)`,
	dispatch.QueueRecover:   `(SELECT account_id FROM items WHERE id = $2::uuid)`,
	dispatch.QueueExport:    `(SELECT account_id FROM exports WHERE id = $2::uuid)`,
	dispatch.QueueBulk:      `(SELECT account_id FROM bulk_acts WHERE id = $2::uuid)`,
	dispatch.QueueFollowUps: `(SELECT account_id FROM items WHERE id = $2::uuid)`,
	dispatch.QueueNumbers:   `(SELECT a.id FROM stat_changes c JOIN accounts a ON a.id = c.account_id WHERE c.id = $2::bigint)`,
	dispatch.QueueChain:     `(SELECT a.id FROM audit_events e JOIN accounts a ON a.id = e.account_id WHERE e.id = $2::bigint)`,
	dispatch.QueuePurge:     `coalesce((SELECT account_id FROM items WHERE id = $2::uuid), (SELECT account_id FROM jobs WHERE id = $2::uuid))`,
	dispatch.QueueReseal:    `NULL::uuid`,
}

// asideWait is the backoff: 5 s, 10 s, then an hour.
const asideWait = `CASE WHEN %[1]s >= 3 THEN interval '1 hour' ELSE %[1]s * interval '5 seconds' END`

// SetAside records that work failed, if for a reason of its own, and skips it for a while. It returns the error for
// the caller to report.
func (s *Store) SetAside(ctx context.Context, q dispatch.Queue, key string, failed error) error {
	if !OwnFault(ctx, failed) {
		return failed
	}
	failed = fmt.Errorf("%s %s: %w", q, key, failed)
	_, err := s.DB.ExecContext(ctx, `
		INSERT INTO set_aside AS a (queue, key, account_id, cause, next_at)
		VALUES ($1::text, $2::text, `+accountOfKey[q]+`, $3, now() + `+fmt.Sprintf(asideWait, "1")+`)
		ON CONFLICT (queue, key) DO UPDATE SET tries = a.tries + 1, cause = excluded.cause, last_at = now(), next_at = now() + `+fmt.Sprintf(asideWait, "(a.tries + 1)"),
		q, key, asideCause(failed))
	return errors.Join(failed, err)
}

// ClearSetAside deletes the record of failure after a success.
func (s *Store) ClearSetAside(ctx context.Context, q dispatch.Queue, keys ...string) error {
	_, err := s.DB.ExecContext(ctx, `DELETE FROM set_aside WHERE queue = $1 AND key = ANY($2)`, q, pq.Array(keys))
	return err
}

// SkippedNow is an SQL condition of a queue: the work with the key is skipped now.
func SkippedNow(q dispatch.Queue, key string) string {
	return `EXISTS (SELECT FROM set_aside o WHERE o.queue = '` + string(q) + `' AND o.key = ` + key + `::text AND o.next_at > now())`
}

// Bisect runs do on many keys of a queue at once. If that fails because of a key, it bisects down to that key, which
// is set aside. The error is returned after all other keys are done.
func (s *Store) Bisect(ctx context.Context, q dispatch.Queue, keys []string, do func(ctx context.Context, keys []string) error) error {
	if len(keys) == 0 {
		return nil
	}
	err := do(ctx, keys)
	switch {
	case err == nil:
		return s.ClearSetAside(ctx, q, keys...)
	case !OwnFault(ctx, err):
		return err
	case len(keys) == 1:
		return s.SetAside(ctx, q, keys[0], err)
	}
	half := len(keys) / 2
	return errors.Join(s.Bisect(ctx, q, keys[:half], do), s.Bisect(ctx, q, keys[half:], do))
}

// asideTold selects the work to report. Items whose content does not open have no rows here: they wait in their
// queue.
const asideTold = `
	SELECT t.queue, t.key, coalesce(t.account_id::text, '') AS account_id, coalesce(a.name, '') AS name, t.tries, t.cause, t.first_at, t.last_at
	FROM (
		SELECT queue, key, account_id, tries, cause, first_at, last_at FROM set_aside WHERE tries >= $1
		UNION ALL
		SELECT 'claim', id::text, account_id, unavailable_count, 'sealed', due_since, reason_at FROM items
		WHERE state = 'queued' AND reason_key = 'reason.sealed' AND unavailable_count >= $1
	) t LEFT JOIN accounts a ON a.id = t.account_id`

type asideRow struct {
	Queue   dispatch.Queue      `db:"queue"`
	Key     string              `db:"key"`
	Account dispatch.AccountID  `db:"account_id"`
	Name    string              `db:"name"`
	Tries   int                 `db:"tries"`
	Cause   dispatch.AsideCause `db:"cause"`
	First   *time.Time          `db:"first_at"`
	Last    *time.Time          `db:"last_at"`
}

// asideMost bounds the list.
const asideMost = 200

// AllSetAside lists background work of all accounts that is set aside, latest first.
func (s *Store) AllSetAside(ctx context.Context) ([]dispatch.SetAside, error) {
	return s.aside(ctx, asideTold+` ORDER BY t.last_at DESC LIMIT $2`, dispatch.SetAsideAfter, asideMost)
}

// SetAsideOf lists an account's background work that is set aside, latest first.
func (s *Store) SetAsideOf(ctx context.Context, account dispatch.AccountID) ([]dispatch.SetAside, error) {
	return s.aside(ctx, asideTold+` WHERE t.account_id = $3 ORDER BY t.last_at DESC LIMIT $2`, dispatch.SetAsideAfter, asideMost, account)
}

func (s *Store) aside(ctx context.Context, query string, args ...any) ([]dispatch.SetAside, error) {
	var rows []asideRow
	err := s.Select(ctx, &rows, query, args...)
	list := make([]dispatch.SetAside, len(rows))
	for i, r := range rows {
		list[i] = dispatch.SetAside{Queue: r.Queue, Key: r.Key, Account: r.Account, Name: r.Name, Tries: r.Tries, Cause: r.Cause, First: Deref(r.First), Last: Deref(r.Last)}
	}
	return list, err
}

// FailedMaking returns why the items of an account's job cannot be made; its queue is empty unless they failed
// several times.
func (s *Store) FailedMaking(ctx context.Context, account dispatch.AccountID, id dispatch.JobID) (dispatch.SetAside, error) {
	list, err := s.aside(ctx, asideTold+` WHERE t.account_id = $3 AND t.queue = 'make' AND t.key = $4 LIMIT $2`, dispatch.SetAsideAfter, 1, account, id)
	if err != nil || len(list) == 0 {
		return dispatch.SetAside{}, err
	}
	return list[0], nil
}

// AsideCounts counts work that is set aside, by queue.
func (s *Store) AsideCounts(ctx context.Context) (map[dispatch.Queue]int, error) {
	var rows []struct {
		Queue dispatch.Queue `db:"queue"`
		N     int            `db:"n"`
	}
	err := s.Select(ctx, &rows, `SELECT queue, count(*) AS n FROM (`+asideTold+`) all_aside GROUP BY 1`, dispatch.SetAsideAfter)
	counts := map[dispatch.Queue]int{}
	for _, r := range rows {
		counts[r.Queue] = r.N
	}
	return counts, err
}

// asideKept is how long a failure is remembered that nobody retries: the work is gone.
const asideKept = 3 * 24 * time.Hour

// PurgeSetAside deletes failures that nobody retries.
func (s *Store) PurgeSetAside(ctx context.Context) error {
	_, err := s.DB.ExecContext(ctx, `DELETE FROM set_aside WHERE last_at < now() - $1 * interval '1 second'`, asideKept.Seconds())
	return err
}
