// Package look reads PDFs with pdfcpu. Only the program inspectpdf links it: the parser brings megabytes and a slow start.
package look

import (
	"bytes"
	"errors"

	// Not pkg/api: it brings a package that fills 2 MB with the widths of all characters before main, in 20-40 ms.
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/validate"

	"utsending/internal/pdf"
	"utsending/internal/pdf/parser"
)

// maxDecoded limits what one stream may inflate to. The parser inflates tables of objects and metadata only.
const maxDecoded = 64 << 20

// Into reads the file. It runs in the child: what it costs is the child's, and a panic of the parser means that it did
// not understand the file.
func Into(file []byte) pdf.Report { return into(file, false) }

// Part reads a part of a divided file: as Into, and what may be an address on its later pages too.
func Part(file []byte) pdf.Report { return into(file, true) }

func into(file []byte, later bool) (report pdf.Report) {
	defer func() {
		if recover() != nil {
			report = pdf.Report{Problem: pdf.ProblemBroken}
		}
	}()
	if !complete(file) {
		return pdf.Report{Problem: pdf.ProblemBroken}
	}
	doc, err := pdfcpu.Read(bytes.NewReader(file), configuration())
	switch {
	case errors.Is(err, pdfcpu.ErrWrongPassword), errors.Is(err, pdfcpu.ErrUnsupportedEncryptionFeature):
		// The second is a certificate, or something newer than the parser.
		return pdf.Report{Encrypted: true, NeedsPassword: true, Problem: pdf.ProblemPassword}
	case err != nil:
		return pdf.Report{Problem: pdf.ProblemBroken}
	}
	return lookAtPages(doc, later)
}

func lookAtPages(doc *model.Context, later bool) pdf.Report {
	// Before validation, which puts blank pages in the place of missing ones.
	w, err := walkPages(doc.XRefTable)
	report := pdf.Report{Encrypted: doc.E != nil}
	switch {
	case err != nil:
		report.Problem = pdf.ProblemBroken
	case w.pages == 0:
		report.Problem = pdf.ProblemEmpty
	default:
		pdf.Grant(w.pages)
		report.Pages, report.Reading = w.pages, w.read(later)
		report.Reading.Irregular = validate.XRefTable(doc) != nil
	}
	return report
}

// configuration bounds what one stream may inflate to.
func configuration() *model.Configuration {
	c := parser.Configuration()
	c.Cmd = model.LISTINFO
	c.Limits.MaxDecodeBytes = maxDecoded
	return c
}

// complete reports whether a file has its end: the last pointer to a table of objects, with no object after it. The
// parser would take a file that is cut off for its first page, when that comes with a table of its own, or for what it
// was before it was last edited.
func complete(file []byte) bool {
	at := bytes.LastIndex(file, []byte("startxref"))
	return at >= 0 && !bytes.Contains(file[at:], []byte(" obj"))
}
