package items

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	"golang.org/x/sync/errgroup"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// List is a list of recipients being read: Rows calls do with each row, and Columns names the personal columns.
type List struct {
	Rows    func(do func(dispatch.JobRow) error) error
	Columns []string
	Found   bool // phone numbers come from the contact register
	Again   bool // it is read again from the received file, which must still be there

	Former dispatch.JobID // job whose unreached recipients the rows are; ErrEmpty when another draft of the user has some of them

	Reading func() dispatch.ListReading // how the list was read, called after all rows; nil: no file
}

func (l List) reading() dispatch.ListReading {
	if l.Reading == nil {
		return dispatch.ListReading{}
	}
	return l.Reading()
}

// Fill replaces the list of one's own draft. On any failure the former list stays. Memory does not grow with the
// rows.
func (s Rows) Fill(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, by store.Actor, list List) (dispatch.JobList, error) {
	var n dispatch.JobList
	err := In(s.Store).Jobs.changeJobDraft(ctx, account, id, by, func(tx *sqlx.Tx, j dispatch.Job) error {
		if list.Again {
			if err := stillReceived(ctx, tx, id); err != nil {
				return err
			}
		}
		var err error
		n, err = s.fillJob(ctx, tx, j, list)
		return err
	})
	return n, err
}

// stillReceived makes sure that a locked draft still has its received list. The list is deleted when rows become letters: reading
// it again would bring them back, and they would get both.
func stillReceived(ctx context.Context, tx *sqlx.Tx, id dispatch.JobID) error {
	var there bool
	err := tx.GetContext(ctx, &there, `SELECT EXISTS (SELECT FROM list_chunks WHERE job_id = $1 AND kept_at IS NOT NULL)`, id)
	return errors.Join(err, when(!there, store.ErrNotFound))
}

// fillJob replaces the list of a locked draft.
func (s Rows) fillJob(ctx context.Context, tx *sqlx.Tx, j dispatch.Job, list List) (n dispatch.JobList, err error) {
	if _, err := tx.ExecContext(ctx, `DELETE FROM job_rows WHERE job_id = $1`, j.ID); err != nil {
		return n, err
	}
	if n, err = s.copyRows(ctx, tx, j.ID, list.Rows); err != nil {
		return n, err
	}
	if err := errors.Join(dropMatched(ctx, tx, j), unassignFiles(ctx, tx, j), sharesNobody(ctx, tx, j, list.Former)); err != nil {
		return n, err
	}
	content, err := s.sealJob(j.ID, jobContent{Text: j.Text, SecondText: j.SecondText, Columns: list.Columns, Reading: list.reading(), Column: j.Division.Column, Giro: j.Division.Giro})
	if err != nil {
		return n, err
	}
	_, err = tx.ExecContext(ctx, `
		UPDATE jobs SET content = $3, rows_read = $4, rows_valid = $5, rows_duplicate = $6, rows_foreign = $7, rows_phone = $8, rows_unfit = 0, parts = 0, found = $9, rows_warned = $10,
		    rows_left_out = 0, looked = ''
		WHERE id = $1 AND account_id = $2`, j.ID, j.AccountID, content, n.Read, n.Valid, n.Duplicate, n.Foreign, n.Phone, list.Found, n.Warned)
	return n, err
}

// rowsAtOnce is how many rows are written together while the next ones are read and sealed.
const rowsAtOnce = 256

