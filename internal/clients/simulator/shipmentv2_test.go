package simulator_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"utsending/internal/clients/simulator"
	"utsending/internal/clients/simulator/shipmentv2"
)

func TestSendShipmentV2(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	d := newDraftV2().set("avgivendeSystem", "Utsending").set("eksternReferanse", "2026/17").set("korrelasjonsid", "sak 17").
		addV2("vedlegg æøå.pdf", "application/pdf", "to")
	d.path += "/"
	id := g.shippedV2(t, d)
	want := []simulator.Shipment{{
		ID: id, Generation: simulator.GenerationV2, AccountID: account,
		Credential: simulator.Credential{
			ClientID: "app", ClientSecret: "hush", IntegrationID: integration, IntegrationPassword: "passord1",
		},
		Title: "Vedtak", NationalID: person, SourceSystem: "Utsending", ExternalReference: "2026/17", CorrelationID: "sak 17",
		Documents: []simulator.Document{
			{FileName: "vedtak.pdf", MimeType: "application/pdf", Size: 15, SHA256: "432ae46abf3ab0d0f4b488b34773905a3c589d52e1b2837a0181a99270334a98"},
			{FileName: "vedlegg æøå.pdf", MimeType: "application/pdf", Size: 2, SHA256: "663ea1bfffe5038f3f0cf667f14c4257eff52d77ce7f2a218f72e9286616ea39"},
		},
		Metadata: json.RawMessage(d.first.content), AcceptedAt: g.clock.Now(),
	}}
	if diff := cmp.Diff(want, g.sim.Shipments()); diff != "" {
		t.Errorf("want - got +\n%s", diff)
	}
	g.checkViolations(t)
	call := g.calls(shipmentv2.OpSend)[0]
	if call.AccountID != account || call.Recipient != "Vedtak" || call.Status != http.StatusOK || call.Credential != want[0].Credential {
		t.Errorf("got call %+v, want %s, Vedtak and 200", call, account)
	}
}

func TestSendShipmentV2WithEverything(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	d := newDraftV2().signedV2(g.clock.Now())
	for field, value := range everythingV2() {
		d.set(field, value)
	}
	g.shippedV2(t, d.sealed(t, g.sim.Certificate()))
	g.checkViolations(t)
	if got := g.sim.Shipments()[0]; !got.DigitalOnly || got.Rejected != "" {
		t.Errorf("got digital only %t, rejected %q, want true and nothing", got.DigitalOnly, got.Rejected)
	}
}

// everythingV2 is a value for each remaining field of the contract, as long as the contract lets it be.
func everythingV2() map[string]any {
	extra := []any{map[string]any{"key": "a", "value": "b"}}
	imported := map[string]any{
		"mappeId": "m", "mappeSystemId": "ms", "saksaar": 2026, "sakssekvensnummer": 1 << 40, "systemId": "s",
		"registreringsId": "r", "journalpostnummer": 3, "journalaar": 2026, "journalsekvensnummer": 4, "journalposttype": "U",
		"journalstatus": "J", "dokumentetsDato": "2026-01-01T00:00:00Z", "tittel": "Sak",
	}
	archived := map[string]any{
		"journaldato": "2026-01-01T00:00:00.123+01:00", "saksbehandler": "Ola", "ekstraMetadata": extra,
	}
	for name, value := range imported {
		archived[name] = value
	}
	link := map[string]any{"url": "https://example.no/x", "tekst": "Les", "ledetekst": "Mer"}
	return map[string]any{
		"tittel": strings.Repeat("ø", 1000), "mottaker.adresselinje2": "2", "mottaker.adresselinje3": "3", "mottaker.land": "Norge",
		"eksponertFor": []any{person, employer}, "avgivendeSystem": strings.Repeat("a", 100), "avgivendeSystemAktor": "Ola",
		"konteringskode": "12_34-.ÆØå", "kunDigitalLevering": true, "kryptert": true, "krevNiva4Innlogging": true,
		"utskriftskonfigurasjon":       map[string]any{"utskriftMedFarger": true, "tosidig": true},
		"metadataFraAvleverendeSystem": archived, "metadataForImport": imported,
		"svarSendesTil": map[string]any{
			"navn": "Kommunen", "digitalId": employer, "adresselinje1": "Torget 1", "postnummer": "0155", "poststed": "Oslo",
		},
		"svarPaForsendelse": stranger, "svarPaForsendelseLink": true, "taushetsbelagtPost": true,
		"lenker": []any{link, link, link, link, link}, "forsendelsestype": strings.Repeat("t", 100),
		"eksternReferanse": strings.Repeat("r", 100), "korrelasjonsid": strings.Repeat("k", 100),
		"dokumenter.0.dokumentType": "B", "dokumenter.0.giroarkSider": []any{1, 3},
		"dokumenter.0.skalEkskluderesFraUtskrift": false, "dokumenter.0.ekstraMetadata": extra,
		"dokumenter.0.inneholderPersonsensitivInformasjon": true,
	}
}

