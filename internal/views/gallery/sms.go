package gallery

import (
	"fmt"
	"strings"
	"time"

	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/views"
	"utsending/internal/views/compose"
	"utsending/internal/views/follow"
)

// itemExhibits are the page of one SMS.
func itemExhibits() []exhibit {
	var list []exhibit
	add := func(name, says string, who dispatch.User, change func(*follow.SMSPage)) {
		list = append(list, exhibit{path: "sms-item/" + name, says: says, show: func(f frame) templ.Component {
			return follow.SMSShow(itemPage(f, who, change))
		}})
	}
	for _, s := range smsStates() {
		add(s.name, s.says, caseworker(), func(p *follow.SMSPage) {
			s.change(&p.Item.Item)
			p.Events = append(s.events, p.Events...)
		})
	}
	uncertain := ended(dispatch.StateUncertain, "reason.died")
	add("history", "a timeline with a line of every kind and every reason", caseworker(), func(p *follow.SMSPage) { accept(&p.Item.Item); p.Events = everything() })
	add("undecided", "saved without a choice", caseworker(), func(p *follow.SMSPage) {
		uncertain(&p.Item.Item)
		p.Problems = dispatch.Problems{{Field: "valg", Key: "problem.decision.empty"}}
	})
	add("answered", "what the service said when it did not take it", caseworker(), func(p *follow.SMSPage) {
		ended(dispatch.StateRejected, "reason.rejected")(&p.Item.Item)
		p.Item.Answer = sampleAnswer()
	})
	add("status-answered", "what the service said when the status could not be read", caseworker(), func(p *follow.SMSPage) {
		accept(&p.Item.Item)
		p.Item.UpstreamID, p.Item.CheckError, p.Item.Answer = sampleID(8), because("reason.rejected"), sampleAnswer()
	})
	add("revealed", "the whole number, this once", caseworker(), func(p *follow.SMSPage) { accept(&p.Item.Item); p.Opened.Numbers = true })
	add("revealed-national-id", "the whole national identity number, this once", caseworker(), func(p *follow.SMSPage) {
		toNationalID(&p.Item)
		p.Opened.Numbers = true
	})
	add("national-id", "to a national identity number, masked", caseworker(), func(p *follow.SMSPage) { toNationalID(&p.Item) })
	add("foreign", "to a foreign number, masked", caseworker(), func(p *follow.SMSPage) { p.Item.Recipient.Phone = "+46701234567" })
	add("follow-up", "wants a person, with an owner, a day and a note", caseworker(), func(p *follow.SMSPage) {
		p.Item.State, p.Item.Status, p.FollowUp = dispatch.StateAccepted, dispatch.StatusNotDelivered, followedItems()[1].FollowUp
		p.FollowUp.Cause = dispatch.CauseNotDelivered
		p.Relatives = sampleRelatives()
	})
	add("followed-up", "somebody has followed it up", caseworker(), func(p *follow.SMSPage) {
		p.Item.State, p.Item.Status = dispatch.StateAccepted, dispatch.StatusNotDelivered
		p.FollowUp = dispatch.FollowUp{Cause: dispatch.CauseNotDelivered, Since: galleryNow, DoneAt: galleryNow.Add(-time.Hour), DoneBy: "Kari Nordmann", Reason: "Ringt mottakeren."}
	})
	add("of-a-job", "part of a job", caseworker(), func(p *follow.SMSPage) { p.Item.JobID = dispatch.JobID(sampleID(700)) })
	add("hidden", "the text is hidden in reports, and so from the sender too", caseworker(), func(p *follow.SMSPage) { p.Item.HideInReport = true })
	add("of-a-colleague", "no text, no whole number", caseworker(), func(p *follow.SMSPage) { colleagues(&p.Item.Item) })
	add("auditor", "metadata only, and a way to the content with a reason", auditor(), func(p *follow.SMSPage) { uncertain(&p.Item.Item) })
	add("opened", "another's text, opened with a reason", auditor(), func(p *follow.SMSPage) {
		accept(&p.Item.Item)
		p.Opened.Reason = "Internkontroll eller tilsyn"
	})
	list = append(list, openingExhibits("sms-item")...)
	add("purged", "its text has been kept for as long as it may", caseworker(), func(p *follow.SMSPage) { p.Item.Text = "" })
	timing := func(name, says string, f dispatch.TimingFields, ps dispatch.Problems) {
		list = append(list, exhibit{path: "sms-item/time-" + name, says: says, show: func(fr frame) templ.Component {
			p := compose.SMSTimePage{Item: sampleSMS(1), Form: f, Page: fr.onAccount(caseworker(), views.SectionSMS, fr.text("sms.time.title"))}
			p.Item.State, p.Item.DueSince, p.Narrow, p.Problems = dispatch.StateQueued, p.Now.Add(20*time.Hour), true, ps
			p.Account.Daytime = dispatch.Daytime{From: 480, To: 1440}
			return compose.SMSTime(p)
		}})
	}
	timing("planned", "another time for what is planned", dispatch.TimingFields{Day: "24.12.2026", Clock: "08.30"}, nil)
	timing("problem", "a time that has passed", dispatch.TimingFields{Day: "24.12.2020", Clock: "08.30"}, dispatch.Problems{{Field: dispatch.FieldSendDay, Key: "problem.send_at.past"}})
	add("planned-waits", "chosen for a Saturday, and sent on the next working day", caseworker(), func(p *follow.SMSPage) {
		p.Item.State, p.Item.SendAt = dispatch.StateQueued, time.Date(2026, 12, 5, 12, 0, 0, 0, dispatch.Oslo)
		p.Item.DueAt = time.Date(2026, 12, 7, 8, 0, 0, 0, dispatch.Oslo)
		p.Item.DueSince = p.Item.DueAt
	})
	add("planned", "with a time of its own, which can be changed", caseworker(), func(p *follow.SMSPage) {
		p.Item.State, p.Item.SendAt = dispatch.StateQueued, p.Now.Add(20*time.Hour)
		p.Item.DueAt, p.Item.DueSince = p.Item.SendAt, p.Item.SendAt
	})
	for _, e := range []struct {
		path, says string
		change     func(*follow.SMSPage)
	}{
		{"proof", "proof that it was sent", func(p *follow.SMSPage) {
			accept(&p.Item.Item)
			p.Item.Status = dispatch.StatusDelivered
			p.Events = append(afterSending(dispatch.StatusDelivered), p.Events...)
		}},
		{"proof-waiting", "proof of what is not sent yet", func(p *follow.SMSPage) { p.Item.State = dispatch.StateQueued }},
		{"proof-never", "proof of what never left", func(p *follow.SMSPage) { p.Item.State = dispatch.StateCancelled }},
		{"proof-uncertain", "proof of what may have been sent", func(p *follow.SMSPage) { p.Item.State = dispatch.StateUncertain }},
	} {
		list = append(list, exhibit{path: "sms-item/" + e.path, says: e.says, show: func(f frame) templ.Component {
			p := itemPage(f, caseworker(), e.change)
			p.Title = f.text("proof.title")
			return follow.SMSProof(p)
		}})
	}
	list = append(list, exhibit{path: "sms-item/part", says: "what keeps the page fresh, as it is answered", part: true, show: func(f frame) templ.Component {
		return follow.SMSLive(itemPage(f, caseworker(), func(p *follow.SMSPage) { accept(&p.Item.Item) }))
	}})
	return list
}

