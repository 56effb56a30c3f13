package main_test

import (
	cryptorand "crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"utsending/internal/clients/simulator"
	"utsending/internal/clients/simulator/whole"
	"utsending/internal/dispatch"
	"utsending/internal/session/devidp"
	"utsending/internal/store"
	"utsending/internal/store/registry"
	"utsending/internal/store/storetest"
)

// stack is the application with everything around it, for one journey.
type stack struct {
	t           *testing.T
	database    string
	store       *store.Store
	sim         *simulator.Simulator
	idp         *devidp.Provider
	issuer      string
	address     string // of the application
	oppvekst    dispatch.Account
	helse       dispatch.Account
	integration dispatch.IntegrationID
	env         []string
	web         *process
}

// stackOptions are settings that differ between journeys.
type stackOptions struct {
	undo    time.Duration // undo window of both accounts
	jsonLog bool
	env     []string
}

// newStack starts everything with short intervals: polls, status reads and the service's steps take fractions of a second.
func newStack(t *testing.T, o stackOptions) *stack {
	t.Helper()
	s := &stack{t: t, database: storetest.Database(t), address: fmt.Sprintf("http://localhost:%d", freePort(t))}
	t.Cleanup(func() { s.wantSealed(t) }) // after everything else has stopped
	s.store = storetest.Open(t, s.database)
	s.sim = whole.New(simulator.Options{Pace: 150 * time.Millisecond, SlowFor: time.Second, Clients: map[string]string{storetest.ClientID: storetest.ClientSecret}})
	services := httptest.NewServer(s.sim)
	t.Cleanup(services.Close)
	t.Cleanup(s.sim.Close)
	s.serveLogin()
	s.seed(o.undo)
	s.env = append(s.environment(services.URL), o.env...)
	if !o.jsonLog {
		s.env = append(s.env, "LOG_FORMAT=text")
	}
	s.startWeb()
	return s
}

func (s *stack) startWeb() {
	s.t.Helper()
	s.startProgram(made.web)
}

func (s *stack) startProgram(program string) {
	s.t.Helper()
	s.web = runProgram(s.t, program, s.env, "serve")
	eventually(s.t, "web is ready", func() bool {
		if s.web.ended() {
			s.t.Fatalf("web ended: %v", s.web.err)
		}
		answer, err := http.Get(s.address + "/readyz")
		if err != nil {
			return false
		}
		_ = answer.Body.Close()
		return answer.StatusCode == http.StatusOK
	})
}

func (s *stack) environment(services string) []string {
	return append(programEnvironment(s.t, s.database, services),
		"ADDR=127.0.0.1:"+s.address[len("http://localhost:"):], "PUBLIC_URL="+s.address, "OIDC_ISSUER="+s.issuer, "REFRESH_ON_VIEW=1s",
		"REFRESH_FIRST=200ms,500ms,1s,2s,3s,4s,6s,8s,10s,12s,15s,20s,30s,1m,2m")
}

