package session

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/coreos/go-oidc/v3/oidc"

	"utsending/internal/store"
	"utsending/internal/text"
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

// Lengths of what a token tells, in characters. A token has as many groups as it likes.
//
// Assumption: no claim that is kept or compared needs more than 500; the standard bounds sub itself.
const (
	maxSubject = 255
	maxClaim   = 500
)

// checkWhom looks at what go-oidc leaves to us: whom the token was issued to (OpenID Connect Core, 3.1.3.7), and that it
// says who it is about.
func checkWhom(claims map[string]any, subject, client string) error {
	if party, there := claims["azp"]; there && party != client {
		return fmt.Errorf("%w: issued to another client", ErrLogin)
	}
	if strings.TrimSpace(subject) == "" || utf8.RuneCountInString(subject) > maxSubject || !text.Clean(subject) {
		return fmt.Errorf("%w: no usable subject", ErrLogin)
	}
	return nil
}

// checkKept refuses texts of a token that cannot be kept. Ids and values of rights are compared, and so never changed.
func (a arrival) checkKept() error {
	for _, kept := range append([]string{a.who.Subject, a.level, a.sid}, a.values...) {
		if utf8.RuneCountInString(kept) > maxClaim || !text.Clean(kept) {
			return fmt.Errorf("%w: a claim is too long, or no text", ErrLogin)
		}
	}
	if utf8.RuneCountInString(a.who.Name) > maxClaim {
		return fmt.Errorf("%w: a name is too long", ErrLogin)
	}
	return nil
}

func (m *Manager) readToken(raw string, token *oidc.IDToken, now time.Time) (arrival, error) {
	var claims map[string]any
	if err := token.Claims(&claims); err != nil {
		return arrival{}, fmt.Errorf("%w: claims unreadable", ErrLogin)
	}
	if err := checkWhom(claims, token.Subject, m.o.ClientID); err != nil {
		return arrival{}, err
	}
	a := arrival{raw: raw, level: claim(claims, "acr"), sid: claim(claims, "sid"), proved: proved(claims, token.IssuedAt, now)}
	a.who = store.Login{Issuer: token.Issuer, Subject: subject(claims, token)}
	if a.who.Name, _ = text.Line(claim(claims, "name")); strings.TrimSpace(a.who.Name) == "" {
		a.who.Name = token.Subject
	}
	a.values, a.gap = rights(claims, m.o.RightsClaim)
	return a, a.checkKept()
}

// claim is a claim that is a text; anything else is none.
func claim(claims map[string]any, name string) string {
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
	tenant, object := claim(claims, "tid"), claim(claims, "oid")
	if strings.HasPrefix(token.Issuer, "https://login.microsoftonline.com/") && tenant != "" && object != "" {
		return tenant + "/" + object
	}
	return token.Subject
}
