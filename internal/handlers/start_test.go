package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"utsending/internal/dispatch"
	"utsending/internal/store/storetest"
)

// TestFrontPage redirects everybody to their working page.
func TestFrontPage(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for who, want := range map[string]string{
		nobody: "/logg-inn", caseworker: "/k/oppvekst/", teamLead: "/k/oppvekst/", auditor: "/k/oppvekst/", outsider: "/k/helse/", systemAdmin: delivery,
		accountAdmin: "/k/oppvekst/maler",
	} {
		t.Run(names[who], func(t *testing.T) {
			t.Parallel()
			if got := s.browser(t, who).get("/"); got.StatusCode != http.StatusSeeOther || got.location() != want {
				t.Errorf("got %d to %q, want %q", got.StatusCode, got.location(), want)
			}
		})
	}
	for _, who := range []string{noRights} {
		t.Run(names[who]+", who has nowhere to go", func(t *testing.T) {
			t.Parallel()
			if got := s.browser(t, who).get("/"); got.StatusCode != http.StatusOK || heading(got.page(t)) != "Du har ikke tilgang til noen konto" || !strings.Contains(got.body, "Du er logget inn som "+names[who]+".") {
				t.Errorf("got %d %q", got.StatusCode, heading(got.page(t)))
			}
		})
	}
	t.Run("is the account that was used last", func(t *testing.T) {
		t.Parallel()
		s := newSite(t)
		if err := s.store.MapRole(t.Context(), teamLead, s.helse.Account.ID, dispatch.RoleCaseworker); err != nil {
			t.Fatal(err)
		}
		b := s.browser(t, teamLead)
		for _, account := range []string{"oppvekst", "helse", "oppvekst"} {
			b.get("/k/" + account + "/sms")
			if got := b.get("/").location(); got != "/k/"+account+"/" {
				t.Errorf("got %q after %s", got, account)
			}
		}
	})
}

// TestNoAccountsToChoose: a person without accounts reads the same on the page where accounts are chosen as on the front page. An
// administrator, who has other pages, reads one sentence.
func TestNoAccountsToChoose(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	const none = "Du har ikke tilgang til noen konto"
	got := s.browser(t, noRights).get("/kontoer")
	if page := got.page(t); heading(page) != none || !strings.Contains(got.body, "Du er logget inn som "+names[noRights]+".") {
		t.Errorf("who has no right: %q", page.Find("main").Text())
	}
	page := s.browser(t, systemAdmin).get("/kontoer").page(t)
	if text := page.Find("main").Text(); heading(page) != "Dine kontoer" || !strings.Contains(text, none) || strings.Contains(text, "Velg kontoen") {
		t.Errorf("an administrator: %q", text)
	}
}

// TestRightsAtOnce: a claim's rights are looked up at every request.
func TestRightsAtOnce(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, noRights)
	expect := func(when, address string, want int) {
		t.Helper()
		if got := b.get(address).StatusCode; got != want {
			t.Errorf("%s: got %d, want %d", when, got, want)
		}
	}
	expect("before", "/k/oppvekst/sms", 404)
	if err := s.store.MapRole(t.Context(), noRights, s.oppvekst.Account.ID, dispatch.RoleAuditor); err != nil {
		t.Fatal(err)
	}
	expect("given", "/k/oppvekst/sms", 200)
	expect("given, but not that", "/k/oppvekst/sms/ny", 403)
	s.run(t, `UPDATE role_mappings SET role = 'caseworker' WHERE claim_value = $1`, noRights)
	expect("changed", "/k/oppvekst/sms/ny", 200)
	s.run(t, `DELETE FROM role_mappings WHERE claim_value = $1`, noRights)
	expect("taken away", "/k/oppvekst/sms", 404)
}

// TestLoginAndOut as a person sees it.
func TestLoginAndOut(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, nobody)
	refused := b.get("/k/oppvekst/sms").page(t)
	start := b.get(refused.Find("main a.ds-button").AttrOr("href", "")).location()
	back := b.post(s.issuer+"/authorize", fields("pending", b.get(start).page(t).Find("input[name=pending]").AttrOr("value", ""), "person", caseworker)).location()
	if got := b.get(back).location(); got != "/k/oppvekst/sms" {
		t.Fatalf("the login leads to %q, want the page that was asked for", got)
	}
	page := b.get("/k/oppvekst/sms").page(t)
	if got := page.Find(".switch-user small").Text(); got != "Saksbehandler" {
		t.Errorf("the frame says %q", got)
	}
	out := b.post(page.Find(`#menu-bruker form`).AttrOr("action", ""), fields())
	ended := b.get(b.get(out.location()).location()).page(t)
	if heading(ended) != "Du er logget ut" || b.get("/k/oppvekst/sms").StatusCode != http.StatusUnauthorized {
		t.Errorf("got %q", heading(ended))
	}

	t.Run("broken off at the provider", func(t *testing.T) {
		b := s.browser(t, nobody)
		page := b.get(b.get("/logg-inn").location()).page(t)
		back := b.post(s.issuer+"/authorize", fields("pending", page.Find("input[name=pending]").AttrOr("value", ""), "cancel", "yes")).location()
		got := b.get(back)
		if got.StatusCode != http.StatusBadRequest || !strings.Contains(got.body, "Innloggingen ble avbrutt hos innloggingstjenesten.") {
			t.Errorf("got %d %q", got.StatusCode, heading(got.page(t)))
		}
	})
	t.Run("while the provider fails", func(t *testing.T) {
		b := s.browser(t, nobody)
		page := b.get(b.get("/logg-inn").location()).page(t)
		back := b.post(s.issuer+"/authorize", fields("pending", page.Find("input[name=pending]").AttrOr("value", ""), "person", caseworker)).location()
		s.idp.FailToken(http.StatusServiceUnavailable)
		if got := b.get(back); got.StatusCode != http.StatusBadGateway || heading(got.page(t)) != "Innloggingstjenesten svarer ikke akkurat nå" {
			t.Errorf("got %d %q", got.StatusCode, heading(got.page(t)))
		}
	})
}

