package follow

import (
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store/lists"
	"utsending/internal/views"
	"utsending/internal/views/follow"
)

// choicesLife is how long an account's filter choices are cached.
const choicesLife = time.Minute

type keptChoices struct {
	follow.ListChoices
	until time.Time
}

// SaveFilter saves the filters in use under a name, without the rest of the address.
func (s *Lists) SaveFilter(c echo.Context, v frame.Visit) error {
	query, err := s.ownQuery(c, v, c.FormValue(follow.FieldChosen))
	if err != nil {
		return err
	}
	list := views.AccountPath(v.Account, "utsendinger")
	name := strings.Join(strings.Fields(c.FormValue(views.FieldName)), " ")
	switch {
	case query == "":
		return frame.SeeOther(c, list)
	case !dispatch.FilterName(name):
		return s.showFilterName(c, v, query)
	}
	kept, err := lists.In(s.Store).Items.SaveFilter(frame.Context(c), v.Account.ID, v.User.ID, name, query)
	if err != nil {
		return err
	}
	return s.FlashTo(c, list+"?"+query, map[lists.KeptFilter]string{
		lists.FilterSaved: "flash.filter_saved", lists.FilterReplaced: "flash.filter_replaced", lists.FilterNoRoom: "flash.filter_many",
	}[kept], 0)
}

// ownQuery normalizes the filter's part of an address.
func (s *Lists) ownQuery(c echo.Context, v frame.Visit, query string) (string, error) {
	r := c.Request().Clone(frame.Context(c))
	r.URL.RawQuery = query
	l, err := s.lists.readList(c.Echo().NewContext(r, c.Response()), v, "")
	return l.address.Query(), err
}

// showFilterName shows the list of a query again, with the name of a filter that cannot be saved and the problem at its field.
func (s *Lists) showFilterName(c echo.Context, v frame.Visit, query string) error {
	r := c.Request().Clone(frame.Context(c))
	r.URL.RawQuery = query
	c.SetRequest(r)
	l, err := s.lists.readList(c, v, "")
	if err != nil {
		return err
	}
	l.form.Name = c.FormValue(views.FieldName)
	l.problems = append(l.problems, dispatch.Problem{Field: views.FieldName, Key: "problem.filter.name", Args: dispatch.Args{"Most": dispatch.LongestFilterName}})
	return s.lists.showList(c, v, l)
}

// SaveView stores how the user wants lists to look, and shows the list again.
func (s *Lists) SaveView(c echo.Context, v frame.Visit) error {
	form, err := c.FormParams()
	if err != nil {
		return frame.BadForm(err)
	}
	shown := func(column string) bool { return slices.Contains(form[follow.FieldColumn], column) }
	view := dispatch.ListView{Compact: c.FormValue(follow.FieldCompact) == "true", NoChannel: !shown("kanal"), NoReference: !shown("referanse"), NoSender: !shown("avsender")}
	back, err := s.listAgain(c, v)
	if err != nil {
		return err
	}
	if err := s.Store.SetListView(frame.Context(c), v.User.ID, view); err != nil {
		return err
	}
	frame.RememberListView(c, view)
	return s.FlashTo(c, back, "flash.list_view", 0)
}

// listAgain is the address of the list in which a form of its look stood.
func (s *Lists) listAgain(c echo.Context, v frame.Visit) (string, error) {
	r := c.Request().Clone(frame.Context(c))
	r.URL.RawQuery = c.FormValue(follow.FieldChosen)
	within := c.Echo().NewContext(r, c.Response())
	kind := follow.KindNamed(within.QueryParam(views.FieldKind))
	if c.FormValue(follow.FieldOwnList) == "" {
		kind = ""
	}
	l, err := s.lists.readList(within, v, kind)
	if err != nil {
		return "", err
	}
	if search := c.FormValue(views.FieldSearchID); search != "" {
		if l, err = s.lists.within(c, v, l, search); err != nil {
			return "", err
		}
		l.address.Base = views.AccountPath(v.Account, "sok", search)
	}
	return l.address.String(), nil
}

// DeleteFilter deletes one of the user's saved filters.
func (s *Lists) DeleteFilter(c echo.Context, v frame.Visit) error {
	if err := lists.In(s.Store).Items.DeleteFilter(frame.Context(c), v.Account.ID, v.User.ID, c.Param("id")); err != nil {
		return err
	}
	return s.FlashTo(c, views.AccountPath(v.Account, "utsendinger"), "flash.filter_deleted", 0)
}
