package follow

import (
	"context"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// LeadNow is the present state of an account: failures, waiting items, and the cost of the month.
type LeadNow struct {
	dispatch.Standing
	Recent dispatch.Statistics // outcomes by day, of the last 30 days and of the month
	Budget dispatch.Budget     // of the month, with what is spent
	Held   []Held
}

// recentDays is the number of days in sparklines.
const recentDays = 30

// RecentFrom is the first day with outcomes in LeadNow.
func RecentFrom(now time.Time) time.Time {
	y, m, d := now.In(views.Oslo).Date()
	pictures, month := time.Date(y, m, d-recentDays+1, 0, 0, 0, 0, views.Oslo), time.Date(y, m, 1, 0, 0, 0, 0, views.Oslo)
	if month.Before(pictures) {
		return month
	}
	return pictures
}

// answer is a question about the present state with its answer.
type answer struct {
	ID, Question string
	Value, Path  string // empty path: no list
	Bad          bool   // somebody must act
	Says         []string
	Parts        []placeRow
	Picture      spark
}

// placeRow is the number of items that wait in one place, and since when.
type placeRow struct {
	Place, Value, Path, Since string
}

// watchPath is the list of a question.
func (p LeadPage) watchPath(w dispatch.Watch, k dispatch.Kind) string {
	a := ListAddress{Base: p.PathTo("utsendinger")}
	a.Filter.Watch, a.Filter.Kind = w, k
	return a.String()
}

// answers are the questions with their answers.
func (p LeadPage) answers(ctx context.Context) []answer {
	list := []answer{p.failedAnswer(ctx)}
	if p.Account.HasShipments() {
		list = append(list, p.unreadAnswer(ctx))
	}
	return append(list, p.waitingAnswer(ctx), p.costAnswer(ctx))
}

// counted formats a count that stops at a limit.
func counted(w dispatch.Waits) string { return views.Counted(w.N, w.Above) }

func (p LeadPage) failedAnswer(ctx context.Context) answer {
	a := answer{ID: "na-feilet", Question: i18n.T(ctx, "lead.now.failed"), Value: counted(p.Standing.Failed), Bad: p.FailedOpen > 0}
	mended := p.since(p.today().AddDate(0, 0, -1)).By(func(o dispatch.OfOutcome) bool {
		return dispatch.Failure(o.Kind, o.Outcome) && o.Outcome != string(dispatch.StateUncertain)
	}).N
	switch {
	case p.Standing.Failed.N == 0 && mended > 0:
		a.Says = []string{i18n.T(ctx, "lead.now.failed.mended", "N", mended)}
	case p.Standing.Failed.N == 0 && p.Sought > 0: // what follows says the rest
	case p.Standing.Failed.N == 0:
		a.Says = []string{i18n.T(ctx, "lead.now.failed.none")}
	case p.FailedOpen == 0:
		a.Says = []string{i18n.T(ctx, "lead.now.failed.done")}
	default:
		a.Says = []string{i18n.T(ctx, "lead.now.failed.open", "Count", p.FailedOpen)}
	}
	if p.Sought > 0 {
		a.Says = append(a.Says, i18n.T(ctx, "lead.now.failed.sought", "N", p.Sought))
	}
	if p.Standing.Failed.N > 0 {
		a.Path = p.watchPath(dispatch.WatchFailed, "")
	}
	a.Picture = p.recent(ctx, "lead.now.failed.picture", func(o dispatch.OfOutcome) int {
		if !dispatch.Failure(o.Kind, o.Outcome) {
			return 0
		}
		return o.N
	})
	return a
}

func (p LeadPage) unreadAnswer(ctx context.Context) answer {
	w := p.Standing.Unread
	a := answer{ID: "na-ulest", Question: i18n.T(ctx, "lead.now.unread"), Value: counted(w), Bad: w.N > 0, Says: []string{i18n.T(ctx, "lead.now.unread.rule")}}
	if w.N > 0 {
		a.Path, a.Says = p.watchPath(dispatch.WatchUnread, ""), append(a.Says, i18n.T(ctx, "lead.now.unread.oldest", "When", p.sinceText(ctx, w.Since)))
	}
	unread := map[string]bool{}
	for _, s := range dispatch.UnreadInAltinn() {
		unread[string(s)] = true
	}
	a.Picture = p.recent(ctx, "lead.now.unread.picture", func(o dispatch.OfOutcome) int {
		if o.Kind != dispatch.KindShipment || !unread[o.Outcome] {
			return 0
		}
		return o.N
	})
	never := p.since(p.today().AddDate(0, 0, 1-recentDays)).By(func(o dispatch.OfOutcome) bool {
		return o.Kind == dispatch.KindShipment && o.Outcome == string(dispatch.StatusSentDigitally)
	}).N
	if never > 0 {
		a.Parts = []placeRow{{Place: i18n.T(ctx, "lead.now.unread.never"), Value: views.Number(never), Path: p.list(p.today().AddDate(0, 0, 1-recentDays), p.today().AddDate(0, 0, 1),
			views.FieldKind, kindName(dispatch.KindShipment), views.FieldStatus, string(dispatch.StatusSentDigitally))}}
	}
	return a
}

func (p LeadPage) waitingAnswer(ctx context.Context) answer {
	due := p.Due()
	a := answer{ID: "na-venter", Question: i18n.T(ctx, "lead.now.waiting"), Value: counted(due), Bad: len(p.Held) > 0 || due.N > 0 && p.Now.Sub(due.Since) > time.Hour}
	if due.N == 0 {
		a.Says = []string{i18n.T(ctx, "lead.now.waiting.none")}
	} else {
		a.Path, a.Says = p.watchPath(dispatch.WatchQueued, ""), []string{i18n.T(ctx, "lead.now.waiting.oldest", "When", p.sinceText(ctx, due.Since))}
	}
	a.Picture = p.recent(ctx, "lead.now.waiting.picture", func(o dispatch.OfOutcome) int {
		if o.Outcome != dispatch.OutcomeOpen {
			return 0
		}
		return o.N
	})
	return a
}

// places are the places where items wait.
func (p LeadPage) places(ctx context.Context) (rows []placeRow) {
	status := ListAddress{Base: p.PathTo("utsendinger"), Filter: dispatch.ListFilter{Kind: dispatch.KindShipment, Status: dispatch.StatusReadyToFetch}}
	uncertain := ListAddress{Base: p.PathTo("utsendinger"), Filter: dispatch.ListFilter{Group: dispatch.GroupUncertain}}
	for _, place := range []struct {
		name, path string
		waits      dispatch.Waits
	}{
		{"sms", p.watchPath(dispatch.WatchQueued, dispatch.KindSMS), p.Standing.SMS},
		{"shipment", p.watchPath(dispatch.WatchQueued, dispatch.KindShipment), p.Standing.Shipments},
		{"uncertain", uncertain.String(), p.Standing.Uncertain},
		{"silent", p.PathTo("oppfolging") + FollowUpQuery(dispatch.CauseSilent, WhoseAll), p.Standing.Silent},
		{"missing", p.PathTo("oppfolging") + FollowUpQuery(dispatch.CauseMissing, WhoseAll), p.Standing.Missing},
		{"ready", status.String(), p.Standing.Ready},
		{"approvals", p.PathTo("godkjenning"), p.Standing.Approvals},
	} {
		if place.waits.N > 0 {
			rows = append(rows, placeRow{i18n.T(ctx, "lead.now.place."+place.name), counted(place.waits), place.path,
				i18n.T(ctx, "lead.now.since", "When", p.sinceText(ctx, place.waits.Since))})
		}
	}
	return rows
}

// sinceText is the time if it is today or yesterday, otherwise the day; both fit on one line.
func (p LeadPage) sinceText(ctx context.Context, t time.Time) string {
	if t.Before(p.today().AddDate(0, 0, -1)) {
		return views.TableDate(ctx, t)
	}
	return views.Near(ctx, t, p.Now)
}

// heldSays tells why a channel of the account is blocked.
func heldSays(ctx context.Context, h Held) string {
	return i18n.T(ctx, "follow.held."+string(h.Kind)) + " " + i18n.T(ctx, views.Worded(h.Kind, "stage.waiting."+string(h.Block)))
}

func (p LeadPage) costAnswer(ctx context.Context) answer {
	a := answer{ID: "na-kostnad", Question: i18n.T(ctx, "lead.now.cost", "Month", i18n.T(ctx, "month."+monthNumber(p.today())))}
	first := p.today().AddDate(0, 0, 1-p.today().Day())
	month := p.since(first)
	all := month.By(func(dispatch.OfOutcome) bool { return true }).N
	path := p.list(first, p.today().AddDate(0, 0, 1))
	if all > 0 {
		a.Parts = []placeRow{{Place: i18n.T(ctx, "lead.now.cost.items"), Value: views.Number(all), Path: path}}
	}
	if !p.Account.Prices.Set() {
		a.Value, a.Says = i18n.T(ctx, "lead.now.cost.unknown"), []string{i18n.T(ctx, "lead.cost.none")}
		return a
	}
	spent := p.Budget.Spent
	if p.Budget.Limit == 0 {
		spent = p.priced(month)
		a.Says = []string{i18n.T(ctx, "lead.now.cost.no_budget")}
	} else {
		a.Bad = p.Budget.Level(0) != dispatch.QuotaFine
		a.Says = []string{i18n.T(ctx, "lead.now.cost.budget", "Share", share(ctx, spent, p.Budget.Limit), "Budget", wholeKroner(ctx, p.Budget.Limit))}
	}
	if a.Value = wholeKroner(ctx, spent); all > 0 {
		a.Path = path
	}
	a.Picture = p.recentCost(ctx)
	return a
}

// wholeKroner formats an amount without øre: "21 401 kr".
func wholeKroner(ctx context.Context, ore int) string {
	return i18n.T(ctx, "number.kroner.whole", "Whole", views.Number((ore+50)/100))
}

// priced is the cost of items by the account's prices.
func (p LeadPage) priced(s dispatch.Statistics) (ore int) {
	for _, r := range []dispatch.Route{dispatch.RouteSMS, dispatch.RouteDigital, dispatch.RoutePrint} {
		ore += p.Account.Prices.Cost(s, r)
	}
	return ore
}

// today is the day of the page.
func (p LeadPage) today() time.Time {
	y, m, d := p.Now.In(views.Oslo).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, views.Oslo)
}

// since are the recent outcomes from a day on.
func (p LeadPage) since(day time.Time) (s dispatch.Statistics) {
	for _, o := range p.Recent.Outcomes {
		if !o.Day.Before(day) {
			s.Outcomes = append(s.Outcomes, o)
		}
	}
	return s
}
