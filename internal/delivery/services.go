package delivery

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
)

// clientLifetime is how long a client is used before the integration's credentials are read again.
const clientLifetime = time.Minute

// Services make and keep the clients of the integrations.
type Services struct {
	store  *store.Store
	byName map[string]dispatch.Service
	http   *http.Client
	// SubmitTimeout is how long a submission of a shipment may take; zero: 16 minutes.
	SubmitTimeout time.Duration
	// CallTimeout is how long every other call to a service may take; zero: 10 seconds.
	CallTimeout time.Duration

	opening singleflight.Group

	mu        sync.Mutex
	kept      map[clientKey]keptClient
	forgotten int // how often something was to be read again
	types     map[dispatch.IntegrationID]keptTypes
}

// clientKey holds the service too: an integration that is moved to another one must not call the old one for a while.
type clientKey struct {
	integration dispatch.IntegrationID
	service     string
}

// client calls one service with one set of an integration's credentials: SMS or shipments, by the integration's kind.
type client struct {
	key         clientKey
	credentials store.CredentialUse
	version     int // of the integration's row
	sms         *smsapi.Client
	letters     shipmentapi.Client
	v1          *shipmentapi.V1 // letters, where they go over V1
	tokens      *clients.Tokens // nil where the service needs none
}

type keptClient struct {
	client
	until time.Time
}

// NewServices returns the clients' keeper for the configured services.
func NewServices(s *store.Store, configured []dispatch.Service) *Services {
	sv := &Services{store: s, byName: map[string]dispatch.Service{}, http: clients.NewHTTPClient(), kept: map[clientKey]keptClient{}, types: map[dispatch.IntegrationID]keptTypes{}}
	for _, c := range configured {
		sv.byName[c.Name] = c
	}
	return sv
}

// ByName returns a configured service.
func (sv *Services) ByName(name string) (dispatch.Service, bool) {
	s, ok := sv.byName[name]
	return s, ok
}

// client returns the client of an integration that calls the named service, with the credentials to use now. Those who come
// together get one, and so one token; one who gives up waiting does not end it for the others.
func (sv *Services) client(ctx context.Context, id dispatch.IntegrationID, service string) (client, error) {
	key := clientKey{id, service}
	sv.mu.Lock()
	kept, forgotten := sv.kept[key], sv.forgotten
	sv.mu.Unlock()
	if time.Now().Before(kept.until) {
		return kept.client, nil
	}
	// Whoever comes after somebody has changed something does not wait for what was read before.
	opened := sv.opening.DoChan(fmt.Sprint(id, " ", forgotten, " ", service), func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), openTime)
		defer cancel()
		return sv.renew(ctx, key, kept, forgotten)
	})
	select {
	case <-ctx.Done():
		return client{}, ctx.Err()
	case o := <-opened:
		made, _ := o.Val.(client)
		return made, o.Err
	}
}

// openTime bounds the reading of an integration's credentials, which is for all who wait.
const openTime = 10 * time.Second

// renew reads an integration's credentials, and keeps the client that they make unless somebody has changed something since.
func (sv *Services) renew(ctx context.Context, key clientKey, kept keptClient, forgotten int) (client, error) {
	usable, err := sv.store.Credentials(ctx, key.integration)
	if err != nil {
		return client{}, err
	}
	in, err := sv.store.Integration(ctx, key.integration)
	if err != nil {
		return client{}, err
	}
	made := client{key: key, version: in.Version}
	if kept.key == key && kept.credentials.ID == usable.ID && kept.version == in.Version {
		made = kept.client // its token is still good
	} else if made.tokens, err = sv.make(&made, in, usable.Credentials); err != nil {
		return client{}, err
	}
	made.credentials = usable.CredentialUse
	until := time.Now().Add(clientLifetime)
	if !usable.Until.IsZero() && usable.Until.Before(until) {
		until = usable.Until
	}
	sv.mu.Lock()
	defer sv.mu.Unlock()
	if sv.forgotten == forgotten {
		sv.kept[key] = keptClient{made, until}
	}
	return made, nil
}

