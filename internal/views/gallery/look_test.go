package gallery

import (
	"fmt"
	"net/http/httptest"
	"testing"

	"utsending/internal/browsertest"
	"utsending/internal/i18n"
)

// The windows in which pages are looked at: the usual one, a phone in the dark, and the narrowest that has to do without
// sideways scrolling.
var (
	wide   = browsertest.PageOptions{}
	phone  = browsertest.PageOptions{Mobile: true, Dark: true}
	narrow = browsertest.PageOptions{Width: 320, Height: 640}
)

// TestGalleryIsAccessible has axe look at each kind of element of every exhibit, where it first appears, in a wide window in
// the light and on a phone in the dark; each page in one of the languages, in turn. What holds for each page whatever it shows,
// TestGalleryFollowsTheHouseRules asks of every exhibit. It finds sideways scrolling of the pages on its way. All of them in all
// languages, colours and widths are TestGalleryMatrix.
func TestGalleryIsAccessible(t *testing.T) {
	t.Parallel()
	g := mustGallery(t)
	server := httptest.NewServer(g)
	t.Cleanup(server.Close)
	b := browsertest.Start(t)
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
	var onWide, onPhone browsertest.Looked
	for tab := range 2 {
		t.Run(fmt.Sprint("tab ", tab), func(t *testing.T) {
			t.Parallel()
			p := b.Page(t, wide)
			p.Go(server.URL)
			for path := range paths {
				p.As(wide)
				p.Show(path)
				lookAt(t, p, path, &onWide)
				p.As(narrow)
				if p.Overflows() {
					t.Errorf("%s, narrow: scrolls sideways", path)
				}
				p.As(phone)
				lookAt(t, p, path+", phone", &onPhone)
			}
			for _, complaint := range p.ConsoleErrors() {
				t.Errorf("browser: %s", complaint)
			}
		})
	}
}

// addresses are those of all whole pages, with a query.
func (g *Gallery) addresses(query string) (addresses []string) {
	for _, e := range g.entries {
		if !e.part {
			addresses = append(addresses, "/"+e.path+query)
		}
	}
	return addresses
}

// lookAt looks at a page as it stands in a window, at the kinds that were not looked at there, and tells how much is wrong.
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
