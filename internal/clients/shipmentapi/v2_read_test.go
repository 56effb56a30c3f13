package shipmentapi_test

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"testing"

	"utsending/internal/clients/shipmentapi"
	"utsending/internal/dispatch"
)

// readsV2 are all the operations that cannot send anything.
var readsV2 = map[string]func(*testing.T, *shipmentapi.V2) error{
	"status-sok": func(t *testing.T, c *shipmentapi.V2) error {
		_, err := c.Statuses(t.Context(), accountID, []string{shipmentID})
		return err
	},
	"metadata": func(t *testing.T, c *shipmentapi.V2) error {
		_, err := c.Documents(t.Context(), shipmentID)
		return err
	},
	"hendelser": func(t *testing.T, c *shipmentapi.V2) error { _, err := c.History(t.Context(), shipmentID); return err },
	"signeringshendelser": func(t *testing.T, c *shipmentapi.V2) error {
		_, err := c.SigningHistory(t.Context(), shipmentID)
		return err
	},
	"lest": func(t *testing.T, c *shipmentapi.V2) error {
		return c.MarkRead(t.Context(), shipmentID, shipmentapi.Reading{NationalID: "02813299900", At: now})
	},
	"dokumenter": func(t *testing.T, c *shipmentapi.V2) error {
		return c.DeleteDocuments(t.Context(), shipmentID, shipmentapi.DeleteAll)
	},
	"forsendelsestyper": func(t *testing.T, c *shipmentapi.V2) error { _, err := c.Types(t.Context()); return err },
	"mottakersystem": func(t *testing.T, c *shipmentapi.V2) error {
		_, err := c.Receivers(t.Context(), shipmentapi.ReceiverFilter{Level: 4})
		return err
	},
	"metadata?eksternRef": func(t *testing.T, c *shipmentapi.V2) error {
		_, err := c.ByExternalReference(t.Context(), accountID, "sak 17")
		return err
	},
	"eksternRef": func(t *testing.T, c *shipmentapi.V2) error {
		_, err := c.IDsByExternalReference(t.Context(), accountID, "sak 17")
		return err
	},
}

// aboutOne are the operations on one shipment: where it is not found, the address is right.
var aboutOne = map[string]bool{"metadata": true, "hendelser": true, "signeringshendelser": true, "lest": true, "dokumenter": true}

func TestV2ReadsAreNeverUncertain(t *testing.T) {
	t.Parallel()
	for operation, read := range readsV2 {
		for status, want := range sendTable() {
			want = unsent(want)
			if want.outcome == dispatch.OutcomeUncertain {
				want.outcome = dispatch.OutcomeUnavailable
			}
			if status == http.StatusNotFound && aboutOne[operation] {
				want.key = "reason.not_known"
			}
			t.Run(fmt.Sprintf("%s with %d", operation, status), func(t *testing.T) {
				t.Parallel()
				checkResult(t, read(t, answeringV2(t, status, `<p>Nei</p>`)), want)
			})
		}
		t.Run(operation+" with nobody there", func(t *testing.T) {
			t.Parallel()
			checkResult(t, read(t, newV2(t, "http://127.0.0.1:1")), result{dispatch.OutcomeUnavailable, "", "reason.unreachable", 0})
		})
		t.Run(operation+" without an address", func(t *testing.T) {
			t.Parallel()
			want := result{dispatch.OutcomeRefused, dispatch.ScopeIntegration, "reason.wrong_address", 0}
			checkResult(t, read(t, newV2(t, "http://[::1")), want)
		})
		t.Run(operation+" without a token", func(t *testing.T) {
			t.Parallel()
			o := optionsV2(t, "http://127.0.0.1:1")
			o.Tokens = tokensThatAnswer(t, http.StatusForbidden)
			want := result{dispatch.OutcomeRefused, dispatch.ScopeIntegration, "reason.token_refused", 403}
			checkResult(t, read(t, shipmentapi.NewV2(o)), want)
		})
	}
}

// What is not understood must never pass for an answer that tells of nothing.
func TestV2ReadsDoubtAStrangeSuccess(t *testing.T) {
	t.Parallel()
	want := result{dispatch.OutcomeUnavailable, "", "reason.not_understood", 200}
	for operation, read := range readsV2 {
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
				checkResult(t, read(t, answeringV2(t, 200, body)), want)
			})
		}
		t.Run(operation+" with a cut body", func(t *testing.T) {
			t.Parallel()
			c := newV2(t, handled(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Length", "1000")
				_, _ = io.WriteString(w, `[]`)
			}))
			checkResult(t, read(t, c), want)
		})
	}
}

func TestV2ReadsFetchOneFreshToken(t *testing.T) {
	t.Parallel()
	for operation, read := range readsV2 {
		t.Run(operation, func(t *testing.T) {
			t.Parallel()
			g := &guarded{takes: "nobody's", says: "<p>Nei</p>"}
			o := optionsV2(t, handled(t, g.serve))
			o.Tokens, _ = fresh(t)
			want := result{dispatch.OutcomeRefused, dispatch.ScopeIntegration, "reason.unauthorized", 401}
			checkResult(t, read(t, shipmentapi.NewV2(o)), want)
			if !slices.Equal(g.bearers, []string{"bearer-1", "bearer-2"}) {
				t.Errorf("got tokens %q, want two", g.bearers)
			}
		})
	}
}

func TestV2ReadsRefuseWhatTheContractForbids(t *testing.T) {
	t.Parallel()
	c := newV2(t, handled(t, func(http.ResponseWriter, *http.Request) { t.Error("got a call, want none") }))
	statuses := func(account string, n int) error {
		_, err := c.Statuses(t.Context(), account, slices.Repeat([]string{shipmentID}, n))
		return err
	}
	read := func(r shipmentapi.Reading) error { return c.MarkRead(t.Context(), shipmentID, r) }
	byReference := func(account, reference string) error {
		_, err := c.ByExternalReference(t.Context(), account, reference)
		return err
	}
	invalid := result{outcome: dispatch.OutcomeRejected, key: "reason.invalid"}
	nowhere := result{dispatch.OutcomeRefused, dispatch.ScopeAccount, "reason.account_id", 0}
	for name, tt := range map[string]struct {
		err  error
		want result
	}{
		"no ids":                      {statuses(accountID, 0), invalid},
		"1001 ids":                    {statuses(accountID, shipmentapi.StatusesMax+1), invalid},
		"statuses of no account":      {statuses("", 1), nowhere},
		"read by nobody":              {read(shipmentapi.Reading{At: now}), invalid},
		"read by a short national id": {read(shipmentapi.Reading{NationalID: "0281329990", At: now}), invalid},
		"read never":                  {read(shipmentapi.Reading{NationalID: "02813299900"}), invalid},
		"no reference":                {byReference(accountID, ""), invalid},
		"a reference of no account":   {byReference("", "sak 17"), nowhere},
	} {
		t.Run(name, func(t *testing.T) { checkResult(t, tt.err, tt.want) })
	}
}

func TestV2StatusesTakesAThousand(t *testing.T) {
	t.Parallel()
	ids := slices.Repeat([]string{shipmentID}, shipmentapi.StatusesMax)
	got, err := answeringV2(t, 200, `{"statuser":[{"id":"`+shipmentID+`","status":"LEST"}]}`).Statuses(t.Context(), accountID, ids)
	if keys := slices.Collect(maps.Keys(got)); err != nil || len(keys) != 1 {
		t.Errorf("got %v, error %v, want one", keys, err)
	}
}
