package v2_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"utsending/internal/clients"
	"utsending/internal/clients/cms"
	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/shipmentapi/apitest"
	v2 "utsending/internal/clients/shipmentapi/v2"
	"utsending/internal/clients/simulator"
	"utsending/internal/clients/simulator/shipmentv2"
	"utsending/internal/clients/simulator/whole"
	"utsending/internal/dispatch"
)

// rig is a client of V2 that speaks to a simulator over HTTP, with tokens of the JWT grant, all by one clock.
type rig struct {
	sim    *simulator.Simulator
	url    string
	clock  *apitest.Clock
	key    simulator.Key
	login  dispatch.Credentials
	client *v2.Client
}

// ourKey is made once: making one takes longer than all else in a test.
var ourKey = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
})

func newRig(t *testing.T, o simulator.Options) *rig {
	t.Helper()
	key := ourKey()
	text := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
	g := &rig{clock: apitest.NewClock(), key: simulator.Key{ClientID: "klient-1", ID: "nøkkel-1", Public: &key.PublicKey}}
	g.login = dispatch.Credentials{
		Method: dispatch.AuthKey, ClientID: "klient-1", Scope: "ks:fiks", PrivateKey: dispatch.Secret(text), KeyID: "nøkkel-1",
	}
	o.Now, o.Pace, o.Keys, o.Accounts = g.clock.Now, apitest.Pace, []simulator.Key{g.key}, []string{accountID}
	o.Integrations = map[string]string{integrationID: "hunter2-hunter2"}
	g.sim = whole.New(o)
	server := httptest.NewServer(g.sim)
	t.Cleanup(server.Close)
	t.Cleanup(g.sim.Close) // before the server, which waits for slow answers
	g.url = server.URL
	g.client = g.newClient(t, g.login, g.clock.Now)
	return g
}

// newClient is another client, with credentials and a clock of its own.
func (g *rig) newClient(t *testing.T, c dispatch.Credentials, now func() time.Time) *v2.Client {
	t.Helper()
	o := options(t, g.url)
	o.Now, o.Encryption = g.clock.Now, apitest.EncryptionOf(t, g.sim, cms.OAEP)
	tokens, err := clients.JWTGrant(dispatch.Service{TokenURL: g.url + "/token", Audience: g.url + "/"}, c, now)
	if err != nil {
		t.Fatal(err)
	}
	o.Tokens = tokens
	return v2.New(o)
}

func (g *rig) send(t *testing.T, title string) (string, error) {
	t.Helper()
	s, content := apitest.Shipment()
	s.Title, s.ExternalReference = title, "sak 17"
	return g.client.Send(t.Context(), shipmentapi.Target{AccountID: accountID}, s, content, nil)
}

// sent hands over what must be accepted, and returns the id.
func (g *rig) sent(t *testing.T, title string) string {
	t.Helper()
	id, err := g.send(t, title)
	if err != nil {
		t.Fatalf("send: %v", err)
	}
	return id
}

// checkShipments demands a number of accepted shipments, and that no call broke the contract.
func (g *rig) checkShipments(t *testing.T, want int) {
	t.Helper()
	if got := len(g.sim.Shipments()); got != want {
		t.Errorf("got %d shipments accepted, want %d", got, want)
	}
	if got := g.sim.Violations(); got != nil {
		t.Errorf("got violations %q, want none", got)
	}
}

func TestTheSimulatorTakesEveryShipmentOfV2(t *testing.T) {
	t.Parallel()
	plain, content := apitest.Shipment()
	organization, nobody := plain, plain
	organization.Recipient.Digital = dispatch.DigitalAddress{OrganizationNumber: "987654329"}
	nobody.Recipient.Digital = dispatch.DigitalAddress{}
	for name, tt := range map[string]struct {
		shipment dispatch.Shipment
		content  shipmentapi.Content
	}{
		"with every field":        {fullShipment(), apitest.FullContent},
		"with the least":          {plain, content},
		"to an organisation":      {organization, content},
		"to somebody on paper":    {nobody, content},
		"with odd names of files": {apitest.OddlyNamed(), apitest.Repeated},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{})
			id, err := g.client.Send(t.Context(), shipmentapi.Target{AccountID: accountID}, tt.shipment, tt.content, nil)
			if err != nil {
				t.Fatalf("send: %v, violations %q", err, g.sim.Violations())
			}
			g.checkShipments(t, 1)
			got := g.sim.Shipments()[0]
			if got.ID != id || got.AccountID != accountID || got.Credential.KeyID != "nøkkel-1" || len(got.Documents) != len(tt.shipment.Documents) {
				t.Errorf("got %+v, want %s of the account", got, id)
			}
		})
	}
}

