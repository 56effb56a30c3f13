package handlers_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store/registry"
)

// keyPair is a fictional organisation's key, and certificates of it.
type keyPair struct{ key, valid, expired string }

func newKeyPair(t *testing.T) keyPair {
	t.Helper()
	key, err := sharedKey()
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return keyPair{encoded("PRIVATE KEY", der), certificate(t, key, time.Now().AddDate(0, 0, 20)), certificate(t, key, time.Now().AddDate(0, 0, -1))}
}

func encoded(kind string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}

func certificate(t *testing.T, key *rsa.PrivateKey, end time.Time) string {
	t.Helper()
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Fjordvik kommune"}, NotBefore: end.AddDate(-1, 0, 0), NotAfter: end}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return encoded("CERTIFICATE", der)
}

// secrets are what must never come back, each so peculiar that finding it is no chance.
const (
	typedSecret   = "hemmelig-7d1f0a"
	typedPassword = "passord-93b2ce"
)

// wantNoSecret searches an answer, and everything that was logged.
func (s *site) wantNoSecret(t *testing.T, a answer, secrets ...string) {
	t.Helper()
	headers := strings.Builder{}
	if err := a.Header.Write(&headers); err != nil {
		t.Fatal(err)
	}
	for _, secret := range append(secrets, typedSecret, typedPassword) {
		for place, text := range map[string]string{"the answer": a.body, "its headers": headers.String(), "the log": s.log.String()} {
			if strings.Contains(text, secret) {
				t.Errorf("a secret stands in %s to %s", place, a.Request.URL.Path)
			}
		}
	}
}

