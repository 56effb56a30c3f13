package gallery

import (
	"fmt"
	"net/http/httptest"
	"slices"
	"testing"

	"utsending/internal/browsertest"
	"utsending/internal/i18n"
)

// The windows: a common one, and in dark mode the narrowest that must not scroll sideways.
var (
	wide   = browsertest.PageOptions{}
	narrow = browsertest.PageOptions{Width: 320, Height: 640, Dark: true}
)

// TestGalleryIsAccessible runs axe once on each page that holds a kind of element which no page before it holds: in turn in a wide
// window in light mode and in the narrowest in dark mode, and in turn in each language. Pages that scroll sideways in the
// narrowest fail here too. TestGalleryFollowsTheHouseRules checks on every exhibit what must hold for each page.
// TestGalleryMatrix combines all pages, languages, colours and widths. The short form takes the third of the pages that hold most kinds.
func TestGalleryIsAccessible(t *testing.T) {
	t.Parallel()
	g := mustGallery(t)
	server := httptest.NewServer(g)
	t.Cleanup(server.Close)
	b := browsertest.Start(t)
	fresh := freshPages(t)
	t.Logf("%d of %d pages hold kinds of elements that no page before them holds", len(fresh), len(g.addresses("")))
	if testing.Short() {
		fresh = fresh[:len(fresh)/3] // they hold nearly nine of ten kinds, see browsertest.Fresh
	}
	type look struct {
		path string
		both bool // by axe when wide, for sideways scrolling when narrow
	}
	looks := make(chan look, len(fresh))
	for _, both := range []bool{false, true} {
		for i, path := range fresh {
			if both == (i%2 == 0) {
				looks <- look{path + "?sprak=" + i18n.Tags()[i%len(i18n.Tags())], both}
			}
		}
	}
	close(looks)
	var inWide, inNarrow browsertest.Looked
	for tab := range 2 {
		t.Run(fmt.Sprint("tab ", tab), func(t *testing.T) {
			t.Parallel()
			p, window := b.Page(t, wide), wide
			p.Go(server.URL)
			for l := range looks {
				windows := []browsertest.PageOptions{narrow}
				if l.both {
					windows = []browsertest.PageOptions{wide, narrow}
				}
				if window == narrow { // the last page's: each change lays the page out anew
					slices.Reverse(windows)
				}
				p.As(windows[0])
				p.Show(l.path)
				for _, window = range windows {
					p.As(window)
					switch {
					case window == wide:
						lookAt(t, p, l.path+", wide", &inWide)
					case !l.both:
						lookAt(t, p, l.path+", narrow", &inNarrow)
					case p.Overflows():
						t.Errorf("%s, narrow, scrolls sideways", l.path)
					}
				}
			}
			for _, complaint := range p.ConsoleErrors() {
				t.Errorf("browser: %s", complaint)
			}
		})
	}
}

// freshPages are the addresses of pages that together hold all kinds of elements, see browsertest.Fresh.
func freshPages(t *testing.T) []string {
	t.Helper()
	pages := map[string]string{}
	for _, e := range allShown(t) {
		if !e.part {
			pages["/"+e.path] = e.html
		}
	}
	fresh, err := browsertest.Fresh(pages)
	if err != nil {
		t.Fatal(err)
	}
	return fresh
}

// addresses are the addresses of all whole pages, with a query.
func (g *Gallery) addresses(query string) (addresses []string) {
	for _, e := range g.entries {
		if !e.part {
			addresses = append(addresses, "/"+e.path+query)
		}
	}
	return addresses
}

// lookAt runs axe on the kinds of elements of a page that were not checked in that window yet, and counts the violations.
func lookAt(t *testing.T, p *browsertest.Page, name string, looked *browsertest.Looked) (violations int, sideways bool) {
	t.Helper()
	sideways = p.Overflows()
	if sideways {
		t.Errorf("%s scrolls sideways", name)
	}
	for _, violation := range p.Axe(looked) {
		violations++
		t.Errorf("%s: %s", name, violation)
	}
	return violations, sideways
}
