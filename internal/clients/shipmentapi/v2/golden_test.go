package v2_test

import (
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/shipmentapi/apitest"
	v2 "utsending/internal/clients/shipmentapi/v2"
	"utsending/internal/dispatch"
)

// captured calls a client of a service that gives one answer, and returns the request.
func captured(t *testing.T, status int, answer string, call func(*v2.Client) error) string {
	t.Helper()
	got := make(chan string, 1)
	c := newClient(t, apitest.Handled(t, func(w http.ResponseWriter, r *http.Request) {
		got <- apitest.OnTheWire(r)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, answer)
	}))
	if err := call(c); err != nil {
		t.Fatalf("got error %v, want none", err)
	}
	return <-got
}

func TestV2OperationsOnTheWire(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		status int
		answer string
		call   func(*testing.T, *v2.Client) error
	}{
		"statuses": {200, `{"statuser":[]}`, func(t *testing.T, c *v2.Client) error {
			_, err := c.Statuses(t.Context(), accountID, []string{apitest.ShipmentID, apitest.OtherID})
			return err
		}},
		"documents": {200, `{"dokumenter":[]}`, func(t *testing.T, c *v2.Client) error {
			_, err := c.Documents(t.Context(), apitest.ShipmentID)
			return err
		}},
		"history": {200, `{"hendelser":[]}`, func(t *testing.T, c *v2.Client) error {
			_, err := c.History(t.Context(), apitest.ShipmentID)
			return err
		}},
		"signing_history": {200, `{"hendelser":[]}`, func(t *testing.T, c *v2.Client) error {
			_, err := c.SigningHistory(t.Context(), apitest.ShipmentID)
			return err
		}},
		"mark_read": {204, ``, func(t *testing.T, c *v2.Client) error {
			return c.MarkRead(t.Context(), apitest.ShipmentID, shipmentapi.Reading{NationalID: "02813299900", System: "Fagsystem", At: apitest.Now})
		}},
		"mark_read_nowhere": {204, ``, func(t *testing.T, c *v2.Client) error {
			return c.MarkRead(t.Context(), apitest.ShipmentID, shipmentapi.Reading{NationalID: "02813299900", At: apitest.Now.AddDate(0, 4, 0)})
		}},
		"delete_originals": {204, ``, func(t *testing.T, c *v2.Client) error {
			return c.DeleteDocuments(t.Context(), apitest.ShipmentID, dispatch.DeletedOriginals)
		}},
		"delete_all": {204, ``, func(t *testing.T, c *v2.Client) error {
			return c.DeleteDocuments(t.Context(), apitest.ShipmentID, dispatch.DeletedAll)
		}},
		"types": {200, `{"forsendelsestyper":[]}`, func(t *testing.T, c *v2.Client) error { _, err := c.Types(t.Context()); return err }},
		"receivers": {200, `{"mottakersystemer":[]}`, func(t *testing.T, c *v2.Client) error {
			_, err := c.Receivers(t.Context(), shipmentapi.ReceiverFilter{})
			return err
		}},
		"receivers_filtered": {200, `{"mottakersystemer":[]}`, func(t *testing.T, c *v2.Client) error {
			f := shipmentapi.ReceiverFilter{OrganizationNumber: "987654329", Type: "sak & svar/møte", Level: 4}
			_, err := c.Receivers(t.Context(), f)
			return err
		}},
		"by_reference": {200, `{"forsendelser":[]}`, func(t *testing.T, c *v2.Client) error {
			_, err := c.ByExternalReference(t.Context(), accountID, "sak 2026/17;#ø?a=b+c%2F")
			return err
		}},
		"ids_by_reference": {200, `{"forsendelseIds":[]}`, func(t *testing.T, c *v2.Client) error {
			_, err := c.IDsByExternalReference(t.Context(), accountID, "sak 2026/17;#ø?a=b+c%2F")
			return err
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			apitest.Golden(t, name, captured(t, tt.status, tt.answer, func(c *v2.Client) error { return tt.call(t, c) }))
		})
	}
}

// fullShipment is a shipment with every field of V2 in use.
func fullShipment() dispatch.Shipment {
	s := apitest.FullShipment()
	s.BillingCode, s.SourceActor, s.CorrelationID = "4711_Ø.ab", "Fagleder", "sak 17"
	s.Case.FolderID, s.Case.FolderSystemID, s.Case.SystemID, s.Case.RegistrationID = "m-1", "ms-1", "s-1", "r-1"
	s.Import.FolderID, s.Import.FolderSystemID, s.Import.SystemID, s.Import.RegistrationID = "m-2", "ms-2", "s-2", "r-2"
	s.Import.JournalYear, s.Import.JournalSequence, s.Import.JournalPost = 2023, 21, 22
	s.SharedWith = append(s.SharedWith, s.SharedWith...)
	return s
}

