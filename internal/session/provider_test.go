package session_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"utsending/internal/await"
	"utsending/internal/session"
)

// goneAs has the values of one context and ends with another.
type goneAs struct {
	context.Context
	end context.Context
}

func (g goneAs) Done() <-chan struct{} { return g.end.Done() }
func (g goneAs) Err() error            { return g.end.Err() }

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
	t.Run("is asked once by all who wait for it", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		r.provider.hang = make(chan struct{})
		var waiting atomic.Int64
		pages := r.site.Config.Handler
		r.site.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			waiting.Add(1)
			pages.ServeHTTP(w, req)
		})
		const people = 5
		var all sync.WaitGroup
		var refused atomic.Int64
		for range people {
			b := r.browser(t)
			all.Go(func() {
				if b.get("/logg-inn").StatusCode == http.StatusBadGateway {
					refused.Add(1)
				}
			})
		}
		await.True(t, "all wait for the provider", func() bool { return waiting.Load() == people && r.provider.hung.Load() > 0 })
		close(r.provider.hang)
		all.Wait()
		if refused.Load() != people || r.provider.hung.Load() == people {
			t.Errorf("%d of %d were refused, after %d questions", refused.Load(), people, r.provider.hung.Load())
		}
	})
	t.Run("does not hold those who have gone", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		r.provider.hang = make(chan struct{})
		defer close(r.provider.hang)
		gone, leave := context.WithCancel(t.Context())
		leave()
		r.manager.Load(fail)(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
			_, err := r.manager.Start(goneAs{req.Context(), gone}, "/", time.Now())
			if !errors.Is(err, session.ErrProvider) || !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
		})).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil))
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