// TestBadCredentials: what is wrong is told at its field; nothing typed is lost but secrets, which never come back.
func TestBadCredentials(t *testing.T) {
	t.Parallel()
	s, b := newSetup(t)
	pair := newKeyPair(t)
	line := strings.Split(pair.key, "\n")[3] // of the key: enough to know it by
	sms, v1, v2 := s.unused(t, dispatch.IntegrationSMS), s.unused(t, dispatch.IntegrationShipmentV1), s.unused(t, dispatch.IntegrationShipmentV2)
	s.addSet(t, sms, "before") // so that there is something to take over from
	whole := fields("metode", "key", "klient-id", "klienten", "scope", "ks:fiks", "nokkel", pair.key, "kid", "nokkel-1", "handling", "lagre", "bytt", "na")
	secret := fields("metode", "client_secret", "klient-id", "klienten", "hemmelighet", typedSecret, "integrasjon-id", uuid.NewString(), "integrasjon-passord", typedPassword)
	certified := with(whole, "kid", "", "sertifikat", pair.valid)
	encrypted := strings.ReplaceAll(pair.key, "PRIVATE KEY", "ENCRYPTED PRIVATE KEY")

	for _, test := range []struct {
		name  string
		of    dispatch.IntegrationID
		typed url.Values
		field string
		says  string
	}{
		{"a certificate instead of a key", sms, with(whole, "nokkel", pair.valid), "nokkel", "Dette er et sertifikat, ikke en nøkkel."},
		{"a key with a passphrase", sms, with(whole, "nokkel", encrypted), "nokkel", "Nøkkelen er beskyttet med passord."},
		{"a key that is cut off", sms, with(whole, "nokkel", pair.key[:200]), "nokkel", "Dette er ikke en privat nøkkel i PEM-format."},
		{"no key", sms, with(whole, "nokkel", ""), "nokkel", "Lim inn nøkkelen."},
		{"two keys", sms, with(whole, "nokkel", pair.key+pair.key), "nokkel", "Lim inn bare én nøkkel"},
		{"an expired certificate", sms, with(certified, "sertifikat", pair.expired), "sertifikat", "Sertifikatet er utløpt."},
		{"a key instead of a certificate", sms, with(certified, "sertifikat", pair.key), "sertifikat", "Det ligger en privat nøkkel her."},
		{"a key after the certificate", sms, with(certified, "sertifikat", pair.valid+pair.key), "sertifikat", "Det ligger en privat nøkkel her."},
		{"both key id and certificate", sms, with(certified, "kid", "x"), "kid", "Fyll ut enten"},
		{"neither", sms, with(whole, "kid", ""), "kid", "Fyll ut nøkkel-id"},
		{"no scope", sms, with(whole, "scope", " "), "scope", "Skriv inn scope."},
		{"an organisation that is none", sms, with(whole, "konsument", "12 34"), "konsument", "Organisasjonsnummer skal ha ni siffer. Du har skrevet 4."},
		{"no method", sms, with(whole, "metode", ""), "hemmelighet", "Skriv inn hemmelighet."},
		{"Basic, where there is none", sms, with(secret, "metode", "basic"), "metode", "Denne tjenesten tar ikke brukernavn og passord."},
		{"a method that is none", sms, with(secret, "metode", "magi"), "metode", "Velg hvordan integrasjonen logger inn."},
		{"an integration id that is no UUID", sms, with(secret, "integrasjon-id", "123"), "integrasjon-id", "Integrasjonens id er ikke en gyldig UUID."},
		{"a password without an integration", v2, with(secret, "integrasjon-id", ""), "integrasjon-id", "Skriv inn integrasjonens id."},
		{"V2 without a password", v2, with(secret, "integrasjon-passord", ""), "integrasjon-passord", "Skriv inn integrasjonens passord."},
		{"V1 without a user", v1, fields("hemmelighet", typedSecret), "klient-id", "Skriv inn brukernavn."},
		{"V1 without a password", v1, fields("klient-id", "fjordvik"), "hemmelighet", "Skriv inn passord."},
		{"a secret with a line break", v1, fields("klient-id", "fjordvik", "hemmelighet", typedSecret+"\n"), "hemmelighet", "Teksten har linjeskift"},
		{"an end that is no date", sms, with(secret, "utloper", "snart"), "utloper", "Skriv datoen som dd.mm.åååå"},
		{"an end that has passed", sms, with(secret, "utloper", "01.01.2020"), "utloper", "Datoen er passert."},
		{"a switch at no time", sms, with(secret, "bytt", "senere", "bytt-dag", "01.01.2099", "bytt-kl", "25.00"), "bytt-dag", "Skriv dag og klokkeslett"},
		{"a switch that has passed", sms, with(secret, "bytt", "senere", "bytt-dag", "01.01.2020", "bytt-kl", "06.00"), "bytt-dag", "Tidspunktet er passert."},
		{"a switch after the end", sms, with(secret, "utloper", "01.01.2098", "bytt", "senere", "bytt-dag", "01.01.2099", "bytt-kl", "06:00"), "bytt-dag", "Innloggingen utløper før"},
	} {
		at := setup + "/" + string(test.of) + "/tilgang"
		for _, doing := range []string{"lagre", "prov"} {
			typed := with(test.typed, "handling", doing)
			got := b.post(at, typed)
			if says := problems(t, got)[test.field]; got.StatusCode != http.StatusUnprocessableEntity || !strings.HasPrefix(says, test.says) {
				t.Errorf("%s, %s: got %d and %v, want %q at %s", test.name, doing, got.StatusCode, problems(t, got), test.says, test.field)
			}
			kept := []string{"klient-id"}
			if test.of != v1 {
				kept = append(kept, "scope", "kid", "konsument", "integrasjon-id", "utloper")
			}
			if !strings.Contains(typed.Get("sertifikat"), "PRIVATE KEY") && test.of != v1 {
				kept = append(kept, "sertifikat")
			}
			typedStill(t, got, typed, kept...)
			s.wantNoSecret(t, got, line)
			if !strings.Contains(got.body, "Skriv dem inn på nytt før du prøver eller lagrer.") {
				t.Errorf("%s: does not say that secrets are to be typed again", test.name)
			}
		}
		if part := b.post(at, with(test.typed, "handling", "prov"), fragment("prove-resultat")...); part.StatusCode != http.StatusOK || !strings.Contains(part.page(t).Find("#prove-resultat").Text(), test.says) {
			t.Errorf("%s: as a fragment: got %d %q", test.name, part.StatusCode, part.body)
		}
	}
	for id, want := range map[dispatch.IntegrationID]int{sms: 1, v1: 0, v2: 0} {
		if sets, err := registry.In(s.store).Credentials.Sets(t.Context(), id); err != nil || len(sets) != want {
			t.Errorf("%d sets are stored, %v; want %d", len(sets), err, want)
		}
	}
}