func TestMultipartOfV2(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		change func(*draft)
		line   string // of the refusal, or empty
	}{
		"takes metadata as JSON":                  {func(d *draft) { d.first.contentType = "application/json" }, ""},
		"takes metadata without a type":           {func(d *draft) { d.first.contentType = "" }, ""},
		"takes parts named filer":                 {func(d *draft) { d.files[0].name, d.files[1].name = "filer", "filer" }, ""},
		"takes parts of any type":                 {func(d *draft) { d.files[0].contentType = "application/pdf" }, ""},
		"takes null for an absent field":          {func(d *draft) { d.null("svarSendesTil") }, ""},
		"takes an empty list of links":            {func(d *draft) { d.set("lenker", []any{}) }, ""},
		"refuses another type of metadata":        {func(d *draft) { d.first.contentType = "application/xml" }, "the part forsendelse is not application/json"},
		"refuses another name of the first part":  {func(d *draft) { d.first.name = "metadata" }, "the first part is not named forsendelse"},
		"refuses a file name that is not filnavn": {func(d *draft) { d.files[0].fileName = "Vedtak.pdf" }, "the file name of a part is not the filnavn whose turn it is"},
		"refuses a part name in its place":        {func(d *draft) { d.files[0].name, d.files[0].fileName = "vedtak.pdf", "" }, "the file name of a part is not the filnavn whose turn it is"},
		"refuses another order":                   {func(d *draft) { d.files[0], d.files[1] = d.files[1], d.files[0] }, "the file name of a part is not the filnavn whose turn it is"},
		"refuses too few parts":                   {func(d *draft) { d.files = d.files[:1] }, "there are fewer parts than dokumenter"},
		"refuses too many parts":                  {func(d *draft) { d.files = append(d.files, d.files[0]) }, "there are more parts than dokumenter"},
		"refuses a field that V1 has":             {func(d *draft) { d.set("konteringsKode", "1") }, `metadata: unknown field "konteringsKode"`},
		"refuses a name in another letter case":   {func(d *draft) { d.set("mottaker.Poststed", "Oslo") }, `metadata: unknown field "mottaker.Poststed"`},
		"refuses Leveringsmetode":                 {func(d *draft) { d.set("leveringsmetode", "x") }, `metadata: unknown field "leveringsmetode"`},
		"refuses another type":                    {func(d *draft) { d.set("kryptert", "true") }, "metadata: field kryptert has the wrong type"},
		"refuses milliseconds":                    {func(d *draft) { d.set("signeringUtloper", 1) }, "metadata: field signeringUtloper has the wrong type"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{})
			d := newDraftV2().addV2("b.pdf", "application/pdf", "to")
			tt.change(d)
			if tt.line == "" {
				g.shippedV2(t, d)
				g.checkViolations(t)
				return
			}
			checkError(t, g.shipV2(t, d), http.StatusBadRequest)
			g.checkViolations(t, shipmentv2.OpSend+": "+tt.line)
			if n := len(g.sim.Shipments()); n != 0 {
				t.Errorf("got %d accepted, want 0", n)
			}
		})
	}
}

func TestSubmissionWithoutLengthOnV2(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	r := newDraftV2().requestV2(t, g)
	r.ContentLength = -1
	r.Header.Set("Idempotency-Key", "1")
	if got := g.do(r); got.status != http.StatusOK {
		t.Errorf("got status %d, want 200", got.status)
	}
	g.checkViolations(t, shipmentv2.OpSend+": header Idempotency-Key", shipmentv2.OpSend+": no Content-Length")
}

