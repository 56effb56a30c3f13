package gallery

import (
	"strings"
	"time"

	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/views"
	"utsending/internal/views/compose"
	"utsending/internal/views/follow"
)

// shipmentListExhibits are the list of drafts.
func shipmentListExhibits() []exhibit {
	drafts := func(lines ...compose.DraftLine) func(frame) templ.Component {
		return func(f frame) templ.Component {
			return compose.Drafts(compose.DraftsPage{Page: f.onAccount(caseworker(), views.SectionDrafts, f.text("drafts.title")), Key: sampleID(302), OwnDrafts: compose.OwnDrafts{Drafts: lines}})
		}
	}
	handed := func(f frame) templ.Component {
		return compose.Drafts(compose.DraftsPage{Page: f.onAccount(caseworker(), views.SectionDrafts, f.text("drafts.title")), Key: sampleID(302),
			OwnDrafts: compose.OwnDrafts{Drafts: []compose.DraftLine{{ID: dispatch.ItemID(sampleID(1)), Title: "Vedtak om skyss", From: "Ingrid Lunde", Files: 2, FirstFile: "Brev.pdf", ChangedAt: ago(time.Hour)}}},
			Handed: []compose.HandedLine{{ID: dispatch.ItemID(sampleID(3)), Title: "Innkalling", To: "Ingrid Lunde", At: ago(time.Hour), Back: true},
				{ID: dispatch.ItemID(sampleID(4)), To: "Ingrid Lunde", At: ago(26 * time.Hour)}}})
	}
	approvals := drafts(compose.DraftLine{ID: dispatch.ItemID(sampleID(1)), Title: "Vedtak om skyss", Files: 2, FirstFile: "Brev.pdf", ChangedAt: ago(time.Hour), Waiting: true},
		compose.DraftLine{ID: dispatch.ItemID(sampleID(2)), Title: "Innkalling", Files: 1, FirstFile: "Brev.pdf", ChangedAt: ago(2 * time.Hour), ReturnedBy: "Ingrid Lunde"})
	flashed := func(key, color string) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := compose.DraftsPage{Page: f.onAccount(caseworker(), views.SectionDrafts, f.text("drafts.title")), Key: sampleID(302)}
			p.Flash = &views.Flash{Key: key, Color: color}
			return compose.Drafts(p)
		}
	}
	handOver := func(people []compose.Person, ps dispatch.Problems) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := compose.HandOverPage{Page: f.onAccount(caseworker(), views.SectionDrafts, f.text("hand_over.title")), ID: dispatch.ItemID(sampleID(1)), DraftTitle: "Vedtak om skyss", Colleagues: people}
			p.Narrow, p.Problems = true, ps
			return compose.HandOver(p)
		}
	}
	colleagues := []compose.Person{{ID: "ingrid", Name: "Ingrid Lunde"}, {ID: "jonas", Name: "Jonas Vik"}}
	return []exhibit{
		{path: "drafts/none", says: "no drafts", show: drafts()},
		{path: "drafts/sms", says: "drafts of SMS: one waits for approval, one came back", show: func(f frame) templ.Component {
			return compose.Drafts(compose.DraftsPage{Page: f.onAccount(caseworker(), views.SectionDrafts, f.text("drafts.title")), Key: sampleID(302), OwnDrafts: compose.OwnDrafts{
				Drafts: []compose.DraftLine{{ID: dispatch.ItemID(sampleID(1)), Title: "Vedtak om skyss", Files: 2, FirstFile: "Brev.pdf", ChangedAt: ago(time.Hour)}},
				SMS: []compose.SMSDraftLine{{Path: "/k/oppvekst/sms/" + sampleID(2) + "/kontroll", Text: "Hei! Husk", At: ago(time.Minute), Begun: true}, {Path: "/k/oppvekst/sms/" + sampleID(2) + "/kontroll", Recipient: "••• •• 456", At: ago(2 * time.Minute), Begun: true},
					{Path: "/k/oppvekst/sms/" + sampleID(2) + "/kontroll", Recipient: "••• •• 123", Text: "Hei! Timen din er flyttet til mandag klokka 09.00. Hilsen Fjordvik kommune", At: ago(time.Hour), Waiting: true},
					{Path: "/k/oppvekst/sms/" + sampleID(2) + "/kontroll", Recipient: "028132 •••••", Text: unbroken, At: ago(26 * time.Hour), ReturnedBy: "Ingrid Lunde"}},
				Jobs: []dispatch.Job{{ID: dispatch.JobID(sampleID(5)), Text: "Hei ((navn))! SFO er stengt mandag.", List: dispatch.JobList{Read: 198, Valid: 196}, CreatedAt: ago(3 * time.Hour)},
					{ID: dispatch.JobID(sampleID(6)), List: dispatch.JobList{Read: 1, Valid: 1}, CreatedAt: ago(4 * time.Hour), AwaitsApproval: true}}}})
		}},
		{path: "drafts/approval", says: "one waits for approval, one came back", show: approvals},
		{path: "drafts/handed", says: "one from a colleague, one that may be taken back, one that a colleague works on", show: handed},
		{path: "drafts/handed-over", says: "just handed over", show: flashed("flash.handed_over", "success")},
		{path: "drafts/taken-back", says: "just taken back", show: flashed("flash.taken_back", "success")},
		{path: "drafts/too-late", says: "too late to take it back", show: flashed("flash.hand_over_late", "warning")},
		{path: "drafts/hand-over", says: "to whom", show: handOver(colleagues, nil)},
		{path: "drafts/hand-over-nobody", says: "nobody to choose", show: handOver(nil, nil)},
		{path: "drafts/hand-over-protected", says: "the colleague may not send to the recipient", show: handOver(colleagues, dispatch.Problems{{Field: "til", Key: "problem.hand_over.protected"}})},
		{path: "drafts/hand-over-problem", says: "nobody was chosen", show: handOver(colleagues, dispatch.Problems{{Field: "til", Key: "problem.hand_over.whom"}})},
		{path: "drafts/some", says: "a draft with files, and one that has only begun", show: drafts(
			compose.DraftLine{ID: dispatch.ItemID(sampleID(1)), Title: "Vedtak om redusert foreldrebetaling", Recipient: "Ola Nordmann", Files: 2, FirstFile: "Vedtak.pdf", ChangedAt: ago(time.Hour)},
			compose.DraftLine{ID: dispatch.ItemID(sampleID(4)), Recipient: "Kari Nordmann", Files: 3, FirstFile: "Innkalling til møte.pdf", ChangedAt: ago(2 * time.Hour)},
			compose.DraftLine{ID: dispatch.ItemID(sampleID(5)), Recipient: "Kari Nordmann", ChangedAt: ago(3 * time.Hour)},
			compose.DraftLine{ID: dispatch.ItemID(sampleID(6)), Title: "Vedtak om skoleskyss", Many: &dispatch.Job{Kind: dispatch.KindShipment, State: dispatch.JobDraft, List: dispatch.JobList{Read: 200, Valid: 196, LeftOut: 1}}, Files: 1, FirstFile: "Brev.pdf", ChangedAt: ago(25 * time.Hour)},
			compose.DraftLine{ID: dispatch.ItemID(sampleID(7)), Title: "Vedtak om skoleskyss", Many: toUnreached(3), Files: 1, FirstFile: "Brev.pdf", ChangedAt: ago(26 * time.Hour)},
			compose.DraftLine{ID: dispatch.ItemID(sampleID(8)), Title: "Vedtak om skoleskyss", Many: toUnreached(4), Files: 1, FirstFile: "Brev.pdf", ChangedAt: ago(26 * time.Hour)},
			compose.DraftLine{ID: dispatch.ItemID(sampleID(2)), ChangedAt: ago(26 * time.Hour)},
			compose.DraftLine{ID: dispatch.ItemID(sampleID(3)), Title: unbroken, Recipient: unbroken, ChangedAt: ago(27 * time.Hour)})},
	}
}

