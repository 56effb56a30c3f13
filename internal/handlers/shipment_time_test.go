package handlers_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/store/items"
)

// typed is the form of a shipment with which nothing is wrong, as a browser posts it, with changes.
func typed(pairs ...string) url.Values {
	form := fields("versjon", "1", "hvem", "person", "nummer", "12047800155", "navn", "Ola Nordmann", "adresse1", "Storgata 1", "postnummer", "7713",
		"poststed", "Steinkjer", "land", "Norge", "tittel", "Vedtak", "avgivende", "Utsending", "neste", "kontroll")
	for name, values := range fields(pairs...) {
		form[name] = values
	}
	return form
}

// planned sends a shipment that is to go at a time, and returns its address.
func (s *site) planned(t *testing.T, b *browser, pairs ...string) string {
	t.Helper()
	id, document := s.listDraft(t, caseworker, "Vedtak")
	for i, pair := range pairs {
		pairs[i] = strings.ReplaceAll(pair, "{dokument}", string(document))
	}
	review := b.post("/k/oppvekst/utkast/"+string(id), typed(pairs...)).location()
	if got := strings.TrimSpace(b.get(review).page(t).Find("#planlagt").Text()); !strings.Contains(got, "kl. 12.00") {
		t.Fatalf("the review says %q", got)
	}
	return b.post(strings.Replace(review, "kontroll", "send", 1), fields("versjon", "2")).location()
}

// TestPlannedShipment: a shipment waits for its time outside the daytime of SMS too, gets another one, and is stopped.
func TestPlannedShipment(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.run(t, `UPDATE accounts SET daytime_from = 60, daytime_to = 61`)
	b := s.browser(t, caseworker)
	day := time.Now().In(dispatch.Oslo).AddDate(0, 0, 1).Format("02.01.2006")
	item := s.planned(t, b, "dag", day, "klokkeslett", "12.00")
	id := item[strings.LastIndex(item, "/")+1:]
	due := func() string {
		it, err := items.In(s.store).Shipments.ByID(t.Context(), s.oppvekst.Account.ID, dispatch.ItemID(id))
		if err != nil {
			t.Fatal(err)
		}
		return it.DueSince.In(dispatch.Oslo).Format("02.01.2006 15.04") + " " + it.SendAt.In(dispatch.Oslo).Format("15.04")
	}
	if got := due(); got != day+" 12.00 12.00" {
		t.Errorf("due %s", got)
	}
	if got := b.get(item).page(t).Find("#forsendelse").Text(); !strings.Contains(got, "Planlagt") || !strings.Contains(got, day+" kl. 12.00") {
		t.Errorf("its page says %q", got)
	}
	if got := b.get("/k/oppvekst/forsendelser").page(t).Find("tbody").Text(); !strings.Contains(got, "Planlagt") || !strings.Contains(got, "kl. 12.00") {
		t.Errorf("the list says %q", got)
	}
	t.Run("gets another time", func(t *testing.T) {
		page := b.get(item + "/tidspunkt").page(t)
		if page.Find("#dag").AttrOr("value", "") != day || page.Find("#klokkeslett").AttrOr("value", "") != "12.00" || page.Find("#haster").Length() != 0 {
			t.Error("the form does not show the time, and it alone")
		}
		wrong := b.post(item+"/tidspunkt", fields("dag", "22.11.2020", "klokkeslett", "10.00"))
		if got := problems(t, wrong)["dag"]; wrong.StatusCode != http.StatusUnprocessableEntity || got == "" {
			t.Errorf("got %d %q for a time that is over", wrong.StatusCode, got)
		}
		if got := b.post(item+"/tidspunkt", fields("dag", day, "klokkeslett", "13:30")).location(); got != item || due() != day+" 13.30 13.30" {
			t.Errorf("got %q, due %s", got, due())
		}
		if got := b.get(item).page(t).Find("#historikk").Closest("section").Text(); !strings.Contains(got, "Fikk nytt tidspunkt") {
			t.Errorf("the history says %q", got)
		}
	})
	t.Run("goes now when the fields are emptied", func(t *testing.T) {
		b.post(item+"/tidspunkt", fields("dag", "", "klokkeslett", ""))
		if it, err := items.In(s.store).Shipments.ByID(t.Context(), s.oppvekst.Account.ID, dispatch.ItemID(id)); err != nil || it.DueSince.After(time.Now()) || !it.SendAt.IsZero() {
			t.Errorf("due %v, %v", it.DueSince, err)
		}
		if got := b.post(item+"/tidspunkt", fields("dag", day, "klokkeslett", "13.30")).location(); got != item || !strings.HasPrefix(due(), time.Now().In(dispatch.Oslo).Format("02.01.2006")) {
			t.Errorf("one that is due was moved to %s", due())
		}
	})
	t.Run("is stopped", func(t *testing.T) {
		b.post(item+"/avbryt", fields())
		if got := b.get(item + "/tidspunkt").location(); got != item {
			t.Errorf("its time leads to %q", got)
		}
	})
}

