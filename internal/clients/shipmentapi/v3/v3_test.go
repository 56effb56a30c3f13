package v3_test

import (
	"context"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"utsending/internal/clients"
	"utsending/internal/clients/cms"
	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/shipmentapi/apitest"
	v3 "utsending/internal/clients/shipmentapi/v3"
	"utsending/internal/clients/simulator"
	"utsending/internal/clients/simulator/shipmentv3"
	"utsending/internal/clients/simulator/whole"
	"utsending/internal/dispatch"
)

const (
	accountID     = "5b1f6c0a-7a54-4f0b-9a51-2f1f6f0d7e11"
	integrationID = "c3d9d8d2-4a51-4a7e-9a29-5b6d0c0f8a77"
	organization  = "987654325"
	person        = "02813299952"
)

func options(t *testing.T, url string, tokens *clients.Tokens) shipmentapi.Options {
	t.Helper()
	client := clients.NewHTTPClient()
	t.Cleanup(client.CloseIdleConnections)
	return shipmentapi.Options{
		BaseURL: url, HTTP: client, Tokens: tokens, IntegrationID: integrationID, IntegrationPassword: "hunter2-hunter2",
		Now: func() time.Time { return apitest.Now }, Encryption: apitest.Encryption(),
	}
}

// captured calls a client of a service that gives one answer, and returns the request.
func captured(t *testing.T, status int, answer string, call func(*v3.Client) error) string {
	t.Helper()
	got := make(chan string, 1)
	tokens, err := clients.FixedToken("bearer-0")
	if err != nil {
		t.Fatal(err)
	}
	c := v3.New(options(t, apitest.Handled(t, func(w http.ResponseWriter, r *http.Request) {
		got <- apitest.OnTheWire(r)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, answer)
	}), tokens))
	if err := call(c); err != nil {
		t.Fatalf("got error %v, want none", err)
	}
	return <-got
}

// full is a shipment with every field that V3 has for a person; what it has for an organisation instead is in fullTo.
func full() dispatch.Shipment {
	s := apitest.FullShipment()
	s.Recipient.Digital.NationalID = person
	s.BillingCode, s.SourceActor, s.CorrelationID = "4711_Ø.ab", "Fagleder", "sak 17"
	s.Print.Color, s.Confidential, s.Case, s.Import, s.Type = false, false, nil, nil, ""
	s.ReplyTo.Digital.OrganizationNumber = organization
	s.SharedWith = []dispatch.DigitalAddress{{NationalID: person}, {}, {OrganizationNumber: organization}, {OrganizationNumber: organization}}
	d := &s.Documents[0]
	d.Type, d.Extra, d.Sensitive, d.GiroPages = "", nil, false, []int{3}
	return s
}

// fullOrganization is a shipment with every field that V3 has for an organisation.
func fullOrganization() dispatch.Shipment {
	s, all := full(), apitest.FullShipment()
	s.Recipient.Digital = dispatch.DigitalAddress{OrganizationNumber: organization}
	s.SignBy, s.SignatureType, s.Documents[0].Sign = time.Time{}, "", false
	s.Confidential, s.Type, s.Case, s.Import = true, "Byggesøknad", all.Case, all.Import
	s.Case.FolderID, s.Case.FolderSystemID, s.Case.SystemID, s.Case.RegistrationID = "m-1", "ms-1", "s-1", "r-1"
	s.Import.FolderID, s.Import.FolderSystemID, s.Import.SystemID, s.Import.RegistrationID = "m-2", "ms-2", "s-2", "r-2"
	s.Import.JournalYear, s.Import.JournalSequence, s.Import.JournalPost = 2023, 21, 22
	d := &s.Documents[0]
	d.Type, d.Sensitive, d.Extra = "VEDTAK", true, []dispatch.Entry{{Key: "nøkkel", Value: "verdi"}}
	return s
}

