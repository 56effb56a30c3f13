package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"sync"

	"golang.org/x/sync/errgroup"

	"utsending/internal/dispatch"
)

// ChunkSize is the size of the chunks in which files are stored, before sealing.
const ChunkSize = 1 << 20

// chunksAtOnce is how many chunks of a file are written, or read ahead, concurrently: with two, the database works
// while we seal or send. Each takes twice its size in memory.
const chunksAtOnce = 2

// WriteChunks seals r into chunks and returns the size and SHA-256 of the plaintext. Chunks are written while the
// next ones are read, hashed and sealed.
func (s *Store) WriteChunks(ctx context.Context, id dispatch.DocumentID, r io.Reader) (size int64, sum string, err error) {
	writing, ctx := errgroup.WithContext(ctx)
	writing.SetLimit(chunksAtOnce)
	size, sum, err = s.SealChunks(ctx, id, r, func(position int, sealed []byte) {
		writing.Go(func() error { return s.writeChunk(ctx, id, position, sealed) })
	})
	if failed := writing.Wait(); err == nil {
		err = failed
	}
	return size, sum, err
}

// SealChunks seals r into chunks and passes them to write, until ctx ends; the error is then the cause.
func (s *Store) SealChunks(ctx context.Context, id dispatch.DocumentID, r io.Reader, write func(position int, sealed []byte)) (size int64, sum string, err error) {
	free := buffers.Get().(*[ChunkSize]byte)
	defer buffers.Put(free)
	buffer, h := free[:], sha256.New()
	for position := 0; ctx.Err() == nil; position++ {
		n, err := fill(r, buffer)
		if n > 0 {
			size += int64(n)
			h.Write(buffer[:n])
			sealed, err := s.Keys.Seal(buffer[:n], ChunkPlace(id, position))
			if err != nil {
				return 0, "", err
			}
			write(position, sealed)
		}
		switch {
		case err == io.EOF:
			return size, hex.EncodeToString(h.Sum(nil)), nil
		case err != nil:
			return 0, "", err
		}
	}
	return 0, "", context.Cause(ctx)
}

// buffers hold a chunk each and are used again: most files are much shorter than a chunk, for which a new buffer would be cleared.
var buffers = sync.Pool{New: func() any { return new([ChunkSize]byte) }}

// fill reads until the chunk is full. Unlike io.ReadFull it tells the end from a broken connection: a form that is
// cut off ends with io.ErrUnexpectedEOF, and a truncated file must not pass as complete.
func fill(r io.Reader, piece []byte) (n int, err error) {
	for n < len(piece) && err == nil {
		var m int
		m, err = r.Read(piece[n:])
		n += m
	}
	return n, err
}

// writeChunk commits a chunk without waiting for the disk. A file counts only when its row is marked complete, in a
// transaction that does wait; as the WAL is written in order, all chunks are then on disk. A chunk in object storage is
// there before its row is.
func (s *Store) writeChunk(ctx context.Context, id dispatch.DocumentID, position int, sealed []byte) error {
	var object *string
	var seal []byte
	if s.Objects.Write {
		key, first, err := s.putObject(ctx, id, position, sealed)
		if err != nil {
			return err
		}
		object, seal, sealed = &key, first, []byte{}
	}
	_, err := s.Bulk.ExecContext(ctx, `
		INSERT INTO document_chunks (document_id, position, data, object, object_seal)
		SELECT $1::uuid, $2::integer, $3::bytea, $4::text, $5::bytea FROM set_config('synchronous_commit', 'off', true)`, string(id), position, sealed, object, seal)
	return err
}

// ErrContent says that a stored file differs from the upload: a chunk is missing, or the hash differs.
var ErrContent = errors.New("stored file differs from what was uploaded")

// ContentReader reads a document chunk by chunk, with read-ahead. The hash is verified before io.EOF is returned.
type ContentReader struct {
	Next     func(position int) ([]byte, error)
	Document dispatch.Document
	position int // of the next chunk to ask for
	read     int64
	Hash     hash.Hash
	rest     []byte
	ahead    []chan piece // chunks being read, in order
}

// piece is a chunk in plaintext, or the error of reading it.
type piece struct {
	content []byte
	err     error
}

// Content returns a reader of the plaintext of an account's document.
func (s *Store) Content(ctx context.Context, account dispatch.AccountID, d dispatch.Document) io.ReadCloser {
	return &ContentReader{Document: d, Hash: sha256.New(), Next: func(position int) ([]byte, error) {
		var row struct {
			Data   []byte `db:"data"`
			Object string `db:"object"`
		}
		err := s.Get(ctx, &row, `
			SELECT c.data, coalesce(c.object, '') AS object FROM document_chunks c JOIN documents d ON d.id = c.document_id
			WHERE c.document_id = $1 AND c.position = $2 AND d.account_id = $3`, d.ID, position, account)
		if err != nil {
			return nil, NotFound(err)
		}
		sealed, err := s.sealedChunk(ctx, row.Data, row.Object)
		if err != nil {
			return nil, err
		}
		return s.Keys.Open(sealed, ChunkPlace(d.ID, position))
	}}
}

// Read implements io.Reader.
func (c *ContentReader) Read(p []byte) (int, error) {
	if len(c.rest) == 0 {
		if c.read == c.Document.Size {
			return 0, c.end()
		}
		if err := c.load(); err != nil {
			return 0, err
		}
	}
	n := copy(p, c.rest)
	c.rest = c.rest[n:]
	return n, nil
}

func (c *ContentReader) load() error {
	c.readAhead()
	if len(c.ahead) == 0 {
		return ErrContent // the chunks hold less than the file's size
	}
	p := <-c.ahead[0]
	c.ahead = c.ahead[1:]
	if errors.Is(p.err, ErrNotFound) || p.err == nil && (len(p.content) == 0 || c.read+int64(len(p.content)) > c.Document.Size) {
		return ErrContent
	}
	if p.err != nil {
		return p.err
	}
	c.read, c.rest = c.read+int64(len(p.content)), p.content
	c.readAhead()
	c.Hash.Write(c.rest)
	return nil
}

// readAhead starts reading further chunks, up to chunksAtOnce. If the reader is never closed, nothing leaks.
func (c *ContentReader) readAhead() {
	for len(c.ahead) < chunksAtOnce && int64(c.position)*ChunkSize < c.Document.Size {
		ahead, position := make(chan piece, 1), c.position
		c.ahead, c.position = append(c.ahead, ahead), position+1
		go func() {
			content, err := c.Next(position)
			ahead <- piece{content, err}
		}()
	}
}

func (c *ContentReader) end() error {
	if hex.EncodeToString(c.Hash.Sum(nil)) != c.Document.SHA256 {
		return ErrContent
	}
	return io.EOF
}

// Close implements io.Closer. It waits for pending reads.
func (c *ContentReader) Close() error {
	for _, ahead := range c.ahead {
		<-ahead
	}
	c.ahead = nil
	return nil
}
