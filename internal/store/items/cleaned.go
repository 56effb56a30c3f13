package items

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// ErrDivided: the file cannot be replaced, since recipients have slices of it.
var ErrDivided = errors.New("the file is divided")

// Clean replaces a file of one's own draft with a cleaned copy, under its name and with its choices. The original is kept
// until the draft is sent. ErrNotFound when the file is no longer in the draft, or was cleaned before. On any failure nothing has
// changed.
func (s Documents) Clean(ctx context.Context, u Upload, by store.Actor, of dispatch.DocumentID, done dispatch.Cleaning) (dispatch.Document, error) {
	fresh, err := store.NewID()
	if err != nil {
		return dispatch.Document{}, err
	}
	id := dispatch.DocumentID(fresh)
	if err := s.beginCleaned(ctx, u, of, id); err != nil {
		return dispatch.Document{}, err
	}
	ctx, end := context.WithCancel(ctx)
	defer end()
	go s.keepAlive(ctx, id)
	d, err := s.receiveAs(ctx, id, u, func(d dispatch.Document) error { return s.completeCleaned(ctx, u, by, of, d, done) })
	if err != nil {
		s.forget(id)
		return dispatch.Document{}, err
	}
	return d, nil
}

// beginCleaned stores the row of the copy beside the file.
func (s Documents) beginCleaned(ctx context.Context, u Upload, of, id dispatch.DocumentID) error {
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		if err := lockOwn(ctx, tx, u.Account, u.Item, u.User, dispatch.KindShipment); err != nil {
			return err
		}
		if err := notDivided(ctx, tx, u.Account, of); err != nil {
			return err
		}
		n, err := store.Affected(tx.ExecContext(ctx, `
			INSERT INTO documents (id, item_id, account_id, position, file_name, renamed_from)
			SELECT $1, item_id, account_id, position, file_name, renamed_from FROM documents
			WHERE id = $2 AND item_id = $3 AND account_id = $4 AND complete AND cleaned IS NULL`, id, of, u.Item, u.Account))
		if err == nil && n == 0 {
			err = store.ErrNotFound
		}
		return err
	})
}

func notDivided(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.DocumentID) error {
	var divided bool
	err := tx.GetContext(ctx, &divided, `SELECT EXISTS (SELECT FROM jobs WHERE split_document = $1 AND account_id = $2)`, id, account)
	if err == nil && divided {
		err = ErrDivided
	}
	return err
}

// completeCleaned exchanges the two files, if the draft is still a draft and has the original.
func (s Documents) completeCleaned(ctx context.Context, u Upload, by store.Actor, of dispatch.DocumentID, d dispatch.Document, done dispatch.Cleaning) error {
	reading, err := s.sealReading(d)
	if err != nil {
		return err
	}
	plain, err := json.Marshal(done)
	if err != nil {
		return fmt.Errorf("cleaning of a document: %w", err)
	}
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		if err := lockOwn(ctx, tx, u.Account, u.Item, u.User, dispatch.KindShipment); err != nil {
			return err
		}
		if err := notDivided(ctx, tx, u.Account, of); err != nil {
			return err
		}
		n, err := store.Affected(tx.ExecContext(ctx, `UPDATE documents SET item_id = NULL, replaced_by = $1 WHERE id = $2 AND item_id = $3 AND account_id = $4`, d.ID, of, u.Item, u.Account))
		if err == nil && n == 0 {
			err = store.ErrNotFound
		}
		if err != nil {
			return err
		}
		n, err = store.Affected(tx.ExecContext(ctx, `
			UPDATE documents SET complete = true, mime_type = $3, size = $4, sha256 = $5, pages = $6, found = $7, reading = $8, cleaned = $9,
			    position = (SELECT o.position FROM documents o WHERE o.id = $10)
			WHERE id = $1 AND account_id = $2`, d.ID, u.Account, d.MimeType, d.Size, d.SHA256, d.Pages, d.Found, store.NullBytes(reading), plain, of))
		if err == nil && n == 0 {
			err = store.ErrNotFound // removed by Documents.Purge, which considered this process dead
		}
		if err != nil {
			return err
		}
		if err := s.refile(ctx, tx, u.Account, u.Item, of, d.ID); err != nil {
			return err
		}
		return store.Record(ctx, tx, store.Audit{Actor: by.User, Account: u.Account, Action: "document.clean", Object: string(u.Item),
			Details: map[string]any{"document": d.ID, "of": of, "removed": done.Removed}, Origin: by.Origin})
	})
}

// Restore replaces a cleaned copy with the original, removes the copy, and returns the original's id.
func (s Documents) Restore(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, by store.Actor, cleaned dispatch.DocumentID) (of dispatch.DocumentID, err error) {
	err = s.InTx(ctx, func(tx *sqlx.Tx) error {
		if err := lockOwn(ctx, tx, account, id, by.User, dispatch.KindShipment); err != nil {
			return err
		}
		if err := notDivided(ctx, tx, account, cleaned); err != nil {
			return err
		}
		err := tx.GetContext(ctx, &of, `
			SELECT o.id FROM documents o JOIN documents d ON d.id = o.replaced_by
			WHERE d.id = $1 AND d.item_id = $2 AND d.account_id = $3 AND d.complete`, cleaned, id, account)
		if err != nil {
			return store.NotFound(err)
		}
		if err := exchangeBack(ctx, tx, account, id, cleaned, of); err != nil {
			return err
		}
		if err := s.refile(ctx, tx, account, id, cleaned, of); err != nil {
			return err
		}
		return store.Record(ctx, tx, store.Audit{Actor: by.User, Account: account, Action: "document.restore", Object: string(id),
			Details: map[string]any{"document": of, "of": cleaned}, Origin: by.Origin})
	})
	return of, err
}

// exchangeBack removes a copy and puts the original in its place. Both have the same name, so the copy goes first.
func exchangeBack(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.ItemID, cleaned, of dispatch.DocumentID) error {
	_, err := tx.ExecContext(ctx, `UPDATE documents SET complete = false WHERE id = $1 AND account_id = $2`, cleaned, account)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `
		UPDATE documents o SET item_id = d.item_id, replaced_by = NULL, position = d.position FROM documents d
		WHERE o.id = $1 AND o.replaced_by = d.id AND o.account_id = $2`, of, account)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `DELETE FROM documents WHERE id = $1 AND item_id = $2 AND account_id = $3`, cleaned, id, account)
	return err
}

// refile moves the choices for a file to its replacement. The draft gets a new version, so that the old review is not sent.
func (s Documents) refile(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.ItemID, old, fresh dispatch.DocumentID) error {
	var sealed []byte
	if err := tx.GetContext(ctx, &sealed, `SELECT form FROM shipments WHERE item_id = $1 AND account_id = $2`, id, account); err != nil {
		return err
	}
	fields, err := s.openFields(sealed, store.FormPlace(id))
	if err != nil {
		return err
	}
	if sealed, err = s.sealFields(fields.Refiled(old, fresh), store.FormPlace(id)); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE shipments SET form = $3, version = version + 1, changed_at = now() WHERE item_id = $1 AND account_id = $2`, id, account, sealed)
	return err
}

// dropOriginals removes replaced files of a draft: only reviewed files are sent.
func dropOriginals(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.ItemID) error {
	_, err := tx.ExecContext(ctx, `
		DELETE FROM documents o USING documents d WHERE o.replaced_by = d.id AND d.item_id = $1 AND d.account_id = $2 AND o.account_id = $2`, id, account)
	return err
}
