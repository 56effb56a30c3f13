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

// fullForm is a form to an organisation with every field filled.
func fullForm() dispatch.DraftFields {
	f := sampleForm()
	f.RecipientKind, f.Number, f.Name, f.Confidential, f.Type = compose.KindOrganization, "974760673", "Nordvik kommune", true, "Byggesøknad"
	f.SourceActor, f.CorrelationID, f.InReplyTo = "Byggesak", "Sak 2026/12", sampleID(77)
	f.Reply = dispatch.PostalFields{Name: "Fjordvik kommune", Line1: "Rådhuset", PostalCode: "7713", City: "Steinkjer", Country: "Norge"}
	f.ReplyNumber, f.ReplyLink = "974760673", true
	f.Links = []dispatch.LinkFields{
		{Lead: "Du kan klage her:", URL: "https://fjordvik.example/klage", Text: "Klageskjema"}, {URL: "ftp://fjordvik.example/tegninger", Text: "Tegninger"}, {},
	}
	f.SharedWith = "12847800155\n974760673"
	f.Case = dispatch.ArchiveFields{dispatch.NoarkCaseYear: "2026", dispatch.NoarkCaseSequence: "12", dispatch.NoarkJournalDate: "20.11.2026", dispatch.NoarkExtra: "Skole = Nord"}
	f.Import = dispatch.ArchiveFields{dispatch.NoarkCaseYear: "2025", dispatch.NoarkPostType: "I"}
	f.Documents[dispatch.DocumentID(sampleID(401))] = dispatch.DocumentFields{Type: "Vedtak", Extra: "Arkivnr = 7"}
	return f
}

// sampleHealthForm is what is typed of a shipment to a general practitioner.
func sampleHealthForm() dispatch.HealthFields {
	return dispatch.HealthFields{
		HERID: "", About: "Epikrise etter opphold på korttidsavdelingen.", Phone: "74 00 00 00", PatientID: "028132 99952",
		Contact: dispatch.PersonName{First: "Kari", Last: "Nordmann"}, Patient: dispatch.PersonName{First: "Ola", Last: "Nordmann"},
	}
}

// sampleHealth is a shipment to a general practitioner.
func sampleHealth(s dispatch.Shipment) dispatch.Shipment {
	f := sampleHealthForm()
	s.Health = &dispatch.Health{About: f.About, Phone: f.Phone, PatientID: "02813299952", Contact: f.Contact, Patient: f.Patient}
	s.Recipient = dispatch.Address{Postal: dispatch.PostalAddress{Name: "Ola Nordmann"}, Digital: dispatch.DigitalAddress{NationalID: "02813299952"}}
	s.DigitalOnly, s.Print, s.Type, s.Documents = true, dispatch.PrintOptions{}, "", s.Documents[:1]
	return s
}

