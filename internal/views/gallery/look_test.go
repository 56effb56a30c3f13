package gallery

import (
	"fmt"
	"net/http/httptest"
	"testing"

	"utsending/internal/browsertest"
)

// The windows in which pages are looked at: the usual one, a phone in the dark, and the narrowest that has to do without
// sideways scrolling.
var (
	wide   = browsertest.PageOptions{}
	phone  = browsertest.PageOptions{Mobile: true, Dark: true}
	narrow = browsertest.PageOptions{Width: 320, Height: 640}
)

// TestGalleryIsAccessible has axe look at each kind of element of every exhibit, where it first appears, in a wide window in
// the light and on a phone in the dark. What holds for each page whatever it shows, TestGalleryFollowsTheHouseRules asks of
// every exhibit. It finds sideways scrolling of the pages on its way.
func TestGalleryIsAccessible(t *testing.T) {
	t.Parallel()
	g := mustGallery(t)
	server := httptest.NewServer(g)
	t.Cleanup(server.Close)
	b := browsertest.Start(t)
	var addresses []string
	for _, e := range g.entries {
		if !e.part {
			addresses = append(addresses, "/"+e.path)
		}
	}
	reader := b.Page(t, wide)
	reader.Go(server.URL)
	fresh := reader.Unlooked(&browsertest.Looked{}, addresses)
	t.Logf("%d of %d pages hold kinds of elements that no page before them holds", len(fresh), len(addresses))
	paths := make(chan string, len(fresh))
	for _, path := range fresh {
		paths <- path
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

// lookAt looks at a page as it stands in a window, at the kinds that were not looked at there.
func lookAt(t *testing.T, p *browsertest.Page, name string, looked *browsertest.Looked) {
	t.Helper()
	if p.Overflows() {
		t.Errorf("%s scrolls sideways", name)
	}
	for _, violation := range p.Axe(looked) {
		t.Errorf("%s: %s", name, violation)
	}
}
