package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/views"
)

// askRead shows the form that tells the service that a shipment was read elsewhere.
func (s *server) askRead(c echo.Context, v visit) error {
	it, err := s.shipment(c, v)
	if err != nil {
		return err
	}
	return s.showRead(c, v, http.StatusOK, views.MarkReadPage{Item: it, Form: views.NewMarkReadForm(it, s.o.Now())}, nil)
}

func (s *server) showRead(c echo.Context, v visit, status int, p views.MarkReadPage, ps dispatch.Problems) error {
	if !p.Item.MayMarkRead() {
		return s.toPage(c, v, shipmentPages, shipmentPages.changed)
	}
	p.Page = s.page(c, v, "read.title")
	p.Section, p.Narrow, p.Problems = views.SectionReading, true, ps
	return show(c, status, views.ShipmentMarkRead(p))
}

// markRead tells the service, after a line in the event log. What the service cannot be told is told on the form.
func (s *server) markRead(c echo.Context, v visit) error {
	it, err := s.shipment(c, v)
	if err != nil {
		return err
	}
	p := views.MarkReadPage{Item: it, Form: views.MarkReadForm{
		Who: c.FormValue("hvem"), NationalID: c.FormValue(dispatch.FieldReader), Day: c.FormValue(dispatch.FieldReadDay),
		Clock: c.FormValue(dispatch.FieldReadTime), System: c.FormValue(dispatch.FieldReadSystem), Confirmed: c.FormValue(dispatch.FieldReadConfirm) == "true",
	}}
	reading, ps := p.Form.Parse(it, s.o.Now())
	if len(ps) > 0 || !it.MayMarkRead() {
		return s.showRead(c, v, http.StatusUnprocessableEntity, p, ps)
	}
	if p.Failure, err = s.tellRead(c, v, it, reading); err != nil {
		return err
	}
	if p.Failure.Key != "" {
		return s.showRead(c, v, http.StatusUnprocessableEntity, p, nil)
	}
	s.wake()
	return s.toPage(c, v, shipmentPages, "flash.marked_read")
}

// tellRead writes to the event log, tells the service, and writes to the timeline, in this order.
func (s *server) tellRead(c echo.Context, v visit, it dispatch.ShipmentItem, r dispatch.ReadElsewhere) (dispatch.Reason, error) {
	over, err := s.o.Store.SentOver(ctx(c), v.Account.ID, it.ID)
	if err != nil {
		return dispatch.Reason{}, err
	}
	if err := s.o.Store.BeginMarkRead(ctx(c), v.Account.ID, it.ID, by(c, v.User)); err != nil {
		return dispatch.Reason{}, err
	}
	if failure := s.o.Upstream.MarkRead(ctx(c), over, it.UpstreamID, r); failure.Key != "" {
		return failure, nil
	}
	return dispatch.Reason{}, s.o.Store.MarkedRead(ctx(c), v.Account.ID, it.ID, r.System, by(c, v.User))
}
