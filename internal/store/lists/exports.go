package lists

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

const (
	exportLife  = 24 * time.Hour   // how long an export can be downloaded
	exportLease = 30 * time.Second // lease without a renewal
	exportTries = 5                // maximum number of attempts
	exportsMost = 3                // unfinished exports of a user on an account
)

// ExportCounted bounds the counting of rows before an export is ordered.
const ExportCounted = 10_000

// ExportOrder is an order for a list as a file.
type ExportOrder struct {
	Account  dispatch.AccountID
	By       store.Actor
	Format   dispatch.ExportFormat
	Query    ListQuery
	Expected dispatch.GroupCount // number of rows now
	Chosen   []string            // names of the chosen filters, for the event log
}

// Export is an export: ordered, being made or ready.
type Export struct {
	dispatch.Export
	Account dispatch.AccountID
	User    dispatch.UserID
	Query   ListQuery
	attempt int
	sha256  string
}

// Order stores an order and records in the event log which filters were chosen, never their words. ErrChanged:
// the user has too many unfinished exports.
func (s Exports) Order(ctx context.Context, o ExportOrder) (string, error) {
	random, err := uuid.NewRandom()
	if err != nil {
		return "", fmt.Errorf("order an export: %w", err)
	}
	id := random.String()
	plain, err := json.Marshal(o.Query)
	if err != nil {
		return "", fmt.Errorf("order an export: %w", err)
	}
	sealed, err := s.Keys.Seal(plain, store.ExportPlace(id))
	if err != nil {
		return "", err
	}
	return id, s.InTx(ctx, func(tx *sqlx.Tx) error { return insertExport(ctx, tx, id, sealed, o) })
}

func insertExport(ctx context.Context, tx *sqlx.Tx, id string, sealed []byte, o ExportOrder) error {
	// Locked, so that two concurrent orders cannot both take the last place.
	if _, err := tx.ExecContext(ctx, store.LockUser, o.By.User); err != nil {
		return err
	}
	var expected any
	if !o.Expected.Above {
		expected = o.Expected.N
	}
	n, err := store.Affected(tx.ExecContext(ctx, `
		INSERT INTO exports (id, account_id, user_id, format, query, expires_at, expected)
		SELECT $1, $2, $3, $4, $5, now() + $6 * interval '1 second', $7
		WHERE (SELECT count(*) FROM exports WHERE account_id = $2 AND user_id = $3 AND done_at IS NULL AND failed_at IS NULL) < $8`,
		id, o.Account, o.By.User, o.Format, sealed, exportLife.Seconds(), expected, exportsMost))
	switch {
	case err != nil:
		return err
	case n == 0:
		return store.ErrChanged
	}
	if err := store.Room(ctx, tx, dispatch.PileExports, store.LockUser, o.By.User,
		`SELECT FROM exports WHERE account_id = $1 AND user_id = $2 AND expires_at > now() LIMIT $3`, o.Account, o.By.User); err != nil {
		return err
	}
	search := o.Query.Search
	return store.Record(ctx, tx, store.Audit{Actor: o.By.User, Account: o.Account, Action: "list.export", Object: id, Origin: o.By.Origin, Details: map[string]any{
		"format": o.Format, "chosen": o.Chosen, "search": search != nil, "person": search != nil && search.Person}})
}

type exportRow struct {
	ID       string                `db:"id"`
	Account  dispatch.AccountID    `db:"account_id"`
	User     dispatch.UserID       `db:"user_id"`
	Format   dispatch.ExportFormat `db:"format"`
	Query    []byte                `db:"query"`
	Created  time.Time             `db:"created_at"`
	Expires  time.Time             `db:"expires_at"`
	Expected *int                  `db:"expected"`
	Attempt  int                   `db:"attempt"`
	Rows     int                   `db:"rows"`
	Size     int64                 `db:"size"`
	SHA256   string                `db:"sha256"`
	Done     *time.Time            `db:"done_at"`
	Failed   *time.Time            `db:"failed_at"`
}

const exportColumns = `id, account_id, user_id, format, query, created_at, expires_at, expected, attempt, rows, size, sha256, done_at, failed_at`

func (s Exports) openExport(r exportRow) (Export, error) {
	e := Export{Account: r.Account, User: r.User, attempt: r.Attempt, sha256: r.SHA256, Export: dispatch.Export{
		ID: r.ID, Format: r.Format, CreatedAt: r.Created, ExpiresAt: r.Expires, Expected: -1, Rows: r.Rows, Size: r.Size,
		Done: r.Done != nil, Failed: r.Failed != nil,
	}}
	if r.Expected != nil {
		e.Expected = *r.Expected
	}
	plain, err := s.Keys.Open(r.Query, store.ExportPlace(r.ID))
	if err == nil {
		err = json.Unmarshal(plain, &e.Query)
	}
	return e, err
}

// ByID returns a user's export on an account; ErrNotFound for anybody else, and after it has expired.
func (s Exports) ByID(ctx context.Context, account dispatch.AccountID, user dispatch.UserID, id string) (Export, error) {
	if !store.ValidID(id) {
		return Export{}, store.ErrNotFound
	}
	var r exportRow
	err := s.Get(ctx, &r, `SELECT `+exportColumns+` FROM exports WHERE id = $1 AND account_id = $2 AND user_id = $3 AND expires_at > now()`,
		strings.ToLower(id), account, user)
	if err != nil {
		return Export{}, store.NotFound(err)
	}
	return s.openExport(r)
}

