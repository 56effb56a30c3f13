package session

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/url"

	"utsending/internal/store/registry"
)

// Logout ends the session and returns the address of the provider's logout, or our page that says so.
func (m *Manager) Logout(ctx context.Context, origin string) (string, error) {
	raw := m.scs.GetString(ctx, keyIDToken)
	if err := registry.In(m.o.Store).Sessions.LoggedOut(ctx, m.tokenHash(ctx), origin); err != nil {
		return "", fmt.Errorf("end session: %w", err)
	}
	if err := m.scs.Destroy(ctx); err != nil { // the cookie; the session is gone
		return "", fmt.Errorf("end session: %w", err)
	}
	home := m.o.PublicURL + "/logget-ut"
	p, err := m.discover(ctx)
	if err != nil || p.endSession == "" || raw == "" {
		return home, nil // our own session has ended in any case
	}
	u, err := url.Parse(p.endSession)
	if err != nil {
		return home, nil
	}
	q := u.Query()
	q.Set("client_id", m.o.ClientID)
	q.Set("post_logout_redirect_uri", home)
	q.Set("state", rand.Text())
	if len(u.Path)+len(u.RawQuery)+len(q.Encode())+len(raw) <= maxLogout {
		q.Set("id_token_hint", raw)
	}
	u.RawQuery = q.Encode()
	return u.String(), nil
}

// maxLogout limits the length of the address at the provider. With many groups, the id_token_hint makes it longer
// than providers and proxies accept, and may be left out (OpenID Connect RP-Initiated Logout 1.0, 2): the provider
// then asks, or ends the session of its own cookie.
//
// Assumption: 4 000 bytes pass everywhere; proxies commonly take 8 kB for all headers, Entra ID less.
const maxLogout = 4000

// Maximum lengths of issuer and session id.
const (
	maxIssuer = 2048
	maxSID    = 255
)

// EndByProvider ends the sessions with a session id of the provider (OpenID Connect Front-Channel Logout). An unknown
// id is no error: the answer must not reveal which ids exist.
//
// Assumption: a provider may leave iss out, against the standard. The id is the secret; another issuer's is refused.
func (m *Manager) EndByProvider(ctx context.Context, issuer, sid, origin string) error {
	if sid == "" || len(sid) > maxSID || len(issuer) > maxIssuer || issuer != "" && issuer != m.o.Issuer {
		return nil
	}
	if err := registry.In(m.o.Store).Sessions.EndBySID(ctx, m.o.Issuer, sid, origin); err != nil {
		return fmt.Errorf("end sessions of the provider's: %w", err)
	}
	return nil
}
