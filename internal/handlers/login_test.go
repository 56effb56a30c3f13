package handlers_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"utsending/internal/session"
)

// TestLoginWithoutRights: what the login lacks is told on the front page, wherever the person wanted to go.
func TestLoginWithoutRights(t *testing.T) {
	t.Parallel()
	reportees := func(list ...any) map[string]any {
		return map[string]any{"authorization_details": []any{map[string]any{"type": "ansattporten:altinn:service", "reportees": list}}}
	}
	overflow := map[string]any{"_claim_names": map[string]any{"groups": "src1"},
		"_claim_sources": map[string]any{"src1": map[string]any{"endpoint": "https://graph.example/users/0a1b/getMemberObjects"}}}
	tests := []struct {
		name   string
		path   session.ClaimPath
		claims map[string]any
		want   string
	}{
		{"that has values which give nothing", "groups", map[string]any{"groups": "ukjent"}, "ingen av rettighetene dine gir tilgang"},
		{"that lacks the claim", "groups", map[string]any{"roles": caseworker}, "forteller ikke hvilke grupper, roller eller virksomheter"},
		{"that has no reportee", "authorization_details[].reportees[].ID", reportees(), "forteller ikke hvilke grupper, roller eller virksomheter"},
		{"that has too many groups", "groups", overflow, "app-roller i stedet for grupper"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := newSiteWith(t, siteOptions{
				session: func(o *session.Options) { o.RightsClaim = test.path },
				claims:  map[string]map[string]any{caseworker: test.claims},
			})
			b := s.browser(t, nobody)
			back := b.loginAt(b.get("/logg-inn?retur=/").location(), caseworker).location()
			got := b.get(back)
			if got.StatusCode != http.StatusOK || heading(got.page(t)) != "Du har ikke tilgang til noen konto" || !strings.Contains(got.body, test.want) {
				t.Errorf("got %d %q", got.StatusCode, got.body)
			}
			if got := b.get("/k/oppvekst/sms").StatusCode; got != http.StatusNotFound {
				t.Errorf("got %d for the account", got)
			}
			if overflows := strings.Contains(s.log.String(), "app roles"); overflows != (test.want == tests[3].want) || strings.Contains(s.log.String(), names[caseworker]) {
				t.Errorf("the log says %s", s.log)
			}
		})
	}
	t.Run("leads past the page that was asked for, which is not to be had", func(t *testing.T) {
		t.Parallel()
		s := newSiteWith(t, siteOptions{claims: map[string]map[string]any{caseworker: overflow}})
		b := s.browser(t, nobody)
		if got := b.loginAt(b.get("/logg-inn?retur=/k/oppvekst/sms").location(), caseworker).location(); got != "/" {
			t.Errorf("leads to %q", got)
		}
	})
	t.Run("of somebody who acts for an organisation gives what that gives", func(t *testing.T) {
		t.Parallel()
		s := newSiteWith(t, siteOptions{
			session: func(o *session.Options) { o.RightsClaim = "authorization_details[].reportees[].ID" },
			claims:  map[string]map[string]any{noRights: reportees(map[string]any{"ID": caseworker, "Name": "Fjordvik kommune"})},
		})
		if got := s.browser(t, noRights).get("/k/oppvekst/sms").StatusCode; got != http.StatusOK {
			t.Errorf("got %d", got)
		}
	})
}

// TestLoginLevel: a login with a lower assurance level than requested is refused.
func TestLoginLevel(t *testing.T) {
	t.Parallel()
	s := newSiteWith(t, siteOptions{
		session: func(o *session.Options) { o.Levels = []string{"idporten-loa-substantial", "idporten-loa-high"} },
		claims:  map[string]map[string]any{noRights: {"acr": "idporten-loa-low"}},
	})
	b := s.browser(t, nobody)
	got := b.loginAt(b.get("/logg-inn").location(), noRights)
	if got.StatusCode != http.StatusForbidden || heading(got.page(t)) != "Du må logge inn på en sikrere måte" {
		t.Errorf("got %d %q", got.StatusCode, got.body)
	}
	if got := b.get("/kontoer").StatusCode; got != http.StatusUnauthorized {
		t.Errorf("got %d after it", got)
	}
	if got := s.browser(t, caseworker).get("/k/oppvekst/sms").StatusCode; got != http.StatusOK {
		t.Errorf("got %d for a login of the right level", got)
	}
}

// TestLogoutByProvider: the provider frames a page of ours, without our cookie.
func TestLogoutByProvider(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b, bystander, frame := s.browser(t, caseworker), s.browser(t, teamLead), s.browser(t, nobody)
	address := b.get(s.issuer+"/end-session").page(t).Find("iframe").AttrOr("src", "")
	u, err := url.Parse(address)
	if err != nil || !strings.HasPrefix(address, s.server.URL+"/oidc/utlogging?") {
		t.Fatalf("the provider frames %q, %v", address, err)
	}
	sid := u.Query().Get("sid")

	call := func(t *testing.T, query string) answer {
		t.Helper()
		got := frame.get("/oidc/utlogging?" + query)
		if got.StatusCode != http.StatusOK || got.body != "" || got.Header.Get("Set-Cookie") != "" {
			t.Errorf("got %d %q", got.StatusCode, got.body)
		}
		return got
	}
	for name, query := range map[string]string{
		"nothing": "", "an unknown session": "iss=" + s.issuer + "&sid=unknown", "another issuer's": "iss=https://evil.example&sid=" + sid,
		"a long id": "sid=" + strings.Repeat("x", 10_000), "a zero byte": "sid=%00", "no id": "iss=" + s.issuer,
	} {
		t.Run("of "+name+" ends nothing, and says so little", func(t *testing.T) {
			call(t, query)
			if got := b.get("/k/oppvekst/sms").StatusCode; got != http.StatusOK {
				t.Errorf("got %d", got)
			}
		})
	}
	got := call(t, u.RawQuery)
	if got := b.get("/k/oppvekst/sms").StatusCode; got != http.StatusUnauthorized {
		t.Errorf("got %d after it, want 401", got)
	}
	if got := bystander.get("/k/oppvekst/sms").StatusCode; got != http.StatusOK {
		t.Errorf("got %d for somebody else, want 200", got)
	}
	t.Run("may be framed by the provider alone, and is not kept", func(t *testing.T) {
		if policy := got.Header.Get("Content-Security-Policy"); policy != "default-src 'none'; frame-ancestors "+s.issuer {
			t.Errorf("got the policy %q", policy)
		}
		if got.Header.Get("Cache-Control") != "no-store" || got.Header.Get("X-Frame-Options") != "" {
			t.Errorf("got %v", got.Header)
		}
	})
}

// TestAnybodysAddressesAreBounded: requests without a session are rate limited.
func TestAnybodysAddressesAreBounded(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"/oidc/utlogging?sid=x", "/logg-inn", "/oidc/retur?code=x&state=y"} {
		t.Run(address, func(t *testing.T) {
			t.Parallel()
			b, statuses := newSite(t).browser(t, nobody), map[int]bool{}
			for range 500 {
				last := b.get(address).StatusCode
				statuses[last] = true
				if last == http.StatusTooManyRequests {
					break
				}
			}
			if !statuses[http.StatusTooManyRequests] || len(statuses) != 2 {
				t.Errorf("got %v, want one answer and then 429", statuses)
			}
		})
	}
}
