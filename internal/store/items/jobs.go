package items

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

const jobTemplateColumns = `coalesce(j.template_id::text, '') AS template_id, coalesce(j.template_version, 0) AS template_version, j.template_form`

var selectJob = `
	SELECT coalesce((SELECT t.name FROM templates t WHERE t.id = j.template_id AND t.account_id = j.account_id), '') AS template_name,
	       j.id, j.kind, j.account_id, j.created_by, u.name AS creator, j.created_at, j.state, j.mode, j.content, j.hide_in_report, j.send_at, j.urgent, ` + jobTemplateColumns + `, j.found,
	       j.rows_read, j.rows_valid, j.rows_duplicate, j.rows_foreign, j.rows_phone, j.rows_unfit, j.rows_warned, j.parts,
	       j.sent_at, j.due_at, j.recipients, j.made, j.made_to, j.made_at, j.stopped_at, j.halted_at, coalesce((SELECT h.name FROM users h WHERE h.id = j.halted_by), '') AS halted_by, j.done_at, j.restored_at IS NOT NULL AS restored,
	       EXISTS (SELECT FROM items i WHERE i.job_id = j.id AND i.account_id = j.account_id AND i.state = 'uncertain') AS uncertain,
	       j.state IN ('done', 'stopped') AND j.content IS NULL AND j.pattern IS NULL AS purged, j.revision::text AS revision,
	       EXISTS (SELECT FROM list_chunks c WHERE c.job_id = j.id AND c.kept_at IS NOT NULL) AS received,
	       j.state = 'draft' AND EXISTS (SELECT FROM approvals p WHERE p.job_id = j.id AND p.state = 'waiting') AS waiting,
	       CASE WHEN j.state = 'draft' THEN ` + store.ReturnedBy("p.job_id = j.id") + ` ELSE '' END AS returned_by,
	       ` + store.ToUnreached + ` AS again, ` + store.RowsReplaced + ` AS replaced, ` + store.AllReplaced + ` AS all_replaced,
	       coalesce((SELECT i.job_id::text FROM items i WHERE i.account_id = j.account_id AND i.id = (SELECT r.replaces FROM job_rows r WHERE r.job_id = j.id ORDER BY r.position LIMIT 1)), '') AS former, ` + shipmentJobColumns + `
	FROM jobs j
	JOIN users u ON u.id = j.created_by`

// neverFilled is the condition that a job is a draft whose list is being received, or was and could not be read.
const neverFilled = `j.state = 'draft' AND j.content IS NULL`

// Create creates an empty draft. The form key is an idempotency key: a repeated form gets the same draft, or, once
// that has been sent, ErrChanged with its id.
func (s Jobs) Create(ctx context.Context, account dispatch.AccountID, by store.Actor, formKey string) (dispatch.JobID, error) {
	var id dispatch.JobID
	err := s.InTx(ctx, func(tx *sqlx.Tx) (err error) {
		id, _, err = createJob(ctx, tx, account, by, formKey)
		return err
	})
	return id, err
}

// createJob is Jobs.Create, and tells whether the job is new.
func createJob(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, by store.Actor, formKey string) (id dispatch.JobID, now bool, err error) {
	fresh, err := store.NewID()
	if err != nil {
		return "", false, err
	}
	var made struct {
		ID    dispatch.JobID    `db:"id"`
		State dispatch.JobState `db:"state"`
	}
	err = tx.GetContext(ctx, &made, `
		INSERT INTO jobs (id, account_id, created_by, form_key) VALUES ($1, $2, $3, $4)
		ON CONFLICT (account_id, created_by, form_key, kind) DO UPDATE SET form_key = excluded.form_key
		RETURNING id, state`, fresh, account, by.User, formKey)
	if err == nil && made.State != dispatch.JobDraft {
		err = store.ErrChanged
	}
	now = string(made.ID) == fresh
	if err == nil && now {
		err = store.RoomForList(ctx, tx, account, by.User)
	}
	return made.ID, now, err
}

