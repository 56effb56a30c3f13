package admin

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/i18n/i18ntest"
)

// TestLogDetails: details of an act are shown in the reader's words, and empty ones are left out.
// TestWhyOfAFollowUp: the reason of a follow-up is not in the log, which says that the item has it.
func TestWhyOfAFollowUp(t *testing.T) {
	t.Parallel()
	ctx := i18ntest.InNorwegian(t)
	for _, l := range []LogLine{{Action: "item.followed_up"}, {Action: "list.bulk", Details: map[string]any{"act": "done"}}} {
		if got := l.why(ctx); got != "Står på utsendingen" {
			t.Errorf("%s: got %q", l.Action, got)
		}
	}
	if got := (LogLine{Action: "list.bulk", Details: map[string]any{"act": "again", "reason": "Kari er syk"}}).why(ctx); got != "Kari er syk" {
		t.Errorf("got %q", got)
	}
}

func TestLogDetails(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		details map[string]any
		want    []string
	}{
		{"a way of sending", map[string]any{"mode": "traceable", "recipients": 12000.0}, []string{"Måte: Sporbar", "Antall mottakere: 12\u00a0000"}},
		{"a decision", map[string]any{"detail": "send_again"}, []string{"Detalj: Send den på nytt"}},
		{"a deletion", map[string]any{"which": "originals"}, []string{"Hvilke: Bare det vi sendte"}},
		{"an act on several", map[string]any{"act": "again", "total": 2.0, "chosen": nil}, []string{"Antall valgt: 2"}},
		{"an act that another approves", map[string]any{"act": "delete", "integration": "x"}, []string{"Handling: Slett integrasjonen", "Integrasjon: x"}},
		{"a role", map[string]any{"role": "team_lead"}, []string{"Rolle: teamleder"}},
		{"a cause", map[string]any{"cause": "not_delivered"}, []string{"Årsak: Kom ikke frem"}},
		{"what was removed from a file", map[string]any{"removed": []any{"comment", "author"}}, []string{"Fjernet: kommentarer, forfatter"}},
		{"a trial", map[string]any{"failed": false}, []string{"Resultat: i orden"}},
		{"an account", map[string]any{"changed": []any{"account.undo", "audit.changed.other"}}, []string{"Endret: Angrefrist i sekunder, andre valg"}},
		{"a day", map[string]any{"until": "2026-12-04"}, []string{"Til og med: 04.12.2026"}},
		{"a time that was changed", map[string]any{"values": []any{map[string]any{"what": "retention.log", "before": "1095", "after": "1825"}}}, []string{"Hendelseslogg: fra 1\u00a0095 til 1\u00a0825 dager"}},
		{"a request", map[string]any{"before": "60 90 365", "after": "60 30 365"}, []string{"Foreslått: Innhold og filer: fra 90 til 30 dager"}},
		{"a request of an earlier release", map[string]any{"before": "60 90", "after": "60 30 365"}, []string{"Foreslått: Innhold og filer: fra 90 til 30 dager"}},
		{"users and integrations", map[string]any{"to": "id-1", "viewers": []any{"id-1", "id-9"}}, []string{"Til: Kari Nordmann", "Navngitte: Kari Nordmann, id-9"}},
		{"something that nobody has words for", map[string]any{"mode": "later"}, []string{"Måte: later"}},
		{"a choice", map[string]any{"chosen": []any{"kanal", "status"}, "format": "csv"}, []string{"Avgrenset på: Slag, Status", "Format: CSV"}},
		{"no choice", map[string]any{"chosen": nil}, nil},
		{"an empty choice", map[string]any{"chosen": []any{}}, nil},
		{"nothing", map[string]any{"detail": "", "reason": "Ringt"}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := (LogLine{Details: test.details, Names: map[string]string{"id-1": "Kari Nordmann"}}).details(i18ntest.InNorwegian(t)); !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestEveryDetailHasWords: each detail that the code writes into the event log is shown by a name in words.
func TestEveryDetailHasWords(t *testing.T) {
	t.Parallel()
	found := map[string]token.Position{}
	files := token.NewFileSet()
	for _, root := range []string{"../../store", "../../handlers"} {
		err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			parsed, err := parser.ParseFile(files, path, nil, 0)
			if err == nil {
				ast.Inspect(parsed, func(n ast.Node) bool {
					for _, e := range detailKeys(n) {
						if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
							name, _ := strconv.Unquote(lit.Value)
							found[name] = files.Position(lit.Pos())
						}
					}
					return true
				})
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, at := range found {
		if _, ok := detailNames[name]; !ok && !slices.Contains(toldApart, name) {
			t.Errorf("%s writes the detail %q, which has no words", at, name)
		}
	}
	for _, name := range []string{"act", "claim", "sessions_ended", "lines"} { // in a variable, an argument, an index, and of a handler
		if _, ok := found[name]; !ok {
			t.Errorf("the detail %q was not found", name)
		}
	}
}

// asTheyAre are the details that need no words: numbers, yes and no, names, ids, and what somebody wrote. The others are codes.
var asTheyAre = []string{"again", "asked", "claim", "credentials", "document", "draft", "found", "found_n", "fingerprint", "from", "ids", "person", "persons", "recipients",
	"service", "to", "version", "content", "drafts", "identity", "rows", "log", "lines", "made", "jobs", "lookups", "typed", "search", "sessions", "sessions_ended", "people",
	"total", "integration", "before", "after", "uncertain", "until", "switch_at", "deputy", "viewers", "mail", "digest", "alarms", "channels", "of", "parts", "shipments", "least", "percent", "status", "name", "changed", "values"}

// TestEveryCodeHasWords: each code that a line of the event log may have is shown in words, and no kind of detail is forgotten.
func TestEveryCodeHasWords(t *testing.T) {
	t.Parallel()
	types := map[string][]string{
		"reasons": {"ApprovalReason"}, "mode": {"JobMode"}, "kind": {"Kind"}, "cause": {"Cause"}, "role": {"Role"}, "fault": {"NoticeFault"}, "which": {"Deletion"},
		"transport": {"KeyTransport"}, "act": {"BulkAct", "AdminAct"}, "detail": {"Decision", "Deletion"}, "step": {"TrialStep"}, "format": {"ExportFormat"},
	}
	for name := range detailNames {
		_, coded := detailWords[name]
		if coded == slices.Contains(asTheyAre, name) {
			t.Errorf("the detail %q must either have words for its codes or need none", name)
		}
		if ofTypes := types[name]; len(ofTypes) == 0 && coded && !slices.Contains([]string{"removed", "failed", "chosen", "owner"}, name) {
			t.Errorf("the detail %q has codes of no type", name)
		}
	}
	for name, list := range types {
		for _, code := range codes(t, list) {
			if _, ok := detailWords[name][code]; !ok && code != string(dispatch.FaultNothing) { // which is of a notice that is not sent
				t.Errorf("the detail %q has no words for %q", name, code)
			}
		}
	}
	for _, lang := range []string{"nb", "nn", "en"} {
		ctx := i18n.With(t.Context(), i18ntest.Languages(t).In(lang))
		for name, words := range detailWords {
			for code, key := range words {
				if got := i18n.T(ctx, key); got == "" || got == key {
					t.Errorf("%s: %q of %q has no text", lang, code, name)
				}
			}
		}
	}
}

// codes are the constants of types of the domain, except the empty one.
func codes(t *testing.T, types []string) (list []string) {
	t.Helper()
	paths, err := filepath.Glob("../../dispatch/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok && spec.Type != nil && slices.Contains(types, called(spec.Type)) {
				for _, v := range spec.Values {
					if lit, ok := v.(*ast.BasicLit); ok && lit.Kind == token.STRING && lit.Value != `""` {
						code, _ := strconv.Unquote(lit.Value)
						list = append(list, code)
					}
				}
			}
			return true
		})
	}
	if len(list) == 0 {
		t.Errorf("no constants of %v were found", types)
	}
	return list
}

// detailKeys are the names that a piece of code gives details: in a map, by an index, or as arguments of Actor.Details.
func detailKeys(n ast.Node) (keys []ast.Expr) {
	switch n := n.(type) {
	case *ast.CompositeLit:
		if m, ok := n.Type.(*ast.MapType); ok && called(m.Value) == "any" && called(m.Key) == "string" {
			for _, e := range n.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok {
					keys = append(keys, kv.Key)
				}
			}
		}
	case *ast.IndexExpr:
		if strings.EqualFold(called(n.X), "details") {
			keys = append(keys, n.Index)
		}
	case *ast.CallExpr:
		for i := 0; called(n.Fun) == "Details" && i < len(n.Args); i += 2 {
			keys = append(keys, n.Args[i])
		}
	}
	return keys
}

// called is the last name of an expression.
func called(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}
