package admin

import (
	"strings"

	"utsending/internal/dispatch"
	"utsending/internal/store/queue"
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

// lastRight is the removal of the only mapping to administrators: it cannot be done before there is another.
func lastRight(a asked) asked {
	a.effects = nil
	a.problems = dispatch.Problems{{Field: dispatch.FieldEffect, Key: "problem.role.last"}}
	a.instead = admin.Link{Path: rightsPath + "#ny-rettighet", Label: "rights.new"}
	return a
}
