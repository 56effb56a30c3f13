package follow

import (
	"strings"
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n/i18ntest"
	"utsending/internal/views"
)

// seen are the events of statuses that were seen one hour after the other, oldest first, as the store gives them.
func seen(statuses ...string) []dispatch.Event {
	var events []dispatch.Event
	for i, s := range statuses {
		e := dispatch.Event{At: lookNow.Add(time.Duration(i-len(statuses)) * time.Hour), Kind: dispatch.EventStatus, Detail: s}
		events = append([]dispatch.Event{e}, events...)
	}
	return events
}

// drawn writes a track as text: ✓ is behind us, → is where it is, ✗ where it stopped, ○ ahead.
func drawn(steps []trackStep) string {
	var words []string
	for _, s := range steps {
		mark := "✓"
		switch {
		case s.Ended():
			mark = "✗"
		case s.Current && s.Done():
			mark = "★"
		case s.Current:
			mark = "→"
		case s.Ahead:
			mark = "○"
		}
		words = append(words, mark+" "+s.Word)
	}
	return strings.Join(words, ", ")
}

func TestTrack(t *testing.T) {
	t.Parallel()
	ctx := i18ntest.InNorwegian(t)
	person := dispatch.Shipment{Recipient: dispatch.Address{Digital: dispatch.DigitalAddress{NationalID: "12047800155"}}}
	tests := []struct {
		name     string
		shipment dispatch.Shipment
		seen     []string
		want     string
	}{
		{"expects the message box before a channel is chosen", person, []string{"MOTTATT"}, "→ Mottatt, ○ Akseptert, ○ Varslet, ○ Lest"},
		{"expects print when there is no number", dispatch.Shipment{}, []string{"MOTTATT", "AKSEPTERT"}, "✓ Mottatt, → Akseptert, ○ Sendt til print, ○ Skrevet ut"},
		{"expects a reader after the notification", person, []string{"MOTTATT", "AKSEPTERT", "VARSLET"}, "✓ Mottatt, ✓ Akseptert, → Varslet, ○ Lest"},
		{"ends well when it is read", person, []string{"MOTTATT", "AKSEPTERT", "VARSLET", "LEST"}, "✓ Mottatt, ✓ Akseptert, ✓ Varslet, ★ Lest"},
		{"fills in what passed unseen", person, []string{"VARSLET"}, "✓ Mottatt, ✓ Akseptert, → Varslet, ○ Lest"},
		{"fills in between what was seen", person, []string{"MOTTATT", "LEVERT_SDP"},
			"✓ Mottatt, ✓ Akseptert, ✓ Sendt til digital postkasse, ★ Levert i digital postkasse"},
		{"follows a receiving system", person, []string{"KLAR_FOR_MOTTAK"}, "✓ Mottatt, ✓ Akseptert, → Klar for mottak, ○ Lest"},
		{"waits for a reader of what is never printed", person, []string{"MOTTATT", "AKSEPTERT", "VARSLET", "SENDT_DIGITALT"},
			"✓ Mottatt, ✓ Akseptert, ✓ Varslet, → Sendt digitalt, ○ Lest"},
		{"goes from digital to print", person, []string{"MOTTATT", "AKSEPTERT", "VARSLET", "SENDT_PRINT"},
			"✓ Mottatt, ✓ Akseptert, ✓ Varslet, → Sendt til print, ○ Skrevet ut"},
		{"shows that it was read after it was sent to print", person, []string{"VARSLET", "SENDT_PRINT", "LEST"},
			"✓ Mottatt, ✓ Akseptert, ✓ Varslet, ✓ Sendt til print, ★ Lest"},
		{"follows the latest status when one comes back", person, []string{"VARSLET", "SENDT_PRINT", "VARSLET"},
			"✓ Mottatt, ✓ Akseptert, ✓ Sendt til print, → Varslet, ○ Lest"},
		{"stops where it was rejected", person, []string{"MOTTATT", "AVVIST"}, "✓ Mottatt, ✗ Avvist"},
		{"stops where it could not be delivered", person, []string{"MOTTATT", "AKSEPTERT", "IKKE_LEVERT"}, "✓ Mottatt, ✓ Akseptert, ✗ Ikke levert"},
		{"stops where somebody closed it", person, []string{"MOTTATT", "AKSEPTERT", "VARSLET", "MANUELT_HANDTERT"},
			"✓ Mottatt, ✓ Akseptert, ✓ Varslet, ✗ Manuelt håndtert"},
		{"shows a status that is not described", person, []string{"MOTTATT", "UTSATT"}, "✓ Mottatt, → UTSATT"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			it := dispatch.ShipmentItem{Item: ofShipment(status(dispatch.Status(test.seen[len(test.seen)-1]))), Shipment: test.shipment}
			if got := drawn(track(ctx, it, seen(test.seen...))); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
	t.Run("goes by Altinn on the third generation", func(t *testing.T) {
		t.Parallel()
		it := dispatch.ShipmentItem{Item: ofShipment(status("AKSEPTERT")), Shipment: person, Over: dispatch.IntegrationShipmentV3}
		if got, want := drawn(track(ctx, it, seen("MOTTATT", "AKSEPTERT"))), "✓ Mottatt, → Akseptert, ○ Sendt til Altinn, ○ Levert i Altinn, ○ Lest"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
	t.Run("goes to the recipient in the health network", func(t *testing.T) {
		t.Parallel()
		it := dispatch.ShipmentItem{Item: ofShipment(status("AKSEPTERT")), Shipment: dispatch.Shipment{Health: &dispatch.Health{}}, Over: dispatch.IntegrationShipmentV3}
		if got, want := drawn(track(ctx, it, seen("MOTTATT", "AKSEPTERT"))), "✓ Mottatt, → Akseptert, ○ Sendt til helsemottaker, ○ Levert til helsemottaker"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
	t.Run("follows the item when the timeline lags behind", func(t *testing.T) {
		t.Parallel()
		it := dispatch.ShipmentItem{Item: ofShipment(status("VARSLET")), Shipment: person}
		if got, want := drawn(track(ctx, it, seen("MOTTATT"))), "✓ Mottatt, ✓ Akseptert, → Varslet, ○ Lest"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
	t.Run("has no steps before there is a status", func(t *testing.T) {
		t.Parallel()
		it := dispatch.ShipmentItem{Item: ofShipment(in(dispatch.StateSending)), Shipment: person}
		if got := track(ctx, it, nil); got != nil {
			t.Errorf("got %s", drawn(got))
		}
	})
	t.Run("has the service's time for the latest step, if that is told", func(t *testing.T) {
		t.Parallel()
		at := lookNow.Add(-3 * time.Hour)
		p := ShipmentPage{Item: dispatch.ShipmentItem{Item: ofShipment(status("VARSLET")), Shipment: person, ServiceStatusAt: at}}
		if steps := track(ctx, p.Item, seen("AKSEPTERT", "VARSLET")); !steps[2].At.Equal(at) || steps[1].At.Equal(at) || !p.statusAt().Equal(at) {
			t.Errorf("got %v, and %v", steps, p.statusAt())
		}
	})
	t.Run("has times only for what was seen", func(t *testing.T) {
		t.Parallel()
		it := dispatch.ShipmentItem{Item: ofShipment(status("VARSLET")), Shipment: person}
		steps := track(ctx, it, seen("VARSLET"))
		if !steps[0].At.IsZero() || steps[2].At.IsZero() || !steps[3].At.IsZero() {
			t.Errorf("got %v", steps)
		}
	})
}

func TestChannel(t *testing.T) {
	t.Parallel()
	tests := []struct {
		status      dispatch.Status
		digitalOnly bool
		want        string
	}{
		{"SENDT_PRINT", false, "channel.print"}, {"PRINTET", false, "channel.print"},
		{"SENDT_SDP", false, "channel.mailbox"}, {"LEVERT_SDP", true, "channel.mailbox"},
		{"KLAR_FOR_MOTTAK", false, "channel.system"}, {"LEVERT_ALTINN", false, "channel.altinn"}, {"SENDT_NHN_MOTTAKER", false, "channel.health"},
		{"VARSLET", false, "channel.digital"}, {"LEST", false, "channel.digital"}, {"VARSLET", true, "channel.digital_only"},
		{"IKKE_LEVERT", true, "channel.digital_only"}, {"", true, "channel.digital_only"},
		{"", false, "channel.unknown"}, {"AKSEPTERT", false, "channel.unknown"}, {"AVVIST", false, "channel.unknown"}, {"UTSATT", false, "channel.unknown"},
	}
	for s, want := range map[dispatch.Status]string{"": "channel.paper", "AVVIST": "channel.unknown", "PRINTET": "channel.print"} {
		r := dispatch.ListRow{Unnumbered: true, Item: dispatch.Item{Kind: dispatch.KindShipment, State: dispatch.StateAccepted}}
		if r.Status = s; views.Channel(&r) != want {
			t.Errorf("without a number, %q: got %s, want %s", s, views.Channel(&r), want)
		}
	}
	stopped := dispatch.ListRow{Unnumbered: true, Item: dispatch.Item{Kind: dispatch.KindShipment, State: dispatch.StateCancelled}}
	if got := views.Channel(&stopped); got != "channel.draft" {
		t.Errorf("what was stopped has the channel %s", got)
	}
	for _, test := range tests {
		r := dispatch.ListRow{DigitalOnly: test.digitalOnly}
		if r.Status = test.status; views.Channel(&r) != test.want {
			t.Errorf("%q, digital only %t: got %s, want %s", test.status, test.digitalOnly, views.Channel(&r), test.want)
		}
	}
}
