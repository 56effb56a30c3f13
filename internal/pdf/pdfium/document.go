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

// The two ways in which a file does not open.
var (
	ErrPassword = errors.New("needs a password")
	ErrBroken   = errors.New("cannot be read")
)

// Document is an open PDF.
type Document struct {
	engine  *engine
	i       gopdfium.Pdfium
	ref     references.FPDF_DOCUMENT
	settled map[int]bool // pages whose comments and fields are part of their content
	failed  bool         // the instance may be in disorder
}

// Open opens a file, which stays in use until the document is closed. An encrypted one opens without a password where
// readers open it so.
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

// Close gives up what the document holds.
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

// keep remembers that a call failed, after which the instance is not used for other files.
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

// Size is how large a page is as it is shown, in points: cropped and turned, but not multiplied by its own unit, of which
// PDFium takes no notice.
func (d *Document) Size(page int) (width, height float64, err error) {
	s, err := d.i.FPDF_GetPageSizeByIndexF(&requests.FPDF_GetPageSizeByIndexF{Document: d.ref, Index: page})
	if err != nil {
		return 0, 0, err
	}
	return float64(s.Size.Width), float64(s.Size.Height), nil
}

// Version is that of the format: "1.7".
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

// Copy is the file as PDFium understood it, in order and without encryption, if it is no larger than this.
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
