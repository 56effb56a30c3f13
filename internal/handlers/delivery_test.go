package handlers_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/store/queue"
)

const delivery = "/admin/levering"

// because is the form of an act, with a reason.
var because = fields("begrunnelse", "Feil hos leverandøren")

// TestPause: all delivery stops and starts at an administrator's word.
func TestPause(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, systemAdmin)
	if _, err := queue.In(s.store).Guards.Check(t.Context(), queue.Witness{}); err != nil { // delivery has run on this database
		t.Fatal(err)
	}
	for _, step := range []struct {
		act, says, tag, button string
		paused                 bool
	}{
		{"/pause", "All levering er satt på pause.", "Satt på pause", delivery + "/start", true},
		{"/start", "Leveringen er startet", "I gang", delivery + "/pause", false},
	} {
		got := b.post(delivery+step.act, because)
		page := b.get(got.location()).page(t)
		guard, err := queue.In(s.store).Guards.Current(t.Context())
		if err != nil || guard.Paused != step.paused || !strings.HasPrefix(flash(page), step.says) {
			t.Errorf("%s: got %+v, %v and %q", step.act, guard, err, flash(page))
		}
		panel := page.Find("section").First()
		if tag, form := strings.TrimSpace(panel.Find(".ds-tag").Text()), panel.Find("form").AttrOr("action", panel.Find(".actions a").AttrOr("href", "")); tag != step.tag || form != step.button {
			t.Errorf("%s: the page says %q and offers %q", step.act, tag, form)
		}
	}
}

// TestDeliveryWhileAnIntegrationIsBlocked: while one is stopped or refused, for all or for an account, the panel of all delivery does not
// say that messages go out as they come.
func TestDeliveryWhileAnIntegrationIsBlocked(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, systemAdmin)
	panel := func() string {
		return strings.Join(strings.Fields(b.get(delivery).page(t).Find("section:has(#levering)").Text()), " ")
	}
	for name, change := range map[string]string{
		"stopped":                `UPDATE integrations SET stopped_at = now()`,
		"refused":                `UPDATE integrations SET refused_at = now(), refused_key = 'reason.unauthorized'`,
		"refused for an account": `INSERT INTO account_refusals (account_id, integration_id, refused_key, next_probe_at) SELECT a.id, a.sms_integration_id, 'reason.forbidden', now() FROM accounts a WHERE a.slug = 'oppvekst'`,
	} {
		if got := panel(); !strings.Contains(got, "I gang") {
			t.Errorf("before it is %s: %q", name, got)
		}
		s.run(t, change)
		if got := panel(); strings.Contains(got, "I gang") || !strings.Contains(got, "Ikke satt på pauseNoe nedenfor er stoppet eller avvist.") {
			t.Errorf("%s: %q", name, got)
		}
		s.run(t, `UPDATE integrations SET stopped_at = NULL, refused_at = NULL, refused_key = ''`)
		s.run(t, `DELETE FROM account_refusals`)
	}
}

// TestDeliveryTellsDuties: the page where an administrator lands tells that access must be reviewed, until it is, and that a generation
// in use ends soon, each with a link. A generation that nobody uses is not told.
func TestDeliveryTellsDuties(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, systemAdmin)
	const review, generations = "/admin/tilgangskontroll", "/admin/generasjoner"
	told := func(path string) string {
		return b.get(delivery).page(t).Find(`main .notice:has(a[href="` + path + `"])`).Text()
	}
	if says := told(review); !strings.Contains(says, "første gang er nå") {
		t.Errorf("before the first review it says %q", says)
	}
	if says := told(generations); says != "" {
		t.Errorf("of a generation that nobody uses it says %q", says)
	}
	s.overV1(t)
	_, _, near := dispatch.Deadline(dispatch.IntegrationShipmentV1.Row().Ends, time.Now())
	if says := told(generations); strings.Contains(says, "Forsendelse V1") != near || strings.Contains(says, "Én konto bruker den.") != near {
		t.Errorf("of the generation in use it says %q, and its end is near: %v", says, near)
	}
	seen := b.get(review).page(t).Find("[name=sett]").AttrOr("value", "")
	if got := b.post(review, fields("sett", seen)); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("got %d of the review", got.StatusCode)
	}
	if says := told(review); says != "" {
		t.Errorf("after a review it says %q", says)
	}
	s.run(t, `UPDATE access_reviews SET at = now() - interval '7 months'`)
	if says := told(review); !strings.Contains(says, "mer enn et halvt år siden") {
		t.Errorf("half a year later it says %q", says)
	}
}

