package i18n_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// source is what the program says of the catalogue: generated code is part of it, and stands for the templ files.
type source struct {
	keys     map[string]string // key → where it is named
	prefixes map[string]string // "stage." + … → where a key is built
	calls    []call
}

// call asks for a text by a key that stands there, with names of values.
type call struct {
	at, key string
	names   []string
}

// speakers are the folders whose code names texts.
var speakers = []string{"clients", "delivery", "dispatch", "handlers", "notify", "recipients", "session", "store", "upstream", "views"}

var (
	keyPattern    = regexp.MustCompile(`^[a-z_]+(\.[A-Za-z0-9_-]+)+$`)
	prefixPattern = regexp.MustCompile(`^[a-z_]+(\.[A-Za-z0-9_-]+)*\.$`)
	reasonPattern = regexp.MustCompile(`\breason\.[a-z_]+`)
)

// scan reads all code of the speakers. Only what begins like a key of the catalogue counts as one.
func scan(t *testing.T, catalogue map[string]entry) source {
	t.Helper()
	s := source{keys: map[string]string{}, prefixes: map[string]string{}}
	families := map[string]bool{}
	for key := range catalogue {
		family, _, _ := strings.Cut(key, ".")
		families[family] = true
	}
	for path, file := range parse(t, speakers...) {
		ast.Inspect(file, func(n ast.Node) bool { return s.take(n, path, families) })
	}
	return s
}

// take notes what one node says, and tells whether to go on below it.
func (s *source) take(n ast.Node, path string, families map[string]bool) bool {
	switch n := n.(type) {
	case *ast.KeyValueExpr:
		name, ok := n.Key.(*ast.Ident)
		return !ok || name.Name != "Action" // the event log's words look like keys
	case *ast.CallExpr:
		if callee(n) == "Path" { // names of files
			return false
		}
		s.takeCall(n, path)
	case *ast.BinaryExpr:
		if prefix := text(leftmost(n)); n.Op == token.ADD && prefixPattern.MatchString(prefix) && families[prefix[:strings.Index(prefix, ".")]] {
			s.prefixes[prefix] = path
		}
	case *ast.BasicLit:
		value := text(n)
		for _, reason := range reasonPattern.FindAllString(value, -1) { // they stand in statements too
			s.keys[reason] = path
		}
		if family, _, _ := strings.Cut(value, "."); keyPattern.MatchString(value) && families[family] {
			s.keys[value] = path
		}
	}
	return true
}

// takeCall notes a call of T, Text or page whose key stands there.
func (s *source) takeCall(c *ast.CallExpr, path string) {
	if !slices.Contains([]string{"T", "Text", "page"}, callee(c)) {
		return
	}
	for i, arg := range c.Args {
		if key := text(arg); keyPattern.MatchString(key) {
			found := call{at: path, key: key}
			for j := i + 1; j < len(c.Args); j += 2 {
				found.names = append(found.names, text(c.Args[j]))
			}
			s.calls = append(s.calls, found)
			return
		}
	}
}

func callee(c *ast.CallExpr) string {
	switch f := c.Fun.(type) {
	case *ast.SelectorExpr:
		return f.Sel.Name
	case *ast.Ident:
		return f.Name
	}
	return ""
}

func leftmost(e ast.Expr) ast.Expr {
	for {
		b, ok := e.(*ast.BinaryExpr)
		if !ok {
			return e
		}
		e = b.X
	}
}

// text is the value of a string that stands there, empty for anything else.
func text(e ast.Expr) string {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return ""
	}
	value, err := strconv.Unquote(lit.Value)
	if err != nil {
		return ""
	}
	return value
}

// all is every Go file of the speakers, read once. Tests and stand-ins are left out.
var all = sync.OnceValues(func() (map[string]*ast.File, error) {
	files := map[string]*ast.File{}
	for _, folder := range speakers {
		err := filepath.WalkDir(filepath.Join("..", folder), func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && slices.Contains([]string{"simulator", "devidp", "gallery", "pgserver", "storetest", "testdata"}, d.Name()):
				return fs.SkipDir
			case d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			files[filepath.ToSlash(path)], err = parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
})

// parse returns the files of some of the speakers by path.
func parse(t *testing.T, folders ...string) map[string]*ast.File {
	t.Helper()
	files, err := all()
	if err != nil {
		t.Fatal(err)
	}
	files = maps.Clone(files)
	maps.DeleteFunc(files, func(path string, _ *ast.File) bool {
		return !slices.ContainsFunc(folders, func(folder string) bool { return strings.HasPrefix(path, "../"+folder+"/") })
	})
	return files
}

// constants are the values that constants of a type have, of the domain or of the views; empty ones are left out.
func constants(t *testing.T, typeName string) (found []string) {
	t.Helper()
	for _, value := range named(t, typeName) {
		found = append(found, value)
	}
	return found
}

// named are those values by the names of the constants.
func named(t *testing.T, typeName string) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, file := range parse(t, "dispatch", "views") {
		for _, d := range file.Decls {
			group, ok := d.(*ast.GenDecl)
			if !ok || group.Tok != token.CONST {
				continue
			}
			for _, spec := range group.Specs {
				v := spec.(*ast.ValueSpec)
				if name, ok := v.Type.(*ast.Ident); !ok || name.Name != typeName {
					continue
				}
				for i, value := range v.Values {
					if s := text(value); s != "" {
						found[v.Names[i].Name] = s
					}
				}
			}
		}
	}
	if len(found) == 0 {
		t.Fatalf("there are no constants of type %s", typeName)
	}
	return found
}

// statuses are those of a kind's rows: {KindSMS, StatusSent, ...}.
func statuses(t *testing.T, kind string) (found []string) {
	t.Helper()
	values := named(t, "Status")
	for _, file := range parse(t, "dispatch") {
		ast.Inspect(file, func(n ast.Node) bool {
			row, ok := n.(*ast.CompositeLit)
			if !ok || len(row.Elts) < 2 {
				return true
			}
			of, first := row.Elts[0].(*ast.Ident)
			status, second := row.Elts[1].(*ast.Ident)
			if first && second && of.Name == kind && values[status.Name] != "" {
				found = append(found, values[status.Name])
			}
			return true
		})
	}
	if len(found) == 0 {
		t.Fatalf("there are no statuses of %s", kind)
	}
	return found
}
