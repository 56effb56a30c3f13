package main

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/seal"
	"utsending/internal/session/devidp"
	"utsending/internal/store"
	"utsending/internal/store/registry"
	"utsending/internal/views/gallery"
)

// The credentials of the development login and of the simulated services. Everything here is fictional.
const (
	clientID     = "utsending"
	clientSecret = "utsending-utvikling"
	serviceName  = "sms"

	shipmentServiceName   = "forsendelse-v1"
	shipmentV2ServiceName = "forsendelse-v2"
	shipmentV3ServiceName = "forsendelse-v3"

	integrationID       = "7a0d3c52-4f1e-4b7b-8a35-2f6f0c9d1e04" // IntegrasjonId
	integrationPassword = "utsending-utvikling-v2"
)

// newest is the account that sends over the newest generation.
var newest = dispatch.Account{
	Slug: "plan", Name: "Plan og byggesak", SMSAccountID: "0c6a2f18-7d35-4b91-8e42-95b3d7f1a605", SenderName: "Fjordvik", UndoWindow: 5 * time.Second,
	SourceSystem: "Utsending", ShipmentAccountID: "71d0b9c4-6e2a-4c58-b37f-18a4e6d2c906", OrganizationNumber: "987654325",
}

// person is a user who can log in, with their groups.
type person struct {
	subject, name, shown string
	groups               []string
}

var everybody = []person{
	{"kari", "Kari Nordmann", "Saksbehandler · Oppvekst og utdanning, Plan og byggesak", []string{"oppvekst-saksbehandler", "plan-saksbehandler"}},
	{"amir", "Amir Hosseini", "Saksbehandler · Oppvekst og utdanning, Helse og mestring", []string{"oppvekst-saksbehandler", "helse-saksbehandler"}},
	{"ingrid", "Ingrid Lunde", "Teamleder · Oppvekst og utdanning", []string{"oppvekst-teamleder"}},
	{"jonas", "Jonas Vik", "Kontoansvarlig · Oppvekst og utdanning", []string{"oppvekst-kontoansvarlig"}},
	{"nora", "Nora Dahl", "Administrator · hele Utsending", []string{"administrator"}},
	{"per", "Per Strand", "Revisor · Oppvekst og utdanning, Helse og mestring", []string{"oppvekst-revisor", "helse-revisor"}},
	{"tor", "Tor Haugen", "Ingen rettigheter", nil},
}

// people are the users for the login page.
func people() []devidp.Person {
	list := make([]devidp.Person, len(everybody))
	for i, p := range everybody {
		list[i] = devidp.Person{Subject: p.subject, Name: p.name, Role: p.shown, Claims: map[string]any{"groups": p.groups}}
	}
	return list
}

var roles = map[string]dispatch.Role{
	"saksbehandler": dispatch.RoleCaseworker, "teamleder": dispatch.RoleTeamLead,
	"kontoansvarlig": dispatch.RoleAccountAdmin, "revisor": dispatch.RoleAuditor,
}

// seed migrates the database and creates the accounts, the integrations and the rights, through the same code as an
// administrator's acts.
func (s *stack) seed(ctx context.Context, keyFile string) error {
	if err := s.migrate(ctx, keyFile); err != nil {
		return err
	}
	db, err := openStore(s.database, keyFile)
	if err != nil {
		return err
	}
	defer db.Close()
	in, err := seedIntegrations(ctx, db)
	if err != nil {
		return err
	}
	if err := s.seedCertificates(ctx, db, in); err != nil {
		return err
	}
	return seedAccounts(ctx, db, in)
}

// migrate migrates the database as its owner, and grants the server its rights.
func (s *stack) migrate(ctx context.Context, keyFile string) error {
	db, err := openStore(s.owner, keyFile)
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := db.Migrate(ctx); err != nil {
		return err
	}
	return db.GrantServer(ctx, store.ServerRole{Name: serverRole})
}

func openStore(url, keyFile string) (*store.Store, error) {
	file, err := seal.ReadFile(keyFile)
	if err != nil {
		return nil, err
	}
	keys, err := seal.Parse(file)
	if err != nil {
		return nil, err
	}
	return store.Open(store.Options{URL: url, Keys: keys})
}

