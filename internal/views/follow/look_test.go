package follow

import (
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"utsending/internal/dispatch"
	"utsending/internal/i18n/i18ntest"
	"utsending/internal/views"
	"utsending/static"
)

// TestTimeline: heading, colour, icon and source of every kind of line.
func TestTimeline(t *testing.T) {
	t.Parallel()
	const own, byKari, theirs = "Vår logg", "Vår logg, Kari Nordmann", "Fra tjenesten"
	tests := []struct {
		event                    dispatch.Event
		word, color, icon, where string
	}{
		{dispatch.Event{Kind: dispatch.EventCreated, Actor: "Kari Nordmann"}, "Utkast laget", "neutral", "PencilLine", byKari},
		{dispatch.Event{Kind: dispatch.EventEdited, Actor: "Kari Nordmann"}, "Utkast endret", "neutral", "PencilLine", byKari},
		{dispatch.Event{Kind: dispatch.EventQueued, Actor: "Kari Nordmann"}, "Lagt i kø for sending", "neutral", "Paperplane", byKari},
		{dispatch.Event{Kind: dispatch.EventCancelled, Actor: "Kari Nordmann"}, "Stoppet", "neutral", "LinkBroken", byKari},
		{dispatch.Event{Kind: dispatch.EventConfirmed}, "Bekreftet at den fortsatt skal sendes", "neutral", "Checkmark", own},
		{dispatch.Event{Kind: dispatch.EventRequeued}, "Sendt på nytt", "neutral", "Paperplane", own},
		{dispatch.Event{Kind: dispatch.EventGaveUp}, "Ga opp etter et døgn", "danger", "XMarkOctagon", own},
		{dispatch.Event{Kind: dispatch.EventMissing}, "Tjenesten kjenner ikke meldingen", "warning", "QuestionmarkCircle", own},
		{dispatch.Event{Kind: dispatch.EventRestored}, "Kom fra en sikkerhetskopi", "warning", "ExclamationmarkTriangle", own},
		{dispatch.Event{Kind: dispatch.EventRevealed, Actor: "Kari Nordmann"}, "Hele nummeret ble vist", "neutral", "Eye", byKari},
		{dispatch.Event{Kind: dispatch.EventOutcome, Detail: "accepted"}, "Tatt imot av tjenesten", "info", "Checkmark", own},
		{dispatch.Event{Kind: dispatch.EventOutcome, Detail: "rejected"}, "Ikke tatt imot", "danger", "XMarkOctagon", own},
		{dispatch.Event{Kind: dispatch.EventOutcome, Detail: "unavailable"}, "Kunne ikke sendes nå", "warning", "ClockDashed", own},
		{dispatch.Event{Kind: dispatch.EventOutcome, Detail: "refused"}, "Avvist av tjenesten", "warning", "ShieldLock", own},
		{dispatch.Event{Kind: dispatch.EventOutcome, Detail: "uncertain"}, "Uavklart om den ble sendt", "warning", "QuestionmarkCircle", own},
		{dispatch.Event{Kind: dispatch.EventResolved, Detail: "sent", Actor: "Kari Nordmann"}, "Avgjort: Den kom frem", "neutral", "HandFinger", byKari},
		{dispatch.Event{Kind: dispatch.EventResolved, Detail: "send_again", Actor: "Kari Nordmann"}, "Avgjort: Sendes på nytt", "neutral", "HandFinger", byKari},
		{dispatch.Event{Kind: dispatch.EventResolved, Detail: "drop", Actor: "Kari Nordmann"}, "Avgjort: Sendes ikke", "neutral", "HandFinger", byKari},
		{dispatch.Event{Kind: dispatch.EventStatus, Detail: "LEVERT"}, "Levert", "success", "CheckmarkCircle", theirs},
		{dispatch.Event{Kind: dispatch.EventStatus, Detail: "UTSATT"}, "UTSATT", "neutral", "QuestionmarkCircle", theirs},
	}
	p := SMSPage{Page: views.Page{Assets: &static.Assets{}, Now: lookNow}}
	p.Item.Item = sms(in(dispatch.StateSending))
	for i, test := range tests {
		test.event.At = lookNow.Add(-time.Duration(i) * time.Minute)
		p.Events = append(p.Events, test.event)
	}
	p.Events[0].Reason.Key = "reason.timeout"
	lines := rendered(t, p).Find(".timeline-item:not(.timeline-folded)")
	for i, test := range tests {
		line := lines.Eq(i)
		if got := line.Find("h3").Text(); got != test.word {
			t.Errorf("line %d: got %q, want %q", i, got, test.word)
		}
		_, icon, _ := strings.Cut(line.Find("use").AttrOr("href", ""), "#")
		if color := line.Find(".timeline-dot").AttrOr("data-color", ""); color != test.color || icon != test.icon {
			t.Errorf("%s: got %s and %s, want %s and %s", test.word, color, icon, test.color, test.icon)
		}
		if got := line.Find(".timeline-why").Last().Text(); got != test.where {
			t.Errorf("%s: got source %q, want %q", test.word, got, test.where)
		}
	}
	if got := lines.First().Find(".timeline-why").First().Text(); got != "Tjenesten svarte ikke i tide." {
		t.Errorf("got reason %q", got)
	}
	if got := lines.First().Find("time"); got.Text() != "20.11.2026 kl. 10.41.00" || got.AttrOr("datetime", "") != "2026-11-20T10:41:00+01:00" {
		t.Errorf("got %q, %q", got.Text(), got.AttrOr("datetime", ""))
	}
}

// rendered is the live part of an item's page.
func rendered(t *testing.T, p SMSPage) *goquery.Document {
	t.Helper()
	var b strings.Builder
	if err := SMSLive(p).Render(i18ntest.InNorwegian(t), &b); err != nil {
		t.Fatal(err)
	}
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}
