package admin

import (
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/registry"
	"utsending/internal/views"
	"utsending/internal/views/admin"
)

const rightsPath = "/admin/rettigheter"

// Show shows the role mappings.
func (s *Rights) Show(c echo.Context, v frame.Visit) error {
	return s.showRightsWith(c, v, http.StatusOK, admin.RightsForm{}, nil)
}

func (s *Rights) showRightsWith(c echo.Context, v frame.Visit, status int, f admin.RightsForm, ps dispatch.Problems) error {
	accounts, err := registry.In(s.Store).Accounts.List(frame.Context(c))
	if err != nil {
		return err
	}
	mappings, err := registry.In(s.Store).Roles.Mappings(frame.Context(c))
	if err != nil {
		return err
	}
	p := admin.RightsPage{Page: s.Page(c, v, "rights.title"), Claim: s.RightsClaim, Accounts: accounts, Form: f}
	p.Rows, p.Fresh = rightsLines(accounts, mappings), s.Session.FreshEnough(frame.Context(c), s.Now()) || len(ps) > 0
	p.Section, p.Problems = views.SectionRights, ps
	return frame.Show(c, status, admin.Rights(p))
}

// rightsLines are the mappings, each with its doubtful combination with others of its claim value.
func rightsLines(accounts []dispatch.Account, mappings []registry.RoleMapping) []admin.RightsLine {
	lines, of := make([]admin.RightsLine, len(mappings)), map[string][]dispatch.Grant{}
	for i, m := range mappings {
		lines[i] = admin.RightsLine{ID: m.ID, Claim: m.Claim, Role: m.Role}
		if m.Account != "" {
			lines[i].Account = byID(accounts, m.Account)
		}
		of[m.Claim] = append(of[m.Claim], dispatch.Grant{Account: lines[i].Account, Role: m.Role})
	}
	for i, l := range lines {
		lines[i].Clash = dispatch.Grant{Account: l.Account, Role: l.Role}.Clash(of[l.Claim])
	}
	return lines
}

// readMappings reads role mappings from the form, one for each line of claim values. A system administrator's has no
// account, all others have one.
func (s *Rights) readMappings(c echo.Context) (f admin.RightsForm, list []registry.RoleMapping, ps dispatch.Problems, err error) {
	f = admin.RightsForm{Claim: strings.TrimSpace(c.FormValue(admin.FieldClaim)), Account: c.FormValue(admin.FieldAccount), Role: c.FormValue(admin.FieldRole)}
	m := registry.RoleMapping{Role: dispatch.Role(f.Role)}
	if !m.Role.Known() {
		ps = append(ps, dispatch.Problem{Field: admin.FieldRole, Key: "problem.role"})
	}
	switch f.Account {
	case "":
		ps = append(ps, dispatch.Problem{Field: admin.FieldAccount, Key: "problem.role.account_empty"})
	case admin.EverywhereValue:
	default:
		a, err := s.system.bySlug(c, f.Account)
		if err != nil {
			return f, nil, ps, err
		}
		m.Account = a.ID
	}
	if m.Role.Known() && f.Account != "" && (m.Account == "" && !m.Role.Everywhere() || m.Account != "" && m.Role == dispatch.RoleSystemAdmin) {
		ps = append(ps, dispatch.Problem{Field: admin.FieldAccount, Key: "problem.role.account"})
	}
	values, ok := dispatch.RightsValues(f.Claim)
	for _, m.Claim = range values {
		list = append(list, m)
	}
	if !ok {
		ps = append(dispatch.Problems{{Field: admin.FieldClaim, Key: "problem.claim"}}, ps...)
	}
	return f, list, ps, nil
}

// Add maps claim values to a role. Those that give it already are named.
func (s *Rights) Add(c echo.Context, v frame.Visit) error {
	f, list, ps, err := s.readMappings(c)
	if err != nil {
		return err
	}
	if len(ps) == 0 {
		taken, err := s.addMappings(c, v, list)
		if err != nil {
			return err
		}
		if added := len(list) - len(taken); added > 0 {
			return s.rightsAdded(c, added, taken)
		}
		ps = dispatch.Problems{{Field: admin.FieldClaim, Key: "problem.claim.taken"}}
	}
	return s.showRightsWith(c, v, http.StatusUnprocessableEntity, f, ps)
}

// rightsAdded tells that rights were added, and which values gave the role already.
func (s *Rights) rightsAdded(c echo.Context, n int, taken []string) error {
	if len(taken) == 0 {
		return s.FlashTo(c, rightsPath, "flash.rights_added", n)
	}
	s.Session.SetFlashName(frame.Context(c), strings.Join(taken, ", "))
	return s.FlashTo(c, rightsPath, "flash.rights_added_some", 0)
}

// addMappings adds the mappings that do not exist, and returns the claim values of the others.
func (s *Rights) addMappings(c echo.Context, v frame.Visit, list []registry.RoleMapping) (taken []string, err error) {
	for _, m := range list {
		err := registry.In(s.Store).Roles.AddMapping(frame.Context(c), m, frame.Actor(c, v.User))
		switch {
		case errors.Is(err, store.ErrTaken):
			taken = append(taken, m.Claim)
		case err != nil:
			return taken, err
		}
	}
	return taken, nil
}
