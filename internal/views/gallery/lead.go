package gallery

import (
	"time"

	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/views"
	"utsending/internal/views/follow"
)

// sampleStatistics are the figures of some days, with every outcome that has its own label.
func sampleStatistics(from time.Time, days int) dispatch.Statistics {
	st := dispatch.Statistics{From: from, To: from.AddDate(0, 0, days)}
	outcomes := []struct {
		kind    dispatch.Kind
		outcome string
		n       int
	}{
		{dispatch.KindSMS, string(dispatch.StatusDelivered), 41}, {dispatch.KindSMS, string(dispatch.StatusNotDelivered), 3}, {dispatch.KindSMS, dispatch.OutcomeUntracked, 5},
		{dispatch.KindShipment, string(dispatch.StatusRead), 18}, {dispatch.KindShipment, string(dispatch.StatusPrinted), 9}, {dispatch.KindShipment, dispatch.OutcomeOpen, 4},
		{dispatch.KindShipment, string(dispatch.StateRejected), 1}, {dispatch.KindSMS, string(dispatch.StateUncertain), 1}, {dispatch.KindSMS, string(dispatch.StateCancelled), 1},
	}
	for d := range days {
		for i, o := range outcomes {
			n := o.n + (d*7+i*3)%11
			t := dispatch.Tally{N: n, Segments: 0}
			switch {
			case dispatch.Failure(o.kind, o.outcome):
				t.Stopped = n
			case o.outcome == string(dispatch.StatusDelivered), o.outcome == string(dispatch.StatusRead), o.outcome == string(dispatch.StatusPrinted):
				t.Arrived = n
			}
			if o.kind == dispatch.KindSMS {
				t.Segments = n * 2
			}
			st.Outcomes = append(st.Outcomes, dispatch.OfOutcome{Day: from.AddDate(0, 0, d), Kind: o.kind, Outcome: o.outcome, Tally: t})
		}
	}
	st.Senders = []dispatch.OfValue{
		{Kind: dispatch.KindSMS, Value: sampleID(900), Name: "Kari Nordmann", Tally: dispatch.Tally{N: 210, Arrived: 190, Stopped: 9, Segments: 420}},
		{Kind: dispatch.KindShipment, Value: sampleID(900), Name: "Kari Nordmann", Tally: dispatch.Tally{N: 40, Arrived: 30}},
		{Kind: dispatch.KindShipment, Value: sampleID(901), Name: "Ingrid Lunde", Tally: dispatch.Tally{N: 112, Arrived: 100, Stopped: 4}},
	}
	st.Templates = []dispatch.OfValue{{Kind: dispatch.KindSMS, Value: sampleID(902), Name: "Påminnelse om time", Tally: dispatch.Tally{N: 80, Arrived: 75, Stopped: 2, Segments: 160}}}
	st.Billing = []dispatch.OfValue{{Kind: dispatch.KindShipment, Value: "2140-SFO", Tally: dispatch.Tally{N: 77, Arrived: 60, Stopped: 3}}}
	st.Read, st.Sign = dispatch.Bands{12, 30, 44, 20, 9, 3}, dispatch.Bands{0, 2, 3, 6, 1, 0}
	for h := 7; h < 18; h++ {
		st.Hours[h] = dispatch.Bands{3 + h%4, 12 - h/2, 9, 4, h % 3, 1}
	}
	return st
}

// sampleNow is a day on which much is wrong.
func sampleNow() follow.LeadNow {
	recent := sampleStatistics(time.Date(2026, 10, 22, 0, 0, 0, 0, dispatch.Oslo), 30)
	for d := range 4 {
		recent.Outcomes = append(recent.Outcomes, dispatch.OfOutcome{Day: recent.From.AddDate(0, 0, 20+d), Kind: dispatch.KindShipment, Outcome: string(dispatch.StatusNotified), Tally: dispatch.Tally{N: 2 + 3*d}},
			dispatch.OfOutcome{Day: recent.From.AddDate(0, 0, 3*d), Kind: dispatch.KindShipment, Outcome: string(dispatch.StatusSentDigitally), Tally: dispatch.Tally{N: 1 + d}})
	}
	n := follow.LeadNow{Recent: recent, Budget: dispatch.Budget{Limit: 2_500_000, Spent: 2_140_050, Rule: dispatch.BudgetWarn}}
	n.Failed, n.FailedOpen = dispatch.Waits{N: 12, Since: ago(20 * time.Hour)}, 9
	n.Sought = 3
	n.Unread = dispatch.Waits{N: 31, Since: ago(6 * 24 * time.Hour)}
	n.SMS, n.Shipments = dispatch.Waits{N: 9, Since: ago(3 * time.Hour)}, dispatch.Waits{N: 4, Since: ago(26 * time.Hour)}
	n.Uncertain, n.Silent, n.Missing = dispatch.Waits{N: 2, Since: ago(50 * time.Hour)}, dispatch.Waits{N: 3, Since: ago(9 * 24 * time.Hour)}, dispatch.Waits{N: 1, Since: ago(30 * time.Hour)}
	n.Ready, n.Approvals = dispatch.Waits{N: 14, Since: ago(5 * 24 * time.Hour)}, dispatch.Waits{N: 2, Since: ago(2 * time.Hour)}
	n.Held = []follow.Held{{Kind: dispatch.KindSMS, Block: dispatch.BlockRefused}}
	return n
}

