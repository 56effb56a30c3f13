package session_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"utsending/internal/store/storetest"
)

func TestLogin(t *testing.T) {
	t.Parallel()

	t.Run("tells who has logged in, with the values of the rights claim", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		for subject, want := range map[string]string{
			"kari": "Kari Nordmann: oppvekst helse",
			"ola":  "ola: oppvekst", // without a name, the subject
			"tor":  "Tor Haugen: missing",
		} {
			b := r.browser(t)
			b.login(subject)
			if got := b.get("/hvem"); got.StatusCode != http.StatusOK || got.body != want {
				t.Errorf("got %d %q, want %q", got.StatusCode, got.body, want)
			}
		}
	})
	t.Run("leads back to where the person wanted to go", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		for path, want := range map[string]string{
			"/logg-inn":                                                 "/",
			"/logg-inn?retur=%2Fk%2Foppvekst%2Fsms":                     "/k/oppvekst/sms",
			"/logg-inn?retur=%2F%2Fevil.example":                        "/",
			"/logg-inn?retur=https%3A%2F%2Fevil.example%2Fk%2Foppvekst": "/",
		} {
			b := r.browser(t)
			if got := b.get(b.choose(b.start(path), "person", "kari")).location(); got != want {
				t.Errorf("%s: got %q, want %q", path, got, want)
			}
		}
	})
	t.Run("asks for a code with PKCE, state and nonce, and for the scopes", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		b := r.browser(t)
		first, second := query(t, b.start("/logg-inn")), query(t, b.start("/logg-inn"))
		for name, want := range map[string]string{
			"response_type": "code", "client_id": "app", "scope": "openid profile", "code_challenge_method": "S256", "redirect_uri": r.site.URL + "/oidc/retur",
		} {
			if got := first.Get(name); got != want {
				t.Errorf("got %s %q, want %q", name, got, want)
			}
		}
		for _, name := range []string{"state", "nonce", "code_challenge"} {
			if first.Get(name) == second.Get(name) || len(first.Get(name)) < 26 {
				t.Errorf("%s is not fresh: %q, %q", name, first.Get(name), second.Get(name))
			}
		}
	})
	t.Run("gives the session a new id, and the old one is worth nothing", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		b := r.browser(t)
		address := b.start("/logg-inn")
		planted := b.token()
		b.get(b.choose(address, "person", "kari"))
		if got := b.token(); planted == "" || got == planted {
			t.Fatalf("the id was %q before and %q after", planted, got)
		}
		thief := r.browser(t)
		if got := thief.get("/hvem", "Cookie", "__Host-utsending="+planted).StatusCode; got != http.StatusUnauthorized {
			t.Errorf("got %d with the old id, want 401", got)
		}
	})
	t.Run("keeps the cookie to itself", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		header := r.browser(t).login("kari").Header.Get("Set-Cookie")
		for _, want := range []string{"__Host-utsending=", "Path=/", "HttpOnly", "Secure", "SameSite=Lax"} {
			if !strings.Contains(header, want) {
				t.Errorf("got %q, want %q in it", header, want)
			}
		}
		for _, not := range []string{"Domain", "Expires", "Max-Age"} {
			if strings.Contains(header, not) {
				t.Errorf("got %q, want no %q in it", header, not)
			}
		}
	})
	t.Run("writes the login down", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		r.browser(t).login("kari")
		var n int
		err := storetest.DB(t, r.database).QueryRow(`
			SELECT count(*) FROM audit_events e JOIN users u ON u.id = e.actor_id
			WHERE e.action = 'session.login' AND e.origin = '192.0.2.7' AND u.subject = 'kari'`).Scan(&n)
		if err != nil || n != 1 {
			t.Errorf("got %d lines in the event log, %v; want 1", n, err)
		}
	})
}

// TestSeveralLogins: people open several tabs.
func TestSeveralLogins(t *testing.T) {
	t.Parallel()

	t.Run("finish in any order", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		b := r.browser(t)
		first := b.start("/logg-inn?retur=/en")
		second := b.start("/logg-inn?retur=/to")
		if got := b.get(b.choose(second, "person", "kari")).location(); got != "/to" {
			t.Errorf("got %q, want /to", got)
		}
		back := b.get(first).location() // the provider knows the person by now
		if got := b.get(back).location(); got != "/en" {
			t.Errorf("got %q, want /en", got)
		}
	})
	t.Run("keep to the five newest", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		b := r.browser(t)
		oldest := b.start("/logg-inn")
		var newest string
		for range 5 {
			newest = b.start("/logg-inn")
		}
		if got := b.get(b.choose(oldest, "person", "kari")).StatusCode; got != http.StatusBadRequest {
			t.Errorf("got %d for the sixth, want 400", got)
		}
		if got := b.get(b.get(newest).location()).StatusCode; got != http.StatusSeeOther {
			t.Errorf("got %d for the newest, want 303", got)
		}
	})
	t.Run("are given up after a quarter of an hour", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		b := r.browser(t)
		back := b.choose(b.start("/logg-inn"), "person", "kari")
		r.later(15*time.Minute + time.Second)
		if got := b.get(back); got.StatusCode != http.StatusBadRequest || !strings.Contains(got.body, "unknown state") {
			t.Errorf("got %d %q, want 400", got.StatusCode, got.body)
		}
	})
}

func query(t *testing.T, address string) url.Values {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u.Query()
}
