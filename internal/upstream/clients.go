// Package upstream provides the clients of the outside services, one for each integration, with its credentials and
// tokens.
package upstream

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"utsending/internal/clients"
	"utsending/internal/clients/cms"
	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/smsapi"
	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/registry"
)

// clientLifetime is how long a client is cached before the integration's credentials are read again.
const clientLifetime = time.Minute

// Clients creates and caches the integrations' clients.
type Clients struct {
	store    *store.Store
	services []dispatch.Service
	byName   map[string]dispatch.Service
	http     *http.Client
	// SubmitTimeout is the timeout of a shipment's submission; zero: 16 minutes.
	SubmitTimeout time.Duration
	// CallTimeout is the timeout of every other call; zero: 10 seconds.
	CallTimeout time.Duration

	opening singleflight.Group

	mu        sync.Mutex
	kept      map[clientKey]keptClient
	forgotten int // number of calls of Forget
	types     map[dispatch.IntegrationID]keptTypes
}

// clientKey includes the service: an integration that is moved to another must not keep calling the old one.
type clientKey struct {
	integration dispatch.IntegrationID
	service     string
}

type keptClient struct {
	Client
	until time.Time
}

// New returns the clients of the configured services.
func New(s *store.Store, configured []dispatch.Service) *Clients {
	cs := &Clients{store: s, services: configured, byName: map[string]dispatch.Service{}, http: clients.NewHTTPClient(), kept: map[clientKey]keptClient{}, types: map[dispatch.IntegrationID]keptTypes{}}
	for _, c := range configured {
		cs.byName[c.Name] = c
	}
	return cs
}

// Services returns the configured services.
func (cs *Clients) Services() []dispatch.Service { return cs.services }

// Environment names the environment of a configured service.
func (cs *Clients) Environment(service string) string {
	if s, ok := cs.byName[service]; ok {
		return string(s.Environment)
	}
	return "unknown"
}

// Client returns the client of an integration for the named service, with the current credentials. Concurrent callers
// share one, and so one token; a caller that gives up waiting does not cancel the others.
func (cs *Clients) Client(ctx context.Context, id dispatch.IntegrationID, service string) (Client, error) {
	key := clientKey{id, service}
	cs.mu.Lock()
	kept, forgotten := cs.kept[key], cs.forgotten
	cs.mu.Unlock()
	if time.Now().Before(kept.until) {
		return kept.Client, nil
	}
	// The key includes the number of changes: a call after a change does not share a read that began before it.
	opened := cs.opening.DoChan(fmt.Sprint(id, " ", forgotten, " ", service), func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), openTime)
		defer cancel()
		return cs.renew(ctx, key, kept, forgotten)
	})
	select {
	case <-ctx.Done():
		return Client{}, ctx.Err()
	case o := <-opened:
		made, _ := o.Val.(Client)
		return made, o.Err
	}
}

// openTime is the timeout of reading an integration's credentials, which concurrent callers share.
const openTime = 10 * time.Second

// renew reads an integration's credentials and caches their client, unless Forget was called meanwhile.
func (cs *Clients) renew(ctx context.Context, key clientKey, kept keptClient, forgotten int) (Client, error) {
	usable, err := registry.In(cs.store).Credentials.InUse(ctx, key.integration)
	if err != nil {
		return Client{}, err
	}
	in, err := registry.In(cs.store).Integrations.ByID(ctx, key.integration)
	if err != nil {
		return Client{}, err
	}
	made := kept.Client // unchanged, so its token is still valid
	if kept.key != key || kept.credentials.ID != usable.ID || kept.version != in.Version {
		if made, err = cs.make(in, usable.Credentials); err != nil {
			return Client{}, err
		}
		made.key, made.version = key, in.Version
	}
	made.credentials = usable.CredentialUse
	until := time.Now().Add(clientLifetime)
	if !usable.Until.IsZero() && usable.Until.Before(until) {
		until = usable.Until
	}
	cs.mu.Lock()
	defer cs.mu.Unlock()
	if cs.forgotten == forgotten {
		cs.kept[key] = keptClient{made, until}
	}
	return made, nil
}

