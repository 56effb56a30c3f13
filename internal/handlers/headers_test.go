package handlers_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"utsending/internal/store/queue"
)

// TestHeaders: the headers of every response.
func TestHeaders(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	kari, none := s.browser(t, caseworker), s.browser(t, nobody)
	id := string(s.queued(t, caseworker, message("Hei der")))
	tests := []struct {
		name   string
		answer answer
		want   int
	}{
		{"a page", kari.get("/k/oppvekst/sms"), 200},
		{"a form with problems", kari.post("/k/oppvekst/sms/ny", fields()), 422},
		{"a redirect", kari.get("/"), 303},
		{"a redirect after a form", kari.post("/k/oppvekst/sms/"+id+"/avbryt", fields()), 303},
		{"a number that is shown", kari.post("/k/oppvekst/sms/"+id+"/vis", fields()), 200},
		{"a part of a page", kari.get("/k/oppvekst/sms/"+id, fragment("sms")...), 200},
		{"a part of a page for nobody", none.get("/k/oppvekst/sms/"+id, fragment("sms")...), 401},
		{"a page for nobody", none.get("/k/oppvekst/sms"), 401},
		{"a page without the right", kari.get("/admin/levering"), 403},
		{"a page that is not there", kari.get("/k/oppvekst/nothing"), 404},
		{"a form from elsewhere", kari.post("/k/oppvekst/sms/ny", fields(), "Sec-Fetch-Site", "cross-site"), 403},
		{"a form that is too large", kari.post("/k/oppvekst/sms/ny", fields("tekst", strings.Repeat("x", 300_000))), 413},
		{"a login that is refused", none.get("/oidc/retur?state=x&code=y"), 400},
		{"the way to the login", none.get("/logg-inn"), 303},
		{"the page after logging out", none.get("/logget-ut"), 200},
		{"a sign of life", none.get("/healthz"), 200},
		{"a file that is not there", none.get("/static/nothing.css"), 404},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			h := test.answer.Header
			if test.answer.StatusCode != test.want {
				t.Fatalf("got %d, want %d", test.answer.StatusCode, test.want)
			}
			for name, want := range map[string]string{
				"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin",
				"Strict-Transport-Security": "max-age=31536000",
			} {
				if got := h.Get(name); got != want {
					t.Errorf("got %s %q, want %q", name, got, want)
				}
			}
			if got := strings.Join(h.Values("Cache-Control"), ", "); !strings.Contains(got, "no-store") {
				t.Errorf("got Cache-Control %q, want no-store", got)
			}
			if len(h.Get("X-Request-Id")) != 36 {
				t.Errorf("got request id %q", h.Get("X-Request-Id"))
			}
			checkPolicy(t, s, h.Get("Content-Security-Policy"))
		})
	}
}

func checkPolicy(t *testing.T, s *site, policy string) {
	t.Helper()
	got := map[string]string{}
	for directive := range strings.SplitSeq(policy, ";") {
		name, sources, _ := strings.Cut(strings.TrimSpace(directive), " ")
		got[name] = sources
	}
	for name, want := range map[string]string{
		"default-src": "'none'", "script-src": "'self'", "style-src": "'self'", "connect-src": "'self'", "base-uri": "'none'", "frame-ancestors": "'none'",
		"form-action": "'self' " + s.issuer,
	} {
		if got[name] != want {
			t.Errorf("got %s %q, want %q", name, got[name], want)
		}
	}
	if strings.Contains(policy, "unsafe") || strings.Contains(policy, "*") {
		t.Errorf("the policy is loose: %q", policy)
	}
}

func TestFilesAreKept(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	got := s.browser(t, nobody).get(s.assets.Path("app.js"))
	if cache := got.Header.Values("Cache-Control"); len(cache) != 1 || cache[0] != "public, max-age=31536000, immutable" {
		t.Errorf("got %d with Cache-Control %q", got.StatusCode, cache)
	}
	if got.Header.Get("Set-Cookie") != "" {
		t.Errorf("a file sets a cookie")
	}
}

