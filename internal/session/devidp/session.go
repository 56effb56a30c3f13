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

// session is a person signed in at the provider, so that the next relying
// party, or the next login of the same one, needs no page.
type session struct {
	person  Person
	sid     string // what relying parties know it by; never the value of the cookie
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

// signIn starts a session under a new cookie. The same person signing in again
// keeps the sid; another person ends the earlier session.
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

// signOut ends the session of the browser, and the one that an id token named:
// a POST from another site comes without the cookie. What comes back are the
// front-channel logouts of the clients that the sessions had logged in to.
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
