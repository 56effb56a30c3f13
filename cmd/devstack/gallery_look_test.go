package main

import (
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"utsending/internal/browsertest"
)

// unwalked are the groups whose states no journey through a browser comes by.
var unwalked = []string{"integrations", "integration", "trial", "credentials", "admin-accounts", "account", "switch", "rights",
	"lead", "follow-up", "list", "letter-job", "about", "citizen", "export", "health", "hold", "log", "overview", "retention", "review", "sign-ins", "status"}

// TestUnwalkedIsAccessible looks at pages in states that journeys do not come by: for sideways scrolling and for what axe
// finds, in the narrowest window and in a wide one, in the dark.
func TestUnwalkedIsAccessible(t *testing.T) {
	t.Parallel()
	g := mustGallery(t)
	server := httptest.NewServer(g)
	t.Cleanup(server.Close)
	b := browsertest.Start(t)
	paths := make(chan string, len(g.entries))
	for _, e := range g.entries {
		if group, _, _ := strings.Cut(e.path, "/"); slices.Contains(unwalked, group) && !e.part {
			paths <- e.path
		}
	}
	close(paths)
	for tab := range 2 {
		t.Run(fmt.Sprint("tab ", tab), func(t *testing.T) {
			t.Parallel()
			p := b.Page(t, wide)
			for path := range paths {
				p.As(wide)
				p.Go(server.URL + "/" + path + "?farger=dark")
				lookAt(t, p, path)
			}
			for _, complaint := range p.ConsoleErrors() {
				t.Errorf("browser: %s", complaint)
			}
		})
	}
}

// The windows in which pages are looked at: the usual one, and the narrowest that has to do.
var wide, narrow = browsertest.PageOptions{}, browsertest.PageOptions{Width: 320, Height: 640}

// lookAt looks at an exhibit that is loaded in the wide window, and then in the narrow one.
func lookAt(t *testing.T, p *browsertest.Page, path string) {
	t.Helper()
	for _, violation := range p.Axe() {
		t.Errorf("%s: %s", path, violation)
	}
	if p.Overflows() {
		t.Errorf("%s scrolls sideways", path)
	}
	p.As(narrow)
	if p.Overflows() {
		t.Errorf("%s, narrow: scrolls sideways", path)
	}
	for _, violation := range p.Axe() {
		t.Errorf("%s, narrow: %s", path, violation)
	}
}
