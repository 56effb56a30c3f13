package frame

import (
	"errors"
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
	"utsending/internal/store/items"
	"utsending/internal/store/lists"
	"utsending/internal/store/registry"
	"utsending/internal/views"
)

// MaxForm is the maximum size of an ordinary form: a text of 1600 characters and the other fields.
const MaxForm = 256 << 10

// The rate limit of revealing numbers and opening content, per user: ample for casework, too slow to harvest them
// all.
const (
	revealsAtOnce    = 60
	revealsPerSecond = 0.2
)

// RequestID is the id of a request, which error pages show and the log holds.
func RequestID(c echo.Context) string { return c.Response().Header().Get(echo.HeaderXRequestID) }

// Paced applies the rate limit of revealing numbers and opening others' content.
func (s *Frame) Paced(h func(echo.Context, Visit) error) func(echo.Context, Visit) error {
	return func(c echo.Context, v Visit) error {
		if ok, err := s.Pace.Allow(string(v.User.ID)); err != nil || !ok {
			return echo.NewHTTPError(http.StatusTooManyRequests)
		}
		return h(c, v)
	}
}

// Origin is the client's address, for the event log.
func Origin(c echo.Context) string { return c.RealIP() }

// Actor is the actor of a request.
func Actor(c echo.Context, u dispatch.User) store.Actor {
	return store.Actor{User: u.ID, Origin: Origin(c)}
}

// sentFlashes are the messages of something that was just sent: when the account's undo window holds it back, and when it waits for its
// time.
var sentFlashes = map[string]struct{ undo, planned string }{
	"flash.queued":          {"flash.queued_undo", "flash.queued_planned"},
	"flash.shipment_queued": {"flash.shipment_queued_undo", "flash.shipment_queued_planned"},
	"flash.job_sent":        {"flash.job_sent_undo", "flash.job_sent_planned"},
}

// ToSent leads to what was just sent, and says when it goes and how long it can be undone. Other messages stay as they are.
func (s *Frame) ToSent(c echo.Context, v Visit, path, flash string, t dispatch.Timing) error {
	of, known := sentFlashes[flash]
	now, n := s.Now(), 0
	switch {
	case !known:
	case v.Account.Planned(t, now).After(now.Add(v.Account.UndoWindow)):
		flash = of.planned
	case v.Account.UndoWindow > 0:
		flash, n = of.undo, int(v.Account.UndoWindow.Seconds())
	}
	return s.FlashTo(c, path, flash, n)
}

// Sender is Actor of who sends something of the visit's account: a lead may go beyond its budget where the account says so.
func Sender(c echo.Context, v Visit) store.Actor {
	a := Actor(c, v.User)
	a.Lead = v.User.May(dispatch.RightLead, v.Account.ID)
	return a
}

// Visit is a request of a logged-in user, on an account if the route has one.
type Visit struct {
	User      dispatch.User
	Account   dispatch.Account
	FollowUps int // how many things on the account want a person, as the navigation says
	ToApprove int // how many drafts of colleagues wait for the person to approve them
}

// ErrSignedOut leads to the page that asks the user to log in.
var ErrSignedOut = echo.NewHTTPError(http.StatusUnauthorized)

// User returns the request's user.
func (s *Frame) User(c echo.Context) (dispatch.User, error) {
	id, ok := s.Session.Identity(Context(c), s.Now(), ByItself(c))
	if !ok {
		return dispatch.User{}, ErrSignedOut
	}
	c.SetRequest(c.Request().WithContext(store.WithViewer(store.WithSession(Context(c), id.Session), id.User)))
	u, err := s.Store.UserAt(Context(c), id.Rights, dispatch.User{ID: id.User, Name: id.Name}, id.Claims)
	c.Set(userKey, u)
	return u, err
}

// ByItself tells whether a script of the page made the request without a user's action.
func ByItself(c echo.Context) bool { return Fragment(c) != "" && c.Request().Method == http.MethodGet }

