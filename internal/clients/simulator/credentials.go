package simulator

import (
	"net/http"
	"strings"
)

// Credential is how a call authenticated itself, secrets included, so that a test of a rotation sees which one was
// used. Unused fields are empty.
type Credential struct {
	User     string // of HTTP Basic
	Password string

	ClientID     string // of its bearer token
	ClientSecret string // with which the token was requested; empty: with a key
	KeyID        string // kid of that key; for a certificate its SHA-256, hexadecimal

	IntegrationID       string // header IntegrasjonId
	IntegrationPassword string // header IntegrasjonPassord
}

// AddBasic accepts a user and password on V1 of the shipment service, in addition to earlier ones.
func (s *Simulator) AddBasic(user, password string) { s.add(s.Basic, user, password) }

// RevokeBasic no longer accepts a user and password.
func (s *Simulator) RevokeBasic(user, password string) { s.revoke(s.Basic, user, password) }

// AddClient accepts a client id and secret at the token endpoint, in addition to earlier ones.
func (s *Simulator) AddClient(id, secret string) { s.add(s.clients, id, secret) }

// RevokeClient no longer accepts a client id and secret. Tokens already issued stay valid.
func (s *Simulator) RevokeClient(id, secret string) { s.revoke(s.clients, id, secret) }

// AddIntegration accepts a pair of IntegrasjonId and IntegrasjonPassord, in addition to earlier ones.
func (s *Simulator) AddIntegration(id, password string) { s.add(s.integrations, id, password) }

// RevokeIntegration no longer accepts a pair of IntegrasjonId and IntegrasjonPassord.
func (s *Simulator) RevokeIntegration(id, password string) { s.revoke(s.integrations, id, password) }

type pair struct{ name, secret string }

// pairs are names with their secrets, several for one name during a rotation. Until one is added, every pair is
// accepted that was not revoked.
type pairs struct{ added, revoked map[pair]bool }

func newPairs(accepted map[string]string) *pairs {
	p := &pairs{added: map[pair]bool{}, revoked: map[pair]bool{}}
	for name, secret := range accepted {
		p.added[pair{name, secret}] = true
	}
	return p
}

func (s *Simulator) add(to *pairs, name, secret string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	to.added[pair{name, secret}] = true
	delete(to.revoked, pair{name, secret})
}

// revoke keeps an added pair in the map, so that the list of pairs does not become empty, which would accept any.
func (s *Simulator) revoke(from *pairs, name, secret string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := pair{name, secret}
	if from.added[p] {
		from.added[p] = false
		return
	}
	from.revoked[p] = true
}

// Accepts tells whether a name and its secret are accepted.
func (s *Simulator) Accepts(known *pairs, name, secret string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := pair{name, secret}
	return name != "" && secret != "" && !known.revoked[p] && (len(known.added) == 0 || known.added[p])
}

// access is of one integration to one account.
type access struct{ integrationID, accountID string }

// GrantAccess lets an integration use an account (kontoId); the empty integration stands for all without an entry of
// their own.
func (s *Simulator) GrantAccess(integrationID, kontoID string) {
	s.setAccess(integrationID, kontoID, true)
}

// DenyAccess answers 403 to an integration's calls for an account (kontoId) and its shipments; the empty integration
// stands for all without an entry of their own.
func (s *Simulator) DenyAccess(integrationID, kontoID string) {
	s.setAccess(integrationID, kontoID, false)
}

func (s *Simulator) setAccess(integrationID, kontoID string, granted bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.access[access{integrationID, strings.ToLower(kontoID)}] = granted
}

// mayUse tells whether an integration may use an account.
func (s *Simulator) mayUse(integrationID, accountID string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if granted, said := s.access[access{integrationID, accountID}]; said {
		return granted
	}
	if granted, said := s.access[access{"", accountID}]; said {
		return granted
	}
	return len(s.Options.Accounts) == 0
}

// Identify records how the call authenticated itself.
func (x *Exchange) Identify(with func(*Credential)) {
	with(&x.Credential)
	x.Note(func(c *Call) { c.Credential = x.Credential })
}

// CheckIntegration requires an accepted pair in the two headers.
func (x *Exchange) CheckIntegration() bool {
	if !x.Sim.Accepts(x.Sim.integrations, x.Credential.IntegrationID, x.Credential.IntegrationPassword) {
		x.FailWith(http.StatusUnauthorized, "integration unknown or wrong password")
		return false
	}
	return true
}

// ReadIntegration records the two headers, required or not.
func (x *Exchange) ReadIntegration() {
	x.Identify(func(c *Credential) {
		c.IntegrationID = x.Request.Header.Get("IntegrasjonId")
		c.IntegrationPassword = x.Request.Header.Get("IntegrasjonPassord")
	})
}
