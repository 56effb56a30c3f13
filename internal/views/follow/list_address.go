package follow

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/views"
	"utsending/internal/views/compose"
)

// ListAddress is the address of a list with its filters.
type ListAddress struct {
	Base   string // without filters
	Fixed  bool   // the base determines the kind
	Filter dispatch.ListFilter
	Order  dispatch.ListOrder
}

// kindNames and listGroupNames are the kinds and groups in addresses.
var (
	kindNames      = map[dispatch.Kind]string{dispatch.KindSMS: "sms", dispatch.KindShipment: "forsendelse"}
	listGroupNames = map[dispatch.Group]string{
		dispatch.GroupPlanned: "planlagt", dispatch.GroupWorking: "behandling", dispatch.GroupOnItsWay: "underveis",
		dispatch.GroupArrived: "fremme", dispatch.GroupStopped: "stoppet", dispatch.GroupUncertain: "uavklart",
	}
)

// outcomeNames and routeNames are dimensions of the statistics, in addresses.
var (
	outcomeNames = map[string]string{
		dispatch.OutcomeSent: "sendt", dispatch.OutcomeOpen: "venter", dispatch.OutcomeUntracked: "uten-status",
		string(dispatch.StateRejected): "stoppet", string(dispatch.StateFailed): "ga-opp", string(dispatch.StateCancelled): "avbrutt",
	}
	watchNames = map[dispatch.Watch]string{dispatch.WatchFailed: "feilet", dispatch.WatchUnread: "ulest", dispatch.WatchQueued: "hos-oss"}
	routeNames = map[dispatch.Route]string{dispatch.RouteDigital: "digitalt", dispatch.RoutePrint: "papir", dispatch.RouteOpen: "uavklart"}
)

// OutcomeNamed parses an outcome in an address; empty: none.
func OutcomeNamed(name string) string { return named(outcomeNames, name) }

// RouteNamed parses a route in an address; empty: none.
func RouteNamed(name string) dispatch.Route { return named(routeNames, name) }

// WatchNamed parses a question of a team lead in an address; empty: none.
func WatchNamed(name string) dispatch.Watch { return named(watchNames, name) }

// BandNamed parses a range of durations in an address; 0: none.
func BandNamed(name string) dispatch.Band {
	n, err := strconv.Atoi(name)
	if err != nil || n < 1 || n > len(dispatch.Bands{}) {
		return 0
	}
	return dispatch.Band(n)
}

// bandNumber is a range of durations in an address.
func bandNumber(b dispatch.Band) string {
	if b == 0 {
		return ""
	}
	return strconv.Itoa(int(b))
}

// KindNamed parses a kind in an address; empty: none.
func KindNamed(name string) dispatch.Kind { return named(kindNames, name) }

// ListGroupNamed parses a group in an address; empty: none.
func ListGroupNamed(name string) dispatch.Group { return named(listGroupNames, name) }

// ListGroupName is a group in an address.
func ListGroupName(g dispatch.Group) string { return listGroupNames[g] }

func named[K ~string](names map[K]string, name string) K {
	for k, n := range names {
		if n == name && name != "" {
			return k
		}
	}
	return ""
}

// Query is the query of the filters; it can be shared.
func (a ListAddress) Query() string {
	f := a.Filter
	var pairs []string
	add := func(name, value string) {
		if value != "" {
			pairs = append(pairs, name+"="+url.QueryEscape(value))
		}
	}
	if !a.Fixed {
		add(views.FieldKind, kindNames[f.Kind])
	}
	add(views.FieldJob, string(f.Job))
	add(views.FieldGroup, a.groupName())
	add(views.FieldStatus, string(f.Status))
	add(views.FieldFrom, dayText(f.From))
	add(views.FieldTo, dayText(lastDay(f.To)))
	add(views.FieldSender, string(f.Sender))
	add(views.FieldBilling, f.BillingCode)
	add(views.FieldType, f.Type)
	add(views.FieldSigning, string(f.Signing))
	add(views.FieldHeld, heldName(f.Held))
	for _, one := range a.counted() {
		add(one.Name, one.Value)
	}
	add(views.FieldOrder, a.orderName())
	return strings.Join(pairs, "&")
}

// groupName is the group of the list, or of the job's recipients.
func (a ListAddress) groupName() string {
	if a.Filter.Job != "" {
		return compose.GroupName(a.Filter.JobGroup)
	}
	return listGroupNames[a.Filter.Group]
}

// namedValue is a query parameter.
type namedValue struct{ Name, Value string }

