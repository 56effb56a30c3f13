package follow

import (
	"context"
	"net/url"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// LeadPage is the team lead's statistics of an account for a period.
type LeadPage struct {
	views.Page
	Period Period
	Stats  dispatch.Statistics
	LeadNow
	Form   PeriodForm
	Sender dispatch.UserID // of whom the figures are; empty: of the account

	Against Comparison
	Before  dispatch.Statistics // of the period to compare with

	Searchers []dispatch.NumberSearcher // users who searched for unusually many numbers, in any period
}

// Period is a choice of days, as named in addresses.
type Period string

// The periods.
const (
	PeriodToday Period = "i-dag"
	PeriodWeek  Period = "7"
	PeriodMonth Period = "30"
	PeriodOwn   Period = "egen"
)

// PeriodForm is a custom period, as typed.
type PeriodForm struct{ From, To string }

// Fields of a custom period.
const (
	FieldPeriodFrom = "fra"
	FieldPeriodTo   = "til"
	FieldAgainst    = "mot"
)

// maxPeriod is the longest period in days.
const maxPeriod = 366

// ParsePeriod returns the first day of a period and the day after the last. Both typed days are included.
func ParsePeriod(p Period, f PeriodForm, now time.Time) (from, to time.Time, ps dispatch.Problems) {
	y, m, d := now.In(views.Oslo).Date()
	today := time.Date(y, m, d, 0, 0, 0, 0, views.Oslo)
	to = today.AddDate(0, 0, 1)
	switch p {
	case PeriodToday:
		return today, to, nil
	case PeriodMonth:
		return today.AddDate(0, 0, -29), to, nil
	case PeriodOwn:
		return parseDays(f, to)
	}
	return today.AddDate(0, 0, -6), to, nil
}

func parseDays(f PeriodForm, tomorrow time.Time) (from, to time.Time, ps dispatch.Problems) {
	from, fromOK := dispatch.ParseDay(f.From)
	last, lastOK := dispatch.ParseDay(f.To)
	if !fromOK {
		ps = append(ps, *dispatch.DayProblem(FieldPeriodFrom, f.From))
	}
	if !lastOK {
		ps = append(ps, *dispatch.DayProblem(FieldPeriodTo, f.To))
	}
	to = last.AddDate(0, 0, 1)
	switch {
	case len(ps) > 0:
	case !from.Before(to):
		ps = dispatch.Problems{{Field: FieldPeriodTo, Key: "problem.period.order"}}
	case to.Sub(from) > maxPeriod*24*time.Hour:
		ps = dispatch.Problems{{Field: FieldPeriodTo, Key: "problem.period.long"}}
	}
	if len(ps) > 0 {
		return tomorrow.AddDate(0, 0, -7), tomorrow, ps
	}
	return from, to, nil
}

// query is the query of the period.
func (p LeadPage) query() string {
	if p.Period == PeriodOwn {
		return "?periode=egen&" + url.Values{FieldPeriodFrom: {p.Form.From}, FieldPeriodTo: {p.Form.To}}.Encode()
	}
	return "?periode=" + string(p.Period)
}

// typed is the form of a period: as typed, or the days that are shown.
func (p LeadPage) typed() PeriodForm {
	if p.Period == PeriodOwn {
		return p.Form
	}
	return PeriodForm{dayText(p.Stats.From), dayText(lastDay(p.Stats.To))}
}

// periodPath is the page for another period, compared as it is now.
func (p LeadPage) periodPath(period Period) string {
	path := p.PathTo("ledelse") + "?periode=" + string(period)
	if p.Against != CompareNone {
		path += "&mot=" + string(p.Against)
	}
	return path
}

// days describes the period.
func (p LeadPage) days(ctx context.Context) string { return daysText(ctx, p.Stats) }

// daysText describes the days of statistics; month and year common to both days are written once.
func daysText(ctx context.Context, s dispatch.Statistics) string {
	first, last := s.From.In(views.Oslo), s.To.In(views.Oslo).AddDate(0, 0, -1)
	switch {
	case first.Equal(last):
		return views.DateText(ctx, first)
	case first.Year() == last.Year() && first.Month() == last.Month():
		return i18n.T(ctx, "time.days", "Day", first.Day(), "Date", views.DateText(ctx, last))
	}
	return views.DateText(ctx, first) + " – " + views.DateText(ctx, last)
}

// list is the address of the list of counted items: of the page's days, or one of them, with further filters. Drafts
// are not counted.
func (p LeadPage) list(from, to time.Time, pairs ...string) string {
	values := url.Values{views.FieldFrom: {dayText(from)}, views.FieldTo: {dayText(lastDay(to))}, views.FieldOutcome: {outcomeNames[dispatch.OutcomeSent]}}
	if p.Sender != "" {
		values.Set(views.FieldSender, string(p.Sender))
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			values.Set(pairs[i], pairs[i+1])
		}
	}
	return p.PathTo("utsendinger") + "?" + values.Encode()
}

// kindName is a kind of item in addresses of lists.
func kindName(k dispatch.Kind) string { return kindNames[k] }

// linked is a number that links to its list.
type linked struct {
	N    int
	Path string
}

func (p LeadPage) all(k dispatch.Kind) dispatch.Tally {
	return p.Stats.By(func(o dispatch.OfOutcome) bool { return k == "" || o.Kind == k })
}

// settled is the tally of what somebody meant to reach a recipient: what was stopped by a person did not fail to arrive.
func (p LeadPage) settled() dispatch.Tally {
	return p.Stats.By(func(o dispatch.OfOutcome) bool { return o.Outcome != string(dispatch.StateCancelled) })
}

func (p LeadPage) route(r dispatch.Route) int {
	return p.Stats.By(func(o dispatch.OfOutcome) bool { return dispatch.RouteOf(o.Kind, o.Outcome) == r }).N
}
