package items

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// answered joins rows with the contact register's answer about their recipient. An answer about a former recipient of the row is
// ignored.
// the row no longer has is none.
const answered = ` LEFT JOIN row_contacts a ON a.job_id = r.job_id AND a.position = r.position AND a.recipient_hash = r.recipient_hash`

// byPhones tells whether the row's job is sent to the phone numbers of its list.
const byPhones = `EXISTS (SELECT FROM jobs m WHERE m.id = r.job_id AND m.kind = 'sms' AND m.mode = 'fast')`

// rowReplaced is the condition on a row r that its recipient, whom an earlier job did not reach, was sent the same meanwhile.
var rowReplaced = `(r.replaces IS NOT NULL AND EXISTS (SELECT FROM items it JOIN jobs m ON m.account_id = it.account_id WHERE m.id = r.job_id AND it.id = r.replaces AND ` + store.ReplacedMeanwhile + `))`

// byNumber selects valid rows that are not sent to a phone number of the list, and need not be left out.
var byNumber = ` AND r.problem = '' AND NOT r.unfit AND r.recipient_hash IS DISTINCT FROM r.phone_hash AND NOT ` + byPhones + ` AND NOT ` + rowReplaced

// RowsUnasked are rows that the contact register can be asked about and has not answered yet.
var RowsUnasked = RowChoice(byNumber + ` AND NOT EXISTS (
	SELECT FROM row_contacts a WHERE a.job_id = r.job_id AND a.position = r.position AND a.recipient_hash = r.recipient_hash)`)

// ContactForecast counts the rows of a job's list by the contact register's answer.
func (s Rows) ContactForecast(ctx context.Context, account dispatch.AccountID, id dispatch.JobID) (dispatch.ContactForecast, error) {
	return contactForecast(ctx, s.DB, account, id)
}

func contactForecast(ctx context.Context, q sqlx.QueryerContext, account dispatch.AccountID, id dispatch.JobID) (f dispatch.ContactForecast, err error) {
	if !store.ValidID(id) {
		return f, store.ErrNotFound
	}
	var rows []struct {
		Answer dispatch.LookupGroup `db:"answer"`
		What   string               `db:"what"`
		N      int                  `db:"n"`
		Until  *time.Time           `db:"until"`
	}
	err = sqlx.SelectContext(ctx, q, &rows, `
		SELECT coalesce(a.answer, '') AS answer, count(*) AS n, max(a.asked_at) AS until,
		       CASE WHEN r.problem <> '' AND `+rowReplaced+` THEN 'staying' WHEN r.problem <> '' AND `+returning+` THEN 'returning' WHEN r.problem <> '' THEN 'left_out' WHEN `+rowReplaced+` THEN 'replaced' WHEN r.unfit THEN 'unfit'
		            WHEN r.recipient_hash = r.phone_hash OR r.phone_hash IS NOT NULL AND `+byPhones+` THEN 'by_phone'
		            WHEN `+byPhones+` THEN 'phoneless' ELSE '' END AS what
		FROM job_rows r`+answered+`
		WHERE r.job_id = (SELECT id FROM jobs WHERE id = $1 AND account_id = $2) AND r.problem IN ('', $3)
		GROUP BY 1, 4`, id, account, dispatch.ProblemLeftOut)
	for _, r := range rows {
		switch r.What {
		case "returning":
			f.LeftOut, f.Returning = f.LeftOut+r.N, f.Returning+r.N
		case "staying":
			f.LeftOut, f.Staying = f.LeftOut+r.N, f.Staying+r.N
		case "left_out":
			f.LeftOut += r.N
		case "replaced":
			f.Replaced += r.N
		case "unfit":
			f.Unfit += r.N
		case "by_phone":
			f.ByPhone += r.N
		case "phoneless":
			f.Phoneless += r.N
		default:
			f.Add(r.Answer, r.N)
		}
		if r.Until != nil && r.Until.After(f.At) {
			f.At = *r.Until
		}
	}
	return f, err
}

