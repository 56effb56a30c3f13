package items

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// Pause stops handing over a job's items until Resume; calls in progress are completed.
func (s Jobs) Pause(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, by store.Actor) error {
	return s.actOnJob(ctx, account, id, by, "pause", nil, func(tx *sqlx.Tx) (int64, error) {
		return store.Affected(tx.ExecContext(ctx, `UPDATE jobs SET state = 'paused', halted_by = $3, halted_at = now() WHERE id = $1 AND account_id = $2 AND state = 'running'`, id, account, store.Null(by.User)))
	})
}

// Resume resumes a paused job. That also confirms items past MaxWait.
func (s Jobs) Resume(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, by store.Actor) error {
	return s.actOnJob(ctx, account, id, by, "resume", nil, func(tx *sqlx.Tx) (int64, error) {
		n, err := store.Affected(tx.ExecContext(ctx, `UPDATE jobs SET state = 'running', halted_by = NULL, halted_at = NULL WHERE id = $1 AND account_id = $2 AND state = 'paused'`, id, account))
		if err != nil {
			return n, err
		}
		confirmed, err := store.Affected(tx.ExecContext(ctx, `
			UPDATE items SET due_at = now(), due_since = now()
			WHERE job_id = $1 AND account_id = $2 AND state = 'queued' AND due_since <= now() - max_wait()`, id, account))
		return n + confirmed, err
	})
}

// Reschedule changes the time of a scheduled job; ErrChanged when it is too late. Items with a time of their own
// keep it.
func (s Jobs) Reschedule(ctx context.Context, account dispatch.Account, id dispatch.JobID, t dispatch.Timing, by store.Actor) error {
	return s.actOnJob(ctx, account.ID, id, by, "reschedule", nil, func(tx *sqlx.Tx) (int64, error) {
		var row struct {
			Now  time.Time     `db:"now"` // read after the lock, which may have waited
			Due  time.Time     `db:"due_at"`
			Kind dispatch.Kind `db:"kind"`
		}
		err := tx.GetContext(ctx, &row, `
			SELECT clock_timestamp() AS now, due_at, kind FROM jobs
			WHERE id = $1 AND account_id = $2 AND state IN ('running', 'paused') AND due_at > clock_timestamp()`, id, account.ID)
		if errors.Is(err, sql.ErrNoRows) {
			return 0, nil
		}
		if err != nil {
			return 0, err
		}
		t := t
		t.Urgent = t.Urgent || row.Kind == dispatch.KindShipment // an account's daytime is for SMS
		due := account.Planned(t, row.Now)
		t.Urgent = t.Urgent && row.Kind == dispatch.KindSMS
		return 1, moveJob(ctx, tx, jobMove{account.ID, id, row.Due, due, t}, by)
	})
}

// jobMove is a job with its former and new due time, and the choice.
type jobMove struct {
	account  dispatch.AccountID
	id       dispatch.JobID
	from, to time.Time
	asked    dispatch.Timing
}

func moveJob(ctx context.Context, tx *sqlx.Tx, m jobMove, by store.Actor) error {
	_, err := tx.ExecContext(ctx, `UPDATE jobs SET due_at = $3, send_at = $4, urgent = $5 WHERE id = $1 AND account_id = $2`,
		m.id, m.account, m.to, store.NullTime(m.asked.SendAt), m.asked.Urgent)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `
		WITH moved AS (
			UPDATE items SET due_at = $4, due_since = $4
			WHERE job_id = $1 AND account_id = $2 AND state = 'queued' AND due_since = $3
			RETURNING id, account_id
		), noted AS (
			INSERT INTO events (item_id, account_id, kind, actor_id) SELECT id, account_id, 'rescheduled', $7::uuid FROM moved
		), shipments_moved AS (
			UPDATE shipments h SET send_at = $5 FROM moved WHERE h.item_id = moved.id AND h.account_id = moved.account_id
		)
		UPDATE sms m SET send_at = $5, urgent = $6 FROM moved WHERE m.item_id = moved.id AND m.account_id = moved.account_id`,
		m.id, m.account, m.from, m.to, store.NullTime(m.asked.SendAt), m.asked.Urgent, store.Null(by.User))
	return err
}

