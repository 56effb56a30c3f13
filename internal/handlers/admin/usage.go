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

// ShowUsage shows which account uses what.
func (s *Pages) ShowUsage(c echo.Context, v frame.Visit) error {
	lines, err := s.accountLines(c)
	if err != nil {
		return err
	}
	last, err := registry.In(s.Store).LastUses(frame.Context(c))
	if err != nil {
		return err
	}
	p := admin.UsagePage{Page: s.Page(c, v, "usage.title")}
	p.Section = views.SectionAccounts
	for _, l := range lines {
		p.Rows = append(p.Rows, admin.UsageLine{AccountLine: l, LastSMS: last[l.ID][dispatch.KindSMS].SentAt, LastShipment: last[l.ID][dispatch.KindShipment].SentAt})
	}
	return frame.Show(c, http.StatusOK, admin.Usage(p))
}
