package i18n_test

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// built is a family of keys that code builds from values: a prefix, the values, and what may stand behind them.
type built struct {
	prefix   string
	values   []string
	suffixes []string
}

// families are all of them. A family that the code builds and that is not here fails the test below.
func families(t *testing.T) []built {
	t.Helper()
	alone := []string{""}
	return []built{
		{"answer.", []string{"message", "code", "json", "status", "path", "original_path", "at", "id"}, alone},
		{"display.language.", []string{"nb", "nn", "en"}, alone},
		{"alarms.fault.", without(constants(t, "NoticeFault"), "", "nothing"), alone},
		{"alarms.mail.", []string{"on", "off"}, alone},
		{"alarms.operators.", []string{"on", "off"}, alone},
		{"alarms.webhook.", []string{"on", "off"}, alone},
		{"account_alarms.leads.", []string{"on", "off"}, alone},
		{"account_alarms.operators.", []string{"on", "off"}, alone},
		{"account_alarms.chat.", []string{"instead", "own", "installation", "none"}, alone},
		{"account_alarms.last.", []string{"sent", "failed", "waiting"}, alone},
		{"account_alarms.format.", constants(t, "ChatFormat"), alone},
		{"told.alarm.", constants(t, "AlarmKind"), []string{"", ".means"}},
		{"told.alarm.", []string{"credentials", "certificate"}, []string{".today", ".over"}},
		{"alarms.was.", constants(t, "AlarmKind"), alone},
		{"told.over.", without(constants(t, "AlarmKind"), "credentials", "certificate", "protected"), alone},
		{"clean.kind.", []string{"comment", "author", "file", "form", "script", "launch", "media"}, alone},
		{"clean.fixed.", []string{"signed", "restricted", "xfa", "portfolio"}, alone},
		{"problem.clean.", []string{"unchanged", "broken", "altered", "too_slow", "too_large", "signed", "protected", "password", "bound", "empty", "unavailable"}, alone},
		{"reconcile.verdict.", without(constants(t, "Verdict"), "agrees", "behind", "unanswered"), []string{"", ".means", ".do"}},
		{"reconcile.kind.", constants(t, "Kind"), alone},
		{"usage.feature.", append(constants(t, "Feature"), "none"), alone},
		{"usage.method.", constants(t, "AuthMethod"), alone},
		{"usage.channel.", constants(t, "Kind"), alone},
		{"act.title.", constants(t, "AdminAct"), alone},
		{"act.do.", without(constants(t, "AdminAct"), "delete", "retention"), alone},
		{"integration.asked.", []string{"open", "delete"}, alone},
		{"act_requests.state.", constants(t, "ActRequestState"), alone},
		{"generations.field.", []string{"aktor", "korrelasjon", "arkiv-id", "arkiv-id.organization", "arkiv-id.others", "farger", "levering", "lenker", "eksponert", "svarlenke", "niva4", "signer", "type", "taushetsbelagt", "sak-", "import-", "dok-type", "dok-ekstra", "dok-sensitiv", "dok-utelat"}, alone},
		{"generations.rule.", constants(t, "MoveChange"), alone},
		{"problem.lacks.", []string{"farger", "levering", "lenker", "eksponert", "svarlenke", "niva4", "signer", "type", "taushetsbelagt", "sak-", "import-", "dok-type", "dok-ekstra", "dok-sensitiv", "dok-utelat", "helse"}, alone},
		{"approval.what.", constants(t, "Kind"), []string{"", ".many"}},
		{"approval.why.", constants(t, "ApprovalReason"), alone},
		{"template.asked.", []string{"waiting", "returned", "withdrawn"}, alone},
		{"template.not_used.", []string{"waiting", "returned", "withdrawn"}, alone},
		{"audit.action.", actions(t), alone},
		{"audit.chosen.", []string{"kanal", "gruppe", "status", "fra", "til", "avsender", "konteringskode", "type", "signering", "arkivert", "beholdes", "jobb", "rekkefolge", "utfall", "vei", "mal", "lest", "signert", "spor", "sok", "arbeidsliste", "grunn", "hvem"}, alone},
		{"audit.break.", []string{"changed", "removed", "gap", "backdated", "unchained", "expected", "purged"}, alone},
		{"audit.group.", constants(t, "AuditGroup"), alone},
		{"own_files.rows.problem.row.", []string{"no_file", "file_empty", "file_path", "file_shared"}, alone},
		{"reach.says.", []string{"sms", "shipment"}, []string{".valid", ".invalid", ".not_found", ".unanswered"}},
		{"reach.says.organization.", []string{"valid", "invalid", "not_found"}, alone},
		{"decision.", constants(t, "Decision"), []string{"", ".hint", ".many", ".hint.many"}},
		{"list.order.", append(without(constants(t, "ListSort"), ""), "time"), []string{"", ".reversed"}},
		{"cause.", constants(t, "Cause"), alone},
		{"overview.cause.", constants(t, "Cause"), alone},
		{"cause.", without(constants(t, "Cause"), "rejected", "not_delivered"), []string{".why", ".brief"}}, // these have the reason, and the status
		{"status.kind.", constants(t, "Kind"), alone},
		{"sign_in.ended.", without(constants(t, "Ending"), ""), alone},
		{"browser.", constants(t, "Browser"), alone},
		{"today.kind.", constants(t, "Kind"), alone},
		{"today.later.", constants(t, "Kind"), alone},
		{"today.later.what.", constants(t, "Kind"), alone},
		{"today.doubt.", constants(t, "Kind"), alone},
		{"today.doubt.what.", constants(t, "Kind"), alone},
		{"today.list.doubt.", constants(t, "Kind"), alone},
		{"today.waits.", constants(t, "Kind"), alone},
		{"today.list.waits.", constants(t, "Kind"), alone},
		{"today.list.later.", constants(t, "Kind"), alone},
		{"today.list.sent.", constants(t, "Kind"), alone},
		{"today.what.", constants(t, "Kind"), alone},
		{"account.budget.rule.", constants(t, "BudgetRule"), alone},
		{"cost.budget.full.", constants(t, "BudgetRule"), alone},
		{"problem.budget.", without(constants(t, "BudgetRule"), "warn"), alone},
		{"rights.clash.", without(constants(t, "Clash"), ""), alone},
		{"rights.may.", constants(t, "Role"), alone},
		{"full.", constants(t, "Pile"), alone},
		{"bulk.act.", constants(t, "BulkAct"), alone},
		{"bulk.effect.", constants(t, "BulkAct"), alone},
		{"bulk.why.", constants(t, "BulkAct"), alone},
		{"bulk.left.", without(constants(t, "BulkResult"), "did"), alone},
		{"flash.bulk.", without(constants(t, "BulkAct"), "sms", "remind", "export"), alone},
		{"follow.held.", constants(t, "Kind"), alone},
		{"follow.owner.", without(constants(t, "Ownership"), "other"), alone},
		{"follow.whose.", without(constants(t, "Whose"), ""), alone},
		{"export.column.", []string{"channel", "what", "recipient", "status", "signing", "way", "reference", "sender", "time", "id"}, alone},
		{"export.format.", constants(t, "ExportFormat"), []string{"", ".hint"}},
		{"export.fetch.", constants(t, "ExportFormat"), alone},
		{"lead.band.", append(numbers(0, 5), "none"), alone},
		{"lead.band.short.", numbers(0, 5), alone},
		{"lead.against.", []string{"none", "for", "i-fjor"}, alone},
		{"weekday.short.", numbers(0, 6), alone},
		{"lead.kind.", constants(t, "Kind"), alone},
		{"lead.outcome.", []string{"open", "untracked"}, alone},
		{"aside.queue.", constants(t, "Queue"), alone},
		{"aside.cause.", append(constants(t, "AsideCause"), "sql"), alone},
		{"lead.period.", without(constants(t, "Period"), "egen"), alone},
		{"lead.route.", constants(t, "Route"), alone},
		{"lead.now.place.", []string{"sms", "shipment", "uncertain", "silent", "missing", "ready", "approvals"}, alone},
		{"list.chip.watch.", constants(t, "Watch"), alone},
		{"relative.", constants(t, "Kind"), alone},
		{"sms.about.", constants(t, "OriginKind"), alone},
		{"relative.", constants(t, "OriginKind"), []string{".before", ".after"}},
		{"certificate.transport.", constants(t, "KeyTransport"), []string{"", ".hint"}},
		{"contact.", constants(t, "ContactStatus"), []string{"", ".means", ".next"}},
		{"dictionary.", []string{"stage", "shipment", "sms", "signing", "contact"}, alone},
		{"deletion.", without(constants(t, "Deletion"), ""), []string{"", ".hint", ".done"}},
		{"credentials.state.", constants(t, "CredentialState"), alone},
		{"delivery.environment.", []string{"test", "production", "unknown"}, alone},
		{"delivery.kind.", constants(t, "IntegrationKind"), alone},
		{"display.scheme.", []string{"auto", "light", "dark"}, alone},
		{"error.", []string{"400", "403", "404", "405", "408", "409", "413", "422", "429", "500", "503"}, []string{".title", ".why"}},
		{"document.agreement.", constants(t, "agreement"), alone},
		{"document.found.", constants(t, "DocumentProblem"), alone},
		{"event.", without(constants(t, "EventKind"), "outcome", "resolved", "status", "signing", "looked_up"), alone}, // these have words of their own
		{"event.outcome.", constants(t, "Outcome"), alone},
		{"event.resolved.", constants(t, "Decision"), alone},
		{"integration.state.", constants(t, "IntegrationState"), alone},
		{"link.", []string{"adresse", "tekst", "ledetekst"}, alone},
		{"list.group.", constants(t, "Group"), alone},
		{"list.group.", []string{"arrived"}, []string{".sms"}},
		{"job.group.", []string{"arrived"}, []string{".sms"}},
		{"job.over.", []string{"arrived"}, []string{".sms"}},
		{"list.kind.", []string{"sms", "shipment"}, alone},
		{"list.chip.", []string{"status", "from", "to", "sender", "billing", "type", "signing", "route", "template", "read", "signed"}, alone},
		{"list.chip.outcome.", []string{"sent", "open", "untracked", "rejected", "failed", "cancelled"}, alone},
		{"noark.", []string{
			"saksaar", "sakssekvens", "journalaar", "journalsekvens", "journalpost", "posttype", "journalstatus", "journaldato", "dokumentdato", "tittel",
			"saksbehandler", "mappe", "mappesystem", "system", "registrering",
		}, alone},
		{"shipment.check_digits.", []string{"nummer", "svar-nummer", "eksponert"}, alone},
		{"lookup.count.", constants(t, "LookupGroup"), alone},
		{"place.where.", []string{"top", "middle", "bottom"}, []string{".left", ".centre", ".right", ".all"}},
		{"place.where.", []string{"all"}, []string{".left", ".right"}},
		{"finding.what.", without(constants(t, "Check"), "window", "read"), alone}, // which are only ever unchecked
		{"finding.why.", without(constants(t, "Check"), "window", "read"), alone},
		{"finding.cure.", without(constants(t, "Check"), "window", "read"), alone},
		{"finding.unchecked.", []string{"window", "read", "margin", "barcode"}, alone},
		{"finding.unchecked_why.", []string{"window", "read", "margin", "barcode"}, alone},
		{"rule.", without(constants(t, "Check"), "window", "read"), alone}, // nobody chooses about these
		{"part.doubt.", constants(t, "SliceDoubt"), alone},
		{"shipments.unassigned.", constants(t, "UnassignedReason"), alone},
		{"severity.", constants(t, "Severity"), alone},
		{"job.group.", constants(t, "JobGroup"), alone},
		{"job.mode.", constants(t, "JobMode"), alone},
		{"job.over.", []string{"arrived", "awaited", "untold", "sent", "missed", "unsent", "doubted", "cancelled"}, alone},
		{"job.result.", []string{"row", "recipient", "state", "reason", "parts", "handed_over", "changed", "text"}, alone},
		{"job.review.mode.", constants(t, "JobMode"), alone},
		{"reading.encoding.", constants(t, "ListEncoding"), alone},
		{"job.state.", append(constants(t, "JobState"), "sent"), []string{"", ".why"}},
		{"shipments.state.", append(constants(t, "JobState"), "sent"), []string{".why"}},
		{"job.state.", []string{"done", "stopped"}, []string{".uncertain.why"}},
		{"shipments.state.", []string{"done", "stopped"}, []string{".uncertain.why"}},
		{"month.", numbers(1, 12), alone},
		{"weekday.", numbers(0, 6), alone},
		{"holiday.", without(constants(t, "Holiday"), ""), alone},
		{"number.", numbers(2, 9), alone},
		{"problem.file.", constants(t, "DocumentProblem"), alone},
		{"problem.split.", []string{"broken", "password", "protected", "marked", "too_large", "too_slow", "empty", "uneven", "no_beginning"}, alone}, // of a PDF
		{"recall.", constants(t, "Recall"), []string{"", ".how"}},
		{"timeline.from.", without(constants(t, "Origin"), ""), alone},
		{"retention.", constants(t, "Keeping"), []string{"", ".hint"}},
		{"role.", constants(t, "Role"), alone},
		{"shipment.step.", []string{"ready", "missing", "wrong", "unused", "waiting"}, alone},
		{"signature.", constants(t, "SignatureType"), alone},
		{"signing.", constants(t, "SigningStatus"), []string{"", ".why", ".means", ".cause", ".next"}},
		{"channel.", constants(t, "Channel"), []string{""}},
		{"sms.encoding.", constants(t, "Encoding"), alone},
		{"sms.character.", constants(t, "Lookalike"), alone},
		{"sms.warning.", constants(t, "WarningKind"), alone},
		{"source.", constants(t, "Source"), alone},
		{"stage.", without(constants(t, "Stage"), "status"), []string{"", ".means", ".cause", ".next"}}, // the status is shown instead
		// The sentences of the others take a reason, a time or a name, and are named one by one.
		{"stage.", []string{"soon"}, []string{"", ".means", ".cause", ".next"}}, // the countdown of a scheduled item
		{"stage.", without(constants(t, "State"), "queued", "rejected", "cancelled"), []string{".why"}},
		{"stage.waiting.", constants(t, "Block"), alone},
		{"status.", under("sms", statuses(t, "KindSMS")), []string{"", ".why", ".cause", ".next"}},
		{"status.", under("shipment", statuses(t, "KindShipment")), []string{"", ".why", ".cause", ".next"}},
		{"template.hint.", constants(t, "WrittenForm"), alone},
		{"template.text.", constants(t, "WrittenForm"), alone},
		{"job.otherwise.", constants(t, "WrittenForm"), alone},
		{"written_form.", constants(t, "WrittenForm"), alone},
		{"trial.step.", constants(t, "TrialStep"), alone},
		{"account.state.", []string{"stopped", "refused", "failed", "bare"}, alone},
	}
}

