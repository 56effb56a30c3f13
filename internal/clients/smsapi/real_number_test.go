package smsapi_test

import (
	"net/http"
	"testing"

	"utsending/internal/clients"
	"utsending/internal/clients/smsapi"
	"utsending/internal/dispatch"
)

// TestRealNumbersStayHere: a test environment is sent no real person's number, whatever way it came in.
func TestRealNumbersStayHere(t *testing.T) {
	t.Parallel()
	o := options(t, handledServer(t, func(_ http.ResponseWriter, r *http.Request) { t.Errorf("the service is called: %s", r.URL.Path) }))
	o.Environment = dispatch.EnvironmentTest
	c := smsapi.New(o)
	_, sent := c.Send(t.Context(), account, dispatch.SMS{Recipient: dispatch.SMSRecipient{NationalID: "12047800155"}, Text: "Hei der"}, nil)
	_, asked := c.Lookup(t.Context(), account, []dispatch.LookupNumber{"12847800155", "987654325", "12047800155"})
	for what, err := range map[string]error{"sent": sent, "asked about": asked} {
		if e := clients.AsError(err); err == nil || e.Outcome != dispatch.OutcomeRejected || e.Key != "reason.real_number" {
			t.Errorf("%s: got %v", what, err)
		}
	}
}
