package main

import (
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
	// each goes to the exhibits one after the other.
	each := func(p *browsertest.Page, look func(path string)) {
		for _, e := range g.entries {
			if group, _, _ := strings.Cut(e.path, "/"); slices.Contains(unwalked, group) && !e.part {
				p.Go(server.URL + "/" + e.path + "?farger=dark")
				look(e.path)
			}
		}
	}
	t.Run("narrow", func(t *testing.T) {
		t.Parallel()
		p := b.Page(t, browsertest.PageOptions{Width: 320, Height: 640})
		each(p, func(path string) {
			if p.Overflows() {
				t.Errorf("%s scrolls sideways", path)
			}
			for _, violation := range p.Axe() {
				t.Errorf("%s, narrow: %s", path, violation)
			}
		})
	})
	t.Run("wide", func(t *testing.T) {
		t.Parallel()
		p := b.Page(t, browsertest.PageOptions{})
		each(p, func(path string) {
			for _, violation := range p.Axe() {
				t.Errorf("%s: %s", path, violation)
			}
		})
		for _, complaint := range p.ConsoleErrors() {
			t.Errorf("browser: %s", complaint)
		}
	})
}