// actions are the acts that the event log knows: code that writes others to it fails the test of the root.
func actions(t *testing.T) (codes []string) {
	t.Helper()
	file, err := os.ReadFile("../dispatch/audit.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`Action: "([a-z_.]+)"`).FindAllStringSubmatch(string(file), -1) {
		codes = append(codes, m[1])
	}
	return codes
}

func without(values []string, not ...string) []string {
	return slices.DeleteFunc(values, func(v string) bool { return slices.Contains(not, v) })
}

// under puts a kind of item before statuses: the same value has other words for an SMS than for a shipment.
func under(kind string, statuses []string) []string {
	list := make([]string, len(statuses))
	for i, status := range statuses {
		list[i] = kind + "." + status
	}
	return list
}

func numbers(from, to int) (list []string) {
	for n := from; n <= to; n++ {
		list = append(list, strconv.Itoa(n))
	}
	return list
}

func (b built) keys() (keys []string) {
	for _, value := range b.values {
		for _, suffix := range b.suffixes {
			keys = append(keys, b.prefix+value+suffix)
		}
	}
	return keys
}

func TestEveryNamedKeyHasAText(t *testing.T) {
	t.Parallel()
	catalogue := read(t)
	s := scan(t, catalogue)
	for key, path := range s.keys {
		if _, ok := catalogue[key]; !ok {
			t.Errorf("%s names %s, which has no text", path, key)
		}
	}
	if len(s.keys) < 150 || len(s.calls) < 100 {
		t.Errorf("found only %d keys and %d calls: is the code still where it was?", len(s.keys), len(s.calls))
	}
}

