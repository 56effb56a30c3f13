package apitest

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"utsending/internal/clients"
	"utsending/internal/clients/shipmentapi"
	"utsending/internal/dispatch"
	"utsending/internal/text"
)

// said is a service that has read the whole request before it answers.
type said struct {
	status int
	body   []byte
}

// RoundTrip implements http.RoundTripper.
func (s *said) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return nil, err
		}
	}
	return &http.Response{StatusCode: s.status, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(s.body)), Request: r}, nil
}

// seeds are answers of all generations, and some that none gives.
var seeds = []string{
	Accepted, `{"id":"17"}`, `{"id":{"id":"` + ShipmentID + `"}}`, `null`, ``, `[]`, `<html>`, "\ufeff" + Accepted, `{"errorId":"` + ShipmentID + `","message":"Nei"}`, `{"errorCode":"GJENTAGENDE_FORSENDELSE","message":"duplikat"}`,
	`{"statuser":[{"forsendelsesId":{"id":"` + ShipmentID + `"},"id":"` + ShipmentID + `","status":"LEST","sisteStatusEndring":1571598274246}]}`, `{"status":"\u0000\ufffe","sisteStatusEndring":"2026-03-29T02:30:00"}`,
	`{"statuser":{"id":"` + OtherID + `","status":"X"}}`, `{"hendelser":[{"tidspunkt":"2019-10-20T21:04:34.246+02:00[Europe/Oslo]","hendelse":"Sendt\u0007"}]}`, `{"hendelsesLogger":{"tidspunkt":"i går","hendelse":"x","type":"SigneringsoppdragFullfort"}}`,
	`{"logg":[{"tidspunkt":-62135596800000,"type":"NY"}]}`, `{"dokumenter":[{"filnavn":"a\u202e.pdf","storrelse":-1,"sha256Hash":"x","nedlasningUrl":"javascript:alert(1)","kanSigneres":true,"ekstraMetadata":{"key":"a","value":"b"}}]}`,
	`{"dokumentMetadata":[{"filnavn":"","sizeInBytes":9e99,"nedlasningsUrl":"https://x"}]}`, `{"forsendelser":[{"id":"` + ShipmentID + `","dato":"20260302T090000","avgivendeSystem":"Utsending"}]}`, `{"forsendelser":[{}]}`, `{"forsendelser":null}`,
	`{"forsendelseIder":["` + ShipmentID + `"]}`, `{"forsendelsestyper":["a","\ufffe"]}`, `{"mottakersystemer":[{"id":1,"navn":"x","niva":4}]}`, `{"treff":{"organisasjonsNummer":"987654325","niva":"4"}}`,
}

// FuzzAnswers feeds the client of a generation any answer to each of its calls: none is read as more than it says. A shipment that
// went out whole is accepted with an id only, and refused only by the service's own word; what is not understood is no empty list, for
// that would let a shipment be sent again; and all that is kept can be stored.
func FuzzAnswers(f *testing.F, of func(shipmentapi.Options) shipmentapi.Client) {
	for _, body := range seeds {
		for _, status := range []int{200, 204, 400, 404, 503} {
			f.Add(status, []byte(body))
		}
	}
	tokens, err := clients.FixedToken("a-token")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		service := &said{200 + ((status%400)+400)%400, body}
		c := of(shipmentapi.Options{
			BaseURL: "http://service.example", User: "avsender", Password: "hunter2-hunter2", Tokens: tokens, Now: func() time.Time { return Now },
			HTTP: &http.Client{Transport: service, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
		})
		checkSend(t, c, service)
		checkReads(t, c, service)
		checkAbsence(t, c, service)
	})
}

func checkSend(t *testing.T, c shipmentapi.Client, service *said) {
	t.Helper()
	s, content := Shipment()
	s.ExternalReference, s.Recipient.Digital.NationalID = "sak 17", "02813299952"
	id, err := c.Send(t.Context(), shipmentapi.Target{AccountID: OtherID, Reserved: ShipmentID}, s, content, nil)
	if (err == nil) != (uuid.Validate(id) == nil) || err == nil && service.status != 200 {
		t.Fatalf("%d %q is accepted as %q, %v", service.status, service.body, id, err)
	}
	if err == nil {
		return
	}
	e := clients.AsError(err)
	told := service.status >= 400 && service.status < 500 && service.status != 408 || service.status == 503
	if e.Outcome == dispatch.OutcomeAccepted || e.Outcome != dispatch.OutcomeUncertain && (!told || !e.Own) {
		t.Fatalf("%d %q is %s", service.status, service.body, e.Outcome)
	}
	if fault := shipmentapi.FaultOf(e); !utf8.ValidString(fault.Said) || fault.Field != "" && fault.Said == "" && e.Message.ErrorCode == "" {
		t.Fatalf("%q complains of %+v", service.body, fault)
	}
}

