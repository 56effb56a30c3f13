package v1_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/shipmentapi/apitest"
	v1 "utsending/internal/clients/shipmentapi/v1"
	"utsending/internal/dispatch"
)

func capturedShipment(t *testing.T, wire shipmentapi.Wire, id string, s dispatch.Shipment, content shipmentapi.Content) string {
	t.Helper()
	return captured(t, wire, apitest.Accepted, func(c *v1.Client) error {
		got, err := c.Send(t.Context(), shipmentapi.Target{Reserved: id}, s, content, nil)
		if err == nil && got != apitest.ShipmentID {
			t.Errorf("got id %s, want %s", got, apitest.ShipmentID)
		}
		return err
	})
}

func TestSubmissionsOnTheWire(t *testing.T) {
	t.Parallel()
	plain, content := apitest.Shipment()
	organization := plain
	organization.Recipient.Digital = dispatch.DigitalAddress{OrganizationNumber: "987654329"}
	nobody := plain
	nobody.Recipient.Digital = dispatch.DigitalAddress{}
	for name, tt := range map[string]struct {
		id       string
		shipment dispatch.Shipment
		content  shipmentapi.Content
	}{
		"send_full":         {apitest.ShipmentID, apitest.FullShipment(), apitest.FullContent},
		"send_least":        {apitest.ShipmentID, plain, content},
		"send_without_id":   {"", plain, content},
		"send_organization": {apitest.ShipmentID, organization, content},
		"send_no_digital":   {apitest.ShipmentID, nobody, content},
		"send_odd_names":    {apitest.ShipmentID, apitest.OddlyNamed(), apitest.Repeated},
	} {
		for _, wire := range []shipmentapi.Wire{shipmentapi.WireSpec, shipmentapi.WireDeployed} {
			t.Run(name+" as "+string(wire), func(t *testing.T) {
				t.Parallel()
				apitest.Golden(t, name+"_"+string(wire), capturedShipment(t, wire, tt.id, tt.shipment, tt.content))
			})
		}
	}
}

// The names are typed from the specification (Shipment spec, Resources and their fields).
var allFields = []string{
	"avgivendeSystem", "dokumenter[].ekskluderesFraUtskrift", "dokumenter[].ekstraMetadata[].key",
	"dokumenter[].ekstraMetadata[].value", "dokumenter[].filnavn", "dokumenter[].giroarkSider[]",
	"dokumenter[].inneholderPersonsensitivInformasjon", "dokumenter[].mimeType", "dokumenter[].skalSigneres",
	"dokumenter[].dokumentType", "eksternReferanse", "forsendelsesType", "konteringsKode", "krevNiva4Innlogging", "kryptert",
	"kunDigitalLevering", "lenker[].ledeTekst", "lenker[].urlLenke", "lenker[].urlTekst",
	"metadataForImport.dokumentetsDato", "metadataForImport.journalPostType", "metadataForImport.journalStatus",
	"metadataForImport.saksAar", "metadataForImport.saksSekvensNummer", "metadataForImport.tittel",
	"metadataFraAvleverendeSystem.dokumentetsDato", "metadataFraAvleverendeSystem.ekstraMetadata[].key",
	"metadataFraAvleverendeSystem.ekstraMetadata[].value", "metadataFraAvleverendeSystem.journalAar",
	"metadataFraAvleverendeSystem.journalDato", "metadataFraAvleverendeSystem.journalPostNummer",
	"metadataFraAvleverendeSystem.journalPostType", "metadataFraAvleverendeSystem.journalSekvensNummer",
	"metadataFraAvleverendeSystem.journalStatus", "metadataFraAvleverendeSystem.saksAar",
	"metadataFraAvleverendeSystem.saksBehandler", "metadataFraAvleverendeSystem.saksSekvensNummer",
	"metadataFraAvleverendeSystem.tittel", "mottaker.digitalAdresse.fodselsNummer", "mottaker.postAdresse.adresse1",
	"mottaker.postAdresse.adresse2", "mottaker.postAdresse.adresse3", "mottaker.postAdresse.land", "mottaker.postAdresse.navn",
	"mottaker.postAdresse.postNummer", "mottaker.postAdresse.postSted", "signaturType", "signeringUtloper",
	"svarPaForsendelse.id", "svarPaForsendelseLink", "svarSendesTil.postAdresse.adresse1", "svarSendesTil.postAdresse.adresse2",
	"svarSendesTil.postAdresse.adresse3", "svarSendesTil.postAdresse.land", "svarSendesTil.postAdresse.navn",
	"svarSendesTil.postAdresse.postNummer", "svarSendesTil.postAdresse.postSted", "taushetsbelagtPost", "tittel",
	"utskriftsKonfigurasjon.tosidig", "utskriftsKonfigurasjon.utskriftMedFarger",
}

func TestEveryFieldGoesOut(t *testing.T) {
	t.Parallel()
	for wire, differing := range map[shipmentapi.Wire][]string{
		shipmentapi.WireSpec: {"svarSendesTil.digitalAdresse.organisasjonsNummer.id", "eksponertFor[]"},
		shipmentapi.WireDeployed: {
			"svarSendesTil.digitalAdresse.organisasjonsNummer", "eksponertFor[].fodselsNummer", "eksponertFor[].organisasjonsNummer",
		},
	} {
		t.Run("as "+string(wire), func(t *testing.T) {
			t.Parallel()
			got := map[string]bool{}
			apitest.Leaves(t, "", apitest.Metadata(t, capturedShipment(t, wire, "", apitest.FullShipment(), apitest.FullContent)), got)
			want := slices.Sorted(slices.Values(append(differing, allFields...)))
			if diff := cmp.Diff(slices.Sorted(maps.Keys(got)), want); diff != "" {
				t.Errorf("got - want +:\n%s", diff)
			}
		})
	}
}
