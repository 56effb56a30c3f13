package main_test

import (
	"strings"
	"testing"

	"utsending/internal/browsertest"
)

// typesAndLeaves types in the forms of an SMS and of a shipment without pressing a button, and finds the text again later.
func typesAndLeaves(t *testing.T, b *browsertest.Browser) {
	s := newStack(t, stackOptions{})
	v := s.as(t, b, browsertest.PageOptions{Height: 2400}, "kari") // nothing scrolls
	v.Go("/k/oppvekst/sms/ny")
	v.Fill("#tekst", "Hei, møtet er fly")
	v.WaitText("#lagret", "Lagret kl. ")
	v.look("new-autosaved")
	v.Reload()
	if got := strings.TrimSpace(v.Value("#tekst")); got != "Hei, møtet er fly" {
		t.Errorf("after reloading the text is %q", got)
	}
	v.Fill("#tekst", "Hei, møtet er flyttet") // and leaves at once
	v.Go("/k/oppvekst/utkast")
	v.Go("/k/oppvekst/sms/ny")
	v.reloadUntil("main", "«Hei, møtet er flyttet»") // the page that was left may be saving still
	v.look("new-begun")
	v.ClickText("a", "Fortsett på den du skrev på")
	m := toPhone("121", "Hei, møtet er flyttet til mandag")
	v.fill(m)
	v.ClickText("button", "Se over og send")
	v.wantHeading("Se over og send")

	v.newShipment()
	v.Hover("aside button[value=kontroll]")
	before := v.Value("[name=versjon]")
	v.Fill("#navn", "Ola Testesen")
	eventually(t, "the name is saved", func() bool { return v.Value("[name=versjon]") != before })
	if strings.Contains(v.Text("#lagret"), "Lagret kl. ") {
		t.Error("the summary is replaced while the mouse is on a button below it, which moves away")
	}
	v.Hover("h1")
	v.WaitText("#lagret", "Lagret kl. ")
	v.Fill("#tittel", "Vedtak om skoleplass")
	form := v.Path()
	v.overtaken = 1
	v.Fill("#adresse1", "Storgata 1") // and leaves at once
	v.Go("/k/oppvekst/utkast")
	v.Go(form)
	eventually(t, "the address is saved", func() bool { // the page that was left may be saving still
		if v.Value("#adresse1") == "Storgata 1" {
			return true
		}
		v.Reload()
		return false
	})
	for field, want := range map[string]string{"#tittel": "Vedtak om skoleplass", "#navn": "Ola Testesen"} {
		if got := v.Value(field); got != want {
			t.Errorf("%s is %q", field, got)
		}
	}
	v.Fill("#poststed", "Steinkjer")
	v.Click("aside button[value=lagre]") // while it may be saving
	v.WaitText("[role=status]", "lagret")
	if got := v.Value("#poststed"); got != "Steinkjer" {
		t.Errorf("the city is %q", got)
	}
}
