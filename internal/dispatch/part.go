package dispatch

import "slices"

// PartDoubt is a reason why a part of a divided file may not be its recipient's. A person has to look at the part then.
type PartDoubt string

// The doubts.
const (
	PartUnread  PartDoubt = "unread"  // its pages could not be read
	PartUnnamed PartDoubt = "unnamed" // the first page does not name the recipient
	PartAddress PartDoubt = "address" // the first page names the recipient at another address
	PartLater   PartDoubt = "later"   // a later page bears an address too, as the first page of another shipment does
)

// Doubts are the reasons why the part of a divided file may not be the recipient's. A file that is divided at the wrong pages
// sends one person's shipment to another, on paper and digitally alike.
func (d Document) Doubts(rules PrintRules, to PostalAddress) []PartDoubt {
	r := d.Reading
	switch {
	case d.Part == 0:
		return nil
	case r == nil, !r.Text, r.Unread.Count > 0, d.Pages > 1 && !r.LaterRead:
		return []PartDoubt{PartUnread}
	}
	var doubts []PartDoubt
	w := r.Window(rules, to)
	switch bears := w != nil && w.Addressed(); {
	case bears && w.Elsewhere, !bears && !names(columns(r.Words), to.Name):
		doubts = append(doubts, PartUnnamed)
	case bears && w.Missing():
		doubts = append(doubts, PartAddress)
	}
	if slices.ContainsFunc(r.Later, func(p PageWords) bool { return addressed(lineTexts(columns(rules.inWindow(p.Words)))) }) {
		doubts = append(doubts, PartLater)
	}
	return doubts
}