func TestStatusesOfV2FollowTheShipment(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		ahead    bool
		notified dispatch.Status
	}{"today": {false, dispatch.StatusNotified}, "of a version to come": {true, dispatch.StatusSentToAltinn}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{Ahead: tt.ahead})
			id, other := g.sent(t, "Vedtak [lesefrist]"), g.sent(t, "Brev")
			for n, want := range []dispatch.Status{dispatch.StatusReceived, dispatch.StatusAccepted, tt.notified, dispatch.StatusSentToPrint, dispatch.StatusPrinted} {
				got, err := g.client.Statuses(t.Context(), accountID, []string{strings.ToUpper(id), apitest.OtherID, other})
				if err != nil {
					t.Fatal(err)
				}
				report := got[strings.ToUpper(id)]
				if report.Status != want || !report.ChangedAt.Equal(apitest.Now.Add(time.Duration(n)*apitest.Pace)) || len(got) != 2 {
					t.Errorf("got %+v, want %s since step %d, and one more", got, want, n)
				}
				g.clock.Advance(apitest.Pace)
			}
			g.checkShipments(t, 2)
		})
	}
}

func TestReadsOfV2(t *testing.T) {
	t.Parallel()
	for name, ahead := range map[string]bool{"today": false, "of a version to come": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{Ahead: ahead})
			s, content := apitest.Shipment()
			s.Title, s.ExternalReference = "Avtale", "sak 2026/17;#ø?a=b+c%2F"
			apitest.SignBy(apitest.Now.Add(48 * time.Hour))(&s)
			id, err := g.client.Send(t.Context(), shipmentapi.Target{AccountID: accountID}, s, content, nil)
			if err != nil {
				t.Fatal(err)
			}
			matches, err := g.client.ByExternalReference(t.Context(), accountID, s.ExternalReference)
			if err != nil || len(matches) != 1 || matches[0].ID != id || matches[0].SourceSystem != "Utsending" || !matches[0].At.Equal(apitest.Now) {
				t.Errorf("got %+v, error %v, want %s", matches, err, id)
			}
			ids, err := g.client.IDsByExternalReference(t.Context(), accountID, s.ExternalReference)
			apitest.CheckAnswer(t, ids, err, []string{id})
			matches, err = g.client.ByExternalReference(t.Context(), accountID, "ukjent")
			apitest.CheckAnswer(t, matches, err, nil)
			documents, err := g.client.Documents(t.Context(), id)
			if err != nil || len(documents) != 1 || documents[0].SHA256 != g.sim.Shipments()[0].Documents[0].SHA256 ||
				documents[0].Size != s.Documents[0].Size || !documents[0].Signable || documents[0].SigningURL == "" || documents[0].DownloadURL == "" {
				t.Errorf("got %+v, error %v, want the document", documents, err)
			}
			g.clock.Advance(3 * apitest.Pace)
			events, err := g.client.History(t.Context(), id)
			if err != nil || len(events) == 0 || events[0].At.IsZero() || events[0].Text == "" {
				t.Errorf("got %+v, error %v, want events", events, err)
			}
			signing, err := g.client.SigningHistory(t.Context(), id)
			if err != nil || len(signing) == 0 || signing[0].Status != dispatch.SigningWaiting || signing[0].At.IsZero() {
				t.Errorf("got %+v, error %v, want signing events", signing, err)
			}
			g.checkShipments(t, 1)
		})
	}
}

func TestChangesOfV2(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	id := g.sent(t, "Vedtak")
	at := apitest.Now.Add(-time.Hour)
	for _, system := range []string{"", "Fagsystem"} {
		if err := g.client.MarkRead(t.Context(), id, shipmentapi.Reading{NationalID: "02813299900", System: system, At: at}); err != nil {
			t.Fatal(err)
		}
		if got := g.sim.Shipments()[0]; got.ReadBy != "02813299900" || got.ReadSystem != system || !got.ReadAt.Equal(at) {
			t.Errorf("got %+v, want it read in %q", got, system)
		}
	}
	words := map[dispatch.Deletion]string{dispatch.DeletedOriginals: "ORIGINALDOKUMENTER", dispatch.DeletedAll: "ALLE"}
	for _, how := range []dispatch.Deletion{dispatch.DeletedOriginals, dispatch.DeletedAll} {
		if err := g.client.DeleteDocuments(t.Context(), id, how); err != nil {
			t.Fatal(err)
		}
		if got := g.sim.Shipments()[0]; !got.FilesDeleted || got.DeletedHow != words[how] {
			t.Errorf("got %+v, want %s deleted", got, how)
		}
	}
	got, err := g.client.Documents(t.Context(), id)
	apitest.CheckAnswer(t, got, err, nil)
	g.checkShipments(t, 1)
}

