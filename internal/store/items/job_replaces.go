package items

import (
	"context"
	"errors"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// Errors of sending a draft whose original has been replaced or sent again already.
var (
	ErrReplaced = errors.New("an original of the list has been replaced")   // some rows of the list have such originals
	ErrSecond   = errors.New("the original of the draft has been replaced") // the sender has not ticked Send likevel
)

// soonReplaced is the condition that a job that has been sent makes an item in place of the item it, and has not made it yet.
const soonReplaced = `EXISTS (SELECT ` + fromSoonReplacing + `)`

// fromSoonReplacing is the rest of a query for such jobs; the job's alias is k.
const fromSoonReplacing = `FROM job_rows l JOIN jobs k ON k.id = l.job_id WHERE l.replaces = it.id AND k.account_id = it.account_id AND k.sent_at IS NOT NULL AND k.made_at IS NULL`

// replaceRows stores of new items of a job what they are sent in place of.
func replaceRows(ctx context.Context, tx *sqlx.Tx, j dispatch.Job, items []madeItem) error {
	_, err := tx.ExecContext(ctx, `
		UPDATE items n SET origin_id = r.replaces, origin_kind = $3 FROM job_rows r
		WHERE r.job_id = $1 AND r.replaces IS NOT NULL AND n.job_id = r.job_id AND n.job_position = r.position AND n.id = ANY($2)
		    AND EXISTS (SELECT FROM items it WHERE it.id = r.replaces AND it.account_id = n.account_id)`, j.ID, pq.Array(idsOf(items)), dispatch.OriginReplaces)
	return err
}

// Successors are the jobs to those whom a job did not reach, newest first: those that have been sent, and a user's drafts.
func (s *Store) Successors(ctx context.Context, j dispatch.Job, user dispatch.UserID) (list []dispatch.Successor, err error) {
	err = s.DB.SelectContext(ctx, &list, `
		SELECT k.id, k.state = 'draft' AS draft, coalesce(k.sent_at, k.created_at) AS at, count(*) AS n
		FROM items it JOIN job_rows r ON r.replaces = it.id JOIN jobs k ON k.id = r.job_id
		WHERE it.job_id = $1 AND it.account_id = $2 AND k.account_id = it.account_id AND (k.sent_at IS NOT NULL OR k.state = 'draft' AND k.created_by = $3)
		GROUP BY k.id ORDER BY at DESC LIMIT 3`, j.ID, j.AccountID, user)
	return list, err
}

// mayReplace is ErrReplaced where something has been sent in place of what a locked draft is to replace. It locks those items, as sending one
// of them again does: the check after the lock sees what was committed meanwhile.
func mayReplace(ctx context.Context, tx *sqlx.Tx, j dispatch.Job) error {
	const replaced = `FROM items it WHERE it.account_id = $2 AND it.id IN (SELECT r.replaces FROM job_rows r WHERE r.job_id = $1 AND r.replaces IS NOT NULL AND r.problem = '')`
	if _, err := tx.ExecContext(ctx, `SELECT `+replaced+` ORDER BY it.id FOR UPDATE`, j.ID, j.AccountID); err != nil {
		return err
	}
	var not bool
	err := tx.GetContext(ctx, &not, `SELECT EXISTS (SELECT `+replaced+` AND (EXISTS (`+store.Replacing+`) OR `+soonReplaced+`))`, j.ID, j.AccountID)
	return errors.Join(err, when(not, ErrReplaced))
}
