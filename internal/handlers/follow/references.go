package follow

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store/lists"
	"utsending/internal/views"
	"utsending/internal/views/follow"
)

// Ask shows the search for an external reference.
func (s *References) Ask(c echo.Context, v frame.Visit) error {
	return s.show(c, v, http.StatusOK, follow.ReferencePage{}, nil)
}

func (s *References) show(c echo.Context, v frame.Visit, status int, p follow.ReferencePage, ps dispatch.Problems) error {
	p.Page = s.Page(c, v, "reference.title")
	p.Section, p.Narrow, p.Problems = views.SectionReferences, true, ps
	return frame.Show(c, status, follow.Reference(p))
}

// Find answers the form directly, so that the reference is in no address.
func (s *References) Find(c echo.Context, v frame.Visit) error {
	p := follow.ReferencePage{Reference: c.FormValue(dispatch.FieldReference)}
	reference, problem := dispatch.ParseReference(p.Reference)
	if problem != nil {
		return s.show(c, v, http.StatusUnprocessableEntity, p, dispatch.Problems{*problem})
	}
	find, err := s.find(c, v, reference)
	if err != nil {
		return err
	}
	p.Find = &find
	return s.show(c, v, http.StatusOK, p, nil)
}

// find records the search in the event log, reads the account's shipments, and asks the service if no
// other account uses the integration.
func (s *References) find(c echo.Context, v frame.Visit, reference string) (find dispatch.ReferenceFind, err error) {
	if find.Asked, err = lists.In(s.Store).References.BeginSearch(frame.Context(c), v.Account.ID, frame.Actor(c, v.User)); err != nil {
		return find, err
	}
	if find.Own, err = lists.In(s.Store).References.Shipments(frame.Context(c), v.Account.ID, reference); err != nil || !find.Asked {
		return find, err
	}
	var matches []dispatch.ReferenceMatch
	matches, find.Failure = s.Upstream.ByReference(frame.Context(c), v.Account, reference)
	find.Strangers, err = lists.In(s.Store).References.Strangers(frame.Context(c), v.Account.ID, matches, frame.Actor(c, v.User))
	return find, err
}
