package main_test

import (
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the table of packages in ARCHITECTURE.md")

// packageRows finds the rows of the table of packages: name, mark, purpose.
var packageRows = regexp.MustCompile("(?m)^\\| `((?:bench|cmd/|deploy/|internal/|migrations|static)[\\w/]*)`( †)? \\| (.*) \\| .+ \\|\n")

// TestTableOfPackages: the table in ARCHITECTURE.md is made from the arrows. Purposes and their order are written there.
func TestTableOfPackages(t *testing.T) {
	t.Parallel()
	text := document(t, "ARCHITECTURE.md")
	want := tableOfPackages(text)
	if text != want && *update {
		if err := os.WriteFile("ARCHITECTURE.md", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if text != want {
		t.Error("the table of packages in ARCHITECTURE.md is not that of the arrows: run go test . -run TestTableOfPackages -update")
	}
	for _, row := range packageRows.FindAllStringSubmatch(want, -1) {
		if row[3] == "" {
			t.Errorf("ARCHITECTURE.md: the row of %s lacks its purpose", row[1])
		}
	}
}

// tableOfPackages writes the arrows into the table of a text: rows of packages that are gone leave, new ones come last.
func tableOfPackages(text string) string {
	written := map[string]bool{}
	end := 0
	text = packageRows.ReplaceAllStringFunc(text, func(row string) string {
		m := packageRows.FindStringSubmatch(row)
		targets, known := arrows[m[1]]
		if !known || written[m[1]] {
			return ""
		}
		written[m[1]] = true
		return packageRow(m[1], m[3], targets) + "\n"
	})
	if rows := packageRows.FindAllStringIndex(text, -1); len(rows) > 0 {
		end = rows[len(rows)-1][1]
	}
	var fresh strings.Builder
	for _, name := range slices.Sorted(maps.Keys(arrows)) {
		if !written[name] {
			fresh.WriteString(packageRow(name, "", arrows[name]) + "\n")
		}
	}
	return text[:end] + fresh.String() + text[end:]
}

func packageRow(name, purpose string, targets []string) string {
	mark, list := "", []string{}
	if slices.Contains(standIns, name) {
		mark = " †"
	}
	for _, target := range targets {
		if target == all {
			target = "everything"
		}
		list = append(list, strings.TrimPrefix(target, "internal/"))
	}
	slices.Sort(list)
	if len(list) == 0 {
		list = []string{"–"}
	}
	return fmt.Sprintf("| `%s`%s | %s | %s |", name, mark, purpose, strings.Join(list, ", "))
}

// TestWalks: the files and names of the walks in ARCHITECTURE.md are there. A file without a folder is in the one before it.
func TestWalks(t *testing.T) {
	t.Parallel()
	tree := coverageTree{os.DirFS("."), map[string][]string{}}
	place := regexp.MustCompile("`([\\w/.-]+)(?:: ([\\w., ]+))?`")
	found := 0
	_, walks, _ := strings.Cut(document(t, "ARCHITECTURE.md"), "## Walk 1")
	walks, _, _ = strings.Cut(walks, "## Glossary")
	for line := range strings.Lines(walks) {
		_, where, _ := strings.Cut(strings.TrimPrefix(line, "| "), " | ")
		folder := ""
		for _, m := range place.FindAllStringSubmatch(where, -1) {
			name := path.Join("internal", m[1])
			if !strings.Contains(m[1], "/") && strings.HasSuffix(m[1], ".go") {
				name = path.Join(folder, m[1])
			}
			folder = path.Dir(name)
			if _, err := os.Stat(name); err != nil {
				t.Errorf("a walk in ARCHITECTURE.md: %s is not there", name)
				continue
			}
			found++
			if m[2] == "" {
				continue
			}
			names, err := tree.declared(name)
			if err != nil {
				t.Fatal(err)
			}
			for wanted := range strings.SplitSeq(m[2], ", ") {
				if !slices.Contains(names, wanted[strings.LastIndex(wanted, ".")+1:]) {
					t.Errorf("a walk in ARCHITECTURE.md: %s has no %s", name, wanted)
				}
			}
		}
	}
	if found < 40 {
		t.Errorf("found %d places: are the walks still written as they were?", found)
	}
}

// TestAssumptionsAreListed: docs/assumptions.md names each file as often as it assumes something, and no file that is gone.
func TestAssumptionsAreListed(t *testing.T) {
	t.Parallel()
	text := document(t, "docs/assumptions.md")
	assumed := 0
	walk(t, func(name, content string) {
		short, ours := strings.CutPrefix(name, "internal/")
		if !ours || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return
		}
		n := strings.Count(content, "Assumption:")
		assumed += n
		if rows := strings.Count(text, "`"+short+"`"); rows < n {
			t.Errorf("docs/assumptions.md: %s assumes %d things and has %d rows", short, n, rows)
		}
	})
	for _, m := range regexp.MustCompile("`([\\w/]+\\.go)`").FindAllStringSubmatch(text, -1) {
		if _, err := os.Stat(path.Join("internal", m[1])); err != nil {
			t.Errorf("docs/assumptions.md: %s is not there", m[1])
		}
	}
	if assumed < 30 {
		t.Errorf("found %d assumptions: are they still marked as they were?", assumed)
	}
}

// TestSettingsAreDocumented: every setting has its row in docs/operations.md.
func TestSettingsAreDocumented(t *testing.T) {
	t.Parallel()
	_, table, _ := strings.Cut(document(t, "docs/operations.md"), "## Settings")
	field := regexp.MustCompile("`env:\"(\\w+)")
	prefix := regexp.MustCompile("`envPrefix:\"(\\w+)\"`")
	for _, file := range []string{"cmd/web/config.go", "cmd/web/secrets.go"} {
		source := document(t, file)
		prefixes := []string{""}
		for _, m := range prefix.FindAllStringSubmatch(source, -1) {
			prefixes = append(prefixes, m[1])
		}
		settings := field.FindAllStringSubmatch(source, -1)
		if len(settings) == 0 {
			t.Errorf("%s: no settings found", file)
		}
		for _, m := range settings {
			if !slices.ContainsFunc(prefixes, func(p string) bool { return strings.Contains(table, "`"+p+m[1]+"`") }) {
				t.Errorf("docs/operations.md has no row for %s", m[1])
			}
		}
	}
}

// TestLoginsAreListed: README.md names everybody who can log in where `make run` runs.
func TestLoginsAreListed(t *testing.T) {
	t.Parallel()
	readme := document(t, "README.md")
	people := regexp.MustCompile(`(?m)^\t\{"\w+", "([^"]+)", "[^"]+", (?:nil|\[\]string)`).FindAllStringSubmatch(document(t, "cmd/devstack/seed.go"), -1)
	if len(people) < 5 {
		t.Errorf("found %d people", len(people))
	}
	for _, p := range people {
		if !strings.Contains(readme, "\n| "+p[1]+" | ") {
			t.Errorf("README.md does not say that %s can log in", p[1])
		}
	}
}

var (
	heading  = regexp.MustCompile(`(?m)^#+ (.+)$`)
	noAnchor = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	link     = regexp.MustCompile(`\]\(([^)\s]+)\)`)
)

// TestLinks: what the documents link to in the repository is there, headings included.
func TestLinks(t *testing.T) {
	t.Parallel()
	linked := 0
	walk(t, func(name, content string) {
		if path.Ext(name) != ".md" {
			return
		}
		for _, m := range link.FindAllStringSubmatch(content, -1) {
			file, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(file, ":") {
				continue
			}
			linked++
			target := name
			if file != "" {
				target = path.Join(path.Dir(name), file)
			}
			if _, err := os.Stat(target); err != nil || anchor != "" && !slices.Contains(anchors(document(t, target)), anchor) {
				t.Errorf("%s: %s leads nowhere", name, m[1])
			}
		}
	})
	if linked < 20 {
		t.Errorf("found %d links", linked)
	}
}

// anchors are the names by which a document's headings are linked to.
func anchors(text string) []string {
	var list []string
	for _, m := range heading.FindAllStringSubmatch(text, -1) {
		list = append(list, strings.ReplaceAll(noAnchor.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-"))
	}
	return list
}

func document(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// walk reads the documents and the Go files of the repository.
func walk(t *testing.T, see func(name, content string)) {
	t.Helper()
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || slices.Contains([]string{"node_modules", "testdata", "bin"}, d.Name())):
			return fs.SkipDir
		case !slices.Contains([]string{".md", ".go"}, path.Ext(name)):
			return nil
		}
		content, err := os.ReadFile(name)
		if err == nil {
			see(name, string(content))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
