package follow

import (
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/lists"
	"utsending/internal/views"
	"utsending/internal/views/follow"
)

// exportQuery is the list in the address, as a query for an export.
func (s *Exports) exportQuery(c echo.Context, v frame.Visit) (listed, lists.ListQuery, error) {
	l, err := s.lists.chosen(c, v)
	q := lists.ListQuery{Viewer: v.User.ID, Filter: l.address.Filter, Search: l.search, Page: store.Page{Oldest: l.address.Order == dispatch.ListOrder{Reversed: true}}}
	return l, q, err
}

// Ask shows how many rows and which columns the export would have.
func (s *Exports) Ask(c echo.Context, v frame.Visit) error {
	l, q, err := s.exportQuery(c, v)
	if err != nil {
		return err
	}
	list, err := s.listPage(c, v, l)
	if err != nil {
		return err
	}
	p := follow.AskExportPage{Page: s.Page(c, v, "export.title"), Back: l.address.String(), Chosen: follow.ChosenWords(frame.Context(c), &list), Format: dispatch.FormatXLSX}
	p.Section, p.Action = views.SectionItems, list.ExportAddress()
	if p.Count, err = lists.In(s.Store).Items.Count(frame.Context(c), v.Account.ID, q, lists.ExportCounted); err != nil {
		return err
	}
	return frame.Show(c, http.StatusOK, follow.AskExport(p))
}

// Order orders an export of the list.
func (s *Exports) Order(c echo.Context, v frame.Visit) error {
	l, q, err := s.exportQuery(c, v)
	if err != nil {
		return err
	}
	o := lists.ExportOrder{Account: v.Account.ID, By: frame.Actor(c, v.User), Format: dispatch.ExportFormat(c.FormValue(follow.FieldFormat)), Query: q, Chosen: fieldsOf(l.address.Query())}
	if !o.Format.Valid() {
		o.Format = dispatch.FormatXLSX
	}
	if o.Expected, err = lists.In(s.Store).Items.Count(frame.Context(c), v.Account.ID, q, lists.ExportCounted); err != nil {
		return err
	}
	id, err := lists.In(s.Store).Exports.Order(frame.Context(c), o)
	switch {
	case errors.Is(err, store.ErrChanged):
		return s.FlashTo(c, l.address.String(), "flash.export_many", 0)
	case err != nil:
		return err
	}
	return frame.SeeOther(c, views.AccountPath(v.Account, "eksport", id))
}

// fieldsOf names the filters in a list's query, without their values.
func fieldsOf(query string) []string {
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil // we wrote it, so it can be parsed
	}
	return slices.Sorted(maps.Keys(values))
}

// export is the user's export in the address.
func (s *Exports) export(c echo.Context, v frame.Visit) (lists.Export, error) {
	return lists.In(s.Store).Exports.ByID(frame.Context(c), v.Account.ID, v.User.ID, c.Param("eksport"))
}

// Show shows an export's progress, and the link to its file.
func (s *Exports) Show(c echo.Context, v frame.Visit) error {
	e, err := s.export(c, v)
	if err != nil {
		return err
	}
	p := follow.ExportPage{Page: s.Page(c, v, "export.page"), Export: e.Export}
	p.Section = views.SectionItems
	if frame.Fragment(c) == "eksport" {
		return frame.Show(c, http.StatusOK, follow.ExportLive(p))
	}
	return frame.Show(c, http.StatusOK, follow.Export(p))
}

// exportKinds are the files' content types.
var exportKinds = map[dispatch.ExportFormat]string{dispatch.FormatCSV: frame.KindCSV, dispatch.FormatXLSX: frame.KindXLSX}

// Fetch sends the file to its owner, and records that in the event log.
func (s *Exports) Fetch(c echo.Context, v frame.Visit) error {
	e, err := s.export(c, v)
	switch {
	case err != nil:
		return err
	case !e.Done:
		return store.ErrNotFound
	}
	err = s.Store.Record(frame.Context(c), store.Audit{Actor: v.User.ID, Account: v.Account.ID, Action: "list.export_fetch", Object: e.ID, Origin: frame.Origin(c)})
	if err != nil {
		return err
	}
	frame.LongDownload(c)
	c.Response().Header().Set(echo.HeaderContentLength, strconv.FormatInt(e.Size, 10))
	frame.Attach(c, exportKinds[e.Format], "utsendinger."+string(e.Format))
	if c.Request().Method == http.MethodHead {
		return nil
	}
	file := lists.In(s.Store).Exports.File(frame.Context(c), e)
	defer file.Close()
	if _, err := io.Copy(c.Response(), file); err != nil {
		s.BreakOff(c, err)
	}
	return nil
}

// listPage is the page of a list without its rows.
func (s *Exports) listPage(c echo.Context, v frame.Visit, l listed) (follow.ListPage, error) {
	p := s.lists.bareList(c, v, l)
	return p, s.lists.fillAround(c, v, l, &p)
}