// fullPaper is a shipment with every field that V3 has for a recipient without a number.
func fullPaper() dispatch.Shipment {
	s := full()
	s.Recipient.Digital, s.DigitalOnly, s.RequireLevel4, s.ReplyLink = dispatch.DigitalAddress{}, false, false, false
	s.SignBy, s.SignatureType, s.Links, s.SharedWith = time.Time{}, "", nil, nil
	s.Documents[0].Sign, s.Documents[0].ExcludeFromPrint = false, false
	return s
}

// fullHealth is a shipment with every field for the health network.
func fullHealth() dispatch.Shipment {
	s, _ := apitest.Shipment()
	s.Recipient, s.SourceActor, s.BillingCode, s.CorrelationID = dispatch.Address{}, "Fagleder", "4711_Ø.ab", "sak 17"
	s.ExternalReference, s.InReplyTo, s.Encrypted = "sak 2026/17", apitest.OtherID, true
	s.Health = &dispatch.Health{
		HERID: "12345", About: "Epikrise", Phone: "99999999", PatientID: person,
		Contact: dispatch.PersonName{First: "Sak", Middle: "S.", Last: "Behandler"}, Patient: dispatch.PersonName{First: "Kari", Middle: "M.", Last: "Prøve"},
	}
	return s
}

func least(change func(*dispatch.Shipment)) dispatch.Shipment {
	s, _ := apitest.Shipment()
	s.ExternalReference, s.Recipient.Digital.NationalID = "sak 17", person
	change(&s)
	return s
}

// submissions are shipments of every kind, with their contents.
func submissions() map[string]struct {
	shipment dispatch.Shipment
	content  shipmentapi.Content
} {
	_, content := apitest.Shipment()
	doctor := fullHealth()
	doctor.Health.HERID, doctor.Health.About, doctor.Health.Contact.Middle, doctor.Health.Patient.Middle, doctor.Encrypted = "", "", "", "", false
	odd := apitest.OddlyNamed()
	odd.ExternalReference, odd.Recipient.Digital.NationalID = "sak 17", person
	type submission = struct {
		shipment dispatch.Shipment
		content  shipmentapi.Content
	}
	return map[string]submission{
		"person_full":       {full(), apitest.FullContent},
		"person_least":      {least(func(*dispatch.Shipment) {}), content},
		"organization_full": {fullOrganization(), apitest.FullContent},
		"organization_least": {least(func(s *dispatch.Shipment) {
			s.Recipient.Digital = dispatch.DigitalAddress{OrganizationNumber: organization}
		}), content},
		"print_full": {fullPaper(), apitest.FullContent},
		"print_abroad": {least(func(s *dispatch.Shipment) {
			s.Recipient.Digital, s.Recipient.Postal.Country = dispatch.DigitalAddress{}, "Østerrike"
		}), content},
		"gap_in_lines": {least(func(s *dispatch.Shipment) { s.Recipient.Postal.Line1, s.Recipient.Postal.Line3 = "", "Bak B" }), content},
		"no_place":     {least(func(s *dispatch.Shipment) { s.DigitalOnly, s.Recipient.Postal.City = true, "" }), content},
		"health_full":  {fullHealth(), content},
		"health_least": {doctor, content},
		"odd_names":    {odd, apitest.Repeated},
	}
}

func TestV3OnTheWire(t *testing.T) {
	t.Parallel()
	for name, s := range submissions() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			apitest.Golden(t, name, capturedShipment(t, s.shipment, s.content))
		})
	}
	t.Run("statuses", func(t *testing.T) {
		t.Parallel()
		apitest.Golden(t, "statuses", captured(t, 200, `{"statuser":[]}`, func(c *v3.Client) error {
			_, err := c.Statuses(t.Context(), accountID, []string{apitest.ShipmentID, apitest.OtherID})
			return err
		}))
	})
	t.Run("the rest is V2's", func(t *testing.T) {
		t.Parallel()
		request := captured(t, 200, `{"hendelser":[]}`, func(c *v3.Client) error {
			_, err := c.History(t.Context(), apitest.ShipmentID)
			return err
		})
		if want := "GET /api/v2/forsendelser/" + apitest.ShipmentID + "/hendelser "; !strings.HasPrefix(request, want) {
			t.Errorf("got %.100q, want %q", request, want)
		}
	})
}

