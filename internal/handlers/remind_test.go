package handlers_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store/items"
)

// shipmentToSign stores a shipment of the caseworker's that waits for a signature until a day.
func (s *site) shipmentToSign(t *testing.T, until time.Time) dispatch.ItemID {
	t.Helper()
	as := s.as(t, caseworker)
	id, _ := s.listDraft(t, caseworker, "Avtale")
	documents, err := s.store.Documents(t.Context(), as.Account.ID, id)
	if err != nil {
		t.Fatal(err)
	}
	content, problems := shipmentForm("Avtale").Parse(dispatch.V1, documents, s.now())
	if len(problems) > 0 {
		t.Fatalf("the shipment has problems: %v", problems)
	}
	content.Documents[0].Sign, content.SignBy = true, until
	if err := items.In(s.store).Drafts.Queue(t.Context(), as.Account, id, as.Actor, 1, content); err != nil {
		t.Fatal(err)
	}
	s.run(t, `UPDATE items SET state = 'accepted', status = 'VARSLET', upstream_id = $2, accepted_at = now() - interval '1 hour' WHERE id = $1`, id, uuid.NewString())
	s.run(t, `UPDATE shipments SET signing_status = 'VENTER_SIGNERING' WHERE item_id = $1`, id)
	return id
}

// TestRemindBySMS: a signature that is waited for is reminded of by SMS, with the text filled in, while there is any.
func TestRemindBySMS(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	shipment := s.shipmentToSign(t, s.now().Add(72*time.Hour))
	address := "/k/oppvekst/forsendelser/" + string(shipment)
	key := uuid.NewString()
	got := b.post(address+"/sms", fields("nokkel", key))
	if got.StatusCode != http.StatusSeeOther || !strings.HasSuffix(got.location(), "/endre") {
		t.Fatalf("got %d to %q", got.StatusCode, got.location())
	}
	if from := s.origin(t, got.location()); from.ID != shipment || from.Origin != dispatch.OriginReminds {
		t.Errorf("made from %+v", from)
	}
	if text := b.get(got.location()).page(t).Find("textarea").Text(); !strings.HasPrefix(text, "Påminnelse: Du har et dokument å signere") || strings.Contains(text, "Avtale") {
		t.Errorf("the form begins with %q", text)
	}
	if again := b.post(address+"/sms", fields("nokkel", key)); again.location() != got.location() {
		t.Errorf("a second click makes another one: %q", again.location())
	}
	t.Run("a colleague does with a reason", func(t *testing.T) {
		lead := s.browser(t, teamLead)
		lead.wantsReason(address+"/sms", fields("nokkel", uuid.NewString()))
		if got := lead.post(address+"/sms", fields("nokkel", uuid.NewString(), dispatch.FieldReason, "Kollegaen er syk")); got.StatusCode != http.StatusSeeOther {
			t.Errorf("got %d", got.StatusCode)
		}
	})
	t.Run("what is signed is not reminded of", func(t *testing.T) {
		s.run(t, `UPDATE shipments SET signing_status = 'SIGNERT_AV_MOTTAKER', signing_at = now() WHERE item_id = $1`, shipment)
		if got := b.post(address+"/sms", fields("nokkel", uuid.NewString())); got.location() != address {
			t.Errorf("got %d to %q", got.StatusCode, got.location())
		}
	})
}
