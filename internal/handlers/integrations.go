package handlers

import (
	"errors"
	"net/http"
	"strings"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/views"
)

const integrationsPath = "/admin/integrasjoner"

func integrationID(c echo.Context) dispatch.IntegrationID {
	return dispatch.IntegrationID(c.Param("id"))
}

// integrationLines reads all integrations with their credentials and the accounts that use them.
func (s *server) integrationLines(c echo.Context) ([]views.IntegrationLine, error) {
	integrations, err := s.o.Store.Integrations(ctx(c))
	if err != nil {
		return nil, err
	}
	accounts, err := s.o.Store.Accounts(ctx(c))
	if err != nil {
		return nil, err
	}
	refusals, err := s.o.Store.AccountRefusals(ctx(c))
	if err != nil {
		return nil, err
	}
	lines := make([]views.IntegrationLine, len(integrations))
	for i, in := range integrations {
		if lines[i], err = s.integrationLine(c, in, accounts, refusals); err != nil {
			return nil, err
		}
	}
	return lines, nil
}

func (s *server) integrationLine(c echo.Context, in dispatch.Integration, accounts []dispatch.Account, refusals []store.AccountRefusal) (views.IntegrationLine, error) {
	line := views.IntegrationLine{Integration: in, Environment: s.o.Upstream.Environment(in.Service)}
	var err error
	line.Sets, err = s.o.Store.CredentialSets(ctx(c), in.ID)
	line.Refusals = refusalsOf(in.ID, refusals, accounts)
	for _, a := range accounts {
		if a.SMSIntegration == in.ID || a.ShipmentIntegration == in.ID {
			line.Accounts = append(line.Accounts, a)
		}
	}
	return line, err
}

// oneIntegration reads the integration of the address.
func (s *server) oneIntegration(c echo.Context) (views.IntegrationLine, error) {
	if uuid.Validate(c.Param("id")) != nil {
		return views.IntegrationLine{}, store.ErrNotFound
	}
	in, err := s.o.Store.Integration(ctx(c), integrationID(c))
	if err != nil {
		return views.IntegrationLine{}, err
	}
	accounts, err := s.o.Store.Accounts(ctx(c))
	if err != nil {
		return views.IntegrationLine{}, err
	}
	refusals, err := s.o.Store.AccountRefusals(ctx(c))
	if err != nil {
		return views.IntegrationLine{}, err
	}
	return s.integrationLine(c, in, accounts, refusals)
}

func (s *server) listIntegrations(c echo.Context, v visit) error {
	lines, err := s.integrationLines(c)
	if err != nil {
		return err
	}
	p := views.IntegrationsPage{Page: s.page(c, v, "integrations.title"), Rows: lines}
	p.Section = views.SectionIntegrations
	return show(c, http.StatusOK, views.Integrations(p))
}

func (s *server) newIntegration(c echo.Context, v visit) error {
	f := views.NewIntegrationForm(dispatch.Integration{Parallelism: 8, RatePerSec: 20, ReserveIDs: true})
	return s.showIntegrationForm(c, v, http.StatusOK, views.IntegrationFormPage{Form: f}, nil)
}

func (s *server) showIntegrationForm(c echo.Context, v visit, status int, p views.IntegrationFormPage, ps dispatch.Problems) error {
	title := "integration.new.title"
	if p.ID != "" {
		title = "integration.edit.title"
	}
	p.Page, p.Services = s.page(c, v, title), s.o.Upstream.Services()
	p.Section, p.Narrow, p.Problems = views.SectionIntegrations, true, ps
	return show(c, status, views.IntegrationNew(p))
}

func readIntegrationForm(c echo.Context) views.IntegrationForm {
	f := views.IntegrationForm{
		Name: c.FormValue(dispatch.FieldName), Service: c.FormValue(dispatch.FieldService), Parallelism: c.FormValue(dispatch.FieldParallelism),
		Rate: c.FormValue(dispatch.FieldRate), NoReservedIDs: c.FormValue("uten-id") == "true", Version: c.FormValue("versjon"), Wire: "spec",
	}
	if c.FormValue("utsendt-form") == "true" {
		f.Wire = "deployed"
	}
	return f
}

