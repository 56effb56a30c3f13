package follow

import (
	"errors"
	"net/http"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/queue"
	"utsending/internal/views"
	"utsending/internal/views/follow"
)

// ShowShipment shows a shipment. Viewing it makes its next status read due.
func (s *Pages) ShowShipment(c echo.Context, v frame.Visit) error {
	it, err := s.Shipment(c, v)
	if errors.Is(err, store.ErrNotFound) {
		return s.toDraft(c, v, err)
	}
	if err != nil {
		return err
	}
	if it.State == dispatch.StateAccepted {
		if _, err := queue.In(s.Store).PullCheck(frame.Context(c), v.Account.ID, it.ID, s.Plan.OnView); err != nil {
			return err
		}
	}
	return s.showShipment(c, v, it, http.StatusOK, nil, follow.Opened{})
}

// toDraft redirects the owner of a draft to its form. Others get notFound.
func (s *Pages) toDraft(c echo.Context, v frame.Visit, notFound error) error {
	if !v.User.May(dispatch.RightSendShipments, v.Account.ID) {
		return notFound
	}
	d, err := items.In(s.Store).ShipmentDraft(frame.Context(c), v.Account.ID, dispatch.ItemID(c.Param("id")), v.User.ID)
	if err != nil {
		return notFound
	}
	return frame.SeeOther(c, frame.DraftPath(v, d.Item.ID))
}

func (s *Pages) showShipment(c echo.Context, v frame.Visit, it dispatch.ShipmentItem, status int, ps dispatch.Problems, opened follow.Opened) error {
	events, err := s.Store.Events(frame.Context(c), v.Account.ID, it.ID)
	if err != nil {
		return err
	}
	reach, err := s.Reach(c, v, it.CreatedBy)
	if err != nil {
		return err
	}
	p := follow.ShipmentPage{
		Page: s.Page(c, v, "nav.shipments"), Item: it, Events: events, CopyKey: uuid.NewString(),
		Reach: reach, Opened: opened, Back: s.cameFrom(c, v),
		Joined: it.Signing() && follow.Joined(c.QueryParam(follow.FieldJoined)), From: follow.OriginNamed(c.QueryParam(follow.FieldFrom)),
		Bokmal: s.Languages.In("nb"),
	}
	p.Title, p.Section, p.Problems = views.Titled(frame.Context(c), it.Title), views.SectionShipments, ps
	if p.Archived, err = items.In(s.Store).Archived(frame.Context(c), v.Account.ID, it.ID); err != nil {
		return err
	}
	if p.Kept, err = s.keptBy(c, v, it.ID); err != nil {
		return err
	}
	if p.Around, err = s.around(c, v, it.Item); err != nil {
		return err
	}
	if frame.Fragment(c) == "forsendelse" {
		return frame.Show(c, status, follow.ShipmentLive(p))
	}
	return frame.Show(c, status, follow.ShipmentShow(p))
}

// CancelShipment stops a shipment, or stores a request to stop it.
func (s *Pages) CancelShipment(c echo.Context, v frame.Visit) error {
	if _, err := s.Shipment(c, v); err != nil {
		return err
	}
	return s.stop(c, v, frame.ShipmentPages)
}

// ConfirmShipment confirms that an overdue shipment is still to be sent.
func (s *Pages) ConfirmShipment(c echo.Context, v frame.Visit) error {
	return s.actShipment(c, v, items.In(s.Store).Confirm, "flash.shipment_confirmed")
}

// SendShipmentAgain queues a failed shipment again.
func (s *Pages) SendShipmentAgain(c echo.Context, v frame.Visit) error {
	return s.actShipment(c, v, items.In(s.Store).SendAgain, "flash.shipment_requeued")
}

// actShipment performs one act on a shipment; ErrNotFound for drafts and SMS.
func (s *Pages) actShipment(c echo.Context, v frame.Visit, do change, done string) error {
	if _, err := s.Shipment(c, v); err != nil {
		return err
	}
	return s.act(c, v, frame.ShipmentPages, do, done)
}

// DecideShipment applies a caseworker's decision about an uncertain shipment, unless a look-up is scheduled.
func (s *Pages) DecideShipment(c echo.Context, v frame.Visit) error {
	it, err := s.Shipment(c, v)
	if err != nil {
		return err
	}
	if !it.RecoverAt.IsZero() {
		return s.ToPage(c, v, frame.ShipmentPages, frame.ShipmentPages.Changed)
	}
	return s.decide(c, v, frame.ShipmentPages, it.Item, func(ps dispatch.Problems) error {
		return s.showShipment(c, v, it, http.StatusUnprocessableEntity, ps, follow.Opened{})
	})
}