// leadExhibits are the team lead's page.
func leadExhibits() []exhibit {
	page := func(name, says string, change func(*follow.LeadPage)) exhibit {
		return exhibit{path: "lead/" + name, says: says, show: func(f frame) templ.Component {
			p := follow.LeadPage{Page: f.onAccount(caseworker(), views.SectionLead, f.text("lead.title")), Period: follow.PeriodWeek}
			p.Stats = sampleStatistics(time.Date(2026, 11, 14, 0, 0, 0, 0, dispatch.Oslo), 7)
			p.Account.Prices = dispatch.Prices{SMS: dispatch.PriceOf(45), Print: dispatch.PriceOf(1650)}
			p.LeadNow = sampleNow()
			change(&p)
			return follow.Lead(p)
		}}
	}
	return []exhibit{
		page("week", "a week with every part of the page", func(*follow.LeadPage) {}),
		page("many", "more wait than are counted", func(p *follow.LeadPage) {
			p.SMS.N, p.SMS.Above = 10_000, true
			p.Recent.Outcomes = append(p.Recent.Outcomes, dispatch.OfOutcome{Day: p.Recent.To.AddDate(0, 0, -1), Kind: dispatch.KindSMS, Outcome: dispatch.OutcomeOpen, Tally: dispatch.Tally{N: 10_412}})
		}),
		page("calm", "little, and nothing wrong", func(p *follow.LeadPage) {
			p.LeadNow = follow.LeadNow{Recent: sampleStatistics(p.Stats.From, 7)}
			p.Failed, p.SMS = dispatch.Waits{N: 1, Since: ago(20 * time.Hour)}, dispatch.Waits{N: 2, Since: ago(time.Minute)}
		}),
		page("sought", "nothing but a shipment that the program looks for", func(p *follow.LeadPage) {
			p.LeadNow = follow.LeadNow{Standing: dispatch.Standing{Sought: 1}}
		}),
		page("mended", "what failed has been sent again", func(p *follow.LeadPage) {
			p.LeadNow = follow.LeadNow{Recent: sampleStatistics(p.Stats.From, 7)}
		}),
		page("month", "a month", func(p *follow.LeadPage) {
			p.Period, p.Stats = follow.PeriodMonth, sampleStatistics(time.Date(2026, 10, 22, 0, 0, 0, 0, dispatch.Oslo), 30)
		}),
		page("year", "eleven months by weeks, compared with the year before", func(p *follow.LeadPage) {
			p.Period, p.Stats = follow.PeriodOwn, sampleStatistics(time.Date(2026, 1, 1, 0, 0, 0, 0, dispatch.Oslo), 324)
			p.Form, p.Against, p.Before = follow.PeriodForm{From: "01.01.2026", To: "20.11.2026"}, follow.CompareYear, sampleStatistics(time.Date(2025, 1, 1, 0, 0, 0, 0, dispatch.Oslo), 300)
			p.Before.To = time.Date(2025, 11, 21, 0, 0, 0, 0, dispatch.Oslo)
		}),
		page("compared", "as many as before, nothing before, and both ways", func(p *follow.LeadPage) {
			p.Against, p.Before = follow.CompareBefore, dispatch.Statistics{From: p.Stats.From.AddDate(0, 0, -7), To: p.Stats.From}
			for _, o := range p.Stats.Outcomes {
				switch {
				case o.Kind == dispatch.KindSMS:
					o.Day = o.Day.AddDate(0, 0, -7)
				case o.Outcome == string(dispatch.StatusRead):
					o.N, o.Arrived = o.N*2, o.Arrived*2
				default:
					continue
				}
				p.Before.Outcomes = append(p.Before.Outcomes, o)
			}
		}),
		page("compared-nothing", "nothing to compare", func(p *follow.LeadPage) {
			p.Against, p.Stats.Outcomes = follow.CompareBefore, nil
			p.Before = dispatch.Statistics{From: p.Stats.From.AddDate(0, 0, -7), To: p.Stats.From}
		}),
		page("empty", "a day on which nothing was sent, and no prices", func(p *follow.LeadPage) {
			from := time.Date(2026, 11, 20, 0, 0, 0, 0, dispatch.Oslo)
			p.Period, p.Stats, p.Account.Prices = follow.PeriodToday, dispatch.Statistics{From: from, To: from.AddDate(0, 0, 1)}, dispatch.Prices{}
			p.LeadNow = follow.LeadNow{}
		}),
		page("searchers", "some have searched for unusually many numbers", func(p *follow.LeadPage) {
			p.Searchers = []dispatch.NumberSearcher{{Day: p.Stats.From, Name: "Amir Hosseini", Numbers: 41}, {Day: p.Stats.From.AddDate(0, 0, -3), Name: "Kari Nordmann", Numbers: dispatch.NumbersUnusual}}
		}),
		page("problems", "days that cannot be", func(p *follow.LeadPage) {
			p.Period, p.Form = follow.PeriodOwn, follow.PeriodForm{From: "1.12.2026", To: "1.11.2026"}
			p.Problems = dispatch.Problems{{Field: follow.FieldPeriodTo, Key: "problem.period.order"}}
		}),
		page("too-long", "more days than can be counted", func(p *follow.LeadPage) {
			p.Period, p.Form = follow.PeriodOwn, follow.PeriodForm{From: "1.12.2020", To: "1.11.2026"}
			p.Problems = dispatch.Problems{{Field: follow.FieldPeriodTo, Key: "problem.period.long"}}
		}),
	}
}
