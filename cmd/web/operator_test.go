package main_test

import (
	"strings"
	"sync/atomic"
	"testing"

	"utsending/internal/browsertest"
	"utsending/internal/clients/simulator"
	"utsending/internal/dispatch"
	"utsending/internal/store/storetest"
)

const deliveryPage = "/admin/levering"

// meetsRefusal sends while the service refuses our login; an administrator sees it and unblocks the SMS.
func meetsRefusal(t *testing.T, b *browsertest.Browser) {
	s := newStack(t, stackOptions{jsonLog: true})
	s.sim.RefuseTokens(401)
	v, nora := s.as(t, b, withoutScript, "kari"), s.as(t, b, withoutScript, "nora")
	nora.Go("/")
	nora.wantHeading("Levering")
	nora.wantText("tbody", "Ikke prøvd")
	nora.glance("delivery-untried")
	m := toPhone("120", "Venter på at noen retter innloggingen.")
	id := v.send(s.oppvekst, m)
	v.awaitTag("Venter på integrasjonen")
	v.wantText("#sms", "Tjenesten avviser innloggingen vår. En administrator må rette den. Det som venter, er ikke sendt.")
	v.glance("item-waiting")
	v.review(s.oppvekst, toPhone("120", "Et utkast til."))
	v.wantText("main", "Akkurat nå kan ikke kontoen levere SMS.")
	v.glance("review-held")

	nora.Reload()
	nora.wantText("tbody", "Avvist av tjenesten")
	nora.wantText("tbody", "1 i kø")
	nora.glance("delivery-refused")
	nora.wantUnseen(m.text, m.phone)
	s.sim.RefuseTokens(0)
	nora.act("Prøv igjen nå", "Vi prøver SMS-tjenesten igjen nå")
	v.open(s.oppvekst, id)
	v.awaitTag("Levert")
	s.wantBooked(t, m, 1)
	nora.Reload()
	nora.wantText("tbody", "Virker")
	nora.glance("delivery")
}

// act presses one of the buttons on the delivery page, and reads what it says.
func (v *visitor) act(button, says string) {
	v.t.Helper()
	v.ClickText("button", button)
	v.wantText("[role=status]", says)
}

// confirms leads to the page of an act, gives a reason and does it.
func (v *visitor) confirms(link, does, says string) {
	v.t.Helper()
	v.ClickText("link", link)
	v.wantText("main", "Dette skjer")
	v.Fill("#begrunnelse", "Feil hos leverandøren")
	v.ClickText("button", does)
	v.wantText("[role=status]", says)
}

// meetsWrongAnswers sends messages that the service refuses: first as if it did not know our account, which blocks
// the account; then as if we had no access. Since reading still works, only that message is blocked.
func meetsWrongAnswers(t *testing.T, b *browsertest.Browser) {
	s := newStack(t, stackOptions{})
	v, nora := s.as(t, b, withoutScript, "kari"), s.as(t, b, withoutScript, "nora")
	bad, good := toPhone("404", "Blir avvist."), toPhone("120", "Venter bak den.")
	v.send(s.oppvekst, bad)
	v.awaitTag("Venter på integrasjonen")
	waiting := s.send(t, s.oppvekst, "kari", good)
	s.awaitHold(t, s.oppvekst, waiting, dispatch.BlockAccount)
	nora.Go("/admin/integrasjoner")
	nora.wantText("tbody", "Én konto er avvist")
	nora.Go(deliveryPage)
	nora.wantText("tbody", "Kontoen Oppvekst og utdanning er avvist.")
	v.stops()
	nora.act("Prøv igjen nå", "Vi prøver Oppvekst og utdanning igjen nå")
	s.await(t, s.oppvekst, waiting, dispatch.StateAccepted)
	s.wantBooked(t, bad, 0)
	s.wantBooked(t, good, 1)

	bad, good = toPhone("401", "Blir avvist alene."), toPhone("120", "Går forbi den.")
	v.send(s.oppvekst, bad)
	v.awaitText("#sms", "Vi prøver igjen")
	s.await(t, s.oppvekst, s.send(t, s.oppvekst, "kari", good), dispatch.StateAccepted)
	v.stops()
	s.wantBooked(t, bad, 0)
	s.wantBooked(t, good, 1)
}

