package gallery

import (
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/views"
	"utsending/internal/views/follow"
)

// sampleShipment is a caseworker's queued shipment: two files, one with a giro page.
func sampleShipment(n int) dispatch.ShipmentItem {
	sms := sampleSMS(n)
	it := dispatch.ShipmentItem{Item: sms.Item, Shipment: dispatch.Shipment{
		Recipient: dispatch.Address{Digital: dispatch.DigitalAddress{NationalID: "12047800155"}, Postal: dispatch.PostalAddress{
			Name: "Ola Nordmann", Line1: "Storgata 1", PostalCode: "7713", City: "Steinkjer", Country: "Norge"}},
		SourceSystem: "Utsending", Title: "Vedtak om redusert foreldrebetaling", BillingCode: "4100-SFO", ExternalReference: "2026/1234",
		Print: dispatch.PrintOptions{Duplex: true}, SignatureType: dispatch.SignatureAuthenticated, Type: "Vedtak", Documents: sampleFiles(),
	}}
	it.Kind = dispatch.KindShipment
	return it
}

func sampleFiles() []dispatch.Document {
	return []dispatch.Document{
		{ID: dispatch.DocumentID(sampleID(401)), FileName: "vedtak.pdf", MimeType: dispatch.MimePDF, Size: 289_000, Pages: 5, SHA256: sampleSum("9f2c"), Type: "Vedtak", Reading: soundReading(5)},
		{ID: dispatch.DocumentID(sampleID(402)), FileName: "faktura.pdf", MimeType: dispatch.MimePDF, Size: 29_400, Pages: 2, SHA256: sampleSum("e81b"),
			GiroPages: []int{2}, Sensitive: true, Reading: soundReading(2)},
	}
}

// sampleSum is a made-up checksum.
func sampleSum(start string) string {
	return start + strings.Repeat("4a7be81b07c3", 5)
}

// shipmentStates are all states of a sent shipment.
func shipmentStates() []state {
	lookedFor := func(at time.Time) func(*dispatch.Item) {
		return func(it *dispatch.Item) { ended(dispatch.StateUncertain, "reason.no_answer")(it); it.RecoverAt = at }
	}
	return slices.Concat(stageStates(), []state{
		{"uncertain-now", "it is being looked for", lookedFor(ago(time.Second)), nil},
		{"uncertain-later", "it is looked for again later", lookedFor(galleryNow.Add(12 * time.Minute)), nil},
	}, readingStates(dispatch.StatusNotified), told(
		dispatch.StatusReceived, dispatch.StatusAccepted, dispatch.StatusReadyToFetch, dispatch.StatusNotified, dispatch.StatusSentDigitally,
		dispatch.StatusSentToMailbox, dispatch.StatusSentToPrint, dispatch.StatusRead, dispatch.StatusDeliveredToMailbox, dispatch.StatusPrinted,
		dispatch.StatusDismissed, dispatch.StatusNotDelivered, dispatch.StatusHandledManually, dispatch.StatusSentToAltinn,
		dispatch.StatusDeliveredToAltinn, dispatch.StatusSentToHealth, dispatch.StatusDeliveredToHealth, dispatch.StatusFailedOnReception,
		dispatch.StatusDeleted, "NY_STATUS",
	))
}

