package main_test

import (
	"bufio"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

const module = "utsending"

// all stands for every package that is no stand-in and no program.
const all = "*"

// arrows are the packages of ours that a package may import. A new package gets a line here and, from go test -update, its
// row in ARCHITECTURE.md.
var arrows = map[string][]string{
	"bench":                                 {all},
	"bench/bare":                            {},
	"bench/count":                           {"internal/dispatch", "internal/pdf", "internal/pdf/pdfium", "internal/pdf/shut"},
	"cmd/assets":                            {},
	"cmd/devstack":                          {all},
	"cmd/inspectpdf":                        {"internal/pdf", "internal/pdf/look", "internal/pdf/shut"},
	"cmd/suite":                             {"internal/await", "internal/store/pgserver", "internal/tier"},
	"cmd/web":                               {all},
	"deploy/check":                          {all},
	"internal/await":                        {},
	"internal/bulk":                         {"internal/dispatch", "internal/store", "internal/store/items", "internal/store/lists", "internal/store/registry"},
	"internal/browsertest":                  {"internal/await", "internal/ramdisk"},
	"internal/browsertest/firefox":          {"internal/await"},
	"internal/browsertest/plain":            {"internal/await", "internal/browsertest"},
	"internal/clients":                      {"internal/dispatch", "internal/text"},
	"internal/clamd":                        {},
	"internal/clients/cms":                  {},
	"internal/clients/shipmentapi":          {"internal/clients", "internal/clients/cms", "internal/dispatch"},
	"internal/clients/shipmentapi/apitest":  {"internal/clients", "internal/clients/cms", "internal/clients/shipmentapi", "internal/clients/simulator", "internal/dispatch", "internal/i18n/i18ntest", "internal/text"},
	"internal/clients/shipmentapi/v1":       {"internal/clients", "internal/clients/cms", "internal/clients/shipmentapi", "internal/clients/shipmentapi/wire", "internal/dispatch"},
	"internal/clients/shipmentapi/v2":       {"internal/clients", "internal/clients/cms", "internal/clients/shipmentapi", "internal/clients/shipmentapi/wire", "internal/dispatch"},
	"internal/clients/shipmentapi/v3":       {"internal/clients", "internal/clients/cms", "internal/clients/shipmentapi", "internal/clients/shipmentapi/v2", "internal/clients/shipmentapi/wire", "internal/dispatch"},
	"internal/clients/shipmentapi/wire":     {"internal/clients", "internal/clients/cms", "internal/clients/shipmentapi", "internal/dispatch"},
	"internal/clients/simulator":            {},
	"internal/clients/simulator/whole":      {"internal/clients/simulator", "internal/clients/simulator/shipmentv1", "internal/clients/simulator/shipmentv2", "internal/clients/simulator/shipmentv3"},
	"internal/clients/simulator/shipmentv1": {"internal/clients/simulator"},
	"internal/clients/simulator/shipmentv2": {"internal/clients/simulator"},
	"internal/clients/simulator/shipmentv3": {"internal/clients/simulator"},
	"internal/clients/smsapi":               {"internal/clients", "internal/dispatch", "internal/text"},
	"internal/keeper":                       {"internal/dispatch", "internal/store", "internal/store/registry"},
	"internal/delivery":                     {"internal/clients", "internal/clients/shipmentapi", "internal/dispatch", "internal/recipients", "internal/store", "internal/store/items", "internal/store/lists", "internal/store/queue", "internal/store/registry", "internal/upstream"},
	"internal/dispatch":                     {},
	"internal/export":                       {"internal/dispatch", "internal/i18n", "internal/store", "internal/store/items", "internal/store/lists", "internal/table", "internal/views/follow"},
	"internal/handlers":                     {"internal/bulk", "internal/clamd", "internal/dispatch", "internal/handlers/admin", "internal/handlers/compose", "internal/handlers/follow", "internal/handlers/frame", "internal/handlers/site", "internal/i18n", "internal/notify", "internal/pdf", "internal/recipients", "internal/session", "internal/store", "internal/store/items", "internal/store/lists", "internal/store/queue", "internal/store/registry", "internal/upstream", "internal/views", "internal/views/compose", "internal/views/follow", "internal/views/site", "static"}, // notify in its tests only
	"internal/handlers/admin":               {"internal/dispatch", "internal/handlers/frame", "internal/i18n", "internal/pdf", "internal/store", "internal/store/items", "internal/store/queue", "internal/store/registry", "internal/table", "internal/upstream", "internal/views", "internal/views/admin"},
	"internal/handlers/compose":             {"internal/clamd", "internal/dispatch", "internal/docx", "internal/handlers/frame", "internal/i18n", "internal/pdf", "internal/recipients", "internal/store", "internal/store/items", "internal/store/registry", "internal/text", "internal/upstream", "internal/views", "internal/views/compose"},
	"internal/handlers/frame":               {"internal/dispatch", "internal/i18n", "internal/session", "internal/store", "internal/store/items", "internal/store/lists", "internal/store/registry", "internal/text", "internal/views", "internal/views/admin", "static"},
	"internal/handlers/follow":              {"internal/bulk", "internal/dispatch", "internal/handlers/frame", "internal/i18n", "internal/store", "internal/store/items", "internal/store/lists", "internal/store/queue", "internal/store/registry", "internal/table", "internal/text", "internal/upstream", "internal/views", "internal/views/compose", "internal/views/follow"},
	"internal/handlers/site":                {"internal/dispatch", "internal/handlers/frame", "internal/i18n", "internal/session", "internal/store/queue", "internal/store/registry", "internal/views", "internal/views/site"},
	"internal/docx":                         {"internal/dispatch"},
	"internal/i18n/i18ntest":                {"internal/i18n", "internal/i18n/texts"},
	"internal/i18n":                         {},
	"internal/i18n/texts":                   {"internal/i18n"},
	"internal/metrics":                      {"internal/dispatch", "internal/store", "internal/store/queue", "internal/store/registry"},
	"internal/objects":                      {},
	"internal/objects/objectstest":          {"internal/objects"},
	"internal/notify":                       {"internal/dispatch", "internal/i18n", "internal/store", "internal/store/queue", "internal/store/registry"}, // queue in its tests only
	"internal/siem":                         {"internal/dispatch", "internal/store", "internal/store/registry"},
	"internal/pdf":                          {"internal/dispatch", "internal/pdf/compiled", "internal/pdf/look", "internal/pdf/shut"}, // the last two in its tests only
	"internal/pdf/look":                     {"internal/dispatch", "internal/pdf", "internal/pdf/parser", "internal/pdf/pdfium"},
	"internal/pdf/pdfium":                   {"internal/pdf/compiled", "internal/pdf/parser"}, // the last in its tests only
	"internal/pdf/compiled":                 {},
	"internal/pdf/parser":                   {},
	"internal/pdf/shut":                     {},
	"internal/pdf/pdftest":                  {"internal/pdf/parser"},
	"internal/ramdisk":                      {},
	"internal/recipients":                   {"internal/dispatch", "internal/table", "internal/text"},
	"internal/seal":                         {},
	"internal/session":                      {"internal/dispatch", "internal/store", "internal/store/registry", "internal/text"},
	"internal/session/devidp":               {},
	"internal/store":                        {"internal/dispatch", "internal/objects", "internal/objects/objectstest", "internal/seal", "internal/store/items", "internal/store/lists", "internal/store/queue", "internal/store/registry", "migrations"},
	"internal/store/items":                  {"internal/dispatch", "internal/store"},
	"internal/store/lists":                  {"internal/dispatch", "internal/store"},
	"internal/store/queue":                  {"internal/dispatch", "internal/store", "migrations"},
	"internal/store/registry":               {"internal/dispatch", "internal/store"},
	"internal/store/pgserver":               {"internal/ramdisk"},
	"internal/store/seeds":                  {"internal/dispatch", "internal/store", "internal/store/items", "internal/store/lists", "internal/store/storetest"},
	"internal/store/storetest":              {"internal/await", "internal/dispatch", "internal/seal", "internal/store", "internal/store/items", "internal/store/pgserver", "internal/store/registry"},
	"internal/table":                        {},
	"internal/text":                         {},
	"internal/tier":                         {},
	"internal/upstream":                     {"internal/clients", "internal/clients/cms", "internal/clients/shipmentapi", "internal/clients/shipmentapi/v1", "internal/clients/shipmentapi/v2", "internal/clients/shipmentapi/v3", "internal/clients/smsapi", "internal/dispatch", "internal/store", "internal/store/queue", "internal/store/registry"},
	"internal/views":                        {"internal/dispatch", "internal/i18n", "static"},
	"internal/views/admin":                  {"internal/dispatch", "internal/i18n", "internal/views"},
	"internal/views/compose":                {"internal/dispatch", "internal/i18n", "internal/views", "static"},
	"internal/views/follow":                 {"internal/dispatch", "internal/i18n", "internal/views", "internal/views/compose", "static"},
	"internal/views/gallery":                {"internal/browsertest", "internal/dispatch", "internal/i18n", "internal/i18n/texts", "internal/store/registry", "internal/views", "internal/views/admin", "internal/views/compose", "internal/views/follow", "internal/views/site", "static"},
	"internal/views/site":                   {"internal/dispatch", "internal/i18n", "internal/views"},
	"migrations":                            {},
	"static":                                {},
}

// standIns replace what is outside. Only tests use them, and the program that shows everything on one machine.
var standIns = []string{
	"internal/await", "internal/browsertest", "internal/browsertest/firefox", "internal/browsertest/plain", "internal/clients/shipmentapi/apitest", "internal/clients/simulator", "internal/clients/simulator/whole", "internal/clients/simulator/shipmentv1", "internal/clients/simulator/shipmentv2", "internal/clients/simulator/shipmentv3", "internal/i18n/i18ntest", "internal/objects/objectstest", "internal/pdf/pdftest", "internal/ramdisk", "internal/session/devidp", "internal/store/pgserver", "internal/store/seeds", "internal/store/storetest", "internal/tier", "internal/views/gallery",
}

var forbidden = []string{"models", "services", "repository", "utils", "common", "helpers", "types"}

// TestArrows reads every Go file of the module.
func TestArrows(t *testing.T) {
	t.Parallel()
	files := read(t, os.DirFS("."))
	for _, complaint := range complaints(files, arrows) {
		t.Error(complaint)
	}
	for folder := range arrows {
		if !slices.ContainsFunc(files, func(f file) bool { return f.folder == folder }) {
			t.Errorf("%s: is in the table of arrows, and gone", folder)
		}
	}
}

// TestWebLinksNothingOfTheChild: a parser of PDFs, and what closes files, would cost each copy megabytes and a slow start,
// and belong into the confined program.
func TestWebLinksNothingOfTheChild(t *testing.T) {
	t.Parallel()
	for program, want := range map[string]bool{"./cmd/web": false, "./cmd/inspectpdf": true} {
		out, err := exec.Command("go", "list", "-deps", program).Output()
		if err != nil {
			t.Fatal(err)
		}
		for _, module := range []string{"github.com/pdfcpu/", "github.com/landlock-lsm/"} {
			if got := strings.Contains(string(out), module); got != want {
				t.Errorf("%s links %s: %t, want %t", program, module, got, want)
			}
		}
	}
}

// TestWebCallsNoMethodByName: text/template does, and one that can be reached makes the linker keep every exported method,
// 5 MB of them.
func TestWebCallsNoMethodByName(t *testing.T) {
	t.Parallel()
	link := exec.Command("go", "build", "-o", os.DevNull, "-ldflags=-dumpdep -w", "./cmd/web")
	link.Env = append(os.Environ(), "CGO_ENABLED=0") // as it is released: with the C library of the race detector's run, all would be compiled once more
	out, err := link.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := link.Start(); err != nil {
		t.Fatal(err)
	}
	reached := 0
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		reached++
		if strings.Contains(lines.Text(), "<ReflectMethod>") {
			t.Errorf("calls methods by name: %s", lines.Text())
		}
	}
	if err := errors.Join(lines.Err(), link.Wait()); err != nil || reached < 10_000 {
		t.Errorf("the linker names %d things: %v", reached, err)
	}
}

