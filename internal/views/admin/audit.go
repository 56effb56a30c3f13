package admin

import (
	"context"
	"fmt"
	"maps"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// LogPage is the event log.
type LogPage struct {
	views.Page
	Filter   dispatch.AuditFilter
	Form     LogForm
	People   []Choice // users whose acts may be seen
	Accounts []Choice
	Lines    []LogLine
	Older    string // cursor of the next page; empty: no more lines
	Later    bool   // this is not the first page
	Check    *LogCheck
	Open     bool // the server's role may change or delete lines of the log
}

// LogCheck is the result of verifying the log against its chain.
type LogCheck struct {
	Lines, First, Waiting int
	End                   string // the chain's end, to be noted elsewhere
	Breaks                []LogBreak
}

// LogBreak is one inconsistency of the log.
type LogBreak struct{ Kind, Position, Line string }

// LogForm is the filter of the log, as typed.
type LogForm struct{ From, To, Actor, Account, Group, Object string }

// Choice is an option with its name.
type Choice struct{ Value, Name string }

// LogLine is one line of the log.
type LogLine struct {
	At      time.Time
	Actor   string // empty: the program
	ActorID string
	Account dispatch.Account // id, name and short name only
	Action  string
	Object  string
	Name    string        // of the object, if it is an integration, a template or a user
	Gone    bool          // the object is an integration that is deleted
	Kind    dispatch.Kind // of the object, if it is an item that is no draft: only its user sees that
	Job     bool          // the object is a job that there still is
	Details map[string]any
	Names   map[string]string // of users and integrations that the details name, by id
	Origin  string
}

// Fields of the filter.
const (
	FieldLogFrom    = "fra"
	FieldLogTo      = "til"
	FieldLogActor   = "person"
	FieldLogAccount = "konto"
	FieldLogGroup   = "type"
	FieldLogObject  = "id"
	FieldLogOlder   = "eldre"
)

const logPath = "/admin/logg"

// groups are the groups of acts that the reader's part of the log may have: logins belong to no account.
func (p LogPage) groups() []dispatch.AuditGroup {
	return slices.DeleteFunc(dispatch.AuditGroups(), func(g dispatch.AuditGroup) bool {
		return g == dispatch.AuditSignIn && !p.User.Audits().All && p.Form.Group != string(g)
	})
}

// accountNames names the accounts whose acts the reader sees.
func (p LogPage) accountNames() string {
	names := make([]string, len(p.Accounts))
	for i, a := range p.Accounts {
		names[i] = a.Name
	}
	return strings.Join(names, ", ")
}

// query is the query of the filter.
func (f LogForm) query() url.Values {
	values := url.Values{}
	for name, value := range map[string]string{FieldLogFrom: f.From, FieldLogTo: f.To, FieldLogActor: f.Actor, FieldLogAccount: f.Account,
		FieldLogGroup: f.Group, FieldLogObject: f.Object} {
		if value != "" {
			values.Set(name, value)
		}
	}
	return values
}

// address is an address of the log with its filter, and one more parameter if given.
func (p LogPage) address(path, name, value string) string {
	values := p.Form.query()
	if name != "" {
		values.Set(name, value)
	}
	return views.WithQuery(path, values.Encode())
}

func (p LogPage) older() string {
	if p.Older == "" {
		return ""
	}
	return p.address(logPath, FieldLogOlder, p.Older)
}

func (p LogPage) newest() string {
	if !p.Later {
		return ""
	}
	return p.address(logPath, "", "")
}

// actionText describes an act; an unknown act is shown verbatim.
func actionText(ctx context.Context, action string) string {
	if slices.ContainsFunc(dispatch.AuditActions(), func(a dispatch.AuditAction) bool { return a.Action == action }) {
		return i18n.T(ctx, "audit.action."+action)
	}
	return action
}

// objectPath is the address of a line's object, if the user may see it.
func (p LogPage) objectPath(l LogLine) string {
	kind, _, _ := strings.Cut(l.Action, ".")
	inAccount, sees := l.Account.ID != "", p.User.May(dispatch.RightSeeItems, l.Account.ID)
	switch {
	case l.Object == "" || l.Gone:
	case kind == "integration" && p.User.MaySystem(dispatch.RightAdminister):
		return "/admin/integrasjoner/" + l.Object
	case kind == "account_setup" && inAccount && p.User.MaySystem(dispatch.RightAdminister):
		return "/admin/kontoer/" + l.Account.Slug
	case kind == "template" && p.User.May(dispatch.RightSeeTemplates, l.Account.ID):
		return views.AccountPath(l.Account, "maler", l.Object)
	case l.Job && sees:
		return views.AccountPath(l.Account, "jobber", l.Object)
	case l.Kind == dispatch.KindSMS && sees:
		return views.AccountPath(l.Account, "sms", l.Object)
	case l.Kind == dispatch.KindShipment && sees:
		return views.AccountPath(l.Account, "forsendelser", l.Object)
	}
	return ""
}

// shortID abbreviates an id to its beginning and end, so that no run of digits in it is as long as a person's number.
func shortID(id string) string {
	if len(id) < 8 {
		return id
	}
	return id[:4] + "…" + id[len(id)-4:]
}

// given is the reason that the user gave.
func (l LogLine) given() string {
	for _, name := range []string{"reason", "purpose"} {
		if text, ok := l.Details[name].(string); ok && text != "" {
			return text
		}
	}
	return ""
}

// detailNames are the catalogue keys of details.
var detailNames = map[string]string{
	"again": "audit.detail.again", "asked": "audit.detail.asked", "cause": "audit.detail.cause", "claim": "audit.detail.claim",
	"credentials": "audit.detail.credentials", "detail": "audit.detail.detail", "document": "audit.detail.document", "failed": "audit.detail.failed", "found": "audit.detail.found", "found_n": "audit.detail.found_n",
	"fingerprint": "audit.detail.fingerprint", "from": "audit.detail.from", "ids": "audit.detail.ids", "kind": "audit.detail.kind", "mode": "audit.detail.mode",
	"person": "audit.detail.person", "persons": "audit.detail.persons", "recipients": "audit.detail.recipients", "role": "audit.detail.role",
	"service": "audit.detail.service", "to": "audit.detail.to", "transport": "audit.detail.transport", "version": "audit.detail.version",
	"content": "retention.content", "drafts": "retention.drafts", "identity": "retention.identity", "rows": "retention.rows", "log": "retention.log",
	"which": "audit.detail.which", "format": "audit.detail.format", "lines": "audit.detail.lines", "made": "audit.detail.made", "draft": "audit.detail.draft",
	"jobs": "audit.detail.jobs", "lookups": "audit.detail.lookups", "typed": "audit.detail.typed",
	"chosen": "audit.detail.chosen", "search": "audit.detail.search", "sessions": "audit.detail.sessions", "sessions_ended": "audit.detail.sessions", "people": "audit.detail.people",
	"act": "audit.detail.act", "total": "audit.detail.total", "integration": "audit.detail.integration",
	"switch_at": "audit.detail.switch_at", "uncertain": "audit.detail.uncertain", "until": "audit.detail.until", "deputy": "audit.detail.deputy", "owner": "audit.detail.owner", "viewers": "audit.detail.viewers", "mail": "audit.detail.mail", "digest": "audit.detail.digest",
	"alarms": "audit.detail.alarms", "channels": "audit.detail.channels", "reasons": "audit.detail.reasons", "removed": "audit.detail.removed", "of": "audit.detail.of",
	"parts": "audit.detail.parts", "shipments": "audit.detail.shipments",
	"least": "audit.detail.least", "percent": "audit.detail.percent", "status": "audit.detail.status", "fault": "audit.detail.fault", "step": "audit.detail.step", "name": "audit.detail.name", "changed": "audit.detail.changed",
}

// toldApart are the details that are not listed by name: the reason has a column of its own, and changes and proposals say old and new values.
var toldApart = []string{"reason", "purpose", "values", "before", "after"}

// madeDetail is the detail that is the id of what an act made.
const madeDetail = "made"

// draftDetail is the detail that is the id that a job had as a draft of a shipment.
const draftDetail = "draft"

// idDetails are the details that are ids of something else than the line's object, without a name.
var idDetails = []string{"document", draftDetail, "found", madeDetail}

// Mention is a detail that is ids.
type Mention struct {
	Detail string
	IDs    []string
}

// mentioned are the ids among the details. A file has them whole, a page their beginnings and ends.
func (l LogLine) mentioned() (list []Mention) {
	for _, name := range idDetails {
		ids, several := l.Details[name].([]any)
		if !several {
			ids = []any{l.Details[name]}
		}
		m := Mention{Detail: name}
		for _, id := range ids {
			if id, _ := id.(string); id != "" {
				m.IDs = append(m.IDs, id)
			}
		}
		if len(m.IDs) > 0 {
			list = append(list, m)
		}
	}
	return list
}

// what describes the act. An act on several items is named too: "Handling på flere utsendinger: Stopp".
func (l LogLine) what(ctx context.Context) string {
	text := actionText(ctx, l.Action)
	if act := l.bulkAct(); act != "" {
		return text + ": " + i18n.T(ctx, act)
	}
	return text
}

// bulkAct is the catalogue key of an act on several items; empty: the line is about another act.
func (l LogLine) bulkAct() string {
	act, _ := l.Details["act"].(string)
	if !slices.Contains(dispatch.BulkActs(), dispatch.BulkAct(act)) {
		return ""
	}
	return "bulk.act." + act
}

// details are the act's details except the reason: changes, proposals, then names with values, sorted by name.
func (l LogLine) details(ctx context.Context) []string {
	list := slices.Concat(l.changes(ctx, l.Details["values"]), l.requestedTimes(ctx))
	for _, name := range slices.Sorted(maps.Keys(l.Details)) {
		value := l.detailValue(ctx, name, l.Details[name])
		if slices.Contains(toldApart, name) || slices.Contains(idDetails, name) || name == "act" && l.bulkAct() != "" || value == "" {
			continue
		}
		shown := name
		if key, ok := detailNames[name]; ok {
			shown = i18n.T(ctx, key)
		}
		list = append(list, shown+": "+value)
	}
	return list
}

// detailWords are the catalogue keys of values that are codes of ours. Other values are shown verbatim.
var detailWords = map[string]map[string]string{
	// What an administrator requested, or an act on several items.
	"act": alsoFor(wordsFor("act.title.", dispatch.ActPause, dispatch.ActOpen, dispatch.ActDelete, dispatch.ActRemoveCertificate, dispatch.ActWipe, dispatch.ActDisable,
		dispatch.ActRemoveRight, dispatch.ActRetention), wordsFor("bulk.act.", dispatch.BulkActs()...)),
	"reasons":   wordsFor("approval.why.", dispatch.ApprovalRecipients, dispatch.ApprovalCost, dispatch.ApprovalTemplate, dispatch.ApprovalSensitive, dispatch.ApprovalProtected, dispatch.ApprovalChange),
	"mode":      wordsFor("job.mode.", dispatch.ModeTraceable, dispatch.ModeFast),
	"kind":      wordsFor("lead.kind.", dispatch.KindSMS, dispatch.KindShipment),
	"owner":     {string(dispatch.OwnerNobody): "follow.owner.nobody"},
	"cause":     wordsFor("cause.", dispatch.Causes()...),
	"role":      wordsFor("role.", dispatch.Roles()...),
	"fault":     wordsFor("alarms.fault.", dispatch.NoticeFaults()...),
	"which":     wordsFor("deletion.", dispatch.DeletedOriginals, dispatch.DeletedAll),
	"transport": wordsFor("certificate.transport.", dispatch.TransportOAEP, dispatch.TransportPKCS1),
	"removed":   wordsFor("clean.kind.", dispatch.Cleanable()...),
	"format":    {string(dispatch.FormatXLSX): "export.format.xlsx", string(dispatch.FormatCSV): "export.format.csv", "jsonl": "audit.format.jsonl", "html": "audit.format.html"},
	"failed":    {"true": "audit.failed.yes", "false": "audit.failed.no", "": "audit.failed.no"}, // "": by an earlier release
	"step":      alsoFor(wordsFor("trial.step.", dispatch.TrialSettings, dispatch.TrialName, dispatch.TrialTLS, dispatch.TrialToken, dispatch.TrialCredentials), map[string]string{string(dispatch.TrialAccount): "audit.step.account"}),
	"chosen":    chosenWords(),
	// The decision, or what was deleted.
	"detail": alsoFor(wordsFor("decision.", dispatch.DecisionSent, dispatch.DecisionSendAgain, dispatch.DecisionDrop),
		wordsFor("deletion.", dispatch.DeletedOriginals, dispatch.DeletedAll)),
}

// chosenFields are the parts of a list's address that an export or an act on several items was chosen by.
var chosenFields = []string{views.FieldKind, views.FieldGroup, views.FieldStatus, views.FieldFrom, views.FieldTo, views.FieldSender, views.FieldBilling, views.FieldType,
	views.FieldSigning, views.FieldArchived, views.FieldHeld, views.FieldJob, views.FieldOrder, views.FieldOutcome, views.FieldRoute, views.FieldTemplate, views.FieldRead, views.FieldSigned,
	views.FieldWatch, views.FieldSearchID, "arbeidsliste", "grunn", "hvem"}

func chosenWords() map[string]string {
	words := make(map[string]string, len(chosenFields))
	for _, f := range chosenFields {
		words[f] = "audit.chosen." + f
	}
	return words
}

// NamedIDs are the ids among the details whose names say more: of users, integrations and credentials.
func (l LogLine) NamedIDs() (ids []string) {
	for _, name := range []string{"from", "to", "deputy", "owner", "viewers", "integration", "credentials"} {
		switch v := l.Details[name].(type) {
		case string:
			ids = append(ids, v)
		case []any:
			for _, one := range v {
				if id, ok := one.(string); ok {
					ids = append(ids, id)
				}
			}
		}
	}
	values, _ := l.Details["values"].([]any)
	for _, one := range values {
		if c, _ := one.(map[string]any); c["what"] == labelSMS {
			for _, side := range []string{"before", "after"} {
				if id, ok := c[side].(string); ok {
					ids = append(ids, id)
				}
			}
		}
	}
	return ids
}

func alsoFor(words, more map[string]string) map[string]string {
	maps.Copy(words, more)
	return words
}

func wordsFor[T ~string](prefix string, values ...T) map[string]string {
	words := make(map[string]string, len(values))
	for _, v := range values {
		words[string(v)] = prefix + string(v)
	}
	return words
}

func (l LogLine) detailValue(ctx context.Context, name string, value any) string {
	switch v := value.(type) {
	case bool:
		if key, ok := detailWords[name][strconv.FormatBool(v)]; ok {
			return i18n.T(ctx, key)
		}
		if v {
			return i18n.T(ctx, "audit.yes")
		}
		return i18n.T(ctx, "audit.no")
	case float64:
		if l.Action == "retention.save" { // by an earlier release
			return i18n.T(ctx, "audit.days", "N", int(v))
		}
		if v == math.Trunc(v) {
			return views.Number(int(v))
		}
		return strconv.FormatFloat(v, 'f', -1, 64)
	case string:
		if key, ok := detailWords[name][v]; ok {
			return i18n.T(ctx, key)
		}
		return l.textValue(ctx, name, v)
	case []any:
		words := make([]string, len(v))
		for i, one := range v {
			if words[i] = l.detailValue(ctx, name, one); name == "changed" { // by an earlier release
				words[i] = settingName(ctx, fmt.Sprint(one))
			}
		}
		return strings.Join(words, ", ")
	case nil:
		return ""
	}
	return fmt.Sprint(value)
}

// textValue is a text of the log in words: a name instead of an id, or a day.
func (l LogLine) textValue(ctx context.Context, name, text string) string {
	if known := l.Names[text]; known != "" {
		return known
	}
	if at, err := time.Parse(time.RFC3339, text); name == "switch_at" && err == nil {
		return views.Span(ctx, at)
	}
	if name == "until" {
		if day, err := time.ParseInLocation(time.DateOnly, text, views.Oslo); err == nil {
			return views.TableDate(ctx, day)
		}
	}
	return text
}

// requestedTimes are the retention periods that a request proposes. A request says nothing of whether they took effect.
func (l LogLine) requestedTimes(ctx context.Context) (list []string) {
	before, _ := l.Details["before"].(string)
	after, _ := l.Details["after"].(string)
	for _, c := range dispatch.ParseRetention(after).ChangesFrom(dispatch.ParseRetention(before)) {
		list = append(list, i18n.T(ctx, "audit.detail.proposed")+": "+l.changed(ctx, c))
	}
	return list
}

// why is the reason. What somebody wrote about a person when they followed an item up is sealed, and stays on the item.
func (l LogLine) why(ctx context.Context) string {
	if _, act, _ := strings.Cut(l.Action, "."); act == string(dispatch.EventFollowedUp) || l.Details["act"] == string(dispatch.BulkDone) {
		return i18n.T(ctx, "audit.why.on_item")
	}
	return l.given()
}

// LogTable are the headings of the log in a file.
func LogTable(ctx context.Context) []string {
	return []string{i18n.T(ctx, "audit.when"), i18n.T(ctx, "audit.who"), i18n.T(ctx, "audit.file.who"), i18n.T(ctx, "audit.what"), i18n.T(ctx, "audit.file.code"),
		i18n.T(ctx, "app.account"), i18n.T(ctx, "audit.object"), i18n.T(ctx, "audit.why"), i18n.T(ctx, "audit.file.more"), i18n.T(ctx, "audit.where")}
}

// LogRow is a line of the log in a file.
func LogRow(ctx context.Context, l LogLine) []string {
	more := l.details(ctx)
	for _, m := range l.mentioned() {
		more = append(more, i18n.T(ctx, detailNames[m.Detail])+": "+strings.Join(m.IDs, ", "))
	}
	return []string{views.FileTime(l.At), l.Actor, l.ActorID, l.what(ctx), l.Action, l.Account.Name, strings.TrimSpace(l.Name + " " + l.Object), l.why(ctx), strings.Join(more, "; "), l.Origin}
}
