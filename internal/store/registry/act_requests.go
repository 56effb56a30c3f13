package registry

import (
	"context"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// ErrOwnRequest says that who asked for an act cannot approve it.
var ErrOwnRequest = errors.New("who asked cannot approve it")

type actRequestRow struct {
	ID        dispatch.ActRequestID    `db:"id"`
	Act       dispatch.AdminAct        `db:"act"`
	Object    dispatch.IntegrationID   `db:"object_id"`
	Name      string                   `db:"name"`
	Seen      string                   `db:"seen"`
	Change    string                   `db:"change"`
	Reason    string                   `db:"reason"`
	State     dispatch.ActRequestState `db:"state"`
	AskedBy   dispatch.UserID          `db:"asked_by"`
	Asker     string                   `db:"asker"`
	AskedAt   time.Time                `db:"asked_at"`
	ExpiresAt time.Time                `db:"expires_at"`
	Decider   string                   `db:"decider"`
	DecidedAt *time.Time               `db:"decided_at"`
}

func (r actRequestRow) domain() dispatch.ActRequest {
	q := dispatch.ActRequest{ID: r.ID, Act: r.Act, Object: r.Object, Name: r.Name, Seen: r.Seen, Reason: r.Reason, State: r.State, AskedBy: r.AskedBy, Asker: r.Asker,
		AskedAt: r.AskedAt, ExpiresAt: r.ExpiresAt, Decider: r.Decider, DecidedAt: store.Deref(r.DecidedAt)}
	if r.Act == dispatch.ActRetention {
		q.Before, q.After = dispatch.ParseRetention(r.Seen), dispatch.ParseRetention(r.Change)
	}
	return q
}

const selectActRequests = `
	SELECT r.id, r.act, coalesce(r.object_id::text, '') AS object_id, r.name, r.seen, r.change, r.reason, r.state, r.asked_by, asker.name AS asker, r.asked_at, r.expires_at,
	       coalesce(decider.name, '') AS decider, r.decided_at
	FROM act_requests r JOIN users asker ON asker.id = r.asked_by LEFT JOIN users decider ON decider.id = r.decided_by`

// actRequestsShown bounds the page: the latest stand first.
const actRequestsShown = 100

// List returns the latest requests, those that wait first.
func (s ActRequests) List(ctx context.Context) ([]dispatch.ActRequest, error) {
	var rows []actRequestRow
	err := s.Select(ctx, &rows, selectActRequests+` ORDER BY r.state <> 'waiting', r.asked_at DESC, r.id DESC LIMIT $1`, actRequestsShown)
	list := make([]dispatch.ActRequest, len(rows))
	for i, r := range rows {
		list[i] = r.domain()
	}
	return list, err
}

// CountFor counts what waits for somebody else than the one who asked.
func (s ActRequests) CountFor(ctx context.Context, user dispatch.UserID, now time.Time) (int, error) {
	var n int
	err := s.Get(ctx, &n, `SELECT count(*) FROM act_requests WHERE state = 'waiting' AND expires_at > $2 AND asked_by <> $1`, user, now)
	return n, err
}

// OtherAdministrator tells whether anybody but the user was a system administrator at their latest login. The login service may
// have given the right to others since.
func (s ActRequests) OtherAdministrator(ctx context.Context, user dispatch.UserID) (other bool, err error) {
	err = s.Get(ctx, &other, `
		SELECT EXISTS (
			SELECT FROM (SELECT DISTINCT ON (user_id) claims FROM sign_ins WHERE user_id <> $1 ORDER BY user_id, started_at DESC) latest
			JOIN role_mappings m ON m.claim_value = ANY(latest.claims)
			WHERE m.role = $2 AND m.account_id IS NULL)`, user, dispatch.RoleSystemAdmin)
	return other, err
}

// Ask asks another administrator to approve an act, in the place of a request for it that can no longer be approved. ErrTaken when it
// is asked for already.
func (s ActRequests) Ask(ctx context.Context, r dispatch.ActRequest, now time.Time, by store.Actor) error {
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		_, err := askAct(ctx, tx, r, now, by)
		return err
	})
}

func askAct(ctx context.Context, tx *sqlx.Tx, r dispatch.ActRequest, now time.Time, by store.Actor) (dispatch.ActRequestID, error) {
	id, err := store.NewID()
	if err != nil {
		return "", err
	}
	if err := expireActs(ctx, tx, now); err != nil {
		return "", err
	}
	if err := replaceOvertaken(ctx, tx, r, now, by); err != nil {
		return "", err
	}
	change := ""
	if r.Act == dispatch.ActRetention {
		r.Seen, change = r.Before.String(), r.After.String()
	}
	n, err := store.Affected(tx.ExecContext(ctx, `
		INSERT INTO act_requests (id, act, object_id, name, seen, change, reason, asked_by, asked_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
		ON CONFLICT (act, object_id) WHERE state = 'waiting' DO NOTHING`,
		id, r.Act, store.Null(r.Object), r.Name, r.Seen, change, by.Reason, by.User, now, now.Add(dispatch.ActRequestLife)))
	if err != nil {
		return "", err
	}
	if n == 0 {
		return "", store.ErrTaken
	}
	r.ID, r.Reason = dispatch.ActRequestID(id), by.Reason
	return r.ID, noteActRequest(ctx, tx, r, "asked", by)
}

