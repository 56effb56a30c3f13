package clients_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"utsending/internal/clients"
	"utsending/internal/dispatch"
)

const (
	clientSecret = "hush-hush"
	scope        = "ks:fiks"
)

// issuer is a token endpoint that counts and numbers what it gives out.
type issuer struct {
	url    string
	issued atomic.Int32
}

func newIssuer(t *testing.T, expiresIn string) *issuer {
	t.Helper()
	i := &issuer{}
	i.url = handled(t, func(w http.ResponseWriter, r *http.Request) {
		id, secret, _ := r.BasicAuth()
		if id != "app" || secret != clientSecret || r.FormValue("grant_type") != "client_credentials" || r.FormValue("scope") != scope {
			t.Errorf("got client %q, grant %q, scope %q", id, r.FormValue("grant_type"), r.FormValue("scope"))
		}
		w.Header().Set("Content-Type", "application/json")
		n := strconv.Itoa(int(i.issued.Add(1)))
		write(w, `{"access_token":"token-`+n+`","token_type":"Bearer"`+expiresIn+`}`)
	})
	return i
}

func newTokens(url string) *clients.Tokens {
	return clients.ClientCredentials(url, dispatch.Credentials{ClientID: "app", ClientSecret: clientSecret, Scope: scope})
}

func fetch(t *testing.T, tokens *clients.Tokens) string {
	t.Helper()
	token, err := tokens.Token(t.Context())
	if err != nil {
		t.Fatalf("fetch token: %v", err)
	}
	return token
}

func TestTokensAreKept(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		expiresIn string
		want      string
	}{
		"until shortly before they end":                        {`,"expires_in":3600`, "token-1 token-1 token-1"},
		"for good when no end is told":                         {``, "token-1 token-1 token-1"},
		"for most of a life of seconds":                        {`,"expires_in":10`, "token-1 token-1 token-1"},
		"not when they have ended, however wrong the clock is": {`,"expires_in":-60`, "token-1 token-2 token-3"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tokens := newTokens(newIssuer(t, tt.expiresIn).url)
			if got := fetch(t, tokens) + " " + fetch(t, tokens) + " " + fetch(t, tokens); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestDroppedTokens(t *testing.T) {
	t.Parallel()
	t.Run("a hundred callers that were refused together fetch one", func(t *testing.T) {
		t.Parallel()
		issuer := newIssuer(t, `,"expires_in":3600`)
		tokens := newTokens(issuer.url)
		var refused, done sync.WaitGroup
		refused.Add(100)
		for range 100 {
			done.Go(func() {
				token := fetch(t, tokens)
				refused.Done()
				refused.Wait()
				tokens.Drop(token)
				if got := fetch(t, tokens); got != "token-2" {
					t.Errorf("got %s, want token-2", got)
				}
			})
		}
		done.Wait()
		if got := issuer.issued.Load(); got != 2 {
			t.Errorf("got %d fetched, want 2", got)
		}
	})
	t.Run("the one that follows is kept when the old one is dropped again", func(t *testing.T) {
		t.Parallel()
		tokens := newTokens(newIssuer(t, `,"expires_in":3600`).url)
		old := fetch(t, tokens)
		for range 3 {
			tokens.Drop(old)
			if got := fetch(t, tokens); got != "token-2" {
				t.Errorf("got %s, want token-2", got)
			}
		}
	})
	t.Run("a fetch that began before is not waited for", func(t *testing.T) {
		t.Parallel()
		began, release := make(chan struct{}), make(chan struct{})
		var calls atomic.Int32
		url := handled(t, func(w http.ResponseWriter, _ *http.Request) {
			n := calls.Add(1)
			if n == 1 {
				close(began)
				<-release
			}
			w.Header().Set("Content-Type", "application/json")
			_, _ = fmt.Fprintf(w, `{"access_token":"token-%d"}`, n)
		})
		tokens := newTokens(url)
		var first sync.WaitGroup
		first.Go(func() {
			if got := fetch(t, tokens); got != "token-1" {
				t.Errorf("got %s first, want token-1", got)
			}
		})
		<-began
		tokens.Drop("another")
		if got := fetch(t, tokens); got != "token-2" {
			t.Errorf("got %s, want token-2", got)
		}
		close(release)
		first.Wait()
	})
	t.Run("each one that is refused is dropped", func(t *testing.T) {
		t.Parallel()
		tokens := newTokens(newIssuer(t, `,"expires_in":3600`).url)
		for n := range 3 {
			got := fetch(t, tokens)
			if want := "token-" + strconv.Itoa(n+1); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
			tokens.Drop(got)
		}
	})
}

func TestTokenErrors(t *testing.T) {
	t.Parallel()
	refused := clients.Error{Outcome: dispatch.OutcomeRefused, Scope: dispatch.ScopeIntegration, Key: "reason.token_refused"}
	unavailable := clients.Error{Outcome: dispatch.OutcomeUnavailable, Key: "reason.token_unavailable"}
	tests := map[string]struct {
		status int
		kind   string
		body   string
		want   clients.Error
	}{
		"400":                                 {400, "application/json", `{"error":"invalid_client"}`, refused},
		"401":                                 {401, "application/json", `{"error":"invalid_client"}`, refused},
		"403 with HTML":                       {403, "text/html", "<p>No</p>", refused},
		"404 without a body":                  {404, "", "", refused},
		"a redirect":                          {307, "", "", refused},
		"408":                                 {408, "", "", unavailable},
		"429":                                 {429, "application/json", `{"error":"slow_down"}`, unavailable},
		"500":                                 {500, "application/json", `{"error":"server_error"}`, unavailable},
		"502 with HTML":                       {502, "text/html", "<p>Bad gateway</p>", unavailable},
		"503":                                 {503, "", "", unavailable},
		"a success that is HTML":              {200, "text/html", "<p>Log in</p>", unavailable},
		"a success without a token":           {200, "application/json", `{"token_type":"Bearer"}`, unavailable},
		"a success that is empty":             {200, "application/json", "", unavailable},
		"a success that tells an error":       {200, "application/json", `{"error":"invalid_client"}`, unavailable},
		"a success that is half of its JSON":  {200, "application/json", `{"access_token":"a`, unavailable},
		"a success that is a list of nothing": {200, "application/json", `[]`, unavailable},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := handled(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/" {
					t.Errorf("got a call of %s, want no redirect followed", r.URL.Path)
				}
				w.Header().Set("Content-Type", tt.kind)
				w.Header().Set("Location", "/elsewhere")
				w.WriteHeader(tt.status)
				write(w, tt.body)
			})
			checkTokenError(t, url, tt.want)
		})
	}
	t.Run("a connection that is refused", func(t *testing.T) {
		t.Parallel()
		checkTokenError(t, closedPort(t), unavailable)
	})
	t.Run("an answer that is cut", func(t *testing.T) {
		t.Parallel()
		service := serve(t, func(c net.Conn) {
			write(c, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"access_token\":")
		})
		checkTokenError(t, service.url, unavailable)
	})
}

