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

// arrival is a login as described by an id token.
type arrival struct {
	who    store.Login
	values []string // of the rights claim
	gap    Gap
	level  string // acr
	sid    string
	proved time.Time // when the user last authenticated, by our clock; zero if the provider does not tell
	raw    string
}

// Maximum lengths of claims, in characters. A token may have any number of groups.
//
// Assumption: no claim that is stored or compared needs more than 500; the standard bounds sub itself.
const (
	maxSubject = 255
	maxClaim   = 500
)

// checkWhom makes the checks that go-oidc leaves to us: that the token was issued to us (OpenID Connect Core,
// 3.1.3.7), and that it has a subject.
func checkWhom(claims map[string]any, subject, client string) error {
	if party, there := claims["azp"]; there && party != client {
		return fmt.Errorf("%w: issued to another client", ErrLogin)
	}
	if strings.TrimSpace(subject) == "" || utf8.RuneCountInString(subject) > maxSubject || !text.Clean(subject) {
		return fmt.Errorf("%w: no usable subject", ErrLogin)
	}
	return nil
}

// checkKept refuses claims that cannot be stored. Ids and rights values are compared, and so never altered.
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

// claim returns a string claim; any other type is empty.
func claim(claims map[string]any, name string) string {
	s, _ := claims[name].(string)
	return s
}

// proved converts auth_time to our own clock. The token has just been issued, so only the time between the two
// counts, and the clocks need not agree.
func proved(claims map[string]any, issued, now time.Time) time.Time {
	seconds, ok := claims["auth_time"].(float64)
	age := issued.Sub(time.Unix(int64(seconds), 0))
	if !ok || seconds <= 0 || age < 0 {
		return time.Time{}
	}
	return now.Add(-age)
}

// subject is the user's id at the issuer. Entra's sub differs for each application and would change with our
// registration; tenant and object id are stable.
func subject(claims map[string]any, token *oidc.IDToken) string {
	tenant, object := claim(claims, "tid"), claim(claims, "oid")
	if strings.HasPrefix(token.Issuer, "https://login.microsoftonline.com/") && tenant != "" && object != "" {
		return tenant + "/" + object
	}
	return token.Subject
}
