package compose

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/i18n/i18ntest"
	"utsending/internal/views"
	"utsending/static"
)

// TestPagesOfFilesGrowWithTheirNumber: twice as many files cost about twice the work, not four times.
func TestPagesOfFilesGrowWithTheirNumber(t *testing.T) {
	ctx := i18ntest.InNorwegian(t)
	assets, err := static.Load()
	if err != nil {
		t.Fatal(err)
	}
	page := views.Page{Now: lookNow, Assets: assets}
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
			return ShipmentNew(ShipmentFormPage{Page: page, Documents: files(n), Form: dispatch.DraftFields{Title: "Vedtak"}})
		},
		"how far it has come": func(n int) templ.Component {
			return ShipmentStand(ShipmentFormPage{Page: page, Documents: files(n), Form: dispatch.DraftFields{Title: "Vedtak"}})
		},
		"the review": func(n int) templ.Component {
			return ShipmentReview(ShipmentReviewPage{Page: page, Shipment: dispatch.Shipment{Title: "Vedtak", Documents: files(n)}})
		},
		"the review of a shipment to many": func(n int) templ.Component {
			return ShipmentListReview(ShipmentListReviewPage{Page: page, Shipment: dispatch.Shipment{Title: "Vedtak", Documents: files(n)}})
		},
		"drafts": func(n int) templ.Component {
			return Drafts(DraftsPage{Page: page, OwnDrafts: OwnDrafts{Drafts: make([]DraftLine, n)}})
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

// TestPlaceInTheQueue: a file that waits for its check is shown with its place in the queue.
func TestPlaceInTheQueue(t *testing.T) {
	ctx := i18ntest.InNorwegian(t)
	assets, err := static.Load()
	if err != nil {
		t.Fatal(err)
	}
	for want, p := range map[string]ShipmentFormPage{
		"En fil venter på kontroll. Den er den neste i køen.":              {Waits: true},
		"En fil venter på kontroll. 1 fil fra andre kontrolleres først.":   {Waits: true, Ahead: 1},
		"En fil venter på kontroll. 3 filer fra andre kontrolleres først.": {Waits: true, Ahead: 3},
	} {
		p.Page = views.Page{Now: lookNow, Assets: assets}
		for name, shown := range map[string]templ.Component{"the part": ShipmentStand(p), "the page": ShipmentNew(p)} {
			var b strings.Builder
			if err := shown.Render(ctx, &b); err != nil || strings.Count(b.String(), want) != 1 {
				t.Errorf("%s: %q is told %d times, %v", name, want, strings.Count(b.String(), want), err)
			}
		}
		p.Waits = false
		var b strings.Builder
		if err := ShipmentStand(p).Render(ctx, &b); err != nil || strings.Contains(b.String(), "venter på kontroll") {
			t.Errorf("a file is said to wait where none does, %v", err)
		}
	}
}
