package follow

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

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

// failures is how many items failed.
func failures(rows []statusRow) (n int) {
	for _, r := range rows {
		n += r.N
	}
	return n
}

// sameKind tells whether all rows are of one channel, which then is not named in each.
func sameKind(rows []statusRow) bool {
	return !slices.ContainsFunc(rows, func(r statusRow) bool { return r.Kind != rows[0].Kind })
}

// segmented tells whether any row counts segments, and stopped whether any item was stopped.
func segmented(rows []valueRow) bool {
	return slices.ContainsFunc(rows, func(r valueRow) bool { return r.Segments > 0 })
}

func stopped(rows []valueRow) bool {
	return slices.ContainsFunc(rows, func(r valueRow) bool { return r.Stopped > 0 })
}

// bandsChart is the chart of a distribution of durations.
func bandsChart(ctx context.Context, title string, b dispatch.Bands) chart {
	columns, pieces := make([]chartColumn, len(b)), make([][]chartPiece, len(b))
	for i, n := range b {
		columns[i], pieces[i] = chartColumn{Label: i18n.T(ctx, "lead.band.short."+strconv.Itoa(i)), Sub: share(ctx, n, b.Total())}, []chartPiece{{n, "chart-digital"}}
	}
	c := newChart(columns, pieces, views.Number)
	c.Axis = i18n.T(ctx, "lead.axis.bands")
	c.Says = i18n.T(ctx, "lead.chart.bands", "Title", i18n.T(ctx, title), "Count", b.Total(), "Median", bandWord(ctx, b.Median()))
	return c
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
	return views.Kroner(ctx, r.Ore)
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

// grouped is the list of a value's items in one group.
func (r valueRow) grouped(g dispatch.Group) string {
	return r.Path + "&" + views.FieldGroup + "=" + ListGroupName(g)
}

// leadBand is the number of items in a range of durations.
func (p LeadPage) leadBand(field string, band, n int) linked {
	return linked{n, p.list(p.Stats.From, p.Stats.To, field, bandNumber(dispatch.Band(band+1)))}
}
