package gallery

import (
	"time"

	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/views"
	"utsending/internal/views/compose"
)

// sampleContact is the register's answer about one recipient.
func sampleContact(kind dispatch.Kind, number dispatch.LookupNumber, status dispatch.ContactStatus) compose.Contact {
	e := dispatch.LookupEntry{Line: 1, Number: number, Status: status}
	if status != "" {
		e.Answer = dispatch.AnswerGiven
	}
	return compose.Contact{Kind: kind, May: true, Asked: true, Purpose: "Svar på søknad om barnehageplass", Entry: &e}
}

// contactsExhibits are whether the recipients of a list can be reached.
func contactsExhibits() []exhibit {
	page := func(change func(*compose.ContactsPage)) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := compose.ContactsPage{Page: f.onAccount(caseworker(), views.SectionJobs, f.text("reach.title")), Job: sampleJob(), May: true, MaySendShipments: true, Name: true, Address: true, Key: sampleID(300)}
			p.Forecast = dispatch.ContactForecast{ByPhone: 40, Unanswered: 6200}
			change(&p)
			return compose.Contacts(p)
		}
	}
	asked := func(change func(*compose.ContactsPage)) func(frame) templ.Component {
		return page(func(p *compose.ContactsPage) {
			p.Forecast = dispatch.ContactForecast{ByPhone: 40, Valid: 1180, Invalid: 3, NotFound: 57, Other: 1, Unanswered: 12, At: galleryNow.Add(-4 * time.Minute)}
			change(p)
		})
	}
	letters := func(p *compose.ContactsPage) {
		p.Job.Kind, p.Draft, p.Section = dispatch.KindShipment, dispatch.ItemID(sampleID(701)), views.SectionNewShipment
	}
	return []exhibit{
		{path: "contacts/new", says: "nobody was asked; more than fit in one look-up", show: page(func(*compose.ContactsPage) {})},
		{path: "contacts/asked", says: "a forecast, with what can be done about the rest", show: asked(func(*compose.ContactsPage) {})},
		{path: "contacts/phones", says: "all go to phone numbers, so nothing is looked up", show: page(func(p *compose.ContactsPage) { p.Forecast = dispatch.ContactForecast{ByPhone: 40} })},
		{path: "contacts/nobody", says: "all must be left out", show: page(func(p *compose.ContactsPage) {
			p.Forecast = dispatch.ContactForecast{Replaced: 2, LeftOut: 1, Returning: 1}
		})},
		{path: "contacts/unsent", says: "some get no SMS whether they can be reached or not", show: asked(func(p *compose.ContactsPage) { p.Forecast.Unfit, p.Forecast.Phoneless = 2, 3 })},
		{path: "contacts/left-out", says: "the rest is left out, everybody was asked", show: asked(func(p *compose.ContactsPage) {
			p.Forecast.Invalid, p.Forecast.NotFound, p.Forecast.Other, p.Forecast.Unanswered, p.Forecast.LeftOut, p.Forecast.Returning, p.Forecast.Staying, p.Forecast.Replaced = 0, 0, 0, 0, 60, 56, 2, 2
		})},
		{path: "contacts/no-letters", says: "somebody who can neither look up nor send letters", show: asked(func(p *compose.ContactsPage) { p.May, p.MaySendShipments = false, false })},
		{path: "contacts/no-address", says: "a list without addresses", show: asked(func(p *compose.ContactsPage) { p.Address = false })},
		{path: "contacts/failed", says: "the service did not answer, and answered about strangers", show: asked(func(p *compose.ContactsPage) {
			p.N, p.Strange, p.Extra, p.Failure, p.Answer = 12, 1, 2, dispatch.Reason{Key: "reason.server_error", ErrorID: sampleID(9)}, sampleAnswer()
		})},
		{path: "contacts/problems", says: "no purpose, and a list that has changed", show: asked(func(p *compose.ContactsPage) {
			p.Problems = dispatch.Problems{{Field: dispatch.FieldPurpose, Key: "problem.purpose.empty"}, {Field: compose.FieldRest, Key: "problem.reach.changed"}}
		})},
		{path: "contacts/closed", says: "an account without SMS", show: page(func(p *compose.ContactsPage) { p.Closed = "lookup.no_sms" })},
		{path: "contacts/shipments", says: "a list of shipments", show: page(func(p *compose.ContactsPage) {
			letters(p)
			p.Forecast = dispatch.ContactForecast{Numberless: 5, Unanswered: 1}
		})},
		{path: "contacts/shipments-asked", says: "a list of shipments that was asked about", show: asked(letters)},
	}
}

