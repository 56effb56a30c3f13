package session

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"utsending/internal/dispatch"
	"utsending/internal/store/registry"
)

// From is the origin of a login: client address and browser family.
type From struct {
	Origin  string
	Browser dispatch.Browser
}

// Finish completes a login with the provider's answer and returns the requested page. The session gets a new id,
// against session fixation. Without any right, the front page says why.
func (m *Manager) Finish(ctx context.Context, answer url.Values, from From, now time.Time) (string, error) {
	login, ok := m.takePending(ctx, answer.Get("state"), now)
	if !ok {
		return "", ErrState
	}
	if e := answer.Get("error"); e != "" {
		if e == "access_denied" {
			return "", ErrCancelled
		}
		return "", fmt.Errorf("%w: provider answers %s", ErrLogin, word(e))
	}
	a, err := m.exchange(ctx, answer.Get("code"), login, now)
	if err != nil {
		return "", err
	}
	user, err := m.begin(ctx, a, from, now)
	switch {
	case err != nil:
		return "", err
	case login.Again != "" && login.Again != user:
		return "", ErrOther // the session is theirs now, but the first user's page is not
	case a.gap != GapNone:
		return "/", nil
	}
	return login.Return, nil
}

// exchange redeems the code for an id token, and checks its nonce, its level and, for a repeated login, its time.
func (m *Manager) exchange(ctx context.Context, code string, login pending, now time.Time) (arrival, error) {
	raw, token, err := m.redeem(ctx, code, login)
	if err != nil {
		return arrival{}, err
	}
	if subtle.ConstantTimeCompare([]byte(token.Nonce), []byte(login.Nonce)) != 1 {
		return arrival{}, fmt.Errorf("%w: nonce differs", ErrLogin)
	}
	a, err := m.readToken(raw, token, now)
	switch {
	case err != nil:
		return arrival{}, err
	case len(m.o.Levels) > 0 && !slices.Contains(m.o.Levels, a.level):
		return arrival{}, ErrLevel
	case login.Again != "" && !m.fresh(a.proved, now):
		return arrival{}, ErrNotFresh
	}
	return a, nil
}

// redeem exchanges the code for an id token whose signature, issuer, audience and time are valid.
func (m *Manager) redeem(ctx context.Context, code string, login pending) (string, *oidc.IDToken, error) {
	p, err := m.discover(ctx)
	if err != nil {
		return "", nil, err
	}
	ctx = oidc.ClientContext(ctx, m.http)
	tokens, err := p.oauth.Exchange(ctx, code, oauth2.VerifierOption(login.Verifier))
	var refused *oauth2.RetrieveError
	switch {
	case errors.As(err, &refused) && refused.Response != nil && refused.Response.StatusCode < 500:
		return "", nil, fmt.Errorf("%w: provider refuses the code: %s", ErrLogin, word(refused.ErrorCode))
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
	return raw, token, nil
}

// word is an OAuth error code for the log, such as invalid_client; anything else is not repeated.
func word(code string) string {
	if len(code) > 40 || strings.Trim(code, "abcdefghijklmnopqrstuvwxyz_") != "" || code == "" {
		return "an error without a name"
	}
	return code
}

// begin assigns the session to the user.
func (m *Manager) begin(ctx context.Context, a arrival, from From, now time.Time) (dispatch.UserID, error) {
	user, err := m.o.Store.SaveLogin(ctx, a.who)
	if err != nil {
		return "", fmt.Errorf("save login: %w", err)
	}
	before := m.tokenHash(ctx)
	if err := m.scs.RenewToken(ctx); err != nil {
		return "", fmt.Errorf("renew session: %w", err)
	}
	in := dispatch.SignIn{User: user, Session: m.tokenHash(ctx), Claims: a.values, Origin: from.Origin, Browser: from.Browser, StartedAt: now}
	if err := registry.In(m.o.Store).Sessions.SignedIn(ctx, in, before); err != nil {
		return "", fmt.Errorf("note login: %w", err)
	}
	m.scs.Remove(ctx, keyStored) // under its new id it is not stored yet
	if m.scs.GetString(ctx, keyUser) != string(user) {
		for _, key := range []string{keyFlash, keyFlashN, keyFlashName, keyFlashChanges, keyAccount} {
			m.scs.Remove(ctx, key) // of another user
		}
	}
	for key, value := range map[string]any{
		keyUser: string(user), keyName: a.who.Name, keyClaims: a.values, keyGap: string(a.gap), keyIDToken: a.raw, keySID: a.sid, keySeen: int(now.Unix()),
	} {
		m.scs.Put(ctx, key, value)
	}
	m.putProved(ctx, a.proved)
	if a.gap == GapOverflow {
		m.o.Log.Warn("a login left groups out because there are too many: let app roles give the rights instead")
	}
	return user, nil
}
