package clients

import (
	"errors"
	"net/http"
	"strings"

	"golang.org/x/oauth2"

	"utsending/internal/dispatch"
)

// tokenError classifies a failed fetch: a 4xx or a redirect refuses the integration; anything else is temporary, even
// a success without a token (a proxy's login page). Nothing was sent in any case.
func tokenError(err error) *Error {
	var sorted *Error
	if errors.As(err, &sorted) {
		return sorted
	}
	var refused *oauth2.RetrieveError
	if !errors.As(err, &refused) || refused.Response == nil {
		return &Error{Outcome: dispatch.OutcomeUnavailable, Key: "reason.token_unavailable"}
	}
	return tokenAnswer(refused.Response.StatusCode, refused.Response.Header, refused.ErrorCode, refused.ErrorDescription)
}

// tokenAnswer classifies an answer of a token endpoint without a token.
func tokenAnswer(status int, header http.Header, code, description string) *Error {
	e := &Error{Outcome: dispatch.OutcomeUnavailable, Key: "reason.token_unavailable", HTTPStatus: status, RetryAfter: retryAfter(header)}
	if status >= 300 && status < 500 && status != http.StatusRequestTimeout && status != http.StatusTooManyRequests {
		e.Outcome, e.Scope, e.Key = dispatch.OutcomeRefused, dispatch.ScopeIntegration, tokenReason(code, description)
	}
	return e
}

// tokenWords identify the mistakes that an administrator can correct (upstream facts, section 6). A description may
// echo what we sent: it is searched for these words and never stored.
//
// Assumption: errors of keys and clocks use these words. Most error numbers are not publicly known, so words decide.
var tokenWords = []struct{ words, key string }{
	{"jwt is expired", "reason.token_skew"}, {"claim iat", "reason.token_skew"}, {"claim exp", "reason.token_skew"},
	{"issued in the future", "reason.token_skew"}, {"clock", "reason.token_skew"},
	{"mp-120", "reason.token_key"}, {"mp-121", "reason.token_key"}, {"expired key", "reason.token_key"},
	{"key identifier", "reason.token_key"}, {"signature", "reason.token_key"}, {"certificate", "reason.token_key"},
}

func tokenReason(code, description string) string {
	if code == "invalid_scope" {
		return "reason.token_scope"
	}
	said := strings.ToLower(description)
	for _, w := range tokenWords {
		if strings.Contains(said, w.words) {
			return w.key
		}
	}
	return "reason.token_refused"
}

// refusedToken is the error of credentials that cannot yield a token; no call was made.
func refusedToken(key string, cause error) error {
	return errors.Join(&Error{Outcome: dispatch.OutcomeRefused, Scope: dispatch.ScopeIntegration, Key: key}, cause)
}
