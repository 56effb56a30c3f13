package main_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"utsending/internal/browsertest"
	"utsending/internal/pdf/pdftest"
	"utsending/static"
)

// TestShipmentPages chooses giro pages on thumbnails.
func TestShipmentPages(t *testing.T) {
	walk(t, []journey{
		{"a giro page is chosen on thumbnails by keyboard", choosesGiroByKeyboard},
	})
}

// thumbnails unfolds the giro pages of a file, and is the selector of its thumbnails.
func (v *visitor) thumbnails(file string) string {
	v.t.Helper()
	field := "dok-" + v.documentID(file) + "-giro"
	for _, address := range v.URLs() {
		if strings.Contains(address, v.documentID(file)+"/sider/") {
			v.t.Errorf("%s is fetched before anybody asks for it", address)
		}
	}
	v.unfold("#" + field)
	return `[data-felt="` + field + `"] .page`
}

// wantGiro checks what the field and the check boxes say.
func (v *visitor) wantGiro(pages, text string, chosen ...string) {
	v.t.Helper()
	field := strings.TrimSuffix(strings.TrimPrefix(pages, `[data-felt="`), `"] .page`)
	if got := v.Value("#" + field); got != text {
		v.t.Errorf("the field says %q, want %q", got, text)
	}
	if got := v.Count(pages + "[aria-checked=true]"); got != len(chosen) {
		v.t.Errorf("%d pages are chosen, want %q", got, chosen)
	}
	for _, n := range chosen {
		if v.Count(pages+`[role=checkbox][aria-checked=true][aria-label="Side `+n+`, giroside"]`) != 1 {
			v.t.Errorf("page %s is not chosen", n)
		}
	}
}

// choosesGiroByKeyboard picks pages with the keys alone, and writes them too; the service gets the pages.
func choosesGiroByKeyboard(t *testing.T, b *browsertest.Browser) {
	s := newShipmentStack(t)
	v := s.as(t, b, browsertest.PageOptions{}, "kari")
	l := toPerson("Faktura [lest]")
	v.newShipment()
	invoice := file(t, ".pdf", pdftest.Make(5))
	v.attach(invoice)
	v.write(l)
	pages := v.thumbnails(invoice)
	eventually(t, "there is a check box for each page", func() bool { return v.Count(pages+"[role=checkbox] img") == 5 })
	v.Fill(strings.TrimSuffix("#"+strings.TrimPrefix(pages, `[data-felt="`), `"] .page`), "5")
	v.wantGiro(pages, "5", "5")
	for _, key := range []string{"Tab", "ArrowRight", "Space", "ArrowRight", "Enter", "End", "Space", "Home", "ArrowLeft", "Space", "Space"} {
		v.Press(key)
	}
	v.wantGiro(pages, "2–3", "2", "3")
	if n := v.Count(pages + `[tabindex="0"]`); n != 1 {
		t.Errorf("Tab stops at %d pages, want one", n)
	}
	v.look("pages-giro")
	v.Press("Tab")
	if got := v.FocusedSelector(); strings.Contains(got, "div > button") {
		t.Errorf("Tab goes to %s, want out of the pages", got)
	}
	v.check()
	v.wantText("main", "giroark: sidene 2–3")
	v.ClickText("summary", "Vis resten av sidene i "+filepath.Base(invoice))
	if n := v.Count(".page img, .top-page .panel-body > img"); n != 5 {
		t.Errorf("%d pages are shown, want five", n)
	}
	if n := v.Count(".page[data-valgt]"); n != 2 {
		t.Errorf("%d pages are shown as giro pages, want two", n)
	}
	v.wantText(`.page[data-valgt]`, "Side 2, giroside")
	v.look("pages-review")
	v.post()
	v.awaitShipment("Lest")
	if got := s.wantShipped(t, l); !strings.Contains(string(got.Metadata), `"giroarkSider":[2,3]`) {
		t.Errorf("the service got %s, want giro pages 2 and 3", got.Metadata)
	}
}

// TestLeavingPictures: when a shipment is sent while the picture of a page is on its way, the page cancels the
// request, since the draft no longer exists. The form targets a frame, so that the page stays and can be checked.
func TestLeavingPictures(t *testing.T) {
	t.Parallel()
	assets, err := static.Load()
	if err != nil {
		t.Fatal(err)
	}
	var fetched atomic.Bool
	mux := http.NewServeMux()
	mux.Handle("GET /static/", assets.Handler())
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `<!doctype html><html lang="nb"><title>Kontroll</title><link rel="icon" href="data:,"><form method="post" target="svar"><button>Send</button></form>
<iframe name="svar" title="Svar"></iframe><figure class="page"><img src="/fil/sider/1" alt="" width="160" height="226" loading="lazy"></figure>
<script type="module" src="%s"></script>`, assets.Path("app.js"))
	})
	mux.HandleFunc("GET /fil/sider/1", func(_ http.ResponseWriter, r *http.Request) {
		fetched.Store(true)
		<-r.Context().Done()
	})
	mux.HandleFunc("POST /{$}", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "<title>Sendt</title>") })
	site := httptest.NewServer(mux)
	t.Cleanup(site.Close)
	t.Cleanup(site.CloseClientConnections)

	p := browsertest.Start(t).Page(t, browsertest.PageOptions{})
	p.Go(site.URL)
	eventually(t, "the picture is being fetched", fetched.Load)
	p.Click("button")
	eventually(t, "no page is asked for", func() bool { return p.Count(".page img[src]") == 0 })
	if got := p.Count(".page img"); got != 1 {
		t.Errorf("%d pictures stand on the page, want one", got)
	}
	if got := p.ConsoleErrors(); len(got) != 0 {
		t.Errorf("the browser complains: %q", got)
	}
}
