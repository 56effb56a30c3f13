package session_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

func TestProviderAway(t *testing.T) {
	t.Parallel()

	t.Run("at the start is asked again at the next login", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		r.provider.down.Store(true)
		b := r.browser(t)
		for range 2 {
			if got := b.get("/logg-inn").StatusCode; got != http.StatusBadGateway {
				t.Fatalf("got %d while it is away, want 502", got)
			}
		}
		r.provider.down.Store(false)
		b.login("kari")
		if got := b.get("/hvem").StatusCode; got != http.StatusOK {
			t.Errorf("got %d after it came back, want 200", got)
		}
	})
	t.Run("leaves alone those who are logged in", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		b := r.browser(t)
		b.login("kari")
		r.provider.down.Store(true)
		r.restart()
		if got := b.get("/hvem").StatusCode; got != http.StatusOK {
			t.Errorf("got %d, want 200", got)
		}
	})
	t.Run("is not believed under another name", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		r.provider.edit = func(d map[string]any) { d["issuer"] = "https://evil.example" }
		if got := r.browser(t).get("/logg-inn").StatusCode; got != http.StatusBadGateway {
			t.Errorf("got %d, want 502", got)
		}
	})
}

func TestOrigins(t *testing.T) {
	t.Parallel()

	t.Run("are the provider's own before anybody has logged in", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		if got := r.manager.Origins(); !slices.Equal(got, []string{r.issuer}) {
			t.Errorf("got %q, want %q", got, r.issuer)
		}
	})
	t.Run("do not name one origin twice", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		r.browser(t).login("kari")
		if got := r.manager.Origins(); !slices.Equal(got, []string{r.issuer}) {
			t.Errorf("got %q, want %q", got, r.issuer)
		}
	})
	t.Run("hold where logging out leads, which ID-porten has elsewhere", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		r.provider.edit = func(d map[string]any) {
			d["end_session_endpoint"] = strings.Replace(d["end_session_endpoint"].(string), r.issuer, "https://login.example", 1)
		}
		r.browser(t).login("kari")
		if got := r.manager.Origins(); !slices.Equal(got, []string{r.issuer, "https://login.example"}) {
			t.Errorf("got %q, want the issuer and https://login.example", got)
		}
	})
}
