// Command count only counts the pages of a PDF, with pdfcpu, confined like the program that checks PDFs: what a check
// costs is held against it.
package main

import (
	"bytes"
	"os"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"

	"utsending/internal/dispatch"
	"utsending/internal/pdf"
	"utsending/internal/pdf/shut"
)

func main() {
	os.Exit(pdf.Child(os.Stdin, os.Stdout, count, nil, nil, shut.Files))
}

func count(file []byte) pdf.Report {
	model.ConfigPath = "disable"
	c := model.NewDefaultConfiguration()
	c.Cmd, c.Offline = model.LISTINFO, true
	doc, err := pdfcpu.Read(bytes.NewReader(file), c)
	if err == nil {
		err = doc.EnsurePageCount()
	}
	if err != nil {
		return pdf.Report{Problem: pdf.ProblemBroken}
	}
	return pdf.Report{Pages: doc.PageCount, Reading: &dispatch.FileReading{Sizes: []dispatch.PageSize{{Width: 1, Height: 1, First: 1, Pages: 1}}}}
}