// createIntegration makes an integration of a configured service. What the service says about the wire is the default.
func (s *server) createIntegration(c echo.Context, v visit) error {
	f := readIntegrationForm(c)
	in, ps := f.Parse(dispatch.Integration{})
	service, ok := s.service(f.Service)
	if !ok {
		ps = append(dispatch.Problems{{Field: dispatch.FieldService, Key: "problem.service"}}, ps...)
	}
	in.Service, in.Kind, in.Environment = service.Name, service.Kind, service.Environment
	if service.Wire != "" {
		in.Wire = service.Wire
	}
	if len(ps) > 0 {
		return s.showIntegrationForm(c, v, http.StatusUnprocessableEntity, views.IntegrationFormPage{Form: f}, ps)
	}
	id, err := s.o.Store.CreateIntegration(ctx(c), in, by(c, v.User))
	if errors.Is(err, store.ErrTaken) {
		return s.showIntegrationForm(c, v, http.StatusUnprocessableEntity, views.IntegrationFormPage{Form: f}, nameTaken)
	}
	if err != nil {
		return err
	}
	return s.flashTo(c, integrationsPath+"/"+string(id), "flash.integration_created", 0)
}

var nameTaken = dispatch.Problems{{Field: dispatch.FieldName, Key: "problem.integration.taken"}}

func (s *server) service(name string) (dispatch.Service, bool) {
	for _, service := range s.o.Upstream.Services() {
		if service.Name == name {
			return service, true
		}
	}
	return dispatch.Service{}, false
}

func (s *server) editIntegration(c echo.Context, v visit) error {
	line, err := s.oneIntegration(c)
	if err != nil {
		return err
	}
	p := views.IntegrationFormPage{ID: line.ID, Kind: line.Kind, Form: views.NewIntegrationForm(line.Integration)}
	return s.showIntegrationForm(c, v, http.StatusOK, p, nil)
}

// saveIntegration changes an integration. The second of two administrators who save at once sees what the first saved,
// with what was typed still there.
func (s *server) saveIntegration(c echo.Context, v visit) error {
	line, err := s.oneIntegration(c)
	if err != nil {
		return err
	}
	f := readIntegrationForm(c)
	in, ps := f.Parse(line.Integration)
	if len(ps) == 0 {
		switch err = s.o.Store.UpdateIntegration(ctx(c), in, by(c, v.User)); {
		case errors.Is(err, store.ErrTaken):
			ps = nameTaken
		case errors.Is(err, store.ErrStale):
			ps = dispatch.Problems{{Field: dispatch.FieldName, Key: "problem.stale"}}
			f.Version = views.NewIntegrationForm(line.Integration).Version
		case err != nil:
			return err
		}
	}
	if len(ps) > 0 {
		return s.showIntegrationForm(c, v, http.StatusUnprocessableEntity, views.IntegrationFormPage{ID: line.ID, Kind: line.Kind, Form: f}, ps)
	}
	s.o.Upstream.Forget(line.ID)
	return s.flashTo(c, integrationsPath+"/"+string(line.ID), "flash.done", 0)
}

func (s *server) showIntegration(c echo.Context, v visit) error {
	return s.showIntegrationWith(c, v, http.StatusOK, nil, nil)
}

func (s *server) showIntegrationWith(c echo.Context, v visit, status int, trial *views.TrialResult, ps dispatch.Problems) error {
	return s.showIntegrationTyped(c, v, status, ps, func(p *views.IntegrationPage) { p.Trial = trial })
}

// showIntegrationTyped shows an integration with what an act has left on its page.
func (s *server) showIntegrationTyped(c echo.Context, v visit, status int, ps dispatch.Problems, fill func(*views.IntegrationPage)) error {
	line, err := s.oneIntegration(c)
	if err != nil {
		return err
	}
	p := views.IntegrationPage{Page: s.page(c, v, "integration.title", "Name", line.Name), IntegrationLine: line}
	p.Certificate.Transport = line.Encryption.Transport
	fill(&p)
	p.Section, p.Problems = views.SectionIntegrations, ps
	p.Service, p.Known = s.service(line.Integration.Service)
	waiting, err := s.o.Store.WaitingOn(ctx(c))
	if err != nil {
		return err
	}
	p.Waiting = waiting[line.ID].Due + waiting[line.ID].Asking
	return show(c, status, views.Integration(p))
}

