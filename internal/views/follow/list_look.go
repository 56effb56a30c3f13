package follow

import (
	"context"
	"strings"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
)

// Fields of the form for how lists look.
const (
	FieldColumn  = "kolonne"
	FieldCompact = "kompakt"
	FieldChosen  = "valg" // the filter's part of the list's address
	FieldOwnList = "egen" // the list has an address of its own kind

	FieldFiltered = "filtre" // a search is posted with the filters of its list
)

// orders are the orders that the list offers.
func (p *ListPage) orders() (orders []dispatch.ListOrder) {
	for _, by := range dispatch.ListSorts(p.List.Filter.Kind) {
		orders = append(orders, dispatch.ListOrder{By: by}, dispatch.ListOrder{By: by, Reversed: true})
	}
	return orders
}

// orderKey is the catalogue key of an order.
func orderKey(o dispatch.ListOrder) string {
	key := "list.order.time"
	if o.By != dispatch.SortTime {
		key = "list.order." + string(o.By)
	}
	if o.Reversed {
		key += ".reversed"
	}
	return key
}

// sorts are the addresses of the list sorted by each column; by the present one, in the opposite order.
func (p *ListPage) sorts() map[dispatch.ListSort]string {
	sorts := map[dispatch.ListSort]string{}
	for _, by := range dispatch.ListSorts(p.List.Filter.Kind) {
		sorts[by] = p.List.sorted(dispatch.ListOrder{By: by, Reversed: by == p.List.Order.By && !p.List.Order.Reversed})
	}
	return sorts
}

// turns are the links to the pages before and after, with the keys of their words.
type turns struct {
	before, after string
	words         [2]string
}

func (p *ListPage) turns() turns {
	switch o := p.List.Order; {
	case o.By == dispatch.SortTime && o.Reversed:
		return turns{p.Older, p.Newer, [2]string{"sms.list.older", "sms.list.newer"}}
	case o.By == dispatch.SortTime:
		return turns{p.Newer, p.Older, [2]string{"sms.list.newer", "sms.list.older"}}
	case o.Upwards():
		return turns{p.Older, p.Newer, [2]string{"list.before", "list.after"}}
	default:
		return turns{p.Newer, p.Older, [2]string{"list.before", "list.after"}}
	}
}

// ownList tells the form of the list's look that the list has an address of its own kind.
func (p *ListPage) ownList() string {
	if p.List.Fixed {
		return "ja"
	}
	return ""
}

// onPaper is what the list shows, for its print.
func (p *ListPage) onPaper(ctx context.Context) string {
	words := ChosenWords(ctx, p)
	if p.Searched != nil {
		words = append(words, i18n.T(ctx, "print.search", "Words", p.Searched.Shown))
	}
	if len(words) == 0 {
		words = []string{i18n.T(ctx, "print.all")}
	}
	return strings.Join(append(words, i18n.T(ctx, orderKey(p.List.Order))), ", ")
}
