package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// write writes files to a new directory.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestCheckIcons(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, file, content, wantError, wantWarning string
	}{
		{"finds a call in a templ file", "a/page.templ", `@icon("Bell")`, "icons missing from static/icons.json: Bell (", ""},
		{"finds a field in a Go file", "status.go", `{Word: "Lest", Icon: "Eye"}`, "Eye (", ""},
		{"is content with what is there", "page.templ", `@icon("House") @icon("Plus", "x")`, "", ""},
		{"warns about what no view uses", "page.templ", `@icon("House")`, "", "no view uses these icons of static/icons.json: Plus\n"},
		{"counts a name that is handed on as used", "page.templ", `@navItem("House") @icon("Plus")`, "", ""},
		{"does not read tests", "page_test.go", `icon("Nothing")`, "", "House, Plus"},
		{"does not read generated files", "page_templ.go", `icon("Nothing")`, "", "House, Plus"},
		{"does not read other words", "page.templ", `@favicon("Nothing") <p title="icon">`, "", "House, Plus"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			views := write(t, map[string]string{test.file: test.content})
			var warnings strings.Builder
			err := checkIcons(views, []string{"House", "Plus"}, &warnings)
			if test.wantError == "" && err != nil || test.wantError != "" && (err == nil || !strings.Contains(err.Error(), test.wantError)) {
				t.Errorf("got error %v, want %q", err, test.wantError)
			}
			if got := warnings.String(); !strings.Contains(got, test.wantWarning) || test.wantWarning == "" && got != "" {
				t.Errorf("got warnings %q, want %q", got, test.wantWarning)
			}
		})
	}
}

func TestCheckIconsRefusesDoubles(t *testing.T) {
	t.Parallel()
	if err := checkIcons(t.TempDir(), []string{"Bell", "Bell"}, os.Stderr); err == nil {
		t.Error("got no error for a name that stands twice")
	}
}
