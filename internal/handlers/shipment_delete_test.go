package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store/registry"
)

// sentOverV2 stores an accepted shipment of the caseworker's that went over V2, with its address.
func (s *site) sentOverV2(t *testing.T) (dispatch.ItemID, string) {
	t.Helper()
	in, err := registry.In(s.store).Integrations.Save(t.Context(), dispatch.Integration{Name: uuid.NewString(), Kind: dispatch.IntegrationShipmentV2, Service: v2Service,
		Parallelism: 4, RatePerSec: 1000}, loginTo(dispatch.IntegrationShipmentV2, "b"))
	if err != nil {
		t.Fatal(err)
	}
	id := s.acceptedShipment(t)
	s.run(t, `UPDATE items SET integration_id = $2, status = 'LEST' WHERE id = $1`, id, in)
	return id, "/k/oppvekst/forsendelser/" + string(id)
}

func TestDeleteDocuments(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	link := func(b *browser, at string) int {
		return b.get(at).page(t).Find(`a[href="` + at + `/slett-dokumenter"]`).Length()
	}
	t.Run("asks first, then has the service delete, and says so", func(t *testing.T) {
		_, at := s.sentOverV2(t)
		page := b.get(at + "/slett-dokumenter").page(t)
		if text := page.Find("main").Text(); link(b, at) != 1 || !strings.Contains(text, "Dette blir borte") || !strings.Contains(text, "Dette blir igjen") || !strings.Contains(text, "kan ikke angres") {
			t.Errorf("the page says %q", text)
		}
		if page.Find("input[type=radio]").Length() != 0 || len(s.services.deleted) != 0 {
			t.Error("there is a choice where nothing was signed, or asking has deleted")
		}
		if got := b.post(at+"/slett-dokumenter", fields("hva", page.Find("[name=hva]").AttrOr("value", ""))); got.location() != at {
			t.Fatalf("got %d to %q", got.StatusCode, got.location())
		}
		if got := s.services.deleted; len(got) != 1 || got[0] != dispatch.DeletedAll || s.audits(t, "shipment.delete_documents") != 1 || s.audits(t, "item.deleted_documents") != 1 {
			t.Errorf("the service deleted %v", got)
		}
		item := b.get(at).page(t)
		if text := item.Find("section[aria-labelledby=historikk]").Text(); !strings.Contains(text, "Dokumenter slettet hos tjenesten") || !strings.Contains(text, "Kari") {
			t.Errorf("the timeline says %q", text)
		}
		if text := item.Find("section[aria-labelledby=dokumenter]").Text(); !strings.Contains(text, "Alle dokumentene er slettet hos tjenesten") || link(b, at) != 0 {
			t.Errorf("the files say %q", text)
		}
		if got := b.post(at+"/slett-dokumenter", fields("hva", "all")); got.location() != at || len(s.services.deleted) != 1 {
			t.Error("the service was asked once more")
		}
	})
	t.Run("says that the service did not, and nothing else", func(t *testing.T) {
		s.services.set(func(l *services) { l.failing = upstreamError })
		t.Cleanup(func() { s.services.set(func(l *services) { l.failing = "" }) })
		_, at := s.sentOverV2(t)
		got := b.post(at+"/slett-dokumenter", fields("hva", "all"))
		if text := got.page(t).Find(".ds-alert").Text(); got.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(text, "Tjenesten har for mye å gjøre") || !strings.Contains(text, upstreamError) {
			t.Errorf("got %d: %q", got.StatusCode, text)
		}
		if strings.Contains(b.get(at).body, "Dokumenter slettet") || link(b, at) != 1 {
			t.Error("the shipment's page says that they are deleted")
		}
	})
	t.Run("takes only what can be chosen", func(t *testing.T) {
		s.services.set(func(l *services) { l.deleted = nil })
		_, at := s.sentOverV2(t)
		for _, which := range []string{"", "ALLE", "originals"} {
			if got := b.post(at+"/slett-dokumenter", fields("hva", which)); got.location() != at || len(s.services.deleted) != 0 {
				t.Errorf("%q: got %d, deleted %v", which, got.StatusCode, s.services.deleted)
			}
		}
	})
	t.Run("is a colleague's for a reason only", func(t *testing.T) {
		s.services.set(func(l *services) { l.deleted = nil })
		id, at := s.sentOverV2(t)
		s.run(t, `UPDATE items SET created_by = $2 WHERE id = $1`, id, s.as(t, teamLead).User)
		if got := b.post(at+"/slett-dokumenter", fields("hva", "all", "begrunnelse", "Filene er sendt til feil person")); link(b, at) != 0 || got.StatusCode != http.StatusForbidden {
			t.Errorf("a caseworker: got %d", got.StatusCode)
		}
		if got := b.get(at + "/slett-dokumenter"); got.StatusCode != http.StatusForbidden {
			t.Errorf("the page of a caseworker: got %d", got.StatusCode)
		}
		_, at = s.sentOverV2(t) // the caseworker's
		lead := s.browser(t, teamLead)
		if got := lead.post(at+"/slett-dokumenter", fields("hva", "all")); link(lead, at) != 1 || got.StatusCode != http.StatusUnprocessableEntity || len(s.services.deleted) != 0 {
			t.Errorf("without a reason: got %d, deleted %v", got.StatusCode, s.services.deleted)
		}
		if got := lead.post(at+"/slett-dokumenter", fields("hva", "all", "begrunnelse", "Filene er sendt til feil person")); got.location() != at || len(s.services.deleted) != 1 {
			t.Errorf("with a reason: got %d, deleted %v", got.StatusCode, s.services.deleted)
		}
		if page := b.get(at + "/slett-dokumenter"); strings.Contains(page.body, "Hvorfor skal filene slettes?") {
			t.Error("one's own need a reason")
		}
	})
	t.Run("is not offered over V1, nor to who only reads", func(t *testing.T) {
		s.services.set(func(l *services) { l.deleted = nil })
		id, at := s.sentOverV2(t)
		reader := s.browser(t, auditor)
		if got := reader.post(at+"/slett-dokumenter", fields("hva", "all")); link(reader, at) != 0 || got.StatusCode != http.StatusForbidden {
			t.Errorf("an auditor: got %d", got.StatusCode)
		}
		if got := s.browser(t, outsider).post("/k/helse/forsendelser/"+string(id)+"/slett-dokumenter", fields("hva", "all")); got.StatusCode != http.StatusNotFound {
			t.Errorf("from another account: got %d", got.StatusCode)
		}
		old := "/k/oppvekst/forsendelser/" + string(s.acceptedShipment(t))
		if got := b.post(old+"/slett-dokumenter", fields("hva", "all")); link(b, old) != 0 || got.location() != old {
			t.Errorf("over V1: got %d", got.StatusCode)
		}
		if len(s.services.deleted) != 0 {
			t.Errorf("the service deleted %v", s.services.deleted)
		}
	})
}
