package gallery

import (
	"time"

	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/views"
	"utsending/internal/views/follow"
)

// stopAskedExhibits are a shipment with a request to stop it while a call was running.
func stopAskedExhibits() (list []exhibit) {
	for _, s := range []dispatch.State{dispatch.StateSending, dispatch.StateUncertain, dispatch.StateAccepted} {
		list = append(list, exhibit{path: "shipment/stop-asked-" + string(s), says: "somebody wanted to stop it while a call was under way", show: func(f frame) templ.Component {
			return follow.ShipmentShow(shipmentPage(f, caseworker(), func(p *follow.ShipmentPage) {
				if notified(p); s != dispatch.StateAccepted {
					ended(s, "reason.died")(&p.Item.Item)
					p.Item.Status, p.Item.RecoverAt = "", galleryNow.Add(time.Minute)
				}
				p.Item.StopAskedAt, p.Item.StopAskedBy = ago(time.Minute), "Kari Nordmann"
				p.Events = append([]dispatch.Event{{At: ago(time.Minute), Kind: dispatch.EventStopAsked, Actor: "Kari Nordmann"}}, p.Events...)
			}))
		}})
	}
	return list
}

// lateExhibits are long timelines: days without events, late events, and repeated ones.
func lateExhibits() []exhibit {
	return []exhibit{{path: "shipment/late", says: "a long timeline: gaps, late lines, repeats, and a choice of who tells", show: func(f frame) templ.Component {
		return follow.ShipmentShow(shipmentPage(f, caseworker(), func(p *follow.ShipmentPage) {
			accept(&p.Item.Item)
			p.Item.Status = dispatch.StatusRead
			p.Item.Events = []dispatch.ServiceEvent{{At: ago(30 * time.Hour), Text: "Lest av mottaker"}, {At: ago(200 * time.Hour), Text: "Akseptert for ekspedering"}}
			busy := func(d time.Duration) dispatch.Event {
				return dispatch.Event{At: ago(d), Kind: dispatch.EventOutcome, Detail: "unavailable", Reason: because("reason.busy")}
			}
			p.Events = append([]dispatch.Event{
				{At: ago(2 * time.Hour), Kind: dispatch.EventStatus, Detail: string(dispatch.StatusRead)},
				{At: ago(90 * time.Hour), Kind: dispatch.EventStatus, Detail: string(dispatch.StatusSentToPrint)},
				{At: ago(150 * time.Hour), Kind: dispatch.EventStatus, Detail: string(dispatch.StatusNotified)},
				{At: ago(190 * time.Hour), Kind: dispatch.EventStatus, Detail: string(dispatch.StatusAccepted)},
				busy(203 * time.Hour), busy(204 * time.Hour), busy(205 * time.Hour),
			}, dispatch.Event{At: ago(206 * time.Hour), Kind: dispatch.EventQueued, Actor: "Kari Nordmann"})
		}))
	}}, {path: "shipment/seen-late", says: "what we saw a day after it happened", show: func(f frame) templ.Component {
		return follow.ShipmentShow(shipmentPage(f, caseworker(), func(p *follow.ShipmentPage) {
			accept(&p.Item.Item)
			p.Item.Status, p.From = dispatch.StatusRead, follow.OriginService
			p.Item.Events = []dispatch.ServiceEvent{{At: ago(30 * time.Hour), Text: "Lest av mottaker"}}
			p.Events = append([]dispatch.Event{{At: ago(2 * time.Hour), Kind: dispatch.EventStatus, Detail: string(dispatch.StatusRead)}}, p.Events...)
		}))
	}}}
}

// wrongExhibits are the pages about a wrong recipient, one for each answer.
func wrongExhibits() (list []exhibit) {
	seen := map[dispatch.Recall]bool{}
	add := func(it dispatch.Item) {
		if r := dispatch.RecallOf(it); !seen[r] {
			seen[r] = true
			list = append(list, exhibit{path: "wrong/" + string(r), says: "a wrong recipient: what can still be stopped", show: func(f frame) templ.Component {
				p := follow.WrongPage{Item: it, Deletable: r == dispatch.RecallNotified}
				p.Page = f.onAccount(caseworker(), views.SectionShipments, f.text("wrong.title"))
				p.Narrow = true
				return follow.Wrong(p)
			}}, exhibit{path: "wrong/" + string(r) + "-onlooker", says: "a wrong recipient, to who can do nothing about it", show: func(f frame) templ.Component {
				p := follow.WrongPage{Item: it, Page: f.onAccount(auditor(), views.SectionShipments, f.text("wrong.title"))}
				p.Narrow = true
				return follow.Wrong(p)
			}})
		}
	}
	it := sampleShipment(1).Item
	list = append(list, exhibit{path: "wrong/replaced", says: "a wrong recipient, of what was sent again", show: func(f frame) templ.Component {
		p := follow.WrongPage{Item: it, Relatives: sampleRelatives(), Page: f.onAccount(caseworker(), views.SectionShipments, f.text("wrong.title"))}
		p.Item.State, p.Narrow = dispatch.StateFailed, true
		return follow.Wrong(p)
	}})
	for _, s := range []dispatch.State{dispatch.StateQueued, dispatch.StateSending, dispatch.StateUncertain, dispatch.StateFailed} {
		it.State = s
		add(it)
	}
	it.State = dispatch.StateAccepted
	add(it)
	for _, row := range dispatch.StatusRows(dispatch.KindShipment) {
		it.Status = row.Status
		add(it)
	}
	it.Status = "NY_STATUS"
	add(it)
	sms := sampleSMS(1).Item
	sms.State = dispatch.StateAccepted
	for _, row := range dispatch.StatusRows(dispatch.KindSMS) {
		sms.Status = row.Status
		add(sms)
	}
	return list
}