// seeded are the integrations: SMS, and shipments over each generation.
type seeded struct{ sms, v1, v2, v3 dispatch.IntegrationID }

func seedIntegrations(ctx context.Context, db *store.Store) (in seeded, err error) {
	client := dispatch.Credentials{ClientID: clientID, ClientSecret: clientSecret}
	both := client
	both.IntegrationID, both.IntegrationPassword = integrationID, integrationPassword
	for _, one := range []struct {
		id          *dispatch.IntegrationID
		integration dispatch.Integration
		credentials dispatch.Credentials
	}{
		{&in.sms, dispatch.Integration{Name: "SMS-tjenesten", Kind: dispatch.IntegrationSMS, Service: serviceName, Environment: dispatch.EnvironmentTest, Parallelism: 8, RatePerSec: 20}, client},
		{&in.v1, dispatch.Integration{Name: "Forsendelsestjenesten V1", Kind: dispatch.IntegrationShipmentV1, Service: shipmentServiceName, Environment: dispatch.EnvironmentTest,
			ReserveIDs: true, Parallelism: 4, RatePerSec: 5}, client},
		{&in.v2, dispatch.Integration{Name: "Forsendelsestjenesten V2", Kind: dispatch.IntegrationShipmentV2, Service: shipmentV2ServiceName, Environment: dispatch.EnvironmentTest,
			Parallelism: 4, RatePerSec: 5}, both},
		{&in.v3, dispatch.Integration{Name: "Forsendelsestjenesten V3", Kind: dispatch.IntegrationShipmentV3, Service: shipmentV3ServiceName, Environment: dispatch.EnvironmentTest,
			Parallelism: 4, RatePerSec: 5}, both},
	} {
		if *one.id, err = registry.In(db).Integrations.Save(ctx, one.integration, one.credentials); err != nil {
			return in, err
		}
	}
	return in, nil
}

// seedCertificates stores the certificate of the simulator, whose key is new at each start.
func (s *stack) seedCertificates(ctx context.Context, db *store.Store, in seeded) error {
	if s.sim == nil {
		return nil
	}
	for _, id := range []dispatch.IntegrationID{in.v1, in.v2, in.v3} {
		integration, err := registry.In(db).Integrations.ByID(ctx, id)
		if err != nil {
			return err
		}
		e := dispatch.Encryption{Certificate: s.sim.Certificate(), Transport: dispatch.TransportOAEP}
		if err := registry.In(db).Integrations.SaveEncryption(ctx, id, integration.Version, e, store.Actor{}); err != nil {
			return err
		}
	}
	return nil
}

func seedAccounts(ctx context.Context, db *store.Store, in seeded) error {
	if err := db.MapRole(ctx, "administrator", "", dispatch.RoleSystemAdmin); err != nil {
		return err
	}
	shipments := map[string]dispatch.IntegrationID{"oppvekst": in.v1, "helse": in.v2, newest.Slug: in.v3}
	for _, a := range append(slices.Clone(gallery.Accounts), newest) {
		a.SMSIntegration, a.ShipmentIntegration = in.sms, shipments[a.Slug]
		id, err := registry.In(db).Accounts.Save(ctx, a)
		if err != nil {
			return err
		}
		for name, role := range roles {
			if err := db.MapRole(ctx, a.Slug+"-"+name, id, role); err != nil {
				return err
			}
		}
	}
	return nil
}

func newKeys(path string) error {
	keys, err := seal.New()
	if err != nil {
		return err
	}
	return os.WriteFile(path, keys, 0o600)
}

// signingKey keeps the login's key over restarts, so that logout works after one.
func signingKey(path string) (*rsa.PrivateKey, error) {
	if file, err := os.ReadFile(path); err == nil {
		block, _ := pem.Decode(file)
		if block == nil {
			return nil, errors.New("the login's key cannot be read; 'make clean' makes a new one")
		}
		return x509.ParsePKCS1PrivateKey(block.Bytes)
	}
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, fmt.Errorf("login's key: %w", err)
	}
	file := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
	return key, os.WriteFile(path, file, 0o600)
}
