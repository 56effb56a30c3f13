package follow

import (
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store/queue"
)

// SMSItem returns the common part of the SMS in the address.
func (s *Items) SMSItem(c echo.Context, v frame.Visit) (dispatch.Item, error) {
	it, err := s.SMS(c, v)
	return it.Item, err
}

// ShipmentItem returns the common part of the shipment in the address.
func (s *Items) ShipmentItem(c echo.Context, v frame.Visit) (dispatch.Item, error) {
	it, err := s.Shipment(c, v)
	return it.Item, err
}

// CheckNow makes the item's status read due now.
func (s *Items) CheckNow(at frame.ItemPages, item func(echo.Context, frame.Visit) (dispatch.Item, error)) func(echo.Context, frame.Visit) error {
	return func(c echo.Context, v frame.Visit) error {
		it, err := item(c, v)
		if err != nil {
			return err
		}
		if _, err := queue.In(s.Store).Checks.Pull(frame.Context(c), v.Account.ID, it.ID, s.Plan.OnView); err != nil {
			return err
		}
		s.Wake()
		return s.ToPage(c, v, at, "flash.checking")
	}
}

// AskOpen asks for the reason to open a colleague's item. One's own needs none.
func (s *Items) AskOpen(at frame.ItemPages, item func(echo.Context, frame.Visit) (dispatch.Item, error)) func(echo.Context, frame.Visit) error {
	return func(c echo.Context, v frame.Visit) error {
		it, err := item(c, v)
		if err != nil {
			return err
		}
		return s.AskReason(c, v, at.ContentOf(v, it))
	}
}