// TestIntegrations: what is stopped or refused is opened again by an administrator.
func TestIntegrations(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, systemAdmin)
	base := delivery + "/integrasjoner/" + string(s.oppvekst.Integration.ID)
	s.run(t, `UPDATE integrations SET environment = 'test'`)
	state := func(t *testing.T) string {
		t.Helper()
		row := b.get(delivery).page(t).Find(`tr:has(form[action^="` + base + `"]), tr:has(a[href^="` + base + `"])`)
		return strings.TrimSpace(row.Find(".ds-tag").Text())
	}
	refuse := func(t *testing.T, scope dispatch.Scope, key string) {
		t.Helper()
		id := s.delivered(t, caseworker, message("Hei der"), dispatch.Result{Outcome: dispatch.OutcomeRefused, Scope: scope, Reason: dispatch.Reason{Key: key}})
		s.run(t, `UPDATE items SET state = 'cancelled' WHERE id = $1`, id)
	}
	act := func(t *testing.T, path, says string) {
		t.Helper()
		got := b.post(base+path, because)
		if message := flash(b.get(got.location()).page(t)); got.StatusCode != http.StatusSeeOther || !strings.HasPrefix(message, says) {
			t.Errorf("%s: got %d %q, want %q", path, got.StatusCode, message, says)
		}
	}
	const late = "Noen andre har allerede endret dette."

	t.Run("not tried yet", func(t *testing.T) {
		if got := state(t); got != "Ikke prøvd" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("stopped, and opened again", func(t *testing.T) {
		act(t, "/stopp", "Integrasjonen er stoppet.")
		if got := state(t); got != "Stoppet" {
			t.Errorf("got %q", got)
		}
		act(t, "/stopp", late)
		act(t, "/apne", "Integrasjonen er åpnet.")
		act(t, "/apne", late)
	})
	t.Run("refused, and tried again", func(t *testing.T) {
		refuse(t, dispatch.ScopeIntegration, "reason.unauthorized")
		act(t, "/klarer", "Ingenting venter på SMS oppvekst, så ingenting ble prøvd.")
		if got := state(t); got != "Avvist av tjenesten" {
			t.Errorf("got %q", got)
		}
		waits := s.queued(t, caseworker, message("Hei der"))
		act(t, "/klarer", "Vi prøver SMS oppvekst igjen nå")
		act(t, "/klarer", late)
		s.run(t, `UPDATE items SET state = 'cancelled' WHERE id = $1`, waits)
	})
	t.Run("refused for one account, and tried again", func(t *testing.T) {
		refuse(t, dispatch.ScopeAccount, "reason.forbidden")
		if got := b.get(delivery).page(t).Find("table").Text(); !strings.Contains(got, "Kontoen Konto oppvekst er avvist.") {
			t.Errorf("got %q", got)
		}
		act(t, "/klarer/helse", late)
		s.queued(t, caseworker, message("Hei der"))
		act(t, "/klarer/oppvekst", "Vi prøver Konto oppvekst igjen nå")
		if got := state(t); got != "Prøves på nytt" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("or an account that is not there", func(t *testing.T) {
		for _, path := range []string{base + "/klarer/nothing", delivery + "/gjenopprettet/nothing", delivery + "/integrasjoner/x/stopp"} {
			if got := b.post(path, fields("valg", "sent")).StatusCode; got != http.StatusNotFound {
				t.Errorf("%s: got %d, want 404", path, got)
			}
		}
	})
}

// TestRestored: after a restore an administrator decides for a whole account.
func TestRestored(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, systemAdmin)
	if _, err := queue.In(s.store).Guards.Check(t.Context(), queue.Witness{}); err != nil {
		t.Fatal(err)
	}
	own, other, later := s.queued(t, caseworker, message("Hei der")), s.queued(t, outsider, message("Hei der")), s.queued(t, caseworker, message("Hei senere"))
	s.run(t, `UPDATE sms SET send_at = now() + interval '2 days' WHERE item_id = $1`, later)
	if err := queue.In(s.store).Guards.MarkRestored(t.Context()); err != nil {
		t.Fatal(err)
	}
	const oppvekst = delivery + "/gjenopprettet/oppvekst"

	t.Run("shows how many there are, and nothing of them", func(t *testing.T) {
		got := b.get(delivery)
		if legend := got.page(t).Find("legend").First().Text(); legend != "Konto helse: 1 melding kan være sendt" {
			t.Errorf("got %q", legend)
		}
		// The text only: hidden fields hold random tokens, which may contain any three digits.
		if text := got.page(t).Text(); strings.Contains(text, "Hei der") || strings.Contains(text, "123") {
			t.Error("the page shows something of a message")
		}
	})
	t.Run("asks for a choice", func(t *testing.T) {
		got := b.post(oppvekst, fields())
		page := got.page(t)
		if link := page.Find(".ds-error-summary a").AttrOr("href", "#none"); got.StatusCode != 422 || link != "#valg-oppvekst" || page.Find(link).Length() != 1 {
			t.Errorf("got %d and a link to %q", got.StatusCode, link)
		}
	})
	t.Run("decides for that account only", func(t *testing.T) {
		got := b.post(oppvekst, fields("valg", "drop"))
		if says := flash(b.get(got.location()).page(t)); says != "Valget er lagret for 1 melding" || s.state(t, own) != dispatch.StateCancelled {
			t.Errorf("got %q and %s", says, s.state(t, own))
		}
		if got := s.helse.Item(t, s.store, other).State; got != dispatch.StateUncertain {
			t.Errorf("the other account's is %s", got)
		}
	})
	t.Run("decides of what was planned for later by itself", func(t *testing.T) {
		page := b.get(delivery).page(t)
		if legend := page.Find("#valg-oppvekst-planlagt legend").Text(); !strings.HasPrefix(legend, "Konto oppvekst: 1 melding var planlagt til senere") {
			t.Errorf("got %q", legend)
		}
		got := b.post(oppvekst, fields("planlagt", "true"))
		if link := got.page(t).Find(".ds-error-summary a").AttrOr("href", "#none"); got.page(t).Find(link).Length() != 1 {
			t.Errorf("without a choice: a link to %q", link)
		}
		b.post(oppvekst, fields("planlagt", "true", "valg", "send_again"))
		if it := s.oppvekst.Item(t, s.store, later); it.State != dispatch.StateQueued || time.Until(it.DueAt) < 47*time.Hour {
			t.Errorf("it is %s, due %s", it.State, it.DueAt)
		}
	})
	t.Run("has nothing to decide the second time", func(t *testing.T) {
		for _, form := range []string{"drop", ""} {
			got := b.post(oppvekst, fields("valg", form))
			if got.StatusCode != http.StatusSeeOther || !strings.HasPrefix(flash(b.get(got.location()).page(t)), "Noen andre har allerede endret dette.") {
				t.Errorf("%q: got %d", form, got.StatusCode)
			}
		}
	})
	t.Run("needs no account to be told about", func(t *testing.T) {
		if got := b.get("/k/oppvekst/sms").StatusCode; got != http.StatusNotFound {
			t.Errorf("the administrator gets %d in the account, want 404", got)
		}
	})
}
