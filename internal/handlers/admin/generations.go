package admin

import (
	"errors"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/registry"
	"utsending/internal/views"
	"utsending/internal/views/admin"
)

const generationsPath = "/admin/generasjoner"

// Show shows which accounts use which generation of the shipment service, and moves several at once.
func (s *Generations) Show(c echo.Context, v frame.Visit) error {
	return s.showGenerations(c, v, http.StatusOK, admin.GenerationsPage{}, nil)
}

func (s *Generations) showGenerations(c echo.Context, v frame.Visit, status int, p admin.GenerationsPage, ps dispatch.Problems) error {
	lines, err := s.accounts.accountLines(c)
	if err != nil {
		return err
	}
	uses, err := registry.In(s.Store).Accounts.LastUses(frame.Context(c))
	if err != nil {
		return err
	}
	if p.Integrations, err = s.integrations.shipmentIntegrations(c); err != nil {
		return err
	}
	p.Page = s.Page(c, v, "generations.title")
	p.Section, p.Problems = views.SectionAccounts, ps
	for _, l := range lines {
		use := uses[l.ID][dispatch.KindShipment]
		row := admin.GenerationRow{AccountLine: l, SentAt: use.SentAt, Whole: use.Whole, Chosen: slices.Contains(p.Chosen, l.Slug)}
		for _, in := range p.Integrations {
			if in.ID == use.Over {
				row.Last = in.Kind
			}
		}
		p.Rows = append(p.Rows, row)
	}
	return frame.Show(c, status, admin.Generations(p))
}

// Try runs the readiness test of several accounts.
func (s *Generations) Try(c echo.Context, v frame.Visit) error {
	p, ps, err := s.readMoves(c, v)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if len(ps) > 0 {
		status = http.StatusUnprocessableEntity
	}
	return s.showGenerations(c, v, status, p, ps)
}

// Move moves those of several accounts that are ready, after running the readiness test again.
func (s *Generations) Move(c echo.Context, v frame.Visit) error {
	p, ps, err := s.readMoves(c, v)
	if err != nil {
		return err
	}
	if len(ps) > 0 || !p.Ready() {
		return s.showGenerations(c, v, http.StatusUnprocessableEntity, p, ps)
	}
	moved := 0
	for _, t := range p.Tried {
		if !t.Ready() {
			continue
		}
		err := registry.In(s.Store).Accounts.Switch(frame.Context(c), t.Row.Account, p.To.ID, frame.Actor(c, v.User))
		if errors.Is(err, store.ErrStale) {
			continue // another administrator was faster; the page shows how it is
		}
		if err != nil {
			return err
		}
		moved++
	}
	s.Wake()
	return s.FlashTo(c, generationsPath, "flash.accounts_moved", moved)
}

// readMoves reads the choice of accounts and integration, and runs the readiness test of each.
func (s *Generations) readMoves(c echo.Context, v frame.Visit) (p admin.GenerationsPage, ps dispatch.Problems, err error) {
	form, err := c.FormParams()
	if err != nil {
		return p, nil, err
	}
	p.Chosen = form["konto"]
	if p.To, err = s.chosenIntegration(c); err != nil {
		return p, nil, err
	}
	if p.To.ID == "" {
		ps = append(ps, dispatch.Problem{Field: "integrasjon", Key: "problem.generations.integration"})
	}
	if len(p.Chosen) == 0 {
		ps = append(ps, dispatch.Problem{Field: "konto", Key: "problem.generations.accounts"})
	}
	if len(ps) > 0 {
		return p, ps, nil
	}
	lines, err := s.accounts.accountLines(c)
	if err != nil {
		return p, nil, err
	}
	for _, l := range lines {
		if !slices.Contains(p.Chosen, l.Slug) {
			continue
		}
		if l.ShipmentIntegration == p.To.ID {
			p.Already = append(p.Already, l)
			continue
		}
		t := admin.Move{Row: l}
		if t.Readiness, t.Problems, err = s.readiness(c, v, l.Account, p.To); err != nil {
			return p, nil, err
		}
		p.Tried = append(p.Tried, t)
	}
	return p, nil, nil
}

// chosenIntegration is the integration for shipments that the form names; the zero one if it is none of them.
func (s *Generations) chosenIntegration(c echo.Context) (dispatch.Integration, error) {
	integrations, err := s.integrations.shipmentIntegrations(c)
	for _, in := range integrations {
		if string(in.ID) == c.FormValue("integrasjon") {
			return in, err
		}
	}
	return dispatch.Integration{}, err
}

// readiness tests whether an account can send over an integration, and finds what will be different. A problem tells
// why there was nothing to test.
func (s *Generations) readiness(c echo.Context, v frame.Visit, a dispatch.Account, to dispatch.Integration) (r admin.Readiness, ps dispatch.Problems, err error) {
	problem := func(key string) dispatch.Problems { return dispatch.Problems{{Field: "integrasjon", Key: key}} }
	if to.Kind.Row().AccountID && a.ShipmentAccountID == "" {
		return r, problem("problem.account_id.v2"), nil
	}
	usable, err := registry.In(s.Store).Credentials.InUse(frame.Context(c), to.ID)
	if errors.Is(err, store.ErrNotFound) {
		return r, problem("problem.credentials.none"), nil
	}
	if err != nil {
		return r, nil, err
	}
	if r.Trial, err = s.integrations.try(c, v, to, usable.Credentials, []dispatch.Account{a}); err == nil {
		err = registry.In(s.Store).Integrations.SaveTrialFor(frame.Context(c), to.ID, usable.ID, r.Trial.Failed(), frame.Actor(c, v.User))
	}
	if err != nil {
		return r, nil, err
	}
	g := to.Kind.Row().Generation
	if a.ShipmentKind != "" && a.ShipmentKind != to.Kind {
		r.From, r.To = a.Generation(), g
		r.Lost, r.Gained, r.Rules = dispatch.Changes(a.Generation(), g)
		effect, err := registry.In(s.Store).Accounts.MoveEffect(frame.Context(c), a.ID, g)
		if err != nil {
			return r, nil, err
		}
		r.Stay = effect.Stay
	}
	r.Unready = a.ReadyFor(g)
	return r, nil, nil
}
