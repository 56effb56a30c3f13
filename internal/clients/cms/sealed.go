package cms

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/asn1"
	"io"
)

const (
	blockSize = aes.BlockSize
	pieceSize = 64 << 10 // of the plaintext; a multiple of the block size
)

// pieceRoom is the length of a full chunk's header.
var pieceRoom = len(pieceHead(pieceSize))

// pieceHead is the header of an octet string of n bytes.
func pieceHead(n int) []byte {
	switch {
	case n < 0x80:
		return []byte{asn1.TagOctetString, byte(n)}
	case n < 0x100:
		return []byte{asn1.TagOctetString, 0x81, byte(n)}
	case n < 0x10000:
		return []byte{asn1.TagOctetString, 0x82, byte(n >> 8), byte(n)}
	}
	return []byte{asn1.TagOctetString, 0x83, byte(n >> 16), byte(n >> 8), byte(n)}
}

// sealed encrypts a file while it is read.
type sealed struct {
	file   io.ReadCloser
	mode   cipher.BlockMode
	buffer []byte // a chunk with its header
	out    []byte // bytes to return next
	ended  bool   // nothing follows out
	failed error
}

// Read implements io.Reader.
func (s *sealed) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for len(s.out) == 0 {
		switch {
		case s.failed != nil:
			return 0, s.failed
		case s.ended:
			return 0, io.EOF
		}
		s.failed = s.next()
	}
	n := copy(p, s.out)
	s.out = s.out[n:]
	return n, nil
}

// next encrypts the next chunk of the file; the last one is padded and followed by the end.
func (s *sealed) next() error {
	piece := s.buffer[pieceRoom:]
	n, err := io.ReadFull(s.file, piece)
	switch {
	case err == nil:
		s.put(piece)
		return nil
	case err != io.EOF && err != io.ErrUnexpectedEOF:
		return err
	}
	s.ended = true
	padding := blockSize - n%blockSize
	copy(piece[n:], bytes.Repeat([]byte{byte(padding)}, padding))
	s.put(piece[:n+padding])
	s.out = append(s.out, tail...)
	return nil
}

// put encrypts a chunk in place in the buffer, and puts its header just before it.
func (s *sealed) put(piece []byte) {
	s.mode.CryptBlocks(piece, piece)
	head := pieceHead(len(piece))
	start := pieceRoom - len(head)
	copy(s.buffer[start:], head)
	s.out = s.buffer[start : pieceRoom+len(piece)]
}

// Close implements io.Closer.
func (s *sealed) Close() error { return s.file.Close() }
