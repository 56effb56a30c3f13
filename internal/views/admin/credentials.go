package admin

import (
	"context"
	"slices"
	"strings"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// CredentialsForm is the form of a credential set. Secrets are never written back into it.
type CredentialsForm struct {
	Method, ClientID, Scope, KeyID, Certificates, ConsumerOrg, IntegrationID string
	Expires                                                                  string
	Later                                                                    bool
	SwitchDay, SwitchTime                                                    string
}

// Fields of the form besides those that dispatch names.
const (
	FieldExpires   = "utloper"
	FieldSwitchDay = "bytt-dag"
)

// Parse parses when the set expires and when it becomes active.
func (f CredentialsForm) Parse(now time.Time) (expires, switchAt time.Time, ps dispatch.Problems) {
	if views.Filled(f.Expires) {
		day, ok := views.ParseDate(f.Expires)
		if expires = day.AddDate(0, 0, 1).Add(-time.Second); !ok {
			ps = append(ps, *dispatch.DayProblem(FieldExpires, f.Expires))
		} else if expires.Before(now) {
			ps = append(ps, dispatch.Problem{Field: FieldExpires, Key: "problem.credentials.expired"})
		}
	}
	if !f.Later {
		return expires, switchAt, ps
	}
	day, ok := views.ParseDate(f.SwitchDay)
	at, err := time.Parse("15.04", strings.Replace(strings.TrimSpace(f.SwitchTime), ":", ".", 1))
	switchAt = time.Date(day.Year(), day.Month(), day.Day(), at.Hour(), at.Minute(), 0, 0, views.Oslo)
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

// CredentialsPage is the form of a credential set.
type CredentialsPage struct {
	views.Page
	IntegrationLine
	Form  CredentialsForm
	Trial *TrialResult
}

func (p CredentialsPage) at(parts ...string) string { return integrationPath(p.ID, parts...) }

// basic tells whether the integration uses Basic authentication.
func (p CredentialsPage) basic() bool { return p.Kind.Row().Basic }

// stoppedText tells who stopped an integration, and when.
func stoppedText(ctx context.Context, in dispatch.Integration, now time.Time) string {
	when := views.Near(ctx, in.StoppedAt, now)
	if in.StoppedBy == "" {
		return i18n.T(ctx, "delivery.stopped.uncertain", "When", when)
	}
	return i18n.T(ctx, "delivery.stopped.by", "Name", in.StoppedBy, "When", when)
}

// setLook is the tag of a credential set: whether the service refuses it, or it is the one that is used, else its state.
func (p IntegrationPage) setLook(ctx context.Context, s dispatch.CredentialSet) views.Look {
	switch {
	case s.State != dispatch.CredentialWiped && !s.Refusal.At.IsZero():
		return views.Look{Word: i18n.T(ctx, "credentials.state.refused"), Color: "danger", Icon: "XMarkOctagon"}
	case p.used(s):
		s.State = dispatch.CredentialActive
	case s.State == dispatch.CredentialActive:
		s.State = dispatch.CredentialRetiring // another set has taken over, or none is used
	}
	l := map[dispatch.CredentialState]views.Look{
		dispatch.CredentialActive:   {Color: "success", Icon: "CheckmarkCircle"},
		dispatch.CredentialNext:     {Color: "info", Icon: "Clock"},
		dispatch.CredentialRetiring: {Color: "neutral", Icon: "LinkBroken"},
		dispatch.CredentialWiped:    {Color: "neutral", Icon: "Trash"},
	}[s.State]
	if h := s.Health(); p.used(s) && (h == dispatch.IntegrationDenied || h == dispatch.IntegrationFailed) {
		l.Color, l.Icon = "danger", "XMarkOctagon"
	}
	l.Word = i18n.T(ctx, "credentials.state."+string(s.State))
	return l
}

// Credentials are the credentials in the form, for a kind of integration. Fields of other methods are ignored:
// scripts disable them, but forms come without script too.
func (f CredentialsForm) Credentials(kind dispatch.IntegrationKind, secret, key, password string) dispatch.Credentials {
	c := dispatch.Credentials{Method: dispatch.AuthMethod(f.Method), ClientID: strings.TrimSpace(f.ClientID)}
	if kind.Row().Basic {
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

// activeSet is the active set, or nil.
func activeSet(sets []dispatch.CredentialSet) *dispatch.CredentialSet {
	for i := range sets {
		if sets[i].State == dispatch.CredentialActive {
			return &sets[i]
		}
	}
	return nil
}

// secretHint tells who entered the active secret, and when, if the active set has one.
func (p CredentialsPage) secretHint(ctx context.Context) string {
	return p.hint(ctx, func(s dispatch.CredentialSet) bool { return s.MethodFor(p.Kind) != dispatch.AuthKey })
}

// passwordHint is secretHint for the integration's password, which every set for shipments has. Of an SMS service it is not known
// without opening the set.
func (p CredentialsPage) passwordHint(ctx context.Context) string {
	return p.hint(ctx, func(dispatch.CredentialSet) bool { return p.Kind.Shipments() })
}

// hint tells who entered the active set, and when, if it has a secret for sure; else that the secret is never shown.
func (p CredentialsPage) hint(ctx context.Context, has func(dispatch.CredentialSet) bool) string {
	if s := activeSet(p.Sets); s != nil && s.CreatedBy != "" && has(*s) {
		return i18n.T(ctx, "credentials.is_set", "When", views.Near(ctx, s.CreatedAt, p.Now), "Name", s.CreatedBy)
	}
	return i18n.T(ctx, "credentials.write_only")
}

// SetBy tells when a set was entered, and by whom unless the program did it.
func SetBy(ctx context.Context, s dispatch.CredentialSet, now time.Time) string {
	when := views.NearSecond(ctx, s.CreatedAt, now)
	if s.CreatedBy == "" {
		return when
	}
	return i18n.T(ctx, "credentials.set_by", "Name", s.CreatedBy, "When", when)
}

// setTrial tells when a set was last tried, and whether it worked. Empty: it was not tried, or its secret is gone.
func (p IntegrationPage) setTrial(ctx context.Context, s dispatch.CredentialSet) string {
	if s.TriedAt.IsZero() || s.State == dispatch.CredentialWiped {
		return ""
	}
	key := "credentials.tried.worked"
	if s.TriedFailed != "" {
		key = "credentials.tried.failed"
	}
	return i18n.T(ctx, key, "When", views.NearSecond(ctx, s.TriedAt, p.Now))
}

// used tells whether a set is the one that is logged in with now.
func (p IntegrationPage) used(s dispatch.CredentialSet) bool {
	return s.ID == dispatch.UsedSet(p.Sets, p.Now)
}

// spare tells whether a set may be tried and put to use apart from the others: every one but the active set, unless another is used
// because the service refuses it.
func (p IntegrationPage) spare(s dispatch.CredentialSet) bool {
	return s.State != dispatch.CredentialWiped && (s.State != dispatch.CredentialActive || !p.used(s))
}

// hasSpare tells whether the integration has such a set.
func (p IntegrationPage) hasSpare() bool { return slices.ContainsFunc(p.Sets, p.spare) }

// useWord is the catalogue key of the button that puts a set to use for good.
func (p IntegrationPage) useWord(s dispatch.CredentialSet) string {
	if p.used(s) {
		return "credentials.keep"
	}
	return "credentials.use"
}
