package follow

import (
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"utsending/internal/dispatch"
	"utsending/internal/i18n/i18ntest"
	"utsending/internal/views"
	"utsending/static"
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
		"digital only":             {ended(dispatch.StatusNotDelivered, func(p *ShipmentPage) { p.Item.DigitalOnly = true }), "Bare digitalt, og ingen digital kanal virket. Send på nytt, også på papir", "Tjenesten oppgir"},
		"digital, else on paper":   {ended(dispatch.StatusNotDelivered, func(*ShipmentPage) {}), "Tjenesten oppgir at forsendelsen ikke er levert. Send på nytt", "Bare digitalt"},
		"dismissed":                {ended(dispatch.StatusDismissed, func(*ShipmentPage) {}), "Tjenesten skriver: «Forsendelsen er avvist: ugyldig innhold»", "Laget i stedet"},
		"dismissed and replaced":   {ended(dispatch.StatusDismissed, replacement), "Laget i stedet: forsendelse fra", "Rett feilen og send på nytt"},
		"on paper, lost, replaced": {ended(dispatch.StatusNotDelivered, replacement), "Tjenesten oppgir at forsendelsen ikke er levert.Laget i stedet: forsendelse fra", "Send på nytt"},
		"dismissed without reason": {ended(dispatch.StatusDismissed, func(p *ShipmentPage) { p.Item.Events[0].Text = "avvist" }), "Avvist", "Tjenesten skriver"},
		"digital, lost, replaced":  {ended(dispatch.StatusNotDelivered, func(p *ShipmentPage) { p.Item.DigitalOnly = true; replacement(p) }), "Laget i stedet: forsendelse fra", "Bare digitalt"},
		"not delivered, to report": {ended(dispatch.StatusNotDelivered, func(*ShipmentPage) {}), "Ikke levert", "Sett som lest"},
	} {
		box := strings.Join(strings.Fields(shownShipment(t, shipmentPage(tt.change)).Find(".status").Text()), " ")
		if !strings.Contains(box, tt.wants) || strings.Contains(box, tt.spares) || strings.Count(box, "Laget i stedet") > 1 {
			t.Errorf("%s: want %q, without %q: %s", name, tt.wants, tt.spares, box)
		}
	}
}

// TestMarkReadTellsWhatItDoes: it is folded, and says what it does before anybody presses it.
func TestMarkReadTellsWhatItDoes(t *testing.T) {
	t.Parallel()
	p := shipmentPage(func(p *ShipmentPage) { p.Item.Item = ofShipment(status(dispatch.StatusHandedOver)) })
	folded := shownShipment(t, p).Find(".status details.plain").First()
	if folded.Find(`a[href$="/lest"]`).Length() != 1 || !strings.Contains(folded.Text(), "stopper utskrift på papir hvis den ikke alt er i gang, og kan ikke angres") {
		t.Errorf("the fold says %q", folded.Text())
	}
}

// TestStatusBoxOfRefusedSMS: it gives the service's reason, and does not advise to send again what was replaced.
func TestStatusBoxOfRefusedSMS(t *testing.T) {
	t.Parallel()
	p := SMSPage{Page: views.Page{Assets: &static.Assets{}, Now: lookNow}}
	p.Item.Item = sms(because(dispatch.StateRejected, "reason.rejected"))
	p.Item.Answer.Message = "Ugyldig avsender"
	box := func() string { return strings.Join(strings.Fields(rendered(t, p).Find(".status").Text()), " ") }
	if got := box(); !strings.Contains(got, "Tjenesten skriver: «Ugyldig avsender»") || strings.Contains(got, "Laget i stedet") {
		t.Errorf("refused: %q", got)
	}
	p.Relatives = []dispatch.Relative{{Item: dispatch.Item{ID: "r", Kind: dispatch.KindSMS, State: dispatch.StateAccepted}, Origin: dispatch.OriginReplaces}}
	if got := box(); !strings.Contains(got, "Laget i stedet: SMS fra") || strings.Contains(got, "rett opp og send på nytt") {
		t.Errorf("refused and replaced: %q", got)
	}
}

// TestFollowUpNamesItemAndOwner: whoever follows up sees which item it is, and who has it now.
func TestFollowUpNamesItemAndOwner(t *testing.T) {
	t.Parallel()
	p := FollowUpItemPage{Page: views.Page{Assets: &static.Assets{}, Now: lookNow}, Item: ofShipment(status(dispatch.StatusDismissed)), FollowUp: dispatch.FollowUp{Cause: dispatch.CauseNotDelivered, Since: lookNow}}
	p.Row = &dispatch.ListRow{Item: p.Item, Title: "Vedtak om plass", RecipientName: "Jonas Vik"}
	head := func() string {
		var b strings.Builder
		if err := FollowUpEdit(p).Render(i18ntest.InNorwegian(t), &b); err != nil {
			t.Fatal(err)
		}
		doc, err := goquery.NewDocumentFromReader(strings.NewReader(b.String()))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(strings.Fields(doc.Find(".head").Text()), " ")
	}
	if got := head(); !strings.Contains(got, "Vedtak om plass Til Jonas Vik") || !strings.Contains(got, "Ingen har ansvaret ennå.") {
		t.Errorf("nobody's: %q", got)
	}
	p.FollowUp.Owner, p.FollowUp.Name, p.FollowUp.Note = "ingrid", "Ingrid Lunde", "Ringt"
	if got := head(); !strings.Contains(got, "Ansvarlig nå: Ingrid Lunde") || !strings.Contains(got, "Ringt") {
		t.Errorf("a colleague's: %q", got)
	}
}
