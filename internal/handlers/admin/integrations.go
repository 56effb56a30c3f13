package admin

import (
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/queue"
	"utsending/internal/store/registry"
	"utsending/internal/views"
	"utsending/internal/views/admin"
)

const integrationsPath = "/admin/integrasjoner"

// List lists the integrations.
func (s *Integrations) List(c echo.Context, v frame.Visit) error {
	lines, err := s.integrations.integrationLines(c)
	if err != nil {
		return err
	}
	waiting, err := queue.In(s.Store).Operations.WaitingOn(frame.Context(c))
	if err != nil {
		return err
	}
	for i, line := range lines {
		lines[i].Waiting = waiting[line.ID].Due + waiting[line.ID].Overdue
	}
	p := admin.IntegrationsPage{Page: s.Page(c, v, "integrations.title"), Rows: lines}
	p.Section = views.SectionIntegrations
	return frame.Show(c, http.StatusOK, admin.Integrations(p))
}

// New shows the form of a new integration.
func (s *Integrations) New(c echo.Context, v frame.Visit) error {
	f := admin.NewIntegrationForm(dispatch.Integration{Parallelism: 8, RatePerSec: 20, ReserveIDs: true})
	return s.showIntegrationForm(c, v, http.StatusOK, admin.IntegrationFormPage{Form: f}, nil)
}

func (s *Integrations) showIntegrationForm(c echo.Context, v frame.Visit, status int, p admin.IntegrationFormPage, ps dispatch.Problems) error {
	title := "integration.new.title"
	if p.ID != "" {
		title = "integration.edit.title"
	}
	p.Page, p.Services = s.Page(c, v, title), s.Upstream.Services()
	p.Section, p.Narrow, p.Problems = views.SectionIntegrations, true, ps
	return frame.Show(c, status, admin.IntegrationNew(p))
}

func readIntegrationForm(c echo.Context) admin.IntegrationForm {
	f := admin.IntegrationForm{
		Name: c.FormValue(dispatch.FieldName), Service: c.FormValue(dispatch.FieldService), Parallelism: c.FormValue(dispatch.FieldParallelism),
		Rate: c.FormValue(dispatch.FieldRate), NoReservedIDs: c.FormValue("uten-id") == "true", Version: c.FormValue("versjon"), Wire: "spec",
	}
	if c.FormValue("utsendt-form") == "true" {
		f.Wire = "deployed"
	}
	return f
}

// Create creates an integration of a configured service. The service's wire format is the default.
func (s *Integrations) Create(c echo.Context, v frame.Visit) error {
	f := readIntegrationForm(c)
	in, ps := f.Parse(dispatch.Integration{})
	service, ok := s.integrations.service(f.Service)
	if !ok {
		ps = append(dispatch.Problems{{Field: dispatch.FieldService, Key: "problem.service"}}, ps...)
	}
	in.Service, in.Kind, in.Environment = service.Name, service.Kind, service.Environment
	if service.Wire != "" {
		in.Wire = service.Wire
	}
	if len(ps) > 0 {
		return s.showIntegrationForm(c, v, http.StatusUnprocessableEntity, admin.IntegrationFormPage{Form: f}, ps)
	}
	id, err := registry.In(s.Store).Integrations.Create(frame.Context(c), in, frame.Actor(c, v.User))
	if errors.Is(err, store.ErrTaken) {
		return s.showIntegrationForm(c, v, http.StatusUnprocessableEntity, admin.IntegrationFormPage{Form: f}, nameTaken)
	}
	if err != nil {
		return err
	}
	return s.FlashTo(c, integrationsPath+"/"+string(id), "flash.integration_created", 0)
}

var nameTaken = dispatch.Problems{{Field: dispatch.FieldName, Key: "problem.integration.taken"}}

// Edit shows the form of an integration.
func (s *Integrations) Edit(c echo.Context, v frame.Visit) error {
	line, err := s.integrations.oneIntegration(c, integrationID(c))
	if err != nil {
		return err
	}
	p := admin.IntegrationFormPage{ID: line.ID, Kind: line.Kind, Form: admin.NewIntegrationForm(line.Integration)}
	return s.showIntegrationForm(c, v, http.StatusOK, p, nil)
}

