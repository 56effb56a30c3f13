package handlers

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/views"
)

// listUncertain shows the SMS that wait for a decision.
func (s *server) listUncertain(c echo.Context, v visit) error {
	return s.showUncertain(c, v, http.StatusOK, nil, nil)
}

func (s *server) showUncertain(c echo.Context, v visit, status int, chosen []dispatch.ItemID, ps dispatch.Problems) error {
	items, older, err := s.o.Store.UncertainSMS(ctx(c), v.Account.ID, pageSize)
	if err != nil {
		return err
	}
	if len(items) == 0 {
		status, ps = http.StatusOK, nil // somebody else has decided them all
	}
	p := views.UncertainPage{Page: s.page(c, v, "uncertain.title"), Items: items, More: older, Chosen: map[dispatch.ItemID]bool{}}
	p.Section, p.Problems = views.SectionSMS, ps
	for _, id := range chosen {
		p.Chosen[id] = true
	}
	return show(c, status, views.SMSUncertain(p))
}

// decideMany applies one decision to the chosen uncertain SMS.
func (s *server) decideMany(c echo.Context, v visit) error {
	values, err := c.FormParams()
	if err != nil {
		return badForm(err)
	}
	var ids []dispatch.ItemID
	for _, id := range values["melding"] {
		if !slices.Contains(ids, dispatch.ItemID(id)) {
			ids = append(ids, dispatch.ItemID(id))
		}
	}
	d := dispatch.Decision(values.Get("valg"))
	var ps dispatch.Problems
	if len(ids) == 0 {
		ps = append(ps, dispatch.Problem{Field: "melding", Key: "problem.decision.none"})
	}
	if !d.Known() {
		ps = append(ps, dispatch.Problem{Field: "valg", Key: "problem.decision.empty"})
	}
	if len(ps) > 0 {
		return s.showUncertain(c, v, http.StatusUnprocessableEntity, ids, ps)
	}
	n, err := s.o.Store.Resolve(ctx(c), v.Account, ids[:min(len(ids), pageSize)], d, by(c, v.User))
	if err != nil {
		return err
	}
	if n == 0 {
		return s.flashTo(c, views.AccountPath(v.Account, "sms", "uavklart"), "flash.too_late", 0)
	}
	s.wake()
	return s.flashTo(c, views.AccountPath(v.Account, "sms", "uavklart"), "flash.resolved_many", n)
}
