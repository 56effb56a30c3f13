package gallery

import (
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/views"
	"utsending/internal/views/follow"
)

// listShown is a list of one channel, or of both.
func listShown(who dispatch.User, k dispatch.Kind, change func(*follow.ListPage)) func(frame) templ.Component {
	return func(f frame) templ.Component {
		base, section, title := "utsendinger", views.SectionItems, "list.title"
		switch k {
		case dispatch.KindSMS:
			base, section, title = "sms", views.SectionSMS, "sms.list.title"
		case dispatch.KindShipment:
			base, section, title = "forsendelser", views.SectionShipments, "nav.shipments"
		}
		p := follow.ListPage{Page: f.onAccount(who, section, f.text(title)), Key: sampleID(302)}
		p.List = follow.ListAddress{Base: views.AccountPath(p.Account, base), Fixed: k != "", Filter: dispatch.ListFilter{Kind: k}}
		change(&p)
		return follow.List(&p)
	}
}

// listExhibits are the lists of an account's items.
func listExhibits() []exhibit {
	around := func(p *follow.ListPage) {
		p.Live = p.List.Base + "?topp=1_" + sampleID(1)
		p.Newer, p.Older = p.List.Base+"?nyere=1_"+sampleID(1), p.List.Base+"?eldre=1_"+sampleID(2)
	}
	nothing := func(*follow.ListPage) {}
	exhibits := append(outcomeExhibits(), []exhibit{
		{path: "list/full", says: "both kinds in all states, with counts and more on both sides", show: listShown(caseworker(), "", func(p *follow.ListPage) {
			p.Items, p.Counts, p.Choices = append(shipmentRows(), smsRows()...), sampleCounts(), sampleChoices()
			around(p)
		})},
		{path: "list/narrowed", says: "everything that can be chosen, chosen", show: listShown(caseworker(), "", func(p *follow.ListPage) {
			p.Items, p.Choices, p.List.Filter, p.List.Order = shipmentRows()[:2], sampleChoices(), sampleFilter(), dispatch.ListOrder{Reversed: true}
			p.Form, p.Saved = follow.ListForm{From: "1.11.2026", To: "20.11.2026"}, sampleSaved()
			p.Form.Name, p.Problems = strings.Repeat("Ikke levert ", 6), dispatch.Problems{{Field: views.FieldName, Key: "problem.filter.name", Args: dispatch.Args{"Most": dispatch.LongestFilterName}}}
		})},
		{path: "list/narrowed-none", says: "nothing fits what is chosen", show: listShown(caseworker(), "", func(p *follow.ListPage) {
			p.List.Filter = dispatch.ListFilter{Kind: dispatch.KindSMS, Group: dispatch.GroupStopped, Status: "NY_VERDI", Sender: dispatch.UserID(sampleID(9))}
			p.List.Fixed = false
		})},
		{path: "list/part", says: "rows that keep themselves fresh, with one that is new", part: true, show: listPart(func(p follow.ListPage) templ.Component {
			p.Items, p.First, p.News = shipmentRows(), true, 1
			return follow.ListLive(&p)
		})},
		{path: "list/part-many", says: "rows with many that are new, and nowhere to go", part: true, show: listPart(func(p follow.ListPage) templ.Component {
			p.Items, p.First, p.News = shipmentRows()[:1], true, 12
			return follow.ListLive(&p)
		})},
		{path: "list/groups", says: "counts that keep themselves fresh", part: true, show: listPart(func(p follow.ListPage) templ.Component {
			p.Counts = sampleCounts()
			return follow.ListGroups(&p)
		})},
		{path: "list/badge", says: "the number in the navigation", part: true, show: listPart(func(p follow.ListPage) templ.Component {
			p.FollowUps = 3
			return views.NavBadge(p.Page)
		})},
		{path: "list/counted", says: "what a number of the team lead's page leads to", show: listShown(caseworker(), "", func(p *follow.ListPage) {
			p.Items, p.Template = shipmentRows()[:2], "Timen er flyttet"
			p.List.Filter = dispatch.ListFilter{Outcome: dispatch.OutcomeSent, Route: dispatch.RoutePrint, Template: dispatch.TemplateID(sampleID(13)), Read: 1, Signed: 6}
		})},
		{path: "list/held", says: "those under legal hold, for who may decide that", show: listShown(teamLead(), "", func(p *follow.ListPage) {
			p.Items, p.List.Filter = shipmentRows()[:2], dispatch.ListFilter{Held: true}
		})},
		{path: "list/blocked", says: "both channels send nothing now, and some are uncertain", show: listShown(caseworker(), "", func(p *follow.ListPage) {
			p.Items, p.Counts = shipmentRows()[:2], sampleCounts()
			p.Held = []follow.Held{{Kind: dispatch.KindSMS, Block: dispatch.BlockRefused}, {Kind: dispatch.KindShipment, Block: dispatch.BlockStopped}}
		})},
		{path: "list/days", says: "days that cannot be read", show: listShown(caseworker(), "", func(p *follow.ListPage) {
			p.Form = follow.ListForm{From: "i går", To: "32.12.2026"}
			p.Problems = dispatch.Problems{{Field: views.FieldFrom, Key: "problem.date"}, {Field: views.FieldTo, Key: "problem.date.none"}}
		})},
		{path: "list/planned", says: "drafts and what waits for its time", show: listShown(caseworker(), "", func(p *follow.ListPage) {
			p.Items = shipmentRows()[:1]
			p.Items[0].State, p.Items[0].Status, p.Items[0].Title, p.Items[0].DigitalOnly = dispatch.StateDraft, "", "", false
			p.List.Filter.Group, p.DraftsToMany = dispatch.GroupPlanned, []dispatch.Job{sampleJobDraft()}
		})},
		{path: "list/planned-many", says: "drafts of SMS to many, and no other", show: listShown(caseworker(), "", func(p *follow.ListPage) {
			p.List.Filter.Group, p.DraftsToMany = dispatch.GroupPlanned, []dispatch.Job{sampleJobDraft(), sampleJobDraft()}
			p.Begun = 2
		})},
		{path: "list/planned-begun", says: "no draft but one that is not finished", show: listShown(caseworker(), "", func(p *follow.ListPage) {
			p.List.Filter.Group, p.Begun = dispatch.GroupPlanned, 1
		})},
		{path: "list/auditor", says: "metadata only, and no way to send", show: listShown(auditor(), "", func(p *follow.ListPage) {
			p.Items, p.Counts = append(shipmentRows(), smsRows()...), dispatch.GroupCounts{}
		})},
		{path: "search/found", says: "what some words find", show: listShown(caseworker(), "", func(p *follow.ListPage) {
			p.Title, p.Items = "Treff på søket", shipmentRows()[:3]
			searchedFor(p, "nordmann ola", false)
		})},
		{path: "search/person", says: "what was sent to one number", show: listShown(caseworker(), "", func(p *follow.ListPage) {
			p.Title, p.Items = "Treff på søket", append(shipmentRows()[:1], smsRows()[:2]...)
			searchedFor(p, "120478 •••••", true)
		})},
		{path: "search/none", says: "words that find nothing", show: listShown(caseworker(), "", func(p *follow.ListPage) {
			p.Title = "Treff på søket"
			searchedFor(p, "xyzzy", false)
		})},
		{path: "search/none-narrowed", says: "words that find nothing in a group", show: listShown(caseworker(), "", func(p *follow.ListPage) {
			p.Title, p.List.Filter.Group = "Treff på søket", dispatch.GroupUncertain
			searchedFor(p, "xyzzy", false)
		})},
		{path: "search/person-none", says: "nothing was sent to a number", show: listShown(caseworker(), "", func(p *follow.ListPage) {
			p.Title = "Treff på søket"
			searchedFor(p, "••• •• 123", true)
		})},
		{path: "shipments/empty", says: "no shipment sent yet", show: listShown(caseworker(), dispatch.KindShipment, nothing)},
		{path: "shipments/one", says: "a single row, nowhere to go", show: listShown(caseworker(), dispatch.KindShipment, func(p *follow.ListPage) { p.Items = shipmentRows()[:1] })},
		{path: "shipments/sorted", says: "sorted by recipient, with lower rows and without two columns", show: listShown(caseworker(), dispatch.KindShipment, func(p *follow.ListPage) {
			p.Items, p.List.Order = shipmentRows(), dispatch.ListOrder{By: dispatch.SortRecipient}
			p.Lists = dispatch.ListView{Compact: true, NoChannel: true, NoSender: true}
			around(p)
		})},
		{path: "list/by-status", says: "both kinds by status, what has arrived first", show: listShown(caseworker(), "", func(p *follow.ListPage) {
			p.Items, p.List.Order = append(shipmentRows(), smsRows()...), dispatch.ListOrder{By: dispatch.SortStatus, Reversed: true}
			around(p)
		})},
		{path: "shipments/full", says: "all states and channels, with more on both sides", show: listShown(caseworker(), dispatch.KindShipment, func(p *follow.ListPage) {
			p.Items = shipmentRows()
			around(p)
		})},
		{path: "sms/empty", says: "no SMS sent yet", show: listShown(caseworker(), dispatch.KindSMS, nothing)},
		{path: "sms/one", says: "a single row, nowhere to go", show: listShown(caseworker(), dispatch.KindSMS, func(p *follow.ListPage) { p.Items = smsRows()[1:2] })},
		{path: "sms/full", says: "all states, one's own and others', with more on both sides and some uncertain", show: listShown(caseworker(), dispatch.KindSMS, func(p *follow.ListPage) {
			p.Items, p.Counts = smsRows(), sampleCounts()
			around(p)
		})},
		{path: "sms/of-a-job", says: "one group of a job", show: listShown(caseworker(), dispatch.KindSMS, func(p *follow.ListPage) {
			p.Items, p.List.Filter.Job, p.List.Filter.JobGroup = unsent(smsRows()), dispatch.JobID(sampleID(700)), dispatch.JobNotSent
		})},
		{path: "shipments/of-a-job", says: "the shipments of a job", show: listShown(caseworker(), dispatch.KindShipment, func(p *follow.ListPage) {
			p.Items, p.List.Filter.Job = shipmentRows()[:3], dispatch.JobID(sampleID(700))
		})},
		{path: "shipments/of-a-job-group", says: "one group of the shipments of a job", show: listShown(caseworker(), dispatch.KindShipment, func(p *follow.ListPage) {
			p.Items, p.List.Filter.Job, p.List.Filter.JobGroup = unsent(shipmentRows()), dispatch.JobID(sampleID(700)), dispatch.JobNotSent
		})},
		{path: "sms/of-a-job-empty", says: "nothing of a job", show: listShown(caseworker(), dispatch.KindSMS, func(p *follow.ListPage) {
			p.List.Filter.Job = dispatch.JobID(sampleID(700))
		})},
	}...)
	for _, key := range []string{"problem.search.empty", "problem.search.unreadable", "problem.search.person", "problem.search.number_empty", "problem.search.number"} {
		exhibits = append(exhibits, exhibit{path: "search/" + key, says: "a search that is refused", show: listShown(caseworker(), "", func(p *follow.ListPage) {
			p.SearchText, p.Problems = "123", dispatch.Problems{{Field: dispatch.FieldSearch, Key: key}}
		})})
	}
	exhibits = append(exhibits, numberSearchExhibits()...)
	return append(append(exhibits, bulkExhibits()...), messageExhibits()...)
}

