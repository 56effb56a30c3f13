package dispatch

// TrialStep is one step of trying an integration, in the order that they are taken.
type TrialStep string

// The steps (ui-spec 6.7).
const (
	TrialSettings    TrialStep = "settings"    // the configured service and stored credentials can be used
	TrialName        TrialStep = "name"        // the service's name is found
	TrialTLS         TrialStep = "tls"         // it can be reached, and its certificate holds
	TrialToken       TrialStep = "token"       // the token endpoint gives a token
	TrialCredentials TrialStep = "credentials" // the service accepts the credentials
	TrialAccount     TrialStep = "account"     // and lets the account be used
)

// Trial is how one step went. Steps after one that failed are not taken.
type Trial struct {
	Step    TrialStep
	Account string // name of the account, where the step is about one
	Failure Reason // zero: it went well
}
