package dispatch

import (
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"strings"
	"time"
)

// KeyBitsMin is the minimum length of an RSA key that signs a grant (upstream facts, section 6: RS256).
const KeyBitsMin = 2048

var errSigningKey = errors.New("signing key or certificate cannot be used")

// SigningKey parses the key of AuthKey. The error reveals nothing of it.
func (c Credentials) SigningKey() (*rsa.PrivateKey, error) {
	key, wrong := parseSigningKey(c.PrivateKey)
	if wrong != "" {
		return nil, errSigningKey
	}
	return key, nil
}

// Chain parses the certificates of AuthKey, ours first; none when the key has an id instead.
func (c Credentials) Chain() ([]*x509.Certificate, error) {
	if strings.TrimSpace(c.Certificates) == "" {
		return nil, nil
	}
	chain, wrong := parseChain(c.Certificates)
	if wrong != "" {
		return nil, errSigningKey
	}
	return chain, nil
}

// ExpiresAt returns when the certificate expires; zero when there is none that can be parsed. The expiry of a
// registered key is known to the registry only.
func (c Credentials) ExpiresAt() time.Time {
	chain, err := c.Chain()
	if err != nil || len(chain) == 0 {
		return time.Time{}
	}
	return chain[0].NotAfter
}

// parseSigningKey parses one RSA key in PEM form, or returns the catalogue key of the problem.
func parseSigningKey(typed Secret) (*rsa.PrivateKey, string) {
	text := typed.Reveal()
	block, _ := pem.Decode([]byte(text))
	switch {
	case strings.TrimSpace(text) == "":
		return nil, "problem.key.empty"
	case block == nil:
		return nil, "problem.key.unreadable"
	case strings.Count(text, "-----BEGIN ") > 1:
		return nil, "problem.key.several"
	case block.Type == "CERTIFICATE":
		return nil, "problem.key.certificate"
	case block.Type == "ENCRYPTED PRIVATE KEY", block.Headers["DEK-Info"] != "":
		return nil, "problem.key.passphrase"
	case block.Type == "EC PRIVATE KEY":
		return nil, "problem.key.rsa"
	}
	return parseKeyBytes(block.Bytes)
}

func parseKeyBytes(der []byte) (*rsa.PrivateKey, string) {
	key, err := x509.ParsePKCS1PrivateKey(der)
	if err != nil {
		parsed, err := x509.ParsePKCS8PrivateKey(der)
		if err != nil {
			return nil, "problem.key.unreadable"
		}
		var ok bool
		if key, ok = parsed.(*rsa.PrivateKey); !ok {
			return nil, "problem.key.rsa"
		}
	}
	if key.N.BitLen() < KeyBitsMin {
		return nil, "problem.key.short"
	}
	return key, ""
}

// parseChain parses certificates in PEM form, or returns the catalogue key of the problem.
func parseChain(text string) (chain []*x509.Certificate, wrong string) {
	for block, rest := pem.Decode([]byte(text)); block != nil; block, rest = pem.Decode(rest) {
		if strings.Contains(block.Type, "PRIVATE KEY") {
			return nil, "problem.certificate.key"
		}
		cert, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, "problem.certificate.unreadable"
		}
		chain = append(chain, cert)
	}
	if len(chain) == 0 || len(chain) != strings.Count(text, "-----BEGIN ") {
		return nil, "problem.certificate.unreadable"
	}
	return chain, ""
}
