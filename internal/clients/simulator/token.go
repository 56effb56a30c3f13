package simulator

import (
	"cmp"
	"errors"
	"mime"
	"net/http"
	"net/url"
)

// Special arguments of [Simulator.RefuseTokens] besides HTTP statuses.
const (
	CutConnection  = -1 // drops the connection instead of answering
	TokenHTML      = -2 // answers 200 with HTML, as a proxy may
	TokenHTMLError = -3 // answers 502 with HTML
)

const defaultScope = "ks:fiks"

type tokenResponse struct {
	AccessToken string `json:"access_token"`
	TokenType   string `json:"token_type"`
	ExpiresIn   *int64 `json:"expires_in,omitempty"`
	Scope       string `json:"scope"`
}

type tokenError struct {
	Error       string `json:"error"`
	Description string `json:"error_description"`
	URI         string `json:"error_uri,omitempty"`
}

// RefuseTokens makes the token endpoint answer with this status, or as [CutConnection], [TokenHTML] or
// [TokenHTMLError] says, until it is called with 0. Issued tokens stay valid.
func (s *Simulator) RefuseTokens(status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refusal = status
}

func (s *Simulator) registerTokens() {
	s.Mux.HandleFunc("POST /token", s.Operation(OpToken, s.token))
	s.Mux.HandleFunc("GET /.well-known/oauth-authorization-server", s.Operation(OpDiscovery, s.discovery))
}

// discoveryDocument is the part of RFC 8414 that a client of the token endpoint needs.
type discoveryDocument struct {
	Issuer     string   `json:"issuer"`
	Token      string   `json:"token_endpoint"`
	Grants     []string `json:"grant_types_supported"`
	Algorithms []string `json:"token_endpoint_auth_signing_alg_values_supported"`
}

func (s *Simulator) discovery(x *Exchange) {
	x.answer(http.StatusOK, discoveryDocument{
		Issuer: x.issuer(), Token: x.Origin() + "token",
		Grants: []string{"client_credentials", jwtGrant}, Algorithms: []string{"RS256", "RS384", "RS512"},
	})
}

// Origin is the address that the caller used, without the path.
func (x *Exchange) Origin() string {
	scheme := "http"
	if x.Request.TLS != nil {
		scheme = "https"
	}
	return scheme + "://" + x.Request.Host + "/"
}

func (x *Exchange) issuer() string { return cmp.Or(x.Sim.Options.Issuer, x.Origin()) }

func (s *Simulator) token(x *Exchange) {
	if s.refuseToken(x) {
		return
	}
	form, err := readForm(x)
	switch {
	case err != nil:
		x.malformedGrant(err)
	case form.Get("grant_type") == jwtGrant:
		s.grantByAssertion(x, form)
	default:
		s.grantBySecret(x, form)
	}
}

// grantBySecret is the client credentials grant (RFC 6749, section 4.4).
func (s *Simulator) grantBySecret(x *Exchange, form url.Values) {
	id, secret, err := clientCredentials(x.Request, form)
	switch {
	case err != nil:
		x.malformedGrant(err)
	case !s.Accepts(s.clients, id, secret):
		x.w.Header().Set("WWW-Authenticate", "Basic")
		x.tokenError(http.StatusUnauthorized, "invalid_client", "unknown client or wrong secret")
	case form.Get("grant_type") != "client_credentials":
		x.tokenError(http.StatusBadRequest, "unsupported_grant_type", "only client_credentials and "+jwtGrant)
	default:
		x.grant(Credential{ClientID: id, ClientSecret: secret}, cmp.Or(form.Get("scope"), defaultScope))
	}
}

// grant answers with a token.
func (x *Exchange) grant(to Credential, scope string) {
	x.Identify(func(c *Credential) { *c = to })
	x.w.Header().Set("Cache-Control", "no-store")
	x.answer(http.StatusOK, x.Sim.issue(to, scope))
}

func (x *Exchange) malformedGrant(err error) {
	x.Violate(err.Error())
	x.tokenError(http.StatusBadRequest, "invalid_request", err.Error())
}

// refuseToken answers as RefuseTokens asked.
func (s *Simulator) refuseToken(x *Exchange) bool {
	s.mu.Lock()
	status := s.refusal
	s.mu.Unlock()
	if status == 0 {
		return false
	}
	x.Note(func(c *Call) { c.Fault = "RefuseTokens" })
	switch {
	case status == CutConnection:
		x.cut()
	case status == TokenHTML:
		x.html(http.StatusOK)
	case status == TokenHTMLError:
		x.html(http.StatusBadGateway)
	case status >= 500:
		x.tokenError(status, "temporarily_unavailable", "simulated")
	default:
		x.tokenError(status, "invalid_client", "simulated")
	}
	return true
}

func (x *Exchange) tokenError(status int, code, description string) {
	x.answer(status, tokenError{Error: code, Description: description})
}

func readForm(x *Exchange) (url.Values, error) {
	kind, _, err := mime.ParseMediaType(x.Request.Header.Get("Content-Type"))
	if err != nil || kind != "application/x-www-form-urlencoded" {
		return nil, errors.New("Content-Type is not application/x-www-form-urlencoded")
	}
	return parseForm(string(x.Body))
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

// clientCredentials reads the pair from the Basic header, where both halves are form-encoded (RFC 6749 section
// 2.3.1), or from the form.
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
