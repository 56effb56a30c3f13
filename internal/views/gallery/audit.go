package gallery

import (
	"strings"
	"time"

	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/store/registry"
	"utsending/internal/views"
	"utsending/internal/views/admin"
)

// sampleDetails is every detail that a line of the event log may have.
func sampleDetails() map[string]any {
	details := map[string]any{"purpose": "Varsle om stengt skole"}
	for _, name := range []string{"again", "failed", "person", "service"} {
		details[name] = name == "person"
	}
	for _, name := range []string{"asked", "ids", "persons", "recipients", "version", "lines"} {
		details[name] = float64(3)
	}
	for _, name := range []string{"cause", "claim", "credentials", "detail", "document", "fingerprint", "from", "kind", "mode", "role", "to", "transport", "which", "format"} {
		details[name] = sampleID(300)
	}
	return details
}

// chosenParts are all parts of an address by which a list is chosen.
func chosenParts() (parts []any) {
	for _, f := range []string{"kanal", "gruppe", "status", "fra", "til", "avsender", "konteringskode", "type", "signering", "arkivert", "beholdes", "jobb", "rekkefolge", "utfall", "vei",
		"mal", "lest", "signert", "spor", "sok", "arbeidsliste", "grunn", "hvem"} {
		parts = append(parts, f)
	}
	return parts
}

// sampleLog has one line for every act.
func sampleLog(now time.Time) []admin.LogLine {
	account := sampleAccount(0)
	var lines []admin.LogLine
	for i, a := range dispatch.AuditActions() {
		l := admin.LogLine{At: now.Add(-time.Duration(i) * 7 * time.Minute), Actor: "Kari Nordmann", ActorID: sampleID(900), Account: account, Action: a.Action,
			Object: sampleID(400 + i), Origin: "10.0.0.17", Job: strings.HasPrefix(a.Action, "job.")}
		switch a.Group {
		case dispatch.AuditSending, dispatch.AuditContent:
			l.Kind = dispatch.KindSMS
		case dispatch.AuditFollowing:
			l.Kind = dispatch.KindShipment
		case dispatch.AuditSignIn, dispatch.AuditAccess, dispatch.AuditKeeping:
			l.Account, l.Object = dispatch.Account{}, ""
		}
		switch a.Action {
		case "lookup":
			l.Details, l.Object = sampleDetails(), ""
		case "list.export":
			l.Details = map[string]any{"format": "xlsx", "chosen": chosenParts(), "search": true, "person": false}
		case "list.bulk":
			l.Details = map[string]any{"act": "again", "total": 2.0, "reason": "Avtalt på telefon"}
		case "act_request.asked":
			l.Details = map[string]any{"act": "retention", "before": "30 90 365 1095 1095", "after": "30 60 365 1095 1095", "integration": sampleID(201)}
		case "absence.set":
			l.Details = map[string]any{"until": "2026-12-04", "deputy": sampleID(902), "viewers": []any{sampleID(903)}}
		case "notices.chosen":
			l.Details = map[string]any{"mail": true, "digest": true, "alarms": false, "channels": 2.0}
		case "document.clean":
			l.Details = map[string]any{"of": sampleID(304), "removed": []any{"comment"}, "parts": 3.0, "shipments": 2.0, "reasons": []any{"cost"}}
		case "list.search":
			l.Details = map[string]any{"found": []any{sampleID(1), sampleID(2)}, "found_n": 2.0, "reason": "Feil telefonliste fra skolen"}
		case "item.copied":
			l.Details = map[string]any{"made": sampleID(3)}
		case "job.send":
			l.Details = map[string]any{"draft": sampleID(4), "recipients": 20.0}
		case "integration.certificate.save":
			l.Account, l.Name, l.Details = dispatch.Account{}, "SMS for kommunen", map[string]any{"fingerprint": sampleSum("9f2c"), "transport": "oaep"}
		case "retention.save":
			l.Details = map[string]any{"values": []any{map[string]any{"what": "retention.drafts", "before": "30", "after": "60"}}}
		case "retention.purge":
			l.Details = map[string]any{"jobs": 2.0}
		case "integration.tried":
			l.Details = map[string]any{"failed": true, "step": "account"}
		case "integration.stop":
			l.Account, l.Name, l.Gone = dispatch.Account{}, "Gammel SMS", true
		case "integration.clear_refusal":
			l.Account, l.Name = dispatch.Account{}, "SMS for kommunen"
			lines = append(lines, admin.LogLine{At: l.At, Action: "integration.stop", Object: sampleID(201), Name: l.Name, Details: map[string]any{"uncertain": 3.0}})
		case "integration.open":
			l.Account, l.Gone = dispatch.Account{}, true
		case "account_setup.update":
			l.Details = map[string]any{"values": []any{map[string]any{"what": "account.undo", "before": "10", "after": "20"},
				map[string]any{"what": "account.budget", "after": "5000"}, map[string]any{"what": "account.budget.rule", "before": "warn", "after": "stop"},
				map[string]any{"what": "account.workdays", "before": "false", "after": "true"}, map[string]any{"what": "account.watch_words"},
				map[string]any{"what": "audit.changed.other"}, map[string]any{"what": "audit.changed.sms_integration", "before": sampleID(201), "after": sampleID(202)}}}
		case "account_setup.print_rules": // by an earlier release
			l.Details = map[string]any{"changed": []any{"account.sender"}}
		case "log.export":
			l.Details = map[string]any{"format": "jsonl"}
		case "citizen.report":
			l.Details = map[string]any{"format": "html"}
		case "integration.create":
			l.Account, l.Name, l.Details = dispatch.Account{}, "SMS for kommunen", map[string]any{"name": "SMS for kommunen"}
		case "integration.try":
			l.Details = map[string]any{"typed": true}
		case "access.reviewed":
			l.Details = map[string]any{"people": 12.0}
		case "session.end_others":
			l.Details = map[string]any{"sessions": 2.0}
		case "delivery.restored", "delivery.promoted", "files.adopted":
			l.Actor, l.ActorID, l.Origin = "", "", ""
		}
		lines = append(lines, l)
	}
	return append(lines, admin.LogLine{At: now.Add(-24 * time.Hour), Actor: "Kari Nordmann", Action: "of.another.version", Details: map[string]any{"strange": nil}})
}