// ByID returns one job of an account.
func (s Jobs) ByID(ctx context.Context, account dispatch.AccountID, id dispatch.JobID) (dispatch.Job, error) {
	if !store.ValidID(id) {
		return dispatch.Job{}, store.ErrNotFound
	}
	var row jobRow
	if err := s.Get(ctx, &row, selectJob+` WHERE j.id = $1 AND j.account_id = $2`, id, account); err != nil {
		return dispatch.Job{}, store.NotFound(err)
	}
	return s.openJob(row)
}

// JobCursor is a position in the list of jobs, newest first; its zero value is the start.
type JobCursor struct {
	At        time.Time
	ID        dispatch.JobID
	Including bool // its job too
}

// List returns a page of an account's jobs, newest first, and whether there are more. Colleagues' drafts are not
// among them, nor those that never had a list.
func (s Jobs) List(ctx context.Context, account dispatch.AccountID, viewer dispatch.UserID, after JobCursor, limit int) (jobs []dispatch.Job, more bool, err error) {
	query, arguments := selectJob+` WHERE j.account_id = $1 AND (j.state <> 'draft' OR j.created_by = $2) AND NOT (`+neverFilled+`)`, []any{account, viewer}
	if after.ID != "" {
		operator := "<"
		if after.Including {
			operator = "<="
		}
		query += ` AND (j.created_at, j.id) ` + operator + ` ($3, $4)`
		arguments = append(arguments, after.At, after.ID)
	}
	var rows []jobRow
	if err := s.Select(ctx, &rows, query+fmt.Sprintf(` ORDER BY j.created_at DESC, j.id DESC LIMIT %d`, limit+1), arguments...); err != nil {
		return nil, false, err
	}
	jobs, err = s.openJobs(rows[:min(len(rows), limit)])
	return jobs, len(rows) > limit, err
}

func (s Jobs) openJobs(rows []jobRow) ([]dispatch.Job, error) {
	jobs := make([]dispatch.Job, len(rows))
	for i, r := range rows {
		var err error
		if jobs[i], err = s.openJob(r); err != nil {
			return nil, fmt.Errorf("list jobs: %w", err)
		}
	}
	return jobs, nil
}

// LatestDraft returns a user's newest draft on an account; ErrNotFound without one.
func (s Jobs) LatestDraft(ctx context.Context, account dispatch.AccountID, user dispatch.UserID) (dispatch.JobID, error) {
	var id dispatch.JobID
	err := s.Get(ctx, &id, `
		SELECT id FROM jobs j
		WHERE account_id = $1 AND created_by = $2 AND `+store.DraftToMany+`
		ORDER BY created_at DESC, id DESC
		LIMIT 1`, account, user)
	return id, store.NotFound(err)
}

// Drafts returns a user's drafts of SMS to many on an account, newest first.
func (s Jobs) Drafts(ctx context.Context, account dispatch.AccountID, user dispatch.UserID) ([]dispatch.Job, error) {
	var rows []jobRow
	err := s.Select(ctx, &rows, selectJob+`
		WHERE j.account_id = $1 AND j.created_by = $2 AND `+store.DraftToMany+`
		ORDER BY j.created_at DESC, j.id DESC
		LIMIT 500`, account, user)
	if err != nil {
		return nil, err
	}
	return s.openJobs(rows)
}

// Counts counts the items of a job by group; those not created yet count as waiting.
func (s Jobs) Counts(ctx context.Context, account dispatch.AccountID, id dispatch.JobID) (dispatch.JobCounts, error) {
	all, err := s.CountsOf(ctx, account, []dispatch.JobID{id})
	return all[id], err
}

