package main_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"utsending/internal/browsertest"
	"utsending/internal/pdf/pdftest"
)

// keepsOrderOfFiles chooses files together, which are uploaded two at a time, and keep their order: the first decides which page
// shows in the envelope.
func keepsOrderOfFiles(t *testing.T, b *browsertest.Browser) {
	s := newShipmentStack(t)
	v := s.as(t, b, browsertest.PageOptions{}, "kari")
	v.newShipment()
	var files, names []string
	for i := range 6 {
		files = append(files, file(t, ".pdf", pdftest.Make(6-i)))
		names = append(names, filepath.Base(files[i]))
	}
	v.Upload("#fil", files...)
	v.wantFiles(names)
}

// files are the names of the files that the form shows, in their order.
func (v *visitor) files() []string {
	v.t.Helper()
	return v.document().Find("#dokumentliste li[data-id]").Map(func(_ int, row *goquery.Selection) string { return row.AttrOr("data-navn", "") })
}

// wantFiles waits until as many files are uploaded, and checks their order on the page and on the server.
func (v *visitor) wantFiles(names []string) {
	v.t.Helper()
	eventually(v.t, "all are in", func() bool { return len(v.files()) == len(names) })
	if got := v.files(); !slices.Equal(got, names) {
		v.t.Errorf("the page shows %q, want %q", got, names)
	}
	eventually(v.t, "the server has them in the same order", func() bool {
		v.Reload()
		return slices.Equal(v.files(), names)
	})
}

// keepsOrderOfOvertaken chooses two files, of which the second begins to arrive before the first and ends after it.
func keepsOrderOfOvertaken(t *testing.T, b *browsertest.Browser) {
	s := newShipmentStack(t)
	v := s.as(t, b, browsertest.PageOptions{}, "kari")
	first, second := file(t, ".pdf", pdftest.Make(1)), file(t, ".pdf", append(pdftest.Make(2), make([]byte, 2*holdAbove)...))
	way := s.overtake(t)
	v.Go(way.address + "/k/oppvekst/utkast")
	v.ClickText("main button", "Ny forsendelse")
	v.Go(way.address + v.Path()) // the form redirects to the application's own address, without the proxy
	v.Upload("#fil", first, second)
	eventually(t, "the second has begun", func() bool { return s.rows(t, "documents") == 1 })
	close(way.begun)
	eventually(t, "the first is in", func() bool { return slices.Equal(v.files(), []string{filepath.Base(first)}) })
	close(way.ended)
	v.wantFiles([]string{filepath.Base(first), filepath.Base(second)})
}

// holdAbove is the size in bytes from which an upload is held in its midst; a smaller one is held before it begins.
const holdAbove = 1 << 20

// overtaking is a proxy that holds a large upload until a small one, which began later, is complete.
type overtaking struct {
	address      string
	begun, ended chan struct{} // closed when the large upload has begun, and when the small one is complete
}

// overtake starts the proxy.
func (s *stack) overtake(t *testing.T) overtaking {
	t.Helper()
	o := overtaking{begun: make(chan struct{}), ended: make(chan struct{})}
	to, err := url.Parse(s.address)
	if err != nil {
		t.Fatal(err)
	}
	wait := func(what chan struct{}) {
		select {
		case <-what:
		case <-t.Context().Done(): // the test has failed
		}
	}
	forward := httputil.NewSingleHostReverseProxy(to)
	way := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch file := strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/form-data"); {
		case file && r.ContentLength > holdAbove:
			r.Body = io.NopCloser(io.MultiReader(io.LimitReader(r.Body, holdAbove), pause(func() { wait(o.ended) }), r.Body))
		case file:
			wait(o.begun)
		}
		forward.ServeHTTP(w, r)
	}))
	t.Cleanup(way.Close)
	o.address = strings.Replace(way.URL, "127.0.0.1", to.Hostname(), 1)
	return o
}

// pause is an empty reader that blocks until it returns.
type pause func()

func (p pause) Read([]byte) (int, error) {
	p()
	return 0, io.EOF
}