// copyRows stores rows with COPY and counts them.
func (s Rows) copyRows(ctx context.Context, tx *sqlx.Tx, id dispatch.JobID, rows func(func(dispatch.JobRow) error) error) (n dispatch.JobList, err error) {
	in, err := tx.PrepareContext(ctx, copyInto("job_rows", "job_id", "position", "content", "recipient_hash", "phone_hash", "number_hash", "foreign_number", "problem", "warned", "replaces"))
	if err != nil {
		return n, err
	}
	defer in.Close() // after the last row its error tells nothing
	writing, going := errgroup.WithContext(ctx)
	writing.SetLimit(1)
	phones := map[[16]byte]struct{}{}
	var batch []sealedRow
	write := func() {
		ready := batch
		batch = make([]sealedRow, 0, rowsAtOnce)
		writing.Go(func() error { return copyBatch(going, in, id, ready) })
	}
	err = rows(func(r dispatch.JobRow) error {
		sealed, err := s.sealRow(id, r)
		if err != nil {
			return err
		}
		count(&n, r, sealed)
		if r.Problem.Key == "" && sealed.phone != nil {
			phones[[16]byte(sealed.phone)] = struct{}{}
		}
		if batch = append(batch, sealed); len(batch) == rowsAtOnce {
			write()
		}
		return context.Cause(going)
	})
	if err == nil {
		write()
	}
	if failed := writing.Wait(); err == nil {
		err = failed
	}
	if err != nil {
		return n, err
	}
	n.Phone = len(phones)
	_, err = in.ExecContext(ctx)
	return n, err
}

// copyBatch passes rows to COPY.
func copyBatch(ctx context.Context, in *sql.Stmt, id dispatch.JobID, batch []sealedRow) error {
	for _, r := range batch {
		_, err := in.ExecContext(ctx, string(id), r.position, r.content, store.NullBytes(r.recipient), store.NullBytes(r.phone), store.NullBytes(r.number), r.foreign, r.problem, r.warned, store.Null(r.replaces))
		if err != nil {
			return err
		}
	}
	return nil
}

func count(n *dispatch.JobList, r dispatch.JobRow, sealed sealedRow) {
	n.Read++
	switch {
	case r.Problem.Key == dispatch.ProblemDuplicate:
		n.Duplicate++
	case r.Problem.Key == "":
		n.Valid++
		if sealed.foreign {
			n.Foreign++
		}
		if sealed.warned {
			n.Warned++
		}
	}
}

// RowChoice selects rows of a list.
type RowChoice string

// The choices.
const (
	RowsAll       RowChoice = ``
	RowsValid     RowChoice = ` AND r.problem = ''`
	RowsFit       RowChoice = ` AND r.problem = '' AND NOT r.unfit`
	RowsWithPhone RowChoice = ` AND r.problem = '' AND r.phone_hash IS NOT NULL`
	RowsWarned    RowChoice = ` AND r.problem = '' AND r.warned`
	RowsFaulty    RowChoice = ` AND (r.problem <> '' OR r.unfit)`                                          // not sent
	RowsWrong     RowChoice = ` AND (r.problem NOT IN ('', '` + dispatch.ProblemLeftOut + `') OR r.unfit)` // to be corrected
)

// Read returns rows of a job's list after a position, in order, and whether there are more.
func (s Rows) Read(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, which RowChoice, after, limit int) (rows []dispatch.JobRow, more bool, err error) {
	if !store.ValidID(id) {
		return nil, false, store.ErrNotFound
	}
	var list []listRow
	read := s.Select
	if which == RowsUnasked {
		// Not prepared: a plan made while there are no answers reads all of them for each row once there are many.
		read = s.DB.SelectContext
	}
	err = read(ctx, &list, `
		SELECT `+listColumns+` FROM job_rows r
		WHERE r.job_id = (SELECT id FROM jobs WHERE id = $1 AND account_id = $2) AND r.position > $3`+string(which)+`
		ORDER BY r.position
		LIMIT $4`, id, account, after, limit+1)
	if err != nil {
		return nil, false, err
	}
	for _, r := range list[:min(len(list), limit)] {
		row, err := s.openRow(id, r)
		if err != nil {
			return nil, false, fmt.Errorf("read a list: %w", err)
		}
		rows = append(rows, row)
	}
	return rows, len(list) > limit, nil
}

// Each iterates over the rows of a job's list, in batches.
func (s Rows) Each(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, which RowChoice) iter.Seq2[dispatch.JobRow, error] {
	return func(yield func(dispatch.JobRow, error) bool) {
		for after, more := -1, true; more; {
			var rows []dispatch.JobRow
			var err error
			rows, more, err = s.Read(ctx, account, id, which, after, 1000)
			if err != nil {
				yield(dispatch.JobRow{}, err)
				return
			}
			for _, r := range rows {
				if !yield(r, nil) {
					return
				}
				after = r.Position
			}
		}
	}
}

