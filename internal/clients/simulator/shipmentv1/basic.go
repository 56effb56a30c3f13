package shipmentv1

import (
	"net/http"
	"utsending/internal/clients/simulator"
)

// checkBasic requires HTTP Basic, and makes the user the owner of what the call creates and finds.
func checkBasic(x *simulator.Exchange) bool {
	user, password, ok := x.Request.BasicAuth()
	if !ok {
		x.Violate("no HTTP Basic credentials")
	}
	if !ok || !x.Sim.Accepts(x.Sim.Basic, user, password) {
		x.FailWith(http.StatusUnauthorized, "user unknown or wrong password")
		return false
	}
	x.Identify(func(c *simulator.Credential) { c.User, c.Password = user, password })
	x.AccountID = user
	x.Note(func(c *simulator.Call) { c.AccountID = user })
	return true
}
