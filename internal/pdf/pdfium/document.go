package pdfium

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	gopdfium "github.com/klippa-app/go-pdfium"
	failures "github.com/klippa-app/go-pdfium/errors"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"

	"utsending/internal/pdf/compiled"
)

// The errors of opening a file.
var (
	ErrPassword = errors.New("needs a password")
	ErrBroken   = errors.New("cannot be read")
)

// Document is an open PDF.
type Document struct {
	engine  *engine
	i       gopdfium.Pdfium
	ref     references.FPDF_DOCUMENT
	settled map[int]bool // pages whose annotations and fields are flattened into their content
	failed  bool         // the instance's state may be corrupt
}

// Open opens a file, which must stay unchanged until Close. An encrypted file opens without a password if its user
// password is empty.
func Open(file []byte) (*Document, error) {
	if err := Start(compiled.Dir()); err != nil { // a child has started it already
		return nil, err
	}
	i, err := current.take()
	if err != nil {
		return nil, fmt.Errorf("start an instance: %w", err)
	}
	d := &Document{engine: current, i: i, settled: map[int]bool{}}
	opened, err := i.OpenDocument(&requests.OpenDocument{FileReader: bytes.NewReader(file), FileReaderSize: int64(len(file))})
	switch {
	case errors.Is(err, failures.ErrPassword), errors.Is(err, failures.ErrSecurity):
		d.Close()
		return nil, ErrPassword
	case err != nil:
		d.failed = true
		d.Close()
		return nil, fmt.Errorf("%w: %w", ErrBroken, err)
	}
	d.ref = opened.Document
	return d, nil
}

// Close frees the document.
func (d *Document) Close() {
	if d.ref != "" {
		_, err := d.i.FPDF_CloseDocument(&requests.FPDF_CloseDocument{Document: d.ref})
		d.failed = d.failed || err != nil
	}
	if d.failed {
		_ = d.i.Close() // whatever is left of it
		return
	}
	d.engine.give(d.i)
}

// keep notes a failed call, after which the instance is not reused.
func (d *Document) keep(err error) error {
	d.failed = d.failed || err != nil
	return err
}

// Pages counts the pages.
func (d *Document) Pages() (int, error) {
	n, err := d.i.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: d.ref})
	if err != nil {
		return 0, d.keep(err)
	}
	return n.PageCount, nil
}

// Size is the size of a page as shown, in points: cropped and rotated, but without UserUnit, which PDFium ignores.
func (d *Document) Size(page int) (width, height float64, err error) {
	s, err := d.i.FPDF_GetPageSizeByIndexF(&requests.FPDF_GetPageSizeByIndexF{Document: d.ref, Index: page})
	if err != nil {
		return 0, 0, err
	}
	return float64(s.Size.Width), float64(s.Size.Height), nil
}

// Version is the version of the format: "1.7".
func (d *Document) Version() string {
	v, err := d.i.FPDF_GetFileVersion(&requests.FPDF_GetFileVersion{Document: d.ref})
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%d.%d", v.FileVersion/10, v.FileVersion%10)
}

// Restricted tells whether the file is encrypted.
func (d *Document) Restricted() bool {
	r, err := d.i.FPDF_GetSecurityHandlerRevision(&requests.FPDF_GetSecurityHandlerRevision{Document: d.ref})
	return err == nil && r.SecurityHandlerRevision >= 0
}

// errLarge ends a copy.
var errLarge = errors.New("copy is too large")

// Copy returns the file as PDFium parsed it, repaired and without encryption, if it has at most so many bytes.
func (d *Document) Copy(most int) ([]byte, error) {
	w := &bounded{left: most}
	_, err := d.i.FPDF_SaveAsCopy(&requests.FPDF_SaveAsCopy{Document: d.ref, Flags: requests.SaveFlagRemoveSecurity, FileWriter: w})
	if err == nil && w.left < 0 {
		err = errLarge
	}
	return w.Bytes(), err
}

type bounded struct {
	bytes.Buffer
	left int
}

// Write implements io.Writer.
func (b *bounded) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		return 0, errLarge
	}
	return b.Buffer.Write(p)
}

var _ io.Writer = (*bounded)(nil)
