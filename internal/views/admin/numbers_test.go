package admin

import (
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/views"
)

// TestNumbersAreReadAsShown: a limit can be typed as the page shows it.
func TestNumbersAreReadAsShown(t *testing.T) {
	t.Parallel()
	for _, thousands := range []string{"1000", "1 000", "1\u00a0000", " 1 000 "} {
		in, _ := IntegrationForm{Parallelism: thousands, Rate: thousands}.Parse(dispatch.Integration{})
		if in.Parallelism != 1000 || in.RatePerSec != 1000 {
			t.Errorf("%q of an integration is read as %d and %g", thousands, in.Parallelism, in.RatePerSec)
		}
		a, _ := AccountForm{Undo: thousands, Unread: thousands, SMSLimit: thousands}.Parse(dispatch.Account{})
		if a.UndoWindow != 1000*time.Second || a.UnreadAfter != 1000*time.Hour || a.SMSLimit != 1000 {
			t.Errorf("%q of an account is read as %s, %s and %d", thousands, a.UndoWindow, a.UnreadAfter, a.SMSLimit)
		}
	}
	for _, none := range []string{"", " ", "1,5", "1.000", "tusen", "1-000"} {
		if n, err := views.TypedNumber(none); err == nil {
			t.Errorf("%q is read as %d", none, n)
		}
	}
}
