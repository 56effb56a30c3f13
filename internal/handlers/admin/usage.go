package admin

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store/registry"
	"utsending/internal/views"
	"utsending/internal/views/admin"
)

// Show shows which account uses what.
func (s *Usage) Show(c echo.Context, v frame.Visit) error {
	lines, err := s.accounts.accountLines(c)
	if err != nil {
		return err
	}
	last, err := registry.In(s.Store).Accounts.LastUses(frame.Context(c))
	if err != nil {
		return err
	}
	integrations, err := registry.In(s.Store).Integrations.List(frame.Context(c))
	if err != nil {
		return err
	}
	names := map[dispatch.IntegrationID]string{}
	for _, in := range integrations {
		names[in.ID] = in.Name
	}
	p := admin.UsagePage{Page: s.Page(c, v, "usage.title")}
	p.Section = views.SectionAccounts
	for _, l := range lines {
		p.Rows = append(p.Rows, admin.UsageLine{AccountLine: l,
			LastSMS:      usedLast(last[l.ID][dispatch.KindSMS], l.SMSIntegration, names),
			LastShipment: usedLast(last[l.ID][dispatch.KindShipment], l.ShipmentIntegration, names)})
	}
	return frame.Show(c, http.StatusOK, admin.Usage(p))
}

// usedLast names the integration of an account's last use when it is another than the account's now.
func usedLast(u registry.LastUse, now dispatch.IntegrationID, names map[dispatch.IntegrationID]string) admin.UsedLast {
	last := admin.UsedLast{At: u.SentAt, Whole: u.Whole}
	if u.Over != now {
		last.Over = names[u.Over]
	}
	return last
}
