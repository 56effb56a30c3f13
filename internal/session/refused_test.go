package session_test

import (
	"net/http"
	"net/url"
	"testing"
)

// TestRefusedLogins: callbacks may be forged.
func TestRefusedLogins(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		try    func(t *testing.T, r *rig, b *browser) answer
		want   int
		before bool // logged in by a good answer before the refused one
	}{
		{"a forged state", func(t *testing.T, r *rig, b *browser) answer {
			return b.get(with(t, b.choose(b.start("/logg-inn"), "person", "kari"), "state", "AAAAAAAAAAAAAAAAAAAAAAAAAA"))
		}, http.StatusBadRequest, false},
		{"no state at all", func(t *testing.T, r *rig, b *browser) answer {
			return b.get(with(t, b.choose(b.start("/logg-inn"), "person", "kari"), "state", ""))
		}, http.StatusBadRequest, false},
		{"a state of another browser", func(t *testing.T, r *rig, b *browser) answer {
			victim := r.browser(t)
			victim.start("/logg-inn")
			return victim.get(b.choose(b.start("/logg-inn"), "person", "kari"))
		}, http.StatusBadRequest, false},
		{"an answer without a login before it", func(t *testing.T, r *rig, b *browser) answer {
			return b.get("/oidc/retur?code=x&state=y")
		}, http.StatusBadRequest, false},
		{"the same answer twice", func(t *testing.T, r *rig, b *browser) answer {
			back := b.choose(b.start("/logg-inn"), "person", "kari")
			b.get(back)
			return b.get(back)
		}, http.StatusSeeOther, true}, // to the front page, and nothing is traded again
		{"a used code with a fresh state", func(t *testing.T, r *rig, b *browser) answer {
			back := b.choose(b.start("/logg-inn"), "person", "kari")
			b.get(back)
			return b.get(with(t, back, "state", query(t, b.start("/logg-inn")).Get("state")))
		}, http.StatusBadRequest, true},
		{"a code of another login", func(t *testing.T, r *rig, b *browser) answer {
			stolen := r.browser(t)
			code := query(t, stolen.choose(stolen.start("/logg-inn"), "person", "ola")).Get("code")
			return b.get(with(t, b.choose(b.start("/logg-inn"), "person", "kari"), "code", code))
		}, http.StatusBadRequest, false},
		{"no code", func(t *testing.T, r *rig, b *browser) answer {
			return b.get(with(t, b.choose(b.start("/logg-inn"), "person", "kari"), "code", ""))
		}, http.StatusBadRequest, false},
		{"a token with another nonce", func(t *testing.T, r *rig, b *browser) answer {
			return b.get(b.choose(with(t, b.start("/logg-inn"), "nonce", "AAAAAAAAAAAAAAAAAAAAAAAAAA"), "person", "kari"))
		}, http.StatusBadRequest, false},
		{"a token without a nonce", func(t *testing.T, r *rig, b *browser) answer {
			return b.get(b.choose(with(t, b.start("/logg-inn"), "nonce", ""), "person", "kari"))
		}, http.StatusBadRequest, false},
		{"a person who cancels at the provider", func(t *testing.T, r *rig, b *browser) answer {
			return b.get(b.choose(b.start("/logg-inn"), "cancel", "yes"))
		}, http.StatusTeapot, false},
		{"another error of the provider", func(t *testing.T, r *rig, b *browser) answer {
			return b.get(with(t, b.choose(b.start("/logg-inn"), "cancel", "yes"), "error", "server_error"))
		}, http.StatusBadRequest, false},
		{"a token endpoint that refuses", func(t *testing.T, r *rig, b *browser) answer {
			r.idp.FailToken(http.StatusBadRequest)
			return b.get(b.choose(b.start("/logg-inn"), "person", "kari"))
		}, http.StatusBadRequest, false},
		{"a token endpoint that fails", func(t *testing.T, r *rig, b *browser) answer {
			r.idp.FailToken(http.StatusInternalServerError)
			return b.get(b.choose(b.start("/logg-inn"), "person", "kari"))
		}, http.StatusBadGateway, false},
		{"a provider that goes away in mid-login", func(t *testing.T, r *rig, b *browser) answer {
			back := b.choose(b.start("/logg-inn"), "person", "kari")
			r.provider.down.Store(true)
			return b.get(back)
		}, http.StatusBadGateway, false},
	}
	for _, test := range tests {
		t.Run("stops at "+test.name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			b := r.browser(t)
			if got := test.try(t, r, b); got.StatusCode != test.want {
				t.Errorf("got %d %q, want %d", got.StatusCode, got.body, test.want)
			}
			want := http.StatusUnauthorized
			if test.before {
				want = http.StatusOK
			}
			if got := b.get("/hvem").StatusCode; got != want {
				t.Errorf("got %d for who is logged in, want %d", got, want)
			}
		})
	}
}

// with replaces a parameter of an address; an empty value removes it.
func with(t *testing.T, address, name, value string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	if q.Set(name, value); value == "" {
		q.Del(name)
	}
	u.RawQuery = q.Encode()
	return u.String()
}