// shipmentExhibits are the page of one shipment.
func shipmentExhibits() []exhibit {
	var list []exhibit
	add := func(name, says string, who dispatch.User, change func(*follow.ShipmentPage)) {
		list = append(list, exhibit{path: "shipment/" + name, says: says, show: func(f frame) templ.Component {
			return follow.ShipmentShow(shipmentPage(f, who, change))
		}})
	}
	for _, s := range shipmentStates() {
		add(s.name, s.says, caseworker(), func(p *follow.ShipmentPage) {
			s.change(&p.Item.Item)
			p.Events = append(s.events, p.Events...)
		})
	}
	add("undecided", "saved without a choice", caseworker(), func(p *follow.ShipmentPage) {
		ended(dispatch.StateUncertain, "reason.died")(&p.Item.Item)
		p.Problems = dispatch.Problems{{Field: "valg", Key: "problem.decision.empty"}}
	})
	add("reply-person", "replies go to a person", caseworker(), func(p *follow.ShipmentPage) {
		notified(p)
		p.Item.ReplyTo = &dispatch.Address{Digital: dispatch.DigitalAddress{NationalID: "12847810082"}, Postal: dispatch.PostalAddress{Name: "Åse Nordmann", Line1: "Storgata 1", PostalCode: "7713", City: "Steinkjer", Country: "Norge"}}
	})
	add("answered", "what the service said when it did not take it", caseworker(), func(p *follow.ShipmentPage) {
		ended(dispatch.StateRejected, "reason.rejected")(&p.Item.Item)
		p.Item.Answer = sampleAnswer()
	})
	add("revealed", "the whole number, this once", caseworker(), func(p *follow.ShipmentPage) { notified(p); p.Opened.Numbers = true })
	add("history", "a timeline with a line of every kind and every reason, and what the service tells", caseworker(), func(p *follow.ShipmentPage) {
		notified(p)
		twice := time.Date(2026, 10, 25, 0, 50, 0, 0, time.UTC) // in the hour that the end of summer time repeats
		p.Events, p.Item.Events = everyLine(), []dispatch.ServiceEvent{
			{At: ago(time.Hour), Text: "Forsendelsen er tatt imot"}, {Said: "søndag morgen", Text: "Tidspunktet er skrevet på en annen måte"},
			{At: twice.Add(20 * time.Minute), Text: "Etter at klokken ble stilt"}, {At: twice, Text: "Før klokken ble stilt"},
		}
	})
	add("to-organization", "to an organisation, digital only", caseworker(), func(p *follow.ShipmentPage) {
		p.Item.DigitalOnly, p.Item.Recipient.Digital = true, dispatch.DigitalAddress{OrganizationNumber: "974760673"}
	})
	add("on-paper", "to somebody without a number, abroad", caseworker(), func(p *follow.ShipmentPage) {
		p.Item.Recipient.Digital, p.Item.Recipient.Postal.Country, p.Item.Print = dispatch.DigitalAddress{}, "Sverige", dispatch.PrintOptions{Color: true}
	})
	add("to-doctor", "to a general practitioner in the health network", caseworker(), func(p *follow.ShipmentPage) {
		p.Item.Shipment = sampleHealth(p.Item.Shipment)
		p.Item.State, p.Item.Status, p.Item.Over = dispatch.StateAccepted, dispatch.StatusSentToHealth, dispatch.IntegrationShipmentV3
	})
	add("to-her-id", "a colleague's, to a HER-id in the health network", sender(), func(p *follow.ShipmentPage) {
		p.Item.Shipment = sampleHealth(p.Item.Shipment)
		p.Item.Health.HERID = "8140123"
		colleagues(&p.Item.Item)
	})
	add("of-a-colleague", "no whole number", caseworker(), func(p *follow.ShipmentPage) { colleagues(&p.Item.Item) })
	add("closed", "a colleague's, by who may not open it", sender(), func(p *follow.ShipmentPage) { colleagues(&p.Item.Item) })
	add("closed-dismissed", "a colleague's that was dismissed, by who may not correct it", sender(), func(p *follow.ShipmentPage) {
		notified(p)
		p.Item.Status = dispatch.StatusDismissed
		colleagues(&p.Item.Item)
	})
	add("opened", "another's files, opened with a reason", auditor(), func(p *follow.ShipmentPage) {
		notified(p)
		p.Opened.Reason = "Mottakeren har spurt om utsendingen"
	})
	add("auditor", "metadata only, nothing to do", auditor(), func(p *follow.ShipmentPage) {
		ended(dispatch.StateUncertain, "reason.died")(&p.Item.Item)
	})
	add("auditor-gone", "metadata only, and the content is gone", auditor(), func(p *follow.ShipmentPage) {
		accept(&p.Item.Item)
		p.End = dispatch.ContentEnd{Gone: true}
	})
	add("files", "files as the service tells of them: the same, another, untold, and one of its own", caseworker(), toldFiles)
	add("encrypted", "the service tells of the encrypted file", caseworker(), func(p *follow.ShipmentPage) { toldFiles(p); p.Item.Encrypted = true })
	add("sources-away", "what could not be read, with and without an older reading", caseworker(), func(p *follow.ShipmentPage) {
		signing(dispatch.SigningWaiting)(p)
		p.Item.Read = map[dispatch.Source]dispatch.Reading{
			dispatch.SourceHistory: {At: ago(26 * time.Hour), Failed: because("reason.busy")}, dispatch.SourceSigning: {Failed: because("reason.timeout")},
			dispatch.SourceDocuments: {Failed: dispatch.Reason{Key: "reason.busy", At: ago(time.Minute)}},
		}
	})
	for _, status := range []dispatch.SigningStatus{
		"", dispatch.SigningWaiting, dispatch.SigningDone, dispatch.SigningRefusedByRecipient, dispatch.SigningRefusedByService,
		dispatch.SigningExpired, "NY_STATUS",
	} {
		add("signing-"+string(status), "a document is to be signed", caseworker(), signing(status))
	}
	add("bare", "dismissed, and neither files nor history are there; opened from the worklist", caseworker(), func(p *follow.ShipmentPage) {
		p.Item.State, p.Item.Status, p.Item.DigitalOnly, p.Item.UpstreamID = dispatch.StateAccepted, dispatch.StatusDismissed, true, "x"
		p.Item.Documents, p.Events, p.Back = nil, nil, follow.BackLink{Path: "/k/oppvekst/oppfolging", Label: "nav.follow_up"}
	})
	add("by-paper", "digital only, and not delivered: on paper, or an SMS", caseworker(), func(p *follow.ShipmentPage) {
		p.Item.State, p.Item.Status, p.Item.DigitalOnly = dispatch.StateAccepted, dispatch.StatusNotDelivered, true
		p.FollowUp = dispatch.FollowUp{Cause: dispatch.CauseNotDelivered, Since: ago(time.Hour)}
	})
	add("replaced", "not delivered, and sent again", caseworker(), func(p *follow.ShipmentPage) {
		p.Item.State, p.Item.Status, p.Relatives = dispatch.StateAccepted, dispatch.StatusNotDelivered, sampleRelatives()
	})
	add("dismissed-said", "dismissed, with the reason in its history", caseworker(), func(p *follow.ShipmentPage) {
		accept(&p.Item.Item)
		p.Item.Status, p.Item.Events = dispatch.StatusDismissed, []dispatch.ServiceEvent{{At: ago(time.Minute), Text: "Forsendelsen er avvist: ugyldig innhold"}}
	})
	add("signing-joined", "both histories in one timeline", caseworker(), func(p *follow.ShipmentPage) { signing(dispatch.SigningDone)(p); p.Joined = true })
	add("rejected-said", "the service did not take it, in its own words", caseworker(), func(p *follow.ShipmentPage) {
		ended(dispatch.StateRejected, "reason.rejected")(&p.Item.Item)
		p.Item.Fault = dispatch.Fault{Field: dispatch.FieldTitle, Said: "tittel inneholder ord som ikke er tillatt"}
		p.Draft = dispatch.Item{ID: dispatch.ItemID(sampleID(4)), Kind: dispatch.KindShipment, CreatedAt: ago(time.Hour)}
		p.ListDraft = dispatch.Successor{ID: dispatch.JobID(sampleID(707)), Draft: true, N: 3, At: ago(2 * time.Hour)}
	})
	ends := func(name, says string, purged bool, end dispatch.ContentEnd) {
		add("ends-"+name, says, caseworker(), func(p *follow.ShipmentPage) {
			ended(dispatch.StateRejected, "reason.rejected")(&p.Item.Item)
			p.Item.Purged, p.End, p.FollowUp = purged, end, dispatch.FollowUp{Cause: dispatch.CauseRejected, Since: ago(43 * 24 * time.Hour)}
			switch {
			case purged:
				p.Item.Recipient = dispatch.Address{}
			case end.Gone:
				p.Item.Documents = nil
			}
		})
	}
	ends("later", "not taken, and its content stays for a month", false, dispatch.ContentEnd{At: ago(-47 * 24 * time.Hour)})
	ends("soon", "not taken, and its content goes this week", false, dispatch.ContentEnd{At: ago(-4 * 24 * time.Hour)})
	ends("due", "not taken, and the time of its content is over", false, dispatch.ContentEnd{At: ago(4 * 24 * time.Hour)})
	ends("gone", "not taken, and its content is deleted", true, dispatch.ContentEnd{Gone: true})
	ends("bare", "not taken, and its files are deleted", false, dispatch.ContentEnd{Gone: true})
	add("planned", "with a time of its own, which can be changed", caseworker(), func(p *follow.ShipmentPage) {
		p.Item.SendAt, p.Item.Template, p.Item.TemplateName = p.Now.Add(20*time.Hour), shipmentTemplate(2).Use(""), "Vedtak om skyss"
		p.Item.DueAt, p.Item.DueSince = p.Item.SendAt, p.Item.SendAt
	})
	list = append(list, exhibit{path: "shipment/proof", says: "proof that it was sent", show: func(f frame) templ.Component {
		p := shipmentPage(f, caseworker(), func(p *follow.ShipmentPage) {
			toldFiles(p)
			p.Item.Encrypted = true
			p.Events = append(afterSending(dispatch.StatusNotified), p.Events...)
		})
		p.Title = f.text("proof.title")
		return follow.ShipmentProof(p)
	}})
	list = append(list, exhibit{path: "shipment/part", says: "what keeps the page fresh, as it is answered", part: true, show: func(f frame) templ.Component {
		return follow.ShipmentLive(shipmentPage(f, caseworker(), notified))
	}})
	return list
}