// shipmentRows is one shipment in every state.
func shipmentRows() []dispatch.ListRow {
	var rows []dispatch.ListRow
	for i, s := range shipmentStates() {
		it := sampleShipment(i + 1)
		s.change(&it.Item)
		row := dispatch.ListRow{Item: it.Item, Title: it.Title, RecipientName: "Ola Nordmann", ExternalReference: "2026/1234", DigitalOnly: i%4 == 3}
		if row.State == dispatch.StateAccepted && i%2 == 0 { // signing deadlines: some, today, none
			row.SigningStatus, row.SignBy = dispatch.SigningWaiting, galleryNow.AddDate(0, 0, 4-i%6)
		}
		rows = append(rows, row)
	}
	last := rows[len(rows)-1]
	last.Title, last.RecipientName = unbroken, unbroken
	return append(rows, last)
}

// unbroken is a very long text without white space.
var unbroken = strings.Repeat("Saksnummer2026/", 20)

// sampleForm is a valid form.
func sampleForm() dispatch.DraftFields {
	return dispatch.DraftFields{
		RecipientKind: compose.KindPerson, Number: "120478 00155", Name: "Ola Nordmann", Line1: "Storgata 1", PostalCode: "7713", City: "Steinkjer", Country: "Norge",
		Title: "Vedtak om redusert foreldrebetaling", SourceSystem: "Utsending", Duplex: true, SignatureType: string(dispatch.SignatureAuthenticated),
		Documents: map[dispatch.DocumentID]dispatch.DocumentFields{dispatch.DocumentID(sampleID(402)): {Giro: "2", Sensitive: true}},
	}
}

