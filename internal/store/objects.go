package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/objects"
)

// Objects is the storage of the chunks of files.
type Objects struct {
	Bucket *objects.Bucket // nil: all are in the database
	Write  bool            // new chunks go to the bucket
}

// ErrNoBucket says that a chunk lies in object storage, and none is configured.
var ErrNoBucket = errors.New("the file lies in object storage, which is not configured")

// newObject returns a key that no object has ever had, so that an object is written once and never replaced.
func newObject(id dispatch.DocumentID, position int) string {
	return fmt.Sprintf("document/%s/%d-%s", id, position, rand.Text())
}

// putObject stores a sealed chunk in the bucket, and returns the object's key and the prefix that names the sealing key.
func (s *Store) putObject(ctx context.Context, id dispatch.DocumentID, position int, sealed []byte) (key string, seal []byte, err error) {
	key = newObject(id, position)
	return key, sealed[:len(s.Keys.Prefix())], s.Objects.Bucket.Put(ctx, key, sealed)
}

// sealedChunk returns a sealed chunk: data, or the object that its row names.
func (s *Store) sealedChunk(ctx context.Context, data []byte, object string) ([]byte, error) {
	switch {
	case object == "":
		return data, nil
	case s.Objects.Bucket == nil:
		return nil, ErrNoBucket
	}
	return s.Objects.Bucket.Get(ctx, object)
}

// movedAtOnce is how many chunks are read for moving at a time; each may take a megabyte.
const movedAtOnce = 8

// chunkRow is a chunk with its place.
type chunkRow struct {
	Document dispatch.DocumentID `db:"document_id"`
	Position int                 `db:"position"`
	Data     []byte              `db:"data"`
	Object   string              `db:"object"`
}

// MoveChunks moves all chunks to where new ones are written, into the bucket or back, and returns how many it moved.
// People may work meanwhile: a chunk is read from either place, and its row changes only when the copy is complete.
func (s *Store) MoveChunks(ctx context.Context, told func(moved int)) (moved int, err error) {
	if s.Objects.Bucket == nil {
		return 0, ErrNoBucket
	}
	here, move := `object IS NOT NULL`, s.moveIn
	if s.Objects.Write {
		here, move = `object IS NULL`, s.moveOut
	}
	after := chunkRow{Document: "00000000-0000-0000-0000-000000000000"}
	for {
		var rows []chunkRow
		err := s.DB.SelectContext(ctx, &rows, `
			SELECT document_id, position, data, coalesce(object, '') AS object FROM document_chunks
			WHERE `+here+` AND (document_id, position) > ($1, $2) ORDER BY document_id, position LIMIT $3`, after.Document, after.Position, movedAtOnce)
		if err != nil || len(rows) == 0 {
			return moved, err
		}
		for _, row := range rows {
			n, err := move(ctx, row)
			if err != nil {
				return moved, fmt.Errorf("document %s, chunk %d: %w", row.Document, row.Position, err)
			}
			moved, after = moved+int(n), row
		}
		told(moved)
	}
}

// moveOut moves a chunk to the bucket, unless it is deleted or sealed anew meanwhile.
func (s *Store) moveOut(ctx context.Context, c chunkRow) (int64, error) {
	key, seal, err := s.putObject(ctx, c.Document, c.Position, c.Data)
	if err != nil {
		return 0, err
	}
	return Affected(s.DB.ExecContext(ctx, `
		UPDATE document_chunks SET data = '', object = $3, object_seal = $4
		WHERE document_id = $1 AND position = $2 AND object IS NULL AND sha256(data) = sha256($5)`, c.Document, c.Position, key, seal, c.Data))
}

// moveIn moves a chunk to the database. Its object is left to CollectObjects.
func (s *Store) moveIn(ctx context.Context, c chunkRow) (int64, error) {
	data, err := s.Objects.Bucket.Get(ctx, c.Object)
	if err != nil {
		return 0, err
	}
	return Affected(s.Bulk.ExecContext(ctx, `
		UPDATE document_chunks SET data = $4::bytea, object = NULL, object_seal = NULL
		WHERE document_id = $1::uuid AND position = $2::integer AND object = $3::text`, string(c.Document), c.Position, c.Object, data))
}

// resealObjects reseals objects that are sealed with older keys, as new objects.
func (s *Store) resealObjects(ctx context.Context, sealed *int) error {
	if s.Objects.Bucket == nil {
		return nil // SealedBefore counts them
	}
	after := chunkRow{Document: "00000000-0000-0000-0000-000000000000"}
	for {
		var rows []chunkRow
		err := s.DB.SelectContext(ctx, &rows, `
			SELECT document_id, position, object FROM document_chunks
			WHERE object IS NOT NULL AND object_seal <> $1 AND (document_id, position) > ($2, $3) ORDER BY document_id, position LIMIT $4`,
			s.Keys.Prefix(), after.Document, after.Position, movedAtOnce)
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, row := range rows {
			after = row
			switch n, err := s.resealObject(ctx, row); {
			case errors.Is(err, objects.ErrMissing): // nobody can read it; it counts as left
			case err != nil:
				return err
			default:
				*sealed += int(n)
			}
		}
	}
}

