package handlers

import (
	"errors"
	"net/http"
	"net/url"
	"slices"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/text"
	"utsending/internal/views"
)

// listFollowUps shows one window of what wants a person.
func (s *server) listFollowUps(c echo.Context, v visit) error {
	return s.showFollowUps(c, v, http.StatusOK, followUpChoice(c.QueryParams()), nil)
}

// chosen is which list of follow-ups a request is about.
type chosen struct {
	cause dispatch.Cause
	whose views.Whose
}

func followUpChoice(values url.Values) chosen {
	ch := chosen{views.CauseNamed(values.Get("grunn")), views.Whose(values.Get("hvem"))}
	if ch.whose != views.WhoseMine && ch.whose != views.WhoseFree {
		ch.whose = views.WhoseAll
	}
	return ch
}

func (ch chosen) filter(v visit) store.FollowUpFilter {
	f := store.FollowUpFilter{Cause: ch.cause, Free: ch.whose == views.WhoseFree}
	if ch.whose == views.WhoseMine {
		f.Owner = v.User.ID
	}
	return f
}

// path is where the list stands.
func (ch chosen) path(v visit) string {
	return views.AccountPath(v.Account, "oppfolging") + views.FollowUpQuery(ch.cause, ch.whose)
}

func (s *server) showFollowUps(c echo.Context, v visit, status int, ch chosen, ps dispatch.Problems) error {
	if fragment(c) == "merke" {
		return s.showBadge(c, v)
	}
	counts, err := s.o.Store.FollowUpCounts(ctx(c), v.Account.ID)
	if err != nil {
		return err
	}
	p := views.FollowUpPage{Page: s.page(c, v, "nav.follow_up"), Counts: counts, Most: store.FollowUpsMost, Cause: ch.cause, Whose: ch.whose}
	p.Section, p.Problems = views.SectionFollowUp, ps
	if fragment(c) == "oppfolging" {
		return show(c, status, views.FollowUpCounts(p))
	}
	w := window(c)
	if err := s.followUpRows(c, v, ch, &p); err != nil {
		return err
	}
	if fragment(c) == "sak" {
		return show(c, status, views.FollowUpRows(p))
	}
	if len(p.Items) == 0 && !(w.Before.Zero() && w.After.Zero()) {
		return seeOther(c, ch.path(v))
	}
	if p.Held, err = s.held(c, v); err != nil {
		return err
	}
	return show(c, status, views.FollowUps(p))
}

// followUpRows reads the rows of the list that the address asks for, with where they lead: from the one that was on top,
// where the page asks again.
func (s *server) followUpRows(c echo.Context, v visit, ch chosen, p *views.FollowUpPage) error {
	w, top := window(c), cursor(c.QueryParam(fieldTop))
	if !top.Zero() {
		w = store.From(top, w)
	}
	items, older, newer, err := s.o.Store.FollowUps(ctx(c), v.Account.ID, ch.filter(v), w)
	if err != nil {
		return err
	}
	p.Items = items
	first := !newer
	if !top.Zero() {
		above, _, _, err := s.o.Store.FollowUps(ctx(c), v.Account.ID, ch.filter(v), store.Above(top, w, newsMost))
		if err != nil {
			return err
		}
		if first = c.QueryParam(fieldFirst) != ""; first {
			p.News = len(above)
		}
		newer = len(above) > 0
	}
	if len(items) > 0 && newer {
		p.Newer = ch.place(v, "nyere", placeOfFollowUp(items[0]))
	}
	if len(items) > 0 && older {
		p.Older = ch.place(v, "eldre", placeOfFollowUp(items[len(items)-1]))
	}
	p.Live = ch.again(c, v, items, first)
	return nil
}

// again is where the rows of the list are asked for again.
func (ch chosen) again(c echo.Context, v visit, items []dispatch.FollowedItem, first bool) string {
	top := onTop(c, items, placeOfFollowUp)
	if top.Zero() {
		return ch.path(v)
	}
	return ch.place(v, fieldTop, top) + firstText(first)
}

func placeOfFollowUp(it dispatch.FollowedItem) store.Cursor {
	return store.Cursor{At: it.FollowUp.Since, ID: it.ID}
}

// showBadge shows how many things want a person, as the navigation does.
func (s *server) showBadge(c echo.Context, v visit) (err error) {
	if v.FollowUps, err = s.o.Store.FollowUpBadge(ctx(c), v.Account.ID); err != nil {
		return err
	}
	return show(c, http.StatusOK, views.NavBadge(s.page(c, v, "nav.follow_up")))
}

// place is the address of a part of the list: of what stands before, after or from a place.
func (ch chosen) place(v visit, which string, at store.Cursor) string {
	path, sign := ch.path(v), "?"
	if ch != (chosen{}) {
		sign = "&"
	}
	return path + sign + which + "=" + cursorText(at)
}

