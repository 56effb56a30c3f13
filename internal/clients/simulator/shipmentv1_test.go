package simulator_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"utsending/internal/clients/simulator"
	"utsending/internal/clients/simulator/shipmentv1"
	"utsending/internal/clients/simulator/whole"
)

func TestSendShipment(t *testing.T) {
	t.Parallel()
	eachWire(t, func(t *testing.T, wire string) {
		g := newRig(t, simulator.Options{Wire: wire})
		d := newDraft().set("eksternReferanse", "2026/17").add("vedlegg æøå.pdf", "application/pdf", "to")
		id := g.shipped(t, d)
		want := []simulator.Shipment{{
			ID: id, Generation: simulator.GenerationV1, Credential: simulator.Credential{User: sender, Password: "hemmelig"},
			User: sender, Title: "Vedtak", NationalID: person, SourceSystem: "Utsending",
			ExternalReference: "2026/17",
			Documents: []simulator.Document{
				{FileName: "vedtak.pdf", MimeType: "application/pdf", Size: 15, SHA256: "432ae46abf3ab0d0f4b488b34773905a3c589d52e1b2837a0181a99270334a98"},
				{FileName: "vedlegg æøå.pdf", MimeType: "application/pdf", Size: 2, SHA256: "663ea1bfffe5038f3f0cf667f14c4257eff52d77ce7f2a218f72e9286616ea39"},
			},
			Metadata: json.RawMessage(d.first.content), AcceptedAt: g.clock.Now(),
		}}
		if diff := cmp.Diff(want, g.sim.Shipments()); diff != "" {
			t.Errorf("want - got +\n%s", diff)
		}
		if uuid.Validate(id) != nil {
			t.Errorf("got id %q, want a uuid", id)
		}
		g.checkViolations(t)
		call := g.calls(shipmentv1.OpSendShipment)[0]
		if call.AccountID != sender || call.Recipient != "Vedtak" || call.Status != http.StatusOK {
			t.Errorf("got call %+v, want %s, Vedtak and 200", call, sender)
		}
	})
}

func TestSendShipmentWithEverything(t *testing.T) {
	t.Parallel()
	organization := func(wire string) any {
		if wire == simulator.WireDeployed {
			return employer
		}
		return map[string]any{"id": employer}
	}
	shared := map[string]any{
		simulator.WireSpec:     []any{person, employer},
		simulator.WireDeployed: []any{map[string]any{"fodselsNummer": person}, map[string]any{"organisasjonsNummer": employer}},
	}
	eachWire(t, func(t *testing.T, wire string) {
		g := newRig(t, simulator.Options{Wire: wire})
		d := newDraft().signed(g.clock.Now()).set("eksponertFor", shared[wire]).set("svarSendesTil", person1()).
			set("svarSendesTil.digitalAdresse", map[string]any{"organisasjonsNummer": organization(wire)})
		for field, value := range everything() {
			d.set(field, value)
		}
		g.shipped(t, d.sealed(t, g.sim.Certificate()))
		g.checkViolations(t)
		if got := g.sim.Shipments()[0]; !got.DigitalOnly || got.Rejected != "" {
			t.Errorf("got digital only %t, rejected %q, want true and nothing", got.DigitalOnly, got.Rejected)
		}
	})
}

// everything is a value for each remaining field of the specification.
func everything() map[string]any {
	extra := []any{map[string]any{"key": "a", "value": "b"}}
	return map[string]any{
		"konteringsKode": "12-34.ÆØå", "kunDigitalLevering": true, "kryptert": true, "krevNiva4Innlogging": true,
		"utskriftsKonfigurasjon": map[string]any{"utskriftMedFarger": true, "tosidig": true},
		"metadataFraAvleverendeSystem": map[string]any{
			"saksSekvensNummer": 1, "saksAar": 2026, "journalAar": 2026, "journalSekvensNummer": 2, "journalPostNummer": 3,
			"journalPostType": "U", "journalStatus": "E", "journalDato": 1767225600000, "dokumentetsDato": 1767225600000,
			"tittel": "Sak", "saksBehandler": "Ola", "ekstraMetadata": extra,
		},
		"metadataForImport": map[string]any{
			"saksSekvensNummer": 1, "saksAar": 2026, "journalPostType": "I", "journalStatus": "J",
			"dokumentetsDato": 1767225600000, "tittel": "Sak",
		},
		"svarPaForsendelse": map[string]any{"id": stranger}, "svarPaForsendelseLink": true, "taushetsbelagtPost": true,
		"lenker":           []any{map[string]any{"urlLenke": "https://example.no/x", "urlTekst": "Les", "ledeTekst": "Mer"}},
		"forsendelsesType": "Byggesøknad", "eksternReferanse": "x",
		"dokumenter.0.dokumentType": "B", "dokumenter.0.giroarkSider": []any{1, 3},
		"dokumenter.0.ekskluderesFraUtskrift": false, "dokumenter.0.ekstraMetadata": extra,
		"dokumenter.0.inneholderPersonsensitivInformasjon": true,
	}
}

