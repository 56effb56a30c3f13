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

// Unfinished is what a user has typed in the form of an SMS and not handed in. It is saved as it is typed, with its faults.
type Unfinished struct {
	ID      string // the key of a new form, or the id of the draft that it changes
	Of      UnfinishedOf
	Seen    string // revision of that draft; empty: a new SMS
	Fields  string // as the browser posted them
	Version int    // 0: not saved yet
	SavedAt time.Time
}

// UnfinishedOf is what a form changes.
type UnfinishedOf string

// What a form changes.
const (
	UnfinishedNew UnfinishedOf = ""    // nothing: it is a new SMS
	UnfinishedSMS UnfinishedOf = "sms" // the draft of an SMS
	UnfinishedJob UnfinishedOf = "job" // the draft of an SMS to many
)

// unfinishedMost bounds the new forms of a user on an account: the oldest one goes.
const unfinishedMost = 20

// SaveUnfinished saves what is typed, and returns it with its new version. ErrStale when another tab has saved it, or its draft,
// since; ErrChanged when the form was handed in, or its draft sent;
// ErrNotFound when that is not theirs.
func (s *Store) SaveUnfinished(ctx context.Context, account dispatch.AccountID, user dispatch.UserID, u Unfinished) (Unfinished, error) {
	if !store.ValidID(u.ID) {
		return u, store.ErrNotFound
	}
	sealed, err := s.SealText(u.Fields, store.UnfinishedPlace(account, user, u.ID))
	if err != nil {
		return u, err
	}
	err = s.InTx(ctx, func(tx *sqlx.Tx) error {
		// Forms of a user wait for each other, and for who hands one in: that one has the draft before the user.
		if err := lockChanged(ctx, tx, account, user, u); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, store.LockUser, user); err != nil {
			return err
		}
		if err := notHandedIn(ctx, tx, account, user, u); err != nil {
			return err
		}
		err := tx.QueryRowxContext(ctx, `
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

// lockChanged locks the draft that a form changes, and makes sure that it is still one's own, and as it was seen.
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

// notHandedIn makes sure that a new form was not handed in; the user is locked.
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

func (s *Store) openUnfinished(account dispatch.AccountID, user dispatch.UserID, r unfinishedRow) (Unfinished, error) {
	fields, err := s.OpenText(r.Fields, store.UnfinishedPlace(account, user, r.ID))
	return Unfinished{ID: r.ID, Of: r.Of, Seen: r.Seen, Fields: fields, Version: r.Version, SavedAt: r.SavedAt}, err
}

// Unfinished returns what a user has typed in one form; ErrNotFound when there is nothing.
func (s *Store) Unfinished(ctx context.Context, account dispatch.AccountID, user dispatch.UserID, id string) (Unfinished, error) {
	if !store.ValidID(id) {
		return Unfinished{}, store.ErrNotFound
	}
	var row unfinishedRow
	if err := s.Get(ctx, &row, selectUnfinished+` AND f.id = $3`, account, user, id); err != nil {
		return Unfinished{}, store.NotFound(err)
	}
	return s.openUnfinished(account, user, row)
}

// UnfinishedForms returns what a user has typed in forms of new SMS, the last one first.
func (s *Store) UnfinishedForms(ctx context.Context, account dispatch.AccountID, user dispatch.UserID) ([]Unfinished, error) {
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

// DropUnfinished forgets what a user has typed in a form. That there is nothing is no fault.
func (s *Store) DropUnfinished(ctx context.Context, account dispatch.AccountID, user dispatch.UserID, id string) error {
	if !store.ValidID(id) {
		return nil
	}
	return s.InTx(ctx, func(tx *sqlx.Tx) error { return dropUnfinished(ctx, tx, account, user, id, anyVersion) })
}

// anyVersion drops what is typed whatever its version.
const anyVersion = math.MaxInt32

// TypedError says that another tab has saved words for a form since the version that the form which was handed in knows of.
type TypedError struct{ ID string } // of what was typed

// Error implements error.
func (TypedError) Error() string { return "typed in another tab since" }

// dropUnfinished forgets what was typed in a form that is handed in, if it is not newer than the version that the form knows of. Who
// types in another tab at the same time is before it, or finds that it was handed in.
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
