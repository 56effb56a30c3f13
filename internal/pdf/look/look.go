// Package look reads, draws, divides and cleans PDFs. PDFium gives what people see; pdfcpu gives the objects, which PDFium
// does not expose. Only the program inspectpdf links it: both libraries bring megabytes and a slow start.
package look

import (
	"bytes"
	"errors"
	"math"

	"utsending/internal/dispatch"
	"utsending/internal/pdf"
	"utsending/internal/pdf/pdfium"
)

// Work is the child's implementation of the protocol.
func Work() pdf.Work {
	return pdf.Work{Prepare: pdfium.Prepare, Start: pdfium.Start, Look: Look, Slice: Slice, Split: Split, Draw: Draw, Clean: Clean}
}

// Look reads the file, at the child's cost. The pages are nil if the file has a problem.
func Look(file []byte) (pdf.Report, pdf.Pages) {
	f, report := open(file)
	if f == nil {
		return report, nil
	}
	if report = f.report(false); report.Problem != "" {
		f.Close()
		return report, nil
	}
	return report, f
}

// Into is Look with only the first page drawn.
func Into(file []byte) pdf.Report {
	f, report := open(file)
	if f == nil {
		return report
	}
	defer f.Close()
	return f.report(false)
}

// Slice is Look for a slice of a divided file: all pages are drawn, and possible addresses on later pages recorded.
func Slice(file []byte) pdf.Report {
	f, report := open(file)
	if f == nil {
		return report
	}
	defer f.Close()
	if report = f.report(true); report.Problem == "" {
		report.Reading.Ink = f.Ink()
	}
	return report
}

// file is an open PDF: PDFium's document, and pdfcpu's objects.
type file struct {
	doc     *pdfium.Document
	pages   int
	objects *walker // nil: they cannot be read
	copied  bool    // the objects are from PDFium's copy
}

// open opens a file. If it cannot, the report tells why.
func open(content []byte) (*file, pdf.Report) {
	if !complete(content) {
		return nil, pdf.Report{Problem: pdf.ProblemBroken}
	}
	doc, err := pdfium.Open(content)
	switch {
	case errors.Is(err, pdfium.ErrPassword):
		return nil, pdf.Report{Encrypted: true, NeedsPassword: true, Problem: pdf.ProblemPassword}
	case err != nil:
		return nil, pdf.Report{Problem: pdf.ProblemBroken}
	}
	f := &file{doc: doc}
	if f.pages, err = doc.Pages(); err != nil || f.pages < 1 {
		f.Close()
		if err != nil {
			return nil, pdf.Report{Problem: pdf.ProblemBroken}
		}
		return nil, pdf.Report{Problem: pdf.ProblemEmpty}
	}
	pdf.Grant(f.pages)
	f.open(content)
	return f, pdf.Report{}
}

// maxCopy is the maximum size of PDFium's copy.
const maxCopy = 64 << 20

// open reads the objects: from the file itself if both parsers find the same number of pages, else from a copy that
// PDFium writes. So the pages that are searched are the pages that are printed.
func (f *file) open(content []byte) {
	var err error
	if f.objects, err = walk(content); err == nil && f.objects.pages == f.pages {
		return
	}
	f.objects, f.copied = nil, true
	copied, err := f.doc.Copy(maxCopy)
	if err != nil {
		return
	}
	if w, err := walk(copied); err == nil && w.pages == f.pages {
		f.objects = w
	}
}

// Close implements pdf.Pages.
func (f *file) Close() { f.doc.Close() }

// report returns all findings except the ink of the pages.
func (f *file) report(later bool) pdf.Report {
	r := &dispatch.FileReading{Version: f.doc.Version(), Restricted: f.doc.Restricted(), LaterRead: later}
	if !f.measure(r) || f.blanked() {
		return pdf.Report{Problem: pdf.ProblemBroken}
	}
	f.search(r)
	f.read(r, later)
	// Last, since the parser drops objects that it does not use.
	r.Irregular = f.copied || f.objects == nil || !f.objects.strict()
	return pdf.Report{Pages: f.pages, Reading: r, Encrypted: r.Restricted}
}

// measure records the sizes of the pages, and tells whether all pages exist.
func (f *file) measure(r *dispatch.FileReading) bool {
	for n := range f.pages {
		width, height, err := f.doc.Size(n)
		if err != nil || width <= 0 || height <= 0 {
			return false
		}
		addSize(r, n+1, millimetres(width*f.unit(n)), millimetres(height*f.unit(n)))
	}
	return true
}

// unit is the page's UserUnit: the factor by which its points are multiplied.
func (f *file) unit(page int) float64 {
	if f.objects == nil {
		return 1
	}
	return f.objects.list[page].unit
}

func addSize(r *dispatch.FileReading, page int, width, height float64) {
	for i := range r.Sizes {
		if s := &r.Sizes[i]; s.Width == width && s.Height == height {
			s.Pages++
			return
		}
	}
	if len(r.Sizes) < dispatch.MaxPageSizes {
		r.Sizes = append(r.Sizes, dispatch.PageSize{Width: width, Height: height, First: page, Pages: 1})
	}
}

const mmPerPoint = 25.4 / 72

func millimetres(points float64) float64 {
	const longest = 1e6
	mm := math.Round(points*mmPerPoint*10) / 10
	return min(max(mm, 0.1), longest)
}

// blanked tells whether a page would be blank although its content is in the file, because it cannot be read. A
// reference to an object that does not exist is a blank page by the specification.
func (f *file) blanked() bool {
	if f.objects == nil {
		return false
	}
	for n, p := range f.objects.list {
		if f.objects.lost(p.node) && f.doc.Page(n).Empty() {
			return true
		}
	}
	return false
}

// search records active content and fonts.
func (f *file) search(r *dispatch.FileReading) {
	searched := f.objects != nil && safely(func() { f.objects.describe(r) }) && safely(func() { f.objects.active(r) }) &&
		safely(func() { f.objects.fonts(r) })
	r.Unsearched = !searched
}

// safely calls f and tells whether it returned: a malformed file can make the parser panic.
func safely(f func()) (ok bool) {
	defer func() { ok = recover() == nil }()
	f()
	return true
}

// complete tells whether a file has its end: the last startxref, and no object after it. Without this check, a
// truncated file would be read as only its first page (linearized files have a table for it), or as the state before
// its last edit.
func complete(file []byte) bool {
	at := bytes.LastIndex(file, []byte("startxref"))
	return at >= 0 && !bytes.Contains(file[at:], []byte(" obj"))
}
