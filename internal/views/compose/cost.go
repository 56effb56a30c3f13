package compose

import (
	"context"
	"slices"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// FieldCost is the field of problems about cost: over the budget.
const FieldCost = "kostnad"

// priceOr is a price in kroner, or the text none if there is no price.
func priceOr(ctx context.Context, p dispatch.Price, none string) string {
	if !p.Known {
		return i18n.T(ctx, none)
	}
	return views.Kroner(ctx, p.Ore)
}

// budgetUse is how much of a budget is used, in words.
func budgetUse(ctx context.Context, b dispatch.Budget) string {
	return i18n.T(ctx, "cost.budget.of", "Spent", views.Kroner(ctx, b.Spent), "Limit", views.Kroner(ctx, b.Limit))
}

// budgetKey is the catalogue key of the warning that a cost comes near to or exceeds the budget; empty: no warning.
func budgetKey(b dispatch.Budget, ore int) string {
	switch b.Level(ore) {
	case dispatch.QuotaNear:
		return "cost.budget.near"
	case dispatch.QuotaFull:
		return "cost.budget.full." + string(b.Rule)
	}
	return ""
}

// Costs is what shipments are expected to cost.
type Costs struct {
	All    dispatch.ListCost
	Prices dispatch.Prices
	Budget dispatch.Budget
	Paper  dispatch.PaperHint
	Cover  bool // the service adds a cover sheet
}

// CostsOf are the costs of one shipment.
func CostsOf(s dispatch.Shipment, a dispatch.Account, b dispatch.Budget) Costs {
	return costsOf(s, a.Prices.OfOne(s), a, b)
}

// costsOf are the costs of all shipments of a list. Advice on saving is given only where all are alike.
func costsOf(s dispatch.Shipment, all dispatch.ListCost, a dispatch.Account, b dispatch.Budget) Costs {
	c := Costs{All: all, Prices: a.Prices, Budget: b, Cover: a.Rules().CoverSheet && !s.DigitalOnly}
	if all.Alike() {
		c.Paper = s.PaperHint()
	}
	return c
}

// paper is the cheapest and the dearest price on paper.
func (c Costs) paper() (least, most dispatch.Price) {
	byPrice := func(a, b dispatch.SliceCost) int { return a.Print.Ore - b.Print.Ore }
	return slices.MinFunc(c.All.By, byPrice).Print, slices.MaxFunc(c.All.By, byPrice).Print
}

// lines are the costs on paper and digitally, in sentences.
func (c Costs) lines(ctx context.Context) (list []string) {
	if !c.Prices.Digital.Known && !c.Prices.Print.Known {
		return []string{i18n.T(ctx, "cost.shipments.none")}
	}
	each := c.All.By[0].ShipmentCost
	way := func(key string, one, all dispatch.Price) {
		text := i18n.T(ctx, key, "N", each.Sheets, "Price", priceOr(ctx, one, "cost.none"))
		if c.All.N > 1 && all.Known {
			text += " " + i18n.T(ctx, "cost.all", "N", c.All.N, "Price", views.Kroner(ctx, all.Ore))
		}
		list = append(list, text)
	}
	switch {
	case !c.All.Alike() && !each.Print.Known:
		list = append(list, i18n.T(ctx, "cost.print.differ.unknown", "N", c.All.Paid()))
	case !c.All.Alike():
		least, most := c.paper()
		list = append(list, i18n.T(ctx, "cost.print.differ", "N", c.All.Paid(), "Price", views.Kroner(ctx, c.All.Print().Ore), "Least", views.Kroner(ctx, least.Ore), "Most", views.Kroner(ctx, most.Ore)))
	case each.Sheets > 0:
		way("cost.print", each.Print, c.All.Print())
	}
	way("cost.digital", each.Digital, c.All.Digital())
	return list
}

// coverKey is the catalogue key of the sentence that tells how the cover sheet is priced.
func (c Costs) coverKey() string {
	if c.Prices.CoverSheet {
		return "cost.cover.counted"
	}
	return "cost.cover.free"
}
