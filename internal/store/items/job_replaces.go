package items

import (
	"context"
	"errors"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// Errors of sending a draft whose original has been replaced or sent again already.
var (
	ErrReplaced = errors.New("an original of the list has been replaced")   // some rows of the list have such originals
	ErrSecond   = errors.New("the original of the draft has been replaced") // the sender has not ticked Send likevel
)

// Successors are the jobs to those whom a job did not reach, newest first: a user's drafts, then those that have been sent.
func (s Origins) Successors(ctx context.Context, j dispatch.Job, user dispatch.UserID) (list []dispatch.Successor, err error) {
	err = s.DB.SelectContext(ctx, &list, `
		SELECT j.id, j.state = 'draft' AS draft, coalesce(j.sent_at, j.created_at) AS at,
		       CASE WHEN j.state = 'draft' THEN `+store.RowsLeft+` ELSE count(*) FILTER (WHERE r.problem <> $4) END AS n, `+store.AllReplaced+` AS all_replaced
		FROM items it JOIN job_rows r ON r.replaces = it.id JOIN jobs j ON j.id = r.job_id
		WHERE it.job_id = $1 AND it.account_id = $2 AND j.account_id = it.account_id AND (j.sent_at IS NOT NULL OR j.state = 'draft' AND j.created_by = $3)
		GROUP BY j.id ORDER BY draft DESC, at DESC LIMIT 50`, j.ID, j.AccountID, user, dispatch.ProblemLeftOut)
	return list, err
}

// sharesNobody is ErrEmpty when another draft of the same user goes to some of those whom the former job did not reach: it was made at the
// same time, since the rows are read without those in a draft. The former job is locked, so that one of two drafts sees the other.
func sharesNobody(ctx context.Context, tx *sqlx.Tx, j dispatch.Job, former dispatch.JobID) error {
	if former == "" {
		return nil
	}
	if _, err := tx.ExecContext(ctx, `SELECT FROM jobs WHERE id = $1 AND account_id = $2 FOR NO KEY UPDATE`, former, j.AccountID); err != nil {
		return err
	}
	var shared bool
	err := tx.GetContext(ctx, &shared, `
		SELECT EXISTS (SELECT FROM job_rows r JOIN job_rows o ON o.replaces = r.replaces AND o.job_id <> r.job_id
		    JOIN jobs k ON k.id = o.job_id AND k.account_id = $2 AND k.state = 'draft'
		    WHERE r.job_id = $1 AND k.created_by = (SELECT created_by FROM jobs WHERE id = $1 AND account_id = $2))`, j.ID, j.AccountID)
	return errors.Join(err, when(shared, ErrEmpty))
}

// mayReplace returns ErrReplaced if an item that a locked draft replaces meets store.ReplacedMeanwhile. It locks those items first,
// as a resend does: the check then sees what others committed while it waited.
func mayReplace(ctx context.Context, tx *sqlx.Tx, j dispatch.Job) error {
	if _, err := tx.ExecContext(ctx, `SELECT `+fromOriginals+` ORDER BY it.id FOR UPDATE`, j.ID, j.AccountID); err != nil {
		return err
	}
	var n int
	err := tx.GetContext(ctx, &n, `SELECT count(*) `+fromOriginals+` AND `+store.ReplacedMeanwhile, j.ID, j.AccountID)
	return errors.Join(err, when(n > 0, ErrReplaced))
}

// fromOriginals is the rest of a query for the items in place of which the valid rows of a list are sent.
const fromOriginals = `FROM items it WHERE it.account_id = $2 AND it.id IN (SELECT r.replaces FROM job_rows r WHERE r.job_id = $1 AND r.replaces IS NOT NULL AND r.problem = '')`

// UnreachedRow is a row of a draft to those whom an earlier job did not reach.
type UnreachedRow struct {
	dispatch.JobRow
	Item     dispatch.Item         // the one that did not reach them; zero: it is deleted
	Replaced bool                  // meanwhile, so that the row must be left out
	Second   bool                  // because something was sent in its place, or is to be
	Was      dispatch.SMSRecipient // of that item; zero: it is a letter, or was purged
}

// RowsChosen are valid rows, and those that a person has left out.
const RowsChosen RowChoice = store.RowsChosen

// OfRows tells of a draft to those whom an earlier job did not reach: whether all its rows stand for items that were stopped, not for
// any that failed, and how many stand for items that may have arrived after all.
func (s Origins) OfRows(ctx context.Context, account dispatch.AccountID, draft dispatch.JobID) (stopped bool, doubted int, err error) {
	var row struct {
		Stopped bool `db:"stopped"`
		Doubted int  `db:"doubted"`
	}
	err = s.Get(ctx, &row, `
		SELECT count(*) FILTER (WHERE it.state IS DISTINCT FROM 'cancelled') = 0 AS stopped, count(*) FILTER (WHERE `+store.InDoubt+`) AS doubted
		FROM job_rows r JOIN jobs j ON j.id = r.job_id LEFT JOIN items it ON it.id = r.replaces AND it.account_id = j.account_id
		WHERE r.job_id = $1 AND j.account_id = $2`, draft, account)
	return row.Stopped, row.Doubted, err
}
