package follow

import (
	"strings"
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/i18n/i18ntest"
)

// TestOneActFirst: each state has one main act at most; the others are beside it or folded.
func TestOneActFirst(t *testing.T) {
	t.Parallel()
	ctx := i18ntest.InNorwegian(t)
	status := func(s dispatch.Status) func(*ShipmentPage) { return func(p *ShipmentPage) { p.Item.Status = s } }
	unsigned := func(p *ShipmentPage) { p.Item.SigningStatus, p.Item.Documents[0].Sign = "", false }
	state := func(s dispatch.State) func(*ShipmentPage) {
		return func(p *ShipmentPage) { unsigned(p); p.Item.State, p.Item.UpstreamID, p.Item.Status = s, "", "" }
	}
	replacement := []dispatch.Relative{{Item: dispatch.Item{ID: "r", Kind: dispatch.KindSMS, State: dispatch.StateAccepted}, Origin: dispatch.OriginReplaces}}
	for name, tt := range map[string]struct {
		change func(*ShipmentPage)
		want   string // the first act, then those beside it
	}{
		"in the undo window": {func(p *ShipmentPage) {
			state(dispatch.StateQueued)(p)
			p.Item.DueSince, p.Item.DueAt = lookNow.Add(9*time.Second), lookNow.Add(9*time.Second)
		}, "Angre | Endre tidspunktet"},
		"planned": {func(p *ShipmentPage) {
			state(dispatch.StateQueued)(p)
			p.Item.DueSince, p.Item.DueAt = lookNow.Add(time.Hour), lookNow.Add(time.Hour)
		}, " | Stopp sendingen, Endre tidspunktet"},
		"it waited for a day":      {func(p *ShipmentPage) { state(dispatch.StateQueued)(p); p.Item.DueSince = lookNow.Add(-25 * time.Hour) }, "Ja, send den | Stopp sendingen"},
		"a call is under way":      {state(dispatch.StateSending), " | Stopp hvis den ikke er sendt"},
		"given up":                 {state(dispatch.StateFailed), "Send på nytt | Rett og send på nytt"},
		"stopped":                  {state(dispatch.StateCancelled), "Lag en ny forsendelse av denne | "},
		"not taken":                {state(dispatch.StateRejected), "Rett og send på nytt | "},
		"dismissed":                {func(p *ShipmentPage) { unsigned(p); status(dispatch.StatusDismissed)(p) }, "Rett og send på nytt | "},
		"not delivered, digitally": {func(p *ShipmentPage) { unsigned(p); status(dispatch.StatusNotDelivered)(p); p.Item.DigitalOnly = true }, "Send på nytt, også på papir | Rett og send på nytt"},
		"dismissed, digitally":     {func(p *ShipmentPage) { unsigned(p); status(dispatch.StatusDismissed)(p); p.Item.DigitalOnly = true }, "Rett og send på nytt | "},
		"not taken, digitally":     {func(p *ShipmentPage) { state(dispatch.StateRejected)(p); p.Item.DigitalOnly = true }, "Rett og send på nytt | "},
		"replaced, given up":       {func(p *ShipmentPage) { state(dispatch.StateFailed)(p); p.Relatives = replacement }, " | "},
		"replaced, not delivered, digitally": {func(p *ShipmentPage) {
			unsigned(p)
			status(dispatch.StatusNotDelivered)(p)
			p.Item.DigitalOnly, p.Relatives = true, replacement
		}, " | "},
		"handed over": {func(p *ShipmentPage) { unsigned(p); status(dispatch.StatusHandedOver)(p) }, " | "}, // *Sett som lest* cannot be undone: folded
		"read":        {func(p *ShipmentPage) { unsigned(p); status(dispatch.StatusRead)(p) }, " | "},
		"read, and the time to sign is over": {func(p *ShipmentPage) {
			status(dispatch.StatusRead)(p)
			p.Item.SigningStatus = dispatch.SigningExpired
		}, "Rett og send på nytt | "},
		"a colleague's, by who may not open it": {func(p *ShipmentPage) { state(dispatch.StateRejected)(p); p.Reach = dispatch.ReachNone }, " | "},
		"a colleague's, by the lead":            {func(p *ShipmentPage) { state(dispatch.StateRejected)(p); p.Reach = dispatch.ReachReason }, "Rett og send på nytt | "},
	} {
		p := shipmentPage(tt.change)
		lead, rest := "", []string{}
		for _, x := range p.acts().shown() {
			if x.Place == first && lead == "" {
				lead = i18n.T(ctx, x.Label)
			} else {
				rest = append(rest, i18n.T(ctx, x.Label))
			}
		}
		if got := lead + " | " + strings.Join(rest, ", "); got != tt.want {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
		if n := shownShipment(t, p).Find(`.status .ds-button:not([data-variant])`).Length(); n > 1 {
			t.Errorf("%s: %d filled buttons", name, n)
		}
	}
}

// TestEachEventOnce: our observation and the service's report are one line, with both times if they are far apart.
func TestEachEventOnce(t *testing.T) {
	t.Parallel()
	ctx := i18ntest.InNorwegian(t)
	seen := func(s dispatch.Status, before time.Duration) dispatch.Event {
		return dispatch.Event{Kind: dispatch.EventStatus, Detail: string(s), At: lookNow.Add(-before)}
	}
	said := func(text string, before time.Duration) dispatch.ServiceEvent {
		return dispatch.ServiceEvent{Text: text, At: lookNow.Add(-before)}
	}
	busy := func(before time.Duration) dispatch.Event {
		return dispatch.Event{Kind: dispatch.EventOutcome, Detail: "unavailable", At: lookNow.Add(-before), Reason: dispatch.Reason{Key: "reason.busy"}}
	}
	for name, tt := range map[string]struct {
		service []dispatch.ServiceEvent
		own     []dispatch.Event
		want    []string
	}{
		"the same words": {[]dispatch.ServiceEvent{said("Akseptert for ekspedering", time.Minute)}, []dispatch.Event{seen(dispatch.StatusAccepted, 30*time.Second)},
			[]string{"Akseptert/Akseptert for ekspedering"}},
		"the beginning of another word": {[]dispatch.ServiceEvent{said("Lestat er navnet", time.Minute)}, []dispatch.Event{seen(dispatch.StatusRead, 30*time.Second)},
			[]string{"Lest/", "Lestat er navnet/"}},
		"said after we saw it": {[]dispatch.ServiceEvent{said("Lest av noen", time.Minute)}, []dispatch.Event{seen(dispatch.StatusRead, time.Hour)},
			[]string{"Lest av noen/", "Lest/"}},
		"seen late": {[]dispatch.ServiceEvent{said("Lest av noen", 15*time.Hour)}, []dispatch.Event{seen(dispatch.StatusRead, time.Hour)},
			[]string{"Lest/Lest av noen/Vi så dette først i dag kl. 09.41, 14 timer senere."}},
		"read after print": {[]dispatch.ServiceEvent{said("Lest av noen", time.Hour)}, []dispatch.Event{seen(dispatch.StatusRead, 50*time.Minute), seen(dispatch.StatusSentToPrint, 48*time.Hour)},
			[]string{"Lest/Lest av noen/Lest etter at brevet gikk til print. Mottakeren kan få det på papir også.", "Sendt til print/"}},
		"again and again": {nil, []dispatch.Event{busy(time.Minute), busy(2 * time.Minute), busy(3 * time.Minute)},
			[]string{"Kunne ikke sendes nå/Tjenesten har for mye å gjøre eller er nede. ×3"}},
	} {
		var got []string
		for _, l := range once(ctx, merged(serviceLines(ctx, tt.service), eventLines(ctx, dispatch.KindShipment, tt.own)), lookNow) {
			text := l.Word + "/" + l.Text
			if l.Late != "" {
				text += "/" + l.Late
			}
			if l.Times > 1 {
				text += " ×3"
			}
			got = append(got, text)
		}
		if strings.Join(got, "\n") != strings.Join(tt.want, "\n") {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
}

// TestShownLines: consecutive technical lines are folded, days without events are marked, and lines can be filtered by origin.
func TestShownLines(t *testing.T) {
	t.Parallel()
	ctx := i18ntest.InNorwegian(t)
	day := func(n int) time.Time { return lookNow.AddDate(0, 0, -n) }
	lines := eventLines(ctx, dispatch.KindShipment, []dispatch.Event{
		{Kind: dispatch.EventStatus, Detail: "LEST", At: day(0)},
		{Kind: dispatch.EventStatus, Detail: "VARSLET", At: day(4)},
		{Kind: dispatch.EventLookedUp, Detail: "accepted", At: day(4)},
		{Kind: dispatch.EventOutcome, Detail: "unavailable", At: day(5)},
		{Kind: dispatch.EventQueued, Actor: "Kari Nordmann", At: day(5)},
		{Kind: dispatch.EventCreated, Actor: "Kari Nordmann", At: day(5)},
	})
	brief := func(from Origin) string {
		var all []string
		for _, e := range shownLines(lines, from) {
			switch {
			case e.Gap > 0:
				all = append(all, i18n.T(ctx, "timeline.gap", "N", e.Gap))
			case e.Folded != nil:
				all = append(all, i18n.T(ctx, "timeline.technical", "N", happened(e.Folded)))
			default:
				all = append(all, e.Word)
			}
		}
		return strings.Join(all, ", ")
	}
	for from, want := range map[Origin]string{
		OriginAll:     "Lest, 3 dager uten hendelser, Varslet, 2 tekniske hendelser, Lagt i kø for sending, Utkast laget",
		OriginService: "Lest, 3 dager uten hendelser, Varslet",
		OriginOwn:     "2 tekniske hendelser",
		OriginPeople:  "Lagt i kø for sending, Utkast laget",
	} {
		if got := brief(from); got != want {
			t.Errorf("%s: got %q, want %q", from, got, want)
		}
	}
}
