package handlers

import (
	"errors"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/views"
)

// askDeleteDocuments says what goes and what stays when the service deletes a shipment's files.
func (s *server) askDeleteDocuments(c echo.Context, v visit) error {
	it, err := s.shipment(c, v)
	if err != nil {
		return err
	}
	return s.showDeletion(c, v, views.DeletionPage{Item: it})
}

// showDeletion asks for the decision. Files are content: who may not open another's may not have them deleted either.
func (s *server) showDeletion(c echo.Context, v visit, p views.DeletionPage, ps ...dispatch.Problem) error {
	if p.Reach = v.User.Reach(p.Item.Item); p.Reach == dispatch.ReachNone {
		return echo.ErrForbidden
	}
	if len(p.Item.Deletions()) == 0 {
		return s.toPage(c, v, shipmentPages, shipmentPages.changed)
	}
	p.Page = s.page(c, v, "deletion.title")
	p.Section, p.Narrow, p.Problems = views.SectionContent, true, ps
	status := formStatus(ps)
	if p.Failure.Key != "" {
		status = http.StatusUnprocessableEntity
	}
	return show(c, status, views.ShipmentDeletion(p))
}

// deleteDocuments has the service delete a shipment's files, after a line in the event log. What it does not do is told
// on the page that asked.
func (s *server) deleteDocuments(c echo.Context, v visit) error {
	it, err := s.shipment(c, v)
	if err != nil {
		return err
	}
	p := views.DeletionPage{Item: it, Which: dispatch.Deletion(c.FormValue("hva")), Reason: c.FormValue(dispatch.FieldReason)}
	reason := ""
	switch v.User.Reach(it.Item) {
	case dispatch.ReachNone:
		return echo.ErrForbidden
	case dispatch.ReachReason:
		var problem *dispatch.Problem
		if reason, problem = dispatch.ParseReason(typedWhy(c, dispatch.FieldReason)); problem != nil {
			return s.showDeletion(c, v, p, *problem)
		}
	}
	if !slices.Contains(it.Deletions(), p.Which) {
		return s.toPage(c, v, shipmentPages, shipmentPages.changed)
	}
	return s.haveDeleted(c, v, p, because(c, v.User, reason))
}

func (s *server) haveDeleted(c echo.Context, v visit, p views.DeletionPage, who store.Actor) error {
	it, which := p.Item, p.Which
	over, err := s.o.Store.SentOver(ctx(c), v.Account.ID, it.ID)
	if err != nil {
		return err
	}
	if err := s.o.Store.BeginDeleteDocuments(ctx(c), v.Account.ID, it.ID, which, who); err != nil {
		return err
	}
	if failure := s.o.Upstream.DeleteDocuments(ctx(c), over, it.UpstreamID, which); failure.Key != "" {
		p.Failure = failure
		return s.showDeletion(c, v, p)
	}
	err = s.o.Store.DeletedDocuments(ctx(c), v.Account.ID, it.ID, which, who)
	if errors.Is(err, store.ErrChanged) {
		return s.toPage(c, v, shipmentPages, shipmentPages.changed)
	}
	if err != nil {
		return err
	}
	s.wake()
	return s.toPage(c, v, shipmentPages, "flash.deleted_documents")
}
