package dispatch

import "slices"

// ListSort is a column by which a list is sorted.
type ListSort string

// The columns. What is sealed (the number and text of an SMS) cannot be sorted by.
const (
	SortTime      ListSort = "" // when items were made
	SortStatus    ListSort = "status"
	SortSender    ListSort = "sender"
	SortTitle     ListSort = "title" // this and the following: of shipments
	SortRecipient ListSort = "recipient"
	SortReference ListSort = "reference"
)

// Few tells whether the column has few values: such a list is the lists of each value in turn.
func (s ListSort) Few() bool { return s == SortStatus || s == SortSender }

// Text tells whether the column holds text, which is compared as a dictionary does.
func (s ListSort) Text() bool { return s == SortTitle || s == SortRecipient || s == SortReference }

// ListOrder is the order of a list. Times begin with the newest, statuses with what wants a look, and text with A, unless reversed.
type ListOrder struct {
	By       ListSort
	Reversed bool
}

// Upwards tells whether the list is read as store.Page.Oldest says.
func (o ListOrder) Upwards() bool { return o.By.Text() != o.Reversed && !o.By.Few() }

// Newest tells whether the newest item comes first.
func (o ListOrder) Newest() bool { return o == ListOrder{} }

// ListSorts are the columns by which a list of a kind can be sorted; of both kinds, what both have.
func ListSorts(k Kind) []ListSort {
	sorts := []ListSort{SortTime, SortStatus, SortSender}
	if k == KindShipment {
		sorts = append(sorts, SortTitle, SortRecipient, SortReference)
	}
	return sorts
}

// Offered is the order if a list of a kind has it, else the usual one.
func (o ListOrder) Offered(k Kind) ListOrder {
	if slices.Contains(ListSorts(k), o.By) {
		return o
	}
	return ListOrder{}
}

// GroupsByStatus are the groups in the order of statuses: first what wants a look, last what has arrived.
func GroupsByStatus() []Group {
	return []Group{GroupUncertain, GroupStopped, GroupPlanned, GroupWorking, GroupOnItsWay, GroupArrived}
}