func checkTokenError(t *testing.T, url string, want clients.Error) {
	t.Helper()
	token, err := newTokens(url).Token(t.Context())
	var got *clients.Error
	if !errors.As(err, &got) || token != "" {
		t.Fatalf("got %q and %v, want a *clients.Error", token, err)
	}
	if got.Outcome != want.Outcome || got.Scope != want.Scope || got.Key != want.Key {
		t.Errorf("got %s, scope %q, %s, want %s, %q, %s", got.Outcome, got.Scope, got.Key, want.Outcome, want.Scope, want.Key)
	}
}

func TestTokenErrorTellsWhenToComeBack(t *testing.T) {
	t.Parallel()
	url := handled(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "30")
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	_, err := newTokens(url).Token(t.Context())
	if got := clients.AsError(err); got.RetryAfter != 30*time.Second || got.HTTPStatus != http.StatusServiceUnavailable {
		t.Errorf("got %s and %d, want 30s and 503", got.RetryAfter, got.HTTPStatus)
	}
}

func TestTokenErrorsEchoNothing(t *testing.T) {
	t.Parallel()
	for name, status := range map[string]int{"refused": 401, "unavailable": 500, "not understood": 200} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := handled(t, func(w http.ResponseWriter, r *http.Request) {
				id, secret, _ := r.BasicAuth()
				form, _ := io.ReadAll(r.Body)
				w.WriteHeader(status)
				write(w, `{"error":"`+id+secret+`","error_description":"`+string(form)+r.Header.Get("Authorization")+`"`)
			})
			_, err := newTokens(url).Token(t.Context())
			for _, verb := range []string{"%v", "%+v", "%#v", "%q"} {
				got := fmt.Sprintf(verb, err) + fmt.Sprintf(verb, clients.AsError(err).Reason())
				for _, hidden := range []string{clientSecret, "Basic ", "client_secret", url} {
					if strings.Contains(got, hidden) {
						t.Errorf("got %q for %s, want no %q", got, verb, hidden)
					}
				}
			}
		})
	}
}

func TestTokensWaitNoLongerThanTheCaller(t *testing.T) {
	t.Parallel()
	ctx, expire := context.WithCancel(t.Context())
	var calls atomic.Int32
	release := make(chan struct{})
	url := handled(t, func(http.ResponseWriter, *http.Request) {
		if calls.Add(1) == 1 {
			expire()
		}
		<-release
	})
	t.Cleanup(func() { close(release) })
	tokens := newTokens(url)
	var callers sync.WaitGroup
	for range 20 {
		callers.Go(func() {
			_, err := tokens.Token(ctx)
			if got := clients.AsError(err); got.Outcome != dispatch.OutcomeUnavailable || got.Key != "reason.token_unavailable" {
				t.Errorf("got %v, want unavailable", err)
			}
		})
	}
	callers.Wait()
	if got := calls.Load(); got != 1 {
		t.Errorf("got %d calls, want one for all that wait", got)
	}
}

// TestHeldFetchesNothing: a page that asks how things are sends nobody anything.
func TestHeldFetchesNothing(t *testing.T) {
	t.Parallel()
	i := newIssuer(t, `,"expires_in":600`)
	tokens := newTokens(i.url)
	if until, ok := tokens.Held(); ok || !until.IsZero() || i.issued.Load() != 0 {
		t.Errorf("before any fetch: got %v, %v after %d fetches", until, ok, i.issued.Load())
	}
	fetch(t, tokens)
	if until, ok := tokens.Held(); !ok || time.Until(until) > 10*time.Minute || time.Until(until) < 8*time.Minute || i.issued.Load() != 1 {
		t.Errorf("after a fetch: got %v, %v after %d fetches", until, ok, i.issued.Load())
	}
}
