package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/registry"
)

// shipments makes an integration that sends shipments, in an environment.
func (s *site) shipmentIntegration(t *testing.T, name string, environment dispatch.Environment) dispatch.IntegrationID {
	t.Helper()
	in := dispatch.Integration{Name: name, Kind: dispatch.IntegrationShipmentV1, Service: v1Service, Environment: environment, Parallelism: 1, RatePerSec: 1}
	id, err := registry.In(s.store).Integrations.Create(t.Context(), in, s.oppvekst.Actor)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func (s *site) encryption(t *testing.T, id dispatch.IntegrationID) dispatch.Encryption {
	t.Helper()
	in, err := registry.In(s.store).Integrations.ByID(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return in.Encryption
}

func TestServiceCertificateIsKept(t *testing.T) {
	t.Parallel()
	s, b := newSetup(t)
	pair := newKeyPair(t)
	id := s.shipmentIntegration(t, "Brev", dispatch.EnvironmentTest)
	production := s.shipmentIntegration(t, "Brev i produksjon", dispatch.EnvironmentProduction)
	at := setup + "/" + string(id) + "/sertifikat"
	form := fields("tjenestesertifikat", pair.valid, "nokkeltransport", "oaep", "versjon", "1")

	t.Run("what cannot be used is refused, and typed still", func(t *testing.T) {
		for name, tt := range map[string]struct{ typed, want string }{
			"nothing":           {"", "Lim inn sertifikatet."},
			"expired yesterday": {pair.expired, "Sertifikatet er utløpt."},
			"words":             {"sertifikat", "Sertifikatet kan ikke leses. Lim inn hele sertifikatet i PEM-format."},
		} {
			typed := with(form, "tjenestesertifikat", tt.typed)
			got := b.post(at, typed)
			if diff := cmp.Diff(map[string]string{"tjenestesertifikat": tt.want}, problems(t, got)); got.StatusCode != http.StatusUnprocessableEntity || diff != "" {
				t.Errorf("%s: got %d, problems (-want +got):\n%s", name, got.StatusCode, diff)
			}
			typedStill(t, got, typed, "tjenestesertifikat", "nokkeltransport")
		}
		if e := s.encryption(t, id); e.Certificate != "" {
			t.Errorf("kept %+v", e)
		}
	})

	t.Run("a private key does not come back", func(t *testing.T) {
		got := b.post(at, with(form, "tjenestesertifikat", pair.valid+pair.key))
		s.wantNoSecret(t, got, strings.TrimSpace(pair.key))
		if want := "Det ligger en privat nøkkel her, og den skal ikke ut av tjenesten. Lim inn bare sertifikatet."; problems(t, got)["tjenestesertifikat"] != want {
			t.Errorf("got %v", problems(t, got))
		}
	})

	t.Run("kept, shown and warned about", func(t *testing.T) {
		b.post(at, form)
		shown, _ := s.encryption(t, id).Shown()
		page := b.get(setup + "/" + string(id)).page(t).Text()
		for _, want := range []string{"CN=Fjordvik kommune", shown.Fingerprint, "RSA-OAEP med SHA-256", "Sertifikatet utløper om 20 dager"} {
			if !strings.Contains(page, want) {
				t.Errorf("the page lacks %q", want)
			}
		}
		if list := b.get(setup).page(t).Text(); !strings.Contains(list, "Sertifikatet utløper om 20 dager") {
			t.Error("the list does not warn")
		}
	})

	t.Run("only the transport changes when nothing is pasted", func(t *testing.T) {
		b.post(at, fields("nokkeltransport", "pkcs1", "versjon", "2"))
		if e := s.encryption(t, id); e.Transport != dispatch.TransportPKCS1 || e.Certificate == "" {
			t.Errorf("got %+v", e)
		}
	})

	t.Run("that of another environment is refused", func(t *testing.T) {
		got := b.post(setup+"/"+string(production)+"/sertifikat", form)
		if want := "Dette sertifikatet er allerede lagt inn for et annet miljø. Test og produksjon har hvert sitt."; problems(t, got)["tjenestesertifikat"] != want {
			t.Errorf("got %v", problems(t, got))
		}
	})

	t.Run("the second of two administrators is told", func(t *testing.T) {
		got := b.post(at, form)
		if got.StatusCode != http.StatusUnprocessableEntity || problems(t, got)["tjenestesertifikat"] != "Noen andre lagret mens du skrev. Se over og lagre igjen." {
			t.Errorf("got %d, %v", got.StatusCode, problems(t, got))
		}
	})

	t.Run("removed", func(t *testing.T) {
		b.post(at+"/fjern", with(because, "versjon", "3"))
		if e := s.encryption(t, id); e.Certificate != "" {
			t.Errorf("got %+v", e)
		}
	})

	t.Run("an integration for SMS has none", func(t *testing.T) {
		if got := b.post(setup+"/"+string(s.oppvekst.Integration.ID)+"/sertifikat", form); got.StatusCode != http.StatusNotFound {
			t.Errorf("got %d", got.StatusCode)
		}
	})
}

// TestDraftCannotChooseEncryptionInVain: without a certificate, or with one that has ended, the choice is a problem.
func TestDraftCannotChooseEncryptionInVain(t *testing.T) {
	t.Parallel()
	s, _ := newSetup(t)
	id := s.shipmentIntegration(t, "Brev", dispatch.EnvironmentTest)
	account := s.oppvekst.Account
	account.ShipmentIntegration = id
	if _, err := registry.In(s.store).Accounts.Save(t.Context(), account); err != nil {
		t.Fatal(err)
	}
	keep := func(version int, certificate string) {
		t.Helper()
		e := dispatch.Encryption{Certificate: certificate, Transport: dispatch.TransportOAEP}
		if err := registry.In(s.store).Integrations.SaveEncryption(t.Context(), id, version, e, store.Actor{}); err != nil {
			t.Fatal(err)
		}
	}
	b := s.browser(t, caseworker)
	wants := func(when, want string, chosen ...string) {
		t.Helper()
		id, _ := s.listDraft(t, caseworker, "Vedtak")
		got := b.led(t, b.post("/k/oppvekst/utkast/"+string(id), fields(append([]string{"versjon", "1", "neste", "kontroll"}, chosen...)...)))
		ps := problems(t, got)
		if level4 := "Nivå 4 krever at filene er kryptert. Kryss av for «Krypter filene», eller fjern krysset for nivå 4."; ps["krypter"] != want || len(chosen) == 2 && ps["niva4"] != level4 {
			t.Errorf("%s: got %q and %q, want %q", when, ps["krypter"], ps["niva4"], want)
		}
	}
	pair := newKeyPair(t)
	wants("without a certificate", "Filene kan ikke krypteres: Kontoens integrasjon har ikke sertifikatet til tjenesten. En administrator må legge det inn.", "krypter", "true", "niva4", "true")
	keep(1, pair.expired)
	wants("with one that ended", "Filene kan ikke krypteres: Sertifikatet til tjenesten er utløpt. En administrator må legge inn det nye.", "krypter", "true", "niva4", "true")
	keep(2, pair.valid)
	wants("with one", "", "krypter", "true", "niva4", "true")
	wants("level 4 alone", "", "niva4", "true")
}
