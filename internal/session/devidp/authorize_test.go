package devidp_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/oauth2"
)

func param(name, value string) oauth2.AuthCodeOption { return oauth2.SetAuthURLParam(name, value) }

func TestLogin(t *testing.T) {
	t.Parallel()

	t.Run("gives a verified id token with the person's groups", func(t *testing.T) {
		t.Parallel()
		r := start(t)
		got := r.signIn(t, "kari", param("acr_values", "idporten-loa-high"))
		if got.Get("state") != "state-1" || got.Get("iss") != r.issuer {
			t.Errorf("got answer %v", got)
		}

		tokens := r.exchange(t, got.Get("code"))
		id := r.verify(t, tokens)
		if err := id.VerifyAccessToken(tokens.AccessToken); err != nil {
			t.Error(err)
		}
		checkClaims(t, r, id.Claims)
		if id.Nonce != "nonce-1" || !id.IssuedAt.Equal(r.clock.now()) || !id.Expiry.Equal(r.clock.now().Add(10*time.Minute)) {
			t.Errorf("got nonce %q, issued %s, expiry %s", id.Nonce, id.IssuedAt, id.Expiry)
		}
		checkUserinfo(t, r, tokens)
	})

	t.Run("works below a path", func(t *testing.T) {
		t.Parallel()
		r := startAt(t, "/innlogging/dev")
		r.verify(t, r.tokens(t, "kari"))
	})

	t.Run("keeps the query of a registered address", func(t *testing.T) {
		t.Parallel()
		r := start(t)
		r.app.RedirectURL = callback + "?from=2"
		got := r.signIn(t, "kari")
		if got.Get("from") != "2" || got.Get("code") == "" {
			t.Errorf("got answer %v", got)
		}
	})

	t.Run("accepts the request as a form too", func(t *testing.T) {
		t.Parallel()
		r := start(t)
		u, err := url.Parse(r.loginURL())
		if err != nil {
			t.Fatal(err)
		}
		document(t, r.post(t, "/authorize", u.Query()), http.StatusOK)
	})

	t.Run("lets a person lower the assurance level", func(t *testing.T) {
		t.Parallel()
		r := start(t)
		var claims map[string]any
		if err := r.verify(t, r.tokens(t, "ola")).Claims(&claims); err != nil {
			t.Fatal(err)
		}
		if got := claims["acr"]; got != "idporten-loa-substantial" {
			t.Errorf("got acr %v", got)
		}
	})

	t.Run("gives the first level that was asked for and exists", func(t *testing.T) {
		t.Parallel()
		r := start(t)
		var claims map[string]any
		tokens := r.exchange(t, r.signIn(t, "kari", param("acr_values", "nothing idporten-loa-low idporten-loa-high")).Get("code"))
		if err := r.verify(t, tokens).Claims(&claims); err != nil || claims["acr"] != "idporten-loa-low" {
			t.Errorf("got acr %v, %v", claims["acr"], err)
		}
	})

	t.Run("can be cancelled", func(t *testing.T) {
		t.Parallel()
		r := start(t)
		id := r.pending(t, r.loginURL())
		got := answer(t, r.post(t, "/authorize", url.Values{"pending": {id}, "cancel": {"yes"}}))
		if got.Get("error") != "access_denied" || got.Get("state") != "state-1" || got.Has("code") {
			t.Errorf("got answer %v", got)
		}
	})
}

func checkClaims(t *testing.T, r *rig, read func(any) error) {
	t.Helper()
	var got map[string]any
	if err := read(&got); err != nil {
		t.Fatal(err)
	}
	if got["sid"] == "" || got["sid"] == nil {
		t.Error("sid is missing")
	}
	delete(got, "sid")
	delete(got, "at_hash")
	now := float64(r.clock.now().Unix())
	want := map[string]any{
		"iss": r.issuer, "sub": "kari", "aud": "app", "nonce": "nonce-1", "acr": "idporten-loa-high",
		"iat": now, "auth_time": now, "exp": now + 600,
		"name": "Kari Oppdiktet", "groups": []any{"oppvekst-send", "oppvekst-les"},
	}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Error("claims (-got +want):\n" + diff)
	}
}

func checkUserinfo(t *testing.T, r *rig, tokens *oauth2.Token) {
	t.Helper()
	info, err := r.oidc.UserInfo(r.context(t), oauth2.StaticTokenSource(tokens))
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := info.Claims(&got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"sub": "kari", "name": "Kari Oppdiktet", "groups": []any{"oppvekst-send", "oppvekst-les"}}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Error("userinfo (-got +want):\n" + diff)
	}
}