// afterSending is what happened to an item after it was queued, newest first.
func afterSending(status dispatch.Status) []dispatch.Event {
	return []dispatch.Event{
		{At: ago(3 * time.Minute), Kind: dispatch.EventStatus, Detail: string(status)},
		{At: ago(5 * time.Minute), Kind: dispatch.EventOutcome, Detail: string(dispatch.OutcomeAccepted)},
	}
}

// openingExhibits are the form that asks for a reason before a colleague's content is shown.
func openingExhibits(group string) []exhibit {
	var list []exhibit
	for _, e := range []struct{ name, says, key string }{
		{"open", "why another's content is opened", ""}, {"open-empty", "no reason", "problem.why.empty"}, {"open-short", "hardly a reason", "problem.why.short"},
		{"open-long", "too long a reason", "problem.why.long"}, {"open-number", "a reason with a number", "problem.why.number"},
		{"open-no-words", "a reason without words", "problem.why.nothing"},
	} {
		list = append(list, exhibit{path: group + "/" + e.name, says: e.says, show: func(f frame) templ.Component {
			p := views.OpenPage{Page: f.onAccount(auditor(), views.SectionContent, f.text("content.title")), Creator: "Kari Nordmann", Created: "i dag kl. 10.12", Back: "/k/oppvekst/sms/" + sampleID(1), Action: "/k/oppvekst/sms/" + sampleID(1) + "/apne"}
			p.Narrow = true
			if e.key != "" {
				p.Problems = dispatch.Problems{{Field: dispatch.FieldReason, Key: e.key, Args: dispatch.Args{"N": 240}}}
			}
			return views.OpenContent(p)
		}})
	}
	for _, covers := range []bool{false, true} {
		list = append(list, exhibit{path: fmt.Sprintf("%s/open-copy-%t", group, covers), says: "why another's content is copied", show: func(f frame) templ.Component {
			p := views.OpenPage{Page: f.onAccount(caseworker(), views.SectionContent, f.text("content.title")), Creator: "Kari Nordmann", Created: "i dag kl. 10.12", Back: "/k/oppvekst/sms/" + sampleID(1), Action: "/k/oppvekst/sms/" + sampleID(1) + "/apne", Copies: true, Covers: covers, Job: covers}
			p.Narrow = true
			return views.OpenContent(p)
		}})
	}
	return list
}

