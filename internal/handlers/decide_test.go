package handlers_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/uuid"

	"utsending/internal/dispatch"
)

// TestActs: what a person does to an SMS, and what is said when it is too late.
func TestActs(t *testing.T) {
	t.Parallel()
	const queued, failed, overdue = `UPDATE items SET state = 'queued' WHERE id = $1`, `UPDATE items SET state = 'failed' WHERE id = $1`,
		`UPDATE items SET due_since = now() - interval '25 hours' WHERE id = $1`
	tests := []struct {
		name, prepare, act string
		want               dispatch.State
		says               string
	}{
		{"stops a queued one", queued, "avbryt", dispatch.StateCancelled, "Sendingen er stoppet"},
		{"cannot stop one that has failed", failed, "avbryt", dispatch.StateFailed, "Meldingen er allerede endret eller sendt."},
		{"lets one go that has waited for a day", overdue, "bekreft", dispatch.StateQueued, "Meldingen sendes snart"},
		{"cannot confirm one that nobody asked about", queued, "bekreft", dispatch.StateQueued, "Meldingen er allerede endret eller sendt."},
		{"sends again what has failed", failed, "send-igjen", dispatch.StateQueued, "Meldingen sendes på nytt"},
		{"cannot send again what is queued", queued, "send-igjen", dispatch.StateQueued, "Meldingen er allerede endret eller sendt."},
		{"cannot decide about one that is queued", queued, "avgjor", dispatch.StateQueued, "Meldingen er allerede endret eller sendt."},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			b := s.browser(t, teamLead) // a colleague may
			id := s.queued(t, caseworker, message("Hei der"))
			s.run(t, test.prepare, id)
			got := b.post("/k/oppvekst/sms/"+string(id)+"/"+test.act, fields())
			if got.StatusCode != http.StatusSeeOther || got.location() != "/k/oppvekst/sms/"+string(id) {
				t.Fatalf("got %d to %q", got.StatusCode, got.location())
			}
			if says := flash(b.get(got.location()).page(t)); !strings.HasPrefix(says, test.says) || s.state(t, id) != test.want {
				t.Errorf("got %q and %s, want %q and %s", says, s.state(t, id), test.says, test.want)
			}
		})
	}
}

// TestDecide: only a person can say what became of an uncertain SMS.
func TestDecide(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	for decision, want := range map[string]dispatch.State{"sent": dispatch.StateAccepted, "drop": dispatch.StateCancelled, "send_again": dispatch.StateQueued} {
		t.Run("that it is "+decision, func(t *testing.T) {
			id := s.uncertain(t, caseworker, message("Hei der"))
			got := b.post("/k/oppvekst/sms/"+string(id)+"/avgjor", fields("valg", decision))
			if says := flash(b.get(got.location()).page(t)); says != "Valget er lagret" || s.state(t, id) != want {
				t.Errorf("got %q and %s, want %s", says, s.state(t, id), want)
			}
			s.run(t, `UPDATE items SET state = 'cancelled' WHERE id = $1`, id) // nothing may be due when the next one is made
		})
	}
	for _, choice := range []string{"", "maybe", "SENT"} {
		t.Run("asks again about "+choice, func(t *testing.T) {
			id := s.uncertain(t, caseworker, message("Hei der"))
			got := b.post("/k/oppvekst/sms/"+string(id)+"/avgjor", fields("valg", choice))
			page := got.page(t)
			if link := page.Find(".ds-error-summary a").AttrOr("href", ""); got.StatusCode != 422 || page.Find(link).Length() != 1 || s.state(t, id) != dispatch.StateUncertain {
				t.Errorf("got %d, a link to %q, and %s", got.StatusCode, link, s.state(t, id))
			}
		})
	}
}

