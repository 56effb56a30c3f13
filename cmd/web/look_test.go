package main_test

import (
	"cmp"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"utsending/internal/browsertest"
	"utsending/static"
)

// gallery keeps every page that journeys have looked at, as it stood in the browser, to be seen again by other eyes.
type gallery struct {
	mu    sync.Mutex
	pages map[string]kept // by name
}

// kept is a page, and the eye that has seen it already.
type kept struct{ document, eye string }

var seen = &gallery{pages: map[string]kept{}}

var scripts = regexp.MustCompile(`(?s)<script\b.*?</script>`)

// look checks the page as it stands before the visitor, and keeps it for the other windows.
func (v *visitor) look(name string) {
	v.t.Helper()
	v.inspect(name)
	// A script would go on working on the copy: ask for news, move the focus.
	page := "<!doctype html>" + scripts.ReplaceAllString(v.HTML(), "")
	seen.mu.Lock()
	defer seen.mu.Unlock()
	seen.pages[name] = kept{page, v.eye}
}

// inspect checks the page in this window only: it looks like one that is kept.
func (v *visitor) inspect(name string) {
	v.t.Helper()
	for _, violation := range v.Axe() {
		v.t.Errorf("%s: %s", name, violation)
	}
	if v.Overflows() {
		v.t.Errorf("%s scrolls sideways", name)
	}
	for _, found := range search("the title of "+name, v.Title(), forbidden.list()) {
		v.t.Error(found)
	}
}

// by tells whether the journey itself went through a page with an eye.
func (g *gallery) by(eye, name string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.pages[name].eye == eye
}

func (g *gallery) names() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	var names []string
	for name := range g.pages {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// ServeHTTP shows the kept pages at /se/<name>, with the application's own assets.
func (g *gallery) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	page, ok := g.pages[strings.TrimPrefix(r.URL.Path, "/se/")]
	g.mu.Unlock()
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write([]byte(page.document)) // the browser may be gone
}

// eyes are the windows in which every page is looked at again. The narrowest only has to do without sideways scrolling.
var eyes = map[string]browsertest.PageOptions{
	"1440-light": {}, "1440-dark": {Dark: true}, "390-light": {Mobile: true}, "390-dark": {Mobile: true, Dark: true}, "320": {Width: 320, Height: 640},
}

// lookAgain looks at every kept page with other eyes, and takes its picture.
func lookAgain(t *testing.T, b *browsertest.Browser) {
	assets, err := static.Load()
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/static/", assets.Handler())
	mux.Handle("/se/", seen)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close) // after the windows below
	dir := cmp.Or(os.Getenv("SCREENSHOTS"), filepath.Join(os.TempDir(), "utsending-screenshots"))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for eye, options := range eyes {
		t.Run(eye, func(t *testing.T) {
			t.Parallel()
			p := b.Page(t, options)
			for _, name := range seen.names() {
				p.Go(server.URL + "/se/" + name)
				if p.Overflows() {
					t.Errorf("%s scrolls sideways", name)
				}
				if eye == "320" {
					continue
				}
				if !seen.by(eye, name) {
					for _, violation := range p.Axe() {
						t.Errorf("%s: %s", name, violation)
					}
				}
				p.Screenshot(filepath.Join(dir, fmt.Sprintf("%s-%s.png", name, eye)))
			}
			for _, complaint := range p.ConsoleErrors() {
				t.Errorf("browser: %s", complaint)
			}
		})
	}
}
