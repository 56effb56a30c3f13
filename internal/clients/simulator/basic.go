package simulator

import "net/http"

// checkBasic demands a user and password of HTTP Basic, and makes the user the owner of what the call creates and finds.
func (x *exchange) checkBasic() bool {
	user, password, ok := x.r.BasicAuth()
	if !ok {
		x.violate("no HTTP Basic credentials")
	}
	if !ok || !x.s.accepts(x.s.basic, user, password) {
		x.failWith(http.StatusUnauthorized, "user unknown or wrong password")
		return false
	}
	x.identify(func(c *Credential) { c.User, c.Password = user, password })
	x.accountID = user
	x.note(func(c *Call) { c.AccountID = user })
	return true
}
