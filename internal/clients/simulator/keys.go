package simulator

import (
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"slices"
)

// Key is a client's registered key for the JWT grant: a public key with an id, or a certificate.
type Key struct {
	ClientID string
	ID       string // kid
	Public   *rsa.PublicKey

	Certificate *x509.Certificate // in place of ID and Public; the client sends it first in x5c
}

// AddKey accepts a key at the token endpoint, beside those already accepted.
func (s *Simulator) AddKey(k Key) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keys = append(s.keys, k)
}

// RevokeKey no longer accepts a key: the one with the same client and id or certificate. Tokens already issued stay
// valid.
func (s *Simulator) RevokeKey(k Key) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keys = slices.DeleteFunc(s.keys, func(other Key) bool {
		return other.ClientID == k.ClientID && other.name() == k.name()
	})
}

// name is the value of [Credential.KeyID].
func (k Key) name() string {
	if k.Certificate == nil {
		return k.ID
	}
	sum := sha256.Sum256(k.Certificate.Raw)
	return hex.EncodeToString(sum[:])
}

// public is nil for a certificate with another kind of key.
func (k Key) public() *rsa.PublicKey {
	if k.Certificate == nil {
		return k.Public
	}
	public, _ := k.Certificate.PublicKey.(*rsa.PublicKey)
	return public
}

// keysOf lists the keys of a client.
func (s *Simulator) keysOf(clientID string) []Key {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Key
	for _, k := range s.keys {
		if k.ClientID == clientID {
			all = append(all, k)
		}
	}
	return all
}
