package simulator_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"utsending/internal/clients/simulator/shipmentv2"
)

const (
	v2          = "/api/v2/"
	integration = "5a1c0000-0000-4000-8000-000000000001"
	sendV2      = "kontoer/" + account + "/forsendelser"
)

// newDraftV2 is a shipment to a person with one document, in the multipart of the Kotlin client: metadata as text/plain,
// documents in parts named filer_N.
func newDraftV2() *draft {
	d := &draft{
		path: sendV2,
		metadata: map[string]any{
			"tittel": "Vedtak", "mottaker": personV2(),
			"dokumenter": []any{map[string]any{"filnavn": "vedtak.pdf", "mimeType": "application/pdf"}},
		},
		first: part{name: "forsendelse", contentType: "text/plain; charset=UTF-8"},
	}
	d.files = []part{{name: "filer_0", fileName: "vedtak.pdf", contentType: "application/octet-stream", content: "%PDF-1.7 vedtak"}}
	return d
}

func personV2() map[string]any {
	return map[string]any{
		"navn": "Kari Testesen", "digitalId": person, "adresselinje1": "Storgata 1", "postnummer": "0155", "poststed": "Oslo",
	}
}

// addV2 appends a document, and its part.
func (d *draft) addV2(name, mimeType, content string, more ...any) *draft {
	d.add(name, mimeType, content, more...)
	d.files[len(d.files)-1].name = fmt.Sprintf("filer_%d", len(d.files)-1)
	return d
}

// signedV2 makes the first document one to sign, until the end of the day after tomorrow.
func (d *draft) signedV2(now time.Time) *draft {
	return d.set("dokumenter.0.skalSigneres", true).set("signaturType", "AVANSERT_SIGNATUR").
		set("signeringUtloper", now.Add(48*time.Hour).Format(time.RFC3339))
}

func (d *draft) requestV2(t *testing.T, g *rig) *http.Request {
	t.Helper()
	r := g.v2(t, http.MethodPost, d.path, d.body(t))
	r.Header.Set("Content-Type", "multipart/form-data; boundary="+boundary)
	return r
}

// v2 is a request to V2 with a token and the headers of an integration.
func (g *rig) v2(t *testing.T, method, path, body string) *http.Request {
	t.Helper()
	r := g.request(t, method, v2+path, body)
	r.Header.Set("IntegrasjonId", integration)
	r.Header.Set("IntegrasjonPassord", "passord1")
	return r
}

func (g *rig) getV2(t *testing.T, path string) reply {
	t.Helper()
	return g.do(g.v2(t, http.MethodGet, path, ""))
}

func (g *rig) shipV2(t *testing.T, d *draft) reply {
	t.Helper()
	return g.do(d.requestV2(t, g))
}

// shippedV2 sends a submission that must be accepted, and returns its id.
func (g *rig) shippedV2(t *testing.T, d *draft) string {
	t.Helper()
	var got struct {
		ID string `json:"id"`
	}
	g.shipV2(t, d).read(t, &got)
	return got.ID
}

func (g *rig) search(t *testing.T, body string) reply {
	t.Helper()
	return g.do(g.v2(t, http.MethodPost, sendV2+"/status-sok", body))
}

func (g *rig) statusV2(t *testing.T, id string) string {
	t.Helper()
	var got struct {
		Statuses []struct{ ID, Status string } `json:"statuser"`
	}
	g.search(t, `{"forsendelseIds":["`+id+`"]}`).read(t, &got)
	if len(got.Statuses) != 1 || got.Statuses[0].ID != id {
		t.Fatalf("got %+v, want one status of %s", got, id)
	}
	return got.Statuses[0].Status
}

// operationsV2 makes a good request for each operation on a shipment that is there.
func operationsV2(t *testing.T, g *rig, id string) map[string]*http.Request {
	t.Helper()
	get := func(path string) *http.Request { return g.v2(t, http.MethodGet, path, "") }
	lest := `{"fnr":"` + person + `","tidspunkt":"2026-03-02T10:00:00+01:00"}`
	return map[string]*http.Request{
		shipmentv2.OpSend:               newDraftV2().requestV2(t, g),
		shipmentv2.OpStatuses:           g.v2(t, http.MethodPost, sendV2+"/status-sok", `{"forsendelseIds":["`+id+`"]}`),
		shipmentv2.OpReferences:         get(sendV2 + "?eksternRef=a"),
		shipmentv2.OpReferencesMetadata: get(sendV2 + "/metadata?eksternRef=a"),
		shipmentv2.OpHistory:            get("forsendelser/" + id + "/hendelser"),
		shipmentv2.OpSigningHistory:     get("forsendelser/" + id + "/signeringshendelser"),
		shipmentv2.OpDocuments:          get("forsendelser/" + id + "/metadata"),
		shipmentv2.OpMarkRead:           g.v2(t, http.MethodPost, "forsendelser/"+id+"/lest", lest),
		shipmentv2.OpDeleteDocuments:    g.v2(t, http.MethodDelete, "forsendelser/"+id+"/dokumenter", ""),
		shipmentv2.OpTypes:              get("forsendelsestyper"),
		shipmentv2.OpReceivingSystems:   get("mottakersystem"),
	}
}
