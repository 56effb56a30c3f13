package gallery

import (
	"slices"
	"time"

	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/views"
	"utsending/internal/views/follow"
)

// followedItems are one item for each cause, an SMS and a shipment in turn, oldest first.
func followedItems() []dispatch.FollowedItem {
	var list []dispatch.FollowedItem
	for i, c := range dispatch.Causes() {
		it := dispatch.FollowedItem{FollowUp: dispatch.FollowUp{Cause: c, Since: galleryNow.Add(-time.Duration(len(dispatch.Causes())-i) * 7 * time.Hour)}}
		if i%2 == 0 {
			it.SMS = sampleSMS(i + 1)
			it.Item = it.SMS.Item
		} else {
			it.Item = sampleSMS(i + 1).Item
			it.Kind, it.Title, it.Recipient = dispatch.KindShipment, "Vedtak om plass", "Ola Hansen"
		}
		switch c {
		case dispatch.CauseRejected:
			it.State, it.Reason = dispatch.StateRejected, dispatch.Reason{Key: "reason.rejected", HTTPStatus: 400, At: it.FollowUp.Since}
		case dispatch.CauseNotDelivered:
			it.State, it.Status = dispatch.StateAccepted, dispatch.StatusNotDelivered
		}
		list = append(list, it)
	}
	list[0].FollowUp.Owner, list[0].FollowUp.Name, list[0].FollowUp.Due = "kari", "Kari Nordmann", galleryNow.AddDate(0, 0, 4)
	list[1].FollowUp.Owner, list[1].FollowUp.Name, list[1].FollowUp.Due, list[1].FollowUp.Note = "ingrid", "Ingrid Lunde", galleryNow.AddDate(0, 0, -2), "Ringt, ikke fått svar. Prøver igjen i morgen."
	return list
}

// followedRow is an item as lists name it.
func followedRow(it dispatch.FollowedItem) *dispatch.ListRow {
	return &dispatch.ListRow{Item: it.Item, Title: it.Title, RecipientName: it.Recipient, Recipient: it.SMS.Recipient, Text: it.SMS.Text}
}

// followUpPage is the list of follow-ups.
func followUpPage(f frame, who dispatch.User, change func(*follow.FollowUpPage)) follow.FollowUpPage {
	p := follow.FollowUpPage{Page: f.onAccount(who, views.SectionFollowUp, f.text("nav.follow_up")), Most: 1000, Away: awayFor(who), Items: followedItems(), Counts: map[dispatch.Cause]int{}}
	for i, c := range dispatch.Causes() {
		p.Counts[c] = i*3 + 1
	}
	p.FollowUps = 100
	for i := range p.Items {
		p.Items[i].Numbered = i%2 == 0
	}
	p.Items[1].Title, p.Items[1].Recipient = "Vedtak om tilrettelagt opplæring og skoleskyss for skoleåret 2026/2027", "Anne-Margrethe Christoffersen Haugland"
	p.Ends = map[dispatch.ItemID]dispatch.ContentEnd{p.Items[1].ID: {At: galleryNow.AddDate(0, 0, 5)}, p.Items[2].ID: {At: ago(48 * time.Hour)}, p.Items[3].ID: {Gone: true}, p.Items[4].ID: {Gone: true}}
	p.Items[4].Title, p.Items[4].Recipient = "", ""
	change(&p)
	return p
}