// numberSearchExhibits are searches beyond the hourly limit on numbers.
func numberSearchExhibits() []exhibit {
	often := *dispatch.NumberUse{Numbers: dispatch.NumbersPerHour, Oldest: ago(40 * time.Minute)}.Refuse()
	return []exhibit{
		{path: "search/often", says: "too many numbers within an hour", show: listShown(caseworker(), "", func(p *follow.ListPage) {
			p.SearchText, p.Problems = "900 00 123", dispatch.Problems{often}
		})},
		{path: "search/often-lead", says: "too many numbers within an hour, for whoever may go on with a reason", show: listShown(caseworker(), "", func(p *follow.ListPage) {
			p.SearchText, p.AsksReason, p.Problems = "900 00 123", true, dispatch.Problems{often}
		})},
		{path: "search/often-reason", says: "no reason to go on", show: listShown(caseworker(), "", func(p *follow.ListPage) {
			p.SearchText, p.AsksReason, p.Reason, p.Problems = "900 00 123", true, "..........", dispatch.Problems{{Field: dispatch.FieldReason, Key: "problem.why.nothing"}}
		})},
	}
}

// listPart is a fragment of a list.
func listPart(show func(follow.ListPage) templ.Component) func(frame) templ.Component {
	return func(f frame) templ.Component {
		p := follow.ListPage{Page: f.onAccount(caseworker(), views.SectionItems, "")}
		p.List.Base = views.AccountPath(p.Account, "utsendinger")
		p.Live = p.List.Base + "?topp=1_" + sampleID(1)
		return show(p)
	}
}

