package follow

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/views"
	"utsending/internal/views/follow"
)

// ProveShipment shows the proof of a shipment, and records that in the event log.
func (s *Items) ProveShipment(c echo.Context, v frame.Visit) error {
	it, err := s.Shipment(c, v)
	if err != nil {
		return err
	}
	events, reach, err := s.prove(c, v, it.Item)
	if err != nil {
		return err
	}
	p := follow.ShipmentPage{Page: s.Page(c, v, "proof.title"), Item: it, Around: follow.Around{Events: events, Reach: reach}, Bokmal: s.Languages.In("nb")}
	p.Section = views.SectionShipments
	return frame.Show(c, http.StatusOK, follow.ShipmentProof(p))
}

// ProveSMS shows the proof of an SMS, and records that in the event log.
func (s *Items) ProveSMS(c echo.Context, v frame.Visit) error {
	it, err := s.SMS(c, v)
	if err == nil && it.State == dispatch.StateDraft {
		err = store.ErrNotFound
	}
	if err != nil {
		return err
	}
	events, reach, err := s.prove(c, v, it.Item)
	if err != nil {
		return err
	}
	p := follow.SMSPage{Page: s.Page(c, v, "proof.title"), Item: it, Around: follow.Around{Events: events, Reach: reach}}
	p.Section = views.SectionSMS
	return frame.Show(c, http.StatusOK, follow.SMSProof(p))
}

// prove records who took the proof, then reads the timeline and how much of the content the user may see.
func (s *Items) prove(c echo.Context, v frame.Visit, it dispatch.Item) ([]dispatch.Event, dispatch.Reach, error) {
	a := store.Audit{Actor: v.User.ID, Account: v.Account.ID, Action: "item.proof", Object: string(it.ID), Origin: frame.Origin(c)}
	if err := s.Store.Record(frame.Context(c), a); err != nil {
		return nil, dispatch.ReachNone, err
	}
	events, err := s.Store.Events(frame.Context(c), v.Account.ID, it.ID)
	if err != nil {
		return nil, dispatch.ReachNone, err
	}
	reach, err := s.Reach(c, v, it.CreatedBy)
	return events, reach, err
}
