package handlers

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
	"utsending/internal/store"
	"utsending/internal/views"
)

// exportQuery is what an address chooses, as an export reads it.
func (s *server) exportQuery(c echo.Context, v visit) (listed, store.ListQuery, error) {
	l, err := s.chosen(c, v)
	q := store.ListQuery{Viewer: v.User.ID, Filter: l.address.Filter, Search: l.search, Window: store.Window{Oldest: l.address.Oldest}}
	return l, q, err
}

// askExport says how many rows and which columns a file of what is chosen would have.
func (s *server) askExport(c echo.Context, v visit) error {
	l, q, err := s.exportQuery(c, v)
	if err != nil {
		return err
	}
	list, err := s.listPage(c, v, l)
	if err != nil {
		return err
	}
	p := views.AskExportPage{Page: s.page(c, v, "export.title"), Back: l.address.String(), Chosen: views.ChosenWords(ctx(c), &list), Format: dispatch.FormatXLSX}
	p.Section, p.Action = views.SectionItems, list.ExportAddress()
	if p.Count, err = s.o.Store.CountListed(ctx(c), v.Account.ID, q, store.ExportCounted); err != nil {
		return err
	}
	return show(c, http.StatusOK, views.AskExport(p))
}

// orderExport asks for a file of what is chosen.
func (s *server) orderExport(c echo.Context, v visit) error {
	l, q, err := s.exportQuery(c, v)
	if err != nil {
		return err
	}
	o := store.ExportOrder{Account: v.Account.ID, By: by(c, v.User), Format: dispatch.ExportFormat(c.FormValue(views.FieldFormat)), Query: q, Chosen: fieldsOf(l.address)}
	if !o.Format.Valid() {
		o.Format = dispatch.FormatXLSX
	}
	if o.Expected, err = s.o.Store.CountListed(ctx(c), v.Account.ID, q, store.ExportCounted); err != nil {
		return err
	}
	id, err := s.o.Store.OrderExport(ctx(c), o)
	switch {
	case errors.Is(err, store.ErrChanged):
		return s.flashTo(c, l.address.String(), "flash.export_many", 0)
	case err != nil:
		return err
	}
	return seeOther(c, views.AccountPath(v.Account, "eksport", id))
}

// fieldsOf names what is chosen, without the values.
func fieldsOf(a views.ListAddress) []string {
	values, err := url.ParseQuery(a.Query())
	if err != nil {
		return nil // it was written by us
	}
	return slices.Sorted(maps.Keys(values))
}

// export is the export that the address names: one's own.
func (s *server) export(c echo.Context, v visit) (store.Export, error) {
	return s.o.Store.Export(ctx(c), v.Account.ID, v.User.ID, c.Param("eksport"))
}

// showExport shows how far a file has come, and where it is fetched.
func (s *server) showExport(c echo.Context, v visit) error {
	e, err := s.export(c, v)
	if err != nil {
		return err
	}
	p := views.ExportPage{Page: s.page(c, v, "export.page"), Export: e.Export}
	p.Section = views.SectionItems
	if fragment(c) == "eksport" {
		return show(c, http.StatusOK, views.ExportLive(p))
	}
	return show(c, http.StatusOK, views.Export(p))
}

// exportKinds are the media types of the files.
var exportKinds = map[dispatch.ExportFormat]string{dispatch.FormatCSV: kindCSV, dispatch.FormatXLSX: kindXLSX}

// fetchExport gives the file to who asked for it, and logs that.
func (s *server) fetchExport(c echo.Context, v visit) error {
	e, err := s.export(c, v)
	switch {
	case err != nil:
		return err
	case !e.Done:
		return store.ErrNotFound
	}
	err = s.o.Store.Record(ctx(c), store.Audit{Actor: v.User.ID, Account: v.Account.ID, Action: "list.export_fetch", Object: e.ID, Origin: origin(c)})
	if err != nil {
		return err
	}
	longDownload(c)
	c.Response().Header().Set(echo.HeaderContentLength, strconv.FormatInt(e.Size, 10))
	attach(c, exportKinds[e.Format], "utsendinger."+string(e.Format))
	if c.Request().Method == http.MethodHead {
		return nil
	}
	file := s.o.Store.Exported(ctx(c), e)
	defer file.Close()
	if _, err := io.Copy(c.Response(), file); err != nil {
		s.breakOff(c, err)
	}
	return nil
}
