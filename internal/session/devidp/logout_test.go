package devidp_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/oauth2"
)

func idToken(tokens *oauth2.Token) string {
	raw, _ := tokens.Extra("id_token").(string)
	return raw
}

func TestLogoutGoesBack(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		params func(idToken string) url.Values
		want   string
	}{
		{"with an id token", func(hint string) url.Values { return url.Values{"id_token_hint": {hint}} }, loggedOut},
		{"with a client id", func(string) url.Values { return url.Values{"client_id": {"app"}} }, loggedOut},
		{"with both", func(hint string) url.Values { return url.Values{"client_id": {"app"}, "id_token_hint": {hint}} }, loggedOut},
		{"with its state", func(string) url.Values { return url.Values{"client_id": {"app"}, "state": {"a b"}} }, loggedOut + "&state=a+b"},
	}
	for _, tt := range tests {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			t.Run(tt.name+", "+method, func(t *testing.T) {
				t.Parallel()
				r := start(t)
				tokens := r.tokens(t, "kari")
				params := tt.params(idToken(tokens))
				params.Set("post_logout_redirect_uri", loggedOut)
				res := r.logout(t, method, params)
				if got := res.Header.Get("Location"); res.StatusCode != http.StatusSeeOther || got != tt.want {
					t.Errorf("got %d to %q, want %q", res.StatusCode, got, tt.want)
				}
				checkSignedOut(t, r, tokens)
			})
		}
	}
}

func (r *rig) logout(t *testing.T, method string, params url.Values) *http.Response {
	t.Helper()
	if method == http.MethodPost {
		return r.post(t, "/end-session", params)
	}
	return r.get(t, r.issuer+"/end-session?"+params.Encode())
}

func checkSignedOut(t *testing.T, r *rig, tokens *oauth2.Token) {
	t.Helper()
	if got := r.userinfo(t, tokens.AccessToken).StatusCode; got != http.StatusUnauthorized {
		t.Errorf("got userinfo status %d after logout", got)
	}
	if got := answer(t, r.get(t, r.loginURL(param("prompt", "none")))); got.Get("error") != "login_required" {
		t.Errorf("got answer %v after logout", got)
	}
}

func TestLogoutStays(t *testing.T) {
	t.Parallel()
	foreign := start(t).tokens(t, "kari") // the same key, another issuer
	tests := []struct {
		name   string
		params url.Values
		status int
	}{
		{"without an address", url.Values{}, http.StatusOK},
		{"with a client and no address", url.Values{"client_id": {"app"}}, http.StatusOK},
		{"with an address and no client", url.Values{"post_logout_redirect_uri": {loggedOut}}, http.StatusBadRequest},
		{"with a foreign address", url.Values{"client_id": {"app"}, "post_logout_redirect_uri": {"https://evil.example/"}}, http.StatusBadRequest},
		{"with a longer address", url.Values{"client_id": {"app"}, "post_logout_redirect_uri": {loggedOut + "&x=y"}}, http.StatusBadRequest},
		{"with another client's address", url.Values{"client_id": {"other"}, "post_logout_redirect_uri": {loggedOut}}, http.StatusBadRequest},
		{"with an unknown client", url.Values{"client_id": {"stranger"}, "post_logout_redirect_uri": {loggedOut}}, http.StatusBadRequest},
		{"with a broken id token", url.Values{"id_token_hint": {"x.y.z"}, "client_id": {"app"}, "post_logout_redirect_uri": {loggedOut}}, http.StatusBadRequest},
		{"with another provider's id token", url.Values{"id_token_hint": {idToken(foreign)}, "post_logout_redirect_uri": {loggedOut}}, http.StatusBadRequest},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := start(t)
			tokens := r.tokens(t, "kari")
			page := document(t, r.logout(t, http.MethodGet, tt.params), tt.status)
			if got := page.Find("h1").Text(); tt.status == http.StatusOK && got != "Du er logget ut" {
				t.Errorf("got heading %q", got)
			}
			checkSignedOut(t, r, tokens)
		})
	}
}