// make fills in what calls the integration's service, and returns where its tokens come from; nil where it needs none.
func (sv *Services) make(to *client, in dispatch.Integration, c dispatch.Credentials) (*clients.Tokens, error) {
	service, err := sv.service(in)
	if err != nil {
		return nil, err
	}
	encryption, err := encryptionOf(in)
	if err != nil {
		return nil, err
	}
	if in.Kind == dispatch.IntegrationShipmentV1 {
		to.v1 = shipmentapi.NewV1(shipmentapi.Options{
			BaseURL: service.BaseURL, HTTP: sv.http, User: c.ClientID, Password: c.ClientSecret, Wire: shipmentapi.Wire(in.Wire),
			SubmitTimeout: sv.SubmitTimeout, Timeout: sv.CallTimeout, Encryption: encryption,
		})
		to.letters = to.v1
		return nil, nil
	}
	tokens, err := clients.NewTokens(service, c)
	if err != nil {
		return nil, err
	}
	if in.Kind == dispatch.IntegrationShipmentV2 {
		to.letters = shipmentapi.NewV2(shipmentapi.V2Options{
			BaseURL: service.BaseURL, HTTP: sv.http, Tokens: tokens, IntegrationID: c.IntegrationID, IntegrationPassword: c.IntegrationPassword,
			SubmitTimeout: sv.SubmitTimeout, Timeout: sv.CallTimeout, Encryption: encryption,
		})
		return tokens, nil
	}
	to.sms = smsapi.New(smsapi.Options{
		BaseURL: service.BaseURL, HTTP: sv.http, Tokens: tokens, IntegrationID: c.IntegrationID, IntegrationPassword: c.IntegrationPassword,
		Timeout: sv.CallTimeout,
	})
	return tokens, nil
}

// encryptionOf is what files are encrypted with; nothing where the integration has no certificate.
func encryptionOf(in dispatch.Integration) (shipmentapi.Encryption, error) {
	certificate := in.Encryption.X509()
	if certificate == nil {
		return shipmentapi.Encryption{}, nil
	}
	envelope, err := cms.New(certificate, cms.Transport(in.Encryption.Transport))
	return shipmentapi.Encryption{Envelope: envelope, Until: certificate.NotAfter}, err
}

// service finds the configured service of an integration. One that has become another kind or environment since it was
// chosen is not used: what was meant for tests must never reach people.
func (sv *Services) service(in dispatch.Integration) (dispatch.Service, error) {
	service, ok := sv.byName[in.Service]
	switch {
	case !ok || service.Kind != in.Kind:
		return service, fmt.Errorf("no %s service named %q is configured", in.Kind, in.Service)
	case in.Environment != "" && service.Environment != in.Environment:
		return service, fmt.Errorf("service %q is %s now, and was %s when it was chosen", in.Service, service.Environment, in.Environment)
	}
	return service, nil
}

// Forget makes the next call read an integration's credentials again: somebody has changed them here.
func (sv *Services) Forget(id dispatch.IntegrationID) {
	sv.mu.Lock()
	defer sv.mu.Unlock()
	sv.forgotten++
	for key, kept := range sv.kept {
		if key.integration == id {
			kept.until = time.Time{}
			sv.kept[key] = kept
		}
	}
	delete(sv.types, id)
}

// Token tells what this process holds of an integration's tokens. It asks nobody.
func (sv *Services) Token(id dispatch.IntegrationID) dispatch.TokenState {
	sv.mu.Lock()
	defer sv.mu.Unlock()
	state := dispatch.TokenState{}
	for key, kept := range sv.kept {
		if key.integration != id || kept.tokens == nil {
			continue
		}
		if until, ok := kept.tokens.Held(); ok {
			state = dispatch.TokenState{Held: true, Until: until}
		}
	}
	return state
}

// fallBack tells, when the service refuses a client's credentials, and says so of harmless questions too, whether the
// integration has another set to try.
func (sv *Services) fallBack(ctx context.Context, c client, e *clients.Error) bool {
	if c.credentials.ID == "" || !refusesCredentials(e) {
		return false
	}
	another, err := sv.store.RefuseCredentials(ctx, c.key.integration, c.credentials, e.Reason())
	sv.Forget(c.key.integration)
	return err == nil && another
}

// fallBackOfRead is fallBack after a read that failed: the next one uses the other set.
func (sv *Services) fallBackOfRead(ctx context.Context, c client, err error) {
	if e := clients.AsError(err); refusesCredentials(e) {
		sv.fallBack(ctx, c, c.confirm(ctx, "", e))
	}
}

// refusesCredentials tells whether a refusal is about who we are, and not about an address or an account.
func refusesCredentials(e *clients.Error) bool {
	return e.Scope == dispatch.ScopeIntegration && (e.HTTPStatus == http.StatusUnauthorized || slices.Contains(tokenRefusals, e.Key))
}

// tokenRefusals are what a token endpoint refuses: other credentials may do.
var tokenRefusals = []string{"reason.token_refused", "reason.token_key", "reason.token_scope", "reason.token_skew"}
