package admin

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// IntegrationsPage lists the integrations.
type IntegrationsPage struct {
	views.Page
	Rows []IntegrationLine
}

// IntegrationLine is one integration in the list.
type IntegrationLine struct {
	dispatch.Integration
	Environment string
	Sets        []dispatch.CredentialSet
	Accounts    []dispatch.Account // that use it
	Refusals    []Refusal
	Waiting     int // items that are due; known on the pages of integrations only
}

// waits tells how many items wait for a refused integration.
func (r IntegrationLine) waits(ctx context.Context) string {
	switch {
	case r.Waiting > 0:
		return i18n.T(ctx, "integration.waits", "N", r.Waiting)
	case len(r.Accounts) == 0:
		return i18n.T(ctx, "act.integration.unused")
	}
	return i18n.T(ctx, "act.open.none")
}

// stopped are the integrations of accounts that send nothing now.
func (p IntegrationsPage) stopped() []IntegrationLine {
	var list []IntegrationLine
	for _, r := range p.Rows {
		if s := r.State(r.Sets, p.Now); len(r.Accounts) > 0 && (s == dispatch.IntegrationStopped || s == dispatch.IntegrationRefused) {
			list = append(list, r)
		}
	}
	return list
}

// tags are the integration's tags, the most serious first (ui-spec 6.7).
func (r IntegrationLine) tags(ctx context.Context, now time.Time) []views.Look {
	tags := []views.Look{r.look(ctx, now)}
	if active := activeSet(r.Sets); active != nil {
		if days, soon := active.Expiring(now); soon {
			tags = append(tags, expiryLook(ctx, days))
		}
	}
	if dispatch.FallenBack(r.Sets, now) {
		tags = append(tags, views.Look{Word: i18n.T(ctx, "integration.fallen_back"), Color: "warning", Icon: "ExclamationmarkTriangle"})
	}
	if n := len(r.Refusals); n > 0 {
		tags = append(tags, views.Look{Word: i18n.T(ctx, "integration.refused_accounts", "N", n), Color: "danger", Icon: "XMarkOctagon"})
	}
	if !r.Kind.Row().Ends.IsZero() {
		tags = append(tags, views.Look{Word: i18n.T(ctx, "integration.v1_ends"), Color: "warning", Icon: "ExclamationmarkTriangle"})
	}
	if l, soon := certificateLook(ctx, r.Integration, now); soon {
		tags = append(tags, l)
	}
	return tags
}

// sends tells whether what is sent over it can go out now, as far as is known.
func (r IntegrationLine) sends(now time.Time) bool {
	switch r.State(r.Sets, now) {
	case dispatch.IntegrationStopped, dispatch.IntegrationRefused, dispatch.IntegrationFailed, dispatch.IntegrationBare:
		return false
	}
	return true
}

// lastSuccess says when the service last took something.
func (r IntegrationLine) lastSuccess(ctx context.Context, now time.Time) string {
	if r.LastSuccessAt.IsZero() {
		return i18n.T(ctx, "integration.never")
	}
	return views.Capitalized(views.Near(ctx, r.LastSuccessAt, now))
}

// look is the tag of the integration's state.
func (r IntegrationLine) look(ctx context.Context, now time.Time) views.Look {
	if r.retried(now) {
		return views.Look{Word: i18n.T(ctx, retriedWord), Color: "info", Icon: "ClockDashed"}
	}
	state := r.State(r.Sets, now)
	l := map[dispatch.IntegrationState]views.Look{
		dispatch.IntegrationStopped: {Color: "neutral", Icon: "LinkBroken"},
		dispatch.IntegrationRefused: {Color: "danger", Icon: "XMarkOctagon"},
		dispatch.IntegrationFailed:  {Color: "danger", Icon: "XMarkOctagon"},
		dispatch.IntegrationBare:    {Color: "warning", Icon: "ExclamationmarkTriangle"},
		dispatch.IntegrationDenied:  {Color: "danger", Icon: "XMarkOctagon"},
		dispatch.IntegrationUntried: {Color: "neutral", Icon: "Inbox"},
		dispatch.IntegrationWorking: {Color: "success", Icon: "CheckmarkCircle"},
	}[state]
	l.Word = i18n.T(ctx, "integration.state."+string(state))
	return l
}

// retried tells whether it is tried again at a person's word.
func (r IntegrationLine) retried(now time.Time) bool {
	return len(r.Refusals) == 0 && r.Retried(r.Sets, r.Waiting, now)
}

