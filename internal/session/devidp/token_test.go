package devidp_test

import (
	"errors"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"golang.org/x/oauth2"
)

type oauthError struct {
	Code string `json:"error"`
}

// exchangeForm is a valid token request, with the secret in the body.
func (r *rig) exchangeForm(code string) url.Values {
	return url.Values{
		"grant_type":    {"authorization_code"},
		"code":          {code},
		"redirect_uri":  {callback},
		"code_verifier": {r.verifier},
		"client_id":     {"app"},
		"client_secret": {"s&cret: +æ"},
	}
}

func TestTokenEndpointAccepts(t *testing.T) {
	t.Parallel()
	for name, style := range map[string]oauth2.AuthStyle{
		"client_secret_basic":                       oauth2.AuthStyleInHeader,
		"client_secret_post":                        oauth2.AuthStyleInParams,
		"a relying party that finds out for itself": oauth2.AuthStyleAutoDetect,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := start(t)
			r.app.Endpoint.AuthStyle = style
			tokens := r.tokens(t, "kari")
			r.verify(t, tokens)
			if tokens.TokenType != "Bearer" || tokens.ExpiresIn != 600 {
				t.Errorf("got type %q, lifetime %d", tokens.TokenType, tokens.ExpiresIn)
			}
		})
	}
}

func TestTokenEndpointRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change url.Values
		status int
		want   string
	}{
		{"a wrong verifier", url.Values{"code_verifier": {strings.Repeat("x", 43)}}, 400, "invalid_grant"},
		{"a missing verifier", url.Values{"code_verifier": nil}, 400, "invalid_grant"},
		{"another address than at the start", url.Values{"redirect_uri": {callback + "?from=2"}}, 400, "invalid_grant"},
		{"a missing address", url.Values{"redirect_uri": nil}, 400, "invalid_grant"},
		{"an unknown code", url.Values{"code": {"guess"}}, 400, "invalid_grant"},
		{"a missing code", url.Values{"code": nil}, 400, "invalid_request"},
		{"a code given twice", url.Values{"code": {"one", "two"}}, 400, "invalid_request"},
		{"a code of another client", url.Values{"client_id": {"other"}, "client_secret": {"other secret"}}, 400, "invalid_grant"},
		{"a wrong secret", url.Values{"client_secret": {"wrong"}}, 401, "invalid_client"},
		{"a missing secret", url.Values{"client_secret": nil}, 401, "invalid_client"},
		{"an unknown client", url.Values{"client_id": {"stranger"}}, 401, "invalid_client"},
		{"another grant", url.Values{"grant_type": {"password"}}, 400, "unsupported_grant_type"},
		{"a missing grant", url.Values{"grant_type": nil}, 400, "invalid_request"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := start(t)
			form := r.exchangeForm(r.signIn(t, "kari").Get("code"))
			maps.Copy(form, tt.change)
			checkRefused(t, r.post(t, "/token", form), tt.status, tt.want)
		})
	}
}

func checkRefused(t *testing.T, res *http.Response, status int, want string) {
	t.Helper()
	if got := decode[oauthError](t, res).Code; res.StatusCode != status || got != want {
		t.Errorf("got %d %s, want %d %s", res.StatusCode, got, status, want)
	}
	if asks := res.Header.Get("WWW-Authenticate") != ""; asks != (status == http.StatusUnauthorized) {
		t.Errorf("got WWW-Authenticate %q", res.Header.Get("WWW-Authenticate"))
	}
	if got := res.Header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("got Cache-Control %q", got)
	}
}

func TestBasicAuthentication(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, user, password string
		change               url.Values
		status               int
		want                 string
	}{
		{"refuses a wrong secret", "app", "wrong", url.Values{"client_secret": nil}, 401, "invalid_client"},
		{"refuses a secret that is not form-encoded", "app", "s%cret", url.Values{"client_secret": nil}, 401, "invalid_client"},
		{"refuses two ways at once", "app", url.QueryEscape("s&cret: +æ"), nil, 400, "invalid_request"},
		{"refuses two clients at once", "other", "other+secret", url.Values{"client_secret": nil}, 400, "invalid_request"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := start(t)
			form := r.exchangeForm(r.signIn(t, "kari").Get("code"))
			maps.Copy(form, tt.change)
			req := formRequest(t, r.issuer+"/token", form)
			req.SetBasicAuth(tt.user, tt.password)
			checkRefused(t, r.do(t, req), tt.status, tt.want)
		})
	}
}

