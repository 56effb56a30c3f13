package handlers_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store/registry"
	"utsending/internal/store/storetest"
)

const accountSetup = "/admin/kontoer"

func TestAccountIsMadeAndChanged(t *testing.T) {
	t.Parallel()
	s, b := newSetup(t)
	sms := string(s.oppvekst.Integration.ID)
	form := fields("navn", "Kultur og idrett", "kortnavn", "kultur", "orgnr", "", "angre", "30", "sms-integrasjon", sms, "sms-konto-id", uuid.NewString(),
		"avsender", "Fjordvik", "forsendelse-konto-id", "", "avgivende-system", "Utsending", "ensidig", "true")
	typed := []string{"navn", "kortnavn", "orgnr", "angre", "sms-konto-id", "avsender", "forsendelse-konto-id", "ensidig"}

	for _, test := range []struct {
		name string
		form url.Values
		want map[string]string
	}{
		{"a kontoId that is no UUID", with(form, "sms-konto-id", "123", "forsendelse-konto-id", "{"+uuid.NewString()+"}"), map[string]string{
			"sms-konto-id":         "Skriv en konto-id som 5f2d7c44-91b8-4e0c-8d7e-6a3b1f90ce02.",
			"forsendelse-konto-id": "Skriv en konto-id som 5f2d7c44-91b8-4e0c-8d7e-6a3b1f90ce02."}},
		{"no name, no short name, no window", with(form, "navn", " ", "kortnavn", "Æ", "angre", "en time"), map[string]string{
			"navn": "Skriv inn navnet på kontoen.", "kortnavn": "Skriv et kortnavn av små bokstaver, tall og bindestrek.", "angre": "Angrefristen skal være fra 0 til 3\u00a0600 sekunder."}},
		{"a short name that is an address of ours", with(form, "kortnavn", "ny"), map[string]string{"kortnavn": "Skriv et kortnavn av små bokstaver, tall og bindestrek."}},
		{"a short name that is taken", with(form, "kortnavn", "oppvekst"), map[string]string{"kortnavn": "En annen konto har dette kortnavnet."}},
		{"a name that is taken", with(form, "navn", " "+strings.ToUpper(strings.ReplaceAll(s.oppvekst.Account.Name, " ", "  "))), map[string]string{"navn": "En annen konto har dette navnet."}},
		{"a sender of one shipment", with(form, "avsender", "F"), map[string]string{"avsender": "Avsendernavnet skal ha 2 til 11 tegn."}},
		{"an organisation whose check digit is wrong", with(form, "orgnr", "123456789"), map[string]string{"orgnr": "Nummeret er ikke gyldig. Se etter om noen sifre er byttet om."}},
		{"an organisation that is none", with(form, "orgnr", "12345678"), map[string]string{"orgnr": "Organisasjonsnummer skal ha ni siffer. Du har skrevet 8."}},
		{"an integration that is gone", with(form, "sms-integrasjon", uuid.NewString()), map[string]string{"sms-integrasjon": "Integrasjonen finnes ikke lenger."}},
		{"an integration of shipments", with(form, "sms-integrasjon", string(s.unused(t, dispatch.IntegrationShipmentV1))), map[string]string{"sms-integrasjon": "Integrasjonen finnes ikke lenger."}},
	} {
		got := b.post(accountSetup+"/ny", test.form)
		if diff := cmp.Diff(test.want, problems(t, got)); got.StatusCode != http.StatusUnprocessableEntity || diff != "" {
			t.Errorf("%s: got %d, problems (-want +got):\n%s", test.name, got.StatusCode, diff)
		}
		typedStill(t, got, test.form, typed...)
	}

	made := b.post(accountSetup+"/ny", form)
	at := made.location()
	page := b.get(at).page(t)
	if at != accountSetup+"/kultur" || heading(page) != "Kultur og idrett" || flash(page) != "Kontoen er laget" {
		t.Fatalf("got %q, %q, %q", at, heading(page), flash(page))
	}
	typedStill(t, b.get(at), form, "navn", "angre", "sms-integrasjon", "sms-konto-id", "avsender", "ensidig")

	t.Run("of two who save at once, the second is told, and may save again", func(t *testing.T) {
		first := with(form, "versjon", b.get(at).page(t).Find("[name=versjon]").First().AttrOr("value", ""), "navn", "Den første")
		if got := b.post(at, first).StatusCode; got != http.StatusSeeOther {
			t.Fatalf("the first got %d", got)
		}
		second := with(first, "navn", "Den andre", "kortnavn", "noe-annet")
		got := b.post(at, second)
		if says := problems(t, got)["angre"]; got.StatusCode != http.StatusUnprocessableEntity || !strings.HasPrefix(says, "Noen andre lagret mens du skrev.") {
			t.Fatalf("the second got %d %q", got.StatusCode, says)
		}
		if strings.Contains(got.body, "Andre valg i skjemaet") {
			t.Error("the second is told of other differences than the name")
		}
		typedStill(t, got, second, "navn", "angre", "sms-konto-id")
		b.post(at, with(second, "versjon", got.page(t).Find("[name=versjon]").First().AttrOr("value", "")))
		if got := heading(b.get(at).page(t)); got != "Den andre" {
			t.Errorf("the account is called %q", got)
		}
		if got := b.get("/admin/logg?type=setup").page(t).Find("tbody").Text(); !strings.Contains(got, "Navn: fra Kultur og idrett til Den første") {
			t.Errorf("the log does not say what was changed: %q", got)
		}
		if got := b.get(accountSetup + "/noe-annet").StatusCode; got != http.StatusNotFound {
			t.Errorf("its short name has changed")
		}
	})
	t.Run("it is closed and opened again", func(t *testing.T) {
		state := func() string { return strings.TrimSpace(b.get(at).page(t).Find(".head .ds-tag").Text()) }
		version := func() url.Values {
			return fields("versjon", b.get(at).page(t).Find("[name=versjon]").First().AttrOr("value", ""))
		}
		if before := version(); b.post(at+"/deaktiver", with(before, "begrunnelse", "Avdelingen er lagt ned")).StatusCode != http.StatusSeeOther || state() != "Deaktivert" {
			t.Errorf("the account is %q", state())
		} else if says := flash(b.get(b.post(at+"/aktiver", before).location()).page(t)); !strings.HasPrefix(says, "Noen andre") || state() != "Deaktivert" {
			t.Errorf("a second administrator who has not seen it: %q", says)
		}
		if b.post(at+"/aktiver", version()); state() != "Aktiv" {
			t.Errorf("the account is %q", state())
		}
	})
}

