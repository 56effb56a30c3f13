package browsertest

import (
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func testLooks(t *testing.T, browser *Browser, base string) {
	for _, tt := range []struct {
		name  string
		o     PageOptions
		width int // of the picture
		dark  bool
	}{
		{"desktop", PageOptions{}, 1440, false},
		{"mobile in the dark", PageOptions{Mobile: true, Dark: true}, 780, true},
		{"as wide as asked for", PageOptions{Width: 320, Height: 400}, 320, false},
	} {
		p := browser.Page(t, tt.o)
		p.Go(base + "/skjema")
		path := filepath.Join(t.TempDir(), "side.png")
		p.Screenshot(path)
		img := decode(t, path)
		size := img.Bounds()
		if size.Dx() != tt.width || size.Dy() < 3000 {
			t.Errorf("%s: the picture is %v, want %d wide and the whole page", tt.name, size, tt.width)
		}
		r, _, _, _ := img.At(size.Dx()-1, 1).RGBA()
		if dark := r < 0x8000; dark != tt.dark {
			t.Errorf("%s: dark is %v, want %v", tt.name, dark, tt.dark)
		}
		if got := colours(img); got < 10 { // antialiased letters have many shades
			t.Errorf("%s: only %d colours, is there text?", tt.name, got)
		}
		if p.Overflows() {
			t.Errorf("%s: the form scrolls sideways", tt.name)
		}
		p.Go("/bred")
		if !p.Overflows() {
			t.Errorf("%s: the wide page does not scroll sideways", tt.name)
		}
	}
}

// testAs changes the window and the colours of a page that is there.
func testAs(t *testing.T, browser *Browser, base string) {
	p := browser.Page(t, PageOptions{})
	p.Go(base + "/skjema")
	p.Fill("#name", "Kari")
	wide := p.layout()
	if got := p.Axe(nil); len(got) != 0 {
		t.Errorf("violations in good colours: %v", got)
	}
	p.As(PageOptions{Dark: true})
	if p.layout() != wide {
		t.Error("the dark moves something")
	}
	if got := p.Axe(nil); len(got) == 0 || got[0].ID != "color-contrast" {
		t.Errorf("got %v, want dark shipments on a dark field", got)
	}
	p.As(PageOptions{Width: 320})
	if p.layout() == wide {
		t.Error("a narrow window moves nothing")
	}
	p.As(PageOptions{})
	if p.layout() != wide {
		t.Error("the page does not come back to what it was")
	}
	p.As(PageOptions{Mobile: true})
	path := filepath.Join(t.TempDir(), "side.png")
	p.Screenshot(path)
	if size := decode(t, path).Bounds(); size.Dx() != 780 || p.layout() == wide || p.Value("#name") != "Kari" {
		t.Errorf("on a phone the page is %v, or as before, or loaded anew", size)
	}
}

// layout is where every element stands and whether it shows, as one text to compare with another.
func (p *Page) layout() string {
	p.t.Helper()
	return read[string](p, "measure the elements", `[...document.querySelectorAll("body, body *")].map((e) => {
		const r = e.getBoundingClientRect(), style = getComputedStyle(e);
		return [e.localName, r.x + scrollX, r.y + scrollY, r.width, r.height, style.visibility, style.display, style.opacity].join(" ");
	}).join("\n")`)
}

func decode(t *testing.T, path string) image.Image {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// colours counts the colours of the corner where the heading is.
func colours(img image.Image) int {
	seen := map[color.Color]bool{}
	for x := range 300 {
		for y := range 100 {
			seen[img.At(x, y)] = true
		}
	}
	return len(seen)
}

func testAxe(t *testing.T, browser *Browser, base string) {
	for _, off := range []bool{false, true} {
		p := browser.Page(t, PageOptions{JavaScriptOff: off})
		p.Go(base + "/skjema")
		if got := p.Axe(nil); len(got) != 0 {
			t.Errorf("violations in a good page: %v", got)
		}
		p.Go("/feil")
		var ids []string
		for _, v := range p.Axe(nil) {
			ids = append(ids, v.ID)
			if v.Impact == "" || v.Help == "" || len(v.Targets) == 0 {
				t.Errorf("incomplete: %+v", v)
			}
		}
		for _, want := range []string{"html-has-lang", "document-title", "image-alt"} {
			if !slices.Contains(ids, want) {
				t.Errorf("%s is not among %q", want, ids)
			}
		}
	}
}

// testShow: a page that is put into the window is the page as it is loaded, its script included.
func testShow(t *testing.T, p *Page, base string) {
	p.Go(base + "/skjema")
	loaded := p.layout()
	read[bool](p, "mark the window", "window.kept = true")
	p.Fill("#name", "Ola")
	p.Show("/skjema?igjen")
	if p.layout() != loaded || p.Value("#name") == "Ola" || p.URL() != base+"/skjema?igjen" {
		t.Errorf("the page at %s is not as it is loaded", p.URL())
	}
	if !read[bool](p, "read the mark", "Boolean(window.kept)") {
		t.Error("the page was loaded anew")
	}
	for _, address := range []string{"/skjema?igjen", "/skjema", "/skjema?igjen"} { // a module runs once per address
		p.Show(address)
		p.Fill("#name", "Kari")
		if got := p.Text("#log"); !strings.Contains(got, "input:") {
			t.Errorf("%s: the script of the page does not run: %q", address, got)
		}
	}
}

// testLooked: axe leaves out kinds that it has looked at, and finds a new kind on a page of known ones.
func testLooked(t *testing.T, p *Page, base string) {
	looked := &Looked{}
	p.Go(base + "/feil")
	if got := p.Axe(looked); len(got) == 0 {
		t.Fatal("no violations on a bad page")
	}
	if got := p.Axe(looked); len(got) != 0 {
		t.Errorf("violations of kinds that were looked at: %v", got)
	}
	p.Go("/skjema")
	if got := p.Axe(looked); len(got) != 0 {
		t.Errorf("violations in a good page: %v", got)
	}
	read[bool](p, "spoil the page", `(() => {
		const field = document.createElement("p");
		field.innerHTML = "<label>navn</label> <input class='ny'>";
		document.querySelector("form").append(field);
		return true;
	})()`)
	got := p.Axe(looked)
	if len(got) != 1 || got[0].ID != "label" {
		t.Errorf("got %v, want the new field without a label", got)
	}
}

// testKinds: the kinds that Fresh counts are those that the browser counts.
func testKinds(t *testing.T, p *Page, base string) {
	p.Go(base + "/side")
	// The body, a long word, a short one in the same kind of paragraph, and a paragraph of another kind.
	four := `<body><p class="b a" id="x">` + strings.Repeat("å", longWord+1) + `<p id="y" class="b a">` + strings.Repeat("å", longWord) + `<p id="z">`
	for _, page := range []string{badPage, formPage, four} {
		inGo := map[uint64]bool{}
		if err := addKinds(page, inGo); err != nil {
			t.Fatal(err)
		}
		inBrowser := read[int](p, "count kinds", call(`(page) => new Set((`+kindsOf+`)(new DOMParser().parseFromString(page, "text/html")).map(([kind]) => kind)).size`, page))
		if len(inGo) != inBrowser || inBrowser < 2 || page == four && inBrowser != 4 {
			t.Errorf("%.60q holds %d kinds, in the browser %d", page, len(inGo), inBrowser)
		}
	}
}

func TestFresh(t *testing.T) {
	t.Parallel()
	got, err := Fresh(map[string]string{"/feil": badPage, "/feil?igjen": badPage, "/skjema": formPage, "/skjema?igjen": formPage, "/tom": ""})
	if want := []string{"/skjema", "/feil"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	if got, err := Fresh(nil); err != nil || len(got) != 0 {
		t.Errorf("of no pages %q, %v are fresh", got, err)
	}
}