// Save changes an integration, with optimistic locking: the second administrator sees the first one's
// change beside the form as typed.
func (s *Integrations) Save(c echo.Context, v frame.Visit) error {
	line, err := s.integrations.oneIntegration(c, integrationID(c))
	if err != nil {
		return err
	}
	f := readIntegrationForm(c)
	in, ps := f.Parse(line.Integration)
	if len(ps) == 0 {
		switch err = registry.In(s.Store).Integrations.Update(frame.Context(c), in, frame.Actor(c, v.User), admin.IntegrationChanges(line.Integration, in)...); {
		case errors.Is(err, store.ErrTaken):
			ps = nameTaken
		case errors.Is(err, store.ErrStale):
			ps = dispatch.Problems{{Field: dispatch.FieldName, Key: "problem.stale"}}
			f.Version = admin.NewIntegrationForm(line.Integration).Version
		case err != nil:
			return err
		}
	}
	if len(ps) > 0 {
		return s.showIntegrationForm(c, v, http.StatusUnprocessableEntity, admin.IntegrationFormPage{ID: line.ID, Kind: line.Kind, Form: f}, ps)
	}
	s.Upstream.Forget(line.ID)
	return s.FlashTo(c, integrationsPath+"/"+string(line.ID), "flash.integration_saved", 0)
}

// Show shows an integration with its credentials and health.
func (s *Integrations) Show(c echo.Context, v frame.Visit) error {
	return s.showIntegrationWith(c, v, http.StatusOK, nil, nil)
}

func (s *Integrations) showIntegrationWith(c echo.Context, v frame.Visit, status int, trial *admin.TrialResult, ps dispatch.Problems) error {
	return s.integrations.showIntegrationTyped(c, v, status, ps, func(p *admin.IntegrationPage) { p.Trial = trial })
}

// Try tries the credentials in use at the service, for all accounts that use them, and stores the result.
func (s *Integrations) Try(c echo.Context, v frame.Visit) error {
	line, err := s.integrations.oneIntegration(c, integrationID(c))
	if err != nil {
		return err
	}
	usable, err := registry.In(s.Store).Credentials.InUse(frame.Context(c), line.ID)
	if errors.Is(err, store.ErrNotFound) {
		return s.showIntegrationWith(c, v, http.StatusUnprocessableEntity, nil, dispatch.Problems{{Field: "tilgang", Key: "problem.credentials.none"}})
	}
	if err != nil {
		return err
	}
	t, err := s.integrations.try(c, v, line.Integration, usable.Credentials, line.Accounts)
	if err != nil {
		return err
	}
	t.Of, t.At = dispatch.SetOf(line.Sets, usable.ID), s.Now()
	if err := registry.In(s.Store).Integrations.SaveTrial(frame.Context(c), line.ID, usable.ID, t.Failed(), frame.Actor(c, v.User)); err != nil {
		return err
	}
	s.Upstream.Forget(line.ID)
	s.Wake()
	return s.showIntegrationWith(c, v, http.StatusOK, &t, nil)
}

// tryUnused tries credentials that are not in use, and records the result in the event log.
func (s *Integrations) tryUnused(c echo.Context, v frame.Visit, line admin.IntegrationLine, credentials dispatch.Credentials, more map[string]any) (admin.TrialResult, error) {
	t, err := s.integrations.try(c, v, line.Integration, credentials, line.Accounts)
	if err != nil {
		return t, err
	}
	return t, s.noteTried(c, v, line.ID, t, more)
}

// noteTried records in the event log how a trial went.
func (s *Integrations) noteTried(c echo.Context, v frame.Visit, id dispatch.IntegrationID, t admin.TrialResult, more map[string]any) error {
	more["failed"], more["step"] = t.Failed() != "", t.Failed()
	return s.Store.Record(frame.Context(c), store.Audit{Actor: v.User.ID, Action: "integration.tried", Object: string(id), Origin: frame.Origin(c), Details: more})
}

// TrySet tries one stored set of credentials, and stores the result.
func (s *Integrations) TrySet(c echo.Context, v frame.Visit) error {
	line, err := s.integrations.oneIntegration(c, integrationID(c))
	if err != nil {
		return err
	}
	credentials, err := registry.In(s.Store).Credentials.OfSet(frame.Context(c), line.ID, credentialID(c))
	if err != nil {
		return err
	}
	t, err := s.integrations.try(c, v, line.Integration, credentials, line.Accounts)
	if err != nil {
		return err
	}
	t.Of, t.At = dispatch.SetOf(line.Sets, credentialID(c)), s.Now()
	if err := registry.In(s.Store).Integrations.SaveSpareTrial(frame.Context(c), line.ID, t.Of.ID, t.Failed(), frame.Actor(c, v.User)); err != nil {
		return err
	}
	return s.showIntegrationWith(c, v, http.StatusOK, &t, nil)
}

// UseSet makes a set of credentials the active one.
func (s *Integrations) UseSet(c echo.Context, v frame.Visit) error {
	err := registry.In(s.Store).Credentials.Activate(frame.Context(c), integrationID(c), credentialID(c), frame.Actor(c, v.User))
	s.Upstream.Forget(integrationID(c))
	return s.system.operated(c, FromIntegration(c), "flash.credentials_used", err)
}

