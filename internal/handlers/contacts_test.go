package handlers_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store/storetest"
)

const (
	useless = "02813299991"
	unknown = "02813299992"
)

// noLookup is the heading of one problem that stopped a look-up.
const noLookup = "Du må rette én feil før du kan slå opp"

// headed is the heading of a page's problems.
func (a answer) headed(t *testing.T) string { return squeezed(a.page(t).Find(".ds-error-summary h2")) }

// lookups are the lines of the event log about look-ups.
func (s *site) lookups(t *testing.T) (lines []string) {
	t.Helper()
	rows, err := storetest.DB(t, s.database).Query(`SELECT concat_ws(' ', details->>'asked', details->>'purpose', object_id IS NOT NULL) FROM audit_events WHERE action = 'lookup' ORDER BY id`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	return lines
}

func TestContactOfOneSMS(t *testing.T) {
	t.Parallel()
	known := knowing()
	s := newSiteWith(t, siteOptions{register: known})
	b := s.browser(t, caseworker)
	const at = "/k/oppvekst/sms/ny"
	form := func(number, purpose string) answer {
		return b.post(at, fields("nokkel", uuid.NewString(), "mottaker", "fnr", "fnr", number, "tekst", "Hei på deg", "formal", purpose, "neste", "oppslag"))
	}
	wantWords(t, b.get(at), "Kan mottakeren nås?", "Slå opp mottakeren")
	wantWords(t, form(somebody, why), "Kan nås på SMS", "Det er ikke sikkert at meldingen kommer frem.", "Svaret blir ikke lagret.", "Hei på deg")
	wantWords(t, form(noOne, why), "Ikke funnet", "Registeret har ikke noe nummer for mottakeren.")
	if got := form(somebody, ""); got.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(got.body, "Skriv inn formålet.") {
		t.Errorf("without a purpose: %d", got.StatusCode)
	}
	wantWords(t, form("123", ""), "Du må rette to feil før du kan slå opp", "Skriv inn formålet.")
	for _, got := range []answer{form(somebody, ""), form("123", why)} {
		if got.StatusCode != http.StatusUnprocessableEntity || got.headed(t) != noLookup {
			t.Errorf("without a purpose, or a number: %d %q", got.StatusCode, got.headed(t))
		}
		if _, unfolded := got.page(t).Find("#kan-nas").Attr("open"); !unfolded {
			t.Error("the panel is folded around what was typed in it")
		}
	}
	wantWords(t, b.post(at, fields("nokkel", uuid.NewString(), "mottaker", "telefonnummer", "telefonnummer", "90000123", "tekst", "Hei", "formal", why, "neste", "oppslag")), "Da er det ingenting å slå opp.")
	if got := s.lookups(t); !slices.Equal(got, []string{"1 " + why + " f", "1 " + why + " f"}) {
		t.Errorf("the event log says %q", got)
	}
	for _, table := range []string{"items", "session_lookups", "row_contacts"} {
		var n int
		if err := storetest.DB(t, s.database).QueryRow(`SELECT count(*) FROM ` + table).Scan(&n); err != nil || n > 0 {
			t.Errorf("%s holds %d rows, %v", table, n, err)
		}
	}

	known.broken[2] = upstreamError
	wantWords(t, form(somebody, why), "Uten svar", "vet ikke om mottakeren kan nås", "Du kan gå videre likevel.")
	known.mu.Lock()
	known.known[noOne] = dispatch.Contact{Number: somebody, Phone: "+4790000118", Status: dispatch.ContactValid}
	known.mu.Unlock()
	got := form(noOne, why)
	wantWords(t, got, "Uten svar", "om noen du ikke spurte om")
	if strings.Contains(got.body, "90000118") || strings.Contains(got.body, "Kan nås på SMS") {
		t.Error("an answer about somebody else is shown")
	}

	t.Run("on the review", func(t *testing.T) {
		saved := b.post(at, fields("nokkel", uuid.NewString(), "mottaker", "fnr", "fnr", somebody, "tekst", "Hei på deg"))
		review := strings.TrimSuffix(saved.Header.Get("Location"), "/kontroll")
		wantWords(t, b.get(review+"/kontroll"), "Kan mottakeren nås?")
		wantWords(t, b.post(review+"/oppslag", fields("formal", why)), "Kan nås på SMS", "Send SMS")
		if got := b.post(review+"/oppslag", fields()).headed(t); got != noLookup {
			t.Errorf("without a purpose: %q", got)
		}
		if got := s.browser(t, teamLead).post(review+"/oppslag", fields("formal", why)); got.StatusCode != http.StatusNotFound {
			t.Errorf("somebody else's draft: %d", got.StatusCode)
		}
	})
}

func TestContactOfOneShipment(t *testing.T) {
	t.Parallel()
	s := newSiteWith(t, siteOptions{register: knowing()})
	b := s.browser(t, caseworker)
	draft, _ := s.listDraft(t, caseworker, "Vedtak")
	at := "/k/oppvekst/utkast/" + string(draft)
	page := b.get(at).page(t)
	version, _ := page.Find("input[name=versjon]").Attr("value")
	ask := func(number string) answer {
		got := b.post(at, fields("versjon", version, "hvem", "person", "nummer", number, "navn", "Ola Nordmann", "tittel", "Vedtak", "formal", why, "neste", "oppslag"))
		version, _ = got.page(t).Find("input[name=versjon]").Attr("value")
		return got
	}
	wantWords(t, ask(somebody), "Kan nås på SMS", "Oppslaget sier ikke om forsendelsen går digitalt.", "Det vi ikke vet: om mottakeren har digital postkasse")
	wantWords(t, ask(noOne), "Ikke funnet", "Om det har en e-postadresse, vet vi ikke.")
	wantWords(t, ask(company), "Registeret har et nummer for virksomheten.")
	if got := ask(""); got.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(got.body, "Uten nummer går forsendelsen på papir.") || got.headed(t) != noLookup {
		t.Errorf("without a number: %d, %q", got.StatusCode, got.headed(t))
	}
	if got := s.lookups(t); len(got) != 3 {
		t.Errorf("the event log says %q", got)
	}
}

// contactsList is a draft to a phone and five people, with addresses.
func contactsList(t *testing.T, b *browser) string {
	t.Helper()
	list := "Fødselsnummer;Mobil;Navn;Adresse;Postnr;Poststed\n;90000101;Per Nordmann;Storgata 1;7713;Steinkjer\n"
	for i, n := range []string{somebody, useless, noOne, unknown} {
		list += fmt.Sprintf("%s;;Ola Nordmann %d;Storgata 2;7713;Steinkjer\n", n, i)
	}
	return newList(t, b, "nokkel", uuid.NewString(), "fil", "fil:"+list)
}

// hidden are the hidden fields of a form by its action.
func (b *browser) hidden(at, action string) []string {
	b.t.Helper()
	var pairs []string
	form := b.get(at).page(b.t).Find(`form[action$="` + action + `"]`).First()
	for _, name := range []string{"nokkel", "sett", "antall", "uten-svar"} {
		if value, ok := form.Find("input[name=" + name + "]").Attr("value"); ok {
			pairs = append(pairs, name, value)
		}
	}
	if len(pairs) < 4 {
		b.t.Fatalf("no form to %s on %s", action, at)
	}
	return pairs
}

func TestContactsOfAList(t *testing.T) {
	t.Parallel()
	known := knowing()
	known.known[useless] = dispatch.Contact{Number: useless, Status: dispatch.ContactInvalid}
	known.known[unknown] = dispatch.Contact{Number: unknown, Status: "NY_VERDI"}
	s := newSiteWith(t, siteOptions{register: known})
	s.run(t, `UPDATE accounts SET shipment_integration_id = $2 WHERE id = $1`, s.oppvekst.Account.ID, s.shipmentIntegration(t, "Brev", dispatch.EnvironmentTest))
	b := s.browser(t, caseworker)
	draft := contactsList(t, b)
	wantWords(t, b.get(draft+"/endre"), "Kan mottakerne nås?")
	wantWords(t, b.get(draft+"/kan-nas"), "SMS til mobilnummer i listen 1", "Kan nås på SMS 0", "Ikke spurt om, eller uten svar 4", "Slå opp 4 mottakere", "Du kan slå opp 5 000 i timen.")
	if got := b.post(draft+"/oppslag", fields("formal", "x")); got.StatusCode != http.StatusUnprocessableEntity || got.headed(t) != noLookup {
		t.Errorf("without a purpose: %d", got.StatusCode)
	}

	known.broken[0] = upstreamError
	failed := b.post(draft+"/oppslag", fields("formal", why))
	wantWords(t, failed, "Vi mangler svar om 4 mottakere", "Tjenesten svarte med en feil.", "Ikke spurt om, eller uten svar 4")
	if !strings.Contains(failed.body, `value="`+why+`"`) {
		t.Error("the purpose has to be typed again")
	}
	if got := b.post(draft+"/oppslag", fields("formal", why)); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("got %d: %s", got.StatusCode, got.body)
	}
	wantWords(t, b.get(draft+"/kan-nas"), "4 mottakere er slått opp", "Kan nås på SMS 1", "Ikke funnet 1", "Ugyldig nummer 1", "Svar vi ikke kjenner 1", "uten svar 0",
		"2 mottakere kan ikke nås med SMS", "1 mottaker uten svar blir stående", "Ta også med 1 mottaker uten svar", "Alle som kan sendes til og har nummer, er slått opp.")
	wantWords(t, b.get(draft+"/endre"), "Kan nås på SMS: 2 · ikke funnet eller ugyldig: 2 · ikke svar: 1.")
	if got := s.lookups(t); !slices.Equal(got, []string{"4 " + why + " t", "4 " + why + " t"}) {
		t.Errorf("the event log says %q", got)
	}

	t.Run("only whom an SMS reaches, and back", func(t *testing.T) {
		if got := b.post(draft+"/bare-nas", fields("sett", "1", "antall", "3")); got.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(got.body, "Se over tallene") {
			t.Errorf("as another page counted: %d", got.StatusCode)
		}
		got := b.post(draft+"/bare-nas", fields(b.hidden(draft+"/kan-nas", "/bare-nas")...))
		wantWords(t, b.get(got.location()), "2 mottakere er utelatt", "Kan sendes til 3", "Utelatt 2")
		b.post(draft+"/ta-med", fields())
		wantWords(t, b.get(draft+"/endre"), "Kan sendes til 5")
	})
	t.Run("letters to the rest", func(t *testing.T) {
		form := fields(b.hidden(draft+"/kan-nas", "/rest-brev")...)
		got := b.post(draft+"/rest-brev", form)
		if got.StatusCode != http.StatusSeeOther || !strings.HasSuffix(got.location(), "/flere") {
			t.Fatalf("got %d to %q: %s", got.StatusCode, got.location(), got.body)
		}
		if again := b.post(draft+"/rest-brev", form); again.location() != got.location() {
			t.Errorf("a second click leads to %q, not %q", again.location(), got.location())
		}
		wantWords(t, b.get(got.location()), "2 mottakere er flyttet til dette utkastet", "Rader i listen 2")
		wantWords(t, b.get(draft+"/endre"), "Rader i listen 3", "Kan sendes til 3")
		if n := s.audits(t, "job.letters"); n != 1 {
			t.Errorf("%d lines in the event log", n)
		}
		letters := strings.TrimSuffix(got.location(), "/flere")
		wantWords(t, b.get(letters+"/flere/kan-nas"), "Ikke spurt om, eller uten svar 2", "Uten nummer, går på papir 0", "Det vi ikke vet")
		b.post(letters+"/flere/oppslag", fields("formal", why))
		wantWords(t, b.get(letters+"/flere/kan-nas"), "Ikke funnet 1", "Ugyldig nummer 1")
	})
}