// TestPlannedShipmentToBeSigned: its time keeps a day's distance from the deadline, when it is written and when it is moved.
func TestPlannedShipmentToBeSigned(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	day := func(n int) string { return time.Now().In(dispatch.Oslo).AddDate(0, 0, n).Format("02.01.2006") }
	item := s.planned(t, b, "dag", day(1), "klokkeslett", "12.00", "skal-signeres", "true", "signer", "{dokument}", "signatur", "AVANSERT_SIGNATUR", "frist", day(5),
		"svar-navn", "Fjordvik", "svar-nummer", "974760673", "svar-adresse1", "Rådhuset", "svar-postnummer", "7713", "svar-poststed", "Steinkjer", "svar-land", "Norge")
	wrong := b.post(item+"/tidspunkt", fields("dag", day(5), "klokkeslett", "12.00"))
	if got := problems(t, wrong)["dag"]; !strings.Contains(got, "fristen for å signere") {
		t.Errorf("got %d %q", wrong.StatusCode, got)
	}
	if got := b.post(item+"/tidspunkt", fields("dag", day(4), "klokkeslett", "12.00")).location(); got != item {
		t.Errorf("got %q", got)
	}
	id, document := s.listDraft(t, caseworker, "Vedtak")
	late := b.led(t, b.post("/k/oppvekst/utkast/"+string(id), typed("dag", day(5), "klokkeslett", "12.00", "skal-signeres", "true", "signer", string(document),
		"signatur", "AVANSERT_SIGNATUR", "frist", day(5))))
	if got := problems(t, late)["frist"]; !strings.Contains(got, "minst ett døgn etter") {
		t.Errorf("got %d %q", late.StatusCode, got)
	}
}

// TestDraftWhoseTimePasses: it is not sent, and says so; a copy of a shipment has no time.
func TestDraftWhoseTimePasses(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	id, _ := s.listDraft(t, caseworker, "Vedtak")
	at := "/k/oppvekst/utkast/" + string(id)
	tomorrow := time.Now().In(dispatch.Oslo).AddDate(0, 0, 1).Format("02.01.2006")
	b.post(at, typed("dag", tomorrow, "klokkeslett", "12.00"))
	s.ahead.Store(int64(72 * time.Hour))
	b = s.browser(t, caseworker)
	got := b.led(t, b.post(at+"/send", fields("versjon", "2")))
	if text := problems(t, got)["dag"]; got.StatusCode != http.StatusUnprocessableEntity || !strings.HasPrefix(text, "Tidspunktet er passert.") {
		t.Errorf("got %d %q", got.StatusCode, text)
	}
	s.ahead.Store(0)
	b = s.browser(t, caseworker)
	item := s.planned(t, b, "dag", tomorrow, "klokkeslett", "12.00")
	b.post(item+"/avbryt", fields())
	copied := b.get(b.post(item+"/kopier", fields("nokkel", "11111111-1111-4111-8111-111111111111")).location()).page(t)
	if copied.Find("#dag").AttrOr("value", "") != "" || copied.Find("#tittel").AttrOr("value", "") != "Vedtak" {
		t.Error("the copy has the time of the first one, or nothing of it")
	}
}
