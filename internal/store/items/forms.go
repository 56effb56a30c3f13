package items

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// Unfinished is an autosaved form of an SMS, as typed and unvalidated.
type Unfinished struct {
	ID      string // idempotency key of a new form, or the id of the draft that it changes
	Of      UnfinishedOf
	Seen    string // revision of that draft; empty: a new SMS
	Fields  string // as the browser posted them
	Version int    // 0: not saved yet
	SavedAt time.Time
}

// UnfinishedOf is the kind of draft that a form changes.
type UnfinishedOf string

// The kinds.
const (
	UnfinishedNew UnfinishedOf = ""    // none: a new SMS
	UnfinishedSMS UnfinishedOf = "sms" // the draft of an SMS
	UnfinishedJob UnfinishedOf = "job" // the draft of an SMS to many
)

// unfinishedMost bounds the unfinished new SMS of a user on an account: the oldest is deleted.
const unfinishedMost = 20

// Save autosaves a form, and returns it with its new version; a form that is stored already keeps its version. ErrStale when another
// tab has saved something else, or the draft, since; ErrChanged when the form was submitted, or its draft sent; ErrNotFound when the draft is not the user's.
func (s Forms) Save(ctx context.Context, account dispatch.AccountID, user dispatch.UserID, u Unfinished) (Unfinished, error) {
	if !store.ValidID(u.ID) {
		return u, store.ErrNotFound
	}
	sealed, err := s.SealText(u.Fields, store.UnfinishedPlace(account, user, u.ID))
	if err != nil {
		return u, err
	}
	err = s.InTx(ctx, func(tx *sqlx.Tx) error {
		// Lock order: the draft before the user, as when a form is submitted.
		if err := lockChanged(ctx, tx, account, user, u); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, store.LockUser, user); err != nil {
			return err
		}
		if err := notHandedIn(ctx, tx, account, user, u); err != nil {
			return err
		}
		stored, err := s.storedUnfinished(ctx, tx, account, user, u.ID)
		if err == nil && stored.Seen == u.Seen && stored.Fields == u.Fields {
			u.Version, u.SavedAt = stored.Version, stored.SavedAt
			return nil
		}
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		err = tx.QueryRowxContext(ctx, `
			INSERT INTO unfinished_forms AS f (account_id, user_id, id, item_id, job_id, seen, fields)
			SELECT $1, $2, $3, CASE WHEN $4 = 'sms' THEN $3::uuid END, CASE WHEN $4 = 'job' THEN $3::uuid END, $5, $6
			WHERE $7 = 0 OR EXISTS (SELECT FROM unfinished_forms e WHERE e.account_id = $1 AND e.user_id = $2 AND e.id = $3)
			ON CONFLICT (account_id, user_id, id) DO UPDATE SET seen = excluded.seen, fields = excluded.fields, version = f.version + 1, saved_at = now()
			WHERE f.version = $7
			RETURNING version, saved_at`,
			account, user, u.ID, u.Of, u.Seen, sealed, u.Version).Scan(&u.Version, &u.SavedAt)
		if errors.Is(err, sql.ErrNoRows) {
			return store.ErrStale
		}
		if err != nil || u.Of != UnfinishedNew {
			return err
		}
		_, err = tx.ExecContext(ctx, fmt.Sprintf(`
			DELETE FROM unfinished_forms WHERE account_id = $1 AND user_id = $2 AND id IN (
				SELECT id FROM unfinished_forms WHERE account_id = $1 AND user_id = $2 AND seen = '' ORDER BY saved_at DESC, id OFFSET %d)`, unfinishedMost), account, user)
		return err
	})
	return u, err
}

// lockChanged locks the draft that a form changes, and makes sure that it is the user's own and has the revision seen.
func lockChanged(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, user dispatch.UserID, u Unfinished) error {
	var seen, state string
	var err error
	switch u.Of {
	case UnfinishedSMS:
		err = tx.QueryRowxContext(ctx, `
			SELECT m.revision::text, it.state FROM items it JOIN sms m ON m.item_id = it.id
			WHERE it.id = $1 AND it.account_id = $2 AND it.created_by = $3 FOR SHARE`, u.ID, account, user).Scan(&seen, &state)
	case UnfinishedJob:
		var row jobRow
		err = tx.GetContext(ctx, &row, selectJob+` WHERE j.id = $1 AND j.account_id = $2 AND j.created_by = $3 AND j.kind = 'sms' FOR SHARE OF j`, u.ID, account, user)
		seen, state = row.Revision, string(row.State)
	default:
		return nil
	}
	switch {
	case err != nil:
		return store.NotFound(err)
	case state != string(dispatch.StateDraft):
		return store.ErrChanged
	}
	return when(seen != u.Seen, store.ErrStale)
}

