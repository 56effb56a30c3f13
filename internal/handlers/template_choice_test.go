package handlers_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"utsending/internal/dispatch"
	"utsending/internal/store/items"
)

// choosing is the form of an SMS as it is posted by a button of the choice.
func choosing(text, chosen, used string, button ...string) url.Values {
	_, pairs := form("90000123", text)
	return fields(append(append(pairs, "mal", chosen, "mal-brukt", used), button...)...)
}

func TestTemplateIsFilledIn(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	by := s.as(t, teamLead)
	id := s.template(t, teamLead, "Time", "Hei. Møt kl. 9.")
	if err := items.In(s.store).Templates.Change(t.Context(), by.Account.ID, id, by.Actor, 1, dispatch.TemplateContent{Name: "Time", Text: "Hei. Møt kl. 9.", Nynorsk: "Hei. Møt kl. ni."}); err != nil {
		t.Fatal(err)
	}
	chosen, used := string(id)+":nn", string(id)+":nn:2"
	fill := []string{"mal-hent", "hent"}
	for _, tt := range []struct {
		name           string
		form           url.Values
		text, usedThen string
		asks           bool
	}{
		{"into an empty text", choosing("", chosen, "", fill...), "Hei. Møt kl. ni.", used, false},
		{"on the way to the review with nothing written", choosing(" ", chosen, ""), "Hei. Møt kl. ni.", used, false},
		{"in place of another that was not touched", choosing("Hei. Møt kl. 9.", chosen, string(id)+":nb:1", fill...), "Hei. Møt kl. ni.", used, false},
		{"never over what was typed", choosing("Mine ord", chosen, "", fill...), "Mine ord", "", true},
		{"never over a template that was changed", choosing("Hei. Møt kl. 10.", chosen, string(id)+":nb:1", fill...), "Hei. Møt kl. 10.", string(id) + ":nb:1", true},
		{"over what was typed, when they say so", choosing("Mine ord", "", "", "mal-bytt", chosen), "Hei. Møt kl. ni.", used, false},
		{"not when they say no", choosing("Mine ord", chosen, "", "mal-hent", "behold"), "Mine ord", "", false},
		{"and left again", choosing("Hei. Møt kl. ni.", "", used, fill...), "Hei. Møt kl. ni.", "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := b.post("/k/oppvekst/sms/ny", tt.form)
			page := got.page(t)
			if text, use := page.Find("#tekst").Text(), page.Find("input[name=mal-brukt]").AttrOr("value", ""); got.StatusCode != http.StatusOK || text != tt.text || use != tt.usedThen {
				t.Errorf("got %d, %q from %q, want %q from %q", got.StatusCode, text, use, tt.text, tt.usedThen)
			}
			if asks := page.Find("button[name=mal-bytt]").Length() == 1; asks != tt.asks {
				t.Errorf("asks: %v", asks)
			}
			if phone := page.Find("#telefonnummer").AttrOr("value", ""); phone != "90000123" {
				t.Errorf("the number is %q", phone)
			}
		})
	}
	t.Run("as a part of the page", func(t *testing.T) {
		page := b.post("/k/oppvekst/sms/ny", choosing("", chosen, "", fill...), fragment("mal-valg")...).page(t)
		if page.Find("h1").Length() != 0 || page.Find("#mal-valg").AttrOr("data-mal-tekst", "") != "Hei. Møt kl. ni." {
			t.Errorf("got %s", page.Text())
		}
		page = b.post("/k/oppvekst/sms/ny", choosing("Mine ord", chosen, "", fill...), fragment("mal-valg")...).page(t)
		if _, has := page.Find("#mal-valg").Attr("data-mal-tekst"); has || page.Find("[data-fokus]").Length() != 1 {
			t.Error("it does not ask")
		}
	})
}