// onIntegration leads back to the integration after an act; somebody else may have been faster.
func (s *server) onIntegration(c echo.Context, err error) error {
	key := "flash.done"
	switch {
	case errors.Is(err, store.ErrChanged):
		key = "flash.too_late"
	case err != nil:
		return err
	}
	s.o.Upstream.Forget(integrationID(c))
	s.wake()
	return s.flashTo(c, integrationsPath+"/"+c.Param("id"), key, 0)
}

func (s *server) deleteIntegration(c echo.Context, v visit) error {
	err := s.o.Store.DeleteIntegration(ctx(c), integrationID(c), by(c, v.User))
	if errors.Is(err, store.ErrInUse) {
		return s.showIntegrationWith(c, v, http.StatusConflict, nil, dispatch.Problems{{Field: "brukes", Key: "problem.integration.in_use"}})
	}
	if err != nil {
		return err
	}
	return s.flashTo(c, integrationsPath, "flash.integration_deleted", 0)
}

// tryIntegration calls the service with the credentials in use, for all accounts that use them, and keeps how it went.
func (s *server) tryIntegration(c echo.Context, v visit) error {
	line, err := s.oneIntegration(c)
	if err != nil {
		return err
	}
	usable, err := s.o.Store.Credentials(ctx(c), line.ID)
	if errors.Is(err, store.ErrNotFound) {
		return s.showIntegrationWith(c, v, http.StatusUnprocessableEntity, nil, dispatch.Problems{{Field: "tilgang", Key: "problem.credentials.none"}})
	}
	if err != nil {
		return err
	}
	t, err := s.try(c, v, line.Integration, usable.Credentials, line.Accounts)
	if err != nil {
		return err
	}
	if err := s.o.Store.SaveTrial(ctx(c), line.ID, t.Failed(), by(c, v.User)); err != nil {
		return err
	}
	s.o.Upstream.Forget(line.ID)
	s.wake()
	return s.showIntegrationWith(c, v, http.StatusOK, &t, nil)
}

// try tries an integration. Its line in the event log is written before: credentials are used for nothing that is not told.
func (s *server) try(c echo.Context, v visit, in dispatch.Integration, credentials dispatch.Credentials, accounts []dispatch.Account) (views.TrialResult, error) {
	a := store.Audit{Actor: v.User.ID, Action: "integration.try", Object: string(in.ID), Origin: origin(c)}
	if err := s.o.Store.Record(ctx(c), a); err != nil {
		return views.TrialResult{}, err
	}
	return views.TrialResult{Steps: s.o.Upstream.Try(ctx(c), in, credentials, accounts)}, nil
}

// tryUnused tries credentials that are not in use, and writes down how that went.
func (s *server) tryUnused(c echo.Context, v visit, line views.IntegrationLine, credentials dispatch.Credentials, more map[string]any) (views.TrialResult, error) {
	t, err := s.try(c, v, line.Integration, credentials, line.Accounts)
	if err != nil {
		return t, err
	}
	more["failed"] = t.Failed()
	return t, s.o.Store.Record(ctx(c), store.Audit{Actor: v.User.ID, Action: "integration.tried", Object: string(line.ID), Origin: origin(c), Details: more})
}

// trySet tries a stored set that is not in use.
func (s *server) trySet(c echo.Context, v visit) error {
	line, err := s.oneIntegration(c)
	if err != nil {
		return err
	}
	credentials, err := s.o.Store.CredentialsOf(ctx(c), line.ID, credentialID(c))
	if err != nil {
		return err
	}
	t, err := s.tryUnused(c, v, line, credentials, map[string]any{"credentials": credentialID(c)})
	if err != nil {
		return err
	}
	return s.showIntegrationWith(c, v, http.StatusOK, &t, nil)
}

func credentialID(c echo.Context) dispatch.CredentialID {
	return dispatch.CredentialID(c.Param("sett"))
}

func (s *server) useSet(c echo.Context, v visit) error {
	return s.onIntegration(c, s.o.Store.ActivateCredentials(ctx(c), integrationID(c), credentialID(c), by(c, v.User)))
}

