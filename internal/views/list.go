package views

import (
	"context"
	"slices"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
)

// ManyName adds to the name of a job that is a draft of a shipment, or that goes to those whom an earlier one did not reach, how many it
// goes to; of any draft that it can go to nobody.
func ManyName(ctx context.Context, name string, j dispatch.Job) string {
	draft := j.State == dispatch.JobDraft
	switch n := j.To(); {
	case draft && j.NobodyLeft():
		return i18n.T(ctx, "job.list.nobody_left", "Name", name)
	case draft && j.AllLeftOut():
		return i18n.T(ctx, "job.list.all_left_out", "Name", name, "N", j.List.LeftOut)
	case n == 0:
		return name
	case j.Again && j.Shipments():
		return i18n.T(ctx, "shipments.list.again", "Name", name, "N", n)
	case j.Again:
		return i18n.T(ctx, "job.list.again", "Name", name, "N", n)
	case draft && j.Shipments():
		return i18n.T(ctx, "drafts.many", "Name", name, "N", n)
	}
	return name
}

// Titled is the title of a shipment that has been sent; when it is deleted, that it has none.
func Titled(ctx context.Context, title string) string {
	return OrText(title, i18n.T(ctx, "list.untitled"))
}

// titleOf is a shipment's title in a list.
func titleOf(ctx context.Context, r *dispatch.ListRow) string {
	if r.Many != nil {
		return ManyName(ctx, OrText(r.Title, i18n.T(ctx, "drafts.untitled")), *r.Many)
	}
	if r.State == dispatch.StateDraft {
		return OrText(r.Title, i18n.T(ctx, "list.untitled.draft"))
	}
	return Titled(ctx, r.Title)
}

// ItemTable is a table of items. Sorts are the addresses of the list in the order of a column, where that is offered.
type ItemTable struct {
	Page    *Page
	Caption string
	Rows    []dispatch.ListRow
	Pick    bool // each row has a check box
	Order   dispatch.ListOrder
	Sorts   map[dispatch.ListSort]string
}

// direction is the order of the column by which the table is sorted, as aria-sort has it; empty: it is sorted by another.
func (t ItemTable) direction(columns ...dispatch.ListSort) string {
	switch {
	case t.Sorts == nil || !slices.Contains(columns, t.Order.By):
		return ""
	case t.Order.Reversed != (t.Order.By == dispatch.SortTime):
		return "descending"
	}
	return "ascending"
}

// PathOf is the address of an item.
func (p *Page) PathOf(it dispatch.Item) string {
	if it.Kind == dispatch.KindShipment {
		return p.PathTo("forsendelser", string(it.ID))
	}
	return p.PathTo("sms", string(it.ID))
}
