package follow

import (
	"context"
	"strings"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// causeNames are the causes as they stand in addresses.
var causeNames = map[dispatch.Cause]string{
	dispatch.CauseUncertain: "uavklart", dispatch.CauseRejected: "stoppet", dispatch.CauseFailed: "ga-opp", dispatch.CauseNotDelivered: "ikke-levert",
	dispatch.CauseWaiting: "venter", dispatch.CauseSigningEnded: "signering-slutt", dispatch.CauseSigning: "signering",
	dispatch.CauseMissing: "ukjent", dispatch.CauseUnread: "ulest", dispatch.CauseSilent: "stille",
}

// CauseName is a cause as it stands in an address.
func CauseName(c dispatch.Cause) string { return causeNames[c] }

// CauseNamed is the cause that an address names; anything else is none.
func CauseNamed(name string) dispatch.Cause {
	for c, n := range causeNames {
		if n == name {
			return c
		}
	}
	return ""
}

// causeLooks are how causes are shown; words are in the catalogue.
var causeLooks = map[dispatch.Cause]views.Look{
	dispatch.CauseUncertain:    {Color: "warning", Icon: "QuestionmarkCircle"},
	dispatch.CauseRejected:     {Color: "danger", Icon: "XMarkOctagon"},
	dispatch.CauseFailed:       {Color: "danger", Icon: "XMarkOctagon"},
	dispatch.CauseNotDelivered: {Color: "danger", Icon: "ExclamationmarkTriangle"},
	dispatch.CauseWaiting:      {Color: "warning", Icon: "Clock"},
	dispatch.CauseSigningEnded: {Color: "danger", Icon: "PencilLine"},
	dispatch.CauseSigning:      {Color: "warning", Icon: "ClockDashed"},
	dispatch.CauseMissing:      {Color: "warning", Icon: "QuestionmarkCircle"},
	dispatch.CauseUnread:       {Color: "info", Icon: "Bell"},
	dispatch.CauseSilent:       {Color: "neutral", Icon: "ClockDashed"},
}

func causeLook(ctx context.Context, c dispatch.Cause) views.Look {
	l := causeLooks[c]
	l.Word = i18n.T(ctx, "cause."+string(c))
	return l
}

// Whose narrows a list of follow-ups to who takes care of them, as it stands in addresses.
type Whose string

// The choices.
const (
	WhoseAll  Whose = ""
	WhoseMine Whose = "meg"
	WhoseFree Whose = "ingen"
)

// key is the choice's name in the catalogue.
func (w Whose) key() string {
	if w == WhoseAll {
		return "follow.whose.all"
	}
	return "follow.whose." + string(w)
}

// Held is a channel of the account that sends nothing now, and why.
type Held struct {
	Kind  dispatch.Kind
	Block dispatch.Block
}

// FollowUpPage lists what wants a person.
type FollowUpPage struct {
	views.Page
	Counts       map[dispatch.Cause]int
	Most         int // what is counted at most
	Cause        dispatch.Cause
	Whose        Whose
	Items        []dispatch.FollowedItem
	Newer, Older string
	Live         string // where these rows are asked for again
	News         int    // how many are newer now, where none was when the page came
	Held         []Held
}

// address is where the list stands with a choice.
func (p FollowUpPage) address(c dispatch.Cause, w Whose) string {
	return p.PathTo("oppfolging") + FollowUpQuery(c, w)
}

// FollowUpQuery is the choice of a list of follow-ups as it stands in an address.
func FollowUpQuery(c dispatch.Cause, w Whose) string {
	var parts []string
	if c != "" {
		parts = append(parts, "grunn="+CauseName(c))
	}
	if w != WhoseAll {
		parts = append(parts, "hvem="+string(w))
	}
	if len(parts) == 0 {
		return ""
	}
	return "?" + strings.Join(parts, "&")
}

// all is how many there are of every cause, and whether there are more.
func (p FollowUpPage) all() (n int, more bool) {
	for _, c := range p.Counts {
		n += c
		more = more || c >= p.Most
	}
	return n, more
}

func (p FollowUpPage) count(c dispatch.Cause) string {
	n, more := p.Counts[c], p.Counts[c] >= p.Most
	if c == "" {
		n, more = p.all()
	}
	return views.Counted(n, more)
}

// empty says why nothing is listed.
func (p FollowUpPage) empty() string {
	if p.Cause != "" || p.Whose != WhoseAll {
		return "follow.none.here"
	}
	return "follow.none"
}

// followedName names an item in the list of follow-ups: the title of a shipment, what a list may show of an SMS.
func followedName(ctx context.Context, it dispatch.FollowedItem, viewer dispatch.UserID) string {
	if it.Kind == dispatch.KindShipment {
		return it.Title
	}
	it.SMS.Item = it.Item
	if text, own := views.LineOf(views.RowOf(it.SMS), viewer); own {
		return text
	}
	return i18n.T(ctx, "sms.list.others_text", "Number", views.InList(ctx, it.SMS.Recipient))
}

// followedTo is whom it is for.
func followedTo(ctx context.Context, it dispatch.FollowedItem) string {
	if it.Kind == dispatch.KindShipment {
		return it.Recipient
	}
	return views.InList(ctx, it.SMS.Recipient)
}

// causeText says in a sentence what is wrong and since when; of a rejection it is the reason.
func causeText(ctx context.Context, it dispatch.Item, f dispatch.FollowUp, now time.Time) string {
	switch f.Cause {
	case dispatch.CauseRejected:
		return i18n.T(ctx, views.Worded(it.Kind, it.Reason.Key))
	case dispatch.CauseNotDelivered:
		return views.StatusLook(ctx, it.Kind, it.Status).Word + ". " + views.WhyStatus(ctx, it)
	}
	return i18n.T(ctx, "cause."+string(f.Cause)+".why", "When", views.Near(ctx, f.Since, now))
}

// FollowUpAct is what is done with chosen follow-ups.
type FollowUpAct string

// The acts, as forms name them.
const (
	ActDone   FollowUpAct = "fulgt-opp"
	ActAssign FollowUpAct = "ansvarlig"
	ActDecide FollowUpAct = "avgjor"
	ActLook   FollowUpAct = "let-igjen"
)

// Known tells whether the act is one of ours.
func (a FollowUpAct) Known() bool {
	return a == ActDone || a == ActAssign || a == ActDecide || a == ActLook
}

// FollowUpForm is what is typed about follow-ups.
type FollowUpForm struct {
	Owner, Due, Note, Reason string
	Done                     bool
}

// Parse reads the form; what is not asked for stays as it is.
func (f FollowUpForm) Parse() (dispatch.Handling, dispatch.Problems) {
	h := dispatch.Handling{Owner: dispatch.Ownership(f.Owner), Note: f.Note, Done: f.Done, Reason: f.Reason}
	if h.Owner == "" {
		h.Owner = dispatch.OwnerKeep
	}
	due, problem := dispatch.ParseDue(f.Due)
	h.Due = due
	ps := h.Validate()
	if problem != nil {
		ps = append(dispatch.Problems{*problem}, ps...)
	}
	return h, ps
}

// FollowUpActPage shows what an act concerns before it is done.
type FollowUpActPage struct {
	views.Page
	Act   FollowUpAct
	Items []dispatch.FollowedItem
	Form  FollowUpForm
	Cause dispatch.Cause
	Whose Whose
	Most  bool // there are more than can be taken at once
}

// shown are those that the page names; the others are counted.
func (p FollowUpActPage) shown() []dispatch.FollowedItem { return p.Items[:min(len(p.Items), 10)] }

// kind is the kind of item whose words the page uses.
func (p FollowUpActPage) kind() dispatch.Kind {
	for _, it := range p.Items {
		if it.Kind == dispatch.KindSMS {
			return dispatch.KindSMS
		}
	}
	return dispatch.KindShipment
}

// title is the catalogue key of the heading.
func (a FollowUpAct) title() string { return "follow.act." + string(a) }

// FollowUpItemPage is where one item's follow-up is written about.
type FollowUpItemPage struct {
	views.Page
	Item     dispatch.Item
	FollowUp dispatch.FollowUp
	Form     FollowUpForm
}

// NewFollowUpForm is the form of a follow-up as it stands.
func NewFollowUpForm(f dispatch.FollowUp) FollowUpForm {
	form := FollowUpForm{Owner: string(dispatch.OwnerKeep), Note: f.Note}
	if !f.Due.IsZero() {
		form.Due = views.TableDate(f.Due)
	}
	return form
}

// followed is what an item's page says about its follow-up.
type followed struct {
	Item     dispatch.Item
	FollowUp dispatch.FollowUp
}

// relativeKey says what another item has to do with this one.
func relativeKey(r dispatch.Relative) string {
	side := "after"
	if r.Before {
		side = "before"
	}
	return "relative." + string(r.Origin) + "." + side
}
