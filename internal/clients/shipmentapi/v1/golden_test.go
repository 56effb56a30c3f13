package v1_test

import (
	"encoding/base64"
	"io"
	"net/http"
	"strings"
	"testing"

	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/shipmentapi/apitest"
	v1 "utsending/internal/clients/shipmentapi/v1"
)

// captured calls a client of a service that gives one answer, and returns the request.
func captured(t *testing.T, wire shipmentapi.Wire, answer string, call func(*v1.Client) error) string {
	t.Helper()
	got := make(chan string, 1)
	o := options(t, apitest.Handled(t, func(w http.ResponseWriter, r *http.Request) {
		got <- apitest.OnTheWire(r)
		_, _ = io.WriteString(w, answer)
	}))
	o.Wire = wire
	if err := call(v1.New(o)); err != nil {
		t.Fatalf("got error %v, want none", err)
	}
	return <-got
}

func TestOperationsOnTheWire(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		answer string
		call   func(*testing.T, *v1.Client) error
	}{
		"start": {apitest.Accepted, func(t *testing.T, c *v1.Client) error { _, err := c.Start(t.Context()); return err }},
		"status": {`{"status":"LEST"}`, func(t *testing.T, c *v1.Client) error {
			_, err := c.Status(t.Context(), apitest.ShipmentID)
			return err
		}},
		"statuses": {`[]`, func(t *testing.T, c *v1.Client) error {
			_, err := c.Statuses(t.Context(), "", []string{apitest.ShipmentID, apitest.OtherID})
			return err
		}},
		"documents": {`[]`, func(t *testing.T, c *v1.Client) error {
			_, err := c.Documents(t.Context(), apitest.ShipmentID)
			return err
		}},
		"history": {`[]`, func(t *testing.T, c *v1.Client) error {
			_, err := c.History(t.Context(), apitest.ShipmentID)
			return err
		}},
		"signing_history": {`[]`, func(t *testing.T, c *v1.Client) error {
			_, err := c.SigningHistory(t.Context(), apitest.ShipmentID)
			return err
		}},
		"mark_read": {``, func(t *testing.T, c *v1.Client) error {
			return c.MarkRead(t.Context(), apitest.ShipmentID, shipmentapi.Reading{NationalID: "02813299900", System: "Fagsystem", At: apitest.Now})
		}},
		"types": {`[]`, func(t *testing.T, c *v1.Client) error { _, err := c.Types(t.Context()); return err }},
		"receivers": {`[]`, func(t *testing.T, c *v1.Client) error {
			_, err := c.Receivers(t.Context(), shipmentapi.ReceiverFilter{})
			return err
		}},
		"receivers_filtered": {`[]`, func(t *testing.T, c *v1.Client) error {
			f := shipmentapi.ReceiverFilter{OrganizationNumber: "987654329", Type: "sak & svar/møte", Level: 4}
			_, err := c.Receivers(t.Context(), f)
			return err
		}},
		"receivers_of": {`[]`, func(t *testing.T, c *v1.Client) error {
			_, err := c.ReceiversOf(t.Context(), "987654329")
			return err
		}},
		"by_reference": {`[]`, func(t *testing.T, c *v1.Client) error {
			_, err := c.ByExternalReference(t.Context(), "", "sak 2026/17;#ø?a=b+c%2F")
			return err
		}},
	} {
		for _, wire := range []shipmentapi.Wire{shipmentapi.WireSpec, shipmentapi.WireDeployed} {
			t.Run(name+" as "+string(wire), func(t *testing.T) {
				t.Parallel()
				got := captured(t, wire, tt.answer, func(c *v1.Client) error { return tt.call(t, c) })
				if name == "statuses" || name == "mark_read" { // the others are the same on both wires
					apitest.Golden(t, name+"_"+string(wire), got)
					return
				}
				apitest.Golden(t, name, got)
			})
		}
	}
}

func TestUserAndPasswordAreThoseOfBasic(t *testing.T) {
	t.Parallel()
	got := captured(t, shipmentapi.WireSpec, apitest.Accepted, func(c *v1.Client) error {
		_, err := c.Start(t.Context())
		return err
	})
	want := "\nAuthorization: Basic " + base64.StdEncoding.EncodeToString([]byte("avsender:hunter2-hunter2")) + "\n"
	if !strings.Contains(got, want) {
		t.Errorf("got %q, want %q in it", got, want)
	}
}
