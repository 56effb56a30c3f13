package gallery

import (
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"utsending/internal/browsertest"
)

func TestShots(t *testing.T) {
	g := mustGallery(t)
	server := httptest.NewServer(g)
	t.Cleanup(server.Close)
	b := browsertest.Start(t)
	for _, path := range strings.Fields(os.Getenv("SHOTS")) {
		for name, o := range map[string]browsertest.PageOptions{"wide": {}, "phone": {Width: 390, Height: 844}} {
			t.Run(strings.ReplaceAll(path, "/", "+")+"-"+name, func(t *testing.T) {
				p := b.Page(t, o)
				p.Go(server.URL + "/" + path)
				t.Fail()
			})
		}
	}
}
