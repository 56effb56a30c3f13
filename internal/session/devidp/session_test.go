package devidp_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"

	"utsending/internal/session/devidp"
)

type sessionClaims struct {
	Subject  string `json:"sub"`
	SID      string `json:"sid"`
	AuthTime int64  `json:"auth_time"`
}

func sessionOf(t *testing.T, token *oidc.IDToken) sessionClaims {
	t.Helper()
	var claims sessionClaims
	if err := token.Claims(&claims); err != nil {
		t.Fatal(err)
	}
	return claims
}

func TestSingleSignOn(t *testing.T) {
	t.Parallel()

	t.Run("answers at once the second time, with the first time of login", func(t *testing.T) {
		t.Parallel()
		r := start(t)
		first := sessionOf(t, r.verify(t, r.tokens(t, "kari")))
		r.clock.advance(5 * time.Minute)

		code := answer(t, r.get(t, r.loginURL())).Get("code")
		second := sessionOf(t, r.verify(t, r.exchange(t, code)))
		if second != first {
			t.Errorf("got %+v, want %+v", second, first)
		}
	})

	t.Run("answers silently when asked to", func(t *testing.T) {
		t.Parallel()
		r := start(t)
		r.signIn(t, "kari")
		if got := answer(t, r.get(t, r.loginURL(param("prompt", "none")))); !got.Has("code") {
			t.Errorf("got answer %v", got)
		}
	})

	t.Run("keeps its cookie away from scripts and other sites", func(t *testing.T) {
		t.Parallel()
		r := start(t)
		id := r.pending(t, r.loginURL())
		res := r.post(t, "/authorize", map[string][]string{"pending": {id}, "person": {"kari"}})
		cookies := res.Cookies()
		if len(cookies) != 1 || !cookies[0].HttpOnly || cookies[0].SameSite != http.SameSiteLaxMode || cookies[0].Path != "/" {
			t.Errorf("got cookies %v", cookies)
		}
	})

	t.Run("sends its cookie by https only when it is served so", func(t *testing.T) {
		t.Parallel()
		idp, err := devidp.New(options(t, "https://idp.example/dev"))
		if err != nil {
			t.Fatal(err)
		}
		rec := httptest.NewRecorder()
		idp.ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/dev/end-session", nil))
		cookies := rec.Result().Cookies()
		if len(cookies) != 1 || !cookies[0].Secure || cookies[0].Path != "/dev" {
			t.Errorf("got cookies %v", cookies)
		}
	})

	t.Run("ends after a working day", func(t *testing.T) {
		t.Parallel()
		r := start(t)
		r.signIn(t, "kari")
		r.clock.advance(8 * time.Hour)
		r.pending(t, r.loginURL())
	})

	t.Run("belongs to one browser", func(t *testing.T) {
		t.Parallel()
		r := start(t)
		r.signIn(t, "kari")
		r.browser = newBrowser(t)
		r.pending(t, r.loginURL())
	})
}

func TestLoginPageComesBack(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, param, value string
		after              time.Duration
		want               bool
	}{
		{"with prompt login", "prompt", "login", 0, true},
		{"with prompt select_account", "prompt", "select_account", 0, true},
		{"when the login is older than max_age", "max_age", "60", 61 * time.Second, true},
		{"not when it is just as old", "max_age", "60", 60 * time.Second, false},
		{"with max_age zero, even at once", "max_age", "0", 0, true},
		{"not for consent, which is never asked", "prompt", "consent", 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := start(t)
			r.signIn(t, "kari")
			r.clock.advance(tt.after)
			if got := r.get(t, r.loginURL(param(tt.param, tt.value))).StatusCode == http.StatusOK; got != tt.want {
				t.Errorf("got page %t, want %t", got, tt.want)
			}
		})
	}

	t.Run("but never in silence", func(t *testing.T) {
		t.Parallel()
		r := start(t)
		r.signIn(t, "kari")
		r.clock.advance(time.Hour)
		got := answer(t, r.get(t, r.loginURL(param("prompt", "none"), param("max_age", "60"))))
		if got.Get("error") != "login_required" {
			t.Errorf("got answer %v", got)
		}
	})
}

func TestSigningInAgain(t *testing.T) {
	t.Parallel()

	t.Run("renews the time and keeps the session of the same person", func(t *testing.T) {
		t.Parallel()
		r := start(t)
		first := sessionOf(t, r.verify(t, r.tokens(t, "kari")))
		r.clock.advance(5 * time.Minute)

		code := r.signIn(t, "kari", param("prompt", "login")).Get("code")
		second := sessionOf(t, r.verify(t, r.exchange(t, code)))
		if second.SID != first.SID || second.AuthTime != first.AuthTime+300 {
			t.Errorf("got %+v after %+v", second, first)
		}
	})

	t.Run("makes the earlier cookie worthless", func(t *testing.T) {
		t.Parallel()
		r := start(t)
		r.signIn(t, "kari")
		issuer, err := url.Parse(r.issuer)
		if err != nil {
			t.Fatal(err)
		}
		earlier := r.browser.Jar.Cookies(issuer)
		r.signIn(t, "kari", param("prompt", "login"))
		r.browser = newBrowser(t)
		r.browser.Jar.SetCookies(issuer, earlier)
		r.pending(t, r.loginURL())
	})

	t.Run("as someone else ends the session of the first", func(t *testing.T) {
		t.Parallel()
		r := start(t)
		kari := r.tokens(t, "kari")
		code := r.signIn(t, "ola", param("prompt", "login")).Get("code")
		ola := sessionOf(t, r.verify(t, r.exchange(t, code)))
		if ola.Subject != "ola" || ola.SID == sessionOf(t, r.verify(t, kari)).SID {
			t.Errorf("got %+v", ola)
		}
		if got := r.userinfo(t, kari.AccessToken).StatusCode; got != http.StatusUnauthorized {
			t.Errorf("got status %d for the first person's token", got)
		}
	})
}
