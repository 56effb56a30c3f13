package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/views"
)

// proveShipment shows the proof that a shipment was sent. That somebody took one is written to the event log.
func (s *server) proveShipment(c echo.Context, v visit) error {
	it, err := s.shipment(c, v)
	if err != nil {
		return err
	}
	events, err := s.eventsForProof(c, v, it.ID)
	if err != nil {
		return err
	}
	p := views.ShipmentPage{Page: s.page(c, v, "proof.title"), Item: it, Events: events, Reach: v.User.Reach(it.Item)}
	p.Section = views.SectionShipments
	return show(c, http.StatusOK, views.ShipmentProof(p))
}

// proveSMS shows the proof that an SMS was sent. That somebody took one is written to the event log.
func (s *server) proveSMS(c echo.Context, v visit) error {
	it, err := s.sms(c, v)
	if err == nil && it.State == dispatch.StateDraft {
		err = store.ErrNotFound
	}
	if err != nil {
		return err
	}
	events, err := s.eventsForProof(c, v, it.ID)
	if err != nil {
		return err
	}
	p := views.SMSPage{Page: s.page(c, v, "proof.title"), Item: it, Events: events, Reach: v.User.Reach(it.Item)}
	p.Section = views.SectionSMS
	return show(c, http.StatusOK, views.SMSProof(p))
}

// eventsForProof writes first who took the proof, and reads what happened.
func (s *server) eventsForProof(c echo.Context, v visit, id dispatch.ItemID) ([]dispatch.Event, error) {
	a := store.Audit{Actor: v.User.ID, Account: v.Account.ID, Action: "item.proof", Object: string(id), Origin: by(c, v.User).Origin}
	if err := s.o.Store.Record(ctx(c), a); err != nil {
		return nil, err
	}
	return s.o.Store.Events(ctx(c), v.Account.ID, id)
}
