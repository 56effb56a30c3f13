package gallery

import (
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/views"
	"utsending/internal/views/compose"
	"utsending/internal/views/follow"
)

// sampleJobDraft is a draft of SMS to many.
func sampleJobDraft() dispatch.Job {
	return dispatch.Job{ID: dispatch.JobID(sampleID(5)), Kind: dispatch.KindSMS, State: dispatch.JobDraft, Text: "Hei ((navn))! SFO er stengt mandag.", List: dispatch.JobList{Read: 198, Valid: 196}, CreatedAt: ago(3 * time.Hour)}
}

// sampleJob is a running job.
func sampleJob() dispatch.Job {
	return dispatch.Job{
		ID: dispatch.JobID(sampleID(700)), CreatedBy: "kari", Creator: "Kari Nordmann", CreatedAt: ago(20 * time.Minute), State: dispatch.JobRunning,
		Mode: dispatch.ModeTraceable, Text: "Hei ((fornavn)), foreldremøtet er flyttet til torsdag klokka 18.", Columns: []string{"fornavn", "klasse"},
		List:     dispatch.JobList{Read: 1240, Valid: 1204, Duplicate: 29, Foreign: 14, Phone: 1100, Unfit: 2},
		Segments: 1210, SentAt: ago(15 * time.Minute), DueAt: ago(14 * time.Minute), Recipients: 1202, Made: 1202, MadeAt: ago(14 * time.Minute),
	}
}

// jobExhibits are the pages of a job, from its list to its result.
func jobExhibits() []exhibit {
	var list []exhibit
	add := func(name, says string, show func(frame) templ.Component) {
		list = append(list, exhibit{path: "job/" + name, says: says, show: show})
	}
	add("new", "where a list is pasted or chosen, with a draft that was left", func(f frame) templ.Component {
		return compose.JobNew(compose.JobNewPage{Page: f.onAccount(caseworker(), views.SectionJobs, f.text("job.new.title")), Key: sampleID(701), Action: "/k/oppvekst/sms/ny/flere", Draft: dispatch.JobID(sampleID(702))})
	})
	for name, problem := range map[string]dispatch.Problem{
		"column": {Key: "problem.list.no_column"}, "empty": {Key: "problem.list.empty"}, "broken": {Key: "problem.list.broken"}, "kind": {Key: "problem.list.kind"},
		"old": {Key: "problem.list.xls"}, "unpacked": {Key: "problem.list.unpacked"}, "none": {Key: "problem.job.no_list"}, "nothing": {Field: views.FieldFile, Key: "problem.job.empty_file"}, "two": {Key: "problem.job.two_lists"},
		"rows": {Key: "problem.list.rows", Args: dispatch.Args{"N": dispatch.JobRowsMax}}, "columns": {Key: "problem.list.columns", Args: dispatch.Args{"N": 100}},
		"row": {Key: "problem.list.long_row", Args: dispatch.Args{"N": 7}}, "quote": {Key: "problem.list.quote", Args: dispatch.Args{"N": 7}},
		"hidden": {Key: "problem.list.all_hidden"}, "control": {Key: "problem.list.control", Args: dispatch.Args{"N": 7}},
	} {
		if problem.Field == "" {
			problem.Field = views.FieldList
		}
		add("refused-"+name, "a list that is refused", func(f frame) templ.Component {
			p := compose.JobNewPage{Page: f.onAccount(caseworker(), views.SectionJobs, f.text("job.new.title")), Key: sampleID(701), Action: "/k/oppvekst/sms/ny/flere", Pasted: "Kari\nOla"}
			p.Problems = dispatch.Problems{problem}
			return compose.JobNew(p)
		})
	}
	slices.SortFunc(list, func(a, b exhibit) int { return strings.Compare(a.path, b.path) })
	return append(append(append(list, jobDraftExhibits()...), jobShowExhibits()...), jobListExhibits()...)
}