func shipmentPage(f frame, who dispatch.User, change func(*follow.ShipmentPage)) follow.ShipmentPage {
	p := follow.ShipmentPage{Item: sampleShipment(1), Around: follow.Around{Events: []dispatch.Event{
		{At: ago(6 * time.Minute), Kind: dispatch.EventQueued, Actor: "Kari Nordmann"}, {At: ago(7 * time.Minute), Kind: dispatch.EventCreated, Actor: "Kari Nordmann"},
	}}}
	p.Page = f.onAccount(who, views.SectionShipments, p.Item.Title)
	change(&p)
	p.Reach = reach(who, p.Item.CreatedBy == who.ID)
	return p
}

func notified(p *follow.ShipmentPage) {
	accept(&p.Item.Item)
	p.Item.Status, p.Item.ServiceStatusAt = dispatch.StatusNotified, ago(3*time.Minute)
}

// everyLine is a timeline of a shipment with a line of every kind.
func everyLine() []dispatch.Event {
	events := everything()
	for _, o := range []dispatch.Outcome{dispatch.OutcomeAccepted, dispatch.OutcomeUnavailable} {
		events = append(events, dispatch.Event{At: ago(3 * time.Hour), Kind: dispatch.EventLookedUp, Detail: string(o)})
	}
	return append(events, dispatch.Event{At: ago(3 * time.Hour), Kind: dispatch.EventSigning, Detail: string(dispatch.SigningWaiting)},
		dispatch.Event{At: ago(3 * time.Hour), Kind: dispatch.EventStatus, Detail: string(dispatch.StatusNotified)},
		dispatch.Event{At: ago(3 * time.Hour), Kind: dispatch.EventOutcome, Detail: "rejected", Reason: dispatch.Reason{Key: "reason.duplicate"}},
		dispatch.Event{At: ago(3 * time.Hour), Kind: dispatch.EventOutcome, Detail: "unavailable", Reason: dispatch.Reason{Key: "reason.content"}},
		dispatch.Event{At: ago(3 * time.Hour), Kind: dispatch.EventOutcome, Detail: "unavailable", Reason: dispatch.Reason{Key: "reason.certificate"}},
		dispatch.Event{At: ago(2 * time.Hour), Kind: dispatch.EventOutcome, Detail: "unavailable", Reason: dispatch.Reason{Key: "reason.certificate_expired"}})
}

