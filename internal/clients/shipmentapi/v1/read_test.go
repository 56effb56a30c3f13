package v1_test

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"testing"

	"utsending/internal/clients"
	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/shipmentapi/apitest"
	v1 "utsending/internal/clients/shipmentapi/v1"
	"utsending/internal/dispatch"
)

// reads are all the operations that cannot send anything.
var reads = map[string]func(*testing.T, *v1.Client) error{
	"startNyForsendelse": func(t *testing.T, c *v1.Client) error { _, err := c.Start(t.Context()); return err },
	"status": func(t *testing.T, c *v1.Client) error {
		_, err := c.Status(t.Context(), apitest.ShipmentID)
		return err
	},
	"statuser": func(t *testing.T, c *v1.Client) error {
		_, err := c.Statuses(t.Context(), "", []string{apitest.ShipmentID})
		return err
	},
	"dokumentMetadata": func(t *testing.T, c *v1.Client) error {
		_, err := c.Documents(t.Context(), apitest.ShipmentID)
		return err
	},
	"historikk": func(t *testing.T, c *v1.Client) error {
		_, err := c.History(t.Context(), apitest.ShipmentID)
		return err
	},
	"signeringhistorikk": func(t *testing.T, c *v1.Client) error {
		_, err := c.SigningHistory(t.Context(), apitest.ShipmentID)
		return err
	},
	"settLest": func(t *testing.T, c *v1.Client) error {
		return c.MarkRead(t.Context(), apitest.ShipmentID, shipmentapi.Reading{NationalID: "02813299900", System: "Fagsystem", At: apitest.Now})
	},
	"forsendelseTyper": func(t *testing.T, c *v1.Client) error { _, err := c.Types(t.Context()); return err },
	"mottakersystem": func(t *testing.T, c *v1.Client) error {
		_, err := c.Receivers(t.Context(), shipmentapi.ReceiverFilter{Level: 4})
		return err
	},
	"mottakersystem/{orgnr}": func(t *testing.T, c *v1.Client) error {
		_, err := c.ReceiversOf(t.Context(), "987654329")
		return err
	},
	"eksternref": func(t *testing.T, c *v1.Client) error {
		_, err := c.ByExternalReference(t.Context(), "", "sak 17")
		return err
	},
}

// general are the operations that are not about one thing: where they are not found, the address is wrong.
var general = map[string]bool{"startNyForsendelse": true, "statuser": true, "forsendelseTyper": true, "mottakersystem": true}

func TestReadsAreNeverUncertain(t *testing.T) {
	t.Parallel()
	for operation, read := range reads {
		for status, want := range apitest.SendTable() {
			want = apitest.Unsent(want)
			if want.Outcome == dispatch.OutcomeUncertain {
				want.Outcome = dispatch.OutcomeUnavailable
			}
			if want.Outcome == dispatch.OutcomeRejected && operation == "startNyForsendelse" { // which knows nothing of a shipment
				want.Outcome, want.Key = dispatch.OutcomeUnavailable, "reason.not_understood"
			}
			if status == http.StatusNotFound && !general[operation] {
				want.Key = "reason.not_known"
			}
			t.Run(fmt.Sprintf("%s with %d", operation, status), func(t *testing.T) {
				t.Parallel()
				apitest.CheckResult(t, read(t, answering(t, status, `<p>Nei</p>`)), want)
			})
		}
		t.Run(operation+" with nobody there", func(t *testing.T) {
			t.Parallel()
			apitest.CheckResult(t, read(t, newClient(t, "http://127.0.0.1:1")), apitest.Want(dispatch.OutcomeUnavailable, "", "reason.unreachable", 0))
		})
		t.Run(operation+" without an address", func(t *testing.T) {
			t.Parallel()
			want := apitest.Want(dispatch.OutcomeRefused, dispatch.ScopeIntegration, "reason.wrong_address", 0)
			apitest.CheckResult(t, read(t, newClient(t, "http://[::1")), want)
		})
	}
}

