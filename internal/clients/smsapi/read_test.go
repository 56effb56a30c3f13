package smsapi_test

import (
	"strings"
	"sync/atomic"
	"testing"

	"utsending/internal/clients/simulator"
	"utsending/internal/clients/smsapi"
	"utsending/internal/dispatch"
)

func TestStatus(t *testing.T) {
	t.Parallel()
	for status, want := range map[string]dispatch.Status{
		"OPPRETTET": dispatch.StatusCreated, "SENDT": dispatch.StatusSent, "IKKE_SENDT": dispatch.StatusNotSent,
		"IKKE_LEVERT": dispatch.StatusNotDelivered, "LEVERT": dispatch.StatusDelivered, "UKJENT": dispatch.StatusUnknown,
		"NY_VERDI": "NY_VERDI", "levert": "levert",
	} {
		t.Run("reads "+status+" as it is", func(t *testing.T) {
			t.Parallel()
			got, err := answering(t, 200, `{"id":"`+smsID+`","status":"`+status+`"}`).Status(t.Context(), account, smsID)
			if err != nil || got != want {
				t.Errorf("got %q and %v, want %q", got, err, want)
			}
		})
	}
	t.Run("reads what the simulator has", func(t *testing.T) {
		t.Parallel()
		g := newRig(t, simulator.Options{})
		got, err := g.client.Status(t.Context(), account, g.accepted(t, "40000005"))
		if err != nil || got != dispatch.StatusCreated {
			t.Errorf("got %q and %v, want OPPRETTET", got, err)
		}
		g.checkCalls(t, simulator.OpStatus, 1)
	})
}

func TestStatusMeetsTheEndings(t *testing.T) {
	t.Parallel()
	for digits, want := range map[string]result{
		"921": {dispatch.OutcomeRefused, dispatch.ScopeAccount, "reason.forbidden", 403},
		"922": {dispatch.OutcomeRefused, dispatch.ScopeIntegration, "reason.not_known", 404},
		"923": {dispatch.OutcomeUnavailable, "", "reason.server_error", 500},
		"924": {outcome: dispatch.OutcomeAccepted},
	} {
		t.Run(digits, func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{})
			got, err := g.client.Status(t.Context(), account, g.accepted(t, dispatch.Phone("40000"+digits)))
			checkResult(t, err, want)
			if err != nil && got != "" {
				t.Errorf("got %q with an error, want none", got)
			}
		})
	}
	t.Run("a message of another account", func(t *testing.T) {
		t.Parallel()
		g := newRig(t, simulator.Options{})
		_, err := g.client.Status(t.Context(), smsID, g.accepted(t, "40000100"))
		if got := resultOf(t, err); got.status != 404 {
			t.Errorf("got %+v, want 404", got)
		}
	})
}

func TestReadsAreNeverUncertain(t *testing.T) {
	t.Parallel()
	faults := []simulator.Fault{
		simulator.LostBefore, simulator.LostAfter, simulator.HalfAnswer, simulator.HTMLAnswer, simulator.HTMLError,
		simulator.EmptyAnswer, simulator.Redirect, simulator.ErrorObject, simulator.NoID, simulator.DownOnce,
		simulator.FailedOnce, simulator.Status(202), simulator.Status(204),
	}
	for code := 400; code < 600; code++ {
		faults = append(faults, simulator.Status(code))
	}
	g := newRig(t, simulator.Options{})
	id := g.accepted(t, "40000100")
	var fault atomic.Int64
	g.sim.SetChaos(func(string, string) simulator.Fault { return simulator.Fault(fault.Load()) })
	for _, f := range faults {
		fault.Store(int64(f))
		status, err := g.client.Status(t.Context(), account, id)
		if got := resultOf(t, err); err == nil || got.outcome == dispatch.OutcomeUncertain || status != "" {
			t.Errorf("got %+v and status %q for %s, want a plain failure", got, status, f)
		}
		contacts, err := g.client.Lookup(t.Context(), account, []dispatch.LookupNumber{"987654321"})
		if got := resultOf(t, err); err == nil || got.outcome == dispatch.OutcomeUncertain || contacts != nil {
			t.Errorf("got %+v and %d contacts for %s, want a plain failure", got, len(contacts), f)
		}
	}
}

func TestReadsDoubtAStrangeSuccess(t *testing.T) {
	t.Parallel()
	want := result{dispatch.OutcomeUnavailable, "", "reason.not_understood", 200}
	for name, body := range map[string]string{
		"nothing":                    ``,
		"null":                       `null`,
		"HTML":                       `<p>Log in</p>`,
		"no status":                  `{"id":"` + smsID + `"}`,
		"an empty status":            `{"id":"` + smsID + `","status":""}`,
		"a status that is a number":  `{"id":"` + smsID + `","status":3}`,
		"something behind the value": `{"id":"` + smsID + `","status":"SENDT"}{}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := answering(t, 200, body)
			_, err := client.Status(t.Context(), account, smsID)
			checkResult(t, err, want)
			_, err = client.Lookup(t.Context(), account, []dispatch.LookupNumber{"987654321"})
			checkResult(t, err, want)
		})
	}
}

func TestReadsWhereNobodyIs(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	o := options(t, g.url)
	o.BaseURL = "http://127.0.0.1:1"
	client, want := smsapi.New(o), result{dispatch.OutcomeUnavailable, "", "reason.unreachable", 0}
	_, err := client.Status(t.Context(), account, smsID)
	checkResult(t, err, want)
	_, err = client.Lookup(t.Context(), account, []dispatch.LookupNumber{"987654321"})
	checkResult(t, err, want)
}

// TestStatusThatCannotBeKept: a status that is far too long, or holds what is no character, is one all the same. An index has
// it, and what the service decided is not lost over how it put it.
func TestStatusThatCannotBeKept(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		strings.Repeat("S", 6000): strings.Repeat("S", 99) + "…",
		"LEV\ufffeERT":            "LEV\ufffdERT",
		"A\u030a":                 "Å",
	} {
		got, err := answering(t, 200, `{"id":"`+smsID+`","status":"`+said+`"}`).Status(t.Context(), account, smsID)
		if err != nil || string(got) != want {
			t.Errorf("got %q and %v, want %q", got, err, want)
		}
	}
	contacts, err := answering(t, 200, `[{"fnrOrgnr":"12047800155","telefonnummerStatus":"`+strings.Repeat("S", 6000)+`"}]`).Lookup(t.Context(), account, []dispatch.LookupNumber{"12047800155"})
	if err != nil || len(contacts) != 1 || len(contacts[0].Status) > 110 {
		t.Errorf("got %.200v, %v", contacts, err)
	}
}