// TestCredentialsAreUsedAtOnce: pages ask the service with the credentials that were saved last.
func TestCredentialsAreUsedAtOnce(t *testing.T) {
	t.Parallel()
	s, b := newSetup(t)
	at := setup + "/" + string(s.overV1(t))
	kari := s.browser(t, caseworker)
	asked := func() string {
		kari.get("/k/oppvekst/mottakersystem")
		s.services.mu.Lock()
		defer s.services.mu.Unlock()
		return s.services.password
	}
	before := asked()
	typed := fields("metode", "basic", "klient-id", "klienten", "hemmelighet", typedSecret, "handling", "lagre", "bytt", "na")
	if got := b.post(at+"/tilgang", typed); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("got %d %v", got.StatusCode, problems(t, got))
	}
	if after := asked(); before != "hemmelig" || after != typedSecret {
		t.Error("the service is not asked with what was saved last")
	}
}

// TestCredentialsAreStored: what is typed is used, and never seen again on any page.
func TestCredentialsAreStored(t *testing.T) {
	t.Parallel()
	s, b := newSetup(t)
	pair := newKeyPair(t)
	line := strings.Split(pair.key, "\n")[3]
	id := s.unused(t, dispatch.IntegrationShipmentV2)
	at := setup + "/" + string(id)
	headers := fields("integrasjon-id", uuid.NewString(), "integrasjon-passord", typedPassword, "klient-id", "klienten", "handling", "lagre", "bytt", "na")

	first := b.post(at+"/tilgang", with(headers, "metode", "client_secret", "hemmelighet", typedSecret))
	if says := flash(b.get(first.location()).page(t)); first.StatusCode != http.StatusSeeOther || says != "Innloggingen er lagret" || s.woken.Load() == 0 {
		t.Fatalf("got %d %q", first.StatusCode, says)
	}
	key := with(headers, "metode", "key", "scope", "ks:fiks", "nokkel", pair.key, "sertifikat", pair.valid, "bytt", "senere",
		"bytt-dag", time.Now().In(dispatch.Oslo).AddDate(0, 0, 10).Format("02.01.2006"), "bytt-kl", "06.00")
	if got := b.post(at+"/tilgang", key); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("got %d %v", got.StatusCode, problems(t, got))
	}
	used, err := registry.In(s.store).Credentials.InUse(t.Context(), id)
	if err != nil || used.ClientSecret != typedSecret || used.IntegrationPassword != typedPassword {
		t.Errorf("the first set is not the one in use: %v", err)
	}
	sets, err := registry.In(s.store).Credentials.Sets(t.Context(), id)
	if err != nil || len(sets) != 2 || sets[0].State != dispatch.CredentialNext || sets[0].ExpiresAt.IsZero() {
		t.Fatalf("got %+v, %v; want one that is next, with its certificate's end", sets, err)
	}
	next, err := registry.In(s.store).Credentials.OfSet(t.Context(), id, sets[0].ID)
	if diff := cmp.Diff([]string{strings.TrimSpace(pair.key), strings.TrimSpace(pair.valid)}, []string{next.PrivateKey.Reveal(), next.Certificates}); err != nil || diff != "" {
		t.Errorf("the next set is not what was typed: %v", err)
	}
	if text := b.get(at).page(t).Find("main").Text(); !strings.Contains(text, "Tas i bruk") || !strings.Contains(text, "av Nora Dahl") || !strings.Contains(text, "Utløper om 20 dager") {
		t.Errorf("got %q", text)
	}

	t.Run("nothing shows them", func(t *testing.T) {
		s.services.refuse(dispatch.TrialToken)
		for _, page := range []string{setup, at, at + "/endre", at + "/tilgang", "/admin/levering", "/admin/kontoer", "/admin/kontoer/oppvekst", "/admin/rettigheter"} {
			s.wantNoSecret(t, b.get(page), line, pair.valid[40:90])
		}
		for _, a := range []answer{first, b.post(at+"/prov", fields()), b.post(at+"/tilgang/"+string(sets[0].ID)+"/prov", fields()),
			b.post(at+"/tilgang", with(key, "handling", "prov")), b.post(at+"/tilgang", with(key, "handling", "prov"), fragment("prove-resultat")...)} {
			s.wantNoSecret(t, a, line)
		}
	})
	t.Run("a trial of what is typed stores nothing", func(t *testing.T) {
		again, err := registry.In(s.store).Credentials.Sets(t.Context(), id)
		if err != nil || len(again) != 2 {
			t.Errorf("there are %d sets, %v", len(again), err)
		}
		if last := dispatch.LastTried(again); last.TriedFailed != dispatch.TrialToken {
			t.Errorf("the trial of the set in use is not kept: %+v", last)
		}
	})
	t.Run("one that waits for its time is deleted by the next, and all say so", func(t *testing.T) {
		wantWords(t, b.get(at+"/tilgang"), "En annen innlogging er lagt inn og skal ta over", "Den blir slettet når du lagrer denne.")
		saved := b.post(at+"/tilgang", key)
		if says := flash(b.get(saved.location()).page(t)); says != "Innloggingen er lagret. Den som skulle ta over, er slettet." {
			t.Errorf("got %q", says)
		}
		if n := s.number(t, `SELECT count(*) FROM audit_events WHERE action = 'integration.credentials.wipe' AND details ->> 'credentials' = $1 AND actor_id IS NOT NULL`, sets[0].ID); n != 1 {
			t.Errorf("the log has %d lines of the deletion", n)
		}
	})
}