// counted are the filters on dimensions of the statistics. They have no fields on the page.
func (a ListAddress) counted() []namedValue {
	f := a.Filter
	return []namedValue{
		{views.FieldOutcome, outcomeNames[f.Outcome]}, {views.FieldRoute, routeNames[f.Route]}, {views.FieldTemplate, string(f.Template)},
		{views.FieldRead, bandNumber(f.Read)}, {views.FieldSigned, bandNumber(f.Signed)},
		{views.FieldWatch, watchNames[f.Watch]}, {views.FieldArchived, archivedName(f.Unarchived)},
	}
}

// ownEnds are the outcomes offered among the statuses of the filter: the ends of items that the service never had, and thus gave no status.
var ownEnds = []string{string(dispatch.StateRejected), string(dispatch.StateFailed), string(dispatch.StateCancelled)}

// StatusChosen reads the choice of a status: a status of the service, or an end that is an outcome. Both empty: none.
func StatusChosen(value string) (status dispatch.Status, outcome string) {
	if o := OutcomeNamed(value); slices.Contains(ownEnds, o) {
		return "", o
	}
	return dispatch.StatusNamed(value), ""
}

// ownEnd is the outcome that is chosen as a status; empty: none.
func (a ListAddress) ownEnd() string {
	if a.Filter.Status == "" && slices.Contains(ownEnds, a.Filter.Outcome) {
		return a.Filter.Outcome
	}
	return ""
}

// keptInForm are the counted filters that the form of filters keeps: an outcome that it offers as a status is chosen there.
func (a ListAddress) keptInForm() []namedValue {
	kept := a.counted()
	if a.ownEnd() != "" {
		return slices.DeleteFunc(kept, func(one namedValue) bool { return one.Name == views.FieldOutcome })
	}
	return kept
}

// notArchived is the value in an address for items not archived yet.
const notArchived = "nei"

// UnarchivedNamed tells whether an address asks for items not archived yet.
func UnarchivedNamed(value string) bool { return value == notArchived }

func archivedName(not bool) string {
	if not {
		return notArchived
	}
	return ""
}

// yes is the value in an address for what is so.
const yes = "ja"

// HeldNamed tells whether an address asks for items under legal hold.
func HeldNamed(value string) bool { return value == yes }

func heldName(held bool) string {
	if held {
		return yes
	}
	return ""
}

// dayText formats a day for an address and its field.
func dayText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return views.TypedDate(t)
}

// lastDay is the last day before a filter's exclusive end.
func lastDay(to time.Time) time.Time {
	if to.IsZero() {
		return to
	}
	return to.In(views.Oslo).AddDate(0, 0, -1)
}

// String is the whole address.
func (a ListAddress) String() string { return views.WithQuery(a.Base, a.Query()) }

// Place is the address of the page of the list before or after a cursor.
func (a ListAddress) Place(name, cursor string) string {
	query := name + "=" + cursor
	if chosen := a.Query(); chosen != "" {
		query = chosen + "&" + query
	}
	return a.Base + "?" + query
}

// with is the address of the list with a changed filter.
func (a ListAddress) with(change func(*dispatch.ListFilter)) string {
	change(&a.Filter)
	return a.String()
}

// inGroup is the address of one group of the list, without the status filter, since groups have different statuses.
func (a ListAddress) inGroup(g dispatch.Group) string {
	return a.with(func(f *dispatch.ListFilter) { f.Group, f.Status = g, "" })
}

// sorted is the address of the list in another order.
func (a ListAddress) sorted(o dispatch.ListOrder) string {
	a.Order = o
	return a.String()
}

// cleared is the address of the list without filters.
func (a ListAddress) cleared() string { return a.Base }

// orderNames are the orders in addresses.
var orderNames = map[dispatch.ListOrder]string{
	{Reversed: true}:                             "eldste",
	{By: dispatch.SortStatus}:                    "status",
	{By: dispatch.SortStatus, Reversed: true}:    "status-omvendt",
	{By: dispatch.SortSender}:                    "avsender",
	{By: dispatch.SortSender, Reversed: true}:    "avsender-omvendt",
	{By: dispatch.SortTitle}:                     "tittel",
	{By: dispatch.SortTitle, Reversed: true}:     "tittel-omvendt",
	{By: dispatch.SortRecipient}:                 "mottaker",
	{By: dispatch.SortRecipient, Reversed: true}: "mottaker-omvendt",
	{By: dispatch.SortReference}:                 "referanse",
	{By: dispatch.SortReference, Reversed: true}: "referanse-omvendt",
}

// OrderNamed parses an order in an address; anything else is the usual one.
func OrderNamed(name string) dispatch.ListOrder {
	for o, n := range orderNames {
		if n == name {
			return o
		}
	}
	return dispatch.ListOrder{}
}

// orderName is the order in an address, if the list has it.
func (a ListAddress) orderName() string { return orderNames[a.Order.Offered(a.Filter.Kind)] }
