package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store/items"
	"utsending/internal/store/storetest"
)

// origin is the item from which the draft on a page was made, and why.
func (s *site) origin(t *testing.T, location string) dispatch.Relative {
	t.Helper()
	parts := strings.Split(strings.TrimPrefix(location, "/k/oppvekst/"), "/")
	id, _, _ := strings.Cut(parts[1], "?")
	list, err := items.In(s.store).Origins.Relatives(t.Context(), s.oppvekst.Account.ID, dispatch.ItemID(id))
	if err != nil || len(list) != 1 || !list[0].Before {
		t.Fatalf("%s: made from %+v, %v", location, list, err)
	}
	return list[0]
}

// TestOtherWays: a failed item is sent another way, with the form filled in, and the new draft names it.
func TestOtherWays(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b, lead := s.browser(t, caseworker), s.browser(t, teamLead)
	shipment := s.acceptedShipment(t)
	address := "/k/oppvekst/forsendelser/" + string(shipment)
	ended := func(t *testing.T, change string) {
		t.Helper()
		s.run(t, `UPDATE items SET status = 'LEST' WHERE id = $1`, shipment)
		s.run(t, change, shipment)
	}
	tests := []struct {
		name, change, path, field, value string
		want                             dispatch.OriginKind
		says                             string
	}{
		{"a shipment that was not delivered: an SMS", `UPDATE items SET status = 'IKKE_LEVERT' WHERE id = $1`, "/sms", "", "", dispatch.OriginReplaces, "ikke kom frem"},
		{"a shipment that was not delivered: once more", `UPDATE items SET status = 'IKKE_LEVERT' WHERE id = $1`, "/kopier", "", "", dispatch.OriginReplaces, "Vedtak"},
		{"a shipment that was not delivered: on paper", `UPDATE items SET status = 'AVVIST' WHERE id = $1`, "/kopier", "papir", "true", dispatch.OriginReplaces, "Vedtak"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			ended(t, test.change)
			got := b.post(address+test.path, fields("nokkel", uuid.NewString(), test.field, test.value))
			if got.StatusCode != http.StatusSeeOther {
				t.Fatalf("got %d: %s", got.StatusCode, got.body)
			}
			if from := s.origin(t, got.location()); from.ID != shipment || from.Origin != test.want {
				t.Errorf("made from %+v", from)
			}
			if page := b.get(got.location()); page.StatusCode != http.StatusOK || !strings.Contains(page.body, test.says) {
				t.Errorf("%s: got %d without %q", got.location(), page.StatusCode, test.says)
			}
		})
	}
	t.Run("a shipment that was read needs none", func(t *testing.T) {
		ended(t, `UPDATE items SET status = 'LEST' WHERE id = $1`)
		if got := b.post(address+"/sms", fields("nokkel", uuid.NewString())); got.location() != address {
			t.Errorf("got %d to %q", got.StatusCode, got.location())
		}
		got := b.post(address+"/kopier", fields("nokkel", uuid.NewString()))
		id := strings.TrimPrefix(strings.Split(got.location(), "?")[0], "/k/oppvekst/utkast/")
		if list, err := items.In(s.store).Origins.Relatives(t.Context(), s.oppvekst.Account.ID, dispatch.ItemID(id)); err != nil || len(list) != 0 {
			t.Errorf("a copy of it replaces it: %+v, %v", list, err)
		}
	})
	t.Run("an SMS that was not sent becomes a shipment", func(t *testing.T) {
		id := s.rejected(t, caseworker, dispatch.SMS{Recipient: dispatch.SMSRecipient{NationalID: "12047800155"}, Text: "Hei der"})
		got := b.post("/k/oppvekst/sms/"+string(id)+"/brev", fields("nokkel", uuid.NewString()))
		if from := s.origin(t, got.location()); from.ID != id || from.Kind != dispatch.KindSMS {
			t.Errorf("made from %+v", from)
		}
		if page := b.get(got.location()).page(t); page.Find("input[value='12047800155']").Length() != 1 {
			t.Error("the number is not filled in")
		}
	})
	t.Run("an SMS whose text has been purged still becomes a shipment", func(t *testing.T) {
		id := s.rejected(t, caseworker, dispatch.SMS{Recipient: dispatch.SMSRecipient{NationalID: "12047800155"}, Text: "Hei der"})
		s.run(t, `UPDATE sms SET text = NULL WHERE item_id = $1`, id)
		if got := b.post("/k/oppvekst/sms/"+string(id)+"/brev", fields("nokkel", uuid.NewString())); got.StatusCode != http.StatusSeeOther {
			t.Errorf("got %d", got.StatusCode)
		}
	})
	t.Run("a colleague's takes a reason", func(t *testing.T) {
		ended(t, `UPDATE items SET status = 'IKKE_LEVERT' WHERE id = $1`)
		lead.wantsReason(address+"/sms", fields("nokkel", uuid.NewString()))
	})
	t.Run("whoever follows up may ask for the status now", func(t *testing.T) {
		s.run(t, `UPDATE items SET next_check_at = now() + interval '6 hours', checked_at = now() - interval '1 hour', pulled_at = NULL WHERE id = $1`, shipment)
		got := lead.post(address+"/kontroller", nil)
		var soon bool
		if err := storetest.DB(t, s.database).QueryRowContext(t.Context(), `SELECT next_check_at <= now() FROM items WHERE id = $1`, shipment).Scan(&soon); err != nil || !soon || got.location() != address {
			t.Errorf("got %d to %q, asked now: %t, %v", got.StatusCode, got.location(), soon, err)
		}
	})
}

// TestWhoCorrects: who may not correct a colleague's failed item is not told to, but who can.
func TestWhoCorrects(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	colleague := s.colleague(t)
	only := "Bare " + names[caseworker] + " eller en teamleder kan rette og sende på nytt."
	letter := s.acceptedShipment(t)
	for name, tt := range map[string]struct{ address, change, says, advice string }{
		"a dismissed shipment": {"/k/oppvekst/forsendelser/" + string(letter), `UPDATE items SET status = 'AVVIST' WHERE id = '` + string(letter) + `'`,
			"Noe i det vi sendte, ble ikke godtatt.", "Rett feilen"},
		"an SMS that was not taken": {"/k/oppvekst/sms/" + string(s.turnedDown(t)), `SELECT 1`, "Tjenesten tok den ikke imot.", "send på nytt."},
	} {
		s.run(t, tt.change)
		got := colleague.get(tt.address)
		wantWords(t, got, tt.says, only)
		if status := got.page(t).Find(".status").Text(); strings.Contains(strings.ReplaceAll(status, only, ""), tt.advice) {
			t.Errorf("%s: a colleague is told to do what they may not: %s", name, status)
		}
		for _, who := range []string{caseworker, teamLead} {
			if got := s.browser(t, who).get(tt.address); strings.Contains(got.body, only) || !strings.Contains(got.page(t).Find(".status").Text(), tt.advice) {
				t.Errorf("%s: %s is not told what to do", name, who)
			}
		}
	}
}
