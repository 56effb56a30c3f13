package follow

import (
	"context"
	"strconv"
	"strings"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

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
		rows = append(rows, nil, []string{word(part.title), word("lead.n"), word(p.arrived()), word("lead.stopped"), word("lead.parts.head")})
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
