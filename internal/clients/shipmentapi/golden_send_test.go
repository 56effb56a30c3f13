package shipmentapi_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"utsending/internal/clients/shipmentapi"
	"utsending/internal/dispatch"
)

// fullLetter is a shipment with every field in use, and every field that says true or false true.
func fullLetter() dispatch.Shipment {
	address := func(name string) dispatch.PostalAddress {
		return dispatch.PostalAddress{
			Name: name, Line1: "Prøveveien 1", Line2: "c/o <Berg>", Line3: "Inngang B & C", PostalCode: "0123", City: "Oslo", Country: "Norge",
		}
	}
	signed := pdf("Vedtak æøå, 1.pdf", "%PDF en")
	signed.Sign, signed.Type, signed.GiroPages, signed.ExcludeFromPrint, signed.Sensitive = true, "VEDTAK", []int{1, 3}, true, true
	signed.Pages, signed.Extra = 3, []dispatch.Entry{{Key: "nøkkel", Value: "verdi"}, {Key: "tom", Value: ""}}
	return dispatch.Shipment{
		Recipient:    dispatch.Address{Postal: address("Kari Prøve"), Digital: dispatch.DigitalAddress{NationalID: "02813299900"}},
		SourceSystem: "Utsending", Title: `Vedtak «8» & "svar" <nå>`, BillingCode: "4711-Ø.ab",
		DigitalOnly: true, Encrypted: true, Print: dispatch.PrintOptions{Color: true, Duplex: true}, RequireLevel4: true,
		Case: &dispatch.CaseMetadata{
			CaseSequence: 17, CaseYear: 2026, JournalYear: 2025, JournalSequence: 18, JournalPost: 19,
			JournalPostType: "U", JournalStatus: "J",
			JournalDate: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), DocumentDate: time.Date(2026, 2, 28, 0, 0, 0, 0, time.UTC),
			Title: "Sakstittel", Caseworker: "Saks Behandler", Extra: []dispatch.Entry{{Key: "mappe", Value: "12"}},
		},
		Import: &dispatch.ImportMetadata{
			CaseSequence: 20, CaseYear: 2024, JournalPostType: "I", JournalStatus: "M",
			DocumentDate: time.Date(2026, 2, 27, 0, 0, 0, 0, time.UTC), Title: "Importtittel",
		},
		ReplyTo:   &dispatch.Address{Postal: address("Prøve kommune"), Digital: dispatch.DigitalAddress{OrganizationNumber: "987654329"}},
		InReplyTo: otherID,
		Documents: []dispatch.Document{signed, pdf("vedlegg.pdf", "%PDF to")},
		Links:     []dispatch.Link{{URL: "https://example.no/a?b=1&c=2", Text: "Mer", Lead: "Les mer:"}, {URL: "ftp://example.no/fil", Text: "Fil"}},
		Type:      "vedtak", ExternalReference: "sak 2026/17", ReplyLink: true,
		SignBy: time.Date(2026, 3, 10, 22, 59, 59, 0, time.UTC), SignatureType: dispatch.SignatureAdvanced,
		SharedWith:   []dispatch.DigitalAddress{{NationalID: "02813299901"}, {}, {OrganizationNumber: "987654328"}},
		Confidential: true,
	}
}

var fullContent = texts(map[string]string{"Vedtak æøå, 1.pdf": "%PDF en", "vedlegg.pdf": "%PDF to"})

func capturedLetter(t *testing.T, wire shipmentapi.Wire, id string, s dispatch.Shipment, content shipmentapi.Content) string {
	t.Helper()
	return captured(t, wire, accepted, func(c *shipmentapi.V1) error {
		got, err := c.Send(t.Context(), shipmentapi.Target{Reserved: id}, s, content, nil)
		if err == nil && got != shipmentID {
			t.Errorf("got id %s, want %s", got, shipmentID)
		}
		return err
	})
}

func TestSubmissionsOnTheWire(t *testing.T) {
	t.Parallel()
	plain, content := letter()
	organization := plain
	organization.Recipient.Digital = dispatch.DigitalAddress{OrganizationNumber: "987654329"}
	nobody := plain
	nobody.Recipient.Digital = dispatch.DigitalAddress{}
	for name, tt := range map[string]struct {
		id      string
		letter  dispatch.Shipment
		content shipmentapi.Content
	}{
		"send_full":         {shipmentID, fullLetter(), fullContent},
		"send_least":        {shipmentID, plain, content},
		"send_without_id":   {"", plain, content},
		"send_organization": {shipmentID, organization, content},
		"send_no_digital":   {shipmentID, nobody, content},
		"send_odd_names":    {shipmentID, oddlyNamed(), repeated},
	} {
		for _, wire := range []shipmentapi.Wire{shipmentapi.WireSpec, shipmentapi.WireDeployed} {
			t.Run(name+" as "+string(wire), func(t *testing.T) {
				t.Parallel()
				golden(t, name+"_"+string(wire), capturedLetter(t, wire, tt.id, tt.letter, tt.content))
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
			leaves(t, "", metadata(t, capturedLetter(t, wire, "", fullLetter(), fullContent)), got)
			want := slices.Sorted(slices.Values(append(differing, allFields...)))
			if diff := cmp.Diff(slices.Sorted(maps.Keys(got)), want); diff != "" {
				t.Errorf("got - want +:\n%s", diff)
			}
		})
	}
}

// metadata reads the first part of a captured submission.
func metadata(t *testing.T, request string) map[string]any {
	t.Helper()
	_, rest, _ := strings.Cut(request, "Content-Type: application/json\n\n")
	line, _, _ := strings.Cut(rest, "\n")
	var fields map[string]any
	if err := json.Unmarshal([]byte(line), &fields); err != nil {
		t.Fatal(err)
	}
	return fields
}

// leaves collects the names of all values that say something.
func leaves(t *testing.T, name string, value any, into map[string]bool) {
	switch v := value.(type) {
	case map[string]any:
		for field, inner := range v {
			leaves(t, strings.TrimPrefix(name+"."+field, "."), inner, into)
		}
	case []any:
		for _, inner := range v {
			leaves(t, name+"[]", inner, into)
		}
	case nil:
		t.Errorf("got %s null, want it left out", name)
	default:
		into[name] = into[name] || v != false && v != "" && v != float64(0)
	}
}
