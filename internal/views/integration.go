package views

import (
	"context"
	"strconv"
	"strings"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
)

// IntegrationsPage lists the integrations.
type IntegrationsPage struct {
	Page
	Rows []IntegrationLine
}

// IntegrationLine is one integration in the list.
type IntegrationLine struct {
	dispatch.Integration
	Environment string
	Sets        []dispatch.CredentialSet
	Accounts    []dispatch.Account // that use it
}

// stopped are the integrations that send nothing now.
func (p IntegrationsPage) stopped() []IntegrationLine {
	var list []IntegrationLine
	for _, r := range p.Rows {
		if s := r.State(r.Sets, p.Now); s == dispatch.IntegrationStopped || s == dispatch.IntegrationRefused {
			list = append(list, r)
		}
	}
	return list
}

// tags are the tags of the integration, the most serious first (ui-spec 6.7).
func (r IntegrationLine) tags(ctx context.Context, now time.Time) []look {
	tags := []look{r.look(ctx, now)}
	if r.Kind == dispatch.IntegrationShipmentV1 {
		tags = append(tags, look{Word: i18n.T(ctx, "integration.v1_ends"), Color: "warning", Icon: "ExclamationmarkTriangle"})
	}
	return tags
}

// look is the tag of the integration's state. How soon it expires is told by the set in use.
func (r IntegrationLine) look(ctx context.Context, now time.Time) look {
	state := r.State(r.Sets, now)
	if state == dispatch.IntegrationExpiring {
		days, _ := activeSet(r.Sets).Expiring(now)
		return expiryLook(ctx, days)
	}
	l := map[dispatch.IntegrationState]look{
		dispatch.IntegrationStopped: {Color: "neutral", Icon: "LinkBroken"},
		dispatch.IntegrationRefused: {Color: "danger", Icon: "XMarkOctagon"},
		dispatch.IntegrationBare:    {Color: "warning", Icon: "ExclamationmarkTriangle"},
		dispatch.IntegrationUntried: {Color: "neutral", Icon: "Inbox"},
		dispatch.IntegrationWorking: {Color: "success", Icon: "CheckmarkCircle"},
	}[state]
	l.Word = i18n.T(ctx, "integration.state."+string(state))
	return l
}

// expiryLook is the tag of credentials that end soon.
func expiryLook(ctx context.Context, days int) look {
	return look{Word: i18n.T(ctx, "integration.state.expiring", "N", days), Color: "warning", Icon: "ClockDashed"}
}

// IntegrationForm is the form of an integration, as typed.
type IntegrationForm struct {
	Name, Service, Parallelism, Rate, Wire string
	NoReservedIDs                          bool
	Version                                string
}

// NewIntegrationForm is the form of an integration as it stands.
func NewIntegrationForm(in dispatch.Integration) IntegrationForm {
	return IntegrationForm{
		Name: in.Name, Service: in.Service, Parallelism: strconv.Itoa(in.Parallelism), Rate: comma(in.RatePerSec), Wire: in.Wire,
		NoReservedIDs: !in.ReserveIDs, Version: strconv.Itoa(in.Version),
	}
}

// comma writes a number as Norwegians do.
func comma(f float64) string {
	return strings.Replace(strconv.FormatFloat(f, 'f', -1, 64), ".", ",", 1)
}

// Parse gives an integration what the form says, with everything that keeps it from being saved.
func (f IntegrationForm) Parse(in dispatch.Integration) (dispatch.Integration, dispatch.Problems) {
	in.Name, in.ReserveIDs, in.Wire = strings.TrimSpace(f.Name), !f.NoReservedIDs, "spec"
	if f.Wire == "deployed" {
		in.Wire = f.Wire
	}
	// What is no number is zero, which is out of bounds.
	in.Parallelism, _ = strconv.Atoi(strings.TrimSpace(f.Parallelism))
	in.RatePerSec, _ = strconv.ParseFloat(strings.Replace(strings.TrimSpace(f.Rate), ",", ".", 1), 64)
	in.Version, _ = strconv.Atoi(f.Version)
	return in, in.Validate()
}

// IntegrationFormPage is where an integration is made or changed.
type IntegrationFormPage struct {
	Page
	ID       dispatch.IntegrationID // empty: a new one
	Kind     dispatch.IntegrationKind
	Form     IntegrationForm
	Services []dispatch.Service
}

// IntegrationPage is one integration, with its credentials and who uses it.
type IntegrationPage struct {
	Page
	IntegrationLine
	Waiting  int
	Service  dispatch.Service
	Known    bool // the service is in the configuration
	Refusals []Refusal
	Trial    *TrialResult
}

// at is an address of this integration.
func (p IntegrationPage) at(parts ...string) string { return integrationPath(p.ID, parts...) }

func integrationPath(id dispatch.IntegrationID, parts ...string) string {
	return strings.Join(append([]string{"/admin/integrasjoner/" + string(id)}, parts...), "/")
}

// TrialResult is how a trial went, step by step.
type TrialResult struct {
	Steps []dispatch.Trial
}

// Failed is the step where the trial stopped; empty when all went well.
func (t TrialResult) Failed() dispatch.TrialStep {
	for _, s := range t.Steps {
		if s.Failure.Key != "" {
			return s.Step
		}
	}
	return ""
}

// CredentialsForm is the form of a set of credentials. Secrets are never written back into it.
type CredentialsForm struct {
	Method, ClientID, Scope, KeyID, Certificates, ConsumerOrg, IntegrationID string
	Expires                                                                  string
	Later                                                                    bool
	SwitchDay, SwitchTime                                                    string
}

