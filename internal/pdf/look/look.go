// Package look reads, draws and divides PDFs: with PDFium what people see, with pdfcpu the objects behind it, which
// PDFium does not hand out. Only the program inspectpdf links it: both bring megabytes and a slow start.
package look

import (
	"bytes"
	"errors"
	"math"

	"utsending/internal/dispatch"
	"utsending/internal/pdf"
	"utsending/internal/pdf/pdfium"
)

// Work is what the child can do with a file.
func Work() pdf.Work {
	return pdf.Work{Prepare: pdfium.Prepare, Start: pdfium.Start, Look: Look, Slice: Slice, Split: Split, Draw: Draw}
}

// Look reads the file. What it costs is the child's. The pages are nil where the file has a problem.
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

// Into is a Look at a file whose pages are not drawn but for the first.
func Into(file []byte) pdf.Report {
	f, report := open(file)
	if f == nil {
		return report
	}
	defer f.Close()
	return f.report(false)
}

// Slice is Look for a slice of a divided file, with all pages drawn, and possible addresses on later pages too.
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

// file is an open PDF: as PDFium sees it, and its objects.
type file struct {
	doc     *pdfium.Document
	pages   int
	objects *walker // nil: they could not be had
	copied  bool    // the objects are those of PDFium's copy
}

// open opens a file. Without one the report says why.
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

// maxCopy is how large a copy of PDFium's may be that is read for its objects.
const maxCopy = 64 << 20

// open reads the objects: of the file itself where both readers see the same pages in it, of a copy that PDFium makes where
// not, so that nothing is looked for in other pages than those that are printed.
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

// report is what is found in the file, but for the ink of its pages.
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

// measure finds the sizes of the pages, and tells whether all pages are there.
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

// unit is what a page multiplies its points by.
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

// blanked tells whether a page would come out blank whose content is in the file, but cannot be read there. A reference to
// an object that the file does not have is a blank page by the rules.
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

// search looks through the objects.
func (f *file) search(r *dispatch.FileReading) {
	searched := f.objects != nil && safely(func() { f.objects.describe(r) }) && safely(func() { f.objects.active(r) }) &&
		safely(func() { f.objects.fonts(r) })
	r.Unsearched = !searched
}

// safely runs what a file may make fail, and tells whether it did not.
func safely(f func()) (ok bool) {
	defer func() { ok = recover() == nil }()
	f()
	return true
}

// complete reports whether a file has its end: the last pointer to a table of objects, with no object after it. Readers
// would take a file that is cut off for its first page, when that comes with a table of its own, or for what it was before
// it was last edited.
func complete(file []byte) bool {
	at := bytes.LastIndex(file, []byte("startxref"))
	return at >= 0 && !bytes.Contains(file[at:], []byte(" obj"))
}