// contactExhibits are the contact panel in the form and on the review.
func contactExhibits() []exhibit {
	const person, firm = "02813299990", "974760673"
	var list []exhibit
	sms := func(name, says string, k compose.Contact, ps ...dispatch.Problem) {
		list = append(list, exhibit{path: "contact/sms-" + name, says: "an SMS: " + says, show: func(f frame) templ.Component {
			p := compose.SMSFormPage{Page: f.onAccount(caseworker(), views.SectionNewSMS, f.text("sms.new.title")), Form: compose.SMSForm{Key: sampleID(301), By: compose.ByNationalID, NationalID: person}, Action: "/k/oppvekst/sms/ny", Contact: k}
			p.Narrow, p.Problems, p.LooksUp, p.Measured = true, ps, k.Asked, measured("", dispatch.Quota{Used: 812})
			return compose.SMSNew(p)
		}})
	}
	sms("valid", "there is a number", sampleContact(dispatch.KindSMS, person, dispatch.ContactValid))
	sms("invalid", "there is a number that cannot be used", sampleContact(dispatch.KindSMS, person, dispatch.ContactInvalid))
	sms("not-found", "there is none", sampleContact(dispatch.KindSMS, person, dispatch.ContactNotFound))
	sms("other", "a word that nobody knows", sampleContact(dispatch.KindSMS, person, "NY_VERDI"))
	failed := sampleContact(dispatch.KindSMS, person, "")
	failed.Failure, failed.Answer, failed.Strange = dispatch.Reason{Key: "reason.server_error", ErrorID: sampleID(9)}, sampleAnswer(), 2
	sms("unanswered", "no answer", failed)
	sms("phone", "to a phone number", compose.Contact{Kind: dispatch.KindSMS, May: true, ByPhone: true})
	sms("closed", "an account that cannot ask", compose.Contact{Kind: dispatch.KindSMS, May: true, Closed: "lookup.disabled"})
	sms("problems", "no purpose, and too many look-ups", compose.Contact{Kind: dispatch.KindSMS, May: true, Asked: true}, dispatch.Problem{Field: dispatch.FieldPurpose, Key: "problem.purpose.empty"},
		dispatch.Problem{Field: dispatch.FieldNumbers, Key: "problem.lookup.often", Args: dispatch.Args{"When": galleryNow}})
	shipment := func(name, says string, k compose.Contact, ps ...dispatch.Problem) {
		list = append(list, exhibit{path: "contact/shipment-" + name, says: "a shipment: " + says, show: func(f frame) templ.Component {
			return compose.ShipmentNew(shipmentForm(f, func(p *compose.ShipmentFormPage) { p.Contact, p.Problems, p.LooksUp = k, ps, k.Asked }))
		}})
	}
	for _, status := range []dispatch.ContactStatus{dispatch.ContactValid, dispatch.ContactInvalid, dispatch.ContactNotFound, ""} {
		shipment("person-"+string(status), "a person", sampleContact(dispatch.KindShipment, person, status))
		shipment("firm-"+string(status), "an organisation", sampleContact(dispatch.KindShipment, firm, status))
	}
	shipment("numberless", "without a number", compose.Contact{Kind: dispatch.KindShipment, May: true, Asked: true}, dispatch.Problem{Field: dispatch.FieldRecipientNumber, Key: "problem.reach.number"})
	shipment("no-right", "by somebody who may not look up", compose.Contact{Kind: dispatch.KindShipment})
	list = append(list,
		exhibit{path: "contact/sms-review", says: "on the review of an SMS", show: func(f frame) templ.Component {
			p := compose.SMSReviewPage{Page: f.onAccount(caseworker(), views.SectionNewSMS, f.text("sms.review.title")), Item: sampleSMS(1), Contact: sampleContact(dispatch.KindSMS, person, dispatch.ContactNotFound)}
			p.Item.State, p.Narrow, p.Measured = dispatch.StateDraft, true, measured(p.Item.Text, dispatch.Quota{Used: 812})
			return compose.SMSReview(p)
		}},
		exhibit{path: "contact/shipment-review", says: "on the review of a shipment", show: func(f frame) templ.Component {
			p := compose.ShipmentReviewPage{Page: f.onAccount(caseworker(), views.SectionNewShipment, f.text("shipment.review.title")), ID: dispatch.ItemID(sampleID(1)), Version: 3, Shipment: sampleShipment(1).Shipment, Contact: sampleContact(dispatch.KindShipment, person, dispatch.ContactValid)}
			p.Narrow = true
			return compose.ShipmentReview(p)
		}})
	return list
}
