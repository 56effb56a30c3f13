package admin

import (
	"slices"
	"strings"

	"utsending/internal/dispatch"
	"utsending/internal/store/queue"
	"utsending/internal/store/registry"
	"utsending/internal/views/admin"
)

// deleting are the effects of deleting an integration.
func deleting(line admin.IntegrationLine) []admin.Effect {
	return []admin.Effect{admin.Because("act.delete.credentials"), usedBy(line.Accounts), admin.Because("act.delete.log")}
}

// opening are the effects of opening an integration.
func opening(line admin.IntegrationLine, on queue.Waiting) []admin.Effect {
	goes := "act.open.goes"
	if !line.Refusal.At.IsZero() {
		goes = "act.open.tries"
	}
	effects := []admin.Effect{waiting(on.Due, goes, "act.open.none"), usedBy(line.Accounts)}
	if line.StoppedBy == "" {
		effects = append(effects, waiting(on.Uncertain, "act.open.uncertain", "act.open.uncertain.none"))
	}
	return effects
}

// usedBy is the effect on the accounts that use an integration.
func usedBy(accounts []dispatch.Account) admin.Effect {
	names := make([]string, len(accounts))
	for i, a := range accounts {
		names[i] = a.Name
	}
	if len(names) == 0 {
		return admin.Because("act.integration.unused")
	}
	return admin.Because("act.integration.used", "N", len(names), "Names", strings.Join(names, ", "))
}

// usedHow tells why an integration cannot be deleted.
func usedHow(accounts []dispatch.Account) string {
	if len(accounts) == 0 {
		return "problem.integration.sent"
	}
	return "problem.integration.in_use"
}

// waiting is an effect on n messages, or that there are none.
func waiting(n int, some, none string) admin.Effect {
	if n == 0 {
		return admin.Because(none)
	}
	return admin.Because(some, "N", n)
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

// lastRight is the removal of the only mapping to administrators: it cannot be done before there is another.
func lastRight(a asked) asked {
	a.effects = nil
	a.problems = dispatch.Problems{{Field: dispatch.FieldEffect, Key: "problem.role.last"}}
	a.instead = admin.Link{Path: rightsPath + "#ny-rettighet", Label: "rights.new"}
	return a
}

// lastAdministrator tells whether a mapping is the only one that makes anybody an administrator.
func lastAdministrator(all []registry.RoleMapping, m registry.RoleMapping) bool {
	return m.Role == dispatch.RoleSystemAdmin && !slices.ContainsFunc(all, func(o registry.RoleMapping) bool { return o.Role == m.Role && o.ID != m.ID })
}