// checkAbsence requires that a list that says that nothing is there is a list: nothing else may let a shipment be sent again.
func checkAbsence(t *testing.T, c shipmentapi.Client, service *said) {
	t.Helper()
	found, err := c.ByExternalReference(t.Context(), OtherID, "sak 17")
	checkRead(t, service, err)
	documents, documentsErr := c.Documents(t.Context(), ShipmentID)
	checkRead(t, service, documentsErr)
	if err == nil && len(found) == 0 || documentsErr == nil && len(documents) == 0 {
		body := bytes.TrimPrefix(service.body, []byte("\ufeff"))
		var list []json.RawMessage
		var object map[string]json.RawMessage
		if service.status != 200 || json.Unmarshal(body, &list) != nil && json.Unmarshal(body, &object) != nil || strings.TrimSpace(string(body)) == "null" || list == nil && len(object) == 0 {
			t.Fatalf("%d %q says that nothing is there", service.status, service.body)
		}
	}
	for _, m := range found {
		if uuid.Validate(m.ID) != nil || !text.Clean(m.SourceSystem) {
			t.Fatalf("%q finds %+v", service.body, m)
		}
	}
	for _, d := range documents {
		texts := []string{d.FileName, d.MimeType, d.Type, d.SHA256, d.DownloadURL, d.SigningURL}
		for _, e := range d.Extra {
			texts = append(texts, e.Key, e.Value)
		}
		checkTexts(t, service, 2000, texts...)
	}
}

func checkReads(t *testing.T, c shipmentapi.Client, service *said) {
	t.Helper()
	ctx := t.Context()
	reports, err := c.Statuses(ctx, OtherID, []string{ShipmentID})
	checkRead(t, service, err)
	for id, r := range reports {
		checkTexts(t, service, 100, string(r.Status))
		checkTime(t, service, r.ChangedAt)
		if id != ShipmentID || r.Status == "" {
			t.Fatalf("%q is the status %+v of %q", service.body, r, id)
		}
	}
	events, err := c.History(ctx, ShipmentID)
	checkRead(t, service, err)
	for _, e := range events {
		checkTexts(t, service, 2000, e.Text, e.Said)
		checkTime(t, service, e.At)
	}
	signed, err := c.SigningHistory(ctx, ShipmentID)
	checkRead(t, service, err)
	for _, e := range signed {
		checkTexts(t, service, 2000, e.Text, e.Said, string(e.Status))
		checkTime(t, service, e.At)
	}
	types, err := c.Types(ctx)
	checkRead(t, service, err)
	checkTexts(t, service, 100, types...)
	for _, ask := range []func(context.Context) ([]shipmentapi.Receiver, error){
		func(ctx context.Context) ([]shipmentapi.Receiver, error) {
			return c.Receivers(ctx, shipmentapi.ReceiverFilter{Type: "x"})
		},
		func(ctx context.Context) ([]shipmentapi.Receiver, error) { return c.ReceiversOf(ctx, "987654325") },
	} {
		receivers, err := ask(ctx)
		checkRead(t, service, err)
		for _, r := range receivers {
			checkTexts(t, service, 2000, string(r.OrganizationNumber), r.Type, r.System, r.SystemID)
		}
	}
	if id, err := c.Start(ctx); (err == nil) != (uuid.Validate(id) == nil) || err == nil && service.status != 200 {
		t.Fatalf("%d %q reserves %q, %v", service.status, service.body, id, err)
	}
	r, err := c.Status(ctx, ShipmentID)
	checkRead(t, service, err)
	checkTexts(t, service, 100, string(r.Status))
	if (err == nil) != (r.Status != "") {
		t.Fatalf("%q is %+v, %v", service.body, r, err)
	}
	checkRead(t, service, c.MarkRead(ctx, ShipmentID, shipmentapi.Reading{NationalID: "02813299900", System: "Utsending", At: Now}))
	checkRead(t, service, c.DeleteDocuments(ctx, ShipmentID, dispatch.DeletedAll))
}

// checkRead requires that what cannot send anything is never uncertain.
func checkRead(t *testing.T, service *said, err error) {
	t.Helper()
	if err != nil && clients.AsError(err).Outcome == dispatch.OutcomeUncertain {
		t.Fatalf("a read answered with %d %q is uncertain: %v", service.status, service.body, err)
	}
}

func checkTexts(t *testing.T, service *said, most int, texts ...string) {
	t.Helper()
	for _, said := range texts {
		if !text.Clean(said) || utf8.RuneCountInString(said) > most {
			t.Fatalf("%q is kept as %q", service.body, said)
		}
	}
}

// checkTime requires none, or one of this century.
func checkTime(t *testing.T, service *said, at time.Time) {
	t.Helper()
	if !at.IsZero() && (at.Year() < 1999 || at.Year() > 2100) {
		t.Fatalf("%q is at %s", service.body, at)
	}
}
