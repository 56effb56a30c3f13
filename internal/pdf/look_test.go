package pdf_test

import (
	"utsending/internal/pdf"
	"utsending/internal/pdf/look"
)

// The test program plays the real child too, so it links what inspectpdf does.
var _ = pdf.WorkWith(look.Work())
