package admin

import (
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/i18n"
	"utsending/internal/store"
	"utsending/internal/store/queue"
	"utsending/internal/store/registry"
	"utsending/internal/views"
	"utsending/internal/views/admin"
)

// PauseDelivery pauses all delivery.
func (s *Acts) PauseDelivery(c echo.Context, v frame.Visit) (asked, error) {
	a := asked{act: dispatch.ActPause, section: views.SectionDelivery, back: deliveryPath, done: "flash.delivery_paused"}
	guard, err := queue.In(s.Store).Guards.Current(frame.Context(c))
	if err != nil {
		return a, err
	}
	if guard.Paused {
		return a, store.ErrChanged
	}
	all, err := queue.In(s.Store).Operations.WaitingOn(frame.Context(c))
	n := 0
	for _, w := range all {
		n += w.Due
	}
	a.effects = []admin.Effect{waiting(n, "act.pause.waits", "act.pause.none"), admin.Because("act.pause.new"), admin.Because("act.stop.taken"), admin.Because("act.pause.until")}
	a.do = func(by store.Actor) error {
		return queue.In(s.Store).Operations.PauseDelivery(frame.Context(c), by, v.User.Name)
	}
	return a, err
}

// onIntegration is an act on the integration in the address, with what waits on it.
func (s *Acts) onIntegration(c echo.Context, act dispatch.AdminAct) (asked, admin.IntegrationLine, queue.Waiting, error) {
	line, err := s.integrations.oneIntegration(c, integrationID(c))
	if err != nil {
		return asked{}, line, queue.Waiting{}, err
	}
	all, err := queue.In(s.Store).Operations.WaitingOn(frame.Context(c))
	if err != nil {
		return asked{}, line, queue.Waiting{}, err
	}
	a := asked{act: act, section: views.SectionIntegrations, name: line.Name, environment: line.Integration.Environment, back: FromIntegration(c), request: dispatch.ActRequest{Object: line.ID}}
	if !act.NeedsSecond(a.environment) {
		return a, line, all[line.ID], nil
	}
	waiting, err := s.system.waitingRequests(c, line.Integration)
	if slices.ContainsFunc(waiting, func(r dispatch.ActRequest) bool { return r.Act == act }) {
		a.waits, a.problems = true, dispatch.Problems{{Field: dispatch.FieldEffect, Key: "problem.act.waits"}}
	}
	return a, line, all[line.ID], err
}

// StopIntegration stops an integration.
func (s *Acts) StopIntegration(from leads) func(echo.Context, frame.Visit) (asked, error) {
	return func(c echo.Context, v frame.Visit) (asked, error) {
		a, line, on, err := s.onIntegration(c, dispatch.ActStop)
		if err != nil {
			return a, err
		}
		a.back, a.done = from(c), "flash.integration_stopped"
		if !line.StoppedAt.IsZero() {
			return a, store.ErrChanged
		}
		a.effects = []admin.Effect{waiting(on.Due, "act.stop.waits", "act.pause.none"), usedBy(line.Accounts), admin.Because("act.stop.taken"), openedHow(line)}
		a.do = func(by store.Actor) error {
			return queue.In(s.Store).Operations.StopIntegration(frame.Context(c), line.ID, by, v.User.Name)
		}
		return a, nil
	}
}

// OpenIntegration opens a stopped integration.
func (s *Acts) OpenIntegration(from leads) func(echo.Context, frame.Visit) (asked, error) {
	return func(c echo.Context, _ frame.Visit) (asked, error) {
		a, line, on, err := s.onIntegration(c, dispatch.ActOpen)
		if err != nil {
			return a, err
		}
		a.back, a.done = from(c), "flash.integration_opened"
		if line.StoppedAt.IsZero() {
			return a, store.ErrChanged
		}
		if !line.RefusedAt.IsZero() {
			a.done = "flash.integration_opened.refused"
		}
		a.effects = opening(line, on)
		a.request.Seen = stopSeen(line.Integration)
		a.do = func(by store.Actor) error {
			return queue.In(s.Store).Operations.OpenIntegration(frame.Context(c), line.ID, by)
		}
		return a, nil
	}
}

