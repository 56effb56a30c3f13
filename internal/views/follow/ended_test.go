package follow

import (
	"slices"
	"strings"
	"testing"

	"utsending/internal/dispatch"
)

// TestStatusBoxOfWhatEnded: the box words it from the letter's own choice, gives the service's reason, does not advise to send
// once more what was replaced, and does not offer to report as read what nobody could read.
func TestStatusBoxOfWhatEnded(t *testing.T) {
	t.Parallel()
	ended := func(s dispatch.Status, change func(*ShipmentPage)) func(*ShipmentPage) {
		return func(p *ShipmentPage) {
			p.Item.SigningStatus, p.Item.Documents[0].Sign = "", false
			p.Item.Status, p.Item.UpstreamID = s, "tjenestens"
			p.Item.Events = []dispatch.ServiceEvent{{At: lookNow, Text: "Forsendelsen er avvist: ugyldig innhold"}, {At: lookNow.Add(-1), Text: "Mottatt"}}
			change(p)
		}
	}
	replacement := func(p *ShipmentPage) {
		p.Relatives = []dispatch.Relative{{Item: dispatch.Item{ID: "r", Kind: dispatch.KindShipment, State: dispatch.StateAccepted}, Origin: dispatch.OriginReplaces}}
	}
	for name, tt := range map[string]struct {
		change        func(*ShipmentPage)
		wants, spares string
	}{
		"digital only":             {ended(dispatch.StatusNotDelivered, func(p *ShipmentPage) { p.Item.DigitalOnly = true }), "Bare digitalt", "verken"},
		"digital, else on paper":   {ended(dispatch.StatusNotDelivered, func(*ShipmentPage) {}), "verken digitalt eller på papir", "Bare digitalt"},
		"dismissed":                {ended(dispatch.StatusDismissed, func(*ShipmentPage) {}), "Tjenesten skriver: «Forsendelsen er avvist: ugyldig innhold»", "Sendt i stedet"},
		"dismissed and replaced":   {ended(dispatch.StatusDismissed, replacement), "Sendt i stedet: forsendelse fra", "Rett feilen og send på nytt"},
		"digital, lost, replaced":  {ended(dispatch.StatusNotDelivered, func(p *ShipmentPage) { p.Item.DigitalOnly = true; replacement(p) }), "Sendt i stedet: forsendelse fra", "Bare digitalt"},
		"not delivered, to report": {ended(dispatch.StatusNotDelivered, func(*ShipmentPage) {}), "Ikke levert", "Sett som lest"},
	} {
		box := strings.Join(strings.Fields(shownShipment(t, shipmentPage(tt.change)).Find(".status").Text()), " ")
		if !strings.Contains(box, tt.wants) || strings.Contains(box, tt.spares) || strings.Count(box, "Sendt i stedet") > 1 {
			t.Errorf("%s: want %q, without %q: %s", name, tt.wants, tt.spares, box)
		}
	}
	p := shipmentPage(ended(dispatch.StatusHandedOver, func(*ShipmentPage) {}))
	if !slices.ContainsFunc(p.acts().folded(), func(a act) bool { return a.Label == "read.title" }) {
		t.Error("what was handed over cannot be reported as read")
	}
}