// TestTemplateIsRemembered on the item, with its version; a template that the form invents is ignored.
func TestTemplateIsRemembered(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	id, foreign := s.template(t, teamLead, "Time", "Hei"), s.template(t, outsider, "Andres", "Hei")
	for _, tt := range []struct {
		name, used string
		want       dispatch.TemplateUse
	}{
		{"used", string(id) + ":nb:1", dispatch.TemplateUse{ID: id, Form: dispatch.FormBokmal, Version: 1}},
		{"not used", "", dispatch.TemplateUse{}},
		{"a version that never was", string(id) + ":nb:2", dispatch.TemplateUse{}},
		{"a form that it does not have", string(id) + ":nn:1", dispatch.TemplateUse{}},
		{"a form that nothing has", string(id) + ":en:1", dispatch.TemplateUse{}},
		{"another account's", string(foreign) + ":nb:1", dispatch.TemplateUse{}},
		{"none at all", "x:nb:y", dispatch.TemplateUse{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			review := b.post("/k/oppvekst/sms/ny", choosing("Hei du", "", tt.used)).location()
			item := dispatch.ItemID(strings.Split(review, "/")[4])
			if got := s.oppvekst.Item(t, s.store, item).Template; got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
			edit := strings.Replace(review, "kontroll", "endre", 1)
			page := b.get(edit).page(t)
			b.post(edit, choosing("Hei igjen", "", page.Find("input[name=mal-brukt]").AttrOr("value", "")))
			if got := s.oppvekst.Item(t, s.store, item).Template; got != tt.want {
				t.Errorf("after a change: got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestArchivedTemplatesAreNotOffered(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	if page := b.get("/k/oppvekst/sms/ny").page(t); page.Find("#mal").Length() != 0 {
		t.Error("there is a choice of nothing")
	}
	id := s.template(t, teamLead, "Time", "Hei")
	if page := b.get("/k/oppvekst/sms/ny").page(t); page.Find("#mal option").Length() != 2 {
		t.Error("it is not offered")
	}
	lead := s.as(t, teamLead)
	if err := items.In(s.store).Templates.Archive(t.Context(), lead.Account.ID, id, lead.Actor, 1, true); err != nil {
		t.Fatal(err)
	}
	s.template(t, teamLead, "En annen", "Hei")
	if got := b.get("/k/oppvekst/sms/ny").page(t).Find("#mal").Text(); strings.Contains(got, "Time") {
		t.Errorf("offered are %q", got)
	}
	for _, chosen := range []string{string(id) + ":nb", "x", string(s.template(t, outsider, "Hemmelig", "Hemmelig")) + ":nb"} {
		got := b.post("/k/oppvekst/sms/ny", choosing("", chosen, "", "mal-hent", "hent"))
		page := got.page(t)
		if got.StatusCode != http.StatusUnprocessableEntity || page.Find("#mal-s").Text() != "Malen kan ikke brukes lenger. Velg en annen." || strings.Contains(got.body, "Hemmelig") {
			t.Errorf("%s: got %d %q", chosen, got.StatusCode, page.Find("#mal-s").Text())
		}
	}
}

// TestUnfilledTemplateIsNotSent: a citizen must not read "Hei ((fornavn))".
func TestUnfilledTemplateIsNotSent(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	_, filled := form("90000123", "Hei ((fornavn)). Møt ((dato)).")
	got := b.post("/k/oppvekst/sms/ny", fields(filled...))
	want := "Bytt ut flettefeltene ((fornavn)), ((dato)) i teksten med det mottakeren skal lese."
	if page := got.page(t); got.StatusCode != http.StatusUnprocessableEntity || page.Find("#tekst-s").Text() != want || summary(page) != want {
		t.Errorf("got %d %q", got.StatusCode, summary(page))
	}
	id := s.draft(t, caseworker, message("Hei ((fornavn))")) // stored another way
	if got := b.post("/k/oppvekst/sms/"+string(id)+"/send", fields()); !strings.HasSuffix(got.location(), "/endre") || s.state(t, id) != dispatch.StateDraft {
		t.Errorf("got %d to %q", got.StatusCode, got.location())
	}
	for _, address := range []string{"/k/oppvekst/sms/" + string(id) + "/endre"} {
		if got := b.post(address, fields(filled...)); got.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("a change: got %d", got.StatusCode)
		}
	}
}