func TestUnknownAccounts(t *testing.T) {
	t.Parallel()
	_, b := newSetup(t)
	for _, r := range table {
		if !strings.HasPrefix(r.path, accountSetup+"/:konto") {
			continue
		}
		for _, slug := range []string{"nothing", "%00", uuid.NewString()} {
			if got := b.do(r.method, strings.Replace(r.path, ":konto", slug, 1), formType, whole().Encode()).StatusCode; got != http.StatusNotFound {
				t.Errorf("%s %s of %q: got %d, want 404", r.method, r.path, slug, got)
			}
		}
	}
}

// TestAccountsMove: several accounts move at once, those that are ready.
func TestAccountsMove(t *testing.T) {
	t.Parallel()
	s, b := newSetup(t)
	v1, v3 := s.unused(t, dispatch.IntegrationShipmentV1), s.unused(t, dispatch.IntegrationShipmentV3)
	s.addSet(t, v1, "x")
	s.addSet(t, v3, "y")
	kinds := func() map[string]dispatch.IntegrationKind {
		t.Helper()
		accounts, err := registry.In(s.store).Accounts.List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		all := map[string]dispatch.IntegrationKind{}
		for _, a := range accounts {
			all[a.Slug] = a.ShipmentKind
		}
		return all
	}
	const at = "/admin/generasjoner"
	choose := func(to dispatch.IntegrationID, slugs ...string) url.Values {
		v := url.Values{"integrasjon": {string(to)}}
		v["konto"] = slugs
		return v
	}
	if says := problems(t, b.post(at+"/prov", url.Values{})); says["integrasjon"] == "" || says["konto"] == "" {
		t.Errorf("nothing chosen: got %q", says)
	}
	b.post(at, choose(v1, "oppvekst", "helse"))
	if got := kinds(); got["oppvekst"] != dispatch.IntegrationShipmentV1 || got["helse"] != dispatch.IntegrationShipmentV1 {
		t.Fatalf("got %v, want both on V1", got)
	}
	page := b.get(at).page(t).Find("main").Text()
	if !strings.Contains(page, "Forsendelse V1 legges ned rundt årsskiftet, og kan bli borte fra") || !strings.Contains(page, "2 kontoer bruker den.") {
		t.Errorf("got %q, want how long V1 has", page)
	}
	if _, err := storetest.DB(t, s.database).ExecContext(t.Context(), `UPDATE accounts SET shipment_account_id = gen_random_uuid() WHERE slug = 'helse'`); err != nil {
		t.Fatal(err)
	}
	tried := b.post(at+"/prov", choose(v3, "oppvekst", "helse")).page(t)
	for _, want := range []string{"Tjenesten krever konto-id", "Kontoen er klar til å flyttes.", "Utskrift i farger", "Flytt 1 konto"} {
		if text := tried.Find("main").Text(); !strings.Contains(text, want) {
			t.Errorf("got %q, want %q", text, want)
		}
	}
	b.post(at, choose(v3, "oppvekst", "helse"))
	if got := kinds(); got["oppvekst"] != dispatch.IntegrationShipmentV1 || got["helse"] != dispatch.IntegrationShipmentV3 {
		t.Errorf("got %v, want the one that is ready on V3", got)
	}
	others := b.post(at+"/prov", choose(v1, "helse")).page(t).Find("main details")
	if text := others.Text(); !strings.Contains(text, "Dette kommer til") || !strings.Contains(text, "andre forskjeller mellom generasjonene") || others.AttrOr("open", "no") != "no" {
		t.Errorf("got %q, want what comes back on V1, folded", text)
	}
	b.post(at, choose(v1, "helse"))
	if got := kinds(); got["helse"] != dispatch.IntegrationShipmentV1 {
		t.Errorf("got %v, want it back on V1", got)
	}
}