// Stop cancels the items that are not handed over; items that are not created yet are created as cancelled, or not
// at all if their creation has failed.
func (s Jobs) Stop(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, by store.Actor) error {
	return s.actOnJob(ctx, account, id, by, "stop", nil, func(tx *sqlx.Tx) (int64, error) {
		n, err := store.Affected(tx.ExecContext(ctx, `
			UPDATE jobs SET state = 'stopped', stopped_at = now(), halted_by = $3, halted_at = now(),
			    made_at = CASE WHEN EXISTS (SELECT FROM set_aside o WHERE o.queue = 'make' AND o.key = jobs.id::text) THEN coalesce(made_at, now()) ELSE made_at END
			WHERE id = $1 AND account_id = $2 AND state IN ('running', 'paused')`, id, account, store.Null(by.User)))
		if n == 0 || err != nil {
			return n, err
		}
		if _, err = tx.ExecContext(ctx, `DELETE FROM set_aside WHERE queue = 'make' AND key = $1`, id); err != nil {
			return n, err
		}
		_, err = tx.ExecContext(ctx, cancelOfJobs+` AND j.id = $2`+cancelledEvents, store.Null(by.User), id)
		return n, err
	})
}

// cancelOfJobs and cancelledEvents cancel the queued items of stopped jobs; $1 is the user.
const (
	cancelOfJobs = `
	WITH cancelled AS (
		UPDATE items it SET state = 'cancelled'
		FROM jobs j
		WHERE it.job_id = j.id AND it.account_id = j.account_id AND it.kind = j.kind AND it.state = 'queued' AND j.state = 'stopped'`
	cancelledEvents = `
		RETURNING it.id, it.account_id)
	INSERT INTO events (item_id, account_id, kind, actor_id) SELECT id, account_id, 'cancelled', $1::uuid FROM cancelled`
)

// Finish ends jobs that have nothing left to hand over. An item that is queued again after its job ended, since a
// late result proved it unsent, is cancelled if the job was stopped, and sent if it was done.
func (s Jobs) Finish(ctx context.Context) error {
	if _, err := s.Statements.Exec(ctx, cancelOfJobs+` AND j.stopped_at > now() - interval '2 days'`+cancelledEvents, nil); err != nil {
		return err
	}
	_, err := s.Statements.Exec(ctx, `
		UPDATE jobs j SET state = 'running', done_at = NULL
		WHERE j.state = 'done' AND j.done_at > now() - interval '2 days'
		  AND EXISTS (SELECT FROM items it WHERE it.account_id = j.account_id AND it.kind = j.kind AND it.job_id = j.id AND it.state = 'queued')`)
	if err != nil {
		return err
	}
	var ended bool
	if err := s.Get(ctx, &ended, `SELECT EXISTS (`+jobsAtEnd+`)`); err != nil || !ended {
		return err
	}
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		var ids []string
		// Locked first and checked after: sending an item again locks the job too.
		err := tx.SelectContext(ctx, &ids, jobsAtEnd+` FOR UPDATE SKIP LOCKED`)
		if err != nil || len(ids) == 0 {
			return err
		}
		_, err = tx.ExecContext(ctx, `
			UPDATE jobs j SET state = CASE WHEN j.stopped_at IS NULL THEN 'done' ELSE 'stopped' END, done_at = now()
			WHERE j.id = ANY($1::uuid[])
			  AND NOT EXISTS (SELECT FROM items it WHERE it.account_id = j.account_id AND it.kind = j.kind AND it.job_id = j.id AND it.state = 'queued')
			  AND NOT EXISTS (SELECT FROM items it WHERE it.job_id = j.id AND it.state = 'sending')`, pq.Array(ids))
		return err
	})
}

// jobsAtEnd are the jobs that have nothing queued and have not ended.
const jobsAtEnd = `
	SELECT j.id FROM jobs j WHERE j.state IN ('running', 'paused') AND j.made_at IS NOT NULL
	  AND NOT EXISTS (SELECT FROM items it WHERE it.account_id = j.account_id AND it.kind = j.kind AND it.job_id = j.id AND it.state = 'queued')`