func TestAlikeShipmentsOnV2(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{RepeatLimit: 2})
	d := newDraftV2().set("eksternReferanse", "a")
	if first, second := g.shippedV2(t, d), g.shippedV2(t, d); first == second {
		t.Error("got one id twice, want two shipments: nothing tells that the second is the first again")
	}
	got := g.shipV2(t, d)
	checkError(t, got, http.StatusBadRequest)
	if !strings.Contains(got.body, "GJENTAGENDE_FORSENDELSE") {
		t.Errorf("got %s, want GJENTAGENDE_FORSENDELSE", got.body)
	}
}

func TestWordsOnV2(t *testing.T) {
	t.Parallel()
	outcomes := submissionOutcomes()
	for _, w := range simulator.Words() {
		want, ok := outcomes[w.Digits]
		if !ok {
			want = outcome{status: 200, contains: `{"id":"`, accepted: 1}
		}
		t.Run(w.Digits+" "+w.Meaning, func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{SlowFor: time.Nanosecond})
			got := g.shipV2(t, newDraftV2().titled("Vedtak "+strings.ToUpper(w.Digits)))
			checkShipped(t, g, shipmentv2.OpSend, got, want)
		})
	}
}

func TestFaultsOfV2(t *testing.T) {
	t.Parallel()
	faults := map[simulator.Fault]outcome{
		simulator.HTMLAnswer:                            {status: 200, contains: "<!doctype html>"},
		simulator.AcceptedHTML:                          {status: 200, contains: "<!doctype html>", accepted: 1, lost: true},
		simulator.NoID:                                  {status: 200, contains: "{}"},
		simulator.AcceptedNoID:                          {contains: "{}", accepted: 1, lost: true},
		simulator.HTMLError:                             {status: 400, contains: "<!doctype html>"},
		simulator.ErrorObject:                           {status: 400, contains: `"errorJson":{`},
		simulator.LostBefore:                            {broken: true},
		simulator.LostAfter:                             {broken: true, accepted: 1, lost: true},
		simulator.Status(http.StatusServiceUnavailable): {status: 503, contains: `"errorId":"`},
		simulator.Status(http.StatusForbidden):          {status: 403, contains: `"Mangler tilgang"`},
		simulator.Redirect:                              {status: 307},
		simulator.EmptyAnswer:                           {status: 500},
	}
	for fault, want := range faults {
		for operation := range operationsV2(t, newRig(t, simulator.Options{}), stranger) {
			t.Run(fault.String()+" of "+operation, func(t *testing.T) {
				t.Parallel()
				g := newRig(t, simulator.Options{})
				id := g.shippedV2(t, newDraftV2())
				g.sim.SetChaos(func(op, _ string) simulator.Fault {
					if op == operation {
						return fault
					}
					return simulator.NoFault
				})
				checkFaultV2(t, g, operation, g.do(operationsV2(t, g, id)[operation]), want)
			})
		}
	}
}

func checkFaultV2(t *testing.T, g *rig, operation string, got reply, want outcome) {
	t.Helper()
	status := want.status
	if status == 0 && !want.broken { // as a good answer has it
		status = http.StatusOK
		if operation == shipmentv2.OpMarkRead || operation == shipmentv2.OpDeleteDocuments {
			status, want.contains = http.StatusNoContent, ""
		}
	}
	if got.status != status || (got.err != nil) != want.broken || !strings.Contains(got.body, want.contains) {
		t.Errorf("got %d %q, error %v, want %d with %q", got.status, got.body, got.err, status, want.contains)
	}
	if calls := g.calls(operation); calls[len(calls)-1].Fault == "" {
		t.Errorf("got call %+v, want the name of its fault", calls[len(calls)-1])
	}
	accepted, books := 1, g.sim.Shipments()
	if operation == shipmentv2.OpSend {
		accepted += want.accepted
	}
	if len(books) != accepted || books[len(books)-1].AnswerLost != (accepted == 2) {
		t.Errorf("got %d accepted, lost %t, want %d", len(books), books[len(books)-1].AnswerLost, accepted)
	}
}
