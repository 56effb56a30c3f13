package devidp

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// loginPatience is how long a login page stays valid.
const loginPatience = 30 * time.Minute

// refusal is an OAuth error, in a redirect or as JSON.
type refusal struct {
	Code        string `json:"error"`
	Description string `json:"error_description"`
}

func (f *refusal) status() int {
	if f.Code == "invalid_client" {
		return http.StatusUnauthorized
	}
	return http.StatusBadRequest
}

// authRequest is an authorization request.
type authRequest struct {
	client      Client
	redirectURI string
	state       string
	nonce       string
	scope       string
	challenge   string
	level       string // acr of the login: the first requested one that is supported
	prompt      []string
	maxAge      time.Duration // negative if not given
	expires     time.Time
}

// read reads the parameters other than client and redirect address. Those are validated before, since they decide
// where errors go.
func (a *authRequest) read(q url.Values) *refusal {
	a.state, a.nonce, a.scope = q.Get("state"), q.Get("nonce"), q.Get("scope")
	switch {
	case repeated(q):
		return &refusal{"invalid_request", "a parameter is given twice"}
	case q.Get("request") != "":
		return &refusal{"request_not_supported", "request objects are not supported"}
	case q.Get("request_uri") != "":
		return &refusal{"request_uri_not_supported", "request objects are not supported"}
	case q.Get("response_type") == "":
		return &refusal{"invalid_request", "response_type is missing"}
	case q.Get("response_type") != "code":
		return &refusal{"unsupported_response_type", "only code is supported"}
	case q.Get("response_mode") != "" && q.Get("response_mode") != "query":
		return &refusal{"invalid_request", "only response_mode query is supported"}
	case !slices.Contains(strings.Fields(a.scope), "openid"):
		return &refusal{"invalid_scope", "openid is missing from scope"}
	}
	a.level = assuranceLevel
	for _, level := range slices.Backward(strings.Fields(q.Get("acr_values"))) {
		if slices.Contains(assuranceLevels(), level) {
			a.level = level
		}
	}
	if problem := a.readChallenge(q); problem != nil {
		return problem
	}
	return a.readPrompt(q)
}

func (a *authRequest) readChallenge(q url.Values) *refusal {
	a.challenge = q.Get("code_challenge")
	hash, err := base64.RawURLEncoding.Strict().DecodeString(a.challenge)
	switch {
	case a.challenge == "":
		return &refusal{"invalid_request", "code_challenge is missing: PKCE is required"}
	case q.Get("code_challenge_method") != "S256":
		return &refusal{"invalid_request", "code_challenge_method must be S256"}
	case err != nil || len(hash) != 32:
		return &refusal{"invalid_request", "code_challenge is not a SHA-256 in base64url"}
	}
	return nil
}

func (a *authRequest) readPrompt(q url.Values) *refusal {
	a.prompt = strings.Fields(q.Get("prompt"))
	for _, value := range a.prompt {
		if !slices.Contains(promptValues(), value) {
			return &refusal{"invalid_request", "unknown prompt"}
		}
	}
	if a.silent() && len(a.prompt) > 1 {
		return &refusal{"invalid_request", "prompt none goes with no other"}
	}

	a.maxAge = -1
	if text := q.Get("max_age"); text != "" {
		seconds, err := strconv.ParseUint(text, 10, 31)
		if err != nil {
			return &refusal{"invalid_request", "max_age is not a number of seconds"}
		}
		a.maxAge = time.Duration(seconds) * time.Second
	}
	return nil
}

// silent tells that no page may be shown (prompt=none).
func (a *authRequest) silent() bool { return slices.Contains(a.prompt, "none") }

// accepts tells whether an earlier login suffices. A max_age of zero means prompt=login, even within one tick of the
// clock.
func (a *authRequest) accepts(s session, now time.Time) bool {
	if slices.Contains(a.prompt, "login") || slices.Contains(a.prompt, "select_account") || a.maxAge == 0 {
		return false
	}
	return a.maxAge < 0 || now.Sub(s.at) <= a.maxAge
}

func promptValues() []string { return []string{"none", "login", "consent", "select_account"} }

func repeated(q url.Values) bool {
	for _, values := range q {
		if len(values) > 1 {
			return true
		}
	}
	return false
}
