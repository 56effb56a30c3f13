package admin

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/pdf"
	"utsending/internal/store/queue"
	"utsending/internal/store/registry"
	"utsending/internal/views"
	"utsending/internal/views/admin"
)

// Show shows the health of the program and of its integrations.
func (s *Health) Show(c echo.Context, v frame.Visit) error {
	p := admin.HealthPage{Page: s.Page(c, v, "health.title")}
	p.Section = views.SectionHealth
	var err error
	if p.Integrations, err = s.healthRows(c); err != nil {
		return err
	}
	size, err := registry.In(s.Store).Health.Storage(frame.Context(c))
	if err != nil {
		return err
	}
	p.Storage = admin.Sizes(size)
	if p.Aside, err = s.Store.AllSetAside(frame.Context(c)); err != nil {
		return err
	}
	if p.Processes, err = registry.In(s.Store).Health.Processes(frame.Context(c)); err != nil {
		return err
	}
	p.Checks = s.checks(c)
	return frame.Show(c, http.StatusOK, admin.Health(p))
}

// checks are checks of this process's machine.
func (s *Health) checks(c echo.Context) []admin.HealthCheck {
	var confined pdf.Confinement
	err := pdf.ErrUnavailable
	if s.PDF != nil {
		confined, err = s.PDF.Confinement(frame.Context(c))
	}
	return []admin.HealthCheck{
		{Name: "health.pdf", Means: "health.pdf.no", Holds: err == nil},
		{Name: "health.filtered", Means: "health.filtered.no", Holds: confined.Filtered},
		{Name: "health.landlocked", Means: "health.landlocked.no", Holds: confined.Landlocked},
		{Name: "health.apart", Means: "health.apart.no", Holds: confined.Apart},
		{Name: "health.keys", Means: "health.keys.no", Holds: s.Store.Rotation().Over()},
	}
}

func (s *Health) healthRows(c echo.Context) ([]admin.HealthRow, error) {
	accounts, err := registry.In(s.Store).Accounts.List(frame.Context(c))
	if err != nil {
		return nil, err
	}
	rows, err := s.integrations.integrationRows(c, accounts)
	if err != nil {
		return nil, err
	}
	list := make([]admin.HealthRow, len(rows))
	for i, r := range rows {
		list[i] = admin.HealthRow{IntegrationRow: r, Token: s.Upstream.Token(r.ID, dispatch.UsedSet(r.Sets, s.Now()))}
	}
	return list, nil
}

// ShowStatus shows whether items of the user's accounts can be sent now.
func (s *Health) ShowStatus(c echo.Context, v frame.Visit) error {
	p := admin.StatusPage{Page: s.Page(c, v, "status.title")}
	guard, err := queue.In(s.Store).Guards.Current(frame.Context(c))
	if err != nil {
		return err
	}
	p.Paused = guard.Paused
	rows, err := s.healthRows(c)
	if err != nil {
		return err
	}
	for _, a := range v.User.Accounts() {
		p.Channels = append(p.Channels, channels(a, rows)...)
		aside, err := s.Store.SetAsideOf(frame.Context(c), a.ID)
		if err != nil {
			return err
		}
		p.Aside = append(p.Aside, aside...)
	}
	return frame.Show(c, http.StatusOK, admin.Status(p))
}

// channels are the channels by which an account can send.
func channels(a dispatch.Account, rows []admin.HealthRow) []admin.ChannelStatus {
	var list []admin.ChannelStatus
	for _, way := range []struct {
		kind dispatch.Kind
		id   dispatch.IntegrationID
	}{{dispatch.KindSMS, a.SMSIntegration}, {dispatch.KindShipment, a.ShipmentIntegration}} {
		i := slices.IndexFunc(rows, func(r admin.HealthRow) bool { return r.ID == way.id })
		if way.id == "" || i < 0 {
			continue
		}
		row := rows[i].IntegrationRow
		row.Refusals = slices.DeleteFunc(slices.Clone(row.Refusals), func(f admin.Refusal) bool { return f.Account.ID != a.ID })
		list = append(list, admin.ChannelStatus{Account: a, Kind: way.kind, Row: row})
	}
	return list
}