// Fields of the form of credentials beside those that dispatch names.
const (
	FieldExpires   = "utloper"
	FieldSwitchDay = "bytt-dag"
)

// Parse reads what does not belong to the credentials themselves: when the set ends and when it takes over.
func (f CredentialsForm) Parse(now time.Time) (expires, switchAt time.Time, ps dispatch.Problems) {
	if filled(f.Expires) {
		day, ok := parseDate(f.Expires)
		if expires = day.AddDate(0, 0, 1).Add(-time.Second); !ok {
			ps = append(ps, dispatch.Problem{Field: FieldExpires, Key: "problem.date"})
		} else if expires.Before(now) {
			ps = append(ps, dispatch.Problem{Field: FieldExpires, Key: "problem.credentials.expired"})
		}
	}
	if !f.Later {
		return expires, switchAt, ps
	}
	day, ok := parseDate(f.SwitchDay)
	at, err := time.Parse("15.04", strings.Replace(strings.TrimSpace(f.SwitchTime), ":", ".", 1))
	switchAt = time.Date(day.Year(), day.Month(), day.Day(), at.Hour(), at.Minute(), 0, 0, oslo)
	switch {
	case !ok || err != nil:
		ps = append(ps, dispatch.Problem{Field: FieldSwitchDay, Key: "problem.switch_time"})
	case !switchAt.After(now):
		ps = append(ps, dispatch.Problem{Field: FieldSwitchDay, Key: "problem.switch_time.past"})
	case !expires.IsZero() && switchAt.After(expires):
		ps = append(ps, dispatch.Problem{Field: FieldSwitchDay, Key: "problem.switch_time.expired"})
	}
	return expires, switchAt, ps
}

// CredentialsPage is where a set of credentials is entered.
type CredentialsPage struct {
	Page
	IntegrationLine
	Form  CredentialsForm
	Trial *TrialResult
}

func (p CredentialsPage) at(parts ...string) string { return integrationPath(p.ID, parts...) }

// basic tells whether the integration logs in with user and password.
func (p CredentialsPage) basic() bool { return p.Kind == dispatch.IntegrationShipmentV1 }

// stoppedText tells who stopped an integration, and when.
func stoppedText(ctx context.Context, in dispatch.Integration, now time.Time) string {
	when := near(ctx, in.StoppedAt, now)
	if in.StoppedBy == "" {
		return i18n.T(ctx, "delivery.stopped.uncertain", "When", when)
	}
	return i18n.T(ctx, "delivery.stopped.by", "Name", in.StoppedBy, "When", when)
}

// setLook is the tag of a set of credentials.
func setLook(ctx context.Context, s dispatch.CredentialSet) look {
	l := map[dispatch.CredentialState]look{
		dispatch.CredentialActive:   {Color: "success", Icon: "CheckmarkCircle"},
		dispatch.CredentialNext:     {Color: "info", Icon: "Clock"},
		dispatch.CredentialRetiring: {Color: "neutral", Icon: "LinkBroken"},
		dispatch.CredentialWiped:    {Color: "neutral", Icon: "Trash"},
	}[s.State]
	l.Word = i18n.T(ctx, "credentials.state."+string(s.State))
	return l
}

// activeSet is the set in use, or nil.
func activeSet(sets []dispatch.CredentialSet) *dispatch.CredentialSet {
	for i := range sets {
		if sets[i].State == dispatch.CredentialActive {
			return &sets[i]
		}
	}
	return nil
}

// trialSummary is the catalogue key of how a trial went.
func trialSummary(t TrialResult) string {
	if t.Failed() == "" {
		return "trial.worked"
	}
	return "trial.failed"
}

// trialLine names a step of a trial.
func trialLine(ctx context.Context, s dispatch.Trial) string {
	if s.Account != "" {
		return i18n.T(ctx, "trial.step.account", "Account", s.Account)
	}
	return i18n.T(ctx, "trial.step."+string(s.Step))
}

// backTo is where a form that is given up leads.
func backTo(p IntegrationFormPage) string {
	if p.ID == "" {
		return "/admin/integrasjoner"
	}
	return integrationPath(p.ID)
}

// Credentials are what the form and its secrets say, for a kind of integration. What belongs to another method is left
// out; scripts switch those fields off, but forms come without script too.
func (f CredentialsForm) Credentials(kind dispatch.IntegrationKind, secret, key, password string) dispatch.Credentials {
	c := dispatch.Credentials{Method: dispatch.AuthMethod(f.Method), ClientID: strings.TrimSpace(f.ClientID)}
	if kind == dispatch.IntegrationShipmentV1 {
		c.Method, c.ClientSecret = dispatch.AuthBasic, dispatch.Secret(secret)
		return c
	}
	c.Scope, c.IntegrationID, c.IntegrationPassword = strings.TrimSpace(f.Scope), strings.TrimSpace(f.IntegrationID), dispatch.Secret(password)
	if c.Method == dispatch.AuthKey {
		c.PrivateKey, c.KeyID, c.Certificates = dispatch.Secret(strings.TrimSpace(key)), strings.TrimSpace(f.KeyID), strings.TrimSpace(f.Certificates)
		c.ConsumerOrg = dispatch.OrganizationNumber(strings.Join(strings.Fields(f.ConsumerOrg), ""))
		return c
	}
	c.ClientSecret = dispatch.Secret(secret)
	return c
}
