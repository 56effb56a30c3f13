package views

import (
	"fmt"
	"io"
	"testing"

	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/static"
)

// TestPagesOfFilesGrowWithTheirNumber: twice as many files cost about twice the work, not four times.
func TestPagesOfFilesGrowWithTheirNumber(t *testing.T) {
	ctx := inNorwegian(t)
	assets, err := static.Load()
	if err != nil {
		t.Fatal(err)
	}
	page := Page{Now: lookNow, Assets: assets}
	files := func(n int) []dispatch.Document {
		all := make([]dispatch.Document, n)
		for i := range all {
			all[i] = dispatch.Document{ID: dispatch.DocumentID(fmt.Sprint("fil", i)), FileName: fmt.Sprintf("vedlegg %d.pdf", i),
				MimeType: dispatch.MimePDF, Size: 1000, Pages: 1, Reading: &dispatch.FileReading{}}
		}
		return all
	}
	for name, show := range map[string]func(n int) templ.Component{
		"the draft": func(n int) templ.Component {
			return ShipmentNew(ShipmentFormPage{Page: page, Documents: files(n), Form: ShipmentForm{Title: "Vedtak"}})
		},
		"how far it has come": func(n int) templ.Component {
			return ShipmentStand(ShipmentFormPage{Page: page, Documents: files(n), Form: ShipmentForm{Title: "Vedtak"}})
		},
		"the review": func(n int) templ.Component {
			return ShipmentReview(ShipmentReviewPage{Page: page, Shipment: dispatch.Shipment{Title: "Vedtak", Documents: files(n)}})
		},
		"the review of a letter to many": func(n int) templ.Component {
			return LetterReview(LetterReviewPage{Page: page, Shipment: dispatch.Shipment{Title: "Vedtak", Documents: files(n)}})
		},
		"drafts": func(n int) templ.Component {
			return ShipmentDrafts(DraftsPage{Page: page, Drafts: make([]DraftLine, n)})
		},
	} {
		t.Run(name, func(t *testing.T) {
			work := func(n int) float64 {
				shown := show(n)
				return testing.AllocsPerRun(2, func() {
					if err := shown.Render(ctx, io.Discard); err != nil {
						t.Fatal(err)
					}
				})
			}
			if one, two := work(100), work(200); two > 2.2*one {
				t.Errorf("%.0f allocations for 100, %.0f for 200", one, two)
			}
		})
	}
}