func jobDraftExhibits() []exhibit {
	edit := func(change func(*compose.JobEditPage)) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := compose.JobEditPage{Page: f.onAccount(caseworker(), views.SectionJobs, f.text("job.new.title")), Job: sampleJob()}
			p.Form = compose.JobForm{Text: p.Job.Text, Mode: p.Job.Mode}
			p.Measured = measuredJob(p.Job.Text, "Hei Aleksandra Đorđević, foreldremøtet er flyttet til torsdag klokka 18.", sampleForecast())
			if change(&p); p.Job.Again {
				p.Title = f.text("job.edit.again.title")
			}
			return compose.JobEdit(p)
		}
	}
	faults := func(n int) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := compose.JobFaultsPage{Page: f.onAccount(caseworker(), views.SectionJobs, f.text("job.faults.title")), Job: sampleJob()}
			p.Faults = sampleFaults()[:n]
			if n > 0 {
				p.More = "/k/oppvekst/jobber/" + sampleID(700) + "/feil?etter=90"
			}
			return compose.JobFaults(p)
		}
	}
	review := func(change func(*compose.JobReviewPage)) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := compose.JobReviewPage{Page: f.onAccount(caseworker(), views.SectionJobs, f.text("job.review.title")), Job: sampleJob()}
			p.Previews = []compose.JobPreview{{Number: "••• •• 123", Text: "Hei Åse, foreldremøtet er flyttet."}, {Number: "+46 ••• 567", Text: "Hei Per, foreldremøtet er flyttet."}}
			p.Measured = measuredJob(p.Job.Text, "Hei Aleksandra Đorđević, foreldremøtet er flyttet til torsdag klokka 18.", sampleForecast())
			change(&p)
			return compose.JobReview(p)
		}
	}
	return []exhibit{
		{path: "job/edit-both", says: "another tab has saved the text meanwhile", show: edit(func(p *compose.JobEditPage) {
			there := p.Form
			there.Text = "Hei ((fornavn)), møtet er avlyst."
			p.Other = compose.OtherJob(p.Form, there, "/k/oppvekst/jobber/"+sampleID(700)+"/endre")
		})},
		{path: "job/edit-both-typed", says: "another tab has typed in the form meanwhile", show: edit(func(p *compose.JobEditPage) {
			there := p.Form
			there.Text = "Hei ((fornavn)), møtet er avlyst."
			p.Other = compose.OtherJob(p.Form, there, "/k/oppvekst/jobber/"+sampleID(700)+"/endre")
			p.Other.Typed = true
		})},
		{path: "job/edit", says: "what a list holds, and the text", show: edit(func(*compose.JobEditPage) {})},
		{path: "job/edit-again", says: "a draft to those whom an earlier job did not reach", show: edit(func(p *compose.JobEditPage) {
			p.Job.Again, p.Job.Former, p.Job.Replaced, p.Unreached = true, dispatch.JobID(sampleID(700)), 2, sampleUnreached()
		})},
		{path: "job/unreached", says: "rows that an earlier job did not reach, the first of several pages", show: func(f frame) templ.Component {
			p := compose.JobUnreachedPage{Page: f.onAccount(caseworker(), views.SectionJobs, f.text("job.unreached.title")), Job: sampleJob(), Lines: sampleUnreached(), After: 100}
			p.Job.Again, p.First, p.More = true, "/k/oppvekst/jobber/"+sampleID(700)+"/ikke-nadd", "/k/oppvekst/jobber/"+sampleID(700)+"/ikke-nadd?etter=190"
			p.Lines[1].Typed = "4123"
			p.Problems = dispatch.Problems{{Field: compose.UnreachedNumber(p.Lines[1].Row), Key: "problem.recipient.empty"}}
			return compose.JobUnreached(p)
		}},
		{path: "job/unreached-found", says: "rows that it did not reach, with numbers of the contact register", show: func(f frame) templ.Component {
			p := compose.JobUnreachedPage{Page: f.onAccount(caseworker(), views.SectionJobs, f.text("job.unreached.title")), Job: sampleJob(), Lines: sampleUnreached()[:2]}
			p.Job.Again, p.Job.Found = true, true
			return compose.JobUnreached(p)
		}},
		{path: "job/edit-stopped", says: "a draft to those whom a stopped job did not reach", show: edit(func(p *compose.JobEditPage) {
			p.Job.Again, p.Job.OnlyStopped, p.Job.Former, p.Unreached = true, true, dispatch.JobID(sampleID(700)), sampleUnreached()[:1]
		})},
		{path: "job/unreached-stopped", says: "rows that a stopped job did not reach", show: func(f frame) templ.Component {
			p := compose.JobUnreachedPage{Page: f.onAccount(caseworker(), views.SectionJobs, f.text("job.unreached.title")), Job: sampleJob(), Lines: sampleUnreached()[:1]}
			p.Job.Again, p.Job.OnlyStopped = true, true
			return compose.JobUnreached(p)
		}},
		{path: "job/edit-replaced", says: "all were sent it again since the draft was made", show: edit(func(p *compose.JobEditPage) { p.Unreached = allReplaced(&p.Job) })},
		{path: "job/edit-again-found", says: "a draft to one whom an earlier job did not reach, with a number of the contact register", show: edit(func(p *compose.JobEditPage) {
			p.Job.Again, p.Job.Found, p.Job.List.Valid, p.Job.List.Phone, p.Job.List.LeftOut, p.Unreached = true, true, 1, 1, 0, sampleUnreached()[:1]
		})},
		{path: "job/edit-one", says: "the list has one recipient, without a phone number", show: edit(func(p *compose.JobEditPage) { p.Job.List = dispatch.JobList{Read: 1, Valid: 1} })},
		{path: "job/review-again", says: "to those whom an earlier job did not reach, which is deleted", show: review(func(p *compose.JobReviewPage) { p.Job.Again, p.Job.Found, p.Unreached = true, true, sampleUnreached() })},
		{path: "job/edit-left-out", says: "all that a draft could be sent to are left out", show: edit(func(p *compose.JobEditPage) {
			p.Job.Again, p.Job.List, p.Unreached = true, dispatch.JobList{Read: 1, LeftOut: 1}, sampleUnreached()[3:4]
		})},
		{path: "job/edit-left-out-two", says: "both that a draft could be sent to are left out", show: edit(func(p *compose.JobEditPage) {
			p.Job.Again, p.Job.List, p.Unreached = true, dispatch.JobList{Read: 2, LeftOut: 2}, sampleUnreached()[3:4]
		})},
		{path: "job/review-resent", says: "some have been sent it again meanwhile, and must be left out", show: review(func(p *compose.JobReviewPage) {
			p.Job.Again, p.Job.Replaced, p.Unreached = true, 3, sampleUnreached()[4:]
		})},
		{path: "job/edit-typed", says: "changes were typed earlier today, and not handed in", show: edit(func(p *compose.JobEditPage) {
			p.Autosave = views.Autosave{Path: "/k/oppvekst/jobber/" + sampleID(700) + "/lagre", Version: 2, SavedAt: p.Now.Add(-2 * time.Minute), Now: p.Now, Draft: "/k/oppvekst/jobber/" + sampleID(700) + "/endre?lagret=ja"}
		})},
		{path: "job/review-typed", says: "changes were typed that are not in it", show: review(func(p *compose.JobReviewPage) { p.Typed = p.Now.Add(-2 * time.Minute) })},
		{path: "job/edit-problems", says: "a text that the list cannot fill", show: edit(func(p *compose.JobEditPage) {
			p.Form.Mode, p.Job.List.Phone = dispatch.ModeFast, 0
			p.Form.Text = "Hei ((fornavn)) ((etternavn)), foreldremøtet er flyttet til torsdag klokka 18."
			p.Measured = measuredJob(p.Form.Text, p.Form.Text, compose.ForMany{Unknown: []string{"etternavn"}})
			p.Problems = dispatch.Problems{{Field: views.FieldMode, Key: "problem.job.no_phones"},
				{Field: dispatch.FieldText, Key: "problem.list.placeholder", Args: dispatch.Args{"Name": "etternavn"}}}
		})},
		{path: "job/edit-costly", says: "characters that cost more, in the text and in fields", show: edit(func(p *compose.JobEditPage) {
			p.Form.Text = "Hei ((fornavn)) – møt opp!"
			p.Measured = measuredJob(p.Form.Text, "Hei Láilá – møt opp!", compose.ForMany{Row: 317, Forecast: dispatch.Forecast{Rows: 1, Costly: 1, Unfit: 1, Segments: 1, BySegments: []int{1}, Longest: 317}})
		})},
		{path: "job/edit-unknown", says: "a field that the list does not have", show: edit(func(p *compose.JobEditPage) {
			p.Form.Text = "Hei ((etternavn))"
			p.Measured = measuredJob(p.Form.Text, p.Form.Text, compose.ForMany{Unknown: []string{"etternavn"}})
		})},
		{path: "job/edit-priced", says: "what it costs in all and each, near the month's budget", show: edit(func(p *compose.JobEditPage) {
			p.Measured.Price, p.Measured.Budget = dispatch.PriceOf(45), dispatch.Budget{Limit: 1_000_000, Spent: 800_000, Rule: dispatch.BudgetWarn}
		})},
		{path: "job/edit-same", says: "the same text for all, more than the month has left", show: edit(func(p *compose.JobEditPage) {
			p.Job.List.Phone = p.Job.List.Valid
			p.Form.Text = "Foreldremøtet er flyttet. Hilsen Fjordvik"
			p.Measured = measuredJob(p.Form.Text, p.Form.Text, compose.ForMany{Forecast: dispatch.Forecast{Rows: 5000, Segments: 5000, BySegments: []int{5000}}})
		})},
		{path: "job/edit-two", says: "a list that says the written form, and a text in each", show: edit(twoTexts)},
		{path: "job/edit-two-fast", says: "two texts cannot be sent fast, and there is no such form", show: edit(func(p *compose.JobEditPage) {
			twoTexts(p)
			p.Form.Mode, p.Form.Otherwise = dispatch.ModeFast, "se"
			p.Problems = dispatch.Problems{{Field: dispatch.FieldNynorsk, Key: "problem.job.nynorsk_fast"}, {Field: dispatch.FieldOtherwise, Key: "problem.written_form"}}
		})},
		{path: "job/edit-two-column", says: "a list in place of the former one, which does not say the form", show: edit(func(p *compose.JobEditPage) {
			twoTexts(p)
			p.Job.Columns = []string{"fornavn"}
			p.Problems = dispatch.Problems{{Field: dispatch.FieldNynorsk, Key: "problem.job.nynorsk_column"}}
		})},
		{path: "job/count-two", says: "the count of both texts, as it is answered", part: true, show: func(f frame) templ.Component {
			var p compose.JobEditPage
			p.Job = sampleJob()
			twoTexts(&p)
			return compose.JobCounted(f.onAccount(caseworker(), views.SectionJobs, ""), sampleJob(), measuredJob(p.Form.Text, p.Form.Text, sampleForecast()), p.Nynorsk)
		}},
		{path: "job/review-two", says: "some get theirs in nynorsk", show: review(func(p *compose.JobReviewPage) {
			p.Job.Nynorsk = "Hei ((fornavn)), foreldremøtet er flytta til torsdag klokka 18."
			p.Job.Forms = dispatch.FormCounts{Bokmal: 1100, Nynorsk: 102, Unsaid: 12}
			p.Previews[1].Text, p.Previews[1].Form = "Hei Per, foreldremøtet er flytta.", dispatch.FormNynorsk
			p.Nynorsk = measuredJob(p.Job.Nynorsk, "Hei Aleksandra Đorđević, foreldremøtet er flytta til torsdag klokka 18.", compose.ForMany{Row: 30, Forecast: dispatch.Forecast{Rows: 102}})
			p.Nynorsk.Of = dispatch.FieldNynorsk
		})},
		{path: "job/row-count", says: "the count of one row, as it is answered", part: true, show: func(f frame) templ.Component {
			return compose.SMSRow(f.onAccount(caseworker(), views.SectionJobs, ""), compose.MeasureRow(90, "Hei “Åse”, foreldremøtet er flyttet.", []string{"“Åse”", "4b"}, sampleAccount(0), "Fjordvik kommune"))
		}},
		{path: "job/edit-stray", says: "fields as other programs write them", show: edit(func(p *compose.JobEditPage) {
			p.Form.Text = "Hei {{fornavn}}, foreldremøtet for {klasse} er flyttet."
			p.Problems = dispatch.Problems{*dispatch.StrayProblem(dispatch.FieldText, p.Form.Text, p.Job.Columns), {Field: dispatch.FieldText, Key: "problem.list.bare", Args: dispatch.Args{"N": 1, "Name": "{{navn}}"}}, {Field: dispatch.FieldText, Key: "problem.list.bare", Args: dispatch.Args{"N": 2, "Name": "{{navn}}, {{dato}}"}}}
		})},
		{path: "job/edit-fast", says: "a fast one cannot have personal fields", show: edit(func(p *compose.JobEditPage) {
			p.Problems = dispatch.Problems{{Field: views.FieldMode, Key: "problem.job.mode"}, {Field: dispatch.FieldText, Key: "problem.list.placeholder_fast"}}
		})},
		{path: "job/edit-nobody", says: "nobody can be sent to", show: edit(func(p *compose.JobEditPage) {
			p.Job.List = dispatch.JobList{Read: 2}
			p.Problems = dispatch.Problems{{Field: views.FieldMode, Key: "problem.job.no_recipients"},
				{Field: dispatch.FieldText, Key: "problem.list.placeholder_twice", Args: dispatch.Args{"Name": "klasse"}}}
		})},
		{path: "job/edit-restored", says: "a draft out of a backup, of a list without faults", show: edit(func(p *compose.JobEditPage) {
			p.Job.Restored, p.Job.List, p.Job.Columns = true, dispatch.JobList{Read: 3, Valid: 3, Phone: 3}, nil
		})},
		{path: "job/faults", says: "rows that will not be sent to", show: faults(len(sampleFaults()))},
		{path: "job/faults-none", says: "all rows are right", show: faults(0)},
		{path: "job/review", says: "looked over before it is sent", show: review(func(*compose.JobReviewPage) {})},
		{path: "job/review-same", says: "all get the same message", show: review(func(p *compose.JobReviewPage) {
			p.Job.Columns, p.Measured = nil, measured("Kontoret er stengt i dag.", dispatch.Quota{Used: 812})
			p.Measured.Many = &compose.ForMany{Forecast: dispatch.Forecast{Rows: 1202, Segments: 1202, BySegments: []int{1202}}}
		})},
		{path: "job/review-warned", says: "with rows to look at", show: review(func(p *compose.JobReviewPage) {
			p.Job.List.Warned, p.MoreWarnings, p.Today = 12, true, compose.ListToday{N: 2, Later: 2}
			for i, key := range []string{"hint.national_id.check", "hint.phone.length", "hint.phone.foreign"} {
				p.Warnings = append(p.Warnings, compose.JobWarning{Row: 40 + i, RowWarning: dispatch.RowWarning{Key: key}})
			}
		})},
		{path: "job/review-contacts", says: "it is known who can be reached", show: review(func(p *compose.JobReviewPage) {
			p.Contacts = dispatch.ContactForecast{ByPhone: 40, Valid: 1180, NotFound: 57, Unanswered: 12, Unfit: 2, At: galleryNow}
		})},
		{path: "job/review-repeated", says: "the same was sent today, the account is held", show: review(func(p *compose.JobReviewPage) {
			p.Today = sampleListToday()
			p.Before, p.Held, p.Job.HideInReport, p.Account.UndoWindow = dispatch.SameJob{ID: dispatch.JobID(sampleID(703)), Reached: 2, All: 3}, dispatch.BlockRefused, true, time.Minute
			p.Problems = dispatch.Problems{{Field: views.FieldAnyway, Key: "problem.job.repeated"}}
		})},
		{path: "job/review-one", says: "the list has one recipient, whom the viewer has sent something today", show: review(func(p *compose.JobReviewPage) {
			p.Job.Recipients, p.Job.List, p.Today = 0, dispatch.JobList{Read: 1, Valid: 1}, compose.ListToday{All: 1, N: 1, Doubt: 1, Own: 1, OwnOnly: true}
		})},
		{path: "job/review-nothing-today", says: "a short list, and nothing from the viewer to anybody on it today", show: review(func(p *compose.JobReviewPage) {
			p.Job.Recipients, p.Job.List, p.Today = 0, dispatch.JobList{Read: 3, Valid: 3}, compose.ListToday{All: 3, OwnOnly: true}
		})},
		{path: "job/review-all-replaced", says: "all were sent it again since the draft was made", show: review(func(p *compose.JobReviewPage) {
			p.Unreached = allReplaced(&p.Job)
		})},
		{path: "job/review-replaced", says: "some were sent it again since the draft was made", show: review(func(p *compose.JobReviewPage) {
			p.Problems = dispatch.Problems{{Field: "neste", Key: "problem.job.replaced", Args: dispatch.Args{"N": 2}}}
		})},
		{path: "job/review-unseen", says: "the draft was changed in another tab", show: review(func(p *compose.JobReviewPage) {
			p.Problems = dispatch.Problems{{Field: "neste", Key: "problem.unseen"}}
		})},
		{path: "job/review-protected", says: "the list has protected recipients", show: review(func(p *compose.JobReviewPage) {
			p.Problems = dispatch.Problems{{Field: "neste", Key: "problem.protected.rows", Args: dispatch.Args{"Line": "3, 18", "Name": "Amir Hosseini"}}}
		})},
		{path: "job/review-quota", says: "more than the account has left this month", show: review(func(p *compose.JobReviewPage) {
			p.Problems = dispatch.Problems{{Field: "kvote", Key: "problem.job.quota"}}
		})},
		{path: "job/edit-warnings", says: "rows that are to be looked at, the second window of them", show: edit(func(p *compose.JobEditPage) {
			p.Job.List.Warned, p.FirstWarnings, p.NextWarnings = 1200, "/k/oppvekst/jobber/"+sampleID(700)+"/endre#se-over", "/k/oppvekst/jobber/"+sampleID(700)+"/endre?etter=90#se-over"
			for i, key := range []string{"hint.row.plus", "hint.row.phone_unusable", "hint.phone.foreign", "hint.phone.length", "hint.national_id.check",
				"hint.row.plus_foreign", "hint.row.scientific", "hint.row.error", "hint.row.strange"} {
				p.Warnings = append(p.Warnings, compose.JobWarning{Row: 40 + i, RowWarning: dispatch.RowWarning{Key: key, Column: "Mobilnummer"}})
			}
			p.Warnings[3].Column = ""
		})},
		{path: "job/edit-template", says: "before what was typed is replaced by a template", show: edit(func(p *compose.JobEditPage) {
			p.Form.Chosen = compose.ChoiceValue(sampleTemplate().ID, dispatch.FormBokmal)
			p.Choice = compose.TemplateChoice{Templates: []dispatch.Template{sampleTemplate()},
				Offer: &compose.TemplateOffer{Name: sampleTemplate().Name, Value: p.Form.Chosen, Text: sampleTemplate().Text, Nynorsk: sampleTemplate().Nynorsk, Form: dispatch.FormBokmal}}
		})},
		{path: "job/edit-time", says: "a time of its own, which cannot be", show: edit(func(p *compose.JobEditPage) {
			p.Form.TimingFields = dispatch.TimingFields{Day: "24.12.2025", Clock: "08.30", Urgent: true}
			p.Account.Daytime = dispatch.Daytime{From: 480, To: 1200}
			p.Problems = dispatch.Problems{{Field: dispatch.FieldSendDay, Key: "problem.send_at.past"}}
		})},
		{path: "job/review-at-once", says: "no undo window", show: review(func(p *compose.JobReviewPage) { p.Account.UndoWindow = 0 })},
		{path: "job/review-planned", says: "at a time of its own, for which it waits until the account sends", show: review(func(p *compose.JobReviewPage) {
			p.Job.SendAt = time.Date(p.Now.Year(), p.Now.Month(), p.Now.Day()+2, 3, 0, 0, 0, dispatch.Oslo)
			p.Account.Daytime = dispatch.Daytime{From: 480, To: 1200}
		})},
		{path: "job/review-holiday", says: "on a Sunday, where the account sends on working days", show: review(func(p *compose.JobReviewPage) {
			p.Job.SendAt = time.Date(p.Now.Year(), p.Now.Month(), p.Now.Day()+2, 12, 0, 0, 0, dispatch.Oslo)
			p.Account.Daytime = dispatch.Daytime{Workdays: true}
		})},
		{path: "job/review-late", says: "its time has passed", show: review(func(p *compose.JobReviewPage) { p.Job.SendAt = p.Now.Add(-time.Hour) })},
		{path: "job/review-fast", says: "a fast one", show: review(func(p *compose.JobReviewPage) { p.Job.Mode, p.Job.Restored = dispatch.ModeFast, true })},
	}
}

