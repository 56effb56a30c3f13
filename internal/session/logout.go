package session

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/url"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// Logout ends the session and returns the address that ends it at the provider too, or the page of ours that says so.
func (m *Manager) Logout(ctx context.Context, origin string) (string, error) {
	raw, user := m.scs.GetString(ctx, keyIDToken), m.scs.GetString(ctx, keyUser)
	if err := m.o.Store.Sessions().SignedOut(ctx, m.tokenHash(ctx), dispatch.EndingLogout); err != nil {
		return "", fmt.Errorf("note logout: %w", err)
	}
	if err := m.scs.Destroy(ctx); err != nil {
		return "", fmt.Errorf("end session: %w", err)
	}
	if err := m.recordLogout(ctx, user, origin); err != nil {
		return "", err
	}
	home := m.o.PublicURL + "/logget-ut"
	p, err := m.discover(ctx)
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

func (m *Manager) recordLogout(ctx context.Context, user, origin string) error {
	if user == "" {
		return nil
	}
	return m.o.Store.Record(ctx, store.Audit{Actor: dispatch.UserID(user), Action: "session.logout", Origin: origin})
}

// Longest issuer and session id that are looked up.
const (
	maxIssuer = 2048
	maxSID    = 255
)

// EndByProvider ends the sessions that belong to one at the provider (OpenID Connect Front-Channel Logout). What
// belongs to nothing here ends nothing, and is no error: nobody is to learn which ids there are.
//
// Assumption: a provider may leave iss out, against the standard. The id is the secret; another issuer's is refused.
func (m *Manager) EndByProvider(ctx context.Context, issuer, sid, origin string) error {
	if sid == "" || len(sid) > maxSID || len(issuer) > maxIssuer || issuer != "" && issuer != m.o.Issuer {
		return nil
	}
	ended, err := m.o.Store.Sessions().EndBySID(ctx, m.o.Issuer, sid)
	if err != nil {
		return fmt.Errorf("end sessions of the provider's: %w", err)
	}
	for _, data := range ended {
		_, values, err := codec{}.Decode(data)
		if err != nil {
			continue // ended, whatever it was
		}
		user, _ := values[keyUser].(string)
		if err := m.recordLogout(ctx, user, origin); err != nil {
			return err
		}
	}
	return nil
}
