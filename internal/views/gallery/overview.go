package gallery

import (
	"time"

	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/views"
	"utsending/internal/views/compose"
	"utsending/internal/views/follow"
)

// overviewExhibits are the overview of an account.
func overviewExhibits() []exhibit {
	page := func(f frame, change func(*follow.OverviewPage)) follow.OverviewPage {
		p := follow.OverviewPage{Key: sampleID(303), Chooses: true, Causes: map[dispatch.Cause]dispatch.Waits{}}
		p.Page, p.Period = f.onAccount(caseworker(), views.SectionOverview, f.text("overview.title")), follow.PeriodWeek
		from := time.Date(2026, 11, 14, 0, 0, 0, 0, dispatch.Oslo)
		p.Stats, p.Before = sampleStatistics(from, 7), sampleStatistics(from.AddDate(0, 0, -7), 6)
		for i, c := range dispatch.Causes() {
			p.Causes[c] = dispatch.Waits{N: i*3 + 1, Since: ago(time.Duration(i*17+2) * time.Hour)}
		}
		p.Latest = []follow.Latest{{Row: &smsRows()[0], Job: sampleJob(), Counts: dispatch.JobCounts{dispatch.JobArrived: 1202}}}
		for _, r := range append(shipmentRows()[:2], smsRows()[2:4]...) {
			p.Latest = append(p.Latest, follow.Latest{Row: &r})
		}
		p.Drafts = compose.OwnDrafts{
			Drafts: []compose.DraftLine{{ID: dispatch.ItemID(sampleID(40)), Title: "Vedtak", ChangedAt: ago(time.Hour)}, {ID: dispatch.ItemID(sampleID(41)), ChangedAt: ago(30 * time.Hour)}},
			SMS:    []compose.SMSDraftLine{{Path: "/k/oppvekst/sms/" + sampleID(2) + "/kontroll", Text: "Hei! Timen din er flyttet til mandag klokka 09.00. Hilsen Fjordvik kommune", At: ago(2 * time.Hour)}},
			Jobs:   []dispatch.Job{{ID: dispatch.JobID(sampleID(5)), Text: "Hei ((navn))! SFO er stengt mandag.", CreatedAt: ago(3 * time.Hour)}},
		}
		change(&p)
		return p
	}
	shown := func(change func(*follow.OverviewPage)) func(frame) templ.Component {
		return func(f frame) templ.Component { return follow.Overview(page(f, change)) }
	}
	return []exhibit{
		{path: "overview/account", says: "the account's numbers, more than the week before", show: shown(func(*follow.OverviewPage) {})},
		{path: "overview/own", says: "one's own, fewer than the week before", show: shown(func(p *follow.OverviewPage) {
			p.Chooses, p.Sender, p.Stats, p.Before, p.Drafts = false, dispatch.UserID(sampleID(12)), p.Before, p.Stats, compose.OwnDrafts{Drafts: p.Drafts.Drafts[:1]}
		})},
		{path: "overview/same", says: "as many as the week before", show: shown(func(p *follow.OverviewPage) { p.Before = p.Stats })},
		{path: "overview/empty", says: "nothing yet", show: shown(func(p *follow.OverviewPage) {
			p.Stats.Outcomes, p.Stats.Read, p.Before, p.Causes, p.Latest, p.Drafts = nil, dispatch.Bands{}, dispatch.Statistics{}, nil, nil, compose.OwnDrafts{}
		})},
		{path: "overview/own-empty", says: "one has sent nothing", show: shown(func(p *follow.OverviewPage) {
			p.Sender, p.Causes, p.Latest, p.Drafts = dispatch.UserID(sampleID(12)), nil, nil, compose.OwnDrafts{}
			p.Stats.Outcomes, p.Stats.Read, p.Before = nil, dispatch.Bands{}, dispatch.Statistics{}
		})},
		{path: "overview/held", says: "a channel sends nothing now", show: shown(func(p *follow.OverviewPage) {
			p.Held = []follow.Held{{Kind: dispatch.KindSMS, Block: dispatch.BlockStopped}}
		})},
		{path: "overview/auditor", says: "somebody who sends nothing", show: shown(func(p *follow.OverviewPage) { p.User = auditor() })},
		{path: "overview/part", says: "the part that keeps itself fresh", part: true, show: func(f frame) templ.Component {
			return follow.OverviewFollowUps(page(f, func(*follow.OverviewPage) {}))
		}},
	}
}