// twoTexts adds a text in nynorsk to a list with a column for the written form.
func twoTexts(p *compose.JobEditPage) {
	p.Job.Columns = []string{"fornavn", "målform"}
	p.Form.Nynorsk = "Hei ((fornavn)), foreldremøtet er flytta til torsdag klokka 18."
	p.Nynorsk = measuredJob(p.Form.Nynorsk, "Hei Per, foreldremøtet er flytta til torsdag klokka 18.", compose.ForMany{Row: 30, Forecast: dispatch.Forecast{Rows: 102, Segments: 102, BySegments: []int{102}, Longest: 30}})
	p.Nynorsk.Of = dispatch.FieldNynorsk
	p.Form.Chosen = compose.ChoiceValue(sampleTemplate().ID, dispatch.FormBokmal)
	p.Choice = compose.TemplateChoice{Templates: []dispatch.Template{sampleTemplate()}, UsedName: sampleTemplate().Name}
}

func sampleFaults() []compose.JobFault {
	short := compose.JobFault{JobRow: dispatch.JobRow{Position: 4, Typed: "123"}}
	short.Problems = dispatch.Problems{{Field: short.RecipientName(), Key: "problem.phone.short"}}
	double := compose.JobFault{JobRow: dispatch.JobRow{Position: 17, Typed: "90000123"}}
	double.Problems = dispatch.Problems{{Field: double.RecipientName(), Key: dispatch.ProblemDuplicate, Args: dispatch.Args{"N": 3}}}
	lacking := compose.JobFault{JobRow: dispatch.JobRow{Position: 90, Typed: "90000124", Fields: []string{"", "4b"}, Unfit: true}}
	lacking.Problems = dispatch.Problems{{Field: lacking.FieldName(0), Key: "problem.row.field", Args: dispatch.Args{"Name": "fornavn"}}}
	lacking.Measured = compose.MeasureRow(90, "Hei , foreldremøtet er flyttet til torsdag klokka 18.", lacking.Fields, sampleAccount(0), "Fjordvik kommune")
	out := compose.JobFault{JobRow: dispatch.JobRow{Position: 95, Problem: dispatch.Problem{Key: dispatch.ProblemLeftOut}}, Number: "••• •• 124"}
	list := []compose.JobFault{short, double, lacking, out}
	for i, key := range []string{"problem.row.number", "problem.row.leading_zero", "problem.row.quote", "problem.row.cells", "problem.row.no_phone", "problem.recipient.empty",
		"problem.row.above", "problem.row.error", "problem.row.date", "problem.row.several", "problem.row.neither", "problem.row.digits", "problem.row.norwegian", "problem.row.trunk"} {
		f := compose.JobFault{JobRow: dispatch.JobRow{Position: 100 + i, Typed: "1204780015"}}
		f.Problems = dispatch.Problems{{Field: f.RecipientName(), Key: key, Args: dispatch.Args{"N": 4}}}
		list = append(list, f)
	}
	return list
}

