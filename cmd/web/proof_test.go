package main_test

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"utsending/internal/browsertest"
	"utsending/internal/pdf/pdftest"
)

// provesSending looks at the proof of a shipment and of an SMS, on the screen and as they are printed.
func provesSending(t *testing.T, b *browsertest.Browser) {
	s := newShipmentStack(t)
	v, paper := s.as(t, b, withoutScript, "kari"), s.drawn(t, b, withoutScript).loggedIn("kari")
	l, content := toPerson("Vedtak [lest]"), pdftest.Make(2)
	v.newShipment()
	v.attach(file(t, ".pdf", content))
	v.write(l)
	v.check()
	v.post()
	v.awaitShipment("Lest")
	v.ClickText("summary", "Flere valg")
	v.ClickText("link", "Dokumentasjon på sending")
	v.wantHeading("Dokumentasjon på sending")
	sum := sha256.Sum256(content)
	v.wantText("section[aria-labelledby=filer]", hex.EncodeToString(sum[:]))
	v.wantText("main", l.title)
	v.wantText("section[aria-labelledby=historikk]", "Utkast laget")
	v.wantText("section[aria-labelledby=historikk]", "Lest")
	paper.wantPrintable(v.URL(), "shipment-proof")
	s.wantShipped(t, l)

	m := toPhone("120", "Møt kl. ti")
	v.open(s.oppvekst, v.send(s.oppvekst, m))
	v.awaitTag("Levert")
	v.ClickText("summary", "Flere valg")
	v.ClickText("link", "Dokumentasjon på sending")
	v.wantHeading("Dokumentasjon på sending")
	v.wantText("section[aria-labelledby=historikk]", "Levert")
	paper.wantPrintable(v.URL(), "sms-proof")
}

// wantPrintable checks a page on screen and on paper, which has the same facts and no buttons.
func (v *visitor) wantPrintable(address, name string) {
	v.t.Helper()
	v.Go(address)
	v.glance(name)
	if !v.Visible(".top-bar") || !v.Visible("main h1") {
		v.t.Error("the screen lacks the frame or the heading")
	}
	v.Print(true)
	if v.Visible(".top-bar") || v.Visible(".screen-only") || v.Visible("a.back") || !v.Visible("main h1") || !v.Visible("section[aria-labelledby=historikk]") {
		v.t.Error("the paper has the frame, or lacks what it is for")
	}
	v.Print(false)
}