// shipmentFieldExhibits are the form with every field, and what can be wrong in it.
func shipmentFieldExhibits() []exhibit {
	var list []exhibit
	add := func(name, says string, change func(*compose.ShipmentFormPage)) {
		list = append(list, exhibit{path: "shipment-form/" + name, says: says, show: func(f frame) templ.Component {
			return compose.ShipmentNew(shipmentForm(f, func(p *compose.ShipmentFormPage) {
				p.Form = fullForm()
				change(p)
			}))
		}})
	}
	checked := func(name, says string, g dispatch.Generation, change func(*dispatch.DraftFields)) {
		add("problem-"+name, says, func(p *compose.ShipmentFormPage) {
			if change(&p.Form); g == dispatch.V2 {
				p.Account.ShipmentKind = dispatch.IntegrationShipmentV2
			}
			_, p.Problems = p.Form.Parse(g, p.Documents, galleryNow)
		})
	}
	add("every-field", "every field of V2, with types that the service knows", func(p *compose.ShipmentFormPage) {
		p.Account.ShipmentKind, p.Types = dispatch.IntegrationShipmentV2, []string{"Byggesøknad", "Delingssøknad"}
	})
	add("check-digits", "numbers whose check digits do not fit", func(p *compose.ShipmentFormPage) {
		p.Form.Number, p.Form.ReplyNumber, p.Form.SharedWith = "974760674", "974760674", "12847800156"
	})
	add("newest-every-field", "every field of the third generation, with the types that the service knows", func(p *compose.ShipmentFormPage) {
		p.Account.ShipmentKind, p.Types = dispatch.IntegrationShipmentV3, []string{"Byggesøknad", "Delingssøknad"}
	})
	newest := func(name, says string, change func(*dispatch.DraftFields)) {
		add("newest-"+name, says, func(p *compose.ShipmentFormPage) {
			change(&p.Form)
			p.Account.ShipmentKind = dispatch.IntegrationShipmentV3
			_, p.Problems = p.Form.Parse(dispatch.V3, p.Documents, galleryNow)
		})
	}
	newest("paper", "what a recipient without a number cannot get, in the third generation", func(f *dispatch.DraftFields) {
		f.RecipientKind, f.Number, f.Level4, f.DigitalOnly, f.Country = compose.KindPerson, "", true, true, "Langtvekkistan"
	})
	newest("person", "what only an organisation can get, in the third generation", func(f *dispatch.DraftFields) {
		f.RecipientKind, f.Number, f.ReplyNumber, f.SharedWith = compose.KindPerson, "12847800156", "974760674", "12847800156"
	})
	add("newest-rest", "what else the third generation refuses, and the health network", func(p *compose.ShipmentFormPage) {
		p.Account.ShipmentKind = dispatch.IntegrationShipmentV3
		for _, key := range []string{"type.unlisted", "entries.long", "link.host", "giro.one", "giro.back", "country.unknown", "check_digits", "shared.check_digits", "health.her_id", "health.her_id.empty", "health.phone", "health.one_pdf", "health.size", "health.off", "health.many", "health.lacks",
			"lacks.farger", "lacks.levering", "lacks.lenker", "lacks.eksponert", "lacks.svarlenke", "lacks.niva4", "lacks.signer", "lacks.type", "lacks.taushetsbelagt", "lacks.sak-", "lacks.import-",
			"lacks.dok-type", "lacks.dok-ekstra", "lacks.dok-sensitiv", "lacks.dok-utelat", "lacks.helse"} {
			p.Problems = append(p.Problems, dispatch.Problem{Field: dispatch.FieldTitle, Key: "problem." + key, Args: dispatch.Args{"Line": 2}})
		}
	})
	health := func(name, says string, change func(*compose.ShipmentFormPage)) {
		list = append(list, exhibit{path: "shipment-form/health-" + name, says: says, show: func(f frame) templ.Component {
			return compose.ShipmentNew(shipmentForm(f, func(p *compose.ShipmentFormPage) {
				p.Account.ShipmentKind, p.Account.Health = dispatch.IntegrationShipmentV3, true
				p.Form.RecipientKind, p.Form.Health, p.Form.Documents, p.Documents = compose.KindHealth, sampleHealthForm(), nil, p.Documents[:1]
				change(p)
			}))
		}})
	}
	health("doctor", "to a patient's general practitioner", func(*compose.ShipmentFormPage) {})
	health("her-id", "to a HER-id, which is missing, with more than the health network takes", func(p *compose.ShipmentFormPage) {
		p.Form.Health.ByHERID, p.Form.Health.Patient.Last, p.Form.Level4, p.Form.SharedWith = true, "", true, "974760673"
		_, p.Problems = p.Form.Parse(dispatch.V3, p.Documents, galleryNow)
	})
	health("offered", "a letter to a person, on an account that may send there", func(p *compose.ShipmentFormPage) { p.Form.RecipientKind = compose.KindPerson })
	health("older", "the account has gone back to a generation that cannot send there", func(p *compose.ShipmentFormPage) {
		p.Account.ShipmentKind = dispatch.IntegrationShipmentV2
		_, p.Problems = p.Form.Parse(dispatch.V2, p.Documents, galleryNow)
	})
	checked("links", "links that cannot stand in a shipment", dispatch.V1, func(f *dispatch.DraftFields) {
		f.Links = []dispatch.LinkFields{{URL: "mailto:post@fjordvik.example", Text: "Skriv til oss"}, {Lead: "Les:"}}
	})
	checked("reply", "replies to nowhere, to something that is no shipment", dispatch.V1, func(f *dispatch.DraftFields) {
		f.Reply, f.ReplyNumber, f.InReplyTo = dispatch.PostalFields{}, "", "2026/12"
	})
	checked("access", "secrecy to a person, level 4 without encryption, others who are nobody", dispatch.V1, func(f *dispatch.DraftFields) {
		f.RecipientKind, f.Number, f.Level4, f.SharedWith = compose.KindPerson, "12047800155", true, "123\nKari"
	})
	add("references", "to many, on an account that makes references", func(p *compose.ShipmentFormPage) {
		p.Account.References, p.Many, p.Valid, p.Form.ReferenceEach = sampleReferences(), 20, 20, true
	})
	add("encrypt-none", "encryption without a certificate", func(p *compose.ShipmentFormPage) {
		p.Form.Encrypt, p.Problems = true, dispatch.Problems{{Field: dispatch.FieldEncrypt, Key: "problem.encrypt.none"}}
	})
	add("encrypt-expired", "encryption for a certificate that has ended", func(p *compose.ShipmentFormPage) {
		p.Account.EncryptUntil = ago(time.Hour)
		p.Form.Encrypt, p.Problems = true, dispatch.Problems{{Field: dispatch.FieldEncrypt, Key: "problem.encrypt.expired"}}
	})
	add("encrypt-expires", "encryption for a certificate that ends before the shipment goes", func(p *compose.ShipmentFormPage) {
		p.Account.EncryptUntil = p.Now.Add(time.Hour)
		p.Form.Timing = dispatch.TimingFields{Day: "04.12.2026", Clock: "12.00"}
		p.Form.Encrypt, p.Problems = true, dispatch.Problems{{Field: dispatch.FieldEncrypt, Key: "problem.encrypt.expires"}}
	})
	checked("archive", "a year of five digits, 31 February, number 0, a pair without a sign", dispatch.V1, func(f *dispatch.DraftFields) {
		f.Case = dispatch.ArchiveFields{dispatch.NoarkCaseYear: "20267", dispatch.NoarkJournalDate: "31.02.2026", dispatch.NoarkExtra: "Skole Nord"}
		f.Import = dispatch.ArchiveFields{dispatch.NoarkCaseSequence: "0"}
	})
	checked("v2", "what only V2 limits", dispatch.V2, func(f *dispatch.DraftFields) {
		long := strings.Repeat("x", 101)
		f.ExternalReference, f.Type, f.CorrelationID, f.SourceActor = long, long, long, long
		f.Links = nil
		for range 6 {
			f.Links = append(f.Links, dispatch.LinkFields{URL: "https://fjordvik.example", Text: "Les mer"})
		}
	})
	return list
}