// reach is how much of an item the viewer may open.
func reach(who dispatch.User, own bool) dispatch.Reach {
	it := dispatch.Item{AccountID: sampleAccount(0).ID}
	if !own {
		it.CreatedBy = "another"
	} else {
		it.CreatedBy = who.ID
	}
	return who.Reach(it)
}

func itemPage(f frame, who dispatch.User, change func(*follow.SMSPage)) follow.SMSPage {
	p := follow.SMSPage{Item: sampleSMS(1), Around: follow.Around{CopyKey: sampleID(300), Events: []dispatch.Event{
		{At: ago(6 * time.Minute), Kind: dispatch.EventQueued, Actor: "Kari Nordmann"}, {At: ago(7 * time.Minute), Kind: dispatch.EventCreated, Actor: "Kari Nordmann"},
	}}}
	p.Page = f.onAccount(who, views.SectionSMS, "")
	change(&p)
	p.Reach = reach(who, p.Item.CreatedBy == who.ID)
	p.Title = f.text("sms.item.title", "Number", p.Item.Recipient.Masked())
	return p
}

func toNationalID(it *dispatch.SMSItem) {
	it.Recipient = dispatch.SMSRecipient{NationalID: "12047800155"}
}

func colleagues(it *dispatch.Item) { it.CreatedBy, it.Creator = "amir", "Amir Hosseini" }

