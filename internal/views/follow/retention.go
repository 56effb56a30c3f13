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
	return i18n.T(ctx, "follow.content.goes", "When", views.TableDate(e.At))
}
