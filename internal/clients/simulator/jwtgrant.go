package simulator

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

const (
	jwtGrant = "urn:ietf:params:oauth:grant-type:jwt-bearer"

	maxSkew      = 10 * time.Second  // of iat
	maxAssertion = 120 * time.Second // from iat to exp

	troubleshooting = "https://docs.digdir.no/docs/Maskinporten/maskinporten_feilsoking"
)

// grantRefusal is a refusal by the JWT grant.
type grantRefusal struct {
	error, code, text string
	breach            bool // a correct client never sends this, whatever its settings and its clock
}

// The texts of the refusals begin as the operator's help page has them.
//
// Assumption: the numbers, but for MP-012, MP-100, MP-110, MP-120 and MP-121, and which refusal is told apart from
// which; the page does not list them all. The status is 400.
var (
	notAnAssertion = grantRefusal{"invalid_request", "MP-130", "Invalid assertion. Invalid parameter value", true}
	unknownClient  = grantRefusal{"invalid_grant", "MP-100", "Invalid assertion. Client authentication failed.", false}
	wrongAudience  = grantRefusal{"invalid_grant", "MP-110", "Invalid assertion. Client authentication failed. Invalid JWT claim aud", false}
	badCertificate = grantRefusal{"invalid_grant", "MP-120", "Invalid assertion. Client authentication failed. The JWT is signed with an invalid certificate.", false}
	unknownKey     = grantRefusal{"invalid_grant", "MP-122", "Invalid assertion. Client authentication failed. Unknown key identifier", false}
	badSignature   = grantRefusal{"invalid_grant", "MP-123", "Invalid assertion. Client authentication failed. Invalid JWT signature", false}
	wrongTime      = grantRefusal{"invalid_grant", "MP-124", "Invalid assertion. Client authentication failed. Invalid JWT claim iat", false}
	expired        = grantRefusal{"invalid_grant", "MP-124", "Invalid assertion. Client authentication failed. JWT is expired", false}
	wrongScope     = grantRefusal{"invalid_scope", "MP-200", "Token request contains invalid scopes for client", false}
	usedBefore     = grantRefusal{"invalid_grant", "MP-012", "Validation of JWT Bearer grant failed. Grant is used before", true}
)

// grantByAssertion is the JWT grant (RFC 7523, section 2.1) as Maskinporten wants it (upstream-facts, section 6).
func (s *Simulator) grantByAssertion(x *Exchange, form url.Values) {
	if _, _, basic := x.Request.BasicAuth(); basic || form.Has("client_id") || form.Has("client_secret") {
		x.refuseGrant(notAnAssertion, "other client authentication beside the assertion")
		return
	}
	a, err := readAssertion(form.Get("assertion"))
	if err != nil {
		x.refuseGrant(notAnAssertion, err.Error())
		return
	}
	if text := a.malformed(); text != "" {
		x.refuseGrant(notAnAssertion, text)
		return
	}
	key, no := s.keyFor(a)
	if no == nil {
		no = x.judge(a)
	}
	if no != nil {
		x.refuseGrant(*no, no.text)
		return
	}
	x.grant(Credential{ClientID: a.claims.Issuer, KeyID: key.name()}, a.claims.Scope)
}

// malformed returns the fault of an assertion that does not depend on its sender.
func (a *assertion) malformed() string {
	c := a.claims
	switch {
	case a.hash() == 0:
		return "alg is none of RS256, RS384 and RS512"
	case (a.header.KeyID == nil) == (len(a.chain) == 0):
		return "not exactly one of kid and x5c"
	case c.Audience == "" || c.Issuer == "" || c.Scope == "" || c.IssuedAt == 0 || c.Expires == 0:
		return "one of aud, iss, scope, iat and exp is missing"
	case c.Expires <= c.IssuedAt || c.Expires-c.IssuedAt > int64(maxAssertion/time.Second):
		return "exp is not within 120 seconds after iat"
	}
	return ""
}

// keyFor finds the key with which the assertion was signed.
func (s *Simulator) keyFor(a assertion) (Key, *grantRefusal) {
	keys := s.keysOf(a.claims.Issuer)
	key, ok := a.among(keys)
	switch {
	case len(keys) == 0:
		return key, &unknownClient
	case !ok && a.header.KeyID != nil:
		return key, &unknownKey
	case !ok || !a.isChain():
		return key, &badCertificate
	case !a.signedBy(key.public()):
		return key, &badSignature
	}
	return key, nil
}

// judge checks the claims of a signed assertion.
func (x *Exchange) judge(a assertion) *grantRefusal {
	now := x.Sim.Options.Now()
	skew := now.Sub(time.Unix(a.claims.IssuedAt, 0)).Abs()
	switch {
	case a.claims.Audience != x.issuer():
		return &wrongAudience
	case !now.Before(time.Unix(a.claims.Expires, 0)):
		return &expired
	case skew > maxSkew:
		return &wrongTime
	case !x.Sim.mayAsk(a.claims.Scope):
		return &wrongScope
	case !x.Sim.use(a):
		return &usedBefore
	}
	return nil
}

func (s *Simulator) mayAsk(scopes string) bool {
	return !slices.ContainsFunc(strings.Fields(scopes), func(scope string) bool {
		return !slices.Contains(s.Options.Scopes, scope)
	})
}

// refuseGrant records a violation with its detail, which is then in the answer too.
func (x *Exchange) refuseGrant(no grantRefusal, detail string) {
	description := no.code + ": " + no.text
	if no.breach {
		x.Violate(detail)
		if detail != no.text {
			description += " (" + detail + ")"
		}
	}
	x.answer(http.StatusBadRequest, tokenError{Error: no.error, Description: description, URI: troubleshooting})
}
