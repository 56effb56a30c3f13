package simulator

import (
	"cmp"
	"crypto/hmac"
	"errors"
	"mime"
	"net/http"
	"net/url"
)

// CutConnection, given to [Simulator.RefuseTokens], drops the connection instead of answering.
const CutConnection = -1

const defaultScope = "ks:fiks"

type tokenResponse struct {
	AccessToken string `json:"access_token"`
	TokenType   string `json:"token_type"`
	ExpiresIn   int64  `json:"expires_in"`
	Scope       string `json:"scope"`
}

type tokenError struct {
	Error       string `json:"error"`
	Description string `json:"error_description"`
}

// RefuseTokens makes the token endpoint answer with this status until it is called with 0. [CutConnection] makes it
// drop the connection. Tokens already issued stay valid.
func (s *Simulator) RefuseTokens(status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refusal = status
}

func (s *Simulator) registerTokens() {
	s.mux.HandleFunc("POST /token", s.operation(OpToken, s.token))
}

func (s *Simulator) token(x *exchange) {
	if s.refuseToken(x) {
		return
	}
	g, err := readGrant(x)
	switch {
	case err != nil:
		x.violate(err.Error())
		x.tokenError(http.StatusBadRequest, "invalid_request", err.Error())
	case !s.knownClient(g.clientID, g.secret):
		x.w.Header().Set("WWW-Authenticate", "Basic")
		x.tokenError(http.StatusUnauthorized, "invalid_client", "unknown client or wrong secret")
	case g.kind != "client_credentials":
		x.tokenError(http.StatusBadRequest, "unsupported_grant_type", "only client_credentials")
	default:
		x.w.Header().Set("Cache-Control", "no-store")
		x.answer(http.StatusOK, s.issue(g.clientID, cmp.Or(g.scope, defaultScope)))
	}
}

// refuseToken plays what RefuseTokens asked for.
func (s *Simulator) refuseToken(x *exchange) bool {
	s.mu.Lock()
	status := s.refusal
	s.mu.Unlock()
	if status == 0 {
		return false
	}
	x.note(func(c *Call) { c.Fault = "RefuseTokens" })
	switch {
	case status == CutConnection:
		x.cut()
	case status >= 500:
		x.tokenError(status, "temporarily_unavailable", "simulated")
	default:
		x.tokenError(status, "invalid_client", "simulated")
	}
	return true
}

func (x *exchange) tokenError(status int, code, description string) {
	x.answer(status, tokenError{Error: code, Description: description})
}

// grant is what a token request asks for.
type grant struct{ kind, clientID, secret, scope string }

func readGrant(x *exchange) (grant, error) {
	kind, _, err := mime.ParseMediaType(x.r.Header.Get("Content-Type"))
	if err != nil || kind != "application/x-www-form-urlencoded" {
		return grant{}, errors.New("Content-Type is not application/x-www-form-urlencoded")
	}
	form, err := parseForm(string(x.body))
	if err != nil {
		return grant{}, err
	}
	id, secret, err := clientCredentials(x.r, form)
	if err != nil {
		return grant{}, err
	}
	return grant{kind: form.Get("grant_type"), clientID: id, secret: secret, scope: form.Get("scope")}, nil
}

// parseForm refuses a parameter given twice, as RFC 6749 section 3.2 wants it.
func parseForm(body string) (url.Values, error) {
	form, err := url.ParseQuery(body)
	if err != nil {
		return nil, errors.New("broken form")
	}
	for name, values := range form {
		if len(values) > 1 {
			return nil, errors.New("parameter " + name + " is given twice")
		}
	}
	return form, nil
}

// clientCredentials takes the pair from the Basic header, where both halves are form encoded (RFC 6749 section 2.3.1),
// or from the form.
func clientCredentials(r *http.Request, form url.Values) (id, secret string, err error) {
	user, password, basic := r.BasicAuth()
	if !basic {
		return form.Get("client_id"), form.Get("client_secret"), nil
	}
	if form.Has("client_secret") {
		return "", "", errors.New("credentials in both header and form")
	}
	id, errID := url.QueryUnescape(user)
	secret, errSecret := url.QueryUnescape(password)
	if errors.Join(errID, errSecret) != nil {
		return "", "", errors.New("credentials in the header are not form encoded")
	}
	return id, secret, nil
}

func (s *Simulator) knownClient(id, secret string) bool {
	if id == "" || secret == "" {
		return false
	}
	if len(s.options.Clients) == 0 {
		return true
	}
	want, ok := s.options.Clients[id]
	return ok && hmac.Equal([]byte(want), []byte(secret))
}