// held are the account's channels that send nothing now.
func (s *server) held(c echo.Context, v visit) ([]views.Held, error) {
	var held []views.Held
	for _, k := range []dispatch.Kind{dispatch.KindSMS, dispatch.KindShipment} {
		if k == dispatch.KindSMS && !v.Account.HasSMS() || k == dispatch.KindShipment && !v.Account.HasShipments() {
			continue
		}
		hold, err := s.o.Store.Hold(ctx(c), v.Account.ID, k)
		if err != nil {
			return nil, err
		}
		if hold != dispatch.HoldNone {
			held = append(held, views.Held{Kind: k, Hold: hold})
		}
	}
	return held, nil
}

// chooseFollowUps shows what an act concerns before it is done.
func (s *server) chooseFollowUps(c echo.Context, v visit) error {
	values, err := c.FormParams()
	if err != nil {
		return badForm(err)
	}
	ch, act := followUpChoice(values), views.FollowUpAct(values.Get("handling"))
	if !act.Known() {
		return seeOther(c, ch.path(v))
	}
	ids := itemIDs(values["sak"])
	if values.Get("omfang") == "alle" {
		if ids, err = s.o.Store.FollowUpIDs(ctx(c), v.Account.ID, ch.filter(v), followUpsAtOnce); err != nil {
			return err
		}
	}
	items, err := s.chosenFollowUps(c, v, act, ids)
	if err != nil {
		return err
	}
	if len(items) == 0 {
		ps := dispatch.Problems{{Field: "sak", Key: "problem.decision.none"}}
		return s.showFollowUps(c, v, http.StatusUnprocessableEntity, ch, ps)
	}
	p := views.FollowUpActPage{Act: act, Items: items, Cause: ch.cause, Whose: ch.whose, Most: len(ids) == followUpsAtOnce,
		Form: views.FollowUpForm{Owner: string(dispatch.OwnerMe)}}
	return s.showAct(c, v, http.StatusOK, p, nil)
}

// followUpsAtOnce is how many are handled with one form.
const followUpsAtOnce = 500

