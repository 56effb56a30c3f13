package main_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

const (
	coverageFile   = "docs/spec-coverage.md"
	coverageRoutes = "internal/handlers/routes.go"
)

// laterSteps are what a row may wait for; besides, it may wait for a test.
var laterSteps = []string{
	"V2, tokens, accounts and integrations", "every field of a shipment on pages",
	"following up", "access, privacy and audit",
}

// TestCoverage reads the table of what the specifications say: all that it names is there.
func TestCoverage(t *testing.T) {
	t.Parallel()
	for _, complaint := range coverageComplaints(t, os.DirFS(".")) {
		t.Error(complaint)
	}
}

// TestCoverageCanFail shows the check a table that names what is not there.
func TestCoverageCanFail(t *testing.T) {
	t.Parallel()
	for row, want := range map[string]string{
		"| a | – | `x/gone.go` | `x/a_test.go: TestA` |":                                            "x/gone.go is not there",
		"| a | – | `x/a.go:Gone` | `x/a_test.go: TestA` |":                                          "x/a.go has no Gone",
		"| a | – | `x/a.templ:Gone` | `x/a_test.go: TestA` |":                                       "x/a.templ has no Gone",
		"| a | – | `x/a.go:F` | `x/a_test.go: TestGone` |":                                          "x/a_test.go has no TestGone",
		"| a | – | `x/a.go:F` | `x/a.go: F` |":                                                      "x/a.go is no test",
		"| a | – | – | `x/a_test.go: TestA` |":                                                      "no code",
		"| a | – | `x/a.go:F` | – |":                                                                "neither a test nor what is not yet",
		"| a | – | `x/a.go:F` | not yet, somehow |":                                                 `no later step: "somehow"`,
		"| a | client only; not yet, following on | `x/a.go:F` | `x/a_test.go: TestA` |":            `no later step: "following on"`,
		"| a | – | `x/a.go:F` |":                                                                    "has 3 cells, want 4",
		"| a | `/k/:konto/gone` |":                                                                  "/k/:konto/gone is no route",
		"| a | – | `x/a.go:F`, `x/a.templ:P` | `x/a_test.go: TestA`; not yet, a test of the rest |": "",
		"| a | – | – | not yet, following up |":                                                     "",
		"| a | – | nothing to cover: not shown | – |":                                               "",
		"| a | `/k/:konto/sms` |":                                                                   "",
	} {
		t.Run(want+" of "+row, func(t *testing.T) {
			t.Parallel()
			got := coverageComplaints(t, fstest.MapFS{
				coverageFile:   {Data: []byte("| Specification | Page | Code | Test |\n|---|---|---|---|\n" + row + "\n")},
				coverageRoutes: {Data: []byte("package handlers\nvar _ = on(get, \"/sms\", see)")},
				"x/a.go":       {Data: []byte("package x\nfunc F() {}")},
				"x/a.templ":    {Data: []byte("package x\ntempl P() {}")},
				"x/a_test.go":  {Data: []byte("package x\nfunc TestA(t *testing.T) {}")},
			})
			if want == "" && len(got) > 0 || want != "" && !slices.Contains(got, "line 3: "+want) {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

var (
	coverageName = regexp.MustCompile("`([\\w./-]+\\.(?:go|templ|json))(?:: ?(\\w+))?`")
	coverageWait = regexp.MustCompile(`not yet, (.+)`)
	coverageTick = regexp.MustCompile("`([^`]+)`")
)

// TestSecurityNamesTests: each test that docs/security.md points to is there.
func TestSecurityNamesTests(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`([\\w./-]+_test\\.go)(?:: (\\w+))?`").FindAllSubmatch(text, -1)
	if len(named) < 20 {
		t.Errorf("found %d tests: is the table still written as it was?", len(named))
	}
	for _, m := range named {
		source, err := os.ReadFile(string(m[1]))
		if err != nil || !strings.Contains(string(source), "func "+string(m[2])) {
			t.Errorf("%s has no %s: %v", m[1], m[2], err)
		}
	}
}

// coverageComplaints returns what is wrong with the table, by line.
func coverageComplaints(t *testing.T, root fs.FS) []string {
	t.Helper()
	content, err := fs.ReadFile(root, coverageFile)
	if err != nil {
		t.Fatal(err)
	}
	routes, err := fs.ReadFile(root, coverageRoutes)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	tree := coverageTree{root, map[string][]string{}}
	for i, line := range strings.Split(string(content), "\n") {
		cells, ok := strings.CutPrefix(strings.TrimSpace(line), "| ")
		if !ok || strings.HasPrefix(cells, "Specification |") || strings.HasPrefix(cells, "Page |") {
			continue
		}
		row := strings.Split(strings.TrimSuffix(cells, " |"), " | ")
		found := []string{fmt.Sprintf("has %d cells, want 4", len(row))}
		switch len(row) {
		case 2:
			found = addressComplaints(row[1], string(routes))
		case 4:
			found = append(tree.codeComplaints(row[2], row[3]), tree.testComplaints(row[2], row[3])...)
			found = append(found, waitComplaints(row[1])...)
			found = append(found, waitComplaints(row[3])...)
		}
		for _, complaint := range found {
			list = append(list, fmt.Sprintf("line %d: %s", i+1, complaint))
		}
	}
	return list
}

// addressComplaints checks that an address of a page is in the table of routes.
func addressComplaints(cell, routes string) []string {
	address := strings.Trim(cell, "`")
	if strings.Contains(routes, `"`+address+`"`) || strings.Contains(routes, `"`+strings.TrimPrefix(address, "/k/:konto")+`"`) {
		return nil
	}
	return []string{address + " is no route"}
}

// waitComplaints checks that what is not yet there has a step that brings it, or is a test.
func waitComplaints(cell string) []string {
	for _, found := range coverageWait.FindAllStringSubmatch(cell, -1) {
		if what := found[1]; !slices.Contains(laterSteps, what) && !strings.HasPrefix(what, "a test of ") {
			return []string{fmt.Sprintf("no later step: %q", what)}
		}
	}
	return nil
}

// coverageTree knows the names that files declare.
type coverageTree struct {
	root  fs.FS
	names map[string][]string
}

func (c coverageTree) codeComplaints(code, test string) []string {
	found := coverageName.FindAllStringSubmatch(code, -1)
	if len(found) == 0 && !strings.HasPrefix(code, "nothing to cover") && !strings.HasPrefix(test, "not yet, ") {
		return []string{"no code"}
	}
	return c.missing(found)
}

func (c coverageTree) testComplaints(code, test string) []string {
	found := coverageName.FindAllStringSubmatch(test, -1)
	if len(found) == 0 && !strings.Contains(test, "not yet, ") && !(test == "–" && strings.HasPrefix(code, "nothing to cover")) {
		return []string{"neither a test nor what is not yet"}
	}
	list := c.missing(found)
	for _, f := range found {
		if !strings.HasSuffix(f[1], "_test.go") || !strings.HasPrefix(f[2], "Test") {
			list = append(list, f[1]+" is no test")
		}
	}
	if len(found) > 0 && len(found) != len(coverageTick.FindAllString(test, -1)) {
		list = append(list, "something in backquotes is no file with a test")
	}
	return list
}

// missing tells which of the files and names are not there.
func (c coverageTree) missing(found [][]string) []string {
	var list []string
	for _, f := range found {
		path, name := f[1], f[2]
		switch names, err := c.declared(path); {
		case err != nil:
			list = append(list, path+" is not there")
		case name != "" && !slices.Contains(names, name):
			list = append(list, path+" has no "+name)
		}
	}
	return list
}

var coverageTempl = regexp.MustCompile(`(?m)^templ (\w+)\(`)

// declared returns the functions, methods, types, constants, variables and templates of a file.
func (c coverageTree) declared(path string) ([]string, error) {
	if names, ok := c.names[path]; ok {
		return names, nil
	}
	content, err := fs.ReadFile(c.root, path)
	if err != nil {
		return nil, err
	}
	var names []string
	switch {
	case strings.HasSuffix(path, ".templ"):
		for _, found := range coverageTempl.FindAllSubmatch(content, -1) {
			names = append(names, string(found[1]))
		}
	case strings.HasSuffix(path, ".go"):
		syntax, err := parser.ParseFile(token.NewFileSet(), path, content, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range syntax.Decls {
			names = append(names, declarationNames(d)...)
		}
	}
	c.names[path] = names
	return names, nil
}

func declarationNames(d ast.Decl) []string {
	if fn, ok := d.(*ast.FuncDecl); ok {
		return []string{fn.Name.Name}
	}
	var names []string
	for _, spec := range d.(*ast.GenDecl).Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			names = append(names, s.Name.Name)
		case *ast.ValueSpec:
			for _, n := range s.Names {
				names = append(names, n.Name)
			}
		}
	}
	return names
}
