package follow

import (
	"mime"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/views"
	"utsending/internal/views/follow"
)

// ShipmentFileRoute is where a file of a shipment that was sent is fetched from.
const ShipmentFileRoute = "/forsendelser/:id/dokumenter/:dokument"

// AskOpen asks why somebody wants to open what another's item holds. One's own needs no reason.
func (s *Pages) AskOpen(at frame.ItemPages, item func(echo.Context, frame.Visit) (dispatch.Item, error)) func(echo.Context, frame.Visit) error {
	return func(c echo.Context, v frame.Visit) error {
		it, err := item(c, v)
		if err != nil {
			return err
		}
		if v.User.Reach(it) == dispatch.ReachOpen {
			return frame.SeeOther(c, views.AccountPath(v.Account, at.Path, string(it.ID)))
		}
		return s.showOpening(c, v, at, it, nil)
	}
}

func (s *Pages) showOpening(c echo.Context, v frame.Visit, at frame.ItemPages, it dispatch.Item, problem *dispatch.Problem) error {
	p := follow.OpenPage{Page: s.Page(c, v, "content.title"), Item: it, Path: at.Path, Reason: c.FormValue(dispatch.FieldReason)}
	p.Section, p.Narrow = views.SectionContent, true
	if problem != nil {
		p.Problems = dispatch.Problems{*problem}
	}
	return frame.Show(c, frame.FormStatus(p.Problems), follow.OpenContent(p))
}

// withReason goes on with the reason for which an item is opened; empty for one's own. Without a good one the form that asks
// for it is shown again instead.
func (s *Pages) withReason(c echo.Context, v frame.Visit, at frame.ItemPages, it dispatch.Item, then func(reason string) error) error {
	switch v.User.Reach(it) {
	case dispatch.ReachOpen:
		return then("")
	case dispatch.ReachNone:
		return echo.ErrForbidden
	}
	reason, problem := dispatch.ParseReason(frame.TypedWhy(c, dispatch.FieldReason))
	if problem != nil {
		return s.showOpening(c, v, at, it, problem)
	}
	return then(reason)
}

// because is who acts in a request, and why.
func because(c echo.Context, u dispatch.User, reason string) store.Actor {
	a := frame.Actor(c, u)
	a.Reason = reason
	return a
}

// content is one kind of item with what it holds: how it is read, and the page that shows it.
type content[T any] struct {
	at   frame.ItemPages
	read func(echo.Context, frame.Visit) (T, error)
	item func(T) dispatch.Item
	show func(echo.Context, frame.Visit, T, int, dispatch.Problems, follow.Opened) error
}

// SMSContent is how the content of an SMS is opened.
func (s *Pages) SMSContent() content[dispatch.SMSItem] {
	return content[dispatch.SMSItem]{frame.SMSPages, s.SMS, func(it dispatch.SMSItem) dispatch.Item { return it.Item }, s.showItem}
}

// ShipmentContent is how the content of a shipment is opened.
func (s *Pages) ShipmentContent() content[dispatch.ShipmentItem] {
	return content[dispatch.ShipmentItem]{frame.ShipmentPages, s.Shipment, func(it dispatch.ShipmentItem) dispatch.Item { return it.Item }, s.showShipment}
}

// OpenContent shows what another's item holds, in the answer to the form only: no address shows it later without a reason.
func OpenContent[T any](s *Pages, k content[T]) func(echo.Context, frame.Visit) error {
	return s.Paced(func(c echo.Context, v frame.Visit) error {
		it, err := k.read(c, v)
		if err != nil {
			return err
		}
		id := k.item(it).ID
		return s.withReason(c, v, k.at, k.item(it), func(reason string) error {
			if reason == "" {
				return frame.SeeOther(c, views.AccountPath(v.Account, k.at.Path, string(id)))
			}
			if err := items.In(s.Store).Open(frame.Context(c), v.Account.ID, id, because(c, v.User, reason)); err != nil {
				return err
			}
			return k.show(c, v, it, http.StatusOK, nil, follow.Opened{Reason: reason})
		})
	})
}

// RevealNumber shows the whole number once; that is written to the event log.
func RevealNumber[T any](s *Pages, k content[T]) func(echo.Context, frame.Visit) error {
	return s.Paced(func(c echo.Context, v frame.Visit) error {
		it, err := k.read(c, v)
		if err != nil {
			return err
		}
		return s.withReason(c, v, k.at, k.item(it), func(reason string) error {
			if err := items.In(s.Store).Reveal(frame.Context(c), v.Account.ID, k.item(it).ID, because(c, v.User, reason)); err != nil {
				return err
			}
			return k.show(c, v, it, http.StatusOK, nil, follow.Opened{Reason: reason, Numbers: true})
		})
	})
}

// ShipmentFile gives a file as it was sent: by its address to who sent it, to others in the answer to a form with a
// reason. Either is a read of content, and is logged.
func (s *Pages) ShipmentFile(c echo.Context, v frame.Visit) error {
	it, err := s.Shipment(c, v)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(it.Documents, func(d dispatch.Document) bool { return string(d.ID) == c.Param("dokument") })
	if i < 0 {
		return store.ErrNotFound
	}
	if c.Request().Method != http.MethodPost && v.User.Reach(it.Item) != dispatch.ReachOpen {
		return echo.ErrForbidden
	}
	d := it.Documents[i]
	return s.withReason(c, v, frame.ShipmentPages, it.Item, func(reason string) error {
		return s.GiveFile(c, v, frame.Download{Document: d, Kind: fileKind(d), Disposition: mime.FormatMediaType("attachment", map[string]string{"filename": d.FileName}), Reason: reason})
	})
}

// fileKind is what browsers are told a file is. Only PDFs are said to be anything: nothing else is to be opened in them.
func fileKind(d dispatch.Document) string {
	if d.PDF() {
		return dispatch.MimePDF
	}
	return echo.MIMEOctetStream
}
