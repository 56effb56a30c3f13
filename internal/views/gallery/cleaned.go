package gallery

import (
	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/views/compose"
)

// ladenFile is a file with active content.
func ladenFile(more ...dispatch.ActiveKind) dispatch.Document {
	d := sampleFiles()[0]
	for _, k := range append(dispatch.Cleanable(), more...) {
		d.Reading.Active = append(d.Reading.Active, dispatch.Active{Kind: k, Page: 2})
	}
	return d
}

// cleanedFile is a file after cleaning; kept could not be removed.
func cleanedFile(pages int, kept ...dispatch.ActiveKind) dispatch.Document {
	d := sampleFiles()[0]
	d.Original, d.Cleaned = true, &dispatch.Cleaning{Removed: dispatch.Cleanable()[:4], Kept: kept}
	for n := range pages {
		d.Cleaned.Changed.Add(n + 1)
	}
	return d
}

// cleanedExhibits are a file before and after cleaning, and why a file could not be cleaned.
func cleanedExhibits() []exhibit {
	var list []exhibit
	form := func(name, says string, change func(*compose.ShipmentFormPage)) {
		list = append(list, exhibit{path: "shipment-form/clean-" + name, says: says, show: func(f frame) templ.Component { return compose.ShipmentNew(shipmentForm(f, change)) }})
	}
	form("offered", "a file with comments, author, attachments and fields", func(p *compose.ShipmentFormPage) { p.Documents[0] = ladenFile() })
	form("done", "they are removed", func(p *compose.ShipmentFormPage) { p.Documents[0] = cleanedFile(1) })
	form("kept", "some could not be removed", func(p *compose.ShipmentFormPage) { p.Documents[0] = cleanedFile(30, dispatch.ActiveScript) })
	form("gone", "the file as it was uploaded is not kept any more", func(p *compose.ShipmentFormPage) {
		p.Documents[0] = cleanedFile(0)
		p.Documents[0].Original = false
	})
	for _, k := range []dispatch.ActiveKind{dispatch.ActiveSigned, dispatch.ActiveXFA, dispatch.ActivePortfolio} {
		form("fixed-"+string(k), "a file that is not changed", func(p *compose.ShipmentFormPage) { p.Documents[0] = ladenFile(k) })
	}
	form("fixed-restricted", "a file that is protected", func(p *compose.ShipmentFormPage) {
		p.Documents[0] = ladenFile()
		p.Documents[0].Reading.Restricted = true
	})
	for _, why := range []string{"unchanged", "broken", "altered", "too_slow", "too_large", "signed", "protected", "password", "bound", "empty", "unavailable", "divided"} {
		form("problem-"+why, "nothing was removed", func(p *compose.ShipmentFormPage) {
			p.Documents[0] = ladenFile()
			p.Problems = dispatch.Problems{{Field: dispatch.FieldDocument + string(p.Documents[0].ID), Key: "problem.clean." + why, Args: dispatch.Args{"Name": p.Documents[0].FileName}}}
		})
	}
	return list
}

// lookAgain gives a shipment a cleaned file that must be confirmed.
func lookAgain(s *dispatch.Shipment, ps *dispatch.Problems) {
	s.Documents = append([]dispatch.Document(nil), s.Documents...)
	s.Documents[0] = cleanedFile(2)
	*ps = dispatch.Problems{{Field: compose.FieldCleaned, Key: "problem.clean.unseen", Args: dispatch.Args{"Name": s.Documents[0].FileName}}}
}
