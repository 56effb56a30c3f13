package follow

import (
	"cmp"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/lists"
	"utsending/internal/views"
	"utsending/internal/views/compose"
	"utsending/internal/views/follow"
)

// listed is a requested list: its address, its filters, and the problems with those.
type listed struct {
	address  follow.ListAddress
	form     follow.ListForm
	problems dispatch.Problems
	title    string // catalogue key
	section  views.Section
	search   *lists.Search
	searched *follow.ListSearch
}

// readList reads the list in an address.
func (s *listPages) readList(c echo.Context, v frame.Visit, kind dispatch.Kind) (listed, error) {
	l := listed{title: "list.title", section: views.SectionItems}
	l.address.Base = views.AccountPath(v.Account, "utsendinger")
	var err error
	if l.address.Filter, l.problems, err = s.readFilter(c, v); err != nil {
		return l, err
	}
	l.form = follow.ListForm{From: c.QueryParam(views.FieldFrom), To: c.QueryParam(views.FieldTo)}
	switch kind {
	case dispatch.KindSMS:
		l.title, l.section, l.address.Base = "sms.list.title", views.SectionSMS, views.AccountPath(v.Account, "sms")
	case dispatch.KindShipment:
		l.title, l.section, l.address.Base = "nav.shipments", views.SectionShipments, views.AccountPath(v.Account, "forsendelser")
	}
	if kind != "" {
		l.address.Fixed, l.address.Filter.Kind = true, kind
	}
	l.address.Order = follow.OrderNamed(c.QueryParam(views.FieldOrder)).Offered(l.address.Filter.Kind)
	return l, nil
}

// readFilter reads the filter in an address; invalid days are problems, other invalid values are ignored.
func (s *listPages) readFilter(c echo.Context, v frame.Visit) (f dispatch.ListFilter, ps dispatch.Problems, err error) {
	status, outcome := follow.StatusChosen(c.QueryParam(views.FieldStatus))
	f = dispatch.ListFilter{
		Kind: follow.KindNamed(c.QueryParam(views.FieldKind)), Status: status,
		BillingCode: frame.Short(c.QueryParam(views.FieldBilling)), Type: frame.Short(c.QueryParam(views.FieldType)),
		Signing: dispatch.SigningStatus(frame.Short(c.QueryParam(views.FieldSigning))),
		Outcome: cmp.Or(outcome, follow.OutcomeNamed(c.QueryParam(views.FieldOutcome))), Route: follow.RouteNamed(c.QueryParam(views.FieldRoute)),
		Read: follow.BandNamed(c.QueryParam(views.FieldRead)), Signed: follow.BandNamed(c.QueryParam(views.FieldSigned)),
	}
	f.Watch = follow.WatchNamed(c.QueryParam(views.FieldWatch))
	f.Unarchived = follow.UnarchivedNamed(c.QueryParam(views.FieldArchived))
	if f.Held = follow.HeldNamed(c.QueryParam(views.FieldHeld)); f.Held && !v.User.May(dispatch.RightHold, v.Account.ID) {
		return f, nil, echo.ErrForbidden
	}
	f.WatchAt = v.Account.WatchAt(f.Watch, s.Now())
	if template := c.QueryParam(views.FieldTemplate); frame.IsID(template) {
		f.Template = dispatch.TemplateID(template)
	}
	if sender := c.QueryParam(views.FieldSender); frame.IsID(sender) {
		f.Sender = dispatch.UserID(sender)
	}
	switch job := c.QueryParam(views.FieldJob); {
	case job == "":
		f.Group = follow.ListGroupNamed(c.QueryParam(views.FieldGroup))
	case !frame.IsID(job):
		return f, nil, store.ErrNotFound
	default:
		f.Job, f.JobGroup = dispatch.JobID(job), compose.GroupNamed(c.QueryParam(views.FieldGroup))
	}
	f.From = frame.ReadDay(c, views.FieldFrom, &ps)
	if f.To = frame.ReadDay(c, views.FieldTo, &ps); !f.To.IsZero() {
		if f.To.Before(f.From) {
			ps = append(ps, dispatch.Problem{Field: views.FieldTo, Key: "problem.period.order"})
		}
		f.To = f.To.AddDate(0, 0, 1)
	}
	return f, ps, nil
}

// showList shows the requested page of a list. A cursor beyond the end redirects to the start.
func (s *listPages) showList(c echo.Context, v frame.Visit, l listed) error {
	if frame.Fragment(c) == "grupper" {
		return s.showGroups(c, v, l)
	}
	whole := frame.Fragment(c) != "liste"
	p, err := s.listRows(c, v, l, whole)
	if err != nil {
		return err
	}
	if w := window(c); len(p.Items) == 0 && !(w.Before.Zero() && w.After.Zero()) {
		return frame.SeeOther(c, l.address.String())
	}
	if !whole {
		return frame.Show(c, http.StatusOK, follow.ListLive(&p))
	}
	status := http.StatusOK
	if len(l.problems) > 0 {
		status = http.StatusUnprocessableEntity
	}
	return frame.Show(c, status, follow.List(&p))
}

