package main_test

import (
	"strings"
	"testing"

	"utsending/internal/browsertest"
	"utsending/internal/store/storetest"
)

const setupPage = "/admin/integrasjoner/"

// wrongSecret is typed by mistake; it must appear nowhere but in the field.
const wrongSecret = "feil-hemmelighet-5c1e"

// typeCredentials fills in a client and a secret.
func (v *visitor) typeCredentials(secret string) {
	v.t.Helper()
	v.Check("[name=metode][value=client_secret]")
	v.Fill("#klient-id", storetest.ClientID)
	v.Fill("#hemmelighet", secret)
}

// changesCredentials tries a wrong secret and the right one without leaving the page, and saves what works.
func changesCredentials(t *testing.T, b *browsertest.Browser) {
	s := newStack(t, stackOptions{jsonLog: true})
	nora := s.as(t, b, browsertest.PageOptions{}, "nora")
	nora.Go(setupPage + string(s.integration))
	nora.glance("integration")
	nora.ClickText("button", "Prøv tilkoblingen")
	nora.WaitText("#prove-resultat h3", "Tilkoblingen virker")
	nora.wantText("#prove-resultat", "Konto: "+s.oppvekst.Name)
	nora.look("integration-tried")
	nora.ClickText("link", "Ny innlogging")

	nora.ClickText("button", "Prøv tilkoblingen")
	nora.WaitText("#prove-resultat", "Tilkoblingen er ikke prøvd. Rett dette først:")
	nora.look("credentials-not-tried")
	nora.typeCredentials(wrongSecret)
	nora.ClickText("button", "Prøv tilkoblingen")
	nora.WaitText("#prove-resultat", "Tilkoblingen virker ikke")
	nora.wantText("#prove-resultat", "Token: Tjenesten avviser innloggingen vår.")
	nora.WaitAnnounced("Tilkoblingen virker ikke")
	if got := nora.Value("#hemmelighet"); got != wrongSecret {
		t.Errorf("the secret that was typed is %q after a trial", got)
	}
	nora.wantUnseen(wrongSecret)
	nora.look("credentials-tried")
	nora.Fill("#hemmelighet", storetest.ClientSecret)
	nora.ClickText("button", "Prøv tilkoblingen")
	nora.WaitText("#prove-resultat", "Konto: "+s.oppvekst.Name)
	if strings.Contains(nora.Text("#prove-resultat"), "ikke") {
		t.Error("the first trial still stands on the page")
	}
	nora.ClickText("button", "Lagre innloggingen")
	nora.wantText("[role=status]", "Innloggingen er lagret")
	nora.wantText("tbody", "I bruk")
	nora.wantText("tbody", "I reserve")
	nora.wantUnseen(wrongSecret, storetest.ClientSecret)
	nora.glance("integration-rotated")
}

// triesWithoutScript tries without script: secrets must be typed again, and the page says so.
func triesWithoutScript(t *testing.T, b *browsertest.Browser) {
	s := newStack(t, stackOptions{})
	nora := s.drawn(t, b, withoutScript).loggedIn("nora")
	nora.Go(setupPage + string(s.integration) + "/tilgang")
	nora.typeCredentials(storetest.ClientSecret)
	nora.ClickText("button", "Prøv tilkoblingen")
	nora.wantText("#prove-resultat h3", "Tilkoblingen virker")
	nora.wantText("form .panel-foot", "Skriv dem inn på nytt før du prøver eller lagrer.")
	if got, client := nora.Value("#hemmelighet"), nora.Value("#klient-id"); got != "" || client != storetest.ClientID {
		t.Errorf("the secret came back as %q, the client as %q", got, client)
	}
	nora.wantUnseen(storetest.ClientSecret)
}