// TestContactsRights: what somebody may not do is neither offered nor done.
func TestContactsRights(t *testing.T) {
	t.Parallel()
	known := knowing()
	s := newSiteWith(t, siteOptions{register: known})
	b := s.browser(t, caseworker)
	draft := contactsList(t, b)
	for _, other := range []string{teamLead, auditor} {
		o := s.browser(t, other)
		for _, got := range []answer{o.get(draft + "/kan-nas"), o.post(draft+"/oppslag", fields("formal", why)), o.post(draft+"/bare-nas", fields()), o.post(draft+"/rest-brev", fields())} {
			if got.StatusCode != http.StatusNotFound && got.StatusCode != http.StatusForbidden {
				t.Errorf("%v: got %d", other, got.StatusCode)
			}
		}
	}
	t.Run("an account without shipments", func(t *testing.T) {
		if got := b.post(draft+"/rest-brev", fields("antall", "1", "uten-svar", "true")); got.StatusCode != http.StatusForbidden {
			t.Errorf("got %d", got.StatusCode)
		}
		if strings.Contains(b.get(draft+"/kan-nas").body, "rest-brev") {
			t.Error("letters are offered")
		}
	})
	if len(known.asked) > 0 || len(s.lookups(t)) > 0 {
		t.Error("the register was asked")
	}
}