func TestShapesOfTheOtherWire(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		field string
		value any
		text  string
	}{
		simulator.WireSpec: {
			"mottaker.digitalAdresse", map[string]any{"organisasjonsNummer": employer},
			"field mottaker.digitalAdresse.organisasjonsNummer has the wrong type",
		},
		simulator.WireDeployed: {
			"mottaker.digitalAdresse", map[string]any{"organisasjonsNummer": map[string]any{"id": employer}},
			"field mottaker.digitalAdresse.organisasjonsNummer has the wrong type",
		},
		simulator.WireSpec + " eksponertFor": {
			"eksponertFor", []any{map[string]any{"fodselsNummer": person}}, "field eksponertFor has the wrong type",
		},
		simulator.WireDeployed + " eksponertFor": {"eksponertFor", []any{person}, "field eksponertFor has the wrong type"},
	}
	for name, tt := range tests {
		t.Run("are refused by "+name, func(t *testing.T) {
			t.Parallel()
			wire, _, _ := strings.Cut(name, " ")
			g := newRig(t, simulator.Options{Wire: wire})
			checkError(t, g.ship(t, newDraft().set(tt.field, tt.value)), http.StatusBadRequest)
			g.checkViolations(t, "sendForsendelse: metadata: "+tt.text)
		})
	}
}

func TestUnknownWirePanics(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("got no panic, want one")
		}
	}()
	whole.New(simulator.Options{Wire: "Spec"})
}

func TestReservedID(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	reservedAt := g.clock.Now()
	id, unused := g.reserved(t), g.reserved(t)
	t.Run("shows MOTTATT and no documents", func(t *testing.T) {
		checkJSON(t, g.get(t, id+"/status"), `{"forsendelsesId":{"id":"`+id+`"},"sisteStatusEndring":1772442000000,"status":"MOTTATT"}`)
		checkJSON(t, g.get(t, id+"/dokumentMetadata"), `[]`)
		checkJSON(t, g.get(t, id+"/historikk"), `{"hendelsesLogger":[{"tidspunkt":"02.03.2026 10:00:00","hendelse":"Mottatt, og tildelt forsendelse-id"}]}`)
		checkJSON(t, g.get(t, id+"/signeringhistorikk"), `{"forsendelsesId":{"id":"`+id+`"},"logg":[]}`)
	})
	t.Run("cannot be read by anybody", func(t *testing.T) {
		body := `{"forsendelsesId":{"id":"` + id + `"},"lestAvFodselsNummer":"02013299997","navnPaEksterntSystem":"x","datoLest":1}`
		checkError(t, g.do(g.v1(t, http.MethodPost, id+"/settLest", body)), http.StatusNotFound)
	})
	g.clock.advance(time.Second)
	d := newDraft()
	d.path = strings.ToUpper(id) + "/sendForsendelse"
	t.Run("is the id of the shipment that is sent under it", func(t *testing.T) {
		if got := g.shipped(t, d); got != id {
			t.Errorf("got id %s, want %s", got, id)
		}
		if got := g.sim.Shipments(); len(got) != 1 || got[0].ID != id || !got[0].PreGenerated {
			t.Errorf("got %+v, want one pre-generated", got)
		}
		if got := g.sim.Reserved(); !slices.Equal(got, []string{id, unused}) {
			t.Errorf("got reserved %q, want both", got)
		}
		checkJSON(t, g.get(t, id+"/historikk"), `{"hendelsesLogger":[`+
			`{"tidspunkt":"`+reservedAt.Add(time.Hour).Format("02.01.2006 15:04:05")+`","hendelse":"Mottatt, og tildelt forsendelse-id"},`+
			`{"tidspunkt":"02.03.2026 10:00:01","hendelse":"Metadata er validert OK"},`+
			`{"tidspunkt":"02.03.2026 10:00:01","hendelse":"Orginaldokumenter er lagret (1 dokument)"}]}`)
	})
	g.checkViolations(t)
}

func TestReservedIDMayBeUnknownToReads(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{ReservedUnknown: true})
	id := g.reserved(t)
	for _, what := range []string{"status", "dokumentMetadata", "historikk", "signeringhistorikk"} {
		checkError(t, g.get(t, id+"/"+what), http.StatusNotFound)
	}
	d := newDraft()
	d.path = id + "/sendForsendelse"
	g.shipped(t, d)
	if got := g.shipmentStatus(t, id); got != "MOTTATT" {
		t.Errorf("got %s, want MOTTATT", got)
	}
	g.checkViolations(t)
}

func TestAnIDOfOnesOwn(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	t.Run("is accepted, but noted", func(t *testing.T) {
		d := newDraft()
		d.path = stranger + "/sendForsendelse"
		if got := g.shipped(t, d); got != stranger {
			t.Errorf("got id %s, want %s", got, stranger)
		}
		g.checkViolations(t, "sendForsendelse: the id was not reserved")
	})
	t.Run("is not found when somebody else has it", func(t *testing.T) {
		reserved := g.reserved(t)
		for _, id := range []string{reserved, stranger} {
			d := newDraft()
			d.path = id + "/sendForsendelse"
			r := d.request(t, g)
			r.SetBasicAuth("naboen", "hemmelig")
			checkError(t, g.do(r), http.StatusNotFound)
		}
	})
	t.Run("must be a uuid", func(t *testing.T) {
		d := newDraft()
		d.path = "17/sendForsendelse"
		checkError(t, g.ship(t, d), http.StatusBadRequest)
	})
}
