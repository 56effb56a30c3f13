package dispatch

import (
	"slices"
	"strings"
)

// SliceDoubt is a reason why a slice may not be its recipient's, so that a person must check it.
type SliceDoubt string

// The doubts.
const (
	SliceUnread  SliceDoubt = "unread"  // its pages could not be read
	SliceUnnamed SliceDoubt = "unnamed" // the first page does not name the recipient
	SliceAddress SliceDoubt = "address" // the first page names the recipient at another address
	SliceTwo     SliceDoubt = "two"     // the first page has a second address below or beside the recipient's
	SliceLater   SliceDoubt = "later"   // a later page has an address too, as the first page of the next letter would
)

// Doubts returns the reasons why a slice may not be the recipient's. A file divided at the wrong pages sends one
// person's letter to another.
func (d Document) Doubts(rules PrintRules, to PostalAddress) []SliceDoubt {
	r := d.Reading
	switch {
	case d.Slice == 0:
		return nil
	case r == nil, !r.Text, r.Unread.Count > 0, d.Pages > 1 && !r.LaterRead && !d.Own:
		return []SliceDoubt{SliceUnread}
	}
	var doubts []SliceDoubt
	w := r.Window(rules, to)
	switch bears := w != nil && w.Addressed(); {
	case bears && w.Elsewhere, !bears && !names(columns(r.Words), to.Name):
		doubts = append(doubts, SliceUnnamed)
	case bears && w.Missing():
		doubts = append(doubts, SliceAddress)
	case bears && otherCode(w.Lines, to.PostalCode):
		doubts = append(doubts, SliceTwo)
	}
	if slices.ContainsFunc(r.Later, func(p PageWords) bool { return addressed(lineTexts(columns(rules.inWindow(p.Words)))) }) {
		doubts = append(doubts, SliceLater)
	}
	return doubts
}

// otherCode tells whether a line begins with the postal code and place of somebody else. A return address is in one line,
// where the code does not begin it.
func otherCode(lines []string, code string) bool {
	return slices.ContainsFunc(lines, func(line string) bool {
		at := codeAndPlace().FindStringIndex(line)
		return at != nil && at[0] == 0 && len(code) == 4 && !strings.Contains(line[:at[1]], code)
	})
}
