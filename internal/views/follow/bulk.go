package follow

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// Fields of forms about chosen items.
const (
	FieldItem     = "utsending"    // a ticked item
	FieldLeft     = "utenom"       // a ticked item that the act does not apply to
	FieldShown    = "gjelder"      // to how many it applies
	FieldExtent   = "omfang"       // whether the whole list is chosen
	ExtentAll     = "alle"         // the whole list
	FieldPaper    = "papir"        // a copy may be printed
	FieldWorklist = "arbeidsliste" // in an address: the list is the worklist
)

// WorklistQuery is the query of a form about items of the worklist.
func WorklistQuery(l Worklist) string {
	return strings.TrimSuffix(FieldWorklist+"=ja&"+l.Query(), "&")
}

// picking is the bar that offers acts on the ticked items of a list.
type picking struct {
	Acts []dispatch.BulkAct // the first of them as buttons, the others folded
}

// pickedButtons is how many acts are shown as buttons.
const pickedButtons = 4

func (p picking) buttons() []dispatch.BulkAct { return p.Acts[:min(len(p.Acts), pickedButtons)] }
func (p picking) folded() []dispatch.BulkAct  { return p.Acts[min(len(p.Acts), pickedButtons):] }

// offered are the acts that a user may perform, in this order.
func offered(p *views.Page, acts ...dispatch.BulkAct) (may []dispatch.BulkAct) {
	for _, a := range acts {
		if p.May(a.Right()) {
			may = append(may, a)
		}
	}
	return may
}

// picks are the acts on a list's ticked items.
func (p *ListPage) picks() picking {
	acts := []dispatch.BulkAct{dispatch.BulkAgain, dispatch.BulkStop, dispatch.BulkAssign, dispatch.BulkExport, dispatch.BulkDone}
	if p.offersShipments() && p.Account.HasSMS() {
		acts = append(acts, dispatch.BulkSMS, dispatch.BulkRemind)
	}
	return picking{offered(&p.Page, acts...)}
}

// canPick tells whether rows have check boxes.
func (p *ListPage) canPick() bool { return p.May(dispatch.RightFollowUp) }

// pickAddress is the address that the form of ticked rows is posted to.
func (p *ListPage) pickAddress() string {
	a := p.List
	a.Base, a.Fixed = p.PathTo("utvalg"), false
	query := a.Query()
	if p.Searched != nil {
		query = searchQuery(p.Searched.ID, query)
	}
	return views.WithQuery(a.Base, query)
}

// searchQuery adds a search to a query.
func searchQuery(id, query string) string {
	of := views.FieldSearchID + "=" + id
	if query == "" {
		return of
	}
	return of + "&" + query
}

// picks are the acts on ticked items of the worklist.
func (p FollowUpPage) picks() picking {
	acts := []dispatch.BulkAct{dispatch.BulkAgain, dispatch.BulkAssign, dispatch.BulkDone, dispatch.BulkExport, dispatch.BulkStop}
	if p.Cause == dispatch.CauseUncertain {
		acts = append([]dispatch.BulkAct{dispatch.BulkDecide, dispatch.BulkLook}, slices.DeleteFunc(acts, func(a dispatch.BulkAct) bool { return a == dispatch.BulkAgain })...)
	}
	if p.Account.HasShipments() && p.Account.HasSMS() {
		acts = append(acts, dispatch.BulkSMS, dispatch.BulkRemind)
	}
	return picking{offered(&p.Page, acts...)}
}

// pickAddress is the address that the form of ticked rows is posted to.
func (p FollowUpPage) pickAddress() string {
	return views.WithQuery(p.PathTo("utvalg"), WorklistQuery(p.Worklist))
}

// BulkForm is the form of an act on chosen items, as typed.
type BulkForm struct {
	Owner, Due, Note, Reason string // of follow-ups
	Why                      string // for opening colleagues' content
	Decision                 string
	Paper                    bool
	Format                   string // of a file
}

// BulkPage shows the effect of an act on the chosen items.
type BulkPage struct {
	views.Page
	Act            dispatch.BulkAct
	Action         string // address of the form
	Back           string // the list
	Key            string // idempotency key
	Until          int64  // when the effect was counted, in microseconds: items added later are left out
	All            bool   // the whole list was chosen
	Items          []dispatch.ItemID
	Left           []dispatch.ItemID // those of them that are left out
	SMS, Shipments int               // items to which the act applies
	Oldest         time.Time         // when the first of those was created
	Changed        bool              // it was confirmed, but applies to other items by now
	LeftOut        map[dispatch.BulkResult]int
	More           bool               // more are chosen than one act can take
	First          []dispatch.ListRow // examples
	AsksReason     bool               // colleagues' content is opened
	Workers        []Person           // possible owners of follow-ups
	Form           BulkForm
}