// TestHead: HEAD answers as GET does, without a body.
func TestHead(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	for _, r := range table {
		if r.method != http.MethodGet || r.path == "/logg-inn" || r.path == "/oidc/retur" {
			continue
		}
		t.Run(r.path, func(t *testing.T) {
			address := s.address(t, r)
			get, head := b.get(address), b.do(http.MethodHead, address, "", "")
			if head.StatusCode != get.StatusCode || head.body != "" || head.Header.Get("Content-Type") != get.Header.Get("Content-Type") {
				t.Errorf("got %d %q with %d bytes, want %d %q", head.StatusCode, head.Header.Get("Content-Type"), len(head.body),
					get.StatusCode, get.Header.Get("Content-Type"))
			}
		})
	}
}

func TestCompression(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	got := s.browser(t, caseworker).get("/k/oppvekst/sms", "Accept-Encoding", "gzip")
	if got.Header.Get("Content-Encoding") != "gzip" || !strings.Contains(strings.Join(got.Header.Values("Vary"), ","), "Accept-Encoding") {
		t.Errorf("got Content-Encoding %q, Vary %q", got.Header.Get("Content-Encoding"), got.Header.Values("Vary"))
	}
}

// TestForgery (CSRF): a cross-site POST is refused on every route, before its body is read.
func TestForgery(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	kari, nora := s.browser(t, caseworker), s.browser(t, systemAdmin)
	s.browser(t, teamLead) // who may be named for a protected person once she has logged in
	foreign := []struct {
		name    string
		headers []string
	}{
		{"another site", []string{"Sec-Fetch-Site", "cross-site"}},
		{"another host of the same site", []string{"Sec-Fetch-Site", "same-site"}},
		{"another site, by its origin", []string{"Sec-Fetch-Site", "", "Origin", "https://evil.example"}},
		{"a page without an origin", []string{"Sec-Fetch-Site", "", "Origin", "null"}},
		{"the same name over http", []string{"Sec-Fetch-Site", "", "Origin", strings.Replace(s.server.URL, "https", "http", 1) + ":80"}},
	}
	for _, r := range table {
		if r.method != http.MethodPost {
			continue
		}
		t.Run(r.path, func(t *testing.T) {
			b := kari
			if strings.HasPrefix(r.path, "/admin/") {
				b = nora
			}
			to := &target{row: r}
			for _, from := range foreign {
				if got := s.ask(t, b, to, formType, whole().Encode(), from.headers...); got.StatusCode != http.StatusForbidden {
					t.Errorf("from %s: got %d, want 403", from.name, got.StatusCode)
				}
			}
		})
	}
	t.Run("says why", func(t *testing.T) {
		wantWords(t, kari.post("/k/oppvekst/sms/ny", fields(), "Sec-Fetch-Site", "cross-site"), "Skjemaet kom ikke fra denne siden", "Ingenting er lagret")
	})
	t.Run("leaves everything as it was", func(t *testing.T) {
		if got := kari.get("/k/oppvekst/sms").StatusCode; got != http.StatusOK {
			t.Errorf("got %d: the caseworker was logged out", got)
		}
		if guard, err := queue.In(s.store).Guards.Current(t.Context()); err != nil || guard.Paused {
			t.Errorf("delivery was paused, %v", err)
		}
	})
	t.Run("our own pages are let through", func(t *testing.T) {
		for _, headers := range [][]string{{"Sec-Fetch-Site", "same-origin"}, {"Sec-Fetch-Site", "none"}, {"Sec-Fetch-Site", "", "Origin", s.server.URL}, {"Sec-Fetch-Site", ""}} {
			if got := kari.post("/k/oppvekst/sms/teller", url.Values{}, headers...).StatusCode; got != http.StatusOK {
				t.Errorf("%q: got %d, want 200", headers, got)
			}
		}
	})
}