// userKey is the context key of the user, for error pages.
const userKey = "user"

// SignedIn wraps a handler for any logged-in user.
func (s *Frame) SignedIn(h func(echo.Context, Visit) error) echo.HandlerFunc {
	return func(c echo.Context) error {
		u, err := s.User(c)
		if err != nil {
			return err
		}
		if err := s.gate(c); err != nil {
			return err
		}
		return h(c, Visit{User: u})
	}
}

// OnAccount wraps a handler of an account, and counts the follow-ups for its navigation.
func (s *Frame) OnAccount(right dispatch.Right, h func(echo.Context, Visit) error) echo.HandlerFunc {
	return s.InAccount(right, func(c echo.Context, v Visit) (err error) {
		if c.Request().Method == http.MethodPost { // most lead elsewhere; Page counts for those that show one
			return h(c, v)
		}
		if v.FollowUps, err = s.followUps(c, v); err != nil {
			return err
		}
		if v.ToApprove, err = s.toApprove(c, v); err != nil {
			return err
		}
		return h(c, v)
	})
}

// InAccount wraps a handler of an account that reads the navigation's count itself, together with its own data. An
// account that the user does not belong to is not found; without the right it is forbidden.
func (s *Frame) InAccount(right dispatch.Right, h func(echo.Context, Visit) error) echo.HandlerFunc {
	return s.SignedIn(func(c echo.Context, v Visit) error {
		a, ok := v.User.Account(c.Param("konto"))
		if !ok {
			return echo.ErrNotFound
		}
		c.Set(accountKey, a)
		if !v.User.May(right, a.ID) {
			return echo.ErrForbidden
		}
		s.Session.SetAccount(Context(c), a.Slug)
		v.Account = a
		if err := s.See(c, v, dispatch.ItemID(c.Param("id"))); err != nil {
			return err
		}
		return h(c, v)
	})
}

// See makes sure that the user may see an item whose recipient may be protected, and notes that one of the named opens its page. For
// others it is not found, whatever the route does with it. An id that names something else than an item passes.
func (s *Frame) See(c echo.Context, v Visit, id dispatch.ItemID) error {
	if id == "" {
		return nil
	}
	sight, err := items.In(s.Store).Protected.SightOf(Context(c), v.Account.ID, id, v.User.ID)
	switch {
	case err != nil || !sight.Protected:
		return err
	case sight.Hidden:
		return store.ErrNotFound
	case c.Request().Method != http.MethodGet || Fragment(c) != "":
		return nil
	}
	return items.In(s.Store).Protected.NoteLook(Context(c), v.Account.ID, id, Actor(c, v.User))
}

// followUps counts open follow-ups, for pages with a navigation.
func (s *Frame) followUps(c echo.Context, v Visit) (int, error) {
	if Fragment(c) != "" || !v.User.May(dispatch.RightSeeItems, v.Account.ID) {
		return 0, nil
	}
	return lists.In(s.Store).FollowUps.Badge(Context(c), v.Account.ID)
}

// toApprove counts what waits for the visitor to approve it, for pages that have a navigation.
func (s *Frame) toApprove(c echo.Context, v Visit) (int, error) {
	if Fragment(c) != "" || !v.User.May(dispatch.RightApprove, v.Account.ID) {
		return 0, nil
	}
	return items.In(s.Store).Approvals.CountFor(Context(c), v.Account.ID, v.User.ID)
}

// accountKey is where the error pages find the account.
const accountKey = "account"

// OnSystem wraps a handler of the whole system.
func (s *Frame) OnSystem(right dispatch.Right, h func(echo.Context, Visit) error) echo.HandlerFunc {
	return s.SignedIn(func(c echo.Context, v Visit) error {
		if !v.User.MaySystem(right) {
			return echo.ErrForbidden
		}
		return h(c, v)
	})
}