// awaitHold waits until an item is blocked.
func (s *stack) awaitHold(t *testing.T, account dispatch.Account, id dispatch.ItemID, want dispatch.Block) {
	t.Helper()
	eventually(t, "the item is held: "+string(want), func() bool { return s.item(t, account, id).Block == want })
}

// meetsRefusedAccount sends from an account that the service refuses, while the other account goes on.
func meetsRefusedAccount(t *testing.T, b *browsertest.Browser) {
	s := newStack(t, stackOptions{})
	var refusing atomic.Bool
	refusing.Store(true)
	m, other := toPhone("120", "Fra en avvist konto."), toPhone("120", "Fra en annen konto.")
	s.sim.SetChaos(func(operation, recipient string) simulator.Fault {
		if operation == simulator.OpSend && recipient == m.phone && refusing.Load() {
			return simulator.Status(403)
		}
		return simulator.NoFault
	})
	v, nora := s.as(t, b, withoutScript, "kari"), s.as(t, b, withoutScript, "nora")
	id := v.send(s.oppvekst, m)
	v.awaitTag("Venter på integrasjonen")
	s.await(t, s.helse, s.send(t, s.helse, "liv", other), dispatch.StateAccepted)
	nora.Go(deliveryPage)
	nora.wantText("tbody", "Kontoen Oppvekst og utdanning er avvist.")
	nora.glance("delivery-account-refused")
	refusing.Store(false)
	nora.act("Prøv igjen nå", "Vi prøver Oppvekst og utdanning igjen nå")
	v.open(s.oppvekst, id)
	v.awaitTag("Levert")
	s.wantBooked(t, m, 1)
	s.wantBooked(t, other, 1)
}

// meetsOutage gets three uncertain answers in a row: that stops the integration until a person opens it.
func meetsOutage(t *testing.T, b *browsertest.Browser) {
	s := newStack(t, stackOptions{})
	for range dispatch.UncertainLimit {
		s.await(t, s.oppvekst, s.send(t, s.oppvekst, "kari", toPhone("500", "Midt i feilen.")), dispatch.StateUncertain)
	}
	v, nora := s.as(t, b, withoutScript, "kari"), s.as(t, b, withoutScript, "nora")
	m := toPhone("120", "Etter feilen.")
	id := v.send(s.oppvekst, m)
	v.awaitTag("Venter på integrasjonen")
	v.wantText("#sms", "Integrasjonen er stoppet.")
	v.glance("item-stopped")
	nora.Go(deliveryPage)
	nora.wantText("tbody", "Stoppet av oss")
	nora.wantText("tbody", "1 i kø, 3 uavklarte")
	nora.glance("delivery-stopped")
	s.wantBooked(t, m, 0)
	s.ofEnvironment(t, "test")
	nora.Reload()
	nora.confirms("Åpne igjen", "Åpne integrasjonen nå", "Integrasjonen er åpnet.")
	v.open(s.oppvekst, id)
	v.awaitTag("Levert")
	s.wantBooked(t, m, 1)

	nora.ClickText("link", "Stopp")
	nora.wantHeading("Stopp integrasjonen")
	nora.glance("act-stop")
	nora.ClickText("button", "Stopp integrasjonen nå")
	nora.wantText(".ds-error-summary", "Skriv hvorfor.")
	nora.Fill("#begrunnelse", "Feil hos leverandøren")
	nora.ClickText("button", "Stopp integrasjonen nå")
	nora.wantText("[role=status]", "Integrasjonen er stoppet.")
	nora.wantText("tbody", "Stoppet av Nora Dahl")
	second := v.send(s.oppvekst, toPhone("120", "Stoppet for hånd."))
	v.awaitTag("Venter på integrasjonen")
	s.opensProduction(t, nora, s.as(t, b, withoutScript, "sara"))
	s.await(t, s.oppvekst, second, dispatch.StateAccepted)
}

