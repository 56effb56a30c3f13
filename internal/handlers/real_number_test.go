package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
)

// TestRealNumbersAreRefused: an account of a test environment takes a real person's number in no way, and a synthetic one in each.
func TestRealNumbersAreRefused(t *testing.T) {
	t.Parallel()
	const real, synthetic, says = "12047800155", "12847800155", "Dette er et testmiljø."
	s := newSite(t)
	s.run(t, `UPDATE integrations SET environment = 'test'`)
	s.run(t, `UPDATE accounts SET shipment_integration_id = sms_integration_id WHERE shipment_integration_id IS NULL`)
	b := s.browser(t, caseworker)
	sms := func(number string) answer {
		return b.post("/k/oppvekst/sms/ny", fields("nokkel", uuid.NewString(), "mottaker", "fnr", "fnr", number, "tekst", "Hei der"))
	}
	t.Run("in the form of an SMS", func(t *testing.T) {
		if got := sms(real); got.StatusCode != http.StatusUnprocessableEntity || !strings.HasPrefix(problems(t, got)["fnr"], says) {
			t.Errorf("got %d %v", got.StatusCode, problems(t, got))
		}
		if got := sms(synthetic); got.StatusCode != http.StatusSeeOther {
			t.Errorf("a synthetic number: got %d", got.StatusCode)
		}
	})
	t.Run("when the field is left", func(t *testing.T) {
		if got := b.do(http.MethodPost, "/k/oppvekst/sms/sjekk", formType, fields("fnr", real).Encode(), fragment("fnr-s")...); !strings.Contains(got.body, says) {
			t.Errorf("got %s", got.body)
		}
	})
	t.Run("in a draft from before", func(t *testing.T) {
		m := message("Hei der")
		m.Recipient.Phone, m.Recipient.NationalID = "", real
		at := "/k/oppvekst/sms/" + string(s.draft(t, caseworker, m))
		got := b.post(at+"/send", fields("sett", "1"))
		if got.location() != at+"/endre" {
			t.Fatalf("got %d to %q", got.StatusCode, got.location())
		}
		wantWords(t, b.get(at+"/endre"), says)
		if n := countRows(t, s, `SELECT count(*) FROM items WHERE state = 'queued'`); n != 0 {
			t.Errorf("%d are queued", n)
		}
	})
	t.Run("in a list", func(t *testing.T) {
		at := newList(t, b, "liste", real+"\n"+synthetic)
		wantWords(t, b.get(at+"/feil"), says)
		if n := countRows(t, s, `SELECT count(*) FROM job_rows WHERE problem = 'problem.national_id.real'`); n != 1 {
			t.Errorf("%d rows are refused, want one", n)
		}
		b.post(at+"/feil", fields("rad", "1", "mottaker-1", "12047800236"))
		if n := countRows(t, s, `SELECT count(*) FROM job_rows WHERE problem = ''`); n != 1 {
			t.Errorf("another real number was taken for the first: %d rows are fit", n)
		}
	})
	t.Run("in a letter", func(t *testing.T) {
		draft := b.post("/k/oppvekst/forsendelser/ny", fields()).location()
		form := heldForm(b.get(draft).page(t))
		form.Set("nummer", real)
		form.Set("handling", "kontroll")
		b.post(draft, form)
		wantWords(t, b.follow(t, draft+"/kontroll"), says)
	})
	t.Run("in a list of letters", func(t *testing.T) {
		at := s.newShipmentList(t, b, "fil", "fil:"+strings.Replace(shipmentPeople, ";Per", ";Per", 1))
		wantWords(t, b.get(at+"/flere/feil"), says)
	})
	t.Run("in a look-up", func(t *testing.T) {
		got := b.post("/k/oppvekst/oppslag", fields(asking(synthetic+"\n"+real)...))
		if got.StatusCode != http.StatusUnprocessableEntity || !strings.HasPrefix(problems(t, got)["numre"], "Linje 2: Dette er et testmiljø") {
			t.Errorf("got %d %v", got.StatusCode, problems(t, got))
		}
	})
	t.Run("in a look-up from a form", func(t *testing.T) {
		got := b.post("/k/oppvekst/sms/ny", fields("nokkel", uuid.NewString(), "mottaker", "fnr", "fnr", real, "formal", why, "neste", "oppslag"))
		if at := problems(t, got); len(at) != 1 || !strings.HasPrefix(at["fnr"], says) {
			t.Errorf("an SMS: got %v", at)
		}
		draft := b.post("/k/oppvekst/forsendelser/ny", fields()).location()
		form := heldForm(b.get(draft).page(t))
		form.Set("nummer", real)
		form.Set("formal", why)
		form.Set("neste", "oppslag")
		if at := problems(t, b.post(draft, form)); len(at) != 1 || !strings.HasPrefix(at["nummer"], says) {
			t.Errorf("a shipment: got %v", at)
		}
		m := message("Hei der")
		m.Recipient.Phone, m.Recipient.NationalID = "", real
		review := "/k/oppvekst/sms/" + string(s.draft(t, caseworker, m))
		if at := problems(t, b.post(review+"/oppslag", fields("formal", why))); len(at) != 1 || !strings.HasPrefix(at["numre"], says) {
			t.Errorf("a review: got %v", at)
		}
	})
	t.Run("but not in production", func(t *testing.T) {
		s.run(t, `UPDATE integrations SET environment = 'production'`)
		if got := sms(real); got.StatusCode != http.StatusSeeOther {
			t.Errorf("got %d %v", got.StatusCode, problems(t, got))
		}
	})
}
