package v2_test

import (
	"net/http"
	"testing"

	"utsending/internal/clients"
	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/shipmentapi/apitest"
	"utsending/internal/clients/shipmentapi/v2"
	"utsending/internal/dispatch"
)

// TestRealNumbersStayHere: a test environment is sent no real person's number, whatever way it came in.
func TestRealNumbersStayHere(t *testing.T) {
	t.Parallel()
	o := options(t, apitest.Handled(t, func(_ http.ResponseWriter, r *http.Request) { t.Errorf("the service is called: %s", r.URL.Path) }))
	o.Environment = dispatch.EnvironmentTest
	c := v2.New(o)
	s, content := apitest.Shipment()
	s.Recipient.Digital.NationalID = "12047800155"
	_, sent := c.Send(t.Context(), shipmentapi.Target{AccountID: accountID}, s, content, nil)
	read := c.MarkRead(t.Context(), apitest.ShipmentID, shipmentapi.Reading{NationalID: "12047800155", At: apitest.Now, System: "Sak"})
	for what, err := range map[string]error{"sent": sent, "reported": read} {
		if e := clients.AsError(err); err == nil || e.Outcome != dispatch.OutcomeRejected || e.Key != "reason.real_number" {
			t.Errorf("%s: got %v", what, err)
		}
	}
}
