package gallery

import (
	"strings"
	"time"

	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/views"
	"utsending/internal/views/compose"
)

// formExhibits are the form of one SMS.
func formExhibits() []exhibit {
	form := func(f compose.SMSForm, change func(frame, *compose.SMSFormPage)) func(frame) templ.Component {
		return func(fr frame) templ.Component {
			f.Key = sampleID(301)
			p := compose.SMSFormPage{
				Page: fr.onAccount(caseworker(), views.SectionNewSMS, fr.text("sms.new.title")), Form: f, Action: "/k/oppvekst/sms/ny",
			}
			p.Narrow = true
			p.Measured = measured(f.Text, dispatch.Quota{Used: 812})
			change(fr, &p)
			return compose.SMSNew(p)
		}
	}
	as := func(frame, *compose.SMSFormPage) {}
	daytime := func(_ frame, p *compose.SMSFormPage) { p.Account.Daytime = dispatch.Daytime{From: 480, To: 1200} }
	parsed := func(_ frame, p *compose.SMSFormPage) { _, p.Problems = p.Form.Parse(p.Now) }
	on := func(name string, year int, month time.Month, day int) exhibit { // the button for the next working day, shown on the day before holidays
		return exhibit{path: "sms-form/before-" + name, says: "the day before " + name, show: form(compose.SMSForm{By: compose.ByPhone, Text: "Hei fra Fjordvik",
			TimingFields: dispatch.TimingFields{Urgent: true}}, func(_ frame, p *compose.SMSFormPage) {
			p.Now = time.Date(year, month, day, 10, 0, 0, 0, dispatch.Oslo)
		})}
	}
	exhibits := []exhibit{
		on("new-year", 2029, time.December, 31), on("ascension", 2027, time.May, 5), on("whitsun", 2028, time.June, 2),
		{path: "sms-form/empty", says: "as it opens", show: form(compose.SMSForm{By: compose.ByNationalID}, as)},
		{path: "sms-form/draft", says: "a draft was left", show: form(compose.SMSForm{By: compose.ByNationalID}, func(_ frame, p *compose.SMSFormPage) {
			p.Draft = dispatch.ItemID(sampleID(1))
		})},
		{path: "sms-form/held", says: "the account cannot deliver now", show: form(compose.SMSForm{By: compose.ByNationalID}, func(_ frame, p *compose.SMSFormPage) {
			p.Held = dispatch.BlockStopped
		})},
		{path: "sms-form/begun", says: "new ones were begun and left", show: form(compose.SMSForm{By: compose.ByNationalID}, func(_ frame, p *compose.SMSFormPage) {
			p.Unfinished = []compose.UnfinishedSMS{
				{Key: sampleID(311), Path: p.Action + "?skjema=" + sampleID(311), SavedAt: p.Now.Add(-20 * time.Minute), Text: "Hei, foreldremøtet er flyttet til torsdag klokka 18 i gymsalen, der vi også var i fjor."},
				{Key: sampleID(312), Path: p.Action + "?skjema=" + sampleID(312), SavedAt: p.Now.Add(-26 * time.Hour)},
			}
		})},
		{path: "sms-form/saved", says: "saved while it is typed", show: form(compose.SMSForm{By: compose.ByPhone, Phone: "9000", Text: "Hei fra Fjord"}, func(_ frame, p *compose.SMSFormPage) {
			p.Autosave = views.Autosave{Path: "/k/oppvekst/sms/ny/lagre", Version: 3, SavedAt: p.Now.Add(-2 * time.Minute), Now: p.Now}
		})},
		{path: "sms-form/saved-line", says: "when it was saved, as it is answered", part: true, show: func(fr frame) templ.Component {
			now := fr.onAccount(caseworker(), views.SectionNewSMS, "").Now
			return views.Autosaved(views.Autosave{Version: 3, SavedAt: now.Add(-2 * time.Minute), Now: now})
		}},
		{path: "sms-form/typed", says: "changes of a draft were typed yesterday, and not handed in", show: form(compose.FormOf(sampleSMS(1).SMS, ""), func(fr frame, p *compose.SMSFormPage) {
			p.Editing, p.Title, p.Action = true, fr.text("sms.edit.title"), "/k/oppvekst/sms/"+sampleID(1)+"/endre"
			p.Autosave = views.Autosave{Path: "/k/oppvekst/sms/" + sampleID(1) + "/lagre", Version: 3, SavedAt: p.Now.Add(-26 * time.Hour), Now: p.Now, Draft: p.Action + "?lagret=ja"}
		})},
		{path: "sms-form/of-failed", says: "a copy of an SMS that did not come through", show: form(compose.FormOf(sampleSMS(1).SMS, ""), func(fr frame, p *compose.SMSFormPage) {
			p.Editing, p.Title, p.Action = true, fr.text("sms.edit.title"), "/k/oppvekst/sms/"+sampleID(1)+"/endre"
			p.Failed = sampleSMS(2)
			ended(dispatch.StateRejected, "reason.rejected")(&p.Failed.Item)
		})},
		{path: "sms-form/editing", says: "a draft is changed", show: form(compose.FormOf(sampleSMS(1).SMS, ""), func(fr frame, p *compose.SMSFormPage) {
			p.Editing, p.Title, p.Action = true, fr.text("sms.edit.title"), "/k/oppvekst/sms/"+sampleID(1)+"/endre"
		})},
		{path: "sms-form/both", says: "another tab has saved the draft meanwhile", show: form(compose.FormOf(sampleSMS(1).SMS, ""), func(fr frame, p *compose.SMSFormPage) {
			there := p.Form
			there.Text, there.Hide = "Foreldremøtet er avlyst.", true
			p.Editing, p.Title, p.Action = true, fr.text("error.stale.title"), "/k/oppvekst/sms/"+sampleID(1)+"/endre"
			p.Other = compose.OtherSMS(p.Form, there, p.Action)
		})},
		{path: "sms-form/both-typed", says: "another tab has typed in the form meanwhile", show: form(compose.FormOf(sampleSMS(1).SMS, ""), func(fr frame, p *compose.SMSFormPage) {
			there := p.Form
			there.Text = "Foreldremøtet er avlyst."
			p.Title, p.Other, p.Autosave = fr.text("both.title"), compose.OtherSMS(p.Form, there, p.Action+"?skjema="+sampleID(1)), views.Autosave{Version: 4}
			p.Other.Typed = true
		})},
		{path: "sms-form/stray", says: "fields as other programs write them, which nothing fills, and a word that may stand", show: form(compose.SMSForm{By: compose.ByPhone, Phone: "90000123", Text: "Hei {{fornavn}}, møt opp {{dato}} på <sted>."}, parsed)},
		{path: "sms-form/long", says: "several parts, in ordinary characters", show: form(compose.SMSForm{
			By: compose.ByPhone, Phone: "900 00 123", Text: strings.Repeat("Vi ses i morgen. ", 30), Hide: true}, as)},
		{path: "sms-form/costly", says: "characters that make parts smaller, more than are listed", show: form(compose.SMSForm{By: compose.ByPhone, Text: "–«»“”‘’…•áčđŋšŧž\u00a0\t"}, as)},
		{path: "sms-form/unseen", says: "costly characters that nobody sees", show: form(compose.SMSForm{By: compose.ByPhone, Text: "Hei\u00ad\u2028Fjordvik\u2028\tog\u00a0du…"}, as)},
		{path: "sms-form/far", says: "more than a year ahead", show: form(compose.SMSForm{By: compose.ByPhone, Phone: "90000123", Text: "Hei fra Fjordvik",
			TimingFields: dispatch.TimingFields{Day: "24.12.2036", Clock: "08.30"}}, parsed)},
		{path: "sms-form/clock", says: "a time of day that is none", show: form(compose.SMSForm{By: compose.ByPhone, Phone: "90000123", Text: "Hei fra Fjordvik",
			TimingFields: dispatch.TimingFields{Day: "24.12.2026", Clock: "25"}}, parsed)},
		{path: "sms-form/no-day", says: "a time without a day", show: form(compose.SMSForm{By: compose.ByPhone, Phone: "90000123", Text: "Hei fra Fjordvik",
			TimingFields: dispatch.TimingFields{Clock: "08.30"}}, parsed)},
		{path: "sms-form/other-forms", says: "other forms of ordinary characters", show: form(compose.SMSForm{By: compose.ByPhone, Text: "Ｈｅｉ fra Fjordvik"}, as)},
		{path: "sms-form/names", says: "characters that cost more, and nothing to replace", show: form(compose.SMSForm{By: compose.ByPhone, Text: "Hei, Láilá! Hilsen Fjordvik"}, as)},
		{path: "sms-form/warnings", says: "everything that is to be thought over", show: form(compose.SMSForm{
			By: compose.ByPhone, Text: "Møte om rus. Ditt nummer er 128478 00028. Se fjordvik.example.no/mote."}, as)},
		{path: "sms-form/preview", says: "several parts with costly characters: where parts begin, and what is costly", show: form(compose.SMSForm{
			By: compose.ByPhone, Text: strings.Repeat("Vi ses – i morgen. ", 9) + "Hilsen Fjordvik"}, as)},
		{path: "sms-form/later", says: "planned, on an account with a daytime window, urgent", show: form(compose.SMSForm{By: compose.ByPhone, Text: "Hei fra Fjordvik",
			TimingFields: dispatch.TimingFields{Day: "24.12.2026", Clock: "08.30", Urgent: true}}, daytime)},
		{path: "sms-form/workdays", says: "an account that sends on working days, before Easter", show: form(compose.SMSForm{By: compose.ByPhone, Text: "Hei fra Fjordvik",
			TimingFields: dispatch.TimingFields{Day: "02.04.2026", Clock: "08.30"}}, func(_ frame, p *compose.SMSFormPage) {
			p.Account.Daytime, p.Now = dispatch.Daytime{Workdays: true}, time.Date(2026, 4, 1, 10, 0, 0, 0, dispatch.Oslo)
		})},
		{path: "sms-form/later-problems", says: "a day that is none", show: form(compose.SMSForm{By: compose.ByPhone, Phone: "90000123", Text: "Hei fra Fjordvik",
			TimingFields: dispatch.TimingFields{Day: "31.11.2026", Clock: "08.30"}}, parsed)},
		{path: "sms-form/time-problems", says: "no time of day", show: form(compose.SMSForm{By: compose.ByPhone, Phone: "90000123", Text: "Hei fra Fjordvik",
			TimingFields: dispatch.TimingFields{Day: "24.12.2026"}}, parsed)},
		{path: "sms-form/skipped-time", says: "a time that the clock skips", show: form(compose.SMSForm{By: compose.ByPhone, Phone: "90000123", Text: "Hei fra Fjordvik",
			TimingFields: dispatch.TimingFields{Day: "28.03.2027", Clock: "02.30"}}, parsed)},
		{path: "sms-form/quota-near", says: "80 % of the month's parts are used", show: form(compose.SMSForm{By: compose.ByPhone, Text: "Hei fra Fjordvik"}, func(_ frame, p *compose.SMSFormPage) {
			p.Measured.Quota = dispatch.Quota{Used: 812, Limit: 1000}
		})},
		{path: "sms-form/quota-full", says: "the message does not fit in this month", show: form(compose.SMSForm{By: compose.ByPhone, Text: "Hei fra Fjordvik"}, func(_ frame, p *compose.SMSFormPage) {
			p.Measured.Quota = dispatch.Quota{Used: 1000, Limit: 1000}
		})},
		{path: "sms-form/budget-near", says: "what it costs, and a budget that it comes near to", show: form(compose.SMSForm{By: compose.ByPhone, Text: "Hei fra Fjordvik"}, func(_ frame, p *compose.SMSFormPage) {
			p.Measured.Price, p.Measured.Budget = dispatch.PriceOf(45), dispatch.Budget{Limit: 100_000, Spent: 90_000, Rule: dispatch.BudgetStop}
		})},
		{path: "sms-form/free", says: "an SMS costs nothing, and the budget is used up", show: form(compose.SMSForm{By: compose.ByPhone, Text: "Hei fra Fjordvik"}, func(_ frame, p *compose.SMSFormPage) {
			p.Measured.Price, p.Measured.Budget = dispatch.PriceOf(0), dispatch.Budget{Limit: 100_000, Spent: 120_000, Rule: dispatch.BudgetWarn}
		})},
		{path: "sms-form/no-sender", says: "the account has no sender name", show: form(compose.SMSForm{By: compose.ByNationalID}, func(_ frame, p *compose.SMSFormPage) { p.Measured.Sender = "" })},
		{path: "sms-form/all-problems", says: "posted empty", show: form(compose.SMSForm{By: compose.ByNationalID}, parsed)},
		{path: "sms-form/no-recipient", says: "stopped by the last check", show: form(compose.SMSForm{Text: "Hei"}, func(_ frame, p *compose.SMSFormPage) {
			p.Problems = dispatch.SMS{Text: "Hei"}.Validate()
		})},
		{path: "sms-form/real", says: "a real number in a test environment", show: form(compose.SMSForm{By: compose.ByNationalID, NationalID: "12047800155", Text: "Hei"}, func(_ frame, p *compose.SMSFormPage) {
			p.Problems = wrong(dispatch.FieldNationalID, dispatch.ProblemReal)
		})},
		{path: "sms-form/too-long", says: "over 1600 characters", show: form(compose.SMSForm{By: compose.ByPhone, Phone: "90000123", Text: strings.Repeat("x", 1601)}, parsed)},
		{path: "sms-form/unsendable", says: "characters that cannot be sent", show: form(compose.SMSForm{By: compose.ByPhone, Phone: "90000123", Text: "Hei\x00"}, parsed)},
	}
	for _, r := range []struct{ name, nationalID, phone string }{
		{"both", "12047800155", "90000123"}, {"national-id-shipments", "1204780015x", ""}, {"national-id-short", "1204", ""}, {"phone-shipments", "", "9000012x"},
		{"phone-short", "", "9000"}, {"phone-long", "", "+4712345678901234"}, {"phone-country", "", "+0123456789"}, {"phone-start", "", "22345678"}, {"phone-empty", "", ""},
	} {
		exhibits = append(exhibits, exhibit{path: "sms-form/problem-" + r.name, says: "one problem with the recipient",
			show: form(compose.SMSForm{By: compose.ByPhone, NationalID: r.nationalID, Phone: r.phone, Text: "Hei der"}, parsed)})
	}
	return append(exhibits, partExhibits()...)
}

