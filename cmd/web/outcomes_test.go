package main_test

import (
	"sync/atomic"
	"testing"

	"utsending/internal/browsertest"
	"utsending/internal/clients/simulator"
	"utsending/internal/dispatch"
	"utsending/internal/store/registry"
)

// decidesUncertain decides about uncertain SMS, each once.
func decidesUncertain(t *testing.T, b *browsertest.Browser) {
	s := newStack(t, stackOptions{})
	v := s.as(t, b, withoutScript, "kari")
	lost := toPhone("901", "Kom den frem?")
	v.send(s.oppvekst, lost)
	v.awaitTag("Uavklart")
	v.wantText("#sms", "Vi vet ikke om den ble sendt, og tjenesten kan ikke svare.")
	for _, choice := range []string{"Den kom frem", "Send den på nytt", "Ikke send den"} {
		v.wantText("#valg", choice)
	}
	v.glance("item-uncertain")
	v.ClickText("button", "Lagre valget")
	v.wantText(".ds-error-summary", "Velg hva som skal skje.")
	v.glance("item-uncertain-problem")
	s.polls(t, s.oppvekst, "amir")
	if n := s.calls(lost.phone); n != 1 {
		t.Errorf("%d calls before anybody decided, want 1", n)
	}
	v.decide("sent")
	v.awaitTag("Overlevert")
	v.wantText(".timeline", "Avgjort: Den kom frem")

	again := toPhone("912", "Denne sender vi på nytt.")
	v.open(s.oppvekst, s.uncertain(t, s.oppvekst, "kari", again))
	v.decide("send_again")
	v.awaitTag("Levert")
	s.wantBooked(t, again, 2) // the decision page warns of that

	dropped := toPhone("908", "Denne lar vi ligge.")
	id := s.uncertain(t, s.oppvekst, "kari", dropped)
	late := s.as(t, b, withoutScript, "amir")
	late.open(s.oppvekst, id)
	late.glance("item-uncertain-colleague")
	v.open(s.oppvekst, id)
	v.decide("drop")
	v.awaitTag("Stoppet")
	v.wantText("#sms", "Kari Nordmann valgte å ikke sende den.")
	late.Check("#valg-send_again")
	late.ClickText("button", "Lagre valget")
	late.wantText("[role=status]", "Meldingen er allerede endret eller sendt.")
	s.polls(t, s.oppvekst, "amir")
	s.wantBooked(t, lost, 1)
	if n := s.calls(lost.phone) + s.calls(dropped.phone); n != 2 {
		t.Errorf("%d calls for two SMS that nobody sent again", n)
	}
}

// decide makes a choice about the uncertain SMS on the page.
func (v *visitor) decide(choice string) {
	v.t.Helper()
	v.Check("#valg-" + choice)
	v.ClickText("button", "Lagre valget")
	v.wantText("[role=status]", "Valget er lagret")
}

// decidesManyUncertain decides about several uncertain SMS on the page that lists them.
func decidesManyUncertain(t *testing.T, b *browsertest.Browser) {
	s := newStack(t, stackOptions{})
	var ids []dispatch.ItemID
	for _, ending := range []string{"903", "904", "911"} {
		ids = append(ids, s.uncertain(t, s.oppvekst, "kari", toPhone(ending, "Uavklart med "+ending+".")))
	}
	calls := len(s.sim.Calls())
	v := s.as(t, b, withoutScript, "kari")
	v.Go("/k/oppvekst/sms")
	v.ClickText("link", "Se uavklarte SMS")
	v.wantHeading("Uavklarte SMS")
	v.glance("uncertain")
	v.ClickText("button", "Lagre valget for de valgte")
	v.wantText(".ds-error-summary h2", "Du må rette to feil før valget kan lagres")
	v.wantText(".ds-error-summary", "Velg minst én melding.")
	v.wantText(".ds-error-summary", "Velg hva som skal skje.")
	v.glance("uncertain-problems")
	choose := func(choice, said string, some ...dispatch.ItemID) {
		t.Helper()
		for _, id := range some {
			v.Check(`[name=melding][value="` + string(id) + `"]`)
		}
		v.Check("#valg-" + choice)
		v.ClickText("button", "Lagre valget for de valgte")
		v.wantText("[role=status]", said)
	}
	choose("drop", "Valget er lagret for 2 meldinger", ids[0], ids[2])
	choose("sent", "Valget er lagret for 1 melding", ids[1])
	v.wantText("main", "Ingen SMS er uavklart akkurat nå.")
	v.glance("uncertain-none")
	for i, want := range []dispatch.State{dispatch.StateCancelled, dispatch.StateAccepted, dispatch.StateCancelled} {
		if got := s.item(t, s.oppvekst, ids[i]).State; got != want {
			t.Errorf("number %d is %s, want %s", i, got, want)
		}
	}
	for _, c := range s.sim.Calls()[calls:] {
		if c.Operation == simulator.OpSend {
			t.Error("something was sent")
		}
	}
}

