package follow

import (
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store/queue"
)

// CheckNow makes the item's status read due now.
func (s *Pages) CheckNow(at frame.ItemPages, item func(echo.Context, frame.Visit) (dispatch.Item, error)) func(echo.Context, frame.Visit) error {
	return func(c echo.Context, v frame.Visit) error {
		it, err := item(c, v)
		if err != nil {
			return err
		}
		if _, err := queue.In(s.Store).PullCheck(frame.Context(c), v.Account.ID, it.ID, s.Plan.OnView); err != nil {
			return err
		}
		s.Wake()
		return s.ToPage(c, v, at, "flash.checking")
	}
}
