package main

import (
	"strings"
	"time"

	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/views"
)

// formExhibits are the form of one SMS.
func formExhibits() []exhibit {
	form := func(f views.SMSForm, change func(frame, *views.SMSFormPage)) func(frame) templ.Component {
		return func(fr frame) templ.Component {
			f.Key = sampleID(301)
			p := views.SMSFormPage{
				Page: fr.onAccount(caseworker(), views.SectionNewSMS, fr.text("sms.new.title")), Form: f, Action: "/k/oppvekst/sms/ny",
				Segments: dispatch.Segment(f.Text), Sender: sampleAccount(0).SenderName,
			}
			p.Narrow = true
			change(fr, &p)
			return views.SMSNew(p)
		}
	}
	as := func(frame, *views.SMSFormPage) {}
	parsed := func(_ frame, p *views.SMSFormPage) { _, p.Problems = p.Form.Parse() }
	exhibits := []exhibit{
		{path: "sms-form/empty", says: "as it opens", show: form(views.SMSForm{By: views.ByNationalID}, as)},
		{path: "sms-form/draft", says: "a draft was left", show: form(views.SMSForm{By: views.ByNationalID}, func(_ frame, p *views.SMSFormPage) {
			p.Draft = dispatch.ItemID(sampleID(1))
		})},
		{path: "sms-form/editing", says: "a draft is changed", show: form(views.FormOf(sampleSMS(1).SMS, ""), func(fr frame, p *views.SMSFormPage) {
			p.Editing, p.Title, p.Action = true, fr.text("sms.edit.title"), "/k/oppvekst/sms/"+sampleID(1)+"/endre"
		})},
		{path: "sms-form/long", says: "several parts, in ordinary characters", show: form(views.SMSForm{
			By: views.ByPhone, Phone: "900 00 123", Text: strings.Repeat("Vi ses i morgen. ", 30), Hide: true}, as)},
		{path: "sms-form/costly", says: "characters that make parts smaller, more than are listed", show: form(views.SMSForm{By: views.ByPhone, Text: "–«»“”‘’…•áčđŋšŧž\u00a0\t"}, as)},
		{path: "sms-form/no-sender", says: "the account has no sender name", show: form(views.SMSForm{By: views.ByNationalID}, func(_ frame, p *views.SMSFormPage) { p.Sender = "" })},
		{path: "sms-form/all-problems", says: "posted empty", show: form(views.SMSForm{By: views.ByNationalID}, parsed)},
		{path: "sms-form/no-recipient", says: "stopped by the last check", show: form(views.SMSForm{Text: "Hei"}, func(_ frame, p *views.SMSFormPage) {
			p.Problems = dispatch.SMS{Text: "Hei"}.Validate()
		})},
		{path: "sms-form/too-long", says: "over 1600 characters", show: form(views.SMSForm{By: views.ByPhone, Phone: "90000123", Text: strings.Repeat("x", 1601)}, parsed)},
		{path: "sms-form/unsendable", says: "characters that cannot be sent", show: form(views.SMSForm{By: views.ByPhone, Phone: "90000123", Text: "Hei\x00"}, parsed)},
	}
	for _, r := range []struct{ name, nationalID, phone string }{
		{"both", "12047800155", "90000123"}, {"national-id-letters", "1204780015x", ""}, {"national-id-short", "1204", ""}, {"phone-letters", "", "9000012x"},
		{"phone-short", "", "9000"}, {"phone-long", "", "+4712345678901234"}, {"phone-country", "", "+0123456789"}, {"phone-start", "", "22345678"}, {"phone-empty", "", ""},
	} {
		exhibits = append(exhibits, exhibit{path: "sms-form/problem-" + r.name, says: "one problem with the recipient",
			show: form(views.SMSForm{By: views.ByPhone, NationalID: r.nationalID, Phone: r.phone, Text: "Hei der"}, parsed)})
	}
	return append(exhibits, partExhibits()...)
}

// partExhibits are what the form asks for while it is filled in.
func partExhibits() []exhibit {
	exhibits := []exhibit{{path: "sms-form/part-count", says: "what the counter is answered", part: true, show: func(f frame) templ.Component {
		return views.SMSCount(f.onAccount(caseworker(), views.SectionNewSMS, ""), dispatch.Segment("Vi ses – hilsen skolen"))
	}}}
	for _, h := range []struct{ name, field, key, color string }{
		{"national-id", dispatch.FieldNationalID, "hint.national_id.ok", "success"}, {"national-id-check", dispatch.FieldNationalID, "hint.national_id.check", "warning"},
		{"phone", dispatch.FieldPhone, "hint.phone.ok", "success"}, {"phone-foreign", dispatch.FieldPhone, "hint.phone.foreign", "success"},
		{"phone-length", dispatch.FieldPhone, "hint.phone.length", "warning"},
	} {
		exhibits = append(exhibits, exhibit{path: "sms-form/part-" + h.name, says: "what is said about a number when its field is left", part: true,
			show: func(frame) templ.Component {
				return views.FieldHint(h.field, nil, views.Hint{Key: h.key, Color: h.color})
			}})
	}
	return append(exhibits, exhibit{path: "sms-form/part-problem", says: "what is said about a number that cannot be used", part: true, show: func(frame) templ.Component {
		return views.FieldHint(dispatch.FieldPhone, &dispatch.Problem{Field: dispatch.FieldPhone, Key: "problem.phone.short"}, views.Hint{})
	}})
}

// reviewExhibits are a draft before it is sent.
func reviewExhibits() []exhibit {
	review := func(change func(*views.SMSReviewPage)) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := views.SMSReviewPage{Page: f.onAccount(caseworker(), views.SectionNewSMS, f.text("sms.review.title")), Item: sampleSMS(1)}
			p.Item.State, p.Narrow = dispatch.StateDraft, true
			change(&p)
			return views.SMSReview(p)
		}
	}
	return []exhibit{
		{path: "review/phone", says: "to a phone number, with an undo window", show: review(func(*views.SMSReviewPage) {})},
		{path: "review/national-id", says: "to a national identity number, hidden in reports", show: review(func(p *views.SMSReviewPage) {
			toNationalID(&p.Item)
			p.Item.HideInReport = true
		})},
		{path: "review/at-once", says: "no undo window, several parts", show: review(func(p *views.SMSReviewPage) {
			p.Account.UndoWindow, p.Item.Text = 0, strings.Repeat("Vi ses i morgen. ", 30)
			p.Item.Segments = dispatch.Segment(p.Item.Text)
		})},
		{path: "review/one-second", says: "the shortest undo window", show: review(func(p *views.SMSReviewPage) { p.Account.UndoWindow = time.Second })},
		{path: "review/held", says: "the account cannot deliver now", show: review(func(p *views.SMSReviewPage) { p.Held = dispatch.HoldRefused })},
		{path: "review/restored", says: "the draft came out of a backup", show: review(func(p *views.SMSReviewPage) { p.Item.Restored = true })},
	}
}