func TestLookupsOfV2(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{Ahead: true})
	if types, err := g.client.Types(t.Context()); err != nil || len(types) == 0 {
		t.Errorf("got types %q, error %v", types, err)
	}
	all, err := g.client.Receivers(t.Context(), shipmentapi.ReceiverFilter{})
	if err != nil || len(all) < 2 || slices.ContainsFunc(all, func(r shipmentapi.Receiver) bool {
		return len(r.OrganizationNumber) != 9 || r.Type == "" || r.System == "" || r.SystemID == "" || r.Level < 3
	}) {
		t.Fatalf("got %+v, error %v, want receivers with all fields", all, err)
	}
	filter := shipmentapi.ReceiverFilter{OrganizationNumber: all[0].OrganizationNumber, Type: all[0].Type, Level: all[0].Level}
	filtered, err := g.client.Receivers(t.Context(), filter)
	apitest.CheckAnswer(t, filtered, err, all[:1])
	g.checkShipments(t, 0)
}

func TestUnknownShipmentsOfV2(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	for operation, read := range reads {
		if aboutOne[operation] {
			apitest.CheckResult(t, read(t, g.client), apitest.Want(dispatch.OutcomeRefused, dispatch.ScopeIntegration, "reason.not_known", 404))
		}
	}
	got, err := g.client.Statuses(t.Context(), accountID, []string{apitest.ShipmentID})
	apitest.CheckAnswer(t, got, err, map[string]shipmentapi.StatusReport{})
}

func TestEndingsOfAV2Submission(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		fault    simulator.Fault
		want     apitest.Result
		accepted int
	}{
		"an answer lost":             {simulator.LostAfter, apitest.Want(dispatch.OutcomeUncertain, "", "reason.no_answer", 0), 1},
		"an answer cut":              {simulator.HalfAnswer, apitest.Want(dispatch.OutcomeUncertain, "", "reason.not_understood", 200), 1},
		"accepted without an id":     {simulator.AcceptedNoID, apitest.Want(dispatch.OutcomeUncertain, "", "reason.not_understood", 200), 1},
		"accepted with HTML":         {simulator.AcceptedHTML, apitest.Want(dispatch.OutcomeUncertain, "", "reason.not_understood", 200), 1},
		"a 400 with HTML":            {simulator.HTMLError, apitest.Want(dispatch.OutcomeUncertain, "", "reason.not_its_own", 400), 0},
		"a 400 with an ErrorMessage": {simulator.ErrorObject, apitest.Want(dispatch.OutcomeRejected, "", "reason.rejected", 400), 0},
		"a 409 with an ErrorMessage": {simulator.Status(409), apitest.Want(dispatch.OutcomeRejected, "", "reason.rejected", 409), 0},
		"a repeated shipment":        {simulator.Repeated, apitest.Want(dispatch.OutcomeRejected, "", "reason.duplicate", 400), 0},
		"a 500":                      {simulator.Status(500), apitest.Want(dispatch.OutcomeUncertain, "", "reason.server_error", 500), 0},
		"a 503":                      {simulator.Status(503), apitest.Want(dispatch.OutcomeUnavailable, "", "reason.busy", 503), 0},
		"a redirect":                 {simulator.Redirect, apitest.Want(dispatch.OutcomeUncertain, dispatch.ScopeIntegration, "reason.redirect", 307), 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{})
			g.sim.SetChaos(func(operation, _ string) simulator.Fault {
				if operation == shipmentv2.OpSend {
					return tt.fault
				}
				return simulator.NoFault
			})
			_, err := g.send(t, "Vedtak")
			apitest.CheckResult(t, err, tt.want)
			g.checkShipments(t, tt.accepted)
		})
	}
	t.Run("what was accepted in silence is found by its reference", func(t *testing.T) {
		t.Parallel()
		g := newRig(t, simulator.Options{})
		g.sim.SetChaos(func(operation, _ string) simulator.Fault {
			if operation == shipmentv2.OpSend {
				return simulator.LostAfter
			}
			return simulator.NoFault
		})
		_, err := g.send(t, "Vedtak")
		apitest.CheckResult(t, err, apitest.Want(dispatch.OutcomeUncertain, "", "reason.no_answer", 0))
		got, err := g.client.ByExternalReference(t.Context(), accountID, "sak 17")
		apitest.CheckAnswer(t, got, err, []shipmentapi.Match{{ID: g.sim.Shipments()[0].ID, SourceSystem: "Utsending", At: apitest.Now}})
	})
}

