package main_test

import (
	"fmt"
	"go/ast"
	"os"
	"path"
	"slices"
	"testing"
	"testing/fstest"
)

// rooms are the packages that are divided into types, each with the file that lists these from the bottom up.
var rooms = map[string]string{
	"internal/handlers/admin":   "pages.go",
	"internal/handlers/compose": "pages.go",
	"internal/handlers/follow":  "pages.go",
	"internal/store/items":      "store.go",
	"internal/store/lists":      "store.go",
	"internal/store/queue":      "store.go",
	"internal/store/registry":   "store.go",
}

// mostMethods bounds a type of these packages: one with more has more than one subject.
const mostMethods = 40

// TestRooms: a type of these packages uses only types that are listed above it, and stays small.
func TestRooms(t *testing.T) {
	t.Parallel()
	files := read(t, os.DirFS("."))
	for folder, list := range rooms {
		r := room{folder: folder, list: list}
		r.read(files)
		for _, complaint := range r.complaints {
			t.Error(complaint)
		}
		if len(r.types) < 5 {
			t.Errorf("%s: %d types in %s: too few to be all", folder, len(r.types), list)
		}
	}
}

// TestRoomsCanFail shows the rules a package that breaks each of them.
func TestRoomsCanFail(t *testing.T) {
	t.Parallel()
	const good = "package p\ntype a struct{}\ntype B struct{ a *a }\ntype All struct{ B *B }\nfunc (s *B) Show() {}\n"
	many := ""
	for i := range mostMethods {
		many += fmt.Sprintf("func (s B) do%d() {}\n", i)
	}
	tests := []struct{ name, content, want string }{
		{"nothing to allowed code", good, ""},
		{"a field upwards", "package p\ntype a struct{ b *B }\ntype B struct{}\n", "p: a uses B, which is listed below it"},
		{"a call upwards", "package p\ntype A struct{}\ntype B struct{}\nfunc (s A) do() { In(s.db).B.Do() }\n", "p: A uses B, which is listed below it"},
		{"a large type", good + many, fmt.Sprintf("p: B has %d methods", mostMethods+1)},
	}
	for _, test := range tests {
		t.Run("says "+test.name, func(t *testing.T) {
			t.Parallel()
			r := room{folder: "p", list: "list.go"}
			r.read(read(t, fstest.MapFS{"p/list.go": {Data: []byte(test.content)}}))
			if test.want == "" && len(r.complaints) > 0 || test.want != "" && !slices.Contains(r.complaints, test.want) {
				t.Errorf("got %q, want %q", r.complaints, test.want)
			}
		})
	}
}

// room is a package that is divided into types.
type room struct {
	folder, list string
	types        []string // in the order of the list
	complaints   []string
}

// read collects the types from the list, then complains about what they do in all files.
func (r *room) read(files []file) {
	methods := map[string]int{}
	for _, f := range files {
		if f.folder != r.folder || path.Base(f.path) != r.list {
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok {
				r.types = append(r.types, spec.Name.Name)
			}
			return true
		})
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok {
				r.fields(spec)
			}
			return true
		})
	}
	for _, f := range files {
		if f.folder != r.folder || f.test {
			continue
		}
		for _, d := range f.syntax.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil {
				name := named(fn.Recv.List[0].Type)
				methods[name]++
				r.calls(name, fn)
			}
		}
	}
	for name, n := range methods {
		if n > mostMethods {
			r.complaints = append(r.complaints, fmt.Sprintf("%s: %s has %d methods", r.folder, name, n))
		}
	}
}

// fields complains about the fields of a type.
func (r *room) fields(spec *ast.TypeSpec) {
	if s, ok := spec.Type.(*ast.StructType); ok {
		for _, field := range s.Fields.List {
			r.uses(spec.Name.Name, named(field.Type))
		}
	}
}

// calls complains about the calls of a method to other types by the constructor: In(db).Type.Method.
func (r *room) calls(from string, fn *ast.FuncDecl) {
	ast.Inspect(fn, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if call, ok := sel.X.(*ast.CallExpr); ok && named(call.Fun) == "In" {
			r.uses(from, sel.Sel.Name)
		}
		return true
	})
}

func (r *room) uses(from, to string) {
	a, b := slices.Index(r.types, from), slices.Index(r.types, to)
	if complaint := fmt.Sprintf("%s: %s uses %s, which is listed below it", r.folder, from, to); a >= 0 && b > a && !slices.Contains(r.complaints, complaint) {
		r.complaints = append(r.complaints, complaint)
	}
}

// named is the name of a type or function of the package, or of what a pointer points to; empty for others.
func named(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return named(e.X)
	case *ast.IndexExpr:
		return named(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}