func capturedShipment(t *testing.T, s dispatch.Shipment, content shipmentapi.Content) string {
	t.Helper()
	return captured(t, http.StatusOK, apitest.Accepted, func(c *v3.Client) error {
		got, err := c.Send(t.Context(), shipmentapi.Target{AccountID: accountID, Reserved: apitest.OtherID}, s, content, nil)
		if err == nil && got != apitest.ShipmentID {
			t.Errorf("got id %s, want %s", got, apitest.ShipmentID)
		}
		return err
	})
}

// The names are typed from the specification of V3, Fields per kind.
const (
	allHave = "tittel avgivendeSystem avgivendeSystemAktor konteringskode kryptert utskriftskonfigurasjon.tosidig svarPaForsendelseId eksternReferanse korrelasjonsid " +
		"dokumenter[].filnavn dokumenter[].mimeType dokumenter[].giroarkSide svarSendesTil.navn svarSendesTil.type svarSendesTil.digitalId " +
		"svarSendesTil.adresse.adresselinje1 svarSendesTil.adresse.adresselinje2 svarSendesTil.adresse.adresselinje3 svarSendesTil.adresse.poststed svarSendesTil.adresse.postnummer svarSendesTil.adresse.landkode " +
		"mottaker.navn mottaker.adresse.adresselinje1 mottaker.adresse.adresselinje2 mottaker.adresse.adresselinje3 mottaker.adresse.poststed mottaker.adresse.postnummer mottaker.adresse.landkode"
	numberedHave = " mottaker.digitalId eksponertFor[] kunDigitalLevering sikkerhetsniva kanSvareViaEdialog lenker[].url lenker[].tekst lenker[].ledetekst dokumenter[].skalEkskluderesFraUtskrift"
	personHas    = " dokumenter[].skalSigneres signering.signeringUtloper signering.signaturType"
	bothRecords  = " # .mappeId # .mappeSystemId # .systemId # .registreringsId # .saksaar # .journalaar # .sakssekvensnummer # .journalpostnummer # .journalsekvensnummer # .journalposttype # .journalstatus # .dokumentetsDato # .tittel"
	orgHas       = " forsendelsestype taushetsbelagtPost dokumenter[].dokumentType dokumenter[].ekstraMetadata[].key dokumenter[].ekstraMetadata[].value dokumenter[].inneholderPersonsensitivInformasjon " +
		"metadataFraAvleverendeSystem.journaldato metadataFraAvleverendeSystem.saksbehandler metadataFraAvleverendeSystem.ekstraMetadata[].key metadataFraAvleverendeSystem.ekstraMetadata[].value"
	healthHas = "tittel avgivendeSystem avgivendeSystemAktor konteringskode kryptert svarPaForsendelseId eksternReferanse korrelasjonsid beskrivelse mottakertype mottakerHerId " +
		"avsenderKontakt.fornavn avsenderKontakt.mellomnavn avsenderKontakt.etternavn avsenderKontakt.telefonnummer pasient.fodselsnummer pasient.fornavn pasient.mellomnavn pasient.etternavn"
)

func TestEveryFieldOfV3GoesOut(t *testing.T) {
	t.Parallel()
	records := strings.ReplaceAll(bothRecords, "# ", "metadataFraAvleverendeSystem") + strings.ReplaceAll(bothRecords, "# ", "metadataForImport")
	for name, want := range map[string]string{
		"person_full": allHave + numberedHave + personHas, "organization_full": allHave + numberedHave + orgHas + records,
		"print_full": allHave, "health_full": healthHas,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := submissions()[name]
			got := map[string]bool{}
			apitest.Leaves(t, "", apitest.Metadata(t, capturedShipment(t, s.shipment, s.content)), got)
			if diff := cmp.Diff(slices.Sorted(maps.Keys(got)), slices.Sorted(slices.Values(strings.Fields(want)))); diff != "" {
				t.Errorf("got - want +:\n%s", diff)
			}
			for field, says := range got {
				if !says {
					t.Errorf("got %s without a value", field)
				}
			}
		})
	}
}

