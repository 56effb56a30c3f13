package admin

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store/items"
	"utsending/internal/store/queue"
	"utsending/internal/store/registry"
	"utsending/internal/views"
	"utsending/internal/views/admin"
)

const deliveryPath = "/admin/levering"

// Show shows what blocks delivery.
func (s *Delivery) Show(c echo.Context, v frame.Visit) error {
	return s.showDeliveryWith(c, v, http.StatusOK, nil)
}

func (s *Delivery) showDeliveryWith(c echo.Context, v frame.Visit, status int, ps dispatch.Problems) error {
	p := admin.DeliveryPage{Page: s.Page(c, v, "delivery.title"), Off: !s.Delivers}
	p.Section, p.Problems = views.SectionDelivery, ps
	guard, err := queue.In(s.Store).Guards.Current(frame.Context(c))
	if err != nil {
		return err
	}
	p.Paused, p.PausedBy = guard.Paused, guard.PausedBy
	accounts, err := registry.In(s.Store).Accounts.List(frame.Context(c))
	if err != nil {
		return err
	}
	p.Accounts = accounts
	reviews, err := registry.In(s.Store).Roles.Reviews(frame.Context(c))
	if err != nil {
		return err
	}
	if len(reviews) > 0 {
		p.Reviewed = reviews[0]
	}
	if p.Restored, err = s.restored(c, accounts); err != nil {
		return err
	}
	if p.Integrations, err = s.integrations.integrationRows(c, accounts); err != nil {
		return err
	}
	requests, err := registry.In(s.Store).ActRequests.List(frame.Context(c))
	if err != nil {
		return err
	}
	for _, r := range requests {
		of := func(in admin.IntegrationRow) bool { return in.ID == r.Object && stopSeen(in.Integration) == r.Seen }
		if r.Act == dispatch.ActOpen && r.Waiting(s.Now()) && slices.ContainsFunc(p.Integrations, of) {
			p.Asked = append(p.Asked, r.Object)
		}
	}
	return frame.Show(c, status, admin.Delivery(p))
}

func (s *Delivery) restored(c echo.Context, accounts []dispatch.Account) ([]admin.RestoredAccount, error) {
	counts, err := queue.In(s.Store).Guards.Restored(frame.Context(c))
	var list []admin.RestoredAccount
	for _, a := range accounts {
		for _, planned := range []bool{false, true} {
			if n := counts[queue.RestoredItems{Account: a.ID, Planned: planned}]; n > 0 {
				list = append(list, admin.RestoredAccount{Account: a, Planned: planned, N: n})
			}
		}
	}
	return list, err
}

// Resume resumes delivery.
func (s *Delivery) Resume(c echo.Context, v frame.Visit) error {
	return s.system.operated(c, deliveryPath, "flash.delivery_resumed", queue.In(s.Store).Operations.ResumeDelivery(frame.Context(c), frame.Actor(c, v.User)))
}

// leads is the page from which an act on an integration is made, and to which it leads.
type leads func(echo.Context) string

// FromDelivery is the delivery page.
func FromDelivery(echo.Context) string { return deliveryPath }

// FromIntegration is the integration's own page.
func FromIntegration(c echo.Context) string { return integrationsPath + "/" + c.Param("id") }

// ClearRefusal clears a refusal, only of the account in the address if there is one.
func (s *Delivery) ClearRefusal(to leads) func(echo.Context, frame.Visit) error {
	return func(c echo.Context, v frame.Visit) error {
		integration, err := registry.In(s.Store).Integrations.ByID(frame.Context(c), integrationID(c))
		if err != nil {
			return err
		}
		account, name := dispatch.AccountID(""), integration.Name
		if slug := c.Param("konto"); slug != "" {
			a, err := s.system.bySlug(c, slug)
			if err != nil {
				return err
			}
			account, name = a.ID, a.Name
		}
		waits, err := queue.In(s.Store).Operations.ClearRefusal(frame.Context(c), integrationID(c), account, frame.Actor(c, v.User))
		s.Upstream.Forget(integrationID(c))
		if err == nil {
			s.Session.SetFlashName(frame.Context(c), name)
		}
		flash := "flash.refusal_cleared"
		if !waits {
			flash = "flash.refusal_kept"
		}
		return s.system.operated(c, to(c), flash, err)
	}
}

// DecideRestored applies one decision to all restored items of an account, either those scheduled for after the
// restore or the others.
func (s *Delivery) DecideRestored(c echo.Context, v frame.Visit) error {
	a, err := s.system.bySlug(c, c.Param("konto"))
	if err != nil {
		return err
	}
	counts, err := queue.In(s.Store).Guards.Restored(frame.Context(c))
	if err != nil {
		return err
	}
	planned := c.FormValue(admin.FieldPlanned) == "true"
	if counts[queue.RestoredItems{Account: a.ID, Planned: planned}] == 0 {
		return s.FlashTo(c, deliveryPath, "flash.too_late", 0)
	}
	d := dispatch.Decision(c.FormValue("valg"))
	if !d.Known() {
		return s.showDeliveryWith(c, v, http.StatusUnprocessableEntity, dispatch.Problems{{Field: admin.RestoredAccount{Account: a, Planned: planned}.Field(), Key: "problem.decision.empty"}})
	}
	n, err := items.In(s.Store).Decisions.ResolveRestored(frame.Context(c), a, planned, d, frame.Actor(c, v.User))
	if err != nil {
		return err
	}
	s.Wake()
	return s.FlashTo(c, deliveryPath, "flash.resolved_many", n)
}
