package simulator

import (
	"cmp"
	"net/http"
	"time"
)

// The values of Options.Wire.
const (
	WireSpec     = "spec"     // as the specification lists types and operations
	WireDeployed = "deployed" // as the deployed service is known to speak (upstream-facts, sections 2.1 and 2.2)
)

// Options configure a simulator. The zero value accepts any client, any account and any user.
type Options struct {
	Now      func() time.Time // nil: time.Now; must be safe for concurrent use
	Pace     time.Duration    // between two status steps; default 2 seconds
	Accounts []string         // kontoIds the caller has access to; empty: any uuid
	SlowFor  time.Duration    // how long a slow answer takes; default 15 seconds

	Clients map[string]string // client id to secret for POST /token; empty: any pair
	Keys    []Key             // for the JWT grant; empty: every assertion is refused
	Issuer  string            // the aud of assertions, ending with a slash; empty: http://HOST/ as the caller addressed us
	Scopes  []string          // what an assertion may ask for; empty: ks:fiks

	TokenLifetime time.Duration // default 2 minutes
	ExpiresIn     time.Duration // as announced by the token endpoint; 0: TokenLifetime; below 0: not announced

	Integrations   map[string]string // IntegrasjonId to IntegrasjonPassord; empty: any pair
	Health         []string          // kontoIds with a HER-id, which may send into the health network; empty: any
	SMSIntegration bool              // SMS requires the two headers too; V2 and V3 of the shipment service always do

	Basic map[string]string // user to password for V1 of the shipment service; empty: any pair
	Wire  string            // shapes of V1: WireSpec (default) or WireDeployed
	Ahead bool              // V2 answers like a future version: SENDT_ALTINN for VARSLET, and unknown fields

	ReservedUnknown bool // reads of an id that is only reserved answer 404, not MOTTATT and no documents
	RepostStatus    int  // of a second submission under one id: 400 (default) or 500 with "Duplikat"; 200: accepted again
	RefuseExcluded  bool // a printed shipment must not hold a file that is not PDF, even one excluded from print

	RepeatLimit int   // number of alike shipments within two days that are accepted; further ones are answered GJENTAGENDE_FORSENDELSE; default 25
	PrintLimit  int64 // bytes of a shipment that may be printed; default 350 000 000
}

func (o Options) withDefaults() Options {
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Pace = cmp.Or(max(o.Pace, 0), 2*time.Second)
	o.TokenLifetime = cmp.Or(max(o.TokenLifetime, 0), 2*time.Minute)
	o.SlowFor = cmp.Or(max(o.SlowFor, 0), 15*time.Second)
	o.Wire = cmp.Or(o.Wire, WireSpec)
	if o.Wire != WireSpec && o.Wire != WireDeployed {
		panic("simulator: no such wire: " + o.Wire)
	}
	if len(o.Scopes) == 0 {
		o.Scopes = []string{defaultScope}
	}
	o.ExpiresIn = cmp.Or(o.ExpiresIn, o.TokenLifetime)
	o.RepostStatus = cmp.Or(o.RepostStatus, http.StatusBadRequest)
	o.RepeatLimit = cmp.Or(o.RepeatLimit, 25)
	o.PrintLimit = cmp.Or(o.PrintLimit, 350_000_000)
	return o
}
