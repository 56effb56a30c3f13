package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"utsending/internal/store"
	"utsending/internal/table"
	"utsending/internal/views"
)

// leadPage is the page of the period that an address chooses.
func (s *server) leadPage(c echo.Context, v visit) (views.LeadPage, error) {
	p := views.LeadPage{Page: s.page(c, v, "lead.title"), Period: views.Period(c.QueryParam("periode")),
		Form: views.PeriodForm{From: c.QueryParam(views.FieldPeriodFrom), To: c.QueryParam(views.FieldPeriodTo)}}
	switch p.Period {
	case views.PeriodToday, views.PeriodWeek, views.PeriodMonth, views.PeriodOwn:
	default:
		p.Period = views.PeriodWeek
	}
	p.Section = views.SectionLead
	from, to, ps := views.ParsePeriod(p.Period, p.Form, s.o.Now())
	p.Problems = ps
	var err error
	p.Stats, err = s.o.Store.Statistics(ctx(c), v.Account.ID, from, to)
	return p, err
}

// showLead shows the team lead what the account has sent.
func (s *server) showLead(c echo.Context, v visit) error {
	p, err := s.leadPage(c, v)
	if err == nil {
		p.Searchers, err = s.o.Store.NumberSearchers(ctx(c), v.Account.ID)
	}
	if err != nil {
		return err
	}
	status := http.StatusOK
	if len(p.Problems) > 0 {
		status = http.StatusUnprocessableEntity
	}
	return show(c, status, views.Lead(p))
}

// leadCSV gives the numbers of the page as a file.
func (s *server) leadCSV(c echo.Context, v visit) error {
	p, err := s.leadPage(c, v)
	if err != nil {
		return err
	}
	if len(p.Problems) > 0 {
		return show(c, http.StatusUnprocessableEntity, views.Lead(p))
	}
	err = s.o.Store.Record(ctx(c), store.Audit{Actor: v.User.ID, Account: v.Account.ID, Action: "statistics.export", Origin: origin(c)})
	if err != nil {
		return err
	}
	attach(c, kindCSV, "tall.csv")
	out, err := table.NewCSV(c.Response())
	if err != nil {
		return err
	}
	for _, row := range views.LeadTable(ctx(c), p) {
		if err := out.Row(row...); err != nil {
			return err
		}
	}
	return out.Close()
}
