package views

import (
	"slices"
	"testing"

	"utsending/internal/dispatch"
)

// TestDictionaryIsComplete: every status that has a look has its place in the dictionary, once.
func TestDictionaryIsComplete(t *testing.T) {
	t.Parallel()
	complete(t, stageLooks, stageOrder)
	complete(t, shipmentLooks, shipmentOrder)
	complete(t, smsLooks, smsOrder)
	complete(t, signingLooks, signingOrder)
	complete(t, contactLooks, contactOrder)
}

func complete[K ~string](t *testing.T, looks map[K]look, order []K) {
	t.Helper()
	for k := range looks {
		if n := len(slices.DeleteFunc(slices.Clone(order), func(o K) bool { return o != k })); n != 1 {
			t.Errorf("%s stands %d times in the dictionary", k, n)
		}
	}
	if len(order) != len(looks) {
		t.Errorf("%d values for %d looks", len(order), len(looks))
	}
}

func TestExplained(t *testing.T) {
	t.Parallel()
	for want, it := range map[string]dispatch.Item{
		"/ordliste#stage-rejected":   {Kind: dispatch.KindSMS, State: dispatch.StateRejected},
		"/ordliste#sms-IKKE_LEVERT":  {Kind: dispatch.KindSMS, State: dispatch.StateAccepted, Status: "IKKE_LEVERT"},
		"/ordliste#shipment-VARSLET": {Kind: dispatch.KindShipment, State: dispatch.StateAccepted, Status: "VARSLET"},
		"/ordliste#shipment":         {Kind: dispatch.KindShipment, State: dispatch.StateAccepted, Status: "NY_STATUS"},
	} {
		if got := explained(it, lookNow); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