// signed asks for a signature on one of the files.
func signed(f *dispatch.DraftFields, document int, by string) {
	f.Sign, f.SignDocument, f.SignBy = true, sampleID(document), by
}

// shipmentFormExhibits are the form of a shipment.
func shipmentFormExhibits() []exhibit {
	var list []exhibit
	add := func(name, says string, change func(*compose.ShipmentFormPage)) {
		list = append(list, exhibit{path: "shipment-form/" + name, says: says, show: func(f frame) templ.Component {
			return compose.ShipmentNew(shipmentForm(f, change))
		}})
	}
	checked := func(name, says string, change func(*compose.ShipmentFormPage)) {
		add("problem-"+name, says, func(p *compose.ShipmentFormPage) {
			change(p)
			_, p.Problems = p.Form.Parse(dispatch.V1, p.Documents, galleryNow)
		})
	}
	add("empty", "as it opens", func(p *compose.ShipmentFormPage) {
		p.Form, p.Documents = compose.NewShipmentForm(sampleAccount(0)), nil
	})
	add("filled", "saved, with everything ready", func(p *compose.ShipmentFormPage) {
		p.Autosave = views.Autosave{Version: 2, SavedAt: galleryNow.Add(-9 * time.Minute), Now: galleryNow}
	})
	add("organization", "to an organisation, digital only, to be signed, with an address for replies", func(p *compose.ShipmentFormPage) {
		p.Form.RecipientKind, p.Form.Number, p.Form.DigitalOnly = compose.KindOrganization, "974760673", true
		p.Form.Reply = dispatch.PostalFields{Name: "Fjordvik kommune", Line1: "Rådhuset", PostalCode: "7713", City: "Steinkjer", Country: "Norge"}
		signed(&p.Form, 401, "04.12.2026")
	})
	add("fields-single", "fields in the title of a shipment to one", func(p *compose.ShipmentFormPage) {
		p.Form.Title, p.Form.ExternalReference = "Vedtak for ((barn))", "Sak ((saksnr))"
		p.Problems = p.Form.Unfilled(nil)
	})
	add("fields-stray", "fields in the title: one that is not closed, one in other brackets", func(p *compose.ShipmentFormPage) {
		p.Form.Title, p.Many = "Vedtak for ((barn), {{trinn}}", 20
		p.Problems = p.Form.Unfilled([]string{"barn"})
	})
	add("fields-unknown", "fields in the title that the list has no column for", func(p *compose.ShipmentFormPage) {
		p.Form.Title, p.Many, p.Valid = "Vedtak for ((barn))", 20, 20
		p.Problems = p.Form.Unfilled([]string{"navn"})
	})
	add("of-rejected-marked", "a copy of a shipment that the service did not take: marked at the field that it named", func(p *compose.ShipmentFormPage) {
		p.Failed = rejectedShipment(dispatch.Fault{Field: dispatch.FieldTitle, Said: "tittel inneholder ord som ikke er tillatt"})
		p.Problems = dispatch.Problems{{Field: dispatch.FieldTitle, Key: "problem.fault", Args: dispatch.Args{"Said": p.Failed.Fault.Said}}}
	})
	add("of-rejected-unplaced", "a copy of a shipment that the service did not take, for a reason that names no field", func(p *compose.ShipmentFormPage) {
		p.Failed = rejectedShipment(dispatch.Fault{Said: "Avsenderen er sperret"})
	})
	add("of-unsigned", "a copy of a shipment whose signing expired", func(p *compose.ShipmentFormPage) {
		p.Failed = sampleShipment(3)
		accept(&p.Failed.Item)
		p.Failed.Status, p.Failed.SigningStatus, p.Failed.Documents[0].Sign = dispatch.StatusRead, dispatch.SigningExpired, true
	})
	for name, n := range map[string]int{"numberless": 2, "numberless-one": 1} {
		add(name, "to a list, digital only, and some on it have no number", func(p *compose.ShipmentFormPage) {
			p.Many, p.Valid, p.Numberless, p.Form.DigitalOnly = 20, 20, n, true
		})
	}
	add("of-files-gone", "a copy of a shipment whose files are gone", func(p *compose.ShipmentFormPage) {
		p.Failed, p.FilesGone, p.Documents = rejectedShipment(dispatch.Fault{}), true, nil
	})
	add("from-template", "begun with a template, by who may make another of it", func(p *compose.ShipmentFormPage) {
		p.User, p.Template, p.TemplateName = teamLead(), shipmentTemplate(2).Use(""), "Vedtak om skyss"
	})
	add("handed", "handed over by a colleague", func(p *compose.ShipmentFormPage) { p.Handed = compose.Handed{By: "Ingrid Lunde", At: ago(time.Hour)} })
	add("findings", "files with something wrong", func(p *compose.ShipmentFormPage) { p.Documents = foundFiles() })
	add("renamed", "a file whose name had to be put right", func(p *compose.ShipmentFormPage) { p.Documents[1].Renamed = "faktura<1>.pdf" })
	list = append(list, exhibit{path: "shipment-form/both", says: "another tab has saved the draft meanwhile", show: func(f frame) templ.Component {
		p := shipmentForm(f, func(*compose.ShipmentFormPage) {})
		there := sampleForm()
		there.Title, there.Line1, there.Duplex = "Vedtak om foreldrebetaling", "", false
		p.Title, p.Other = f.text("error.stale.title"), compose.OtherOf(p.Form, there, "/k/oppvekst/utkast/"+sampleID(1))
		return compose.ShipmentNew(p)
	}})
	add("check-next", "a file that is checked next", func(p *compose.ShipmentFormPage) { p.Waits = true })
	add("check-waits", "a file that waits to be checked", func(p *compose.ShipmentFormPage) { p.Waits, p.Ahead = true, 3 })
	add("sign-reply", "a shipment to be signed that names no organisation for replies", func(p *compose.ShipmentFormPage) {
		p.Problems = dispatch.Problems{{Field: dispatch.FieldReplyNumber, Key: "problem.sign.reply"}}
	})
	add("upload-problems", "files that were not taken in", func(p *compose.ShipmentFormPage) {
		p.Problems = dispatch.Problems{{Field: "fil", Key: "problem.upload.none"}}
	})
	checked("empty", "checked with nothing filled in", func(p *compose.ShipmentFormPage) { p.Form, p.Documents = dispatch.DraftFields{}, nil })
	checked("texts", "texts that break the rules", func(p *compose.ShipmentFormPage) {
		p.Form.Title, p.Form.BillingCode, p.Form.PostalCode, p.Form.Number = strings.Repeat("x", 1001), "a b", "771", "1204"
	})
	checked("address", "lines of an address that are too long, or cannot be read", func(p *compose.ShipmentFormPage) {
		p.Form.Line1, p.Form.City = strings.Repeat("Storgata ", 30), "Steinkjer\ufffd"
	})
	checked("organization", "an organisation number that is too short", func(p *compose.ShipmentFormPage) {
		p.Form.RecipientKind, p.Form.Number = compose.KindOrganization, "97476"
	})
	checked("organization-shipments", "an organisation number with shipments", func(p *compose.ShipmentFormPage) {
		p.Form.RecipientKind, p.Form.Number = compose.KindOrganization, "97476067x"
	})
	checked("digital", "digital only, without a number", func(p *compose.ShipmentFormPage) { p.Form.DigitalOnly, p.Form.Number = true, "" })
	checked("pages", "a page that is not there", func(p *compose.ShipmentFormPage) { p.Form.Documents = giro("9") })
	checked("pages-unreadable", "pages that cannot be read", func(p *compose.ShipmentFormPage) { p.Form.Documents = giro("to") })
	checked("signing", "a signature without a file and a date", func(p *compose.ShipmentFormPage) { p.Form.Sign, p.Form.SignatureType = true, "" })
	checked("signing-type", "a signature of no type, by somebody without a number, today", func(p *compose.ShipmentFormPage) {
		signed(&p.Form, 401, "20.11.2026")
		p.Form.SignatureType, p.Form.Number = "", ""
	})
	checked("signing-file", "a signature on a file that is no PDF", func(p *compose.ShipmentFormPage) {
		signed(&p.Form, 402, "04.12.2026")
		p.Documents[1].MimeType = "text/plain"
	})
	checked("signing-planned", "a deadline that is too near the time of sending", func(p *compose.ShipmentFormPage) {
		signed(&p.Form, 401, "04.12.2026")
		p.Form.Timing = dispatch.TimingFields{Day: "04.12.2026", Clock: "12.00"}
	})
	checked("files", "files that cannot be printed, and a number that is too short", func(p *compose.ShipmentFormPage) { p.Documents, p.Form.Number = foundFiles(), "1204" })
	checked("nothing-printed", "every file is left out of the print", func(p *compose.ShipmentFormPage) {
		p.Form.Documents = map[dispatch.DocumentID]dispatch.DocumentFields{p.Documents[0].ID: {Exclude: true}, p.Documents[1].ID: {Exclude: true}}
	})
	checked("size", "too large to be printed", func(p *compose.ShipmentFormPage) { p.Documents[0].Size = 351_000_000 })
	return append(list, shipmentPartExhibits()...)
}

