package clients_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"utsending/internal/clients"
	"utsending/internal/dispatch"
)

// bodies are what answers have been seen to hold (upstream facts, and whoever stands before a service). %d is the status.
var bodies = map[string]struct {
	text string
	own  bool // the service itself has written it
}{
	"none":                           {"", false},
	"a page of nginx":                {"<html><head><title>%d</title></head><body><center><h1>%[1]d</h1></center><hr><center>nginx</center></body></html>", false},
	"a page of a firewall":           {"<!DOCTYPE html><p>The requested URL was rejected. Your support ID is: 1290", false},
	"words of Envoy":                 {"upstream connect error or disconnect/reset before headers. reset reason: connection failure", false},
	"JSON of a gateway":              {`{"message":"Service Unavailable"}`, false},
	"JSON of a framework":            {`{"timestamp":"2026-03-02T09:00:00.000+00:00","status":%d,"error":"Failed","path":"/api/v2"}`, false},
	"a problem (RFC 9457)":           {`{"type":"about:blank","title":"Failed","status":%d,"detail":"x","instance":"/x"}`, false},
	"a refusal of OAuth":             {`{"error":"invalid_token","error_description":"expired"}`, false},
	"an ErrorMessage":                {`{"timestamp":1,"status":%d,"error":"x","errorId":"6f1c2c9e-6d0a-4b43-9a77-0f6a5f0d2b11","path":"/x","message":"Ugyldig"}`, true},
	"an ErrorMessage without status": {`{"errorId":"6f1c2c9e-6d0a-4b43-9a77-0f6a5f0d2b11"}`, true},
	"an ErrorMessage of 418":         {`{"status":418,"errorId":"6f1c2c9e-6d0a-4b43-9a77-0f6a5f0d2b11"}`, false},
	"an older ErrorMessage of V1":    {`{"errorcode":"UGYLDIG","message":"Ugyldig innhold"}`, true},
	"a code alone":                   {`{"errorCode":"E17"}`, false},
	"half an ErrorMessage":           {`{"status":%d,"errorId":"6f1c2c9e-6d0a-4b43-9a77-`, false},
}

// body writes a body of an answer with a status, and tells whether it is the service's own.
func body(kind string, status int) ([]byte, bool) {
	b := bodies[kind]
	if !strings.Contains(b.text, "%") {
		return []byte(b.text), b.own
	}
	return fmt.Appendf(nil, b.text, status), b.own
}

// ending is what an answer comes to.
type ending struct {
	outcome dispatch.Outcome
	scope   dispatch.Scope
	key     string
}

// proven is what an answer comes to that proves that nothing was taken.
func proven(status int, own bool) ending {
	unavailable := func(key string) ending { return ending{dispatch.OutcomeUnavailable, "", key} }
	refused := func(scope dispatch.Scope, key string) ending { return ending{dispatch.OutcomeRefused, scope, key} }
	switch {
	case status == 413:
		return ending{dispatch.OutcomeRejected, "", "too_large"}
	case own && slices.Contains([]int{400, 409, 422}, status):
		return ending{dispatch.OutcomeRejected, "", "rejected"}
	case status == 401:
		return refused(dispatch.ScopeIntegration, "unauthorized")
	case status == 403 && own:
		return refused(dispatch.ScopeAccount, "forbidden")
	case status == 403:
		return refused(dispatch.ScopeAccount, "blocked")
	case status == 429 || status == 503:
		return unavailable("busy")
	case status >= 300 && status < 400:
		return refused(dispatch.ScopeIntegration, "redirect")
	case status >= 400 && status < 500 && status != 408:
		return refused(dispatch.ScopeIntegration, "wrong_address")
	}
	return unavailable("early_error")
}

// unproven is what an answer comes to that proves nothing: uncertain, whatever it is.
func unproven(status int) ending {
	w := ending{outcome: dispatch.OutcomeUncertain, key: "not_its_own"}
	switch {
	case status < 300:
		w.key = "not_understood"
	case status < 400:
		w.scope, w.key = dispatch.ScopeIntegration, "redirect"
	case slices.Contains([]int{401, 404, 405}, status):
		w.scope = dispatch.ScopeIntegration
	case status == 403:
		w.scope, w.key = dispatch.ScopeAccount, "blocked"
	case status == 408:
		w.key = "timeout"
	case status == 413:
		w.key = "perhaps_too_large"
	case status >= 500 && status != 503:
		w.key = "server_error"
	}
	return w
}

