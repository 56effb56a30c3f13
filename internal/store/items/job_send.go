package items

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// ErrRepeated: the same text was sent to the same list earlier today.
var ErrRepeated = errors.New("sent before today")

// ErrEmpty: the list has no valid row.
var ErrEmpty = errors.New("no recipients")

// Send sends one's own draft: its items are made in the background and are due after the account's undo window, at the job's own
// time or when the account's daytime begins, whichever is last. seen is the revision that was reviewed: ErrStale when the draft has
// another one. ErrQuota when its segments exceed this month's quota; ErrRepeated, unless anyway is set, when the same was sent
// earlier today; ErrChanged when it is no longer a draft; ErrApproval when a colleague must approve it.
func (s SMSJobs) Send(ctx context.Context, account dispatch.Account, id dispatch.JobID, seen string, by store.Actor, anyway bool) error {
	return In(s.Store).Jobs.changeJobDraft(ctx, account.ID, id, by, func(tx *sqlx.Tx, j dispatch.Job) error {
		fingerprint, err := s.readyJob(ctx, tx, j, seen, anyway)
		if err != nil {
			return err
		}
		if err := In(s.Store).reviews.mayGo(ctx, tx, account.ID, j.Sending(account.Prices)); err != nil {
			return err
		}
		return sendJob(ctx, tx, account, j, by, fingerprint)
	})
}

// readyJob makes sure that a locked draft can be sent as it was reviewed, and returns its fingerprint.
func (s SMSJobs) readyJob(ctx context.Context, tx *sqlx.Tx, j dispatch.Job, seen string, anyway bool) ([]byte, error) {
	if j.Revision != seen {
		return nil, store.ErrStale
	}
	if j.List.Recipients(j.Mode) == 0 {
		return nil, ErrEmpty
	}
	if err := errors.Join(mayReach(ctx, tx, j.ID, j.CreatedBy), mayReplace(ctx, tx, j)); err != nil {
		return nil, err
	}
	fingerprint, err := s.fingerprint(ctx, tx, j)
	if err != nil {
		return nil, err
	}
	before, err := sameToday(ctx, tx, j, fingerprint)
	return fingerprint, errors.Join(err, when(before.ID != "" && !anyway, ErrRepeated))
}

// sendJob starts a locked draft.
func sendJob(ctx context.Context, tx *sqlx.Tx, account dispatch.Account, j dispatch.Job, by store.Actor, fingerprint []byte) error {
	if err := checkJobQuota(ctx, tx, j); err != nil {
		return err
	}
	if err := spend(ctx, tx, account, by, account.Prices.SMS.Times(j.Segments).Ore); err != nil {
		return err
	}
	var now time.Time
	if err := tx.GetContext(ctx, &now, `SELECT now()`); err != nil {
		return err
	}
	n, after := j.List.Recipients(j.Mode), account.Planned(j.Timing, now).Sub(now)
	_, err := tx.ExecContext(ctx, `
		UPDATE jobs SET state = 'running', sent_at = now(), due_at = now() + $3 * interval '1 second', recipients = $4, fingerprint = $5, restored_at = NULL
		WHERE id = $1 AND account_id = $2`, j.ID, account.ID, after.Seconds(), n, fingerprint)
	if err != nil {
		return err
	}
	if err := markRepeats(ctx, tx, j); err != nil {
		return err
	}
	if err := dropSentList(ctx, tx, j.ID); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM unfinished_forms WHERE job_id = $1 AND account_id = $2`, j.ID, account.ID); err != nil {
		return err
	}
	return store.Record(ctx, tx, store.Audit{Actor: by.User, Account: account.ID, Action: "job.send", Object: string(j.ID),
		Details: map[string]any{"recipients": n, "mode": j.Mode}, Origin: by.Origin})
}

// markRepeats marks the rows of a fast job that share a phone number with an earlier row.
func markRepeats(ctx context.Context, tx *sqlx.Tx, j dispatch.Job) error {
	if j.Mode != dispatch.ModeFast {
		return nil
	}
	_, err := tx.ExecContext(ctx, `
		UPDATE job_rows r SET repeats = true
		FROM (SELECT position, row_number() OVER (PARTITION BY phone_hash ORDER BY position) AS nth
		      FROM job_rows WHERE job_id = $1 AND problem = '' AND phone_hash IS NOT NULL) o
		WHERE r.job_id = $1 AND r.position = o.position AND o.nth > 1`, j.ID)
	return err
}

// SameToday returns a job that has sent the same text to the same list today, if the viewer may know; zero: none.
func (s SMSJobs) SameToday(ctx context.Context, j dispatch.Job) (dispatch.SameJob, error) {
	fingerprint, err := s.fingerprint(ctx, s.DB, j)
	if err != nil {
		return dispatch.SameJob{}, err
	}
	return sameToday(ctx, s.DB, j, fingerprint)
}

// fingerprint is the keyed hash of a job's texts and the recipients of its list, in any order.
func (s SMSJobs) fingerprint(ctx context.Context, db sqlx.ExtContext, j dispatch.Job) ([]byte, error) {
	var list string
	err := sqlx.GetContext(ctx, db, &list, `
		SELECT coalesce(encode(sha256(string_agg(recipient_hash, ''::bytea ORDER BY recipient_hash)), 'hex'), '')
		FROM job_rows WHERE job_id = $1 AND problem = ''`, j.ID)
	if err != nil {
		return nil, err
	}
	text := j.Text
	if j.Both() {
		text += "\x00" + j.Nynorsk + "\x00" + string(j.Otherwise)
	}
	return s.Keys.Hash("job", list+"\x00"+text)
}

// tellsFrom is the smallest list whose repetition is revealed if the first job was a colleague's: with fewer recipients, guessing
// numbers would reveal whom a colleague has sent to.
const tellsFrom = 5

// sameToday returns the newest job with the same content today, the sender's own or a colleague's with enough recipients, that has reached
// somebody or may reach somebody: rows whose items are yet to be made may.
func sameToday(ctx context.Context, db sqlx.ExtContext, j dispatch.Job, fingerprint []byte) (same dispatch.SameJob, err error) {
	err = sqlx.GetContext(ctx, db, &same, `
		SELECT k.id, k.recipients AS all, n.reached
		FROM jobs k CROSS JOIN LATERAL (
		    SELECT count(*) + CASE WHEN k.made_at IS NULL AND k.state <> 'stopped' THEN k.recipients - k.made ELSE 0 END AS reached
		    FROM items it WHERE it.job_id = k.id AND it.account_id = $1 AND `+reaches+`) n
		WHERE k.account_id = $1 AND k.fingerprint = $2 AND (k.created_by = $3 OR k.recipients >= $4) AND n.reached > 0
		  AND k.sent_at >= date_trunc('day', now() AT TIME ZONE 'Europe/Oslo') AT TIME ZONE 'Europe/Oslo'
		ORDER BY k.sent_at DESC
		LIMIT 1`, j.AccountID, fingerprint, j.CreatedBy, tellsFrom)
	if errors.Is(err, sql.ErrNoRows) {
		return dispatch.SameJob{}, nil
	}
	return same, err
}