// TestArrowsCanFail shows the rules a module that breaks each of them.
func TestArrowsCanFail(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, path, content, want string
	}{
		{"an import outside the table", "internal/views/a.go", `package views; import _ "utsending/internal/store"`,
			"internal/views/a.go: imports internal/store"},
		{"an import outside the table from a test", "internal/views/a_test.go", `package views_test; import _ "utsending/internal/store"`,
			"internal/views/a_test.go: imports internal/store"},
		{"a stand-in outside tests", "internal/session/a.go", `package session; import _ "utsending/internal/session/devidp"`,
			"internal/session/a.go: imports internal/session/devidp"},
		{"a stand-in in the program", "cmd/web/a.go", `package main; import _ "utsending/internal/clients/simulator"`,
			"cmd/web/a.go: imports internal/clients/simulator"},
		{"a program as a package", "cmd/devstack/a.go", `package main; import _ "utsending/cmd/web"`,
			"cmd/devstack/a.go: imports cmd/web"},
		{"a library in the domain", "internal/dispatch/a.go", `package dispatch; import _ "github.com/google/uuid"`,
			"internal/dispatch/a.go: imports github.com/google/uuid: the domain uses the standard library only"},
		{"an init function", "static/a.go", "package static; func init() {}", "static/a.go: has an init function"},
		{"a package without a doc sentence", "migrations/a.go", "package migrations", "migrations: has no doc sentence"},
		{"a doc sentence about something else", "migrations/a.go", "// Package sql is here.\npackage migrations", "migrations: has no doc sentence"},
		{"a forbidden name", "internal/utils/a.go", "package utils", "internal/utils: a name that says nothing"},
		{"a forbidden name of a package", "internal/views/a.go", "package common", "internal/views: a name that says nothing"},
		{"a package that the table does not know", "internal/mail/a.go", "package mail", "internal/mail: is not in the table of arrows"},
	}
	for _, test := range tests {
		t.Run("says "+test.name, func(t *testing.T) {
			t.Parallel()
			files := read(t, fstest.MapFS{test.path: {Data: []byte(test.content)}})
			if got := complaints(files, arrows); !slices.Contains(got, test.want) {
				t.Errorf("got %q, want %q among them", got, test.want)
			}
		})
	}
	t.Run("is content with what is allowed", func(t *testing.T) {
		t.Parallel()
		files := read(t, fstest.MapFS{
			"internal/session/a.go":      {Data: []byte("// Package session is documented.\npackage session; import _ \"utsending/internal/store\"")},
			"internal/session/a_test.go": {Data: []byte(`package session_test; import (_ "utsending/internal/session"; _ "utsending/internal/session/devidp")`)},
			"cmd/devstack/main.go":       {Data: []byte("// Command devstack runs.\npackage main; import _ \"utsending/internal/store/pgserver\"")},
			"node_modules/x/a.go":        {Data: []byte("not Go at all")},
		})
		if got := complaints(files, arrows); len(got) > 0 {
			t.Errorf("got %q, want none", got)
		}
	})
}

