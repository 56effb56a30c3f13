package follow

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
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
		ps = append(ps, dispatch.Problem{Field: FieldPeriodFrom, Key: "problem.date"})
	}
	if !lastOK {
		ps = append(ps, dispatch.Problem{Field: FieldPeriodTo, Key: "problem.date"})
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

// days describes the period.
func (p LeadPage) days(ctx context.Context) string {
	first, last := p.Stats.From.In(views.Oslo), p.Stats.To.In(views.Oslo).AddDate(0, 0, -1)
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

// keyFigure is one large number.
type keyFigure struct {
	Label, Value, More string
	Path               string
	Parts              []linkedPart // its parts
}

// linkedPart is a part of a key figure, with its name.
type linkedPart struct {
	linked
	Word string // catalogue key
}

func (p LeadPage) all(k dispatch.Kind) dispatch.Tally {
	return p.Stats.By(func(o dispatch.OfOutcome) bool { return k == "" || o.Kind == k })
}

func (p LeadPage) route(r dispatch.Route) int {
	return p.Stats.By(func(o dispatch.OfOutcome) bool { return dispatch.RouteOf(o.Kind, o.Outcome) == r }).N
}

// keyFigures are the key figures of the page.
func (p LeadPage) keyFigures(ctx context.Context) []keyFigure {
	shipments, sms, all := p.all(dispatch.KindShipment), p.all(dispatch.KindSMS), p.all("")
	digital, paper := p.routed(dispatch.RouteDigital), p.routed(dispatch.RoutePrint)
	from, to := p.Stats.From, p.Stats.To
	return []keyFigure{
		{Label: i18n.T(ctx, "lead.shipments"), Value: views.Number(shipments.N), Path: p.list(from, to, views.FieldKind, kindName(dispatch.KindShipment))},
		{Label: i18n.T(ctx, "lead.sms"), Value: views.Number(sms.N), More: i18n.T(ctx, "lead.parts", "N", sms.Segments),
			Path: p.list(from, to, views.FieldKind, kindName(dispatch.KindSMS))},
		{Label: i18n.T(ctx, "lead.arrived"), Value: views.Number(all.Arrived), More: i18n.T(ctx, "lead.share", "Share", share(all.Arrived, all.Arrived+all.Stopped)),
			Path: p.list(from, to, views.FieldGroup, ListGroupName(dispatch.GroupArrived))},
		{Label: i18n.T(ctx, "lead.digital"), Value: share(digital.N, digital.N+paper.N), Parts: []linkedPart{{digital, "lead.digital.n"}, {paper, "lead.paper.n"}}},
		{Label: i18n.T(ctx, "lead.read"), Value: bandWord(ctx, p.Stats.Read.Median()), Parts: []linkedPart{{
			linked{p.Stats.Read.Total(), p.list(from, to, views.FieldKind, kindName(dispatch.KindShipment), views.FieldStatus, string(dispatch.StatusRead))}, "lead.read.n"}}},
		{Label: i18n.T(ctx, "lead.signed"), Value: bandWord(ctx, p.Stats.Sign.Median()), Parts: []linkedPart{{
			linked{p.Stats.Sign.Total(), p.list(from, to, views.FieldSigning, string(dispatch.SigningDone))}, "lead.signed.n"}}},
	}
}

// routed is the number of items on a route.
func (p LeadPage) routed(r dispatch.Route) linked {
	return linked{p.route(r), p.list(p.Stats.From, p.Stats.To, views.FieldRoute, routeNames[r])}
}

// bandWord describes a range of durations.
func bandWord(ctx context.Context, band int) string { return i18n.T(ctx, "lead.band."+bandName(band)) }

func bandName(band int) string {
	if band < 0 {
		return "none"
	}
	return strconv.Itoa(band)
}

// share formats a percentage: "74 %".
func share(n, of int) string {
	if of == 0 {
		return "–"
	}
	return strconv.Itoa((n*100+of/2)/of) + "\u00a0%"
}

// dayRow is one day of the period.
type dayRow struct {
	Day                  time.Time
	SMS, Shipments       linked
	Digital, Print, Open linked // of shipments by route
}

// perDay are the days of the period, oldest first.
func (p LeadPage) perDay() []dayRow {
	var rows []dayRow
	at := map[string]int{}
	for day := p.Stats.From; day.Before(p.Stats.To); day = day.AddDate(0, 0, 1) {
		at[day.Format(time.DateOnly)] = len(rows)
		next := day.AddDate(0, 0, 1)
		of := func(field, value string) linked { return linked{Path: p.list(day, next, field, value)} }
		rows = append(rows, dayRow{Day: day, SMS: of(views.FieldKind, kindName(dispatch.KindSMS)), Shipments: of(views.FieldKind, kindName(dispatch.KindShipment)),
			Digital: of(views.FieldRoute, routeNames[dispatch.RouteDigital]), Print: of(views.FieldRoute, routeNames[dispatch.RoutePrint]),
			Open: of(views.FieldRoute, routeNames[dispatch.RouteOpen])})
	}
	for _, o := range p.Stats.Outcomes {
		i, ok := at[o.Day.Format(time.DateOnly)]
		if !ok {
			continue
		}
		r := &rows[i]
		switch dispatch.RouteOf(o.Kind, o.Outcome) {
		case dispatch.RouteSMS:
			r.SMS.N += o.N
			continue
		case dispatch.RouteDigital:
			r.Digital.N += o.N
		case dispatch.RoutePrint:
			r.Print.N += o.N
		default:
			r.Open.N += o.N
		}
		r.Shipments.N += o.N
	}
	return rows
}

// chartHeight is the chart's height in its own units.
const chartHeight = 100

// bars are the chart's rectangles, one column a day.
func bars(rows []dayRow) []views.Bar {
	most := 1
	for _, r := range rows {
		most = max(most, r.SMS.N+r.Shipments.N)
	}
	var list []views.Bar
	for i, r := range rows {
		y := float64(chartHeight)
		for _, piece := range []struct {
			n     int
			class string
		}{{r.Print.N, "chart-print"}, {r.Digital.N, "chart-digital"}, {r.Open.N, "chart-open"}, {r.SMS.N, "chart-sms"}} {
			if piece.n == 0 {
				continue
			}
			h := float64(piece.n) * chartHeight / float64(most)
			y -= h
			list = append(list, views.Bar{X: decimal(float64(i*10 + 1)), Y: decimal(y), Width: "8", Height: decimal(h), Class: piece.class})
		}
	}
	return list
}

func decimal(f float64) string { return strconv.FormatFloat(f, 'f', 2, 64) }

func chartBox(rows []dayRow) string {
	return "0 0 " + strconv.Itoa(len(rows)*10) + " " + strconv.Itoa(chartHeight)
}

// statusRow is the number of items of one status or state.
type statusRow struct {
	views.Look
	Kind    dispatch.Kind
	Outcome string
	linked
	Failure bool
}

// byStatus are the statuses of a kind, most frequent first.
func (p LeadPage) byStatus(ctx context.Context, failures bool) []statusRow {
	sums := map[[2]string]int{}
	for _, o := range p.Stats.Outcomes {
		sums[[2]string{string(o.Kind), o.Outcome}] += o.N
	}
	var rows []statusRow
	for key, n := range sums {
		k, outcome := dispatch.Kind(key[0]), key[1]
		if n == 0 || failures != dispatch.Failure(k, outcome) {
			continue
		}
		rows = append(rows, statusRow{Look: outcomeLook(ctx, k, outcome), Kind: k, Outcome: outcome, linked: linked{n, p.outcomePath(k, outcome)}, Failure: failures})
	}
	slices.SortFunc(rows, func(a, b statusRow) int {
		if a.N != b.N {
			return b.N - a.N
		}
		return strings.Compare(string(a.Kind)+a.Outcome, string(b.Kind)+b.Outcome)
	})
	return rows
}

// outcomePath is the list of the items of an outcome: a group, one of our own states, or a status.
func (p LeadPage) outcomePath(k dispatch.Kind, outcome string) string {
	field, value := views.FieldStatus, outcome
	if name := outcomeNames[outcome]; name != "" {
		field, value = views.FieldOutcome, name
	}
	if outcome == string(dispatch.StateUncertain) {
		field, value = views.FieldGroup, ListGroupName(dispatch.GroupUncertain)
	}
	return p.list(p.Stats.From, p.Stats.To, views.FieldKind, kindName(k), field, value)
}

// outcomeLook is the appearance of an outcome, in the words used everywhere.
func outcomeLook(ctx context.Context, k dispatch.Kind, outcome string) views.Look {
	switch outcome {
	case dispatch.OutcomeOpen, dispatch.OutcomeUntracked:
		return views.Look{Word: i18n.T(ctx, "lead.outcome."+outcome), Color: "neutral", Icon: "Clock"}
	}
	if l, ok := views.StageLooks[dispatch.Stage(outcome)]; ok {
		l.Word = i18n.T(ctx, "stage."+outcome)
		return l
	}
	return views.StatusLook(ctx, k, dispatch.Status(outcome))
}

// valueRow is one sender, template or billing code.
type valueRow struct {
	Name, Value string
	dispatch.Tally
	Path string
}

// values are the values of a dimension, both kinds together, most frequent first.
func (p LeadPage) values(of []dispatch.OfValue, field string) []valueRow {
	var rows []valueRow
	for _, v := range of {
		i := slices.IndexFunc(rows, func(r valueRow) bool { return r.Value == v.Value })
		if i < 0 {
			row := valueRow{Name: v.Name, Value: v.Value, Path: p.list(p.Stats.From, p.Stats.To, field, v.Value)}
			if row.Name == "" {
				row.Name = v.Value
			}
			rows, i = append(rows, row), len(rows)
		}
		rows[i].Tally = rows[i].Tally.Add(v.Tally)
	}
	slices.SortStableFunc(rows, func(a, b valueRow) int { return b.N - a.N })
	return rows
}

// costRow is the cost of one route.
type costRow struct {
	Route  dispatch.Route
	Ore    int
	Priced bool // the account has a price for it
}

// amount formats the cost.
func (r costRow) amount(ctx context.Context) string {
	if !r.Priced {
		return i18n.T(ctx, "lead.cost.unpriced")
	}
	return views.Kroner(r.Ore)
}

// costs are the period's costs by the account's prices; none without prices.
func (p LeadPage) costs() []costRow {
	if !p.Account.Prices.Set() {
		return nil
	}
	var rows []costRow
	for _, r := range []dispatch.Route{dispatch.RouteSMS, dispatch.RouteDigital, dispatch.RoutePrint} {
		rows = append(rows, costRow{r, p.Account.Prices.Cost(p.Stats, r), p.Account.Prices.Of(r).Known})
	}
	return rows
}

// total is the sum of costs.
func total(rows []costRow) (ore int) {
	for _, r := range rows {
		ore += r.Ore
	}
	return ore
}

// LeadTable is the page's content as a table for the file.
func LeadTable(ctx context.Context, p LeadPage) [][]string {
	word := func(key string) string { return i18n.T(ctx, key) }
	rows := [][]string{{word("lead.day"), word("lead.sms"), word("lead.shipments"), word("lead.route.digital"), word("lead.route.print"), word("lead.route.open")}}
	for _, r := range p.perDay() {
		rows = append(rows, []string{r.Day.Format(time.DateOnly), strconv.Itoa(r.SMS.N), strconv.Itoa(r.Shipments.N), strconv.Itoa(r.Digital.N), strconv.Itoa(r.Print.N), strconv.Itoa(r.Open.N)})
	}
	rows = append(rows, nil, []string{word("lead.channel"), word("lead.status"), word("lead.n")})
	for _, failures := range []bool{false, true} {
		for _, r := range p.byStatus(ctx, failures) {
			rows = append(rows, []string{word("lead.kind." + string(r.Kind)), r.Word, strconv.Itoa(r.N)})
		}
	}
	for _, part := range []struct {
		title, field string
		of           []dispatch.OfValue
	}{{"lead.senders", views.FieldSender, p.Stats.Senders}, {"lead.templates", views.FieldTemplate, p.Stats.Templates}, {"lead.billing", views.FieldBilling, p.Stats.Billing}} {
		rows = append(rows, nil, []string{word(part.title), word("lead.n"), word("lead.arrived"), word("lead.stopped"), word("lead.parts.head")})
		for _, v := range p.values(part.of, part.field) {
			rows = append(rows, []string{v.Name, strconv.Itoa(v.N), strconv.Itoa(v.Arrived), strconv.Itoa(v.Stopped), strconv.Itoa(v.Segments)})
		}
	}
	if costs := p.costs(); len(costs) > 0 {
		rows = append(rows, nil, []string{word("lead.cost"), word("lead.cost.amount")})
		for _, r := range costs {
			rows = append(rows, []string{word("lead.route." + string(r.Route)), strings.ReplaceAll(r.amount(ctx), "\u00a0", " ")})
		}
	}
	return rows
}

// grouped is the list of a value's items in one group.
func (r valueRow) grouped(g dispatch.Group) string {
	return r.Path + "&" + views.FieldGroup + "=" + ListGroupName(g)
}

// leadBand is the number of items in a range of durations.
func (p LeadPage) leadBand(field string, band, n int) linked {
	return linked{n, p.list(p.Stats.From, p.Stats.To, field, bandNumber(dispatch.Band(band+1)))}
}
