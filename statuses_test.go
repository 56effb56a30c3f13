package main_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// statusTable is the only place that may spell a status of the services out (issue 28, point 2).
const statusTable = "internal/dispatch/statuses.go"

// spelled are those that may do so besides: the clients' wires, what imitates the services, and tests.
var spelled = regexp.MustCompile(`^(internal/clients/|migrations/testdata/|tools/)|_test\.go$|_templ\.go$`)

// TestStatusesStandInOneTable: no SQL and no Go outside the table holds a status as a literal. What follows from one is read
// from its row, or in SQL from the tables statuses and signing_statuses.
func TestStatusesStandInOneTable(t *testing.T) {
	t.Parallel()
	literal := statusLiteral(t)
	for _, example := range []string{`it.status IN ('LEST', 'PRINTET')`, `if s == "SENDT_ALTINN" {`, `WHERE signing_status = 'UTLOPT'`} {
		if !literal.MatchString(example) {
			t.Errorf("a literal is not found: %s", example)
		}
	}
	seen := 0
	for _, name := range sources(t) {
		if name == statusTable || spelled.MatchString(name) {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		seen++
		for i, line := range strings.Split(string(text), "\n") {
			if literal.MatchString(line) {
				t.Errorf("%s:%d spells a status out: %s", name, i+1, strings.TrimSpace(line))
			}
		}
	}
	if seen < 200 {
		t.Errorf("only %d files were read", seen)
	}
}

// sources are the files of Go, templ, TypeScript and SQL.
func sources(t *testing.T) (names []string) {
	t.Helper()
	out, err := exec.Command("git", "ls-files").Output()
	if err != nil {
		t.Fatal(err)
	}
	for name := range strings.Lines(string(out)) {
		switch name = strings.TrimSpace(name); path.Ext(name) {
		case ".go", ".templ", ".ts", ".sql":
			if _, err := os.Stat(name); err == nil {
				names = append(names, name)
			}
		}
	}
	return names
}

// statusLiteral finds a status between quotes.
func statusLiteral(t *testing.T) *regexp.Regexp {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), statusTable, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var values []string
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if of, ok := spec.Type.(*ast.Ident); ok && (of.Name == "Status" || of.Name == "SigningStatus") {
			for _, v := range spec.Values {
				if lit, ok := v.(*ast.BasicLit); ok {
					value, err := strconv.Unquote(lit.Value)
					if err != nil {
						t.Fatal(err)
					}
					values = append(values, regexp.QuoteMeta(value))
				}
			}
		}
		return true
	})
	if len(values) < 29 {
		t.Fatalf("only %d statuses were found in %s", len(values), statusTable)
	}
	return regexp.MustCompile("['\"`](" + strings.Join(values, "|") + ")['\"`]")
}