// TestDisplay: colours are a matter of the browser.
func TestDisplay(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for chosen, want := range map[string]string{"dark": "dark", "light": "light", "auto": "auto", "": "auto", "red": "auto"} {
		t.Run(chosen, func(t *testing.T) {
			t.Parallel()
			b := s.browser(t, caseworker)
			got := b.post("/min-side/visning", fields("farger", chosen))
			page := b.get(got.location()).page(t)
			if scheme := page.Find("html").AttrOr("data-color-scheme", ""); scheme != want || flash(page) != "Visningen er lagret" {
				t.Errorf("got %q and %q, want %q", scheme, flash(page), want)
			}
			if page.Find("[name=farger][checked]").AttrOr("value", "") != want {
				t.Errorf("%q is chosen", page.Find("[name=farger][checked]").AttrOr("value", ""))
			}
		})
	}
	t.Run("with high contrast", func(t *testing.T) {
		t.Parallel()
		b := s.browser(t, caseworker)
		for chosen, want := range map[string]int{"true": 1, "": 0} {
			page := b.get(b.post("/min-side/visning", fields("kontrast", chosen)).location()).page(t)
			if got := page.Find(`link[href*="contrast"]`).Length(); got != want || page.Find("[name=kontrast][checked]").Length() != want {
				t.Errorf("%q: %d style sheets", chosen, got)
			}
		}
	})
	t.Run("is not believed when somebody made the cookie up", func(t *testing.T) {
		t.Parallel()
		got := s.browser(t, nobody).get("/logget-ut", "Cookie", `visning=dark" onload="alert(1)`)
		if strings.Contains(got.body, "onload") {
			t.Error("the cookie stands on the page")
		}
	})
}

// TestLog: one line per request, without any text, recipient or user.
func TestLog(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	_, filled := form("90000123", "Hemmelig tekst")
	review := b.post("/k/oppvekst/sms/ny", fields(filled...)).location()
	b.send(strings.TrimSuffix(review, "/kontroll"))
	b.post("/k/oppvekst/sms/sjekk", fields("fnr", "12047800155"))
	b.get("/k/oppvekst/sms?q=Hemmelig")
	b.get("/k/oppvekst/90000123")
	s.run(t, `ALTER TABLE events RENAME TO elsewhere`)
	b.get(strings.TrimSuffix(review, "/kontroll"))
	b.post("/k/oppvekst/sms/ny", fields("tekst", "Hemmelig tekst", "telefonnummer", "90000123", "mottaker", "telefonnummer"))

	log := s.log.String()
	for _, word := range []string{"Hemmelig", "90000123", "12047800155", "Kari", "s3cret", "code=", "oppvekst/sms", "__Host"} {
		if strings.Contains(log, word) {
			t.Errorf("the log holds %q", word)
		}
	}
	for _, want := range []string{`"method":"POST","route":"/k/:konto/sms/ny","status":303`, `"route":"/oidc/retur","status":303`, `"status":500`} {
		if !strings.Contains(log, want) {
			t.Errorf("the log does not hold %s", want)
		}
	}
	if strings.Contains(log, "/healthz") {
		t.Error("signs of life are logged")
	}
}

// TestEventLog: who did what, from where.
func TestEventLog(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	id := s.queued(t, caseworker, message("Hei der"))
	b.post("/k/oppvekst/sms/"+string(id)+"/vis", fields(), "X-Forwarded-For", "203.0.113.9")
	var action, origin, account string
	err := storetest.DB(t, s.database).QueryRow(`
		SELECT e.action, e.origin, a.slug FROM audit_events e JOIN users u ON u.id = e.actor_id JOIN accounts a ON a.id = e.account_id
		WHERE e.object_id = $1 AND u.subject = $2 ORDER BY e.id DESC LIMIT 1`, id, caseworker).Scan(&action, &origin, &account)
	if err != nil || action != "item.revealed" || origin != "127.0.0.1" || account != "oppvekst" {
		t.Errorf("got %s from %s on %s, %v", action, origin, account, err)
	}
}
