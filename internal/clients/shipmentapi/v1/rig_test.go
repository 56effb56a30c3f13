package v1_test

import (
	"flag"
	"io"
	"net/http"
	"os"
	"testing"
	"time"

	"utsending/internal/clients"
	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/shipmentapi/apitest"
	v1 "utsending/internal/clients/shipmentapi/v1"
)

// TestMain runs more tests at once than there are processors: most of them wait for time limits.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "16"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// options are those of a client of the service at an address.
func options(t *testing.T, url string) shipmentapi.Options {
	t.Helper()
	client := clients.NewHTTPClient()
	t.Cleanup(client.CloseIdleConnections)
	return shipmentapi.Options{
		BaseURL: url, HTTP: client, User: "avsender", Password: "hunter2-hunter2",
		Now: func() time.Time { return apitest.Now }, Encryption: apitest.Encryption(),
	}
}

func newClient(t *testing.T, url string) *v1.Client {
	t.Helper()
	return v1.New(options(t, url))
}

// answering is a client of a service that always gives the same answer, after the request.
func answering(t *testing.T, status int, body string) *v1.Client {
	t.Helper()
	return newClient(t, apitest.Handled(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
}

func send(t *testing.T, c *v1.Client) (string, error) {
	t.Helper()
	s, content := apitest.Shipment()
	return c.Send(t.Context(), shipmentapi.Target{Reserved: apitest.ShipmentID}, s, content, nil)
}
