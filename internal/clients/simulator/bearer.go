package simulator

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"
)

type tokenHeader struct {
	Algorithm string `json:"alg"`
	Type      string `json:"typ"`
}

type tokenClaims struct {
	Issuer   string `json:"iss"`
	ClientID string `json:"client_id"`
	Scope    string `json:"scope"`
	IssuedAt int64  `json:"iat"`
	Expires  int64  `json:"exp"`
	ID       string `json:"jti"`
}

// RevokeTokens invalidates all issued tokens: calls are answered 401 until a new token is fetched.
func (s *Simulator) RevokeTokens() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.tokens)
}

// issued is a registered access token.
type issued struct {
	expires time.Time
	to      Credential
}

// issue creates and registers a token, and drops those that have expired.
func (s *Simulator) issue(to Credential, scope string) tokenResponse {
	now := s.Options.Now()
	expires := now.Add(s.Options.TokenLifetime)
	token := s.sign(tokenClaims{
		Issuer: "simulator", ClientID: to.ClientID, Scope: scope,
		IssuedAt: now.Unix(), Expires: expires.Unix(), ID: uuid.NewString(),
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	for old, t := range s.tokens {
		if !now.Before(t.expires) {
			delete(s.tokens, old)
		}
	}
	s.tokens[token] = issued{expires: expires, to: to}
	answer := tokenResponse{AccessToken: token, TokenType: "Bearer", Scope: scope}
	if s.Options.ExpiresIn > 0 {
		answer.ExpiresIn = new(int64(s.Options.ExpiresIn / time.Second))
	}
	return answer
}

// sign makes a JWT with HS256 (RFC 7515).
func (s *Simulator) sign(claims tokenClaims) string {
	b64 := base64.RawURLEncoding.EncodeToString
	payload := b64(encode(tokenHeader{Algorithm: "HS256", Type: "JWT"})) + "." + b64(encode(claims))
	mac := hmac.New(sha256.New, s.key)
	mac.Write([]byte(payload))
	return payload + "." + b64(mac.Sum(nil))
}

// CheckToken requires a bearer token that was issued here and has neither expired nor been revoked.
func (x *Exchange) CheckToken() bool {
	scheme, token, _ := strings.Cut(x.Request.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") || token == "" {
		x.Violate("no bearer token")
		x.FailWith(http.StatusUnauthorized, "no bearer token")
		return false
	}
	now := x.Sim.Options.Now()
	x.Sim.mu.Lock()
	known, ok := x.Sim.tokens[token]
	x.Sim.mu.Unlock()
	if !ok || !now.Before(known.expires) {
		x.FailWith(http.StatusUnauthorized, "token unknown or expired")
		return false
	}
	x.Identify(func(c *Credential) { *c = known.to })
	return true
}
