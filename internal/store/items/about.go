package items

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// AboutMost is how many shipments one SMS to many can be about.
const AboutMost = 10_000

// About is an SMS to the recipients of shipments.
type About struct {
	Key            string // form key
	Items          []dispatch.ItemID
	Text           string
	DeadlineColumn string // name of the column with each shipment's signing deadline; empty: none
}

// JobAbout makes a draft of an SMS to the recipients of shipments, one row per shipment; ErrEmpty when none has a national identity
// number. Opening colleagues' content is logged with the reason. The form key is an idempotency key: a repeated form gets the same
// draft as it is by then, or, once that has been sent, ErrChanged.
func (s *Store) JobAbout(ctx context.Context, account dispatch.AccountID, a About, by store.Actor) (made dispatch.JobID, err error) {
	err = s.InTx(ctx, func(tx *sqlx.Tx) error {
		var fresh bool
		var err error
		if made, fresh, err = createJob(ctx, tx, account, by, a.Key); err != nil || !fresh {
			return err
		}
		rows, err := s.aboutRows(ctx, tx, account, a, by)
		if err != nil {
			return err
		}
		j := dispatch.Job{ID: made, AccountID: account}
		if a.DeadlineColumn != "" {
			j.Columns = []string{dispatch.PlaceholderKey(a.DeadlineColumn)}
		}
		n, err := s.fillJob(ctx, tx, j, List{Columns: j.Columns, Rows: func(do func(dispatch.JobRow) error) error {
			for _, r := range rows {
				if err := do(r); err != nil {
					return err
				}
			}
			return nil
		}})
		if err == nil && n.Read == 0 {
			err = ErrEmpty
		}
		if err != nil {
			return err
		}
		if err := s.saveJobText(ctx, tx, j, JobText{Text: a.Text, Mode: dispatch.ModeTraceable}); err != nil {
			return err
		}
		return store.Record(ctx, tx, store.Audit{Actor: by.User, Account: account, Action: "job.about", Object: string(made), Details: map[string]any{"shipments": len(rows)}, Origin: by.Origin})
	})
	return made, err
}

// aboutRows are the recipients with a national identity number.
func (s *Store) aboutRows(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, a About, by store.Actor) (rows []dispatch.JobRow, err error) {
	var found []struct {
		ID      dispatch.ItemID `db:"item_id"`
		Content []byte          `db:"content"`
		By      dispatch.UserID `db:"created_by"`
		SignBy  *time.Time      `db:"sign_by"`
	}
	err = tx.SelectContext(ctx, &found, `
		SELECT h.item_id, h.content, it.created_by, h.sign_by FROM shipments h JOIN items it ON it.id = h.item_id
		WHERE it.account_id = $1 AND it.id = ANY($2::uuid[]) AND it.state <> 'draft' AND h.content <> '' AND (it.created_by = $3 OR $4 <> '')
		ORDER BY it.created_at, it.id`, account, pq.Array(a.Items), by.User, by.Reason)
	if err != nil {
		return nil, err
	}
	for _, f := range found {
		to, err := s.recipientOf(f.ID, f.Content)
		if err != nil {
			return nil, err
		}
		number := to.Digital.NationalID
		if number == "" {
			continue
		}
		row := dispatch.JobRow{Position: len(rows) + 1, Recipient: dispatch.SMSRecipient{NationalID: number}, Typed: number.Reveal()}
		if a.DeadlineColumn != "" && f.SignBy != nil {
			row.Fields = []string{f.SignBy.In(dispatch.Oslo).Format("02.01.2006")}
		}
		rows = append(rows, row)
		if f.By == by.User {
			continue
		}
		if err := noteCopied(ctx, tx, account, f.ID, by, map[string]any{}); err != nil {
			return nil, err
		}
	}
	return rows, nil
}
