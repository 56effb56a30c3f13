package handlers

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/views"
)

// pageSize is how many rows a list shows.
const pageSize = 50

// listed is a list that is asked for: where it stands, what is chosen, and what of that cannot be read.
type listed struct {
	address  views.ListAddress
	form     views.ListForm
	problems dispatch.Problems
	title    string // catalogue key
	section  views.Section
	search   *store.Search
	searched *views.ListSearch
}

// listItems shows one window of the account's items, those of one kind where one is given.
func (s *server) listItems(kind dispatch.Kind) func(echo.Context, visit) error {
	return func(c echo.Context, v visit) error {
		l, err := readList(c, v, kind)
		if err != nil {
			return err
		}
		return s.showList(c, v, l)
	}
}

// readList reads what an address chooses.
func readList(c echo.Context, v visit, kind dispatch.Kind) (listed, error) {
	l := listed{title: "list.title", section: views.SectionItems}
	l.address.Base = views.AccountPath(v.Account, "utsendinger")
	var err error
	if l.address.Filter, l.problems, err = readFilter(c); err != nil {
		return l, err
	}
	l.address.Oldest = c.QueryParam(views.FieldOrder) == "eldste"
	l.form = views.ListForm{From: c.QueryParam(views.FieldFrom), To: c.QueryParam(views.FieldTo)}
	switch kind {
	case dispatch.KindSMS:
		l.title, l.section, l.address.Base = "sms.list.title", views.SectionSMS, views.AccountPath(v.Account, "sms")
	case dispatch.KindShipment:
		l.title, l.section, l.address.Base = "nav.shipments", views.SectionShipments, views.AccountPath(v.Account, "forsendelser")
	}
	if kind != "" {
		l.address.Fixed, l.address.Filter.Kind = true, kind
	}
	return l, nil
}

// readFilter reads what an address chooses; days that cannot be read are problems, and anything else that cannot be is
// not chosen.
func readFilter(c echo.Context) (f dispatch.ListFilter, ps dispatch.Problems, err error) {
	f = dispatch.ListFilter{
		Kind: views.KindNamed(c.QueryParam(views.FieldKind)), Status: dispatch.Status(short(c.QueryParam(views.FieldStatus))),
		BillingCode: short(c.QueryParam(views.FieldBilling)), Type: short(c.QueryParam(views.FieldType)),
		Signing: dispatch.SigningStatus(short(c.QueryParam(views.FieldSigning))),
		Outcome: views.OutcomeNamed(c.QueryParam(views.FieldOutcome)), Route: views.RouteNamed(c.QueryParam(views.FieldRoute)),
		Read: views.BandNamed(c.QueryParam(views.FieldRead)), Signed: views.BandNamed(c.QueryParam(views.FieldSigned)),
	}
	if template := c.QueryParam(views.FieldTemplate); isID(template) {
		f.Template = dispatch.TemplateID(template)
	}
	if sender := c.QueryParam(views.FieldSender); isID(sender) {
		f.Sender = dispatch.UserID(sender)
	}
	switch job := c.QueryParam(views.FieldJob); {
	case job == "":
		f.Group = views.ListGroupNamed(c.QueryParam(views.FieldGroup))
	case !isID(job):
		return f, nil, store.ErrNotFound
	default:
		f.Job, f.JobGroup = dispatch.JobID(job), views.GroupNamed(c.QueryParam(views.FieldGroup))
	}
	f.From = readDay(c, views.FieldFrom, &ps)
	if f.To = readDay(c, views.FieldTo, &ps); !f.To.IsZero() {
		f.To = f.To.AddDate(0, 0, 1)
	}
	return f, ps, nil
}

// short leaves out what is longer than any of these values, or no text at all.
func short(value string) string {
	if len(value) > 200 || strings.ContainsRune(value, 0) || strings.ToValidUTF8(value, "") != value {
		return ""
	}
	return value
}

