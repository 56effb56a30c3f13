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

// TestGalleryIsAccessible runs axe on each kind of element where it first appears, in a wide window in light mode and in the
// narrowest in dark mode; each page in one of the languages, in turn. TestGalleryFollowsTheHouseRules checks on every exhibit what must hold for
// each page. Pages that scroll sideways fail here too. TestGalleryMatrix combines all languages, colours and widths.
func TestGalleryIsAccessible(t *testing.T) {
	t.Parallel()
	g := mustGallery(t)
	server := httptest.NewServer(g)
	t.Cleanup(server.Close)
	b := browsertest.StartReader(t)
	reader := b.Page(t, wide)
	reader.Go(server.URL)
	addresses := g.addresses("")
	fresh := reader.Unlooked(&browsertest.Looked{}, addresses)
	t.Logf("%d of %d pages hold kinds of elements that no page before them holds", len(fresh), len(addresses))
	paths := make(chan string, len(fresh))
	for i, path := range fresh {
		paths <- path + "?sprak=" + i18n.Tags()[i%len(i18n.Tags())]
	}
	close(paths)
	windows := []struct {
		name    string
		options browsertest.PageOptions
		looked  browsertest.Looked
	}{{name: "wide", options: wide}, {name: "narrow", options: narrow}}
	for tab := range 2 {
		t.Run(fmt.Sprint("tab ", tab), func(t *testing.T) {
			t.Parallel()
			p := b.Page(t, wide)
			p.Go(server.URL)
			order := []int{0, 1}
			for path := range paths {
				p.Show(path)
				for _, i := range order {
					p.As(windows[i].options)
					lookAt(t, p, path+", "+windows[i].name, &windows[i].looked)
				}
				slices.Reverse(order) // the next page begins in the same window: laying out a page anew takes a third of the time
			}
			for _, complaint := range p.ConsoleErrors() {
				t.Errorf("browser: %s", complaint)
			}
		})
	}
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
