package devidp

import (
	"crypto/rand"
	"maps"
	"slices"
	"sync"
	"time"
)

// memory is the provider's state, which ends with the process. All locks of the package are in this file.
type memory struct {
	mu          sync.Mutex
	tokenStatus int
	pending     map[string]authRequest // by the id in the login page
	sessions    map[string]session     // by the cookie's value
	grants      map[string]*grant      // by code
	tokens      map[string]accessToken
	visited     map[string][]string // client ids to which a session has logged in, by sid
}

// grant is a completed login, from code to tokens.
type grant struct {
	request authRequest
	session session
	expires time.Time // of the code
	forget  time.Time // when replay of the code no longer needs detection

	spent, revoked bool // accessed by memory only
}

type accessToken struct {
	grant   *grant
	expires time.Time
}

func newMemory() *memory {
	return &memory{
		pending:  map[string]authRequest{},
		sessions: map[string]session{},
		grants:   map[string]*grant{},
		tokens:   map[string]accessToken{},
		visited:  map[string][]string{},
	}
}

func (m *memory) failTokens(status int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.tokenStatus = status
}

func (m *memory) tokenFailure() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.tokenStatus
}

// keep stores a request while the login page is open.
func (m *memory) keep(a authRequest, now time.Time) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sweep(now)
	id := rand.Text()
	m.pending[id] = a
	return id
}

// take returns a kept request, once.
func (m *memory) take(id string, now time.Time) (authRequest, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	a, ok := m.pending[id]
	delete(m.pending, id)
	return a, ok && now.Before(a.expires)
}

// signIn starts a session, replacing any with the same sid, and returns the cookie's value.
func (m *memory) signIn(s session, now time.Time) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sweep(now)
	m.dropSessions(s.sid)
	id := rand.Text()
	m.sessions[id] = s
	return id
}

func (m *memory) session(id string, now time.Time) (session, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, ok := m.sessions[id]
	return s, ok && now.Before(s.expires)
}

// signOut ends a session and its grants, and returns the ids of the clients to notify.
func (m *memory) signOut(sid string) []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.dropSessions(sid)
	for _, g := range m.grants {
		if g.session.sid == sid {
			g.revoked = true
		}
	}
	clients := m.visited[sid]
	delete(m.visited, sid)
	return clients
}

func (m *memory) dropSessions(sid string) {
	maps.DeleteFunc(m.sessions, func(_ string, s session) bool { return s.sid == sid })
}

func (m *memory) issueCode(g *grant, now time.Time) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sweep(now)
	code := rand.Text()
	m.grants[code] = g
	if id, sid := g.request.client.ID, g.session.sid; !slices.Contains(m.visited[sid], id) {
		m.visited[sid] = append(m.visited[sid], id)
	}
	return code
}

// spend returns the grant of a code, once and only to its own client. A second use means that the code has leaked, so
// the issued tokens are revoked (RFC 6749 section 4.1.2).
func (m *memory) spend(code, clientID string) (*grant, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	g, ok := m.grants[code]
	if !ok || g.request.client.ID != clientID {
		return nil, false
	}
	if g.spent {
		g.revoked = true
	}
	g.spent = true
	return g, !g.revoked
}

func (m *memory) issueToken(g *grant, now, expires time.Time) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sweep(now)
	token := rand.Text()
	m.tokens[token] = accessToken{grant: g, expires: expires}
	return token
}

// holder returns the session of a valid access token.
func (m *memory) holder(token string, now time.Time) (session, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t, ok := m.tokens[token]
	if !ok || t.grant.revoked || !now.Before(t.expires) {
		return session{}, false
	}
	return t.grant.session, true
}

// signedIn tells whether a session with the sid exists.
func (m *memory) signedIn(sid string) bool {
	for _, s := range m.sessions {
		if s.sid == sid {
			return true
		}
	}
	return false
}

func (m *memory) sweep(now time.Time) {
	maps.DeleteFunc(m.pending, func(_ string, a authRequest) bool { return !now.Before(a.expires) })
	maps.DeleteFunc(m.sessions, func(_ string, s session) bool { return !now.Before(s.expires) })
	maps.DeleteFunc(m.visited, func(sid string, _ []string) bool { return !m.signedIn(sid) })
	maps.DeleteFunc(m.grants, func(_ string, g *grant) bool { return !now.Before(g.forget) })
	maps.DeleteFunc(m.tokens, func(_ string, t accessToken) bool { return !now.Before(t.expires) })
}
