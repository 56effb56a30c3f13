package dispatch

// TrialStep is one step of trying an integration; the order is that of the constants.
type TrialStep string

// The steps (ui-spec 6.7).
const (
	TrialSettings    TrialStep = "settings"    // the configured service and stored credentials can be used
	TrialName        TrialStep = "name"        // the service's host name resolves
	TrialTLS         TrialStep = "tls"         // the connection is made, and the certificate is valid
	TrialToken       TrialStep = "token"       // the token endpoint gives a token
	TrialCredentials TrialStep = "credentials" // the service accepts the credentials
	TrialAccount     TrialStep = "account"     // and lets it use the account
)

// Trial is the result of one step. Steps after a failed one are not made.
type Trial struct {
	Step    TrialStep
	Account string // name of the account, if the step concerns one
	Failure Reason // zero: it succeeded
}
