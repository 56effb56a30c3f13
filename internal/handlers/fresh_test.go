package handlers_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"utsending/internal/handlers"
)

const secretPage = "/k/oppvekst/hemmelig"

func newSecretSite(t *testing.T) *site {
	t.Helper()
	return newSiteWith(t, siteOptions{app: handlers.NewWithSecrets})
}

func (s *site) later(by time.Duration) { s.ahead.Add(int64(by)) }

// save posts the form of the page with a secret, from that page.
func (b *browser) save() answer {
	b.t.Helper()
	return b.post(secretPage, fields("hemmelighet", "syntetisk"), "Referer", b.s.server.URL+secretPage+"?fane=2")
}

// TestFreshLogin (step-up authentication): secrets are shown and saved only after a recent login.
func TestFreshLogin(t *testing.T) {
	t.Parallel()

	t.Run("is no hindrance just after a login", func(t *testing.T) {
		t.Parallel()
		s := newSecretSite(t)
		b := s.browser(t, caseworker)
		if got := b.get(secretPage); got.StatusCode != http.StatusOK || got.body != "GET " {
			t.Errorf("got %d %q", got.StatusCode, got.body)
		}
		if got := b.save(); got.StatusCode != http.StatusOK || got.body != "POST syntetisk" {
			t.Errorf("got %d %q", got.StatusCode, got.body)
		}
	})
	t.Run("leaves time to fill in the form", func(t *testing.T) {
		t.Parallel()
		s := newSecretSite(t)
		b := s.browser(t, caseworker)
		s.later(4 * time.Minute)
		if got := b.get(secretPage).StatusCode; got != http.StatusOK {
			t.Errorf("got %d for the page after four minutes, want 200", got)
		}
		s.later(2 * time.Minute)
		if got := b.get(secretPage).StatusCode; got != http.StatusSeeOther {
			t.Errorf("got %d for the page after six minutes, want the login", got)
		}
		s.later(3 * time.Minute)
		if got := b.save().StatusCode; got != http.StatusOK {
			t.Errorf("got %d for the form after nine minutes, want 200", got)
		}
	})
	t.Run("is asked for by the page, which then is shown as it was asked for", func(t *testing.T) {
		t.Parallel()
		s := newSecretSite(t)
		b := s.browser(t, caseworker)
		s.later(11 * time.Minute)
		address := b.get(secretPage + "?fane=2").location()
		if !strings.HasPrefix(address, s.issuer) || !strings.Contains(address, "prompt=login") || !strings.Contains(address, "max_age=0") {
			t.Fatalf("leads to %q", address)
		}
		if got := b.loginAt(address, caseworker).location(); got != secretPage+"?fane=2" {
			t.Errorf("leads back to %q", got)
		}
		if got := b.get(secretPage).StatusCode; got != http.StatusOK {
			t.Errorf("got %d after it", got)
		}
	})
	t.Run("is asked for by a form, which is not saved and leads back to its page", func(t *testing.T) {
		t.Parallel()
		s := newSecretSite(t)
		b := s.browser(t, caseworker)
		s.later(11 * time.Minute)
		got := b.save()
		page := got.page(t)
		if got.StatusCode != http.StatusForbidden || heading(page) != "Logg inn på nytt før du lagrer" || !strings.Contains(got.body, "Ingenting er lagret") ||
			strings.Contains(got.body, "syntetisk") {
			t.Errorf("got %d %q", got.StatusCode, got.body)
		}
		link := page.Find("main a.ds-button").AttrOr("href", "")
		if back := b.loginAt(b.get(link).location(), caseworker).location(); back != secretPage+"?fane=2" {
			t.Errorf("leads back to %q", back)
		}
		if got := b.save().StatusCode; got != http.StatusOK {
			t.Errorf("got %d after it", got)
		}
	})
	t.Run("leads nowhere else, whatever the form says it comes from", func(t *testing.T) {
		t.Parallel()
		s := newSecretSite(t)
		b := s.browser(t, caseworker)
		s.later(11 * time.Minute)
		for _, from := range []string{"", "https://evil.example/k/x", s.server.URL + ".evil.example/", s.server.URL + "//evil.example/", "javascript:alert(1)"} {
			page := b.post(secretPage, fields("hemmelighet", "x"), "Referer", from).page(t)
			link := page.Find("main a.ds-button").AttrOr("href", "")
			if got := b.loginAt(b.get(link).location(), caseworker).location(); got != "/" {
				t.Errorf("%q leads to %q", from, got)
			}
			s.later(11 * time.Minute)
		}
	})
	t.Run("of somebody else does not count", func(t *testing.T) {
		t.Parallel()
		s := newSecretSite(t)
		b := s.browser(t, caseworker)
		s.later(11 * time.Minute)
		got := b.loginAt(b.get(secretPage).location(), teamLead)
		if got.StatusCode != http.StatusForbidden || heading(got.page(t)) != "Du logget inn som en annen" {
			t.Errorf("got %d to %q", got.StatusCode, got.location())
		}
		if name := b.get("/k/oppvekst/sms").page(t).Find(".switch-user small").Text(); name != "Teamleder" {
			t.Errorf("the session is a %q's", name)
		}
	})
	t.Run("comes after the right", func(t *testing.T) {
		t.Parallel()
		s := newSecretSite(t)
		for who, want := range map[string]int{nobody: 401, outsider: 404, auditor: 403} {
			b := s.browser(t, who)
			s.later(11 * time.Minute)
			if got := b.get(secretPage).StatusCode; got != want {
				t.Errorf("%s: got %d, want %d", names[who], got, want)
			}
		}
	})
	t.Run("has no parts: whatever is asked for is the page", func(t *testing.T) {
		t.Parallel()
		s := newSecretSite(t)
		b := s.browser(t, caseworker)
		s.later(11 * time.Minute)
		if got := b.get(secretPage, fragment("x")...); got.StatusCode != http.StatusSeeOther {
			t.Errorf("got %d", got.StatusCode)
		}
	})
}