// outcomeExhibits are lists filtered by each outcome that statistics count.
func outcomeExhibits() (exhibits []exhibit) {
	for _, outcome := range dispatch.ListOutcomes() {
		exhibits = append(exhibits, exhibit{path: "list/outcome-" + outcome, says: "what numbers count as " + outcome, show: listShown(caseworker(), "", func(p *follow.ListPage) {
			p.List.Filter.Outcome = outcome
		})})
	}
	for _, w := range dispatch.Watches() {
		exhibits = append(exhibits, exhibit{path: "list/watch-" + string(w), says: "a team lead's question: " + string(w), show: listShown(caseworker(), "", func(p *follow.ListPage) {
			p.List.Filter.Watch = w
		})})
	}
	return exhibits
}

// bulkRows are the rows to which an act applies.
func bulkRows(act dispatch.BulkAct) []dispatch.ListRow {
	return slices.DeleteFunc(append(shipmentRows(), smsRows()...), func(r dispatch.ListRow) bool {
		var cause dispatch.Cause
		switch {
		case r.State == dispatch.StateUncertain:
			cause = dispatch.CauseUncertain
		case r.EndedBadly():
			cause = dispatch.CauseNotDelivered
		}
		return act.LeftOut(dispatch.BulkItem{Item: r.Item, Signs: !r.SignBy.IsZero(), SigningStatus: r.SigningStatus, Numbered: true, Cause: cause, Reach: dispatch.ReachOpen}) != ""
	})
}

