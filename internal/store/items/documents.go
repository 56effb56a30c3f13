package items

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// ErrFull says that the shipment has reached the maximum number of files.
var ErrFull = errors.New("too many files")

// ErrName says that the shipment has a file of that name.
var ErrName = errors.New("file name is taken")

// Upload is a file being uploaded.
type Upload struct {
	Account  dispatch.AccountID
	Item     dispatch.ItemID
	User     dispatch.UserID
	FileName string
	Renamed  string // original name, if it had to be corrected; empty: FileName is the original
	Content  io.Reader
	// Inspect inspects the stored file, which it may open more than once, and returns its findings: type, pages,
	// problem, reading.
	Inspect func(ctx context.Context, open func() io.Reader, size int64) (dispatch.Document, error)
}

// Add streams a file into one's own draft, sealed chunk by chunk, and inspects it. On any failure, of the
// reader, the database or the context, nothing of it remains. ErrName when the draft has a file of that name.
func (s Documents) Add(ctx context.Context, u Upload) (dispatch.Document, error) {
	id, err := s.beginDocument(ctx, u)
	if err != nil {
		return dispatch.Document{}, err
	}
	ctx, end := context.WithCancel(ctx)
	defer end()
	go s.keepAlive(ctx, id)
	d, err := s.receive(ctx, id, u)
	if err != nil {
		s.forget(id)
		return dispatch.Document{}, err
	}
	return d, nil
}

func (s Documents) beginDocument(ctx context.Context, u Upload) (dispatch.DocumentID, error) {
	fresh, err := store.NewID()
	if err != nil {
		return "", err
	}
	id := dispatch.DocumentID(fresh)
	return id, s.InTx(ctx, func(tx *sqlx.Tx) error {
		if err := lockOwn(ctx, tx, u.Account, u.Item, u.User, dispatch.KindShipment); err != nil {
			return err
		}
		var taken bool
		err := tx.GetContext(ctx, &taken, `
			SELECT EXISTS (SELECT FROM documents WHERE item_id = $1 AND account_id = $2 AND complete AND lower(normalize(file_name, NFC)) = lower($3))`,
			u.Item, u.Account, u.FileName)
		if err != nil {
			return err
		}
		if taken {
			return ErrName
		}
		var files int
		if err := tx.GetContext(ctx, &files, `SELECT count(*) FROM documents WHERE item_id = $1 AND account_id = $2`, u.Item, u.Account); err != nil {
			return err
		}
		if files >= dispatch.MaxDocuments {
			return ErrFull
		}
		_, err = tx.ExecContext(ctx, `
			INSERT INTO documents (id, item_id, account_id, position, file_name, renamed_from)
			SELECT $1, $2, $3, coalesce(max(position), 0) + 1, $4, $5 FROM documents WHERE item_id = $2`, id, u.Item, u.Account, u.FileName, u.Renamed)
		return err
	})
}

func (s Documents) receive(ctx context.Context, id dispatch.DocumentID, u Upload) (dispatch.Document, error) {
	return s.receiveAs(ctx, id, u, func(d dispatch.Document) error { return s.completeDocument(ctx, u, d) })
}

// receiveAs stores and inspects a file, and completes it.
func (s Documents) receiveAs(ctx context.Context, id dispatch.DocumentID, u Upload, complete func(dispatch.Document) error) (dispatch.Document, error) {
	size, sum, err := s.WriteChunks(ctx, id, u.Content)
	if err != nil {
		return dispatch.Document{}, fmt.Errorf("take in a file: %w", err)
	}
	stored := dispatch.Document{ID: id, FileName: u.FileName, Size: size, SHA256: sum}
	found, err := u.Inspect(ctx, func() io.Reader { return s.Content(ctx, u.Account, stored) }, size)
	if err != nil {
		return dispatch.Document{}, fmt.Errorf("look into a file: %w", err)
	}
	stored.MimeType, stored.Pages, stored.Found, stored.Reading = found.MimeType, found.Pages, found.Found, found.Reading
	return stored, complete(stored)
}

// completeDocument adds the file to the draft, if it is still a draft.
func (s Documents) completeDocument(ctx context.Context, u Upload, d dispatch.Document) error {
	reading, err := s.sealReading(d)
	if err != nil {
		return err
	}
	err = s.InTx(ctx, func(tx *sqlx.Tx) error {
		if err := lockOwn(ctx, tx, u.Account, u.Item, u.User, dispatch.KindShipment); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `
			UPDATE documents SET complete = true, mime_type = $3, size = $4, sha256 = $5, pages = $6, found = $7, reading = $8
			WHERE id = $1 AND account_id = $2`, d.ID, u.Account, d.MimeType, d.Size, d.SHA256, d.Pages, d.Found, reading)
		return err
	})
	if store.Violates(err, "documents_name_idx") {
		return ErrName
	}
	return err
}