// DeleteIntegration deletes an unused integration.
func (s *Acts) DeleteIntegration(c echo.Context, _ frame.Visit) (asked, error) {
	a, line, _, err := s.onIntegration(c, dispatch.ActDelete)
	if err != nil {
		return a, err
	}
	used, err := registry.In(s.Store).Integrations.Used(frame.Context(c), line.ID)
	a.effects = deleting(line)
	if used {
		a.problems = append(a.problems, dispatch.Problem{Field: dispatch.FieldEffect, Key: usedHow(line.Accounts)})
		a.instead = admin.Link{Path: a.back, Label: "alarms.integration"}
	}
	return a, err
}

// RemoveCertificate removes the service's certificate.
func (s *Acts) RemoveCertificate(c echo.Context, _ frame.Visit) (asked, error) {
	if _, err := s.integrations.shipmentIntegration(c); err != nil {
		return asked{}, err
	}
	a, line, _, err := s.onIntegration(c, dispatch.ActRemoveCertificate)
	a.done, a.version = "flash.certificate_removed", line.Integration.Version
	a.effects = []admin.Effect{admin.Because("act.certificate.files"), usedBy(line.Accounts)}
	a.do = func(by store.Actor) error {
		err := registry.In(s.Store).Integrations.SaveEncryption(frame.Context(c), line.ID, frame.ReadVersion(c), dispatch.Encryption{}, by)
		s.Upstream.Forget(line.ID)
		return err
	}
	return a, err
}

// WipeSet wipes a set of credentials that is not the one in use.
func (s *Acts) WipeSet(c echo.Context, _ frame.Visit) (asked, error) {
	a, line, _, err := s.onIntegration(c, dispatch.ActWipe)
	if err != nil {
		return a, err
	}
	i := slices.IndexFunc(line.Sets, func(set dispatch.CredentialSet) bool { return set.ID == credentialID(c) })
	switch {
	case i < 0:
		return a, store.ErrNotFound
	case line.Sets[i].State == dispatch.CredentialWiped:
		return a, store.ErrChanged
	}
	ctx, set := frame.Context(c), line.Sets[i]
	a.done = "flash.credentials_wiped"
	a.name = i18n.T(ctx, "act.wipe.which", "Name", line.Name, "Set", admin.SetBy(ctx, set, s.Now()))
	if dispatch.UsedSet(line.Sets, s.Now()) == set.ID {
		a.problems, a.instead = keptWhy(line.Sets, set, a.back)
		return a, nil
	}
	a.effects = []admin.Effect{unusedWhy(set), admin.Because("act.wipe.gone"), admin.Because("act.wipe.others")}
	if h := set.Health(); h != dispatch.IntegrationDenied && h != dispatch.IntegrationFailed { // it may be the only one that works
		switch line.State(line.Sets, s.Now()) {
		case dispatch.IntegrationDenied, dispatch.IntegrationRefused:
			a.effects = append(a.effects, admin.Because("act.wipe.denied"))
		case dispatch.IntegrationFailed:
			a.effects = append(a.effects, admin.Because("act.wipe.failed"))
		case dispatch.IntegrationUntried:
			a.effects = append(a.effects, admin.Because("act.wipe.untried"))
		}
	}
	a.do = func(by store.Actor) error {
		err := registry.In(s.Store).Credentials.Wipe(ctx, line.ID, set.ID, by)
		s.Upstream.Forget(line.ID)
		return err
	}
	return a, nil
}

// DisableAccount keeps an account from sending.
func (s *Acts) DisableAccount(c echo.Context, _ frame.Visit) (asked, error) {
	line, err := s.accounts.oneAccount(c)
	if err != nil {
		return asked{}, err
	}
	a := asked{act: dispatch.ActDisable, section: views.SectionAccounts, name: line.Name, version: line.Version, back: accountsPath + "/" + line.Slug, done: "flash.account_disabled"}
	if line.Disabled() {
		return a, store.ErrChanged
	}
	n, err := registry.In(s.Store).Accounts.QueuedOn(frame.Context(c), line.ID)
	a.effects = []admin.Effect{waiting(n, "act.disable.waits", "act.disable.none"), admin.Because("act.disable.reads")}
	a.do = func(by store.Actor) error {
		line.Version = frame.ReadVersion(c)
		return registry.In(s.Store).Accounts.SetDisabled(frame.Context(c), line.Account, true, by)
	}
	return a, err
}

