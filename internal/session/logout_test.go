package session_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"utsending/internal/store/storetest"
)

func TestLogout(t *testing.T) {
	t.Parallel()

	t.Run("ends the session here and at the provider", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		b := r.browser(t)
		b.login("kari")
		token := b.token()
		address := b.do(http.MethodPost, "/logg-ut", url.Values{}).location()
		q := query(t, address)
		if !strings.HasPrefix(address, r.issuer+"/end-session?") || strings.Count(q.Get("id_token_hint"), ".") != 2 ||
			q.Get("client_id") != "app" || q.Get("post_logout_redirect_uri") != r.site.URL+"/logget-ut" || q.Get("state") == "" {
			t.Errorf("got %q", address)
		}
		if got := b.get("/hvem", "Cookie", "__Host-utsending="+token).StatusCode; got != http.StatusUnauthorized {
			t.Errorf("got %d with the old cookie, want 401", got)
		}
		if got := b.get(address).location(); !strings.HasPrefix(got, r.site.URL+"/logget-ut") {
			t.Errorf("the provider leads to %q", got)
		}
		b.choose(b.start("/logg-inn"), "person", "ola") // fails unless the provider asks who it is
	})
	t.Run("leaves out a token that is too long for an address", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		b := r.browser(t)
		b.login("mange")
		address := b.do(http.MethodPost, "/logg-ut", url.Values{}).location()
		q := query(t, address)
		if len(address) > 4000 || q.Has("id_token_hint") || q.Get("client_id") != "app" || q.Get("post_logout_redirect_uri") != r.site.URL+"/logget-ut" {
			t.Errorf("got %d bytes: %.200q", len(address), address)
		}
	})
	t.Run("takes the cookie away", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		b := r.browser(t)
		b.login("kari")
		b.do(http.MethodPost, "/logg-ut", url.Values{})
		if got := b.token(); got != "" {
			t.Errorf("the browser still has %q", got)
		}
	})
	t.Run("is written down", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		b := r.browser(t)
		b.login("kari")
		b.do(http.MethodPost, "/logg-ut", url.Values{})
		var n int
		err := storetest.DB(t, r.database).QueryRow(`SELECT count(*) FROM audit_events WHERE action = 'session.logout' AND actor_id IS NOT NULL`).Scan(&n)
		if err != nil || n != 1 {
			t.Errorf("got %d lines in the event log, %v; want 1", n, err)
		}
	})

	tests := []struct {
		name    string
		prepare func(r *rig, b *browser)
	}{
		{"of nobody", func(*rig, *browser) {}},
		{"while the provider is away", func(r *rig, b *browser) {
			b.login("kari")
			r.provider.down.Store(true)
			r.restart()
		}},
		{"at a provider that has none", func(r *rig, b *browser) {
			r.provider.edit = func(d map[string]any) { delete(d, "end_session_endpoint") }
			b.login("kari")
		}},
	}
	for _, test := range tests {
		t.Run(test.name+" leads to our own page", func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			b := r.browser(t)
			test.prepare(r, b)
			if got, want := b.do(http.MethodPost, "/logg-ut", url.Values{}).location(), r.site.URL+"/logget-ut"; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
			if got := b.get("/hvem").StatusCode; got != http.StatusUnauthorized {
				t.Errorf("got %d after it, want 401", got)
			}
		})
	}
}

// TestSmallThings that a session remembers from page to page.
func TestSmallThings(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	m := r.manager
	var steps []string
	site := m.Load(fail)(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		switch req.URL.Path {
		case "/sett":
			m.SetFlash(req.Context(), "flash.resolved_many", 12)
			m.SetAccount(req.Context(), "oppvekst")
		case "/les":
			key, n := m.TakeFlash(req.Context())
			steps = append(steps, key+strings.Repeat("!", n)+m.Account(req.Context()))
		}
	}))
	r.site.Config.Handler = site
	b := r.browser(t)
	for _, path := range []string{"/les", "/sett", "/les", "/les"} {
		b.get(path)
	}
	want := []string{"", "flash.resolved_many!!!!!!!!!!!!oppvekst", "oppvekst"}
	if strings.Join(steps, " ") != strings.Join(want, " ") {
		t.Errorf("got %q, want %q: a message is shown once, the account stays", steps, want)
	}
}