func (s *server) wipeSet(c echo.Context, v visit) error {
	return s.onIntegration(c, s.o.Store.WipeCredentials(ctx(c), integrationID(c), credentialID(c), by(c, v.User)))
}

func (s *server) enterCredentials(c echo.Context, v visit) error {
	line, err := s.oneIntegration(c)
	if err != nil {
		return err
	}
	f := views.CredentialsForm{Method: string(dispatch.AuthKey), Scope: "ks:fiks"}
	return s.showCredentials(c, v, http.StatusOK, line, f, nil, nil)
}

func (s *server) showCredentials(c echo.Context, v visit, status int, line views.IntegrationLine, f views.CredentialsForm, t *views.TrialResult, ps dispatch.Problems) error {
	p := views.CredentialsPage{Page: s.page(c, v, "credentials.page", "Name", line.Name), IntegrationLine: line, Form: f, Trial: t}
	p.Section, p.Narrow, p.Problems = views.SectionIntegrations, true, ps
	if fragment(c) == "prove-resultat" {
		return show(c, http.StatusOK, views.TrialAnswer(t, p.Page))
	}
	return show(c, status, views.Credentials(p))
}

// readCredentials reads the form; the secrets go into the credentials only, also a key that was pasted among the
// certificates.
func readCredentials(c echo.Context, kind dispatch.IntegrationKind) (views.CredentialsForm, dispatch.Credentials) {
	f := views.CredentialsForm{
		Method: c.FormValue(dispatch.FieldMethod), ClientID: c.FormValue(dispatch.FieldClientID), Scope: c.FormValue(dispatch.FieldScope),
		KeyID: c.FormValue(dispatch.FieldKeyID), Certificates: c.FormValue(dispatch.FieldCertificates), ConsumerOrg: c.FormValue(dispatch.FieldConsumerOrg),
		IntegrationID: c.FormValue(dispatch.FieldIntegrationID), Expires: c.FormValue(views.FieldExpires), Later: c.FormValue("bytt") == "senere",
		SwitchDay: c.FormValue(views.FieldSwitchDay), SwitchTime: c.FormValue("bytt-kl"),
	}
	credentials := f.Credentials(kind, c.FormValue(dispatch.FieldClientSecret), c.FormValue(dispatch.FieldPrivateKey), c.FormValue(dispatch.FieldIntegrationPassword))
	if strings.Contains(f.Certificates, "PRIVATE KEY") {
		f.Certificates = ""
	}
	return f, credentials
}

// saveCredentials stores a set, or only tries it.
func (s *server) saveCredentials(c echo.Context, v visit) error {
	line, err := s.oneIntegration(c)
	if err != nil {
		return err
	}
	f, credentials := readCredentials(c, line.Kind)
	ps := credentials.Validate(line.Kind, s.o.Now())
	expires, switchAt, own := f.Parse(s.o.Now())
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
	n := store.NewCredentials{Credentials: credentials, ExpiresAt: expires, SwitchAt: switchAt}
	if _, err := s.o.Store.AddCredentials(ctx(c), line.ID, n, by(c, v.User)); err != nil {
		return err
	}
	s.o.Upstream.Forget(line.ID)
	s.wake()
	return s.flashTo(c, integrationsPath+"/"+string(line.ID), "flash.credentials_saved", 0)
}

// tryTyped tries what stands in the form. Nothing is stored.
func (s *server) tryTyped(c echo.Context, v visit, line views.IntegrationLine, f views.CredentialsForm, credentials dispatch.Credentials, ps dispatch.Problems) error {
	if len(ps) > 0 {
		return s.showCredentials(c, v, http.StatusUnprocessableEntity, line, f, nil, ps)
	}
	t, err := s.tryUnused(c, v, line, credentials, map[string]any{"typed": true})
	if err != nil {
		return err
	}
	return s.showCredentials(c, v, http.StatusOK, line, f, &t, nil)
}

// shipmentIntegrations are those that an account's shipments can go over.
func (s *server) shipmentIntegrations(c echo.Context) ([]dispatch.Integration, error) {
	all, err := s.o.Store.Integrations(ctx(c))
	var list []dispatch.Integration
	for _, in := range all {
		if in.Kind.Shipments() {
			list = append(list, in)
		}
	}
	return list, err
}
