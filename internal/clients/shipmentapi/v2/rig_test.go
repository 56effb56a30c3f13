package v2_test

import (
	"io"
	"net/http"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"utsending/internal/clients"
	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/shipmentapi/apitest"
	v2 "utsending/internal/clients/shipmentapi/v2"
	"utsending/internal/dispatch"
)

const (
	accountID     = "5b1f6c0a-7a54-4f0b-9a51-2f1f6f0d7e11"
	integrationID = "c3d9d8d2-4a51-4a7e-9a29-5b6d0c0f8a77"
)

// options are those of a client of the service at an address, with a token that never changes.
func options(t *testing.T, url string) shipmentapi.Options {
	t.Helper()
	tokens, err := clients.FixedToken("bearer-0")
	if err != nil {
		t.Fatal(err)
	}
	client := clients.NewHTTPClient()
	t.Cleanup(client.CloseIdleConnections)
	return shipmentapi.Options{
		BaseURL: url, HTTP: client, Tokens: tokens, IntegrationID: integrationID, IntegrationPassword: "hunter2-hunter2",
		Now: func() time.Time { return apitest.Now }, Encryption: apitest.Encryption(),
	}
}

func newClient(t *testing.T, url string) *v2.Client {
	t.Helper()
	return v2.New(options(t, url))
}

// answering is a client of a service that always gives the same answer, after the request.
func answering(t *testing.T, status int, body string) *v2.Client {
	t.Helper()
	return newClient(t, apitest.Handled(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
}

func send(t *testing.T, c *v2.Client) (string, error) {
	t.Helper()
	s, content := apitest.Shipment()
	return c.Send(t.Context(), shipmentapi.Target{AccountID: accountID}, s, content, nil)
}

// fresh gives tokens that are numbered as they are fetched, and counts them.
func fresh(t *testing.T) (*clients.Tokens, *atomic.Int32) {
	t.Helper()
	issued := &atomic.Int32{}
	url := apitest.Handled(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"access_token":"bearer-`+strconv.Itoa(int(issued.Add(1)))+`","expires_in":3600}`)
	})
	return clients.ClientCredentials(url, dispatch.Credentials{ClientID: "app", ClientSecret: "hemmelig"}), issued
}

// tokensThatAnswer never give a token, but a status.
func tokensThatAnswer(t *testing.T, status int) *clients.Tokens {
	t.Helper()
	url := apitest.Handled(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
	return clients.ClientCredentials(url, dispatch.Credentials{ClientID: "app", ClientSecret: "hemmelig"})
}
