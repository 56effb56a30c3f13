package admin

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/views"
	"utsending/internal/views/admin"
)

// Edit shows the form of an account's print rules.
func (s *PrintRules) Edit(c echo.Context, v frame.Visit) error {
	line, err := s.accounts.oneAccount(c)
	if err != nil {
		return err
	}
	return s.showPrintRules(c, v, http.StatusOK, line, admin.NewPrintRulesForm(line.Account), nil, views.Other{})
}

func (s *PrintRules) showPrintRules(c echo.Context, v frame.Visit, status int, line admin.AccountLine, f admin.PrintRulesForm, ps dispatch.Problems, other views.Other) error {
	p := admin.PrintRulesPage{Page: s.Page(c, v, "print_rules.title"), Row: line, Form: f, Other: other}
	p.Section, p.Narrow, p.Problems = settingsSection(v), true, ps
	return frame.Show(c, status, admin.PrintRules(p))
}

// Save changes an account's print rules, or resets them to the defaults.
func (s *PrintRules) Save(c echo.Context, v frame.Visit) error {
	line, err := s.accounts.oneAccount(c)
	if err != nil {
		return err
	}
	f := admin.ReadPrintRulesForm(c.FormValue)
	rules, ps := f.Parse()
	chosen := &rules
	if c.FormValue("standard") == "true" {
		chosen, ps = nil, nil
	}
	if len(ps) > 0 {
		return s.showPrintRules(c, v, http.StatusUnprocessableEntity, line, f, ps, views.Other{})
	}
	now, after := line.Version, line.Account
	after.PrintRules = chosen
	changed := admin.PrintRulesChanges(admin.NewPrintRulesForm(line.Account), admin.NewPrintRulesForm(after))
	line.Version = views.TypedVersion(f.Version)
	err = items.In(s.Store).PrintRules.Save(frame.Context(c), line.Account, chosen, frame.Actor(c, v.User), changed...)
	if errors.Is(err, store.ErrStale) {
		line.Version, f.Version = now, strconv.Itoa(now)
		other := admin.OtherPrintRules(f, admin.NewPrintRulesForm(line.Account), settingsPath(v, line.Slug, "pdf"))
		return s.showPrintRules(c, v, http.StatusUnprocessableEntity, line, f, dispatch.Problems{{Field: dispatch.FieldSideMargin, Key: "problem.stale"}}, other)
	}
	if err != nil {
		return err
	}
	return s.FlashTo(c, settingsPath(v, line.Slug, "pdf"), "flash.print_rules_saved", 0)
}
