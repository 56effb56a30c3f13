package store

import (
	"context"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
)

// Cancel stops a queued item before it is sent; ErrChanged when it is too late.
func (s *Store) Cancel(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, by Actor) error {
	return s.act(ctx, act{account: account, id: id, by: by, kind: dispatch.EventCancelled}, func(tx *sqlx.Tx) (int64, error) {
		return affected(tx.ExecContext(ctx, `
			UPDATE items SET state = 'cancelled' WHERE id = $1 AND account_id = $2 AND state = 'queued'`, id, account))
	})
}

// Confirm lets an item go that has waited for more than a day; ErrChanged when it is not waiting for that.
func (s *Store) Confirm(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, by Actor) error {
	return s.act(ctx, act{account: account, id: id, by: by, kind: dispatch.EventConfirmed}, func(tx *sqlx.Tx) (int64, error) {
		return affected(tx.ExecContext(ctx, `
			UPDATE items SET due_at = now(), due_since = now()
			WHERE id = $1 AND account_id = $2 AND state = 'queued' AND due_since <= now() - max_wait()`, id, account))
	})
}

// SendAgain queues an item that we gave up; ErrChanged when it is in another state, ErrQuota when its parts do not fit in
// this month.
func (s *Store) SendAgain(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, by Actor) error {
	return s.act(ctx, act{account: account, id: id, by: by, kind: dispatch.EventRequeued}, func(tx *sqlx.Tx) (int64, error) {
		n, err := queue(ctx, tx, account, id, dispatch.StateFailed, 0)
		if n == 0 || err != nil {
			return n, err
		}
		return n, countParts(ctx, tx, account, []dispatch.ItemID{id})
	})
}

// DiscardDraft deletes one's own draft of a kind; ErrChanged when it is no longer a draft.
func (s *Store) DiscardDraft(ctx context.Context, account dispatch.AccountID, kind dispatch.Kind, id dispatch.ItemID, by Actor) error {
	if !validID(id) {
		return ErrNotFound
	}
	return s.inTx(ctx, func(tx *sqlx.Tx) error {
		if err := lockLetterJob(ctx, tx, account, id); err != nil { // its list goes too
			return err
		}
		if err := lockOwn(ctx, tx, account, id, by.User, kind); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM items WHERE id = $1 AND account_id = $2 AND state = 'draft'`, id, account); err != nil {
			return err
		}
		return record(ctx, tx, Audit{Actor: by.User, Account: account, Action: "item.discard", Object: string(id), Origin: by.Origin})
	})
}

// Reveal writes down that a person sees the whole number of an item.
func (s *Store) Reveal(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, by Actor) error {
	return s.looked(ctx, act{account: account, id: id, by: by, kind: dispatch.EventRevealed})
}

// Open writes down that a person reads what an item of somebody else's holds, and why.
func (s *Store) Open(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, by Actor) error {
	return s.looked(ctx, act{account: account, id: id, by: by, kind: dispatch.EventOpened})
}

// looked writes an act down that changes nothing.
func (s *Store) looked(ctx context.Context, a act) error {
	return s.act(ctx, a, func(tx *sqlx.Tx) (int64, error) {
		var n int64
		err := tx.GetContext(ctx, &n, `SELECT count(*) FROM items WHERE id = $1 AND account_id = $2`, a.id, a.account)
		return n, err
	})
}

// Resolve applies a person's decision to uncertain items of an account and returns how many it concerned. Items that
// are not uncertain any more are left alone.
func (s *Store) Resolve(ctx context.Context, account dispatch.Account, ids []dispatch.ItemID, d dispatch.Decision, by Actor) (int, error) {
	n := 0
	for _, id := range ids {
		a := act{account: account.ID, id: id, by: by, kind: dispatch.EventResolved, detail: string(d)}
		err := s.act(ctx, a, func(tx *sqlx.Tx) (int64, error) { return resolve(ctx, tx, account, id, d, by.User) })
		switch {
		case err == nil:
			n++
		case !errors.Is(err, ErrChanged) && !errors.Is(err, ErrNotFound):
			return n, err
		}
	}
	return n, nil
}

func resolve(ctx context.Context, tx *sqlx.Tx, account dispatch.Account, id dispatch.ItemID, d dispatch.Decision, user dispatch.UserID) (n int64, err error) {
	if d == dispatch.DecisionSendAgain {
		var after time.Duration
		if after, err = untilPlanned(ctx, tx, account.ID, id); err == nil {
			n, err = queue(ctx, tx, account.ID, id, dispatch.StateUncertain, max(account.UndoWindow, after))
		}
	} else {
		n, err = affected(tx.ExecContext(ctx, `
			UPDATE items SET state = $3, accepted_at = CASE WHEN $3 = 'accepted' THEN now() END
			WHERE id = $1 AND account_id = $2 AND state = 'uncertain'`, id, account.ID, d.State()))
	}
	if n == 0 || err != nil {
		return n, err
	}
	_, err = tx.ExecContext(ctx, `
		UPDATE attempts SET resolution = $3, resolved_by = $4, resolved_at = now()
		WHERE item_id = $1 AND account_id = $2 AND outcome = 'uncertain' AND resolution = ''`,
		id, account.ID, d.Resolution(), null(user))
	return n, err
}

// untilPlanned is how long it is until the time that an item was given; 0: it was given none, or it has passed.
func untilPlanned(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.ItemID) (time.Duration, error) {
	var seconds float64
	err := tx.GetContext(ctx, &seconds, `
		SELECT greatest(0, coalesce(extract(epoch FROM coalesce(m.send_at, h.send_at) - now()), 0))
		FROM items it LEFT JOIN sms m ON m.item_id = it.id LEFT JOIN shipments h ON h.item_id = it.id
		WHERE it.id = $1 AND it.account_id = $2`, id, account)
	return time.Duration(seconds * float64(time.Second)), notFound(err)
}

// act is what a person does to one item.
type act struct {
	account dispatch.AccountID
	id      dispatch.ItemID
	by      Actor
	kind    dispatch.EventKind
	detail  string
}

// act runs one change of one item's row, which tells how many rows it touched, with its event and its line in the event
// log. Nothing touched is ErrNotFound or ErrChanged.
func (s *Store) act(ctx context.Context, a act, change func(tx *sqlx.Tx) (int64, error)) error {
	if !validID(a.id) {
		return ErrNotFound
	}
	return s.inTx(ctx, func(tx *sqlx.Tx) error {
		n, err := change(tx)
		if err != nil {
			return err
		}
		if n == 0 {
			return missingOrChanged(ctx, tx, a.account, a.id)
		}
		return noteAct(ctx, tx, a)
	})
}

// noteAct writes an act to the item's timeline and to the event log.
func noteAct(ctx context.Context, tx *sqlx.Tx, a act) error {
	if err := addEvent(ctx, tx, event{item: a.id, account: a.account, kind: a.kind, actor: a.by.User, detail: a.detail}); err != nil {
		return err
	}
	details := map[string]any{"detail": a.detail}
	if a.by.Reason != "" {
		details["reason"] = a.by.Reason
	}
	return record(ctx, tx, Audit{Actor: a.by.User, Account: a.account, Action: "item." + string(a.kind), Object: string(a.id), Details: details, Origin: a.by.Origin})
}

func missingOrChanged(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.ItemID) error {
	var exists bool
	err := tx.GetContext(ctx, &exists, `SELECT EXISTS (SELECT FROM items WHERE id = $1 AND account_id = $2)`, id, account)
	switch {
	case err != nil:
		return err
	case !exists:
		return ErrNotFound
	}
	return ErrChanged
}
