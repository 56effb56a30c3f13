package handlers_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers"
	"utsending/internal/i18n/i18ntest"
	"utsending/internal/notify"
	"utsending/internal/session"
	"utsending/internal/session/devidp"
	"utsending/internal/store"
	"utsending/internal/store/queue"
	"utsending/internal/store/registry"
	"utsending/internal/store/storetest"
	"utsending/internal/upstream"
	"utsending/static"
)

// The test users, one for each role.
const (
	nobody       = ""       // not logged in
	noRights     = "tor"    // logged in, without rights
	caseworker   = "kari"   // of the account oppvekst
	teamLead     = "ingrid" // of oppvekst
	accountAdmin = "jonas"  // of oppvekst
	systemAdmin  = "nora"
	auditor      = "per"   // of oppvekst
	outsider     = "hilde" // caseworker of the account helse
)

// everybody is in the column order of the table of routes.
var everybody = []string{nobody, noRights, caseworker, teamLead, accountAdmin, systemAdmin, auditor, outsider}

var names = map[string]string{
	noRights: "Tor Haugen", caseworker: "Kari Nordmann", teamLead: "Ingrid Lunde", accountAdmin: "Jonas Vik", systemAdmin: "Nora Dahl",
	auditor: "Per Strand", outsider: "Hilde Moe",
}

var sharedKey = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

// site is the whole application on a real port, with a login provider beside it and two accounts in its database.
type site struct {
	store           *store.Store
	database        string
	issuer          string
	idp             *devidp.Provider
	server          *httptest.Server
	echo            *echo.Echo
	assets          *static.Assets
	log             *journal
	woken           atomic.Int64
	services        *services
	oppvekst, helse storetest.Sample
	ahead           atomic.Int64 // how far the application's clock is ahead
}

// siteOptions are a test's options.
type siteOptions struct {
	database string                              // an address of the site's own database; empty: a new one
	app      func(handlers.Options) http.Handler // nil: handlers.New
	session  func(*session.Options)              // nil: as they are
	register *register                           // the contact register; nil: one that knows nobody
	claims   map[string]map[string]any           // of people, in place of their group
}

func newSite(t *testing.T) *site {
	t.Helper()
	return newSiteWith(t, siteOptions{})
}

func newSiteWith(t *testing.T, o siteOptions) *site {
	t.Helper()
	s := &site{database: o.database, log: &journal{}}
	if s.database == "" {
		s.database = storetest.Database(t)
	}
	s.store = storetest.Narrow(t, s.database)
	s.server = httptest.NewUnstartedServer(nil)
	address := "https://" + s.server.Listener.Addr().String()
	if o.app == nil {
		o.app = handlers.New
	}
	s.startProvider(t, address, o.claims)
	s.seed(t)

	var err error
	if s.assets, err = static.Load(); err != nil {
		t.Fatal(err)
	}
	if o.register == nil {
		o.register = &register{}
	}
	s.services = newServices(t, o.register)
	log := slog.New(slog.NewJSONHandler(s.log, nil))
	t.Cleanup(func() {
		if t.Failed() {
			s.log.show(t)
		}
	})
	login := session.Options{
		Store: s.store, Log: log, PublicURL: address, Issuer: s.issuer, ClientID: "app", ClientSecret: "s3cret", RightsClaim: "groups",
		Idle: 30 * time.Minute, Lifetime: 10 * time.Hour,
	}
	if o.session != nil {
		o.session(&login)
	}
	told := notify.New(notify.Options{Store: s.store, Languages: i18ntest.Languages(t), Log: log, PublicURL: address, Private: true})
	s.echo = o.app(handlers.Options{
		Store: s.store, Languages: i18ntest.Languages(t), Assets: s.assets, Log: log, PublicURL: address, Municipality: "Fjordvik kommune", Version: "0.1",
		Delivers: true, Upstream: upstream.New(s.store, s.services.configured()), Plan: dispatch.DefaultRefreshPlan(), Wake: func() { s.woken.Add(1) },
		RightsClaim: "groups", Now: s.now, Session: session.New(login),
		Notices: registry.Channels{Mail: true, Operators: true, Webhook: true}, MailDomains: dispatch.MailDomains{"fjordvik.example"},
		PrivateChats: true, AskChat: told.TryChat,
	}).(*echo.Echo)
	s.server.Config.Handler = s.echo
	s.server.StartTLS()
	s.server.Client().Transport.(*http.Transport).DisableCompression = true // compressing takes longer than rendering; tests of it send the header
	t.Cleanup(s.server.Close)
	return s
}

// now is the application's time, in Oslo: days that are counted back from it are days there, also when summer time ends in between.
func (s *site) now() time.Time {
	return time.Now().In(dispatch.Oslo).Add(time.Duration(s.ahead.Load()))
}

