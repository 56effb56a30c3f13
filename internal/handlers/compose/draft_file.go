package compose

import (
	"errors"
	"mime"
	"slices"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
)

// DraftFileRoute is where a file of a draft is fetched from.
const DraftFileRoute = "/utkast/:id/dokumenter/:dokument"

// DraftFile gives a PDF of the visitor's own draft.
func (s *Pages) DraftFile(c echo.Context, v frame.Visit) error {
	d, err := s.draftPDF(c, v)
	if err != nil {
		return err
	}
	return s.givePDF(c, v, frame.Download{Document: d})
}

// givePDF answers with a PDF of a draft and logs the read.
func (s *Pages) givePDF(c echo.Context, v frame.Visit, d frame.Download) error {
	d.Kind, d.Disposition = dispatch.MimePDF, mime.FormatMediaType("attachment", map[string]string{"filename": d.FileName})
	return s.GiveFile(c, v, d)
}

// draftPDF is the file named by the address, in the visitor's own draft. Once sent, it is not found.
func (s *Pages) draftPDF(c echo.Context, v frame.Visit) (dispatch.Document, error) {
	draft, _, err := s.shipmentDraft(c, v)
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
