package admin

import (
	"context"
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
func (r IntegrationLine) tags(ctx context.Context, now time.Time) []views.Look {
	tags := []views.Look{r.look(ctx, now)}
	if n := len(r.Refusals); n > 0 {
		tags = append(tags, views.Look{Word: i18n.T(ctx, "integration.refused_accounts", "N", n), Color: "danger", Icon: "XMarkOctagon"})
	}
	if r.Kind == dispatch.IntegrationShipmentV1 {
		tags = append(tags, views.Look{Word: i18n.T(ctx, "integration.v1_ends"), Color: "warning", Icon: "ExclamationmarkTriangle"})
	}
	if l, soon := certificateLook(ctx, r.Integration, now); soon {
		tags = append(tags, l)
	}
	return tags
}

// look is the tag of the integration's state. How soon it expires is told by the set in use.
func (r IntegrationLine) look(ctx context.Context, now time.Time) views.Look {
	state := r.State(r.Sets, now)
	if state == dispatch.IntegrationExpiring {
		days, _ := activeSet(r.Sets).Expiring(now)
		return expiryLook(ctx, days)
	}
	l := map[dispatch.IntegrationState]views.Look{
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
func expiryLook(ctx context.Context, days int) views.Look {
	return views.Look{Word: i18n.T(ctx, "integration.state.expiring", "N", days), Color: "warning", Icon: "ClockDashed"}
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
	in.Parallelism, _ = views.TypedNumber(f.Parallelism)
	in.RatePerSec, _ = views.TypedDecimal(f.Rate)
	in.Version = views.TypedVersion(f.Version)
	return in, in.Validate()
}

// IntegrationFormPage is where an integration is made or changed.
type IntegrationFormPage struct {
	views.Page
	ID       dispatch.IntegrationID // empty: a new one
	Kind     dispatch.IntegrationKind
	Form     IntegrationForm
	Services []dispatch.Service
}

// IntegrationPage is one integration, with its credentials and who uses it.
type IntegrationPage struct {
	views.Page
	IntegrationLine
	Waiting int
	Service dispatch.Service
	Known   bool // the service is in the configuration
	Trial   *TrialResult

	Certificate CertificateForm // shipments
}

// at is an address of this integration.
func (p IntegrationPage) at(parts ...string) string { return integrationPath(p.ID, parts...) }

func integrationPath(id dispatch.IntegrationID, parts ...string) string {
	return strings.Join(append([]string{"/admin/integrasjoner/" + string(id)}, parts...), "/")
}

// backTo is where a form that is given up leads.
func backTo(p IntegrationFormPage) string {
	if p.ID == "" {
		return "/admin/integrasjoner"
	}
	return integrationPath(p.ID)
}
