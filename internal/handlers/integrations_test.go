package handlers_test

import (
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store/registry"
)

const setup = "/admin/integrasjoner"

// with changes fields of a form.
func with(form url.Values, pairs ...string) url.Values {
	form = maps.Clone(form)
	for i := 0; i+1 < len(pairs); i += 2 {
		form.Set(pairs[i], pairs[i+1])
	}
	return form
}

// typedStill checks that a page's fields keep typed values.
func typedStill(t *testing.T, a answer, form url.Values, names ...string) {
	t.Helper()
	page := a.page(t)
	for _, name := range names {
		field := page.Find(`[name="` + name + `"]`)
		got := field.AttrOr("value", "")
		switch {
		case field.Is("textarea"):
			got = field.Text()
		case field.Is("select"):
			got = field.Find("option[selected]").AttrOr("value", "")
		case field.Is("[type=radio], [type=checkbox]"):
			got = page.Find(`[name="`+name+`"][checked]`).AttrOr("value", "")
		}
		if got != form.Get(name) {
			t.Errorf("%s holds %q, want %q", name, got, form.Get(name))
		}
	}
}

func TestIntegrationIsMadeAndChanged(t *testing.T) {
	t.Parallel()
	s, b := newSetup(t)
	form := fields("navn", "SMS for kommunen", "tjeneste", smsService, "samtidige", "8", "takt", "2,5")

	t.Run("nothing that is wrong is stored, and nothing typed is lost", func(t *testing.T) {
		for _, test := range []struct {
			name  string
			typed url.Values
			want  map[string]string
		}{
			{"all wrong", fields("samtidige", "åtte", "takt", "0"), map[string]string{
				"tjeneste": "Velg en tjeneste.", "navn": "Skriv inn et navn på integrasjonen.", "samtidige": "Samtidige kall skal være et helt tall fra 1 til 1\u00a0000.",
				"takt": "Kall i sekundet skal være et tall over 0 og høyst 1\u00a0000."}},
			{"a service that is not configured", with(form, "tjeneste", "https://evil.example"), map[string]string{"tjeneste": "Velg en tjeneste."}},
			{"too long a name", with(form, "navn", strings.Repeat("å", 101)), map[string]string{"navn": "Navnet er for langt. Høyst 100 tegn."}},
			{"a name that is taken", with(form, "navn", s.oppvekst.Integration.Name), map[string]string{"navn": "En annen integrasjon har dette navnet."}},
			{"not a number", with(form, "takt", "NaN"), map[string]string{"takt": "Kall i sekundet skal være et tall over 0 og høyst 1\u00a0000."}},
		} {
			got := b.post(setup+"/ny", test.typed)
			if diff := cmp.Diff(test.want, problems(t, got)); got.StatusCode != http.StatusUnprocessableEntity || diff != "" {
				t.Errorf("%s: got %d, problems (-want +got):\n%s", test.name, got.StatusCode, diff)
			}
			typedStill(t, got, test.typed, "navn", "samtidige", "takt")
		}
		if all, err := registry.In(s.store).Integrations.List(t.Context()); err != nil || len(all) != 2 {
			t.Errorf("there are %d integrations, %v; want the two of the accounts", len(all), err)
		}
	})

	made := b.post(setup+"/ny", form)
	at := made.location()
	page := b.get(at).page(t)
	if made.StatusCode != http.StatusSeeOther || heading(page) != "Integrasjon: SMS for kommunen" || flash(page) != "Integrasjonen er laget. Legg inn innloggingen." {
		t.Fatalf("got %d, %q, %q", made.StatusCode, heading(page), flash(page))
	}
	t.Run("its address is the configured one", func(t *testing.T) {
		if text := page.Find("main").Text(); !strings.Contains(text, s.services.URL) || !strings.Contains(text, "Mangler innlogging") {
			t.Errorf("got %q", text)
		}
	})
	t.Run("of two who save at once, the second is told, and may save again", func(t *testing.T) {
		edit := b.get(at + "/endre").page(t)
		version := edit.Find("[name=versjon]").AttrOr("value", "")
		typed := with(form, "versjon", version, "samtidige", "9")
		if got := b.post(at+"/endre", with(typed, "navn", "Den første")); got.StatusCode != http.StatusSeeOther {
			t.Fatalf("the first got %d", got.StatusCode)
		}
		second := with(typed, "navn", "Den andre")
		got := b.post(at+"/endre", second)
		if says := problems(t, got)["navn"]; got.StatusCode != http.StatusUnprocessableEntity || !strings.HasPrefix(says, "Noen andre lagret mens du skrev.") {
			t.Fatalf("the second got %d %q", got.StatusCode, says)
		}
		typedStill(t, got, second, "navn", "samtidige", "takt")
		again := with(second, "versjon", got.page(t).Find("[name=versjon]").AttrOr("value", ""))
		if got := b.post(at+"/endre", again); got.StatusCode != http.StatusSeeOther || heading(b.get(at).page(t)) != "Integrasjon: Den andre" {
			t.Errorf("the second got %d when saving again", got.StatusCode)
		}
	})
	t.Run("it cannot take another's name", func(t *testing.T) {
		version := b.get(at+"/endre").page(t).Find("[name=versjon]").AttrOr("value", "")
		if got := problems(t, b.post(at+"/endre", with(form, "versjon", version, "navn", s.helse.Integration.Name)))["navn"]; got != "En annen integrasjon har dette navnet." {
			t.Errorf("got %q", got)
		}
	})
}

