package frame

import (
	"cmp"
	"io"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// Download is a file to send to the browser.
type Download struct {
	dispatch.Document
	Kind, Disposition string
	Reason            string // why somebody else than its sender gets it
	Object            string // what the event log names; empty: the id in the address
}

// GiveFile sends a file, after a line in the event log.
func (s *Frame) GiveFile(c echo.Context, v Visit, d Download) error {
	head := c.Request().Method == http.MethodHead
	if !head {
		if err := s.RecordRead(c, v, d); err != nil {
			return err
		}
	}
	LongDownload(c)
	h := c.Response().Header()
	h.Set(echo.HeaderContentLength, strconv.FormatInt(d.Size, 10))
	h.Set(echo.HeaderContentSecurityPolicy, "default-src 'none'; frame-ancestors 'none'; sandbox") // in case somebody opens it as a page
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set(echo.HeaderContentType, d.Kind)
	h.Set(echo.HeaderContentDisposition, d.Disposition)
	c.Response().WriteHeader(http.StatusOK)
	if head {
		return nil
	}
	content := s.Store.Content(Context(c), v.Account.ID, d.Document)
	defer content.Close()
	if _, err := io.Copy(c.Response(), content); err != nil {
		s.BreakOff(c, err)
	}
	return nil
}

// RecordRead records in the event log that a document is read.
func (s *Frame) RecordRead(c echo.Context, v Visit, d Download) error {
	details := map[string]any{"document": string(d.ID)}
	if d.Reason != "" {
		details["reason"] = d.Reason
	}
	return s.Store.Record(Context(c), store.Audit{Actor: v.User.ID, Account: v.Account.ID, Action: "document.read", Object: cmp.Or(d.Object, c.Param("id")), Details: details, Origin: Origin(c)})
}

// BreakOff aborts the connection: a truncated file must not pass as complete.
func (s *Frame) BreakOff(c echo.Context, err error) {
	if Context(c).Err() != nil {
		return // the client has gone
	}
	s.Log.Error("file broken off", "route", c.Path(), "error", store.Describe(err), "request_id", RequestID(c))
	panic(http.ErrAbortHandler) // net/http's way to abort the connection
}

// Attach marks the answer as a file to save, never to show.
func Attach(c echo.Context, kind, name string) {
	h := c.Response().Header()
	h.Set(echo.HeaderContentType, kind)
	h.Set(echo.HeaderContentDisposition, `attachment; filename="`+name+`"`)
	c.Response().WriteHeader(http.StatusOK)
}

// The content types of exported files.
const (
	KindCSV  = "text/csv; charset=utf-8"
	KindXLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
)