func shipmentForm(f frame, change func(*compose.ShipmentFormPage)) compose.ShipmentFormPage {
	p := compose.ShipmentFormPage{Page: f.onAccount(caseworker(), views.SectionNewShipment, f.text("shipment.new.title")),
		ID: dispatch.ItemID(sampleID(1)), Version: 3, Form: sampleForm(), Documents: sampleFiles()}
	change(&p)
	return p
}

// rejectedShipment is a shipment that the service rejected.
func rejectedShipment(f dispatch.Fault) dispatch.ShipmentItem {
	it := sampleShipment(2)
	ended(dispatch.StateRejected, "reason.rejected")(&it.Item)
	it.Fault = f
	return it
}

func giro(pages string) map[dispatch.DocumentID]dispatch.DocumentFields {
	return map[dispatch.DocumentID]dispatch.DocumentFields{dispatch.DocumentID(sampleID(402)): {Giro: pages}}
}

// foundFiles are files with every finding.
func foundFiles() []dispatch.Document {
	var files []dispatch.Document
	for i, found := range []dispatch.DocumentProblem{
		dispatch.DocumentNotPDF, dispatch.DocumentBroken, dispatch.DocumentPassword, dispatch.DocumentTooSlow, dispatch.DocumentTooLarge, dispatch.DocumentEmpty, dispatch.DocumentUnchecked,
	} {
		files = append(files, dispatch.Document{ID: dispatch.DocumentID(sampleID(410 + i)), FileName: string(found) + ".pdf", MimeType: dispatch.MimePDF, Size: 29_000, Found: found})
	}
	return append(files, dispatch.Document{ID: dispatch.DocumentID(sampleID(420)), FileName: "regneark.xlsx", MimeType: "text/csv", Size: 1, Found: dispatch.DocumentNotPDF})
}

