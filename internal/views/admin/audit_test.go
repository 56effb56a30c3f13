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

	"utsending/internal/i18n/i18ntest"
)

// TestLogDetails: details of an act are shown in the reader's words, and empty ones are left out.
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
		{"an act on several", map[string]any{"act": "again", "total": 2.0, "chosen": nil}, []string{"Handling: Send på nytt", "Antall: 2"}},
		{"an act that another approves", map[string]any{"act": "delete", "integration": "x"}, []string{"Handling: Slett integrasjonen", "Integrasjon: x"}},
		{"a role", map[string]any{"role": "team_lead"}, []string{"Rolle: teamleder"}},
		{"a cause", map[string]any{"cause": "not_delivered"}, []string{"Årsak: Kom ikke frem"}},
		{"something that nobody has words for", map[string]any{"mode": "later"}, []string{"Måte: later"}},
		{"a choice", map[string]any{"chosen": []any{"kanal", "status"}, "format": "csv"}, []string{"Utvalg: kanal, status", "Format: csv"}},
		{"no choice", map[string]any{"chosen": nil}, nil},
		{"an empty choice", map[string]any{"chosen": []any{}}, nil},
		{"nothing", map[string]any{"detail": "", "reason": "Ringt"}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := (LogLine{Details: test.details}).details(i18ntest.InNorwegian(t)); !slices.Equal(got, test.want) {
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
		if _, ok := detailNames[name]; !ok && name != "reason" && name != "purpose" {
			t.Errorf("%s writes the detail %q, which has no words", at, name)
		}
	}
	for _, name := range []string{"act", "claim", "sessions_ended", "lines"} { // in a variable, an argument, an index, and of a handler
		if _, ok := found[name]; !ok {
			t.Errorf("the detail %q was not found", name)
		}
	}
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
