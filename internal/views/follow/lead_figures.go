package follow

import (
	"context"
	"slices"
	"strconv"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

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

// keyFigures are the key figures of the page; unknown ones say so.
func (p LeadPage) keyFigures(ctx context.Context) []keyFigure {
	shipments, sms, all := p.all(dispatch.KindShipment), p.all(dispatch.KindSMS), p.all("")
	digital, paper := p.routed(dispatch.RouteDigital), p.routed(dispatch.RoutePrint)
	from, to := p.Stats.From, p.Stats.To
	arrived := keyFigure{Label: i18n.T(ctx, p.arrived()), Value: views.Number(all.Arrived), Path: p.list(from, to, views.FieldGroup, ListGroupName(dispatch.GroupArrived))}
	arrived.More = arrivedShare(ctx, p.settled())
	texts := keyFigure{Label: i18n.T(ctx, "lead.sms"), Value: views.Number(sms.N), Path: p.list(from, to, views.FieldKind, kindName(dispatch.KindSMS))}
	if sms.N > 0 {
		used := p.Stats.By(func(o dispatch.OfOutcome) bool { return o.Kind == dispatch.KindSMS && !o.Unsent() })
		texts.More = i18n.T(ctx, "lead.parts", "N", used.Segments) // as the quota counts
	}
	texts.Parts = p.unsent(dispatch.KindSMS)
	if !p.Account.HasShipments() && shipments.N == 0 {
		return []keyFigure{texts, arrived}
	}
	list := []keyFigure{
		{Label: i18n.T(ctx, "lead.shipments"), Value: views.Number(shipments.N), Path: p.list(from, to, views.FieldKind, kindName(dispatch.KindShipment)),
			Parts: p.unsent(dispatch.KindShipment)},
		texts, arrived,
		{Label: i18n.T(ctx, "lead.digital"), Value: p.orUnknown(ctx, digital.N+paper.N, share(ctx, digital.N, digital.N+paper.N)), Parts: []linkedPart{{digital, "lead.digital.n"}, {paper, "lead.paper.n"}}},
		{Label: i18n.T(ctx, "lead.read"), Value: bandWord(ctx, p.Stats.Read.Median())},
		{Label: i18n.T(ctx, "lead.signed"), Value: bandWord(ctx, p.Stats.Sign.Median())},
	}
	if n := p.Stats.Read.Total(); n > 0 {
		list[4].Parts = []linkedPart{{linked{n, p.list(from, to, views.FieldKind, kindName(dispatch.KindShipment), views.FieldStatus, string(dispatch.StatusRead))}, "lead.read.n"}}
	}
	if n := p.Stats.Sign.Total(); n > 0 {
		list[5].Parts = []linkedPart{{linked{n, p.list(from, to, views.FieldSigning, string(dispatch.SigningDone))}, "lead.signed.n"}}
	}
	return list
}

// unsent tells how many of the items of a kind were never sent: they are counted with the others, as in the list.
func (p LeadPage) unsent(k dispatch.Kind) []linkedPart {
	count := func(stopped bool) linked {
		return linked{N: p.Stats.By(func(o dispatch.OfOutcome) bool {
			return o.Kind == k && o.Unsent() && stopped == (o.Outcome == string(dispatch.StateCancelled))
		}).N}
	}
	parts := []linkedPart{{count(false), "lead.unsent.failed"}, {count(true), "lead.unsent.stopped"}}
	return slices.DeleteFunc(parts, func(part linkedPart) bool { return part.N == 0 })
}

// arrived is the catalogue key for the number of items that arrived.
func (p LeadPage) arrived() string {
	if !p.Account.HasShipments() && p.all(dispatch.KindShipment).N == 0 {
		return views.GroupKey(dispatch.GroupArrived, dispatch.KindSMS)
	}
	return views.GroupKey(dispatch.GroupArrived, "")
}

// arrivedShare is the percentage of settled items that arrived; empty if none is settled.
func arrivedShare(ctx context.Context, all dispatch.Tally) string {
	if all.Arrived+all.Stopped == 0 {
		return ""
	}
	return i18n.T(ctx, "lead.share", "Share", share(ctx, all.Arrived, all.Arrived+all.Stopped))
}

// orUnknown is text, or the word for unknown if of is 0.
func (p LeadPage) orUnknown(ctx context.Context, of int, text string) string {
	if of == 0 {
		return i18n.T(ctx, "lead.unknown")
	}
	return text
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

// share formats a percentage: "74 %", in English "74%".
func share(ctx context.Context, n, of int) string {
	if of == 0 {
		return "–"
	}
	return percent(ctx, (n*100+of/2)/of)
}

// Comparison is what a period is compared with, as named in addresses.
type Comparison string

// The comparisons.
const (
	CompareNone   Comparison = ""
	CompareBefore Comparison = "for"    // as many days right before
	CompareYear   Comparison = "i-fjor" // the same days a year before
)

// ComparisonNamed parses a comparison in an address; anything else is none.
func ComparisonNamed(name string) Comparison {
	if c := Comparison(name); c == CompareBefore || c == CompareYear {
		return c
	}
	return CompareNone
}

// key is the comparison in the catalogue.
func (c Comparison) key() string {
	if c == CompareNone {
		return "none"
	}
	return string(c)
}

// Of is the period to compare with: its first day, and the day after the last.
func (c Comparison) Of(from, to time.Time) (time.Time, time.Time) {
	if c == CompareYear {
		return from.AddDate(-1, 0, 0), to.AddDate(-1, 0, 0)
	}
	days := 0
	for day := from; day.Before(to); day = day.AddDate(0, 0, 1) {
		days++
	}
	return from.AddDate(0, 0, -days), from
}

// comparedRow is a figure of both periods.
type comparedRow struct {
	Label     string
	Now, Then linked // without a path: an amount in øre
	Change    string
}

// comparison are the figures of both periods.
func (p LeadPage) comparison(ctx context.Context) (rows []comparedRow) {
	other := LeadPage{Page: p.Page, Stats: p.Before, Sender: p.Sender}
	for _, m := range []struct {
		key, field, value string
		of                func(LeadPage) int
	}{
		{"lead.shipments", views.FieldKind, kindName(dispatch.KindShipment), func(p LeadPage) int { return p.all(dispatch.KindShipment).N }},
		{"lead.sms", views.FieldKind, kindName(dispatch.KindSMS), func(p LeadPage) int { return p.all(dispatch.KindSMS).N }},
		{p.arrived(), views.FieldGroup, ListGroupName(dispatch.GroupArrived), func(p LeadPage) int { return p.all("").Arrived }},
		{"lead.stopped", views.FieldGroup, ListGroupName(dispatch.GroupStopped), func(p LeadPage) int { return p.all("").Stopped }},
		{"lead.route.digital", views.FieldRoute, routeNames[dispatch.RouteDigital], func(p LeadPage) int { return p.route(dispatch.RouteDigital) }},
		{"lead.route.print", views.FieldRoute, routeNames[dispatch.RoutePrint], func(p LeadPage) int { return p.route(dispatch.RoutePrint) }},
	} {
		now, then := m.of(p), m.of(other)
		if now+then == 0 {
			continue
		}
		rows = append(rows, comparedRow{i18n.T(ctx, m.key), linked{now, p.list(p.Stats.From, p.Stats.To, m.field, m.value)},
			linked{then, p.list(p.Before.From, p.Before.To, m.field, m.value)}, change(ctx, now, then)})
	}
	if now, then := p.priced(p.Stats), p.priced(p.Before); p.Account.Prices.Set() && now+then > 0 {
		rows = append(rows, comparedRow{i18n.T(ctx, "lead.cost"), linked{N: now}, linked{N: then}, change(ctx, now, then)})
	}
	return rows
}

// change is the difference between two numbers in words.
func change(ctx context.Context, now, then int) string {
	switch {
	case then == 0:
		return i18n.T(ctx, "lead.change.new")
	case now == then:
		return i18n.T(ctx, "lead.change.none")
	case now > then:
		return i18n.T(ctx, "lead.change.more", "Share", share(ctx, now-then, then))
	}
	return i18n.T(ctx, "lead.change.less", "Share", share(ctx, then-now, then))
}
