package session_test

import (
	"fmt"
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
	t.Run("keep to the twenty newest", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		b := r.browser(t)
		oldest := b.start("/logg-inn?retur=/eldst")
		var newest string
		for range 20 {
			newest = b.start("/logg-inn")
		}
		if got := b.get(b.choose(oldest, "person", "kari")).location(); got != "/logg-inn?retur=%2Feldst" {
			t.Errorf("got %q for the oldest, want to begin anew", got)
		}
		if got := b.get(b.get(newest).location()).StatusCode; got != http.StatusSeeOther {
			t.Errorf("got %d for the newest, want 303", got)
		}
	})
	t.Run("a dozen tabs restored at once end on their pages", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		b := r.browser(t)
		var tabs []string
		site, err := url.Parse(r.site.URL)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 12 { // none of them has a session yet
			b.client.Jar.SetCookies(site, []*http.Cookie{{Name: "__Host-utsending", Path: "/", Secure: true, MaxAge: -1}})
			tabs = append(tabs, b.start(fmt.Sprintf("/logg-inn?retur=/side/%d", i)))
		}
		back := b.choose(tabs[0], "person", "kari")
		for i := range tabs {
			if i > 0 {
				back = b.get(tabs[i]).location() // the provider knows the person by now
			}
			page := b.get(back).location()
			if strings.HasPrefix(page, "/logg-inn") {
				page = b.get(b.get(b.start(page)).location()).location()
			}
			if want := fmt.Sprintf("/side/%d", i); page != want {
				t.Errorf("tab %d ends at %q", i, page)
			}
		}
	})
	t.Run("the button Back after a login leads home", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		b := r.browser(t)
		back := b.choose(b.start("/logg-inn?retur=/en"), "person", "kari")
		b.get(back)
		b.get(back) // to the page of its cookie, where the site keeps it
		if got := b.get(back); got.StatusCode != http.StatusSeeOther || got.location() != "/" {
			t.Errorf("got %d to %q, want the front page", got.StatusCode, got.location())
		}
	})
	t.Run("are given up after a quarter of an hour", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		b := r.browser(t)
		back := b.choose(b.start("/logg-inn"), "person", "kari")
		r.later(15*time.Minute + time.Second)
		if got := b.get(back); got.location() != "/logg-inn?retur=%2F" { // a browser has dropped its cookie by then, and shows a 400
			t.Errorf("got %d to %q, want to begin anew", got.StatusCode, got.location())
		}
	})
	t.Run("keep what a token tells in a form that can be kept", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		for person, want := range map[string]int{"mange": http.StatusSeeOther, "lang": http.StatusBadRequest, "langnavn": http.StatusBadRequest, "nul": http.StatusBadRequest} {
			b := r.browser(t)
			if got := b.get(b.choose(b.start("/logg-inn"), "person", person)); got.StatusCode != want {
				t.Errorf("%s: got %d %s, want %d", person, got.StatusCode, got.body, want)
			}
			if got := b.get("/hvem").body; want == http.StatusSeeOther && !strings.HasPrefix(got, "Åse Mange: ") {
				t.Errorf("%s: got %.40q", person, got)
			}
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