// meetsRejection sends SMS that the service rejects, and SMS that it cannot accept now.
func meetsRejection(t *testing.T, b *browsertest.Browser) {
	s := newStack(t, stackOptions{})
	v := s.as(t, b, withoutScript, "kari")
	for _, ending := range []string{"400", "907"} {
		m := toPhone(ending, "Denne tar de ikke imot.")
		v.send(s.oppvekst, m)
		v.awaitTag("Kunne ikke sendes")
		v.wantText("#sms", "Tjenesten tok den ikke imot.")
		v.wantText("#sms", "Feil-id fra tjenesten")
		if id := v.Text("#sms .status code"); len(id) != 36 {
			t.Errorf("%s: the error id reads %q", ending, id)
		}
		s.wantBooked(t, m, 0)
	}
	v.wantText("#sms", "Rett og send på nytt")
	v.glance("item-rejected")

	down := toPhone("910", "Kommer frem på andre forsøk.")
	v.send(s.oppvekst, down)
	v.awaitTag("Levert")
	v.wantText(".timeline", "Kunne ikke sendes nå")
	s.wantBooked(t, down, 1)

	v.send(s.oppvekst, toPhone("503", "Kommer aldri frem."))
	v.awaitText("#sms", "Vi prøver igjen")
	v.awaitTag("I kø")
	v.glance("item-retrying")
	v.stops()
}

// readsStatus shows later statuses, and the page when they cannot be read.
func readsStatus(t *testing.T, b *browsertest.Browser) {
	s := newStack(t, stackOptions{})
	v := s.as(t, b, withoutScript, "kari")
	for _, c := range []struct{ ending, tag, says, name string }{
		{"001", "Ikke sendt", "Tjenesten fikk ikke sendt meldingen.", "item-not-sent"},
		{"002", "Ikke levert", "Sendt, men nådde ikke telefonen.", ""},
		{"003", "Ukjent", "Tjenesten vet ikke om den kom frem.", "item-unknown"},
		{"921", "Overlevert", "Tjenesten sier at integrasjonen ikke har tilgang til kontoen.", ""},
		{"922", "Overlevert", "Tjenesten har svart tre ganger at den ikke kjenner meldingen. Ta kontakt med brukerstøtte, og oppgi «Id hos tjenesten».", "item-status-404"},
		{"923", "Overlevert", "Tjenesten svarte med en feil.", ""},
		{"924", "NY_VERDI", "Ny status som ikke er beskrevet ennå.", "item-status-new"},
	} {
		m := toPhone(c.ending, "Status "+c.ending+".")
		v.open(s.oppvekst, s.send(t, s.oppvekst, "kari", m))
		v.awaitTag(c.tag)
		v.awaitText("#sms", c.says)
		if c.name == "" {
			v.glance("item-status-" + c.ending)
		} else {
			v.glance(c.name)
		}
		s.wantBooked(t, m, 1)
		v.wantUnseen("Adressen i oppsettet") // a 404 to a read does not mean that
	}
	in, err := registry.In(s.store).Integrations.List(t.Context())
	if err != nil || len(in) != 1 || !in[0].RefusedAt.IsZero() || !in[0].StoppedAt.IsZero() {
		t.Errorf("reading has marked the integration: %+v, %v", in, err)
	}
}

// keepsOldStatus shows the last status, with its age, while the service fails.
func keepsOldStatus(t *testing.T, b *browsertest.Browser) {
	s := newStack(t, stackOptions{})
	var failing atomic.Bool
	s.sim.SetChaos(func(operation, _ string) simulator.Fault {
		if operation == simulator.OpStatus && failing.Load() {
			return simulator.Status(500)
		}
		return simulator.NoFault
	})
	v := s.as(t, b, withoutScript, "kari")
	v.open(s.oppvekst, s.send(t, s.oppvekst, "kari", toPhone("005", "Blir liggende.")))
	v.awaitTag("Opprettet")
	failing.Store(true)
	v.awaitText("#sms", "Vi fikk ikke hentet status i dag kl.")
	v.awaitTag("Opprettet")
	v.wantText("#sms", "Statusen over er den siste vi kjenner.")
	v.wantText("#sms", "Status hentet i dag kl.")
	v.wantText("#sms", "Feil-id fra tjenesten")
	v.glance("item-status-old")
	failing.Store(false)
	eventually(t, "the error goes when the status is read again", func() bool {
		v.Reload()
		return v.Count("#sms .notice") == 0
	})
}
