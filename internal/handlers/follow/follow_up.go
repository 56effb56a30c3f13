package follow

import (
	"errors"
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/lists"
	"utsending/internal/store/registry"
	"utsending/internal/text"
	"utsending/internal/views"
	"utsending/internal/views/follow"
)

// List shows one page of the open follow-ups.
func (s *FollowUps) List(c echo.Context, v frame.Visit) error {
	return s.showFollowUps(c, v, http.StatusOK, followUpChoice(c.QueryParams()), nil)
}

// worklist is the filter of the list of follow-ups.
type worklist struct{ follow.Worklist }

func followUpChoice(values url.Values) worklist {
	ch := worklist{follow.Worklist{Cause: follow.CauseNamed(values.Get("grunn")), Whose: follow.Whose(values.Get("hvem")), Newest: follow.WorklistNewest(values.Get(views.FieldOrder))}}
	if ch.Whose != follow.WhoseMine && ch.Whose != follow.WhoseFree && ch.Whose != follow.WhoseSent && ch.Whose != follow.WhoseAway {
		ch.Whose = follow.WhoseAll
	}
	if search := values.Get(views.FieldSearchID); frame.IsID(search) {
		ch.Search = search
	}
	return ch
}

// path is the address of the list.
func (ch worklist) path(v frame.Visit) string {
	return views.WithQuery(views.AccountPath(v.Account, "oppfolging"), ch.Query())
}

func (s *FollowUps) showFollowUps(c echo.Context, v frame.Visit, status int, ch worklist, ps dispatch.Problems) error {
	if frame.Fragment(c) == "merke" {
		return s.showBadge(c, v)
	}
	counts, err := lists.In(s.Store).FollowUps.Counts(frame.Context(c), v.Account.ID)
	if err != nil {
		return err
	}
	p := follow.FollowUpPage{Page: s.Page(c, v, "nav.follow_up"), Counts: counts, Most: lists.FollowUpsMost, Worklist: ch.Worklist}
	p.Section, p.Problems = views.SectionFollowUp, ps
	if frame.Fragment(c) == "oppfolging" {
		return frame.Show(c, status, follow.FollowUpCounts(p))
	}
	w := window(c)
	if err := s.followUpRows(c, v, ch, &p); err != nil {
		return err
	}
	if frame.Fragment(c) == "sak" {
		return frame.Show(c, status, follow.FollowUpRows(p))
	}
	if len(p.Items) == 0 && !(w.Before.Zero() && w.After.Zero()) {
		return frame.SeeOther(c, ch.path(v))
	}
	if p.Held, err = s.blocks.held(c, v, ""); err != nil {
		return err
	}
	away, err := items.In(s.Store).Absences.List(frame.Context(c), v.Account.ID, s.Now())
	if err != nil {
		return err
	}
	for _, a := range away {
		switch v.User.ID {
		case a.Deputy:
			p.Away = append(p.Away, a)
		case a.User:
			p.AwaySelf = a.Until
		}
	}
	return frame.Show(c, status, follow.FollowUps(p))
}

// followUpRows reads the rows of the page in the address, with the links to its neighbours; when the page refreshes
// itself, from its top row on.
func (s *FollowUps) followUpRows(c echo.Context, v frame.Visit, ch worklist, p *follow.FollowUpPage) error {
	w, top := window(c), cursor(c.QueryParam(fieldTop))
	w.Oldest = !ch.Newest
	filter, err := s.lists.followUpFilter(c, v, ch)
	if err != nil {
		return err
	}
	if found := filter.Search; found != nil {
		p.Searched = &follow.ListSearch{ID: ch.Search, Shown: found.Shown, Person: found.Person}
	}
	if !top.Zero() {
		w = store.From(top, w)
	}
	items, older, newer, err := lists.In(s.Store).FollowUps.List(frame.Context(c), v.Account.ID, filter, w)
	if err != nil {
		return err
	}
	p.Items = items
	if p.Ends, err = s.contentEnds(c, v, items); err != nil {
		return err
	}
	first := !newer && ch.Newest
	if !top.Zero() {
		above, _, _, err := lists.In(s.Store).FollowUps.List(frame.Context(c), v.Account.ID, filter, store.Above(top, w, newsMost))
		if err != nil {
			return err
		}
		if first = c.QueryParam(fieldFirst) != ""; first {
			p.News = len(above)
		}
		if w.Oldest {
			older = len(above) > 0
		} else {
			newer = len(above) > 0
		}
	}
	newest, oldest := 0, len(items)-1
	if w.Oldest {
		newest, oldest = oldest, newest
	}
	if len(items) > 0 && newer {
		p.Newer = ch.place(v, "nyere", placeOfFollowUp(items[newest]))
	}
	if len(items) > 0 && older {
		p.Older = ch.place(v, "eldre", placeOfFollowUp(items[oldest]))
	}
	p.Live = ch.again(c, v, items, first)
	return nil
}

// contentEnds returns when the content of followed items is deleted. Items that the viewer may not see are missing.
func (s *FollowUps) contentEnds(c echo.Context, v frame.Visit, items []dispatch.FollowedItem) (map[dispatch.ItemID]dispatch.ContentEnd, error) {
	var ids []dispatch.ItemID
	for _, it := range items {
		if !it.Hidden {
			ids = append(ids, it.ID)
		}
	}
	return registry.In(s.Store).Retention.ContentEnds(frame.Context(c), v.Account.ID, ids)
}

// again is the address from which the page refreshes its rows.
func (ch worklist) again(c echo.Context, v frame.Visit, items []dispatch.FollowedItem, first bool) string {
	top := onTop(c, items, placeOfFollowUp)
	if top.Zero() {
		return ch.path(v)
	}
	return ch.place(v, fieldTop, top) + firstText(first)
}

