package follow

import (
	"errors"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
)

// stop stops the item named by the address, or stores a request to stop it while a call is running.
func (s *Pages) stop(c echo.Context, v frame.Visit, at frame.ItemPages) error {
	asked, err := items.In(s.Store).Stop(frame.Context(c), v.Account.ID, dispatch.ItemID(c.Param("id")), frame.Actor(c, v.User))
	switch {
	case errors.Is(err, store.ErrChanged):
		return s.ToPage(c, v, at, at.Changed)
	case err != nil:
		return err
	case asked:
		return s.ToPage(c, v, at, "flash.stop_asked")
	}
	s.Wake()
	return s.ToPage(c, v, at, "flash.cancelled")
}
