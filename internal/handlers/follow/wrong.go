package follow

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/views"
	"utsending/internal/views/follow"
)

// WrongShipment shows what can still be stopped of a shipment to a wrong recipient.
func (s *Items) WrongShipment(c echo.Context, v frame.Visit) error {
	it, err := s.Shipment(c, v)
	if err != nil {
		return err
	}
	p := follow.WrongPage{Page: s.Page(c, v, "wrong.title"), Item: it.Item, Deletable: len(it.Deletions()) > 0 && v.User.May(dispatch.RightSendShipments, v.Account.ID)}
	p.Section = views.SectionShipments
	return s.showWrong(c, v, p)
}

// WrongSMS shows what can still be stopped of an SMS to a wrong recipient.
func (s *Items) WrongSMS(c echo.Context, v frame.Visit) error {
	it, err := s.SMS(c, v)
	if err == nil && it.State == dispatch.StateDraft {
		err = store.ErrNotFound
	}
	if err != nil {
		return err
	}
	p := follow.WrongPage{Page: s.Page(c, v, "wrong.title"), Item: it.Item}
	p.Section = views.SectionSMS
	return s.showWrong(c, v, p)
}

// showWrong shows the page. A replacement of the item may have the wrong recipient too, so the page links to it.
func (s *Items) showWrong(c echo.Context, v frame.Visit, p follow.WrongPage) (err error) {
	if p.Relatives, err = items.In(s.Store).Origins.Relatives(frame.Context(c), v.Account.ID, p.Item.ID); err != nil {
		return err
	}
	p.Narrow = true
	return frame.Show(c, http.StatusOK, follow.Wrong(p))
}