// messageExhibits are the messages after an act.
func messageExhibits() (exhibits []exhibit) {
	for _, f := range []views.Flash{
		{Key: "flash.queued", Color: "success"},
		{Key: "flash.queued_undo", Color: "success", N: 60}, {Key: "flash.queued_planned", Color: "success"},
		{Key: "flash.shipment_queued_undo", Color: "success", N: 60}, {Key: "flash.shipment_queued_planned", Color: "success"},
		{Key: "flash.job_sent_undo", Color: "success", N: 60}, {Key: "flash.job_sent_planned", Color: "success"},
		{Key: "flash.cancelled", Color: "success"}, {Key: "flash.stop_asked", Color: "success"}, {Key: "flash.archived", Color: "success"}, {Key: "flash.unarchived", Color: "success"}, {Key: "flash.confirmed", Color: "success"},
		{Key: "flash.requeued", Color: "success"}, {Key: "flash.rescheduled", Color: "success"}, {Key: "flash.quota", Color: "warning"}, {Key: "flash.budget", Color: "warning"}, {Key: "flash.resolved", Color: "success"}, {Key: "flash.resolved_many", Color: "success", N: 12},
		{Key: "flash.changed", Color: "warning"}, {Key: "flash.already_sent", Color: "warning"}, {Key: "flash.discarded", Color: "success"}, {Key: "flash.sms_copied", Color: "success"},
		{Key: "flash.shipments_faulty", Color: "warning", N: 3}, {Key: "flash.shipments_ready", Color: "success"}, {Key: "flash.row_saved", Color: "success"}, {Key: "flash.row_taken_in", Color: "success"}, {Key: "flash.list_dropped", Color: "success"},
		{Key: "flash.draft_saved", Color: "success"}, {Key: "flash.list_first", Color: "success"}, {Key: "flash.shipment_queued", Color: "success"}, {Key: "flash.shipment_confirmed", Color: "success"},
		{Key: "flash.shipment_requeued", Color: "success"}, {Key: "flash.shipment_changed", Color: "warning"}, {Key: "flash.done", Color: "success"}, {Key: "flash.act_asked", Color: "info"}, {Key: "flash.retention_part", Color: "info"},
		{Key: "flash.delivery_paused", Color: "success"}, {Key: "flash.delivery_resumed", Color: "success"}, {Key: "flash.integration_stopped", Color: "success"}, {Key: "flash.integration_opened", Color: "success"}, {Key: "flash.integration_opened.refused", Color: "success"},
		{Key: "flash.integration_saved", Color: "success"}, {Key: "flash.refusal_cleared", Color: "success"}, {Key: "flash.refusal_kept", Color: "info"}, {Key: "flash.certificate_saved", Color: "success"}, {Key: "flash.certificate_removed", Color: "success"},
		{Key: "flash.credentials_used", Color: "success"}, {Key: "flash.credentials_wiped", Color: "success"}, {Key: "flash.account_disabled", Color: "success"}, {Key: "flash.account_enabled", Color: "success"},
		{Key: "flash.account_saved", Color: "success"}, {Key: "flash.account_switched", Color: "success"}, {Key: "flash.accounts_moved", Color: "success", N: 2}, {Key: "flash.print_rules_saved", Color: "success"}, {Key: "flash.rights_added", Color: "success", N: 3}, {Key: "flash.rights_added_some", Color: "success", Name: "administrator"}, {Key: "flash.right_removed", Color: "success"}, {Key: "flash.retention_saved", Color: "success"}, {Key: "flash.retention_same", Color: "info"}, {Key: "flash.act_approved", Color: "success"},
		{Key: "flash.act_refused", Color: "success"}, {Key: "flash.act_withdrawn", Color: "success"},
		{Key: "flash.template_saved", Color: "success"}, {Key: "flash.template_restored", Color: "success"}, {Key: "flash.template_archived", Color: "success"},
		{Key: "flash.template_unarchived", Color: "success"}, {Key: "flash.template_changed", Color: "warning"},
		{Key: "flash.template_asked", Color: "success"}, {Key: "flash.template_approved", Color: "success"}, {Key: "flash.template_withdrawn", Color: "success"},
		{Key: "flash.template_waits", Color: "warning"},
		{Key: "flash.job_sent", Color: "success"}, {Key: "flash.job_already_sent", Color: "warning"}, {Key: "flash.job_paused", Color: "success"},
		{Key: "flash.job_resumed", Color: "success"}, {Key: "flash.job_stopped", Color: "success"}, {Key: "flash.job_nobody", Color: "warning"}, {Key: "flash.nobody_left", Color: "warning"}, {Key: "flash.not_sent", Color: "warning"},
		{Key: "flash.rows_fixed", Color: "success", N: 7}, {Key: "flash.rows_fixed_none", Color: "warning"}, {Key: "flash.rows_changed", Color: "success", Name: "1 rettet, 1 utelatt"},
		{Key: "flash.bulk.done", Color: "success", N: 3}, {Key: "flash.bulk.assign", Color: "success", N: 3},
		{Key: "flash.bulk.decide", Color: "success", N: 50}, {Key: "flash.bulk.look", Color: "success", N: 3},
		{Key: "flash.bulk_none", Color: "warning"}, {Key: "flash.bulk_many", Color: "warning"}, {Key: "flash.bulk_nobody", Color: "warning"},
		{Key: "flash.checking", Color: "success"}, {Key: "flash.follow_up_none", Color: "warning"}, {Key: "flash.follow_up_saved", Color: "success"}, {Key: "flash.follow_up_taken", Color: "success"}, {Key: "flash.look_again", Color: "success"},
		{Key: "flash.bulk.stop", Color: "success", N: 3}, {Key: "flash.bulk.again", Color: "success", N: 2}, {Key: "flash.filter_saved", Color: "success"}, {Key: "flash.filter_replaced", Color: "success"},
		{Key: "flash.filter_deleted", Color: "success"}, {Key: "flash.filter_many", Color: "warning"}, {Key: "flash.export_many", Color: "warning"},
		{Key: "flash.list_gone", Color: "warning"}, {Key: "flash.marks", Color: "warning", N: 2, Changes: []views.Change{{Was: "Åse[U+202E]nnamdroN", Is: "ÅsennamdroN"}}},
		{Key: "flash.asked", Color: "success"}, {Key: "flash.waiting", Color: "warning"}, {Key: "flash.withdrawn", Color: "success"}, {Key: "flash.approved", Color: "success"},
		{Key: "flash.returned", Color: "success"}, {Key: "flash.approval_decided", Color: "warning"},
		{Key: "flash.reach_asked", Color: "success", N: 1180}, {Key: "flash.reach_left_out", Color: "success", N: 60}, {Key: "flash.reach_taken_in", Color: "success", N: 2}, {Key: "flash.reach_letters", Color: "success", N: 60},
		{Key: "flash.too_late", Color: "warning"}, {Key: "flash.reconcile_goes_on", Color: "warning"}, {Key: "flash.display", Color: "success"}, {Key: "flash.list_view", Color: "success"}, {Key: "flash.lookup_forgotten", Color: "success"},
	} {
		exhibits = append(exhibits, exhibit{path: "message/" + strings.TrimPrefix(f.Key, "flash."), says: "a message about what was just done",
			show: listShown(caseworker(), dispatch.KindSMS, func(p *follow.ListPage) { p.Flash = &f })})
	}
	return exhibits
}

