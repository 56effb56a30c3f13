package compose

import (
	"context"

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
	Each   dispatch.ShipmentCost
	N      int // how many there are
	Prices dispatch.Prices
	Budget dispatch.Budget
	Paper  dispatch.PaperHint
	Cover  bool // a cover sheet lies in front
}

// CostsOf are the costs of so many shipments like one.
func CostsOf(s dispatch.Shipment, n int, a dispatch.Account, b dispatch.Budget) Costs {
	return Costs{a.Prices.OfShipment(s), n, a.Prices, b, s.PaperHint(), a.Rules().CoverSheet && !s.DigitalOnly}
}

// most is what they cost at most, in øre.
func (c Costs) most() int { return c.Each.Most() * c.N }

// lines are what they cost either way, in sentences.
func (c Costs) lines(ctx context.Context) (list []string) {
	if !c.Prices.Digital.Known && !c.Prices.Print.Known {
		return []string{i18n.T(ctx, "cost.shipments.none")}
	}
	way := func(key string, p dispatch.Price) {
		text := i18n.T(ctx, key, "N", c.Each.Sheets, "Price", priceOr(ctx, p, "cost.none"))
		if c.N > 1 && p.Known {
			text += " " + i18n.T(ctx, "cost.all", "N", c.N, "Price", views.Kroner(p.Times(c.N).Ore))
		}
		list = append(list, text)
	}
	if c.Each.Sheets > 0 {
		way("cost.print", c.Each.Print)
	}
	way("cost.digital", c.Each.Digital)
	return list
}

// coverKey is what is known of the cover sheet's price, and how it is counted here.
func (c Costs) coverKey() string {
	if c.Prices.CoverSheet {
		return "cost.cover.counted"
	}
	return "cost.cover.free"
}
