package simulator

import (
	"crypto"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
)

// assertion is a JWT made by a client (RFC 7515, compact form).
type assertion struct {
	header    assertionHeader
	claims    assertionClaims
	chain     []*x509.Certificate
	signed    string
	signature []byte
}

type assertionHeader struct {
	Algorithm string   `json:"alg"`
	KeyID     *string  `json:"kid"`
	Chain     []string `json:"x5c"`
}

// assertionClaims are all claims that the token endpoint accepts; others are refused (upstream-facts, section 6).
type assertionClaims struct {
	Audience    string `json:"aud"`
	Issuer      string `json:"iss"`
	Scope       string `json:"scope"`
	IssuedAt    int64  `json:"iat"`
	Expires     int64  `json:"exp"`
	ID          string `json:"jti"`
	Resource    string `json:"resource"`
	PersonID    string `json:"pid"`
	ConsumerOrg string `json:"consumer_org"`
	OnBehalfOf  string `json:"iss_onbehalfof"`
}

// readAssertion parses a JWT without verifying its signature.
func readAssertion(token string) (assertion, error) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return assertion{}, errors.New("assertion is not a JWT of three parts")
	}
	var raw [3][]byte
	for i, part := range parts {
		var err error
		if raw[i], err = base64.RawURLEncoding.Strict().DecodeString(part); err != nil {
			return assertion{}, errors.New("assertion is not base64url without padding")
		}
	}
	a := assertion{signed: parts[0] + "." + parts[1], signature: raw[2]}
	if json.Unmarshal(raw[0], &a.header) != nil {
		return assertion{}, errors.New("header of the assertion does not fit")
	}
	if err := DecodeStrict(raw[1], &a.claims); err != nil {
		return assertion{}, errors.New("claims of the assertion: " + err.Error())
	}
	return a, a.readChain()
}

// readChain reads x5c: certificates in base64, not base64url (RFC 7515, section 4.1.6).
func (a *assertion) readChain() error {
	for _, text := range a.header.Chain {
		der, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return errors.New("x5c is not base64")
		}
		c, err := x509.ParseCertificate(der)
		if err != nil {
			return errors.New("x5c holds something else than a certificate")
		}
		a.chain = append(a.chain, c)
	}
	return nil
}

// isChain tells whether each certificate of x5c is signed by the next one.
func (a *assertion) isChain() bool {
	for i := 1; i < len(a.chain); i++ {
		if a.chain[i-1].CheckSignatureFrom(a.chain[i]) != nil {
			return false
		}
	}
	return true
}

// hash is the algorithm's hash; 0 for other algorithms.
func (a *assertion) hash() crypto.Hash {
	return map[string]crypto.Hash{"RS256": crypto.SHA256, "RS384": crypto.SHA384, "RS512": crypto.SHA512}[a.header.Algorithm]
}

// signedBy verifies the signature.
func (a *assertion) signedBy(key *rsa.PublicKey) bool {
	if key == nil {
		return false
	}
	sum := a.hash().New()
	sum.Write([]byte(a.signed))
	return rsa.VerifyPKCS1v15(key, a.hash(), sum.Sum(nil), a.signature) == nil
}

// among finds the registered key that the header names.
func (a *assertion) among(keys []Key) (Key, bool) {
	for _, k := range keys {
		switch {
		case k.Certificate == nil && a.header.KeyID != nil && *a.header.KeyID == k.ID:
			return k, true
		case k.Certificate != nil && len(a.chain) > 0 && a.chain[0].Equal(k.Certificate):
			return k, true
		}
	}
	return Key{}, false
}

// use tells whether an assertion is used for the first time, by its jti or, without one, as a whole.
func (s *Simulator) use(a assertion) bool {
	name := a.claims.Issuer + " " + a.claims.ID
	if a.claims.ID == "" {
		name = a.signed
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	first := !s.assertions[name]
	s.assertions[name] = true
	return first
}
