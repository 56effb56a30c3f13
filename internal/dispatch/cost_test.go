package dispatch

import "testing"

func TestShipmentCost(t *testing.T) {
	t.Parallel()
	prices := Prices{Digital: PriceOf(0), Print: PriceOf(1500), Sheet: 100, Color: 50, Giro: 25}
	s := Shipment{Documents: []Document{{FileName: "vedtak.pdf", Pages: 3}, {FileName: "giro.pdf", Pages: 1, GiroPages: []int{1}}}}
	for name, test := range map[string]struct {
		change         func(*Prices, *Shipment)
		print, digital Price
	}{
		"single-sided":                  {func(*Prices, *Shipment) {}, PriceOf(1500 + 4*100 + 25), PriceOf(0)},
		"on both sides":                 {func(_ *Prices, s *Shipment) { s.Print.Duplex = true }, PriceOf(1500 + 3*100 + 25), PriceOf(0)},
		"in colours":                    {func(_ *Prices, s *Shipment) { s.Print.Color = true }, PriceOf(1500 + 4*150 + 25), PriceOf(0)},
		"with a cover sheet":            {func(p *Prices, _ *Shipment) { p.CoverSheet = true }, PriceOf(1500 + 5*100 + 25), PriceOf(0)},
		"digital only":                  {func(_ *Prices, s *Shipment) { s.DigitalOnly = true }, Price{}, PriceOf(0)},
		"without a price of paper":      {func(p *Prices, _ *Shipment) { p.Print = Price{} }, Price{}, PriceOf(0)},
		"with sheets that cost nothing": {func(p *Prices, _ *Shipment) { p.Sheet = 0 }, PriceOf(1500 + 25), PriceOf(0)},
	} {
		p, s := prices, s
		test.change(&p, &s)
		if c := p.OfShipment(s); c.Print != test.print || c.Digital != test.digital {
			t.Errorf("%s: got %+v and %+v, want %+v and %+v", name, c.Print, c.Digital, test.print, test.digital)
		}
	}
}

func TestPaperHint(t *testing.T) {
	t.Parallel()
	one := func(pages int, duplex bool) PaperHint {
		return Shipment{Print: PrintOptions{Duplex: duplex}, Documents: []Document{{FileName: "a.pdf", Pages: pages}}}.PaperHint()
	}
	if got := one(5, false); got.Duplex != 2 {
		t.Errorf("five pages on one side: got %+v", got)
	}
	if got := one(3, true); got.File != "a.pdf" {
		t.Errorf("three pages on both sides: got %+v", got)
	}
	for _, pages := range []int{1, 4} {
		if got := one(pages, true); got != (PaperHint{}) {
			t.Errorf("%d pages on both sides: got %+v", pages, got)
		}
	}
}

func TestBudget(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		budget       Budget
		ore          int
		level        QuotaLevel
		allows, lead bool
	}{
		{Budget{}, 1 << 40, QuotaFine, true, true},
		{Budget{Limit: 1000, Spent: 700, Rule: BudgetStop}, 99, QuotaFine, true, true},
		{Budget{Limit: 1000, Spent: 700, Rule: BudgetStop}, 100, QuotaNear, true, true},
		{Budget{Limit: 1000, Spent: 700, Rule: BudgetStop}, 300, QuotaNear, true, true},
		{Budget{Limit: 1000, Spent: 700, Rule: BudgetStop}, 301, QuotaFull, false, false},
		{Budget{Limit: 1000, Spent: 700, Rule: BudgetLead}, 301, QuotaFull, false, true},
		{Budget{Limit: 1000, Spent: 700, Rule: BudgetWarn}, 301, QuotaFull, true, true},
		{Budget{Limit: 1000, Spent: 2000, Rule: BudgetStop}, 0, QuotaFull, true, true},
	} {
		if got := test.budget.Level(test.ore); got != test.level {
			t.Errorf("%+v with %d: got %q, want %q", test.budget, test.ore, got, test.level)
		}
		if got, lead := test.budget.Allows(test.ore, false), test.budget.Allows(test.ore, true); got != test.allows || lead != test.lead {
			t.Errorf("%+v allows %d: %t, a lead %t", test.budget, test.ore, got, lead)
		}
	}
}
