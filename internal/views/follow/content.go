package follow

import (
	"utsending/internal/dispatch"
	"utsending/internal/views"
)

// OpenPage asks why somebody wants to open what another's item holds.
type OpenPage struct {
	views.Page
	Item   dispatch.Item
	Path   string // of the items of its kind, below the account
	Reason string // as typed
}

// at is an address of the item.
func (p OpenPage) at(parts ...string) string {
	return p.PathTo(append([]string{p.Path, string(p.Item.ID)}, parts...)...)
}

// reasons are those that the form suggests: keys of the catalogue.
func reasons() []string {
	return []string{"content.why.question", "content.why.absence", "content.why.complaint", "content.why.control", "content.why.access"}
}

// Opened is what the answer to a form shows beyond the page itself, this once.
type Opened struct {
	Reason  string // why another's content is shown; empty: it is not
	Numbers bool   // whole numbers
}

func (o Opened) any() bool { return o != Opened{} }

// content tells whether text and files are shown.
func (o Opened) content(r dispatch.Reach) bool { return r == dispatch.ReachOpen || o.Reason != "" }

// offers tells whether the page offers to show whole numbers: others' when their content is open already.
func (o Opened) offers(r dispatch.Reach) bool { return !o.Numbers && o.content(r) }

// opens tells whether the viewer may fetch the files from this page.
func (p ShipmentPage) opens() bool { return p.Opened.content(p.Reach) }

// hiddenKey says why an address is not shown.
func (p ShipmentPage) hiddenKey() string {
	if p.Reach == dispatch.ReachReason {
		return "content.hidden.reason"
	}
	return "content.hidden"
}