func jobShowExhibits() []exhibit {
	page := func(who dispatch.User, change func(*compose.JobPage)) compose.JobPage {
		p := compose.JobPage{Job: sampleJob(), CopyKey: sampleID(704), Reach: dispatch.ReachOpen, Counts: dispatch.JobCounts{
			dispatch.JobWaiting: 600, dispatch.JobSending: 8, dispatch.JobHandedOver: 90, dispatch.JobOnItsWay: 200, dispatch.JobArrived: 300, dispatch.JobNotDelivered: 3, dispatch.JobNotSent: 1,
		}}
		p.User = who
		p.Unreached.Left = -1
		change(&p)
		if p.Unreached.Left < 0 {
			p.Unreached.Left = p.Counts.Resendable()
		}
		return p
	}
	exhibitOf := func(name, says string, who dispatch.User, change func(*compose.JobPage)) exhibit {
		return exhibit{path: "job/" + name, says: says, show: func(f frame) templ.Component {
			p := page(who, change)
			problems := p.Problems
			p.Page = f.onAccount(who, views.SectionJobs, f.text("job.title", "N", p.Job.Recipients, "Count", p.Job.Recipients))
			p.Problems = problems
			return follow.JobShow(p)
		}}
	}
	ended := func(p *compose.JobPage) {
		p.Job.State, p.Job.Uncertain, p.Counts = dispatch.JobDone, true, dispatch.JobCounts{dispatch.JobArrived: 1190, dispatch.JobNotSent: 4, dispatch.JobUncertain: 8}
	}
	return []exhibit{
		exhibitOf("running", "on its way", caseworker(), func(*compose.JobPage) {}),
		exhibitOf("undo", "just sent, and can be undone", caseworker(), func(p *compose.JobPage) {
			p.Job.DueAt, p.Counts = galleryNow.Add(40*time.Second), dispatch.JobCounts{dispatch.JobWaiting: 1202}
		}),
		exhibitOf("held", "just sent, but the account cannot send", caseworker(), func(p *compose.JobPage) {
			p.Job.DueAt, p.Job.Block, p.Counts = galleryNow.Add(40*time.Second), dispatch.BlockRefused, dispatch.JobCounts{dispatch.JobWaiting: 1202}
		}),
		exhibitOf("sent", "all are handed over, and statuses are still to come", caseworker(), func(p *compose.JobPage) {
			p.Job.State, p.Job.DoneAt, p.Counts = dispatch.JobDone, galleryNow.Add(-time.Minute), dispatch.JobCounts{dispatch.JobHandedOver: 700, dispatch.JobOnItsWay: 200, dispatch.JobArrived: 302}
		}),
		exhibitOf("making", "its messages are being made, and wait for the time to undo", caseworker(), func(p *compose.JobPage) {
			p.Job.MadeAt, p.Job.Made, p.Job.DueAt, p.Counts = time.Time{}, 400, galleryNow.Add(time.Minute), dispatch.JobCounts{dispatch.JobWaiting: 1202}
		}),
		exhibitOf("planned", "waits for a time of its own", caseworker(), func(p *compose.JobPage) {
			p.Job.SendAt = galleryNow.Add(50 * time.Hour)
			p.Job.DueAt, p.Counts = p.Job.SendAt, dispatch.JobCounts{dispatch.JobWaiting: 1202}
			p.Job.Template, p.TemplateName = sampleTemplate().Use(dispatch.FormBokmal), sampleTemplate().Name
		}),
		exhibitOf("paused", "paused, the account held", caseworker(), func(p *compose.JobPage) {
			p.Job.State, p.Job.Block, p.Job.HaltedBy, p.Job.HaltedAt = dispatch.JobPaused, dispatch.BlockRefused, "Kari Nordmann", ago(time.Hour)
		}),
		exhibitOf("stopped", "stopped, the rest cancelled", caseworker(), func(p *compose.JobPage) {
			p.Job.State, p.Counts = dispatch.JobStopped, dispatch.JobCounts{dispatch.JobArrived: 600, dispatch.JobCancelled: 602}
		}),
		exhibitOf("stopped-uncertain", "stopped, with some to decide about", caseworker(), func(p *compose.JobPage) {
			p.Job.State, p.Job.Uncertain = dispatch.JobStopped, true
			p.Counts = dispatch.JobCounts{dispatch.JobArrived: 600, dispatch.JobUncertain: 8, dispatch.JobCancelled: 594}
		}),
		exhibitOf("failed", "the rest of its messages cannot be made", caseworker(), func(p *compose.JobPage) {
			p.Job.MadeAt, p.Job.Made, p.Counts = time.Time{}, 400, dispatch.JobCounts{dispatch.JobWaiting: 802, dispatch.JobArrived: 400}
			p.Failed = dispatch.SetAside{Queue: dispatch.QueueMake, Key: string(p.Job.ID), Tries: dispatch.SetAsideAfter, Cause: dispatch.AsideSealed, First: ago(time.Hour), Last: ago(time.Minute)}
		}),
		exhibitOf("done", "all is handed over, some to decide about and some to send again", caseworker(), ended),
		exhibitOf("one-undecided", "one to decide about", caseworker(), func(p *compose.JobPage) {
			p.Job.State, p.Job.Uncertain, p.Counts = dispatch.JobDone, true, dispatch.JobCounts{dispatch.JobArrived: 1201, dispatch.JobUncertain: 1}
		}),
		exhibitOf("stopped-at-once", "stopped before anything was sent: the list can be taken up again", caseworker(), func(p *compose.JobPage) {
			p.Job.State, p.Job.HaltedBy, p.Job.HaltedAt, p.Counts, p.Unreached = dispatch.JobStopped, "Kari Nordmann", ago(time.Hour), dispatch.JobCounts{dispatch.JobCancelled: 1202}, dispatch.Unreached{Left: 1202, Doubted: 3}
		}),
		exhibitOf("stopped-making", "stopped while its messages were made", caseworker(), func(p *compose.JobPage) {
			p.Job.State, p.Job.MadeAt, p.Job.Made, p.Counts = dispatch.JobStopped, time.Time{}, 0, nil
		}),
		exhibitOf("stopped-resent", "some of a stopped job were sent it, one is in a draft, and one may have got it", caseworker(), func(p *compose.JobPage) {
			p.Job.State, p.Counts, p.Unreached = dispatch.JobStopped, dispatch.JobCounts{dispatch.JobCancelled: 4}, dispatch.Unreached{Resent: 4, Drafted: 1, Left: 1, Doubted: 1}
			p.Successors = []dispatch.Successor{{ID: dispatch.JobID(sampleID(707)), Draft: true, N: 1, At: ago(time.Minute)}, {ID: dispatch.JobID(sampleID(706)), N: 2, At: ago(time.Hour)}}
		}),
		exhibitOf("one-stopped-uncertain", "stopped, with one to decide about", caseworker(), func(p *compose.JobPage) {
			p.Job.State, p.Job.Uncertain, p.Counts = dispatch.JobStopped, true, dispatch.JobCounts{dispatch.JobArrived: 1201, dispatch.JobUncertain: 1}
		}),
		exhibitOf("some-stopped", "over, and one was stopped by itself", caseworker(), func(p *compose.JobPage) {
			p.Job.State, p.Counts = dispatch.JobDone, dispatch.JobCounts{dispatch.JobArrived: 1201, dispatch.JobCancelled: 1}
		}),
		exhibitOf("resent", "those whom it did not reach were sent it again, in two jobs and singly", caseworker(), func(p *compose.JobPage) {
			ended(p)
			p.Unreached, p.Successors = dispatch.Unreached{Resent: 6}, []dispatch.Successor{{ID: dispatch.JobID(sampleID(705)), N: 1, At: ago(time.Hour)}, {ID: dispatch.JobID(sampleID(706)), N: 3, At: ago(26 * time.Hour)}}
		}),
		exhibitOf("resent-one", "one was sent it again, and there is a draft to another", caseworker(), func(p *compose.JobPage) {
			p.Job.State, p.Counts = dispatch.JobDone, dispatch.JobCounts{dispatch.JobArrived: 1200, dispatch.JobNotSent: 3}
			p.Unreached, p.Successors = dispatch.Unreached{Left: 1, Drafted: 1, Resent: 1}, []dispatch.Successor{{ID: dispatch.JobID(sampleID(707)), Draft: true, N: 1, At: ago(time.Minute)}, {ID: dispatch.JobID(sampleID(706)), N: 1, At: ago(26 * time.Hour)}}
		}),
		exhibitOf("drafted", "there is a draft to those whom it did not reach", caseworker(), func(p *compose.JobPage) {
			ended(p)
			p.Unreached = dispatch.Unreached{Drafted: 4}
			p.Successors = []dispatch.Successor{{ID: dispatch.JobID(sampleID(707)), Draft: true, N: 4, At: ago(time.Minute)}}
		}),
		exhibitOf("drafted-two", "there are drafts, one of which cannot be sent, and more whom it did not reach, while others wait for a status", caseworker(), func(p *compose.JobPage) {
			ended(p)
			p.Counts[dispatch.JobHandedOver] = 5
			p.Unreached = dispatch.Unreached{Left: 2, Drafted: 3}
			p.Successors = []dispatch.Successor{{ID: dispatch.JobID(sampleID(707)), Draft: true, N: 2, At: ago(time.Minute)}, {ID: dispatch.JobID(sampleID(708)), Draft: true, N: 1, At: ago(time.Hour), AllReplaced: true}, {ID: dispatch.JobID(sampleID(709)), Draft: true, At: ago(2 * time.Hour)}}
		}),
		exhibitOf("undecided", "saved without a choice", caseworker(), func(p *compose.JobPage) {
			ended(p)
			p.Problems = dispatch.Problems{{Field: "valg", Key: "problem.decision.empty"}}
		}),
		exhibitOf("fast", "fast, so that nothing more is ever known", caseworker(), func(p *compose.JobPage) {
			p.Job.State, p.Job.Mode, p.Counts = dispatch.JobDone, dispatch.ModeFast, dispatch.JobCounts{dispatch.JobUntracked: 1202}
		}),
		exhibitOf("auditor", "metadata only, nothing to do", auditor(), ended),
		exhibitOf("hidden", "the text is hidden in reports", caseworker(), func(p *compose.JobPage) { p.Job.HideInReport = true }),
		{path: "job/time", says: "another time for what waits for its own", show: func(f frame) templ.Component {
			p := compose.JobTimePage{Page: f.onAccount(caseworker(), views.SectionJobs, f.text("sms.time.title")), Job: sampleJob()}
			p.Job.SendAt = p.Now.Add(50 * time.Hour)
			p.Job.DueAt, p.Form = p.Job.SendAt, compose.TimingOf(p.Job.Timing)
			return follow.JobTime(p)
		}},
		{path: "job/time-shipments", says: "another time for shipments that wait for theirs", show: func(f frame) templ.Component {
			p := compose.JobTimePage{Page: f.onAccount(caseworker(), views.SectionJobs, f.text("sms.time.title")), Job: sentShipmentJob()}
			p.Job.SendAt = p.Now.Add(50 * time.Hour)
			p.Job.DueAt, p.Form = p.Job.SendAt, compose.TimingOf(p.Job.Timing)
			return follow.JobTime(p)
		}},
		{path: "job/part", says: "what keeps the page fresh, as it is answered", part: true, show: func(f frame) templ.Component {
			p := page(caseworker(), func(*compose.JobPage) {})
			p.Page = f.onAccount(caseworker(), views.SectionJobs, "")
			return follow.JobLive(p)
		}},
	}
}

