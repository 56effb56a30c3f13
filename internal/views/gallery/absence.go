package gallery

import (
	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/views"
	"utsending/internal/views/follow"
)

func sampleWorkers() []follow.Person {
	return []follow.Person{{ID: "amir", Name: "Amir Hosseini"}, {ID: "kari", Name: "Kari Nordmann"}, {ID: "ola", Name: "Ola Vik"}}
}

func sampleAbsences() []dispatch.Absence {
	return []dispatch.Absence{
		{User: "amir", Name: "Amir Hosseini", Deputy: "kari", DeputyName: "Kari Nordmann", Until: galleryNow.AddDate(0, 0, 9)},
		{User: "ola", Name: "Ola Vik", Until: galleryNow},
	}
}

// absenceExhibits are the pages about absence and about handing work over.
func absenceExhibits() []exhibit {
	absence := func(who func() dispatch.User, change func(*follow.AbsencePage)) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := follow.AbsencePage{Page: f.onAccount(who(), views.SectionFollowUp, f.text("absence.title")), Workers: sampleWorkers()}
			change(&p)
			return follow.Absences(p)
		}
	}
	list := []exhibit{
		{path: "absence/none", says: "nobody is away", show: absence(sender, func(*follow.AbsencePage) {})},
		{path: "absence/some", says: "two are away, by a lead", show: absence(caseworker, func(p *follow.AbsencePage) { p.Absences = sampleAbsences() })},
		{path: "absence/set", says: "just said", show: absence(sender, func(p *follow.AbsencePage) {
			p.Absences, p.Flash = sampleAbsences(), &views.Flash{Key: "flash.absence_set", Color: "success"}
		})},
		{path: "absence/ended", says: "just ended", show: absence(sender, func(p *follow.AbsencePage) { p.Flash = &views.Flash{Key: "flash.absence_ended", Color: "success"} })},
	}
	list = append(list, exhibit{path: "absence/self", says: "one's own, on the list of what to follow up", show: func(f frame) templ.Component {
		return follow.FollowUps(followUpPage(f, sender(), func(p *follow.FollowUpPage) { p.AwaySelf = galleryNow.AddDate(0, 0, 5) }))
	}})
	for field, keys := range map[string][]string{dispatch.FieldAwayUntil: {"problem.absence.until", "problem.absence.past", "problem.absence.long"}, dispatch.FieldDeputy: {"problem.absence.deputy"}} {
		for _, key := range keys {
			list = append(list, exhibit{path: "absence/" + key, says: "a field that is wrong", show: absence(caseworker, func(p *follow.AbsencePage) {
				p.Form, p.Problems = follow.AbsenceForm{Who: "ola", Until: "1.1.2020", Deputy: "ola"}, dispatch.Problems{{Field: field, Key: key}}
			})})
		}
	}
	return append(list, handOverAllExhibits()...)
}

func handOverAllExhibits() []exhibit {
	page := func(change func(*follow.HandOverAllPage)) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := follow.HandOverAllPage{Page: f.onAccount(teamLead(), views.SectionFollowUp, f.text("hand_over_all.title")), Workers: sampleWorkers(), FollowUps: true, Drafts: true, Most: 500}
			change(&p)
			return follow.HandOverAll(p)
		}
	}
	chosen := func(p *follow.HandOverAllPage) { p.From, p.FromName = "amir", "Amir Hosseini" }
	return []exhibit{
		{path: "hand-over-all/begin", says: "nobody is chosen", show: page(func(*follow.HandOverAllPage) {})},
		{path: "hand-over-all/open", says: "what somebody has open", show: page(func(p *follow.HandOverAllPage) {
			chosen(p)
			p.Open = dispatch.HandOverCounts{FollowUps: 500, Drafts: 7}
		})},
		{path: "hand-over-all/nothing", says: "nothing is open, since it was just handed over", show: page(func(p *follow.HandOverAllPage) {
			chosen(p)
			p.Flash = &views.Flash{Key: "flash.handed_over_all", N: 12, Color: "success"}
		})},
		{path: "hand-over-all/what", says: "nothing is ticked", show: page(func(p *follow.HandOverAllPage) {
			chosen(p)
			p.Open, p.FollowUps, p.Drafts = dispatch.HandOverCounts{FollowUps: 3}, false, false
			p.Problems = dispatch.Problems{{Field: "hva-valg", Key: "problem.hand_over.what"}}
		})},
	}
}
