package handlers

import (
	"mime"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/text"
	"utsending/internal/views"
)

// shipmentFileRoute is where a file of a shipment that was sent is fetched from.
const shipmentFileRoute = "/forsendelser/:id/dokumenter/:dokument"

// askOpen asks why somebody wants to open what another's item holds. One's own needs no reason.
func (s *server) askOpen(at pages, item func(echo.Context, visit) (dispatch.Item, error)) func(echo.Context, visit) error {
	return func(c echo.Context, v visit) error {
		it, err := item(c, v)
		if err != nil {
			return err
		}
		if v.User.Reach(it) == dispatch.ReachOpen {
			return seeOther(c, views.AccountPath(v.Account, at.path, string(it.ID)))
		}
		return s.showOpening(c, v, at, it, nil)
	}
}

func (s *server) showOpening(c echo.Context, v visit, at pages, it dispatch.Item, problem *dispatch.Problem) error {
	p := views.OpenPage{Page: s.page(c, v, "content.title"), Item: it, Path: at.path, Reason: c.FormValue(dispatch.FieldReason)}
	p.Section, p.Narrow = views.SectionContent, true
	if problem != nil {
		p.Problems = dispatch.Problems{*problem}
	}
	return show(c, formStatus(p.Problems), views.OpenContent(p))
}

// withReason goes on with the reason for which an item is opened; empty for one's own. Without a good one the form that asks
// for it is shown again instead.
func (s *server) withReason(c echo.Context, v visit, at pages, it dispatch.Item, then func(reason string) error) error {
	switch v.User.Reach(it) {
	case dispatch.ReachOpen:
		return then("")
	case dispatch.ReachNone:
		return echo.ErrForbidden
	}
	reason, problem := dispatch.ParseReason(typedWhy(c, dispatch.FieldReason))
	if problem != nil {
		return s.showOpening(c, v, at, it, problem)
	}
	return then(reason)
}

// typedWhy is what a person gives as a reason, as it is searched for numbers, and kept: digits in disguise are digits, and marks
// that nobody sees are gone.
func typedWhy(c echo.Context, field string) string { return text.Compared(c.FormValue(field)) }

// because is who acts in a request, and why.
func because(c echo.Context, u dispatch.User, reason string) store.Actor {
	a := by(c, u)
	a.Reason = reason
	return a
}

// content is one kind of item with what it holds: how it is read, and the page that shows it.
type content[T any] struct {
	at   pages
	read func(echo.Context, visit) (T, error)
	item func(T) dispatch.Item
	show func(echo.Context, visit, T, int, dispatch.Problems, views.Opened) error
}

func (s *server) smsContent() content[dispatch.SMSItem] {
	return content[dispatch.SMSItem]{smsPages, s.sms, func(it dispatch.SMSItem) dispatch.Item { return it.Item }, s.showItem}
}

func (s *server) shipmentContent() content[dispatch.ShipmentItem] {
	return content[dispatch.ShipmentItem]{shipmentPages, s.shipment, func(it dispatch.ShipmentItem) dispatch.Item { return it.Item }, s.showLetter}
}

// openContent shows what another's item holds, in the answer to the form only: no address shows it later without a reason.
func openContent[T any](s *server, k content[T]) func(echo.Context, visit) error {
	return s.paced(func(c echo.Context, v visit) error {
		it, err := k.read(c, v)
		if err != nil {
			return err
		}
		id := k.item(it).ID
		return s.withReason(c, v, k.at, k.item(it), func(reason string) error {
			if reason == "" {
				return seeOther(c, views.AccountPath(v.Account, k.at.path, string(id)))
			}
			if err := s.o.Store.Open(ctx(c), v.Account.ID, id, because(c, v.User, reason)); err != nil {
				return err
			}
			return k.show(c, v, it, http.StatusOK, nil, views.Opened{Reason: reason})
		})
	})
}

// revealNumber shows the whole number once; that is written to the event log.
func revealNumber[T any](s *server, k content[T]) func(echo.Context, visit) error {
	return s.paced(func(c echo.Context, v visit) error {
		it, err := k.read(c, v)
		if err != nil {
			return err
		}
		return s.withReason(c, v, k.at, k.item(it), func(reason string) error {
			if err := s.o.Store.Reveal(ctx(c), v.Account.ID, k.item(it).ID, because(c, v.User, reason)); err != nil {
				return err
			}
			return k.show(c, v, it, http.StatusOK, nil, views.Opened{Reason: reason, Numbers: true})
		})
	})
}

// shipmentFile gives a file as it was sent: by its address to who sent it, to others in the answer to a form with a
// reason. Either is a read of content, and is logged.
func (s *server) shipmentFile(c echo.Context, v visit) error {
	it, err := s.shipment(c, v)
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
	return s.withReason(c, v, shipmentPages, it.Item, func(reason string) error {
		return s.give(c, v, download{d, fileKind(d), mime.FormatMediaType("attachment", map[string]string{"filename": d.FileName}), reason})
	})
}

// fileKind is what browsers are told a file is. Only PDFs are said to be anything: nothing else is to be opened in them.
func fileKind(d dispatch.Document) string {
	if d.PDF() {
		return dispatch.MimePDF
	}
	return echo.MIMEOctetStream
}
