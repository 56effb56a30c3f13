package store

import (
	"context"
	"errors"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
)

// Act is an action of a person on one item.
type Act struct {
	Account dispatch.AccountID
	ID      dispatch.ItemID
	By      Actor
	Kind    dispatch.EventKind
	Detail  string
}

// Act runs one change of one item's row, with its event and its line in the event log. change returns the number of
// changed rows; with none the error is ErrNotFound or ErrChanged.
func (s *Store) Act(ctx context.Context, a Act, change func(tx *sqlx.Tx) (int64, error)) error {
	if !ValidID(a.ID) {
		return ErrNotFound
	}
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		n, err := change(tx)
		if err != nil {
			return err
		}
		if n == 0 {
			return missingOrChanged(ctx, tx, `items WHERE id = $1 AND account_id = $2`, a.ID, a.Account)
		}
		return NoteAct(ctx, tx, a)
	})
}

// NoteAct writes an act to the item's timeline and to the event log.
func NoteAct(ctx context.Context, tx *sqlx.Tx, a Act) error {
	if err := AddEvent(ctx, tx, Event{Item: a.ID, Account: a.Account, Kind: a.Kind, Actor: a.By.User, Detail: a.Detail}); err != nil {
		return err
	}
	details := map[string]any{"detail": a.Detail}
	if a.By.Reason != "" {
		details["reason"] = a.By.Reason
	}
	return Record(ctx, tx, Audit{Actor: a.By.User, Account: a.Account, Action: "item." + string(a.Kind), Object: string(a.ID), Details: details, Origin: a.By.Origin})
}

// missingOrChanged is the error of a change that found no row: ErrNotFound when the object does not exist, ErrChanged when
// it has another state.
func missingOrChanged(ctx context.Context, tx *sqlx.Tx, object string, args ...any) error {
	var exists bool
	err := tx.GetContext(ctx, &exists, `SELECT EXISTS (SELECT FROM `+object+`)`, args...)
	switch {
	case err != nil:
		return err
	case !exists:
		return ErrNotFound
	}
	return ErrChanged
}

// ErrTaken says that the name is in use.
var ErrTaken = errors.New("the name is taken")

// Taken turns the violation of a unique constraint into ErrTaken.
func Taken(err error, constraint string) error {
	if Violates(err, constraint) {
		return ErrTaken
	}
	return err
}

// ErrStale says that the draft was changed since it was read, in another tab.
var ErrStale = errors.New("draft was changed in another tab")
