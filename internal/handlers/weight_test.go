package handlers_test

import (
	"bytes"
	"compress/gzip"
	"image"
	"image/png"
	"io"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/uuid"
)

// What a page may cost a slow line: everything the first time, later what the browser does not keep. Bytes are compressed, without heads.
const (
	mostFirst    = 110_000
	mostLater    = 12_000
	mostRequests = 8
)

// latinExtended are the characters that need a second font (fonts.css).
var latinExtended = regexp.MustCompile("[\u0100-\u0130\u0132-\u0151\u0154-\u02ba\u1e00-\u1e9f\u1ef2-\u1eff]")

// TestPagesAreLight weighs the main pages with everything they load, with a municipality's colours and logo and with high contrast.
// Where a limit breaks: load less, or later (loading="lazy"), make one file of two, or leave out style sheets of the design system
// (static/css/app.css).
func TestPagesAreLight(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.sendsOfEveryOutcome(t)
	admin, lead := s.browser(t, systemAdmin), s.browser(t, teamLead)
	if got := admin.appearance(t, heavyLogo(t), "kommune", "Fjordvik herad", "lys", "#7A1F3D", "versjon", "0"); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("the theme: got %d", got.StatusCode)
	}
	item := lead.get("/k/oppvekst/forsendelser").page(t).Find(`main tbody a[href^="/k/oppvekst/forsendelser/"]`).AttrOr("href", "")
	letter := lead.post("/k/oppvekst/forsendelser/ny", fields("nokkel", uuid.NewString())).location()
	pages := map[string]*browser{
		"/k/oppvekst/": lead, "/k/oppvekst/forsendelser": lead, "/k/oppvekst/sms": lead, "/k/oppvekst/oppfolging": lead, "/k/oppvekst/ledelse": lead,
		"/k/oppvekst/sms/ny": lead, "/k/oppvekst/sms/ny/flere": lead, "/k/oppvekst/oppslag": lead, item: lead, letter: lead,
		"/hjelp": lead, "/admin/kontoer": admin, "/admin/logg": admin,
	}
	for _, look := range []string{"", "true"} {
		for _, b := range []*browser{admin, lead} {
			b.post("/min-side/visning", fields("kontrast", look))
		}
		for path, b := range pages {
			b.weigh(t, path)
		}
	}
}

// heavyLogo is a picture of 128 kB at most that is as heavy as a logo may be when it has been made small.
func heavyLogo(t *testing.T) []byte {
	t.Helper()
	p, dice := image.NewNRGBA(image.Rect(0, 0, 160, 160)), rand.New(rand.NewPCG(1, 2))
	for i := range p.Pix {
		p.Pix[i] = byte(dice.Uint32())
	}
	var b bytes.Buffer
	if err := png.Encode(&b, p); err != nil || b.Len() < 100<<10 || b.Len() > 128<<10 {
		t.Fatalf("%d bytes, %v", b.Len(), err)
	}
	return b.Bytes()
}

// weigh fetches a page and what it loads at once.
func (b *browser) weigh(t *testing.T, path string) {
	t.Helper()
	status, content, size, _ := b.packed(t, path)
	if status != http.StatusOK {
		t.Fatalf("%s: got %d", path, status)
	}
	page, err := goquery.NewDocumentFromReader(strings.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	first, later, loads := size, size, loaded(page)
	for _, address := range loads {
		if !strings.HasPrefix(address, "/") || strings.HasPrefix(address, "//") {
			t.Errorf("%s loads %s from another server", path, address)
			continue
		}
		_, _, size, kept := b.packed(t, address)
		if first += size; !kept {
			later += size
		}
	}
	if found := latinExtended.FindString(page.Text()); found != "" {
		t.Errorf("%s needs the second font for %q", path, found)
	}
	if n := 1 + len(loads); first > mostFirst || later > mostLater || n > mostRequests {
		t.Errorf("%s: %d bytes in %d requests, then %d bytes; want at most %d in %d, then %d: %q", path, first, n, later, mostFirst, mostRequests, mostLater, loads)
	}
	t.Logf("%s: %d bytes in %d requests, then %d", path, first, 1+len(loads), later)
}

// loaded are the addresses that a page loads before anybody scrolls, each once.
func loaded(page *goquery.Document) (list []string) {
	seen := map[string]bool{"": true}
	page.Find(`link[rel=stylesheet], link[rel=icon], link[rel=preload], script[src], img:not([loading=lazy]), use`).Each(func(_ int, e *goquery.Selection) {
		address, _, _ := strings.Cut(e.AttrOr("href", e.AttrOr("src", "")), "#")
		if !seen[address] {
			seen[address] = true
			list = append(list, address)
		}
	})
	return list
}

// packed fetches as browsers do, and tells how many bytes came and whether the answer may be kept for ever.
func (b *browser) packed(t *testing.T, address string) (status int, content string, size int, kept bool) {
	t.Helper()
	a := b.get(address, "Accept-Encoding", "gzip")
	size, content = len(a.body), a.body
	if a.Header.Get("Content-Encoding") == "gzip" {
		r, err := gzip.NewReader(strings.NewReader(a.body))
		if err != nil {
			t.Fatal(err)
		}
		plain, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		content = string(plain)
	}
	return a.StatusCode, content, size, strings.Contains(a.Header.Get("Cache-Control"), "immutable")
}