// Resolve applies one decision to all uncertain SMS of a job and returns how many there were. Shipments are looked
// up, and decided on one by one.
func (s Jobs) Resolve(ctx context.Context, account dispatch.Account, id dispatch.JobID, d dispatch.Decision, by store.Actor) (int, error) {
	var decided []dispatch.ItemID
	details := map[string]any{"detail": d}
	err := s.actOnJob(ctx, account.ID, id, by, "resolve", details, func(tx *sqlx.Tx) (int64, error) {
		if d == dispatch.DecisionSendAgain {
			_, err := tx.ExecContext(ctx, `
				UPDATE jobs SET state = CASE WHEN state IN ('done', 'stopped') THEN 'running' ELSE state END, done_at = NULL
				WHERE id = $1 AND account_id = $2`, id, account.ID)
			if err != nil {
				return 0, err
			}
		}
		err := tx.SelectContext(ctx, &decided, `
			WITH decided AS (
				UPDATE items SET state = $3, accepted_at = CASE WHEN $3 = 'accepted' THEN `+callInDoubt+` END,
				    due_at = CASE WHEN $3 = 'queued' THEN now() + $4 * interval '1 second' ELSE due_at END,
				    due_since = CASE WHEN $3 = 'queued' THEN now() + $4 * interval '1 second' ELSE due_since END,
				    unavailable_count = 0, reason_key = '', reason_status = 0, reason_error_id = '', reason_at = NULL, stop_asked_by = NULL, stop_asked_at = NULL
				WHERE job_id = $1 AND account_id = $2 AND kind = 'sms' AND state = 'uncertain'
				RETURNING id, account_id
			), known AS (
				UPDATE attempts t SET resolution = $5, resolved_by = $6, resolved_at = now()
				FROM decided WHERE t.item_id = decided.id AND t.outcome = 'uncertain' AND t.resolution = ''
			), noted AS (
				INSERT INTO events (item_id, account_id, kind, actor_id, detail) SELECT id, account_id, 'resolved', $6::uuid, $7 FROM decided
			)
			SELECT id FROM decided`,
			id, account.ID, d.State(), account.UndoWindow.Seconds(), d.Resolution(), store.Null(by.User), string(d))
		details["total"] = len(decided)
		if err == nil && d == dispatch.DecisionSendAgain {
			err = countAgain(ctx, tx, account.ID, decided)
		}
		return int64(len(decided)), err
	})
	return len(decided), err
}

// actOnJob runs one change of a job's row with its line in the event log, whose details the change may add to. With no row changed the error is
// ErrNotFound or ErrChanged.
func (s Jobs) actOnJob(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, by store.Actor, verb string, details map[string]any, change func(tx *sqlx.Tx) (int64, error)) error {
	if !store.ValidID(id) {
		return store.ErrNotFound
	}
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		var state dispatch.JobState
		err := tx.GetContext(ctx, &state, `SELECT state FROM jobs WHERE id = $1 AND account_id = $2 FOR UPDATE`, id, account)
		if err != nil {
			return store.NotFound(err)
		}
		n, err := change(tx)
		switch {
		case err != nil:
			return err
		case n == 0:
			return store.ErrChanged
		}
		return store.Record(ctx, tx, store.Audit{Actor: by.User, Account: account, Action: "job." + verb, Object: string(id), Details: details, Origin: by.Origin})
	})
}

// missed is the SQL condition that an item it of a job reached nobody. Cancelled items count if the job was stopped; in other jobs
// somebody has cancelled only that item.
func missed(j dispatch.Job) string {
	groups := store.GroupClause(j.Kind, dispatch.JobNotSent) + ` OR ` + store.GroupClause(j.Kind, dispatch.JobNotDelivered)
	if j.State == dispatch.JobStopped {
		groups += ` OR ` + store.GroupClause(j.Kind, dispatch.JobCancelled)
	}
	return `(` + groups + `)`
}

// drafted is the condition on an item it that a draft of the user has a row in place of it, left out or not; %s is the user.
const drafted = `EXISTS (SELECT FROM job_rows l JOIN jobs k ON k.id = l.job_id
	WHERE l.replaces = it.id AND k.account_id = it.account_id AND k.state = 'draft' AND k.created_by = %s)`

// CountUnreached counts the items of a job that reached nobody, as Repeats.Again and Repeats.ShipmentsAgain see them.
func (s Jobs) CountUnreached(ctx context.Context, j dispatch.Job, user dispatch.UserID) (n dispatch.Unreached, err error) {
	err = s.DB.GetContext(ctx, &n, `
		SELECT count(*) FILTER (WHERE NOT replaced AND NOT drafted) AS "left", count(*) FILTER (WHERE NOT replaced AND NOT drafted AND doubted) AS doubted, count(*) FILTER (WHERE NOT replaced AND drafted) AS drafted,
		       count(*) FILTER (WHERE replaced) AS resent
		FROM (SELECT `+store.HasReplacement+` AS replaced, `+fmt.Sprintf(drafted, "$3")+` AS drafted, `+store.InDoubt+` AS doubted
		      FROM items it WHERE it.job_id = $1 AND it.account_id = $2 AND `+missed(j)+`) u`,
		j.ID, j.AccountID, user)
	return n, err
}
