package main_test

import (
	"testing"

	"utsending/internal/browsertest/firefox"
	"utsending/internal/pdf/pdftest"
	"utsending/internal/tier"
)

// TestFirefox walks the main journeys in a second browser: a login, problems of a form, an SMS and a shipment until both are
// delivered, and a search. It is skipped where Firefox is not installed.
func TestFirefox(t *testing.T) {
	tier.Trial(t)
	t.Parallel()
	page := firefox.Open(t)
	s := newShipmentStack(t)
	v := s.watched(&visitor{driver: page, t: t, s: s, scripts: true})
	v.logIn("kari")
	v.wantHeading("Oversikt")

	v.Go("/k/oppvekst/sms/ny")
	v.ClickText("button", "Se over og send")
	v.wantText(".ds-error-summary", "Du må rette")
	if v.Count(".ds-error-summary:focus") != 1 {
		t.Errorf("%s has the keyboard, not the summary", v.FocusedSelector())
	}
	v.send(s.oppvekst, toPhone("120", "Timen din er flyttet."))
	v.awaitTag("Levert")

	l := toPerson("Vedtak [lest]")
	v.newShipment()
	v.attach(file(t, ".pdf", pdftest.Make(2)))
	v.write(l)
	v.check()
	v.post()
	v.awaitShipment("Lest")
	s.wantShipped(t, l)

	v.Fill(".top-search input", l.title)
	v.Submit(".top-search")
	v.WaitText("tbody", l.title)
	v.Click("[popovertarget=menu-bruker]")
	v.WaitText("#menu-bruker", "Kari Nordmann")
	v.ClickText("button", "Logg ut")
	v.wantHeading("Du er logget ut")
}