func isID(text string) bool { return uuid.Validate(text) == nil && len(text) == 36 }

func readDay(c echo.Context, field string, ps *dispatch.Problems) time.Time {
	typed := strings.TrimSpace(c.QueryParam(field))
	day, ok := dispatch.ParseDay(typed)
	if typed != "" && !ok {
		*ps = append(*ps, dispatch.Problem{Field: field, Key: "problem.date"})
	}
	return day
}

// showList shows the window of a list that the address asks for. A place beyond the end leads to the start.
func (s *server) showList(c echo.Context, v visit, l listed) error {
	w := window(c)
	w.Oldest = l.address.Oldest
	items, older, newer, err := s.o.Store.List(ctx(c), v.Account.ID, store.ListQuery{Viewer: v.User.ID, Filter: l.address.Filter, Search: l.search, Window: w})
	if err != nil {
		return err
	}
	if len(items) == 0 && !(w.Before.Zero() && w.After.Zero()) {
		return seeOther(c, l.address.String())
	}
	status := http.StatusOK
	if len(l.problems) > 0 {
		status = http.StatusUnprocessableEntity
	}
	p, err := s.listPage(c, v, l)
	if err != nil {
		return err
	}
	p.Items = items
	newest, oldest := 0, len(items)-1
	if w.Oldest {
		newest, oldest = oldest, newest
	}
	if newer {
		p.Newer = l.address.Place("nyere", cursorText(items[newest].Item))
	}
	if older {
		p.Older = l.address.Place("eldre", cursorText(items[oldest].Item))
	}
	return show(c, status, views.List(p))
}

// listPage is a list without its rows.
func (s *server) listPage(c echo.Context, v visit, l listed) (views.ListPage, error) {
	p := views.ListPage{Page: s.page(c, v, l.title), List: l.address, Form: l.form, Searched: l.searched, Key: uuid.NewString()}
	p.Section, p.Problems = l.section, l.problems
	var err error
	if l.search == nil && l.address.Filter.Plain() {
		if p.Counts, err = s.o.Store.ListCounts(ctx(c), v.Account.ID, v.User.ID, l.address.Filter.Kind); err != nil {
			return p, err
		}
	}
	if p.Choices, err = s.choices.of(ctx(c), v.Account.ID, s.o.Now()); err != nil {
		return p, err
	}
	if p.Template, err = s.filterTemplate(c, v, l.address.Filter.Template); err != nil {
		return p, err
	}
	p.Saved, err = s.savedFilters(c, v)
	return p, err
}

// filterTemplate names the template that a list is narrowed to; none of the account has no name.
func (s *server) filterTemplate(c echo.Context, v visit, id dispatch.TemplateID) (string, error) {
	if id == "" {
		return "", nil
	}
	t, err := s.o.Store.Template(ctx(c), v.Account.ID, id)
	if errors.Is(err, store.ErrNotFound) {
		return "–", nil
	}
	return t.Name, err
}

// window is the part of a list that an address asks for.
func window(c echo.Context) store.Window {
	return store.Window{Limit: pageSize, Before: cursor(c.QueryParam("eldre")), After: cursor(c.QueryParam("nyere"))}
}

// olderThan is the address of what stands after an item in a list.
func olderThan(base string, it dispatch.Item) string { return base + "?eldre=" + cursorText(it) }

// cursorText is a place in a list as it stands in an address: microseconds and id.
func cursorText(it dispatch.Item) string {
	return strconv.FormatInt(it.CreatedAt.UnixMicro(), 10) + "_" + string(it.ID)
}

// cursor reads a place in a list; anything else is the start.
func cursor(text string) store.Cursor {
	at, id, _ := strings.Cut(text, "_")
	micros, err := strconv.ParseInt(at, 10, 64)
	if err != nil || !isID(id) {
		return store.Cursor{}
	}
	return store.Cursor{At: time.UnixMicro(micros), ID: dispatch.ItemID(id)}
}
