package items

import (
	"cmp"
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// Give makes a colleague the owner of one's own draft of a shipment. ErrTaken when they do not work with shipments
// there, ErrChanged when the draft has been sent, ErrProtected when its recipient is protected from them.
func (s HandOvers) Give(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, to dispatch.UserID, by store.Actor) error {
	if !store.ValidID(id) {
		return store.ErrNotFound
	}
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		if err := lockShipmentJob(ctx, tx, account, id); err != nil {
			return err
		}
		if err := lockOwn(ctx, tx, account, id, by.User, dispatch.KindShipment); err != nil {
			return err
		}
		known, err := worksOn(ctx, tx, account, to, dispatch.KindShipment)
		if err != nil {
			return err
		}
		if !known || to == by.User {
			return store.ErrTaken
		}
		n, err := store.Affected(tx.ExecContext(ctx, `
			UPDATE shipments SET handed_by = $3, handed_at = now(), handed_version = version
			WHERE item_id = $1 AND account_id = $2`, id, account, by.User))
		if err != nil || n == 0 {
			return cmp.Or(err, store.ErrNotFound)
		}
		return s.changeOwner(ctx, tx, ownership{account, id, to, dispatch.EventHandedOver, string(to)}, by)
	})
}

// ownership is a change of a draft's owner, with the event for its timeline.
type ownership struct {
	account dispatch.AccountID
	id      dispatch.ItemID
	to      dispatch.UserID
	kind    dispatch.EventKind
	detail  string
}

func (s HandOvers) changeOwner(ctx context.Context, tx *sqlx.Tx, o ownership, by store.Actor) error {
	if err := In(s.Store).Protected.mayOwn(ctx, tx, o.account, o.id, o.to); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `UPDATE items SET created_by = $3 WHERE id = $1 AND account_id = $2 AND state = 'draft'`, o.id, o.account, o.to)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE jobs SET created_by = $3 WHERE draft_id = $1 AND account_id = $2`, o.id, o.account, o.to); err != nil {
		return err
	}
	if err := store.AddEvent(ctx, tx, store.Event{Item: o.id, Account: o.account, Kind: o.kind, Actor: by.User, Detail: o.detail}); err != nil {
		return err
	}
	return store.Record(ctx, tx, store.Audit{Actor: by.User, Account: o.account, Action: "item." + string(o.kind), Object: string(o.id), Details: map[string]any{"to": o.to}, Origin: by.Origin})
}

// ofDraft selects the files d of the draft it, and those of the rows of its list.
const ofDraft = `(d.item_id = it.id OR d.job_id = (SELECT j.id FROM jobs j WHERE j.draft_id = it.id))`

// TakeBack returns a draft to the user who handed it over, unless it has been saved since: the colleague may have
// lost the right to open it. ErrChanged when it is too late.
func (s HandOvers) TakeBack(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, by store.Actor) error {
	if !store.ValidID(id) {
		return store.ErrNotFound
	}
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		if err := lockShipmentJob(ctx, tx, account, id); err != nil {
			return err
		}
		var back bool
		err := tx.GetContext(ctx, &back, `
			SELECT it.state = 'draft' AND h.version = h.handed_version AND NOT EXISTS (SELECT FROM documents d WHERE `+ofDraft+` AND d.created_at > h.handed_at)
			FROM items it JOIN shipments h ON h.item_id = it.id
			WHERE it.id = $1 AND it.account_id = $2 AND h.handed_by = $3 AND it.created_by <> $3
			FOR UPDATE OF it`, id, account, by.User)
		switch {
		case err != nil:
			return store.NotFound(err)
		case !back:
			return store.ErrChanged
		}
		if err := notWaiting(ctx, tx, waitsForApproval, id); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `
			UPDATE shipments SET handed_by = NULL, handed_at = NULL, handed_version = NULL WHERE item_id = $1 AND account_id = $2`, id, account)
		if err != nil {
			return err
		}
		return s.changeOwner(ctx, tx, ownership{account, id, by.User, dispatch.EventTakenBack, ""}, by)
	})
}

// HandedDraft is a draft that a colleague owns now.
type HandedDraft struct {
	ID    dispatch.ItemID `db:"id"`
	Title string          `db:"title"`
	To    string          `db:"owner"`
	At    time.Time       `db:"handed_at"`
	Back  bool            `db:"back"` // it can still be taken back
}

// Handed returns the drafts that a user has handed over and that are still drafts, newest first.
func (s HandOvers) Handed(ctx context.Context, account dispatch.AccountID, user dispatch.UserID) ([]HandedDraft, error) {
	var list []HandedDraft
	err := s.Select(ctx, &list, `
		SELECT it.id, CASE WHEN h.version = h.handed_version THEN h.title ELSE '' END AS title, u.name AS owner, h.handed_at,
		       h.version = h.handed_version AND NOT EXISTS (SELECT FROM documents d WHERE `+ofDraft+` AND d.created_at > h.handed_at) AS back
		FROM shipments h JOIN items it ON it.id = h.item_id JOIN users u ON u.id = it.created_by
		WHERE h.account_id = $1 AND h.handed_by = $2 AND it.created_by <> $2 AND it.state = 'draft'
		ORDER BY h.handed_at DESC LIMIT 100`, account, user)
	return list, err
}
