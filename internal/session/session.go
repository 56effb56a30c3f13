// Package session logs users in with OpenID Connect and keeps their identity in a session on the server.
package session

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/alexedwards/scs/v2"
	"golang.org/x/sync/singleflight"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/registry"
)

// Errors of a login that have a page of their own.
var (
	// ErrProvider says that the login provider does not answer.
	ErrProvider = errors.New("login provider does not answer")
	// ErrCancelled says that the user cancelled the login at the provider.
	ErrCancelled = errors.New("login cancelled")
	// ErrLogin says that the login is not valid: forged, replayed or too old.
	ErrLogin = errors.New("login not valid")
	// ErrState says that an answer's login is unknown: it is finished, or was begun in another session.
	ErrState = fmt.Errorf("%w: unknown state", ErrLogin)
	// ErrLevel says that the login's level of assurance is not accepted.
	ErrLevel = errors.New("login of another level")
	// ErrNotFresh says that the provider does not confirm a recent login.
	ErrNotFresh = errors.New("login not fresh")
	// ErrOther says that another user returned than had to log in again.
	ErrOther = errors.New("somebody else logged in")
)

// Options configure a Manager.
type Options struct {
	Store        *store.Store
	Log          *slog.Logger
	PublicURL    string // public address, without a trailing slash
	Issuer       string
	ClientID     string
	ClientSecret dispatch.Secret
	Scopes       []string
	RightsClaim  ClaimPath // to the values that give rights
	Levels       []string  // accepted values of acr; empty: any
	// AuthorizationDetails is sent verbatim: a JSON list, by which Ansattporten asks whom a user may represent.
	AuthorizationDetails string
	FreshFor             time.Duration // how long a login counts as recent; 10 minutes unless given
	Idle                 time.Duration
	Lifetime             time.Duration
}

// Manager logs users in and out, and identifies requests. Discovery waits for the first login, so that the program
// can start while the provider is down.
type Manager struct {
	o        Options
	scs      *scs.SessionManager
	http     *http.Client
	asking   singleflight.Group
	provider atomic.Pointer[provider]
}

// New returns a Manager.
func New(o Options) *Manager {
	o.FreshFor = cmp.Or(o.FreshFor, 10*time.Minute)
	// Not scs.New: it would keep sessions in memory at first, with a goroutine that never ends, and link gob.
	s := &scs.SessionManager{
		Store: sessionStore{registry.In(o.Store).Sessions, o.Issuer}, Codec: marker{known: new(decoded)}, HashTokenInStore: true, Lifetime: o.Lifetime,
		Cookie: scs.SessionCookie{Name: "__Host-utsending", Path: "/", Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode},
	}
	return &Manager{o: o, scs: s, http: newClient()}
}

// newClient returns an HTTP client for the provider with its own connections: nobody else can close them.
func newClient() *http.Client {
	return &http.Client{Timeout: 10 * time.Second, Transport: http.DefaultTransport.(*http.Transport).Clone()}
}

// Load is the middleware that reads the session and writes it back when it changed. fail answers when the session
// cannot be read or written.
func (m *Manager) Load(fail func(http.ResponseWriter, *http.Request, error)) func(http.Handler) http.Handler {
	m.scs.ErrorFunc = func(w http.ResponseWriter, r *http.Request, err error) {
		fail(w, r, err)
		if f, ok := w.(*failable); ok {
			f.failed = true
		}
	}
	return func(next http.Handler) http.Handler {
		load := m.scs.LoadAndSave(next)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { load.ServeHTTP(&failable{ResponseWriter: w}, r) })
	}
}

// failable drops what is written after a failure: when the session cannot be saved, scs writes the page nevertheless.
type failable struct {
	http.ResponseWriter
	failed bool
}

// WriteHeader implements http.ResponseWriter.
func (f *failable) WriteHeader(status int) {
	if !f.failed {
		f.ResponseWriter.WriteHeader(status)
	}
}

// Write implements http.ResponseWriter.
func (f *failable) Write(b []byte) (int, error) {
	if f.failed {
		return len(b), nil
	}
	return f.ResponseWriter.Write(b)
}

// Unwrap leads http.ResponseController to the writer within.
func (f *failable) Unwrap() http.ResponseWriter { return f.ResponseWriter }

