package smsapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"utsending/internal/clients/simulator"
	"utsending/internal/clients/smsapi"
	"utsending/internal/dispatch"
)

func TestARevokedTokenIsMendedByAFreshOne(t *testing.T) {
	t.Parallel()
	calls := map[string]func(t *testing.T, g *rig, id string) error{
		"send": func(t *testing.T, g *rig, _ string) error {
			_, err := g.send(t, "40000101")
			return err
		},
		"sendBatch": func(t *testing.T, g *rig, _ string) error {
			return g.client.SendBatch(t.Context(), account, []dispatch.Phone{"40000101"}, "Hei", false, nil)
		},
		"hentStatus": func(t *testing.T, g *rig, id string) error {
			_, err := g.client.Status(t.Context(), account, id)
			return err
		},
		"oppslag": func(t *testing.T, g *rig, _ string) error {
			_, err := g.client.Lookup(t.Context(), account, []dispatch.LookupNumber{"987654321"})
			return err
		},
	}
	for operation, call := range calls {
		t.Run(operation, func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{})
			id := g.accepted(t, "40000100")
			before := g.calls(operation)
			g.sim.RevokeTokens()
			if err := call(t, g, id); err != nil {
				t.Errorf("got error %v, want none", err)
			}
			g.checkCalls(t, operation, before+2)
			g.checkCalls(t, simulator.OpToken, 2)
		})
	}
}

func TestAPersistent401IsRefused(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{Integrations: map[string]string{"the-integration": "hunter2-hunter2"}, SMSIntegration: true})
	want := result{dispatch.OutcomeRefused, dispatch.ScopeIntegration, "reason.unauthorized", 401}
	for n := 1; n <= 3; n++ {
		_, err := g.send(t, "40000100")
		checkResult(t, err, want)
		g.checkCalls(t, simulator.OpSend, 2*n)
	}
	_, err := g.client.Status(t.Context(), account, smsID)
	checkResult(t, err, want)
	if got := g.sim.Books(); got != nil {
		t.Errorf("got %d in the books, want none", len(got))
	}
}

func TestIntegrationHeaders(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{Integrations: map[string]string{"the-integration": "hunter2-hunter2"}, SMSIntegration: true})
	for name, tt := range map[string]struct {
		id       string
		password dispatch.Secret
		want     dispatch.Outcome
	}{
		"both as the service knows them": {"the-integration", "hunter2-hunter2", dispatch.OutcomeAccepted},
		"a wrong password":               {"the-integration", "hunter3-hunter3", dispatch.OutcomeRefused},
		"a wrong id":                     {"another", "hunter2-hunter2", dispatch.OutcomeRefused},
		"none":                           {"", "", dispatch.OutcomeRefused},
		"a password alone":               {"", "hunter2-hunter2", dispatch.OutcomeRefused},
	} {
		t.Run(name, func(t *testing.T) {
			o := options(t, g.url)
			o.IntegrationID, o.IntegrationPassword = tt.id, tt.password
			_, err := smsapi.New(o).Send(t.Context(), account, to("40000100"), nil)
			if got := resultOf(t, err); got.outcome != tt.want {
				t.Errorf("got %+v, want %s", got, tt.want)
			}
		})
	}
}

func TestTokenEndpointInTrouble(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		status int
		want   result
	}{
		"refusing with 400": {400, result{dispatch.OutcomeRefused, dispatch.ScopeIntegration, "reason.token_refused", 400}},
		"refusing with 401": {401, result{dispatch.OutcomeRefused, dispatch.ScopeIntegration, "reason.token_refused", 401}},
		"down with 500":     {500, result{dispatch.OutcomeUnavailable, "", "reason.token_unavailable", 500}},
		"down with 503":     {503, result{dispatch.OutcomeUnavailable, "", "reason.token_unavailable", 503}},
		"not answering":     {simulator.CutConnection, result{dispatch.OutcomeUnavailable, "", "reason.token_unavailable", 0}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{})
			g.sim.RefuseTokens(tt.status)
			_, err := g.send(t, "40000100")
			checkResult(t, err, tt.want)
			_, err = g.client.Status(t.Context(), account, smsID)
			checkResult(t, err, tt.want)
			g.checkCalls(t, simulator.OpSend, 0)
			g.checkCalls(t, simulator.OpStatus, 0)

			g.sim.RefuseTokens(0)
			g.accepted(t, "40000100")
		})
	}
}

func TestTokenEndpointInTroubleAfterA401(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	g.accepted(t, "40000100")
	g.sim.RevokeTokens()
	g.sim.RefuseTokens(http.StatusServiceUnavailable)
	_, err := g.send(t, "40000101")
	checkResult(t, err, result{dispatch.OutcomeUnavailable, "", "reason.token_unavailable", 503})
	g.sim.RefuseTokens(0)
	g.accepted(t, "40000101")
	if got := len(g.sim.Books()); got != 2 {
		t.Errorf("got %d in the books, want 2", got)
	}
}

func TestNoAccessToTheAccount(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{Accounts: []string{smsID}})
	_, err := g.send(t, "40000100")
	checkResult(t, err, result{dispatch.OutcomeRefused, dispatch.ScopeAccount, "reason.forbidden", 403})
	g.checkCalls(t, simulator.OpSend, 1)
}

func TestErrorsAndClientsTellNoSecrets(t *testing.T) {
	t.Parallel()
	url := handledServer(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = fmt.Fprintf(w, `{"message":"40000567 %s","errorId":"40000567"}`, r.Header.Get("Authorization"))
	})
	o := options(t, url)
	o.IntegrationID, o.IntegrationPassword = "the-integration", "hunter2-hunter2"
	c := smsapi.New(o)
	_, echoed := c.Send(t.Context(), account, to("40000567"), nil) // leaves a token that was dropped
	o.BaseURL = "http://127.0.0.1:1"
	_, unreachable := smsapi.New(o).Send(t.Context(), account, to("40000567"), nil)
	every := []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"}
	logged := []string{"%v", "%+v"} // the others are refused by vet, or show what the service said, which is for people
	for name, tt := range map[string]struct {
		value any
		verbs []string
	}{
		"a client":                 {c, every},
		"the client itself":        {*c, every},
		"a source of tokens":       {o.Tokens, every},
		"the options":              {o, logged},
		"an error that echoes":     {echoed, logged},
		"an error with an address": {unreachable, every},
	} {
		for _, verb := range tt.verbs {
			got := fmt.Sprintf(verb, tt.value)
			for _, hidden := range []string{"hunter2-hunter2", "hush-hush", "a-token", "40000567", fmt.Sprintf("%x", "hunter2-hunter2")} {
				if strings.Contains(got, hidden) {
					t.Errorf("%s: got %q for %s, want no %q", name, got, verb, hidden)
				}
			}
		}
	}
}