// File opens the file of an export that is ready.
func (s Exports) File(ctx context.Context, e Export) io.ReadCloser {
	file := store.ExportFile(e.ID, e.attempt)
	return &store.ContentReader{Document: dispatch.Document{ID: file, Size: e.Size, SHA256: e.sha256}, Hash: sha256.New(), Next: func(position int) ([]byte, error) {
		var sealed []byte
		err := s.Get(ctx, &sealed, `
			SELECT c.data FROM export_chunks c JOIN exports e ON e.id = c.export_id
			WHERE c.export_id = $1 AND c.attempt = $2 AND c.position = $3 AND e.account_id = $4 AND e.user_id = $5 AND e.done_at IS NOT NULL`,
			e.ID, e.attempt, position, e.Account, e.User)
		if err != nil {
			return nil, store.NotFound(err)
		}
		return s.Keys.Open(sealed, store.ChunkPlace(file, position))
	}}
}

// Claim claims a waiting export; nil: there is none. The first is that of the account for which fewest were made in the last
// day, so that one account's many do not keep another waiting; among these, the oldest. One whose lease expired is begun anew, up
// to exportTries times.
func (s Exports) Claim(ctx context.Context) (*Export, error) {
	_, err := s.DB.ExecContext(ctx, `
		UPDATE exports SET failed_at = now() WHERE done_at IS NULL AND failed_at IS NULL AND lease_until < now()
		  AND (attempt >= $1 OR EXISTS (SELECT FROM set_aside o WHERE o.queue = 'export' AND o.key = exports.id::text AND o.tries >= $2))`,
		exportTries, dispatch.SetAsideAfter)
	if err != nil {
		return nil, err
	}
	var rows []exportRow
	err = s.DB.SelectContext(ctx, &rows, `
		UPDATE exports SET attempt = attempt + 1, rows = 0, lease_until = now() + $1 * interval '1 second'
		WHERE id = (SELECT id FROM exports
		            WHERE done_at IS NULL AND failed_at IS NULL AND expires_at > now() AND (lease_until IS NULL OR lease_until < now())
		            AND NOT `+store.SkippedNow(dispatch.QueueExport, "exports.id")+`
		            ORDER BY (SELECT count(*) FROM exports o WHERE o.account_id = exports.account_id AND o.attempt > 0), created_at LIMIT 1 FOR UPDATE SKIP LOCKED)
		RETURNING `+exportColumns, exportLease.Seconds())
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	e, err := s.openExport(rows[0])
	if err != nil {
		return nil, s.SetAside(ctx, dispatch.QueueExport, e.ID, err)
	}
	return &e, nil
}

// Progress records the number of rows written and renews the lease. ErrChanged: another process has the export.
func (s Exports) Progress(ctx context.Context, e *Export, rows int) error {
	return s.holdExport(ctx, e, `UPDATE exports SET rows = $3, lease_until = now() + $4 * interval '1 second'
		WHERE id = $1 AND attempt = $2 AND done_at IS NULL AND failed_at IS NULL`, e.ID, e.attempt, rows, exportLease.Seconds())
}

func (s Exports) holdExport(ctx context.Context, e *Export, statement string, args ...any) error {
	n, err := store.Affected(s.DB.ExecContext(ctx, statement, args...))
	if err == nil && n == 0 {
		return fmt.Errorf("export %s: %w", e.ID, store.ErrChanged)
	}
	return err
}

// Keep stores the export's file in sealed chunks and marks it as ready. Only the attempt that holds the lease
// can.
func (s Exports) Keep(ctx context.Context, e *Export, r io.Reader) error {
	file := store.ExportFile(e.ID, e.attempt)
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	size, sum, err := s.SealChunks(ctx, file, r, func(position int, sealed []byte) {
		if err := s.keepExportChunk(ctx, e, position, sealed); err != nil {
			stop(err)
		}
	})
	if failed := context.Cause(ctx); err == nil && failed != nil {
		err = failed
	}
	if err != nil {
		return err
	}
	return s.holdExport(ctx, e, `UPDATE exports SET done_at = now(), size = $3, sha256 = $4, lease_until = NULL
		WHERE id = $1 AND attempt = $2 AND done_at IS NULL AND failed_at IS NULL`, e.ID, e.attempt, size, sum)
}

func (s Exports) keepExportChunk(ctx context.Context, e *Export, position int, sealed []byte) error {
	n, err := store.Affected(s.Bulk.ExecContext(ctx, `
		INSERT INTO export_chunks (export_id, attempt, position, data)
		SELECT id, $2::integer, $3::integer, $4::bytea FROM exports
		WHERE id = $1::uuid AND attempt = $2::integer AND done_at IS NULL AND failed_at IS NULL`, e.ID, e.attempt, position, sealed))
	if err == nil && n == 0 {
		return fmt.Errorf("export %s: %w", e.ID, store.ErrChanged)
	}
	return err
}

// Purge deletes expired exports, and remains of failed attempts.
func (s Exports) Purge(ctx context.Context) error {
	if _, err := s.DB.ExecContext(ctx, `DELETE FROM exports WHERE expires_at <= now()`); err != nil {
		return err
	}
	_, err := s.DB.ExecContext(ctx, `DELETE FROM set_aside o WHERE o.queue = 'export' AND NOT EXISTS (SELECT FROM exports e WHERE e.id::text = o.key AND e.done_at IS NULL)`)
	if err != nil {
		return err
	}
	_, err = s.DB.ExecContext(ctx, `DELETE FROM export_chunks c USING exports e WHERE e.id = c.export_id AND (c.attempt < e.attempt OR e.failed_at IS NOT NULL)`)
	return err
}

// exportWindow is how many rows of an export are read at a time.
const exportWindow = 500
