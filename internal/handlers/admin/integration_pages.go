package admin

import (
	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/queue"
	"utsending/internal/store/registry"
	"utsending/internal/views"
	"utsending/internal/views/admin"
)

// oneIntegration reads an integration with its credentials and the accounts that use it.
func (s *integrationPages) oneIntegration(c echo.Context, id dispatch.IntegrationID) (admin.IntegrationLine, error) {
	if uuid.Validate(string(id)) != nil {
		return admin.IntegrationLine{}, store.ErrNotFound
	}
	in, err := registry.In(s.Store).Integrations.ByID(frame.Context(c), id)
	if err != nil {
		return admin.IntegrationLine{}, err
	}
	accounts, err := registry.In(s.Store).Accounts.List(frame.Context(c))
	if err != nil {
		return admin.IntegrationLine{}, err
	}
	refusals, err := queue.In(s.Store).Operations.AccountRefusals(frame.Context(c))
	if err != nil {
		return admin.IntegrationLine{}, err
	}
	return s.integrationLine(c, in, accounts, refusals)
}

// showIntegrationTyped shows an integration with the result of an act, filled in by fill.
func (s *integrationPages) showIntegrationTyped(c echo.Context, v frame.Visit, status int, ps dispatch.Problems, fill func(*admin.IntegrationPage)) error {
	line, err := s.oneIntegration(c, integrationID(c))
	if err != nil {
		return err
	}
	p := admin.IntegrationPage{Page: s.Page(c, v, "integration.title", "Name", line.Name), IntegrationLine: line}
	p.Certificate.Transport = line.Encryption.Transport
	fill(&p)
	p.Section, p.Problems = views.SectionIntegrations, ps
	p.Service, p.Known = s.service(line.Integration.Service)
	waiting, err := queue.In(s.Store).Operations.WaitingOn(frame.Context(c))
	if err != nil {
		return err
	}
	p.Waiting = waiting[line.ID].Due + waiting[line.ID].Overdue
	if p.Asked, err = s.system.waitingRequests(c, line.Integration); err != nil {
		return err
	}
	return frame.Show(c, status, admin.Integration(p))
}

// integrationLines reads all integrations with their credentials and the accounts that use them.
func (s *integrationPages) integrationLines(c echo.Context) ([]admin.IntegrationLine, error) {
	integrations, err := registry.In(s.Store).Integrations.List(frame.Context(c))
	if err != nil {
		return nil, err
	}
	accounts, err := registry.In(s.Store).Accounts.List(frame.Context(c))
	if err != nil {
		return nil, err
	}
	refusals, err := queue.In(s.Store).Operations.AccountRefusals(frame.Context(c))
	if err != nil {
		return nil, err
	}
	lines := make([]admin.IntegrationLine, len(integrations))
	for i, in := range integrations {
		if lines[i], err = s.integrationLine(c, in, accounts, refusals); err != nil {
			return nil, err
		}
	}
	return lines, nil
}

func (s *integrationPages) integrationLine(c echo.Context, in dispatch.Integration, accounts []dispatch.Account, refusals []queue.AccountRefusal) (admin.IntegrationLine, error) {
	line := admin.IntegrationLine{Integration: in, Environment: s.Upstream.Environment(in.Service)}
	var err error
	line.Sets, err = registry.In(s.Store).Credentials.Sets(frame.Context(c), in.ID)
	line.Refusals = refusalsOf(in.ID, refusals, accounts)
	for _, a := range accounts {
		if a.SMSIntegration == in.ID || a.ShipmentIntegration == in.ID {
			line.Accounts = append(line.Accounts, a)
		}
	}
	return line, err
}

// shipmentIntegration reads the integration in the address; ErrNotFound if it sends no shipments.
func (s *integrationPages) shipmentIntegration(c echo.Context) (admin.IntegrationLine, error) {
	line, err := s.oneIntegration(c, integrationID(c))
	if err == nil && !line.Kind.Shipments() {
		return line, store.ErrNotFound
	}
	return line, err
}

// shipmentIntegrations are the integrations that can send shipments.
func (s *integrationPages) shipmentIntegrations(c echo.Context) ([]dispatch.Integration, error) {
	all, err := registry.In(s.Store).Integrations.List(frame.Context(c))
	var list []dispatch.Integration
	for _, in := range all {
		if in.Kind.Shipments() {
			list = append(list, in)
		}
	}
	return list, err
}

// try tries an integration. The event log records it before: credentials are never used unrecorded.
func (s *integrationPages) try(c echo.Context, v frame.Visit, in dispatch.Integration, credentials dispatch.Credentials, accounts []dispatch.Account) (admin.TrialResult, error) {
	a := store.Audit{Actor: v.User.ID, Action: "integration.try", Object: string(in.ID), Origin: frame.Origin(c)}
	if err := s.Store.Record(frame.Context(c), a); err != nil {
		return admin.TrialResult{}, err
	}
	return admin.TrialResult{Steps: s.Upstream.Try(frame.Context(c), in, credentials, accounts)}, nil
}

func (s *integrationPages) service(name string) (dispatch.Service, bool) {
	for _, service := range s.Upstream.Services() {
		if service.Name == name {
			return service, true
		}
	}
	return dispatch.Service{}, false
}

func (s *integrationPages) integrationRows(c echo.Context, accounts []dispatch.Account) ([]admin.IntegrationRow, error) {
	integrations, err := registry.In(s.Store).Integrations.List(frame.Context(c))
	if err != nil {
		return nil, err
	}
	waiting, err := queue.In(s.Store).Operations.WaitingOn(frame.Context(c))
	if err != nil {
		return nil, err
	}
	refusals, err := queue.In(s.Store).Operations.AccountRefusals(frame.Context(c))
	if err != nil {
		return nil, err
	}
	oldest, err := registry.In(s.Store).Health.OldestDue(frame.Context(c))
	if err != nil {
		return nil, err
	}
	sets, err := registry.In(s.Store).Credentials.AllSets(frame.Context(c))
	if err != nil {
		return nil, err
	}
	rows := make([]admin.IntegrationRow, len(integrations))
	for i, in := range integrations {
		w := waiting[in.ID]
		rows[i] = admin.IntegrationRow{
			Integration: in, Environment: s.Upstream.Environment(in.Service), Due: w.Due, Overdue: w.Overdue, Uncertain: w.Uncertain, Oldest: oldest[in.ID],
			Sets: sets[in.ID], Refusals: refusalsOf(in.ID, refusals, accounts),
		}
	}
	return rows, nil
}

func integrationID(c echo.Context) dispatch.IntegrationID {
	return dispatch.IntegrationID(c.Param("id"))
}

func credentialID(c echo.Context) dispatch.CredentialID {
	return dispatch.CredentialID(c.Param("sett"))
}

// refusalsOf are the accounts refused by an integration's service.
func refusalsOf(in dispatch.IntegrationID, all []queue.AccountRefusal, accounts []dispatch.Account) (list []admin.Refusal) {
	for _, r := range all {
		if r.Integration == in {
			list = append(list, admin.Refusal{Account: byID(accounts, r.Account), Reason: r.Reason})
		}
	}
	return list
}

func byID(accounts []dispatch.Account, id dispatch.AccountID) dispatch.Account {
	for _, a := range accounts {
		if a.ID == id {
			return a
		}
	}
	return dispatch.Account{ID: id}
}