// rig is a client of a simulator.
type rig struct {
	client *v3.Client
	sim    *simulator.Simulator
	clock  *apitest.Clock
}

func newRig(t *testing.T, o simulator.Options) *rig {
	t.Helper()
	g := &rig{clock: apitest.NewClock()}
	o.Now, o.Pace, o.Accounts = g.clock.Now, apitest.Pace, []string{accountID}
	o.Integrations = map[string]string{integrationID: "hunter2-hunter2"}
	g.sim = whole.New(o)
	server := httptest.NewServer(g.sim)
	t.Cleanup(server.Close)
	t.Cleanup(g.sim.Close) // before the server, which waits for slow answers
	tokens := clients.ClientCredentials(server.URL+"/token", dispatch.Credentials{ClientID: "app", ClientSecret: "hemmelig"})
	own := options(t, server.URL, tokens)
	own.Encryption = apitest.EncryptionOf(t, g.sim, cms.OAEP)
	g.client = v3.New(own)
	return g
}

func (g *rig) send(ctx context.Context, s dispatch.Shipment, content shipmentapi.Content) (string, error) {
	return g.client.Send(ctx, shipmentapi.Target{AccountID: accountID}, s, content, nil)
}

func (g *rig) check(t *testing.T, want int) {
	t.Helper()
	if got := len(g.sim.Shipments()); got != want {
		t.Errorf("got %d shipments accepted, want %d", got, want)
	}
	if got := g.sim.Violations(); got != nil {
		t.Errorf("got violations %q, want none", got)
	}
}

func TestTheSimulatorTakesEveryShipmentOfV3(t *testing.T) {
	t.Parallel()
	for name, s := range submissions() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{})
			id, err := g.send(t.Context(), s.shipment, s.content)
			if err != nil {
				t.Fatalf("send: %v, violations %q", err, g.sim.Violations())
			}
			g.check(t, 1)
			if got := g.sim.Shipments()[0]; got.ID != id || got.AccountID != accountID || len(got.Documents) != len(s.shipment.Documents) || got.Documents[0].FileName != s.shipment.Documents[0].FileName {
				t.Errorf("got %+v, want %s of the account", got, id)
			}
		})
	}
}

func TestStatusesOfV3FollowTheShipment(t *testing.T) {
	t.Parallel()
	begun := []dispatch.Status{dispatch.StatusReceived, dispatch.StatusAccepted}
	altinn := append(slices.Clone(begun), dispatch.StatusSentToAltinn, dispatch.StatusDeliveredToAltinn)
	for kind, tt := range map[string]struct {
		title string
		want  []dispatch.Status
	}{
		"person_least":       {"Vedtak [lesefrist]", append(altinn, dispatch.StatusSentToPrint, dispatch.StatusPrinted)},
		"organization_least": {"Vedtak", append(begun, dispatch.StatusReadyToFetch, dispatch.StatusRead)},
		"print_abroad":       {"Vedtak", append(begun, dispatch.StatusSentToPrint, dispatch.StatusPrinted)},
		"health_least":       {"Vedtak", append(begun, dispatch.StatusSentToHealth, dispatch.StatusDeliveredToHealth)},
		"gap_in_lines":       {"Vedtak [feilet]", []dispatch.Status{dispatch.StatusReceived, dispatch.StatusFailedOnReception}},
		"person_full":        {"Vedtak [slettet]", append(slices.Clone(altinn), dispatch.StatusRead, dispatch.StatusDeleted)},
	} {
		t.Run(kind+" "+tt.title, func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{Ahead: true})
			s := submissions()[kind]
			s.shipment.Title = tt.title
			id, err := g.send(t.Context(), s.shipment, s.content)
			if err != nil {
				t.Fatalf("send: %v, violations %q", err, g.sim.Violations())
			}
			for n, want := range tt.want {
				got, err := g.client.Statuses(t.Context(), accountID, []string{strings.ToUpper(id), apitest.OtherID})
				if err != nil {
					t.Fatal(err)
				}
				report := got[strings.ToUpper(id)]
				if report.Status != want || !report.ChangedAt.Equal(apitest.Now.Add(time.Duration(n)*apitest.Pace)) || len(got) != 1 {
					t.Errorf("got %+v, want %s since step %d", got, want, n)
				}
				g.clock.Advance(apitest.Pace)
			}
		})
	}
}