// resealObject reseals one object; 0 when another process has done so, or no key opens it.
func (s *Store) resealObject(ctx context.Context, c chunkRow) (int64, error) {
	old, err := s.Objects.Bucket.Get(ctx, c.Object)
	if err != nil {
		return 0, err
	}
	content, err := s.Keys.Open(old, ChunkPlace(c.Document, c.Position))
	if err != nil {
		return 0, nil //nolint:nilerr // left, as in the database: another key set may open it
	}
	sealed, err := s.Keys.Seal(content, ChunkPlace(c.Document, c.Position))
	if err != nil {
		return 0, err
	}
	key, seal, err := s.putObject(ctx, c.Document, c.Position, sealed)
	if err != nil {
		return 0, err
	}
	return Affected(s.DB.ExecContext(ctx, `
		UPDATE document_chunks SET object = $4, object_seal = $5 WHERE document_id = $1 AND position = $2 AND object = $3`,
		c.Document, c.Position, c.Object, key, seal))
}

const (
	// YoungObject is the age below which an object may belong to a row that is being written.
	YoungObject = 24 * time.Hour
	// collectedAtOnce is how many objects are compared with the database at a time.
	collectedAtOnce = 500
	// ownerObject names the database that owns the objects under the prefix.
	ownerObject = "owner"
)

// ErrOtherOwner says that the bucket's objects belong to another database: this one is a copy or was restored.
var ErrOtherOwner = errors.New("the objects in the bucket belong to another database")

// CollectObjects removes objects that no chunk has named for the time kept, which must be longer than backups of the database are
// kept, and returns how many. Objects younger than young are left: their rows may not be committed yet. The bucket names the
// database that owns it; a copy of that database gets ErrOtherOwner.
func (s *Store) CollectObjects(ctx context.Context, young, kept time.Duration) (removed int, err error) {
	if s.Objects.Bucket == nil {
		return 0, nil
	}
	if err := s.ownObjects(ctx, false); err != nil {
		return 0, err
	}
	var batch []string
	notice := func() error {
		_, err := s.DB.ExecContext(ctx, `
			WITH listed AS (SELECT unnest($1::text[]) AS object), named AS (
				DELETE FROM stray_objects st USING document_chunks c WHERE st.object = ANY($1) AND c.object = st.object
			)
			INSERT INTO stray_objects (object)
			SELECT object FROM listed l WHERE NOT EXISTS (SELECT FROM document_chunks c WHERE c.object = l.object)
			ON CONFLICT (object) DO NOTHING`, pq.Array(batch))
		batch = batch[:0]
		return err
	}
	err = s.Objects.Bucket.List(ctx, "document/", func(o objects.Object) error {
		if time.Since(o.Made) < young {
			return nil
		}
		if batch = append(batch, o.Key); len(batch) < collectedAtOnce {
			return nil
		}
		return notice()
	})
	if err == nil {
		err = notice()
	}
	if err != nil {
		return 0, err
	}
	return s.removeStray(ctx, kept)
}

// removeStray removes objects that have been unnamed for the time kept. The row is deleted last, so that a failed removal is
// repeated.
func (s *Store) removeStray(ctx context.Context, kept time.Duration) (removed int, err error) {
	for {
		var keys []string
		err := s.DB.SelectContext(ctx, &keys, `
			SELECT object FROM stray_objects st
			WHERE noticed_at < now() - $1 * interval '1 second' AND NOT EXISTS (SELECT FROM document_chunks c WHERE c.object = st.object)
			LIMIT $2`, kept.Seconds(), collectedAtOnce)
		if err != nil || len(keys) == 0 {
			return removed, err
		}
		for _, key := range keys {
			if err := s.Objects.Bucket.Remove(ctx, key); err != nil {
				return removed, err
			}
			removed++
		}
		if _, err := s.DB.ExecContext(ctx, `DELETE FROM stray_objects WHERE object = ANY($1)`, pq.Array(keys)); err != nil {
			return removed, err
		}
	}
}

// AdoptObjects makes this database the owner of the bucket's objects, after a restore, with a line in the event log.
func (s *Store) AdoptObjects(ctx context.Context) error {
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		if err := Record(ctx, tx, Audit{Action: "files.adopted"}); err != nil {
			return err
		}
		return s.ownObjects(ctx, true) // last: the bucket knows no rollback
	})
}

// ownObjects checks that the bucket's owner is this database. The first one, or one that adopts, becomes it.
func (s *Store) ownObjects(ctx context.Context, adopt bool) error {
	if s.Objects.Bucket == nil {
		return ErrNoBucket
	}
	var own string
	if err := s.DB.GetContext(ctx, &own, `SELECT n.system_identifier || '/' || n.database_oid || '/' || n.table_oid FROM (`+Identity+`) n`); err != nil {
		return err
	}
	owner, err := s.Objects.Bucket.Get(ctx, ownerObject)
	switch {
	case errors.Is(err, objects.ErrMissing) || err == nil && adopt:
		return s.Objects.Bucket.Put(ctx, ownerObject, []byte(own))
	case err != nil:
		return err
	case string(owner) != own:
		return ErrOtherOwner
	}
	return nil
}
