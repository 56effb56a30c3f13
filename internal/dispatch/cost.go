package dispatch

import "slices"

// Price is an amount in øre, if it is known. Zero øre is a price too.
type Price struct {
	Ore   int
	Known bool
}

// PriceOf is a known price.
func PriceOf(ore int) Price { return Price{ore, true} }

// Times is the price of so many.
func (p Price) Times(n int) Price { return Price{p.Ore * n, p.Known} }

// Prices are an account's prices. Sheet, Color and Giro are what is added on paper, in øre; 0: nothing is.
type Prices struct {
	SMS, Digital, Print Price // of a segment, and of a shipment either way
	Sheet, Color, Giro  int   // of a sheet, of a sheet in colours, of a giro sheet

	// CoverSheet tells that the cover sheet is counted as a sheet. Assumption: it is not publicly known whether the service
	// invoices it, so the account says.
	CoverSheet bool
}

// valid tells whether a price is plausible: at most 10 000 kroner.
func (p Price) valid() bool { return p.Ore >= 0 && p.Ore <= 1_000_000 }

// Set tells whether any price is set.
func (p Prices) Set() bool { return p.SMS.Known || p.Digital.Known || p.Print.Known }

// Cost is the cost in øre of the items of a route that were handed over, without what sheets add.
func (p Prices) Cost(s Statistics, r Route) int {
	t := s.By(func(o OfOutcome) bool {
		return RouteOf(o.Kind, o.Outcome) == r && o.Outcome != OutcomeOpen && !o.Unsent() && o.Outcome != string(StateUncertain)
	})
	if r == RouteSMS {
		return t.Segments * p.Of(r).Ore
	}
	return t.N * p.Of(r).Ore
}

// Unsent tells whether the items were certainly not sent: they cost nothing, and use nothing of a quota.
func (o OfOutcome) Unsent() bool {
	return o.Outcome == string(StateRejected) || o.Outcome == string(StateFailed) || o.Outcome == string(StateCancelled)
}

// Of is the price of a route: per segment for SMS, else per item.
func (p Prices) Of(r Route) Price {
	switch r {
	case RouteSMS:
		return p.SMS
	case RouteDigital:
		return p.Digital
	case RoutePrint:
		return p.Print
	}
	return Price{}
}

// ShipmentCost is what one shipment costs: which way it goes is known afterwards only.
type ShipmentCost struct {
	Print, Digital Price
	Sheets, Giro   int // that are paid for on paper; 0: it is never printed
}

// OfShipment is what a shipment costs.
func (p Prices) OfShipment(s Shipment) ShipmentCost {
	c := ShipmentCost{Digital: p.Digital}
	if s.DigitalOnly {
		return c
	}
	c.Sheets, c.Giro = s.Sheets()
	if p.CoverSheet {
		c.Sheets++
	}
	c.Print = p.Print
	if c.Print.Known {
		c.Print.Ore += c.Sheets*p.Sheet + c.Giro*p.Giro
		if s.Print.Color {
			c.Print.Ore += c.Sheets * p.Color
		}
	}
	return c
}

// Most is what it costs at most, in øre, as far as prices are known.
func (c ShipmentCost) Most() int { return max(c.Print.Ore, c.Digital.Ore) }

// PaperHint is how a shipment could take fewer sheets. The zero value: it could not.
type PaperHint struct {
	Duplex int    // sheets that printing on both sides saves
	File   string // whose last sheet has one side only: a page less saves a sheet
}

// PaperHint looks for sheets that can be saved.
func (s Shipment) PaperHint() PaperHint {
	if s.DigitalOnly {
		return PaperHint{}
	}
	if !s.Print.Duplex {
		now, _ := s.Sheets()
		s.Print.Duplex = true
		then, _ := s.Sheets()
		return PaperHint{Duplex: now - then}
	}
	for _, d := range s.Documents {
		if d.Pages < 2 || slices.Contains(d.GiroPages, d.Pages) {
			continue
		}
		shorter := d
		shorter.Pages--
		if shorter.Sheets(true) < d.Sheets(true) {
			return PaperHint{File: d.FileName}
		}
	}
	return PaperHint{}
}

// BudgetRule is what happens when an account's budget of the month does not suffice.
type BudgetRule string

// The rules.
const (
	BudgetWarn BudgetRule = "warn" // people are told
	BudgetStop BudgetRule = "stop" // nothing more is sent
	BudgetLead BudgetRule = "lead" // a team lead may send
)

// BudgetRules returns the rules in the order of the form.
func BudgetRules() []BudgetRule { return []BudgetRule{BudgetWarn, BudgetStop, BudgetLead} }

// budgetMax is the largest budget of a month in øre: ten million kroner.
const budgetMax = 1_000_000_000

// Budget is what an account may use in a month, and has used, in øre. What is not known yet to be digital counts as paper.
type Budget struct {
	Limit int // 0: none
	Spent int
	Rule  BudgetRule
}

// Level returns the level for spending so much more.
func (b Budget) Level(ore int) QuotaLevel {
	switch {
	case b.Limit == 0:
		return QuotaFine
	case b.Spent+ore > b.Limit:
		return QuotaFull
	case (b.Spent+ore)*100 >= b.Limit*quotaWarnAt:
		return QuotaNear
	}
	return QuotaFine
}

// Allows tells whether so much more may be spent; a lead may where the account asks for one. What costs nothing, or what there
// is no price for, may always be sent.
func (b Budget) Allows(ore int, lead bool) bool {
	return ore == 0 || b.Level(ore) != QuotaFull || b.Rule == BudgetWarn || b.Rule == BudgetLead && lead
}
