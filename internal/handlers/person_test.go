package handlers_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"utsending/internal/dispatch"
	"utsending/internal/store/lists"
	"utsending/internal/store/storetest"
)

// personOf keeps a look of somebody's at everything that was sent to a number.
func (s *site) personOf(t *testing.T, who string) string {
	t.Helper()
	sample := s.as(t, who)
	id := s.queued(t, who, message("Hei"))
	search, _, err := lists.In(s.store).Searches.SavePerson(t.Context(), sample.Account.ID, id, "••• •• 123", "Svare på en klage", sample.Actor)
	if err != nil {
		t.Fatal(err)
	}
	return search
}

// TestEverythingToOnePerson: both channels on one page, after a purpose that the event log keeps, with no number in sight.
func TestEverythingToOnePerson(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	number := dispatch.NationalID(strings.ReplaceAll(shipmentForm("Vedtak").Number, " ", ""))
	letter := s.acceptedShipment(t)
	s.run(t, `UPDATE items SET status = 'IKKE_LEVERT', status_at = now() WHERE id = $1`, letter)
	sms := s.queued(t, caseworker, dispatch.SMS{Recipient: dispatch.SMSRecipient{NationalID: number}, Text: "Møt kl. ti"})
	s.queued(t, caseworker, message("Til en annen"))

	from := map[string]string{"the letter": "/k/oppvekst/forsendelser/" + string(letter), "the SMS": "/k/oppvekst/sms/" + string(sms)}
	from["a search for the number"] = b.post("/k/oppvekst/sok-person", fields("q", string(number))).location()
	for name, address := range from {
		t.Run(name, func(t *testing.T) {
			if b.get(address).page(t).Find(`a[href="`+address+`/person"]`).Length() != 1 {
				t.Fatal("it does not lead there")
			}
			if got := b.get(address + "/person"); strings.Contains(got.body, "Møt kl. ti") || got.StatusCode != http.StatusOK {
				t.Errorf("got %d before a purpose", got.StatusCode)
			}
			before := s.audits(t, "list.person")
			if got := b.post(address+"/person", fields("formal", "")); got.StatusCode != http.StatusUnprocessableEntity || s.audits(t, "list.person") != before {
				t.Errorf("without a purpose: got %d", got.StatusCode)
			}
			to := b.post(address+"/person", fields("formal", "Svare på en klage")).location()
			if strings.Contains(to, string(number)) || !strings.HasPrefix(to, "/k/oppvekst/mottaker/") {
				t.Fatalf("it leads to %q", to)
			}
			if n := s.audits(t, "list.person"); n != before+1 {
				t.Errorf("the event log has %d lines, want one more than %d", n, before)
			}
			got := b.get(to)
			wantWords(t, got, "Alt til én mottaker", "Formål: Svare på en klage", "1 kom ikke frem.", "Møt kl. ti", "Vedtak")
			if n := got.page(t).Find("tbody tr").Length(); n != 2 {
				t.Errorf("it shows %d items, want 2", n)
			}
			if strings.Contains(got.body, string(number)) {
				t.Error("the whole number is shown")
			}
			for _, who := range []string{teamLead, auditor} {
				if got := s.browser(t, who).get(to); got.StatusCode == http.StatusOK {
					t.Errorf("%s sees it without a purpose", who)
				}
			}
		})
	}
	var details string
	if err := storetest.DB(t, s.database).QueryRowContext(t.Context(), `SELECT details::text FROM audit_events WHERE action = 'list.person' LIMIT 1`).Scan(&details); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(details, "Svare på en klage") || strings.Contains(details, string(number)) {
		t.Errorf("the event log says %s", details)
	}
	t.Run("paged", func(t *testing.T) {
		for i := range 60 {
			s.queued(t, caseworker, dispatch.SMS{Recipient: dispatch.SMSRecipient{NationalID: number}, Text: fmt.Sprint("Nr. ", i)})
		}
		to := b.post(from["the SMS"]+"/person", fields("formal", "Svare på en klage")).location()
		page := b.get(to).page(t)
		older := page.Find(`a[rel="next"]`).AttrOr("href", "")
		seen := page.Find("tbody tr").Length() + b.get(older).page(t).Find("tbody tr").Length()
		if older == "" || seen != 62 {
			t.Errorf("the pages show %d items, want 62", seen)
		}
	})
	t.Run("a search for words is nobody", func(t *testing.T) {
		words := b.post("/k/oppvekst/sok", fields("q", "Vedtak")).location()
		if got := b.get(words + "/person"); got.StatusCode != http.StatusNotFound {
			t.Errorf("got %d", got.StatusCode)
		}
		if got := b.get(strings.Replace(words, "/sok/", "/mottaker/", 1)); got.StatusCode != http.StatusNotFound {
			t.Errorf("got %d as a person", got.StatusCode)
		}
	})
}
