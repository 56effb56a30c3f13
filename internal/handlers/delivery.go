package handlers

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/views"
)

const deliveryPath = "/admin/levering"

// showDelivery shows what delivery has stopped.
func (s *server) showDelivery(c echo.Context, v visit) error {
	return s.showDeliveryWith(c, v, http.StatusOK, nil)
}

func (s *server) showDeliveryWith(c echo.Context, v visit, status int, ps dispatch.Problems) error {
	p := views.DeliveryPage{Page: s.page(c, v, "delivery.title"), Off: !s.o.Delivers}
	p.Section, p.Problems = views.SectionDelivery, ps
	guard, err := s.o.Store.Guard(ctx(c))
	if err != nil {
		return err
	}
	p.Paused, p.PausedBy = guard.Paused, guard.PausedBy
	accounts, err := s.o.Store.Accounts(ctx(c))
	if err != nil {
		return err
	}
	if p.Restored, err = s.restored(c, accounts); err != nil {
		return err
	}
	if p.Integrations, err = s.integrationRows(c, accounts); err != nil {
		return err
	}
	return show(c, status, views.Delivery(p))
}

func (s *server) restored(c echo.Context, accounts []dispatch.Account) ([]views.RestoredAccount, error) {
	counts, err := s.o.Store.Restored(ctx(c))
	var list []views.RestoredAccount
	for _, a := range accounts {
		for _, planned := range []bool{false, true} {
			if n := counts[store.RestoredItems{Account: a.ID, Planned: planned}]; n > 0 {
				list = append(list, views.RestoredAccount{Account: a, Planned: planned, N: n})
			}
		}
	}
	return list, err
}

func (s *server) integrationRows(c echo.Context, accounts []dispatch.Account) ([]views.IntegrationRow, error) {
	integrations, err := s.o.Store.Integrations(ctx(c))
	if err != nil {
		return nil, err
	}
	waiting, err := s.o.Store.WaitingOn(ctx(c))
	if err != nil {
		return nil, err
	}
	refusals, err := s.o.Store.AccountRefusals(ctx(c))
	if err != nil {
		return nil, err
	}
	rows := make([]views.IntegrationRow, len(integrations))
	for i, in := range integrations {
		w := waiting[in.ID]
		rows[i] = views.IntegrationRow{
			Integration: in, Environment: s.o.Upstream.Environment(in.Service), Due: w.Due, Asking: w.Asking, Uncertain: w.Uncertain,
			Refusals: refusalsOf(in.ID, refusals, accounts),
		}
	}
	return rows, nil
}

// refusalsOf are the accounts that an integration may not send for.
func refusalsOf(in dispatch.IntegrationID, all []store.AccountRefusal, accounts []dispatch.Account) (list []views.Refusal) {
	for _, r := range all {
		if r.Integration == in {
			list = append(list, views.Refusal{Account: byID(accounts, r.Account), Reason: r.Reason})
		}
	}
	return list
}

func byID(accounts []dispatch.Account, id dispatch.AccountID) dispatch.Account {
	for _, a := range accounts {
		if a.ID == id {
			return a
		}
	}
	return dispatch.Account{ID: id}
}

// bySlug finds an account by its short name.
func (s *server) bySlug(c echo.Context, slug string) (dispatch.Account, error) {
	accounts, err := s.o.Store.Accounts(ctx(c))
	if err != nil {
		return dispatch.Account{}, err
	}
	for _, a := range accounts {
		if a.Slug == slug {
			return a, nil
		}
	}
	return dispatch.Account{}, store.ErrNotFound
}

// operated leads back to the page after an act; somebody else may have been faster.
func (s *server) operated(c echo.Context, err error) error {
	if errors.Is(err, store.ErrChanged) {
		return s.flashTo(c, deliveryPath, "flash.too_late", 0)
	}
	if err != nil {
		return err
	}
	s.wake()
	return s.flashTo(c, deliveryPath, "flash.done", 0)
}

func (s *server) pauseDelivery(c echo.Context, v visit) error {
	return s.operated(c, s.o.Store.Pause(ctx(c), by(c, v.User), v.User.Name))
}

func (s *server) resumeDelivery(c echo.Context, v visit) error {
	return s.operated(c, s.o.Store.Resume(ctx(c), by(c, v.User)))
}

// leads says where an act on an integration leads: to the page that it was done from.
type leads func(echo.Context, error) error

func (s *server) stopIntegration(to leads) func(echo.Context, visit) error {
	return func(c echo.Context, v visit) error {
		return to(c, s.o.Store.StopIntegration(ctx(c), integrationID(c), by(c, v.User), v.User.Name))
	}
}

func (s *server) openIntegration(to leads) func(echo.Context, visit) error {
	return func(c echo.Context, v visit) error {
		return to(c, s.o.Store.OpenIntegration(ctx(c), integrationID(c), by(c, v.User)))
	}
}

// clearRefusal lets waiting rows go again, of one account when the address names one.
func (s *server) clearRefusal(to leads) func(echo.Context, visit) error {
	return func(c echo.Context, v visit) error {
		var account dispatch.AccountID
		if slug := c.Param("konto"); slug != "" {
			a, err := s.bySlug(c, slug)
			if err != nil {
				return err
			}
			account = a.ID
		}
		return to(c, s.o.Store.ClearRefusal(ctx(c), integrationID(c), account, by(c, v.User)))
	}
}

// decideRestored applies one decision to all items of an account that came out of a backup, to those that were planned for
// later or to the others.
func (s *server) decideRestored(c echo.Context, v visit) error {
	a, err := s.bySlug(c, c.Param("konto"))
	if err != nil {
		return err
	}
	counts, err := s.o.Store.Restored(ctx(c))
	if err != nil {
		return err
	}
	planned := c.FormValue(views.FieldPlanned) == "true"
	if counts[store.RestoredItems{Account: a.ID, Planned: planned}] == 0 {
		return s.flashTo(c, deliveryPath, "flash.too_late", 0)
	}
	d := dispatch.Decision(c.FormValue("valg"))
	if !d.Known() {
		return s.showDeliveryWith(c, v, http.StatusUnprocessableEntity, dispatch.Problems{{Field: views.RestoredAccount{Account: a, Planned: planned}.Field(), Key: "problem.decision.empty"}})
	}
	n, err := s.o.Store.ResolveRestored(ctx(c), a, planned, d, by(c, v.User))
	if err != nil {
		return err
	}
	s.wake()
	return s.flashTo(c, deliveryPath, "flash.resolved_many", n)
}
