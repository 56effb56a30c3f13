package main

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"utsending/internal/browsertest"
)

// setupExhibits are the groups that no journey of a browser goes through in all their states.
var setupExhibits = []string{"integrations/", "integration/", "trial/", "credentials/", "admin-accounts/", "account/", "switch/", "rights/"}

// TestSetupIsAccessible looks at the pages that set something up as eyes of two kinds do: a narrow window in the light, a
// wide one in the dark.
func TestSetupIsAccessible(t *testing.T) {
	t.Parallel()
	g := mustGallery(t)
	server := httptest.NewServer(g)
	t.Cleanup(server.Close)
	b := browsertest.Start(t)
	for _, eye := range []struct {
		name, query string
		options     browsertest.PageOptions
	}{
		{"320-light", "?farger=light", browsertest.PageOptions{Width: 320}},
		{"1440-dark", "?farger=dark", browsertest.PageOptions{Width: 1440}},
	} {
		t.Run(eye.name, func(t *testing.T) {
			t.Parallel()
			p := b.Page(t, eye.options)
			for _, e := range g.entries {
				group, _, _ := strings.Cut(e.path, "/")
				if e.part || !strings.Contains(strings.Join(setupExhibits, " "), group+"/") {
					continue
				}
				p.Go(server.URL + "/" + e.path + eye.query)
				for _, violation := range p.Axe() {
					t.Errorf("%s: %s", e.path, violation)
				}
				if p.Overflows() {
					t.Errorf("%s scrolls sideways", e.path)
				}
				if d := os.Getenv("PICS"); d != "" {
					p.Screenshot(filepath.Join(d, eye.name+"-"+strings.ReplaceAll(e.path, "/", "_")+".png"))
				}
			}
		})
	}
}
