package follow

import (
	"errors"
	"net/http"
	"net/url"
	"slices"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/lists"
	"utsending/internal/text"
	"utsending/internal/views"
	"utsending/internal/views/follow"
)

// ListFollowUps shows one page of the open follow-ups.
func (s *Pages) ListFollowUps(c echo.Context, v frame.Visit) error {
	return s.showFollowUps(c, v, http.StatusOK, followUpChoice(c.QueryParams()), nil)
}

// chosen is the filter of the list of follow-ups.
type chosen struct {
	cause dispatch.Cause
	whose follow.Whose
}

func followUpChoice(values url.Values) chosen {
	ch := chosen{follow.CauseNamed(values.Get("grunn")), follow.Whose(values.Get("hvem"))}
	if ch.whose != follow.WhoseMine && ch.whose != follow.WhoseFree && ch.whose != follow.WhoseSent && ch.whose != follow.WhoseAway {
		ch.whose = follow.WhoseAll
	}
	return ch
}

func (ch chosen) filter(v frame.Visit) lists.FollowUpFilter {
	f := lists.FollowUpFilter{Cause: ch.cause, Free: ch.whose == follow.WhoseFree}
	switch ch.whose {
	case follow.WhoseMine:
		f.Owner = v.User.ID
	case follow.WhoseSent:
		f.Sender = v.User.ID
	case follow.WhoseAway:
		f.Away = v.User.ID
	}
	return f
}

// path is the address of the list.
func (ch chosen) path(v frame.Visit) string {
	return views.AccountPath(v.Account, "oppfolging") + follow.FollowUpQuery(ch.cause, ch.whose)
}

