package follow

import (
	"context"
	"slices"
	"strconv"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
	"utsending/internal/views/compose"
)

// ListPage is one page of an account's items.
type ListPage struct {
	views.Page
	List         ListAddress
	Form         ListForm // the filter as typed
	Items        []dispatch.ListRow
	Counts       dispatch.GroupCounts // nil: not known for these filters
	Newer, Older string               // addresses; empty: there are none
	Live         string               // address from which the rows refresh themselves; empty: they do not
	First        bool                 // no newer rows existed when the page was loaded
	News         int                  // number of newer rows since then
	Choices      ListChoices
	Saved        []SavedFilter
	Template     string         // name of the template in the filter
	Searched     *ListSearch    // nil: no search
	SearchText   string         // as typed, if it was refused
	AsksReason   bool           // the search may go on with a reason
	Reason       string         // as typed
	DraftsToMany []dispatch.Job // the viewer's own drafts of SMS to many, which are no items; where drafts are listed
	Begun        int            // the viewer's unfinished SMS, which are no items; where drafts are listed
	Key          string         // form key of the button for a new shipment
	Held         []Held         // of the kinds listed
}

// ListSearch is the search of a list, masked for the page.
type ListSearch struct {
	ID     string
	Shown  string
	Person bool
}

// ListChoices are the values that the account's list can be filtered by.
type ListChoices struct {
	Senders      []Sender
	BillingCodes []string
	Types        []string
	Statuses     map[dispatch.Kind][]dispatch.Status // that items have
}

// Sender is a user who has sent something.
type Sender struct {
	ID   dispatch.UserID
	Name string
}

// SavedFilter is a filter with a name.
type SavedFilter struct {
	ID, Name, Query string
}

// ListForm is the part of a filter that people type, as typed.
type ListForm struct {
	From, To string
	Name     string // of a filter to save
}

// of is the address of the list of another kind; a search stays.
func (p *ListPage) of(k dispatch.Kind) string {
	a := p.List
	a.Filter.Kind = k
	if p.Searched != nil {
		return a.String()
	}
	a.Fixed = k != ""
	switch a.Base = p.PathTo("utsendinger"); k {
	case dispatch.KindSMS:
		a.Base = p.PathTo("sms")
		a.Filter.BillingCode, a.Filter.Type, a.Filter.Signing = "", "", ""
		a.Filter.Route, a.Filter.Read, a.Filter.Signed = "", 0, 0
	case dispatch.KindShipment:
		a.Base = p.PathTo("forsendelser")
		a.Filter.Job, a.Filter.JobGroup, a.Filter.Template = "", "", ""
	}
	return a.String()
}

// person is the id of the search for a person, whose number is not in the form again; empty: none.
func (p *ListPage) person() string {
	if p.Searched != nil && p.Searched.Person {
		return p.Searched.ID
	}
	return ""
}

// daysWrong tells whether the folded filters have a problem.
func (p *ListPage) daysWrong() bool {
	return slices.ContainsFunc(p.Problems, func(o dispatch.Problem) bool { return o.Field == views.FieldFrom || o.Field == views.FieldTo })
}

// chip is one filter in use, with the address of the list without it.
type chip struct{ Text, Without string }

// chips are the filters in use.
func (p *ListPage) chips(ctx context.Context) (chips []chip) {
	a, f := p.List, p.List.Filter
	if f.Plain() {
		return nil // the common case
	}
	add := func(set bool, text string, without func(*dispatch.ListFilter)) {
		if set {
			chips = append(chips, chip{text, a.with(without)})
		}
	}
	say := func(key, value string) string { return i18n.T(ctx, "list.chip."+key, "Value", value) }
	add(f.Status != "", say("status", statusWord(ctx, f.Kind, f.Status)), func(f *dispatch.ListFilter) { f.Status = "" })
	add(!f.From.IsZero(), say("from", views.TableDate(ctx, f.From)), func(f *dispatch.ListFilter) { f.From = time.Time{} })
	add(!f.To.IsZero(), say("to", views.TableDate(ctx, lastDay(f.To))), func(f *dispatch.ListFilter) { f.To = time.Time{} })
	add(f.Sender != "", say("sender", p.senderName(f.Sender)), func(f *dispatch.ListFilter) { f.Sender = "" })
	add(f.BillingCode != "", say("billing", f.BillingCode), func(f *dispatch.ListFilter) { f.BillingCode = "" })
	add(f.Type != "", say("type", f.Type), func(f *dispatch.ListFilter) { f.Type = "" })
	add(f.Signing != "", say("signing", views.SigningLook(ctx, f.Signing).Word), func(f *dispatch.ListFilter) { f.Signing = "" })
	add(f.Outcome != "", i18n.T(ctx, "list.chip.outcome."+f.Outcome), func(f *dispatch.ListFilter) { f.Outcome = "" })
	add(f.Route != "", say("route", i18n.T(ctx, "lead.route."+string(f.Route))), func(f *dispatch.ListFilter) { f.Route = "" })
	add(f.Template != "", say("template", p.Template), func(f *dispatch.ListFilter) { f.Template = "" })
	add(f.Read != 0, say("read", bandWord(ctx, int(f.Read)-1)), func(f *dispatch.ListFilter) { f.Read = 0 })
	add(f.Signed != 0, say("signed", bandWord(ctx, int(f.Signed)-1)), func(f *dispatch.ListFilter) { f.Signed = 0 })
	add(f.Held, i18n.T(ctx, "list.chip.held"), func(f *dispatch.ListFilter) { f.Held = false })
	add(f.Unarchived, i18n.T(ctx, "list.chip.unarchived"), func(f *dispatch.ListFilter) { f.Unarchived = false })
	add(f.Watch != "", i18n.T(ctx, "list.chip.watch."+string(f.Watch)), func(f *dispatch.ListFilter) { f.Watch, f.WatchAt = "", time.Time{} })
	return chips
}