func placeOfFollowUp(it dispatch.FollowedItem) store.Cursor {
	return store.Cursor{At: it.FollowUp.Since, ID: it.ID}
}

// showBadge shows the number of open follow-ups, as in the navigation.
func (s *FollowUps) showBadge(c echo.Context, v frame.Visit) (err error) {
	if v.FollowUps, err = lists.In(s.Store).FollowUps.Badge(frame.Context(c), v.Account.ID); err != nil {
		return err
	}
	return frame.Show(c, http.StatusOK, views.NavBadge(s.Page(c, v, "nav.follow_up")))
}

// place is the address of the page of the list before, after or from a cursor.
func (ch worklist) place(v frame.Visit, which string, at store.Cursor) string {
	path, sign := ch.path(v), "?"
	if ch != (worklist{}) {
		sign = "&"
	}
	return path + sign + which + "=" + cursorText(at)
}

// Take makes the user responsible for one follow-up that nobody has taken.
func (s *FollowUps) Take(c echo.Context, v frame.Visit) error {
	values, err := c.FormParams()
	if err != nil {
		return frame.BadForm(err)
	}
	h := dispatch.Handling{Owner: dispatch.OwnerMe, IfFree: true, KeepDue: true}
	flash := "flash.follow_up_taken"
	err = lists.In(s.Store).FollowUps.Handle(frame.Context(c), v.Account.ID, dispatch.ItemID(values.Get("ta")), h, frame.Actor(c, v.User))
	switch {
	case errors.Is(err, store.ErrChanged), errors.Is(err, store.ErrProtected):
		flash = "flash.follow_up_none"
	case err != nil:
		return err
	}
	return s.FlashTo(c, followUpChoice(values).path(v), flash, 0)
}

func followUpForm(values url.Values) follow.FollowUpForm {
	return follow.FollowUpForm{
		Owner: values.Get(dispatch.FieldFollowOwner), Due: values.Get(dispatch.FieldFollowDue), Note: text.Compared(values.Get(dispatch.FieldFollowNote)),
		Reason: text.Compared(values.Get(dispatch.FieldFollowReason)), Done: values.Get("ferdig") == "true",
	}
}

// Edit shows the form of an item's follow-up.
func (s *FollowUps) Edit(at frame.ItemPages, item func(echo.Context, frame.Visit) (dispatch.Item, error)) func(echo.Context, frame.Visit) error {
	return func(c echo.Context, v frame.Visit) error {
		it, f, err := s.openFollowUp(c, v, item)
		if err != nil {
			return err
		}
		if !f.Open() {
			return s.ToPage(c, v, at, at.Changed)
		}
		return s.showFollowUp(c, v, http.StatusOK, follow.FollowUpItemPage{Item: it, FollowUp: f, Form: follow.NewFollowUpForm(f)}, nil)
	}
}

func (s *FollowUps) openFollowUp(c echo.Context, v frame.Visit, item func(echo.Context, frame.Visit) (dispatch.Item, error)) (dispatch.Item, dispatch.FollowUp, error) {
	it, err := item(c, v)
	if err != nil {
		return it, dispatch.FollowUp{}, err
	}
	f, err := lists.In(s.Store).FollowUps.ByID(frame.Context(c), v.Account.ID, it.ID)
	return it, f, err
}

func (s *FollowUps) showFollowUp(c echo.Context, v frame.Visit, status int, p follow.FollowUpItemPage, ps dispatch.Problems) error {
	p.Page = s.Page(c, v, "follow.title")
	p.Section, p.Narrow, p.Problems = views.SectionFollowUp, true, ps
	workers, err := s.colleagues.workers(c, v)
	if err != nil {
		return err
	}
	p.Workers = workers
	q := lists.ListQuery{Viewer: v.User.ID, Items: []dispatch.ItemID{p.Item.ID}, Page: store.Page{Limit: 1}}
	rows, _, _, err := lists.In(s.Store).Items.List(frame.Context(c), v.Account.ID, q)
	if err != nil {
		return err
	}
	for i := range rows {
		p.Row = &rows[i]
	}
	return frame.Show(c, status, follow.FollowUpEdit(p))
}

// Save saves the form of an item's follow-up.
func (s *FollowUps) Save(at frame.ItemPages, item func(echo.Context, frame.Visit) (dispatch.Item, error)) func(echo.Context, frame.Visit) error {
	return func(c echo.Context, v frame.Visit) error {
		it, f, err := s.openFollowUp(c, v, item)
		if err != nil {
			return err
		}
		values, err := c.FormParams()
		if err != nil {
			return frame.BadForm(err)
		}
		form := followUpForm(values)
		h, ps := form.Parse(f.Due, s.Now())
		unknown, err := s.colleagues.unknownOwner(c, v, h)
		if err != nil {
			return err
		}
		ps = append(ps, unknown...)
		if f.Open() && len(ps) > 0 {
			return s.showFollowUp(c, v, http.StatusUnprocessableEntity, follow.FollowUpItemPage{Item: it, FollowUp: f, Form: form}, ps)
		}
		err = lists.In(s.Store).FollowUps.Handle(frame.Context(c), v.Account.ID, it.ID, h, frame.Actor(c, v.User))
		switch {
		case errors.Is(err, store.ErrChanged):
			return s.ToPage(c, v, at, at.Changed)
		case errors.Is(err, store.ErrProtected):
			ps = dispatch.Problems{{Field: dispatch.FieldFollowOwner, Key: "problem.follow_up.protected"}}
			return s.showFollowUp(c, v, http.StatusUnprocessableEntity, follow.FollowUpItemPage{Item: it, FollowUp: f, Form: form}, ps)
		case err != nil:
			return err
		}
		return s.ToPage(c, v, at, "flash.follow_up_saved")
	}
}
