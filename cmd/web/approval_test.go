package main_test

import (
	"testing"

	"utsending/internal/browsertest"
	"utsending/internal/dispatch"
)

// approves requests approval as a caseworker, and returns the SMS as a team lead; after a correction it is approved. Nothing is
// sent before, and then the approved text is sent.
func approves(o browsertest.PageOptions) func(*testing.T, *browsertest.Browser) {
	return func(t *testing.T, b *browsertest.Browser) {
		s := newStack(t, stackOptions{})
		s.setAccount(t, func(a *dispatch.Account) { a.Approval = dispatch.ApprovalRule{Recipients: 1} })
		kari, ingrid := s.as(t, b, o, "kari"), s.as(t, b, o, "ingrid")
		m := toPhone("120", "Timen din er flyttet til torsdag.")
		kari.Go("/k/oppvekst/sms/ny")
		kari.fill(m)
		kari.ClickText("main button", "Se over og send")
		kari.wantText("main", "En kollega må godkjenne dette før det sendes.")
		kari.ClickText("main button", "Be om godkjenning")
		kari.wantText("#venter", "Ingenting er sendt. Vil du endre utkastet, trekker du det tilbake nederst på siden.")
		kari.look("approval-waiting-" + kari.mode())

		t.Log("it comes back with a note")
		ingrid.Go("/k/oppvekst/godkjenning")
		ingrid.glance("approval-list-" + ingrid.mode())
		ingrid.ClickText("main a", "SMS til én mottaker")
		ingrid.wantText("main", m.text)
		ingrid.look("approval-decide-" + ingrid.mode())
		ingrid.ClickText("main button", "Returner")
		ingrid.wantText("main", "Skriv")
		ingrid.Fill("#"+dispatch.FieldApprovalNote, "Det er fredag.")
		ingrid.ClickText("main button", "Returner")
		ingrid.wantText("main", "Ingenting venter på godkjenning.")
		kari.Reload()
		kari.wantText("main", "Det er fredag.")
		kari.look("approval-returned-" + kari.mode())
		s.wantBooked(t, m, 0)

		t.Log("corrected, it is approved, and goes as it was seen")
		kari.ClickText("main a", "Endre")
		corrected := m
		corrected.text = "Timen din er flyttet til fredag."
		kari.Fill("#tekst", corrected.text)
		kari.ClickText("main button", "Se over og send")
		kari.ClickText("main button", "Be om godkjenning")
		ingrid.Go("/k/oppvekst/godkjenning")
		ingrid.ClickText("main a", "SMS til én mottaker")
		ingrid.wantText("main", corrected.text)
		ingrid.ClickText("main button", "Godkjenn og send")
		kari.Reload()
		kari.awaitTag("Levert")
		s.wantBooked(t, corrected, 1)
	}
}
