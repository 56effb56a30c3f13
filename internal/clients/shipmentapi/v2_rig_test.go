package shipmentapi_test

import (
	"io"
	"net/http"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"utsending/internal/clients"
	"utsending/internal/clients/shipmentapi"
	"utsending/internal/dispatch"
)

const (
	accountID     = "5b1f6c0a-7a54-4f0b-9a51-2f1f6f0d7e11"
	integrationID = "c3d9d8d2-4a51-4a7e-9a29-5b6d0c0f8a77"
)

// optionsV2 are those of a client of the service at an address, with a token that never changes.
func optionsV2(t *testing.T, url string) shipmentapi.V2Options {
	t.Helper()
	tokens, err := clients.FixedToken("bearer-0")
	if err != nil {
		t.Fatal(err)
	}
	client := clients.NewHTTPClient()
	t.Cleanup(client.CloseIdleConnections)
	return shipmentapi.V2Options{
		BaseURL: url, HTTP: client, Tokens: tokens, IntegrationID: integrationID, IntegrationPassword: "hunter2-hunter2",
		Now: func() time.Time { return now }, Encryption: encryption(),
	}
}

func newV2(t *testing.T, url string) *shipmentapi.V2 {
	t.Helper()
	return shipmentapi.NewV2(optionsV2(t, url))
}

// answeringV2 is a client of a service that always gives the same answer, after the request.
func answeringV2(t *testing.T, status int, body string) *shipmentapi.V2 {
	t.Helper()
	return newV2(t, handled(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
}

func sendV2(t *testing.T, c *shipmentapi.V2) (string, error) {
	t.Helper()
	s, content := letter()
	return c.Send(t.Context(), shipmentapi.Target{AccountID: accountID}, s, content, nil)
}

// fresh gives tokens that are numbered as they are fetched, and counts them.
func fresh(t *testing.T) (*clients.Tokens, *atomic.Int32) {
	t.Helper()
	issued := &atomic.Int32{}
	url := handled(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"access_token":"bearer-`+strconv.Itoa(int(issued.Add(1)))+`","expires_in":3600}`)
	})
	return clients.ClientCredentials(url, dispatch.Credentials{ClientID: "app", ClientSecret: "hemmelig"}), issued
}

// tokensThatAnswer never give a token, but a status.
func tokensThatAnswer(t *testing.T, status int) *clients.Tokens {
	t.Helper()
	url := handled(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
	return clients.ClientCredentials(url, dispatch.Credentials{ClientID: "app", ClientSecret: "hemmelig"})
}
