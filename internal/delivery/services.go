package delivery

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"utsending/internal/clients"
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

	mu     sync.Mutex
	sms    map[clientKey]keptClient
	letter map[clientKey]keptShipmentClient
}

// clientKey holds the service too: an integration that is moved to another one must not call the old one for a while.
type clientKey struct {
	integration dispatch.IntegrationID
	service     string
}

type keptClient struct {
	client *smsapi.Client
	until  time.Time
}

// NewServices returns the clients' keeper for the configured services.
func NewServices(s *store.Store, configured []dispatch.Service) *Services {
	sv := &Services{store: s, byName: map[string]dispatch.Service{}, http: clients.NewHTTPClient(), sms: map[clientKey]keptClient{},
		letter: map[clientKey]keptShipmentClient{}}
	for _, c := range configured {
		sv.byName[c.Name] = c
	}
	return sv
}

// shipmentClient is a client of the shipment service, and whether ids are reserved before a submission.
type shipmentClient struct {
	v1      *shipmentapi.V1
	reserve bool
}

type keptShipmentClient struct {
	client shipmentClient
	until  time.Time
}

// Shipments returns the client of a shipment integration that calls the named service.
func (sv *Services) Shipments(ctx context.Context, id dispatch.IntegrationID, service string) (shipmentClient, error) {
	sv.mu.Lock()
	kept, ok := sv.letter[clientKey{id, service}]
	sv.mu.Unlock()
	if ok && time.Now().Before(kept.until) {
		return kept.client, nil
	}
	client, err := sv.newShipments(ctx, id, service)
	if err != nil {
		return client, err
	}
	sv.mu.Lock()
	defer sv.mu.Unlock()
	sv.letter[clientKey{id, service}] = keptShipmentClient{client, time.Now().Add(clientLifetime)}
	return client, nil
}

func (sv *Services) newShipments(ctx context.Context, id dispatch.IntegrationID, name string) (shipmentClient, error) {
	service, ok := sv.byName[name]
	if !ok || service.Kind != dispatch.IntegrationShipmentV1 {
		return shipmentClient{}, fmt.Errorf("no shipment service named %q is configured", name)
	}
	c, err := sv.store.Credentials(ctx, id)
	if err != nil {
		return shipmentClient{}, err
	}
	in, err := sv.store.Integration(ctx, id)
	if err != nil {
		return shipmentClient{}, err
	}
	v1 := shipmentapi.NewV1(shipmentapi.Options{
		BaseURL: service.BaseURL, HTTP: sv.http, User: c.ClientID, Password: c.ClientSecret, Wire: shipmentapi.Wire(in.Wire),
		SubmitTimeout: sv.SubmitTimeout,
	})
	return shipmentClient{v1, in.ReserveIDs}, nil
}

// ByName returns a configured service.
func (sv *Services) ByName(name string) (dispatch.Service, bool) {
	s, ok := sv.byName[name]
	return s, ok
}

// SMS returns the client of an SMS integration that calls the named service.
func (sv *Services) SMS(ctx context.Context, id dispatch.IntegrationID, service string) (*smsapi.Client, error) {
	sv.mu.Lock()
	kept, ok := sv.sms[clientKey{id, service}]
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
	sv.sms[clientKey{id, service}] = keptClient{client, time.Now().Add(clientLifetime)}
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