// statusWord is the name of the status in the filter, of a list of one kind or both.
func statusWord(ctx context.Context, kind dispatch.Kind, s dispatch.Status) string {
	if kind == "" { // of both, and a status of either means the same
		kind = dispatch.KindSMS
		if s.Of(kind).Meaning == dispatch.MeaningNew {
			kind = dispatch.KindShipment
		}
	}
	return views.StatusLook(ctx, kind, s).Word
}

// senderName is the name of the sender in the filter; empty if they have sent nothing here.
func (p *ListPage) senderName(id dispatch.UserID) string {
	for _, s := range p.Choices.Senders {
		if s.ID == id {
			return s.Name
		}
	}
	return "–"
}

// searchValue is the text of the search field: a refused search, or the words searched for. A masked number is left out.
func (p *ListPage) searchValue() string {
	if p.SearchText == "" && p.Searched != nil && !p.Searched.Person {
		return p.Searched.Shown
	}
	return p.SearchText
}

// moreSet tells whether one of the less used filters is set.
func (p *ListPage) moreSet() bool {
	f := p.List.Filter
	return f.Sender != "" || f.Signing != "" || f.BillingCode != "" || f.Type != "" || f.Held
}

// narrowed tells whether a filter besides the kind, or a search, is in use.
func (p *ListPage) narrowed() bool {
	return p.Searched != nil || p.filtered()
}

func (p *ListPage) filtered() bool {
	return p.List.Filter != dispatch.ListFilter{Kind: p.List.Filter.Kind}
}

// both tells whether the account's lists can hold both kinds.
func (p *ListPage) both() bool { return p.Account.HasShipments() }

// kind is the only kind that the list can hold; empty: it can hold both.
func (p *ListPage) kind() dispatch.Kind {
	if p.both() {
		return p.List.Filter.Kind
	}
	return dispatch.KindSMS
}

// groupText is a group's name with its count, if known.
func (p *ListPage) groupText(ctx context.Context, g dispatch.Group) string {
	word := i18n.T(ctx, views.GroupKey(g, p.kind()))
	count, known := p.Counts[g]
	switch {
	case !known:
		return word
	case count.Above:
		return i18n.T(ctx, "list.counted.above", "Group", word, "Count", count.N)
	}
	return i18n.T(ctx, "list.counted", "Group", word, "Count", count.N)
}

// draftsShown is how many drafts of SMS to many stand above the list: the page of drafts has all.
const draftsShown = 10

// draftsToMany are links to the viewer's drafts of SMS to many, the newest first.
func (p *ListPage) draftsToMany(ctx context.Context) []compose.DraftLink {
	links := compose.OwnDrafts{Jobs: p.DraftsToMany}.Links(ctx, p.Page)
	return links[:min(len(links), draftsShown)]
}

// shown tells which rows are shown.
func (p *ListPage) shown(ctx context.Context) string {
	shown := p.shownRows(ctx)
	if n := len(p.DraftsToMany); n > 0 { // the count of the group has them, the rows do not
		return i18n.T(ctx, "list.planned.besides", "Shown", shown, "N", n)
	}
	return shown
}

func (p *ListPage) shownRows(ctx context.Context) string {
	n := len(p.Items)
	if p.List.Order.By != dispatch.SortTime {
		return i18n.T(ctx, "list.shown.sorted", "N", n)
	}
	key := map[dispatch.Kind]string{"": "list.shown", dispatch.KindSMS: "sms.list.shown", dispatch.KindShipment: "shipments.shown"}[p.List.Filter.Kind]
	return i18n.T(ctx, key, "N", n, "Newest", views.Span(ctx, p.Items[0].CreatedAt), "Oldest", views.Span(ctx, p.Items[n-1].CreatedAt))
}

// liveAfter is the interval in seconds at which the rows refresh themselves; empty: never. The newest page always
// does, since new rows may come at any time.
func (p *ListPage) liveAfter() string {
	after := 0
	if p.First {
		after = 60
	}
	for i := range p.Items {
		if n := rowAgain(&p.Items[i].Item, p.Now); n > 0 && (after == 0 || n < after) {
			after = n
		}
	}
	if after == 0 {
		return ""
	}
	return strconv.Itoa(after)
}

