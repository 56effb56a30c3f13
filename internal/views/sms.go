package views

import (
	"context"
	"strconv"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
)

// Filled tells whether anything is typed.
func Filled(s string) bool { return dispatch.Filled(s) }

// Opens formats the beginning of the account's daytime.
func Opens(a dispatch.Account) string { return dispatch.ClockText(a.Daytime.From) }

// Closes formats the end of the account's daytime: midnight is 24.00.
func Closes(a dispatch.Account) string {
	if a.Daytime.To == 24*60 {
		return "24.00"
	}
	return dispatch.ClockText(a.Daytime.To)
}

// Hours is when the account sends SMS, in a sentence: "på virkedager mellom kl. 08.00 og 20.00".
func Hours(ctx context.Context, a dispatch.Account) string {
	switch {
	case a.Daytime.AllDay():
		return i18n.T(ctx, "daytime.workdays")
	case a.Daytime.Workdays:
		return i18n.T(ctx, "daytime.workdays_hours", "From", Opens(a), "To", Closes(a))
	}
	return i18n.T(ctx, "daytime.hours", "From", Opens(a), "To", Closes(a))
}

// LineOf is the text of an SMS in a list: the beginning of one's own, never of colleagues'.
func LineOf(r *dispatch.ListRow, viewer dispatch.UserID) (text string, own bool) {
	if r.CreatedBy != viewer || r.HideInReport {
		return "", false
	}
	return Excerpt(r.Text, 60), true
}

// RowOf is the list row of an SMS.
func RowOf(it dispatch.SMSItem) *dispatch.ListRow {
	return &dispatch.ListRow{Item: it.Item, Recipient: it.Recipient, Text: it.Text, HideInReport: it.HideInReport}
}

// InList is a recipient in lists and titles: a masked phone number, nothing of a national id.
func InList(ctx context.Context, r dispatch.SMSRecipient) string {
	if r.ByPhone() {
		return r.Phone.Masked()
	}
	return i18n.T(ctx, "sms.someone")
}

// used is how full the last segment is, for the meter.
func used(s dispatch.Segmentation) string { return strconv.Itoa(s.PerSegment - s.Left) }

// LiveAfter is the value of data-live-etter, empty when the item is settled.
func LiveAfter(it dispatch.Item, now time.Time) string {
	if n := askAgain(it, now); n > 0 {
		return strconv.Itoa(n)
	}
	return ""
}
