package follow

import "utsending/internal/dispatch"

// Opened is what the response to a form shows in addition, once.
type Opened struct {
	Reason  string // for opening a colleague's content; empty: it is not shown
	Numbers bool   // whole numbers
}

func (o Opened) any() bool { return o != Opened{} }

// content tells whether text and files are shown.
func (o Opened) content(r dispatch.Reach) bool { return r == dispatch.ReachOpen || o.Reason != "" }

// offers tells whether the page offers to reveal whole numbers: colleagues' only when their content is already open.
func (o Opened) offers(r dispatch.Reach) bool { return !o.Numbers && o.content(r) }

// opens tells whether the viewer may fetch the files from this page.
func (p ShipmentPage) opens() bool { return p.Opened.content(p.Reach) }

// filesGone tells whether the files of the documents are deleted.
func (p ShipmentPage) filesGone() bool { return p.Item.Purged || p.End.Gone }

// hiddenKey explains why an address is not shown.
func (p ShipmentPage) hiddenKey() string {
	if p.filesGone() {
		return "content.hidden.gone"
	}
	if p.Reach == dispatch.ReachReason {
		return "content.hidden.reason"
	}
	return "content.hidden"
}