// TestStoppedAfterDoubt: an uncertain item is sent again, and stopped before it goes. Its first attempt may have arrived: neither its page
// nor the review of another SMS to the same number says that nothing was sent.
func TestStoppedAfterDoubt(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	id := s.uncertain(t, caseworker, message("Hei der"))
	at := "/k/oppvekst/sms/" + string(id)
	_, filled := form(string(message("").Recipient.Phone), "Igjen")
	review := b.post("/k/oppvekst/sms/ny", fields(filled...)).location()
	const doubt = "prøvde du å sende SMS-en «Hei der» til mottakeren. Vi vet ikke om den kom frem."
	wantWords(t, b.get(review), doubt)
	b.post(at+"/avgjor", fields("valg", "send_again"))
	wantWords(t, b.get(review), "En SMS som du har laget til mottakeren, skulle gå i dag kl. ")
	b.post(at+"/avbryt", fields())
	if got := s.state(t, id); got != dispatch.StateCancelled {
		t.Fatalf("got %s", got)
	}
	wantWords(t, b.get(at), "Stoppet av Kari Nordmann. Et tidligere forsøk kan ha kommet frem.")
	s.run(t, `UPDATE attempts SET started_at = date_trunc('day', now() AT TIME ZONE 'Europe/Oslo') AT TIME ZONE 'Europe/Oslo' + interval '1 minute', sent_at = NULL WHERE item_id = $1`, id)
	wantWords(t, b.get(review), "I dag kl. 00.01 "+doubt, "brukt eller satt av 1 SMS-del denne måneden")
}

// TestDecideMany: one decision for many, as far as they are still to be decided.
func TestDecideMany(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	const list = "/k/oppvekst/sms/uavklart"
	var ids []string
	for range 3 {
		ids = append(ids, string(s.uncertain(t, caseworker, message("Hei der"))))
	}
	foreign := string(s.uncertain(t, outsider, message("Helse")))

	t.Run("shows an auditor nothing to choose with", func(t *testing.T) {
		page := s.browser(t, auditor).get(list).page(t)
		if rows, boxes := page.Find("tbody tr").Length(), page.Find("[type=checkbox]").Length(); rows != 3 || boxes != 0 {
			t.Errorf("got %d rows and %d boxes", rows, boxes)
		}
	})
	t.Run("is announced on the list", func(t *testing.T) {
		if got := b.get("/k/oppvekst/sms").page(t).Find(".ds-alert a").AttrOr("href", ""); got != list {
			t.Errorf("got %q", got)
		}
	})
	t.Run("asks for both, and keeps what was chosen", func(t *testing.T) {
		for name, test := range map[string]struct {
			form     url.Values
			problems int
		}{
			"nothing": {fields(), 2}, "no message": {fields("valg", "sent"), 1}, "no decision": {fields("melding", ids[1]), 1},
		} {
			got := b.post(list, test.form)
			page := got.page(t)
			checked := page.Find("input[name=melding][checked]")
			if n := page.Find(".ds-error-summary li").Length(); got.StatusCode != 422 || n != test.problems || checked.AttrOr("value", "") != test.form.Get("melding") {
				t.Errorf("%s: got %d with %d problems, %q chosen", name, got.StatusCode, n, checked.AttrOr("value", ""))
			}
			page.Find(".ds-error-summary a").Each(func(_ int, a *goquery.Selection) {
				if page.Find(a.AttrOr("href", "#none")).Length() != 1 {
					t.Errorf("%s: a link to %q leads nowhere", name, a.AttrOr("href", ""))
				}
			})
		}
	})
	t.Run("counts each once, and leaves alone what is not the account's", func(t *testing.T) {
		got := b.post(list, fields("melding", ids[0], "melding", ids[0], "melding", foreign, "melding", "x", "melding", uuid.NewString(), "valg", "drop"))
		if says := flash(b.get(got.location()).page(t)); says != "Valget er lagret for 1 melding" {
			t.Errorf("got %q", says)
		}
		if it := s.helse.Item(t, s.store, dispatch.ItemID(foreign)); it.State != dispatch.StateUncertain {
			t.Errorf("the other account's is %s", it.State)
		}
	})
	t.Run("says when somebody was faster", func(t *testing.T) {
		got := b.post(list, fields("melding", ids[0], "valg", "sent"))
		if says := flash(b.get(got.location()).page(t)); !strings.HasPrefix(says, "Noen andre har allerede endret dette.") {
			t.Errorf("got %q", says)
		}
	})
	t.Run("ends with an empty list, also for who chose nothing", func(t *testing.T) {
		if says := flash(b.get(b.post(list, fields("melding", ids[1], "melding", ids[2], "valg", "sent")).location()).page(t)); says != "Valget er lagret for 2 meldinger" {
			t.Errorf("got %q", says)
		}
		got := b.post(list, fields())
		if page := got.page(t); got.StatusCode != http.StatusOK || page.Find(".ds-error-summary").Length() != 0 || !strings.Contains(page.Find(".empty").Text(), "Ingen SMS er uavklart") {
			t.Errorf("got %d %q", got.StatusCode, page.Find("main").Text())
		}
	})
}