// Fix replaces rows of one's own draft by corrected ones, in their order, and recounts. A row whose recipient another
// valid row has by then becomes a duplicate.
func (s Rows) Fix(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, by store.Actor, rows ...dispatch.JobRow) error {
	return In(s.Store).Jobs.changeJobDraft(ctx, account, id, by, func(tx *sqlx.Tx, j dispatch.Job) error {
		for _, r := range rows {
			if err := s.fixRow(ctx, tx, id, r); err != nil {
				return err
			}
		}
		return rowsChanged(ctx, tx, j)
	})
}

// rowsChanged recounts a list whose rows a person has changed. The list of drafts tells when a shipment was changed.
func rowsChanged(ctx context.Context, tx *sqlx.Tx, j dispatch.Job) error {
	if j.Draft != "" {
		if _, err := tx.ExecContext(ctx, `UPDATE shipments SET changed_at = now() WHERE item_id = $1 AND account_id = $2`, j.Draft, j.AccountID); err != nil {
			return err
		}
	}
	return countRows(ctx, tx, j.ID)
}

func (s Rows) fixRow(ctx context.Context, tx *sqlx.Tx, id dispatch.JobID, r dispatch.JobRow) error {
	sealed, err := s.sealRow(id, r)
	if err != nil {
		return err
	}
	if r.Problem.Key == "" && r.Shipment == nil {
		if r, err = duplicateOf(ctx, tx, id, r, sealed.recipient); err != nil {
			return err
		}
		if sealed, err = s.sealRow(id, r); err != nil {
			return err
		}
	}
	n, err := store.Affected(tx.ExecContext(ctx, `
		UPDATE job_rows SET content = $3, recipient_hash = $4, phone_hash = $5, foreign_number = $6, problem = $7, unfit = false, warned = $8, number_hash = $9
		WHERE job_id = $1 AND position = $2`,
		id, r.Position, sealed.content, store.NullBytes(sealed.recipient), store.NullBytes(sealed.phone), sealed.foreign, r.Problem.Key, sealed.warned, store.NullBytes(sealed.number)))
	if err == nil && n == 0 {
		return store.ErrNotFound
	}
	return err
}

// duplicateOf marks a row whose recipient another valid row has.
func duplicateOf(ctx context.Context, tx *sqlx.Tx, id dispatch.JobID, r dispatch.JobRow, hash []byte) (dispatch.JobRow, error) {
	first := 0
	err := tx.GetContext(ctx, &first, `
		SELECT coalesce(min(position), 0) FROM job_rows WHERE job_id = $1 AND recipient_hash = $2 AND problem = '' AND position <> $3`, id, hash, r.Position)
	if first != 0 {
		r.Problem = dispatch.Problem{Field: dispatch.FieldRecipient, Key: dispatch.ProblemDuplicate, Args: dispatch.Args{"N": first}}
	}
	return r, err
}

// countRows recounts a list after a change of rows. The text must be reviewed again.
func countRows(ctx context.Context, tx *sqlx.Tx, id dispatch.JobID) error {
	_, err := tx.ExecContext(ctx, `
		UPDATE jobs j SET rows_read = n.all, rows_valid = n.valid, rows_duplicate = n.duplicate, rows_foreign = n.foreign_number, rows_phone = n.phone,
		       rows_unfit = n.unfit, rows_warned = n.warned, rows_left_out = n.left_out, parts = 0, looked = ''
		FROM (SELECT count(*) AS all, count(*) FILTER (WHERE problem = '') AS valid, count(*) FILTER (WHERE problem = $2) AS duplicate,
		             count(*) FILTER (WHERE problem = '' AND foreign_number) AS foreign_number,
		             count(DISTINCT phone_hash) FILTER (WHERE problem = '') AS phone, count(*) FILTER (WHERE problem = '' AND unfit) AS unfit,
		             count(*) FILTER (WHERE problem = '' AND warned) AS warned, count(*) FILTER (WHERE problem = $3) AS left_out
		      FROM job_rows WHERE job_id = $1) n
		WHERE j.id = $1`, id, dispatch.ProblemDuplicate, dispatch.ProblemLeftOut)
	return err
}