func jobListExhibits() []exhibit {
	list := func(change func(*compose.JobListPage)) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := compose.JobListPage{Page: f.onAccount(caseworker(), views.SectionJobs, f.text("job.list.title"))}
			change(&p)
			return follow.JobList(p)
		}
	}
	return []exhibit{
		{path: "jobs/empty", says: "nobody has sent to many", show: list(func(*compose.JobListPage) {})},
		{path: "jobs/rows", says: "the rows that are asked for again", part: true, show: func(f frame) templ.Component {
			return follow.JobListLive(compose.JobListPage{Page: f.onAccount(caseworker(), views.SectionJobs, f.text("job.list.title")), Jobs: []dispatch.Job{sampleJob()}})
		}},
		{path: "jobs/full", says: "jobs in every state, one's own and others'", show: list(func(p *compose.JobListPage) {
			p.Counts = map[dispatch.JobID]dispatch.JobCounts{}
			for _, state := range []dispatch.JobState{dispatch.JobDraft, dispatch.JobRunning, dispatch.JobPaused, dispatch.JobStopped, dispatch.JobDone} {
				own, others := sampleJob(), sampleJob()
				own.State, others.State = state, state
				others.CreatedBy, others.Creator, others.Mode = "amir", "Amir Hosseini", dispatch.ModeFast
				if state == dispatch.JobDraft {
					own.Text = ""
				}
				own.ID, others.ID = dispatch.JobID(sampleID(100+len(p.Jobs))), dispatch.JobID(sampleID(101+len(p.Jobs)))
				if p.Jobs = append(p.Jobs, own); state != dispatch.JobDraft { // others' drafts are not listed
					p.Jobs = append(p.Jobs, others)
				}
				p.Counts[own.ID], p.Counts[others.ID] = dispatch.JobCounts{dispatch.JobArrived: 1197, dispatch.JobNotDelivered: 4, dispatch.JobNotSent: 1}, dispatch.JobCounts{dispatch.JobUntracked: 1202}
				if state == dispatch.JobStopped {
					p.Counts[own.ID], p.Counts[others.ID] = dispatch.JobCounts{dispatch.JobArrived: 600, dispatch.JobCancelled: 602}, dispatch.JobCounts{dispatch.JobUntracked: 600, dispatch.JobCancelled: 602}
				}
			}
			p.Jobs[2].HideInReport = true
			again := sampleJob()
			again.ID, again.State, again.Again, again.Recipients, again.List.Valid = dispatch.JobID(sampleID(121)), dispatch.JobDraft, true, 5, 5
			theirs := again
			theirs.ID, theirs.State, theirs.CreatedBy, theirs.Creator = dispatch.JobID(sampleID(122)), dispatch.JobDone, "amir", "Amir Hosseini"
			none := again
			none.ID, none.Recipients, none.List = dispatch.JobID(sampleID(123)), 0, dispatch.JobList{Read: 2, LeftOut: 2}
			p.Jobs = append([]dispatch.Job{again, theirs, none}, p.Jobs...)
			waiting := sampleJob()
			waiting.State, waiting.AwaitsApproval, waiting.ID = dispatch.JobDraft, true, dispatch.JobID(sampleID(120))
			p.Jobs = append(p.Jobs, waiting)
			p.Older = "/k/oppvekst/jobber?eldre=1_" + sampleID(2)
			p.Live, p.News = "/k/oppvekst/jobber?topp=1_"+sampleID(2), true
		})},
	}
}

