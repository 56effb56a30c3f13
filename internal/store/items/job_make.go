package items

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// Merge returns the function that fills in each recipient's text of a job.
type Merge func(dispatch.Job) func(dispatch.JobRow) string

// Make creates the next items of one sent job, and returns how many rows it handled; 0: nothing to create. A job
// that was stopped meanwhile gets cancelled items, and a restored one uncertain items, since they may have been
// created and sent after the backup. A job whose items cannot be created is set aside.
func (s Maker) Make(ctx context.Context, merge Merge) (int, error) {
	var waiting bool
	err := s.Get(ctx, &waiting, `SELECT EXISTS (SELECT FROM jobs WHERE sent_at IS NOT NULL AND made_at IS NULL)`)
	if err != nil || !waiting {
		return 0, err
	}
	id, n, err := s.makeNext(ctx, merge)
	switch {
	case id == "":
		return n, err
	case err == nil:
		return n, s.ClearSetAside(ctx, dispatch.QueueMake, string(id))
	}
	if err := s.endStopped(ctx, id, err); err != nil {
		return 0, err
	}
	return 0, s.SetAside(ctx, dispatch.QueueMake, string(id), err)
}

// endStopped ends the creation of a stopped job's items that failed for a reason of its own: its other rows count as
// cancelled without items.
func (s Maker) endStopped(ctx context.Context, id dispatch.JobID, failed error) error {
	if !store.OwnFault(ctx, failed) {
		return nil
	}
	_, err := s.DB.ExecContext(ctx, `UPDATE jobs SET made_at = now() WHERE id = $1 AND stopped_at IS NOT NULL AND made_at IS NULL`, id)
	return err
}

// makeNext creates the next items of one job, which it returns.
func (s Maker) makeNext(ctx context.Context, merge Merge) (id dispatch.JobID, n int, err error) {
	err = s.InTx(ctx, func(tx *sqlx.Tx) error {
		var next dispatch.JobID
		err := tx.GetContext(ctx, &next, `
			SELECT j.id FROM jobs j
			WHERE j.sent_at IS NOT NULL AND j.made_at IS NULL AND `+store.GuardHolds+` AND NOT `+store.SkippedNow(dispatch.QueueMake, "j.id")+`
			ORDER BY j.made_to, j.sent_at
			LIMIT 1
			FOR UPDATE OF j SKIP LOCKED`)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		// The claim mostly finds nothing, so it leaves the other columns out: planning them takes several milliseconds.
		var row jobRow
		if err := tx.GetContext(ctx, &row, selectJob+` WHERE j.id = $1`, next); err != nil {
			return err
		}
		id = row.ID
		j, err := s.openJob(row)
		if err != nil {
			return err
		}
		if j.Shipments() {
			n, err = s.makeShipments(ctx, tx, j, row.MadeTo)
			return err
		}
		n, err = s.makeSome(ctx, tx, j, row.MadeTo, merge(j))
		return err
	})
	return id, n, err
}

func (s Maker) makeSome(ctx context.Context, tx *sqlx.Tx, j dispatch.Job, after int, text func(dispatch.JobRow) string) (int, error) {
	rows, err := s.rowsToSend(ctx, tx, j, after)
	if err != nil {
		return 0, err
	}
	items := make([]madeItem, len(rows))
	for i, r := range rows {
		if items[i], err = s.makeItem(j, r, text(r)); err != nil {
			return 0, err
		}
	}
	if len(items) > 0 {
		after = rows[len(rows)-1].Position
		if err := copyItems(ctx, tx, j, items); err != nil {
			return 0, err
		}
		if state, _, _ := beginsAs(j); state == dispatch.StateQueued {
			if err := countMade(ctx, tx, j.AccountID, idsOf(items)); err != nil {
				return 0, err
			}
		}
	}
	return max(len(items), 1), noteMade(ctx, tx, j.ID, len(items), after)
}

// rowsToSend returns the next rows of a job that get an item: of several with one phone number, a fast job takes the
// first.
func (s Maker) rowsToSend(ctx context.Context, tx *sqlx.Tx, j dispatch.Job, after int) ([]dispatch.JobRow, error) {
	which := ` AND NOT r.unfit`
	if j.Mode == dispatch.ModeFast {
		which = ` AND r.phone_hash IS NOT NULL AND NOT r.repeats`
	}
	var list []listRow
	err := tx.SelectContext(ctx, &list, `
		SELECT `+listColumns+` FROM job_rows r
		WHERE r.job_id = $1 AND r.position > $2 AND r.problem = ''`+which+`
		ORDER BY r.position
		LIMIT $3`, j.ID, after, madeAtOnce)
	if err != nil {
		return nil, err
	}
	rows := make([]dispatch.JobRow, len(list))
	for i, r := range list {
		if rows[i], err = s.openRow(j.ID, r); err != nil {
			return nil, err
		}
		if j.Mode == dispatch.ModeFast {
			rows[i].Recipient = dispatch.SMSRecipient{Phone: rows[i].Phone}
		}
	}
	return rows, nil
}

func (s Maker) makeItem(j dispatch.Job, r dispatch.JobRow, text string) (m madeItem, err error) {
	if m, err = newMadeItem(r.Position); err != nil {
		return m, err
	}
	if m.hide, m.form = j.HideInReport, j.Template.Form; j.Template.ID != "" && j.Both() {
		m.form = j.SecondText.Of(dispatch.FormOf(j.Columns, r.Fields))
	}
	m.sealed, err = s.sealSMS(m.id, dispatch.SMS{Recipient: r.Recipient, Text: text, HideInReport: j.HideInReport})
	return m, err
}
