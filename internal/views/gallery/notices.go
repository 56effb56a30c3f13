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
func noticeExhibits() []exhibit {
	return append(append(ownNoticeExhibits(), alarmExhibits()...), accountAlarmExhibits()...)
}

func ownNoticeExhibits() []exhibit {
	own := func(who func() dispatch.User, change func(*site.NoticesPage)) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := site.NoticesPage{Page: f.page(who(), f.text("notices.title")), On: true, Follows: true, Domains: "fjordvik.example, skole.fjordvik.example"}
			p.Section = views.SectionOwn
			change(&p)
			return site.Notices(p)
		}
	}
	list := []exhibit{
		{path: "notices/off", says: "the installation sends no mail", show: own(caseworker, func(p *site.NoticesPage) { p.On = false })},
		{path: "notices/alarms-alone", says: "an administrator, who follows nothing up", show: own(administrator, func(p *site.NoticesPage) { p.Follows, p.Leads = false, true })},
		{path: "notices/nothing", says: "no notice concerns the account's owner", show: own(accountAdmin, func(p *site.NoticesPage) { p.Follows = false })},
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
		{path: "notices/long", says: "an address that is too long", show: own(caseworker, func(p *site.NoticesPage) {
			p.Digest, p.Problems = true, dispatch.Problems{{Field: dispatch.FieldMail, Key: "problem.mail.long", Args: dispatch.Args{"Most": 254}}}
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
		{path: "alarms/generation", says: "nothing is stopped, and the generation that an account uses ends soon", show: alarms(func(p *admin.AlarmsPage) {
			p.Accounts = []dispatch.Account{accountOverV1()}
		})},
		{path: "alarms/held", says: "a service refuses the login of an integration that is stopped besides", show: alarms(func(p *admin.AlarmsPage) {
			for i, k := range []dispatch.AlarmKind{dispatch.AlarmStopped, dispatch.AlarmRefused} {
				p.Open = append(p.Open, dispatch.Alarm{ID: sampleID(i), Condition: dispatch.Condition{Kind: k, Integration: dispatch.IntegrationID(sampleID(200))}, Name: sampleIntegration, Began: ago(13 * time.Hour)})
			}
		})},
		{path: "alarms/unused", says: "a service refuses the login of an integration that no account uses any longer", show: alarms(func(p *admin.AlarmsPage) {
			p.Open = []dispatch.Alarm{{ID: sampleID(1), Condition: dispatch.Condition{Kind: dispatch.AlarmRefused, Integration: dispatch.IntegrationID(sampleID(200)), Unused: true}, Name: sampleIntegration, Began: ago(13 * time.Hour)}}
		})},
		{path: "alarms/deadlines", says: "a login and a certificate that expire today, and that have expired", show: alarms(func(p *admin.AlarmsPage) {
			for i, k := range []dispatch.AlarmKind{dispatch.AlarmCredentials, dispatch.AlarmCertificate} {
				for j, step := range []string{"2026-11-20/1", "2026-11-19/0"} {
					p.Open = append(p.Open, dispatch.Alarm{ID: sampleID(2*i + j), Condition: dispatch.Condition{Kind: k, Step: step}, Name: alarmName(k), Began: ago(time.Hour), Seen: ago(time.Minute)})
				}
			}
		})},
		{path: "alarms/all", says: "every kind, lasting and over", show: alarms(func(p *admin.AlarmsPage) {
			p.Mail, p.Operators, p.Webhook, p.Sent, p.Waiting, p.Chats = true, true, true, 1204, 2, 1
			for i, k := range dispatch.AlarmKinds() {
				a := dispatch.Alarm{ID: sampleID(i), Condition: dispatch.Condition{Kind: k, Figure: 7 * (i + 1)}, Name: alarmName(k), Began: ago(time.Duration(i) * 13 * time.Hour), Seen: ago(time.Minute)}
				if a.Name == sampleIntegration {
					a.Integration = dispatch.IntegrationID(sampleID(i))
				}
				p.Open = append(p.Open, a)
				a.Ended = ago(time.Duration(i) * time.Hour)
				p.Ended = append(p.Ended, a)
			}
		})},
	}
	for _, fault := range dispatch.NoticeFaults() {
		list = append(list, exhibit{path: "alarms/" + string(fault), says: "why a notice was not sent", show: alarms(func(p *admin.AlarmsPage) {
			p.Mail, p.Operators, p.Dropped, p.Chats, p.Fault = true, true, 3, 2, string(fault)
			p.Flash = &views.Flash{Key: "flash.alarms.tried", Color: "success"}
		})})
	}
	return list
}

// alarmName is the name of what an alarm is about: an account, an integration, or nothing when all delivery is paused.
func alarmName(k dispatch.AlarmKind) string {
	switch k {
	case dispatch.AlarmPaused:
		return ""
	case dispatch.AlarmFailing, dispatch.AlarmProtected:
		return sampleAccount(0).Name
	}
	return sampleIntegration
}

// sampleIntegration is the name of the integration that alarms are about.
const sampleIntegration = "KS SvarUt test"

// accountAlarmExhibits are the pages of what an account says itself about alarms.
func accountAlarmExhibits() []exhibit {
	page := func(change func(*admin.AccountAlarmsPage)) func(frame) templ.Component {
		return func(f frame) templ.Component {
			row := accountLine(0, working, untried)
			p := admin.AccountAlarmsPage{Page: f.onSetup(views.SectionAccounts, f.text("account_alarms.title")), Row: row, Fresh: true, Mail: true, Operators: true, Webhook: true}
			p.Narrow, p.Chat.Format = true, string(dispatch.ChatText)
			change(&p)
			return admin.AccountAlarms(p)
		}
	}
	chat := func(p *admin.AccountAlarmsPage) {
		p.HasChat, p.Changed, p.Last = true, ago(72*time.Hour), admin.LastNotice{At: ago(3 * time.Hour), Sent: true}
	}
	list := []exhibit{
		{path: "account-alarms/none", says: "the account says nothing", show: page(func(*admin.AccountAlarmsPage) {})},
		{path: "account-alarms/nobody", says: "the installation can tell nobody", show: page(func(p *admin.AccountAlarmsPage) { p.Mail, p.Operators, p.Webhook = false, false, false })},
		{path: "account-alarms/own", says: "limits and a chat of its own", show: page(func(p *admin.AccountAlarmsPage) {
			chat(p)
			p.Failing, p.Chat.Format = admin.FailingForm{Least: "3", Percent: "5"}, string(dispatch.ChatCard)
		})},
		{path: "account-alarms/own-alone", says: "its chat is the only one; a login that is too old, and a notice that failed", show: page(func(p *admin.AccountAlarmsPage) {
			chat(p)
			p.Webhook, p.Fresh, p.Last = false, false, admin.LastNotice{At: ago(time.Hour), Fault: dispatch.FaultRefused}
		})},
		{path: "account-alarms/waiting", says: "a notice is on its way", show: page(func(p *admin.AccountAlarmsPage) {
			chat(p)
			p.Last = admin.LastNotice{At: ago(time.Minute)}
		})},
		{path: "account-alarms/untold", says: "nothing has been told in the chat", show: page(func(p *admin.AccountAlarmsPage) {
			chat(p)
			p.Last = admin.LastNotice{}
		})},
		{path: "account-alarms/inner", says: "chats on an inner network are allowed", show: page(func(p *admin.AccountAlarmsPage) { p.Fresh, p.InnerChats = true, true })},
		{path: "account-alarms/limits", says: "limits that are none", show: page(func(p *admin.AccountAlarmsPage) {
			p.Failing = admin.FailingForm{Least: "0", Percent: "120"}
			p.Problems = p.Failing.Parse().Validate()
		})},
		{path: "account-alarms/taken", says: "the chat took a trial message", show: page(func(p *admin.AccountAlarmsPage) {
			chat(p)
			p.Answer = &dispatch.ChatAnswer{Status: 200, Said: "ok"}
		})},
		{path: "account-alarms/refused", says: "the chat refused a trial message", show: page(func(p *admin.AccountAlarmsPage) {
			chat(p)
			p.Answer = &dispatch.ChatAnswer{Fault: dispatch.FaultRefused, Status: 410, Said: "channel_is_archived"}
		})},
		{path: "account-alarms/unreachable", says: "the chat did not answer", show: page(func(p *admin.AccountAlarmsPage) {
			chat(p)
			p.Answer = &dispatch.ChatAnswer{Fault: dispatch.FaultConnection}
		})},
	}
	for _, key := range []string{"problem.chat.empty", "problem.chat.long", "problem.chat.address", "problem.chat.http", "problem.chat.private"} {
		list = append(list, exhibit{path: "account-alarms/" + key, says: "an address that is refused", show: page(func(p *admin.AccountAlarmsPage) {
			p.Chat.Address, p.Problems = "https://chat.intranett/tjenester/1", dispatch.Problems{{Field: dispatch.FieldChat, Key: key}}
		})})
	}
	list = append(list, exhibit{path: "account-alarms/format", says: "no kind of chat", show: page(func(p *admin.AccountAlarmsPage) {
		p.Problems = dispatch.Problems{{Field: dispatch.FieldChatFormat, Key: "problem.chat.format"}}
	})})
	for _, key := range []string{"flash.account_alarms.failing", "flash.account_alarms.chat", "flash.account_alarms.removed"} {
		list = append(list, exhibit{path: "account-alarms/" + key, says: "just done", show: page(func(p *admin.AccountAlarmsPage) { p.Flash = &views.Flash{Key: key, Color: "success"} })})
	}
	return list
}

// accountOverV1 is an account that sends shipments over the generation that ends.
func accountOverV1() dispatch.Account {
	a := sampleAccount(0)
	a.ShipmentKind = dispatch.IntegrationShipmentV1
	return a
}