// untried is the sentence of a login that may work or not; empty: that is known.
func (p IntegrationPage) untried(ctx context.Context) string {
	if p.retried(p.Now) {
		return i18n.T(ctx, "integration.retried.when", "When", views.Near(ctx, p.ClearedAt, p.Now))
	}
	switch p.State(p.Sets, p.Now) {
	case dispatch.IntegrationFailed:
		return i18n.T(ctx, "integration.failed.login", "When", views.NearSecond(ctx, dispatch.SetOf(p.Sets, dispatch.UsedSet(p.Sets, p.Now)).TriedAt, p.Now))
	case dispatch.IntegrationDenied:
		return i18n.T(ctx, "integration.denied.login")
	case dispatch.IntegrationUntried:
		return i18n.T(ctx, "integration.untried.login")
	}
	return ""
}

// tried says when an administrator last tried it, and whether that was with another login than the one in use. Empty: nobody has.
func (r IntegrationLine) tried(ctx context.Context, now time.Time) string {
	last := dispatch.LastTried(r.Sets)
	if last.TriedAt.IsZero() {
		return ""
	}
	when := views.Capitalized(views.NearSecond(ctx, last.TriedAt, now))
	if last.ID != dispatch.UsedSet(r.Sets, now) {
		return i18n.T(ctx, "integration.tried.other", "When", when)
	}
	return when
}

// expiryLook is the tag of credentials that expire soon.
func expiryLook(ctx context.Context, days int) views.Look {
	word := i18n.T(ctx, "integration.state.expiring.today")
	if days > 0 {
		word = i18n.T(ctx, "integration.state.expiring", "N", days)
	}
	return views.Look{Word: word, Color: "warning", Icon: "ClockDashed"}
}

// IntegrationForm is the form of an integration, as typed.
type IntegrationForm struct {
	Name, Service, Parallelism, Rate, Wire string
	NoReservedIDs                          bool
	Version                                string
}

// NewIntegrationForm is the form of an integration as it is now.
func NewIntegrationForm(in dispatch.Integration) IntegrationForm {
	return IntegrationForm{
		Name: in.Name, Service: in.Service, Parallelism: strconv.Itoa(in.Parallelism), Rate: comma(in.RatePerSec), Wire: in.Wire,
		NoReservedIDs: !in.ReserveIDs, Version: strconv.Itoa(in.Version),
	}
}

// comma formats a number with a decimal comma.
func comma(f float64) string {
	return strings.Replace(strconv.FormatFloat(f, 'f', -1, 64), ".", ",", 1)
}

// Parse applies the form to an integration and returns the problems.
func (f IntegrationForm) Parse(in dispatch.Integration) (dispatch.Integration, dispatch.Problems) {
	in.Name, in.ReserveIDs, in.Wire = strings.Join(strings.Fields(f.Name), " "), !f.NoReservedIDs, "spec"
	if f.Wire == "deployed" {
		in.Wire = f.Wire
	}
	// What is not a number is zero, which is outside the limits.
	in.Parallelism, _ = views.TypedNumber(f.Parallelism)
	in.RatePerSec, _ = views.TypedDecimal(f.Rate)
	in.Version = views.TypedVersion(f.Version)
	return in, in.Validate()
}

// IntegrationFormPage creates or changes an integration.
type IntegrationFormPage struct {
	views.Page
	ID       dispatch.IntegrationID // empty: a new integration
	Kind     dispatch.IntegrationKind
	Form     IntegrationForm
	Services []dispatch.Service
}

// IntegrationPage is one integration, with its credentials and accounts.
type IntegrationPage struct {
	views.Page
	IntegrationLine
	Asked   []dispatch.ActRequest // acts that wait for another administrator
	Service dispatch.Service
	Known   bool // its service is configured
	Trial   *TrialResult

	Certificate CertificateForm // shipments
}

// asked tells whether an act waits for another administrator.
func (p IntegrationPage) asked(act dispatch.AdminAct) bool {
	return slices.ContainsFunc(p.Asked, func(r dispatch.ActRequest) bool { return r.Act == act })
}

// at is an address below this integration.
func (p IntegrationPage) at(parts ...string) string { return integrationPath(p.ID, parts...) }

func integrationPath(id dispatch.IntegrationID, parts ...string) string {
	return strings.Join(append([]string{"/admin/integrasjoner/" + string(id)}, parts...), "/")
}

// backTo is the address of the cancel link.
func backTo(p IntegrationFormPage) string {
	if p.ID == "" {
		return "/admin/integrasjoner"
	}
	return integrationPath(p.ID)
}