// sampleListToday is what recipients of a list were sent today.
func sampleListToday() compose.ListToday {
	return compose.ListToday{N: 14, Sent: 9, Doubt: 2, Later: 4, Own: 10, Rows: []compose.TodayRow{
		{Row: 2, To: "••• •• 123", Kind: dispatch.KindSMS, At: ago(2 * time.Hour), Path: "/k/oppvekst/sms/" + sampleID(1)},
		{Row: 5, To: "••• •• 456", Kind: dispatch.KindShipment, At: ago(time.Hour), Path: "/k/oppvekst/forsendelser/" + sampleID(2)},
		{Row: 3, To: "••• •• 452", Kind: dispatch.KindSMS, At: ago(time.Hour), Waits: true, Path: "/k/oppvekst/sms/" + sampleID(5)},
		{Row: 4, To: "••• •• 453", Kind: dispatch.KindShipment, At: ago(time.Hour), Waits: true, Path: "/k/oppvekst/forsendelser/" + sampleID(6)},
		{Row: 9, To: "••• •• 459", Kind: dispatch.KindSMS, At: ago(time.Hour), Doubt: true, Path: "/k/oppvekst/sms/" + sampleID(7)}, {Row: 10, To: "••• •• 460", Kind: dispatch.KindShipment, At: ago(time.Hour), Doubt: true, Path: "/k/oppvekst/forsendelser/" + sampleID(8)},
		{Row: 6, To: "••• •• 457", Kind: dispatch.KindSMS, At: ago(-time.Hour), Path: "/k/oppvekst/sms/" + sampleID(3)},
		{Row: 8, To: "••• •• 458", Kind: dispatch.KindShipment, At: ago(-time.Hour), Path: "/k/oppvekst/forsendelser/" + sampleID(4)},
	}}
}