// shipmentPartExhibits are answers to uploads and changes, and problems that our forms cannot cause.
func shipmentPartExhibits() []exhibit {
	list := []exhibit{{path: "shipment-form/part-file", says: "the row of a file that was taken in", part: true, show: func(f frame) templ.Component {
		p := shipmentForm(f, func(*compose.ShipmentFormPage) {})
		return compose.DocumentItem(p, p.Documents[1], 1)
	}}, {path: "shipment-form/part-stand", says: "how far a draft has come, anew", part: true, show: func(f frame) templ.Component {
		return compose.ShipmentStand(shipmentForm(f, func(*compose.ShipmentFormPage) {}))
	}}}
	for _, key := range []string{"problem.file.many", "problem.file.name", "problem.file.name_empty", "problem.file.duplicate", "problem.file.infected", "problem.file.unscanned", "problem.upload.none"} {
		problem := dispatch.Problem{Field: "fil", Key: key, Args: dispatch.Args{"Name": "vedtak.pdf", "Most": dispatch.MaxDocuments}}
		list = append(list, exhibit{path: "shipment-form/part-" + key, says: "a file that was not taken in", part: true, show: func(frame) templ.Component {
			return compose.UploadProblem(dispatch.Problems{problem})
		}})
	}
	for _, key := range []string{"problem.organization.empty", "problem.shipment.both_numbers", "problem.sign.several"} {
		problem := dispatch.Problem{Field: "felt", Key: key}
		list = append(list, exhibit{path: "shipment-form/part-" + key, says: "a rule that no form of ours can break", part: true, show: func(frame) templ.Component {
			return views.FieldHint("felt", &problem, views.Hint{})
		}})
	}
	return list
}

