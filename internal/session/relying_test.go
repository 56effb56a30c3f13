package session_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/session"
	"utsending/internal/store/registry"
	"utsending/internal/store/storetest"
)

// foreign is the npm oidc-provider at work. It ends with its input, which is this process's to hold open.
type foreign struct {
	issuer string
	input  io.Closer
}

// foreignProvider is started once for all tests.
var foreignProvider = sync.OnceValues(func() (foreign, error) {
	cmd := exec.Command("node", "testdata/oidc-provider.js")
	input, err := cmd.StdinPipe()
	if err != nil {
		return foreign{}, err
	}
	output, err := cmd.StdoutPipe()
	if err != nil {
		return foreign{}, err
	}
	var complaints strings.Builder
	cmd.Stderr = &complaints
	if err := cmd.Start(); err != nil {
		return foreign{}, err
	}
	lines := bufio.NewReader(output)
	issuer, err := lines.ReadString('\n')
	if err != nil {
		return foreign{}, fmt.Errorf("oidc-provider: %w: %s", cmd.Wait(), complaints.String())
	}
	// It says more later, and ends when nobody holds its output open.
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	return foreign{strings.TrimSpace(issuer), input}, nil
})

// newForeignRig is newRigWith at a provider that others have made.
func newForeignRig(t *testing.T, edit func(*session.Options)) *rig {
	t.Helper()
	p, err := foreignProvider()
	if err != nil {
		t.Fatal("needs Node.js 20 or newer, and what `make assets` installs: ", err)
	}
	r := newSite(t, edit)
	r.issuer = p.issuer
	r.clientID, r.clientSecret = register(t, p.issuer, map[string]any{
		"redirect_uris": []string{r.address() + "/oidc/retur"}, "post_logout_redirect_uris": []string{r.address() + "/logget-ut"},
		"backchannel_logout_uri": r.address() + "/nothing", "backchannel_logout_session_required": true, // makes it tell sid
	})
	r.serve(t)
	return r
}

