package compose

import (
	"context"
	"slices"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// FieldCost is where pages say that what is to be sent costs more than there is room for.
const FieldCost = "kostnad"

// priceOr is a price in kroner, or the words for none.
func priceOr(ctx context.Context, p dispatch.Price, none string) string {
	if !p.Known {
		return i18n.T(ctx, none)
	}
	return views.Kroner(p.Ore)
}

// budgetUse is how much of a budget is used.
func budgetUse(ctx context.Context, b dispatch.Budget) string {
	return i18n.T(ctx, "cost.budget.of", "Spent", views.Kroner(b.Spent), "Limit", views.Kroner(b.Limit))
}

// budgetKey is the sentence about a budget that costs come near to or beyond; empty: there is nothing to say.
func budgetKey(b dispatch.Budget, ore int) string {
	switch b.Level(ore) {
	case dispatch.QuotaNear:
		return "cost.budget.near"
	case dispatch.QuotaFull:
		return "cost.budget.full." + string(b.Rule)
	}
	return ""
}

// Costs is what shipments cost before they are sent.
type Costs struct {
	All    dispatch.ListCost
	Prices dispatch.Prices
	Budget dispatch.Budget
	Paper  dispatch.PaperHint
	Cover  bool // a cover sheet lies in front
}

// CostsOf are the costs of one shipment.
func CostsOf(s dispatch.Shipment, a dispatch.Account, b dispatch.Budget) Costs {
	return costsOf(s, a.Prices.OfList(s, dispatch.Division{}, nil, 1), a, b)
}

// costsOf are the costs of all shipments of a list. How one could cost less is told where all are alike.
func costsOf(s dispatch.Shipment, all dispatch.ListCost, a dispatch.Account, b dispatch.Budget) Costs {
	c := Costs{All: all, Prices: a.Prices, Budget: b, Cover: a.Rules().CoverSheet && !s.DigitalOnly}
	if all.Alike() {
		c.Paper = s.PaperHint()
	}
	return c
}

// paper is what the cheapest and the dearest of them cost on paper.
func (c Costs) paper() (least, most dispatch.Price) {
	byPrice := func(a, b dispatch.SliceCost) int { return a.Print.Ore - b.Print.Ore }
	return slices.MinFunc(c.All.By, byPrice).Print, slices.MaxFunc(c.All.By, byPrice).Print
}

// lines are what they cost either way, in sentences.
func (c Costs) lines(ctx context.Context) (list []string) {
	if !c.Prices.Digital.Known && !c.Prices.Print.Known {
		return []string{i18n.T(ctx, "cost.shipments.none")}
	}
	each := c.All.By[0].ShipmentCost
	way := func(key string, one, all dispatch.Price) {
		text := i18n.T(ctx, key, "N", each.Sheets, "Price", priceOr(ctx, one, "cost.none"))
		if c.All.N > 1 && all.Known {
			text += " " + i18n.T(ctx, "cost.all", "N", c.All.N, "Price", views.Kroner(all.Ore))
		}
		list = append(list, text)
	}
	switch {
	case !c.All.Alike() && !each.Print.Known:
		list = append(list, i18n.T(ctx, "cost.print.differ.unknown", "N", c.All.Paid()))
	case !c.All.Alike():
		least, most := c.paper()
		list = append(list, i18n.T(ctx, "cost.print.differ", "N", c.All.Paid(), "Price", views.Kroner(c.All.Print().Ore), "Least", views.Kroner(least.Ore), "Most", views.Kroner(most.Ore)))
	case each.Sheets > 0:
		way("cost.print", each.Print, c.All.Print())
	}
	way("cost.digital", each.Digital, c.All.Digital())
	return list
}

// coverKey is what is known of the cover sheet's price, and how it is counted here.
func (c Costs) coverKey() string {
	if c.Prices.CoverSheet {
		return "cost.cover.counted"
	}
	return "cost.cover.free"
}
