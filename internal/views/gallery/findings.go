package gallery

import (
	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/views"
	"utsending/internal/views/admin"
	"utsending/internal/views/compose"
)

// soundReading is the reading of a good shipment to the sample recipient.
func soundReading(pages int) *dispatch.FileReading {
	r := &dispatch.FileReading{Version: "1.7", Tagged: true, Language: true, Text: true,
		Sizes: []dispatch.PageSize{{Width: 210, Height: 297, First: 1, Pages: pages}}}
	for i, word := range []string{"Ola", "Nordmann", "Storgata", "1", "7713", "Steinkjer"} {
		r.Words = append(r.Words, dispatch.Word{Text: word, X: 25 + 20*float64(i%2), Y: 50 + 6*float64(i/2), Width: 15, Height: 4, Line: i / 2})
	}
	for range pages {
		r.Ink = append(r.Ink, dispatch.InkBounds{200, 200, 200, 200, 200})
	}
	return r
}

// strangeReading is a reading with every kind of problem.
func strangeReading(pages int) *dispatch.FileReading {
	r := soundReading(pages)
	r.Version, r.Restricted, r.Irregular, r.Tagged, r.Language = "2.0", true, true, false, false
	r.Words[0].Text = "Kari"
	r.Sizes = []dispatch.PageSize{{Width: 216, Height: 279, First: 1, Pages: 1}, {Width: 297, Height: 210, First: 2, Pages: pages - 1}}
	r.Fonts = []dispatch.FontUse{{Name: "ABCDEF+Calibri", Page: 2}, {Name: "Verdana", Page: 3}}
	for _, kind := range []dispatch.ActiveKind{dispatch.ActiveScript, dispatch.ActiveLaunch, dispatch.ActiveFile, dispatch.ActiveForm, dispatch.ActiveXFA, dispatch.ActiveMedia, dispatch.ActivePortfolio, dispatch.ActiveSigned, dispatch.ActiveComment, dispatch.ActiveAuthor} {
		r.Active = append(r.Active, dispatch.Active{Kind: kind, Page: 2})
	}
	r.Scanned.Add(4)
	r.Ink[1] = dispatch.InkBounds{20, 20, 20, 20, 20}
	return r
}

// readFiles are files with one finding of each kind.
func readFiles() []dispatch.Document {
	files := sampleFiles()
	files[0].Reading = strangeReading(5)
	undrawn := soundReading(2)
	undrawn.Ink = nil
	unread := &dispatch.FileReading{Sizes: undrawn.Sizes, Tagged: true, Language: true}
	unread.Unread.Add(1)
	files[1].Reading = undrawn
	return append(files,
		dispatch.Document{ID: dispatch.DocumentID(sampleID(403)), FileName: "skann.pdf", MimeType: dispatch.MimePDF, Size: 9_000_000, Pages: 2, Reading: unread},
		dispatch.Document{ID: dispatch.DocumentID(sampleID(404)), FileName: "gammel.pdf", MimeType: dispatch.MimePDF, Size: 90_000, Pages: 120})
}

// revealing is a shipment with a national identity number in the window.
func revealing() []dispatch.Document {
	files := sampleFiles()[:1]
	files[0].Reading = soundReading(5)
	files[0].Reading.Words[1].Text = "12847810082"
	return files
}

// scattered is a shipment with national identity numbers all over its first page, and ink in both margins of the next.
func scattered() []dispatch.Document {
	files := sampleFiles()[:1]
	r := soundReading(5)
	r.Words = nil
	for line := range 9 {
		r.Words = append(r.Words, dispatch.Word{Text: "12847810082", X: 20 + 70*float64(line%3), Y: 40 + 100*float64(line/3), Width: 25, Height: 4, Line: line})
	}
	for line := range 3 {
		r.Words = append(r.Words, dispatch.Word{Text: "12847810082", X: 15, Y: 60 + 100*float64(line), Width: 180, Height: 8, Line: 9 + line})
	}
	r.Ink[1] = dispatch.InkBounds{20, 200, 20, 200, 200}
	files[0].Reading = r
	return files
}

// hiding is a scanned shipment, whose address window cannot be read.
func hiding() []dispatch.Document {
	files := sampleFiles()[:1]
	files[0].Reading = soundReading(5)
	files[0].Reading.Words, files[0].Reading.Text = nil, false
	files[0].Reading.Scanned.Add(1)
	return files
}

// strict is an account that demands an empty window and short shipments.
func strict(p *views.Page) {
	rules := dispatch.DefaultPrintRules()
	rules.CoverSheet, rules.MaxPages, rules.Chosen = false, 3, map[dispatch.Check]dispatch.Severity{dispatch.CheckBlank: dispatch.SeverityStop}
	p.Account.PrintRules = &rules
}

