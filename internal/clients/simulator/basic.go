package simulator

import (
	"crypto/hmac"
	"net/http"
)

// checkBasic demands a user and password of HTTP Basic, and makes the user the owner of what the call creates and finds.
func (x *exchange) checkBasic() bool {
	user, password, ok := x.r.BasicAuth()
	if !ok {
		x.violate("no HTTP Basic credentials")
	}
	if !ok || !x.s.knownUser(user, password) {
		x.failWith(http.StatusUnauthorized, "user unknown or wrong password")
		return false
	}
	x.accountID = user
	x.note(func(c *Call) { c.AccountID = user })
	return true
}

func (s *Simulator) knownUser(user, password string) bool {
	if user == "" || password == "" {
		return false
	}
	if len(s.options.Basic) == 0 {
		return true
	}
	want, ok := s.options.Basic[user]
	return ok && hmac.Equal([]byte(want), []byte(password))
}