func (s *Pages) showFollowUps(c echo.Context, v frame.Visit, status int, ch chosen, ps dispatch.Problems) error {
	if frame.Fragment(c) == "merke" {
		return s.showBadge(c, v)
	}
	counts, err := lists.In(s.Store).FollowUpCounts(frame.Context(c), v.Account.ID)
	if err != nil {
		return err
	}
	p := follow.FollowUpPage{Page: s.Page(c, v, "nav.follow_up"), Counts: counts, Most: lists.FollowUpsMost, Cause: ch.cause, Whose: ch.whose}
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
	if p.Held, err = s.held(c, v); err != nil {
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
func (s *Pages) followUpRows(c echo.Context, v frame.Visit, ch chosen, p *follow.FollowUpPage) error {
	w, top := window(c), cursor(c.QueryParam(fieldTop))
	if !top.Zero() {
		w = store.From(top, w)
	}
	items, older, newer, err := lists.In(s.Store).FollowUps(frame.Context(c), v.Account.ID, ch.filter(v), w)
	if err != nil {
		return err
	}
	p.Items = items
	first := !newer
	if !top.Zero() {
		above, _, _, err := lists.In(s.Store).FollowUps(frame.Context(c), v.Account.ID, ch.filter(v), store.Above(top, w, newsMost))
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

// again is the address from which the page refreshes its rows.
func (ch chosen) again(c echo.Context, v frame.Visit, items []dispatch.FollowedItem, first bool) string {
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
func (ch chosen) place(v frame.Visit, which string, at store.Cursor) string {
	path, sign := ch.path(v), "?"
	if ch != (chosen{}) {
		sign = "&"
	}
	return path + sign + which + "=" + cursorText(at)
}

// held are the account's blocked channels.
func (s *Pages) held(c echo.Context, v frame.Visit) ([]follow.Held, error) {
	var held []follow.Held
	for _, k := range []dispatch.Kind{dispatch.KindSMS, dispatch.KindShipment} {
		if k == dispatch.KindSMS && !v.Account.HasSMS() || k == dispatch.KindShipment && !v.Account.HasShipments() {
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

// ChooseFollowUps shows what an act would change before it is done.
func (s *Pages) ChooseFollowUps(c echo.Context, v frame.Visit) error {
	values, err := c.FormParams()
	if err != nil {
		return frame.BadForm(err)
	}
	ch, act := followUpChoice(values), follow.FollowUpAct(values.Get("handling"))
	if !act.Known() {
		return frame.SeeOther(c, ch.path(v))
	}
	ids := itemIDs(values["sak"])
	if values.Get("omfang") == "alle" {
		if ids, err = lists.In(s.Store).FollowUpIDs(frame.Context(c), v.Account.ID, ch.filter(v), followUpsAtOnce); err != nil {
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
	p := follow.FollowUpActPage{Act: act, Items: items, Cause: ch.cause, Whose: ch.whose, Most: len(ids) == followUpsAtOnce,
		Form: follow.FollowUpForm{Owner: string(dispatch.OwnerMe)}}
	return s.showAct(c, v, http.StatusOK, p, nil)
}

// followUpsAtOnce is how many follow-ups one form can change.
const followUpsAtOnce = 500

// itemIDs are the items in a form, each once, up to followUpsAtOnce.
func itemIDs(values []string) []dispatch.ItemID {
	var ids []dispatch.ItemID
	for _, value := range values[:min(len(values), followUpsAtOnce)] {
		if id := dispatch.ItemID(value); dispatch.IsUUID(value) && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// chosenFollowUps are the items to which the act applies.
func (s *Pages) chosenFollowUps(c echo.Context, v frame.Visit, act follow.FollowUpAct, ids []dispatch.ItemID) ([]dispatch.FollowedItem, error) {
	items, err := lists.In(s.Store).ChosenFollowUps(frame.Context(c), v.Account.ID, ids)
	return slices.DeleteFunc(items, func(it dispatch.FollowedItem) bool {
		switch act {
		case follow.ActDecide:
			return it.FollowUp.Cause != dispatch.CauseUncertain
		case follow.ActLook:
			return it.FollowUp.Cause != dispatch.CauseUncertain || it.Kind != dispatch.KindShipment
		}
		return false
	}), err
}

func (s *Pages) showAct(c echo.Context, v frame.Visit, status int, p follow.FollowUpActPage, ps dispatch.Problems) error {
	p.Page = s.Page(c, v, "follow.act."+string(p.Act))
	p.Section, p.Narrow, p.Problems = views.SectionFollowUp, true, ps
	return frame.Show(c, status, follow.FollowUpDo(p))
}

// HandleFollowUps performs the act that the page has shown.
func (s *Pages) HandleFollowUps(c echo.Context, v frame.Visit) error {
	values, err := c.FormParams()
	if err != nil {
		return frame.BadForm(err)
	}
	ch, act := followUpChoice(values), follow.FollowUpAct(values.Get("handling"))
	if !act.Known() {
		return frame.SeeOther(c, ch.path(v))
	}
	items, err := s.chosenFollowUps(c, v, act, itemIDs(values["sak"]))
	if err != nil {
		return err
	}
	if len(items) == 0 {
		return s.FlashTo(c, ch.path(v), "flash.follow_up_none", 0)
	}
	n, ps, err := s.doAct(c, v, act, items)
	if err != nil {
		return err
	}
	if len(ps) > 0 {
		p := follow.FollowUpActPage{Act: act, Items: items, Cause: ch.cause, Whose: ch.whose, Form: followUpForm(values)}
		return s.showAct(c, v, http.StatusUnprocessableEntity, p, ps)
	}
	s.Wake()
	return s.FlashTo(c, ch.path(v), "flash.follow_up."+string(act), n)
}

// TakeFollowUp makes the user responsible for one follow-up that nobody has taken.
func (s *Pages) TakeFollowUp(c echo.Context, v frame.Visit) error {
	values, err := c.FormParams()
	if err != nil {
		return frame.BadForm(err)
	}
	h := dispatch.Handling{Owner: dispatch.OwnerMe, IfFree: true, KeepDue: true}
	n, err := lists.In(s.Store).Handle(frame.Context(c), v.Account.ID, []dispatch.ItemID{dispatch.ItemID(values.Get("ta"))}, h, frame.Actor(c, v.User))
	if err != nil {
		return err
	}
	flash := "flash.follow_up_taken"
	if n == 0 {
		flash = "flash.follow_up_none"
	}
	return s.FlashTo(c, followUpChoice(values).path(v), flash, 0)
}

func (s *Pages) doAct(c echo.Context, v frame.Visit, act follow.FollowUpAct, chosen []dispatch.FollowedItem) (int, dispatch.Problems, error) {
	ids := make([]dispatch.ItemID, len(chosen))
	for i, it := range chosen {
		ids[i] = it.ID
	}
	switch act {
	case follow.ActDecide:
		d := dispatch.Decision(c.FormValue("valg"))
		if !d.Known() {
			return 0, dispatch.Problems{{Field: "valg", Key: "problem.decision.empty"}}, nil
		}
		n, err := items.In(s.Store).Resolve(frame.Context(c), v.Account, ids, d, frame.Actor(c, v.User))
		return n, nil, err
	case follow.ActLook:
		n, err := s.lookAgainFor(c, v, ids)
		return n, nil, err
	}
	values, err := c.FormParams()
	if err != nil {
		return 0, nil, frame.BadForm(err)
	}
	f := followUpForm(values)
	f.Done = act == follow.ActDone
	h, ps := f.Parse()
	if len(ps) > 0 {
		return 0, ps, nil
	}
	h.KeepDue = f.Done || f.Due == ""
	n, err := lists.In(s.Store).Handle(frame.Context(c), v.Account.ID, ids, h, frame.Actor(c, v.User))
	return n, nil, err
}

func (s *Pages) lookAgainFor(c echo.Context, v frame.Visit, ids []dispatch.ItemID) (int, error) {
	n := 0
	for _, id := range ids {
		err := lists.In(s.Store).LookAgain(frame.Context(c), v.Account.ID, id, frame.Actor(c, v.User))
		switch {
		case err == nil:
			n++
		case !errors.Is(err, store.ErrChanged) && !errors.Is(err, store.ErrNotFound):
			return n, err
		}
	}
	return n, nil
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
		h, ps := form.Parse()
		if f.Open() && len(ps) > 0 {
			return s.showFollowUp(c, v, http.StatusUnprocessableEntity, follow.FollowUpItemPage{Item: it, FollowUp: f, Form: form}, ps)
		}
		n, err := lists.In(s.Store).Handle(frame.Context(c), v.Account.ID, []dispatch.ItemID{it.ID}, h, frame.Actor(c, v.User))
		if err != nil {
			return err
		}
		if n == 0 {
			return s.ToPage(c, v, at, at.Changed)
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

// around reads what an item's page shows beside the item: its follow-up and its relatives.
func (s *Pages) around(c echo.Context, v frame.Visit, id dispatch.ItemID) (f dispatch.FollowUp, list []dispatch.Relative, err error) {
	if f, err = lists.In(s.Store).FollowUp(frame.Context(c), v.Account.ID, id); err != nil {
		return f, nil, err
	}
	list, err = lists.In(s.Store).Relatives(frame.Context(c), v.Account.ID, id)
	return f, list, err
}
