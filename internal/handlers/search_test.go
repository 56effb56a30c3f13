package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store/lists"
)

// searchOf keeps a search of somebody's.
func (s *site) searchOf(t *testing.T, who string, wanted dispatch.Search) string {
	t.Helper()
	sample := s.as(t, who)
	id, _, err := lists.In(s.store).Searches.Save(t.Context(), sample.Account.ID, sample.Actor, wanted)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// filterOf keeps a filter of somebody's.
func (s *site) filterOf(t *testing.T, who string) string {
	t.Helper()
	sample := s.as(t, who)
	if _, err := lists.In(s.store).Items.SaveFilter(t.Context(), sample.Account.ID, sample.User, "Stoppede", "gruppe=stoppet"); err != nil {
		t.Fatal(err)
	}
	around, err := lists.In(s.store).Items.Around(t.Context(), sample.Account.ID, lists.AroundQuery{Viewer: sample.User})
	if err != nil || len(around.Saved) == 0 {
		t.Fatalf("got %v, %v", around.Saved, err)
	}
	return around.Saved[0].ID
}

// TestSearch: search words are posted, are in no address, title or log, and find the right items.
func TestSearch(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	s.shipment(t, caseworker, "Vedtak om skoleskyss") // to Ola Nordmann
	s.queued(t, caseworker, message("Hei"))           // to 90000123
	find := func(words string) answer {
		got := b.post("/k/oppvekst/sok", fields("q", words))
		if got.StatusCode != http.StatusSeeOther || !strings.HasPrefix(got.location(), "/k/oppvekst/sok/") {
			t.Fatalf("%q: got %d to %q", words, got.StatusCode, got.location())
		}
		id := strings.TrimPrefix(got.location(), "/k/oppvekst/sok/")
		if uuid.Validate(id) != nil {
			t.Errorf("%q: the address is %q", words, got.location())
		}
		return b.get(got.location())
	}
	for _, test := range []struct {
		words string
		want  []string
	}{
		{"nordmann ola", []string{"Vedtak om skoleskyss"}},
		{"NORD o", []string{"Vedtak om skoleskyss"}},
		{"skoles", []string{"Vedtak om skoleskyss"}},
		{"kyss", nil}, // within a word
		{"ola hansen", nil},
		{"%", nil},
		{"123", []string{"Hei"}},
		{"90000123", []string{"Hei"}},
		{"+47 900 00 123", []string{"Hei"}},
		{"99999999", nil},
	} {
		if test.words == "%" {
			got := b.post("/k/oppvekst/sok", fields("q", "%"))
			if n := len(rows(got.page(t))); got.StatusCode != http.StatusUnprocessableEntity || n == 0 {
				t.Errorf("got %d and %d rows for a sign alone, want 422 and what was there before", got.StatusCode, n)
			}
			continue
		}
		page := find(test.words).page(t)
		if got := rows(page); strings.Join(got, "|") != strings.Join(test.want, "|") {
			t.Errorf("%q: got %q, want %q", test.words, got, test.want)
		}
		if title := page.Find("title").Text(); strings.Contains(title, test.words) {
			t.Errorf("the title is %q", title)
		}
	}
	for _, words := range []string{"nordmann", "90000123", "skoles"} {
		if strings.Contains(s.log.String(), words) {
			t.Errorf("%q stands in the log", words)
		}
	}
	t.Run("a number is shown masked", func(t *testing.T) {
		if body := find("90000123").body; strings.Contains(body, "90000123") || !strings.Contains(body, "••• •• 123") {
			t.Error("the whole number is shown, or nothing of it")
		}
	})
	t.Run("a search is its owner's", func(t *testing.T) {
		at := b.post("/k/oppvekst/sok", fields("q", "ola")).location()
		if got := s.browser(t, teamLead).get(at).StatusCode; got != http.StatusNotFound {
			t.Errorf("got %d for a colleague, want 404", got)
		}
	})
	t.Run("what is chosen goes along", func(t *testing.T) {
		at := b.post("/k/oppvekst/sok?gruppe=behandling&fra=01.01.2026", fields("q", "ola")).location()
		if !strings.HasSuffix(at, "?gruppe=behandling&fra=01.01.2026") {
			t.Errorf("got %q", at)
		}
		if got := rows(b.get(at).page(t)); len(got) != 1 {
			t.Errorf("got %q", got)
		}
		if got := rows(b.get(strings.Replace(at, "behandling", "fremme", 1)).page(t)); len(got) != 0 {
			t.Errorf("got %q among those that arrived", got)
		}
	})
	t.Run("an auditor cannot search for a number", func(t *testing.T) {
		if hint := s.browser(t, auditor).get("/k/oppvekst/utsendinger").page(t).Find("#q-d").Text(); strings.Contains(hint, "fødselsnummer") {
			t.Errorf("the hint says %q", hint)
		}
		if got := s.browser(t, auditor).post("/k/oppvekst/sok", fields("q", "90000123")).StatusCode; got != http.StatusUnprocessableEntity {
			t.Errorf("got %d, want 422", got)
		}
	})
}

// TestListNarrowed: filters in an address, the chips that remove them, and invalid dates.
func TestListNarrowed(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	s.shipment(t, caseworker, "Vedtak om skoleskyss")
	s.accepted(t, caseworker, message("Hei"))
	page := b.get("/k/oppvekst/utsendinger").page(t)
	if got := rows(page); len(got) != 2 {
		t.Fatalf("got %q, want both kinds", got)
	}
	if got := page.Find(`nav[aria-label="Status"] li`).Text(); !strings.Contains(got, "Under behandling 2") {
		t.Errorf("the groups say %q", got)
	}
	if got := rows(b.get("/k/oppvekst/utsendinger?kanal=sms").page(t)); len(got) != 1 || got[0] != "Hei" {
		t.Errorf("got %q of SMS", got)
	}
	page = b.get("/k/oppvekst/utsendinger?fra=01.01.2020&til=02.01.2020").page(t)
	if rows(page) != nil || !strings.Contains(page.Find(".empty").Text(), "passer til filteret") {
		t.Errorf("got %q, %q", rows(page), page.Find(".empty").Text())
	}
	chips := page.Find(`ul[aria-label="Valgte filtre"] .chip`)
	if href := chips.First().AttrOr("href", ""); chips.Length() != 2 || href != "/k/oppvekst/utsendinger?til=02.01.2020" {
		t.Errorf("got %d chips, the first leads to %q", chips.Length(), href)
	}
	wantWords(t, b.get("/k/oppvekst/utsendinger?fra=x&til=y"), "Fra dato: Skriv datoen som dd.mm.åååå", "Til dato: Skriv datoen som dd.mm.åååå")
	if got := b.get("/k/oppvekst/utsendinger?fra=24.11.2026&til=01.11.2026"); got.StatusCode != http.StatusUnprocessableEntity || problems(t, got)["til"] == "" {
		t.Errorf("a period that ends before it begins: got %d", got.StatusCode)
	}
	if got := b.get("/k/oppvekst/utsendinger?fra=i+g%C3%A5r"); got.StatusCode != http.StatusUnprocessableEntity || got.page(t).Find("#fra").AttrOr("value", "") != "i går" {
		t.Errorf("got %d for a day that is none", got.StatusCode)
	}
	if got := b.get("/k/oppvekst/utsendinger?jobb=x").StatusCode; got != http.StatusNotFound {
		t.Errorf("got %d for a job that is none", got)
	}
}

// TestSavedFilters: a filter's structured fields are saved under a name for its owner; other parameters are not.
func TestSavedFilters(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	b.post("/k/oppvekst/filtre", fields("navn", "Stoppede", "valg", "gruppe=stoppet&hemmelig=ola&eldre=1"))
	link := b.get("/k/oppvekst/utsendinger").page(t).Find(`a:contains("Stoppede")`)
	if href := link.AttrOr("href", ""); href != "/k/oppvekst/utsendinger?gruppe=stoppet" {
		t.Errorf("it leads to %q", href)
	}
	if s.browser(t, teamLead).get("/k/oppvekst/utsendinger").page(t).Find(`a:contains("Stoppede")`).Length() != 0 {
		t.Error("a colleague sees it")
	}
	long := b.post("/k/oppvekst/filtre", fields("navn", strings.Repeat("n", 61), "valg", "gruppe=fremme"))
	if page := long.page(t); long.StatusCode != http.StatusUnprocessableEntity || problems(t, long)["navn"] == "" || page.Find("details[open] input[name=navn]").AttrOr("value", "") != strings.Repeat("n", 61) {
		t.Errorf("a long name is answered with %d, and not told at its field", long.StatusCode)
	}
	got := b.post("/k/oppvekst/filtre", fields("navn", "  stoppede ", "valg", "gruppe=fremme"))
	if said := flash(b.get(got.location()).page(t)); !strings.HasPrefix(said, "Filteret er lagret i stedet for") {
		t.Errorf("of one that takes the place of another it says %q", said)
	}
	link = b.get("/k/oppvekst/utsendinger").page(t).Find(`a:contains("stoppede")`) // in whatever case
	if link.Length() != 1 || link.Text() != "stoppede" || link.AttrOr("href", "") != "/k/oppvekst/utsendinger?gruppe=fremme" {
		t.Errorf("the name with blanks around it leaves %d filters", link.Length())
	}
	b.post("/k/oppvekst/filtre/"+s.filterOf(t, caseworker)+"/slett", fields())
	if b.get("/k/oppvekst/utsendinger").page(t).Find(`a:contains("Stoppede")`).Length() != 0 {
		t.Error("it is there after it was deleted")
	}
}

// TestSearchAndFilters: a list has one form for words and filters. Words are in no address; filters are, also without words, and a search
// in the list of shipments finds shipments.
func TestSearchAndFilters(t *testing.T) {
	t.Parallel()
	b := newSite(t).browser(t, caseworker)
	send := func(at string, typed ...string) answer {
		form := b.get(at).page(t).Find("main form.filter-line")
		sent := fields(typed...)
		for _, one := range form.Find("input[type=hidden]").EachIter() {
			sent.Set(one.AttrOr("name", ""), one.AttrOr("value", ""))
		}
		if buttons := form.Find("button").Length(); buttons != 1 {
			t.Errorf("%s has %d buttons", at, buttons)
		}
		return b.post(form.AttrOr("action", ""), sent)
	}
	for kind, want := range map[string]string{"forsendelser": "kanal=forsendelse", "sms": "kanal=sms", "utsendinger": ""} {
		if _, query, _ := strings.Cut(send("/k/oppvekst/"+kind, "q", "ola").location(), "?"); query != want {
			t.Errorf("a search in %s leads to %q, want %q", kind, query, want)
		}
		if got := send("/k/oppvekst/"+kind, "q", " ", "status", "LEST", "fra", "4.12.2026").location(); got != "/k/oppvekst/"+kind+"?status=LEST&fra=04.12.2026" {
			t.Errorf("without words: %s leads to %q", kind, got)
		}
		bad := send("/k/oppvekst/"+kind, "q", "ola", "fra", "i morgen", "status", "LEST")
		page := bad.page(t)
		if bad.StatusCode != http.StatusUnprocessableEntity || page.Find(`main [name=fra]`).AttrOr("value", "") != "i morgen" || page.Find("main [name=q]").AttrOr("value", "") != "ola" ||
			page.Find("main [name=status] [selected]").AttrOr("value", "") != "LEST" {
			t.Errorf("%s with a day that is none: got %d, not all as typed", kind, bad.StatusCode)
		}
	}
	within := send("/k/oppvekst/sms?gruppe=stoppet&rekkefolge=eldste", "q", "ola").location()
	if !strings.HasSuffix(within, "?kanal=sms&gruppe=stoppet&rekkefolge=eldste") {
		t.Errorf("within a group: %q", within)
	}
	if got := send(within, "q", "").location(); got != "/k/oppvekst/utsendinger?kanal=sms&gruppe=stoppet&rekkefolge=eldste" {
		t.Errorf("without the words: %q", got)
	}
	person := send("/k/oppvekst/utsendinger", "q", "90000123").location()
	if got := send(person, "q", "", "status", "LEVERT").location(); got != person+"?status=LEVERT" {
		t.Errorf("a person, and a filter: %q, after %q", got, person)
	}
}