// JobText is the text of a job with the results of checking every row.
type JobText struct {
	Text string
	dispatch.SecondText
	Mode dispatch.JobMode
	Hide bool
	dispatch.Timing
	Template dispatch.TemplateUse

	Seen     string // revision of the draft for which the text was written; empty: any
	Typed    bool   // posted by a user, not read from the draft
	Saved    int    // autosaved version that the posted form knows; if Typed
	Segments int    // of all messages
	Forms    dispatch.FormCounts
	Unfit    []int // positions of rows without a valid message
}

// SaveText stores the text of one's own draft. ErrStale when the draft has changed since the revision seen; a TypedError when
// another tab has autosaved since the version that the form knows.
func (s Rows) SaveText(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, by store.Actor, t JobText) error {
	return In(s.Store).Jobs.changeJobDraft(ctx, account, id, by, func(tx *sqlx.Tx, j dispatch.Job) error {
		if t.Seen != "" && t.Seen != j.Revision {
			return store.ErrStale
		}
		if t.Typed {
			if err := dropUnfinished(ctx, tx, account, by.User, string(id), t.Saved); err != nil {
				return err
			}
		}
		return s.saveJobText(ctx, tx, j, t)
	})
}

// saveJobText stores the text of a locked draft.
func (s Rows) saveJobText(ctx context.Context, tx *sqlx.Tx, j dispatch.Job, t JobText) error {
	content, err := s.sealJob(j.ID, jobContent{Text: t.Text, SecondText: t.SecondText, Forms: t.Forms, Columns: j.Columns, Reading: j.Reading})
	if err != nil {
		return err
	}
	for _, change := range []struct {
		query string
		args  []any
	}{
		{`UPDATE job_rows SET unfit = false WHERE job_id = $1 AND unfit AND position <> ALL($2::integer[])`, []any{j.ID, pq.Array(append([]int{}, t.Unfit...))}},
		{`UPDATE job_rows SET unfit = true WHERE job_id = $1 AND NOT unfit AND position = ANY($2::integer[])`, []any{j.ID, pq.Array(t.Unfit)}},
		{`UPDATE jobs SET content = $3, mode = $4, hide_in_report = $5, send_at = $6, urgent = $7,
			template_id = $8, template_version = nullif($9::integer, 0), template_form = $10 WHERE id = $1 AND account_id = $2`,
			[]any{j.ID, j.AccountID, content, t.Mode, t.Hide, store.NullTime(t.SendAt), t.Urgent, store.Null(t.Template.ID), t.Template.Version, t.Template.Form}},
	} {
		if _, err := tx.ExecContext(ctx, change.query, change.args...); err != nil {
			return err
		}
	}
	if err := countRows(ctx, tx, j.ID); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE jobs SET parts = $2 WHERE id = $1`, j.ID, t.Segments)
	return err
}

// Undigital counts the rows of a list of shipments that were found to have no number when the shipment was digital only.
func (s Rows) Undigital(ctx context.Context, account dispatch.AccountID, id dispatch.JobID) (n int, err error) {
	err = s.DB.GetContext(ctx, &n, `SELECT count(*) FROM job_rows r JOIN jobs j ON j.id = r.job_id
		WHERE j.id = $1 AND j.account_id = $2 AND r.problem = $3`, id, account, dispatch.ProblemUndigital)
	return n, err
}

// Numbered counts the valid rows of a list of shipments that have the number of a person or an organisation.
func (s Rows) Numbered(ctx context.Context, account dispatch.AccountID, id dispatch.JobID) (n int, err error) {
	err = s.DB.GetContext(ctx, &n, `SELECT count(*) FROM job_rows r JOIN jobs j ON j.id = r.job_id
		WHERE j.id = $1 AND j.account_id = $2 AND r.problem = '' AND r.number_hash IS NOT NULL`, id, account)
	return n, err
}

func (s Rows) writeRow(ctx context.Context, tx *sqlx.Tx, id dispatch.JobID, r dispatch.JobRow) error {
	sealed, err := s.sealRow(id, r)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE job_rows SET content = $3, problem = $4, warned = $5 WHERE job_id = $1 AND position = $2`,
		id, r.Position, sealed.content, r.Problem.Key, sealed.warned)
	return err
}

