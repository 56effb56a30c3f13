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

// ListFollowUps shows one page of the open follow-ups.
func (s *Pages) ListFollowUps(c echo.Context, v frame.Visit) error {
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

// followUpFilter is the filter of the list, within the user's search if the address names one; ErrNotFound when that is gone.
func (s *Pages) followUpFilter(c echo.Context, v frame.Visit, ch worklist) (lists.FollowUpFilter, error) {
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
	found, err := lists.In(s.Store).Search(frame.Context(c), v.Account.ID, v.User.ID, ch.Search)
	f.Search = &found
	return f, err
}

// path is the address of the list.
func (ch worklist) path(v frame.Visit) string {
	return views.WithQuery(views.AccountPath(v.Account, "oppfolging"), ch.Query())
}

func (s *Pages) showFollowUps(c echo.Context, v frame.Visit, status int, ch worklist, ps dispatch.Problems) error {
	if frame.Fragment(c) == "merke" {
		return s.showBadge(c, v)
	}
	counts, err := lists.In(s.Store).FollowUpCounts(frame.Context(c), v.Account.ID)
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
	if p.Held, err = s.held(c, v, ""); err != nil {
		return err
	}
	away, err := items.In(s.Store).Absences(frame.Context(c), v.Account.ID, s.Now())
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
func (s *Pages) followUpRows(c echo.Context, v frame.Visit, ch worklist, p *follow.FollowUpPage) error {
	w, top := window(c), cursor(c.QueryParam(fieldTop))
	w.Oldest = !ch.Newest
	filter, err := s.followUpFilter(c, v, ch)
	if err != nil {
		return err
	}
	if found := filter.Search; found != nil {
		p.Searched = &follow.ListSearch{ID: ch.Search, Shown: found.Shown, Person: found.Person}
	}
	if !top.Zero() {
		w = store.From(top, w)
	}
	items, older, newer, err := lists.In(s.Store).FollowUps(frame.Context(c), v.Account.ID, filter, w)
	if err != nil {
		return err
	}
	p.Items = items
	if p.Ends, err = s.contentEnds(c, v, items); err != nil {
		return err
	}
	first := !newer && ch.Newest
	if !top.Zero() {
		above, _, _, err := lists.In(s.Store).FollowUps(frame.Context(c), v.Account.ID, filter, store.Above(top, w, newsMost))
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
func (s *Pages) contentEnds(c echo.Context, v frame.Visit, items []dispatch.FollowedItem) (map[dispatch.ItemID]dispatch.ContentEnd, error) {
	var ids []dispatch.ItemID
	for _, it := range items {
		if !it.Hidden {
			ids = append(ids, it.ID)
		}
	}
	return registry.In(s.Store).ContentEnds(frame.Context(c), v.Account.ID, ids)
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
func (s *Pages) showBadge(c echo.Context, v frame.Visit) (err error) {
	if v.FollowUps, err = lists.In(s.Store).FollowUpBadge(frame.Context(c), v.Account.ID); err != nil {
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

// held are the account's blocked channels, of one kind if given.
func (s *Pages) held(c echo.Context, v frame.Visit, kind dispatch.Kind) ([]follow.Held, error) {
	var held []follow.Held
	for _, k := range dispatch.Kinds {
		if k == dispatch.KindSMS && !v.Account.HasSMS() || k == dispatch.KindShipment && !v.Account.HasShipments() {
			continue
		}
		if kind != "" && kind != k {
			continue
		}
		hold, err := s.Store.Block(frame.Context(c), v.Account.ID, k)
		if err != nil {
			return nil, err
		}
		if hold != dispatch.BlockNone {
			held = append(held, follow.Held{Kind: k, Block: hold})
		}
	}
	return held, nil
}

// TakeFollowUp makes the user responsible for one follow-up that nobody has taken.
func (s *Pages) TakeFollowUp(c echo.Context, v frame.Visit) error {
	values, err := c.FormParams()
	if err != nil {
		return frame.BadForm(err)
	}
	h := dispatch.Handling{Owner: dispatch.OwnerMe, IfFree: true, KeepDue: true}
	flash := "flash.follow_up_taken"
	err = lists.In(s.Store).Handle(frame.Context(c), v.Account.ID, dispatch.ItemID(values.Get("ta")), h, frame.Actor(c, v.User))
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

// EditFollowUp shows the form of an item's follow-up.
func (s *Pages) EditFollowUp(at frame.ItemPages, item func(echo.Context, frame.Visit) (dispatch.Item, error)) func(echo.Context, frame.Visit) error {
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

func (s *Pages) openFollowUp(c echo.Context, v frame.Visit, item func(echo.Context, frame.Visit) (dispatch.Item, error)) (dispatch.Item, dispatch.FollowUp, error) {
	it, err := item(c, v)
	if err != nil {
		return it, dispatch.FollowUp{}, err
	}
	f, err := lists.In(s.Store).FollowUp(frame.Context(c), v.Account.ID, it.ID)
	return it, f, err
}

func (s *Pages) showFollowUp(c echo.Context, v frame.Visit, status int, p follow.FollowUpItemPage, ps dispatch.Problems) error {
	p.Page = s.Page(c, v, "follow.title")
	p.Section, p.Narrow, p.Problems = views.SectionFollowUp, true, ps
	workers, err := s.workers(c, v)
	if err != nil {
		return err
	}
	p.Workers = workers
	q := lists.ListQuery{Viewer: v.User.ID, Items: []dispatch.ItemID{p.Item.ID}, Page: store.Page{Limit: 1}}
	rows, _, _, err := lists.In(s.Store).List(frame.Context(c), v.Account.ID, q)
	if err != nil {
		return err
	}
	for i := range rows {
		p.Row = &rows[i]
	}
	return frame.Show(c, status, follow.FollowUpEdit(p))
}

// SaveFollowUp saves the form of an item's follow-up.
func (s *Pages) SaveFollowUp(at frame.ItemPages, item func(echo.Context, frame.Visit) (dispatch.Item, error)) func(echo.Context, frame.Visit) error {
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
		unknown, err := s.unknownOwner(c, v, h)
		if err != nil {
			return err
		}
		ps = append(ps, unknown...)
		if f.Open() && len(ps) > 0 {
			return s.showFollowUp(c, v, http.StatusUnprocessableEntity, follow.FollowUpItemPage{Item: it, FollowUp: f, Form: form}, ps)
		}
		err = lists.In(s.Store).Handle(frame.Context(c), v.Account.ID, it.ID, h, frame.Actor(c, v.User))
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

// SMSItem returns the common part of the SMS in the address.
func (s *Pages) SMSItem(c echo.Context, v frame.Visit) (dispatch.Item, error) {
	it, err := s.SMS(c, v)
	return it.Item, err
}

// ShipmentItem returns the common part of the shipment in the address.
func (s *Pages) ShipmentItem(c echo.Context, v frame.Visit) (dispatch.Item, error) {
	it, err := s.Shipment(c, v)
	return it.Item, err
}

// LookAgain schedules another look-up of an uncertain shipment.
func (s *Pages) LookAgain(c echo.Context, v frame.Visit) error {
	return s.actShipment(c, v, lists.In(s.Store).LookAgain, "flash.look_again")
}

// around reads what an item's page shows beside the item.
func (s *Pages) around(c echo.Context, v frame.Visit, it dispatch.Item) (a follow.Around, err error) {
	if a.FollowUp, err = lists.In(s.Store).FollowUp(frame.Context(c), v.Account.ID, it.ID); err != nil {
		return a, err
	}
	if a.Relatives, err = lists.In(s.Store).Relatives(frame.Context(c), v.Account.ID, it.ID); err != nil {
		return a, err
	}
	if a.ListDraft, err = items.In(s.Store).ListDraftInstead(frame.Context(c), v.Account.ID, it.ID, v.User.ID); err != nil {
		return a, err
	}
	if a.Draft, err = items.In(s.Store).DraftInstead(frame.Context(c), v.Account.ID, it.ID, v.User.ID); err != nil || !it.EndedBadly() {
		return a, err
	}
	ends, err := registry.In(s.Store).ContentEnds(frame.Context(c), v.Account.ID, []dispatch.ItemID{it.ID})
	a.End = ends[it.ID]
	return a, err
}