// file is one Go file: where it lies, and what it says.
type file struct {
	folder, path string
	test         bool
	syntax       *ast.File
}

func read(t *testing.T, root fs.FS) []file {
	t.Helper()
	var files []file
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules" || d.Name() == "testdata" || d.Name() == "bin"):
			return fs.SkipDir
		case d.IsDir() || path.Ext(name) != ".go":
			return nil
		}
		content, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		syntax, err := parser.ParseFile(token.NewFileSet(), name, content, parser.ParseComments|parser.SkipObjectResolution)
		files = append(files, file{path.Dir(name), name, strings.HasSuffix(name, "_test.go"), syntax})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// complaints returns what the files do against the rules.
func complaints(files []file, arrows map[string][]string) []string {
	var list []string
	documented := map[string]bool{}
	for _, f := range files {
		for _, target := range f.imports() {
			if !f.may(target, arrows) {
				list = append(list, f.path+": imports "+target)
			}
		}
		if foreign := f.foreign(); f.folder == "internal/dispatch" && foreign != "" {
			list = append(list, fmt.Sprintf("%s: imports %s: the domain uses the standard library only", f.path, foreign))
		}
		if f.hasInit() {
			list = append(list, f.path+": has an init function")
		}
		if slices.Contains(forbidden, path.Base(f.folder)) || slices.Contains(forbidden, f.syntax.Name.Name) {
			list = append(list, f.folder+": a name that says nothing")
		}
		if !f.test {
			documented[f.folder] = documented[f.folder] || f.documented()
		}
	}
	for folder, ok := range documented {
		if !ok {
			list = append(list, folder+": has no doc sentence")
		}
		if _, known := arrows[folder]; !known {
			list = append(list, folder+": is not in the table of arrows")
		}
	}
	slices.Sort(list)
	return list
}