// measuredTemplate is a text of a template.
func measuredTemplate(field, text string) compose.Measured {
	return compose.MeasureTemplate(field, text, sampleAccount(0), "Fjordvik kommune", dispatch.Quota{Used: 812})
}

// measuredJob is a text to many, with the longest message.
func measuredJob(typed, longest string, many compose.ForMany) compose.Measured {
	return compose.MeasureMany(typed, longest, many, sampleAccount(0), "Fjordvik kommune", dispatch.Quota{Used: 812, Limit: 5000})
}

// sampleForecast is the analysis of the sample job's text.
func sampleForecast() compose.ForMany {
	return compose.ForMany{Row: 317, Forecast: dispatch.Forecast{Rows: 1202, Unfit: 2, Costly: 8, Segments: 1210, BySegments: []int{1194, 8}, Longest: 317}}
}

// measured analyses a text of an account with watch words.
func measured(text string, q dispatch.Quota) compose.Measured {
	a := sampleAccount(0)
	a.WatchWords = "rus\npsykisk helse"
	return compose.Measure(text, a, "Fjordvik kommune", q)
}

// partExhibits are the fragments that update the form.
func partExhibits() []exhibit {
	exhibits := []exhibit{{path: "sms-form/part-count", says: "what the counter is answered", part: true, show: func(f frame) templ.Component {
		return compose.SMSCount(f.onAccount(caseworker(), views.SectionNewSMS, ""), measured("Vi ses – hilsen skolen", dispatch.Quota{Used: 812}))
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
	review := func(change func(*compose.SMSReviewPage)) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := compose.SMSReviewPage{Page: f.onAccount(caseworker(), views.SectionNewSMS, f.text("sms.review.title")), Item: sampleSMS(1)}
			p.Item.State, p.Narrow = dispatch.StateDraft, true
			p.Measured = measured(p.Item.Text, dispatch.Quota{Used: 812})
			change(&p)
			return compose.SMSReview(p)
		}
	}
	return []exhibit{
		{path: "review/phone", says: "to a phone number, with an undo window", show: review(func(*compose.SMSReviewPage) {})},
		{path: "review/replaced", says: "a copy of a failed SMS, in place of which another was sent", show: review(func(p *compose.SMSReviewPage) {
			p.Other.Item = dispatch.Item{ID: dispatch.ItemID(sampleID(2)), Kind: dispatch.KindSMS}
		})},
		{path: "review/replaced-again", says: "a copy of a failed SMS that was sent again itself, and nobody has said that both are meant", show: review(func(p *compose.SMSReviewPage) {
			p.Other = dispatch.Replacement{Item: dispatch.Item{ID: dispatch.ItemID(sampleID(2)), Kind: dispatch.KindSMS}, Again: true}
			p.Problems = wrong(views.FieldAnyway, "problem.replaced")
		})},
		{path: "review/replaced-soon", says: "a copy of a failed SMS that a job is about to replace", show: review(func(p *compose.SMSReviewPage) {
			p.Other.Job = dispatch.JobID(sampleID(700))
		})},
		{path: "review/national-id", says: "to a national identity number, hidden in reports", show: review(func(p *compose.SMSReviewPage) {
			toNationalID(&p.Item)
			p.Item.HideInReport = true
		})},
		{path: "review/at-once", says: "no undo window, several parts", show: review(func(p *compose.SMSReviewPage) {
			p.Account.UndoWindow, p.Item.Text = 0, strings.Repeat("Vi ses i morgen. ", 30)
			p.Item.Segments = dispatch.Segment(p.Item.Text)
		})},
		{path: "review/planned", says: "at a time of its own", show: review(func(p *compose.SMSReviewPage) { p.Item.SendAt = p.Now.Add(50 * time.Hour) })},
		{path: "review/postponed", says: "the account's daytime makes it wait", show: review(func(p *compose.SMSReviewPage) {
			p.Account.Daytime = dispatch.Daytime{From: 1, To: 2}
		})},
		{path: "review/workdays", says: "a holiday was chosen, and the account sends on working days between two hours", show: review(func(p *compose.SMSReviewPage) {
			p.Account.Daytime = dispatch.Daytime{From: 480, To: 960, Workdays: true}
			p.Item.SendAt = time.Date(p.Now.Year(), 12, 25, 12, 0, 0, 0, dispatch.Oslo)
		})},
		{path: "review/holiday", says: "planned on a holiday", show: review(func(p *compose.SMSReviewPage) {
			p.Item.SendAt = time.Date(p.Now.Year(), 12, 26, 12, 0, 0, 0, dispatch.Oslo)
		})},
		{path: "review/late", says: "its time has passed", show: review(func(p *compose.SMSReviewPage) { p.Item.SendAt = p.Now.Add(-time.Hour) })},
		{path: "review/warnings", says: "a link and a word to think over", show: review(func(p *compose.SMSReviewPage) {
			p.Measured = measured("Møte om rus, se fjordvik.example.no", dispatch.Quota{Used: 812, Limit: 1000})
		})},
		{path: "review/quota", says: "stopped by the month's limit", show: review(func(p *compose.SMSReviewPage) {
			p.Measured.Quota = dispatch.Quota{Used: 1000, Limit: 1000}
			p.Problems = dispatch.Problems{{Field: "kvote", Key: "problem.quota"}}
		})},
		{path: "review/protected", says: "the recipient is protected", show: review(func(p *compose.SMSReviewPage) {
			p.Problems = dispatch.Problems{{Field: "neste", Key: "problem.protected.recipient", Args: dispatch.Args{"Name": "Amir Hosseini, Ingrid Lunde"}}}
		})},
		{path: "review/budget", says: "stopped by the month's budget, which a lead may pass", show: review(func(p *compose.SMSReviewPage) {
			p.Measured.Price, p.Measured.Budget = dispatch.PriceOf(45), dispatch.Budget{Limit: 100_000, Spent: 100_000, Rule: dispatch.BudgetLead}
			p.Problems = dispatch.Problems{{Field: compose.FieldCost, Key: "problem.budget.lead"}}
		})},
		{path: "review/today", says: "the recipient has been sent something today, by the viewer, a colleague and somebody", show: review(func(p *compose.SMSReviewPage) {
			at := p.Now.Add(-time.Hour)
			p.Today.Sent = []compose.SentToday{
				{Kind: dispatch.KindSMS, At: at, Own: true, What: "Timen din er flyttet til fredag", Path: "/k/oppvekst/sms/" + sampleID(7)},
				{Kind: dispatch.KindShipment, At: at, Own: true, What: "Vedtak om redusert foreldrebetaling", Path: "/k/oppvekst/forsendelser/" + sampleID(8)},
				{Kind: dispatch.KindSMS, At: at, By: "Amir Hosseini"}, {Kind: dispatch.KindShipment, At: at},
				{Kind: dispatch.KindSMS, At: p.Now.Add(time.Hour), Own: true}, {Kind: dispatch.KindShipment, At: p.Now.Add(time.Hour)},
				{Kind: dispatch.KindSMS, At: p.Now.Add(time.Minute), Own: true, What: "Timen din er flyttet til fredag"}, {Kind: dispatch.KindShipment, At: p.Now.Add(time.Minute), Own: true, What: "Vedtak om redusert foreldrebetaling"},
				{Kind: dispatch.KindSMS, At: at, Waits: true, Own: true, What: "Timen din er flyttet til fredag", Path: "/k/oppvekst/sms/" + sampleID(9)}, {Kind: dispatch.KindShipment, At: at, Waits: true},
				{Kind: dispatch.KindSMS, At: at, Doubt: true, Own: true, What: "Timen din er flyttet til fredag"}, {Kind: dispatch.KindShipment, At: at, Doubt: true, Own: true, What: "Vedtak om redusert foreldrebetaling"},
				{Kind: dispatch.KindSMS, At: at, Doubt: true}, {Kind: dispatch.KindShipment, At: at, Doubt: true},
			}
		})},
		{path: "review/today-asks", says: "the recipient has been sent something today, and a colleague has to approve this", show: review(func(p *compose.SMSReviewPage) {
			p.Today.Sent = []compose.SentToday{{Kind: dispatch.KindSMS, At: p.Now.Add(-time.Hour), By: "Amir Hosseini"}}
			p.Approving.Reasons = []dispatch.ApprovalReason{dispatch.ApprovalSensitive}
		})},
		{path: "review/today-unknown", says: "the viewer has asked about too many numbers", show: review(func(p *compose.SMSReviewPage) { p.Today.Unknown = true })},
		{path: "review/one-second", says: "the shortest undo window", show: review(func(p *compose.SMSReviewPage) { p.Account.UndoWindow = time.Second })},
		{path: "review/held", says: "the account cannot deliver now", show: review(func(p *compose.SMSReviewPage) { p.Held = dispatch.BlockRefused })},
		{path: "review/restored", says: "the draft came out of a backup", show: review(func(p *compose.SMSReviewPage) { p.Item.Restored = true })},
	}
}
