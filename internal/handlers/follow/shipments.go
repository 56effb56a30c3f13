package follow

import (
	"errors"
	"mime"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/queue"
	"utsending/internal/views"
	"utsending/internal/views/follow"
)

// Show shows a shipment. Viewing it makes its next status read due.
func (s *Shipments) Show(c echo.Context, v frame.Visit) error {
	it, err := s.Shipment(c, v)
	if errors.Is(err, store.ErrNotFound) {
		return s.toDraft(c, v, err)
	}
	if err != nil {
		return err
	}
	if it.State == dispatch.StateAccepted {
		if _, err := queue.In(s.Store).Checks.Pull(frame.Context(c), v.Account.ID, it.ID, s.Plan.OnView); err != nil {
			return err
		}
	}
	return s.showShipment(c, v, it, http.StatusOK, nil, follow.Opened{})
}

// toDraft redirects the owner of a draft to its form. Others get notFound.
func (s *Shipments) toDraft(c echo.Context, v frame.Visit, notFound error) error {
	if !v.User.May(dispatch.RightSendShipments, v.Account.ID) {
		return notFound
	}
	d, err := items.In(s.Store).Drafts.ByID(frame.Context(c), v.Account.ID, dispatch.ItemID(c.Param("id")), v.User.ID)
	if err != nil {
		return notFound
	}
	return frame.SeeOther(c, frame.DraftPath(v, d.Item.ID))
}

func (s *Shipments) showShipment(c echo.Context, v frame.Visit, it dispatch.ShipmentItem, status int, ps dispatch.Problems, opened follow.Opened) error {
	around, err := s.items.around(c, v, it.Item, opened)
	if err != nil {
		return err
	}
	p := follow.ShipmentPage{
		Page: s.Page(c, v, "nav.shipments"), Item: it, Around: around,
		Joined: it.Signing() && follow.Joined(c.QueryParam(follow.FieldJoined)), Bokmal: s.Languages.In("nb"),
	}
	p.Title, p.Section, p.Problems = views.Titled(frame.Context(c), it.Title), views.SectionShipments, ps
	if frame.Fragment(c) == "forsendelse" {
		return frame.Show(c, status, follow.ShipmentLive(p))
	}
	return frame.Show(c, status, follow.ShipmentShow(p))
}

// Cancel stops a shipment, or stores a request to stop it.
func (s *Shipments) Cancel(c echo.Context, v frame.Visit) error {
	if _, err := s.Shipment(c, v); err != nil {
		return err
	}
	return s.items.stop(c, v, frame.ShipmentPages)
}

// Confirm confirms that an overdue shipment is still to be sent.
func (s *Shipments) Confirm(c echo.Context, v frame.Visit) error {
	return s.actShipment(c, v, items.In(s.Store).Decisions.Confirm, "flash.shipment_confirmed")
}

// SendAgain queues a failed shipment again.
func (s *Shipments) SendAgain(c echo.Context, v frame.Visit) error {
	return s.actShipment(c, v, items.In(s.Store).Decisions.SendAgain, "flash.shipment_requeued")
}

// actShipment performs one act on a shipment; ErrNotFound for drafts and SMS.
func (s *Shipments) actShipment(c echo.Context, v frame.Visit, do change, done string) error {
	if _, err := s.Shipment(c, v); err != nil {
		return err
	}
	return s.items.act(c, v, frame.ShipmentPages, do, done)
}

// Decide applies a caseworker's decision about an uncertain shipment, unless a look-up is scheduled.
func (s *Shipments) Decide(c echo.Context, v frame.Visit) error {
	it, err := s.Shipment(c, v)
	if err != nil {
		return err
	}
	if !it.RecoverAt.IsZero() {
		return s.ToPage(c, v, frame.ShipmentPages, frame.ShipmentPages.Changed)
	}
	return s.items.decide(c, v, frame.ShipmentPages, it.Item, func(ps dispatch.Problems) error {
		return s.showShipment(c, v, it, http.StatusUnprocessableEntity, ps, follow.Opened{})
	})
}

// Content describes the content of a shipment.
func (s *Shipments) Content() Content[dispatch.ShipmentItem] {
	return Content[dispatch.ShipmentItem]{s.Frame, frame.ShipmentPages, s.Shipment, func(it dispatch.ShipmentItem) dispatch.Item { return it.Item }, s.showShipment}
}

// LookAgain schedules another look-up of an uncertain shipment.
func (s *Shipments) LookAgain(c echo.Context, v frame.Visit) error {
	return s.actShipment(c, v, items.In(s.Store).Decisions.LookAgain, "flash.look_again")
}

// File sends a file of a shipment: to its owner by GET, to others in the response to a form with a reason.
// Both are recorded in the event log.
func (s *Shipments) File(c echo.Context, v frame.Visit) error {
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

// ShipmentFileRoute is the address of a sent shipment's file.
const ShipmentFileRoute = "/forsendelser/:id/dokumenter/:dokument"
