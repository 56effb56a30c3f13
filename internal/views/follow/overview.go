package follow

import (
	"context"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
	"utsending/internal/views/compose"
)

// OverviewPage is the start page of an account: what was sent, open follow-ups, and the latest items. The figures are
// one's own if Sender is set.
type OverviewPage struct {
	LeadPage
	Causes  map[dispatch.Cause]dispatch.Waits // causes of follow-ups, of the account or of the user
	Chooses bool                              // the user may choose between the account's figures and their own
	Latest  []Latest
	Drafts  compose.OwnDrafts
	Key     string // form key of the button for a new shipment
}

// Latest is one of the latest items sent, or the job that it belongs to.
type Latest struct {
	Row    *dispatch.ListRow
	Job    dispatch.Job // its ID is empty: the item stands alone
	Counts dispatch.JobCounts
}

// amount is how many recipients the job has, without rows that were left out.
func (l Latest) amount(ctx context.Context) string {
	if l.Job.Shipments() {
		return i18n.T(ctx, "bulk.shipments", "N", l.Job.To())
	}
	return i18n.T(ctx, "bulk.sms", "N", l.Job.To())
}

// overviewRows is the maximum number of rows in each section.
const overviewRows = 5

// own tells whether the figures are the user's own.
func (p OverviewPage) own() bool { return p.Sender != "" }

// figures are the key figures, compared with the preceding period.
func (p OverviewPage) figures(ctx context.Context) []keyFigure {
	shipments, sms, all := p.all(dispatch.KindShipment), p.all(dispatch.KindSMS), p.all("")
	from, to := p.Stats.From, p.Stats.To
	before := LeadPage{Stats: p.Before}
	list := []keyFigure{
		{Label: i18n.T(ctx, "lead.sms"), Value: views.Number(sms.N), Path: p.list(from, to, views.FieldKind, kindName(dispatch.KindSMS)),
			More: compared(ctx, sms.N, before.all(dispatch.KindSMS).N), Parts: p.unsent(dispatch.KindSMS)},
		{Label: i18n.T(ctx, p.arrived()), Value: views.Number(all.Arrived), Path: p.list(from, to, views.FieldGroup, ListGroupName(dispatch.GroupArrived)),
			More: arrivedShare(ctx, p.settled())},
	}
	if !p.Account.HasShipments() {
		return list
	}
	return append([]keyFigure{{Label: i18n.T(ctx, "lead.shipments"), Value: views.Number(shipments.N), Path: p.list(from, to, views.FieldKind, kindName(dispatch.KindShipment)),
		More: compared(ctx, shipments.N, before.all(dispatch.KindShipment).N), Parts: p.unsent(dispatch.KindShipment)}},
		append(list, keyFigure{Label: i18n.T(ctx, "lead.read"), Value: bandWord(ctx, p.Stats.Read.Median()), More: p.readMore(ctx)})...)
}

// readMore explains how long reading took; of nothing it says so.
func (p OverviewPage) readMore(ctx context.Context) string {
	if p.Stats.Read.Total() == 0 {
		return i18n.T(ctx, "overview.read.none")
	}
	return i18n.T(ctx, "overview.read")
}

// compared describes the difference from the preceding period.
func compared(ctx context.Context, n, before int) string {
	switch {
	case before == 0:
		return i18n.T(ctx, "overview.before.none")
	case n == before:
		return i18n.T(ctx, "overview.before.same")
	case n > before:
		return i18n.T(ctx, "overview.before.more", "Share", difference(ctx, n-before, before))
	}
	return i18n.T(ctx, "overview.before.fewer", "Share", difference(ctx, before-n, before))
}

// difference is a difference from an earlier number as a share of it; as a number where the earlier one is small, since 9900 % tell nobody
// anything.
func difference(ctx context.Context, by, of int) string {
	if of < 20 || by > of {
		return views.Number(by)
	}
	return share(ctx, by, of)
}

// followUpRow is the number of follow-ups of one cause.
type followUpRow struct {
	views.Look
	Path, N, Says, Oldest string
}

// whose are the follow-ups shown: of the user's items, or of the account.
func (p OverviewPage) whose() Whose {
	if p.own() {
		return WhoseSent
	}
	return WhoseAll
}

// followUps are the causes with open follow-ups, the gravest first.
func (p OverviewPage) followUps(ctx context.Context) (rows []followUpRow) {
	for _, c := range dispatch.Causes() {
		if w := p.Causes[c]; w.N > 0 {
			rows = append(rows, followUpRow{causeLook(ctx, c), p.PathTo("oppfolging") + FollowUpQuery(c, p.whose()), views.Counted(w.N, w.Above),
				views.Told(views.Advising(ctx, p.May(dispatch.RightFollowUp)), "overview.cause."+string(c)), i18n.T(ctx, "overview.follow_up.oldest", "When", p.sinceText(ctx, w.Since))})
		}
	}
	return rows
}

// address is the page for a period, of the same person as now.
func (p OverviewPage) address(period Period, own bool) string {
	path := p.PathTo("") + "?periode=" + string(period)
	if own && p.Chooses {
		path += "&hvem=meg"
	}
	return path
}

// statuses are the statuses of a kind, failures first, most frequent first.
func (p OverviewPage) statuses(ctx context.Context, k dispatch.Kind) (rows []statusRow) {
	for _, failures := range []bool{true, false} {
		for _, r := range p.byStatus(ctx, failures) {
			if r.Kind == k {
				rows = append(rows, r)
			}
		}
	}
	return rows
}

// latest is the address of the list that begins with the latest items.
func (p OverviewPage) latest() string {
	a := ListAddress{Base: p.PathTo("utsendinger")}
	a.Filter.Sender = p.Sender
	if p.own() {
		a.Filter.Outcome = dispatch.OutcomeSent
	}
	return a.String()
}