// programEnvironment is the environment of a program that delivers.
func programEnvironment(t testing.TB, database, services string) []string {
	t.Helper()
	configured, err := json.Marshal([]dispatch.Service{{
		Name: storetest.ServiceName, Kind: dispatch.IntegrationSMS, Environment: "test", BaseURL: services, TokenURL: services + "/token",
	}, {Name: shipmentService, Kind: dispatch.IntegrationShipmentV1, Environment: "test", BaseURL: services},
		{Name: shipmentServiceV2, Kind: dispatch.IntegrationShipmentV2, Environment: "test", BaseURL: services, TokenURL: services + "/token", Audience: services + "/"},
		{Name: shipmentServiceV3, Kind: dispatch.IntegrationShipmentV3, Environment: "test", BaseURL: services, TokenURL: services + "/token", Audience: services + "/"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return []string{ // few connections: each prepares all its statements anew, which costs more than what most tests ask
		"DATABASE_URL=" + database, "KEYSET_FILE=" + keyFile(t), "SERVICES=" + string(configured), "MUNICIPALITY=Fjordvik kommune",
		"OIDC_CLIENT_ID=" + storetest.ClientID, "OIDC_CLIENT_SECRET=" + storetest.ClientSecret, "DELIVERY_POLL=250ms", "DELIVERY_GRACE=5s", "DATABASE_CONNECTIONS=4",
	}
}

func keyFile(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "keys.json")
	if err := os.WriteFile(path, storetest.Keys(t), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

var ports sync.Map // ports already used

// freePort finds a port below the ephemeral range, so that no outgoing connection takes it before the program listens. The login
// provider must know the address.
func freePort(t testing.TB) int {
	t.Helper()
	for range 1000 {
		port := 20000 + rand.IntN(12000)
		if _, taken := ports.LoadOrStore(port, true); taken {
			continue
		}
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err == nil {
			_ = l.Close() // only opened to see that the port is free
			return port
		}
	}
	t.Fatal("no free port")
	return 0
}

// people are the users who can log in, with their groups.
var people = []devidp.Person{
	{Subject: "kari", Name: "Kari Nordmann", Role: "Saksbehandler, Oppvekst", Claims: groups("oppvekst-saksbehandler")},
	{Subject: "amir", Name: "Amir Hosseini", Role: "Saksbehandler, Oppvekst og Helse", Claims: groups("oppvekst-saksbehandler", "helse-saksbehandler")},
	{Subject: "liv", Name: "Liv Berg", Role: "Saksbehandler, Helse", Claims: groups("helse-saksbehandler")},
	{Subject: "ingrid", Name: "Ingrid Lunde", Role: "Teamleder, Oppvekst", Claims: groups("oppvekst-teamleder")},
	{Subject: "jonas", Name: "Jonas Vik", Role: "Kontoansvarlig, Oppvekst", Claims: groups("oppvekst-kontoansvarlig")},
	{Subject: "nora", Name: "Nora Dahl", Role: "Administrator", Claims: groups("administrator")},
	{Subject: "per", Name: "Per Strand", Role: "Revisor, begge kontoene", Claims: groups("oppvekst-revisor", "helse-revisor")},
	{Subject: "sara", Name: "Sara Lie", Role: "Saksbehandler, Kultur", Claims: groups("kultur-saksbehandler")},
	{Subject: "tor", Name: "Tor Haugen", Role: "Ingen rettigheter", Claims: groups()},
}

func groups(names ...string) map[string]any { return map[string]any{"groups": names} }

// sharedKey signs the logins of all tests: making one takes longer than starting the rest of a stack.
var sharedKey = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(cryptorand.Reader, 2048) })

// serveLogin starts the login provider, on another host name than the application, as in production.
func (s *stack) serveLogin() {
	s.t.Helper()
	server := httptest.NewUnstartedServer(nil)
	s.issuer = "http://" + server.Listener.Addr().String()
	key, err := sharedKey()
	if err != nil {
		s.t.Fatal(err)
	}
	s.idp, err = devidp.New(devidp.Options{
		Issuer: s.issuer, Key: key, Title: "Innlogging", People: people,
		Clients: []devidp.Client{{
			ID: storetest.ClientID, Secret: storetest.ClientSecret, RedirectURIs: []string{s.address + "/oidc/retur"},
			PostLogoutRedirectURIs: []string{s.address + "/logget-ut"}, FrontChannelLogoutURI: s.address + "/oidc/utlogging",
		}},
	})
	if err != nil {
		s.t.Fatal(err)
	}
	server.Config.Handler = s.idp
	server.Start()
	s.t.Cleanup(server.Close)
}

// seed creates accounts, integration and rights through the store, like an administrator.
func (s *stack) seed(undo time.Duration) {
	s.t.Helper()
	var err error
	s.integration, err = registry.In(s.store).Integrations.Save(s.t.Context(),
		dispatch.Integration{Name: "SMS-tjenesten", Kind: dispatch.IntegrationSMS, Service: storetest.ServiceName, Parallelism: 8, RatePerSec: 1000},
		dispatch.Credentials{ClientID: storetest.ClientID, ClientSecret: storetest.ClientSecret})
	if err == nil {
		err = s.store.MapRole(s.t.Context(), "administrator", "", dispatch.RoleSystemAdmin)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	s.oppvekst = s.account("oppvekst", "Oppvekst og utdanning", undo)
	s.helse = s.account("helse", "Helse og mestring", undo)
}

func (s *stack) account(slug, name string, undo time.Duration) dispatch.Account {
	s.t.Helper()
	a := dispatch.Account{Slug: slug, Name: name, SMSAccountID: uuid.NewString(), SMSIntegration: s.integration, SenderName: "Fjordvik", UndoWindow: undo}
	var err error
	if a.ID, err = registry.In(s.store).Accounts.Save(s.t.Context(), a); err != nil {
		s.t.Fatal(err)
	}
	for claim, role := range map[string]dispatch.Role{
		"saksbehandler": dispatch.RoleCaseworker, "teamleder": dispatch.RoleTeamLead, "kontoansvarlig": dispatch.RoleAccountAdmin, "revisor": dispatch.RoleAuditor,
	} {
		if err := s.store.MapRole(s.t.Context(), slug+"-"+claim, a.ID, role); err != nil {
			s.t.Fatal(err)
		}
	}
	return a
}