// KeepContacts stores the contact register's answers about rows of one's own draft. An answer is dropped if the row has another
// recipient by now. It returns how many rows have an answer.
func (s Rows) KeepContacts(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, by store.Actor, rows []dispatch.JobRow, of func(dispatch.JobRow) dispatch.LookupGroup) (n int, err error) {
	var positions []int64
	var hashes [][]byte
	var answers []string
	for _, r := range rows {
		g := of(r)
		if g == "" || g == dispatch.GroupUnanswered {
			continue
		}
		hash, _, err := s.hashRow(r)
		if err != nil {
			return 0, err
		}
		positions, hashes, answers = append(positions, int64(r.Position)), append(hashes, hash), append(answers, string(g))
	}
	err = In(s.Store).Jobs.changeJobDraft(ctx, account, id, by, func(tx *sqlx.Tx, _ dispatch.Job) error {
		kept, err := store.Affected(tx.ExecContext(ctx, `
			INSERT INTO row_contacts (job_id, position, recipient_hash, answer)
			SELECT r.job_id, r.position, u.hash, u.answer
			FROM unnest($2::integer[], $3::bytea[], $4::text[]) AS u (position, hash, answer)
			JOIN job_rows r ON r.job_id = $1 AND r.position = u.position AND r.recipient_hash = u.hash
			ON CONFLICT (job_id, position) DO UPDATE SET recipient_hash = excluded.recipient_hash, answer = excluded.answer, asked_at = excluded.asked_at`,
			id, pq.Array(positions), pq.ByteaArray(hashes), pq.Array(answers)))
		n = int(kept)
		return err
	})
	return n, err
}

// Rest are the recipients of an SMS job whom no SMS reaches, as the user saw them counted.
type Rest struct {
	Unclear bool   // includes recipients without an answer
	N       int    // as counted
	Seen    string // revision of the job, as counted
}

// where selects the rows.
func (r Rest) where() string {
	if r.Unclear {
		return byNumber + ` AND a.answer IS DISTINCT FROM 'valid'`
	}
	return byNumber + ` AND a.answer IN ('invalid', 'not_found')`
}

// restOf returns the positions of the rest of a locked job; ErrStale when their number has changed.
func restOf(ctx context.Context, tx *sqlx.Tx, j dispatch.Job, rest Rest) (positions []int64, err error) {
	if j.Shipments() {
		return nil, store.ErrNotFound
	}
	err = tx.SelectContext(ctx, &positions, `SELECT r.position FROM job_rows r`+answered+` WHERE r.job_id = $1`+rest.where()+` ORDER BY r.position`, j.ID)
	if err == nil && (len(positions) != rest.N || j.Revision != rest.Seen) {
		err = store.ErrStale
	}
	return positions, err
}