func TestAccessToV2(t *testing.T) {
	t.Parallel()
	t.Run("needs the account", func(t *testing.T) {
		t.Parallel()
		g := newRig(t, simulator.Options{})
		s, content := apitest.Shipment()
		_, err := g.client.Send(t.Context(), shipmentapi.Target{AccountID: apitest.OtherID}, s, content, nil)
		apitest.CheckResult(t, err, apitest.Want(dispatch.OutcomeRefused, dispatch.ScopeAccount, "reason.forbidden", 403))
	})
	t.Run("needs the integration's password", func(t *testing.T) {
		t.Parallel()
		g := newRig(t, simulator.Options{})
		g.sim.RevokeIntegration(integrationID, "hunter2-hunter2")
		_, err := g.send(t, "Vedtak")
		apitest.CheckResult(t, err, apitest.Want(dispatch.OutcomeRefused, dispatch.ScopeIntegration, "reason.unauthorized", 401))
	})
	t.Run("is won back with a fresh token, without a second shipment", func(t *testing.T) {
		t.Parallel()
		g := newRig(t, simulator.Options{})
		g.sent(t, "Vedtak")
		g.sim.RevokeTokens()
		g.sent(t, "Brev")
		g.checkShipments(t, 2)
	})
	t.Run("needs a fresh token when the old one has ended", func(t *testing.T) {
		t.Parallel()
		g := newRig(t, simulator.Options{TokenLifetime: 10 * time.Second})
		for range 3 {
			g.sent(t, "Vedtak")
			g.clock.Advance(9 * time.Second)
		}
		g.checkShipments(t, 3)
		if got := slices.ContainsFunc(g.sim.Calls(), func(c simulator.Call) bool { return c.Status == 401 }); got {
			t.Error("got a 401, want each token renewed before it ends")
		}
	})
}

func TestRefusalsOfTheGrantAreTold(t *testing.T) {
	t.Parallel()
	other, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	otherKey := dispatch.Secret(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(other)}))
	for name, tt := range map[string]struct {
		change func(*dispatch.Credentials)
		off    time.Duration // our clock
		want   string
	}{
		"a clock ahead":      {func(*dispatch.Credentials) {}, 15 * time.Second, "reason.token_skew"},
		"a clock behind":     {func(*dispatch.Credentials) {}, -15 * time.Second, "reason.token_skew"},
		"a clock far behind": {func(*dispatch.Credentials) {}, -time.Hour, "reason.token_skew"},
		"another key":        {func(c *dispatch.Credentials) { c.PrivateKey = otherKey }, 0, "reason.token_key"},
		"another key id":     {func(c *dispatch.Credentials) { c.KeyID = "nøkkel-2" }, 0, "reason.token_key"},
		"another scope":      {func(c *dispatch.Credentials) { c.Scope = "ks:annet" }, 0, "reason.token_scope"},
		"another client":     {func(c *dispatch.Credentials) { c.ClientID = "klient-2" }, 0, "reason.token_refused"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{})
			c := g.login
			tt.change(&c)
			_, err := g.newClient(t, c, func() time.Time { return g.clock.Now().Add(tt.off) }).Types(t.Context())
			apitest.CheckResult(t, err, apitest.Want(dispatch.OutcomeRefused, dispatch.ScopeIntegration, tt.want, 400))
		})
	}
	t.Run("an address of another audience", func(t *testing.T) {
		t.Parallel()
		g := newRig(t, simulator.Options{Issuer: "https://maskinporten.example/"})
		_, err := g.client.Types(t.Context())
		apitest.CheckResult(t, err, apitest.Want(dispatch.OutcomeRefused, dispatch.ScopeIntegration, "reason.token_refused", 400))
	})
}