// make returns a new client of an integration.
func (cs *Clients) make(in dispatch.Integration, c dispatch.Credentials) (Client, error) {
	made := Client{Kind: in.Kind}
	service, err := cs.serviceOf(in)
	if err != nil {
		return made, err
	}
	encryption, err := encryptionOf(in)
	if err != nil {
		return made, err
	}
	if !in.Kind.Row().Basic {
		if made.tokens, err = clients.NewTokens(service, c); err != nil {
			return made, err
		}
	}
	if in.Kind.Shipments() {
		var known bool
		made.Shipments, known = shipmentapi.New(in.Kind, shipmentapi.Options{
			BaseURL: service.BaseURL, HTTP: cs.http, User: c.ClientID, Password: c.ClientSecret, Wire: shipmentapi.Wire(in.Wire),
			Tokens: made.tokens, IntegrationID: c.IntegrationID, IntegrationPassword: c.IntegrationPassword,
			SubmitTimeout: cs.SubmitTimeout, Timeout: cs.CallTimeout, Encryption: encryption, Environment: in.Environment,
		})
		if !known {
			return made, fmt.Errorf("there is no client for %s", in.Kind)
		}
		return made, nil
	}
	made.SMS = smsapi.New(smsapi.Options{
		BaseURL: service.BaseURL, HTTP: cs.http, Tokens: made.tokens, IntegrationID: c.IntegrationID, IntegrationPassword: c.IntegrationPassword,
		Timeout: cs.CallTimeout, Environment: in.Environment,
	})
	return made, nil
}

// encryptionOf returns the encryption of an integration; the zero value without a certificate.
func encryptionOf(in dispatch.Integration) (shipmentapi.Encryption, error) {
	certificate := in.Encryption.X509()
	if certificate == nil {
		return shipmentapi.Encryption{}, nil
	}
	envelope, err := cms.New(certificate, cms.Transport(in.Encryption.Transport))
	return shipmentapi.Encryption{Envelope: envelope, Until: certificate.NotAfter}, err
}

// serviceOf finds the configured service of an integration. A service whose kind or environment has changed since it
// was chosen is not used: tests must never reach people.
func (cs *Clients) serviceOf(in dispatch.Integration) (dispatch.Service, error) {
	service, ok := cs.byName[in.Service]
	switch {
	case !ok || service.Kind != in.Kind:
		return service, fmt.Errorf("no %s service named %q is configured", in.Kind, in.Service)
	case in.Environment != "" && service.Environment != in.Environment:
		return service, fmt.Errorf("service %q is %s now, and was %s when it was chosen", in.Service, service.Environment, in.Environment)
	}
	return service, nil
}

// Forget drops the cached client, since an integration's credentials were changed in this process.
func (cs *Clients) Forget(id dispatch.IntegrationID) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	cs.forgotten++
	for key, kept := range cs.kept {
		if key.integration == id {
			kept.until = time.Time{}
			cs.kept[key] = kept
		}
	}
	delete(cs.types, id)
}

// Token tells whether this process has cached a token of a set of credentials. It makes no call.
func (cs *Clients) Token(id dispatch.IntegrationID, set dispatch.CredentialID) dispatch.TokenState {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	state := dispatch.TokenState{}
	for key, kept := range cs.kept {
		if key.integration != id || kept.credentials.ID != set || kept.tokens == nil {
			continue
		}
		if until, ok := kept.tokens.Held(); ok {
			state = dispatch.TokenState{Held: true, Until: until}
		}
	}
	return state
}

// FallBack marks credentials that the service refuses, by an error that passed [Client.Confirm], and tells whether the integration has
// another set.
func (cs *Clients) FallBack(ctx context.Context, c Client, e *clients.Error) bool {
	if c.credentials.ID == "" || !refusesCredentials(e) {
		return false
	}
	another, err := registry.In(cs.store).Credentials.Refused(ctx, c.key.integration, c.credentials, e.Reason())
	cs.Forget(c.key.integration)
	return err == nil && another
}

// FallBackOfRead confirms and falls back after a read that failed.
func (cs *Clients) FallBackOfRead(ctx context.Context, c Client, err error) {
	if e := clients.AsError(err); refusesCredentials(e) {
		cs.FallBack(ctx, c, c.Confirm(ctx, "", e))
	}
}

// refusesCredentials tells whether a refusal concerns the credentials, not an address or an account.
func refusesCredentials(e *clients.Error) bool {
	return e.Scope == dispatch.ScopeIntegration && (e.HTTPStatus == http.StatusUnauthorized || slices.Contains(tokenRefusals, e.Key))
}

// tokenRefusals are the reasons of a token endpoint's refusals.
var tokenRefusals = []string{"reason.token_refused", "reason.token_key", "reason.token_scope", "reason.token_skew"}
