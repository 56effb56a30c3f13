package main_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
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
type kept struct {
	document, eye string
	taken         bool // somebody looks at it again
}

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
	seen.pages[name] = kept{page, v.eye, seen.pages[name].taken}
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

// take gives the names of the pages that were not taken yet.
func (g *gallery) take() <-chan string {
	g.mu.Lock()
	defer g.mu.Unlock()
	names := make(chan string, len(g.pages))
	for name, page := range g.pages {
		if !page.taken {
			names <- name
		}
		page.taken = true
		g.pages[name] = page
	}
	close(names)
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

// eye is a window and a colour scheme in which every page is looked at again. The narrowest only has to do without
// sideways scrolling.
type eye struct {
	name    string
	options browsertest.PageOptions
}

// eyes stand in an order in which each dark one follows its light one, and phones come last: fields of theirs stay as
// they are in another window.
var eyes = []eye{
	{"1440-light", browsertest.PageOptions{}},
	{"1440-dark", browsertest.PageOptions{Dark: true}},
	{"320", browsertest.PageOptions{Width: 320, Height: 640}},
	{"390-light", browsertest.PageOptions{Mobile: true}},
	{"390-dark", browsertest.PageOptions{Mobile: true, Dark: true}},
}

// lookAgain looks at the kept pages that nobody has looked at again with other eyes, in several tabs, and takes their
// pictures where SCREENSHOTS says.
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
	names := seen.take()
	for tab := range 3 {
		t.Run(fmt.Sprint("tab ", tab), func(t *testing.T) {
			t.Parallel()
			p := b.Page(t, eyes[0].options)
			for name := range names {
				p.As(eyes[0].options)
				p.Go(server.URL + "/se/" + name)
				lookAt(t, p, name)
			}
			for _, complaint := range p.ConsoleErrors() {
				t.Errorf("browser: %s", complaint)
			}
		})
	}
}

// lookAt looks at a page that is loaded with one eye after the other. In the dark only colours are looked at again,
// unless something stands elsewhere than in the light.
func lookAt(t *testing.T, p *browsertest.Page, name string) {
	t.Helper()
	var light string
	for _, e := range eyes {
		p.As(e.options)
		if p.Overflows() {
			t.Errorf("%s in %s scrolls sideways", name, e.name)
		}
		if e.name == "320" {
			continue
		}
		look := p.Axe
		if layout := p.Layout(); !e.options.Dark {
			light = layout
		} else if layout == light {
			look = p.AxeColours
		}
		if !seen.by(e.name, name) {
			for _, violation := range look() {
				t.Errorf("%s in %s: %s", name, e.name, violation)
			}
		}
		if dir := os.Getenv("SCREENSHOTS"); dir != "" {
			p.Screenshot(filepath.Join(dir, fmt.Sprintf("%s-%s.png", name, e.name)))
		}
	}
}