// showGroups shows the counts of a list's groups.
func (s *listPages) showGroups(c echo.Context, v frame.Visit, l listed) (err error) {
	p := s.bareList(c, v, l)
	if l.counted() {
		if p.Counts, err = lists.In(s.Store).Items.Counts(frame.Context(c), v.Account.ID, v.User.ID, l.address.Filter.Kind); err != nil {
			return err
		}
	}
	return frame.Show(c, http.StatusOK, follow.ListGroups(&p))
}

// counted tells whether the counts of groups apply to the filter. A status does not count: the links to groups leave it out.
func (l listed) counted() bool {
	f := l.address.Filter
	f.Status = ""
	return l.search == nil && f.Plain()
}

// listsDrafts tells whether the list has all the viewer's drafts, of SMS too.
func (l listed) listsDrafts() bool {
	return l.counted() && l.address.Filter.Status == "" && l.address.Filter.Group == dispatch.GroupPlanned && l.address.Filter.OfKind(dispatch.KindSMS)
}

// Query parameters by which a page refreshes its rows: its top row, and that it was the newest.
const (
	fieldTop   = "topp"
	fieldFirst = "forste"
)

// newsMost limits the counting of new rows.
const newsMost = 20

// listRows reads the requested rows of a list, with links to the neighbouring pages; whole: with the data around
// them.
func (s *listPages) listRows(c echo.Context, v frame.Visit, l listed, whole bool) (follow.ListPage, error) {
	p := s.bareList(c, v, l)
	q := lists.ListQuery{Viewer: v.User.ID, Filter: l.address.Filter, Search: l.search, Order: l.address.Order, Page: window(c)}
	q.Page.Oldest = l.address.Order.Upwards()
	top := cursor(c.QueryParam(fieldTop))
	if !top.Zero() {
		q.Page = store.From(top, q.Page)
	}
	rows, older, newer, err := s.listWindow(c, v, l, q, whole, &p)
	if err != nil {
		return p, err
	}
	p.Items, p.First = rows, !newer && l.address.Order.Newest()
	if !top.Zero() {
		p.First = c.QueryParam(fieldFirst) != ""
		q.Page = store.Above(top, q.Page, newsMost)
		above, _, _, err := lists.In(s.Store).Items.List(frame.Context(c), v.Account.ID, q)
		if err != nil {
			return p, err
		}
		if p.First {
			p.News = len(above)
		}
		if q.Page.Oldest {
			older = len(above) > 0
		} else {
			newer = len(above) > 0
		}
	}
	if l.listsDrafts() {
		if p.DraftsToMany, err = items.In(s.Store).Jobs.Drafts(frame.Context(c), v.Account.ID, v.User.ID); err != nil {
			return p, err
		}
		begun, err := items.In(s.Store).Forms.List(frame.Context(c), v.Account.ID, v.User.ID)
		if err != nil {
			return p, err
		}
		p.Begun = len(begun)
	}
	if whole {
		if p.Held, err = s.blocks.held(c, v, l.address.Filter.Kind); err != nil {
			return p, err
		}
	}
	neighbours(&p, older, newer)
	p.Live = liveList(c, p)
	return p, nil
}

// neighbours sets the links to the pages before and after.
func neighbours(p *follow.ListPage, older, newer bool) {
	newest, oldest := 0, len(p.Items)-1
	if oldest < 0 {
		return
	}
	if p.List.Order.Upwards() {
		newest, oldest = oldest, newest
	}
	if newer {
		p.Newer = p.List.Place("nyere", cursorText(placeOf(p.Items[newest])))
	}
	if older {
		p.Older = p.List.Place("eldre", cursorText(placeOf(p.Items[oldest])))
	}
}

// liveList is the address from which the page refreshes its rows: from its top row on.
func liveList(c echo.Context, p follow.ListPage) string {
	top := onTop(c, p.Items, placeOf)
	if top.Zero() {
		return p.List.String()
	}
	return p.List.Place(fieldTop, cursorText(top)) + firstText(p.First)
}

func placeOf(r dispatch.ListRow) store.Cursor {
	return store.Cursor{At: r.CreatedAt, ID: r.ID, Value: r.Value}
}

// onTop is the cursor of the page's top row: the one in the address, else the first row; zero without rows.
func onTop[Row any](c echo.Context, rows []Row, placeOf func(Row) store.Cursor) store.Cursor {
	top := cursor(c.QueryParam(fieldTop))
	if top.Zero() && len(rows) > 0 {
		top = placeOf(rows[0])
	}
	return top
}

// firstText is the query parameter for a top row that was the newest.
func firstText(first bool) string {
	if !first {
		return ""
	}
	return "&" + fieldFirst + "=ja"
}

