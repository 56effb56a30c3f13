package admin

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/queue"
	"utsending/internal/store/registry"
	"utsending/internal/views"
	"utsending/internal/views/admin"
)

// ReconciliationsPath is the address of the comparisons of accounts with their services.
const ReconciliationsPath = admin.ReconciliationsPath

// List shows what the latest comparison of each account with its services found.
func (s *Reconciliations) List(c echo.Context, v frame.Visit) error {
	accounts, err := registry.In(s.Store).Accounts.List(frame.Context(c))
	if err != nil {
		return err
	}
	latest, err := queue.In(s.Store).Reconciliations.Latest(frame.Context(c))
	if err != nil {
		return err
	}
	p := admin.ReconciliationsPage{Page: s.Page(c, v, "reconcile.title"), Off: !s.Delivers}
	p.Section = views.SectionDelivery
	for _, a := range accounts {
		if a.SMSIntegration != "" || a.ShipmentIntegration != "" {
			p.Rows = append(p.Rows, admin.ReconciledAccount{Account: a, Latest: latest[a.ID]})
		}
	}
	return frame.Show(c, http.StatusOK, admin.Reconciliations(p))
}

// Reconcile orders the comparison of an account with its services.
func (s *Reconciliations) Reconcile(c echo.Context, v frame.Visit) error {
	a, err := s.system.bySlug(c, c.FormValue(admin.FieldAccount))
	if err != nil {
		return err
	}
	id, err := queue.In(s.Store).Reconciliations.Order(frame.Context(c), a.ID, frame.Actor(c, v.User))
	if errors.Is(err, store.ErrChanged) {
		return s.FlashTo(c, admin.ReconciliationsPath, "flash.reconcile_goes_on", 0)
	}
	if err != nil {
		return err
	}
	return frame.SeeOther(c, admin.ReconciliationsPath+"/"+id)
}

// Show shows what a comparison found, or how far it has come.
func (s *Reconciliations) Show(c echo.Context, v frame.Visit) error {
	r, err := queue.In(s.Store).Reconciliations.ByID(frame.Context(c), c.Param("id"))
	if err != nil {
		return err
	}
	p := admin.ReconciliationPage{Page: s.Page(c, v, "reconcile.one"), Reconciliation: r, Opens: v.User.May(dispatch.RightSeeItems, r.Account.ID)}
	p.Section = views.SectionDelivery
	if frame.Fragment(c) == "avstemming" {
		return frame.Show(c, http.StatusOK, admin.ReconciliationLive(p))
	}
	return frame.Show(c, http.StatusOK, admin.Reconciliation(p))
}
