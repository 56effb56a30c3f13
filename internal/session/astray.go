package session

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// A login in progress has a cookie with the page that it returns to. When a browser restores several tabs, they begin
// their logins before any of them has a session, and the last session wins: the answers to the other tabs have an
// unknown state. By their cookie they know that this browser began them, and where to go. The cookie reveals and
// proves nothing: it holds a path, which is validated like one from an address.

const (
	returnCookie  = "__Secure-retur-"
	returnPath    = "/oidc/retur"
	maxReturnPath = 1000 // of a stored path
)

// KeepReturn sets the cookie of the login that Start or StartAgain has just begun.
func (m *Manager) KeepReturn(w http.ResponseWriter, address, path string) {
	u, err := url.Parse(address)
	if path = LocalPath(path); err != nil || len(path) > maxReturnPath {
		return
	}
	http.SetCookie(w, keptReturn(u.Query().Get("state"), base64.RawURLEncoding.EncodeToString([]byte(path)), int(pendingTime/time.Second)))
}

// Astray returns where to redirect an answer with an unknown state: a logged-in user to the page of that tab, or
// home; anyone else to a new login, if this browser had begun that one. False: neither applies.
func (m *Manager) Astray(w http.ResponseWriter, r *http.Request, now time.Time) (string, bool) {
	path, kept := m.takeReturn(w, r)
	if _, in := m.Identity(r.Context(), now, false); in {
		return path, true
	}
	return "/logg-inn?retur=" + url.QueryEscape(path), kept
}

// DropReturn removes the cookie of a finished login.
func (m *Manager) DropReturn(w http.ResponseWriter, r *http.Request) { m.takeReturn(w, r) }

// takeReturn returns the page of an answer's login, once.
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
	value, _ := base64.RawURLEncoding.DecodeString(cookie.Value) // invalid text leads home
	return LocalPath(string(value)), true
}

// keptReturn is a login's cookie. Its name has half of the state, which distinguishes logins and is of no use for
// forging an answer.
func keptReturn(state, value string, age int) *http.Cookie {
	name := returnCookie + strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, state[:min(len(state), 13)])
	return &http.Cookie{Name: name, Value: value, Path: returnPath, MaxAge: age, Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode}
}