// bareList is the page of a list with its filters, without any data.
func (s *listPages) bareList(c echo.Context, v frame.Visit, l listed) follow.ListPage {
	p := follow.ListPage{Page: s.Page(c, v, l.title), List: l.address, Form: l.form, Searched: l.searched, Key: uuid.NewString()}
	p.Section, p.Problems = l.section, l.problems
	return p
}

// listWindow reads a page of rows; whole: with the data around them.
func (s *listPages) listWindow(c echo.Context, v frame.Visit, l listed, q lists.ListQuery, whole bool, p *follow.ListPage) (rows []dispatch.ListRow, older, newer bool, err error) {
	if rows, older, newer, err = lists.In(s.Store).Items.List(frame.Context(c), v.Account.ID, q); err == nil && whole {
		err = s.fillAround(c, v, l, p)
	}
	return rows, older, newer, err
}

// fillAround fills in the data around the rows, the navigation's count included.
func (s *listPages) fillAround(c echo.Context, v frame.Visit, l listed, p *follow.ListPage) error {
	around, err := lists.In(s.Store).Items.Around(frame.Context(c), v.Account.ID, lists.AroundQuery{Viewer: v.User.ID, Kind: l.address.Filter.Kind, Counted: l.counted()})
	if err != nil {
		return err
	}
	p.FollowUps, p.Counts = around.FollowUps, around.Counts
	for _, f := range around.Saved {
		p.Saved = append(p.Saved, follow.SavedFilter(f))
	}
	if p.Choices, err = s.choices.of(frame.Context(c), v.Account.ID, s.Now()); err != nil {
		return err
	}
	p.Template, err = s.filterTemplate(c, v, l.address.Filter.Template)
	return err
}

// filterTemplate is the name of the template in the filter; empty if the account has none such.
func (s *listPages) filterTemplate(c echo.Context, v frame.Visit, id dispatch.TemplateID) (string, error) {
	if id == "" {
		return "", nil
	}
	t, err := items.In(s.Store).Templates.ByID(frame.Context(c), v.Account.ID, id)
	if errors.Is(err, store.ErrNotFound) {
		return "–", nil
	}
	return t.Name, err
}

// window is the page of the list in an address.
func window(c echo.Context) store.Page {
	return store.Page{Limit: frame.PageSize, Before: cursor(c.QueryParam("eldre")), After: cursor(c.QueryParam("nyere"))}
}

// cursorText formats a cursor for an address: microseconds, id, and in some orders a value.
func cursorText(at store.Cursor) string {
	text := strconv.FormatInt(at.At.UnixMicro(), 10) + "_" + string(at.ID)
	if at.Value != "" {
		text += "_" + at.Value
	}
	return text
}

// farthest bounds the time of a cursor, in microseconds since 1970: the years that both Go and PostgreSQL can tell.
const farthest = 250_000_000_000_000_000

// cursor parses a cursor; anything else is the start.
func cursor(text string) store.Cursor {
	at, rest, _ := strings.Cut(text, "_")
	id, value, _ := strings.Cut(rest, "_")
	micros, err := strconv.ParseInt(at, 10, 64)
	if err != nil || micros < -farthest/5 || micros > farthest || !frame.IsID(id) {
		return store.Cursor{}
	}
	return store.Cursor{At: time.UnixMicro(micros), ID: dispatch.ItemID(id), Value: value}
}

// within restricts a list to a search.
func (s *listPages) within(c echo.Context, v frame.Visit, l listed, id string) (listed, error) {
	found, err := lists.In(s.Store).Searches.ByID(frame.Context(c), v.Account.ID, v.User.ID, id)
	if err != nil {
		return l, err
	}
	l.title, l.search = "list.search.title", &found
	l.searched = &follow.ListSearch{ID: id, Shown: found.Shown, Person: found.Person}
	return l, nil
}

// chosen reads the list in the address, within a search if it names one.
func (s *listPages) chosen(c echo.Context, v frame.Visit) (listed, error) {
	l, err := s.readList(c, v, "")
	search := c.QueryParam(views.FieldSearchID)
	if err != nil || search == "" {
		return l, err
	}
	if l, err = s.within(c, v, l, search); err == nil {
		l.address.Base = views.AccountPath(v.Account, "sok", search)
	}
	return l, err
}

// followUpFilter is the filter of the list, within the user's search if the address names one; ErrNotFound when that is gone.
func (s *listPages) followUpFilter(c echo.Context, v frame.Visit, ch worklist) (lists.FollowUpFilter, error) {
	f := lists.FollowUpFilter{Cause: ch.Cause, Free: ch.Whose == follow.WhoseFree, Viewer: v.User.ID}
	switch ch.Whose {
	case follow.WhoseMine:
		f.Owner = v.User.ID
	case follow.WhoseSent:
		f.Sender = v.User.ID
	case follow.WhoseAway:
		f.Away = v.User.ID
	}
	if ch.Search == "" {
		return f, nil
	}
	found, err := lists.In(s.Store).Searches.ByID(frame.Context(c), v.Account.ID, v.User.ID, ch.Search)
	f.Search = &found
	return f, err
}
