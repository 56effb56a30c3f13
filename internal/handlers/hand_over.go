package handlers

import (
	"errors"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/views"
)

// askHandOver asks to whom one's own draft goes.
func (s *server) askHandOver(c echo.Context, v visit) error {
	return s.showHandOver(c, v, nil)
}

func (s *server) showHandOver(c echo.Context, v visit, ps dispatch.Problems) error {
	d, _, err := s.shipmentDraft(c, v)
	if err != nil {
		return s.draftGone(c, v, err)
	}
	colleagues, err := s.o.Store.Colleagues(ctx(c), v.Account.ID, v.User.ID)
	if err != nil {
		return err
	}
	p := views.HandOverPage{Page: s.page(c, v, "hand_over.title"), ID: d.Item.ID, DraftTitle: d.Head.Title}
	for _, who := range colleagues {
		p.Colleagues = append(p.Colleagues, views.Person{ID: who.ID, Name: who.Name})
	}
	p.Section, p.Narrow, p.Problems = views.SectionDrafts, true, ps
	return show(c, formStatus(ps), views.HandOver(p))
}

// handOver gives one's own draft to the chosen colleague.
func (s *server) handOver(c echo.Context, v visit) error {
	if _, _, err := s.shipmentDraft(c, v); err != nil {
		return s.draftGone(c, v, err)
	}
	err := s.o.Store.HandOver(ctx(c), v.Account.ID, dispatch.ItemID(c.Param("id")), dispatch.UserID(c.FormValue("til")), by(c, v.User))
	if errors.Is(err, store.ErrTaken) {
		return s.showHandOver(c, v, dispatch.Problems{{Field: "til", Key: "problem.hand_over.whom"}})
	}
	if err != nil {
		return s.draftGone(c, v, err)
	}
	return s.flashTo(c, views.AccountPath(v.Account, "utkast"), "flash.handed_over", 0)
}

// takeBack gets a draft back that a colleague has not changed yet.
func (s *server) takeBack(c echo.Context, v visit) error {
	id := dispatch.ItemID(c.Param("id"))
	err := s.o.Store.TakeBack(ctx(c), v.Account.ID, id, by(c, v.User))
	if errors.Is(err, store.ErrChanged) {
		return s.flashTo(c, views.AccountPath(v.Account, "utkast"), "flash.hand_over_late", 0)
	}
	if err != nil {
		return err
	}
	return s.flashTo(c, draftPath(v, id), "flash.taken_back", 0)
}
