package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/views"
)

// searchReference shows where shipments are searched by their external reference.
func (s *server) searchReference(c echo.Context, v visit) error {
	return s.showReference(c, v, http.StatusOK, views.ReferencePage{}, nil)
}

func (s *server) showReference(c echo.Context, v visit, status int, p views.ReferencePage, ps dispatch.Problems) error {
	p.Page = s.page(c, v, "reference.title")
	p.Section, p.Narrow, p.Problems = views.SectionReferences, true, ps
	return show(c, status, views.Reference(p))
}

// findReference answers a search directly: what was searched stands in no address.
func (s *server) findReference(c echo.Context, v visit) error {
	p := views.ReferencePage{Reference: c.FormValue(dispatch.FieldReference)}
	reference, problem := dispatch.ParseReference(p.Reference)
	if problem != nil {
		return s.showReference(c, v, http.StatusUnprocessableEntity, p, dispatch.Problems{*problem})
	}
	find, err := s.findByReference(c, v, reference)
	if err != nil {
		return err
	}
	p.Find = &find
	return s.showReference(c, v, http.StatusOK, p, nil)
}

// findByReference writes to the event log, reads what the account has sent, and asks the service where the account is
// alone with its integration.
func (s *server) findByReference(c echo.Context, v visit, reference string) (find dispatch.ReferenceFind, err error) {
	if find.Asked, err = s.o.Store.BeginReferenceSearch(ctx(c), v.Account.ID, by(c, v.User)); err != nil {
		return find, err
	}
	if find.Own, err = s.o.Store.ShipmentsByReference(ctx(c), v.Account.ID, reference); err != nil || !find.Asked {
		return find, err
	}
	var matches []dispatch.ReferenceMatch
	matches, find.Failure = s.o.Upstream.ByReference(ctx(c), v.Account, reference)
	find.Strangers, err = s.o.Store.Strangers(ctx(c), v.Account.ID, matches, by(c, v.User))
	return find, err
}