// LeaveOutRest marks the rest as left out. They stay in the list.
func (s Rows) LeaveOutRest(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, by store.Actor, rest Rest) error {
	return In(s.Store).Jobs.changeJobDraft(ctx, account, id, by, func(tx *sqlx.Tx, j dispatch.Job) error {
		positions, err := restOf(ctx, tx, j, rest)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE job_rows SET problem = $2, unfit = false WHERE job_id = $1 AND position = ANY($3)`, j.ID, dispatch.ProblemLeftOut, pq.Array(positions)); err != nil {
			return err
		}
		return rowsChanged(ctx, tx, j)
	})
}

// returning is the condition that TakeInLeftOut takes in a row r, which is left out: no row with the same recipient is sent to or
// comes before it, and the recipient of a draft to those not reached was not sent the same meanwhile.
var returning = `NOT EXISTS (SELECT FROM job_rows o WHERE o.job_id = r.job_id AND o.recipient_hash = r.recipient_hash
	    AND (o.problem = '' OR o.problem = r.problem AND o.position < r.position))
	AND NOT ` + rowReplaced

// TakeInLeftOut puts the left out rows that meet returning back into one's own SMS job, and returns how many.
func (s Rows) TakeInLeftOut(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, by store.Actor) (n int64, err error) {
	err = In(s.Store).Jobs.changeJobDraft(ctx, account, id, by, func(tx *sqlx.Tx, j dispatch.Job) error {
		if j.Shipments() {
			return store.ErrNotFound
		}
		n, err = store.Affected(tx.ExecContext(ctx, `
			UPDATE job_rows r SET problem = '' WHERE r.job_id = $1 AND r.problem = $2 AND `+returning, j.ID, dispatch.ProblemLeftOut))
		if err != nil {
			return err
		}
		return countRows(ctx, tx, j.ID)
	})
	return n, err
}

// RestShipment is the draft of a shipment to the rest of an SMS job.
type RestShipment struct {
	Key    string // form key (idempotency key)
	Fields dispatch.DraftFields
	Row    func(dispatch.JobRow) dispatch.JobRow // converts a row of an SMS job to one of a shipment

	Reading func() dispatch.ListReading // of the converted rows
}

// ErrTooMany: the list exceeds the limit for lists of shipments.
var ErrTooMany = errors.New("too many rows for a list of shipments")

// ShipmentToRest moves the rest of one's own SMS job to the list of a new draft of a shipment, in one transaction, so that nobody is
// in both or in neither. A repeated form gets the same draft.
func (s Rows) ShipmentToRest(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, by store.Actor, rest Rest, form RestShipment) (made dispatch.ItemID, err error) {
	err = In(s.Store).Jobs.changeJobDraft(ctx, account, id, by, func(tx *sqlx.Tx, j dispatch.Job) error {
		err := tx.GetContext(ctx, &made, `SELECT id FROM items WHERE account_id = $1 AND created_by = $2 AND form_key = $3 AND kind = 'shipment' AND job_id IS NULL`, account, by.User, form.Key)
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		positions, err := restOf(ctx, tx, j, rest)
		switch {
		case err != nil:
			return err
		case len(positions) == 0:
			return ErrEmpty
		case len(positions) > dispatch.ShipmentRowsMax:
			return ErrTooMany
		}
		rows, err := s.takeRows(ctx, tx, j, positions)
		if err != nil {
			return err
		}
		for i := range rows {
			rows[i] = form.Row(rows[i])
		}
		made, err = s.restDraft(ctx, tx, j, by, form, rows)
		if err != nil {
			return err
		}
		return store.Record(ctx, tx, store.Audit{Actor: by.User, Account: account, Action: "job.letters", Object: string(j.ID),
			Details: map[string]any{"recipients": len(rows), "made": made}, Origin: by.Origin})
	})
	return made, err
}

// takeRows removes rows from a locked job and returns them. The received list is deleted too: reading it again would bring them
// back.
func (s Rows) takeRows(ctx context.Context, tx *sqlx.Tx, j dispatch.Job, positions []int64) ([]dispatch.JobRow, error) {
	var list []listRow
	err := tx.SelectContext(ctx, &list, `
		WITH taken AS (DELETE FROM job_rows r WHERE r.job_id = $1 AND r.position = ANY($2) RETURNING `+listColumns+`)
		SELECT * FROM taken ORDER BY position`, j.ID, pq.Array(positions))
	if err != nil {
		return nil, err
	}
	rows, err := s.openRows(j.ID, list)
	if err != nil {
		return nil, err
	}
	for _, statement := range []string{`DELETE FROM list_chunks WHERE job_id = $1`, `DELETE FROM row_contacts a WHERE a.job_id = $1 AND NOT EXISTS (SELECT FROM job_rows r WHERE r.job_id = $1 AND r.position = a.position)`} {
		if _, err := tx.ExecContext(ctx, statement, j.ID); err != nil {
			return nil, err
		}
	}
	return rows, countRows(ctx, tx, j.ID)
}

// restDraft creates a draft of a shipment with a list.
func (s Rows) restDraft(ctx context.Context, tx *sqlx.Tx, from dispatch.Job, by store.Actor, form RestShipment, rows []dispatch.JobRow) (dispatch.ItemID, error) {
	fresh, err := store.NewID()
	if err != nil {
		return "", err
	}
	draft := newShipment{id: dispatch.ItemID(fresh), key: form.Key}
	if draft.fields, err = s.sealFields(form.Fields, store.FormPlace(draft.id)); err != nil {
		return "", err
	}
	if err := insertShipment(ctx, tx, from.AccountID, by, draft); err != nil {
		return "", err
	}
	list, err := store.NewID()
	if err != nil {
		return "", err
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO jobs (id, account_id, created_by, form_key, kind, draft_id) VALUES ($1, $2, $3, $4, 'shipment', $4)`, list, from.AccountID, by.User, draft.id); err != nil {
		return "", err
	}
	_, err = s.fillJob(ctx, tx, dispatch.Job{ID: dispatch.JobID(list), AccountID: from.AccountID, Kind: dispatch.KindShipment}, List{Columns: from.Columns, Reading: form.Reading, Rows: func(do func(dispatch.JobRow) error) error {
		for _, r := range rows {
			if err := do(r); err != nil {
				return err
			}
		}
		return nil
	}})
	return draft.id, err
}
