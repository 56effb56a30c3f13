package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
)

// TestWordsOfAnotherTabAreSeen: who hands in a form that another tab has typed in since sees both, and nothing is lost before they
// choose: for a new SMS, a draft and an SMS to many.
func TestWordsOfAnotherTabAreSeen(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	draft := strings.TrimSuffix(b.post("/k/oppvekst/sms/ny", fields("nokkel", uuid.NewString(), "mottaker", "telefonnummer", "telefonnummer", "90000101", "tekst", "Hei")).location(), "/kontroll")
	job := "/k/oppvekst/jobber/" + string(s.jobFor(t, ofJobDraft[0]))
	for name, c := range map[string]struct{ form, hand, save string }{
		"a new SMS":      {"/k/oppvekst/sms/ny", "/k/oppvekst/sms/ny", "/k/oppvekst/sms/ny/lagre"},
		"a draft":        {draft + "/endre", draft + "/endre", draft + "/lagre"},
		"an SMS to many": {job + "/endre", job + "/endre", job + "/lagre"},
	} {
		t.Run(name, func(t *testing.T) {
			one := heldForm(b.get(c.form).page(t))
			if name == "a new SMS" {
				one.Set("mottaker", "telefonnummer")
				one.Set("telefonnummer", "90000101")
			}
			one.Set("tekst", "Felles begynnelse")
			if got := b.keeps(t, c.save, one); got.StatusCode != http.StatusOK {
				t.Fatalf("not kept: %d", got.StatusCode)
			}
			two := fields()
			for key, values := range one {
				two[key] = append([]string(nil), values...)
			}
			two.Set("tekst", "Ord fra den andre fanen")
			if got := b.keeps(t, c.save, two); got.StatusCode != http.StatusOK {
				t.Fatalf("the other tab is not kept: %d", got.StatusCode)
			}

			one.Set("tekst", "Ord fra denne fanen")
			got := b.post(c.hand, one)
			page := got.page(t)
			if got.StatusCode != http.StatusConflict || !strings.Contains(page.Find("main").Text(), "Du har skrevet i det samme skjemaet i en annen fane") {
				t.Fatalf("got %d to %s", got.StatusCode, got.location())
			}
			if table := page.Find("section[aria-labelledby=begge] table").Text(); !strings.Contains(table, "Ord fra den andre fanen") || !strings.Contains(table, "Ord fra denne fanen") {
				t.Errorf("the table says %q", table)
			}
			if got := held(page, "tekst"); got != "Ord fra denne fanen" {
				t.Errorf("the form holds %q", got)
			}
			if page.Find("form[data-lagre]").Length() > 0 {
				t.Error("the form would be saved over the other tab's words before anybody has chosen")
			}
			to := page.Find("section[aria-labelledby=begge] a").AttrOr("href", "")
			if got := held(b.get(to).page(t), "tekst"); got != "Ord fra den andre fanen" {
				t.Errorf("the link leads to %q", got)
			}
			again := b.post(c.hand, heldForm(page))
			if again.StatusCode != http.StatusSeeOther || !strings.HasSuffix(again.location(), "/kontroll") {
				t.Fatalf("handing in again: %d to %s", again.StatusCode, again.location())
			}
			if review := b.get(again.location()); !strings.Contains(review.body, "Ord fra denne fanen") {
				t.Error("the draft has other words")
			}
		})
	}

	t.Run("the same words are no difference", func(t *testing.T) {
		form := fields("nokkel", uuid.NewString(), "mottaker", "telefonnummer", "telefonnummer", "90000101", "tekst", "De samme ordene", "lagret-versjon", "0")
		b.keeps(t, "/k/oppvekst/sms/ny/lagre", form)
		form.Set("lagret-versjon", "0") // the answer was lost
		if got := b.post("/k/oppvekst/sms/ny", form); got.StatusCode != http.StatusSeeOther {
			t.Errorf("got %d", got.StatusCode)
		}
	})
	t.Run("a form that comes again does not take what was typed in its draft", func(t *testing.T) {
		form := fields("nokkel", uuid.NewString(), "mottaker", "telefonnummer", "telefonnummer", "90000101", "tekst", "Første utgave", "lagret-versjon", "0")
		at := strings.TrimSuffix(b.post("/k/oppvekst/sms/ny", form).location(), "/kontroll")
		other := heldForm(b.get(at + "/endre").page(t))
		other.Set("tekst", "Rettet i utkastet")
		b.keeps(t, at+"/lagre", other)
		form.Set("tekst", "Rettet i det gamle skjemaet")
		got := b.post("/k/oppvekst/sms/ny", form)
		if got.StatusCode != http.StatusConflict || !strings.Contains(got.body, "Rettet i utkastet") {
			t.Fatalf("got %d", got.StatusCode)
		}
		if to := got.page(t).Find("section[aria-labelledby=begge] a").AttrOr("href", ""); held(b.get(to).page(t), "tekst") != "Rettet i utkastet" {
			t.Errorf("the link leads to %s", to)
		}
		if again := b.post("/k/oppvekst/sms/ny", heldForm(got.page(t))); again.StatusCode != http.StatusSeeOther {
			t.Errorf("handing in again: %d", again.StatusCode)
		}
	})
}