// rowAgain is when news of a listed item is expected, in seconds; 0: never. A list knows less about it than its page.
func rowAgain(it *dispatch.Item, now time.Time) int {
	switch age := now.Sub(it.CreatedAt); it.Group(now) {
	case dispatch.GroupWorking, dispatch.GroupOnItsWay:
		switch {
		case age < 2*time.Minute:
			return 3
		case age < 15*time.Minute:
			return 10
		}
		return 60
	case dispatch.GroupUncertain:
		return 30
	case dispatch.GroupPlanned:
		if it.State == dispatch.StateQueued && it.DueSince.Sub(now) < time.Minute {
			return 10
		}
	}
	return 0
}

// caption is the table's caption.
func (p *ListPage) caption(ctx context.Context) string {
	return i18n.T(ctx, "list.caption", "Account", p.Account.Name, "Order", i18n.T(ctx, orderKey(p.List.Order)))
}

// emptyKey explains why nothing is shown.
func (p *ListPage) emptyKey() string {
	switch {
	case len(p.Problems) > 0:
		return "list.none.problem"
	case p.List.Filter.Job != "":
		return "job.filter.none"
	case p.Searched != nil && p.Searched.Person:
		return "list.none.person"
	case p.Searched != nil && p.filtered():
		return "list.none.narrowed"
	case p.Searched != nil:
		return "list.none"
	case p.narrowed():
		return "list.none.filter"
	case p.List.Filter.Kind == dispatch.KindShipment:
		return "shipments.empty"
	}
	return "sms.list.empty"
}

// filterCount is how many fields of the folded section are set.
func (p *ListPage) filterCount(ctx context.Context) int { return len(p.chips(ctx)) }

// statusGroup is a part of the choice of a status: those of one kind, or those that both have.
type statusGroup struct {
	Label    string        // catalogue key
	Kind     dispatch.Kind // empty: both
	Statuses []dispatch.Status
}

// statusGroups are the statuses offered in the filter. A status that both kinds have is one choice, since it finds both. A chosen one that
// is not offered comes last.
func (p *ListPage) statusGroups() (groups []statusGroup) {
	kinds, chosen := p.filterKinds(), p.List.Filter.Status
	both := statusGroup{Label: "list.kind.both"}
	if len(kinds) == 2 {
		sms := p.filterStatuses(dispatch.KindSMS)
		both.Statuses = slices.DeleteFunc(p.filterStatuses(dispatch.KindShipment), func(s dispatch.Status) bool { return !slices.Contains(sms, s) })
		groups = append(groups, both)
	}
	offered := chosen == "" || slices.Contains(both.Statuses, chosen)
	for _, k := range kinds {
		of := slices.DeleteFunc(p.filterStatuses(k), func(s dispatch.Status) bool { return slices.Contains(both.Statuses, s) })
		offered = offered || slices.Contains(of, chosen)
		groups = append(groups, statusGroup{"list.kind." + string(k), k, of})
	}
	if last := &groups[len(groups)-1]; !offered {
		last.Statuses = append(last.Statuses, chosen)
	}
	return groups
}

// filterStatuses are a kind's statuses in the filter: none from the service yet, those of the account's generation, and those that its
// items have from another.
func (p *ListPage) filterStatuses(k dispatch.Kind) []dispatch.Status {
	used := p.Choices.Statuses[k]
	offered := []dispatch.Status{dispatch.StatusHandedOver}
	for _, r := range dispatch.StatusRows(k) {
		if r.In(p.Account.Generation()) || slices.Contains(used, r.Status) {
			offered = append(offered, r.Status)
		}
	}
	for _, s := range used {
		if s != "" && !slices.Contains(offered, s) {
			offered = append(offered, s)
		}
	}
	return offered
}

// filterKinds are the kinds whose statuses are offered.
func (p *ListPage) filterKinds() []dispatch.Kind {
	if k := p.List.Filter.Kind; k != "" {
		return []dispatch.Kind{k}
	}
	if !p.both() {
		return []dispatch.Kind{dispatch.KindSMS}
	}
	return []dispatch.Kind{dispatch.KindShipment, dispatch.KindSMS}
}

// offersShipments tells whether filters of shipments make sense.
func (p *ListPage) offersShipments() bool { return p.both() && p.List.Filter.Kind != dispatch.KindSMS }

// jobSentence says that the list is restricted to a job, or one of its groups.
func (p *ListPage) jobSentence(ctx context.Context) string {
	all, group := "job.filter", "job.filter.group"
	if p.List.Filter.Kind == dispatch.KindShipment {
		all, group = "shipments.filter", "shipments.filter.group"
	}
	if g := p.List.Filter.JobGroup; g != "" {
		return i18n.T(ctx, group, "Group", compose.GroupLook(ctx, g, p.kind()).Word)
	}
	return i18n.T(ctx, all)
}

// searchHint tells what can be searched for: whole numbers only by users who may follow up.
func (p *ListPage) searchHint() string {
	if p.May(dispatch.RightFollowUp) {
		return "list.search.hint"
	}
	return "list.search.hint.things"
}

// shared is the structured part of the list's address, with the kind: it can be shared and saved.
func (p *ListPage) shared() string {
	a := p.List
	a.Fixed = false
	return a.Query()
}
