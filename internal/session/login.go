package session

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// provider is the login provider after discovery.
type provider struct {
	verifier   *oidc.IDTokenVerifier
	oauth      *oauth2.Config
	endSession string
}

// discover asks the provider for its addresses, once; a failure is tried again at the next login.
func (m *Manager) discover() (*provider, error) {
	if p := m.provider.Load(); p != nil {
		return p, nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if p := m.provider.Load(); p != nil {
		return p, nil // somebody else asked meanwhile
	}
	p, err := oidc.NewProvider(m.context(), m.o.Issuer)
	if err != nil {
		m.o.Log.Error("login provider cannot be discovered", "error", err)
		return nil, ErrProvider
	}
	var more struct {
		EndSession string `json:"end_session_endpoint"`
	}
	if err := p.Claims(&more); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrProvider, err)
	}
	found := &provider{
		verifier:   p.Verifier(&oidc.Config{ClientID: m.o.ClientID}),
		endSession: more.EndSession,
		oauth: &oauth2.Config{
			ClientID: m.o.ClientID, ClientSecret: m.o.ClientSecret.Reveal(), Endpoint: p.Endpoint(),
			RedirectURL: m.o.PublicURL + "/oidc/retur", Scopes: append([]string{oidc.ScopeOpenID}, m.o.Scopes...),
		},
	}
	m.provider.Store(found)
	return found, nil
}

// Warm asks the provider for its addresses ahead of the first login. That it does not answer yet is no fault.
func (m *Manager) Warm() { _, _ = m.discover() }

// pending is a login that has begun. A session holds a few, since people open several tabs.
type pending struct {
	State    string    `json:"state"`
	Nonce    string    `json:"nonce"`
	Verifier string    `json:"verifier"`
	Return   string    `json:"return"`
	At       time.Time `json:"at"`
}

const (
	maxPending  = 5
	pendingTime = 15 * time.Minute
)

// Start begins a login and returns the address at the provider to send the browser to.
func (m *Manager) Start(ctx context.Context, returnPath string, now time.Time) (string, error) {
	p, err := m.discover()
	if err != nil {
		return "", err
	}
	login := pending{State: rand.Text(), Nonce: rand.Text(), Verifier: oauth2.GenerateVerifier(), Return: LocalPath(returnPath), At: now}
	logins := append(m.pendingLogins(ctx, now), login)
	m.putPending(ctx, logins[max(0, len(logins)-maxPending):])
	return p.oauth.AuthCodeURL(login.State, oidc.Nonce(login.Nonce), oauth2.S256ChallengeOption(login.Verifier)), nil
}

func (m *Manager) pendingLogins(ctx context.Context, now time.Time) []pending {
	var logins []pending
	if json.Unmarshal([]byte(m.scs.GetString(ctx, keyLogins)), &logins) != nil {
		return nil
	}
	return slices.DeleteFunc(logins, func(p pending) bool { return now.Sub(p.At) > pendingTime })
}

func (m *Manager) putPending(ctx context.Context, logins []pending) {
	if raw, err := json.Marshal(logins); err == nil { // plain strings and times: cannot fail
		m.scs.Put(ctx, keyLogins, string(raw))
	}
}

// takePending returns the login with the given state, which can be used once.
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

// Finish ends a login with what the provider sent back and returns where the person wanted to go. The session gets a
// new id.
func (m *Manager) Finish(ctx context.Context, answer url.Values, origin string, now time.Time) (string, error) {
	login, ok := m.takePending(ctx, answer.Get("state"), now)
	if !ok {
		return "", fmt.Errorf("%w: unknown state", ErrLogin)
	}
	if e := answer.Get("error"); e != "" {
		if e == "access_denied" {
			return "", ErrCancelled
		}
		return "", fmt.Errorf("%w: provider answers an error", ErrLogin)
	}
	p, err := m.discover()
	if err != nil {
		return "", err
	}
	rawToken, token, err := m.exchange(ctx, p, answer.Get("code"), login)
	if err != nil {
		return "", err
	}
	return login.Return, m.begin(ctx, rawToken, token, origin, now)
}

// exchange trades the code for an id token and checks it.
func (m *Manager) exchange(ctx context.Context, p *provider, code string, login pending) (string, *oidc.IDToken, error) {
	ctx = oidc.ClientContext(ctx, m.http)
	tokens, err := p.oauth.Exchange(ctx, code, oauth2.VerifierOption(login.Verifier))
	var refused *oauth2.RetrieveError
	switch {
	case errors.As(err, &refused) && refused.Response != nil && refused.Response.StatusCode < 500:
		return "", nil, fmt.Errorf("%w: code refused", ErrLogin)
	case err != nil:
		return "", nil, ErrProvider
	}
	raw, ok := tokens.Extra("id_token").(string)
	if !ok {
		return "", nil, fmt.Errorf("%w: no id token", ErrLogin)
	}
	token, err := p.verifier.Verify(ctx, raw)
	if err != nil {
		return "", nil, fmt.Errorf("%w: id token not verified", ErrLogin)
	}
	if subtle.ConstantTimeCompare([]byte(token.Nonce), []byte(login.Nonce)) != 1 {
		return "", nil, fmt.Errorf("%w: nonce differs", ErrLogin)
	}
	return raw, token, nil
}

// begin makes the session the person's.
func (m *Manager) begin(ctx context.Context, raw string, token *oidc.IDToken, origin string, now time.Time) error {
	var claims map[string]any
	if err := token.Claims(&claims); err != nil {
		return fmt.Errorf("%w: claims unreadable", ErrLogin)
	}
	name, _ := claims["name"].(string)
	if name == "" {
		name = token.Subject
	}
	user, err := m.o.Store.SaveLogin(ctx, store.Login{Issuer: token.Issuer, Subject: token.Subject, Name: name})
	if err != nil {
		return fmt.Errorf("save login: %w", err)
	}
	if err := m.scs.RenewToken(ctx); err != nil {
		return fmt.Errorf("renew session: %w", err)
	}
	m.scs.Put(ctx, keyUser, string(user))
	m.scs.Put(ctx, keyName, name)
	m.scs.Put(ctx, keyClaims, claimValues(claims, m.o.RightsClaim))
	m.scs.Put(ctx, keyIDToken, raw)
	m.scs.Put(ctx, keySeen, int(now.Unix()))
	return m.o.Store.Record(ctx, store.Audit{Actor: user, Action: "session.login", Origin: origin})
}

// Logout ends the session and returns the address that ends it at the provider too, or the page of ours that says so.
func (m *Manager) Logout(ctx context.Context, origin string) (string, error) {
	raw, user := m.scs.GetString(ctx, keyIDToken), m.scs.GetString(ctx, keyUser)
	if err := m.scs.Destroy(ctx); err != nil {
		return "", fmt.Errorf("end session: %w", err)
	}
	if user != "" {
		if err := m.o.Store.Record(ctx, store.Audit{Actor: dispatch.UserID(user), Action: "session.logout", Origin: origin}); err != nil {
			return "", err
		}
	}
	home := m.o.PublicURL + "/logget-ut"
	p, err := m.discover()
	if err != nil || p.endSession == "" || raw == "" {
		return home, nil // our own session is ended in any case
	}
	u, err := url.Parse(p.endSession)
	if err != nil {
		return home, nil
	}
	q := u.Query()
	q.Set("id_token_hint", raw)
	q.Set("client_id", m.o.ClientID)
	q.Set("post_logout_redirect_uri", home)
	q.Set("state", rand.Text())
	u.RawQuery = q.Encode()
	return u.String(), nil
}