// bulkPage is the confirmation page of an act on chosen items.
func bulkPage(f frame, act dispatch.BulkAct, change func(*follow.BulkPage)) templ.Component {
	p := &follow.BulkPage{Page: f.onAccount(teamLead(), views.SectionItems, f.text("bulk.act."+string(act))), Act: act, Key: sampleID(900), Until: 1,
		First: bulkRows(act), Form: follow.BulkForm{Owner: string(dispatch.OwnerMe)}}
	for _, r := range p.First {
		if r.Kind == dispatch.KindSMS {
			p.SMS++
		} else {
			p.Shipments++
		}
	}
	p.Narrow = true
	p.Action, p.Back = views.AccountPath(p.Account, "utvalg", "lagre"), views.AccountPath(p.Account, "utsendinger")
	change(p)
	return follow.Bulk(p)
}

// bulkDone is the result of an act on chosen items.
func bulkDone(f frame, b dispatch.Bulk) follow.BulkDonePage {
	b.ID, b.CreatedAt = sampleID(901), galleryNow
	return follow.BulkDonePage{Page: f.onAccount(caseworker(), views.SectionItems, f.text("bulk.act."+string(b.Act))), Bulk: b}
}

// everyResult has a count for each reason for leaving an item out.
func everyResult(n int) map[dispatch.BulkResult]int {
	counts := map[dispatch.BulkResult]int{}
	for i, r := range dispatch.BulkLeavings() {
		counts[r] = n + i%3
	}
	return counts
}

