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

// ShipmentFileRoute is the address of a sent shipment's file.
const ShipmentFileRoute = "/forsendelser/:id/dokumenter/:dokument"

// AskOpen asks for the reason to open a colleague's item. One's own needs none.
func (s *Pages) AskOpen(at frame.ItemPages, item func(echo.Context, frame.Visit) (dispatch.Item, error)) func(echo.Context, frame.Visit) error {
	return func(c echo.Context, v frame.Visit) error {
		it, err := item(c, v)
		if err != nil {
			return err
		}
		return s.AskReason(c, v, at.ContentOf(v, it))
	}
}

// content describes how the content of one kind of item is read and shown.
type content[T any] struct {
	at   frame.ItemPages
	read func(echo.Context, frame.Visit) (T, error)
	item func(T) dispatch.Item
	show func(echo.Context, frame.Visit, T, int, dispatch.Problems, follow.Opened) error
}

// SMSContent describes the content of an SMS.
func (s *Pages) SMSContent() content[dispatch.SMSItem] {
	return content[dispatch.SMSItem]{frame.SMSPages, s.SMS, func(it dispatch.SMSItem) dispatch.Item { return it.Item }, s.showItem}
}

// ShipmentContent describes the content of a shipment.
func (s *Pages) ShipmentContent() content[dispatch.ShipmentItem] {
	return content[dispatch.ShipmentItem]{frame.ShipmentPages, s.Shipment, func(it dispatch.ShipmentItem) dispatch.Item { return it.Item }, s.showShipment}
}

// OpenContent shows a colleague's item in the response to the form only: no address shows it later without a reason.
func OpenContent[T any](s *Pages, k content[T]) func(echo.Context, frame.Visit) error {
	return s.Paced(func(c echo.Context, v frame.Visit) error {
		it, err := k.read(c, v)
		if err != nil {
			return err
		}
		id := k.item(it).ID
		return s.WithReason(c, v, k.at.ContentOf(v, k.item(it)), func(reason string) error {
			if reason == "" {
				return frame.SeeOther(c, views.AccountPath(v.Account, k.at.Path, string(id)))
			}
			if err := items.In(s.Store).Open(frame.Context(c), v.Account.ID, id, frame.Because(c, v.User, reason)); err != nil {
				return err
			}
			return k.show(c, v, it, http.StatusOK, nil, follow.Opened{Reason: reason})
		})
	})
}

// RevealNumber shows the whole number once, and records that in the event log.
func RevealNumber[T any](s *Pages, k content[T]) func(echo.Context, frame.Visit) error {
	return s.Paced(func(c echo.Context, v frame.Visit) error {
		it, err := k.read(c, v)
		if err != nil {
			return err
		}
		return s.WithReason(c, v, k.at.ContentOf(v, k.item(it)), func(reason string) error {
			if err := items.In(s.Store).Reveal(frame.Context(c), v.Account.ID, k.item(it).ID, frame.Because(c, v.User, reason)); err != nil {
				return err
			}
			return k.show(c, v, it, http.StatusOK, nil, follow.Opened{Reason: reason, Numbers: true})
		})
	})
}

// ShipmentFile sends a file of a shipment: to its owner by GET, to others in the response to a form with a reason.
// Both are recorded in the event log.
func (s *Pages) ShipmentFile(c echo.Context, v frame.Visit) error {
	it, err := s.Shipment(c, v)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(it.Documents, func(d dispatch.Document) bool { return string(d.ID) == c.Param("dokument") })
	if i < 0 {
		return store.ErrNotFound
	}
	if reach, err := s.Reach(c, v, it.CreatedBy); err != nil || c.Request().Method != http.MethodPost && reach != dispatch.ReachOpen {
		if err != nil {
			return err
		}
		return echo.ErrForbidden
	}
	d := it.Documents[i]
	return s.WithReason(c, v, frame.ShipmentPages.ContentOf(v, it.Item), func(reason string) error {
		return s.GiveFile(c, v, frame.Download{Document: d, Kind: fileKind(d), Disposition: mime.FormatMediaType("attachment", map[string]string{"filename": d.FileName}), Reason: reason})
	})
}

// fileKind is the content type. Only PDFs get one of their own: browsers must not open anything else.
func fileKind(d dispatch.Document) string {
	if d.PDF() {
		return dispatch.MimePDF
	}
	return echo.MIMEOctetStream
}
