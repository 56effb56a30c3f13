package queue

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// Guard tells whether delivery is paused.
type Guard struct {
	Paused   bool
	PausedBy string // empty: by the program, because the database was restored
	Restored bool   // this check found that the database was restored
	Why      string // of Restored: why, for the log
	Promoted bool   // this check found that the database is a promoted standby which lacks nothing
	Waiting  bool   // a standby was promoted, and not all processes have told yet whether it lacks anything
}

// Current reads the guard without checking the database's identity.
func (s Guards) Current(ctx context.Context) (Guard, error) {
	var rows []struct {
		Paused   bool   `db:"paused"`
		PausedBy string `db:"paused_by"`
	}
	err := s.Select(ctx, &rows, `SELECT paused_at IS NOT NULL AS paused, paused_by FROM delivery_guard`)
	if err != nil || len(rows) == 0 {
		return Guard{}, err
	}
	return Guard{Paused: rows[0].Paused, PausedBy: rows[0].PausedBy}, nil
}

// Check verifies that this is the database that last delivered; the first time it stores the identity. If it is
// a promoted standby, it is accepted when the processes that delivered miss nothing in it, see promoted. If it is
// another one, delivery is paused and everything that may have been sent after the backup becomes uncertain.
func (s Guards) Check(ctx context.Context, w Witness) (Guard, error) {
	var g guardRow
	err := s.Get(ctx, &g, guardState)
	if errors.Is(err, sql.ErrNoRows) {
		if _, err := s.DB.ExecContext(ctx, noteIdentity); err != nil {
			return Guard{}, err
		}
		err = s.Get(ctx, &g, guardState)
	}
	if err != nil || g.Same {
		return Guard{Paused: g.Paused, PausedBy: g.PausedBy}, err
	}
	var found Guard
	err = s.InTx(ctx, func(tx *sqlx.Tx) error {
		var g guardRow
		err := tx.GetContext(ctx, &g, guardState+` FOR UPDATE OF g`)
		found = Guard{Paused: g.Paused, PausedBy: g.PausedBy}
		if err != nil || g.Same {
			return err // another process was faster
		}
		p := restored
		if g.Promotion {
			if p, err = promoted(ctx, tx, g, w); err != nil {
				return err
			}
		}
		switch p {
		case complete:
			found.Promoted = true
			return acceptPromotion(ctx, tx)
		case doubtful:
			found.Waiting = true
			return nil
		}
		found = Guard{Paused: true, Restored: true, Why: string(p)}
		return markRestored(ctx, tx)
	})
	if err != nil {
		return Guard{Paused: true}, err
	}
	return found, nil
}

// noteIdentity stores this database's identity, unless one is stored.
const noteIdentity = `
	INSERT INTO delivery_guard (system_identifier, timeline, database_oid, table_oid) ` + store.Identity + `
	ON CONFLICT (single) DO NOTHING`

type guardRow struct {
	Same      bool   `db:"same"`
	Promotion bool   `db:"promotion"` // the only difference is a newer timeline
	Timeline  string `db:"timeline"`  // the database's
	Overdue   bool   `db:"overdue"`   // seen for so long that no more processes will tell
	Paused    bool   `db:"paused"`
	PausedBy  string `db:"paused_by"`
}

// guardState reads the guard, and whether its identity is this database's.
const guardState = `
	SELECT g.paused_at IS NOT NULL AS paused, g.paused_by, n.timeline, ` + store.SameDatabase + ` AS same,
	       (g.system_identifier, g.database_oid, g.table_oid) = (n.system_identifier, n.database_oid, n.table_oid) AND g.timeline < n.timeline AS promotion,
	       coalesce(g.promoted_at < now() - interval '20 seconds', false) AS overdue
	FROM delivery_guard g, (` + store.Identity + `) n`

// MarkRestored pauses delivery because the database was restored from a backup: every item being sent or queued, now
// or for later, may have been sent after the backup, so it becomes uncertain; drafts get a warning. It does not rely
// on the guard, which cannot detect a storage snapshot, and which may already be paused by an earlier restore within
// the backup.
func (s Guards) MarkRestored(ctx context.Context) error {
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		if _, err := tx.ExecContext(ctx, noteIdentity); err != nil {
			return err
		}
		return markRestored(ctx, tx)
	})
}

func markRestored(ctx context.Context, tx *sqlx.Tx) error {
	for _, statement := range restoredStatements {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return store.Record(ctx, tx, store.Audit{Action: "delivery.restored"})
}

// restoredStatements also store this database's identity, so that a copy of it is detected even while it is paused.
var restoredStatements = []string{
	`UPDATE delivery_guard g
	 SET paused_at = now(), paused_by = '', promoted_at = NULL, system_identifier = n.system_identifier, timeline = n.timeline,
	     database_oid = n.database_oid, table_oid = n.table_oid
	 FROM (` + store.Identity + `) n`,
	`UPDATE items SET restored_at = now() WHERE state IN ('draft', 'queued', 'sending', 'uncertain')`,
	`UPDATE jobs SET restored_at = now() WHERE state = 'draft' OR sent_at IS NOT NULL AND made_at IS NULL`,
	`UPDATE attempts SET finished_at = now(), outcome = 'uncertain', reason_key = 'reason.restored'
	 WHERE finished_at IS NULL`,
	`INSERT INTO attempts (id, item_id, account_id, finished_at, outcome, reason_key)
	 SELECT gen_random_uuid(), it.id, it.account_id, now(), 'uncertain', 'reason.restored'
	 FROM items it
	 WHERE it.state = 'queued'
	    OR it.state = 'sending' AND NOT EXISTS (SELECT FROM attempts t WHERE t.item_id = it.id AND t.outcome = 'uncertain' AND t.resolution = '')`,
	`INSERT INTO events (item_id, account_id, kind)
	 SELECT id, account_id, 'restored' FROM items WHERE state IN ('sending', 'queued')`,
	`UPDATE items SET state = 'uncertain', lease_token = NULL, lease_until = NULL, reason_key = 'reason.restored', reason_at = now()
	 WHERE state IN ('sending', 'queued')`,
}

// RestoredItems are an account's restored items, either those that were due or those scheduled for after the restore.
// Most of the former will have been sent after the backup, hardly any of the latter.
type RestoredItems struct {
	Account dispatch.AccountID `db:"account_id"`
	Planned bool               `db:"planned"`
}

// Restored counts the restored items that wait for a decision.
func (s Guards) Restored(ctx context.Context) (map[RestoredItems]int, error) {
	var rows []struct {
		RestoredItems
		N int `db:"n"`
	}
	err := s.Select(ctx, &rows, `SELECT account_id, planned, count(*) AS n FROM (`+store.ItemsRestored+`) r GROUP BY account_id, planned`)
	counts := map[RestoredItems]int{}
	for _, r := range rows {
		counts[r.RestoredItems] = r.N
	}
	return counts, err
}
