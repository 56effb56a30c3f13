package handlers

import (
	"errors"
	"mime"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/store"
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

// errAsked says that the page that asks for a reason has been shown instead.
var errAsked = errors.New("a reason is asked for")

// why is the reason with which an item is opened; empty for one's own. Without a good one errAsked comes back, and the
// form has been shown again.
func (s *server) why(c echo.Context, v visit, at pages, it dispatch.Item) (string, error) {
	switch v.User.Reach(it) {
	case dispatch.ReachOpen:
		return "", nil
	case dispatch.ReachNone:
		return "", echo.ErrForbidden
	}
	reason, problem := dispatch.ParseReason(c.FormValue(dispatch.FieldReason))
	if problem != nil {
		return "", errors.Join(errAsked, s.showOpening(c, v, at, it, problem))
	}
	return reason, nil
}

// asked ends a request whose reason has been asked for.
func asked(err error) error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok && errors.Is(err, errAsked) {
		return errors.Join(slices.DeleteFunc(joined.Unwrap(), func(e error) bool { return errors.Is(e, errAsked) })...)
	}
	return err
}

// because is who acts in a request, and why.
func because(c echo.Context, u dispatch.User, reason string) store.Actor {
	a := by(c, u)
	a.Reason = reason
	return a
}

// openSMS shows the text of another's SMS, in the answer to the form only: no address shows it later without a reason.
func (s *server) openSMS(c echo.Context, v visit) error {
	it, err := s.sms(c, v)
	if err != nil {
		return err
	}
	reason, err := s.why(c, v, smsPages, it.Item)
	if err != nil {
		return asked(err)
	}
	if reason == "" {
		return seeOther(c, views.AccountPath(v.Account, smsPages.path, string(it.ID)))
	}
	if err := s.o.Store.Open(ctx(c), v.Account.ID, it.ID, because(c, v.User, reason)); err != nil {
		return err
	}
	return s.showItem(c, v, it, http.StatusOK, nil, views.Opened{Reason: reason})
}

// openShipment shows another's shipment with ways to its files, in the answer to the form only.
func (s *server) openShipment(c echo.Context, v visit) error {
	it, err := s.shipment(c, v)
	if err != nil {
		return err
	}
	reason, err := s.why(c, v, shipmentPages, it.Item)
	if err != nil {
		return asked(err)
	}
	if reason == "" {
		return seeOther(c, views.AccountPath(v.Account, shipmentPages.path, string(it.ID)))
	}
	if err := s.o.Store.Open(ctx(c), v.Account.ID, it.ID, because(c, v.User, reason)); err != nil {
		return err
	}
	return s.showLetter(c, v, it, http.StatusOK, nil, views.Opened{Reason: reason})
}

// revealSMS shows the whole number once; that is written to the event log.
func (s *server) revealSMS(c echo.Context, v visit) error {
	it, err := s.sms(c, v)
	if err != nil {
		return err
	}
	reason, err := s.why(c, v, smsPages, it.Item)
	if err != nil {
		return asked(err)
	}
	if err := s.o.Store.Reveal(ctx(c), v.Account.ID, it.ID, because(c, v.User, reason)); err != nil {
		return err
	}
	return s.showItem(c, v, it, http.StatusOK, nil, views.Opened{Reason: reason, Numbers: true})
}

// revealShipment shows the whole number once; that is written to the event log.
func (s *server) revealShipment(c echo.Context, v visit) error {
	it, err := s.shipment(c, v)
	if err != nil {
		return err
	}
	reason, err := s.why(c, v, shipmentPages, it.Item)
	if err != nil {
		return asked(err)
	}
	if err := s.o.Store.Reveal(ctx(c), v.Account.ID, it.ID, because(c, v.User, reason)); err != nil {
		return err
	}
	return s.showLetter(c, v, it, http.StatusOK, nil, views.Opened{Reason: reason, Numbers: true})
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
	reason, err := s.why(c, v, shipmentPages, it.Item)
	if err != nil {
		return asked(err)
	}
	d := it.Documents[i]
	return s.give(c, v, download{d, fileKind(d), mime.FormatMediaType("attachment", map[string]string{"filename": d.FileName}), reason})
}

// fileKind is what browsers are told a file is. Only PDFs are said to be anything: nothing else is to be opened in them.
func fileKind(d dispatch.Document) string {
	if d.PDF() {
		return dispatch.MimePDF
	}
	return echo.MIMEOctetStream
}
