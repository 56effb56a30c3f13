package handlers

import (
	"context"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/views"
)

// editShipmentTime shows when a shipment goes that waits for its time, to be changed.
func (s *server) editShipmentTime(c echo.Context, v visit) error {
	it, err := s.shipment(c, v)
	if err != nil {
		return err
	}
	return s.showShipmentTime(c, v, it, views.TimingOf(dispatch.Timing{SendAt: it.SendAt}), nil)
}

func (s *server) showShipmentTime(c echo.Context, v visit, it dispatch.ShipmentItem, f views.TimingForm, ps dispatch.Problems) error {
	if it.Stage(s.o.Now()) != dispatch.StageScheduled {
		return s.toPage(c, v, shipmentPages, shipmentPages.changed)
	}
	p := views.ShipmentTimePage{Page: s.page(c, v, "sms.time.title"), Item: it, Form: f}
	p.Section, p.Narrow, p.Problems = views.SectionShipments, true, ps
	return show(c, formStatus(ps), views.ShipmentTime(p))
}

// changeShipmentTime gives a shipment another time, or none: then it goes as if it were sent now.
func (s *server) changeShipmentTime(c echo.Context, v visit) error {
	it, err := s.shipment(c, v)
	if err != nil {
		return err
	}
	values, err := c.FormParams()
	if err != nil {
		return badForm(err)
	}
	f := timingForm(values)
	timing, problem := f.Parse(s.o.Now())
	if it.SendAt = timing.SendAt; problem == nil {
		problem = v.Account.ValidateSendAt(it.Shipment, s.o.Now())
	}
	if problem != nil {
		return s.showShipmentTime(c, v, it, f, dispatch.Problems{*problem})
	}
	return s.act(c, v, shipmentPages, func(ctx context.Context, _ dispatch.AccountID, id dispatch.ItemID, by store.Actor) error {
		return s.o.Store.RescheduleShipment(ctx, v.Account, id, timing.SendAt, by)
	}, "flash.rescheduled")
}
