package compose

import (
	"errors"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/views"
	"utsending/internal/views/compose"
)

// Ask asks which colleague a draft is handed over to.
func (s *HandOver) Ask(c echo.Context, v frame.Visit) error {
	return s.showHandOver(c, v, nil)
}

func (s *HandOver) showHandOver(c echo.Context, v frame.Visit, ps dispatch.Problems) error {
	d, _, err := s.drafts.shipmentDraft(c, v)
	if err != nil {
		return s.drafts.draftGone(c, v, err)
	}
	workers, err := items.In(s.Store).Absences.Workers(frame.Context(c), v.Account.ID, dispatch.KindShipment)
	if err != nil {
		return err
	}
	p := compose.HandOverPage{Page: s.Page(c, v, "hand_over.title"), ID: d.Item.ID, DraftTitle: d.Fields.OwnTitle()}
	for _, w := range workers {
		if w.ID != v.User.ID {
			p.Colleagues = append(p.Colleagues, compose.Person{ID: w.ID, Name: w.Name})
		}
	}
	p.Section, p.Narrow, p.Problems = views.SectionDrafts, true, ps
	return frame.Show(c, frame.FormStatus(ps), compose.HandOver(p))
}

// Give hands a draft over to the chosen colleague.
func (s *HandOver) Give(c echo.Context, v frame.Visit) error {
	if _, _, err := s.drafts.shipmentDraft(c, v); err != nil {
		return s.drafts.draftGone(c, v, err)
	}
	err := items.In(s.Store).HandOvers.Give(frame.Context(c), v.Account.ID, dispatch.ItemID(c.Param("id")), dispatch.UserID(c.FormValue("til")), frame.Actor(c, v.User))
	if errors.Is(err, store.ErrTaken) {
		return s.showHandOver(c, v, dispatch.Problems{{Field: "til", Key: "problem.hand_over.whom"}})
	}
	if errors.Is(err, items.ErrProtected) {
		return s.showHandOver(c, v, dispatch.Problems{{Field: "til", Key: "problem.hand_over.protected"}})
	}
	if err != nil {
		return s.drafts.draftGone(c, v, err)
	}
	return s.FlashTo(c, views.AccountPath(v.Account, "utkast"), "flash.handed_over", 0)
}

// TakeBack takes a draft back if the colleague has not changed it.
func (s *HandOver) TakeBack(c echo.Context, v frame.Visit) error {
	id := dispatch.ItemID(c.Param("id"))
	err := items.In(s.Store).HandOvers.TakeBack(frame.Context(c), v.Account.ID, id, frame.Actor(c, v.User))
	if errors.Is(err, store.ErrChanged) {
		return s.FlashTo(c, views.AccountPath(v.Account, "utkast"), "flash.hand_over_late", 0)
	}
	if errors.Is(err, items.ErrProtected) {
		return store.ErrNotFound
	}
	if err != nil {
		return err
	}
	return s.FlashTo(c, frame.DraftPath(v, id), "flash.taken_back", 0)
}