// opensProduction opens the stopped integration of a production service: one administrator asks, another approves.
func (s *stack) opensProduction(t *testing.T, nora, sara *visitor) {
	t.Helper()
	s.ofEnvironment(t, "") // unknown: treated as production
	if err := s.store.MapRole(t.Context(), "kultur-saksbehandler", "", dispatch.RoleSystemAdmin); err != nil {
		t.Fatal(err)
	}
	nora.Reload()
	nora.ClickText("link", "Åpne igjen")
	nora.wantText("main", "Dette må en annen administrator godkjenne.")
	nora.Fill("#begrunnelse", "Feilen er rettet")
	nora.glance("act-open-production")
	nora.ClickText("button", "Be en annen administrator godkjenne")
	nora.wantText("[role=status]", "Ingenting er endret ennå.")
	nora.wantText("main", "Du har bedt om dette.")
	nora.wantNone(`form[action$="/godkjenn"]`)
	nora.glance("act-requests-own")
	sara.Go("/")
	sara.wantText(".nav a[href='/admin/godkjenning']", "1")
	sara.Go("/admin/godkjenning")
	sara.wantText("main", "Feilen er rettet")
	sara.glance("act-requests-other")
	sara.ClickText("button", "Godkjenn og utfør")
	sara.wantText("[role=status]", "Godkjent og utført")
	sara.wantText("tbody", "Nora Dahl")
	sara.glance("act-requests-decided")
}

// ofEnvironment sets the environment of the integrations.
func (s *stack) ofEnvironment(t *testing.T, name string) {
	t.Helper()
	if _, err := storetest.DB(t, s.database).Exec(`UPDATE integrations SET environment = $1`, name); err != nil {
		t.Fatal(err)
	}
}

// pausesDelivery stops all delivery and starts it again.
func pausesDelivery(t *testing.T, b *browsertest.Browser) {
	s := newStack(t, stackOptions{})
	s.polls(t, s.oppvekst, "kari") // delivery has begun
	nora, v := s.as(t, b, withoutScript, "nora"), s.as(t, b, withoutScript, "liv")
	nora.Go(deliveryPage)
	nora.glance("delivery-phone")
	nora.confirms("Sett all levering på pause", "Sett på pause nå", "All levering er satt på pause.")
	nora.wantText("main", "Nora Dahl har satt all levering på pause.")
	nora.glance("delivery-paused")
	m := toPhone("120", "Må vente.")
	id := v.send(s.helse, m)
	v.awaitTag("Venter på integrasjonen")
	v.wantText("#sms", "All levering er satt på pause.")
	v.glance("item-paused")
	s.wantBooked(t, m, 0)
	nora.act("Start leveringen", "Leveringen er startet")
	v.open(s.helse, id)
	v.awaitTag("Levert")
	s.wantBooked(t, m, 1)
}

// decidesRestored tells the program that its database was restored from a backup, and decides about the uncertain
// items.
func decidesRestored(t *testing.T, b *browsertest.Browser) {
	s := newStack(t, stackOptions{})
	s.polls(t, s.oppvekst, "kari")
	nora := s.as(t, b, withoutScript, "nora")
	nora.Go(deliveryPage)
	nora.confirms("Sett all levering på pause", "Sett på pause nå", "All levering er satt på pause.")
	due := []message{toPhone("120", "Den ene."), toPhone("120", "Den andre.")}
	for _, m := range due {
		s.send(t, s.oppvekst, "kari", m)
	}
	other := toPhone("120", "På den andre kontoen.")
	otherID := s.send(t, s.helse, "liv", other)
	restored := run(t, s.env, "restored")
	<-restored.done
	if out := restored.output(); !strings.Contains(out, "delivery is paused") || restored.err != nil {
		t.Fatalf("restored says %q, %v", out, restored.err)
	}
	nora.Reload()
	nora.wantText("main", "Databasen er lagt tilbake fra en sikkerhetskopi.")
	nora.wantText("main", "Oppvekst og utdanning: 2 meldinger kan være sendt")
	nora.wantText("main", "Helse og mestring: 1 melding kan være sendt")
	nora.glance("delivery-restored")
	nora.ClickText("button", "Lagre valget for kontoen")
	nora.wantText(".ds-error-summary", "Velg hva som skal skje.")
	nora.glance("delivery-restored-problem")
	nora.Check("#valg-send_again-oppvekst")
	nora.Submit("#valg-send_again-oppvekst")
	nora.wantText("[role=status]", "Valget er lagret for 2 meldinger")
	nora.act("Start leveringen", "Leveringen er startet")
	for _, m := range due {
		eventually(t, "it is sent", func() bool { return len(s.booked(m.text)) > 0 })
	}
	v := s.as(t, b, withoutScript, "liv")
	v.open(s.helse, otherID)
	v.awaitTag("Uavklart")
	v.glance("item-restored")
	v.decide("drop")
	s.polls(t, s.helse, "liv")
	for _, m := range due {
		s.wantBooked(t, m, 1)
	}
	s.wantBooked(t, other, 0)
}