// shipmentTimeExhibits change the time of a planned shipment.
func shipmentTimeExhibits() []exhibit {
	var list []exhibit
	add := func(name, says string, problem *dispatch.Problem) {
		list = append(list, exhibit{path: "shipment/time-" + name, says: says, show: func(f frame) templ.Component {
			p := follow.ShipmentTimePage{Item: sampleShipment(1), Form: dispatch.TimingFields{Day: "24.12.2026", Clock: "08.30"},
				Page: f.onAccount(caseworker(), views.SectionShipments, f.text("sms.time.title"))}
			if p.Narrow, p.Item.DueSince = true, p.Now.Add(20*time.Hour); problem != nil {
				p.Problems = dispatch.Problems{*problem}
			}
			return follow.ShipmentTime(p)
		}})
	}
	add("planned", "another time for what is planned", nil)
	for _, key := range []string{"problem.send_at.deadline", "problem.send_at.certificate"} {
		add(key, "a time that is too late", &dispatch.Problem{Field: dispatch.FieldSendDay, Key: key})
	}
	return list
}

// shipmentReviewExhibits are a draft before it is sent.
func shipmentReviewExhibits() []exhibit {
	var list []exhibit
	add := func(name, says string, change func(*compose.ShipmentReviewPage)) {
		list = append(list, exhibit{path: "shipment-review/" + name, says: says, show: func(f frame) templ.Component {
			p := compose.ShipmentReviewPage{Page: f.onAccount(caseworker(), views.SectionNewShipment, f.text("shipment.review.title")),
				ID: dispatch.ItemID(sampleID(1)), Version: 3, Shipment: sampleShipment(1).Shipment}
			p.Narrow = true
			change(&p)
			return compose.ShipmentReview(p)
		}})
	}
	add("cleaned", "pages that may look different since the file was cleaned", func(p *compose.ShipmentReviewPage) { lookAgain(&p.Shipment, &p.Problems) })
	add("both", "digital, else on paper, with a giro page", func(*compose.ShipmentReviewPage) {})
	add("replaced", "a copy of a failed shipment, in place of which another was sent", func(p *compose.ShipmentReviewPage) {
		p.Other.Item = dispatch.Item{ID: dispatch.ItemID(sampleID(2)), Kind: dispatch.KindShipment}
	})
	add("replaced-approve", "an approver's, of a copy that the sender wants sent anyway, and another was sent since", func(p *compose.ShipmentReviewPage) {
		p.Other.Item = dispatch.Item{ID: dispatch.ItemID(sampleID(2)), Kind: dispatch.KindShipment}
		p.Approving = compose.Approving{Last: sampleApproval(5, dispatch.KindShipment, 1, dispatch.ApprovalSensitive), Deciding: true, Seen: "1"}
		p.Approving.Last.Anyway = true
		p.Problems = dispatch.Problems{{Field: "neste", Key: "problem.approval.replaced"}}
	})
	prices := dispatch.Prices{Digital: dispatch.PriceOf(400), Print: dispatch.PriceOf(1650), Sheet: 60, Giro: 20}
	add("priced", "what it costs either way, without the cover sheet, and sheets that can be saved", func(p *compose.ShipmentReviewPage) {
		p.Account.Prices, p.Shipment.Print.Duplex = prices, false
	})
	add("priced-budget", "what it costs with the cover sheet, stopped by the month's budget", func(p *compose.ShipmentReviewPage) {
		p.Account.Prices = prices
		p.Account.Prices.CoverSheet, p.Shipment.Print.Duplex = true, true
		p.Shipment.Documents = append([]dispatch.Document(nil), p.Shipment.Documents...)
		p.Shipment.Documents[0].Pages, p.Shipment.Documents[0].GiroPages = 3, nil
		p.Budget = dispatch.Budget{Limit: 100_000, Spent: 100_000, Rule: dispatch.BudgetStop}
		p.Problems = dispatch.Problems{{Field: compose.FieldCost, Key: "problem.budget.stop"}}
	})
	add("priced-half", "no price of paper is known", func(p *compose.ShipmentReviewPage) { p.Account.Prices.Digital = dispatch.PriceOf(0) })
	add("giro", "with several giro pages", func(p *compose.ShipmentReviewPage) { p.Shipment.Documents[1].GiroPages = []int{1, 2} })
	add("large-file", "with a file that is not fetched before somebody asks", func(p *compose.ShipmentReviewPage) { p.Shipment.Documents[0].Size = 190_000_000 })
	add("on-paper", "to somebody without a number, abroad, in colour", func(p *compose.ShipmentReviewPage) {
		p.Shipment.Recipient.Digital, p.Shipment.Recipient.Postal.Country, p.Shipment.Print = dispatch.DigitalAddress{}, "Sverige", dispatch.PrintOptions{Color: true}
	})
	add("digital", "digital only, to an organisation, a file left out of the print", func(p *compose.ShipmentReviewPage) {
		p.Shipment.DigitalOnly, p.Shipment.Recipient.Digital = true, dispatch.DigitalAddress{OrganizationNumber: "974760673"}
		p.Shipment.Documents[1].ExcludeFromPrint = true
	})
	add("health", "to a general practitioner in the health network", func(p *compose.ShipmentReviewPage) { p.Shipment = sampleHealth(p.Shipment) })
	add("health-her-id", "to a HER-id in the health network", func(p *compose.ShipmentReviewPage) {
		p.Shipment = sampleHealth(p.Shipment)
		p.Shipment.Health.HERID, p.Shipment.Health.About = "8140123", ""
	})
	add("signing", "to be signed, and nowhere to send the signed document", func(p *compose.ShipmentReviewPage) {
		p.Shipment.Documents[0].Sign, p.Shipment.SignBy = true, time.Date(2026, 12, 4, 22, 59, 59, 0, time.UTC)
		p.Shipment.SignatureType = dispatch.SignatureAdvanced
	})
	add("planned", "to go at a time of its own", func(p *compose.ShipmentReviewPage) { p.Shipment.SendAt = p.Now.Add(20 * time.Hour) })
	add("reference", "a reference is made when it is sent", func(p *compose.ShipmentReviewPage) {
		p.Account.References, p.Shipment.ExternalReference = sampleReferences(), ""
	})
	add("holiday", "to go on a holiday", func(p *compose.ShipmentReviewPage) {
		p.Shipment.SendAt = time.Date(p.Now.Year()+1, 5, 17, 12, 0, 0, 0, dispatch.Oslo)
	})
	add("at-once", "no undo window", func(p *compose.ShipmentReviewPage) { p.Account.UndoWindow = 0 })
	add("held", "the account cannot deliver now", func(p *compose.ShipmentReviewPage) { p.Held = dispatch.BlockStopped })
	return list
}

// sampleReferences is an account's pattern for references.
func sampleReferences() dispatch.ReferenceRule {
	return dispatch.ReferenceRule{Pattern: "{år}-{nr:5}-{enhet}", Unit: "OPV", Fill: true}
}