// bulkExhibits are confirmation and result of acts on chosen items.
func bulkExhibits() (exhibits []exhibit) {
	one := func(name, says string, act dispatch.BulkAct, change func(*follow.BulkPage)) {
		exhibits = append(exhibits, exhibit{path: "bulk/" + name, says: says, show: func(f frame) templ.Component { return bulkPage(f, act, change) }})
	}
	for _, act := range dispatch.BulkActs() {
		one(string(act), "what it would do to both kinds", act, func(p *follow.BulkPage) { p.Workers = []follow.Person{{ID: "x", Name: "Ola Nordmann"}} })
	}
	aged := func(days int) func(*follow.BulkPage) {
		return func(p *follow.BulkPage) { p.Oldest = p.Now.AddDate(0, 0, -days) }
	}
	one("again-old", "the oldest may no longer hold", dispatch.BulkAgain, func(p *follow.BulkPage) {
		aged(43)(p)
		p.LeftOut = map[dispatch.BulkResult]int{dispatch.BulkBare: 2, dispatch.BulkReplaced: 1}
	})
	one("again-days", "the oldest is some days old", dispatch.BulkAgain, aged(3))
	for days, name := range map[int]string{1: "again-only-day", 3: "again-only-days"} {
		one(name, "only one, made some days ago", dispatch.BulkAgain, func(p *follow.BulkPage) {
			aged(days)(p)
			p.SMS, p.Shipments, p.First = 0, 1, p.First[:1]
		})
	}
	one("again-day", "the oldest is from yesterday", dispatch.BulkAgain, aged(1))
	one("stop-many", "it applies to more than are listed", dispatch.BulkStop, func(p *follow.BulkPage) { p.All, p.SMS, p.Shipments = true, 900, 340 })
	one("stop-rest", "it applies to one more than is listed", dispatch.BulkStop, func(p *follow.BulkPage) {
		p.SMS, p.Shipments = 0, 2
		p.First = p.First[:1]
	})
	one("again-changed", "it applies to more than were confirmed", dispatch.BulkAgain, func(p *follow.BulkPage) { p.Changed = true })
	one("again-colleagues", "some are colleagues', and every reason to leave out", dispatch.BulkAgain, func(p *follow.BulkPage) {
		p.AsksReason, p.More, p.All, p.LeftOut = true, true, true, everyResult(1)
		p.Problems = dispatch.Problems{{Field: dispatch.FieldReason, Key: "problem.why.again"}}
	})
	one("stop-none", "it applies to none", dispatch.BulkStop, func(p *follow.BulkPage) { p.SMS, p.Shipments, p.First, p.LeftOut = 0, 0, nil, everyResult(2) })
	one("stop-one", "it applies to one", dispatch.BulkStop, func(p *follow.BulkPage) { p.SMS, p.Shipments, p.First = 0, 1, p.First[:1] })
	one("done-problem", "without a reason", dispatch.BulkDone, func(p *follow.BulkPage) {
		p.Problems = dispatch.Problems{{Field: dispatch.FieldFollowReason, Key: "problem.follow_up.reason"}}
	})
	one("done-number", "with a number in the reason", dispatch.BulkDone, func(p *follow.BulkPage) {
		p.Problems = dispatch.Problems{{Field: dispatch.FieldFollowReason, Key: "problem.follow_up.number"}}
	})
	one("assign-problem", "what can be wrong", dispatch.BulkAssign, func(p *follow.BulkPage) {
		p.Problems = dispatch.Problems{{Field: dispatch.FieldFollowOwner, Key: "problem.follow_up.owner"}, {Field: dispatch.FieldFollowDue, Key: "problem.date"},
			{Field: dispatch.FieldFollowNote, Key: "problem.follow_up.long"}}
	})
	one("assign-past", "a deadline that is over", dispatch.BulkAssign, func(p *follow.BulkPage) {
		p.Problems = dispatch.Problems{{Field: dispatch.FieldFollowDue, Key: "problem.follow_up.past"}}
	})
	one("decide-one", "one to decide about", dispatch.BulkDecide, func(p *follow.BulkPage) { p.SMS, p.Shipments, p.First = 0, 1, p.First[:1] })
	one("decide-problem", "nothing was decided", dispatch.BulkDecide, func(p *follow.BulkPage) {
		p.SMS, p.First = 0, p.First[:p.Shipments]
		p.Problems = dispatch.Problems{{Field: "valg", Key: "problem.decision.empty"}}
	})
	done := func(name, says string, b dispatch.Bulk) {
		exhibits = append(exhibits, exhibit{path: "bulk/" + name, says: says, show: func(f frame) templ.Component { return follow.BulkDone(bulkDone(f, b)) }})
	}
	for _, act := range []dispatch.BulkAct{dispatch.BulkAgain, dispatch.BulkStop, dispatch.BulkAssign, dispatch.BulkDone, dispatch.BulkDecide, dispatch.BulkLook} {
		done("came-"+string(act), "all is done but some", dispatch.Bulk{Act: act, Total: 13, Shown: 13, Done: true, Results: map[dispatch.BulkResult]int{dispatch.BulkDid: 12, dispatch.BulkChanged: 1}})
		done("came-one-"+string(act), "one is done", dispatch.Bulk{Act: act, Total: 2, Done: true, Results: map[dispatch.BulkResult]int{dispatch.BulkDid: 1, dispatch.BulkUncertain: 1}})
	}
	made := func(name, says string, states ...func(*dispatch.Item)) {
		exhibits = append(exhibits, exhibit{path: "bulk/" + name, says: says, show: func(f frame) templ.Component {
			n := len(states)
			p := bulkDone(f, dispatch.Bulk{Act: dispatch.BulkAgain, Total: n + 2, Shown: n + 2, Done: true, Results: map[dispatch.BulkResult]int{dispatch.BulkDid: n, dispatch.BulkQuota: 2}})
			p.Groups = map[dispatch.JobGroup]int{}
			for i, change := range states {
				it := sampleSMS(i + 1)
				change(&it.Item)
				p.Made = append(p.Made, dispatch.ListRow{Item: it.Item, Recipient: it.Recipient, Text: it.Text})
				p.Groups[dispatch.JobGroupOf(it.Kind, it.State, it.Status, it.UpstreamID != "")]++
				if it.MayCancel() {
					p.Waiting = append(p.Waiting, it.ID)
				}
			}
			return follow.BulkDone(p)
		}})
	}
	waits, sent, refused := func(*dispatch.Item) {}, accept, ended(dispatch.StateRejected, "reason.rejected")
	made("made", "what was sent again, which can be stopped", slices.Repeat([]func(*dispatch.Item){waits}, 12)...)
	made("made-one", "one was sent again, which can be stopped", waits)
	made("made-eleven", "one more than is seen at once", slices.Repeat([]func(*dispatch.Item){waits}, 11)...)
	made("made-two", "two were sent again, and can be stopped", waits, waits)
	made("made-part", "some are sent, and some could not be", waits, sent, sent, refused, refused)
	made("made-came", "all are sent but three", append(slices.Repeat([]func(*dispatch.Item){sent}, 9), refused, refused, refused)...)
	exhibits = append(exhibits, exhibit{path: "bulk/made-many", says: "more was sent again than a page lists and counts", show: func(f frame) templ.Component {
		p := bulkDone(f, dispatch.Bulk{Act: dispatch.BulkAgain, Total: 1240, Shown: 1240, Done: true, Results: map[dispatch.BulkResult]int{dispatch.BulkDid: 1240}})
		p.Made = slices.Repeat(unsent(smsRows())[:1], follow.BulkListed)
		for i := range p.Made {
			p.Made[i].State = dispatch.StateAccepted
		}
		return follow.BulkDone(p)
	}})
	goes := dispatch.Bulk{Act: dispatch.BulkAgain, Total: 100_000, Left: 87_300, Results: map[dispatch.BulkResult]int{dispatch.BulkDid: 12_700}}
	done("goes", "a hundred thousand are on their way", goes)
	return append(exhibits, exhibit{path: "bulk/part", says: "the part that keeps itself fresh", part: true, show: func(f frame) templ.Component { return follow.BulkLive(bulkDone(f, goes)) }})
}

