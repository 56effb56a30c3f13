package handlers

import (
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/views"
)

const rightsPath = "/admin/rettigheter"

func (s *server) showRights(c echo.Context, v visit) error {
	return s.showRightsWith(c, v, http.StatusOK, views.RightsForm{}, nil)
}

func (s *server) showRightsWith(c echo.Context, v visit, status int, f views.RightsForm, ps dispatch.Problems) error {
	accounts, err := s.o.Store.Accounts(ctx(c))
	if err != nil {
		return err
	}
	mappings, err := s.o.Store.RoleMappings(ctx(c))
	if err != nil {
		return err
	}
	p := views.RightsPage{Page: s.page(c, v, "rights.title"), Claim: s.o.RightsClaim, Accounts: accounts, Form: f}
	for _, m := range mappings {
		line := views.RightsLine{Claim: m.Claim, Role: m.Role}
		if m.Account != "" {
			line.Account = byID(accounts, m.Account)
		}
		p.Rows = append(p.Rows, line)
	}
	p.Section, p.Problems = views.SectionRights, ps
	return show(c, status, views.Rights(p))
}

// readMapping reads a mapping from the form. A system administrator has no account, everybody else has one.
func (s *server) readMapping(c echo.Context) (views.RightsForm, store.RoleMapping, dispatch.Problems, error) {
	f := views.RightsForm{Claim: strings.TrimSpace(c.FormValue(views.FieldClaim)), Account: c.FormValue(views.FieldAccount), Role: c.FormValue(views.FieldRole)}
	m := store.RoleMapping{Claim: f.Claim, Role: dispatch.Role(f.Role)}
	var ps dispatch.Problems
	if m.Claim == "" || len(m.Claim) > 200 {
		ps = append(ps, dispatch.Problem{Field: views.FieldClaim, Key: "problem.claim"})
	}
	if !m.Role.Known() {
		ps = append(ps, dispatch.Problem{Field: views.FieldRole, Key: "problem.role"})
	}
	if f.Account != "" {
		a, err := s.bySlug(c, f.Account)
		if err != nil {
			return f, m, ps, err
		}
		m.Account = a.ID
	}
	if m.Role.Known() && (m.Account == "" && !m.Role.Everywhere() || m.Account != "" && m.Role == dispatch.RoleSystemAdmin) {
		ps = append(ps, dispatch.Problem{Field: views.FieldAccount, Key: "problem.role.account"})
	}
	return f, m, ps, nil
}

func (s *server) addRight(c echo.Context, v visit) error {
	f, m, ps, err := s.readMapping(c)
	if err != nil {
		return err
	}
	if len(ps) == 0 {
		err = s.o.Store.AddRoleMapping(ctx(c), m, by(c, v.User))
		if errors.Is(err, store.ErrTaken) {
			ps = dispatch.Problems{{Field: views.FieldClaim, Key: "problem.claim.taken"}}
		} else if err != nil {
			return err
		}
	}
	if len(ps) > 0 {
		return s.showRightsWith(c, v, http.StatusUnprocessableEntity, f, ps)
	}
	return s.flashTo(c, rightsPath, "flash.done", 0)
}

func (s *server) removeRight(c echo.Context, v visit) error {
	_, m, ps, err := s.readMapping(c)
	if err != nil {
		return err
	}
	if len(ps) > 0 {
		return echo.ErrBadRequest
	}
	err = s.o.Store.RemoveRoleMapping(ctx(c), m, by(c, v.User))
	if errors.Is(err, store.ErrInUse) {
		return s.showRightsWith(c, v, http.StatusConflict, views.RightsForm{}, dispatch.Problems{{Field: "rettigheter", Key: "problem.role.last"}})
	}
	if errors.Is(err, store.ErrChanged) {
		return s.flashTo(c, rightsPath, "flash.too_late", 0)
	}
	if err != nil {
		return err
	}
	return s.flashTo(c, rightsPath, "flash.done", 0)
}
