package follow

import (
	"maps"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store/lists"
	"utsending/internal/views"
	"utsending/internal/views/follow"
)

// Begin stores a search and redirects to its result, so that the words are in no address. A whole number is searched
// for as such, if the user may.
func (s *Search) Begin(c echo.Context, v frame.Visit) error {
	if c.FormValue(follow.FieldFiltered) != "" {
		return s.searchFiltered(c, v)
	}
	wanted, problem := s.wanted(c, v)
	return s.beginSearch(c, v, wanted, problem)
}

// wanted is what the form searches for: a whole number only if the user may.
func (s *Search) wanted(c echo.Context, v frame.Visit) (dispatch.Search, *dispatch.Problem) {
	wanted, problem := dispatch.ParseSearch(c.FormValue(dispatch.FieldSearch))
	if problem == nil && wanted.Person() && !v.User.May(dispatch.RightFollowUp, v.Account.ID) {
		problem = &dispatch.Problem{Field: dispatch.FieldSearch, Key: "problem.search.person"}
	}
	return wanted, problem
}

// searchFiltered answers the form of a list: a search within the posted filters, or without words the list with these.
func (s *Search) searchFiltered(c echo.Context, v frame.Visit) error {
	form, err := c.FormParams()
	if err != nil {
		return frame.BadForm(err)
	}
	asked := c.QueryParams() // what the list is read from
	clear(asked)
	maps.Copy(asked, form)
	asked.Del(dispatch.FieldSearch)
	if strings.TrimSpace(c.FormValue(dispatch.FieldSearch)) != "" {
		wanted, problem := s.wanted(c, v)
		return s.beginSearch(c, v, wanted, problem)
	}
	kind := follow.KindNamed(c.FormValue(views.FieldKind))
	if c.FormValue(follow.FieldOwnList) == "" {
		kind = ""
	}
	l, err := s.lists.readList(c, v, kind)
	if err != nil {
		return err
	}
	if search := c.FormValue(views.FieldSearchID); search != "" {
		if l, err = s.lists.within(c, v, l, search); err != nil {
			return err
		}
		l.address.Base = views.AccountPath(v.Account, "sok", search)
	}
	if len(l.problems) > 0 {
		return s.lists.showList(c, v, l)
	}
	return frame.SeeOther(c, l.address.String())
}

// ForPerson searches for everything sent to one number.
func (s *Search) ForPerson(c echo.Context, v frame.Visit) error {
	wanted, problem := dispatch.ParsePersonSearch(c.FormValue(dispatch.FieldSearch))
	return s.beginSearch(c, v, wanted, problem)
}

// beginSearch stores a search and redirects to its result. Too many numbers within an hour are refused; a team lead
// is asked for a reason instead.
func (s *Search) beginSearch(c echo.Context, v frame.Visit, wanted dispatch.Search, problem *dispatch.Problem) error {
	l, err := s.lists.readList(c, v, "")
	if err != nil {
		return err
	}
	if problem != nil || len(l.problems) > 0 {
		return s.searchAgain(c, v, l, http.StatusUnprocessableEntity, problem)
	}
	actor := frame.Actor(c, v.User)
	if typed := frame.TypedReason(c, dispatch.FieldReason); typed != "" && wanted.Person() && mayGoOn(v) {
		if actor.Reason, problem = dispatch.ParseReason(typed); problem != nil {
			return s.searchAgain(c, v, l, http.StatusUnprocessableEntity, problem)
		}
	}
	id, refused, err := lists.In(s.Store).Searches.Save(frame.Context(c), v.Account.ID, actor, wanted)
	if err != nil {
		return err
	}
	if refused != nil {
		return s.searchAgain(c, v, l, http.StatusTooManyRequests, refused)
	}
	if c.QueryParam(follow.FieldWorklist) != "" {
		ch := followUpChoice(c.QueryParams())
		ch.Search = id
		return frame.SeeOther(c, ch.path(v))
	}
	l.address.Base = views.AccountPath(v.Account, "sok", id)
	return frame.SeeOther(c, l.address.String())
}

// mayGoOn tells whether the user may go on searching with a reason, as they may open colleagues' items.
func mayGoOn(v frame.Visit) bool { return v.User.May(dispatch.RightLead, v.Account.ID) }

// searchAgain shows the list as before, with the problem of the search and those of its filters.
func (s *Search) searchAgain(c echo.Context, v frame.Visit, l listed, status int, problem *dispatch.Problem) error {
	if problem != nil {
		l.problems = append(dispatch.Problems{*problem}, l.problems...)
	}
	p, err := s.lists.listRows(c, v, l, true)
	if err != nil {
		return err
	}
	p.SearchText = c.FormValue(dispatch.FieldSearch)
	p.AsksReason = mayGoOn(v) && (status == http.StatusTooManyRequests || problem != nil && problem.Field == dispatch.FieldReason)
	p.Reason = c.FormValue(dispatch.FieldReason)
	return frame.Show(c, status, follow.List(&p))
}

// Show shows the result, to the user who searched only.
func (s *Search) Show(c echo.Context, v frame.Visit) error {
	l, err := s.lists.readList(c, v, "")
	if err != nil {
		return err
	}
	if l, err = s.lists.within(c, v, l, c.Param("sok")); err != nil {
		return err
	}
	l.address.Base = views.AccountPath(v.Account, "sok", c.Param("sok"))
	return s.lists.showList(c, v, l)
}