// TestClassify holds the table against every status with every body, come before and after the last byte went out. Only these
// prove that nothing was taken: the last byte never went out, or the service itself says so with a 4xx but 408, or a 503.
func TestClassify(t *testing.T) {
	t.Parallel()
	for status := 200; status < 600; status++ {
		for kind := range bodies {
			for _, sent := range []bool{true, false} {
				text, own := body(kind, status)
				told := own && (status >= 400 && status < 500 && status != 408 || status == 503)
				if kind == "an ErrorMessage of 418" && status == 418 {
					own, told = true, true
				}
				w := unproven(status)
				if !sent || told {
					w = proven(status, own)
				}
				got := clients.Classify(clients.Exchange{Status: status, Sent: sent, Body: text})
				if got.Outcome != w.outcome || got.Scope != w.scope || got.Key != "reason."+w.key || got.Own != own || got.HTTPStatus != status {
					t.Errorf("%d with %s, sent %t: got %s, scope %q, %s, own %t; want %+v", status, kind, sent, got.Outcome, got.Scope, got.Key, got.Own, w)
				}
				if got := clients.TookNothing(clients.Exchange{Status: status, Sent: sent, Body: text}); got != (w.outcome != dispatch.OutcomeUncertain) {
					t.Errorf("%d with %s, sent %t: taken for proof: %t", status, kind, sent, got)
				}
			}
		}
	}
}

func TestClassifyNoAnswer(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		exchange clients.Exchange
		outcome  dispatch.Outcome
		key      string
	}{
		"never sent":                    {clients.Exchange{}, dispatch.OutcomeUnavailable, "reason.unreachable"},
		"never sent before the timeout": {clients.Exchange{Timeout: true}, dispatch.OutcomeUnavailable, "reason.unreachable"},
		"sent, then silence":            {clients.Exchange{Sent: true, Timeout: true}, dispatch.OutcomeUncertain, "reason.timeout"},
		"sent, then cut":                {clients.Exchange{Sent: true}, dispatch.OutcomeUncertain, "reason.no_answer"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := clients.Classify(tt.exchange)
			if got.Outcome != tt.outcome || got.Key != tt.key || got.Scope != "" || got.HTTPStatus != 0 {
				t.Errorf("got %s, %s, %q, %d, want %s, %s", got.Outcome, got.Key, got.Scope, got.HTTPStatus, tt.outcome, tt.key)
			}
		})
	}
}

func TestClassifyRetryAfter(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		value string
		want  time.Duration
	}{
		"not asked":                      {"", 0},
		"seconds":                        {"7", 7 * time.Second},
		"no seconds":                     {"0", 0},
		"negative seconds":               {"-7", 0},
		"an hour":                        {"3600", time.Hour},
		"more than an hour":              {"3601", time.Hour},
		"more seconds than time can say": {"10000000000", time.Hour},
		"seconds that no integer holds":  {"99999999999999999999", 0},
		"a date that has passed":         {"Mon, 02 Mar 2026 09:00:00 GMT", 0},
		"a date long after":              {"Fri, 02 Mar 2296 09:00:00 GMT", time.Hour},
		"words":                          {"soon", 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := clients.Exchange{Status: 503, Header: http.Header{"Retry-After": {tt.value}}}
			if got := clients.Classify(x).RetryAfter; got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// Of a call that cannot send anything nothing is uncertain, and a refusal is one whoever says it.
func TestClassifyRead(t *testing.T) {
	t.Parallel()
	for status := 200; status < 600; status++ {
		for kind := range bodies {
			text, _ := body(kind, status)
			got := clients.ClassifyRead(clients.Exchange{Status: status, Sent: true, Body: text})
			refused := status >= 300 && status < 400 || status == 401 || status == 403 || status == 404
			if got.Outcome == dispatch.OutcomeUncertain || refused && (got.Outcome != dispatch.OutcomeRefused || got.Scope == "") {
				t.Errorf("got %s, scope %q, for %d with %s", got.Outcome, got.Scope, status, kind)
			}
		}
	}
	for _, timeout := range []bool{true, false} {
		if got := clients.ClassifyRead(clients.Exchange{Sent: true, Timeout: timeout}); got.Outcome != dispatch.OutcomeUnavailable {
			t.Errorf("got %s for no answer", got.Outcome)
		}
	}
	if got := clients.Reading(nil); got != nil {
		t.Errorf("got %v, want nil", got)
	}
}