// fullShipment is fullForm, parsed.
func fullShipment() dispatch.Shipment {
	s, _ := fullForm().Parse(dispatch.V2, sampleFiles(), galleryNow)
	s.RequireLevel4, s.Encrypted = true, true
	return s
}

// fullShipmentExhibits are a shipment with every field, before and after it is sent.
func fullShipmentExhibits() []exhibit {
	review := func(change func(*dispatch.Shipment)) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := compose.ShipmentReviewPage{Page: f.onAccount(caseworker(), views.SectionNewShipment, f.text("shipment.review.title")),
				ID: dispatch.ItemID(sampleID(1)), Version: 3, Shipment: fullShipment()}
			p.Narrow = true
			change(&p.Shipment)
			return compose.ShipmentReview(p)
		}
	}
	shipment := func(revealed bool) func(frame) templ.Component {
		return func(f frame) templ.Component {
			return follow.ShipmentShow(shipmentPage(f, caseworker(), func(p *follow.ShipmentPage) {
				p.Item.Shipment, p.Opened.Numbers, p.Item.SentReference = fullShipment(), revealed, sampleID(78)
				p.Item.SignBy = time.Time{}
			}))
		}
	}
	return []exhibit{
		{path: "shipment-review/every-field", says: "every field", show: review(func(*dispatch.Shipment) {})},
		{path: "shipment-review/check-digits", says: "numbers whose check digits do not fit", show: review(func(s *dispatch.Shipment) {
			s.Recipient.Digital.OrganizationNumber, s.ReplyTo.Digital.OrganizationNumber = "974760674", "974760674"
			s.SharedWith = []dispatch.DigitalAddress{{OrganizationNumber: "974760674"}}
		})},
		{path: "shipment/every-field", says: "every field", show: shipment(false)},
		{path: "shipment/every-field-revealed", says: "every field, the numbers shown once", show: shipment(true)},
	}
}