// followUpExhibits are the list of follow-ups, and the acts on them.
func followUpExhibits() []exhibit {
	list := func(name, says string, who dispatch.User, change func(*follow.FollowUpPage)) exhibit {
		return exhibit{path: "follow-up/" + name, says: says, show: func(f frame) templ.Component { return follow.FollowUps(followUpPage(f, who, change)) }}
	}
	exhibits := []exhibit{
		list("all", "one of each cause, more than the navigation counts", caseworker(), func(p *follow.FollowUpPage) { p.Newer = "/k/oppvekst/oppfolging?nyere=1" }),
		list("news", "some have come since the page did", caseworker(), func(p *follow.FollowUpPage) { p.News = 3 }),
		list("one", "one thing, nobody's", caseworker(), func(p *follow.FollowUpPage) {
			p.Counts, p.Items, p.FollowUps = map[dispatch.Cause]int{dispatch.CauseSilent: 1}, p.Items[len(p.Items)-1:], 1
			p.Cause, p.Whose = dispatch.CauseSilent, follow.WhoseFree
		}),
		list("uncertain", "those of one cause, more than are counted", caseworker(), func(p *follow.FollowUpPage) {
			p.Cause, p.Items, p.Counts[dispatch.CauseUncertain] = dispatch.CauseUncertain, p.Items[:1], 1000
		}),
		list("searched", "what was searched for, the newest first", caseworker(), func(p *follow.FollowUpPage) {
			p.Search, p.Newest, p.Items, p.Older, p.Newer = sampleID(40), true, p.Items[:2], "/k/oppvekst/oppfolging?eldre=1", "/k/oppvekst/oppfolging?nyere=1"
			p.Searched = &follow.ListSearch{ID: p.Search, Shown: "nordmann"}
			slices.Reverse(p.Items)
		}),
		list("searched-number", "a number that has none", caseworker(), func(p *follow.FollowUpPage) {
			p.Search, p.Items = sampleID(40), nil
			p.Searched = &follow.ListSearch{ID: p.Search, Shown: "120478 •••••", Person: true}
		}),
		list("held", "both channels send nothing", caseworker(), func(p *follow.FollowUpPage) {
			p.Held = []follow.Held{{Kind: dispatch.KindSMS, Block: dispatch.BlockRefused}, {Kind: dispatch.KindShipment, Block: dispatch.BlockStopped}}
		}),
		list("empty", "nothing at all", caseworker(), func(p *follow.FollowUpPage) { p.Items, p.Counts, p.FollowUps = nil, nil, 0 }),
		list("none-here", "nothing of one's own", caseworker(), func(p *follow.FollowUpPage) { p.Items, p.Whose = nil, follow.WhoseMine }),
		list("auditor", "metadata only, nothing to do", auditor(), func(*follow.FollowUpPage) {}),
		{path: "follow-up/rows", says: "the rows that are asked for again, when all is done", part: true, show: func(f frame) templ.Component {
			return follow.FollowUpRows(followUpPage(f, caseworker(), func(p *follow.FollowUpPage) { p.Items = nil }))
		}},
		{path: "follow-up/counts", says: "the part that keeps itself fresh", part: true, show: func(f frame) templ.Component {
			return follow.FollowUpCounts(followUpPage(f, caseworker(), func(*follow.FollowUpPage) {}))
		}},
		{path: "follow-up/item", says: "owner, day, note and outcome of one", show: func(f frame) templ.Component {
			it := followedItems()[1]
			p := follow.FollowUpItemPage{Page: f.onAccount(caseworker(), views.SectionFollowUp, f.text("follow.title")), Item: it.Item,
				Row: followedRow(it), FollowUp: it.FollowUp, Form: follow.NewFollowUpForm(it.FollowUp)}
			p.Narrow = true
			return follow.FollowUpEdit(p)
		}},
		{path: "follow-up/item-colleague", says: "one that a colleague has, about a protected person", show: func(f frame) templ.Component {
			it := followedItems()[1]
			it.Creator, it.CreatedBy, it.FollowUp.Owner, it.FollowUp.Name = "Amir Hosseini", "amir", "ingrid", "Ingrid Lunde"
			p := follow.FollowUpItemPage{Page: f.onAccount(caseworker(), views.SectionFollowUp, f.text("follow.title")), Item: it.Item, FollowUp: it.FollowUp,
				Row: followedRow(it), Form: follow.NewFollowUpForm(it.FollowUp), Workers: []follow.Person{{ID: "siv", Name: "Siv Aas"}}}
			p.Narrow, p.Form.Owner, p.Problems = true, "sender", dispatch.Problems{{Field: dispatch.FieldFollowOwner, Key: "problem.follow_up.protected"}}
			return follow.FollowUpEdit(p)
		}},
	}
	for _, it := range followedItems() {
		exhibits = append(exhibits, exhibit{path: "follow-up/item-" + string(it.FollowUp.Cause), says: "one with this cause: " + string(it.FollowUp.Cause), show: func(f frame) templ.Component {
			p := follow.FollowUpItemPage{Page: f.onAccount(caseworker(), views.SectionFollowUp, f.text("follow.title")), Item: it.Item, FollowUp: it.FollowUp, Form: follow.NewFollowUpForm(it.FollowUp), Row: followedRow(it)}
			p.Narrow = true
			return follow.FollowUpEdit(p)
		}})
	}
	return exhibits
}

// awayFor are the absent colleagues whose deputy the user is.
func awayFor(who dispatch.User) []dispatch.Absence {
	if who.ID != "kari" {
		return nil
	}
	return sampleAbsences()[:1]
}