// startProvider starts the login provider, where everybody has a group of their own.
func (s *site) startProvider(t *testing.T, address string, claims map[string]map[string]any) {
	t.Helper()
	front := httptest.NewUnstartedServer(nil)
	s.issuer = "http://" + front.Listener.Addr().String()
	key, err := sharedKey()
	if err != nil {
		t.Fatal(err)
	}
	var people []devidp.Person
	for subject, name := range names {
		p := devidp.Person{Subject: subject, Name: name, Claims: map[string]any{"groups": []string{subject}}}
		if c, ok := claims[subject]; ok {
			p.Claims = c
		}
		people = append(people, p)
	}
	s.idp, err = devidp.New(devidp.Options{
		Issuer: s.issuer, Key: key, People: people,
		Clients: []devidp.Client{{ID: "app", Secret: "s3cret", RedirectURIs: []string{address + "/oidc/retur"}, PostLogoutRedirectURIs: []string{address + "/logget-ut"},
			FrontChannelLogoutURI: address + "/oidc/utlogging"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	front.Config.Handler = s.idp
	front.Start()
	t.Cleanup(front.Close)
}

// seed makes two accounts and gives everybody their role.
func (s *site) seed(t *testing.T) {
	t.Helper()
	s.oppvekst, s.helse = storetest.NewSample(t, s.store, "oppvekst"), storetest.NewSample(t, s.store, "helse")
	for _, m := range []struct {
		who     string
		account dispatch.AccountID
		role    dispatch.Role
	}{
		{caseworker, s.oppvekst.Account.ID, dispatch.RoleCaseworker}, {teamLead, s.oppvekst.Account.ID, dispatch.RoleTeamLead},
		{accountAdmin, s.oppvekst.Account.ID, dispatch.RoleAccountAdmin}, {auditor, s.oppvekst.Account.ID, dispatch.RoleAuditor},
		{systemAdmin, "", dispatch.RoleSystemAdmin}, {outsider, s.helse.Account.ID, dispatch.RoleCaseworker},
	} {
		if err := s.store.MapRole(t.Context(), m.who, m.account, m.role); err != nil {
			t.Fatal(err)
		}
	}
}

// as is an account's sample with a person as its actor.
func (s *site) as(t *testing.T, who string) storetest.Sample {
	t.Helper()
	sample := s.oppvekst
	if who == outsider {
		sample = s.helse
	}
	user, err := s.store.SaveLogin(t.Context(), store.Login{Issuer: s.issuer, Subject: who, Name: names[who]})
	if err != nil {
		t.Fatal(err)
	}
	sample.User, sample.Actor = user, store.Actor{User: user, Origin: "127.0.0.1"}
	return sample
}

// message is an SMS to a phone number.
func message(text string) dispatch.SMS { return storetest.ToPhone("90000123", text) }

// draft stores a draft of a person's.
func (s *site) draft(t *testing.T, who string, m dispatch.SMS) dispatch.ItemID {
	t.Helper()
	return s.as(t, who).Draft(t, s.store, m)
}

// queued stores an SMS that a person has sent.
func (s *site) queued(t *testing.T, who string, m dispatch.SMS) dispatch.ItemID {
	t.Helper()
	return s.as(t, who).Queue(t, s.store, m)
}

// delivered stores an SMS that a person has sent and one attempt at it. Nothing else may be due on the account.
func (s *site) delivered(t *testing.T, who string, m dispatch.SMS, r dispatch.Result) dispatch.ItemID {
	t.Helper()
	id := s.queued(t, who, m)
	if _, err := queue.In(s.store).Guards.Check(t.Context(), queue.Witness{}); err != nil {
		t.Fatal(err)
	}
	lanes, err := queue.In(s.store).Claims.Lanes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, lane := range lanes {
		if lane.Account != s.as(t, who).Account.ID {
			continue
		}
		claim, err := queue.In(s.store).Claims.Claim(t.Context(), lane, time.Minute)
		if err != nil || claim == nil || claim.Item != id {
			t.Fatalf("claimed %v, %v; want %s", claim, err, id)
		}
		if err := queue.In(s.store).Outcomes.Finish(t.Context(), queue.Ended{Claim: claim, Result: r}); err != nil {
			t.Fatal(err)
		}
		return id
	}
	t.Fatal("nothing is due")
	return ""
}

func (s *site) uncertain(t *testing.T, who string, m dispatch.SMS) dispatch.ItemID {
	t.Helper()
	return s.delivered(t, who, m, dispatch.Result{Outcome: dispatch.OutcomeUncertain, Reason: dispatch.Reason{Key: "reason.timeout"}, Died: true})
}

func (s *site) accepted(t *testing.T, who string, m dispatch.SMS) dispatch.ItemID {
	t.Helper()
	return s.delivered(t, who, m, dispatch.Result{Outcome: dispatch.OutcomeAccepted, UpstreamID: uuid.NewString(), NextCheck: time.Now().Add(time.Minute)})
}

// state is an SMS's state now.
func (s *site) state(t *testing.T, id dispatch.ItemID) dispatch.State {
	t.Helper()
	return s.oppvekst.Item(t, s.store, id).State
}

// run executes a statement that the store has no method for.
func (s *site) run(t *testing.T, statement string, args ...any) {
	t.Helper()
	if _, err := storetest.DB(t, s.database).ExecContext(context.WithoutCancel(t.Context()), statement, args...); err != nil {
		t.Fatal(err)
	}
}

// journal is a site's log.
type journal struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (j *journal) Write(line []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.b.Write(line)
}

// show logs the errors, for a test that has failed.
func (j *journal) show(t *testing.T) {
	t.Helper()
	for line := range strings.Lines(j.String()) {
		if strings.Contains(line, `"level":"ERROR"`) {
			t.Log(line)
		}
	}
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.b.String()
}
