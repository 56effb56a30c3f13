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

// AskRead shows the form that reports to the service that a shipment was read elsewhere.
func (s *Shipments) AskRead(c echo.Context, v frame.Visit) error {
	it, err := s.Shipment(c, v)
	if err != nil {
		return err
	}
	return s.showRead(c, v, http.StatusOK, follow.MarkReadPage{Item: it, Form: follow.NewMarkReadForm(it, s.Now())}, nil)
}

func (s *Shipments) showRead(c echo.Context, v frame.Visit, status int, p follow.MarkReadPage, ps dispatch.Problems) error {
	if !p.Item.MayMarkRead() {
		return s.ToPage(c, v, frame.ShipmentPages, frame.ShipmentPages.Changed)
	}
	p.Page = s.Page(c, v, "read.title")
	p.Section, p.Narrow, p.Problems = views.SectionReading, true, ps
	return frame.Show(c, status, follow.ShipmentMarkRead(p))
}

// MarkRead reports to the service, recorded in the event log before. If the service refuses, the form says so.
func (s *Shipments) MarkRead(c echo.Context, v frame.Visit) error {
	it, err := s.Shipment(c, v)
	if err != nil {
		return err
	}
	p := follow.MarkReadPage{Item: it, Form: follow.MarkReadForm{
		Who: c.FormValue("hvem"), NationalID: c.FormValue(dispatch.FieldReader), Day: c.FormValue(dispatch.FieldReadDay),
		Clock: c.FormValue(dispatch.FieldReadTime), System: c.FormValue(dispatch.FieldReadSystem), Confirmed: c.FormValue(dispatch.FieldReadConfirm) == "true",
	}}
	reading, ps := p.Form.Parse(it, s.Now())
	if p := v.Account.ValidateNumber(dispatch.KindShipment, dispatch.FieldReader, reading.NationalID); p != nil {
		ps = ps.With(dispatch.Problems{*p})
	}
	if len(ps) > 0 || !it.MayMarkRead() {
		return s.showRead(c, v, http.StatusUnprocessableEntity, p, ps)
	}
	if p.Failure, err = s.tellRead(c, v, it, reading); err != nil {
		return err
	}
	if p.Failure.Key != "" {
		return s.showRead(c, v, http.StatusUnprocessableEntity, p, nil)
	}
	s.Wake()
	return s.ToPage(c, v, frame.ShipmentPages, "flash.marked_read")
}

// tellRead writes to the event log, reports to the service, and writes to the timeline, in this order.
func (s *Shipments) tellRead(c echo.Context, v frame.Visit, it dispatch.ShipmentItem, r dispatch.ReadElsewhere) (dispatch.Reason, error) {
	over, err := items.In(s.Store).Shipments.SentOver(frame.Context(c), v.Account.ID, it.ID)
	if err != nil {
		return dispatch.Reason{}, err
	}
	if err := items.In(s.Store).Shipments.BeginMarkRead(frame.Context(c), v.Account.ID, it.ID, frame.Actor(c, v.User)); err != nil {
		return dispatch.Reason{}, err
	}
	if failure := s.Upstream.MarkRead(frame.Context(c), over, it.UpstreamID, r); failure.Key != "" {
		return failure, nil
	}
	return dispatch.Reason{}, items.In(s.Store).Shipments.MarkedRead(frame.Context(c), v.Account.ID, it.ID, r.System, frame.Actor(c, v.User))
}
