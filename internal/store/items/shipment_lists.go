package items

import (
	"context"
	"iter"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// ShipmentResult is one shipment of a job with its state.
type ShipmentResult struct {
	dispatch.Item
	Position  int // row of the list
	Recipient dispatch.Address
}

// EachShipment iterates over the shipments of a job in the order of its list, in batches.
func (s ShipmentJobs) EachShipment(ctx context.Context, account dispatch.AccountID, id dispatch.JobID) iter.Seq2[ShipmentResult, error] {
	return func(yield func(ShipmentResult, error) bool) {
		for after := -1; ; {
			var rows []struct {
				store.ItemRow
				Position int    `db:"job_position"`
				Content  []byte `db:"content"`
			}
			err := s.Select(ctx, &rows, `
				SELECT `+store.ItemColumns+`, it.job_position, h.content
				FROM items it
				JOIN shipments h ON h.item_id = it.id`+store.ItemJoins+`
				WHERE it.job_id = $1 AND it.account_id = $2 AND it.job_position > $3
				ORDER BY it.job_position
				LIMIT 500`, id, account, after)
			if err != nil {
				yield(ShipmentResult{}, err)
				return
			}
			for _, r := range rows {
				to, err := s.recipientOf(r.ID, r.Content)
				if !yield(ShipmentResult{r.Domain(), r.Position, to}, err) || err != nil {
					return
				}
				after = r.Position
			}
			if len(rows) == 0 {
				return
			}
		}
	}
}

// RowsBefore counts the rows of a job's list before a position: the row's slice has the next number.
func (s ShipmentJobs) RowsBefore(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, position int) (int, error) {
	n := 0
	err := s.Get(ctx, &n, `
		SELECT count(*) FROM job_rows WHERE job_id = (SELECT id FROM jobs WHERE id = $1 AND account_id = $2) AND position < $3`, id, account, position)
	return n, err
}
