package follow

import (
	"context"
	"strconv"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// spark is a sparkline of recent days, with a text alternative.
type spark struct {
	Says string // text alternative
	Span string // caption: the days
	Most string // caption: the largest value
	Bars []views.Bar
}

// sparkHeight is the height of a sparkline in its own units; each day is ten wide.
const sparkHeight = 40

// box is the SVG viewBox.
func (s spark) box() string {
	return "0 0 " + strconv.Itoa(recentDays*10) + " " + strconv.Itoa(sparkHeight)
}

// recent is the sparkline of an outcome's items by day.
func (p LeadPage) recent(ctx context.Context, key string, of func(dispatch.OfOutcome) int) spark {
	days := map[string]int{}
	for _, o := range p.Recent.Outcomes {
		days[o.Day.Format(time.DateOnly)] += of(o)
	}
	return p.sparkOf(ctx, key, days, views.Number)
}

// recentCost is the sparkline of costs by day.
func (p LeadPage) recentCost(ctx context.Context) spark {
	days := map[string]int{}
	byDay := map[string]dispatch.Statistics{}
	for _, o := range p.Recent.Outcomes {
		day := o.Day.Format(time.DateOnly)
		s := byDay[day]
		s.Outcomes = append(s.Outcomes, o)
		byDay[day] = s
	}
	for day, s := range byDay {
		days[day] = p.priced(s)
	}
	return p.sparkOf(ctx, "lead.now.cost.picture", days, func(ore int) string { return views.Kroner(ctx, ore) })
}

// sparkOf draws a sparkline; key names its texts in the catalogue.
func (p LeadPage) sparkOf(ctx context.Context, key string, days map[string]int, format func(int) string) spark {
	first := p.today().AddDate(0, 0, 1-recentDays)
	most, sum, when := 0, 0, time.Time{}
	values := make([]int, recentDays)
	for i := range values {
		day := first.AddDate(0, 0, i)
		values[i] = days[day.Format(time.DateOnly)]
		if sum += values[i]; values[i] > most {
			most, when = values[i], day
		}
	}
	what := i18n.T(ctx, key)
	if most == 0 {
		return spark{Says: i18n.T(ctx, "lead.now.picture.none", "What", what)}
	}
	s := spark{Says: i18n.T(ctx, "lead.now.picture", "What", what, "Sum", format(sum), "Most", format(most), "Date", views.DateText(ctx, when)),
		Span: i18n.T(ctx, "lead.now.span", "From", shortDay(ctx, first), "To", shortDay(ctx, p.today())),
		Most: i18n.T(ctx, "lead.now.most", "What", what, "Most", format(most), "Day", shortDay(ctx, when))}
	for i, n := range values {
		if n > 0 {
			h := max(float64(n)*sparkHeight/float64(most), 2)
			s.Bars = append(s.Bars, views.Bar{X: decimal(float64(i*10 + 1)), Y: decimal(sparkHeight - h), Width: "8", Height: decimal(h), Class: "chart-digital"})
		}
	}
	return s
}

// shortDay is a day and month: "26.11.", in English "26 Nov".
func shortDay(ctx context.Context, t time.Time) string {
	return i18n.DayInChart.Of(ctx, t.In(views.Oslo))
}

func monthNumber(t time.Time) string { return strconv.Itoa(int(t.In(views.Oslo).Month())) }
