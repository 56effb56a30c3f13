package follow

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/views"
	"utsending/internal/views/follow"
)

// WrongShipment shows what can still be stopped of a shipment to a wrong recipient.
func (s *Pages) WrongShipment(c echo.Context, v frame.Visit) error {
	it, err := s.Shipment(c, v)
	if err != nil {
		return err
	}
	p := follow.WrongPage{Page: s.Page(c, v, "wrong.title"), Item: it.Item, Deletable: len(it.Deletions()) > 0 && v.User.May(dispatch.RightSendShipments, v.Account.ID)}
	p.Section, p.Narrow = views.SectionShipments, true
	return frame.Show(c, http.StatusOK, follow.Wrong(p))
}

// WrongSMS shows what can still be stopped of an SMS to a wrong recipient.
func (s *Pages) WrongSMS(c echo.Context, v frame.Visit) error {
	it, err := s.SMS(c, v)
	if err == nil && it.State == dispatch.StateDraft {
		err = store.ErrNotFound
	}
	if err != nil {
		return err
	}
	p := follow.WrongPage{Page: s.Page(c, v, "wrong.title"), Item: it.Item}
	p.Section, p.Narrow = views.SectionSMS, true
	return frame.Show(c, http.StatusOK, follow.Wrong(p))
}
