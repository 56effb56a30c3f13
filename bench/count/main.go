// Command count counts the pages of a PDF with PDFium in a confined process: the reference for the cost of a check.
package main

import (
	"image"
	"os"

	"utsending/internal/dispatch"
	"utsending/internal/pdf"
	"utsending/internal/pdf/pdfium"
	"utsending/internal/pdf/shut"
)

func main() {
	os.Exit(pdf.Child(os.Args[1:], os.Stdin, os.Stdout, pdf.Work{Prepare: pdfium.Prepare, Start: pdfium.Start, Look: count}, shut.Files))
}

// unseen drops pages without drawing them.
type unseen struct{}

func (unseen) Ink() []dispatch.InkBounds { return nil }
func (unseen) First() *image.RGBA        { return nil }
func (unseen) Close()                    {}

func count(file []byte) (pdf.Report, pdf.Pages) {
	doc, err := pdfium.Open(file)
	if err != nil {
		return pdf.Report{Problem: pdf.ProblemBroken}, nil
	}
	defer doc.Close()
	pages, err := doc.Pages()
	if err != nil || pages < 1 {
		return pdf.Report{Problem: pdf.ProblemBroken}, nil
	}
	return pdf.Report{Pages: pages, Reading: &dispatch.FileReading{Sizes: []dispatch.PageSize{{Width: 1, Height: 1, First: 1, Pages: 1}}}}, unseen{}
}