// Page returns the common part of every page; title is a catalogue key.
func (s *Frame) Page(c echo.Context, v Visit, title string, args ...any) views.Page {
	if borrowed := s.around(c, v); c.Request().Method == http.MethodPost || borrowed.ID != v.Account.ID {
		v.Account = borrowed
		s.count(c, &v)
	}
	_, theme := s.themed(c)
	p := views.Page{
		Title: i18n.T(Context(c), title, args...), Theme: theme, User: v.User, SignedIn: v.User.ID != "", Account: v.Account, Now: s.Now(), Assets: s.Assets,
		Municipality: s.municipality(theme), Version: s.Version, Test: s.Test, Scheme: scheme(c), HighContrast: highContrast(c), Lists: listView(c), NoKeys: keysOff(c), FollowUps: v.FollowUps, ToApprove: v.ToApprove,
	}
	if p.SignedIn {
		p.Ends, p.EndsForGood = s.Session.End(Context(c))
	}
	if v.User.MaySystem(dispatch.RightOperate) && Fragment(c) == "" {
		p.ActRequests = s.actRequests(c, v.User.ID)
	}
	if v.User.ID != "" && Fragment(c) == "" {
		if key, n := s.Session.TakeFlash(Context(c)); key != "" {
			p.Flash = &views.Flash{Key: key, N: n, Color: flashColor(key)}
			p.Flash.Name = s.Session.TakeFlashName(Context(c))
			s.Session.TakeFlashChanges(Context(c), &p.Flash.Changes)
		}
		if f, ok := c.Get(markedKey).(views.Flash); ok {
			p.Flash = &f
		}
	}
	return p
}

// around is the account whose navigation surrounds a page: the page's own, or else the one that the user was on last. Pages of the whole system belong
// to no account for who administers it; an auditor of accounts, who sees there what these have, keeps theirs.
func (s *Frame) around(c echo.Context, v Visit) dispatch.Account {
	if v.Account.ID != "" || v.User.ID == "" || strings.HasPrefix(c.Path(), "/admin/") && v.User.MaySystem(dispatch.RightOperate) || Fragment(c) != "" {
		return v.Account
	}
	a, _ := v.User.Account(s.Session.Account(Context(c)))
	return a
}

// count counts for the navigation of a page that answers a form. A page without the numbers is better than none.
func (s *Frame) count(c echo.Context, v *Visit) {
	if v.Account.ID == "" {
		return
	}
	var err, also error
	v.FollowUps, err = s.followUps(c, *v)
	v.ToApprove, also = s.toApprove(c, *v)
	if err := errors.Join(err, also); err != nil {
		s.Log.WarnContext(Context(c), "the navigation's numbers are not counted", "error", store.Describe(err))
	}
}

// actRequests counts what waits for the user as another administrator. A page without the number is better than none.
func (s *Frame) actRequests(c echo.Context, user dispatch.UserID) int {
	n, err := registry.In(s.Store).ActRequests.CountFor(Context(c), user, s.Now())
	if err != nil {
		s.Log.WarnContext(Context(c), "requests of administrators are not counted", "error", store.Describe(err))
	}
	return n
}

// highContrast tells whether the user has chosen high contrast; a browser may ask for it too.
func highContrast(c echo.Context) bool {
	cookie, err := c.Cookie("kontrast")
	return err == nil && cookie.Value == "mer"
}

// listViewCookie remembers on a device how its user wants lists to look.
const listViewCookie = "lister"

// RememberListView stores on the device how its user wants lists to look.
func RememberListView(c echo.Context, v dispatch.ListView) { Remember(c, listViewCookie, v.String()) }

func listView(c echo.Context) dispatch.ListView {
	cookie, err := c.Cookie(listViewCookie)
	if err != nil {
		return dispatch.ListView{}
	}
	return dispatch.ParseListView(cookie.Value)
}

