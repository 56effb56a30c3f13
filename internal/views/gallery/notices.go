package gallery

import (
	"time"

	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/views"
	"utsending/internal/views/admin"
	"utsending/internal/views/site"
)

// noticeExhibits are the pages about notices and alarms.
func noticeExhibits() []exhibit { return append(ownNoticeExhibits(), alarmExhibits()...) }

func ownNoticeExhibits() []exhibit {
	own := func(who func() dispatch.User, change func(*site.NoticesPage)) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := site.NoticesPage{Page: f.page(who(), f.text("notices.title")), On: true, Domains: "fjordvik.example, skole.fjordvik.example"}
			p.Section = views.SectionOwn
			change(&p)
			return site.Notices(p)
		}
	}
	list := []exhibit{
		{path: "notices/off", says: "the installation sends no mail", show: own(caseworker, func(p *site.NoticesPage) { p.On = false })},
		{path: "notices/none", says: "nothing is chosen", show: own(caseworker, func(*site.NoticesPage) {})},
		{path: "notices/chosen", says: "everything is chosen, by a lead", show: own(teamLead, func(p *site.NoticesPage) {
			p.Address, p.Digest, p.Alarms, p.Leads, p.Saved = "ingrid@fjordvik.example", true, true, true, true
		})},
		{path: "notices/domain", says: "an address outside the municipality", show: own(caseworker, func(p *site.NoticesPage) {
			p.Address, p.Digest = "kari@annet.example", true
			p.Problems = dispatch.Problems{{Field: dispatch.FieldMail, Key: "problem.mail.domain", Args: dispatch.Args{"Name": p.Domains}}}
		})},
		{path: "notices/empty", says: "something is chosen without an address", show: own(caseworker, func(p *site.NoticesPage) {
			p.Digest, p.Problems = true, dispatch.Problems{{Field: dispatch.FieldMail, Key: "problem.mail.empty"}}
		})},
		{path: "notices/form", says: "no address", show: own(caseworker, func(p *site.NoticesPage) {
			p.Address, p.Problems = "kari", dispatch.Problems{{Field: dispatch.FieldMail, Key: "problem.mail.form"}}
		})},
	}
	for _, key := range []string{"flash.notices.saved", "flash.notices.new", "flash.notices.none", "flash.notices.tried"} {
		list = append(list, exhibit{path: "notices/" + key, says: "just done", show: own(caseworker, func(p *site.NoticesPage) { p.Flash = &views.Flash{Key: key, Color: "success"} })})
	}
	return list
}

func alarmExhibits() []exhibit {
	alarms := func(change func(*admin.AlarmsPage)) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := admin.AlarmsPage{Page: f.page(administrator(), f.text("alarms.title"))}
			p.Section = views.SectionAlarms
			change(&p)
			return admin.Alarms(p)
		}
	}
	list := []exhibit{
		{path: "alarms/none", says: "nothing is stopped, and nobody can be told", show: alarms(func(*admin.AlarmsPage) {})},
		{path: "alarms/all", says: "every kind, lasting and over", show: alarms(func(p *admin.AlarmsPage) {
			p.Mail, p.Operators, p.Webhook, p.Sent, p.Waiting = true, true, true, 1204, 2
			for i, k := range dispatch.AlarmKinds() {
				a := dispatch.Alarm{ID: sampleID(i), Condition: dispatch.Condition{Kind: k, Figure: 7 * (i + 1)}, Name: "KS SvarUt test", Began: ago(time.Duration(i) * 13 * time.Hour)}
				p.Open = append(p.Open, a)
				if a.Kind.Ends() {
					a.Ended = ago(time.Duration(i) * time.Hour)
					p.Ended = append(p.Ended, a)
				}
			}
		})},
	}
	for _, fault := range dispatch.NoticeFaults() {
		list = append(list, exhibit{path: "alarms/" + string(fault), says: "why a notice was not sent", show: alarms(func(p *admin.AlarmsPage) {
			p.Mail, p.Operators, p.Dropped, p.Fault = true, true, 3, string(fault)
			p.Flash = &views.Flash{Key: "flash.alarms.tried", Color: "success"}
		})})
	}
	return list
}
