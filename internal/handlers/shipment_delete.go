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
	return s.showDeletion(c, v, it, dispatch.Reason{})
}

func (s *server) showDeletion(c echo.Context, v visit, it dispatch.ShipmentItem, failure dispatch.Reason) error {
	if len(it.Deletions()) == 0 {
		return s.toPage(c, v, shipmentPages, shipmentPages.changed)
	}
	p := views.DeletionPage{Page: s.page(c, v, "deletion.title"), Item: it, Failure: failure}
	p.Section, p.Narrow = views.SectionShipments, true
	status := http.StatusOK
	if failure.Key != "" {
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
	which := dispatch.Deletion(c.FormValue("hva"))
	if !slices.Contains(it.Deletions(), which) {
		return s.toPage(c, v, shipmentPages, shipmentPages.changed)
	}
	over, err := s.o.Store.SentOver(ctx(c), v.Account.ID, it.ID)
	if err != nil {
		return err
	}
	if err := s.o.Store.BeginDeleteDocuments(ctx(c), v.Account.ID, it.ID, which, by(c, v.User)); err != nil {
		return err
	}
	if failure := s.o.DeleteDocuments(ctx(c), over, it.UpstreamID, which); failure.Key != "" {
		return s.showDeletion(c, v, it, failure)
	}
	err = s.o.Store.DeletedDocuments(ctx(c), v.Account.ID, it.ID, which, by(c, v.User))
	if errors.Is(err, store.ErrChanged) {
		return s.toPage(c, v, shipmentPages, shipmentPages.changed)
	}
	if err != nil {
		return err
	}
	s.wake()
	return s.toPage(c, v, shipmentPages, "flash.deleted_documents")
}
