package follow

import (
	"context"
	"strconv"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// weeklyFrom is the number of days from which the page shows weeks.
const weeklyFrom = 32

// dayRow is one day of the period, or one week.
type dayRow struct {
	Day, To              time.Time // the first day, and the day after the last
	Week                 int       // ISO week; 0: a day
	SMS, Shipments       linked
	Digital, Print, Open linked // of shipments by route
}

// perDay are the days of the period, oldest first.
func (p LeadPage) perDay() []dayRow {
	var rows []dayRow
	at := map[string]int{}
	for day := p.Stats.From; day.Before(p.Stats.To); day = day.AddDate(0, 0, 1) {
		at[day.Format(time.DateOnly)] = len(rows)
		rows = append(rows, dayRow{Day: day, To: day.AddDate(0, 0, 1)})
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

// weekly tells whether the period is shown by weeks.
func (p LeadPage) weekly() bool {
	return !p.Stats.From.AddDate(0, 0, weeklyFrom-1).After(p.Stats.To.AddDate(0, 0, -1))
}

// spans are the days of the period, or its weeks if there are many days. The first and last week contain days of the period only.
func (p LeadPage) spans() []dayRow {
	rows := p.perDay()
	if p.weekly() {
		var weeks []dayRow
		for _, r := range rows {
			_, week := r.Day.ISOWeek()
			if len(weeks) == 0 || weeks[len(weeks)-1].Week != week {
				weeks = append(weeks, dayRow{Day: r.Day, Week: week})
			}
			w := &weeks[len(weeks)-1]
			w.To = r.To
			w.SMS.N, w.Shipments.N = w.SMS.N+r.SMS.N, w.Shipments.N+r.Shipments.N
			w.Digital.N, w.Print.N, w.Open.N = w.Digital.N+r.Digital.N, w.Print.N+r.Print.N, w.Open.N+r.Open.N
		}
		rows = weeks
	}
	for i := range rows {
		r := &rows[i]
		of := func(to *linked, field, value string) { to.Path = p.list(r.Day, r.To, field, value) }
		of(&r.SMS, views.FieldKind, kindName(dispatch.KindSMS))
		of(&r.Shipments, views.FieldKind, kindName(dispatch.KindShipment))
		of(&r.Digital, views.FieldRoute, routeNames[dispatch.RouteDigital])
		of(&r.Print, views.FieldRoute, routeNames[dispatch.RoutePrint])
		of(&r.Open, views.FieldRoute, routeNames[dispatch.RouteOpen])
	}
	return rows
}

// name is the day with its weekday, or the week with its days.
func (r dayRow) name(ctx context.Context) string {
	if r.Week > 0 {
		return i18n.T(ctx, "lead.week", "Week", r.Week, "From", shortDay(ctx, r.Day), "To", views.TableDate(ctx, r.To.AddDate(0, 0, -1)))
	}
	return i18n.T(ctx, "time.weekday_date", "Weekday", i18n.T(ctx, "weekday."+strconv.Itoa(int(r.Day.Weekday()))), "Date", views.TableDate(ctx, r.Day))
}

// spanColumn is a column of the table of days; it is left out if it is empty.
type spanColumn struct {
	Key string // catalogue key
	Of  func(dayRow) linked
}

// spanColumns are the columns that are not empty.
func spanColumns(rows []dayRow) (columns []spanColumn) {
	for _, c := range []spanColumn{
		{"lead.sms", func(r dayRow) linked { return r.SMS }}, {"lead.shipments", func(r dayRow) linked { return r.Shipments }},
		{"lead.route.digital", func(r dayRow) linked { return r.Digital }}, {"lead.route.print", func(r dayRow) linked { return r.Print }},
		{"lead.route.open", func(r dayRow) linked { return r.Open }},
	} {
		for _, r := range rows {
			if c.Of(r).N > 0 {
				columns = append(columns, c)
				break
			}
		}
	}
	return columns
}

// daysChart is the chart of the days or weeks.
func (p LeadPage) daysChart(ctx context.Context, rows []dayRow) chart {
	columns, pieces := make([]chartColumn, len(rows)), make([][]chartPiece, len(rows))
	used := map[dispatch.Route]bool{}
	most := 0
	for i, r := range rows {
		if columns[i] = (chartColumn{Label: i18n.T(ctx, "time.day", "Day", r.Day.Day()), Sub: i18n.T(ctx, "weekday.short."+strconv.Itoa(int(r.Day.Weekday())))}); r.Week > 0 {
			columns[i] = chartColumn{Label: strconv.Itoa(r.Week)}
		}
		for _, one := range []struct {
			route dispatch.Route
			n     int
		}{{dispatch.RoutePrint, r.Print.N}, {dispatch.RouteDigital, r.Digital.N}, {dispatch.RouteOpen, r.Open.N}, {dispatch.RouteSMS, r.SMS.N}} {
			pieces[i] = append(pieces[i], chartPiece{one.n, "chart-" + string(one.route)})
			used[one.route] = used[one.route] || one.n > 0
		}
		if n := r.SMS.N + r.Shipments.N; n > rows[most].SMS.N+rows[most].Shipments.N {
			most = i
		}
	}
	c := newChart(columns, pieces, views.Number)
	axis := "lead.axis.days"
	if p.weekly() {
		axis = "lead.axis.weeks"
	}
	c.Axis = i18n.T(ctx, axis)
	c.Says = i18n.T(ctx, "lead.chart", "SMS", p.all(dispatch.KindSMS).N, "Shipments", p.all(dispatch.KindShipment).N, "Days", p.days(ctx),
		"Most", rows[most].SMS.N+rows[most].Shipments.N, "When", rows[most].name(ctx))
	for _, r := range []dispatch.Route{dispatch.RouteSMS, dispatch.RouteDigital, dispatch.RoutePrint, dispatch.RouteOpen} {
		if used[r] {
			c.Legend = append(c.Legend, chartKey{"chart-" + string(r), i18n.T(ctx, "lead.route."+string(r))})
		}
	}
	return c
}