// sheetless is an account whose shipments have no cover sheet: the window shows the first page.
func sheetless(p *views.Page) {
	rules := dispatch.DefaultPrintRules()
	rules.CoverSheet = false
	p.Account.PrintRules = &rules
}

// findingExhibits are the results of checks, and an account's rules.
func findingExhibits() []exhibit {
	form := func(change func(*compose.ShipmentFormPage)) func(frame) templ.Component {
		return func(f frame) templ.Component { return compose.ShipmentNew(shipmentForm(f, change)) }
	}
	rules := func(change func(*admin.PrintRulesPage)) func(frame) templ.Component {
		return func(f frame) templ.Component {
			row := accountLine(0, working, untried)
			p := admin.PrintRulesPage{Page: f.onSetup(views.SectionAccounts, f.text("print_rules.title")), Row: row, Form: admin.NewPrintRulesForm(row.Account)}
			p.Narrow = true
			change(&p)
			return admin.PrintRules(p)
		}
	}
	return []exhibit{
		{path: "shipment-form/checked", says: "files that were read, with one finding of each kind", show: form(func(p *compose.ShipmentFormPage) { p.Documents = readFiles() })},
		{path: "shipment-form/window-number", says: "a national identity number in the window", show: form(func(p *compose.ShipmentFormPage) {
			sheetless(&p.Page)
			p.Documents = revealing()
		})},
		{path: "shipment-form/number-inside", says: "a national identity number behind the cover sheet", show: form(func(p *compose.ShipmentFormPage) { p.Documents = revealing() })},
		{path: "shipment-form/places", says: "the places of findings, all over the page", show: form(func(p *compose.ShipmentFormPage) { p.Documents = scattered() })},
		{path: "shipment-form/window-early", says: "a file that was read before anybody is typed", show: form(func(p *compose.ShipmentFormPage) {
			sheetless(&p.Page)
			p.Documents = sampleFiles()[:1]
			p.Documents[0].Reading = soundReading(5)
			p.Form.Name, p.Form.Line1, p.Form.Line2, p.Form.Line3, p.Form.PostalCode, p.Form.City = "", "", "", "", "", ""
		})},
		{path: "shipment-form/window-unread", says: "a window that nobody can read", show: form(func(p *compose.ShipmentFormPage) {
			sheetless(&p.Page)
			p.Documents = hiding()
		})},
		{path: "shipment-form/strict", says: "an account whose window must be blank, and whose shipments are short", show: form(func(p *compose.ShipmentFormPage) { strict(&p.Page) })},
		{path: "shipment-form/problem-stopped", says: "checked with a file that stops it", show: form(func(p *compose.ShipmentFormPage) {
			sheetless(&p.Page)
			p.Documents = revealing()
			s, _ := p.Form.Parse(dispatch.V1, p.Documents, galleryNow)
			p.Problems = s.Stopped(p.Account.Rules())
		})},
		{path: "findings/signed-for-anybody", says: "an account that only warns when a signed document returns to nobody", show: form(func(p *compose.ShipmentFormPage) {
			rules := dispatch.DefaultPrintRules()
			rules.Chosen = map[dispatch.Check]dispatch.Severity{dispatch.CheckSignReply: dispatch.SeverityWarning}
			p.Account.PrintRules, p.Account.ShipmentKind = &rules, dispatch.IntegrationShipmentV2
			signed(&p.Form, 401, "4.12.2026")
		})},
		{path: "print-rules/all", says: "as for all", show: rules(func(*admin.PrintRulesPage) {})},
		{path: "print-rules/without-sheet", says: "an account whose first page shows in the window", show: rules(func(p *admin.PrintRulesPage) {
			sheetless := dispatch.DefaultPrintRules()
			sheetless.CoverSheet = false
			p.Row.PrintRules = &sheetless
			p.Form = admin.NewPrintRulesForm(p.Row.Account)
		})},
		{path: "print-rules/both", says: "somebody else has saved the rules meanwhile", show: rules(func(p *admin.PrintRulesPage) {
			there := admin.NewPrintRulesForm(p.Row.Account)
			there.Numbers[dispatch.FieldSideMargin], there.CoverSheet = "12", false
			p.Other = admin.OtherPrintRules(p.Form, there, "/oppsett/kontoer/oppvekst/pdf")
		})},
		{path: "print-rules/wrong", says: "numbers that are none, and a choice that is not there", show: rules(func(p *admin.PrintRulesPage) {
			p.Form.Numbers[dispatch.FieldSideMargin] = "x"
			p.Form.Severities[dispatch.CheckSize] = ""
			_, p.Problems = p.Form.Parse()
		})},
	}
}