// TestSecretsThatWereNotTyped: the form says that a secret is set only where the set in use has one for sure.
func TestSecretsThatWereNotTyped(t *testing.T) {
	t.Parallel()
	s, b := newSetup(t)
	secret := fields("metode", "client_secret", "klient-id", "klienten", "hemmelighet", typedSecret, "handling", "lagre", "bytt", "na")
	headers := with(secret, "integrasjon-id", uuid.NewString(), "integrasjon-passord", typedPassword)
	key := with(secret, "metode", "key", "scope", "ks:fiks", "nokkel", newKeyPair(t).key, "kid", "nokkel-1", "hemmelighet", "")
	for _, test := range []struct {
		name             string
		kind             dispatch.IntegrationKind
		typed            url.Values
		secret, password bool
	}{
		{"SMS without a password", dispatch.IntegrationSMS, secret, true, false},
		{"SMS with a key", dispatch.IntegrationSMS, key, false, false},
		{"shipments", dispatch.IntegrationShipmentV2, headers, true, true},
	} {
		at := setup + "/" + string(s.unused(t, test.kind)) + "/tilgang"
		if got := b.post(at, test.typed); got.StatusCode != http.StatusSeeOther {
			t.Fatalf("%s: got %d %v", test.name, got.StatusCode, problems(t, got))
		}
		page := b.get(at).page(t)
		for field, want := range map[string]bool{"hemmelighet": test.secret, "integrasjon-passord": test.password} {
			if text := page.Find(".ds-field:has(#" + field + ")").Text(); strings.Contains(text, "av Nora Dahl") != want {
				t.Errorf("%s: at %s it says %q", test.name, field, text)
			}
		}
	}
}
