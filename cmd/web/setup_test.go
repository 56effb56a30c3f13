package main_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"

	"utsending/internal/browsertest"
	"utsending/internal/clients/simulator"
	"utsending/internal/store/registry"
	"utsending/internal/store/storetest"
)

// TestSetup runs the journeys of administrators who set up accounts and integrations.
func TestSetup(t *testing.T) {
	walk(t, []journey{
		{"an administrator sets up an account that sends shipments over V2", setsUpV2},
		{"an administrator exchanges credentials while shipments flow", exchangesCredentials},
		{"an administrator moves an account to V2 and back while shipments flow", movesAccount},
	})
}

// pauseFor waits between two shipments; false when ctx has ended.
func pauseFor(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(50 * time.Millisecond):
		return true
	}
}

// login is what an administrator enters for an integration with a key.
type login struct {
	key                     signingKey
	kid                     string
	integrationID, password string
}

// enter fills in the credentials and presses a button of the form. Nothing secret stays in the page.
func (v *visitor) enter(l login, button string) {
	v.t.Helper()
	v.Check("[name=metode][value=key]")
	v.Fill("#klient-id", l.key.client)
	v.Fill("#scope", "ks:fiks")
	v.Fill("#nokkel", l.key.pem)
	v.Fill("#kid", l.kid)
	v.Fill("#integrasjon-id", l.integrationID)
	v.Fill("#integrasjon-passord", l.password)
	v.ClickText("button", button)
	v.wantUnseen(forbidden.list()...)
}

// setsUpV2 sets up V2 from nothing: integration, credentials, account, right. Then a shipment is sent until it is read.
func setsUpV2(t *testing.T, b *browsertest.Browser) {
	s := newSetupStack(t)
	key, konto := newSigningKey(t), uuid.NewString()
	right := login{key: key, kid: key.id, integrationID: uuid.NewString(), password: private(mark())}
	s.sim.AddKey(key.known())
	s.sim.AddIntegration(right.integrationID, right.password)
	s.sim.DenyAccess(right.integrationID, konto)
	nora := s.administrator(t, b)
	nora.makesIntegration("Kulturens forsendelser", right)
	nora.makesAccount("Kultur og fritid", "kultur", konto)

	nora.ClickText("link", "Koble til en integrasjon")
	nora.Select("#integrasjon", "Kulturens forsendelser (Forsendelse V2)")
	nora.ClickText("button", "Prøv om kontoen er klar")
	nora.wantText("#prove-resultat", "Tilkoblingen virker, men ikke for kontoen")
	nora.wantText("#prove-resultat", "Konto: Kultur og fritid:")
	nora.glance("admin-switch-denied")
	s.sim.GrantAccess(right.integrationID, konto)
	nora.Select("#integrasjon", "Kulturens forsendelser (Forsendelse V2)")
	nora.ClickText("button", "Prøv om kontoen er klar")
	nora.wantText("#prove-resultat", "Tilkoblingen virker")
	nora.ClickText("button", "Koble til Kulturens forsendelser")
	nora.wantText("main", "Kontoen sender over Kulturens forsendelser.")

	nora.Go(adminRights)
	nora.Fill("#verdi", "kultur-saksbehandler")
	nora.Select("#rolle", "Saksbehandler")
	nora.Select("#konto", "Kultur og fritid")
	nora.ClickText("button", "Legg til rettigheten")
	nora.wantText("tbody", "kultur-saksbehandler")
	nora.glance("admin-rights")

	sara := s.as(t, b, withoutScript, "sara")
	l := toPerson("Tilskudd [lest]")
	sara.posts("kultur", l)
	got := s.wantShipped(t, l)
	if got.Generation != simulator.GenerationV2 || got.AccountID != konto || got.Credential.KeyID != key.id || got.Credential.IntegrationID != right.integrationID {
		t.Errorf("it went to %s, account %s, with key %s", got.Generation, got.AccountID, got.Credential.KeyID)
	}
	nora.Go(adminIntegrations)
	nora.wantText("tbody", "Virker")
	nora.glance("admin-integrations")
	nora.Go(adminAccounts)
	nora.wantText("tbody", "Kultur og fritid")
	nora.glance("admin-accounts")
}

