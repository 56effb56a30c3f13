package frame

import (
	"io"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// Download is one file as it is given out.
type Download struct {
	dispatch.Document
	Kind, Disposition string
	Reason            string // why somebody else than its sender gets it
}

// GiveFile answers with a file, after a line in the event log.
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
	h.Set(echo.HeaderContentSecurityPolicy, "default-src 'none'; frame-ancestors 'none'; sandbox") // should somebody open it by itself
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

// RecordRead writes to the event log that a document is read.
func (s *Frame) RecordRead(c echo.Context, v Visit, d Download) error {
	details := map[string]any{"document": string(d.ID)}
	if d.Reason != "" {
		details["reason"] = d.Reason
	}
	return s.Store.Record(Context(c), store.Audit{Actor: v.User.ID, Account: v.Account.ID, Action: "document.read", Object: c.Param("id"), Details: details, Origin: Origin(c)})
}

// BreakOff ends the connection: half a file must not pass for a whole one.
func (s *Frame) BreakOff(c echo.Context, err error) {
	if Context(c).Err() != nil {
		return // nobody reads the answer
	}
	s.Log.Error("file broken off", "route", c.Path(), "error", store.Describe(err), "request_id", RequestID(c))
	panic(http.ErrAbortHandler) // how net/http is told to cut the connection
}

// Attach makes the answer a file that is kept, never shown.
func Attach(c echo.Context, kind, name string) {
	h := c.Response().Header()
	h.Set(echo.HeaderContentType, kind)
	h.Set(echo.HeaderContentDisposition, `attachment; filename="`+name+`"`)
	c.Response().WriteHeader(http.StatusOK)
}

// The files that a job's result comes as.
const (
	KindCSV  = "text/csv; charset=utf-8"
	KindXLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
)