func searchedFor(p *follow.ListPage, shown string, person bool) {
	p.Searched = &follow.ListSearch{ID: sampleID(800), Shown: shown, Person: person}
	p.List.Base = views.AccountPath(p.Account, "sok", sampleID(800))
}

// smsRows is one SMS in every state.
func smsRows() (rows []dispatch.ListRow) {
	for _, it := range allSMS() {
		rows = append(rows, dispatch.ListRow{Item: it.Item, Recipient: it.Recipient, Text: it.Text, HideInReport: it.HideInReport})
	}
	return rows
}

// unsent are the rows of items that could not be sent.
func unsent(rows []dispatch.ListRow) []dispatch.ListRow {
	return slices.DeleteFunc(rows, func(r dispatch.ListRow) bool {
		return dispatch.JobGroupOf(r.Kind, r.State, r.Status, r.UpstreamID != "") != dispatch.JobNotSent
	})
}

func sampleCounts() dispatch.GroupCounts {
	return dispatch.GroupCounts{
		dispatch.GroupPlanned: {N: 1000, Above: true}, dispatch.GroupOnItsWay: {N: 12}, dispatch.GroupArrived: {N: 128431},
		dispatch.GroupStopped: {N: 0}, dispatch.GroupUncertain: {N: 2},
	}
}

func sampleChoices() follow.ListChoices {
	return follow.ListChoices{
		Senders:      []follow.Sender{{ID: dispatch.UserID(sampleID(11)), Name: "Amir Hosseini"}, {ID: dispatch.UserID(sampleID(12)), Name: "Kari Nordmann"}},
		BillingCodes: []string{"SKOLE-1", "SKOLE-2"}, Types: []string{"Vedtak"},
	}
}

func sampleFilter() dispatch.ListFilter {
	from, _ := dispatch.ParseDay("1.11.2026")
	to, _ := dispatch.ParseDay("21.11.2026")
	return dispatch.ListFilter{
		Group: dispatch.GroupArrived, Status: dispatch.StatusRead, From: from, To: to, Sender: dispatch.UserID(sampleID(12)),
		BillingCode: "SKOLE-1", Type: "Faktura", Signing: dispatch.SigningDone,
	}
}

func sampleSaved() []follow.SavedFilter {
	return []follow.SavedFilter{{ID: sampleID(21), Name: "Mine stoppede", Query: "gruppe=stoppet"}}
}