// replaceOvertaken withdraws the pending request for the same act if it can no longer be approved.
func replaceOvertaken(ctx context.Context, tx *sqlx.Tx, r dispatch.ActRequest, now time.Time, by store.Actor) error {
	var row actRequestRow
	err := tx.GetContext(ctx, &row, selectActRequests+` WHERE r.state = 'waiting' AND r.act = $1 AND r.object_id IS NOT DISTINCT FROM $2 FOR UPDATE OF r`, r.Act, store.Null(r.Object))
	if errors.Is(store.NotFound(err), store.ErrNotFound) {
		return nil
	}
	former := row.domain()
	if err != nil || !former.Overtaken(r) {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE act_requests SET state = 'withdrawn', decided_by = $2, decided_at = $3 WHERE id = $1`, former.ID, by.User, now); err != nil {
		return err
	}
	return noteActRequest(ctx, tx, former, "replaced", by)
}

// noteActRequest writes what happened to a request to the event log.
func noteActRequest(ctx context.Context, tx *sqlx.Tx, r dispatch.ActRequest, what string, by store.Actor) error {
	details := map[string]any{"act": r.Act, "reason": r.Reason}
	if r.Object != "" {
		details["integration"] = r.Object
	}
	if r.After != nil {
		details["before"], details["after"] = r.Before.String(), r.After.String()
	}
	return store.Record(ctx, tx, store.Audit{Actor: by.User, Action: "act_request." + what, Object: string(r.ID), Details: details, Origin: by.Origin})
}

// Approve approves another's request and does the act, in one transaction. ErrOwnRequest when it is the user's own,
// ErrChanged when it was decided before or has expired, or what it is about has changed since.
func (s ActRequests) Approve(ctx context.Context, id dispatch.ActRequestID, now time.Time, by store.Actor, do func(tx *sqlx.Tx, r dispatch.ActRequest) error) error {
	return s.decideAct(ctx, id, dispatch.ActApproved, now, by, do)
}

// Refuse refuses another's request.
func (s ActRequests) Refuse(ctx context.Context, id dispatch.ActRequestID, now time.Time, by store.Actor) error {
	return s.decideAct(ctx, id, dispatch.ActRefused, now, by, nil)
}

// Withdraw takes back one's own request; another's is not found.
func (s ActRequests) Withdraw(ctx context.Context, id dispatch.ActRequestID, now time.Time, by store.Actor) error {
	return s.decideAct(ctx, id, dispatch.ActWithdrawn, now, by, nil)
}

// ByID returns one request.
func (s ActRequests) ByID(ctx context.Context, id dispatch.ActRequestID) (dispatch.ActRequest, error) {
	if !store.ValidID(id) {
		return dispatch.ActRequest{}, store.ErrNotFound
	}
	var row actRequestRow
	err := s.Get(ctx, &row, selectActRequests+` WHERE r.id = $1`, id)
	return row.domain(), store.NotFound(err)
}

func (s ActRequests) decideAct(ctx context.Context, id dispatch.ActRequestID, to dispatch.ActRequestState, now time.Time, by store.Actor, do func(*sqlx.Tx, dispatch.ActRequest) error) error {
	if !store.ValidID(id) {
		return store.ErrNotFound
	}
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		var row actRequestRow
		if err := tx.GetContext(ctx, &row, selectActRequests+` WHERE r.id = $1 FOR UPDATE OF r`, id); err != nil {
			return store.NotFound(err)
		}
		r := row.domain()
		switch own := r.AskedBy == by.User; {
		case own && to != dispatch.ActWithdrawn:
			return ErrOwnRequest
		case !own && to == dispatch.ActWithdrawn:
			return store.ErrNotFound
		case !r.Waiting(now):
			return store.ErrChanged
		}
		_, err := tx.ExecContext(ctx, `UPDATE act_requests SET state = $2, decided_by = $3, decided_at = $4 WHERE id = $1`, id, to, by.User, now)
		if store.Violates(err, "approvals_once") {
			return store.ErrChanged
		}
		if err != nil {
			return err
		}
		if err := noteActRequest(ctx, tx, r, string(to), by); err != nil || do == nil {
			return err
		}
		return do(tx, r)
	})
}

// Expire ends the requests that have waited too long.
func (s ActRequests) Expire(ctx context.Context, now time.Time) error {
	return s.InTx(ctx, func(tx *sqlx.Tx) error { return expireActs(ctx, tx, now) })
}

func expireActs(ctx context.Context, tx *sqlx.Tx, now time.Time) error {
	var rows []actRequestRow
	err := tx.SelectContext(ctx, &rows, selectActRequests+` WHERE r.state = 'waiting' AND r.expires_at <= $1 FOR UPDATE OF r SKIP LOCKED`, now)
	for _, row := range rows {
		if err != nil {
			return err
		}
		if _, err = tx.ExecContext(ctx, `UPDATE act_requests SET state = 'expired', decided_at = $2 WHERE id = $1`, row.ID, now); err == nil {
			err = noteActRequest(ctx, tx, row.domain(), string(dispatch.ActExpired), store.Actor{})
		}
	}
	return err
}
