package session

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"utsending/internal/dispatch"
	"utsending/internal/text"
)

// pending is a login in progress. A session holds several, since people open several tabs.
type pending struct {
	State    string          `json:"state"`
	Nonce    string          `json:"nonce"`
	Verifier string          `json:"verifier"`
	Return   string          `json:"return"`
	At       time.Time       `json:"at"`
	Again    dispatch.UserID `json:"again,omitempty"` // the user who must log in again; empty for an ordinary login
}

const (
	maxPending  = 20 // as many as a browser restores tabs in the morning
	pendingTime = 15 * time.Minute
)

// Start begins a login and returns the provider's address to redirect to.
func (m *Manager) Start(ctx context.Context, returnPath string, now time.Time) (string, error) {
	return m.start(ctx, pending{Return: LocalPath(returnPath), At: now})
}

// StartAgain begins a repeated login of a logged-in user: the provider must authenticate them anew, and the same user
// must return.
func (m *Manager) StartAgain(ctx context.Context, returnPath string, now time.Time) (string, error) {
	user := dispatch.UserID(m.scs.GetString(ctx, keyUser))
	if user == "" {
		return "", fmt.Errorf("%w: nobody to log in again", ErrLogin)
	}
	return m.start(ctx, pending{Return: LocalPath(returnPath), At: now, Again: user})
}

func (m *Manager) start(ctx context.Context, login pending) (string, error) {
	p, err := m.discover(ctx)
	if err != nil {
		return "", err
	}
	login.State, login.Nonce, login.Verifier = rand.Text(), rand.Text(), oauth2.GenerateVerifier()
	logins := append(m.pendingLogins(ctx, login.At), login)
	m.putPending(ctx, logins[max(0, len(logins)-maxPending):])
	if m.scs.GetString(ctx, keyUser) == "" {
		// Anybody can create such a session, so it is short. scs uses the machine's clock, as for the whole lifetime.
		m.scs.SetDeadline(ctx, time.Now().Add(pendingTime).UTC())
	}
	return p.oauth.AuthCodeURL(login.State, m.wishes(login)...), nil
}

// wishes are the optional parameters of the authorization request.
func (m *Manager) wishes(login pending) []oauth2.AuthCodeOption {
	wishes := []oauth2.AuthCodeOption{oidc.Nonce(login.Nonce), oauth2.S256ChallengeOption(login.Verifier)}
	ask := func(name, value string) {
		if value != "" {
			wishes = append(wishes, oauth2.SetAuthURLParam(name, value))
		}
	}
	ask("acr_values", strings.Join(m.o.Levels, " "))
	ask("authorization_details", m.o.AuthorizationDetails)
	if login.Again != "" {
		ask("prompt", "login")
		ask("max_age", "0") // makes the provider include auth_time
	}
	return wishes
}

func (m *Manager) pendingLogins(ctx context.Context, now time.Time) []pending {
	var logins []pending
	if json.Unmarshal([]byte(m.scs.GetString(ctx, keyLogins)), &logins) != nil {
		return nil
	}
	return slices.DeleteFunc(logins, func(p pending) bool { return now.Sub(p.At) > pendingTime })
}

func (m *Manager) putPending(ctx context.Context, logins []pending) {
	if raw, err := json.Marshal(logins); err == nil { // cannot fail: plain strings and times
		m.scs.Put(ctx, keyLogins, string(raw))
	}
}

// takePending returns the login with the given state, once.
func (m *Manager) takePending(ctx context.Context, state string, now time.Time) (pending, bool) {
	logins := m.pendingLogins(ctx, now)
	for i, p := range logins {
		if subtle.ConstantTimeCompare([]byte(p.State), []byte(state)) == 1 {
			m.putPending(ctx, slices.Delete(logins, i, i+1))
			return p, true
		}
	}
	return pending{}, false
}

// LocalPath returns a path of ours to return to after login, or / for anything else, such as an address of another
// site (open redirect), or one that browsers take for that.
func LocalPath(path string) string {
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.Contains(path, `\`) || !text.Clean(path) || strings.ContainsAny(path, "\r\n\t") {
		return "/"
	}
	if u, err := url.Parse(path); err != nil || u.Host != "" || u.Scheme != "" {
		return "/"
	}
	return path
}
