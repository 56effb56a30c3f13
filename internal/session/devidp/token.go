package devidp

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

type tokenAnswer struct {
	AccessToken string `json:"access_token"`
	TokenType   string `json:"token_type"`
	ExpiresIn   int    `json:"expires_in"`
	IDToken     string `json:"id_token"`
	Scope       string `json:"scope"`
}

// token exchanges a code for tokens.
func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	if status := p.memory.tokenFailure(); status != 0 {
		writeJSON(w, status, &refusal{"server_error", "told to fail"})
		return
	}
	g, problem := p.redeem(r)
	if problem != nil {
		if problem.status() == http.StatusUnauthorized {
			w.Header().Set("WWW-Authenticate", `Basic realm="devidp"`)
		}
		writeJSON(w, problem.status(), problem)
		return
	}
	answer, err := p.issue(g)
	if err != nil {
		writeJSON(w, http.StatusInternalServerError, &refusal{"server_error", "no token could be made"})
		return
	}
	writeJSON(w, http.StatusOK, answer)
}

// redeem returns the grant of a token request. The first attempt spends the code, even if it fails: a thief gets no
// second one.
func (p *Provider) redeem(r *http.Request) (*grant, *refusal) {
	if err := r.ParseForm(); err != nil || repeated(r.PostForm) {
		return nil, &refusal{"invalid_request", "the form cannot be read"}
	}
	client, problem := p.authenticate(r)
	if problem != nil {
		return nil, problem
	}
	form := r.PostForm
	switch {
	case form.Get("grant_type") == "":
		return nil, &refusal{"invalid_request", "grant_type is missing"}
	case form.Get("grant_type") != "authorization_code":
		return nil, &refusal{"unsupported_grant_type", "only authorization_code is supported"}
	case form.Get("code") == "":
		return nil, &refusal{"invalid_request", "code is missing"}
	}

	g, ok := p.memory.spend(form.Get("code"), client.ID)
	switch {
	case !ok:
		return nil, &refusal{"invalid_grant", "the code is unknown, spent or revoked"}
	case !p.now().Before(g.expires):
		return nil, &refusal{"invalid_grant", "the code has expired"}
	case form.Get("redirect_uri") != g.request.redirectURI:
		return nil, &refusal{"invalid_grant", "redirect_uri is not the one of the authorization request"}
	case !provenBy(form.Get("code_verifier"), g.request.challenge):
		return nil, &refusal{"invalid_grant", "code_verifier does not match code_challenge"}
	}
	return g, nil
}

// authenticate identifies a client by client_secret_basic or client_secret_post.
func (p *Provider) authenticate(r *http.Request) (Client, *refusal) {
	id, secret := r.PostForm.Get("client_id"), r.PostForm.Get("client_secret")
	if user, password, ok := r.BasicAuth(); ok {
		if secret != "" {
			return Client{}, &refusal{"invalid_request", "the client authenticates in two ways"}
		}
		bodyID := id
		id, secret = unescapeBasic(user), unescapeBasic(password)
		if bodyID != "" && bodyID != id {
			return Client{}, &refusal{"invalid_request", "the request names two clients"}
		}
	}
	client, known := p.clients[id]
	if !known || subtle.ConstantTimeCompare([]byte(secret), []byte(client.Secret)) != 1 {
		return Client{}, &refusal{"invalid_client", "unknown client or wrong secret"}
	}
	return client, nil
}

// unescapeBasic decodes the form encoding inside Basic (RFC 6749 section 2.3.1). Malformed encoding matches no
// client.
func unescapeBasic(text string) string {
	plain, err := url.QueryUnescape(text)
	if err != nil {
		return ""
	}
	return plain
}

func provenBy(verifier, challenge string) bool {
	if len(verifier) < 43 || len(verifier) > 128 { // RFC 7636 section 4.1
		return false
	}
	hash := sha256.Sum256([]byte(verifier))
	computed := base64.RawURLEncoding.EncodeToString(hash[:])
	return subtle.ConstantTimeCompare([]byte(computed), []byte(challenge)) == 1
}

func (p *Provider) issue(g *grant) (tokenAnswer, error) {
	now := p.now()
	access := p.memory.issueToken(g, now, now.Add(p.tokenLifetime))
	idToken, err := p.idToken(g, access, now)
	if err != nil {
		return tokenAnswer{}, fmt.Errorf("sign id token: %w", err)
	}
	return tokenAnswer{
		AccessToken: access,
		TokenType:   "Bearer",
		ExpiresIn:   int(p.tokenLifetime / time.Second),
		IDToken:     idToken,
		Scope:       g.request.scope,
	}, nil
}
