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

// Show shows the municipality's name, colours and logo.
func (s *Appearance) Show(c echo.Context, v frame.Visit) error {
	t, err := registry.In(s.Store).Themes.Current(frame.Context(c))
	if err != nil {
		return err
	}
	return s.showAppearance(c, v, http.StatusOK, admin.AppearancePage{
		Name: t.Name, Light: string(t.Light), Dark: string(t.Dark), HasLogo: t.Logo != nil, Version: t.Version,
	})
}

func (s *Appearance) showAppearance(c echo.Context, v frame.Visit, status int, p admin.AppearancePage) error {
	problems := p.Problems
	p.Page = s.Page(c, v, "appearance.title")
	p.Section, p.Narrow, p.Problems, p.Configured = views.SectionAppearance, true, problems, s.Municipality
	return frame.Show(c, status, admin.Appearance(p))
}

// Save stores them, if the colours can be read in light and dark.
func (s *Appearance) Save(c echo.Context, v frame.Visit) error {
	now, err := registry.In(s.Store).Themes.Current(frame.Context(c))
	if err != nil {
		return err
	}
	p := admin.AppearancePage{
		Name: strings.TrimSpace(c.FormValue(dispatch.FieldThemeName)), Light: strings.TrimSpace(c.FormValue(dispatch.FieldThemeLight)), Dark: strings.TrimSpace(c.FormValue(dispatch.FieldThemeDark)),
		HasLogo: now.Logo != nil, Version: frame.ReadVersion(c),
	}
	t := registry.Theme{Logo: now.Logo, Version: p.Version}
	t.Theme, p.Problems = dispatch.ParseTheme(p.Name, p.Light, p.Dark)
	if c.FormValue("fjern") == "true" {
		t.Logo = nil
	}
	if logo, problem := readLogo(c); problem != nil {
		p.Problems = append(p.Problems, *problem)
	} else if logo != nil {
		t.Logo = logo
	}
	// Saving the same again stores nothing, and is no line of the log.
	changed := admin.ThemeChanges(now.Theme, t.Theme, now.Logo, t.Logo)
	if len(p.Problems) == 0 && (len(changed) > 0 || now.Version != t.Version) {
		err = registry.In(s.Store).Themes.Save(frame.Context(c), t, frame.Actor(c, v.User), changed...)
	}
	if errors.Is(err, store.ErrStale) {
		p.Problems = dispatch.Problems{{Field: dispatch.FieldThemeName, Key: "problem.stale"}}
	} else if err != nil {
		return err
	}
	if len(p.Problems) > 0 {
		return s.showAppearance(c, v, http.StatusUnprocessableEntity, p)
	}
	s.ForgetTheme()
	return s.FlashTo(c, frame.AppearancePath, "flash.appearance", 0)
}
