package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
)

// overV1 lets the account oppvekst send shipments.
func (s *site) overV1(t *testing.T) dispatch.IntegrationID {
	t.Helper()
	return s.sendOver(t, dispatch.IntegrationShipmentV1)
}

// sendOver lets the account oppvekst send shipments over an integration of a kind.
func (s *site) sendOver(t *testing.T, kind dispatch.IntegrationKind) dispatch.IntegrationID {
	t.Helper()
	id := s.unused(t, kind)
	s.addSet(t, id, "hemmelig")
	s.run(t, `UPDATE accounts SET shipment_integration_id = $2, shipment_account_id = $3 WHERE id = $1`, s.oppvekst.Account.ID, id, uuid.NewString())
	return id
}

func TestReceivers(t *testing.T) {
	t.Parallel()
	s, _ := newSetup(t)
	s.overV1(t)
	b := s.browser(t, caseworker)
	const base = "/k/oppvekst/mottakersystem"
	s.services.set(func(l *services) {
		l.receivers = []dispatch.Receiver{{OrganizationNumber: "987654325", Type: "Byggesøknad", System: "ePhorte", SystemID: "7f1c", Level: 4}}
	})
	t.Run("shows what the service tells, by the filter", func(t *testing.T) {
		page := b.get(base + "?orgnr=987+654+325&type=Byggesøknad&niva=4").page(t)
		row := page.Find("tbody tr").Text()
		for _, want := range []string{"ePhorte", "7f1c", "987\u00a0654\u00a0325", "Byggesøknad", "4"} {
			if !strings.Contains(row, want) {
				t.Errorf("got %q, want %q in it", row, want)
			}
		}
		if got := s.services.filters; len(got) != 1 || got[0] != (dispatch.ReceiverFilter{OrganizationNumber: "987654325", Type: "Byggesøknad", Level: 4}) {
			t.Errorf("the service was asked with %+v", got)
		}
		if page.Find("datalist option").Length() != 2 || held(page, "orgnr") != "987 654 325" {
			t.Error("the form has no suggestions, or lost what was typed")
		}
	})
	t.Run("asks for nothing with a filter that is wrong", func(t *testing.T) {
		s.services.set(func(l *services) { l.filters = nil })
		for query, field := range map[string]string{"orgnr=12": "orgnr", "niva=5": "niva", "niva=x": "niva"} {
			got := b.get(base + "?" + query)
			if got.StatusCode != http.StatusUnprocessableEntity || got.page(t).Find("#"+field+"[aria-invalid=true]").Length() != 1 {
				t.Errorf("%s: got %d", query, got.StatusCode)
			}
		}
		if len(s.services.filters) > 0 {
			t.Error("the service was asked")
		}
	})
	t.Run("says that the service does not answer", func(t *testing.T) {
		s.services.set(func(l *services) { l.failing = upstreamError })
		t.Cleanup(func() { s.services.set(func(l *services) { l.failing = "" }) })
		if text := b.get(base).page(t).Find(".ds-alert").Text(); !strings.Contains(text, "Tjenesten har for mye å gjøre eller er nede.") {
			t.Errorf("got %q", text)
		}
	})
	t.Run("fills a find in in a new draft, and in one that is being written", func(t *testing.T) {
		form := fields("nokkel", uuid.NewString(), "orgnr", "987654325", "type", "Byggesøknad")
		draft := b.post("/k/oppvekst/forsendelser/ny", form).location()
		for query, want := range map[string]string{"": "Begynn en ny forsendelse til ePhorte", "?utkast=" + draft[strings.LastIndex(draft, "/")+1:]: "Bruk i forsendelsen"} {
			if button := strings.Join(strings.Fields(b.get(base+query).page(t).Find("tbody button").Text()), " "); !strings.HasPrefix(button, want) {
				t.Errorf("%q: the button reads %q", query, button)
			}
		}
		check := func(title string) {
			t.Helper()
			page := b.get(draft).page(t)
			if held(page, "hvem") != "organisasjon" || held(page, "nummer") != "987654325" || held(page, "type") != "Byggesøknad" || held(page, "tittel") != title {
				t.Errorf("the draft holds %q, %q, %q, %q", held(page, "hvem"), held(page, "nummer"), held(page, "type"), held(page, "tittel"))
			}
		}
		check("")
		typed := fields("versjon", "1", "tittel", "Tegninger", "hvem", "organisasjon", "nummer", "974760673", "neste", "mottakersystem")
		leads := b.post(draft, typed).location()
		if id := draft[strings.LastIndex(draft, "/")+1:]; leads != base+"?orgnr=974760673&utkast="+id {
			t.Fatalf("it leads to %q", leads)
		}
		if action := b.get(leads).page(t).Find("tbody form").AttrOr("action", ""); action != draft+"/mottakersystem" {
			t.Fatalf("a find is posted to %q", action)
		}
		if got := b.post(draft+"/mottakersystem", form); got.StatusCode != http.StatusSeeOther {
			t.Fatalf("got %d", got.StatusCode)
		}
		check("Tegninger")
		if got := b.post(draft+"/mottakersystem", fields("orgnr", "12")); got.StatusCode != http.StatusBadRequest {
			t.Errorf("got %d of half a number", got.StatusCode)
		}
		if got := s.browser(t, teamLead).get(leads); got.StatusCode != http.StatusNotFound {
			t.Errorf("got %d for somebody else's draft", got.StatusCode)
		}
	})
}