// TestWireOfTheService: the service's configuration overrides the checkbox.
func TestWireOfTheService(t *testing.T) {
	t.Parallel()
	s, b := newSetup(t)
	at := b.post(setup+"/ny", fields("navn", "V1", "tjeneste", v1Service, "samtidige", "1", "takt", "1", "uten-id", "true")).location()
	in, err := registry.In(s.store).Integrations.ByID(t.Context(), dispatch.IntegrationID(strings.TrimPrefix(at, setup+"/")))
	if err != nil || in.Wire != "deployed" || in.ReserveIDs || in.Kind != dispatch.IntegrationShipmentV1 {
		t.Errorf("got %+v, %v", in, err)
	}
}

// TestUnusedIsNoAlarm: an integration that no account uses alarms nobody when it is refused, and tells that nobody uses it. An alarm that
// has begun lasts as long as the refusal does, and says that nothing waits for it.
func TestUnusedIsNoAlarm(t *testing.T) {
	t.Parallel()
	s, b := newSetup(t)
	unused, used := s.unused(t, dispatch.IntegrationShipmentV2), s.oppvekst.Integration.ID
	alarms := func(id dispatch.IntegrationID) (banners, conditions int) {
		t.Helper()
		s.run(t, `UPDATE integrations SET refused_at = CASE WHEN id = $1 THEN now() END, refused_key = CASE WHEN id = $1 THEN 'reason.unauthorized' ELSE '' END`, id)
		list, err := registry.In(s.store).Alarms.List(t.Context(), time.Now())
		if err != nil {
			t.Fatal(err)
		}
		return b.get(setup).page(t).Find(".ds-alert[data-color=danger]").Length(), len(list)
	}
	if banners, conditions := alarms(used); banners != 1 || conditions != 1 {
		t.Errorf("used: %d banners, %d conditions", banners, conditions)
	}
	if banners, conditions := alarms(unused); banners != 0 || conditions != 0 {
		t.Errorf("unused: %d banners, %d conditions", banners, conditions)
	}
	wantWords(t, b.get(setup+"/"+string(unused)), "Tjenesten avviser innloggingen vår.", "Ingen konto bruker den.")
	begun := []dispatch.Condition{{Kind: dispatch.AlarmRefused, Integration: unused, Since: time.Now().Add(-time.Hour)}}
	if err := registry.In(s.store).Alarms.SeeConditions(t.Context(), nil, begun, registry.Channels{}, time.Now()); err != nil {
		t.Fatal(err)
	}
	text := b.get("/admin/varsler").page(t).Find("section[aria-labelledby=varer] tbody tr").Text()
	if !strings.Contains(text, "Tjenesten avviser innloggingen til integrasjonen") || !strings.Contains(text, "Ingen konto bruker den, så ingenting venter.") {
		t.Errorf("what lasts says %q", text)
	}
}

// TestOpeningWhatWasRefused: opening an integration that was refused promises nothing about what waits.
func TestOpeningWhatWasRefused(t *testing.T) {
	t.Parallel()
	s, b := newSetup(t)
	at := setup + "/" + string(s.oppvekst.Integration.ID)
	s.queued(t, caseworker, message("Hei der"))
	s.run(t, `UPDATE integrations SET stopped_at = now(), refused_at = now(), refused_key = 'reason.unauthorized' WHERE id = $1`, s.oppvekst.Integration.ID)
	wantWords(t, b.get(at+"/apne"), "1 utsending venter. Tjenesten avviste innloggingen sist. Er den ikke rettet, blir utsendingen liggende.")
	s.run(t, `UPDATE integrations SET refused_at = NULL, refused_key = '' WHERE id = $1`, s.oppvekst.Integration.ID)
	wantWords(t, b.get(at+"/apne"), "1 utsending som venter, sendes med en gang.")
}