// mostNames bounds how many people the effect of an act names.
const mostNames = 20

// RemoveRight removes a role mapping.
func (s *Acts) RemoveRight(c echo.Context, _ frame.Visit) (asked, error) {
	a := asked{act: dispatch.ActRemoveRight, section: views.SectionRights, back: rightsPath, done: "flash.right_removed"}
	mappings, err := registry.In(s.Store).Roles.Mappings(frame.Context(c))
	if err != nil {
		return a, err
	}
	for _, m := range mappings {
		if m.ID == c.Param("id") {
			if lastAdministrator(mappings, m) {
				a.name = m.Claim
				return lastRight(a), nil
			}
			return s.removeMapping(c, a, m)
		}
	}
	if uuid.Validate(c.Param("id")) != nil {
		return a, store.ErrNotFound
	}
	return a, store.ErrChanged
}

func (s *Acts) removeMapping(c echo.Context, a asked, m registry.RoleMapping) (asked, error) {
	holdings, err := registry.In(s.Store).Roles.Holdings(frame.Context(c))
	if err != nil {
		return a, err
	}
	var people []string
	where := admin.Because("act.right.everywhere", "Role", i18n.T(frame.Context(c), "role."+string(m.Role)))
	a.name = m.Claim
	for _, h := range holdings {
		if h.Claim != m.Claim || h.Role != m.Role || h.Account.ID != m.Account {
			continue
		}
		if h.Account.ID != "" {
			where = admin.Because("act.right.account", "Role", i18n.T(frame.Context(c), "role."+string(m.Role)), "Account", h.Account.Name)
		}
		if h.Person != "" {
			people = append(people, h.Person)
		}
	}
	who := admin.Because("act.right.nobody")
	if n := len(people); n > 0 {
		who = admin.Because("act.right.people", "N", n, "Names", strings.Join(people[:min(n, mostNames)], ", "))
	}
	a.effects = []admin.Effect{where, who, admin.Because("act.right.logged_out")}
	a.do = func(by store.Actor) error { return registry.In(s.Store).Roles.RemoveMapping(frame.Context(c), m, by) }
	return a, nil
}

// keptWhy tells why the set in use cannot be wiped, and what to do first: use another one, or enter one if none can be used.
func keptWhy(sets []dispatch.CredentialSet, used dispatch.CredentialSet, integration string) (dispatch.Problems, admin.Link) {
	another := slices.ContainsFunc(sets, func(set dispatch.CredentialSet) bool {
		return set.ID != used.ID && set.State != dispatch.CredentialWiped && set.Refusal.At.IsZero()
	})
	if another {
		return dispatch.Problems{{Field: dispatch.FieldEffect, Key: "problem.credentials.in_use"}}, admin.Link{Path: integration, Label: "alarms.integration"}
	}
	return dispatch.Problems{{Field: dispatch.FieldEffect, Key: "problem.credentials.only"}}, admin.Link{Path: integration + "/tilgang", Label: "credentials.enter"}
}

// unusedWhy tells that a set is not in use, and whether the service refused it.
func unusedWhy(set dispatch.CredentialSet) admin.Effect {
	if set.Refusal.At.IsZero() {
		return admin.Because("act.wipe.unused")
	}
	return admin.Because("act.wipe.refused")
}

// openedHow tells who can open the integration again.
func openedHow(line admin.IntegrationLine) admin.Effect {
	if dispatch.ActOpen.NeedsSecond(line.Integration.Environment) {
		return admin.Because("act.stop.two_open")
	}
	return admin.Because("act.stop.one_opens")
}

// lastAdministrator tells whether a mapping is the only one that makes anybody an administrator.
func lastAdministrator(all []registry.RoleMapping, m registry.RoleMapping) bool {
	return m.Role == dispatch.RoleSystemAdmin && !slices.ContainsFunc(all, func(o registry.RoleMapping) bool { return o.Role == m.Role && o.ID != m.ID })
}
