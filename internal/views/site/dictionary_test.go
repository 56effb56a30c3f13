package site

import (
	"slices"
	"strings"
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n/i18ntest"
	"utsending/internal/views"
)

// TestDictionaryIsComplete: everything that has a look has its place in the dictionary, once, and every status has a look
// and words.
func TestDictionaryIsComplete(t *testing.T) {
	t.Parallel()
	complete(t, views.StageLooks, stageOrder)
	complete(t, views.ContactLooks, contactOrder)
	ctx := i18ntest.InNorwegian(t)
	for _, k := range dispatch.Kinds {
		for _, e := range statusEntries(ctx, k) {
			allTold(t, string(k), e)
		}
	}
	for _, e := range stageEntries(ctx) {
		if e.Value = e.ID; !strings.HasPrefix(e.ID, "stage-") {
			t.Errorf("%q is no place", e.ID)
		}
		allTold(t, "stage", e)
	}
	for _, e := range signingEntries(ctx) {
		allTold(t, "signing", e)
	}
}

// allTold says that an entry has a look of its own and all its words.
func allTold(t *testing.T, chapter string, e entry) {
	t.Helper()
	if e.Word == e.Value || e.Icon == "" || e.Color == "" {
		t.Errorf("%s %s has no look: %+v", chapter, e.Value, e.Look)
	}
	for _, words := range []string{e.Word, e.Means, e.Cause, e.Next} {
		if words == "" || strings.Contains(words, e.Value+".") {
			t.Errorf("%s %s lacks words: %q", chapter, e.Value, words)
		}
	}
}

func complete[K ~string](t *testing.T, looks map[K]views.Look, order []K) {
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
		"/ordliste#stage-scheduled":  {Kind: dispatch.KindSMS, State: dispatch.StateQueued, DueAt: lookNow.Add(time.Hour), DueSince: lookNow.Add(time.Hour)},
		"/ordliste#stage-soon":       {Kind: dispatch.KindSMS, State: dispatch.StateQueued, DueAt: lookNow.Add(time.Minute), DueSince: lookNow.Add(time.Minute)},
		"/ordliste#stage-rejected":   {Kind: dispatch.KindSMS, State: dispatch.StateRejected},
		"/ordliste#sms-IKKE_LEVERT":  {Kind: dispatch.KindSMS, State: dispatch.StateAccepted, Status: "IKKE_LEVERT"},
		"/ordliste#shipment-VARSLET": {Kind: dispatch.KindShipment, State: dispatch.StateAccepted, Status: "VARSLET"},
		"/ordliste#shipment":         {Kind: dispatch.KindShipment, State: dispatch.StateAccepted, Status: "NY_STATUS"},
	} {
		if got := views.Explained(it, lookNow); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
