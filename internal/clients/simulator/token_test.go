package simulator_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"utsending/internal/clients/simulator"
)

func TestToken(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	var got struct {
		AccessToken string `json:"access_token"`
		TokenType   string `json:"token_type"`
		ExpiresIn   int    `json:"expires_in"`
		Scope       string `json:"scope"`
	}
	g.form(t, url.Values{
		"grant_type": {"client_credentials"}, "client_id": {"app"}, "client_secret": {"hush"}, "scope": {"ks:other"},
	}).read(t, &got)
	if got.TokenType != "Bearer" || got.ExpiresIn != 120 || got.Scope != "ks:other" {
		t.Errorf("got type %q, %d s, scope %q, want Bearer, 120 s, ks:other", got.TokenType, got.ExpiresIn, got.Scope)
	}
	parts := strings.Split(got.AccessToken, ".")
	if len(parts) != 3 {
		t.Fatalf("got %d parts, want a JWT of three", len(parts))
	}
	raw, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		t.Fatal(err)
	}
	var claims struct {
		ClientID string `json:"client_id"`
		Expires  int64  `json:"exp"`
	}
	if err := json.Unmarshal(raw, &claims); err != nil {
		t.Fatal(err)
	}
	if want := g.clock.Now().Add(2 * time.Minute).Unix(); claims.ClientID != "app" || claims.Expires != want {
		t.Errorf("got client %q and expiry %d, want app and %d", claims.ClientID, claims.Expires, want)
	}
}

func TestTokenCredentials(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	strict := newRig(t, simulator.Options{Clients: map[string]string{"app:1": "hu&sh", "app": "hush"}})
	good := url.Values{"grant_type": {"client_credentials"}}
	with := func(pairs ...string) url.Values {
		form := url.Values{"grant_type": {"client_credentials"}}
		for i := 0; i < len(pairs); i += 2 {
			form.Add(pairs[i], pairs[i+1])
		}
		return form
	}
	tests := map[string]struct {
		rig          *rig
		user, secret string // in the header, if set
		form         url.Values
		status       int
		code         string
	}{
		"accepts any pair when no clients are named":       {g, "any", "pair", good, 200, ""},
		"accepts a known client in the header":             {strict, "app%3A1", "hu%26sh", good, 200, ""},
		"accepts a known client in the form":               {strict, "", "", with("client_id", "app:1", "client_secret", "hu&sh"), 200, ""},
		"refuses a wrong secret":                           {strict, "app%3A1", "other", good, 401, "invalid_client"},
		"refuses an unknown client":                        {strict, "other", "hu%26sh", good, 401, "invalid_client"},
		"refuses no credentials":                           {g, "", "", good, 401, "invalid_client"},
		"refuses another grant":                            {g, "app", "x", url.Values{"grant_type": {"password"}}, 400, "unsupported_grant_type"},
		"refuses credentials in both places":               {g, "app", "x", with("client_secret", "x"), 400, "invalid_request"},
		"refuses a parameter given twice":                  {g, "app", "x", with("scope", "a", "scope", "b"), 400, "invalid_request"},
		"refuses a header whose halves are not form coded": {g, "app%zz", "x", good, 400, "invalid_request"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, tt.rig.url+"/token", strings.NewReader(tt.form.Encode()))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			if tt.user != "" {
				r.SetBasicAuth(tt.user, tt.secret)
			}
			checkOAuth(t, tt.rig.do(r), tt.status, tt.code)
		})
	}
}

func checkOAuth(t *testing.T, got reply, status int, code string) {
	t.Helper()
	var body struct {
		Error       string `json:"error"`
		Description string `json:"error_description"`
	}
	if err := json.Unmarshal([]byte(got.body), &body); err != nil {
		t.Fatalf("read answer: %v", err)
	}
	if got.status != status || body.Error != code || (code != "") != (body.Description != "") {
		t.Errorf("got %d %q, want %d %q", got.status, body.Error, status, code)
	}
}

func TestTokenRefusesJSONAndQueries(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	checkOAuth(t, g.do(g.request(t, http.MethodPost, "/token", `{"grant_type":"client_credentials"}`)), 400, "invalid_request")
	r := g.request(t, http.MethodPost, "/token", "a=%zz")
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	checkOAuth(t, g.do(r), 400, "invalid_request")
	checkError(t, g.do(g.request(t, http.MethodGet, "/token", "")), http.StatusNotFound)
	if got := len(g.sim.Violations()); got != 3 {
		t.Errorf("got %d violations, want 3", got)
	}
}

func TestTokenLifetime(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{TokenLifetime: time.Minute})
	g.clock.advance(time.Minute - time.Nanosecond)
	g.accepted(t, message("40000100"))
	g.clock.advance(time.Nanosecond)
	checkError(t, g.send(t, "40000100"), http.StatusUnauthorized)
	g.fetchToken(t)
	g.accepted(t, message("40000100"))
	if got := g.sim.Violations(); got != nil {
		t.Errorf("got violations %q, want none: an expired token is nobody's fault", got)
	}
}

func TestRevokeTokens(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	g.sim.RevokeTokens()
	checkError(t, g.send(t, "40000100"), http.StatusUnauthorized)
	g.fetchToken(t)
	g.accepted(t, message("40000100"))
}

func TestRefuseTokens(t *testing.T) {
	t.Parallel()
	form := url.Values{"grant_type": {"client_credentials"}, "client_id": {"app"}, "client_secret": {"hush"}}
	for name, tt := range map[string]struct {
		status, want int
		code         string
	}{
		"answers 503":                       {503, 503, "temporarily_unavailable"},
		"answers 401":                       {401, 401, "invalid_client"},
		"drops the connection":              {simulator.CutConnection, 0, ""},
		"issues tokens again when set to 0": {0, 200, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{})
			g.sim.RefuseTokens(tt.status)
			got := g.form(t, form)
			if tt.want == 0 {
				if got.err == nil {
					t.Errorf("got status %d, want a broken connection", got.status)
				}
			} else {
				checkOAuth(t, got, tt.want, tt.code)
			}
			calls := g.calls(simulator.OpToken)
			if last := calls[len(calls)-1]; last.Status != tt.want || (last.Fault == "RefuseTokens") != (tt.want != 200) {
				t.Errorf("got call %+v, want status %d", last, tt.want)
			}
			g.accepted(t, message("40000100")) // the token from before still works
		})
	}
}

func TestBearer(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	for name, tt := range map[string]struct {
		header string
		breach bool
	}{
		"refuses a missing token":        {"", true},
		"refuses another scheme":         {"Basic YTpi", true},
		"refuses an empty token":         {"Bearer ", true},
		"refuses a token it never made":  {"Bearer a.b.c", false},
		"refuses a changed token":        {"Bearer " + g.token + "x", false},
		"refuses a token in other words": {g.token, true},
	} {
		t.Run(name, func(t *testing.T) {
			before := len(g.sim.Violations())
			r := g.request(t, http.MethodPost, smsPath(account, "send"), message("40000100"))
			r.Header.Set("Authorization", tt.header)
			if tt.header == "" {
				r.Header.Del("Authorization")
			}
			checkError(t, g.do(r), http.StatusUnauthorized)
			if got := len(g.sim.Violations()) > before; got != tt.breach {
				t.Errorf("got violation %t, want %t", got, tt.breach)
			}
		})
	}
}