func TestAuthorizeRefuses(t *testing.T) {
	t.Parallel()
	r := start(t)
	tests := []struct {
		name  string
		extra []oauth2.AuthCodeOption
		want  string
	}{
		{"a request without PKCE", []oauth2.AuthCodeOption{param("code_challenge", ""), param("code_challenge_method", "")}, "invalid_request"},
		{"the plain method", []oauth2.AuthCodeOption{param("code_challenge", r.verifier), param("code_challenge_method", "plain")}, "invalid_request"},
		{"a challenge without method, which means plain", []oauth2.AuthCodeOption{param("code_challenge_method", "")}, "invalid_request"},
		{"a challenge that is no hash", []oauth2.AuthCodeOption{param("code_challenge", "short")}, "invalid_request"},
		{"the implicit flow", []oauth2.AuthCodeOption{param("response_type", "id_token")}, "unsupported_response_type"},
		{"a missing response type", []oauth2.AuthCodeOption{param("response_type", "")}, "invalid_request"},
		{"answers as a form", []oauth2.AuthCodeOption{param("response_mode", "form_post")}, "invalid_request"},
		{"a scope without openid", []oauth2.AuthCodeOption{param("scope", "profile")}, "invalid_scope"},
		{"request objects", []oauth2.AuthCodeOption{param("request", "e30.e30.")}, "request_not_supported"},
		{"request objects by address", []oauth2.AuthCodeOption{param("request_uri", "https://app.example/r")}, "request_uri_not_supported"},
		{"none together with login", []oauth2.AuthCodeOption{param("prompt", "none login")}, "invalid_request"},
		{"an unknown prompt", []oauth2.AuthCodeOption{param("prompt", "shout")}, "invalid_request"},
		{"a negative age", []oauth2.AuthCodeOption{param("max_age", "-1")}, "invalid_request"},
		{"silence when nobody is signed in", []oauth2.AuthCodeOption{param("prompt", "none")}, "login_required"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := answer(t, r.get(t, r.loginURL(tt.extra...)))
			if got.Get("error") != tt.want || got.Get("state") != "state-1" || got.Has("code") {
				t.Errorf("got answer %v, want error %s", got, tt.want)
			}
		})
	}

	t.Run("a parameter given twice", func(t *testing.T) {
		t.Parallel()
		got := answer(t, r.get(t, r.loginURL()+"&nonce=another"))
		if got.Get("error") != "invalid_request" {
			t.Errorf("got answer %v", got)
		}
	})
}

func TestAuthorizeShowsAPageInsteadOfRedirecting(t *testing.T) {
	t.Parallel()
	r := start(t)
	for name, address := range map[string]string{
		"to an unknown client":            r.loginURL(param("client_id", "stranger")),
		"to a foreign address":            r.loginURL(param("redirect_uri", "https://evil.example/oidc/retur")),
		"to a longer address":             r.loginURL(param("redirect_uri", callback+"/more")),
		"to an address with another case": r.loginURL(param("redirect_uri", "https://APP.example/oidc/retur")),
		"without an address":              r.loginURL(param("redirect_uri", "")),
		"with two addresses":              r.loginURL() + "&redirect_uri=https%3A%2F%2Fevil.example%2F",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			res := r.get(t, address)
			document(t, res, http.StatusBadRequest)
			if got := res.Header.Get("Location"); got != "" {
				t.Errorf("got redirect to %s", got)
			}
		})
	}
}

func TestLoginPageAnswers(t *testing.T) {
	t.Parallel()
	r := start(t)

	t.Run("are refused with a made-up id", func(t *testing.T) {
		t.Parallel()
		form := url.Values{"pending": {"AAAAAAAAAAAAAAAAAAAAAAAAAA"}, "person": {"kari"}}
		document(t, r.post(t, "/authorize", form), http.StatusBadRequest)
	})

	t.Run("are refused the second time", func(t *testing.T) {
		t.Parallel()
		form := url.Values{"pending": {r.pending(t, r.loginURL(param("prompt", "login")))}, "person": {"kari"}}
		answer(t, r.post(t, "/authorize", form))
		document(t, r.post(t, "/authorize", form), http.StatusBadRequest)
	})

	t.Run("are refused for someone who is not on the page", func(t *testing.T) {
		t.Parallel()
		form := url.Values{"pending": {r.pending(t, r.loginURL(param("prompt", "login")))}, "person": {"admin"}}
		document(t, r.post(t, "/authorize", form), http.StatusBadRequest)
	})

	t.Run("cannot change where the code goes", func(t *testing.T) {
		t.Parallel()
		form := url.Values{
			"pending":      {r.pending(t, r.loginURL(param("prompt", "login")))},
			"person":       {"kari"},
			"redirect_uri": {"https://evil.example/"},
			"state":        {"evil"},
		}
		if got := answer(t, r.post(t, "/authorize", form)).Get("state"); got != "state-1" {
			t.Errorf("got state %q", got)
		}
	})

	t.Run("are refused when the page has been open for too long", func(t *testing.T) {
		t.Parallel()
		r := start(t)
		form := url.Values{"pending": {r.pending(t, r.loginURL())}, "person": {"kari"}}
		r.clock.advance(time.Hour)
		document(t, r.post(t, "/authorize", form), http.StatusBadRequest)
	})
}
