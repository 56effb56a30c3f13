package dispatch

import "testing"

// TestMayMarkRead: reading stops printing and cannot be undone. It is reported only of what the service has, and of what can still be read.
func TestMayMarkRead(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change func(*ShipmentItem)
		want   bool
	}{
		"handed over":           {func(*ShipmentItem) {}, true},
		"notified":              {func(it *ShipmentItem) { it.Status = StatusNotified }, true},
		"sent to print":         {func(it *ShipmentItem) { it.Status = StatusSentToPrint }, true},
		"an unknown status":     {func(it *ShipmentItem) { it.Status = "NOE_NYTT" }, true},
		"read":                  {func(it *ShipmentItem) { it.Status = StatusRead }, false},
		"dismissed":             {func(it *ShipmentItem) { it.Status = StatusDismissed }, false},
		"failed on reception":   {func(it *ShipmentItem) { it.Status = StatusFailedOnReception }, false},
		"not delivered":         {func(it *ShipmentItem) { it.Status = StatusNotDelivered }, false},
		"in the health network": {func(it *ShipmentItem) { it.Health = &Health{} }, false},
		"queued":                {func(it *ShipmentItem) { it.State = StateQueued }, false},
		"without an id":         {func(it *ShipmentItem) { it.UpstreamID = "" }, false},
	} {
		it := ShipmentItem{Item: Item{Kind: KindShipment, State: StateAccepted, UpstreamID: "u"}}
		tt.change(&it)
		if got := it.MayMarkRead(); got != tt.want {
			t.Errorf("%s: got %t", name, got)
		}
	}
}