// TestSwitch: an account's shipments are moved only after a test that the new integration accepts them.
func TestSwitch(t *testing.T) {
	t.Parallel()
	s, b := newSetup(t)
	v1, v2, bare := s.unused(t, dispatch.IntegrationShipmentV1), s.unused(t, dispatch.IntegrationShipmentV2), s.unused(t, dispatch.IntegrationShipmentV1)
	s.addSet(t, v1, "x")
	s.addSet(t, v2, "y")
	const at = accountSetup + "/oppvekst/bytt"
	over := func() dispatch.IntegrationID {
		t.Helper()
		accounts, err := registry.In(s.store).Accounts.List(t.Context())
		i := slices.IndexFunc(accounts, func(a dispatch.Account) bool { return a.Slug == "oppvekst" })
		if err != nil || i < 0 {
			t.Fatalf("no account: %v", err)
		}
		return accounts[i].ShipmentIntegration
	}
	version := func() string {
		return b.get(accountSetup+"/oppvekst").page(t).Find("[name=versjon]").First().AttrOr("value", "")
	}
	to := func(id dispatch.IntegrationID) url.Values {
		return fields("integrasjon", string(id), "versjon", version())
	}

	first := b.get(at).page(t)
	if title := first.Find("h1").Text(); title != "Koble kontoen til en integrasjon for forsendelser" || first.Find("[name=integrasjon] option[value=ingen]").Length() != 0 {
		t.Errorf("an account without an integration: %q, or it can choose none", title)
	}
	for name, test := range map[string]struct {
		to   dispatch.IntegrationID
		want string
	}{
		"V2 without the account's id": {v2, "Tjenesten krever konto-id for forsendelser på kontoen."},
		"one without credentials":     {bare, "Integrasjonen mangler innlogging. Legg den inn først."},
		"one that is gone":            {dispatch.IntegrationID(uuid.NewString()), "Integrasjonen finnes ikke lenger."},
		"one of SMS":                  {s.oppvekst.Integration.ID, "Integrasjonen finnes ikke lenger."},
		"none, as now":                {"ingen", "Kontoen bruker allerede denne."},
		"no choice":                   {"", "Velg hvor kontoens forsendelser skal flyttes."},
	} {
		for _, path := range []string{at, at + "/prov"} {
			got := b.post(path, to(test.to))
			if says := problems(t, got)["integrasjon"]; got.StatusCode != http.StatusUnprocessableEntity || says != test.want || over() != "" {
				t.Errorf("%s: got %d %q", name, got.StatusCode, says)
			}
		}
	}
	t.Run("a trial that fails offers no switch, and none is made", func(t *testing.T) {
		s.services.refuse(dispatch.TrialCredentials)
		page := b.post(at+"/prov", to(v1)).page(t)
		if text := page.Find("#prove-resultat").Text(); !strings.Contains(text, "Tjenesten avviser innloggingen vår.") || page.Find(`form[action="`+at+`"]`).Length() != 0 {
			t.Errorf("got %q", text)
		}
		if got := b.post(at, to(v1)).StatusCode; got != http.StatusUnprocessableEntity || over() != "" {
			t.Errorf("got %d", got)
		}
	})
	t.Run("one that goes well offers it", func(t *testing.T) {
		s.services.refuse("")
		form := b.post(at+"/prov", to(v1)).page(t).Find(`form[action="` + at + `"]`)
		if form.Find("[name=integrasjon]").AttrOr("value", "") != string(v1) || over() != "" {
			t.Fatal("the switch is not offered, or made already")
		}
		seen := to(v1)
		if got := b.post(at, seen); got.location() != accountSetup+"/oppvekst" || over() != v1 {
			t.Errorf("got %d to %q", got.StatusCode, got.location())
		}
		seen.Set("integrasjon", "ingen")
		if says := flash(b.get(b.post(at, seen).location()).page(t)); !strings.HasPrefix(says, "Noen andre") || over() != v1 {
			t.Errorf("a second administrator with the older page: %q", says)
		}
	})
	t.Run("and back to none, with nothing to try", func(t *testing.T) {
		s.services.refuse(dispatch.TrialCredentials)
		if text := b.post(at+"/prov", to("ingen")).page(t).Find("main").Text(); !strings.Contains(text, "Slutt å sende forsendelser fra kontoen") {
			t.Errorf("got %q", text)
		}
		if b.post(at, to("ingen")); over() != "" {
			t.Error("the account still sends shipments")
		}
	})
}
