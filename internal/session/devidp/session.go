package devidp

import (
	"cmp"
	"crypto/rand"
	"net/http"
	"strings"
	"time"
)

const (
	sessionCookie   = "devidp_session"
	sessionLifetime = 8 * time.Hour // a working day
)

// session is a person's session at the provider (single sign-on): the next login, at any relying party, needs no
// page.
type session struct {
	person  Person
	sid     string // known to relying parties; never the cookie's value
	at      time.Time
	expires time.Time
}

func (p *Provider) currentSession(r *http.Request) (session, bool) {
	c, err := r.Cookie(sessionCookie)
	if err != nil {
		return session{}, false
	}
	return p.memory.session(c.Value, p.now())
}

// signIn starts a session under a new cookie. If the same person signs in again, the sid stays; another person ends
// the earlier session.
func (p *Provider) signIn(w http.ResponseWriter, r *http.Request, person Person) session {
	now := p.now()
	s := session{person: person, sid: rand.Text(), at: now, expires: now.Add(sessionLifetime)}
	if old, ok := p.currentSession(r); ok {
		if old.person.Subject == person.Subject {
			s.sid = old.sid
		} else {
			p.memory.signOut(old.sid)
		}
	}
	http.SetCookie(w, p.cookie(p.memory.signIn(s, now), 0))
	return s
}

// signOut ends the session of the browser, and the one named by an id token: a POST from another site has no cookie.
// It returns the front-channel logouts of the clients to which the sessions had logged in.
func (p *Provider) signOut(w http.ResponseWriter, r *http.Request, sid string) []logoutCall {
	var calls []logoutCall
	if s, ok := p.currentSession(r); ok {
		calls = p.callsOf(s.sid, p.memory.signOut(s.sid))
	}
	if sid != "" {
		calls = append(calls, p.callsOf(sid, p.memory.signOut(sid))...)
	}
	http.SetCookie(w, p.cookie("", -1))
	return calls
}

func (p *Provider) cookie(value string, maxAge int) *http.Cookie {
	return &http.Cookie{
		Name:     sessionCookie,
		Value:    value,
		Path:     cmp.Or(p.path, "/"),
		MaxAge:   maxAge,
		HttpOnly: true,
		Secure:   strings.HasPrefix(p.issuer, "https:"),
		SameSite: http.SameSiteLaxMode,
	}
}
