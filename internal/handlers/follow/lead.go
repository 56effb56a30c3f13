package follow

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/lists"
	"utsending/internal/table"
	"utsending/internal/views"
	"utsending/internal/views/follow"
)

// leadPage is the page for the period in the address.
func (s *Lead) leadPage(c echo.Context, v frame.Visit) (follow.LeadPage, error) {
	p := follow.LeadPage{Page: s.Page(c, v, "lead.title"), Period: follow.Period(c.QueryParam("periode")),
		Form: follow.PeriodForm{From: c.QueryParam(follow.FieldPeriodFrom), To: c.QueryParam(follow.FieldPeriodTo)}}
	switch p.Period {
	case follow.PeriodToday, follow.PeriodWeek, follow.PeriodMonth, follow.PeriodOwn:
	default:
		p.Period = follow.PeriodWeek
	}
	p.Section = views.SectionLead
	from, to, ps := follow.ParsePeriod(p.Period, p.Form, s.Now())
	p.Problems = ps
	var err error
	if p.Stats, err = lists.In(s.Store).Statistics.OfAccount(frame.Context(c), v.Account.ID, from, to); err != nil {
		return p, err
	}
	if p.Against = follow.ComparisonNamed(c.QueryParam(follow.FieldAgainst)); p.Against != follow.CompareNone {
		before, until := p.Against.Of(from, to)
		p.Before, err = lists.In(s.Store).Statistics.Outcomes(frame.Context(c), v.Account.ID, before, until)
	}
	return p, err
}

// leadNow is the present state of the account, which a team lead asks for first.
func (s *Lead) leadNow(c echo.Context, v frame.Visit) (n follow.LeadNow, err error) {
	now := s.Now()
	if n.Standing, err = lists.In(s.Store).Statistics.Standing(frame.Context(c), v.Account, now); err != nil {
		return n, err
	}
	from := follow.RecentFrom(now)
	if n.Recent, err = lists.In(s.Store).Statistics.Outcomes(frame.Context(c), v.Account.ID, from, now.AddDate(0, 0, 1)); err != nil {
		return n, err
	}
	if n.Budget, err = items.In(s.Store).Budgets.Of(frame.Context(c), v.Account); err != nil {
		return n, err
	}
	n.Held, err = s.blocks.held(c, v, "")
	return n, err
}

// Show shows the account's statistics to the team lead.
func (s *Lead) Show(c echo.Context, v frame.Visit) error {
	p, err := s.leadPage(c, v)
	if err != nil {
		return err
	}
	return s.showLead(c, v, p)
}

func (s *Lead) showLead(c echo.Context, v frame.Visit, p follow.LeadPage) (err error) {
	if p.LeadNow, err = s.leadNow(c, v); err == nil {
		p.Searchers, err = s.Store.NumberSearchers(frame.Context(c), v.Account.ID)
	}
	if err != nil {
		return err
	}
	status := http.StatusOK
	if len(p.Problems) > 0 {
		status = http.StatusUnprocessableEntity
	}
	return frame.Show(c, status, follow.Lead(p))
}

// CSV sends the page's figures as a file.
func (s *Lead) CSV(c echo.Context, v frame.Visit) error {
	p, err := s.leadPage(c, v)
	if err != nil {
		return err
	}
	if len(p.Problems) > 0 {
		return s.showLead(c, v, p)
	}
	err = s.Store.Record(frame.Context(c), store.Audit{Actor: v.User.ID, Account: v.Account.ID, Action: "statistics.export", Origin: frame.Origin(c)})
	if err != nil {
		return err
	}
	frame.Attach(c, frame.KindCSV, "tall.csv")
	out, err := table.NewCSV(c.Response())
	if err != nil {
		return err
	}
	for _, row := range follow.LeadTable(frame.Context(c), p) {
		if err := out.Row(row...); err != nil {
			return err
		}
	}
	return out.Close()
}
