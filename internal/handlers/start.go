package handlers

import (
	"errors"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/session"
	"utsending/internal/views"
)

// orLogin sends people who are not logged in straight to the login: the front page asks for nothing else.
func (s *server) orLogin(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		err := next(c)
		if errors.Is(err, errSignedOut) {
			return seeOther(c, "/logg-inn")
		}
		return err
	}
}

// start leads to the account that was used last, or to what the user has instead.
func (s *server) start(c echo.Context, v visit) error {
	accounts := append(s.lastAccount(c, v), v.User.Accounts()...)
	for _, a := range accounts {
		if v.User.May(dispatch.RightSeeItems, a.ID) {
			return seeOther(c, views.AccountPath(a))
		}
	}
	for _, a := range accounts {
		if v.User.May(dispatch.RightSeeTemplates, a.ID) {
			return seeOther(c, views.AccountPath(a, "maler"))
		}
	}
	if v.User.MaySystem(dispatch.RightOperate) {
		return seeOther(c, "/admin/levering")
	}
	if v.User.Audits().Any() {
		return seeOther(c, "/admin/logg")
	}
	p := views.ErrorPage{Page: s.page(c, v, "accounts.none"), Why: i18n.T(ctx(c), whyNone(s.o.Session.Gap(ctx(c))))}
	return show(c, http.StatusOK, views.Failure(p))
}

// whyNone tells why somebody has no account; what the login lacks, an administrator must mend at the provider.
func whyNone(gap session.Gap) string {
	switch gap {
	case session.GapMissing:
		return "accounts.none.missing"
	case session.GapOverflow:
		return "accounts.none.overflow"
	}
	return "accounts.none.why"
}

func (s *server) lastAccount(c echo.Context, v visit) []dispatch.Account {
	if a, ok := v.User.Account(s.o.Session.Account(ctx(c))); ok {
		return []dispatch.Account{a}
	}
	return nil
}

func (s *server) accounts(c echo.Context, v visit) error {
	return show(c, http.StatusOK, views.Accounts(views.AccountsPage{Page: s.page(c, v, "accounts.title")}))
}

func (s *server) display(c echo.Context, v visit) error {
	return show(c, http.StatusOK, views.Display(views.DisplayPage{Page: s.page(c, v, "display.title")}))
}

// saveDisplay keeps the choice of colours in a cookie of the browser.
func (s *server) saveDisplay(c echo.Context, _ visit) error {
	chosen := c.FormValue("farger")
	if chosen != "light" && chosen != "dark" {
		chosen = "auto"
	}
	c.SetCookie(&http.Cookie{Name: "visning", Value: chosen, Path: "/", HttpOnly: true, Secure: true, SameSite: http.SameSiteLaxMode,
		MaxAge: int((365 * 24 * time.Hour).Seconds())})
	return s.flashTo(c, "/min-side/visning", "flash.display", 0)
}

// dictionary explains every status.
func (s *server) dictionary(c echo.Context, v visit) error {
	return show(c, http.StatusOK, views.Dictionary(views.DictionaryPage{Page: s.page(c, v, "dictionary.title")}))
}
