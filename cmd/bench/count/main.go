// Command count opens a PDF with PDFium in a confined process and counts its pages: the reference for the cost of a
// check.
package main

import (
	"os"

	"utsending/internal/dispatch"
	"utsending/internal/pdf"
	"utsending/internal/pdf/pdfium"
	"utsending/internal/pdf/shut"
)

func main() {
	os.Exit(pdf.Child(os.Args[1:], os.Stdin, os.Stdout, pdf.Work{Prepare: pdfium.Prepare, Start: pdfium.Start, Look: count}, shut.Files))
}

func count(file []byte) (pdf.Report, func() []dispatch.InkBounds) {
	doc, err := pdfium.Open(file)
	if err != nil {
		return pdf.Report{Problem: pdf.ProblemBroken}, nil
	}
	defer doc.Close()
	pages, err := doc.Pages()
	if err != nil || pages < 1 {
		return pdf.Report{Problem: pdf.ProblemBroken}, nil
	}
	none := func() []dispatch.InkBounds { return nil }
	return pdf.Report{Pages: pages, Reading: &dispatch.FileReading{Sizes: []dispatch.PageSize{{Width: 1, Height: 1, First: 1, Pages: 1}}}}, none
}
