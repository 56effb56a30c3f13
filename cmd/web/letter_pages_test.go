package main_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"utsending/internal/browsertest"
	"utsending/internal/dispatch"
	"utsending/internal/pdf/pdftest"
	"utsending/internal/store"
	"utsending/internal/store/storetest"
	"utsending/static"
)

// TestLetterPages chooses giro pages on thumbnails.
func TestLetterPages(t *testing.T) {
	walk(t, []journey{
		{"a giro page is chosen on thumbnails by keyboard", choosesGiroByKeyboard},
		{"a scan of JPEG 2000 shows its pages", seesScan},
		{"a page that cannot be shown is chosen all the same", choosesUnseenPage},
	})
}

// thumbnails unfolds the giro pages of a file, and is the selector of its thumbnails.
func (v *visitor) thumbnails(file string) string {
	v.t.Helper()
	field := "dok-" + v.documentID(file) + "-giro"
	v.wantNone(`[data-felt="` + field + `"] *`) // nothing is fetched before it is asked for
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
	s := newLetterStack(t)
	v := s.as(t, b, browsertest.PageOptions{}, "kari")
	l := toPerson("Faktura [lest]")
	v.newLetter()
	invoice := file(t, ".pdf", pdftest.Make(5))
	v.attach(invoice)
	v.write(l)
	pages := v.thumbnails(invoice)
	eventually(t, "all pages are drawn", func() bool { return v.Count(pages+"[data-tegnet]") == 5 })
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
	eventually(t, "the first page is drawn", func() bool { return v.Count(".page[data-tegnet]") == 1 })
	v.ClickText("button", "Vis alle sidene i "+filepath.Base(invoice))
	eventually(t, "all pages are drawn", func() bool { return v.Count(".page[data-tegnet]") == 5 })
	if n := v.Count(`.page[data-valgt][aria-label$=", giroside"]`); n != 2 {
		t.Errorf("%d pages are shown as giro pages, want two", n)
	}
	v.look("pages-review")
	for _, address := range v.URLs() {
		if strings.Contains(address, "/sider/") {
			t.Errorf("with script the server draws a page too: %s", address)
		}
	}
	v.post()
	v.awaitLetter("Lest")
	if got := s.wantShipped(t, l); !strings.Contains(string(got.Metadata), `"giroarkSider":[2,3]`) {
		t.Errorf("the service got %s, want giro pages 2 and 3", got.Metadata)
	}
}

// seesScan opens what a scanner makes: pictures of JPEG 2000, here evenly grey.
func seesScan(t *testing.T, b *browsertest.Browser) {
	s := newLetterStack(t)
	v := s.as(t, b, onPhone, "kari")
	v.newLetter()
	scan := file(t, ".pdf", pdftest.Scan(2))
	v.attach(scan)
	pages := v.thumbnails(scan)
	eventually(t, "both pages are drawn", func() bool { return v.Count(pages+"[data-tegnet]") == 2 })
	if got := v.Colour(pages + "[data-tegnet] canvas"); got != "128 128 128" {
		t.Errorf("the page is %s, want grey", got)
	}
	v.Click(pages + `[data-side="2"]`)
	v.wantGiro(pages, "2", "2")
	v.Fill("#navn", "Ola Nordmann") // the top bar covers nothing there that axe would call too small
	v.look("pages-scan")
}

// choosesUnseenPage opens a file that the check could read and the browser cannot.
func choosesUnseenPage(t *testing.T, b *browsertest.Browser) {
	s := newLetterStack(t)
	v := s.as(t, b, browsertest.PageOptions{}, "kari")
	v.newLetter()
	id := v.itemID()
	s.store3Pages(t, id, "uleselig.pdf")
	v.Reload()
	pages := v.thumbnails("uleselig.pdf")
	v.WaitText(pages+`[data-side="3"]`, "Siden kan ikke vises")
	v.Click(pages + `[data-side="3"]`)
	if v.Count(pages+`[aria-checked=true][aria-label="Side 3, giroside. Siden kan ikke vises"]`) != 1 {
		t.Error("the page is not chosen, or does not say that it cannot be shown")
	}
	v.look("pages-unseen")

	broken := file(t, ".pdf", pdftest.BrokenScan())
	v.attach(broken)
	v.WaitText(v.thumbnails(broken)+`[data-side="1"]`, "Siden kan ikke vises")
}

// store3Pages puts a file into a draft that is no PDF, as if it were one of three pages.
func (s *stack) store3Pages(t *testing.T, id dispatch.ItemID, name string) {
	t.Helper()
	u := store.Upload{Account: s.oppvekst.ID, Item: id, FileName: name, Content: strings.NewReader("Dette er ingen PDF."),
		Inspect: func(context.Context, func() io.Reader, int64) (dispatch.Document, error) {
			return dispatch.Document{MimeType: dispatch.MimePDF, Pages: 3}, nil
		}}
	err := storetest.DB(t, s.database).QueryRowContext(t.Context(), `SELECT created_by FROM items WHERE id = $1`, id).Scan(&u.User)
	if err == nil {
		_, err = s.store.AddDocument(t.Context(), u)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestLeavingThumbnails: whoever sends a letter while a thumbnail of it is being fetched leaves nothing behind that asks
// for a draft that is none any more.
func TestLeavingThumbnails(t *testing.T) {
	t.Parallel()
	assets, err := static.Load()
	if err != nil {
		t.Fatal(err)
	}
	var fetched atomic.Bool
	left := make(chan struct{})
	mux := http.NewServeMux()
	mux.Handle("GET /static/", assets.Handler())
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `<!doctype html><html lang="nb"><title>Kontroll</title><form method="post"><button>Send</button></form>
<div class="pages" data-sider="/fil" data-antall="1" data-side="Side {{n}}" data-giroside="Side {{n}}" data-feil="Kan ikke vises" data-bilder="/static/" data-leser="%s" data-arbeider="%s"></div><script type="module" src="%s"></script>`,
			assets.Path("pdf.js"), assets.Path("pdf.worker.js"), assets.Path("app.js"))
	})
	mux.HandleFunc("GET /fil", func(_ http.ResponseWriter, r *http.Request) {
		fetched.Store(true)
		<-r.Context().Done()
		close(left)
	})
	mux.HandleFunc("POST /{$}", func(w http.ResponseWriter, r *http.Request) {
		select { // the page stays until this is answered
		case <-left:
			fmt.Fprint(w, "<title>Sendt</title><h1>Ingen ventet lenger</h1>")
		case <-r.Context().Done():
		}
	})
	site := httptest.NewServer(mux)
	t.Cleanup(site.Close)
	t.Cleanup(site.CloseClientConnections)

	p := browsertest.Start(t).Page(t, browsertest.PageOptions{})
	p.Go(site.URL)
	eventually(t, "the file is being fetched", fetched.Load)
	p.Click("button")
	p.WaitText("h1", "Ingen ventet lenger")
	if got := p.ConsoleErrors(); len(got) != 0 {
		t.Errorf("the browser complains: %q", got)
	}
}
