package handlers

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// draftFileRoute is where a file of a draft is fetched from.
const draftFileRoute = "/utkast/:id/dokumenter/:dokument"

// draftFile gives a PDF of one's own draft.
func (s *server) draftFile(c echo.Context, v visit) error {
	d, err := s.draftPDF(c, v)
	if err != nil {
		return err
	}
	return s.givePDF(c, v, d)
}

// givePDF answers with a PDF of one's own draft, and logs that.
func (s *server) givePDF(c echo.Context, v visit, d dispatch.Document) error {
	return s.give(c, v, download{d, dispatch.MimePDF, mime.FormatMediaType("attachment", map[string]string{"filename": d.FileName}), ""})
}

// download is one file as it is given out.
type download struct {
	dispatch.Document
	kind, disposition string
	reason            string // why somebody else than its sender gets it
}

// give answers with a file, after a line in the event log.
func (s *server) give(c echo.Context, v visit, d download) error {
	head := c.Request().Method == http.MethodHead
	if !head {
		if err := s.recordRead(c, v, d); err != nil {
			return err
		}
	}
	longDownload(c)
	h := c.Response().Header()
	h.Set(echo.HeaderContentLength, strconv.FormatInt(d.Size, 10))
	h.Set(echo.HeaderContentSecurityPolicy, "default-src 'none'; frame-ancestors 'none'; sandbox") // should somebody open it by itself
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set(echo.HeaderContentType, d.kind)
	h.Set(echo.HeaderContentDisposition, d.disposition)
	c.Response().WriteHeader(http.StatusOK)
	if head {
		return nil
	}
	content := s.o.Store.Content(ctx(c), v.Account.ID, d.Document)
	defer content.Close()
	if _, err := io.Copy(c.Response(), content); err != nil {
		s.breakOff(c, err)
	}
	return nil
}

func (s *server) recordRead(c echo.Context, v visit, d download) error {
	details := map[string]any{"document": string(d.ID)}
	if d.reason != "" {
		details["reason"] = d.reason
	}
	return s.o.Store.Record(ctx(c), store.Audit{Actor: v.User.ID, Account: v.Account.ID, Action: "document.read", Object: c.Param("id"), Details: details, Origin: origin(c)})
}

// draftPDF is the file that the address names, of one's own draft. What has been sent is no draft any more.
func (s *server) draftPDF(c echo.Context, v visit) (dispatch.Document, error) {
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

// breakOff ends the connection: half a file must not pass for a whole one.
func (s *server) breakOff(c echo.Context, err error) {
	if ctx(c).Err() != nil {
		return // nobody reads the answer
	}
	s.o.Log.Error("file broken off", "route", c.Path(), "error", store.Describe(err), "request_id", requestID(c))
	panic(http.ErrAbortHandler) // how net/http is told to cut the connection
}