func TestIntegrationIsDeleted(t *testing.T) {
	t.Parallel()
	s, b := newSetup(t)
	used, unused := setup+"/"+string(s.oppvekst.Integration.ID), setup+"/"+string(s.unused(t, dispatch.IntegrationShipmentV2))

	if got := b.get(used).page(t).Find(`a[href$="/slett"]`).Length(); got != 0 {
		t.Error("one that is used is offered to be deleted")
	}
	got := b.post(used+"/slett", because)
	if says := problems(t, got)["virkning"]; got.StatusCode != http.StatusConflict || !strings.HasPrefix(says, "Integrasjonen kan ikke slettes, for kontoer bruker den.") {
		t.Errorf("one that is used: got %d %q", got.StatusCode, says)
	}
	if page := b.get(used + "/slett").page(t).Find("main"); strings.Contains(page.Text(), "Dette skjer") || page.Find(`#virkning a[href="`+used+`"]`).Length() != 1 {
		t.Errorf("one that cannot be deleted tells what happens: %q", page.Text())
	}
	if page := b.get(unused).page(t); !strings.Contains(page.Find("main").Text(), "Ingen konto bruker denne integrasjonen.") || page.Find(`a[href$="/slett"]`).Length() != 1 {
		t.Error("one that nobody uses does not say so")
	}
	b.post(unused+"/slett", because)
	if got := b.get(unused).StatusCode; got != http.StatusOK {
		t.Errorf("one administrator alone has deleted it: %d", got)
	}
	tor := s.secondAdmin(t)
	got = tor.post(tor.get("/admin/godkjenning").page(t).Find(`form[action$="/godkjenn"]`).AttrOr("action", ""), fields())
	if says := flash(tor.get(got.location()).page(t)); says != "Godkjent og utført" {
		t.Errorf("one that nobody uses: got %q, %q", got.location(), says)
	}
	if got := b.get(unused).StatusCode; got != http.StatusNotFound {
		t.Errorf("it is answered with %d afterwards", got)
	}
}

func TestUnknownIntegrations(t *testing.T) {
	t.Parallel()
	s, b := newSetup(t)
	known := string(s.unused(t, dispatch.IntegrationSMS))
	for _, r := range table {
		if !strings.HasPrefix(r.path, setup+"/:id") {
			continue
		}
		for _, id := range []string{uuid.NewString(), "x", "%00"} {
			address := strings.NewReplacer(":id", id, ":sett", uuid.NewString()).Replace(r.path)
			if got := b.do(r.method, address, formType, whole().Encode()).StatusCode; got != http.StatusNotFound {
				t.Errorf("%s %s of %q: got %d, want 404", r.method, r.path, id, got)
			}
		}
	}
	for _, set := range []string{uuid.NewString(), "x"} {
		if got := b.post(setup+"/"+known+"/tilgang/"+set+"/prov", fields()).StatusCode; got != http.StatusNotFound {
			t.Errorf("set %q: got %d, want 404", set, got)
		}
	}
}

