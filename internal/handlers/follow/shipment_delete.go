package follow

import (
	"errors"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/views"
	"utsending/internal/views/follow"
)

// AskDeleteDocuments shows what is deleted and what stays when the service deletes a shipment's files.
func (s *Shipments) AskDeleteDocuments(c echo.Context, v frame.Visit) error {
	it, err := s.Shipment(c, v)
	if err != nil {
		return err
	}
	return s.showDeletion(c, v, follow.DeletionPage{Item: it})
}

// showDeletion asks for the decision. Files are content: a user who may not open the item may not have them deleted
// either.
func (s *Shipments) showDeletion(c echo.Context, v frame.Visit, p follow.DeletionPage, ps ...dispatch.Problem) error {
	reach, err := s.Reach(c, v, p.Item.CreatedBy)
	if err != nil {
		return err
	}
	if p.Reach = reach; reach == dispatch.ReachNone {
		return echo.ErrForbidden
	}
	if len(p.Item.Deletions()) == 0 {
		return s.ToPage(c, v, frame.ShipmentPages, frame.ShipmentPages.Changed)
	}
	p.Page = s.Page(c, v, "deletion.title")
	p.Section, p.Narrow, p.Problems = views.SectionContent, true, ps
	status := frame.FormStatus(ps)
	if p.Failure.Key != "" {
		status = http.StatusUnprocessableEntity
	}
	return frame.Show(c, status, follow.ShipmentDeletion(p))
}

// DeleteDocuments has the service delete a shipment's files, recorded in the event log before. If the service
// refuses, the form says so.
func (s *Shipments) DeleteDocuments(c echo.Context, v frame.Visit) error {
	it, err := s.Shipment(c, v)
	if err != nil {
		return err
	}
	p := follow.DeletionPage{Item: it, Which: dispatch.Deletion(c.FormValue("hva")), Reason: c.FormValue(dispatch.FieldReason)}
	reason := ""
	reach, err := s.Reach(c, v, it.CreatedBy)
	if err != nil {
		return err
	}
	switch reach {
	case dispatch.ReachNone:
		return echo.ErrForbidden
	case dispatch.ReachReason:
		var problem *dispatch.Problem
		if reason, problem = dispatch.ParseReason(frame.TypedReason(c, dispatch.FieldReason)); problem != nil {
			return s.showDeletion(c, v, p, *problem)
		}
	}
	if !slices.Contains(it.Deletions(), p.Which) {
		return s.ToPage(c, v, frame.ShipmentPages, frame.ShipmentPages.Changed)
	}
	return s.haveDeleted(c, v, p, frame.Because(c, v.User, reason))
}

func (s *Shipments) haveDeleted(c echo.Context, v frame.Visit, p follow.DeletionPage, who store.Actor) error {
	it, which := p.Item, p.Which
	over, err := items.In(s.Store).Shipments.SentOver(frame.Context(c), v.Account.ID, it.ID)
	if err != nil {
		return err
	}
	if err := items.In(s.Store).Shipments.BeginDeleteDocuments(frame.Context(c), v.Account.ID, it.ID, which, who); err != nil {
		return err
	}
	if failure := s.Upstream.DeleteDocuments(frame.Context(c), over, it.UpstreamID, which); failure.Key != "" {
		p.Failure = failure
		return s.showDeletion(c, v, p)
	}
	err = items.In(s.Store).Shipments.DeletedDocuments(frame.Context(c), v.Account.ID, it.ID, which, who)
	if errors.Is(err, store.ErrChanged) {
		return s.ToPage(c, v, frame.ShipmentPages, frame.ShipmentPages.Changed)
	}
	if err != nil {
		return err
	}
	s.Wake()
	return s.ToPage(c, v, frame.ShipmentPages, "flash.deleted_documents")
}
