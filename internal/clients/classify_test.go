package clients_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"utsending/internal/clients"
	"utsending/internal/dispatch"
)

const message = `{"status":400,"errorId":"6f1c2c9e-6d0a-4b43-9a77-0f6a5f0d2b11","message":"Ugyldig"}`

// rule is one line of the table of outcomes; a nil condition means either way.
type rule struct {
	name     string
	statuses []int
	sent     *bool
	message  *bool
	need     *bool // whether a rejection needs an ErrorMessage
	outcome  dispatch.Outcome
	scope    dispatch.Scope
	key      string
}

func rules() []rule {
	yes, no := new(true), new(false)
	rejections := []int{400, 409, 413, 422}
	own4xx := append([]int{401, 403, 408, 429}, rejections...)
	integration, account := dispatch.ScopeIntegration, dispatch.ScopeAccount
	return []rule{
		{"a redirect refuses the integration", span(300, 399), nil, nil, nil, dispatch.OutcomeRefused, integration, "redirect"},
		{"an ErrorMessage rejects", rejections, nil, yes, nil, dispatch.OutcomeRejected, "", "rejected"},
		{"no ErrorMessage rejects where none is needed", rejections, nil, no, no, dispatch.OutcomeRejected, "", "rejected"},
		{"no ErrorMessage is uncertain where one is needed", rejections, nil, no, yes, dispatch.OutcomeUncertain, "", "not_understood"},
		{"401 refuses the integration", []int{401}, nil, nil, nil, dispatch.OutcomeRefused, integration, "unauthorized"},
		{"403 refuses the account", []int{403}, nil, nil, nil, dispatch.OutcomeRefused, account, "forbidden"},
		{"408 is uncertain", []int{408}, nil, nil, nil, dispatch.OutcomeUncertain, "", "timeout"},
		{"429 is unavailable", []int{429}, nil, nil, nil, dispatch.OutcomeUnavailable, "", "busy"},
		{"any other 4xx refuses the integration", except(span(400, 499), own4xx), nil, nil, nil, dispatch.OutcomeRefused, integration, "wrong_address"},
		{"503 is unavailable", []int{503}, nil, nil, nil, dispatch.OutcomeUnavailable, "", "busy"},
		{"an early 5xx is unavailable", except(span(500, 599), []int{503}), no, nil, nil, dispatch.OutcomeUnavailable, "", "early_error"},
		{"a 5xx is uncertain", except(span(500, 599), []int{503}), yes, nil, nil, dispatch.OutcomeUncertain, "", "server_error"},
		{"a success that was not understood is uncertain", span(200, 299), nil, nil, nil, dispatch.OutcomeUncertain, "", "not_understood"},
	}
}

func TestClassify(t *testing.T) {
	t.Parallel()
	var covered int
	for _, r := range rules() {
		for _, status := range r.statuses {
			for _, sent := range either(r.sent) {
				for _, hasMessage := range either(r.message) {
					for _, need := range either(r.need) {
						covered++
						x := clients.Exchange{Status: status, Sent: sent}
						if hasMessage {
							x.Body = []byte(message)
						}
						checkRule(t, r, x, need)
					}
				}
			}
		}
	}
	if want := 400 * 8; covered != want {
		t.Errorf("got %d cases, want each of %d once", covered, want)
	}
}

func checkRule(t *testing.T, r rule, x clients.Exchange, need bool) {
	t.Helper()
	got := clients.Classify(x, need)
	if got.Outcome != r.outcome || got.Scope != r.scope || got.Key != "reason."+r.key {
		t.Errorf("%s: got %s, scope %q, %s for %d, sent %t, need %t", r.name, got.Outcome, got.Scope, got.Key, x.Status, x.Sent, need)
	}
	if got.HTTPStatus != x.Status || (got.Message == nil) != (x.Body == nil) {
		t.Errorf("%s: got status %d, message %v, want those of the answer %d", r.name, got.HTTPStatus, got.Message, x.Status)
	}
}

// A proxy that had passed the request on does not know what became of it; one that never reached the service does.
func TestClassifyCutOnTheWay(t *testing.T) {
	t.Parallel()
	const cut = "upstream connect error or disconnect/reset before headers. reset reason: "
	for name, tt := range map[string]struct {
		body    string
		sent    bool
		outcome dispatch.Outcome
	}{
		"after the request":       {cut + "connection termination", true, dispatch.OutcomeUncertain},
		"in the request":          {cut + "connection termination", false, dispatch.OutcomeUnavailable},
		"by the service":          {cut + "remote reset", true, dispatch.OutcomeUncertain},
		"no connection":           {cut + "connection failure", true, dispatch.OutcomeUnavailable},
		"no connection in time":   {cut + "connection timeout", true, dispatch.OutcomeUnavailable},
		"too many for the proxy":  {cut + "overflow", true, dispatch.OutcomeUnavailable},
		"the service is busy":     {`{"status":503,"message":"Nede"}`, true, dispatch.OutcomeUnavailable},
		"a page about the matter": {"<h1>503 Service Unavailable</h1>", true, dispatch.OutcomeUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := clients.Classify(clients.Exchange{Status: 503, Sent: tt.sent, Body: []byte(tt.body)}, true)
			if got.Outcome != tt.outcome {
				t.Errorf("got %s, want %s", got.Outcome, tt.outcome)
			}
		})
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
			for _, need := range []bool{true, false} {
				got := clients.Classify(tt.exchange, need)
				if got.Outcome != tt.outcome || got.Key != tt.key || got.Scope != "" || got.HTTPStatus != 0 {
					t.Errorf("got %s, %s, %q, %d, want %s, %s", got.Outcome, got.Key, got.Scope, got.HTTPStatus, tt.outcome, tt.key)
				}
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
			if got := clients.Classify(x, true).RetryAfter; got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestReading(t *testing.T) {
	t.Parallel()
	for status := range 600 {
		for _, sent := range []bool{true, false} {
			x := clients.Exchange{Status: status, Sent: sent}
			was, got := clients.Classify(x, false), clients.Reading(clients.Classify(x, false))
			want := was.Outcome
			if want == dispatch.OutcomeUncertain {
				want = dispatch.OutcomeUnavailable
			}
			if got.Outcome != want || got.Key != was.Key || got.HTTPStatus != was.HTTPStatus {
				t.Errorf("got %s, %s for %d, want %s, %s", got.Outcome, got.Key, status, want, was.Key)
			}
		}
	}
	if got := clients.Reading(nil); got != nil {
		t.Errorf("got %v, want nil", got)
	}
}

// span lists the numbers from first to last.
func span(first, last int) []int {
	var all []int
	for n := first; n <= last; n++ {
		all = append(all, n)
	}
	return all
}

func except(all, not []int) []int {
	return slices.DeleteFunc(all, func(n int) bool { return slices.Contains(not, n) })
}

func either(condition *bool) []bool {
	if condition == nil {
		return []bool{true, false}
	}
	return []bool{*condition}
}
