package session

import (
	"context"
	"fmt"
	"net/url"
	"slices"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// provider is the login provider after discovery.
type provider struct {
	verifier   *oidc.IDTokenVerifier
	oauth      *oauth2.Config
	endSession string
}

// discover returns the provider; a failure is retried at the next login. Concurrent callers share one discovery request and its
// timeout.
func (m *Manager) discover(ctx context.Context) (*provider, error) {
	if p := m.provider.Load(); p != nil {
		return p, nil
	}
	asked := m.asking.DoChan("", func() (any, error) { return m.ask() })
	select {
	case answer := <-asked:
		p, _ := answer.Val.(*provider)
		return p, answer.Err
	case <-ctx.Done():
		return nil, fmt.Errorf("%w: %w", ErrProvider, ctx.Err())
	}
}

// ask fetches the discovery document.
func (m *Manager) ask() (*provider, error) {
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

// context is for go-oidc, which keeps it for later fetches of keys: never a request's own.
func (m *Manager) context() context.Context {
	return oidc.ClientContext(context.Background(), m.http)
}

// Warm fetches the discovery document ahead of the first login. A provider that does not answer yet is no error.
func (m *Manager) Warm() { _, _ = m.discover(context.Background()) }

// Origins are the provider's origins: logout redirects there, and the front-channel logout is framed there. They are
// known after discovery only; ID-porten's differs from its issuer.
func (m *Manager) Origins() []string {
	addresses := []string{m.o.Issuer}
	if p := m.provider.Load(); p != nil {
		addresses = append(addresses, p.endSession)
	}
	var origins []string
	for _, address := range addresses {
		if u, err := url.Parse(address); err == nil && u.Host != "" && !slices.Contains(origins, u.Scheme+"://"+u.Host) {
			origins = append(origins, u.Scheme+"://"+u.Host)
		}
	}
	return origins
}