// Unreached returns rows of a draft to those whom an earlier job did not reach, after a position, in order, and whether there are more.
func (s Rows) Unreached(ctx context.Context, account dispatch.AccountID, draft dispatch.JobID, which RowChoice, after, limit int) (list []UnreachedRow, more bool, err error) {
	rows, more, err := s.Read(ctx, account, draft, which, after, limit)
	if err != nil {
		return nil, false, err
	}
	var ids []string
	for _, r := range rows {
		ids = append(ids, string(r.Replaces))
	}
	var found []struct {
		store.ItemRow
		Replaced bool   `db:"replaced"`
		Second   bool   `db:"second"`
		ByPhone  bool   `db:"by_phone"`
		Sealed   []byte `db:"recipient"`
	}
	err = s.DB.SelectContext(ctx, &found, `
		SELECT `+store.ItemColumns+`, `+store.ReplacedMeanwhile+` AS replaced, `+store.HasReplacement+` AS second, coalesce(m.by_phone, false) AS by_phone, m.recipient
		FROM items it`+store.ItemJoins+` LEFT JOIN sms m ON m.item_id = it.id
		WHERE it.account_id = $1 AND it.id IN (SELECT nullif(x, '')::uuid FROM unnest($2::text[]) x)`, account, pq.Array(ids))
	if err != nil {
		return nil, false, err
	}
	of := map[dispatch.ItemID]int{}
	for i, r := range found {
		of[r.ID] = i
	}
	for _, r := range rows {
		row := UnreachedRow{JobRow: r}
		if i, ok := of[r.Replaces]; ok {
			row.Item, row.Replaced, row.Second = found[i].Domain(), found[i].Replaced, found[i].Second
			if row.Was, _, err = s.OpenMessage(row.Item.ID, found[i].ByPhone, found[i].Sealed, nil); err != nil {
				return nil, false, err
			}
		}
		list = append(list, row)
	}
	return list, more, nil
}

// unassignFiles unassigns all files of a list that was replaced.
func unassignFiles(ctx context.Context, tx *sqlx.Tx, j dispatch.Job) error {
	if j.Division.By != dispatch.DivideByFiles {
		return nil
	}
	_, err := tx.ExecContext(ctx, `UPDATE documents SET part = -1 WHERE job_id = $1 AND account_id = $2 AND own_name <> ''`, j.ID, j.AccountID)
	if err == nil {
		_, err = tx.ExecContext(ctx, `UPDATE jobs SET split_parts = 0 WHERE id = $1 AND account_id = $2`, j.ID, j.AccountID)
	}
	return err
}

// Before counts the rows of a job's list before a position: the row's slice has the next number.
func (s Rows) Before(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, position int) (int, error) {
	n := 0
	err := s.Get(ctx, &n, `
		SELECT count(*) FROM job_rows WHERE job_id = (SELECT id FROM jobs WHERE id = $1 AND account_id = $2) AND position < $3`, id, account, position)
	return n, err
}

// Problems counts the rows of a draft's list by problem.
func (s Rows) Problems(ctx context.Context, account dispatch.AccountID, id dispatch.JobID) (map[string]int, error) {
	var rows []struct {
		Problem string `db:"problem"`
		N       int    `db:"n"`
	}
	err := s.Select(ctx, &rows, `
		SELECT problem, count(*) AS n FROM job_rows WHERE job_id = (SELECT id FROM jobs WHERE id = $1 AND account_id = $2) AND problem <> '' GROUP BY problem`, id, account)
	by := map[string]int{}
	for _, r := range rows {
		by[r.Problem] = r.N
	}
	return by, err
}