// EnterCredentials shows the form of credentials.
func (s *Integrations) EnterCredentials(c echo.Context, v frame.Visit) error {
	line, err := s.integrations.oneIntegration(c, integrationID(c))
	if err != nil {
		return err
	}
	f := admin.CredentialsForm{Method: string(dispatch.AuthKey), Scope: "ks:fiks"}
	return s.showCredentials(c, v, http.StatusOK, line, f, nil, nil)
}

func (s *Integrations) showCredentials(c echo.Context, v frame.Visit, status int, line admin.IntegrationLine, f admin.CredentialsForm, t *admin.TrialResult, ps dispatch.Problems) error {
	p := admin.CredentialsPage{Page: s.Page(c, v, "credentials.page", "Name", line.Name), IntegrationLine: line, Form: f, Trial: t}
	p.Section, p.Narrow, p.Problems = views.SectionIntegrations, true, ps
	if frame.Fragment(c) == "prove-resultat" {
		return frame.Show(c, http.StatusOK, admin.TrialAnswer(t, p.Page))
	}
	return frame.Show(c, status, admin.Credentials(p))
}

// readCredentials reads the form. Secrets go into the credentials only, even a key pasted among the certificates.
func readCredentials(c echo.Context, kind dispatch.IntegrationKind) (admin.CredentialsForm, dispatch.Credentials) {
	f := admin.CredentialsForm{
		Method: c.FormValue(dispatch.FieldMethod), ClientID: c.FormValue(dispatch.FieldClientID), Scope: c.FormValue(dispatch.FieldScope),
		KeyID: c.FormValue(dispatch.FieldKeyID), Certificates: c.FormValue(dispatch.FieldCertificates), ConsumerOrg: c.FormValue(dispatch.FieldConsumerOrg),
		IntegrationID: c.FormValue(dispatch.FieldIntegrationID), Expires: c.FormValue(admin.FieldExpires), Later: c.FormValue("bytt") == "senere",
		SwitchDay: c.FormValue(admin.FieldSwitchDay), SwitchTime: c.FormValue("bytt-kl"),
	}
	credentials := f.Credentials(kind, c.FormValue(dispatch.FieldClientSecret), c.FormValue(dispatch.FieldPrivateKey), c.FormValue(dispatch.FieldIntegrationPassword))
	if strings.Contains(f.Certificates, "PRIVATE KEY") {
		f.Certificates = ""
	}
	return f, credentials
}

// SaveCredentials stores credentials, or only tries them.
func (s *Integrations) SaveCredentials(c echo.Context, v frame.Visit) error {
	line, err := s.integrations.oneIntegration(c, integrationID(c))
	if err != nil {
		return err
	}
	f, credentials := readCredentials(c, line.Kind)
	ps := credentials.Validate(line.Kind, s.Now())
	expires, switchAt, own := f.Parse(s.Now())
	ps = append(ps, own...)
	if c.FormValue("handling") == "prov" {
		return s.tryTyped(c, v, line, f, credentials, ps)
	}
	if len(ps) > 0 {
		return s.showCredentials(c, v, http.StatusUnprocessableEntity, line, f, nil, ps)
	}
	if end := credentials.ExpiresAt(); !end.IsZero() && (expires.IsZero() || end.Before(expires)) {
		expires = end
	}
	n := registry.NewCredentials{Credentials: credentials, ExpiresAt: expires, SwitchAt: switchAt}
	if _, err := registry.In(s.Store).Credentials.Add(frame.Context(c), line.ID, n, frame.Actor(c, v.User)); err != nil {
		return err
	}
	s.Upstream.Forget(line.ID)
	s.Wake()
	flash := "flash.credentials_saved"
	if dispatch.NextSet(line.Sets, s.Now()).ID != "" {
		flash = "flash.credentials_saved.next"
	}
	return s.FlashTo(c, integrationsPath+"/"+string(line.ID), flash, 0)
}

// tryTyped tries the credentials in the form, without storing them.
func (s *Integrations) tryTyped(c echo.Context, v frame.Visit, line admin.IntegrationLine, f admin.CredentialsForm, credentials dispatch.Credentials, ps dispatch.Problems) error {
	if len(ps) > 0 {
		return s.showCredentials(c, v, http.StatusUnprocessableEntity, line, f, nil, ps)
	}
	t, err := s.tryUnused(c, v, line, credentials, map[string]any{"typed": true})
	if err != nil {
		return err
	}
	return s.showCredentials(c, v, http.StatusOK, line, f, &t, nil)
}
