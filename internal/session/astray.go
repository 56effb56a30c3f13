package session

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// A login that has begun leaves a cookie of its own, which says where it was to lead. Tabs that a browser restores at once
// begin their logins before any of them has a session, and the last one's session wins: what comes back to the others
// bears a state that nobody knows. They then know by their cookie where to go, and that this browser began them. The cookie
// gives nothing away and proves nothing: it holds a path, which is read as one from an address is.

const (
	returnCookie  = "__Secure-retur-"
	returnPath    = "/oidc/retur"
	maxReturnPath = 1000 // of a path that is kept
)

// KeepReturn keeps where the login that Start or StartAgain has just begun is to lead.
func (m *Manager) KeepReturn(w http.ResponseWriter, address, path string) {
	u, err := url.Parse(address)
	if path = LocalPath(path); err != nil || len(path) > maxReturnPath {
		return
	}
	http.SetCookie(w, keptReturn(u.Query().Get("state"), base64.RawURLEncoding.EncodeToString([]byte(path)), int(pendingTime/time.Second)))
}

// Astray is where an answer of the provider leads whose state is not known (any more): who is logged in goes where that tab
// wanted to go, or home; who is not begins anew where this browser had begun that login. False: neither is so.
func (m *Manager) Astray(w http.ResponseWriter, r *http.Request, now time.Time) (string, bool) {
	path, kept := m.takeReturn(w, r)
	if _, in := m.Identity(r.Context(), now, false); in {
		return path, true
	}
	return "/logg-inn?retur=" + url.QueryEscape(path), kept
}

// DropReturn forgets where a login was to lead that has come to its end.
func (m *Manager) DropReturn(w http.ResponseWriter, r *http.Request) { m.takeReturn(w, r) }

// takeReturn returns where the login of an answer was to lead, once.
func (m *Manager) takeReturn(w http.ResponseWriter, r *http.Request) (path string, kept bool) {
	state := r.URL.Query().Get("state")
	if state == "" {
		return "/", false
	}
	cookie, err := r.Cookie(keptReturn(state, "", 0).Name)
	if err != nil {
		return "/", false
	}
	http.SetCookie(w, keptReturn(state, "", -1))
	value, _ := base64.RawURLEncoding.DecodeString(cookie.Value) // what is none leads home
	return LocalPath(string(value)), true
}

// keptReturn is the cookie of a login. Half of the state tells logins apart, and is of no use for an answer.
func keptReturn(state, value string, age int) *http.Cookie {
	name := returnCookie + strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, state[:min(len(state), 13)])
	return &http.Cookie{Name: name, Value: value, Path: returnPath, MaxAge: age, Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode}
}
