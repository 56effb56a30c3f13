package items

import (
	"context"
	"io"
	"time"

	"github.com/jmoiron/sqlx"
	"golang.org/x/sync/errgroup"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// Keep stores a received list in sealed chunks, in place of an earlier one, and returns its size.
func (s Lists) Keep(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, r io.Reader) (int64, error) {
	if err := s.Drop(ctx, account, id); err != nil {
		return 0, err
	}
	writing, ctx := errgroup.WithContext(ctx)
	writing.SetLimit(1)
	size, _, err := s.SealChunks(ctx, store.ListFile(id), r, func(position int, sealed []byte) {
		writing.Go(func() error {
			_, err := s.Bulk.ExecContext(ctx, `
				INSERT INTO list_chunks (job_id, position, data)
				SELECT id, $2::integer, $3::bytea FROM jobs WHERE id = $1::uuid AND account_id = $4::uuid`, string(id), position, sealed, string(account))
			return err
		})
	})
	if failed := writing.Wait(); err == nil {
		err = failed
	}
	return size, err
}

// Drop deletes the received list: its rows have been read, or cannot be.
func (s Lists) Drop(ctx context.Context, account dispatch.AccountID, id dispatch.JobID) error {
	_, err := s.DB.ExecContext(ctx, `
		DELETE FROM list_chunks WHERE job_id = (SELECT id FROM jobs WHERE id = $1 AND account_id = $2)`, id, account)
	return err
}

// Refuse deletes a received list that cannot be used, and a draft that was made for it: it has nothing that anybody wrote.
func (s Lists) Refuse(ctx context.Context, account dispatch.AccountID, id dispatch.JobID) error {
	if err := s.Drop(ctx, account, id); err != nil {
		return err
	}
	_, err := s.DB.ExecContext(ctx, `
		DELETE FROM jobs j WHERE j.id = $1 AND j.account_id = $2 AND `+neverFilled+` AND j.split_document IS NULL
		    AND NOT EXISTS (SELECT FROM documents d WHERE d.job_id = j.id)`, id, account)
	return err
}

// forgetList is Refuse after the request's context has ended. If it fails, Purge does it later.
func (s Lists) forgetList(account dispatch.AccountID, id dispatch.JobID) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_ = s.Refuse(ctx, account, id)
}

// With stores a received list and calls read with it. A list that could be read stays with its draft, so that it
// can be read with other choices; it is deleted when the draft is sent or discarded, and after a day.
func (s Lists) With(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, r io.Reader, read func(io.ReaderAt, int64) error) error {
	size, err := s.Keep(ctx, account, id, r)
	if err == nil {
		err = read(s.listReader(ctx, account, id, size), size)
	}
	if err == nil {
		_, err = s.DB.ExecContext(ctx, `
			UPDATE list_chunks SET kept_at = now() WHERE job_id = (SELECT id FROM jobs WHERE id = $1 AND account_id = $2)`, id, account)
	}
	if err != nil {
		s.forgetList(account, id)
	}
	return err
}

// ReadAgain calls read with the received list of one's own draft; ErrNotFound when it has been deleted.
func (s Lists) ReadAgain(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, read func(io.ReaderAt, int64) error) error {
	if !store.ValidID(id) {
		return store.ErrNotFound
	}
	last := -1
	if err := s.Get(ctx, &last, `
		SELECT coalesce(max(c.position), -1) FROM list_chunks c JOIN jobs j ON j.id = c.job_id
		WHERE c.job_id = $1 AND j.account_id = $2 AND j.state = 'draft' AND c.kept_at IS NOT NULL`, id, account); err != nil {
		return err
	}
	if last < 0 {
		return store.ErrNotFound
	}
	piece, err := s.listPiece(ctx, account, id, last)
	if err != nil {
		return err
	}
	size := int64(last)*store.ChunkSize + int64(len(piece))
	return read(s.listReader(ctx, account, id, size), size)
}

func (s Lists) listReader(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, size int64) *listReader {
	return &listReader{ctx: ctx, size: size, kept: -1, piece: func(position int) ([]byte, error) { return s.listPiece(ctx, account, id, position) }}
}

// dropSentList deletes the list of a draft that is being sent, and what the contact register said about it, within its
// transaction.
func dropSentList(ctx context.Context, tx *sqlx.Tx, id dispatch.JobID) error {
	_, err := tx.ExecContext(ctx, `WITH answers AS (DELETE FROM row_contacts WHERE job_id = $1) DELETE FROM list_chunks WHERE job_id = $1`, id)
	return err
}

func (s Lists) listPiece(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, position int) ([]byte, error) {
	var sealed []byte
	err := s.Get(ctx, &sealed, `
		SELECT c.data FROM list_chunks c JOIN jobs j ON j.id = c.job_id
		WHERE c.job_id = $1 AND c.position = $2 AND j.account_id = $3`, id, position, account)
	if err != nil {
		return nil, store.NotFound(err)
	}
	return s.Keys.Open(sealed, store.ChunkPlace(store.ListFile(id), position))
}

// unsentKept is how long a read list, what the contact register said about it, and a draft without a list are kept.
const unsentKept = `interval '24 hours'`

// Purge deletes lists that were read and looked up a day ago, remains of failed uploads, and drafts that were never filled.
func (s Lists) Purge(ctx context.Context) error {
	if _, err := s.DB.ExecContext(ctx, `DELETE FROM list_chunks WHERE kept_at < now() - `+unsentKept); err != nil {
		return err
	}
	if _, err := s.DB.ExecContext(ctx, `DELETE FROM row_contacts WHERE asked_at < now() - `+unsentKept); err != nil {
		return err
	}
	_, err := s.DB.ExecContext(ctx, `
		DELETE FROM list_chunks c
		WHERE c.kept_at IS NULL AND NOT EXISTS (SELECT FROM list_chunks n WHERE n.job_id = c.job_id AND n.created_at > now() - $1 * interval '1 second')`, uploadDead.Seconds())
	if err != nil {
		return err
	}
	_, err = s.DB.ExecContext(ctx, `
		DELETE FROM jobs WHERE state = 'draft' AND rows_read = 0 AND changed_at < now() - `+unsentKept)
	return err
}

// listReader reads a stored list at any offset. It caches the last chunk, since readers mostly read forward. It is
// for one goroutine.
type listReader struct {
	ctx   context.Context // of the request
	size  int64
	piece func(position int) ([]byte, error)
	kept  int
	last  []byte
}

// ReadAt implements io.ReaderAt.
func (l *listReader) ReadAt(p []byte, at int64) (n int, err error) {
	if err := l.ctx.Err(); err != nil {
		return 0, err // the request has ended
	}
	for n < len(p) {
		if at >= l.size {
			return n, io.EOF
		}
		if err := l.load(int(at / store.ChunkSize)); err != nil {
			return n, err
		}
		m := copy(p[n:], l.last[min(at%store.ChunkSize, int64(len(l.last))):])
		if m == 0 {
			return n, store.ErrContent
		}
		n, at = n+m, at+int64(m)
	}
	return n, nil
}

func (l *listReader) load(position int) error {
	if l.kept == position {
		return nil
	}
	piece, err := l.piece(position)
	if err != nil {
		return err
	}
	l.kept, l.last = position, piece
	return nil
}
