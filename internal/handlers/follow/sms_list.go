package follow

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store/items"
	"utsending/internal/views"
	"utsending/internal/views/compose"
	"utsending/internal/views/follow"
)

// ListUncertain shows the uncertain SMS.
func (s *SMS) ListUncertain(c echo.Context, v frame.Visit) error {
	return s.showUncertain(c, v, http.StatusOK, nil, nil)
}

func (s *SMS) showUncertain(c echo.Context, v frame.Visit, status int, chosen []dispatch.ItemID, ps dispatch.Problems) error {
	items, older, err := items.In(s.Store).SMS.Uncertain(frame.Context(c), v.Account.ID, frame.PageSize)
	if err != nil {
		return err
	}
	if len(items) == 0 {
		status, ps = http.StatusOK, nil // another user has decided on all of them
	}
	p := compose.UncertainPage{Page: s.Page(c, v, "uncertain.title"), Items: items, More: older, Chosen: map[dispatch.ItemID]bool{}}
	p.Section, p.Problems = views.SectionSMS, ps
	for _, id := range chosen {
		p.Chosen[id] = true
	}
	return frame.Show(c, status, follow.SMSUncertain(p))
}

// DecideMany applies one decision to the chosen uncertain SMS.
func (s *SMS) DecideMany(c echo.Context, v frame.Visit) error {
	values, err := c.FormParams()
	if err != nil {
		return frame.BadForm(err)
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
	n, err := items.In(s.Store).Decisions.Resolve(frame.Context(c), v.Account, ids[:min(len(ids), frame.PageSize)], d, frame.Actor(c, v.User))
	if err != nil {
		return err
	}
	if n == 0 {
		return s.FlashTo(c, views.AccountPath(v.Account, "sms", "uavklart"), "flash.too_late", 0)
	}
	s.Wake()
	return s.FlashTo(c, views.AccountPath(v.Account, "sms", "uavklart"), "flash.resolved_many", n)
}
