package items

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// MadeFrom is the source of a new draft, as far as the event log records it. The line is written in the draft's own
// transaction: there is no draft without it.
type MadeFrom struct {
	Source  dispatch.ItemID     // item whose content it copies; empty: none
	Job     dispatch.JobID      // job whose shipment and recipients it copies; empty: none
	Origin  dispatch.OriginKind // relation to the source; empty: none that is stored
	Reveals bool                // its form shows a masked number in full: a phone from the contact register
}

// noteFrom records the source of one's own draft.
func noteFrom(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.ItemID, by store.Actor, from MadeFrom) error {
	if from.Origin != "" {
		if err := store.SetOrigin(ctx, tx, account, id, by, dispatch.Origin{Item: from.Source, Kind: from.Origin}); err != nil {
			return err
		}
	}
	if from.Source != "" {
		if err := noteCopied(ctx, tx, account, from.Source, by, map[string]any{"made": id}); err != nil {
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

// noteCopied records that content of an item was copied, with the reason if the item is a colleague's: its history tells of that too.
func noteCopied(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.ItemID, by store.Actor, details map[string]any) error {
	if by.Reason != "" { // a colleague's
		if err := store.AddEvent(ctx, tx, store.Event{Item: id, Account: account, Kind: dispatch.EventCopied, Actor: by.User}); err != nil {
			return err
		}
		details["reason"] = by.Reason
	}
	return store.Record(ctx, tx, store.Audit{Actor: by.User, Account: account, Action: "item.copied", Object: string(id), Details: details, Origin: by.Origin})
}

// Replaced returns the item that a draft was made to replace; empty: it replaces none.
func (s Origins) Replaced(ctx context.Context, account dispatch.AccountID, draft dispatch.ItemID) (id dispatch.ItemID, err error) {
	err = s.Get(ctx, &id, `SELECT origin_id FROM items WHERE id = $1 AND account_id = $2 AND origin_kind = $3 AND origin_id IS NOT NULL`, draft, account, dispatch.OriginReplaces)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return id, err
}

// DraftInstead returns a user's newest draft to be sent in place of an item; zero: none.
func (s Origins) DraftInstead(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, user dispatch.UserID) (dispatch.Item, error) {
	var row store.ItemRow
	err := s.Get(ctx, &row, `
		SELECT it.id, it.kind, it.created_at FROM items it
		WHERE it.origin_id = $1 AND it.account_id = $2 AND it.origin_kind = $3 AND it.state = 'draft' AND it.created_by = $4
		ORDER BY it.created_at DESC LIMIT 1`, id, account, dispatch.OriginReplaces, user)
	if errors.Is(err, sql.ErrNoRows) {
		return dispatch.Item{}, nil
	}
	return row.Domain(), err
}

// ListDraftInstead returns a user's newest draft of a job that may be sent in place of an item; zero: none.
func (s Origins) ListDraftInstead(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, user dispatch.UserID) (d dispatch.Successor, err error) {
	err = s.Get(ctx, &d, `
		SELECT j.id, true AS draft, j.created_at AS at, `+store.RowsLeft+` AS n
		FROM job_rows r JOIN jobs j ON j.id = r.job_id JOIN items it ON it.id = r.replaces AND it.account_id = j.account_id
		WHERE r.replaces = $1 AND r.problem <> $4 AND j.account_id = $2 AND j.state = 'draft' AND j.created_by = $3 AND NOT `+store.ReplacedMeanwhile+`
		ORDER BY j.created_at DESC LIMIT 1`, id, account, user, dispatch.ProblemLeftOut)
	if errors.Is(err, sql.ErrNoRows) {
		return dispatch.Successor{}, nil
	}
	return d, err
}

// lost is the condition on a replacement n that its recipient surely does not get it, that it is the only one, and that nothing is made in
// place of it in turn.
var lost = `(EXISTS (SELECT FROM items it WHERE it.id = n.id AND ` + store.EndedBadly + `
	    AND NOT ` + store.InDoubt + ` AND NOT ` + store.HasReplacement + `)
	AND NOT EXISTS (SELECT FROM items o WHERE o.origin_id = n.origin_id AND o.origin_kind = 'replaces' AND o.account_id = n.account_id AND o.id <> n.id AND o.state NOT IN ('draft', 'cancelled')))`

// AlreadyReplaced tells why the recipient would get two if a draft that is to replace an item is sent.
func (s Origins) AlreadyReplaced(ctx context.Context, account dispatch.AccountID, draft dispatch.ItemID) (dispatch.Replacement, error) {
	var row struct {
		replacedItem
		Other     dispatch.ItemID `db:"other"`
		OtherKind dispatch.Kind   `db:"other_kind"`
		Job       dispatch.JobID  `db:"job"`
	}
	err := s.Get(ctx, &row, `
		SELECT it.id, it.kind, it.state, it.status, coalesce(r.id::text, '') AS other, coalesce(r.kind, it.kind) AS other_kind,
		       coalesce((SELECT k.id::text `+store.FromSoonReplacing+` LIMIT 1), '') AS job, `+unsigned+` AS unsigned
		FROM items d JOIN items it ON it.id = d.origin_id AND it.account_id = d.account_id
		LEFT JOIN LATERAL (SELECT n.id, n.kind `+store.FromReplacing+` AND n.id <> d.id AND NOT `+lost+` ORDER BY n.created_at DESC LIMIT 1) r ON true
		WHERE d.id = $1 AND d.account_id = $2 AND d.origin_kind = $3`, draft, account, dispatch.OriginReplaces)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return dispatch.Replacement{}, nil
	case row.Other != "":
		return dispatch.Replacement{Item: dispatch.Item{ID: row.Other, Kind: row.OtherKind}}, err
	case row.Job != "":
		return dispatch.Replacement{Job: row.Job}, err
	case err == nil && row.revived():
		return dispatch.Replacement{Item: dispatch.Item{ID: row.ID, Kind: row.Kind}, Again: true}, nil
	}
	return dispatch.Replacement{}, err
}

// replacedItem is the item that a draft is to replace.
type replacedItem struct {
	store.ItemRow
	Unsigned bool `db:"unsigned"`
}

// revived tells whether the item needs no replacement any longer.
func (r replacedItem) revived() bool { return !r.Unsigned && r.Domain().Revived() }

// unsigned tells whether item it came through, and its signing ended without a signature.
const unsigned = `EXISTS (SELECT FROM shipments s JOIN signing_statuses g ON g.status = s.signing_status
	WHERE s.item_id = it.id AND it.state = 'accepted' AND g.settled AND NOT g.signed)`

// mayReplaceOne returns ErrSecond if sending a draft would replace an item a second time; with anyway it does not. It locks that item and
// its replacements first, so that the check sees what other transactions have committed. A replacement that came to nothing is what the
// draft replaces from then on: else that one could be sent again besides.
func mayReplaceOne(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, draft dispatch.ItemID, anyway bool) error {
	const original = `FROM items it WHERE it.account_id = $2 AND it.id = (SELECT d.origin_id FROM items d WHERE d.id = $1 AND d.account_id = $2 AND d.origin_kind = 'replaces')`
	var row replacedItem
	err := tx.GetContext(ctx, &row, `SELECT it.id, it.kind, it.state, it.status, `+unsigned+` AS unsigned `+original+` FOR UPDATE`, draft, account)
	if errors.Is(err, sql.ErrNoRows) { // it replaces nothing, or what is purged
		return nil
	}
	if err != nil || anyway {
		return err
	}
	if _, err := tx.ExecContext(ctx, `SELECT FROM items n WHERE n.id IN (SELECT n.id FROM items it JOIN LATERAL (SELECT n.id `+store.FromReplacing+`) n ON true
		WHERE it.id = $1) FOR UPDATE`, row.ID); err != nil {
		return err
	}
	var replaced bool
	err = tx.GetContext(ctx, &replaced, `SELECT EXISTS (`+store.Replacing+` AND NOT `+lost+`) OR `+store.SoonReplaced+` `+original, draft, account)
	if err != nil || replaced || row.revived() {
		return cmp.Or(err, ErrSecond)
	}
	_, err = tx.ExecContext(ctx, `
		UPDATE items d SET origin_id = n.id FROM items it JOIN LATERAL (SELECT n.id `+store.FromReplacing+`) n ON true
		WHERE d.id = $1 AND d.account_id = $2 AND it.id = $3 AND n.id <> d.id`, draft, account, row.ID)
	return err
}

// jobCopied is the event log's line about a copy of a job.
func jobCopied(account dispatch.AccountID, id dispatch.JobID, by store.Actor, made string) store.Audit {
	details := map[string]any{"made": made}
	if by.Reason != "" {
		details["reason"] = by.Reason
	}
	return store.Audit{Actor: by.User, Account: account, Action: "job.copied", Object: string(id), Details: details, Origin: by.Origin}
}

// Relatives returns the items from which an item was made, or that were made from it, newest first, without
// colleagues' drafts.
func (s Origins) Relatives(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID) ([]dispatch.Relative, error) {
	var rows []struct {
		ID        dispatch.ItemID        `db:"id"`
		Kind      dispatch.Kind          `db:"kind"`
		State     dispatch.State         `db:"state"`
		Status    dispatch.Status        `db:"status"`
		CreatedAt time.Time              `db:"created_at"`
		DueSince  *time.Time             `db:"due_since"`
		Origin    dispatch.OriginKind    `db:"origin_kind"`
		Before    bool                   `db:"before"`
		Signing   dispatch.SigningStatus `db:"signing_status"`
	}
	err := s.Select(ctx, &rows, `
		SELECT o.id, o.kind, o.state, o.status, o.created_at, o.due_since, it.origin_kind, true AS before,
		       coalesce((SELECT h.signing_status FROM shipments h WHERE h.item_id = o.id), '') AS signing_status
		FROM items it JOIN items o ON o.id = it.origin_id AND o.account_id = it.account_id
		WHERE it.id = $1 AND it.account_id = $2
		UNION ALL
		(SELECT n.id, n.kind, n.state, n.status, n.created_at, n.due_since, n.origin_kind, false, coalesce((SELECT h.signing_status FROM shipments h WHERE h.item_id = n.id), '')
		FROM items n WHERE n.origin_id = $1 AND n.account_id = $2 AND n.state <> 'draft'
		LIMIT 20)
		ORDER BY created_at DESC`, id, account)
	list := make([]dispatch.Relative, len(rows))
	for i, r := range rows {
		list[i] = dispatch.Relative{Origin: r.Origin, Before: r.Before, Signing: r.Signing, Item: dispatch.Item{
			ID: r.ID, AccountID: account, Kind: r.Kind, State: r.State, Status: r.Status, CreatedAt: r.CreatedAt, DueSince: store.Deref(r.DueSince)}}
	}
	return list, err
}
