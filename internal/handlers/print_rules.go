package handlers

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/views"
)

// parseDraft reads a draft with everything that stops it, findings in its files included.
func (s *server) parseDraft(v visit, d store.Draft, f views.ShipmentForm) (dispatch.Shipment, dispatch.Problems) {
	content, ps := f.Parse(v.Account.Generation(), d.Documents, s.o.Now())
	ps = append(ps, v.Account.ValidateEncryption(content, s.o.Now())...)
	return content, append(ps, content.Stopped(v.Account.Rules())...)
}

// editPrintRules shows what an account's PDFs are held against.
func (s *server) editPrintRules(c echo.Context, v visit) error {
	line, err := s.oneAccount(c)
	if err != nil {
		return err
	}
	return s.showPrintRules(c, v, http.StatusOK, line, views.NewPrintRulesForm(line.Account), nil, views.Other{})
}

func (s *server) showPrintRules(c echo.Context, v visit, status int, line views.AccountLine, f views.PrintRulesForm, ps dispatch.Problems, other views.Other) error {
	p := views.PrintRulesPage{Page: s.page(c, v, "print_rules.title"), Row: line, Form: f, Other: other}
	p.Section, p.Narrow, p.Problems = settingsSection(v), true, ps
	return show(c, status, views.PrintRules(p))
}

// savePrintRules changes them, or goes back to those that hold for all.
func (s *server) savePrintRules(c echo.Context, v visit) error {
	line, err := s.oneAccount(c)
	if err != nil {
		return err
	}
	f := views.ReadPrintRulesForm(c.FormValue)
	rules, ps := f.Parse()
	chosen := &rules
	if c.FormValue("standard") == "true" {
		chosen, ps = nil, nil
	}
	if len(ps) > 0 {
		return s.showPrintRules(c, v, http.StatusUnprocessableEntity, line, f, ps, views.Other{})
	}
	now := line.Version
	line.Version = views.TypedVersion(f.Version)
	err = s.o.Store.SavePrintRules(ctx(c), line.Account, chosen, by(c, v.User))
	if errors.Is(err, store.ErrStale) {
		line.Version, f.Version = now, strconv.Itoa(now)
		other := views.OtherPrintRules(f, views.NewPrintRulesForm(line.Account), settingsPath(v, line.Slug, "pdf"))
		return s.showPrintRules(c, v, http.StatusUnprocessableEntity, line, f, dispatch.Problems{{Field: dispatch.FieldSideMargin, Key: "problem.stale"}}, other)
	}
	if err != nil {
		return err
	}
	return s.flashTo(c, settingsPath(v, line.Slug, "pdf"), "flash.done", 0)
}