func TestEveryBuiltKeyHasAText(t *testing.T) {
	t.Parallel()
	catalogue := read(t)
	s := scan(t, catalogue)
	known := map[string]bool{}
	for _, b := range families(t) {
		known[b.prefix] = true
		if _, ok := s.prefixes[b.prefix]; !ok {
			t.Errorf("no code builds a key from %q any more", b.prefix)
		}
		for _, key := range b.keys() {
			if _, ok := catalogue[key]; !ok {
				t.Errorf("%s has no text", key)
			}
		}
	}
	for prefix, path := range s.prefixes {
		if !known[prefix] {
			t.Errorf("%s builds keys from %q: say in families which there are", path, prefix)
		}
	}
}

// TestEveryTextIsUsed: what nobody names only has to be translated.
func TestEveryTextIsUsed(t *testing.T) {
	t.Parallel()
	catalogue := read(t)
	s := scan(t, catalogue)
	used := map[string]bool{}
	for key := range s.keys {
		used[key] = true
	}
	for _, b := range families(t) {
		for _, key := range b.keys() {
			used[key] = true
		}
	}
	for key := range catalogue {
		if !used[key] {
			t.Errorf("%s is used nowhere", key)
		}
	}
}

// TestEveryTextGetsItsValues: a value that is not given is shown as "<no value>".
func TestEveryTextGetsItsValues(t *testing.T) {
	t.Parallel()
	catalogue := read(t)
	for _, c := range scan(t, catalogue).calls {
		for _, name := range values(catalogue[c.key].Other) {
			if !slices.Contains(c.names, name) {
				t.Errorf("%s asks for %s without %s: it gives %q", c.at, c.key, name, c.names)
			}
		}
		if catalogue[c.key].One != "" && !slices.Contains(c.names, "N") {
			t.Errorf("%s asks for %s, which has two forms, without N", c.at, c.key)
		}
	}
	// Problems carry their values with them.
	for key, e := range catalogue {
		for _, name := range values(e.Other) {
			if strings.HasPrefix(key, "problem.") && !slices.Contains([]string{"N", "Name", "Line", "When", "Said", "Each", "Left", "Most", "Parts", "As"}, name) {
				t.Errorf("%s: problems give N, Name, Line, When, Said, Each, Left, Most, Parts or As, not %s", key, name)
			}
		}
	}
}