func capturedShipment(t *testing.T, s dispatch.Shipment, content shipmentapi.Content) string {
	t.Helper()
	return captured(t, http.StatusOK, apitest.Accepted, func(c *v2.Client) error {
		got, err := c.Send(t.Context(), shipmentapi.Target{AccountID: accountID, Reserved: apitest.OtherID}, s, content, nil)
		if err == nil && got != apitest.ShipmentID {
			t.Errorf("got id %s, want %s", got, apitest.ShipmentID)
		}
		return err
	})
}

func TestV2SubmissionsOnTheWire(t *testing.T) {
	t.Parallel()
	plain, content := apitest.Shipment()
	organization := plain
	organization.Recipient.Digital = dispatch.DigitalAddress{OrganizationNumber: "987654329"}
	nobody := plain
	nobody.Recipient.Digital = dispatch.DigitalAddress{}
	for name, tt := range map[string]struct {
		shipment dispatch.Shipment
		content  shipmentapi.Content
	}{
		"send_full":         {fullShipment(), apitest.FullContent},
		"send_least":        {plain, content},
		"send_organization": {organization, content},
		"send_no_digital":   {nobody, content},
		"send_odd_names":    {apitest.OddlyNamed(), apitest.Repeated},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			apitest.Golden(t, name, capturedShipment(t, tt.shipment, tt.content))
		})
	}
}

// The names are typed from upstream facts 1.3.
var allFields = []string{
	"avgivendeSystem", "avgivendeSystemAktor", "dokumenter[].dokumentType", "dokumenter[].ekstraMetadata[].key",
	"dokumenter[].ekstraMetadata[].value", "dokumenter[].filnavn", "dokumenter[].giroarkSider[]",
	"dokumenter[].inneholderPersonsensitivInformasjon", "dokumenter[].mimeType", "dokumenter[].skalEkskluderesFraUtskrift",
	"dokumenter[].skalSigneres", "eksponertFor[]", "eksternReferanse", "forsendelsestype", "konteringskode", "korrelasjonsid",
	"krevNiva4Innlogging", "kryptert", "kunDigitalLevering", "lenker[].ledetekst", "lenker[].tekst", "lenker[].url",
	"metadataForImport.dokumentetsDato", "metadataForImport.journalaar", "metadataForImport.journalpostnummer",
	"metadataForImport.journalposttype", "metadataForImport.journalsekvensnummer", "metadataForImport.journalstatus",
	"metadataForImport.mappeId", "metadataForImport.mappeSystemId", "metadataForImport.registreringsId",
	"metadataForImport.saksaar", "metadataForImport.sakssekvensnummer", "metadataForImport.systemId", "metadataForImport.tittel",
	"metadataFraAvleverendeSystem.dokumentetsDato", "metadataFraAvleverendeSystem.ekstraMetadata[].key",
	"metadataFraAvleverendeSystem.ekstraMetadata[].value", "metadataFraAvleverendeSystem.journalaar",
	"metadataFraAvleverendeSystem.journaldato", "metadataFraAvleverendeSystem.journalpostnummer",
	"metadataFraAvleverendeSystem.journalposttype", "metadataFraAvleverendeSystem.journalsekvensnummer",
	"metadataFraAvleverendeSystem.journalstatus", "metadataFraAvleverendeSystem.mappeId",
	"metadataFraAvleverendeSystem.mappeSystemId", "metadataFraAvleverendeSystem.registreringsId",
	"metadataFraAvleverendeSystem.saksaar", "metadataFraAvleverendeSystem.saksbehandler",
	"metadataFraAvleverendeSystem.sakssekvensnummer", "metadataFraAvleverendeSystem.systemId",
	"metadataFraAvleverendeSystem.tittel", "mottaker.adresselinje1", "mottaker.adresselinje2", "mottaker.adresselinje3",
	"mottaker.digitalId", "mottaker.land", "mottaker.navn", "mottaker.postnummer", "mottaker.poststed", "signaturType",
	"signeringUtloper", "svarPaForsendelse", "svarPaForsendelseLink", "svarSendesTil.adresselinje1",
	"svarSendesTil.adresselinje2", "svarSendesTil.adresselinje3", "svarSendesTil.digitalId", "svarSendesTil.land",
	"svarSendesTil.navn", "svarSendesTil.postnummer", "svarSendesTil.poststed", "taushetsbelagtPost", "tittel",
	"utskriftskonfigurasjon.tosidig", "utskriftskonfigurasjon.utskriftMedFarger",
}

