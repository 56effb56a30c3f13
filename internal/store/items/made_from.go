package items

import (
	"context"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// MadeFrom is what a new draft is made from, and what of that the event log has to tell. It is written down in the draft's own
// transaction: without the line there is no draft to show.
type MadeFrom struct {
	Source  dispatch.ItemID     // whose content it takes over; empty: nothing's
	Job     dispatch.JobID      // whose shipment and recipients it takes over; empty: no job's
	Origin  dispatch.OriginKind // what it has to do with the source; empty: nothing that is kept
	Reveals bool                // its form shows whole what was masked: a phone that the contact register gave
}

// noteFrom writes down what one's own draft was made from.
func noteFrom(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.ItemID, by store.Actor, from MadeFrom) error {
	if from.Origin != "" {
		if err := store.SetOrigin(ctx, tx, account, id, by, dispatch.Origin{Item: from.Source, Kind: from.Origin}); err != nil {
			return err
		}
	}
	if from.Source != "" {
		a := store.Audit{Actor: by.User, Account: account, Action: "item.copied", Object: string(from.Source), Details: map[string]any{"made": id}, Origin: by.Origin}
		if err := store.Record(ctx, tx, a); err != nil {
			return err
		}
	}
	if from.Job != "" {
		if err := store.Record(ctx, tx, jobCopied(account, from.Job, by, string(id))); err != nil {
			return err
		}
	}
	if !from.Reveals {
		return nil
	}
	return store.NoteAct(ctx, tx, store.Act{Account: account, ID: id, By: by, Kind: dispatch.EventRevealed})
}
