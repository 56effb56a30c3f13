package smsapi_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/uuid"

	"utsending/internal/clients"
	"utsending/internal/clients/smsapi"
	"utsending/internal/dispatch"
	"utsending/internal/text"
)

// said is a service that has read the whole request before it answers.
type said struct {
	status int
	body   []byte
}

func (s *said) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return nil, err
		}
	}
	return &http.Response{StatusCode: s.status, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(s.body)), Request: r}, nil
}

// FuzzAnswers: no answer of the SMS service is read as more than it says. A message that went out whole is accepted with an id only,
// and refused only by the service's own word; all that is kept can be stored.
func FuzzAnswers(f *testing.F) {
	for _, body := range []string{
		`{"id":"` + smsID + `"}`, `{"id":"17"}`, `{"id":{"id":"` + smsID + `"}}`, `{"ID":"` + smsID + `","id":null}`, `[]`, `null`, ``, `{"status":"LEVERT"}`, `{"status":"\u0000\ufffe"}`, `{"status":""}`,
		`[{"fnrOrgnr":"987654329","telefonnummer":null,"telefonnummerStatus":"NY"}]`, `[{"fnrOrgnr":"\u0007","telefonnummer":"\u0000"}]`, `{"errorId":"` + smsID + `","message":"Nei"}`, "\ufeff{}", `<html>`,
	} {
		for _, status := range []int{200, 201, 204, 400, 404, 503} {
			f.Add(status, []byte(body))
		}
	}
	tokens, err := clients.FixedToken("a-token")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		status = 200 + ((status%400)+400)%400
		c := smsapi.New(smsapi.Options{BaseURL: "http://service.example", HTTP: &http.Client{
			Transport: &said{status, body}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}, Tokens: tokens})
		ctx := t.Context()
		id, err := c.Send(ctx, account, to("40000100"), nil)
		if (err == nil) != (uuid.Validate(id) == nil) || err == nil && (status != 200 || !bytes.Contains(bytes.ToLower(body), []byte(strings.ToLower(id)))) {
			t.Fatalf("%d %q is accepted as %q, %v", status, body, id, err)
		}
		checkFailure(t, status, body, err)
		err = c.SendBatch(ctx, account, []dispatch.Phone{"40000100"}, "Hei", false, nil)
		if rest := strings.TrimPrefix(string(body), "\ufeff"); err == nil && (status != 200 && status != 204 || strings.TrimSpace(rest) != "" && strings.TrimSpace(rest) != "null") {
			t.Fatalf("%d %q takes a batch", status, body)
		}
		checkFailure(t, status, body, err)
		word, err := c.Status(ctx, account, smsID)
		if (err == nil) != (word != "") || !text.Clean(string(word)) || utf8.RuneCountInString(string(word)) > 100 {
			t.Fatalf("%d %q is the status %q, %v", status, body, word, err)
		}
		checkRead(t, err)
		contacts, err := c.Lookup(ctx, account, []dispatch.LookupNumber{"987654329"})
		for _, contact := range contacts {
			if !text.Clean(string(contact.Status)) || !text.Clean(contact.Phone.Reveal()) || !text.Clean(contact.Number.Reveal()) {
				t.Fatalf("%q is %q %q %q", body, contact.Number.Reveal(), contact.Phone.Reveal(), contact.Status)
			}
		}
		checkRead(t, err)
	})
}

// checkFailure requires that a message that went out whole is uncertain unless the service itself says that it took nothing.
func checkFailure(t *testing.T, status int, body []byte, err error) {
	t.Helper()
	if err == nil {
		return
	}
	own := status >= 400 && status < 500 && status != 408 || status == 503
	e := clients.AsError(err)
	if e.Outcome != dispatch.OutcomeUncertain && (!own || !e.Own) {
		t.Fatalf("%d %q is %s", status, body, e.Outcome)
	}
}

// checkRead requires that what cannot send anything is never uncertain.
func checkRead(t *testing.T, err error) {
	t.Helper()
	if err != nil && clients.AsError(err).Outcome == dispatch.OutcomeUncertain {
		t.Fatalf("a read is uncertain: %v", err)
	}
}
