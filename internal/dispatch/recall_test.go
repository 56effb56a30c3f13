package dispatch

import (
	"testing"
	"time"
)

// TestRecallOf: what can still be stopped, for each state and each status.
func TestRecallOf(t *testing.T) {
	t.Parallel()
	item := func(k Kind, s State, status Status) Item { return Item{Kind: k, State: s, Status: status} }
	looked := item(KindShipment, StateUncertain, "")
	looked.RecoverAt = time.Now()
	doubted := item(KindSMS, StateFailed, "")
	doubted.MayHaveArrived = true
	for name, tt := range map[string]struct {
		item Item
		want Recall
	}{
		"waits":                      {item(KindSMS, StateQueued, ""), RecallHere},
		"is being sent":              {item(KindShipment, StateSending, ""), RecallAsk},
		"is looked for":              {looked, RecallAsk},
		"nobody knows":               {item(KindSMS, StateUncertain, ""), RecallDoubt},
		"given up, may have gone":    {doubted, RecallDoubt},
		"given up":                   {item(KindSMS, StateFailed, ""), RecallUnsent},
		"stopped":                    {item(KindShipment, StateCancelled, ""), RecallUnsent},
		"not taken":                  {item(KindShipment, StateRejected, ""), RecallUnsent},
		"an SMS":                     {item(KindSMS, StateAccepted, StatusSent), RecallSMS},
		"an SMS that was not sent":   {item(KindSMS, StateAccepted, StatusNotSent), RecallRefused},
		"an SMS that did not arrive": {item(KindSMS, StateAccepted, StatusNotDelivered), RecallMissed},
		"no status yet":              {item(KindShipment, StateAccepted, ""), RecallPortal},
		"a status of next year":      {item(KindShipment, StateAccepted, "NY_STATUS"), RecallUnknown},
	} {
		if got := RecallOf(tt.item); got != tt.want {
			t.Errorf("%s: got %s, want %s", name, got, tt.want)
		}
	}
	want := map[Status]Recall{
		StatusReceived: RecallPortal, StatusAccepted: RecallPortal, StatusReadyToFetch: RecallSystem, StatusNotified: RecallNotified,
		StatusSentDigitally: RecallDigital, StatusSentToMailbox: RecallMailbox, StatusDeliveredToMailbox: RecallMailbox,
		StatusSentToPrint: RecallPrinter, StatusPrinted: RecallGone, StatusRead: RecallGone,
		StatusDismissed: RecallNowhere, StatusNotDelivered: RecallNowhere, StatusHandledManually: RecallClosed,
		StatusSentToAltinn: RecallMailbox, StatusDeliveredToAltinn: RecallMailbox, StatusSentToHealth: RecallMailbox, StatusDeliveredToHealth: RecallMailbox,
		StatusFailedOnReception: RecallNowhere, StatusDeleted: RecallClosed,
	}
	for _, row := range StatusRows(KindShipment) {
		if got := RecallOf(item(KindShipment, StateAccepted, row.Status)); got != want[row.Status] {
			t.Errorf("%s: got %s, want %s", row.Status, got, want[row.Status])
		}
	}
}
