package follow

import (
	"strings"
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n/i18ntest"
	"utsending/internal/views"
	"utsending/static"
)

// TestLineWithoutTime: what the service says at a time that we cannot read stays beside its neighbours, and no year 1 is shown.
func TestLineWithoutTime(t *testing.T) {
	t.Parallel()
	ctx := i18ntest.InNorwegian(t)
	early, late := at(t, "2026-03-01T09:00:00Z"), at(t, "2026-03-01T11:00:00Z")
	own := []dispatch.Event{{Kind: dispatch.EventQueued, At: early.Add(-time.Hour)}}
	order := func(events ...dispatch.ServiceEvent) string {
		var words []string
		for _, l := range merged(serviceLines(ctx, events), eventLines(ctx, dispatch.KindShipment, own)) {
			words = append(words, l.Word)
		}
		return strings.Join(words, ", ")
	}
	for name, test := range map[string]struct {
		events []dispatch.ServiceEvent
		want   string
	}{
		"between two": {[]dispatch.ServiceEvent{{At: late, Text: "c"}, {Text: "b"}, {At: early, Text: "a"}}, "c, b, a, Lagt i kø for sending"},
		"the newest":  {[]dispatch.ServiceEvent{{Text: "c"}, {At: early, Text: "a"}}, "c, a, Lagt i kø for sending"},
		"the oldest":  {[]dispatch.ServiceEvent{{At: late, Text: "c"}, {Text: "a"}}, "c, a, Lagt i kø for sending"},
		"all":         {[]dispatch.ServiceEvent{{Text: "c"}, {Text: "a"}}, "c, a, Lagt i kø for sending"},
	} {
		if got := order(test.events...); got != test.want {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
	var b strings.Builder
	if err := timeline(serviceLines(ctx, []dispatch.ServiceEvent{{Text: "Mottatt"}}), views.Page{Assets: &static.Assets{}, Now: early}).Render(ctx, &b); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "0001") {
		t.Errorf("it shows year 1: %s", b.String())
	}
}

// TestHourThatComesTwice: when clocks go back, an hour comes twice, and the words say which it is.
func TestHourThatComesTwice(t *testing.T) {
	t.Parallel()
	ctx := i18ntest.InNorwegian(t)
	now := at(t, "2026-11-20T12:00:00Z")
	for instant, want := range map[string]string{
		"2026-10-24T23:59:59Z": "25. oktober 2026 kl. 01.59",
		"2026-10-25T00:50:00Z": "25. oktober 2026 kl. 02.50 (sommertid)",
		"2026-10-25T01:10:00Z": "25. oktober 2026 kl. 02.10 (vintertid)",
		"2026-10-25T02:00:00Z": "25. oktober 2026 kl. 03.00",
		"2026-03-29T01:00:00Z": "29. mars 2026 kl. 03.00",
	} {
		if got := views.Near(ctx, at(t, instant), now); got != want {
			t.Errorf("%s: got %q, want %q", instant, got, want)
		}
	}
}

// TestDeadline counts the days there are to sign as a calendar does.
func TestDeadline(t *testing.T) {
	t.Parallel()
	ctx := i18ntest.InNorwegian(t)
	by := at(t, "2026-10-27T22:59:59Z") // the last second of the 27th
	for now, want := range map[string]string{
		"2026-10-23T22:30:00Z": "Signeres innen 27. oktober 2026, om 3 dager", // the 24th here, and clocks go back on the 25th
		"2026-10-26T22:59:00Z": "Signeres innen 27. oktober 2026, om én dag",
		"2026-10-27T06:00:00Z": "Siste dag for å signere er i dag",
		"2026-10-27T23:00:00Z": "Fristen for å signere gikk ut 27. oktober 2026",
	} {
		if got := views.Deadline(ctx, by, at(t, now)); got != want {
			t.Errorf("%s: got %q, want %q", now, got, want)
		}
	}
}
