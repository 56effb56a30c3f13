package session

import (
	"fmt"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"

	"utsending/internal/store"
)

// arrival is what an id token tells about a login.
type arrival struct {
	who    store.Login
	values []string // of the rights claim
	gap    Gap
	level  string // acr
	sid    string
	proved time.Time // when the person last proved who they are, by our clock; zero if the provider does not say
	raw    string
}

func (m *Manager) readToken(raw string, token *oidc.IDToken, now time.Time) (arrival, error) {
	var claims map[string]any
	if err := token.Claims(&claims); err != nil {
		return arrival{}, fmt.Errorf("%w: claims unreadable", ErrLogin)
	}
	a := arrival{raw: raw, level: text(claims, "acr"), sid: text(claims, "sid"), proved: proved(claims, token.IssuedAt, now)}
	a.who = store.Login{Issuer: token.Issuer, Subject: subject(claims, token), Name: text(claims, "name")}
	if a.who.Name == "" {
		a.who.Name = token.Subject
	}
	a.values, a.gap = rights(claims, m.o.RightsClaim)
	return a, nil
}

func text(claims map[string]any, name string) string {
	s, _ := claims[name].(string)
	return s
}

// proved turns auth_time into our own time. The token has just been issued, so that only the time between the two
// counts, and clocks need not agree.
func proved(claims map[string]any, issued, now time.Time) time.Time {
	seconds, ok := claims["auth_time"].(float64)
	age := issued.Sub(time.Unix(int64(seconds), 0))
	if !ok || seconds <= 0 || age < 0 {
		return time.Time{}
	}
	return now.Add(-age)
}

// subject is what a person is known by at the issuer. Entra's sub is another for each application, so that it would be
// lost with the registration; tenant and object id stay.
func subject(claims map[string]any, token *oidc.IDToken) string {
	tenant, object := text(claims, "tid"), text(claims, "oid")
	if strings.HasPrefix(token.Issuer, "https://login.microsoftonline.com/") && tenant != "" && object != "" {
		return tenant + "/" + object
	}
	return token.Subject
}
