package main_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"utsending/internal/browsertest"
	"utsending/internal/clients/simulator"
)

const lookupPurpose = "Varsle foresatte om stengt skole"

// lookedUp is a synthetic number; its ending decides what the simulated register answers.
func lookedUp(ending string) string {
	return private(fmt.Sprintf("%02d81%0*d%s", 1+rand.IntN(28), 7-len(ending), numbers.Add(1), ending))
}

// looksUp asks the register about people and an organisation, tries again what failed, and goes on to an SMS.
func looksUp(t *testing.T, b *browsertest.Browser) {
	s := newStack(t, stackOptions{})
	v := s.as(t, b, browsertest.PageOptions{}, "kari")
	v.Go("/")
	v.Click(`.nav a[href="/k/oppvekst/oppslag"]`)
	v.wantHeading("Kontaktregister")
	v.glance("lookup-new")

	t.Log("problems are told by line")
	v.Fill("#numre", "Kari\n123")
	v.ClickText("button", "Slå opp")
	v.WaitText(".ds-error-summary", "Linje 1: Nummeret skal bare ha siffer.")
	v.look("lookup-problems")

	t.Log("a call that fails is told, and tried again")
	v.Fill("#numre", strings.Join([]string{lookedUp("935"), lookedUp("006"), "974760679"}, "\n"))
	v.Fill("#formal", lookupPurpose)
	v.ClickText("button", "Slå opp")
	v.WaitText("#uten-svar", "Vi mangler svar om 3 av 3 nummer")
	v.look("lookup-failed")
	v.ClickText("button", "Prøv de 3 igjen")
	v.WaitText(".panel-head p", "3 oppslag: 1 gyldig, 1 ugyldig, 1 ikke funnet")
	v.wantNone("#uten-svar")
	v.look("lookup-answered")
	v.wantUnseen(forbidden.list()...)

	t.Log("and leads to a draft")
	v.ClickText("button", "Skriv SMS til den gyldige")
	v.wantHeading("Endre SMS")
	v.Fill("#tekst", text("Skolen er stengt i dag."))
	v.ClickText("button", "Se over og send")
	v.ClickText("button", "Send SMS")
	v.wantText("[role=status]", "Meldingen er tatt imot for sending")
	v.awaitTag("Levert")
	if got := s.lookups(); got != 2 {
		t.Errorf("the register was asked %d times, want 2", got)
	}

	t.Log("the answers can be deleted")
	v.Go("/k/oppvekst/oppslag")
	v.ClickText("button", "Slett svarene nå")
	v.wantText("[role=status]", "Svarene fra kontaktregisteret er slettet")
	v.wantNone("#resultat")
}

// looksUpWithoutScript does the same without script, on a phone.
func looksUpWithoutScript(t *testing.T, b *browsertest.Browser) {
	s := newStack(t, stackOptions{})
	v := s.as(t, b, withoutScript, "ingrid")
	v.Go("/k/oppvekst/oppslag")
	v.Fill("#numre", lookedUp("931")+"\n"+lookedUp("014")+"\n"+lookedUp("933"))
	v.ClickText("button", "Slå opp")
	v.WaitText(".ds-error-summary", "Skriv inn formålet.")
	v.Fill("#formal", lookupPurpose)
	v.ClickText("button", "Slå opp")
	v.WaitText("#uten-svar", "Vi mangler svar om 2 av 3 nummer")
	v.wantText("main", "1 nummer som du ikke spurte om")
	v.wantUnseen(forbidden.list()...)
	v.glance("lookup-odd-answers")
	v.ClickText("button", "Skriv SMS til den gyldige")
	v.wantHeading("Endre SMS")
	s.sendsToFound(v)
}

// sendsToFound looks up two people and an organisation, and sends to all of them.
func (s *stack) sendsToFound(v *visitor) {
	v.t.Helper()
	v.Go("/k/oppvekst/oppslag")
	v.Fill("#numre", strings.Join([]string{lookedUp("120"), lookedUp("006"), lookedUp("121"), "974760673"}, "\n"))
	v.Fill("#formal", lookupPurpose)
	v.ClickText("button", "Slå opp")
	v.WaitText(".panel-head p", "4 oppslag: 3 gyldige, 1 ikke funnet")
	v.ClickText("button", "Skriv SMS til de 3 gyldige")
	v.wantHeading("Ny SMS til flere")
	v.wantUnseen(forbidden.list()...)
	v.Fill("#tekst", text("Skolen er stengt i dag."))
	v.ClickText("main .panel-foot button", "Se over og send")
	v.ClickText("button", "Send til 3 mottakere")
	v.awaitJob(v.t, "Ferdig", "Sendt")
	if n := len(s.sim.Books()); n != 3 {
		v.t.Errorf("the service has %d messages, want 3", n)
	}
}

// lookups counts the calls of the register.
func (s *stack) lookups() int { return s.operations(simulator.OpLookup) }
