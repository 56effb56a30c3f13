package follow

import (
	"context"
	"slices"
	"strings"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// causeNames are the causes in addresses.
var causeNames = map[dispatch.Cause]string{
	dispatch.CauseUncertain: "uavklart", dispatch.CauseRejected: "stoppet", dispatch.CauseFailed: "ga-opp", dispatch.CauseNotDelivered: "ikke-levert",
	dispatch.CauseWaiting: "venter", dispatch.CauseSigningEnded: "signering-slutt", dispatch.CauseSigning: "signering",
	dispatch.CauseMissing: "ukjent", dispatch.CauseUnread: "ulest", dispatch.CauseSilent: "stille",
}

// CauseName is a cause in an address.
func CauseName(c dispatch.Cause) string { return causeNames[c] }

// CauseNamed parses a cause in an address; anything else is none.
func CauseNamed(name string) dispatch.Cause {
	for c, n := range causeNames {
		if n == name {
			return c
		}
	}
	return ""
}

// causeLooks are the appearances of causes; the words are in the catalogue.
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

// Whose filters follow-ups by owner, as named in addresses.
type Whose string

// The choices.
const (
	WhoseAll  Whose = ""
	WhoseMine Whose = "meg"
	WhoseFree Whose = "ingen"
	WhoseSent Whose = "sendt" // what one has sent oneself
	WhoseAway Whose = "borte" // of those whom one stands in for
)

// key is the part of the choice's catalogue key.
func (w Whose) key() string {
	if w == WhoseAll {
		return "follow.whose.all"
	}
	return "follow.whose." + string(w)
}

// Held is a blocked channel of the account.
type Held struct {
	Kind  dispatch.Kind
	Block dispatch.Block
}

// FollowUpPage lists the open follow-ups.
type FollowUpPage struct {
	views.Page
	Counts map[dispatch.Cause]int
	Most   int // limit of the counts
	Worklist
	Searched     *ListSearch // nil: no search
	Items        []dispatch.FollowedItem
	Ends         map[dispatch.ItemID]dispatch.ContentEnd
	Newer, Older string
	Live         string // address from which the rows refresh themselves
	News         int    // number of newer rows since the page was loaded
	Held         []Held
	Away         []dispatch.Absence // absent colleagues whose deputy the user is
	AwaySelf     time.Time          // last day of the user's own absence; zero: none
}

// Worklist is what is chosen of the open follow-ups, and their order.
type Worklist struct {
	Cause  dispatch.Cause
	Whose  Whose
	Newest bool   // newest first; work is done oldest first
	Search string // id of a search; empty: none
}

// Query is the choice in an address.
func (l Worklist) Query() string {
	var parts []string
	if l.Cause != "" {
		parts = append(parts, "grunn="+CauseName(l.Cause))
	}
	if l.Whose != WhoseAll {
		parts = append(parts, "hvem="+string(l.Whose))
	}
	if l.Newest {
		parts = append(parts, views.FieldOrder+"="+worklistNewest)
	}
	if l.Search != "" {
		parts = append(parts, views.FieldSearchID+"="+l.Search)
	}
	return strings.Join(parts, "&")
}

// worklistNewest is the order in an address.
const worklistNewest = "nyeste"

// WorklistNewest parses the order in an address.
func WorklistNewest(name string) bool { return name == worklistNewest }

// address is the address of the list with other filters.
func (p FollowUpPage) address(c dispatch.Cause, w Whose) string {
	return p.at(func(l *Worklist) { l.Cause, l.Whose = c, w })
}

// at is the address of the list with another choice.
func (p FollowUpPage) at(change func(*Worklist)) string {
	l := p.Worklist
	change(&l)
	return views.WithQuery(p.PathTo("oppfolging"), l.Query())
}

// turned is the address of the list in the opposite order.
func (p FollowUpPage) turned() string { return p.at(func(l *Worklist) { l.Newest = !l.Newest }) }

// unsearched is the address of the list without the search.
func (p FollowUpPage) unsearched() string { return p.at(func(l *Worklist) { l.Search = "" }) }

// searchWords are the words that were searched for; a number is masked, and not repeated.
func (p FollowUpPage) searchWords() string {
	if p.Searched == nil || p.Searched.Person {
		return ""
	}
	return p.Searched.Shown
}

// turns are the links to the pages before and after.
func (p FollowUpPage) turns() turns {
	if p.Newest {
		return turns{p.Newer, p.Older, [2]string{"sms.list.newer", "sms.list.older"}}
	}
	return turns{p.Older, p.Newer, [2]string{"sms.list.older", "sms.list.newer"}}
}

// onPaper is what the list shows, for its print.
func (p FollowUpPage) onPaper(ctx context.Context) string {
	words, order := []string{i18n.T(ctx, "print.all")}, i18n.T(ctx, orderKey(dispatch.ListOrder{Reversed: !p.Newest}))
	if p.Cause != "" {
		words = []string{causeLook(ctx, p.Cause).Word}
	}
	if p.Whose != WhoseAll {
		words = append(words, i18n.T(ctx, p.Whose.key()))
	}
	if p.Searched != nil {
		words = append(words, i18n.T(ctx, "print.search", "Words", p.Searched.Shown))
	}
	return strings.Join(append(words, order), ", ")
}

// shownKey is the catalogue key of how many rows are shown.
func (p FollowUpPage) shownKey() string {
	if p.Newest {
		return "follow.shown"
	}
	return "follow.shown.oldest"
}

// FollowUpQuery is the query of the list's filters, with its question mark.
func FollowUpQuery(c dispatch.Cause, w Whose) string {
	return views.WithQuery("", Worklist{Cause: c, Whose: w}.Query())
}

// all is the total number, and whether there are more.
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

// empty explains why nothing is listed.
func (p FollowUpPage) empty() string {
	switch {
	case p.Search != "":
		return "follow.none.search"
	case p.Cause != "" || p.Whose != WhoseAll:
		return "follow.none.here"
	}
	return "follow.none"
}

// followedName is an item's name in the list of follow-ups: the title of a shipment, what a list may show of an SMS.
func followedName(ctx context.Context, it dispatch.FollowedItem, viewer dispatch.UserID) string {
	switch {
	case it.Hidden:
		return i18n.T(ctx, "protected.unnamed")
	case it.Kind == dispatch.KindShipment:
		return views.Titled(ctx, it.Title)
	}
	if text, own := ownLine(it, viewer); own {
		return views.OrText(text, i18n.T(ctx, "list.purged"))
	}
	return i18n.T(ctx, "sms.list.others_text", "Number", views.InList(ctx, it.SMS.Recipient))
}

// ownLine is the beginning of the viewer's own SMS.
func ownLine(it dispatch.FollowedItem, viewer dispatch.UserID) (text string, own bool) {
	it.SMS.Item = it.Item
	return views.LineOf(views.RowOf(it.SMS), viewer)
}

// followedTo is the recipient, unless the name says it; of a hidden one nothing is known.
func followedTo(ctx context.Context, it dispatch.FollowedItem, viewer dispatch.UserID) string {
	to := it.Recipient
	if it.Kind == dispatch.KindSMS {
		to = ""
		if _, own := ownLine(it, viewer); own {
			to = views.InList(ctx, it.SMS.Recipient)
		}
	}
	if to == "" || it.Hidden {
		return ""
	}
	return i18n.T(ctx, "shipments.to", "Name", to)
}

// causeText describes the problem and since when; for a rejection, its reason.
func causeText(ctx context.Context, it dispatch.Item, f dispatch.FollowUp, now time.Time) string {
	switch f.Cause {
	case dispatch.CauseRejected:
		return views.Told(ctx, views.Worded(it.Kind, it.Reason.Key))
	case dispatch.CauseNotDelivered:
		return views.StatusLook(ctx, it.Kind, it.Status).Word + ". " + views.WhyStatus(ctx, it)
	}
	return i18n.T(ctx, "cause."+string(f.Cause)+".why", "When", views.Near(ctx, f.Since, now))
}

// causeBrief is causeText in a row, which has the time in a column of its own.
func causeBrief(ctx context.Context, it dispatch.FollowedItem) string {
	switch {
	case saidAbove(it.FollowUp.Cause):
		return causeText(ctx, it.Item, it.FollowUp, time.Time{})
	case it.FollowUp.Cause == dispatch.CauseSigningEnded && it.Signing.Row().Failed():
		return i18n.T(ctx, "signing."+string(it.Signing)+".means")
	}
	return views.Told(ctx, "cause."+string(it.FollowUp.Cause)+".brief")
}

// advice is Page.Advice for a row: nobody is told to send again what is deleted.
func (p FollowUpPage) advice(ctx context.Context, it dispatch.FollowedItem) context.Context {
	of := it.Item
	of.AccountID = p.Account.ID
	return p.AdviceAt(ctx, of, p.User.Reach(of), p.Ends[it.ID].Gone)
}

// saidAbove tells whether the sentence under the item's tag says the cause.
func saidAbove(c dispatch.Cause) bool {
	return c == dispatch.CauseRejected || c == dispatch.CauseNotDelivered
}

// FollowUpForm is the form of follow-ups, as typed.
type FollowUpForm struct {
	Owner, Due, Note, Reason string
	Done                     bool
}

// Parse parses the form; fields that the form lacks leave their values unchanged. The due day must be the one that it was, or not be
// over; kept is what it was.
func (f FollowUpForm) Parse(kept, now time.Time) (dispatch.Handling, dispatch.Problems) {
	h := dispatch.Handling{Owner: dispatch.Ownership(f.Owner), Note: f.Note, Done: f.Done, Reason: f.Reason}
	switch {
	case h.Owner == "":
		h.Owner = dispatch.OwnerKeep
	case dispatch.IsUUID(f.Owner):
		h.Owner, h.To = dispatch.OwnerOther, dispatch.UserID(f.Owner)
	}
	due, problem := dispatch.ParseDue(f.Due)
	h.Due = due
	if problem == nil && !due.IsZero() && !due.Equal(kept) && dispatch.DaysAfter(due, now) > 0 {
		problem = &dispatch.Problem{Field: dispatch.FieldFollowDue, Key: "problem.follow_up.past"}
	}
	ps := h.Validate()
	if problem != nil {
		ps = append(dispatch.Problems{*problem}, ps...)
	}
	return h, ps
}

// FollowUpItemPage is the form of one item's follow-up.
type FollowUpItemPage struct {
	views.Page
	Item     dispatch.Item
	Row      *dispatch.ListRow // names the item; nil: it is gone
	FollowUp dispatch.FollowUp
	Workers  []Person // possible owners
	Form     FollowUpForm
}

// ownerChoice is a possible owner of follow-ups.
type ownerChoice struct{ Value, Text string }

// owners are the possible owners: first whoever has it now.
func (p FollowUpItemPage) owners(ctx context.Context) (list []ownerChoice) {
	now := p.FollowUp.Owner
	if now != "" {
		list = append(list, ownerChoice{string(dispatch.OwnerKeep), i18n.T(ctx, "follow.owner.now", "Name", p.FollowUp.Name)})
	}
	if now != p.User.ID {
		list = append(list, ownerChoice{string(dispatch.OwnerMe), i18n.T(ctx, "follow.owner.me")})
	}
	if by := p.Item.CreatedBy; by != now && by != p.User.ID {
		list = append(list, ownerChoice{string(dispatch.OwnerSender), i18n.T(ctx, "follow.owner.sender.named", "Name", p.Item.Creator)})
	}
	return append(append(list, ownerChoice{string(dispatch.OwnerNobody), i18n.T(ctx, "follow.owner.nobody")}), colleagues(p.Workers, p.User.ID, now, p.Item.CreatedBy)...)
}

// colleagues are those who work on an account, without some.
func colleagues(workers []Person, without ...dispatch.UserID) (list []ownerChoice) {
	for _, w := range workers {
		if !slices.Contains(without, w.ID) {
			list = append(list, ownerChoice{string(w.ID), w.Name})
		}
	}
	return list
}

// NewFollowUpForm is the form of a follow-up as it is now. Whoever opens that of one that nobody has is about to take it.
func NewFollowUpForm(f dispatch.FollowUp) FollowUpForm {
	form := FollowUpForm{Owner: string(dispatch.OwnerKeep), Note: f.Note}
	if f.Name == "" {
		form.Owner = string(dispatch.OwnerMe)
	}
	if !f.Due.IsZero() {
		form.Due = views.TypedDate(f.Due)
	}
	return form
}

// followed is the follow-up on an item's page.
type followed struct {
	Item     dispatch.Item
	FollowUp dispatch.FollowUp
}

// relativeLook is what became of a relative: of a shipment that nobody signed, how its signing ended.
func relativeLook(ctx context.Context, r dispatch.Relative, now time.Time) views.Look {
	if r.Signing.Row().Failed() {
		return views.SigningLook(ctx, r.Signing)
	}
	return views.LookOf(ctx, r.Item, now)
}

// relativeKey is the catalogue key of a relation.
func relativeKey(r dispatch.Relative) string {
	side := "after"
	if r.Before {
		side = "before"
	}
	return "relative." + string(r.Origin) + "." + side
}