// TestTrial: the steps of a connection test are on the page, and stored.
func TestTrial(t *testing.T) {
	t.Parallel()
	s, b := newSetup(t)
	id := s.unused(t, dispatch.IntegrationSMS)
	at := setup + "/" + string(id)

	got := b.post(at+"/prov", fields())
	if says := problems(t, got)["tilgang"]; got.StatusCode != http.StatusUnprocessableEntity || says != "Integrasjonen mangler innlogging. Legg den inn først." {
		t.Errorf("without credentials: got %d %q", got.StatusCode, says)
	}
	set := s.addSet(t, id, "token")
	s.run(t, `UPDATE accounts SET sms_integration_id = $2 WHERE id = $1`, s.oppvekst.Account.ID, id) // one to try
	failures := map[dispatch.TrialStep]struct{ service, says string }{
		dispatch.TrialSettings: {"borte", "Tjenesten står ikke i oppsettet av programmet"}, dispatch.TrialName: {unnamedService, "Navnet på tjenesten finnes ikke."},
		dispatch.TrialTLS: {closedService, "Vi får ikke kontakt med tjenesten."}, dispatch.TrialToken: {smsService, "Tjenesten avviser innloggingen vår."},
		dispatch.TrialCredentials: {smsService, "Tjenesten avviser innloggingen vår."},
		dispatch.TrialAccount:     {smsService, "Konto: Konto oppvekst: Tjenesten sier at integrasjonen ikke har tilgang til kontoen."},
	}
	steps := []dispatch.TrialStep{dispatch.TrialSettings, dispatch.TrialName, dispatch.TrialTLS, dispatch.TrialToken, dispatch.TrialCredentials, dispatch.TrialAccount}
	for i, failing := range steps {
		test := failures[failing]
		s.run(t, `UPDATE integrations SET service = $2 WHERE id = $1`, id, test.service)
		s.services.refuse(failing)
		result := b.post(at+"/prov", fields()).page(t).Find("#prove-resultat")
		says := "Tilkoblingen virker ikke"
		if failing == dispatch.TrialAccount {
			says = "Tilkoblingen virker, men ikke for kontoen"
		}
		if lines := result.Find("li"); lines.Length() != i+1 || result.Find("h3").Text() != says || !strings.Contains(lines.Last().Text(), test.says) {
			t.Errorf("%s: the page says %q", failing, result.Text())
		}
		sets, err := registry.In(s.store).Credentials.Sets(t.Context(), id)
		if last := dispatch.LastTried(sets); err != nil || last.TriedFailed != failing || last.TriedAt.IsZero() {
			t.Errorf("%s: stored %+v, %v", failing, sets, err)
		}
		if text := b.get(at).page(t).Find("#tilstand").Parent().Parent().Text(); !strings.Contains(text, "Siste prøve feilet") {
			t.Errorf("%s: the page says %q afterwards", failing, text)
		}
	}
	s.services.refuse("")
	if text := b.post(at+"/prov", fields()).page(t).Find("#prove-resultat h3").Text(); text != "Tilkoblingen virker" {
		t.Errorf("got %q", text)
	}
	if text := b.get(at).page(t).Find(".status-now").Text(); strings.TrimSpace(text) != "Virker" {
		t.Errorf("afterwards: %q", text)
	}
	t.Run("a set that is not used is tried without a word about the one that is", func(t *testing.T) {
		s.addSet(t, id, "newer")
		s.services.refuse(dispatch.TrialToken)
		page := b.post(at+"/tilgang/"+string(set)+"/prov", fields()).page(t)
		if text := page.Find("#prove-resultat").Text(); !strings.Contains(text, "Tilkoblingen virker ikke") || !strings.Contains(text, "med innloggingen fra") {
			t.Errorf("got %q", text)
		}
		row := b.get(at).page(t).Find("tr:contains('I reserve')").Text()
		if !strings.Contains(row, "Prøvd i dag kl. ") || !strings.Contains(row, ": virket ikke.") {
			t.Errorf("its row says %q", row)
		}
		if text := strings.TrimSpace(b.get(at).page(t).Find(".status-now").Text()); text != "Ikke prøvd" {
			t.Errorf("of the one in use it says %q", text)
		}
	})
}

func TestRotation(t *testing.T) {
	t.Parallel()
	s, b := newSetup(t)
	id := s.unused(t, dispatch.IntegrationSMS)
	at := setup + "/" + string(id)
	old := s.addSet(t, id, "old")
	fresh := s.addSet(t, id, "fresh")
	act := func(set dispatch.CredentialID, path, says string) {
		t.Helper()
		got := b.post(at+"/tilgang/"+string(set)+path, because)
		if message := flash(b.get(got.location()).page(t)); !strings.HasPrefix(message, says) {
			t.Errorf("%s: got %d %q, want %q", path, got.StatusCode, message, says)
		}
	}
	used := func(want dispatch.Secret) {
		t.Helper()
		c, err := registry.In(s.store).Credentials.InUse(t.Context(), id)
		if err != nil || c.ClientSecret != want {
			t.Errorf("another set is used: %v", err)
		}
	}
	states := func(want string) {
		t.Helper()
		var got []string
		b.get(at).page(t).Find("#tilgang").Closest("section").Find("tbody .ds-tag").Each(func(_ int, tag *goquery.Selection) { got = append(got, strings.TrimSpace(tag.Text())) })
		if strings.Join(got, ", ") != want {
			t.Errorf("the page says %q, want %q", got, want)
		}
	}
	const nowUsed, wiped, late = "Innloggingen er tatt i bruk", "Innloggingen er slettet for godt", "Noen andre har allerede endret dette."
	states("I bruk, I reserve")
	act(fresh, "/bruk", late)
	if says := problems(t, b.post(at+"/tilgang/"+string(fresh)+"/slett", because))["virkning"]; says != "Denne innloggingen er i bruk nå. Ta i bruk en annen først." {
		t.Errorf("one that is used is wiped: %q", says)
	}
	act(old, "/bruk", nowUsed)
	used("old")
	states("I reserve, I bruk")
	act(fresh, "/slett", wiped)
	act(fresh, "/slett", late)
	act(fresh, "/bruk", late)
	states("Slettet, I bruk")
	used("old")
	if got := b.post(at+"/tilgang/"+string(fresh)+"/prov", fields()).StatusCode; got != http.StatusNotFound {
		t.Errorf("one that is wiped is tried: %d", got)
	}
	if _, err := registry.In(s.store).Credentials.OfSet(t.Context(), id, fresh); err == nil {
		t.Error("what was wiped is still there")
	}
}