func TestLogout(t *testing.T) {
	t.Parallel()

	t.Run("refuses an id token of another client", func(t *testing.T) {
		t.Parallel()
		r := start(t)
		hint := idToken(r.tokens(t, "kari"))
		params := url.Values{"id_token_hint": {hint}, "client_id": {"other"}, "post_logout_redirect_uri": {"https://other.example/"}}
		document(t, r.logout(t, http.MethodGet, params), http.StatusBadRequest)
	})

	t.Run("accepts an id token that has expired", func(t *testing.T) {
		t.Parallel()
		r := start(t)
		hint := idToken(r.tokens(t, "kari"))
		r.clock.advance(time.Hour)
		res := r.logout(t, http.MethodGet, url.Values{"id_token_hint": {hint}, "post_logout_redirect_uri": {loggedOut}})
		if got := res.Header.Get("Location"); got != loggedOut {
			t.Errorf("got redirect to %q", got)
		}
	})

	t.Run("ends the session that the id token names when the cookie stays at home", func(t *testing.T) {
		t.Parallel()
		r := start(t)
		tokens := r.tokens(t, "kari")
		withCookie := r.browser
		r.browser = newBrowser(t)
		r.logout(t, http.MethodPost, url.Values{"id_token_hint": {idToken(tokens)}})
		r.browser = withCookie
		checkSignedOut(t, r, tokens)
	})

	t.Run("ends a code that has not been used", func(t *testing.T) {
		t.Parallel()
		r := start(t)
		code := r.signIn(t, "kari").Get("code")
		r.logout(t, http.MethodGet, nil)
		checkRefused(t, r.post(t, "/token", r.exchangeForm(code)), 400, "invalid_grant")
	})

	t.Run("takes the cookie back", func(t *testing.T) {
		t.Parallel()
		r := start(t)
		r.signIn(t, "kari")
		cookies := r.logout(t, http.MethodGet, nil).Cookies()
		if len(cookies) != 1 || cookies[0].MaxAge >= 0 || cookies[0].Value != "" {
			t.Errorf("got cookies %v", cookies)
		}
	})
}

// TestFrontChannelLogout: clients to which a session has logged in are told by frames that it has ended.
func TestFrontChannelLogout(t *testing.T) {
	t.Parallel()
	visit := func(t *testing.T, r *rig) string { // logs in to app, and then without a page to other
		t.Helper()
		hint := idToken(r.tokens(t, "kari"))
		app := r.app
		r.app.ClientID, r.app.ClientSecret = "other", "other secret"
		r.exchange(t, answer(t, r.get(t, r.loginURL())).Get("code"))
		r.app = app
		return hint
	}
	frames := func(page *goquery.Document) []string {
		return page.Find("iframe[hidden]").Map(func(_ int, frame *goquery.Selection) string { return frame.AttrOr("src", "") })
	}

	t.Run("frames the others, and then goes back", func(t *testing.T) {
		t.Parallel()
		r := start(t)
		hint := visit(t, r)
		res := r.logout(t, http.MethodGet, url.Values{"id_token_hint": {hint}, "post_logout_redirect_uri": {loggedOut}, "state": {"x"}})
		page := document(t, res, http.StatusOK)
		want := "https://other.example/ut?" + url.Values{"iss": {r.issuer}, "sid": {sidOf(t, hint)}}.Encode()
		if got := frames(page); len(got) != 1 || got[0] != strings.Replace(want, "?", "?a=b&", 1) {
			t.Errorf("got frames %q", got)
		}
		if got := page.Find("main a").AttrOr("href", ""); got != loggedOut+"&state=x" {
			t.Errorf("leads to %q", got)
		}
		if got := page.Find("meta[http-equiv=refresh]").AttrOr("content", ""); got != "1; url="+loggedOut+"&state=x" {
			t.Errorf("goes on to %q", got)
		}
		if got := res.Header.Get("Content-Security-Policy"); !strings.Contains(got, "frame-src https://other.example") {
			t.Errorf("the policy forbids the frame: %q", got)
		}
	})
	t.Run("frames all when nobody asked", func(t *testing.T) {
		t.Parallel()
		r := start(t)
		visit(t, r)
		page := document(t, r.logout(t, http.MethodGet, nil), http.StatusOK)
		if got := frames(page); len(got) != 1 || page.Find("h1").Text() != "Du er logget ut" { // app has no address for it
			t.Errorf("got frames %q", got)
		}
	})
	t.Run("frames nothing twice", func(t *testing.T) {
		t.Parallel()
		r := start(t)
		visit(t, r)
		r.logout(t, http.MethodGet, nil)
		if got := frames(document(t, r.logout(t, http.MethodGet, nil), http.StatusOK)); len(got) != 0 {
			t.Errorf("got frames %q", got)
		}
	})
}

// sidOf reads an id token without verifying it.
func sidOf(t *testing.T, raw string) string {
	t.Helper()
	payload, err := base64.RawURLEncoding.DecodeString(strings.Split(raw, ".")[1])
	if err != nil {
		t.Fatal(err)
	}
	var claims struct{ SID string }
	if err := json.Unmarshal(payload, &claims); err != nil {
		t.Fatal(err)
	}
	return claims.SID
}
