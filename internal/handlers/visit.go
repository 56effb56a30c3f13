package handlers

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/store"
	"utsending/internal/views"
)

// visit is one request by somebody who is logged in, on an account if the route belongs to one.
type visit struct {
	User      dispatch.User
	Account   dispatch.Account
	FollowUps int // how many things on the account want a person, as the navigation says
}

// errSignedOut leads to the page that asks people to log in.
var errSignedOut = echo.NewHTTPError(http.StatusUnauthorized)

// user returns who the request comes from.
func (s *server) user(c echo.Context) (dispatch.User, error) {
	id, ok := s.o.Session.Identity(ctx(c), s.o.Now(), byItself(c))
	if !ok {
		return dispatch.User{}, errSignedOut
	}
	c.SetRequest(c.Request().WithContext(store.WithSession(ctx(c), id.Session)))
	u, err := s.o.Store.UserAt(ctx(c), id.Rights, dispatch.User{ID: id.User, Name: id.Name}, id.Claims)
	c.Set(userKey, u)
	return u, err
}

// byItself tells whether the page made the request without its user doing anything.
func byItself(c echo.Context) bool { return fragment(c) != "" && c.Request().Method == http.MethodGet }

// userKey is where the error pages find who is logged in.
const userKey = "user"

// signedIn wraps a handler that anybody may use who is logged in.
func (s *server) signedIn(h func(echo.Context, visit) error) echo.HandlerFunc {
	return func(c echo.Context) error {
		u, err := s.user(c)
		if err != nil {
			return err
		}
		if err := s.gate(c); err != nil {
			return err
		}
		return h(c, visit{User: u})
	}
}

// onAccount wraps a handler of an account, whose pages have a navigation that counts.
func (s *server) onAccount(right dispatch.Right, h func(echo.Context, visit) error) echo.HandlerFunc {
	return s.inAccount(right, func(c echo.Context, v visit) (err error) {
		if v.FollowUps, err = s.followUps(c, v); err != nil {
			return err
		}
		return h(c, v)
	})
}

// inAccount wraps a handler of an account that reads what its navigation counts with the rest. An account that the user
// does not belong to is not found; one without the right is forbidden.
func (s *server) inAccount(right dispatch.Right, h func(echo.Context, visit) error) echo.HandlerFunc {
	return s.signedIn(func(c echo.Context, v visit) error {
		a, ok := v.User.Account(c.Param("konto"))
		if !ok {
			return echo.ErrNotFound
		}
		c.Set(accountKey, a)
		if !v.User.May(right, a.ID) {
			return echo.ErrForbidden
		}
		s.o.Session.SetAccount(ctx(c), a.Slug)
		v.Account = a
		return h(c, v)
	})
}

// followUps counts what wants a person, for pages that have a navigation.
func (s *server) followUps(c echo.Context, v visit) (int, error) {
	if c.Request().Method == http.MethodPost || fragment(c) != "" || !v.User.May(dispatch.RightSeeItems, v.Account.ID) {
		return 0, nil
	}
	return s.o.Store.FollowUpBadge(ctx(c), v.Account.ID)
}

// accountKey is where the error pages find the account.
const accountKey = "account"

// onSystem wraps a handler of the administrators.
func (s *server) onSystem(right dispatch.Right, h func(echo.Context, visit) error) echo.HandlerFunc {
	return s.signedIn(func(c echo.Context, v visit) error {
		if !v.User.MaySystem(right) {
			return echo.ErrForbidden
		}
		return h(c, v)
	})
}

// page fills what every page needs; title is a catalogue key.
func (s *server) page(c echo.Context, v visit, title string, args ...any) views.Page {
	p := views.Page{
		Title: i18n.T(ctx(c), title, args...), User: v.User, SignedIn: v.User.ID != "", Account: v.Account, Now: s.o.Now(), Assets: s.o.Assets,
		Municipality: s.o.Municipality, Version: s.o.Version, Test: s.o.Test, Scheme: scheme(c), FollowUps: v.FollowUps,
	}
	if p.SignedIn {
		p.Ends, p.EndsForGood = s.o.Session.End(ctx(c))
	}
	if v.User.ID != "" && fragment(c) == "" {
		if key, n := s.o.Session.TakeFlash(ctx(c)); key != "" {
			p.Flash = &views.Flash{Key: key, N: n, Color: flashColor(key)}
			s.o.Session.TakeFlashChanges(ctx(c), &p.Flash.Changes)
		}
		if f, ok := c.Get(markedKey).(views.Flash); ok {
			p.Flash = &f
		}
	}
	return p
}

