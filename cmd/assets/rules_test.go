package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Rules of our own style sheets and scripts that no other check covers.
var (
	comment  = regexp.MustCompile(`(?s)/\*.*?\*/`)
	unwanted = []struct {
		what    string
		pattern *regexp.Regexp
		except  string
	}{
		{"!important", regexp.MustCompile(`!important`), ""},
		{"an id as a selector", regexp.MustCompile(`#[A-Za-z_-]+[^;{}]*\{`), ""},
		{"a colour that is not a token", regexp.MustCompile(`#[0-9a-fA-F]{3,8}\b|\brgb\(`), "tokens.css contrast.css print.css"},
		{"a physical side", regexp.MustCompile(`(margin|padding|border|inset)-(left|right|top|bottom)\b|[\s;{](left|right|top|bottom|width|height|(max|min)-(width|height))\s*:`), ""},
	}
)

func TestStyleSheetsKeepTheRules(t *testing.T) {
	t.Parallel()
	sheets, err := filepath.Glob("../../static/css/*.css")
	if err != nil || len(sheets) == 0 {
		t.Fatalf("no style sheets: %v", err)
	}
	for _, sheet := range sheets {
		content, err := os.ReadFile(sheet)
		if err != nil {
			t.Fatal(err)
		}
		rules := comment.ReplaceAllString(string(content), "")
		for _, u := range unwanted {
			if found := u.pattern.FindString(rules); found != "" && !strings.Contains(u.except, filepath.Base(sheet)) {
				t.Errorf("%s holds %s: %q", filepath.Base(sheet), u.what, strings.TrimSpace(found))
			}
		}
	}
}

// TestDesignSystemIsWhole: app.css imports the parts of the design system one by one, so each class of it that a page has needs a rule.
func TestDesignSystemIsWhole(t *testing.T) {
	t.Parallel()
	sheets, err := filepath.Glob("../../static/dist/app-*.css")
	if err != nil || len(sheets) != 1 {
		t.Fatalf("want one style sheet of the last build (make assets), got %v, %v", sheets, err)
	}
	rules, err := os.ReadFile(sheets[0])
	if err != nil {
		t.Fatal(err)
	}
	views, err := readViews("../../internal/views")
	if err != nil {
		t.Fatal(err)
	}
	missing := map[string]bool{}
	for path, content := range views {
		for _, class := range dsClass.FindAllString(content, -1) {
			if !strings.Contains(string(rules), "."+class) && !missing[class] {
				missing[class] = true
				t.Errorf("%s has the class %s, which no rule of app.css knows: import its part of the design system in static/css/app.css", path, class)
			}
		}
	}
}

// dsClass finds classes of the design system; its properties begin with two hyphens.
var dsClass = regexp.MustCompile(`\bds-[a-z]+(?:-[a-z]+)*\b`)

func TestScriptsAreShort(t *testing.T) {
	t.Parallel()
	scripts, err := filepath.Glob("../../static/ts/*.ts")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, script := range scripts {
		content, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		if lines := strings.Count(string(content), "\n"); lines >= 100 {
			t.Errorf("%s has %d lines, want fewer than 100", filepath.Base(script), lines)
		}
	}
}