// itemIDs are the items that a form names, each once, and not more than can be handled at once.
func itemIDs(values []string) []dispatch.ItemID {
	var ids []dispatch.ItemID
	for _, value := range values[:min(len(values), followUpsAtOnce)] {
		if id := dispatch.ItemID(value); dispatch.IsUUID(value) && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// chosenFollowUps are those of the items that the act can be done with.
func (s *server) chosenFollowUps(c echo.Context, v visit, act views.FollowUpAct, ids []dispatch.ItemID) ([]dispatch.FollowedItem, error) {
	items, err := s.o.Store.ChosenFollowUps(ctx(c), v.Account.ID, ids)
	return slices.DeleteFunc(items, func(it dispatch.FollowedItem) bool {
		switch act {
		case views.ActDecide:
			return it.FollowUp.Cause != dispatch.CauseUncertain
		case views.ActLook:
			return it.FollowUp.Cause != dispatch.CauseUncertain || it.Kind != dispatch.KindShipment
		}
		return false
	}), err
}

func (s *server) showAct(c echo.Context, v visit, status int, p views.FollowUpActPage, ps dispatch.Problems) error {
	p.Page = s.page(c, v, "follow.act."+string(p.Act))
	p.Section, p.Narrow, p.Problems = views.SectionFollowUp, true, ps
	return show(c, status, views.FollowUpDo(p))
}

// handleFollowUps does what the page before has shown.
func (s *server) handleFollowUps(c echo.Context, v visit) error {
	values, err := c.FormParams()
	if err != nil {
		return badForm(err)
	}
	ch, act := followUpChoice(values), views.FollowUpAct(values.Get("handling"))
	if !act.Known() {
		return seeOther(c, ch.path(v))
	}
	items, err := s.chosenFollowUps(c, v, act, itemIDs(values["sak"]))
	if err != nil {
		return err
	}
	if len(items) == 0 {
		return s.flashTo(c, ch.path(v), "flash.follow_up_none", 0)
	}
	n, ps, err := s.doAct(c, v, act, items)
	if err != nil {
		return err
	}
	if len(ps) > 0 {
		p := views.FollowUpActPage{Act: act, Items: items, Cause: ch.cause, Whose: ch.whose, Form: followUpForm(values)}
		return s.showAct(c, v, http.StatusUnprocessableEntity, p, ps)
	}
	s.wake()
	return s.flashTo(c, ch.path(v), "flash.follow_up."+string(act), n)
}

func (s *server) doAct(c echo.Context, v visit, act views.FollowUpAct, items []dispatch.FollowedItem) (int, dispatch.Problems, error) {
	ids := make([]dispatch.ItemID, len(items))
	for i, it := range items {
		ids[i] = it.ID
	}
	switch act {
	case views.ActDecide:
		d := dispatch.Decision(c.FormValue("valg"))
		if !d.Known() {
			return 0, dispatch.Problems{{Field: "valg", Key: "problem.decision.empty"}}, nil
		}
		n, err := s.o.Store.Resolve(ctx(c), v.Account, ids, d, by(c, v.User))
		return n, nil, err
	case views.ActLook:
		n, err := s.lookAgainFor(c, v, ids)
		return n, nil, err
	}
	values, err := c.FormParams()
	if err != nil {
		return 0, nil, badForm(err)
	}
	f := followUpForm(values)
	f.Done = act == views.ActDone
	h, ps := f.Parse()
	if len(ps) > 0 {
		return 0, ps, nil
	}
	h.KeepDue = f.Done || f.Due == ""
	n, err := s.o.Store.Handle(ctx(c), v.Account.ID, ids, h, by(c, v.User))
	return n, nil, err
}

func (s *server) lookAgainFor(c echo.Context, v visit, ids []dispatch.ItemID) (int, error) {
	n := 0
	for _, id := range ids {
		err := s.o.Store.LookAgain(ctx(c), v.Account.ID, id, by(c, v.User))
		switch {
		case err == nil:
			n++
		case !errors.Is(err, store.ErrChanged) && !errors.Is(err, store.ErrNotFound):
			return n, err
		}
	}
	return n, nil
}

func followUpForm(values url.Values) views.FollowUpForm {
	return views.FollowUpForm{
		Owner: values.Get(dispatch.FieldFollowOwner), Due: values.Get(dispatch.FieldFollowDue), Note: text.Compared(values.Get(dispatch.FieldFollowNote)),
		Reason: text.Compared(values.Get(dispatch.FieldFollowReason)), Done: values.Get("ferdig") == "true",
	}
}

// editFollowUp shows what is written about the item of the address, in a form.
func (s *server) editFollowUp(at pages, item func(echo.Context, visit) (dispatch.Item, error)) func(echo.Context, visit) error {
	return func(c echo.Context, v visit) error {
		it, f, err := s.openFollowUp(c, v, item)
		if err != nil {
			return err
		}
		if !f.Open() {
			return s.toPage(c, v, at, at.changed)
		}
		return s.showFollowUp(c, v, http.StatusOK, views.FollowUpItemPage{Item: it, FollowUp: f, Form: views.NewFollowUpForm(f)}, nil)
	}
}

func (s *server) openFollowUp(c echo.Context, v visit, item func(echo.Context, visit) (dispatch.Item, error)) (dispatch.Item, dispatch.FollowUp, error) {
	it, err := item(c, v)
	if err != nil {
		return it, dispatch.FollowUp{}, err
	}
	f, err := s.o.Store.FollowUp(ctx(c), v.Account.ID, it.ID)
	return it, f, err
}

func (s *server) showFollowUp(c echo.Context, v visit, status int, p views.FollowUpItemPage, ps dispatch.Problems) error {
	p.Page = s.page(c, v, "follow.title")
	p.Section, p.Narrow, p.Problems = views.SectionFollowUp, true, ps
	return show(c, status, views.FollowUpEdit(p))
}

// saveFollowUp keeps what is written about the item of the address.
func (s *server) saveFollowUp(at pages, item func(echo.Context, visit) (dispatch.Item, error)) func(echo.Context, visit) error {
	return func(c echo.Context, v visit) error {
		it, f, err := s.openFollowUp(c, v, item)
		if err != nil {
			return err
		}
		values, err := c.FormParams()
		if err != nil {
			return badForm(err)
		}
		form := followUpForm(values)
		h, ps := form.Parse()
		if f.Open() && len(ps) > 0 {
			return s.showFollowUp(c, v, http.StatusUnprocessableEntity, views.FollowUpItemPage{Item: it, FollowUp: f, Form: form}, ps)
		}
		n, err := s.o.Store.Handle(ctx(c), v.Account.ID, []dispatch.ItemID{it.ID}, h, by(c, v.User))
		if err != nil {
			return err
		}
		if n == 0 {
			return s.toPage(c, v, at, at.changed)
		}
		return s.toPage(c, v, at, "flash.follow_up_saved")
	}
}

// smsItem and shipmentItem are the items of the address, without their content.
func (s *server) smsItem(c echo.Context, v visit) (dispatch.Item, error) {
	it, err := s.sms(c, v)
	return it.Item, err
}

func (s *server) shipmentItem(c echo.Context, v visit) (dispatch.Item, error) {
	it, err := s.shipment(c, v)
	return it.Item, err
}

// lookAgain has an uncertain shipment looked for once more.
func (s *server) lookAgain(c echo.Context, v visit) error {
	return s.actShipment(c, v, s.o.Store.LookAgain, "flash.look_again")
}

// around is what an item's page says beside the item: what wants a person, and what it has to do with others.
func (s *server) around(c echo.Context, v visit, id dispatch.ItemID) (f dispatch.FollowUp, list []dispatch.Relative, err error) {
	if f, err = s.o.Store.FollowUp(ctx(c), v.Account.ID, id); err != nil {
		return f, nil, err
	}
	list, err = s.o.Store.Relatives(ctx(c), v.Account.ID, id)
	return f, list, err
}