func TestCode(t *testing.T) {
	t.Parallel()

	t.Run("used again is refused and takes the first tokens with it", func(t *testing.T) {
		t.Parallel()
		r := start(t)
		code := r.signIn(t, "kari").Get("code")
		tokens := r.exchange(t, code)
		if got := r.userinfo(t, tokens.AccessToken).StatusCode; got != http.StatusOK {
			t.Fatalf("got status %d before", got)
		}
		checkRefused(t, r.post(t, "/token", r.exchangeForm(code)), 400, "invalid_grant")
		if got := r.userinfo(t, tokens.AccessToken).StatusCode; got != http.StatusUnauthorized {
			t.Errorf("got status %d after", got)
		}
	})

	t.Run("used again after its time still takes the first tokens with it", func(t *testing.T) {
		t.Parallel()
		r := start(t)
		code := r.signIn(t, "kari").Get("code")
		tokens := r.exchange(t, code)
		r.clock.advance(5 * time.Minute)
		answer(t, r.get(t, r.loginURL())) // a new grant purges old ones
		checkRefused(t, r.post(t, "/token", r.exchangeForm(code)), 400, "invalid_grant")
		if got := r.userinfo(t, tokens.AccessToken).StatusCode; got != http.StatusUnauthorized {
			t.Errorf("got status %d", got)
		}
	})

	t.Run("is spent by a wrong verifier", func(t *testing.T) {
		t.Parallel()
		r := start(t)
		code := r.signIn(t, "kari").Get("code")
		_, err := r.app.Exchange(r.context(t), code, oauth2.VerifierOption(oauth2.GenerateVerifier()))
		var refused *oauth2.RetrieveError
		if !errors.As(err, &refused) || refused.ErrorCode != "invalid_grant" {
			t.Fatalf("got error %v", err)
		}
		checkRefused(t, r.post(t, "/token", r.exchangeForm(code)), 400, "invalid_grant")
	})

	t.Run("is refused for a verifier that matches but is too short", func(t *testing.T) {
		t.Parallel()
		r := start(t)
		r.verifier = "short"
		code := r.signIn(t, "kari").Get("code")
		checkRefused(t, r.post(t, "/token", r.exchangeForm(code)), 400, "invalid_grant")
	})

	t.Run("survives the try of another client", func(t *testing.T) {
		t.Parallel()
		r := start(t)
		code := r.signIn(t, "kari").Get("code")
		form := r.exchangeForm(code)
		form.Set("client_id", "other")
		form.Set("client_secret", "other secret")
		checkRefused(t, r.post(t, "/token", form), 400, "invalid_grant")
		r.exchange(t, code)
	})

	t.Run("expires", func(t *testing.T) {
		t.Parallel()
		r := start(t)
		code := r.signIn(t, "kari").Get("code")
		r.clock.advance(30 * time.Second)
		checkRefused(t, r.post(t, "/token", r.exchangeForm(code)), 400, "invalid_grant")
	})

	t.Run("works until then", func(t *testing.T) {
		t.Parallel()
		r := start(t)
		code := r.signIn(t, "kari").Get("code")
		r.clock.advance(29 * time.Second)
		r.exchange(t, code)
	})
}

func TestFailToken(t *testing.T) {
	t.Parallel()
	r := start(t)
	code := r.signIn(t, "kari").Get("code")

	r.idp.FailToken(http.StatusServiceUnavailable)
	res := r.post(t, "/token", r.exchangeForm(code))
	if got := res.StatusCode; got != http.StatusServiceUnavailable {
		t.Errorf("got status %d while it fails", got)
	}
	r.idp.FailToken(0)
	r.exchange(t, code)
}

func TestUserinfoRefuses(t *testing.T) {
	t.Parallel()
	r := start(t)
	tokens := r.tokens(t, "kari")

	t.Run("an unknown token", func(t *testing.T) {
		res := r.userinfo(t, "guess")
		if got := res.Header.Get("WWW-Authenticate"); res.StatusCode != http.StatusUnauthorized || !strings.Contains(got, "invalid_token") {
			t.Errorf("got %d, %s", res.StatusCode, got)
		}
	})
	t.Run("a request without token, and names no error", func(t *testing.T) {
		res := r.get(t, r.issuer+"/userinfo")
		if got := res.Header.Get("WWW-Authenticate"); res.StatusCode != http.StatusUnauthorized || strings.Contains(got, "error") {
			t.Errorf("got %d, %s", res.StatusCode, got)
		}
	})
	t.Run("an expired token", func(t *testing.T) {
		r.clock.advance(10 * time.Minute)
		if got := r.userinfo(t, tokens.AccessToken).StatusCode; got != http.StatusUnauthorized {
			t.Errorf("got status %d", got)
		}
	})
}
