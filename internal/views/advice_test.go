package views

import (
	"strings"
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n/i18ntest"
)

// TestAdvice: only those who can act are told what to do.
func TestAdvice(t *testing.T) {
	t.Parallel()
	ctx := i18ntest.InNorwegian(t)
	for kind, it := range map[string]dispatch.Item{
		"refused":       {Kind: dispatch.KindSMS, State: dispatch.StateRejected, Reason: dispatch.Reason{Key: "reason.rejected"}},
		"not delivered": {Kind: dispatch.KindShipment, State: dispatch.StateAccepted, Status: dispatch.StatusNotDelivered},
		"dismissed":     {Kind: dispatch.KindShipment, State: dispatch.StateAccepted, Status: "AVVIST"},
		"uncertain":     {Kind: dispatch.KindSMS, State: dispatch.StateUncertain},
	} {
		acts, looks := Why(Advising(ctx, true), it, nil, lookNow), Why(Advising(ctx, false), it, nil, lookNow)
		if acts != Why(ctx, it, nil, lookNow) || !strings.Contains(strings.ToLower(acts), "send") || strings.Contains(looks, "på nytt") || looks == "" {
			t.Errorf("%s: %q, and to those who only look %q", kind, acts, looks)
		}
	}
	waiting := dispatch.Item{Kind: dispatch.KindSMS, State: dispatch.StateQueued, DueSince: lookNow.Add(-25 * time.Hour), Block: dispatch.BlockStopped}
	if acts, looks := Why(ctx, waiting, nil, lookNow), Why(Advising(ctx, false), waiting, nil, lookNow); !strings.HasSuffix(acts, "Bekreft eller stopp den.") || !strings.HasSuffix(looks, "Noen må bekrefte eller stoppe den.") {
		t.Errorf("waiting: %q, and to those who only look %q", acts, looks)
	}
}