// A shipment of V3 is found and read by V2's operations: the reference is how a lost answer is looked up.
func TestWhatV3SentIsReadByV2(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	g.sim.SetChaos(func(operation, _ string) simulator.Fault {
		if slices.Contains(shipmentv3.Sends(), operation) {
			return simulator.LostAfter
		}
		return simulator.NoFault
	})
	s := submissions()["person_least"]
	_, err := g.send(t.Context(), s.shipment, s.content)
	apitest.CheckResult(t, err, apitest.Want(dispatch.OutcomeUncertain, "", "reason.no_answer", 0))
	id := g.sim.Shipments()[0].ID
	matches, err := g.client.ByExternalReference(t.Context(), accountID, "sak 17")
	apitest.CheckAnswer(t, matches, err, []shipmentapi.Match{{ID: id, SourceSystem: "Utsending", At: apitest.Now}})
	if events, err := g.client.History(t.Context(), id); err != nil || len(events) == 0 {
		t.Errorf("got %+v, error %v, want events", events, err)
	}
	if documents, err := g.client.Documents(t.Context(), id); err != nil || len(documents) != 1 {
		t.Errorf("got %+v, error %v, want the document", documents, err)
	}
	for _, err := range []error{
		g.client.MarkRead(t.Context(), id, shipmentapi.Reading{NationalID: person, At: apitest.Now}),
		g.client.DeleteDocuments(t.Context(), id, dispatch.DeletedAll),
	} {
		if err != nil {
			t.Error(err)
		}
	}
	g.check(t, 1)
}

func TestAnswersOfV3(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]apitest.Result{
		"[feil 401]":   apitest.Want(dispatch.OutcomeRefused, dispatch.ScopeIntegration, "reason.unauthorized", 401),
		"[feil 403]":   apitest.Want(dispatch.OutcomeRefused, dispatch.ScopeAccount, "reason.forbidden", 403),
		"[feil 400]":   apitest.Want(dispatch.OutcomeRejected, "", "reason.rejected", 400),
		"[feil 500]":   apitest.Want(dispatch.OutcomeUncertain, "", "reason.server_error", 500),
		"[feil 503]":   apitest.Want(dispatch.OutcomeUnavailable, "", "reason.busy", 503),
		"[halvt svar]": apitest.Want(dispatch.OutcomeUncertain, "", "reason.not_understood", 200),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{})
			s := submissions()["person_least"]
			s.shipment.Title = "Vedtak " + name
			_, err := g.send(t.Context(), s.shipment, s.content)
			apitest.CheckResult(t, err, want)
		})
	}
	t.Run("an account without a HER-id", func(t *testing.T) {
		t.Parallel()
		g := newRig(t, simulator.Options{Health: []string{apitest.OtherID}})
		s := submissions()["health_least"]
		_, err := g.send(t.Context(), s.shipment, s.content)
		apitest.CheckResult(t, err, apitest.Want(dispatch.OutcomeRejected, "", "reason.rejected", 400))
	})
	t.Run("what breaks a rule makes no call", func(t *testing.T) {
		t.Parallel()
		g := newRig(t, simulator.Options{})
		s := submissions()["person_least"]
		s.shipment.Print.Color = true
		_, err := g.send(t.Context(), s.shipment, s.content)
		apitest.CheckResult(t, err, apitest.Want(dispatch.OutcomeRejected, "", "reason.invalid", 0))
		if calls := g.sim.Calls(); len(calls) > 0 {
			t.Errorf("got %+v, want no call", calls)
		}
	})
}