// owners are the possible owners of follow-ups: the user, each item's sender, a colleague or nobody.
func (p *BulkPage) owners(ctx context.Context) (list []ownerChoice) {
	for _, o := range []dispatch.Ownership{dispatch.OwnerMe, dispatch.OwnerSender, dispatch.OwnerNobody, dispatch.OwnerKeep} {
		list = append(list, ownerChoice{string(o), i18n.T(ctx, "follow.owner."+string(o))})
	}
	return append(list, colleagues(p.Workers, p.User.ID)...)
}

// BulkListed is how many of the items are listed at most, and bulkUnfolded how many of them are seen at once.
const (
	BulkListed   = 100
	bulkUnfolded = 10
)

// n is the number of items to which the act applies.
func (p *BulkPage) n() int { return p.SMS + p.Shipments }

// effect describes the act: "Stopp 3 SMS og 2 forsendelser".
func (p *BulkPage) effect(ctx context.Context) string {
	if p.n() == 0 {
		return i18n.T(ctx, "bulk.none")
	}
	return i18n.T(ctx, "bulk.effect."+string(p.Act), "N", p.n(), "What", amounts(ctx, p.SMS, p.Shipments))
}

// oldAge is from how many days on a letter's content may no longer hold.
const oldAge = 7

// age is how many days ago the oldest was created, if that matters for the act; 0: today, or it does not.
func (p *BulkPage) age() int {
	if p.Oldest.IsZero() || p.Act != dispatch.BulkAgain && p.Act != dispatch.BulkSMS {
		return 0
	}
	return dispatch.DaysAfter(p.Oldest, p.Now)
}

// oldest tells how old the oldest is, or the only one.
func (p *BulkPage) oldest(ctx context.Context, days int) string {
	if p.n() == 1 {
		return i18n.T(ctx, "bulk.oldest.only", "N", days)
	}
	return i18n.T(ctx, "bulk.oldest", "N", days)
}

// whyLabel is the catalogue key of the question for a reason: colleagues' content is opened, or sent again.
func (p *BulkPage) whyLabel() string {
	if p.Act == dispatch.BulkAgain {
		return "bulk.colleagues.why"
	}
	return "content.why"
}

// amounts describes how many items of each kind there are.
func amounts(ctx context.Context, sms, shipments int) string {
	of := func(key string, n int) string { return i18n.T(ctx, key, "N", n) }
	switch {
	case shipments == 0:
		return of("bulk.sms", sms)
	case sms == 0:
		return of("bulk.shipments", shipments)
	}
	return i18n.T(ctx, "bulk.both", "SMS", of("bulk.sms", sms), "Shipments", of("bulk.shipments", shipments))
}

// kind is the kind of item for the wording of a decision.
func (p *BulkPage) kind() dispatch.Kind {
	if p.SMS > 0 {
		return dispatch.KindSMS
	}
	return dispatch.KindShipment
}

// leftOut lists how many items are left out, by reason, most frequent first.
func leftOut(ctx context.Context, counts map[dispatch.BulkResult]int) (lines []string) {
	var whys []dispatch.BulkResult
	for why, n := range counts {
		if why != dispatch.BulkDid && n > 0 {
			whys = append(whys, why)
		}
	}
	slices.SortFunc(whys, func(a, b dispatch.BulkResult) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return slices.Index([]dispatch.BulkResult{a, b}, min(a, b))*2 - 1
	})
	for _, why := range whys {
		lines = append(lines, i18n.T(ctx, "bulk.left."+string(why), "N", counts[why]))
	}
	return lines
}

// until is when the effect was counted, as it is posted.
func (p *BulkPage) until() string { return strconv.FormatInt(p.Until, 10) }

// BulkDonePage shows the result of an act on chosen items.
type BulkDonePage struct {
	views.Page
	Bulk    dispatch.Bulk
	Made    []dispatch.ListRow        // the first of what was sent again
	Waiting []dispatch.ItemID         // of that, what can still be stopped
	Groups  map[dispatch.JobGroup]int // what became of it, as known now; empty: more than one page can count
}

// underway tells whether some of what was sent again is not sent yet.
func (p BulkDonePage) underway() bool {
	return p.Groups[dispatch.JobWaiting]+p.Groups[dispatch.JobSending] > 0 || len(p.Waiting) > 0
}

