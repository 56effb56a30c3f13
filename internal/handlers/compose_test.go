package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
)

// form is a filled-in form with a new form key.
func form(phone, text string) (key string, pairs []string) {
	key = uuid.NewString()
	return key, []string{"nokkel", key, "mottaker", "telefonnummer", "fnr", "", "telefonnummer", phone, "tekst", text}
}

// TestCompose walks from an empty form to an SMS in the queue.
func TestCompose(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	_, filled := form("900 00 123", "Hei, Ola!\r\nVi ses – i morgen.")

	review := b.post("/k/oppvekst/sms/ny", fields(filled...)).location()
	page := b.get(review).page(t)
	if got := page.Find("main").Text(); !strings.Contains(got, "900\u00a000\u00a0123") || !strings.Contains(got, "Vi ses – i morgen.") {
		t.Errorf("the review does not show number and text: %q", got)
	}
	edit := b.get(page.Find(".panel-head a").First().AttrOr("href", "")).page(t)
	if phone, text := edit.Find("#telefonnummer").AttrOr("value", ""), edit.Find("#tekst").Text(); phone != "90000123" || text != "Hei, Ola!\nVi ses – i morgen." {
		t.Errorf("the form shows %q and %q", phone, text)
	}
	_, changed := form("+4790000123", "Hei, Ola.")
	if got := b.post(edit.Find("form[data-sms]").AttrOr("action", ""), fields(changed...)).location(); got != review {
		t.Errorf("the change leads to %q, want %q", got, review)
	}
	send := page.Find(`form[action$="/send"]`).AttrOr("action", "")
	item := b.send(strings.TrimSuffix(send, "/send")).location()
	shown := b.get(item).page(t)
	if flash(shown) != "Meldingen er tatt imot for sending" || heading(shown) != "SMS til ••• •• 123" {
		t.Errorf("got %q on %q", flash(shown), heading(shown))
	}
	if s.woken.Load() == 0 {
		t.Error("delivery was not woken")
	}

	id := dispatch.ItemID(item[strings.LastIndex(item, "/")+1:])
	if it := s.oppvekst.Item(t, s.store, id); it.State != dispatch.StateQueued || it.Text != "Hei, Ola." || it.Recipient.Phone.Reveal() != "+4790000123" {
		t.Errorf("stored as %s", it.State)
	}
	t.Run("and Back, reload and a second click find it sent", func(t *testing.T) {
		for _, got := range []answer{b.get(review), b.post(send, fields()), b.get(strings.Replace(review, "kontroll", "endre", 1)), b.post(strings.Replace(review, "kontroll", "endre", 1), fields(changed...))} {
			if got.StatusCode != http.StatusSeeOther || got.location() != item {
				t.Errorf("got %d to %q, want the item", got.StatusCode, got.location())
			}
		}
	})
	t.Run("and no address on the way holds a number or a text", func(t *testing.T) {
		for _, address := range []string{review, item, send} {
			if strings.Contains(address, "90000123") || strings.Contains(address, "Ola") || strings.Contains(address, "?") {
				t.Errorf("got %q", address)
			}
		}
	})
}

// TestFormKey (idempotency key): the same form makes one SMS, however often it is posted.
func TestFormKey(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	_, filled := form("90000123", "Hei der")
	first := b.post("/k/oppvekst/sms/ny", fields(filled...)).location()

	t.Run("posted again leads to the same draft", func(t *testing.T) {
		if got := b.post("/k/oppvekst/sms/ny", fields(filled...)).location(); got != first {
			t.Errorf("got %q, want %q", got, first)
		}
	})
	t.Run("of two people makes two", func(t *testing.T) {
		if got := s.browser(t, teamLead).post("/k/oppvekst/sms/ny", fields(filled...)); got.StatusCode != http.StatusSeeOther || got.location() == first {
			t.Errorf("got %d to %q", got.StatusCode, got.location())
		}
	})
	t.Run("posted again after it was sent sends nothing", func(t *testing.T) {
		item := b.send(strings.TrimSuffix(first, "/kontroll")).location()
		if got := b.post("/k/oppvekst/sms/ny", fields(filled...)).location(); got != item {
			t.Errorf("got %q, want %q", got, item)
		}
		if got := flash(b.get(item).page(t)); !strings.HasPrefix(got, "Denne er allerede tatt imot for sending") {
			t.Errorf("got %q", got)
		}
	})
	t.Run("that is none is replaced", func(t *testing.T) {
		for _, key := range []string{"", "x", "{" + uuid.NewString() + "}"} {
			page := b.post("/k/oppvekst/sms/ny", fields("nokkel", key)).page(t)
			if got := page.Find("input[name=nokkel]").First().AttrOr("value", ""); uuid.Validate(got) != nil || got == key {
				t.Errorf("%q: got %q", key, got)
			}
		}
	})
	t.Run("stays the same on a form that comes back with problems", func(t *testing.T) {
		key, broken := form("9", "")
		page := b.post("/k/oppvekst/sms/ny", fields(broken...)).page(t)
		if got := page.Find("input[name=nokkel]").First().AttrOr("value", ""); got != key {
			t.Errorf("got %q, want %q", got, key)
		}
	})
}

