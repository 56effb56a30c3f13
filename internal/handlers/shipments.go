package handlers

import (
	"errors"
	"net/http"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/views"
)

// showShipment shows what became of a shipment. Looking at it pulls the next read of its status forward.
func (s *server) showShipment(c echo.Context, v visit) error {
	it, err := s.shipment(c, v)
	if errors.Is(err, store.ErrNotFound) {
		return s.toDraft(c, v, err)
	}
	if err != nil {
		return err
	}
	if it.State == dispatch.StateAccepted {
		if _, err := s.o.Store.PullCheck(ctx(c), v.Account.ID, it.ID, s.o.Plan.OnView); err != nil {
			return err
		}
	}
	if err := s.readContent(c, v, it.Item); err != nil {
		return err
	}
	return s.showLetter(c, v, it, http.StatusOK, nil, false)
}

// shipment returns the shipment of the address.
func (s *server) shipment(c echo.Context, v visit) (dispatch.ShipmentItem, error) {
	return s.o.Store.Shipment(ctx(c), v.Account.ID, dispatch.ItemID(c.Param("id")))
}

// toDraft leads the owner of a draft to its form. To everybody else it is not found.
func (s *server) toDraft(c echo.Context, v visit, notFound error) error {
	if !v.User.May(dispatch.RightSendShipments, v.Account.ID) {
		return notFound
	}
	d, err := s.o.Store.ShipmentDraft(ctx(c), v.Account.ID, dispatch.ItemID(c.Param("id")), v.User.ID)
	if err != nil {
		return notFound
	}
	return seeOther(c, draftPath(v, d.Item.ID))
}

func (s *server) showLetter(c echo.Context, v visit, it dispatch.ShipmentItem, status int, ps dispatch.Problems, revealed bool) error {
	events, err := s.o.Store.Events(ctx(c), v.Account.ID, it.ID)
	if err != nil {
		return err
	}
	p := views.ShipmentPage{
		Page: s.page(c, v, "nav.shipments"), Item: it, Events: events, Own: it.CreatedBy == v.User.ID, Revealed: revealed, CopyKey: uuid.NewString(),
		Joined: it.Signing() && c.QueryParam("tidslinje") == "samlet",
	}
	p.Title, p.Section, p.Problems = it.Title, views.SectionShipments, ps
	if p.FollowUp, p.Relatives, err = s.around(c, v, it.ID); err != nil {
		return err
	}
	if fragment(c) == "forsendelse" {
		return show(c, status, views.ShipmentLive(p))
	}
	return show(c, status, views.ShipmentShow(p))
}

// revealShipment shows the whole number once; that is written to the event log.
func (s *server) revealShipment(c echo.Context, v visit) error {
	it, err := s.shipment(c, v)
	if err != nil {
		return err
	}
	if it.CreatedBy != v.User.ID {
		return echo.ErrForbidden
	}
	if err := s.o.Store.Reveal(ctx(c), v.Account.ID, it.ID, by(c, v.User)); err != nil {
		return err
	}
	return s.showLetter(c, v, it, http.StatusOK, nil, true)
}

func (s *server) cancelShipment(c echo.Context, v visit) error {
	return s.actShipment(c, v, s.o.Store.Cancel, "flash.cancelled")
}

func (s *server) confirmShipment(c echo.Context, v visit) error {
	return s.actShipment(c, v, s.o.Store.Confirm, "flash.shipment_confirmed")
}

func (s *server) sendShipmentAgain(c echo.Context, v visit) error {
	return s.actShipment(c, v, s.o.Store.SendAgain, "flash.shipment_requeued")
}

// actShipment does one thing to a shipment; a draft, and an SMS, is not found.
func (s *server) actShipment(c echo.Context, v visit, do change, done string) error {
	if _, err := s.shipment(c, v); err != nil {
		return err
	}
	return s.act(c, v, shipmentPages, do, done)
}

// decideShipment keeps what a person decides about an uncertain shipment. While it is being looked for there is nothing
// to decide.
func (s *server) decideShipment(c echo.Context, v visit) error {
	it, err := s.shipment(c, v)
	if err != nil {
		return err
	}
	if !it.RecoverAt.IsZero() {
		return s.toPage(c, v, shipmentPages, shipmentPages.changed)
	}
	return s.decide(c, v, shipmentPages, it.Item, func(ps dispatch.Problems) error {
		return s.showLetter(c, v, it, http.StatusUnprocessableEntity, ps, false)
	})
}