// onlySMS tells whether all that was sent again are SMS: those are delivered, never printed.
func (p BulkDonePage) onlySMS() bool {
	return len(p.Made) == p.Bulk.Results[dispatch.BulkDid] && !slices.ContainsFunc(p.Made, func(r dispatch.ListRow) bool { return r.Kind != dispatch.KindSMS })
}

// result tells what the act did: for what was sent again, what has become of it so far.
func (p BulkDonePage) result(ctx context.Context) string {
	text := i18n.T(ctx, "flash.bulk."+string(p.Bulk.Act), "N", p.Bulk.Results[dispatch.BulkDid])
	if len(p.Groups) == 0 {
		return text
	}
	var parts []string
	add := func(key string, groups ...dispatch.JobGroup) (n int) {
		for _, g := range groups {
			n += p.Groups[g]
		}
		if n > 0 {
			parts = append(parts, i18n.T(ctx, key, "N", n))
		}
		return n
	}
	waits := add("bulk.now.waits", dispatch.JobWaiting, dispatch.JobSending)
	if p.onlySMS() {
		add("bulk.now.delivered", dispatch.JobArrived)
	} else {
		add("job.over.arrived", dispatch.JobArrived)
	}
	add("bulk.now.on_its_way", dispatch.JobOnItsWay)
	add("bulk.now.handed_over", dispatch.JobHandedOver, dispatch.JobUntracked)
	add("job.over.sent", dispatch.JobClosed)
	bad := add("job.over.missed", dispatch.JobNotDelivered) + add("job.over.unsent", dispatch.JobNotSent)
	bad += add("job.over.doubted", dispatch.JobUncertain) + add("job.over.cancelled", dispatch.JobCancelled)
	now := i18n.T(ctx, "bulk.now", "Each", strings.Join(parts, ", "))
	if waits > 0 && bad == 0 {
		return text + " " + now
	}
	return now
}

// title is the heading: done only when nothing is left to do or to send.
func (p BulkDonePage) title() string {
	switch {
	case !p.Bulk.Done:
		return "bulk.goes"
	case p.underway():
		return "bulk.sends"
	}
	return "bulk.done"
}

// watched is how long the page follows what was sent again.
const watched = 10 * time.Minute

// short tells whether fewer were done than were confirmed.
func (p BulkDonePage) short() bool {
	return p.Bulk.Done && p.Bulk.Shown > 0 && p.Bulk.Results[dispatch.BulkDid] != p.Bulk.Shown
}

// shortKey is the catalogue key of the sentence about that. What is queued again may still not be sent.
func (p BulkDonePage) shortKey() string {
	if p.Bulk.Act == dispatch.BulkAgain {
		return "bulk.short.again"
	}
	return "bulk.short"
}

// sentToday is the address of the list of what the user has sent on the day of the act.
func (p BulkDonePage) sentToday() string {
	a := ListAddress{Base: p.PathTo("utsendinger"), Filter: dispatch.ListFilter{Sender: p.User.ID, From: p.Bulk.CreatedAt}}
	return a.String()
}

func (p BulkDonePage) address() string { return p.PathTo("utvalg", p.Bulk.ID) }

// liveAfter is the interval in seconds at which the page refreshes; empty: never.
func (p BulkDonePage) liveAfter() string {
	if p.Bulk.Done && (!p.underway() || p.Now.Sub(p.Bulk.CreatedAt) > watched) {
		return ""
	}
	return strconv.Itoa(1 + min(9, int(p.Now.Sub(p.Bulk.CreatedAt).Seconds()/10)))
}

// back is the address of the list where such acts are chosen.
func (p BulkDonePage) back() string {
	switch p.Bulk.Act {
	case dispatch.BulkAssign, dispatch.BulkDone, dispatch.BulkDecide, dispatch.BulkLook:
		return p.PathTo("oppfolging")
	}
	return p.PathTo("utsendinger")
}

// done is the number of items processed.
func (p BulkDonePage) done() int { return p.Bulk.Total - p.Bulk.Left }

// DeadlineColumn is the name of the column with the deadline of an SMS about shipments; empty: it has none.
func DeadlineColumn(ctx context.Context, act dispatch.BulkAct) string {
	if act != dispatch.BulkRemind {
		return ""
	}
	return i18n.T(ctx, "bulk.column.deadline")
}

// TextAbout is the initial text of an SMS about shipments. It does not reveal what they are about, and has no link.
func TextAbout(ctx context.Context, act dispatch.BulkAct, a dispatch.Account) string {
	if act == dispatch.BulkRemind {
		return i18n.T(ctx, "sms.about.reminds", "Account", a.Name, "When", "(("+DeadlineColumn(ctx, act)+"))")
	}
	return i18n.T(ctx, "sms.about.replaces", "Account", a.Name)
}