// TestFormProblems: all problems are shown at once, and no typed value is lost.
func TestFormProblems(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	tests := []struct {
		name                  string
		by, nationalID, phone string
		text                  string
		problems              []string
		invalid               string
	}{
		{"an empty form", "fnr", "", "", "", []string{"Skriv inn fødselsnummer.", "Skriv inn melding."}, "#fnr, #tekst"},
		{"both recipients", "fnr", "12047800155", "90000123", "Hei der", []string{"Velg enten fødselsnummer eller telefonnummer."}, ""},
		{"a short number and a long text", "telefonnummer", "", "9000", strings.Repeat("x", 1601),
			[]string{"Telefonnummeret må ha minst åtte siffer.", "Meldingen må ha mellom 2 og 1\u00a0600 tegn. Den har 1\u00a0601."}, "#telefonnummer, #tekst"},
		{"markup as text", "telefonnummer", "", `"><script>`, "x", []string{
			"Telefonnummeret skal bare ha siffer, eventuelt med + eller 00 og landkode først.", "Meldingen må ha mellom 2 og 1\u00a0600 tegn. Den har 1."}, "#telefonnummer, #tekst"},
	}
	for _, test := range tests {
		t.Run("on "+test.name, func(t *testing.T) {
			t.Parallel()
			got := b.post("/k/oppvekst/sms/ny", fields("mottaker", test.by, "fnr", test.nationalID, "telefonnummer", test.phone, "tekst", test.text, "skjul", "true"))
			page := got.page(t)
			if got.StatusCode != http.StatusUnprocessableEntity || !strings.HasPrefix(page.Find("title").Text(), "Feil: ") {
				t.Errorf("got %d with title %q", got.StatusCode, page.Find("title").Text())
			}
			for i, want := range test.problems {
				if text := page.Find(".ds-error-summary li a").Eq(i).Text(); text != want {
					t.Errorf("got problem %q, want %q", text, want)
				}
			}
			if n := page.Find(".ds-error-summary li").Length(); n != len(test.problems) {
				t.Errorf("got %d problems, want %d", n, len(test.problems))
			}
			if n := page.Find("[aria-invalid=true]").Length(); test.invalid != "" && (n != page.Find(test.invalid).Length() || page.Find(test.invalid).Filter("[aria-invalid=true]").Length() != n) {
				t.Errorf("%d fields are marked, want %s", n, test.invalid)
			}
			for id, want := range map[string]string{"#fnr": test.nationalID, "#telefonnummer": test.phone} {
				if got := page.Find(id).AttrOr("value", ""); got != want {
					t.Errorf("%s: got %q back, want %q", id, got, want)
				}
			}
			_, hide := page.Find("#skjul").Attr("checked")
			if got := page.Find("#tekst").Text(); got != test.text || !hide {
				t.Errorf("got %q back, want %q; hidden %t", got, test.text, hide)
			}
		})
	}
	t.Run("leave no draft behind", func(t *testing.T) {
		if got := rows(b.get("/k/oppvekst/sms").page(t)); len(got) != 0 {
			t.Errorf("got %q", got)
		}
	})
}

func TestDrafts(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	draft := string(s.draft(t, caseworker, message("Utkast")))

	t.Run("are offered where a new one is begun", func(t *testing.T) {
		if got := b.get("/k/oppvekst/sms/ny").page(t).Find(".notice a").AttrOr("href", ""); got != "/k/oppvekst/sms/"+draft+"/kontroll" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("lead from their page to their review", func(t *testing.T) {
		if got := b.get("/k/oppvekst/sms/" + draft).location(); got != "/k/oppvekst/sms/"+draft+"/kontroll" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("say when the account cannot deliver", func(t *testing.T) {
		s.run(t, `UPDATE integrations SET stopped_at = now()`)
		for _, page := range []string{draft + "/kontroll", "ny", draft + "/endre"} {
			if got := b.get("/k/oppvekst/sms/" + page).page(t).Find(".notice").Text(); !strings.Contains(got, "Akkurat nå kan ikke kontoen levere SMS.") {
				t.Errorf("%s says %q", page, got)
			}
		}
	})
	t.Run("can be thrown away, once", func(t *testing.T) {
		got := b.post("/k/oppvekst/sms/"+draft+"/forkast", fields())
		if got.location() != "/k/oppvekst/sms" || flash(b.get(got.location()).page(t)) != "Utkastet er slettet" {
			t.Errorf("got %d to %q", got.StatusCode, got.location())
		}
		if got := b.post("/k/oppvekst/sms/"+draft+"/forkast", fields()).StatusCode; got != http.StatusNotFound {
			t.Errorf("got %d the second time, want 404", got)
		}
	})
	t.Run("that were sent cannot", func(t *testing.T) {
		sent := string(s.queued(t, caseworker, message("Sendt")))
		got := b.post("/k/oppvekst/sms/"+sent+"/forkast", fields())
		if got.location() != "/k/oppvekst/sms/"+sent || s.state(t, dispatch.ItemID(sent)) != dispatch.StateQueued {
			t.Errorf("got %d to %q", got.StatusCode, got.location())
		}
	})
	t.Run("are made of an SMS that did not come through, to be changed", func(t *testing.T) {
		sent := string(s.queued(t, caseworker, message("Prøv igjen")))
		key, _ := form("", "")
		first := b.post("/k/oppvekst/sms/"+sent+"/kopier", fields("nokkel", key)).location()
		again := b.post("/k/oppvekst/sms/"+sent+"/kopier", fields("nokkel", key)).location()
		if first != again || !strings.HasSuffix(first, "/endre") || strings.Contains(first, sent) {
			t.Errorf("got %q, then %q", first, again)
		}
		edit := b.get(first)
		wantWords(t, edit, "Dette er en kopi")
		if got := edit.page(t).Find("#tekst").Text(); got != "Prøv igjen" {
			t.Errorf("got %q", got)
		}
	})
}
