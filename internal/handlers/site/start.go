package site

import (
	"errors"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/i18n"
	"utsending/internal/session"
	"utsending/internal/views"
	"utsending/internal/views/site"
)

// OrLogin redirects users who are not logged in to the login: the front page needs no explanation.
func (s *Pages) OrLogin(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		err := next(c)
		if errors.Is(err, frame.ErrSignedOut) {
			return frame.SeeOther(c, "/logg-inn")
		}
		return err
	}
}

// Start redirects to the account used last, or shows what the user has instead.
func (s *Pages) Start(c echo.Context, v frame.Visit) error {
	accounts := append(s.lastAccount(c, v), v.User.Accounts()...)
	for _, a := range accounts {
		if v.User.May(dispatch.RightSeeItems, a.ID) {
			return frame.SeeOther(c, views.AccountPath(a))
		}
	}
	for _, a := range accounts {
		if v.User.May(dispatch.RightSeeTemplates, a.ID) {
			return frame.SeeOther(c, views.AccountPath(a, "maler"))
		}
	}
	if v.User.MaySystem(dispatch.RightOperate) {
		return frame.SeeOther(c, "/admin/levering")
	}
	if v.User.Audits().Any() {
		return frame.SeeOther(c, "/admin/logg")
	}
	return s.showNone(c, v)
}

// showNone tells users without any page of their own why, and whom to ask.
func (s *Pages) showNone(c echo.Context, v frame.Visit) error {
	ctx := frame.Context(c)
	p := views.ErrorPage{Page: s.Page(c, v, "accounts.none"), SignsOut: true}
	p.Why = i18n.T(ctx, "accounts.none.who", "Name", v.User.Name) + " " + i18n.T(ctx, whyNone(s.Session.Gap(ctx)))
	if s.Contacts.Support != "" {
		p.Ask = i18n.T(ctx, "accounts.none.ask", "Contact", s.Contacts.Support)
	}
	return frame.Show(c, http.StatusOK, views.Failure(p))
}

// whyNone explains why a user has no account; if a claim is missing, an administrator must mend the provider.
func whyNone(gap session.Gap) string {
	switch gap {
	case session.GapMissing:
		return "accounts.none.missing"
	case session.GapOverflow:
		return "accounts.none.overflow"
	}
	return "accounts.none.why"
}

func (s *Pages) lastAccount(c echo.Context, v frame.Visit) []dispatch.Account {
	if a, ok := v.User.Account(s.Session.Account(frame.Context(c))); ok {
		return []dispatch.Account{a}
	}
	return nil
}

// Accounts shows the accounts to choose from.
func (s *Pages) Accounts(c echo.Context, v frame.Visit) error {
	if len(v.User.Accounts()) == 0 && !v.User.MaySystem(dispatch.RightOperate) && !v.User.Audits().Any() {
		return s.showNone(c, v)
	}
	return frame.Show(c, http.StatusOK, site.Accounts(site.AccountsPage{Page: s.Page(c, v, "accounts.title")}))
}

// Display shows the choice of language and colour scheme.
func (s *Pages) Display(c echo.Context, v frame.Visit) error {
	language, err := s.Store.Language(frame.Context(c), v.User.ID)
	if err != nil {
		return err
	}
	return frame.Show(c, http.StatusOK, site.Display(site.DisplayPage{Page: s.Page(c, v, "display.title"), Language: language, Default: s.Languages.Default.Lang()}))
}

// SaveDisplay stores the language with the user, for notices and other devices, and all choices in cookies.
func (s *Pages) SaveDisplay(c echo.Context, v frame.Visit) error {
	language := c.FormValue("sprak")
	if !slices.Contains(i18n.Tags(), language) {
		language = ""
	}
	if err := s.Store.SetLanguage(frame.Context(c), v.User.ID, language); err != nil {
		return err
	}
	frame.RememberLanguage(c, language)

	chosen := c.FormValue("farger")
	if chosen != "light" && chosen != "dark" {
		chosen = "auto"
	}
	frame.Remember(c, "visning", chosen)
	contrast := ""
	if c.FormValue("kontrast") == "true" {
		contrast = "mer"
	}
	frame.Remember(c, "kontrast", contrast)
	keys := ""
	if c.FormValue("taster") != "true" {
		keys = "av"
	}
	frame.Remember(c, "taster", keys)
	return s.FlashTo(c, "/min-side/visning", "flash.display", 0)
}

// Tour shows what to do on the first day, on the account used last.
func (s *Pages) Tour(c echo.Context, v frame.Visit) error {
	p := s.Page(c, v, "tour.title")
	for _, a := range append(s.lastAccount(c, v), v.User.Accounts()...) {
		p.Account = a
		break
	}
	return frame.Show(c, http.StatusOK, site.Article(site.Tour(frame.Context(c), p)))
}

// Dictionary explains every status.
func (s *Pages) Dictionary(c echo.Context, v frame.Visit) error {
	return frame.Show(c, http.StatusOK, site.Dictionary(site.DictionaryPage{Page: s.Page(c, v, "dictionary.title")}))
}