func signing(status dispatch.SigningStatus) func(*follow.ShipmentPage) {
	return func(p *follow.ShipmentPage) {
		notified(p)
		p.Item.Documents[0].Sign, p.Item.SigningStatus, p.Item.SigningAt = true, status, ago(time.Hour)
		p.Item.SignBy = time.Date(2026, 12, 4, 22, 59, 59, 0, time.UTC)
		p.Item.ReplyTo = &dispatch.Address{Postal: dispatch.PostalAddress{Name: "Fjordvik kommune", Line1: "Rådhuset", PostalCode: "7713", City: "Steinkjer", Country: "Norge"}}
		if status != "" {
			p.Item.SigningEvents = []dispatch.ServiceEvent{{At: ago(time.Hour), Text: "Signeringsoppdraget er endret", Status: status}}
		}
	}
}

func toldFiles(p *follow.ShipmentPage) {
	notified(p)
	p.Item.Documents = append(p.Item.Documents, dispatch.Document{ID: dispatch.DocumentID(sampleID(403)), FileName: "regneark.xlsx", MimeType: "application/vnd.ms-excel",
		Size: 190_400_000, SHA256: sampleSum("77aa"), ExcludeFromPrint: true, Extra: []dispatch.Entry{{Key: "Arkivdel", Value: "EARK1"}, {Key: "Klasse", Value: "041"}}})
	p.Item.Documents[1].GiroPages = []int{1, 2}
	p.Item.Files = []dispatch.ServiceDocument{
		{FileName: "vedtak.pdf", SHA256: sampleSum("9f2c"), Size: 289_000, DownloadURL: "https://service.example/fil/1", SigningURL: "https://service.example/signer/1",
			Type: "Vedtak", MimeType: dispatch.MimePDF, Signable: true, Sensitive: true, Extra: []dispatch.Entry{{Key: "Kanal", Value: "Meldingsboks"}, {Key: "Ark", Value: "3"}}},
		{FileName: "FAKTURA.pdf", SHA256: sampleSum("0000"), Size: 29_400},
		{FileName: "forside.pdf", Size: 12_000, DownloadURL: "https://service.example/fil/9"},
	}
}