// keysOff tells whether the user has turned off the keys for lists.
func keysOff(c echo.Context) bool {
	cookie, err := c.Cookie("taster")
	return err == nil && cookie.Value == "av"
}

// scheme is the colour scheme that the user has chosen.
func scheme(c echo.Context) string {
	if cookie, err := c.Cookie("visning"); err == nil && (cookie.Value == "light" || cookie.Value == "dark") {
		return cookie.Value
	}
	return "auto"
}

// partsOf are the fragments that scripts may request, by route. Any other name gets the whole page, with all its
// effects: requesting a fragment does not count as reading content, and does not prolong the session.
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
	"GET /k/:konto/utvalg/:utvalg":          {"utvalg"},
	"GET " + SignInsPath:                    {"okt"},
	"POST /min-side/fortsett":               {"okt"},
	"POST /k/:konto/sms/ny":                 {"mal-valg"},
	"POST /k/:konto/sms/:id/endre":          {"mal-valg"},
	"POST /k/:konto/jobber/:id/endre":       {"mal-valg"},
	"POST /k/:konto/sms/ny/lagre":           {"lagret"},
	"POST /k/:konto/sms/:id/lagre":          {"lagret"},
	"POST /k/:konto/jobber/:id/lagre":       {"lagret"},
	"POST /k/:konto/sms/teller":             {"sms-teller"},
	"POST /k/:konto/sms/sjekk":              {dispatch.FieldNationalID + "-s", dispatch.FieldPhone + "-s"},
	"POST /k/:konto/maler/teller":           {"sms-teller"},
	"POST /k/:konto/jobber/:id/teller":      {"sms-teller"},
	"POST /k/:konto/jobber/:id/feil/teller": {"sms-teller"},
	"POST /k/:konto/utkast/:id/stand":       {"stand"},
	"POST /k/:konto/utkast/:id/dokumenter":  {"dokument"},
	"POST /k/:konto/utkast/:id/flere/filer": {"dokument"},
	"GET /admin/avstemming/:id":             {"avstemming"},
	"POST /admin/integrasjoner/:id/tilgang": {"prove-resultat"},
}

// askedPart is the requested fragment, whether or not there is one of that name.
func askedPart(c echo.Context) (string, bool) {
	_, id, ok := strings.Cut(c.Request().Header.Get("Accept"), "fragment=")
	return id, ok
}

// asksForPart tells whether a script requests a fragment, and so has no use for an error page. It does not check the
// name, since no route is known when the session cannot be read.
func asksForPart(c echo.Context) bool {
	_, ok := askedPart(c)
	return ok
}

// Fragment returns the id of the requested fragment; empty for the whole page.
func Fragment(c echo.Context) string {
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

// Show renders a page to a buffer before anything is sent, so that a failure never leaves half a page.
func Show(c echo.Context, status int, page templ.Component) error {
	b := templ.GetBuffer()
	defer templ.ReleaseBuffer(b)
	if err := page.Render(i18n.Near(Context(c)), b); err != nil {
		return err
	}
	c.Response().Header().Add("Vary", "Accept")
	c.Response().Header().Set(echo.HeaderContentLength, strconv.Itoa(b.Len())) // avoids chunked encoding; the gzip middleware removes it
	return c.HTMLBlob(status, b.Bytes())
}

// FormKey is a form's idempotency key: the posted one, or a new one for a form without.
func FormKey(posted string) string {
	if uuid.Validate(posted) != nil || len(posted) != 36 {
		return uuid.NewString()
	}
	return posted
}

// SeeOther redirects after a POST.
func SeeOther(c echo.Context, path string) error { return c.Redirect(http.StatusSeeOther, path) }

// FlashTo redirects to a page that shows a message about what was done.
func (s *Frame) FlashTo(c echo.Context, path, key string, n int) error {
	s.Session.SetFlash(Context(c), key, n)
	return SeeOther(c, path)
}
