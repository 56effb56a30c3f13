package store

import (
	"context"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
)

// Act is what a person does to one item.
type Act struct {
	Account dispatch.AccountID
	ID      dispatch.ItemID
	By      Actor
	Kind    dispatch.EventKind
	Detail  string
}

// Act runs one change of one item's row, which tells how many rows it touched, with its event and its line in the event
// log. Nothing touched is ErrNotFound or ErrChanged.
func (s *Store) Act(ctx context.Context, a Act, change func(tx *sqlx.Tx) (int64, error)) error {
	if !ValidID(a.ID) {
		return ErrNotFound
	}
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		n, err := change(tx)
		if err != nil {
			return err
		}
		if n == 0 {
			return missingOrChanged(ctx, tx, a.Account, a.ID)
		}
		return NoteAct(ctx, tx, a)
	})
}

// NoteAct writes an act to the item's timeline and to the event log.
func NoteAct(ctx context.Context, tx *sqlx.Tx, a Act) error {
	if err := AddEvent(ctx, tx, Event{Item: a.ID, Account: a.Account, Kind: a.Kind, Actor: a.By.User, Detail: a.Detail}); err != nil {
		return err
	}
	details := map[string]any{"detail": a.Detail}
	if a.By.Reason != "" {
		details["reason"] = a.By.Reason
	}
	return Record(ctx, tx, Audit{Actor: a.By.User, Account: a.Account, Action: "item." + string(a.Kind), Object: string(a.ID), Details: details, Origin: a.By.Origin})
}

func missingOrChanged(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.ItemID) error {
	var exists bool
	err := tx.GetContext(ctx, &exists, `SELECT EXISTS (SELECT FROM items WHERE id = $1 AND account_id = $2)`, id, account)
	switch {
	case err != nil:
		return err
	case !exists:
		return ErrNotFound
	}
	return ErrChanged
}

// Living is a process that has given a sign of life lately.
const Living = `seen_at > now() - interval '15 seconds'`

// Identity reads which database this is: the cluster's system identifier and timeline, and the oids of the database and
// the guard table. A dump restored, a recovery to a point in time and a failover each change one of them.
const Identity = `
	SELECT c.system_identifier, substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) AS timeline,
	       (SELECT oid::bigint FROM pg_database WHERE datname = current_database()) AS database_oid,
	       'delivery_guard'::regclass::oid::bigint AS table_oid
	FROM pg_control_system() c`

// GuardHolds is the condition that every claim carries: this is the database that last delivered, and nobody paused it.
const GuardHolds = `EXISTS (
	SELECT FROM delivery_guard g, (` + Identity + `) n
	WHERE g.paused_at IS NULL AND g.system_identifier = n.system_identifier AND g.timeline = n.timeline
	  AND g.database_oid = n.database_oid AND g.table_oid = n.table_oid)`

// ItemsRestored are those that wait for a decision. A time of their own is what a person gave them; another wait, as after
// an attempt, is none.
const ItemsRestored = `
	SELECT it.id, it.account_id, coalesce(coalesce(m.send_at, h.send_at) > it.restored_at, false) AS planned
	FROM items it LEFT JOIN sms m ON m.item_id = it.id LEFT JOIN shipments h ON h.item_id = it.id
	WHERE it.state = 'uncertain' AND it.restored_at IS NOT NULL`

// Deref is the time, or the zero time for none.
func Deref(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}

// ErrTaken says that another thing has the name already.
var ErrTaken = errors.New("the name is taken")

// Taken turns the violation of a unique constraint into ErrTaken.
func Taken(err error, constraint string) error {
	if Violates(err, constraint) {
		return ErrTaken
	}
	return err
}

// reopenJobOf lets a job that has ended hand over again, because one of its items is to be sent once more. It locks the
// job before the item, as all who lock both do.
func reopenJobOf(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.ItemID) error {
	_, err := tx.ExecContext(ctx, `
		UPDATE jobs SET state = CASE WHEN state IN ('done', 'stopped') THEN 'running' ELSE state END, done_at = NULL
		WHERE account_id = $2 AND id = (SELECT job_id FROM items WHERE id = $1 AND account_id = $2)`, id, account)
	return err
}

// PartItem is one item of a part.
type PartItem struct {
	Item  dispatch.ItemID
	Phone dispatch.Phone
}

// ErrPart says that a recipient's part of a divided file is not there. No letter is made without it.
var ErrPart = errors.New("a part of the file is missing")

// Operate runs one change of an integration's row with its line in the event log. Nothing touched is ErrNotFound, or
// ErrChanged when somebody else was faster.
func (s *Store) Operate(ctx context.Context, id dispatch.IntegrationID, a Audit, change func(tx *sqlx.Tx) (int64, error)) error {
	if !ValidID(id) {
		return ErrNotFound
	}
	a.Object = string(id)
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		n, err := change(tx)
		switch {
		case err != nil:
			return err
		case n == 0:
			return integrationMissingOrChanged(ctx, tx, id)
		}
		return Record(ctx, tx, a)
	})
}

func integrationMissingOrChanged(ctx context.Context, tx *sqlx.Tx, id dispatch.IntegrationID) error {
	var exists bool
	err := tx.GetContext(ctx, &exists, `SELECT EXISTS (SELECT FROM integrations WHERE id = $1)`, id)
	switch {
	case err != nil:
		return err
	case !exists:
		return ErrNotFound
	}
	return ErrChanged
}

// NullTime is the time, or none for the zero time.
func NullTime(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// MayHaveArrived are ended attempts that may have brought a message over although nobody said so (dispatch.Result), and doubted
// those of them that an earlier release took for proof that they had not.
const (
	MayHaveArrived = `(p.outcome = 'uncertain' OR ` + doubted + `)`
	doubted        = `p.outcome = 'unavailable' AND p.sent_at IS NOT NULL AND NOT p.proven`
)

// UnknownUpstream returns those of the service's ids that no item has. The integration does not matter: an account may
// have moved between two of one service.
func (s *Store) UnknownUpstream(ctx context.Context, ids []string) ([]string, error) {
	var unknown []string
	err := s.SelectForList(ctx, &unknown, `
		SELECT id::text FROM unnest($1::uuid[]) AS u (id)
		WHERE NOT EXISTS (SELECT FROM items it WHERE it.upstream_id = u.id)`, pq.Array(ids))
	return unknown, err
}
