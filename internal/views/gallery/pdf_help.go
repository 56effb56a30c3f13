package gallery

import (
	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/views"
	"utsending/internal/views/compose"
)

// pdfHelpExhibits are the help on PDFs.
func pdfHelpExhibits() []exhibit {
	page := func(change func(*dispatch.PrintRules)) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := compose.PDFHelpPage{Page: f.onAccount(caseworker(), views.SectionNewShipment, f.text("pdf_help.title"))}
			p.Narrow = true
			rules := dispatch.DefaultPrintRules()
			change(&rules)
			p.Account.PrintRules = &rules
			return compose.PDFHelp(p)
		}
	}
	return []exhibit{
		{path: "pdf-help/sheet", says: "the service puts a cover sheet in front", show: page(func(*dispatch.PrintRules) {})},
		{path: "pdf-help/window", says: "the first page shows in the window; few pages", show: page(func(r *dispatch.PrintRules) { r.CoverSheet, r.MaxPages = false, 50 })},
		{path: "pdf-help/nothing", says: "an account that has turned all rules off", show: page(func(r *dispatch.PrintRules) {
			r.Chosen = map[dispatch.Check]dispatch.Severity{}
			for _, c := range dispatch.ChosenChecks() {
				r.Chosen[c] = dispatch.SeverityOff
			}
		})},
	}
}
