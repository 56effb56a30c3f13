package i18n_test

import (
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/net/html"
)

// TestNoTextInTemplates: words stand in the catalogue. Generated code holds the HTML of the templates in pieces; put
// together again, it has letters in tags only.
func TestNoTextInTemplates(t *testing.T) {
	t.Parallel()
	n := 0
	for path, file := range parse(t, "views") {
		if !strings.HasSuffix(path, "_templ.go") {
			continue
		}
		n++
		for _, found := range letters(markup(file)) {
			t.Errorf("%s: %q belongs in the catalogue", strings.TrimSuffix(path, "_templ.go")+".templ", found)
		}
	}
	if n == 0 {
		t.Error("there are no templates: is the code still where it was?")
	}
}

func TestTextInTemplatesIsFound(t *testing.T) {
	t.Parallel()
	got := letters(`<p class="stack">Hei</p><input placeholder="Søk"><p>–</p><svg aria-label="">x</svg><button aria-label="Lukk">·</button><noscript><p title="">Uten</p></noscript>`)
	if want := []string{"Hei", "Søk", "x", "Lukk", "Uten"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// markup is the HTML that a generated file writes, without what it writes between.
func markup(file *ast.File) string {
	var b strings.Builder
	ast.Inspect(file, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok && callee(c) == "WriteString" && len(c.Args) == 3 {
			b.WriteString(text(c.Args[2]))
		}
		return true
	})
	return b.String()
}

// wordy are the attributes whose words are read aloud or shown.
var wordy = []string{
	"alt", "title", "aria-label", "aria-description", "aria-roledescription", "placeholder", "label", "summary", "data-kunngjor", "data-kopiert", "data-tom",
}

// letters returns the texts of HTML that have letters in them.
func letters(page string) (found []string) {
	note := func(s string) {
		if s = strings.TrimSpace(s); strings.ContainsFunc(s, unicode.IsLetter) {
			found = append(found, s)
		}
	}
	for z := html.NewTokenizer(strings.NewReader(page)); z.Next() != html.ErrorToken; {
		token := z.Token()
		if token.Data == "noscript" { // browsers without JavaScript read tags in it
			z.NextIsNotRawText()
		}
		if token.Type == html.TextToken {
			note(token.Data)
		}
		for _, a := range token.Attr {
			if slices.Contains(wordy, a.Key) {
				note(a.Val)
			}
		}
	}
	return found
}

var (
	comment  = regexp.MustCompile(`(?s:/\*.*?\*/)|(?m:(^|\s)//.*$)`)
	literal  = regexp.MustCompile("'(?:[^'\\\\\n]|\\\\.)*'|\"(?:[^\"\\\\\n]|\\\\.)*\"|`(?:[^`\\\\]|\\\\.)*`")
	sentence = regexp.MustCompile(`(?i)[æøå]|\b(og|er|ikke|du|vi|på|til|med|det|den|som|har|kan|skal|må|om|fra|igjen|ingen|prøv)\b`)
)

// TestNoTextInScript: script shows what the server wrote in attributes.
func TestNoTextInScript(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("../../static/ts/*.ts")
	if err != nil || len(paths) == 0 {
		t.Fatalf("there is no script, %v: is it still where it was?", err)
	}
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range norwegian(string(content)) {
			t.Errorf("%s: %s belongs in the catalogue", path, found)
		}
	}
}

func TestTextInScriptIsFound(t *testing.T) {
	t.Parallel()
	got := norwegian("// Her er det norsk.\nconst a = 'Prøv igjen', b = \"Vi lagrer\", c = `Lagret ${n} og sendt`, d = 'av', e = 'sms-teller', f = '[data-kopier]'; /* ikke her */")
	if want := []string{"'Prøv igjen'", `"Vi lagrer"`, "`Lagret ${n} og sendt`"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// norwegian returns the literals of a script that look like Norwegian for people.
func norwegian(script string) (found []string) {
	for _, s := range literal.FindAllString(comment.ReplaceAllString(script, ""), -1) {
		if sentence.MatchString(s) {
			found = append(found, s)
		}
	}
	return found
}