// imports returns the packages of ours that the file imports.
func (f file) imports() []string {
	var list []string
	for _, s := range f.syntax.Imports {
		if target, ours := strings.CutPrefix(strings.Trim(s.Path.Value, `"`), module+"/"); ours {
			list = append(list, target)
		}
	}
	return list
}

// may tells whether the file may import a package of ours. A test may import the stand-ins and its own package besides.
func (f file) may(target string, arrows map[string][]string) bool {
	allowed := arrows[f.folder]
	switch {
	case slices.Contains(allowed, target), f.test && target == f.folder:
		return true
	case slices.Contains(standIns, target):
		return f.test || f.folder == "cmd/devstack" || f.folder == "bench"
	}
	return slices.Contains(allowed, all) && !strings.HasPrefix(target, "cmd/")
}

// foreign returns an import of a file outside tests that is neither ours nor of the standard library.
func (f file) foreign() string {
	for _, s := range f.syntax.Imports {
		name := strings.Trim(s.Path.Value, `"`)
		if first, _, _ := strings.Cut(name, "/"); strings.Contains(first, ".") && !f.test {
			return name
		}
	}
	return ""
}

func (f file) hasInit() bool {
	return slices.ContainsFunc(f.syntax.Decls, func(d ast.Decl) bool {
		fn, ok := d.(*ast.FuncDecl)
		return ok && fn.Recv == nil && fn.Name.Name == "init"
	})
}

// documented tells whether the file has the sentence that says what its package is for.
func (f file) documented() bool {
	want := "Package " + f.syntax.Name.Name + " "
	if f.syntax.Name.Name == "main" {
		want = "Command " + path.Base(f.folder) + " "
	}
	return strings.HasPrefix(f.syntax.Doc.Text(), want)
}