// forget removes a file that was not completed. If even that fails, Documents.Purge does it later.
func (s Documents) forget(id dispatch.DocumentID) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_, _ = s.DB.ExecContext(ctx, `DELETE FROM documents WHERE id = $1 AND NOT complete`, id)
}

const (
	// uploadBeat is the interval of an upload's heartbeat: an upload may take hours.
	uploadBeat = 5 * time.Minute
	// uploadDead is the time without a heartbeat after which an upload counts as dead.
	uploadDead = 30 * time.Minute
)

// keepAlive writes an upload's heartbeat until ctx ends. A failed one is made up for by the next.
func (s Documents) keepAlive(ctx context.Context, id dispatch.DocumentID) {
	beat := time.NewTicker(uploadBeat)
	defer beat.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-beat.C:
			_, _ = s.DB.ExecContext(ctx, `UPDATE documents SET alive_at = now() WHERE id = $1 AND NOT complete`, id)
		}
	}
}

// Purge removes uploads whose process died, or whose removal failed.
func (s Documents) Purge(ctx context.Context) error {
	_, err := s.DB.ExecContext(ctx, `DELETE FROM documents WHERE NOT complete AND alive_at < now() - $1 * interval '1 second'`, uploadDead.Seconds())
	return err
}

// Remove removes a file of one's own draft.
func (s Documents) Remove(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, by store.Actor, document dispatch.DocumentID) error {
	return s.changeDocuments(ctx, account, id, by, func(tx *sqlx.Tx, _ []dispatch.DocumentID) error {
		n, err := store.Affected(tx.ExecContext(ctx, `DELETE FROM documents WHERE id = $1 AND item_id = $2 AND account_id = $3`, document, id, account))
		if err == nil && n == 0 {
			return store.ErrNotFound
		}
		return err
	})
}

// Move moves a file of one's own draft up (-1) or down (1) in the shipment.
func (s Documents) Move(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, by store.Actor, document dispatch.DocumentID, by1 int) error {
	return s.changeDocuments(ctx, account, id, by, func(tx *sqlx.Tx, order []dispatch.DocumentID) error {
		from := slices.Index(order, document)
		if from < 0 {
			return store.ErrNotFound
		}
		to := min(max(from+by1, 0), len(order)-1)
		order = slices.Insert(slices.Delete(order, from, from+1), to, document)
		return writeOrder(ctx, tx, account, id, order)
	})
}

// Order puts the files of one's own draft in the given order; files that are not named follow in their
// former order.
func (s Documents) Order(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, by store.Actor, wanted []dispatch.DocumentID) error {
	return s.changeDocuments(ctx, account, id, by, func(tx *sqlx.Tx, order []dispatch.DocumentID) error {
		known := slices.DeleteFunc(slices.Clone(wanted), func(d dispatch.DocumentID) bool { return !slices.Contains(order, d) })
		rest := slices.DeleteFunc(order, func(d dispatch.DocumentID) bool { return slices.Contains(known, d) })
		return writeOrder(ctx, tx, account, id, append(known, rest...))
	})
}

func writeOrder(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.ItemID, order []dispatch.DocumentID) error {
	_, err := tx.ExecContext(ctx, `
		UPDATE documents d SET position = o.n
		FROM unnest($3::uuid[]) WITH ORDINALITY AS o (id, n)
		WHERE d.id = o.id AND d.item_id = $1 AND d.account_id = $2`, id, account, pq.Array(order))
	return err
}

// changeDocuments changes the files of one's own draft; order is the current order.
func (s Documents) changeDocuments(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, by store.Actor, change func(tx *sqlx.Tx, order []dispatch.DocumentID) error) error {
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		if err := lockOwn(ctx, tx, account, id, by.User, dispatch.KindShipment); err != nil {
			return err
		}
		var order []dispatch.DocumentID
		err := tx.SelectContext(ctx, &order, `
			SELECT id FROM documents WHERE item_id = $1 AND account_id = $2 AND complete ORDER BY position, id`, id, account)
		if err != nil {
			return err
		}
		return change(tx, order)
	})
}
