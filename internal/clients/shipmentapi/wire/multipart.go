package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/textproto"

	"utsending/internal/clients"
	"utsending/internal/clients/cms"
	"utsending/internal/clients/shipmentapi"
	"utsending/internal/dispatch"
)

var errDocumentSize = errors.New("content has another size than the document")

// Form is a multipart submission: everything except the documents' bytes, and the exact total size.
type Form struct {
	ContentType string
	size        int64
	pieces      [][]byte // before each document, and after the last
	documents   []dispatch.Document
	content     shipmentapi.Content
	envelope    *cms.Envelope // encrypts the documents; nil: they are sent unencrypted
	failed      chan error    // the first failure of a document
}

// NewForm lays out the parts: first the metadata, then the documents in order, each with its file name as the part's
// name too (Shipment spec, Multipart submission; upstream facts 1.4). envelope encrypts them, unless it is nil.
func NewForm(metadata []byte, documents []dispatch.Document, content shipmentapi.Content, envelope *cms.Envelope) *Form {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	f := &Form{ContentType: w.FormDataContentType(), documents: documents, content: content, envelope: envelope, failed: make(chan error, 1)}
	cut := func() {
		f.pieces = append(f.pieces, bytes.Clone(b.Bytes()))
		f.size += int64(b.Len())
		b.Reset()
	}
	// Writing to a buffer never fails.
	part, _ := w.CreatePart(partHeader(`name="forsendelse"`, "application/json"))
	_, _ = part.Write(metadata)
	for _, d := range documents {
		_, _ = w.CreatePart(partHeader(`name="`+d.FileName+`"; filename="`+d.FileName+`"`, "application/octet-stream"))
		cut()
		f.size += f.sizeOf(d)
	}
	_ = w.Close()
	cut()
	return f
}

// partHeader writes names verbatim, in UTF-8: a valid name has no quotes, backslashes and control characters.
func partHeader(names, contentType string) textproto.MIMEHeader {
	return textproto.MIMEHeader{"Content-Disposition": {"form-data; " + names}, "Content-Type": {contentType}}
}

// Body streams the submission. Its tail is the last byte of the last document and everything after it: a receiver
// that stops at the closing boundary would have the whole shipment before the last byte of the body.
func (f *Form) Body() clients.Body {
	return clients.Body{Size: f.size, Tail: len(f.pieces[len(f.documents)]) + 1, Open: f.open}
}

// open reads the submission from its start.
func (f *Form) open(ctx context.Context) io.ReadCloser {
	r := &formReader{}
	var all []io.Reader
	for i, d := range f.documents {
		document := &documentReader{size: d.Size, open: func() (io.ReadCloser, error) { return f.content(ctx, d) }}
		document.fail = func(err error) error { return f.fail(i, err) }
		r.documents = append(r.documents, document)
		all = append(all, bytes.NewReader(f.pieces[i]), f.outgoing(document))
	}
	r.Reader = io.MultiReader(append(all, bytes.NewReader(f.pieces[len(f.documents)]))...)
	return r
}

// sizeOf is the size of a document as sent.
func (f *Form) sizeOf(d dispatch.Document) int64 {
	if f.envelope == nil {
		return d.Size
	}
	return f.envelope.Size(d.Size)
}

// outgoing reads a document as sent.
func (f *Form) outgoing(document *documentReader) io.Reader {
	if f.envelope == nil {
		return document
	}
	return &sealedReader{envelope: f.envelope, document: document}
}

// fail stores the first failure and returns it, without the document's name.
func (f *Form) fail(i int, err error) error {
	err = fmt.Errorf("read document %d: %w", i+1, err)
	select {
	case f.failed <- err:
	default:
	}
	return err
}

// failure returns the first failure of a document, if any.
func (f *Form) failure() error {
	select {
	case err := <-f.failed:
		return err
	default:
		return nil
	}
}

type formReader struct {
	io.Reader
	documents []*documentReader
}

// Close implements io.Closer.
func (r *formReader) Close() error {
	for _, d := range r.documents {
		_ = d.Close()
	}
	return nil
}

// documentReader opens a document at the first read. If its length differs from the announced one, it fails, so that
// nothing after it is written.
type documentReader struct {
	open func() (io.ReadCloser, error)
	fail func(error) error
	size int64
	read int64
	from io.ReadCloser
}

// Read implements io.Reader.
func (r *documentReader) Read(p []byte) (int, error) {
	if r.from == nil {
		from, err := r.open()
		if err != nil {
			return 0, r.fail(err)
		}
		r.from = from
	}
	n, err := r.from.Read(p)
	r.read += int64(n)
	switch {
	case r.read > r.size, err == io.EOF && r.read < r.size:
		return 0, r.fail(errDocumentSize)
	case err == io.EOF:
		_ = r.Close()
	case err != nil:
		err = r.fail(err)
	}
	return n, err
}

// Close implements io.Closer. Everything needed has been read, so the content's own error does not matter.
func (r *documentReader) Close() error {
	if r.from != nil {
		_ = r.from.Close()
		r.from = nil
	}
	return nil
}

// sealedReader reads a document encrypted. Its key is generated at the first read.
type sealedReader struct {
	envelope *cms.Envelope
	document *documentReader
	from     io.Reader
}

// Read implements io.Reader.
func (r *sealedReader) Read(p []byte) (int, error) {
	if r.from == nil {
		from, err := r.envelope.Seal(r.document)
		if err != nil {
			return 0, r.document.fail(err)
		}
		r.from = from
	}
	return r.from.Read(p)
}
