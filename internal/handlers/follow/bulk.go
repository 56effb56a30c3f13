package follow

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/lists"
	"utsending/internal/views"
	"utsending/internal/views/follow"
)

// tickedMost is how many ticked items one form can have; a page shows fewer.
const tickedMost = 500

// bulkPatience is how long a request waits for its act; the rest continues in the background.
const bulkPatience = 2 * time.Second

// picked is a form about chosen items.
type picked struct {
	act       dispatch.BulkAct
	selection lists.Selection
	left      []dispatch.ItemID // ticked items that the preview left out
	shown     int               // to how many items it applied in the preview; -1: there was none
	all       bool              // the whole list instead of the ticked items
	back      string            // address to return to
	query     string            // query of this form's address: the list
	chosen    []string
	values    url.Values
}

// errNoAct says that the form names no act.
var errNoAct = errors.New("no act was chosen")

// readPicked reads a form about chosen items. errNoAct: it names none; forbidden without the right to the act.
func (s *Bulk) readPicked(c echo.Context, v frame.Visit) (p picked, err error) {
	if p.values, err = c.FormParams(); err != nil {
		return p, frame.BadForm(err)
	}
	p.act = dispatch.BulkAct(p.values.Get("handling"))
	if !slices.Contains(dispatch.BulkActs(), p.act) {
		return p, errNoAct
	}
	if !v.User.May(p.act.Right(), v.Account.ID) {
		return p, echo.ErrForbidden
	}
	p.all = p.values.Get(follow.FieldExtent) == follow.ExtentAll
	if p.shown, err = strconv.Atoi(p.values.Get(follow.FieldShown)); err != nil {
		p.shown = -1
	}
	p.selection = lists.Selection{Viewer: v.User.ID, Until: s.until(p.values.Get("til"))}
	if err := s.readFrom(c, v, &p); err != nil {
		return p, err
	}
	if !p.all {
		p.selection.Items, p.left = itemIDs(p.values[follow.FieldItem]), itemIDs(p.values[follow.FieldLeft])
	}
	return p, nil
}

// confirmed is the form without the items that the preview left out: although they may fit by now, they were not confirmed.
func (p picked) confirmed() picked {
	p.selection.Items = slices.DeleteFunc(slices.Clone(p.selection.Items), func(id dispatch.ItemID) bool { return slices.Contains(p.left, id) })
	return p
}

// until is when the effect was first shown; items added since are left out.
func (s *Bulk) until(posted string) time.Time {
	if micros, err := strconv.ParseInt(posted, 10, 64); err == nil && micros < s.Now().UnixMicro() {
		return time.UnixMicro(micros)
	}
	return s.Now()
}

// readFrom reads which list the items were chosen in.
func (s *Bulk) readFrom(c echo.Context, v frame.Visit, p *picked) error {
	if c.QueryParam(follow.FieldWorklist) != "" {
		ch := followUpChoice(c.QueryParams())
		filter, err := s.lists.followUpFilter(c, v, ch)
		if err != nil {
			return err
		}
		p.selection.FollowUps, p.back, p.query = &filter, ch.path(v), follow.WorklistQuery(ch.Worklist)
		p.chosen = fieldsOf(p.query)
		return nil
	}
	l, err := s.lists.chosen(c, v)
	if err != nil {
		return err
	}
	p.selection.List = lists.ListQuery{Viewer: v.User.ID, Filter: l.address.Filter, Search: l.search, Page: store.Page{Oldest: l.address.Order == dispatch.ListOrder{Reversed: true}}}
	p.back, p.chosen, p.query = l.address.String(), fieldsOf(l.address.Query()), l.address.Query()
	if search := c.QueryParam(views.FieldSearchID); search != "" {
		p.query = strings.TrimSuffix(views.FieldSearchID+"="+search+"&"+p.query, "&")
	}
	return nil
}

