package views

import (
	"context"
	"strconv"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
)

// Filled tells whether something is typed.
func Filled(s string) bool { return dispatch.Filled(s) }

// Opens and closes are the account's daytime in words.
func Opens(a dispatch.Account) string { return dispatch.ClockText(a.Daytime.From) }

// Closes is when the daytime of an account ends, as a clock shows it: midnight is 24.00.
func Closes(a dispatch.Account) string {
	if a.Daytime.To == 24*60 {
		return "24.00"
	}
	return dispatch.ClockText(a.Daytime.To)
}

// LineOf is what a list shows of a message: the beginning of one's own text, never of others'.
func LineOf(r *dispatch.ListRow, viewer dispatch.UserID) (text string, own bool) {
	if r.CreatedBy != viewer || r.HideInReport {
		return "", false
	}
	return Excerpt(r.Text, 60), true
}

// RowOf is an SMS as a list shows it.
func RowOf(it dispatch.SMSItem) *dispatch.ListRow {
	return &dispatch.ListRow{Item: it.Item, Recipient: it.Recipient, Text: it.Text, HideInReport: it.HideInReport}
}

// InList names a recipient in lists and titles: the end of a phone number, nothing of a national id.
func InList(ctx context.Context, r dispatch.SMSRecipient) string {
	if r.ByPhone() {
		return r.Phone.Masked()
	}
	return i18n.T(ctx, "sms.someone")
}

// used is how much of the last part is filled, for the meter.
func used(s dispatch.Segmentation) string { return strconv.Itoa(s.PerSegment - s.Left) }

// LiveAfter is the value of data-live-etter, empty when the item is settled.
func LiveAfter(it dispatch.Item, now time.Time) string {
	if n := askAgain(it, now); n > 0 {
		return strconv.Itoa(n)
	}
	return ""
}
