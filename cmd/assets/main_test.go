package main

import (
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const icon = `<svg viewBox="0 0 24 24" fill="none"><path d="M1.23456 2L3 4Z" fill="currentColor"/></svg>`

// sources is a small source tree that builds.
func sources() map[string]string {
	return map[string]string{
		"package.json":            `{"dependencies": {"@a/css": "1.0.0", "@navikt/aksel-icons": "2.0.0", "norwegian-postalcodes-mapper": "1.0.0"}}`,
		"static/dist/.keep":       "",
		"static/dist/old.txt":     "from the build before",
		"static/css/app.css":      `@import "@a/css"; .b { src: url("@a/css/x.woff2") }`,
		"static/css/contrast.css": `.c { color: red }`,
		"static/ts/app.ts":        `import { f } from './f'; f();`,
		"static/ts/f.ts":          `export const f = (): void => console.log(1);`,
		"static/icons.json":       `["Plus", "Bell"]`,
		"static/favicon.svg":      `<svg/>`,
		"static/licenses/X.txt":   "Terms of X.",
		"internal/views/a.go":     `{Icon: "Bell"}, icon("Plus")`,

		"node_modules/@a/css/package.json":                       `{"name": "@a/css", "version": "1.0.0", "license": "MIT", "main": "a.css"}`,
		"node_modules/@a/css/LICENSE":                            "Terms of a.",
		"node_modules/@a/css/a.css":                              `.a { color: red }`,
		"node_modules/@a/css/x.woff2":                            "font",
		"node_modules/@navikt/aksel-icons/package.json":          `{"name": "@navikt/aksel-icons", "version": "2.0.0", "license": "X"}`,
		"node_modules/@navikt/aksel-icons/dist/svg/Bell.svg":     icon,
		"node_modules/@navikt/aksel-icons/dist/svg/Plus.svg":     icon,
		"node_modules/@navikt/aksel-icons/dist/svg/Unwanted.svg": icon,

		"node_modules/norwegian-postalcodes-mapper/package.json": `{"name": "norwegian-postalcodes-mapper", "version": "1.0.0", "license": "X"}`,
		"node_modules/norwegian-postalcodes-mapper/dist/index.js": `const places = {
    "0001": { "city": "OSLO", "municipality": "OSLO" },
    "2550": { "city": "OS I ØSTERDALEN", "municipality": "OS" },
    "2880": { "city": "NORD-TORPA", "municipality": "NORDRE LAND" },
};`,
	}
}

// readDist returns the files of a build, by name.
func readDist(t *testing.T, root string) map[string]string {
	t.Helper()
	dist := filepath.Join(root, "static", "dist")
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(dist), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(filepath.Join(dist, path))
		files[path] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// containing returns the one file whose name has this start and end.
func containing(t *testing.T, files map[string]string, start, end string) string {
	t.Helper()
	for name, content := range files {
		if strings.HasPrefix(name, start) && strings.HasSuffix(name, end) {
			return content
		}
	}
	t.Fatalf("no %s…%s among %v", start, end, slices.Sorted(maps.Keys(files)))
	return ""
}

func TestRun(t *testing.T) {
	t.Parallel()
	root := write(t, sources())
	var out strings.Builder
	if err := run(root, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	files := readDist(t, root)

	for _, part := range []struct{ start, end, want string }{
		{"icons-", ".svg", `<symbol id="Bell" viewBox="0 0 24 24"><path d="M1.23 2L3 4Z" fill="currentColor"/></symbol><symbol id="Plus"`},
		{"app-", ".css", ".a{color:red}"},
		{"app-", ".js", "console.log(1)"},
		{"x-", ".woff2", "font"},
		{"LICENSES-", ".txt", "Terms of a."},
		{"LICENSES-", ".txt", "Terms of X."},
		{"postnummer-", ".json", `{"0001":"Oslo","2550":"Os i Østerdalen","2880":"Nord-Torpa"}`},
		{"manifest", ".json", `"app.css": "app-`},
	} {
		if got := containing(t, files, part.start, part.end); !strings.Contains(got, part.want) {
			t.Errorf("got %s…%s %q, want %q in it", part.start, part.end, got, part.want)
		}
	}
	if _, ok := files[".keep"]; !ok {
		t.Error("lost .keep")
	}
	if _, ok := files["old.txt"]; ok {
		t.Error("kept a file of the build before")
	}
	if got := out.String(); !strings.HasPrefix(got, "assets: 17 files, ") || strings.Count(got, "\n") != 1 {
		t.Errorf("got %q, want one line", got)
	}
}

func TestRunIsReproducible(t *testing.T) {
	t.Parallel()
	first, second := write(t, sources()), write(t, sources())
	for _, root := range []string{first, second} {
		if err := run(root, io.Discard, io.Discard); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(readDist(t, first), readDist(t, second)); diff != "" {
		t.Error(diff)
	}
}

func TestRunFails(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, file, content, want string // empty content: the file is missing
	}{
		{"without node_modules", "node_modules/@a/css/package.json", "", "@a/css is not in node_modules: run npm ci first"},
		{"with another version in node_modules", "package.json", `{"dependencies": {"@a/css": "1.1.0"}}`, "@a/css in node_modules is 1.0.0, not 1.1.0: run npm ci first"},
		{"without an icon that a view names", "static/icons.json", `["Plus"]`, "icons missing from static/icons.json: Bell ("},
		{"without an icon that the package has not got", "static/icons.json", `["Bell", "Plus", "Zebra"]`, "icon Zebra of static/icons.json"},
		{"without a licence", "static/licenses/X.txt", "", "@navikt/aksel-icons has no licence file"},
		{"on a style sheet that cannot be read", "static/css/app.css", `@import "./gone.css";`, "static/css/app.css:1:9: Could not resolve"},
		{"on a script that cannot be read", "static/ts/f.ts", "export const = 1", "static/ts/f.ts:1:"},
		{"without postal codes", "node_modules/norwegian-postalcodes-mapper/dist/index.js", "const places = {};", "holds no postal codes"},
		{"without a favicon", "static/favicon.svg", "", "favicon.svg"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			tree := sources()
			tree[test.file] = test.content
			if test.content == "" {
				delete(tree, test.file)
			}
			root := write(t, tree)

			err := run(root, io.Discard, io.Discard)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v, want %q", err, test.want)
			}
			want := map[string]string{".keep": "", "old.txt": "from the build before"}
			if diff := cmp.Diff(want, readDist(t, root)); diff != "" {
				t.Errorf("the build before was not left alone: %s", diff)
			}
		})
	}
}
