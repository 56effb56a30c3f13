package handlers_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
)

// TestARefusedListLeavesNoDraft: a list that could not be read is in no overview, and another one can be tried at once.
func TestARefusedListLeavesNoDraft(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	const at = "/k/oppvekst/sms/ny/flere"
	post := func(path string, pairs ...string) answer {
		kind, body := listForm(pairs...)
		return b.do(http.MethodPost, path, kind, body)
	}
	key := uuid.NewString()
	for list, says := range map[string]string{"Navn;Adresse\nKari;Storgata 1\n": "Vi finner ingen kolonne", "Mobil;Navn\n": "Listen har ingen mottakere."} {
		got := post(at, "nokkel", key, "fil", "fil:"+list)
		if wantWords(t, got, says); got.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("got %d", got.StatusCode)
		}
		if n := countRows(t, s, `SELECT (SELECT count(*) FROM jobs) + (SELECT count(*) FROM list_chunks)`); n > 0 {
			t.Errorf("%q leaves %d rows", list, n)
		}
		key = got.page(t).Find("input[name=nokkel]").AttrOr("value", "")
	}
	draft := newList(t, b, "nokkel", key, "fil", "fil:"+people)
	wantWords(t, b.get(draft+"/endre"), "Kan sendes til")
	t.Run("but a draft with a list keeps it", func(t *testing.T) {
		wantWords(t, post(draft+"/liste", "fil", "fil:Navn\nKari\n"), "Vi finner ingen kolonne")
		wantWords(t, b.get(draft+"/endre"), "Kan sendes til")
	})
	t.Run("nor a shipment's", func(t *testing.T) {
		shipment, _ := s.listDraft(t, caseworker, "Vedtak")
		path := "/k/oppvekst/utkast/" + string(shipment) + "/flere"
		wantWords(t, post(path+"/liste", "fil", "fil:Navn;Adresse\n"), "Listen har ingen mottakere.")
		if n := countRows(t, s, `SELECT count(*) FROM jobs WHERE draft_id IS NOT NULL`); n != 0 {
			t.Errorf("%d are left", n)
		}
	})
	t.Run("an empty file is told to be that", func(t *testing.T) {
		const says, none = "Filen er tom.", "Velg en fil eller lim inn mottakere."
		shipment, _ := s.listDraft(t, caseworker, "Vedtak")
		for _, path := range []string{at, draft + "/liste", "/k/oppvekst/utkast/" + string(shipment) + "/flere/liste"} {
			if got := problems(t, post(path, "nokkel", uuid.NewString(), "fil", "fil:", "liste", "")); len(got) != 1 || !strings.HasPrefix(got["fil"], says) {
				t.Errorf("%s: got %q", path, got)
			}
			if got := problems(t, post(path, "nokkel", uuid.NewString(), "liste", "")); len(got) != 1 || got["liste"] != none {
				t.Errorf("%s without a file: got %q", path, got)
			}
		}
		if got := post(draft+"/liste", "fil", "fil:", "liste", "90000101"); got.StatusCode != http.StatusSeeOther {
			t.Errorf("an empty file beside a pasted list: got %d %s", got.StatusCode, got.body)
		}
	})
	t.Run("nor is one listed while its list is received", func(t *testing.T) {
		s.run(t, `INSERT INTO jobs (id, account_id, created_by, form_key) SELECT gen_random_uuid(), account_id, created_by, gen_random_uuid() FROM jobs LIMIT 1`)
		var links []string
		for _, a := range b.get("/k/oppvekst/jobber").page(t).Find("main a[href^='/k/oppvekst/jobber/']").EachIter() {
			links = append(links, strings.TrimSuffix(a.AttrOr("href", ""), "/endre"))
		}
		if !slices.Equal(links, []string{draft}) {
			t.Errorf("got %q, want %q", links, draft)
		}
	})
}

// TestMistypedFieldsAreNamed: the problem names all mistyped fields of a text to a list, and the hint does not ask about them too.
func TestMistypedFieldsAreNamed(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	draft := newList(t, b, "nokkel", uuid.NewString(), "fil", "fil:"+people)
	got := b.post(draft+"/endre", fields("tekst", "Hei {navn}, møt {dato} i [gata]. Hilsen {fornavn} og {{sted}}", "mate", "traceable"))
	if at := problems(t, got)["tekst"]; !strings.HasPrefix(at, "I meldingen står {fornavn}, {{sted}}, som ser ut som flettefelt") {
		t.Errorf("got %q", at)
	}
	if hint := squeezed(got.page(t).Find("#sms-advarsler")); !strings.Contains(hint, "Dette står slik i meldingen: {navn}, {dato}, [gata]. Skal") {
		t.Errorf("got %q", hint)
	}
	got = b.post(draft+"/endre", fields("tekst", "Hei {fornavn}. Hilsen Konto oppvekst", "mate", "traceable"))
	if hint := got.page(t).Find("#sms-advarsler"); strings.Contains(hint.Text(), "{fornavn}") || hint.AttrOr("hidden", "-") == "-" {
		t.Errorf("the hint says %q", squeezed(hint))
	}
}
