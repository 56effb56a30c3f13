package follow

import (
	"context"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// HoldPage is the form of a legal hold.
type HoldPage struct {
	views.Page
	Item       dispatch.Item
	Reason     string // as typed
	Held       bool
	HeldReason string
	HeldBy     string
	HeldAt     time.Time
	Gone       bool // its content is deleted already
	Identity   int  // how many days after its end its recipient and title are deleted
}

// leadKey is the catalogue key of what a legal hold means for the item.
func (p HoldPage) leadKey() string {
	if p.Gone {
		return "hold.lead.gone"
	}
	return "hold.lead"
}

// HoldTitle is the catalogue key of the page's title: whether the item is kept now.
func HoldTitle(held bool) string {
	if held {
		return "hold.title.held"
	}
	return "hold.title"
}

// Kept is who decided that an item is not deleted when its time is over; the zero one: nobody.
type Kept struct {
	By string
	At time.Time
}

// FieldRelease says that the legal hold is to be removed.
const FieldRelease = "slipp"

// contentGoes is the sentence about when an item's content is deleted: when its time is over, the next deletion takes it.
func contentGoes(ctx context.Context, e dispatch.ContentEnd, now time.Time) string {
	if e.Due(now) {
		return i18n.T(ctx, "item.content.due")
	}
	return i18n.T(ctx, "item.content.goes", "When", views.DateText(ctx, e.At))
}

// rowContentGoes is the same in a row.
func rowContentGoes(ctx context.Context, e dispatch.ContentEnd, now time.Time) string {
	if e.Due(now) {
		return i18n.T(ctx, "follow.content.due")
	}
	return i18n.T(ctx, "follow.content.goes", "When", views.SentenceDate(ctx, e.At))
}
