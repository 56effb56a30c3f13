package admin

import (
	"errors"
	"strings"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/registry"
	"utsending/internal/views"
	"utsending/internal/views/admin"
)

// oneAccount reads the account in the address.
func (s *accountPages) oneAccount(c echo.Context) (admin.AccountLine, error) {
	lines, err := s.accountLines(c)
	for _, l := range lines {
		if l.Slug == c.Param("konto") {
			return l, err
		}
	}
	return admin.AccountLine{}, errors.Join(err, store.ErrNotFound)
}

// accountLines reads all accounts with their integrations.
func (s *accountPages) accountLines(c echo.Context) ([]admin.AccountLine, error) {
	accounts, err := registry.In(s.Store).Accounts.List(frame.Context(c))
	if err != nil {
		return nil, err
	}
	integrations, err := s.integrations.integrationLines(c)
	if err != nil {
		return nil, err
	}
	find := func(id dispatch.IntegrationID) *admin.IntegrationLine {
		for i := range integrations {
			if id != "" && integrations[i].ID == id {
				return &integrations[i]
			}
		}
		return nil
	}
	lines := make([]admin.AccountLine, len(accounts))
	for i, a := range accounts {
		lines[i] = admin.AccountLine{Account: a, SMS: find(a.SMSIntegration), Shipments: find(a.ShipmentIntegration)}
	}
	return lines, nil
}

// settingsPath is the address of an account's settings: below the account for its own administrator, else below
// /admin.
func settingsPath(v frame.Visit, slug string, more ...string) string {
	if v.Account.ID != "" {
		return views.AccountPath(v.Account, append([]string{"innstillinger"}, more...)...)
	}
	return strings.Join(append([]string{accountsPath, slug}, more...), "/")
}

// settingsSection is the navigation's entry for an account's settings.
func settingsSection(v frame.Visit) views.Section {
	if v.Account.ID != "" {
		return views.SectionSettings
	}
	return views.SectionAccounts
}
