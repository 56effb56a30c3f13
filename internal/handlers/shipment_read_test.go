package handlers_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store/storetest"
)

// acceptedShipment stores a shipment of the caseworker's that the service has taken, an hour ago.
func (s *site) acceptedShipment(t *testing.T) dispatch.ItemID {
	t.Helper()
	id := s.shipment(t, caseworker, "Vedtak")
	s.run(t, `UPDATE items SET state = 'accepted', status = 'VARSLET', upstream_id = $2, accepted_at = now() - interval '1 hour', integration_id = $3, next_check_at = now() + interval '6 hours'
		WHERE id = $1`, id, uuid.NewString(), s.oppvekst.Integration.ID)
	return id
}

// audits counts the lines of the event log about an action.
func (s *site) audits(t *testing.T, action string) (n int) {
	t.Helper()
	if err := storetest.DB(t, s.database).QueryRowContext(t.Context(), `SELECT count(*) FROM audit_events WHERE action = $1`, action).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestMarkRead(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	over := s.sendOver(t, dispatch.IntegrationShipmentV1)
	accepted := func() dispatch.ItemID {
		id := s.acceptedShipment(t)
		s.run(t, `UPDATE items SET integration_id = $2 WHERE id = $1`, id, over)
		return id
	}
	now := time.Now().In(dispatch.Oslo)
	form := func(id dispatch.ItemID, pairs ...string) (string, map[string]string) {
		values := map[string]string{"hvem": "mottaker", "lest-dag": now.Format("02.01.2006"), "lest-kl": now.Format("15.04"), "lest-system": "Arkivet", "bekreft": "true"}
		for i := 0; i < len(pairs); i += 2 {
			values[pairs[i]] = pairs[i+1]
		}
		return "/k/oppvekst/forsendelser/" + string(id), values
	}
	post := func(id dispatch.ItemID, pairs ...string) answer {
		base, values := form(id, pairs...)
		f := fields()
		for name, value := range values {
			f.Set(name, value)
		}
		return b.post(base+"/lest", f)
	}
	t.Run("tells the service, once it is confirmed", func(t *testing.T) {
		id := accepted()
		base, _ := form(id)
		if b.get(base).page(t).Find(`a[href="`+base+`/lest"]`).Length() != 1 || b.get(base+"/lest").StatusCode != http.StatusOK {
			t.Error("the shipment's page does not lead there")
		}
		if got := post(id); got.StatusCode != http.StatusSeeOther || got.location() != base {
			t.Fatalf("got %d to %q", got.StatusCode, got.location())
		}
		told := s.services.told
		if len(told) != 1 || told[0].NationalID != "12047800155" || told[0].System != "Arkivet" || told[0].At.Format("15.04") != now.Format("15.04") {
			t.Errorf("the service was told %d things", len(told))
		}
		text := b.get(base).page(t).Find("section[aria-labelledby=historikk]").Text()
		if !strings.Contains(text, "Satt som lest utenfor tjenesten") || !strings.Contains(text, "Lest i Arkivet") || s.audits(t, "shipment.mark_read") != 1 {
			t.Errorf("the timeline says %q", text)
		}
	})
	t.Run("takes another's number", func(t *testing.T) {
		s.services.set(func(l *services) { l.told = nil })
		if got := post(accepted(), "hvem", "annen", "leser", "128478 00155"); got.StatusCode != http.StatusSeeOther || s.services.told[0].NationalID != "12847800155" {
			t.Errorf("got %d", got.StatusCode)
		}
	})
	t.Run("tells what is wrong at its field", func(t *testing.T) {
		s.services.set(func(l *services) { l.told = nil })
		id := accepted()
		for field, pair := range map[string][]string{
			"bekreft": {"bekreft", ""}, "leser": {"hvem", "annen"}, "lest-system": {"lest-system", " "}, "lest-kl": {"lest-kl", "25.00"}, "lest-dag": {"lest-dag", "31.02.2026"},
		} {
			got := post(id, pair...)
			if got.StatusCode != http.StatusUnprocessableEntity || got.page(t).Find("#"+field+"[aria-invalid=true]").Length() != 1 {
				t.Errorf("%s: got %d: %s", field, got.StatusCode, got.page(t).Find(".ds-error-summary").Text())
			}
		}
		for name, at := range map[string]time.Time{"tomorrow": now.AddDate(0, 0, 1), "before it was accepted": now.Add(-2 * time.Hour)} {
			got := post(id, "lest-dag", at.Format("02.01.2006"), "lest-kl", at.Format("15.04"))
			if got.StatusCode != http.StatusUnprocessableEntity || got.page(t).Find("#lest-dag[aria-invalid=true]").Length() != 1 {
				t.Errorf("%s: got %d", name, got.StatusCode)
			}
		}
		if len(s.services.told) > 0 {
			t.Error("the service was told all the same")
		}
	})
	t.Run("says that the service could not be told, and tells nothing else", func(t *testing.T) {
		s.services.set(func(l *services) { l.failing = upstreamError })
		t.Cleanup(func() { s.services.set(func(l *services) { l.failing = "" }) })
		id := accepted()
		got := post(id)
		if text := got.page(t).Find(".ds-alert").Text(); got.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(text, "Tjenesten har for mye å gjøre") || !strings.Contains(text, upstreamError) {
			t.Errorf("got %d: %q", got.StatusCode, text)
		}
		base, _ := form(id)
		if strings.Contains(b.get(base).body, "Satt som lest") {
			t.Error("the timeline says that it was told")
		}
	})
	t.Run("is not offered for what the service does not have", func(t *testing.T) {
		id := s.shipment(t, caseworker, "Vedtak")
		base, _ := form(id)
		if b.get(base).page(t).Find(`a[href="`+base+`/lest"]`).Length() != 0 {
			t.Error("a shipment in the queue can be marked")
		}
		if got := post(id); got.StatusCode != http.StatusSeeOther || flash(b.get(base).page(t)) == "" {
			t.Errorf("got %d", got.StatusCode)
		}
	})
}
