package gallery

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"utsending/internal/i18n"
)

func mustGallery(t *testing.T) *Gallery {
	t.Helper()
	g, err := New()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// shown is an exhibit with its HTML.
type shown struct {
	exhibit
	html string
}

// allShown returns all exhibits in the first language.
func allShown(t *testing.T) []shown {
	t.Helper()
	every, err := showAll()
	if err != nil {
		t.Fatal(err)
	}
	return every
}

// showAll renders once for all tests.
var showAll = sync.OnceValues(func() (every []shown, err error) {
	g, err := New()
	if err != nil {
		return nil, err
	}
	for _, e := range g.entries {
		var b strings.Builder
		if err := e.show(g.frame("")).Render(i18n.With(context.Background(), g.words), &b); err != nil {
			return nil, fmt.Errorf("%s: %w", e.path, err)
		}
		every = append(every, shown{e, b.String()})
	}
	return every, nil
})

func visit(t *testing.T, g *Gallery, target string) *http.Response {
	t.Helper()
	w := httptest.NewRecorder()
	g.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, nil))
	return w.Result()
}

func TestGallery(t *testing.T) {
	t.Parallel()
	g := mustGallery(t)

	t.Run("lists every exhibit once", func(t *testing.T) {
		t.Parallel()
		doc, err := goquery.NewDocumentFromReader(visit(t, g, "/").Body)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		doc.Find("tbody td:first-child a").Each(func(_ int, a *goquery.Selection) { got = append(got, a.AttrOr("href", "")) })
		if len(got) != len(g.entries) || len(got) < 100 {
			t.Errorf("got %d links for %d exhibits", len(got), len(g.entries))
		}
		if slices.Sort(got); len(slices.Compact(got)) != len(g.entries) {
			t.Errorf("two exhibits have the same address")
		}
	})
	t.Run("shows each of them under the policy of the application", func(t *testing.T) {
		t.Parallel()
		for _, e := range g.entries {
			r := visit(t, g, "/"+e.path+"?farger=dark")
			if r.StatusCode != http.StatusOK || !strings.Contains(r.Header.Get("Content-Security-Policy"), "script-src 'self'") {
				t.Errorf("%s: got %d with policy %q", e.path, r.StatusCode, r.Header.Get("Content-Security-Policy"))
			}
			if e.says == "" {
				t.Errorf("%s: does not say what to look at", e.path)
			}
		}
	})
	t.Run("follows the colours that are asked for", func(t *testing.T) {
		t.Parallel()
		doc, err := goquery.NewDocumentFromReader(visit(t, g, "/sms/full?farger=dark").Body)
		if got := doc.Find("html").AttrOr("data-color-scheme", ""); err != nil || got != "dark" {
			t.Errorf("got %q, %v", got, err)
		}
	})
	t.Run("shows each of them in every language", func(t *testing.T) {
		t.Parallel()
		for _, lang := range i18n.Tags() {
			for _, e := range g.entries {
				body, err := io.ReadAll(visit(t, g, "/"+e.path+"?sprak="+lang).Body)
				if err != nil || !bytes.Contains(body, []byte(`<html lang="`+lang+`"`)) && bytes.Contains(body, []byte("<html")) || bytes.Contains(body, []byte("&lt;no value")) {
					t.Errorf("%s in %s: %v, another language, or a text without its value", e.path, lang, err)
				}
			}
		}
	})
	t.Run("leads forms and links back to the list", func(t *testing.T) {
		t.Parallel()
		if r := visit(t, g, "/k/oppvekst/sms"); r.StatusCode != http.StatusSeeOther || r.Header.Get("Location") != "/" {
			t.Errorf("got %d to %q", r.StatusCode, r.Header.Get("Location"))
		}
	})
	t.Run("serves what the pages need", func(t *testing.T) {
		t.Parallel()
		for _, name := range []string{"app.css", "app.js", "icons.svg", "favicon.svg"} {
			if r := visit(t, g, g.assets.Path(name)); r.StatusCode != http.StatusOK {
				t.Errorf("%s: got %d", name, r.StatusCode)
			}
		}
	})
}

// TestGalleryIsComplete fails when a page, or a text that a page may show, has no exhibit.
func TestGalleryIsComplete(t *testing.T) {
	t.Parallel()
	everything := differentPieces(allShown(t))

	t.Run("shows every component that a handler renders", func(t *testing.T) {
		t.Parallel()
		exhibits := all(t, "*.go")
		handlers := all(t, "../../handlers/*/*.go") + all(t, "../../handlers/*.go")
		for _, area := range []string{"views", "site", "compose", "follow", "admin"} {
			templates := "../" + area + "/*.templ"
			if area == "views" {
				templates = "../*.templ"
			}
			for _, m := range regexp.MustCompile(`(?m)^templ ([A-Z]\w*)\(`).FindAllStringSubmatch(all(t, templates), -1) {
				if name := area + "." + m[1]; strings.Contains(handlers, name+"(") && !strings.Contains(exhibits, name+"(") {
					t.Errorf("%s has no exhibit", name)
				}
			}
		}
	})
	t.Run("shows every text of the catalogue", func(t *testing.T) {
		t.Parallel()
		for line := range strings.Lines(all(t, "../../i18n/texts/nb.properties")) {
			key, text, _ := strings.Cut(strings.TrimSpace(line), " = ")
			if strings.HasPrefix(key, "#") || strings.HasSuffix(key, "#one") {
				continue // no words of its own, or tested by its plural
			}
			// Of months and numbers in words, one of each kind is enough. The page of a draft is its form.
			if strings.HasPrefix(key, "month.") || strings.HasPrefix(key, "number.") || key == "stage.draft.why" || key == "stage.approval.why" {
				continue
			}
			if strings.HasPrefix(key, "job.result.") || strings.HasPrefix(key, "job.faults.heading") || strings.HasPrefix(key, "audit.file.") || strings.HasPrefix(key, "citizen.file.") || strings.HasPrefix(key, "sms.about.") || strings.HasPrefix(key, "docx.") || strings.HasPrefix(key, "told.") {
				continue // used in files and e-mails, or the beginning of a text
			}
			if key == "document.page.failed" || key == "approval.read_reason" {
				continue // used in a picture, and in details of the event log
			}
			if longest := longestPiece(text); !strings.Contains(everything, longest) {
				t.Errorf("%s has no exhibit: %q", key, longest)
			}
		}
	})
}

// differentPieces are the pieces between the tags of all pages, each once: most are on hundreds of pages.
func differentPieces(every []shown) string {
	seen := map[string]bool{}
	var pieces strings.Builder
	for _, e := range every {
		for piece := range strings.SplitSeq(e.html, ">") {
			if !seen[piece] {
				seen[piece] = true
				pieces.WriteString(html.UnescapeString(piece) + ">")
			}
		}
	}
	return pieces.String()
}

var placeholder = regexp.MustCompile(`{{[^}]*}}`)

// longestPiece is the longest piece of a text between placeholders.
func longestPiece(text string) string {
	var longest string
	for _, piece := range placeholder.Split(text, -1) {
		if len(piece) > len(longest) {
			longest = piece
		}
	}
	return strings.TrimSpace(longest)
}

// all returns the content of the files that match, except tests.
func all(t *testing.T, pattern string) string {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s: no files, %v", pattern, err)
	}
	var b strings.Builder
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(content)
	}
	return b.String()
}