// itemIDs are the items in a form, each once, up to tickedMost. An empty list is not nil: nil would choose all.
func itemIDs(values []string) []dispatch.ItemID {
	ids := []dispatch.ItemID{}
	for _, value := range values[:min(len(values), tickedMost)] {
		if id := dispatch.ItemID(value); dispatch.IsUUID(value) && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// Ask shows the effect of an act on the chosen items: which it applies to, which not, and why.
func (s *Bulk) Ask(c echo.Context, v frame.Visit) error {
	p, err := s.readPicked(c, v)
	if errors.Is(err, errNoAct) {
		return s.FlashTo(c, views.AccountPath(v.Account, "utsendinger"), "flash.bulk_none", 0)
	}
	if err != nil {
		return err
	}
	if p.all && p.act == dispatch.BulkExport && p.selection.FollowUps == nil {
		return frame.SeeOther(c, views.WithQuery(views.AccountPath(v.Account, "eksport"), p.query))
	}
	return s.showBulk(c, v, p, follow.BulkForm{Owner: string(dispatch.OwnerMe)}, nil)
}

// effect is how many items an act applies to, and how many are left out.
type effect struct {
	sms, shipments int
	leftOut        map[dispatch.BulkResult]int
	oldest         time.Time // when the first of those to which it applies was created
	reaches        map[dispatch.UserID]dispatch.Reach
	more           bool              // more than one act can take
	asksReason     bool              // colleagues' content is opened
	creators       []dispatch.UserID // the colleagues whose content may be opened
}

func (e effect) n() int { return e.sms + e.shipments }

// effect counts the items.
func (s *Bulk) effect(c echo.Context, v frame.Visit, p picked) (e effect, err error) {
	e.leftOut = map[dispatch.BulkResult]int{}
	if p.selection.Items != nil && len(p.selection.Items) == 0 {
		return e, nil
	}
	groups, more, err := lists.In(s.Store).Selections.Groups(frame.Context(c), v.Account.ID, p.act, p.selection)
	if err != nil {
		return e, err
	}
	e.more = more
	e.reaches = map[dispatch.UserID]dispatch.Reach{}
	for _, g := range groups {
		r, known := e.reaches[g.CreatedBy]
		if !known {
			if r, err = s.Reach(c, v, g.CreatedBy); err != nil {
				return e, err
			}
			e.reaches[g.CreatedBy] = r
		}
		g.Reach = r
		e.add(p.act, g)
	}
	return e, nil
}

func (e *effect) add(act dispatch.BulkAct, g lists.BulkGroup) {
	if why := act.LeftOut(g.BulkItem); why != "" {
		e.leftOut[why] += g.N
		return
	}
	if e.oldest.IsZero() || g.Oldest.Before(e.oldest) {
		e.oldest = g.Oldest
	}
	if g.Kind == dispatch.KindSMS {
		e.sms += g.N
	} else {
		e.shipments += g.N
	}
	if g.Reach == dispatch.ReachReason && act.Opens(g.BulkItem) {
		e.asksReason = true
		if !slices.Contains(e.creators, g.CreatedBy) {
			e.creators = append(e.creators, g.CreatedBy)
		}
	}
}

func (s *Bulk) showBulk(c echo.Context, v frame.Visit, p picked, f follow.BulkForm, ps dispatch.Problems) error {
	e, err := s.effect(c, v, p)
	if err != nil {
		return err
	}
	if e.n() == 0 && len(e.leftOut) == 0 {
		return s.FlashTo(c, p.back, "flash.bulk_none", 0)
	}
	page := follow.BulkPage{
		Page: s.Page(c, v, "bulk.act."+string(p.act)), Act: p.act, Back: p.back, Form: f, Items: p.selection.Items, All: p.all, Until: p.selection.Until.UnixMicro(),
		Action: views.WithQuery(views.AccountPath(v.Account, "utvalg", "lagre"), p.query), Key: frame.FormKey(p.values.Get("nokkel")),
		SMS: e.sms, Shipments: e.shipments, LeftOut: e.leftOut, More: e.more, AsksReason: e.asksReason, Oldest: e.oldest,
		Changed: p.shown >= 0 && e.n() != p.shown && len(ps) == 0,
	}
	page.Problems, page.Section, page.Narrow = ps, views.SectionItems, true
	if p.selection.FollowUps != nil {
		page.Section = views.SectionFollowUp
	}
	if p.act == dispatch.BulkAssign {
		if page.Workers, err = s.colleagues.workers(c, v); err != nil {
			return err
		}
	}
	fit, left, err := s.divided(c, v, p, e)
	if err != nil {
		return err
	}
	if p.selection.Items != nil {
		page.Left = left
	}
	if page.First, err = s.rows(c, v, fit); err != nil {
		return err
	}
	return frame.Show(c, frame.FormStatus(ps), follow.Bulk(&page))
}

// divided are the first of the chosen items, by whether the act applies to them.
func (s *Bulk) divided(c echo.Context, v frame.Visit, p picked, e effect) (fit, left []dispatch.ItemID, err error) {
	ids, err := lists.In(s.Store).Selections.Selected(frame.Context(c), v.Account.ID, p.selection, tickedMost)
	if err != nil {
		return nil, nil, err
	}
	found, err := lists.In(s.Store).Selections.Items(frame.Context(c), v.Account.ID, v.User.ID, ids)
	if err != nil {
		return nil, nil, err
	}
	for _, id := range ids {
		it, ok := found[id]
		it.Reach = e.reaches[it.CreatedBy]
		if ok && p.act.LeftOut(it) == "" {
			fit = append(fit, id)
		} else {
			left = append(left, id)
		}
	}
	return fit, left, nil
}

// rows are the rows of the first of some items.
func (s *Bulk) rows(c echo.Context, v frame.Visit, ids []dispatch.ItemID) ([]dispatch.ListRow, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	q := lists.ListQuery{Viewer: v.User.ID, Items: ids[:min(len(ids), follow.BulkListed)], Page: store.Page{Limit: follow.BulkListed}}
	rows, _, _, err := lists.In(s.Store).Items.List(frame.Context(c), v.Account.ID, q)
	return rows, err
}

// Do orders an act on the items that the page before it has shown. If it would apply to more of them by now, it is shown again. Items
// that take longer than a moment are done in the background.
func (s *Bulk) Do(c echo.Context, v frame.Visit) error {
	p, err := s.readPicked(c, v)
	if errors.Is(err, errNoAct) {
		return s.FlashTo(c, views.AccountPath(v.Account, "utsendinger"), "flash.bulk_none", 0)
	}
	if err != nil {
		return err
	}
	id, err := lists.In(s.Store).BulkOrders.OfForm(frame.Context(c), v.Account.ID, v.User.ID, frame.FormKey(p.values.Get("nokkel")))
	switch {
	case err != nil:
		return err
	case id != "": // posted before
		return s.afterBulk(c, v, p, id)
	}
	asked := p
	p = asked.confirmed()
	e, err := s.effect(c, v, p)
	if err != nil {
		return err
	}
	f := bulkForm(p.values)
	if e.n() == 0 || e.n() > p.shown {
		return s.showBulk(c, v, asked, f, nil)
	}
	terms, ps, err := s.terms(c, v, p.act, f, e)
	if err != nil {
		return err
	}
	if len(ps) > 0 {
		return s.showBulk(c, v, asked, f, ps)
	}
	terms.Shown = p.shown
	if p.act == dispatch.BulkExport {
		return s.exportPicked(c, v, p, e, f)
	}
	if p.act.ToDraft() {
		return s.draftTo(c, v, p, terms)
	}
	id, err = lists.In(s.Store).BulkOrders.Order(frame.Context(c), lists.BulkOrder{
		Account: v.Account.ID, By: frame.Sender(c, v), FormKey: frame.FormKey(p.values.Get("nokkel")), Act: p.act, Terms: terms, Selection: p.selection, Chosen: p.chosen,
	})
	if errors.Is(err, store.ErrChanged) {
		return s.FlashTo(c, p.back, "flash.bulk_many", 0)
	}
	if err != nil {
		return err
	}
	return s.afterBulk(c, v, p, id)
}

// afterBulk performs an ordered act for a moment, and shows the result: on the list if it is done, else on the act's own page.
func (s *Bulk) afterBulk(c echo.Context, v frame.Visit, p picked, id string) error {
	ctx, stop := context.WithTimeout(frame.Context(c), bulkPatience)
	_, err := s.worker.Perform(ctx, id)
	stop()
	if err != nil {
		return err
	}
	b, err := lists.In(s.Store).BulkOrders.ByID(frame.Context(c), v.Account.ID, v.User.ID, id)
	if err != nil {
		return err
	}
	if b.Done && b.Results[dispatch.BulkDid] == b.Total && b.Act != dispatch.BulkAgain { // after sending again, the receipt offers to stop it
		return s.FlashTo(c, p.back, "flash.bulk."+string(p.act), b.Total)
	}
	return frame.SeeOther(c, views.AccountPath(v.Account, "utvalg", id))
}

// terms reads the form's details of the act.
func (s *Bulk) terms(c echo.Context, v frame.Visit, act dispatch.BulkAct, f follow.BulkForm, e effect) (t lists.BulkTerms, ps dispatch.Problems, err error) {
	if e.asksReason {
		reason, p := act.ParseReason(f.Why)
		if p != nil {
			ps = append(ps, *p)
		}
		t.Reason, t.Creators = reason, e.creators
	}
	t.Paper = f.Paper
	switch act {
	case dispatch.BulkDecide:
		if t.Decision = dispatch.Decision(f.Decision); !t.Decision.Known() {
			ps = append(ps, dispatch.Problem{Field: "valg", Key: "problem.decision.empty"})
		}
	case dispatch.BulkAssign, dispatch.BulkDone:
		handling, problems := follow.FollowUpForm{Owner: f.Owner, Due: f.Due, Note: f.Note, Reason: f.Reason, Done: act == dispatch.BulkDone}.Parse(time.Time{}, s.Now())
		handling.KeepDue = act == dispatch.BulkDone || f.Due == ""
		t.Handling, ps = handling, append(ps, problems...)
		unknown, err := s.colleagues.unknownOwner(c, v, handling)
		return t, append(ps, unknown...), err
	}
	return t, ps, nil
}

func bulkForm(values url.Values) follow.BulkForm {
	f := followUpForm(values)
	return follow.BulkForm{Owner: f.Owner, Due: f.Due, Note: f.Note, Reason: f.Reason, Why: values.Get(dispatch.FieldReason), Decision: values.Get("valg"),
		Paper: values.Get(follow.FieldPaper) == "true", Format: values.Get(follow.FieldFormat)}
}

// exportPicked orders a file of the chosen items.
func (s *Bulk) exportPicked(c echo.Context, v frame.Visit, p picked, e effect, f follow.BulkForm) error {
	ids, err := lists.In(s.Store).Selections.Selected(frame.Context(c), v.Account.ID, p.selection, lists.ExportCounted)
	if err != nil {
		return err
	}
	o := lists.ExportOrder{Account: v.Account.ID, By: frame.Actor(c, v.User), Format: dispatch.ExportFormat(f.Format), Query: lists.ListQuery{Viewer: v.User.ID, Items: ids},
		Chosen: p.chosen, Expected: dispatch.GroupCount{N: len(ids), Above: e.n() > lists.ExportCounted}}
	if !o.Format.Valid() {
		o.Format = dispatch.FormatXLSX
	}
	id, err := lists.In(s.Store).Exports.Order(frame.Context(c), o)
	switch {
	case errors.Is(err, store.ErrChanged):
		return s.FlashTo(c, p.back, "flash.export_many", 0)
	case err != nil:
		return err
	}
	return frame.SeeOther(c, views.AccountPath(v.Account, "eksport", id))
}

// draftTo makes a draft of an SMS to the recipients of the chosen shipments, and redirects to it.
func (s *Bulk) draftTo(c echo.Context, v frame.Visit, p picked, t lists.BulkTerms) error {
	ids, err := lists.In(s.Store).Selections.Selected(frame.Context(c), v.Account.ID, p.selection, items.AboutMost)
	if err != nil {
		return err
	}
	found, err := lists.In(s.Store).Selections.Items(frame.Context(c), v.Account.ID, v.User.ID, ids)
	if err != nil {
		return err
	}
	about := items.About{Key: frame.FormKey(p.values.Get("nokkel")), Text: follow.TextAbout(frame.Context(c), p.act, v.Account), DeadlineColumn: follow.DeadlineColumn(frame.Context(c), p.act)}
	for _, id := range ids {
		it, ok := found[id]
		it.Reach = s.reachFor(v, t, it.CreatedBy)
		if ok && p.act.LeftOut(it) == "" {
			about.Items = append(about.Items, id)
		}
	}
	made, err := items.In(s.Store).Repeats.About(frame.Context(c), v.Account.ID, about, frame.Because(c, v.User, t.Reason))
	switch {
	case errors.Is(err, items.ErrEmpty):
		return s.FlashTo(c, p.back, "flash.bulk_nobody", 0)
	case errors.Is(err, store.ErrChanged):
		return s.FlashTo(c, frame.JobPath(v, made), "flash.job_already_sent", 0)
	case err != nil:
		return err
	}
	return frame.SeeOther(c, frame.JobPath(v, made, "endre"))
}

// reachFor is how much of a colleague's item the user may open, given these terms.
func (s *Bulk) reachFor(v frame.Visit, t lists.BulkTerms, creator dispatch.UserID) dispatch.Reach {
	switch {
	case creator == v.User.ID:
		return dispatch.ReachOpen
	case t.Opens(creator):
		return dispatch.ReachReason
	}
	return dispatch.ReachNone
}

// Show shows the result of an act.
func (s *Bulk) Show(c echo.Context, v frame.Visit) error {
	b, err := lists.In(s.Store).BulkOrders.ByID(frame.Context(c), v.Account.ID, v.User.ID, c.Param("utvalg"))
	if err != nil {
		return err
	}
	p := follow.BulkDonePage{Page: s.Page(c, v, "bulk.act."+string(b.Act)), Bulk: b}
	p.Section, p.Narrow = views.SectionItems, true
	if b.Act == dispatch.BulkAgain && b.Done {
		if err := s.madeAgain(c, v, &p); err != nil {
			return err
		}
	}
	if frame.Fragment(c) == "utvalg" {
		return frame.Show(c, http.StatusOK, follow.BulkLive(p))
	}
	return frame.Show(c, http.StatusOK, follow.BulkDone(p))
}

// madeAgain reads what an act of sending again has queued, and what of it can still be stopped.
func (s *Bulk) madeAgain(c echo.Context, v frame.Visit, p *follow.BulkDonePage) error {
	ids, err := lists.In(s.Store).BulkOrders.Made(frame.Context(c), v.Account.ID, v.User.ID, p.Bulk.ID, tickedMost)
	if err != nil {
		return err
	}
	found, err := lists.In(s.Store).Selections.Items(frame.Context(c), v.Account.ID, v.User.ID, ids)
	if err != nil {
		return err
	}
	groups := map[dispatch.JobGroup]int{}
	for _, id := range ids {
		it, ok := found[id]
		if !ok {
			continue
		}
		groups[dispatch.JobGroupOf(it.Kind, it.State, it.Status, it.UpstreamID != "")]++
		if it.MayCancel() {
			p.Waiting = append(p.Waiting, id)
		}
	}
	if len(ids) == p.Bulk.Results[dispatch.BulkDid] {
		p.Groups = groups
	}
	p.Made, err = s.rows(c, v, ids)
	return err
}