// What is not understood must never pass for an answer that tells of nothing.
func TestReadsDoubtAStrangeSuccess(t *testing.T) {
	t.Parallel()
	want := apitest.Want(dispatch.OutcomeUnavailable, "", "reason.not_understood", 200)
	for operation, read := range reads {
		if operation == "settLest" { // promises no answer
			continue
		}
		for name, body := range map[string]string{
			"nothing": "", "null": "null", "HTML": "<p>Logg inn</p>", "an empty object": "{}", "a number": "17",
			"an ErrorMessage":   `{"timestamp":1,"status":404,"error":"Not Found","path":"/a","message":"Nei","errorCode":"A"}`,
			"an unknown object": `{"resultat":[]}`,
			"a list of numbers": "[17]",
			"a list cut short":  `[{"`,
		} {
			t.Run(operation+" with "+name, func(t *testing.T) {
				t.Parallel()
				apitest.CheckResult(t, read(t, answering(t, 200, body)), want)
			})
		}
		whole := cmp.Or(map[string]string{"status": `{"status":"LEST"}`, "startNyForsendelse": apitest.Accepted}[operation], `[]`)
		t.Run(operation+" with a cut body", func(t *testing.T) {
			t.Parallel()
			c := newClient(t, apitest.Handled(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Length", "1000")
				_, _ = io.WriteString(w, whole)
			}))
			apitest.CheckResult(t, read(t, c), want)
		})
	}
}

func TestUnknownShipmentIsTold(t *testing.T) {
	t.Parallel()
	_, err := answering(t, 404, `{"status":404,"message":"Ukjent forsendelse"}`).Status(t.Context(), apitest.ShipmentID)
	if got := clients.AsError(err); got.HTTPStatus != 404 || got.Key != "reason.not_known" || got.Message == nil {
		t.Errorf("got status %d, message %v, want 404 with an ErrorMessage", got.HTTPStatus, got.Message)
	}
}

func TestReadsRefuseWhatTheContractForbids(t *testing.T) {
	t.Parallel()
	c := newClient(t, apitest.Handled(t, func(http.ResponseWriter, *http.Request) { t.Error("got a call, want none") }))
	statuses := func(n int) error { _, err := c.Statuses(t.Context(), "", make([]string, n)); return err }
	read := func(r shipmentapi.Reading) error { return c.MarkRead(t.Context(), apitest.ShipmentID, r) }
	byReference := func(reference string) error { _, err := c.ByExternalReference(t.Context(), "", reference); return err }
	receiversOf := func(n dispatch.OrganizationNumber) error { _, err := c.ReceiversOf(t.Context(), n); return err }
	for name, err := range map[string]error{
		"no ids":                        statuses(0),
		"1001 ids":                      statuses(shipmentapi.StatusesMax + 1),
		"read by nobody":                read(shipmentapi.Reading{System: "Fagsystem", At: apitest.Now}),
		"read by a short national id":   read(shipmentapi.Reading{NationalID: "0281329990", System: "Fagsystem", At: apitest.Now}),
		"read nowhere":                  read(shipmentapi.Reading{NationalID: "02813299900", At: apitest.Now}),
		"read never":                    read(shipmentapi.Reading{NationalID: "02813299900", System: "Fagsystem"}),
		"no reference":                  byReference(""),
		"a reference that is a dot":     byReference("."),
		"a reference that is two dots":  byReference(".."),
		"no organisation":               receiversOf(""),
		"an organisation with a letter": receiversOf("98765432A"),
	} {
		t.Run(name, func(t *testing.T) {
			apitest.CheckResult(t, err, apitest.Result{Outcome: dispatch.OutcomeRejected, Key: "reason.invalid"})
		})
	}
}

func TestStatusesTakesAThousand(t *testing.T) {
	t.Parallel()
	ids := slices.Repeat([]string{apitest.ShipmentID}, shipmentapi.StatusesMax)
	got, err := answering(t, 200, `[{"forsendelsesId":{"id":"`+apitest.ShipmentID+`"},"status":"LEST"}]`).Statuses(t.Context(), "", ids)
	if keys := slices.Collect(maps.Keys(got)); err != nil || len(keys) != 1 {
		t.Errorf("got %v, error %v, want one", keys, err)
	}
}

func TestMarkReadTakesEitherSuccess(t *testing.T) {
	t.Parallel()
	for status, body := range map[int]string{200: "", 204: ""} {
		if err := reads["settLest"](t, answering(t, status, body)); err != nil {
			t.Errorf("got %v for %d, want none", err, status)
		}
	}
}