// Keys of values in the session.
const (
	keyUser         = "user"
	keyName         = "name"
	keyClaims       = "claims"
	keyIDToken      = "id_token"
	keySeen         = "seen"
	keyLogins       = "logins"
	keyFlash        = "flash"
	keyFlashN       = "flash_n"
	keyFlashName    = "flash_name"
	keyFlashChanges = "flash_changes"
	keyAccount      = "account"
	keyGap          = "gap"
	keySID          = "sid"
	keyProved       = "proved"
	keyStored       = "stored" // for sessionStore only
	keyRights       = "rights" // the version of rights as of reading the session
)

// Identity is the logged-in user, as described by the provider.
type Identity struct {
	User   dispatch.UserID
	Name   string
	Claims []string // values of the rights claim
	Rights store.RightsVersion

	Session string // key under which the session is stored
}

// touchEvery limits how often a session is written only to record its use.
const touchEvery = time.Minute

// Identity returns the request's user; false when nobody is logged in or the session was idle for too long.
// background says that a script made the request: it does not extend the session.
func (m *Manager) Identity(ctx context.Context, now time.Time, background bool) (Identity, bool) {
	id := dispatch.UserID(m.scs.GetString(ctx, keyUser))
	if id == "" {
		return Identity{}, false
	}
	seen := time.Unix(int64(m.scs.GetInt(ctx, keySeen)), 0)
	if now.Sub(seen) > m.o.Idle {
		// The session ends either way; if it cannot be deleted now, it is still too old for the next request.
		_ = registry.In(m.o.Store).Sessions.SignedOut(ctx, m.tokenHash(ctx), dispatch.EndingIdle)
		_ = m.scs.Destroy(ctx)
		return Identity{}, false
	}
	if !background && now.Sub(seen) > touchEvery {
		m.scs.Put(ctx, keySeen, int(now.Unix()))
		_ = registry.In(m.o.Store).Sessions.Seen(ctx, m.tokenHash(ctx), now) // only for the user's own page
	}
	claims, _ := m.scs.Get(ctx, keyClaims).([]string)
	return Identity{User: id, Name: m.scs.GetString(ctx, keyName), Claims: claims, Rights: store.RightsVersion(m.scs.GetString(ctx, keyRights)), Session: m.tokenHash(ctx)}, true
}

// Gap is why the login gives no rights at all, if so.
func (m *Manager) Gap(ctx context.Context) Gap { return Gap(m.scs.GetString(ctx, keyGap)) }

// SetFlash keeps a message for the next page.
func (m *Manager) SetFlash(ctx context.Context, key string, n int) {
	m.scs.Put(ctx, keyFlash, key)
	m.scs.Put(ctx, keyFlashN, n)
}

// TakeFlash returns the message for this page, once.
func (m *Manager) TakeFlash(ctx context.Context) (key string, n int) {
	return m.scs.PopString(ctx, keyFlash), m.scs.PopInt(ctx, keyFlashN)
}

// SetFlashName adds to the message for the next page which account or integration it is about.
func (m *Manager) SetFlashName(ctx context.Context, name string) { m.scs.Put(ctx, keyFlashName, name) }

// TakeFlashName returns what SetFlashName added, once.
func (m *Manager) TakeFlashName(ctx context.Context) string {
	return m.scs.PopString(ctx, keyFlashName)
}

// SetFlashChanges adds changes to the message for the next page: any JSON value.
func (m *Manager) SetFlashChanges(ctx context.Context, changes any) {
	if b, err := json.Marshal(changes); err == nil {
		m.scs.Put(ctx, keyFlashChanges, string(b))
	}
}

// TakeFlashChanges returns what SetFlashChanges added, once.
func (m *Manager) TakeFlashChanges(ctx context.Context, into any) {
	if text := m.scs.PopString(ctx, keyFlashChanges); text != "" {
		_ = json.Unmarshal([]byte(text), into) // a message of another release shows less
	}
}

// SetAccount stores the account that was used last.
func (m *Manager) SetAccount(ctx context.Context, slug string) {
	if m.scs.GetString(ctx, keyAccount) != slug {
		m.scs.Put(ctx, keyAccount, slug)
	}
}

// Account returns the short name of the account that was used last.
func (m *Manager) Account(ctx context.Context) string { return m.scs.GetString(ctx, keyAccount) }