// makesIntegration makes an integration and enters its credentials: first with a wrong key id, then with a wrong
// password, then right.
func (v *visitor) makesIntegration(name string, right login) {
	v.t.Helper()
	v.Go(adminIntegrations)
	v.ClickText("link", "Ny integrasjon")
	v.Fill("#navn", name)
	v.Check("#tjeneste-" + shipmentServiceV2)
	v.glance("integration-new")
	v.ClickText("button", "Lagre integrasjonen")
	v.wantHeading("Integrasjon: " + name)
	v.wantText("main", "Mangler innlogging")
	v.ClickText("link", "Ny innlogging")
	v.glance("admin-credentials")
	wrong := right
	wrong.kid = "en-annen"
	v.enter(wrong, "Prøv tilkoblingen")
	v.WaitText("#prove-resultat", "Tilkoblingen virker ikke")
	v.WaitText("#prove-resultat", "Token: Innloggingen blir avvist på grunn av nøkkelen")
	v.glance("admin-try-token")
	wrong = right
	wrong.password = private(mark())
	v.enter(wrong, "Prøv tilkoblingen")
	v.WaitText("#prove-resultat", "Innlogging: Tjenesten avviser innloggingen vår.")
	v.enter(right, "Prøv tilkoblingen")
	v.WaitText("#prove-resultat", "Innlogging: i orden")
	v.wantNone("#prove-resultat b")
	v.enter(right, "Lagre innloggingen")
	v.wantText("[role=status]", "Innloggingen er lagret")
	v.wantText("main", "I bruk")
	v.ClickText("button", "Prøv tilkoblingen")
	v.WaitText("#prove-resultat", "Tilkoblingen virker")
	v.glance("admin-integration")
}

func (v *visitor) makesAccount(name, slug, konto string) {
	v.t.Helper()
	v.Go(adminAccounts)
	v.ClickText("link", "Ny konto")
	v.Fill("#navn", name)
	v.Fill("#kortnavn", slug)
	v.Fill("#angre", "0")
	v.Fill("#forsendelse-konto-id", konto)
	v.glance("admin-account-new")
	v.ClickText("button", "Lagre kontoen")
	v.wantText("[role=status]", "Kontoen er laget")
	v.glance("admin-account")
}

// exchangesCredentials enters a new secret while shipments flow; the old one ends, and is deleted.
func exchangesCredentials(t *testing.T, b *browsertest.Browser) {
	s := newSetupStack(t)
	id := s.setV2(t)
	s.oppvekst.ShipmentIntegration = id
	if _, err := registry.In(s.store).Accounts.Save(t.Context(), s.oppvekst); err != nil {
		t.Fatal(err)
	}
	shipments := s.stream(t, "kari")
	shipments.flow(t, 3)
	fresh := private(mark())
	s.sim.AddClient(storetest.ClientID, fresh)
	nora := s.administrator(t, b)
	nora.Go(adminIntegrations + "/" + string(id) + "/tilgang")
	nora.Check("[name=metode][value=client_secret]")
	nora.Fill("#klient-id", storetest.ClientID)
	nora.Fill("#hemmelighet", fresh)
	nora.Fill("#integrasjon-id", uuid.NewString())
	nora.Fill("#integrasjon-passord", private(mark()))
	nora.glance("admin-credentials-exchange")
	nora.ClickText("button", "Lagre innloggingen")
	nora.wantText("[role=status]", "Innloggingen er lagret")
	nora.wantText("main", "I reserve")
	nora.wantUnseen(fresh)
	nora.glance("admin-integration-exchanged")
	s.sim.RevokeClient(storetest.ClientID, storetest.ClientSecret)
	s.sim.RevokeTokens()
	shipments.flow(t, 3)
	nora.confirms("Slett for godt", "Slett innloggingen nå", "Innloggingen er slettet for godt")
	nora.wantText("main", "Slettet")
	shipments.flow(t, 3)
	nora.Reload()
	nora.wantText(".status-now", "Virker")
	shipments.wantOnce(t)
	all := s.sim.Shipments()
	if last := all[len(all)-1]; last.Credential.ClientSecret != fresh {
		t.Error("the last shipment went with the old secret")
	}
}

// movesAccount moves an account from V1 to V2 and back during delivery. The status of a shipment is read over the generation
// that it was sent over.
func movesAccount(t *testing.T, b *browsertest.Browser) {
	s := newSetupStack(t)
	s.setV2(t)
	shipments := s.stream(t, "kari")
	kari, nora := s.as(t, b, withoutScript, "kari"), s.administrator(t, b)
	over1 := way{"Forsendelsestjenesten", "Forsendelse V1", simulator.GenerationV1}
	over2 := way{"Forsendelsestjenesten V2", "Forsendelse V2", simulator.GenerationV2}
	for i, to := range []way{over1, over2, over1} {
		shipments.flow(t, 2)
		if i > 0 {
			nora.goOver(to)
		}
		l := toPerson("Flyttet [lest]")
		kari.posts("oppvekst", l)
		if got := s.wantShipped(t, l); got.Generation != to.generation {
			t.Errorf("shipment %d went over %s, want %s", i, got.Generation, to.generation)
		}
		shipments.flow(t, 2)
	}
	over := shipments.wantOnce(t)
	if over[simulator.GenerationV1] == 0 || over[simulator.GenerationV2] == 0 {
		t.Errorf("the stream went %v", over)
	}
}
