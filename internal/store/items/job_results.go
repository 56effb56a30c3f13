package items

import (
	"context"
	"fmt"
	"iter"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// JobResult is one recipient of a job with the state of its message.
type JobResult struct {
	dispatch.SMSItem
	Position int // row of the list
}

// EachItem iterates over the items of a job in the order of its list, in batches.
func (s Jobs) EachItem(ctx context.Context, account dispatch.AccountID, id dispatch.JobID) iter.Seq2[JobResult, error] {
	return func(yield func(JobResult, error) bool) {
		for after := -1; ; {
			var rows []struct {
				store.SMSRow
				Position int `db:"job_position"`
			}
			err := s.Select(ctx, &rows, `
				SELECT `+store.ItemColumns+`, `+smsColumns+`, it.job_position
				FROM items it
				JOIN sms m ON m.item_id = it.id`+store.ItemJoins+`
				WHERE it.job_id = $1 AND it.account_id = $2 AND it.job_position > $3 AND m.protected_id IS NULL -- never in a file
				ORDER BY it.job_position
				LIMIT 500`, id, account, after)
			if err != nil {
				yield(JobResult{}, err)
				return
			}
			for _, r := range rows {
				it, err := s.OpenSMS(r.SMSRow)
				if err != nil {
					err = fmt.Errorf("result of a job: %w", err)
				}
				if !yield(JobResult{it, r.Position}, err) || err != nil {
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

// ShipmentResult is one shipment of a job with its state.
type ShipmentResult struct {
	dispatch.Item
	Position  int // row of the list
	Recipient dispatch.Address
}