// logExhibits are the event log.
func logExhibits() []exhibit {
	page := func(name, says string, who dispatch.User, change func(*admin.LogPage)) exhibit {
		return exhibit{path: "log/" + name, says: says, show: func(f frame) templ.Component {
			p := admin.LogPage{Page: f.page(who, f.text("audit.title")), Lines: sampleLog(galleryNow)}
			p.Section = views.SectionLog
			p.People = []admin.Choice{{Value: sampleID(901), Name: "Ingrid Lunde"}, {Value: sampleID(900), Name: "Kari Nordmann"}}
			p.Accounts = []admin.Choice{{Value: sampleID(100), Name: "Oppvekst"}}
			change(&p)
			return admin.Log(p)
		}}
	}
	everything := administrator()
	everything.Grants = caseworker().Grants
	return []exhibit{
		page("all", "every act, with everything that may be told of it", everything, func(p *admin.LogPage) { p.Older, p.Later = "1-1", true }),
		page("auditor", "of one account", auditor(), func(p *admin.LogPage) { p.Lines = p.Lines[:12] }),
		page("auditor-of-two", "of two accounts", auditorOfTwo(), func(p *admin.LogPage) {
			p.Lines, p.Accounts = p.Lines[:2], append(p.Accounts, admin.Choice{Value: sampleID(101), Name: sampleAccount(1).Name})
		}),
		page("whole", "the log is what was written", administrator(), func(p *admin.LogPage) {
			p.Lines, p.Check = p.Lines[:2], &admin.LogCheck{Lines: 48211, First: 1025, Waiting: 2, End: "49235:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}
		}),
		page("broken", "the log is not what was written", administrator(), func(p *admin.LogPage) {
			p.Lines, p.Check = p.Lines[:2], &admin.LogCheck{Lines: 48211, First: 1}
			for _, kind := range []registry.BreakKind{registry.BreakChanged, registry.BreakRemoved, registry.BreakGap, registry.BreakBackdated, registry.BreakUnchained, registry.BreakExpected, registry.BreakPurged} {
				p.Check.Breaks = append(p.Check.Breaks, admin.LogBreak{Kind: string(kind), Position: "4711", Line: "5012"})
			}
		}),
		page("empty", "nothing has happened on the auditor's accounts", auditor(), func(p *admin.LogPage) { p.Lines = nil }),
		page("none", "nothing fits the filter", administrator(), func(p *admin.LogPage) {
			p.Open = true
			p.Lines, p.Form = nil, admin.LogForm{From: "01.11.2026", Group: string(dispatch.AuditExport), Actor: sampleID(900)}
		}),
		page("problems", "a filter that cannot be", administrator(), func(p *admin.LogPage) {
			p.Lines, p.Form = nil, admin.LogForm{Object: "12", Group: "noe"}
			p.Problems = dispatch.Problems{{Field: admin.FieldLogObject, Key: "problem.audit.id"}, {Field: admin.FieldLogGroup, Key: "problem.audit.choice"}}
		}),
		page("order", "the last day is before the first", administrator(), func(p *admin.LogPage) {
			p.Lines, p.Form = nil, admin.LogForm{From: "28.11.2026", To: "27.11.2026"}
			p.Problems = dispatch.Problems{{Field: admin.FieldLogTo, Key: "problem.period.order"}}
		}),
	}
}