// TestContactsChangedMeanwhile: answers about people who have left the list while the register was asked are dropped; those who
// stay keep theirs.
func TestContactsChangedMeanwhile(t *testing.T) {
	t.Parallel()
	known := knowing()
	s := newSiteWith(t, siteOptions{register: known})
	b := s.browser(t, caseworker)
	draft := contactsList(t, b)
	other := &browser{t, s, &http.Client{Transport: b.client.Transport, Jar: b.client.Jar, CheckRedirect: b.client.CheckRedirect}} // another tab
	known.before = func() {
		kind, body := listForm("fil", "fil:Fødselsnummer;Navn\n"+"02813299995;Eli\n"+somebody+";Ola\n")
		if got := other.do(http.MethodPost, draft+"/liste", kind, body); got.StatusCode != http.StatusSeeOther {
			t.Errorf("got %d: %s", got.StatusCode, got.body)
		}
		known.before = nil
	}
	b.post(draft+"/oppslag", fields("formal", why))
	wantWords(t, b.get(draft+"/kan-nas"), "Kan nås på SMS 1", "Ikke funnet 0", "uten svar 1")
}

// TestContactsOfShipmentsWithoutNumber: those without a number go on paper and are no missing answer, wherever the forecast stands.
func TestContactsOfShipmentsWithoutNumber(t *testing.T) {
	t.Parallel()
	s := newSiteWith(t, siteOptions{register: knowing()})
	b := s.browser(t, caseworker)
	at := s.newShipmentList(t, b, "fil", "fil:Fødselsnummer;Navn;Adresse;Postnr;Poststed\n"+somebody+";Ola Nordmann;Storgata 1;7713;Steinkjer\n;Kari Nordmann;Storgata 2;7713;Steinkjer\n;Per Nordmann;Storgata 3;7713;Steinkjer\n")
	if got := b.post(at+"/flere/oppslag", fields("formal", why)); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("the register: %d to %s", got.StatusCode, got.location())
	}
	for _, page := range []string{"/flere", "/flere/kontroll"} {
		if got := strings.Join(strings.Fields(b.get(at+page).page(t).Find("#kan-nas").Text()), " "); !strings.Contains(got, "Kan nås på SMS: 1") || !strings.Contains(got, "ikke svar: 0") || !strings.Contains(got, "uten nummer, går på papir: 2") {
			t.Errorf("%s says %q", page, got)
		}
	}
	wantWords(t, b.get(at+"/flere/kan-nas"), "Uten nummer, går på papir 2", "Ikke spurt om, eller uten svar 0")
}