func TestEveryFieldOfV2GoesOut(t *testing.T) {
	t.Parallel()
	got := map[string]bool{}
	fields := apitest.Metadata(t, capturedShipment(t, fullShipment(), apitest.FullContent))
	apitest.Leaves(t, "", fields, got)
	if diff := cmp.Diff(slices.Sorted(maps.Keys(got)), allFields); diff != "" {
		t.Errorf("got - want +:\n%s", diff)
	}
	for name, says := range got {
		if !says {
			t.Errorf("got %s without a value", name)
		}
	}
	if diff := cmp.Diff(fields["eksponertFor"], []any{"02813299901", "987654328"}); diff != "" {
		t.Errorf("eksponertFor is a set: got - want +:\n%s", diff)
	}
}

// What a field means must stand under its own name: no two values of the full shipment are alike.
func TestRenamedFieldsOfV2(t *testing.T) {
	t.Parallel()
	fields := apitest.Metadata(t, capturedShipment(t, fullShipment(), apitest.FullContent))
	at := func(path string) any {
		var value any = fields
		for name := range strings.SplitSeq(path, ".") {
			if list, ok := value.([]any); ok {
				value = list[0]
			}
			value = value.(map[string]any)[name]
		}
		return value
	}
	for path, want := range map[string]any{
		"konteringskode": "4711_Ø.ab", "forsendelsestype": "vedtak", "mottaker.digitalId": "02813299900",
		"svarSendesTil.digitalId": "987654329", "mottaker.adresselinje2": "c/o <Berg>", "svarPaForsendelse": apitest.OtherID,
		"dokumenter.skalEkskluderesFraUtskrift": true, "lenker.url": "https://example.no/a?b=1&c=2", "lenker.tekst": "Mer",
		"lenker.ledetekst": "Les mer:", "signeringUtloper": "2026-03-10T23:59:59+01:00",
		"metadataFraAvleverendeSystem.saksaar": 2026.0, "metadataFraAvleverendeSystem.sakssekvensnummer": 17.0,
		"metadataFraAvleverendeSystem.journalaar": 2025.0, "metadataFraAvleverendeSystem.journalsekvensnummer": 18.0,
		"metadataFraAvleverendeSystem.journalpostnummer": 19.0, "metadataFraAvleverendeSystem.journalposttype": "U",
		"metadataFraAvleverendeSystem.journalstatus": "J", "metadataFraAvleverendeSystem.journaldato": "2026-03-01T01:00:00+01:00",
		"metadataFraAvleverendeSystem.dokumentetsDato": "2026-02-28T01:00:00+01:00",
		"metadataFraAvleverendeSystem.saksbehandler":   "Saks Behandler", "metadataFraAvleverendeSystem.mappeId": "m-1",
		"metadataFraAvleverendeSystem.mappeSystemId": "ms-1", "metadataFraAvleverendeSystem.systemId": "s-1",
		"metadataFraAvleverendeSystem.registreringsId": "r-1",
		"metadataForImport.saksaar":                    2024.0, "metadataForImport.sakssekvensnummer": 20.0,
		"metadataForImport.journalaar": 2023.0, "metadataForImport.journalsekvensnummer": 21.0,
		"metadataForImport.journalpostnummer": 22.0, "metadataForImport.journalposttype": "I",
		"metadataForImport.journalstatus": "M", "metadataForImport.dokumentetsDato": "2026-02-27T01:00:00+01:00",
		"metadataForImport.mappeId": "m-2", "metadataForImport.registreringsId": "r-2",
	} {
		if got := at(path); got != want {
			t.Errorf("%s: got %v, want %v", path, got, want)
		}
	}
}

// What says true or false is said either way, kryptert above all.
func TestV2SaysFalseToo(t *testing.T) {
	t.Parallel()
	s, content := apitest.Shipment()
	fields := apitest.Metadata(t, capturedShipment(t, s, content))
	for _, name := range []string{"kryptert", "kunDigitalLevering", "krevNiva4Innlogging", "svarPaForsendelseLink", "taushetsbelagtPost"} {
		if got, ok := fields[name]; !ok || got != false {
			t.Errorf("got %s %v, want false", name, got)
		}
	}
}
