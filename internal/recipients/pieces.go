package recipients

import (
	"io"
	"sync"
)

// Pieces reads a list that is stored in pieces of one size, the last one shorter. It keeps the piece that was read last.
type Pieces struct {
	size, each int64
	fetch      func(n int) ([]byte, error)

	mu    sync.Mutex
	n     int
	piece []byte
}

// NewPieces makes a reader of size bytes in pieces of each bytes; fetch returns piece n, counted from 0.
func NewPieces(size, each int64, fetch func(n int) ([]byte, error)) *Pieces {
	return &Pieces{size: size, each: each, fetch: fetch, n: -1}
}

// ReadAt implements io.ReaderAt.
func (p *Pieces) ReadAt(b []byte, off int64) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	read := 0
	for read < len(b) {
		at := off + int64(read)
		if at >= p.size {
			return read, io.EOF
		}
		piece, err := p.at(int(at / p.each))
		if err != nil {
			return read, err
		}
		if at%p.each >= int64(len(piece)) {
			return read, io.ErrUnexpectedEOF
		}
		read += copy(b[read:], piece[at%p.each:])
	}
	return read, nil
}

func (p *Pieces) at(n int) ([]byte, error) {
	if n == p.n {
		return p.piece, nil
	}
	piece, err := p.fetch(n)
	if err != nil {
		return nil, err
	}
	p.n, p.piece = n, piece
	return piece, nil
}
