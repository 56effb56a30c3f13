package follow

import (
	"strings"
	"testing"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/i18n/i18ntest"
)

// TestNumberOnPage: masked unless it is shown this once.
func TestNumberOnPage(t *testing.T) {
	t.Parallel()
	tests := []struct {
		recipient     dispatch.SMSRecipient
		masked, whole string
	}{
		{dispatch.SMSRecipient{Phone: "90000567"}, "••• •• 567", "90000567"},
		{dispatch.SMSRecipient{Phone: "+4690000567"}, "+46 ••• 567", "+4690000567"},
		{dispatch.SMSRecipient{Phone: "004690000567"}, "+46 ••• 567", "004690000567"},
		{dispatch.SMSRecipient{NationalID: "12047800155"}, "120478 •••••", "12047800155"},
	}
	for _, test := range tests {
		t.Run(test.masked, func(t *testing.T) {
			t.Parallel()
			var p SMSPage
			p.Item.Recipient = test.recipient
			if got := p.number(); got != test.masked {
				t.Errorf("got %q, want %q", got, test.masked)
			}
			if p.Opened.Numbers = true; p.number() != test.whole {
				t.Errorf("got %q, want %q", p.number(), test.whole)
			}
		})
	}
}

// TestFailedReadOfStatus: no advice to send again what the service has taken, and the first read is not said to be another.
func TestFailedReadOfStatus(t *testing.T) {
	t.Parallel()
	ctx := i18ntest.InNorwegian(t)
	for _, kind := range []dispatch.Kind{dispatch.KindSMS, dispatch.KindShipment} {
		for _, key := range []string{"reason.rejected", "reason.too_large", "reason.invalid", "reason.busy", "reason.not_its_own"} {
			it := dispatch.Item{Kind: kind, State: dispatch.StateAccepted, CheckError: dispatch.Reason{Key: key}}
			if says := i18n.T(ctx, checkReason(it)); strings.Contains(says, "send på nytt") || strings.Contains(says, "tok den ikke imot") {
				t.Errorf("%s, %s: got %q", kind, key, says)
			}
		}
	}
	first, again := dispatch.Item{}, dispatch.Item{CheckedAt: lookNow}
	if nextCheckKey(first) != "sms.item.first_check" || nextCheckKey(again) != "sms.item.next_check" {
		t.Errorf("got %s, %s", nextCheckKey(first), nextCheckKey(again))
	}
}

// TestWhenContentGoes: a day that has come is not told as one to come.
func TestWhenContentGoes(t *testing.T) {
	t.Parallel()
	ctx := i18ntest.InNorwegian(t)
	for _, tt := range []struct {
		days int
		due  bool
	}{{-200, true}, {0, true}, {1, false}, {9, false}} {
		end := dispatch.ContentEnd{At: lookNow.AddDate(0, 0, tt.days)}
		for _, says := range []string{rowContentGoes(ctx, end, lookNow), contentGoes(ctx, end, lookNow)} {
			if strings.Contains(says, "ved neste sletting") != tt.due {
				t.Errorf("%d days: got %q", tt.days, says)
			}
		}
	}
}
