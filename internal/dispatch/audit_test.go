package dispatch_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"utsending/internal/dispatch"
)

// TestEveryActionHasItsGroup: what code writes to the event log is found by a filter, and has words there.
func TestEveryActionHasItsGroup(t *testing.T) {
	t.Parallel()
	var known []string
	for _, a := range dispatch.AuditActions() {
		known = append(known, a.Action)
	}
	if sorted := slices.Sorted(slices.Values(known)); len(slices.Compact(sorted)) != len(known) {
		t.Error("an act stands there twice")
	}
	written := regexp.MustCompile(`\bAction: +"([a-z_.]+)"( \+)?|\brecordLog\(c, v, "([a-z_.]+)"`)
	found := 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasSuffix(path, "dispatch/audit.go") || strings.Contains(path, "/views/gallery/") {
			return nil
		}
		source, err := os.ReadFile(path)
		for _, m := range written.FindAllStringSubmatch(string(source), -1) {
			found++
			action := m[1] + m[3]
			if m[2] == "" && !slices.Contains(known, action) {
				t.Errorf("%s writes %q, which dispatch.AuditActions does not know", path, action)
			}
			if m[2] != "" && !slices.ContainsFunc(known, func(a string) bool { return strings.HasPrefix(a, action) }) {
				t.Errorf("%s writes acts that begin with %q, and none is known", path, action)
			}
		}
		return err
	})
	if err != nil || found < 40 {
		t.Errorf("found %d, %v: is the code still where it was?", found, err)
	}
}
