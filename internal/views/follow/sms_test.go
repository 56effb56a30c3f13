package follow

import (
	"testing"

	"utsending/internal/dispatch"
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