// register makes a client of its own for a site.
func register(t *testing.T, issuer string, metadata map[string]any) (id string, secret dispatch.Secret) {
	t.Helper()
	body, err := json.Marshal(metadata)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Post(issuer+"/reg", "application/json", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var made struct {
		ID     string `json:"client_id"`
		Secret string `json:"client_secret"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&made); err != nil || resp.StatusCode != http.StatusCreated {
		t.Fatalf("got %d for a new client, %v", resp.StatusCode, err)
	}
	return made.ID, dispatch.Secret(made.Secret)
}

// TestRelyingParty: what the application does with a provider is the same with our own and with one by others.
func TestRelyingParty(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(*testing.T, func(*session.Options)) *rig{"devidp": newRigWith, "oidc-provider": newForeignRig} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, test := range relyingParty {
				t.Run(test.name, func(t *testing.T) {
					t.Parallel()
					edit := test.edit
					if edit == nil {
						edit = func(*session.Options) {}
					}
					test.try(t, start(t, edit))
				})
			}
		})
	}
}

func rightsFrom(path session.ClaimPath) func(*session.Options) {
	return func(o *session.Options) { o.RightsClaim = path }
}

func levels(accepted ...string) func(*session.Options) {
	return func(o *session.Options) { o.Levels = accepted }
}

var relyingParty = []struct {
	name string
	edit func(*session.Options)
	try  func(t *testing.T, r *rig)
}{
	{"takes a list of groups", nil, func(t *testing.T, r *rig) { r.logsIn(t, "kari", "Kari Nordmann: oppvekst helse") }},
	{"takes a single group, and the subject where there is no name", nil, func(t *testing.T, r *rig) { r.logsIn(t, "ola", "ola: oppvekst") }},
	{"notices that the claim is missing", nil, func(t *testing.T, r *rig) { r.logsIn(t, "tor", "Tor Haugen: missing") }},
	{"takes reportees", rightsFrom("authorization_details[].reportees[].ID"), func(t *testing.T, r *rig) { r.logsIn(t, "mona", "Mona Lie: 0192:999999999") }},
	{"notices that there is no reportee", rightsFrom("authorization_details[].reportees[].ID"), func(t *testing.T, r *rig) { r.logsIn(t, "kari", "Kari Nordmann: missing") }},
	{"leads back to where the person wanted to go", nil, func(t *testing.T, r *rig) {
		b := r.browser(t)
		if got := b.get(b.choose(b.start("/logg-inn?retur=%2Fk%2Foppvekst%2Fsms%3Feldre%3D1"), "person", "kari")).location(); got != "/k/oppvekst/sms?eldre=1" {
			t.Errorf("got %q", got)
		}
	}},
	{"needs no page for who is logged in at the provider", nil, func(t *testing.T, r *rig) {
		b := r.browser(t)
		b.login("kari")
		if got := b.get(b.back(b.visit(b.start("/logg-inn?retur=/to")))).location(); got != "/to" {
			t.Errorf("got %q", got)
		}
	}},
	{"is told when the person cancels", nil, func(t *testing.T, r *rig) {
		b := r.browser(t)
		b.stopsAt(b.choose(b.start("/logg-inn"), "cancel", "yes"), http.StatusTeapot)
	}},
	{"must use PKCE", nil, func(t *testing.T, r *rig) {
		b := r.browser(t)
		address := with(t, with(t, b.start("/logg-inn"), "code_challenge", ""), "code_challenge_method", "")
		b.stopsAt(b.back(b.visit(address)), http.StatusBadRequest)
	}},
	{"is stopped at another challenge", nil, func(t *testing.T, r *rig) {
		b := r.browser(t)
		address := with(t, b.start("/logg-inn"), "code_challenge", "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU")
		b.stopsAt(b.choose(address, "person", "kari"), http.StatusBadRequest)
	}},
	{"stops at another nonce", nil, func(t *testing.T, r *rig) {
		b := r.browser(t)
		b.stopsAt(b.choose(with(t, b.start("/logg-inn"), "nonce", "AAAAAAAAAAAAAAAAAAAAAAAAAA"), "person", "kari"), http.StatusBadRequest)
	}},
	{"stops at another state", nil, func(t *testing.T, r *rig) {
		b := r.browser(t)
		b.stopsAt(with(t, b.choose(b.start("/logg-inn"), "person", "kari"), "state", "AAAAAAAAAAAAAAAAAAAAAAAAAA"), http.StatusBadRequest)
	}},
	{"stops at a code of another login", nil, func(t *testing.T, r *rig) {
		b, other := r.browser(t), r.browser(t)
		code := query(t, other.choose(other.start("/logg-inn"), "person", "ola")).Get("code")
		b.stopsAt(with(t, b.choose(b.start("/logg-inn"), "person", "kari"), "code", code), http.StatusBadRequest)
	}},
	{"stops at a code that was used", nil, func(t *testing.T, r *rig) {
		b, later := r.browser(t), r.browser(t)
		back := b.choose(b.start("/logg-inn"), "person", "kari")
		b.get(back)
		later.stopsAt(with(t, back, "state", query(t, later.start("/logg-inn")).Get("state")), http.StatusBadRequest)
	}},
	{"asks for a level and takes it", levels("idporten-loa-substantial", "idporten-loa-high"), func(t *testing.T, r *rig) {
		if got := query(t, r.browser(t).start("/logg-inn")).Get("acr_values"); got != "idporten-loa-substantial idporten-loa-high" {
			t.Errorf("asks for %q", got)
		}
		r.logsIn(t, "kari", "Kari Nordmann: oppvekst helse")
	}},
	{"stops at a lower level", levels("idporten-loa-substantial", "idporten-loa-high"), func(t *testing.T, r *rig) {
		b := r.browser(t)
		b.stopsAt(b.choose(b.start("/logg-inn"), "person", "lise"), http.StatusForbidden)
	}},
	{"takes any level when it asks for none", nil, func(t *testing.T, r *rig) { r.logsIn(t, "lise", "Lise Berg: oppvekst") }},
	{"logs out at the provider too", nil, func(t *testing.T, r *rig) {
		b := r.browser(t)
		b.login("kari")
		if got := b.back(b.visit(b.do(http.MethodPost, "/logg-ut", url.Values{}).location())); !strings.HasPrefix(got, r.site.URL+"/logget-ut?state=") {
			t.Errorf("the provider leads to %q", got)
		}
		b.choose(b.start("/logg-inn"), "person", "ola") // fails unless the provider asks who it is
	}},
	{"ends the session that ends at the provider", nil, func(t *testing.T, r *rig) {
		b, twin, bystander := r.browser(t), r.browser(t), r.browser(t)
		b.login("kari")
		sid := r.onlySID(t)
		twin.login("kari")
		bystander.login("ola")
		frame := r.browser(t)
		for _, q := range []url.Values{{"iss": {r.issuer}, "sid": {"unknown"}}, {"iss": {"https://evil.example"}, "sid": {sid}}, {"iss": {r.issuer}}} {
			if got := frame.get("/oidc/utlogging?" + q.Encode()); got.StatusCode != http.StatusOK || b.get("/hvem").StatusCode != http.StatusOK {
				t.Errorf("%v: got %d", q, got.StatusCode)
			}
		}
		frame.get("/oidc/utlogging?" + url.Values{"iss": {r.issuer}, "sid": {sid}}.Encode())
		for who, want := range map[*browser]int{b: http.StatusUnauthorized, twin: http.StatusOK, bystander: http.StatusOK} {
			if got := who.get("/hvem").StatusCode; got != want {
				t.Errorf("got %d, want %d", got, want)
			}
		}
		var n int
		err := storetest.DB(t, r.database).QueryRow(`SELECT count(*) FROM audit_events WHERE action = 'session.logout' AND origin = '192.0.2.8'`).Scan(&n)
		if err != nil || n != 1 {
			t.Errorf("got %d lines in the event log, %v; want 1", n, err)
		}
	}},
	{"asks somebody to log in again, who then is fresh for ten minutes", nil, func(t *testing.T, r *rig) {
		b := r.browser(t)
		b.login("kari")
		r.later(11 * time.Minute)
		b.isFresh(false)
		address := b.start("/logg-inn/igjen?retur=/hemmelig")
		if q := query(t, address); q.Get("prompt") != "login" || q.Get("max_age") != "0" {
			t.Errorf("asks with %q and %q", q.Get("prompt"), q.Get("max_age"))
		}
		back := b.choose(address, "person", "kari") // fails unless the provider shows its page
		if got := b.get(back).location(); got != "/hemmelig" {
			t.Errorf("leads back to %q", got)
		}
		b.isFresh(true)
		r.later(9 * time.Minute) // a provider of its own has its own clock: not to the second
		b.isFresh(true)
		r.later(2 * time.Minute)
		b.isFresh(false)
	}},
	{"does not believe in a fresh login that nobody was asked for", nil, func(t *testing.T, r *rig) {
		b := r.browser(t)
		b.login("kari")
		r.later(11 * time.Minute)
		address := with(t, with(t, b.start("/logg-inn/igjen"), "prompt", ""), "max_age", "") // as who sits at the machine can
		b.stopsAt(b.back(b.visit(address)), http.StatusForbidden)
		b.isFresh(false)
	}},
	{"gives the session to somebody else who logs in again, but goes no further", nil, func(t *testing.T, r *rig) {
		b := r.browser(t)
		b.login("kari")
		if got := b.get(b.choose(b.start("/logg-inn/igjen?retur=/hemmelig"), "person", "ola")); got.StatusCode != http.StatusForbidden || got.location() != "" {
			t.Errorf("got %d to %q", got.StatusCode, got.location())
		}
		if got := b.get("/hvem").body; got != "ola: oppvekst" {
			t.Errorf("the session is of %q", got)
		}
	}},
}

// logsIn logs somebody in and checks what the session knows.
func (r *rig) logsIn(t *testing.T, subject, want string) {
	t.Helper()
	b := r.browser(t)
	b.login(subject)
	if got := b.get("/hvem"); got.StatusCode != http.StatusOK || got.body != want {
		t.Errorf("got %d %q, want %q", got.StatusCode, got.body, want)
	}
}

// stopsAt brings an answer of the provider's to the site, which must refuse it.
func (b *browser) stopsAt(back string, want int) {
	b.t.Helper()
	before := b.get("/hvem").body
	if got := b.get(back); got.StatusCode != want {
		b.t.Errorf("got %d %q, want %d", got.StatusCode, got.body, want)
	}
	if got := b.get("/hvem").body; got != before {
		b.t.Errorf("the session became %q", got)
	}
}

// isFresh checks whether secrets may be changed.
func (b *browser) isFresh(want bool) {
	b.t.Helper()
	if got := b.get("/hemmelig").StatusCode == http.StatusOK; got != want {
		b.t.Errorf("fresh: %t, want %t", got, want)
	}
}

// onlySID is the provider's id of the only session that there is, from the id token in it.
func (r *rig) onlySID(t *testing.T) string {
	t.Helper()
	var hash string
	if err := storetest.DB(t, r.database).QueryRow(`SELECT token_hash FROM sessions WHERE sid_hash IS NOT NULL`).Scan(&hash); err != nil {
		t.Fatal(err)
	}
	data, _, err := registry.In(r.store).Sessions.Find(hash)
	if err != nil {
		t.Fatal(err)
	}
	var session struct{ Texts struct{ SID string } }
	if err := json.Unmarshal(data, &session); err != nil || session.Texts.SID == "" {
		t.Fatalf("the session has no sid, %v", err)
	}
	return session.Texts.SID
}