// allSMS is one SMS in every state: own, a colleague's, and hidden ones in turn.
func allSMS() []dispatch.SMSItem {
	draft := sampleSMS(0)
	draft.State = dispatch.StateDraft
	waiting := draft
	waiting.AwaitsApproval = true
	items := []dispatch.SMSItem{draft, waiting}
	for i, s := range smsStates() {
		it := sampleSMS(i + 1)
		s.change(&it.Item)
		if i%2 == 1 {
			colleagues(&it.Item)
		}
		it.HideInReport = i%3 == 2
		if i%5 == 4 {
			toNationalID(&it)
		}
		items = append(items, it)
	}
	return items
}

// uncertainExhibits are the list of SMS that wait for a decision.
func uncertainExhibits() []exhibit {
	page := func(who dispatch.User, n int, change func(*compose.UncertainPage)) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := compose.UncertainPage{Page: f.onAccount(who, views.SectionSMS, f.text("uncertain.title")), Chosen: map[dispatch.ItemID]bool{}}
			for i := range n {
				it := sampleSMS(i + 1)
				ended(dispatch.StateUncertain, []string{"reason.timeout", "reason.died", "reason.restored"}[i%3])(&it.Item)
				if i%2 == 1 {
					colleagues(&it.Item)
				}
				p.Items = append(p.Items, it)
			}
			change(&p)
			return follow.SMSUncertain(p)
		}
	}
	return []exhibit{
		{path: "uncertain/none", says: "nothing to decide", show: page(caseworker(), 0, func(*compose.UncertainPage) {})},
		{path: "uncertain/some", says: "some to decide", show: page(caseworker(), 3, func(*compose.UncertainPage) {})},
		{path: "uncertain/more", says: "more than the list shows, some chosen", show: page(caseworker(), 50, func(p *compose.UncertainPage) {
			p.More = true
			p.Chosen[p.Items[0].ID], p.Chosen[p.Items[2].ID] = true, true
		})},
		{path: "uncertain/problems", says: "saved with nothing chosen", show: page(caseworker(), 3, func(p *compose.UncertainPage) {
			p.Problems = dispatch.Problems{{Field: "melding", Key: "problem.decision.none"}, {Field: "valg", Key: "problem.decision.empty"}}
		})},
		{path: "uncertain/auditor", says: "metadata only, and no choice", show: page(auditor(), 3, func(*compose.UncertainPage) {})},
	}
}

// sampleRelatives are an item of each kind and side.
func sampleRelatives() []dispatch.Relative {
	var list []dispatch.Relative
	for i, k := range []dispatch.OriginKind{dispatch.OriginReplaces, dispatch.OriginReminds} {
		for j, before := range []bool{true, false} {
			it := dispatch.Item{ID: dispatch.ItemID(sampleID(800 + 2*i + j)), Kind: dispatch.KindShipment, State: dispatch.StateRejected, CreatedAt: galleryNow.Add(-50 * time.Hour)}
			if before {
				it.Kind = dispatch.KindSMS
			}
			list = append(list, dispatch.Relative{Item: it, Origin: k, Before: before})
		}
	}
	return list
}