// CountsOf is Counts of several jobs of the account.
func (s Jobs) CountsOf(ctx context.Context, account dispatch.AccountID, ids []dispatch.JobID) (map[dispatch.JobID]dispatch.JobCounts, error) {
	all := map[dispatch.JobID]dispatch.JobCounts{}
	if len(ids) == 0 {
		return all, nil
	}
	for _, id := range ids {
		all[id] = dispatch.JobCounts{}
	}
	var rows []struct {
		Job     dispatch.JobID  `db:"id"`
		Kind    dispatch.Kind   `db:"kind"`
		State   dispatch.State  `db:"state"`
		Status  dispatch.Status `db:"status"`
		Tracked bool            `db:"tracked"`
		N       int             `db:"n"`
	}
	// One statement, so that created and not yet created items are counted at one moment. It reads only the index of
	// jobs' items.
	err := s.Select(ctx, &rows, `
		SELECT j.id, j.kind, it.state, it.status, it.upstream_id IS NOT NULL AS tracked, count(*) AS n
		FROM jobs j JOIN items it ON it.job_id = j.id
		WHERE j.id = ANY($1::uuid[]) AND j.account_id = $2
		GROUP BY 1, 2, 3, 4, 5
		UNION ALL
		SELECT id, kind, CASE WHEN stopped_at IS NULL THEN 'queued' ELSE 'cancelled' END, '', false, recipients - made
		FROM jobs WHERE id = ANY($1::uuid[]) AND account_id = $2 AND recipients > made`, pq.Array(ids), account)
	for _, r := range rows {
		all[r.Job][dispatch.JobGroupOf(r.Kind, r.State, r.Status, r.Tracked)] += r.N
	}
	return all, err
}

// Discard deletes one's own draft with its list; ErrChanged when it is no longer a draft.
func (s Jobs) Discard(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, by store.Actor) error {
	return s.changeJobDraft(ctx, account, id, by, func(tx *sqlx.Tx, _ dispatch.Job) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM jobs WHERE id = $1 AND account_id = $2`, id, account); err != nil {
			return err
		}
		return store.Record(ctx, tx, store.Audit{Actor: by.User, Account: account, Action: "job.discard", Object: string(id), Origin: by.Origin})
	})
}

// changeJobDraft changes one's own draft while it is locked. ErrNotFound when it is not the actor's, ErrChanged when it is no
// longer a draft, ErrWaiting when it awaits approval.
func (s Jobs) changeJobDraft(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, by store.Actor, change func(tx *sqlx.Tx, j dispatch.Job) error) error {
	if !store.ValidID(id) {
		return store.ErrNotFound
	}
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		var row jobRow
		err := tx.GetContext(ctx, &row, selectJob+` WHERE j.id = $1 AND j.account_id = $2 AND j.created_by = $3 FOR UPDATE OF j`, id, account, by.User)
		if err != nil {
			return store.NotFound(err)
		}
		if row.State != dispatch.JobDraft {
			return store.ErrChanged
		}
		if err := notWaiting(ctx, tx, jobWaitsForApproval, id); err != nil {
			return err
		}
		j, err := s.openJob(row)
		if err != nil {
			return err
		}
		return change(tx, j)
	})
}

const shipmentJobColumns = `j.rows_left_out, coalesce(j.draft_id::text, '') AS draft_id,
	coalesce((SELECT h.title FROM shipments h WHERE h.item_id = j.draft_id AND h.account_id = j.account_id), '') AS draft_title, j.looked, coalesce(j.split_document::text, '') AS split_document,
	j.split_pages, j.split_parts, j.split_kept, j.split_by, j.split_mark, j.split_left`

// saveColumns stores which columns of a locked draft's list are about each row's slice.
func (s Jobs) saveColumns(ctx context.Context, tx *sqlx.Tx, j dispatch.Job) error {
	content, err := s.sealJob(j.ID, contentOf(j))
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE jobs SET content = $3, looked = '' WHERE id = $1 AND account_id = $2`, j.ID, j.AccountID, content)
	return err
}
