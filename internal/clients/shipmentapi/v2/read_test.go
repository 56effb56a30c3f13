package v2_test

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"testing"

	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/shipmentapi/apitest"
	v2 "utsending/internal/clients/shipmentapi/v2"
	"utsending/internal/dispatch"
)

// reads are all the operations that cannot send anything.
var reads = map[string]func(*testing.T, *v2.Client) error{
	"status-sok": func(t *testing.T, c *v2.Client) error {
		_, err := c.Statuses(t.Context(), accountID, []string{apitest.ShipmentID})
		return err
	},
	"metadata": func(t *testing.T, c *v2.Client) error {
		_, err := c.Documents(t.Context(), apitest.ShipmentID)
		return err
	},
	"hendelser": func(t *testing.T, c *v2.Client) error {
		_, err := c.History(t.Context(), apitest.ShipmentID)
		return err
	},
	"signeringshendelser": func(t *testing.T, c *v2.Client) error {
		_, err := c.SigningHistory(t.Context(), apitest.ShipmentID)
		return err
	},
	"lest": func(t *testing.T, c *v2.Client) error {
		return c.MarkRead(t.Context(), apitest.ShipmentID, shipmentapi.Reading{NationalID: "02813299900", At: apitest.Now})
	},
	"dokumenter": func(t *testing.T, c *v2.Client) error {
		return c.DeleteDocuments(t.Context(), apitest.ShipmentID, dispatch.DeletedAll)
	},
	"forsendelsestyper": func(t *testing.T, c *v2.Client) error { _, err := c.Types(t.Context()); return err },
	"mottakersystem": func(t *testing.T, c *v2.Client) error {
		_, err := c.Receivers(t.Context(), shipmentapi.ReceiverFilter{Level: 4})
		return err
	},
	"metadata?eksternRef": func(t *testing.T, c *v2.Client) error {
		_, err := c.ByExternalReference(t.Context(), accountID, "sak 17")
		return err
	},
	"eksternRef": func(t *testing.T, c *v2.Client) error {
		_, err := c.IDsByExternalReference(t.Context(), accountID, "sak 17")
		return err
	},
}

// aboutOne are the operations on one shipment: where it is not found, the address is right.
var aboutOne = map[string]bool{"metadata": true, "hendelser": true, "signeringshendelser": true, "lest": true, "dokumenter": true}

func TestV2ReadsAreNeverUncertain(t *testing.T) {
	t.Parallel()
	for operation, read := range reads {
		for status, want := range apitest.SendTable() {
			want = apitest.Unsent(want)
			if want.Outcome == dispatch.OutcomeUncertain {
				want.Outcome = dispatch.OutcomeUnavailable
			}
			if status == http.StatusNotFound && aboutOne[operation] {
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
		t.Run(operation+" without a token", func(t *testing.T) {
			t.Parallel()
			o := options(t, "http://127.0.0.1:1")
			o.Tokens = tokensThatAnswer(t, http.StatusForbidden)
			want := apitest.Want(dispatch.OutcomeRefused, dispatch.ScopeIntegration, "reason.token_refused", 403)
			apitest.CheckResult(t, read(t, v2.New(o)), want)
		})
	}
}

// What is not understood must never pass for an answer that tells of nothing.
func TestV2ReadsDoubtAStrangeSuccess(t *testing.T) {
	t.Parallel()
	want := apitest.Want(dispatch.OutcomeUnavailable, "", "reason.not_understood", 200)
	for operation, read := range reads {
		if operation == "lest" || operation == "dokumenter" { // promise no answer
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
		t.Run(operation+" with a cut body", func(t *testing.T) {
			t.Parallel()
			c := newClient(t, apitest.Handled(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Length", "1000")
				_, _ = io.WriteString(w, `[]`)
			}))
			apitest.CheckResult(t, read(t, c), want)
		})
	}
}

func TestV2ReadsFetchOneFreshToken(t *testing.T) {
	t.Parallel()
	for operation, read := range reads {
		t.Run(operation, func(t *testing.T) {
			t.Parallel()
			g := &guarded{takes: "nobody's", says: "<p>Nei</p>"}
			o := options(t, apitest.Handled(t, g.serve))
			o.Tokens, _ = fresh(t)
			want := apitest.Want(dispatch.OutcomeRefused, dispatch.ScopeIntegration, "reason.unauthorized", 401)
			apitest.CheckResult(t, read(t, v2.New(o)), want)
			if !slices.Equal(g.bearers, []string{"bearer-1", "bearer-2"}) {
				t.Errorf("got tokens %q, want two", g.bearers)
			}
		})
	}
}

func TestV2ReadsRefuseWhatTheContractForbids(t *testing.T) {
	t.Parallel()
	c := newClient(t, apitest.Handled(t, func(http.ResponseWriter, *http.Request) { t.Error("got a call, want none") }))
	statuses := func(account string, n int) error {
		_, err := c.Statuses(t.Context(), account, slices.Repeat([]string{apitest.ShipmentID}, n))
		return err
	}
	read := func(r shipmentapi.Reading) error { return c.MarkRead(t.Context(), apitest.ShipmentID, r) }
	byReference := func(account, reference string) error {
		_, err := c.ByExternalReference(t.Context(), account, reference)
		return err
	}
	invalid := apitest.Result{Outcome: dispatch.OutcomeRejected, Key: "reason.invalid"}
	nowhere := apitest.Want(dispatch.OutcomeRefused, dispatch.ScopeAccount, "reason.account_id", 0)
	for name, tt := range map[string]struct {
		err  error
		want apitest.Result
	}{
		"no ids":                      {statuses(accountID, 0), invalid},
		"1001 ids":                    {statuses(accountID, shipmentapi.StatusesMax+1), invalid},
		"statuses of no account":      {statuses("", 1), nowhere},
		"read by nobody":              {read(shipmentapi.Reading{At: apitest.Now}), invalid},
		"read by a short national id": {read(shipmentapi.Reading{NationalID: "0281329990", At: apitest.Now}), invalid},
		"read never":                  {read(shipmentapi.Reading{NationalID: "02813299900"}), invalid},
		"no reference":                {byReference(accountID, ""), invalid},
		"a reference of no account":   {byReference("", "sak 17"), nowhere},
	} {
		t.Run(name, func(t *testing.T) { apitest.CheckResult(t, tt.err, tt.want) })
	}
}

func TestV2StatusesTakesAThousand(t *testing.T) {
	t.Parallel()
	ids := slices.Repeat([]string{apitest.ShipmentID}, shipmentapi.StatusesMax)
	got, err := answering(t, 200, `{"statuser":[{"id":"`+apitest.ShipmentID+`","status":"LEST"}]}`).Statuses(t.Context(), accountID, ids)
	if keys := slices.Collect(maps.Keys(got)); err != nil || len(keys) != 1 {
		t.Errorf("got %v, error %v, want one", keys, err)
	}
}