func flashColor(key string) string {
	switch key {
	case "flash.changed", "flash.shipment_changed", "flash.already_sent", "flash.too_late", "flash.template_changed",
		"flash.job_already_sent", "flash.job_nobody", "flash.quota", "flash.filter_name", "flash.filter_many", "flash.follow_up_none",
		"flash.export_many", "flash.letters_faulty", "flash.hand_over_late", "flash.rows_fixed_none", "flash.marks":
		return "warning"
	}
	return "success"
}

// scheme is the colours that the user has chosen.
func scheme(c echo.Context) string {
	if cookie, err := c.Cookie("visning"); err == nil && (cookie.Value == "light" || cookie.Value == "dark") {
		return cookie.Value
	}
	return "auto"
}

// partsOf are the parts of pages that can be asked for by themselves, by route. Any other name asks for the whole page, with
// all that comes with it: what a page asks for by itself is no read of content, and does not prolong the session.
var partsOf = map[string][]string{
	"GET /k/:konto/":                        {"folg-opp"},
	"GET /k/:konto/oppfolging":              {"merke", "oppfolging", "sak"},
	"GET /k/:konto/utsendinger":             {"grupper", "liste"},
	"GET /k/:konto/sok/:sok":                {"grupper", "liste"},
	"GET /k/:konto/sms":                     {"grupper", "liste"},
	"GET /k/:konto/forsendelser":            {"grupper", "liste"},
	"GET /k/:konto/sms/:id":                 {"sms"},
	"GET /k/:konto/forsendelser/:id":        {"forsendelse"},
	"GET /k/:konto/jobber":                  {"jobber"},
	"GET /k/:konto/jobber/:id":              {"jobb"},
	"GET /k/:konto/eksport/:eksport":        {"eksport"},
	"GET " + signInsPath:                    {"okt"},
	"POST /min-side/fortsett":               {"okt"},
	"POST /k/:konto/sms/ny":                 {"mal-valg"},
	"POST /k/:konto/sms/:id/endre":          {"mal-valg"},
	"POST /k/:konto/jobber/:id/endre":       {"mal-valg"},
	"POST /k/:konto/sms/teller":             {"sms-teller"},
	"POST /k/:konto/sms/sjekk":              {dispatch.FieldNationalID + "-s", dispatch.FieldPhone + "-s"},
	"POST /k/:konto/maler/teller":           {dispatch.FieldText + "-teller", dispatch.FieldNynorsk + "-teller"},
	"POST /k/:konto/utkast/:id/stand":       {"stand"},
	"POST /k/:konto/utkast/:id/dokumenter":  {"dokument"},
	"POST /admin/integrasjoner/:id/tilgang": {"prove-resultat"},
}

// askedPart is the part that a script asks for, whether there is one by that name or not.
func askedPart(c echo.Context) (string, bool) {
	_, id, ok := strings.Cut(c.Request().Header.Get("Accept"), "fragment=")
	return id, ok
}

// asksForPart tells whether a script asks, which has no use for an error page. Where the session cannot be read, no route is
// known yet.
func asksForPart(c echo.Context) bool {
	_, ok := askedPart(c)
	return ok
}

// fragment returns the id of the part of the page that is asked for, empty for the whole page.
func fragment(c echo.Context) string {
	id, ok := askedPart(c)
	if !ok {
		return ""
	}
	id, _, _ = strings.Cut(id, ",")
	if id = strings.TrimSpace(id); !slices.Contains(partsOf[c.Request().Method+" "+c.Path()], id) {
		return ""
	}
	return id
}

// show renders a page to the end before anything is sent, so that a failure never leaves half a page.
func show(c echo.Context, status int, page templ.Component) error {
	b := templ.GetBuffer()
	defer templ.ReleaseBuffer(b)
	if err := page.Render(i18n.Near(ctx(c)), b); err != nil {
		return err
	}
	c.Response().Header().Add("Vary", "Accept")
	c.Response().Header().Set(echo.HeaderContentLength, strconv.Itoa(b.Len())) // else it goes in pieces; compress takes it away
	return c.HTMLBlob(status, b.Bytes())
}

// formKey is the key that makes a form count once, however often it is posted: the posted one, or a new one for a form
// that has none.
func formKey(posted string) string {
	if uuid.Validate(posted) != nil || len(posted) != 36 {
		return uuid.NewString()
	}
	return posted
}

// seeOther leads to a page after a POST.
func seeOther(c echo.Context, path string) error { return c.Redirect(http.StatusSeeOther, path) }

// flashTo leads to a page that shows a message about what was done.
func (s *server) flashTo(c echo.Context, path, key string, n int) error {
	s.o.Session.SetFlash(ctx(c), key, n)
	return seeOther(c, path)
}
