package items

import (
	"context"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// Stop stops a queued item before it is sent. While a call is running, or an uncertain shipment is looked up, it stores a request
// (asked is true): the item is stopped when it turns out unsent. ErrChanged when it is too late for both.
func (s Decisions) Stop(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, by store.Actor) (asked bool, err error) {
	if !store.ValidID(id) {
		return false, store.ErrNotFound
	}
	err = s.InTx(ctx, func(tx *sqlx.Tx) error {
		var it struct {
			State   dispatch.State `db:"state"`
			Looking bool           `db:"looking"`
			Asked   bool           `db:"asked"`
		}
		err := tx.GetContext(ctx, &it, `
			SELECT state, state = 'uncertain' AND recover_at IS NOT NULL AS looking, stop_asked_at IS NOT NULL AS asked
			FROM items WHERE id = $1 AND account_id = $2 FOR UPDATE`, id, account)
		switch {
		case err != nil:
			return store.NotFound(err)
		case it.State == dispatch.StateQueued:
			return stopNow(ctx, tx, account, id, by)
		case it.State != dispatch.StateSending && !it.Looking:
			return store.ErrChanged
		}
		if asked = true; it.Asked {
			return nil // the first request counts
		}
		return askToStop(ctx, tx, account, id, by)
	})
	return asked, err
}

// withdrawStop forgets a request to stop an item in a state: a person decides to send it after all.
func withdrawStop(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.ItemID, in dispatch.State) error {
	_, err := tx.ExecContext(ctx, `
		UPDATE items SET stop_asked_by = NULL, stop_asked_at = NULL WHERE id = $1 AND account_id = $2 AND state = $3 AND stop_asked_at IS NOT NULL`, id, account, in)
	return err
}

// stopNow cancels a locked item that is queued.
func stopNow(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.ItemID, by store.Actor) error {
	if _, err := tx.ExecContext(ctx, `UPDATE items SET state = 'cancelled' WHERE id = $1 AND account_id = $2`, id, account); err != nil {
		return err
	}
	return store.NoteAct(ctx, tx, store.Act{Account: account, ID: id, By: by, Kind: dispatch.EventCancelled})
}

// askToStop stores a request to stop a locked item. A trigger acts on it when the item is queued again.
func askToStop(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.ItemID, by store.Actor) error {
	_, err := tx.ExecContext(ctx, `UPDATE items SET stop_asked_by = $3, stop_asked_at = now() WHERE id = $1 AND account_id = $2`, id, account, by.User)
	if err != nil {
		return err
	}
	return store.NoteAct(ctx, tx, store.Act{Account: account, ID: id, By: by, Kind: dispatch.EventStopAsked})
}

// Confirm releases an item that is more than MaxWait past its due time; ErrChanged when it does not wait for that.
func (s Decisions) Confirm(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, by store.Actor) error {
	return s.Act(ctx, store.Act{Account: account, ID: id, By: by, Kind: dispatch.EventConfirmed}, func(tx *sqlx.Tx) (int64, error) {
		return store.Affected(tx.ExecContext(ctx, `
			UPDATE items SET due_at = now(), due_since = now()
			WHERE id = $1 AND account_id = $2 AND state = 'queued' AND due_since <= now() - max_wait()`, id, account))
	})
}

// SendAgain queues a failed item; ErrChanged when it is in another state or something was sent in place of it, ErrQuota when its segments exceed this
// month's quota, ErrBudget when the account's budget for this month does not suffice.
func (s Decisions) SendAgain(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, by store.Actor) error {
	return s.Act(ctx, store.Act{Account: account, ID: id, By: by, Kind: dispatch.EventRequeued}, func(tx *sqlx.Tx) (int64, error) {
		if err := withdrawStop(ctx, tx, account, id, dispatch.StateFailed); err != nil {
			return 0, err
		}
		n, err := store.Queue(ctx, tx, account, id, dispatch.StateFailed, 0)
		if n == 0 || err != nil {
			return n, err
		}
		var twice bool // the recipient would get it twice
		err = tx.GetContext(ctx, &twice, `SELECT `+store.HasReplacement+` FROM items it WHERE it.id = $1 AND it.account_id = $2`, id, account)
		if err != nil || twice {
			return 0, err
		}
		if err := spendAgain(ctx, tx, account, by, id); err != nil {
			return n, err
		}
		return n, countSegments(ctx, tx, account, []dispatch.ItemID{id})
	})
}

// Reveal records that a user sees an item's whole number.
func (s Decisions) Reveal(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, by store.Actor) error {
	return s.looked(ctx, store.Act{Account: account, ID: id, By: by, Kind: dispatch.EventRevealed})
}

// Open records that a user opens a colleague's item, and why.
func (s Decisions) Open(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, by store.Actor) error {
	return s.looked(ctx, store.Act{Account: account, ID: id, By: by, Kind: dispatch.EventOpened})
}

// looked logs a view, which changes nothing.
func (s Decisions) looked(ctx context.Context, a store.Act) error {
	return s.Act(ctx, a, func(tx *sqlx.Tx) (int64, error) {
		var n int64
		err := tx.GetContext(ctx, &n, `SELECT count(*) FROM items WHERE id = $1 AND account_id = $2`, a.ID, a.Account)
		return n, err
	})
}

// Resolve applies a decision to uncertain items of an account and returns their number. Items that are no longer uncertain are left
// alone.
func (s Decisions) Resolve(ctx context.Context, account dispatch.Account, ids []dispatch.ItemID, d dispatch.Decision, by store.Actor) (int, error) {
	n := 0
	for _, id := range ids {
		a := store.Act{Account: account.ID, ID: id, By: by, Kind: dispatch.EventResolved, Detail: string(d)}
		err := s.Act(ctx, a, func(tx *sqlx.Tx) (int64, error) { return resolve(ctx, tx, account, id, d, by.User) })
		switch {
		case err == nil:
			n++
		case !errors.Is(err, store.ErrChanged) && !errors.Is(err, store.ErrNotFound):
			return n, err
		}
	}
	return n, nil
}

// callInDoubt is when the call was made that a person knows to have arrived: the item was handed over then, not when they said so.
var callInDoubt = `coalesce(` + lastUncertain("items") + `, now())`

// lastUncertain selects when an item's last call was made of which nobody knows whether it arrived; NULL: there was none. of is the
// items table's alias.
func lastUncertain(of string) string {
	return `(SELECT max(coalesce(t.sent_at, t.started_at)) FROM attempts t WHERE t.item_id = ` + of + `.id AND t.outcome = 'uncertain')`
}

func resolve(ctx context.Context, tx *sqlx.Tx, account dispatch.Account, id dispatch.ItemID, d dispatch.Decision, user dispatch.UserID) (n int64, err error) {
	if d == dispatch.DecisionSendAgain {
		var after time.Duration
		if after, err = untilPlanned(ctx, tx, account.ID, id); err == nil {
			err = withdrawStop(ctx, tx, account.ID, id, dispatch.StateUncertain)
		}
		if err == nil {
			n, err = store.Queue(ctx, tx, account.ID, id, dispatch.StateUncertain, max(account.UndoWindow, after))
		}
		if n > 0 && err == nil {
			err = countAgain(ctx, tx, account.ID, []dispatch.ItemID{id})
		}
	} else {
		n, err = store.Affected(tx.ExecContext(ctx, `
			UPDATE items SET state = $3, accepted_at = CASE WHEN $3 = 'accepted' THEN `+callInDoubt+` END,
			    stop_asked_by = CASE WHEN $3 = 'accepted' THEN stop_asked_by END, stop_asked_at = CASE WHEN $3 = 'accepted' THEN stop_asked_at END
			WHERE id = $1 AND account_id = $2 AND state = 'uncertain'`, id, account.ID, d.State()))
	}
	if n == 0 || err != nil {
		return n, err
	}
	_, err = tx.ExecContext(ctx, `
		UPDATE attempts SET resolution = $3, resolved_by = $4, resolved_at = now()
		WHERE item_id = $1 AND account_id = $2 AND outcome = 'uncertain' AND resolution = ''`,
		id, account.ID, d.Resolution(), store.Null(user))
	return n, err
}

// untilPlanned returns the time until the item's scheduled time; 0: none, or it has passed.
func untilPlanned(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.ItemID) (time.Duration, error) {
	var seconds float64
	err := tx.GetContext(ctx, &seconds, `
		SELECT greatest(0, coalesce(extract(epoch FROM coalesce(m.send_at, h.send_at) - now()), 0))
		FROM items it LEFT JOIN sms m ON m.item_id = it.id LEFT JOIN shipments h ON h.item_id = it.id
		WHERE it.id = $1 AND it.account_id = $2`, id, account)
	return time.Duration(seconds * float64(time.Second)), store.NotFound(err)
}

// LookAgain schedules another look-up of an uncertain shipment; ErrChanged when one is scheduled already, or it is
// not uncertain.
func (s Decisions) LookAgain(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, by store.Actor) error {
	return s.Act(ctx, store.Act{Account: account, ID: id, By: by, Kind: dispatch.EventLookAgain}, func(tx *sqlx.Tx) (int64, error) {
		return store.Affected(tx.ExecContext(ctx, `
			UPDATE items SET recover_at = now()
			WHERE id = $1 AND account_id = $2 AND kind = 'shipment' AND state = 'uncertain' AND recover_at IS NULL`, id, account))
	})
}

// ResolveRestored applies one decision to all restored items of an account, either those scheduled for after the
// restore or the others.
func (s Decisions) ResolveRestored(ctx context.Context, account dispatch.Account, planned bool, d dispatch.Decision, by store.Actor) (int, error) {
	var ids []dispatch.ItemID
	err := s.Select(ctx, &ids, `SELECT id FROM (`+store.ItemsRestored+`) r WHERE account_id = $1 AND planned = $2`, account.ID, planned)
	if err != nil {
		return 0, err
	}
	return s.Resolve(ctx, account, ids, d, by)
}
