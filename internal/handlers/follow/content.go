package follow

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store/items"
	"utsending/internal/views"
	"utsending/internal/views/follow"
)

// Content is how the content of one kind of item is read and shown.
type Content[T any] struct {
	*frame.Frame
	at   frame.ItemPages
	read func(echo.Context, frame.Visit) (T, error)
	item func(T) dispatch.Item
	show func(echo.Context, frame.Visit, T, int, dispatch.Problems, follow.Opened) error
}

// Open shows a colleague's item in the response to the form only: no address shows it later without a reason.
func (k Content[T]) Open() func(echo.Context, frame.Visit) error {
	return k.Paced(func(c echo.Context, v frame.Visit) error {
		it, err := k.read(c, v)
		if err != nil {
			return err
		}
		id := k.item(it).ID
		return k.WithReason(c, v, k.at.ContentOf(v, k.item(it)), func(reason string) error {
			if reason == "" {
				return frame.SeeOther(c, views.AccountPath(v.Account, k.at.Path, string(id)))
			}
			if err := items.In(k.Store).Decisions.Open(frame.Context(c), v.Account.ID, id, frame.Because(c, v.User, reason)); err != nil {
				return err
			}
			return k.show(c, v, it, http.StatusOK, nil, follow.Opened{Reason: reason})
		})
	})
}

// RevealNumber shows the whole number once, and records that in the event log.
func (k Content[T]) RevealNumber() func(echo.Context, frame.Visit) error {
	return k.Paced(func(c echo.Context, v frame.Visit) error {
		it, err := k.read(c, v)
		if err != nil {
			return err
		}
		return k.WithReason(c, v, k.at.ContentOf(v, k.item(it)), func(reason string) error {
			if err := items.In(k.Store).Decisions.Reveal(frame.Context(c), v.Account.ID, k.item(it).ID, frame.Because(c, v.User, reason)); err != nil {
				return err
			}
			return k.show(c, v, it, http.StatusOK, nil, follow.Opened{Reason: reason, Numbers: true})
		})
	})
}
