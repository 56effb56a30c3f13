package devidp

import (
	"crypto/sha256"
	"encoding/base64"
	"maps"
	"net/http"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4/jwt"
)

// protocolClaims are the claims that a Person cannot set.
func protocolClaims() []string {
	return []string{"iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "sid", "at_hash"}
}

func (p *Provider) idToken(g *grant, access string, now time.Time) (string, error) {
	claims := map[string]any{"acr": g.request.level}
	maps.Copy(claims, g.session.person.facts())
	maps.Copy(claims, map[string]any{
		"iss":       p.issuer,
		"aud":       g.request.client.ID,
		"exp":       now.Add(p.tokenLifetime).Unix(),
		"iat":       now.Unix(),
		"auth_time": g.session.at.Unix(),
		"sid":       g.session.sid,
		"at_hash":   halfHash(access),
	})
	if g.request.nonce != "" {
		claims["nonce"] = g.request.nonce
	}
	return jwt.Signed(p.signer).Claims(claims).Serialize()
}

// facts are the claims about a person in id token and userinfo.
func (p Person) facts() map[string]any {
	facts := map[string]any{"name": p.Name}
	maps.Copy(facts, p.Claims)
	facts["sub"] = p.Subject
	return facts
}

// halfHash is at_hash: it binds an access token to its id token (OpenID Connect Core, section 3.1.3.6).
func halfHash(access string) string {
	hash := sha256.Sum256([]byte(access))
	return base64.RawURLEncoding.EncodeToString(hash[:len(hash)/2])
}

func (p *Provider) userinfo(w http.ResponseWriter, r *http.Request) {
	kind, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(kind, "Bearer") {
		w.Header().Set("WWW-Authenticate", `Bearer realm="devidp"`)
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	s, ok := p.memory.holder(token, p.now())
	if !ok {
		w.Header().Set("WWW-Authenticate", `Bearer realm="devidp", error="invalid_token"`)
		writeJSON(w, http.StatusUnauthorized, &refusal{"invalid_token", "the token is unknown, expired or revoked"})
		return
	}
	writeJSON(w, http.StatusOK, s.person.facts())
}
