package delivery

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"utsending/internal/clients"
	"utsending/internal/clients/smsapi"
	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// Service is one outside service as the configuration names it. Addresses come from there only.
type Service struct {
	Name        string                   `json:"name"`
	Kind        dispatch.IntegrationKind `json:"kind"`
	Environment string                   `json:"environment"` // test or production
	BaseURL     string                   `json:"base_url"`
	TokenURL    string                   `json:"token_url"`
}

// clientLifetime is how long a client is used before the integration's credentials are read again.
const clientLifetime = time.Minute

// Services make and keep the clients of the integrations.
type Services struct {
	store  *store.Store
	byName map[string]Service
	http   *http.Client
	mu     sync.Mutex
	sms    map[dispatch.IntegrationID]keptClient
}

type keptClient struct {
	client *smsapi.Client
	until  time.Time
}

// NewServices returns the clients' keeper for the configured services.
func NewServices(s *store.Store, configured []Service) *Services {
	sv := &Services{store: s, byName: map[string]Service{}, http: clients.NewHTTPClient(), sms: map[dispatch.IntegrationID]keptClient{}}
	for _, c := range configured {
		sv.byName[c.Name] = c
	}
	return sv
}

// ByName returns a configured service.
func (sv *Services) ByName(name string) (Service, bool) {
	s, ok := sv.byName[name]
	return s, ok
}

// SMS returns the client of an SMS integration that calls the named service.
func (sv *Services) SMS(ctx context.Context, id dispatch.IntegrationID, service string) (*smsapi.Client, error) {
	sv.mu.Lock()
	kept, ok := sv.sms[id]
	sv.mu.Unlock()
	if ok && time.Now().Before(kept.until) {
		return kept.client, nil
	}
	client, err := sv.newSMS(ctx, id, service)
	if err != nil {
		return nil, err
	}
	sv.mu.Lock()
	defer sv.mu.Unlock()
	sv.sms[id] = keptClient{client, time.Now().Add(clientLifetime)}
	return client, nil
}

func (sv *Services) newSMS(ctx context.Context, id dispatch.IntegrationID, name string) (*smsapi.Client, error) {
	service, ok := sv.byName[name]
	if !ok || service.Kind != dispatch.IntegrationSMS {
		return nil, fmt.Errorf("no SMS service named %q is configured", name)
	}
	c, err := sv.store.Credentials(ctx, id)
	if err != nil {
		return nil, err
	}
	return smsapi.New(smsapi.Options{
		BaseURL: service.BaseURL, HTTP: sv.http, Tokens: clients.ClientCredentials(service.TokenURL, c),
		IntegrationID: c.IntegrationID, IntegrationPassword: c.IntegrationPassword,
	}), nil
}
