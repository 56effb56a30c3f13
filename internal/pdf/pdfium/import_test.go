package pdfium

import (
	"bytes"
	"strings"
	"testing"

	"github.com/klippa-app/go-pdfium/requests"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"utsending/internal/pdf/parser"
	"utsending/internal/pdf/pdftest"
)

// TestImportOfPagesTakesOthersAlong is why parts of a divided file are not made with PDFium's own import of pages: what pages
// share goes along whole. Should this fail, PDFium may have learned to leave it out.
func TestImportOfPagesTakesOthersAlong(t *testing.T) {
	t.Parallel()
	d, err := Open(pdftest.Shared("Kari", "Ola", "Per"))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	made, err := d.i.FPDF_CreateNewDocument(&requests.FPDF_CreateNewDocument{})
	if err != nil {
		t.Fatal(err)
	}
	first := "1"
	if _, err := d.i.FPDF_ImportPages(&requests.FPDF_ImportPages{Source: d.ref, Destination: made.Document, PageRange: &first}); err != nil {
		t.Fatal(err)
	}
	part := Document{engine: d.engine, i: d.i, ref: made.Document}
	file, err := part.Copy(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := pdfcpu.Read(bytes.NewReader(file), parser.Configuration())
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, entry := range doc.Table {
		if sd, ok := entry.Object.(types.StreamDict); ok && sd.Decode() == nil {
			all.Write(sd.Content)
		}
	}
	if !strings.Contains(all.String(), pdftest.SecretWord("Ola")) || !strings.Contains(all.String(), pdftest.SecretPicture("Ola")) {
		t.Error("the part of Kari holds nothing of Ola")
	}
}
