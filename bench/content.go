package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"math/rand/v2"
	"mime/multipart"
)

// blockSize is the size of the random block that files repeat: nothing on the way compresses or deduplicates it, and generating
// more would cost time in the measurement.
const blockSize = 8 << 20

// content is a file that exists as a stream only.
type content struct {
	block []byte
	size  int64
}

// newContent makes a file of random bytes, the same at every start. Its first bytes are not those of a PDF.
func newContent(size int64) content {
	block := make([]byte, min(size, blockSize))
	_, _ = rand.NewChaCha8([32]byte([]byte("utsending bench utsending bench!"))).Read(block) // never fails
	return content{block, size}
}

func (c content) reader() io.Reader { return io.LimitReader(&cycle{block: c.block}, c.size) }

// sum is the file's SHA-256, as documents have it.
func (c content) sum() string {
	h := sha256.New()
	_, _ = io.Copy(h, c.reader()) // neither side has errors
	return hex.EncodeToString(h.Sum(nil))
}

// form is a multipart form with the file as its only field.
type form struct {
	body        io.Reader
	contentType string
	size        int64
}

func (c content) form(fileName string) form {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	_, _ = w.CreateFormFile("fil", fileName) // into a buffer, which has no errors
	before := bytes.Clone(b.Bytes())
	b.Reset()
	_ = w.Close()
	size := int64(len(before)) + c.size + int64(b.Len())
	return form{io.MultiReader(bytes.NewReader(before), c.reader(), &b), w.FormDataContentType(), size}
}

// cycle reads the same block again and again.
type cycle struct {
	block []byte
	at    int
}

// Read implements io.Reader.
func (c *cycle) Read(p []byte) (int, error) {
	n := copy(p, c.block[c.at:])
	c.at = (c.at + n) % len(c.block)
	return n, nil
}
