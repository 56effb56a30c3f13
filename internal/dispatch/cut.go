package dispatch

import "strings"

// DivideBy is how the slices of a file become those of the rows of a list.
type DivideBy string

// The ways.
const (
	DivideByPages   DivideBy = "pages"   // as many pages each, in the order of the list
	DivideByMark    DivideBy = "mark"    // before each page with a text, in the order of the list
	DivideByAddress DivideBy = "address" // before each page with an address, by the recipient found there
	DivideByFiles   DivideBy = "files"   // nothing is divided: each row names a file of its own
)

// Matched tells whether a slice goes to the row it names, rather than to the next in order.
func (b DivideBy) Matched() bool { return b == DivideByAddress }

// MarkMax is the most characters of a mark.
const MarkMax = 60

// Cut says where a file is divided: after a number of pages, or before each page on which a letter begins.
type Cut struct {
	Pages int        // per slice; 0: before each page on which a letter begins
	Mark  string     // text on such a page; empty: an address in the window
	Rules PrintRules // where the window is
}

// Begins tells whether a page begins a letter. address is the one that the current letter began with, and is returned as
// it is from this page on: the same address on a later page does not begin another letter.
func (c Cut) Begins(words []Word, address string) (string, bool) {
	if c.Mark != "" {
		mark := spaced(c.Mark)
		for _, line := range lineTexts(columns(words)) {
			if strings.Contains(spaced(line), mark) {
				return "", true
			}
		}
		return "", false
	}
	lines := lineTexts(columns(c.Rules.inWindow(words)))
	for n := range lines {
		if !addressed(lines[:n+1]) {
			continue
		}
		found := strings.Join(bareWords(strings.Fields(strings.Join(lines[:n+1], " "))), " ")
		return found, found != address
	}
	return address, false
}

// spaced is a text in small letters with one blank between words.
func spaced(text string) string { return strings.Join(strings.Fields(strings.ToLower(text)), " ") }

// UnassignedSlice is a run of pages of a divided file that goes to nobody.
type UnassignedSlice struct {
	First  int              `json:"f"` // page, from 1
	Last   int              `json:"l"`
	Reason UnassignedReason `json:"r"`
}

// UnassignedReason is why pages go to nobody.
type UnassignedReason string

// The reasons.
const (
	SliceNobody  UnassignedReason = "nobody"  // no row is named
	SliceSeveral UnassignedReason = "several" // several rows are named
	SliceAgain   UnassignedReason = "again"   // other pages name the same row
	SliceNotRead UnassignedReason = "unread"  // the first page could not be read
)
