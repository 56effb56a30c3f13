package registry

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"utsending/internal/store"
)

// LogEvent is a line of the event log as it leaves the installation: ids, and nothing else about anybody.
type LogEvent struct {
	Position int64     `db:"position"`
	Hash     string    `db:"hash"` // of the chain, in hexadecimal
	ID       int64     `db:"id"`
	At       time.Time `db:"at"`
	Action   string    `db:"action"`
	Actor    string    `db:"actor_id"`
	Account  string    `db:"account_id"`
	Object   string    `db:"object_id"`
	SignIn   string    `db:"sign_in_id"`
}

// SIEMLease lets one process hand over the log. It is nil when another one does, or a failed try is too recent.
type SIEMLease struct {
	Token    string
	Position int64
	Tries    int
}

// Lease takes the lease, or keeps it, until a time.
func (s SIEM) Lease(ctx context.Context, token string, now, until time.Time) (*SIEMLease, error) {
	l := SIEMLease{Token: token}
	err := s.DB.QueryRowxContext(ctx, `
		UPDATE siem_cursor SET lease_token = $1, lease_until = $3
		WHERE next_at <= $2 AND (lease_until <= $2 OR lease_token = $1) RETURNING position, tries`, token, now, until).Scan(&l.Position, &l.Tries)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return &l, err
}

// EventsAfter returns the next chained lines of the event log after a position, in the order of the chain.
func (s SIEM) EventsAfter(ctx context.Context, position int64, most int) ([]LogEvent, error) {
	var list []LogEvent
	err := s.DB.SelectContext(ctx, &list, `
		SELECT c.position, encode(c.hash, 'hex') AS hash, e.id, e.at, e.action, coalesce(e.actor_id::text, '') AS actor_id, coalesce(e.account_id::text, '') AS account_id,
		       coalesce(e.object_id::text, '') AS object_id, coalesce(e.sign_in_id::text, '') AS sign_in_id
		FROM audit_chain c JOIN audit_events e ON e.id = c.audit_id
		WHERE c.position > $1 ORDER BY c.position LIMIT $2`, position, most)
	return list, err
}

// EventsTaken moves the cursor to the last position that the server took. ErrChanged when the lease was lost: another process
// hands the same lines over again.
func (s SIEM) EventsTaken(ctx context.Context, l *SIEMLease, position int64, now, until time.Time) error {
	n, err := store.Affected(s.DB.ExecContext(ctx, `
		UPDATE siem_cursor SET position = $2, sent_at = $3, fault = '', tries = 0, lease_until = $4 WHERE lease_token = $1 AND position = $5`,
		l.Token, position, now, until, l.Position))
	if err == nil && n == 0 {
		err = store.ErrChanged
	}
	if err == nil {
		l.Position, l.Tries = position, 0
	}
	return err
}

// EventsRefused notes a failed try, and when the next one is due.
func (s SIEM) EventsRefused(ctx context.Context, l *SIEMLease, fault string, next time.Time) error {
	_, err := s.DB.ExecContext(ctx, `
		UPDATE siem_cursor SET fault = $2, tries = tries + 1, next_at = $3, lease_until = '-infinity' WHERE lease_token = $1`, l.Token, fault, next)
	return err
}

// SIEMState tells how far the log is handed over.
type SIEMState struct {
	Position int64      `db:"position"`
	SentAt   *time.Time `db:"sent_at"`
	Fault    string     `db:"fault"`
	Waiting  int64      `db:"waiting"` // chained lines that are not handed over
	Oldest   *time.Time `db:"oldest"`  // when the first of them was written; nil: none
}

// State returns how far the log is handed over.
func (s SIEM) State(ctx context.Context) (SIEMState, error) {
	var state SIEMState
	err := s.DB.GetContext(ctx, &state, `
		SELECT p.position, p.sent_at, p.fault, greatest(coalesce((SELECT max(c.position) FROM audit_chain c), 0) - p.position, 0) AS waiting,
		       (SELECT e.at FROM audit_chain c JOIN audit_events e ON e.id = c.audit_id WHERE c.position > p.position ORDER BY c.position LIMIT 1) AS oldest
		FROM siem_cursor p`)
	return state, err
}
