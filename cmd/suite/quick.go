package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// slow are the packages whose tests take too long before a commit. Of them only the tests in files with the same noun
// run: a change of store/retention.go runs those of store/retention*_test.go.
var slow = []string{"cmd/web", "internal/views/gallery", "internal/store", "internal/handlers", "internal/delivery"}

// homes are the packages that test files other than Go, by the beginning of their path.
var homes = map[string]string{"static/": "static", "migrations/": "internal/store", "docs/": ".", "internal/i18n/": "internal/i18n"}

// testedIn is the directory with the tests of a directory's code: the areas of handlers are tested in handlers.
func testedIn(dir string) string {
	if parent := filepath.Dir(dir); slices.Contains(slow, parent) && !hasTests(dir) {
		return parent
	}
	return dir
}

// touched are the tests for an uncommitted change: the domain, the arrows, and the packages of the changed files.
func touched() ([][]run, error) {
	out, err := exec.Command("git", "status", "--porcelain", "--untracked-files=all").Output()
	if err != nil {
		return nil, fmt.Errorf("git status: %w", err)
	}
	whole := map[string]bool{".": true, "internal/dispatch": true, "internal/i18n": true}
	stems := map[string]map[string]bool{} // of slow packages
	for line := range strings.Lines(string(out)) {
		path := strings.TrimSpace(line[3:])
		if _, to, renamed := strings.Cut(path, " -> "); renamed {
			path = to
		}
		dir := testedIn(filepath.Dir(path))
		for prefix, home := range homes {
			if strings.HasPrefix(path, prefix) {
				whole[home] = home != "internal/store"
			}
		}
		switch ext := filepath.Ext(path); {
		case ext != ".go" && ext != ".templ":
		case slices.Contains(slow, dir):
			if stems[dir] == nil {
				stems[dir] = map[string]bool{}
			}
			stems[dir][stem(filepath.Base(path))] = true
		default:
			whole[dir] = true
		}
	}
	first := run{}
	for dir, in := range whole {
		if in && hasTests(dir) {
			first.packages = append(first.packages, "./"+dir)
		}
	}
	slices.Sort(first.packages)
	runs := []run{first}
	for _, dir := range slow {
		if tests := testsOf(dir, stems[dir]); len(tests) > 0 {
			runs = append(runs, run{packages: []string{"./" + dir}, tests: tests})
		}
	}
	fmt.Println("quick: the domain and what the change touches;", strings.Join(slow, ", "), "by the names of the changed files only. `make test` runs all.")
	return [][]run{runs}, nil
}

// stem is a file's noun: shipment_jobs_test.go and shipment_jobs.templ are about shipment_jobs.
func stem(name string) string {
	name = strings.TrimSuffix(strings.TrimSuffix(name, filepath.Ext(name)), "_test")
	return strings.TrimSuffix(name, "_templ")
}

func hasTests(dir string) bool {
	found, _ := filepath.Glob(filepath.Join(dir, "*_test.go")) // the pattern is valid
	return len(found) > 0
}

var testFunction = regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\)`)

// testsOf lists the tests in files of a package whose names begin with one of some nouns.
func testsOf(dir string, nouns map[string]bool) []string {
	files, _ := filepath.Glob(filepath.Join(dir, "*_test.go"))
	var tests []string
	for _, file := range files {
		about := stem(filepath.Base(file))
		for noun := range nouns {
			if about != noun && !strings.HasPrefix(about, noun+"_") {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				continue // deleted meanwhile
			}
			for _, m := range testFunction.FindAllSubmatch(text, -1) {
				tests = append(tests, string(m[1]))
			}
			break
		}
	}
	slices.Sort(tests)
	return slices.Compact(tests)
}
