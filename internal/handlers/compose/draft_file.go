package compose

import (
	"errors"
	"slices"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
)

// DraftFileRoute is where a file of a draft is fetched from.
const DraftFileRoute = "/utkast/:id/dokumenter/:dokument"

// File gives a PDF of the visitor's own draft.
func (s *Documents) File(c echo.Context, v frame.Visit) error {
	d, err := s.draftPDF(c, v)
	if err != nil {
		return err
	}
	return s.files.givePDF(c, v, frame.Download{Document: d})
}

// draftPDF is the file named by the address, in the visitor's own draft. Once sent, it is not found.
func (s *Documents) draftPDF(c echo.Context, v frame.Visit) (dispatch.Document, error) {
	draft, _, err := s.drafts.shipmentDraft(c, v)
	if errors.Is(err, store.ErrChanged) {
		err = store.ErrNotFound
	}
	if err != nil {
		return dispatch.Document{}, err
	}
	i := slices.IndexFunc(draft.Documents, func(d dispatch.Document) bool { return string(d.ID) == c.Param("dokument") && d.PDF() })
	if i < 0 {
		return dispatch.Document{}, store.ErrNotFound
	}
	return draft.Documents[i], nil
}

// Picture gives the picture of a page of a PDF of the visitor's own draft.
func (s *Documents) Picture(c echo.Context, v frame.Visit) error {
	d, err := s.draftPDF(c, v)
	if err != nil {
		return err
	}
	return s.files.picture(c, v, frame.Download{Document: d})
}