func TestSearchByReference(t *testing.T) {
	t.Parallel()
	s, _ := newSetup(t)
	over := s.sendOver(t, dispatch.IntegrationShipmentV2)
	b := s.browser(t, caseworker)
	const base = "/k/oppvekst/forsendelser/sok"
	id := s.shipment(t, caseworker, "Vedtak om skyss")
	ours, stranger := uuid.NewString(), uuid.NewString()
	s.run(t, `UPDATE items SET state = 'accepted', upstream_id = $2, accepted_at = now(), integration_id = $3 WHERE id = $1`, id, ours, over)
	s.run(t, `UPDATE shipments SET external_reference = '2026/12' WHERE item_id = $1`, id)
	foreign := s.shipment(t, outsider, "Hemmelig")
	s.run(t, `UPDATE shipments SET external_reference = '2026/12' WHERE item_id = $1`, foreign)
	s.services.set(func(l *services) {
		l.matches = []dispatch.ReferenceMatch{{ID: strings.ToUpper(ours)}, {ID: stranger, SourceSystem: "Fagsystemet"}}
	})
	search := func(t *testing.T, reference string) answer {
		t.Helper()
		got := b.post(base, fields("referanse", reference))
		if strings.Contains(got.body, "Hemmelig") {
			t.Error("another account's shipment is shown")
		}
		return got
	}
	t.Run("shows what was sent from here, and says what was not", func(t *testing.T) {
		page := search(t, " 2026/12 ").page(t)
		if got := page.Find("section[aria-labelledby=herfra] tbody a").Text(); got != "Vedtak om skyss" {
			t.Errorf("own: got %q", got)
		}
		text := page.Find("section[aria-labelledby=fremmede]").Text()
		if strings.Count(text, "Ikke sendt herfra") != 1 || !strings.Contains(text, stranger) || !strings.Contains(text, "Fagsystemet") || strings.Contains(strings.ToLower(text), ours) {
			t.Errorf("strangers: got %q", text)
		}
		if s.audits(t, "shipment.search_reference") != 1 || s.audits(t, "shipment.show_strangers") != 1 {
			t.Error("the event log does not tell")
		}
		if strings.Contains(s.log.String(), "2026/12") {
			t.Error("the reference stands in the log")
		}
	})
	t.Run("says that one of ours may be a stranger", func(t *testing.T) {
		s.run(t, `UPDATE items SET state = 'uncertain' WHERE id = $1`, id)
		t.Cleanup(func() { s.run(t, `UPDATE items SET state = 'accepted' WHERE id = $1`, id) })
		if !strings.Contains(search(t, "2026/12").page(t).Find("main").Text(), "er uavklart") {
			t.Error("it does not")
		}
	})
	t.Run("finds by the item's id", func(t *testing.T) {
		if got := search(t, string(id)).page(t).Find("section[aria-labelledby=herfra] tbody a").Text(); got != "Vedtak om skyss" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("refuses what is no reference", func(t *testing.T) {
		for _, reference := range []string{" ", "a\x00b", strings.Repeat("x", 1001), ".."} {
			if got := search(t, reference).StatusCode; got != http.StatusUnprocessableEntity {
				t.Errorf("%q: got %d", reference, got)
			}
		}
	})
	t.Run("does not ask the service where others send over the integration, or have", func(t *testing.T) {
		for name, pair := range map[string][2]string{
			"sends": {`UPDATE accounts SET shipment_integration_id = $2 WHERE id = $1`, `UPDATE accounts SET shipment_integration_id = NULL WHERE id = $1 AND $2 <> ''`},
			"sent": {`UPDATE items SET state = 'accepted', upstream_id = gen_random_uuid(), integration_id = $2 WHERE account_id = $1 AND kind = 'shipment'`,
				`UPDATE items SET integration_id = NULL WHERE account_id = $1 AND $2 <> ''`},
		} {
			s.services.set(func(l *services) { l.searched = nil })
			s.run(t, pair[0], s.helse.Account.ID, over)
			text := search(t, "2026/12").page(t).Find("section[aria-labelledby=fremmede]").Text()
			if !strings.Contains(text, "Tjenesten er ikke spurt") || len(s.services.searched) > 0 {
				t.Errorf("%s: got %q", name, text)
			}
			s.run(t, pair[1], s.helse.Account.ID, string(over))
		}
		if search(t, "2026/12"); len(s.services.searched) != 1 {
			t.Error("the service is not asked again when the account is alone")
		}
	})
	t.Run("is not for an auditor", func(t *testing.T) {
		if got := s.browser(t, auditor).get(base).StatusCode; got != http.StatusForbidden {
			t.Errorf("got %d", got)
		}
	})
	t.Run("finds by correlation id too", func(t *testing.T) {
		s.run(t, `UPDATE shipments SET correlation_id = 'Kull 26' WHERE item_id IN ($1, $2)`, id, foreign)
		if got := search(t, "Kull 26").page(t).Find("section[aria-labelledby=herfra] tbody a").Text(); got != "Vedtak om skyss" {
			t.Errorf("got %q", got)
		}
	})
}