// notHandedIn makes sure that a new form was not submitted; the user is locked.
func notHandedIn(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, user dispatch.UserID, u Unfinished) error {
	if u.Of != UnfinishedNew {
		return nil
	}
	var there bool
	err := tx.GetContext(ctx, &there, `SELECT EXISTS (SELECT FROM items WHERE account_id = $1 AND created_by = $2 AND form_key = $3)`, account, user, u.ID)
	return errors.Join(err, when(there, store.ErrChanged))
}

const selectUnfinished = `
	SELECT f.id, CASE WHEN f.item_id IS NOT NULL THEN 'sms' WHEN f.job_id IS NOT NULL THEN 'job' ELSE '' END AS of, f.seen, f.fields, f.version, f.saved_at
	FROM unfinished_forms f
	WHERE f.account_id = $1 AND f.user_id = $2`

type unfinishedRow struct {
	ID      string       `db:"id"`
	Of      UnfinishedOf `db:"of"`
	Seen    string       `db:"seen"`
	Fields  []byte       `db:"fields"`
	Version int          `db:"version"`
	SavedAt time.Time    `db:"saved_at"`
}

// ByID returns an autosaved form; ErrNotFound when there is none.
func (s Forms) ByID(ctx context.Context, account dispatch.AccountID, user dispatch.UserID, id string) (Unfinished, error) {
	if !store.ValidID(id) {
		return Unfinished{}, store.ErrNotFound
	}
	return s.storedUnfinished(ctx, s.DB, account, user, id)
}

func (s Forms) storedUnfinished(ctx context.Context, db sqlx.QueryerContext, account dispatch.AccountID, user dispatch.UserID, id string) (Unfinished, error) {
	var row unfinishedRow
	if err := sqlx.GetContext(ctx, db, &row, selectUnfinished+` AND f.id = $3`, account, user, id); err != nil {
		return Unfinished{}, store.NotFound(err)
	}
	return s.openUnfinished(account, user, row)
}

// List returns a user's unfinished new SMS, newest first.
func (s Forms) List(ctx context.Context, account dispatch.AccountID, user dispatch.UserID) ([]Unfinished, error) {
	var rows []unfinishedRow
	if err := s.Select(ctx, &rows, selectUnfinished+` AND f.seen = '' ORDER BY f.saved_at DESC, f.id`, account, user); err != nil {
		return nil, err
	}
	forms := make([]Unfinished, len(rows))
	for i, r := range rows {
		var err error
		if forms[i], err = s.openUnfinished(account, user, r); err != nil {
			return nil, err
		}
	}
	return forms, nil
}

// Drop deletes an autosaved form, if there is one.
func (s Forms) Drop(ctx context.Context, account dispatch.AccountID, user dispatch.UserID, id string) error {
	if !store.ValidID(id) {
		return nil
	}
	return s.InTx(ctx, func(tx *sqlx.Tx) error { return dropUnfinished(ctx, tx, account, user, id, anyVersion) })
}

// anyVersion deletes an autosaved form whatever its version.
const anyVersion = math.MaxInt32

// TypedError: another tab has autosaved the form since the version that the submitted form knows.
type TypedError struct{ ID string } // of the form

// Error implements error.
func (TypedError) Error() string { return "typed in another tab since" }

// dropUnfinished deletes the autosave of a submitted form, if it is not newer than the version that the form knows. A concurrent
// autosave either comes first or finds the form submitted.
func dropUnfinished(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, user dispatch.UserID, id string, saved int) error {
	if _, err := tx.ExecContext(ctx, store.LockUser, user); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM unfinished_forms WHERE account_id = $1 AND user_id = $2 AND id = $3 AND version <= $4`, account, user, id, saved); err != nil {
		return err
	}
	var newer bool
	err := tx.GetContext(ctx, &newer, `SELECT EXISTS (SELECT FROM unfinished_forms WHERE account_id = $1 AND user_id = $2 AND id = $3)`, account, user, id)
	return errors.Join(err, when(newer, TypedError{id}))
}

func (s Forms) openUnfinished(account dispatch.AccountID, user dispatch.UserID, r unfinishedRow) (Unfinished, error) {
	fields, err := s.OpenText(r.Fields, store.UnfinishedPlace(account, user, r.ID))
	return Unfinished{ID: r.ID, Of: r.Of, Seen: r.Seen, Fields: fields, Version: r.Version, SavedAt: r.SavedAt}, err
}
