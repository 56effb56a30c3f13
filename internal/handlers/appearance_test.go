package handlers_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
)

// appearance posts the form of the municipality's theme.
func (b *browser) appearance(t *testing.T, logo []byte, pairs ...string) answer {
	t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for i := 0; i < len(pairs); i += 2 {
		_ = w.WriteField(pairs[i], pairs[i+1])
	}
	part, err := w.CreateFormFile("logo", "../<logo>.svg")
	if err == nil {
		_, err = part.Write(logo)
	}
	if err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	return b.do(http.MethodPost, "/admin/utseende", w.FormDataContentType(), body.String())
}

// picture is a PNG of some size, with a text behind its end.
func picture(t *testing.T, side int) []byte {
	t.Helper()
	p := image.NewGray(image.Rect(0, 0, side, 2))
	p.Set(0, 0, color.White)
	var b bytes.Buffer
	if err := png.Encode(&b, p); err != nil {
		t.Fatal(err)
	}
	return append(b.Bytes(), "<script>skjult</script>"...)
}

// TestAppearance: an administrator gives all pages a name, colours and a logo, which everybody sees, before the login too.
func TestAppearance(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b, visitor := s.browser(t, systemAdmin), s.browser(t, nobody)
	if got := visitor.get("/hjelp").page(t); got.Find(`link[href*="/tema/"], .brand-logo`).Length() != 0 {
		t.Error("there is a theme before anybody has set one")
	}
	saved := b.appearance(t, picture(t, 90), "kommune", "Fjordvik herad", "lys", "#7A1F3D", "versjon", "0")
	if saved.StatusCode != http.StatusSeeOther {
		t.Fatalf("got %d: %s", saved.StatusCode, saved.page(t).Find(".ds-error-summary").Text())
	}
	page := visitor.get("/hjelp").page(t)
	if got := page.Find(".brand small").Text(); got != "Fjordvik herad" {
		t.Errorf("the header names %q", got)
	}
	sheet, _ := page.Find(`link[rel=stylesheet][href^="/tema/"]`).Attr("href")
	logo, _ := page.Find(".brand-logo").Attr("src")
	for address, kind := range map[string]string{sheet: "text/css; charset=utf-8", logo: "image/png"} {
		got := visitor.get(address)
		if got.StatusCode != http.StatusOK || got.Header.Get("Content-Type") != kind || !strings.Contains(got.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: got %d, %q, %q", address, got.StatusCode, got.Header.Get("Content-Type"), got.Header.Get("Cache-Control"))
		}
		if other := visitor.get(strings.TrimRight(address, "0123456789abcdef")); strings.Contains(other.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s without its content's name may be kept for ever", address)
		}
	}
	if css := visitor.get(sheet).body; !strings.Contains(css, "--ds-color-accent-base-default: light-dark(#7a1f3d, ") {
		t.Errorf("the style sheet is %s", css)
	}
	if content := visitor.get(logo).body; strings.Contains(content, "skjult") {
		t.Error("what was hidden in the picture is served")
	}
	lines := func(want int) {
		t.Helper()
		if n := s.number(t, `SELECT count(*) FROM audit_events WHERE action = 'theme.save' AND details->'values' @> '[{"what": "appearance.name", "after": "Fjordvik herad"},
			{"what": "appearance.light", "after": "#7a1f3d"}, {"what": "appearance.logo"}]'`); n != want {
			t.Errorf("the event log has %d lines of it, want %d", n, want)
		}
		if n := s.number(t, `SELECT count(*) FROM audit_events WHERE action = 'theme.save'`); n != want {
			t.Errorf("the event log has %d lines in all, want %d", n, want)
		}
	}
	lines(1)
	kept := b.get("/admin/utseende").page(t)
	value := func(name string) string { return kept.Find("[name="+name+"]").AttrOr("value", "") }
	if got := b.post("/admin/utseende", fields("kommune", value("kommune"), "lys", value("lys"), "mork", value("mork"), "versjon", value("versjon"))); got.StatusCode != http.StatusSeeOther {
		t.Errorf("the same again: got %d", got.StatusCode)
	}
	lines(1) // the same again is no change

	t.Run("what cannot be read is refused", func(t *testing.T) {
		for name, tt := range map[string]struct {
			logo  []byte
			pairs []string
			want  string
		}{
			"a light colour":   {nil, []string{"lys", "#ffcc00", "versjon", "1"}, "for lys til å leses"},
			"a dark colour":    {nil, []string{"lys", "#7a1f3d", "mork", "#220011", "versjon", "1"}, "for mørk til å leses"},
			"a style sheet":    {nil, []string{"lys", "#7a1f3d}*{display:none", "versjon", "1"}, "seks tegn"},
			"an SVG":           {[]byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`), []string{"versjon", "1"}, "ikke et bilde vi kan lese"},
			"a broken PNG":     {picture(t, 90)[:40], []string{"versjon", "1"}, "ikke et bilde vi kan lese"},
			"a huge picture":   {picture(t, 4000), []string{"versjon", "1"}, "piksler høyt og bredt"},
			"an old form":      {nil, []string{"kommune", "En annen", "versjon", "0"}, "Noen andre lagret mens du skrev"},
			"many bytes":       {make([]byte, 129<<10), []string{"versjon", "1"}, "høyst 128 kB"},
			"an endless name":  {nil, []string{"kommune", strings.Repeat("å", 300), "versjon", "1"}, "høyst 40 tegn"},
			"half of the pair": {nil, []string{"mork", "#75a1b7", "versjon", "1"}, "lyse sider også"},
		} {
			got := b.appearance(t, tt.logo, tt.pairs...)
			if said := got.page(t).Find(".ds-error-summary").Text(); got.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(said, tt.want) {
				t.Errorf("%s: got %d, %q", name, got.StatusCode, said)
			}
		}
		if got := visitor.get("/hjelp").page(t).Find(".brand small").Text(); got != "Fjordvik herad" {
			t.Errorf("the header names %q", got)
		}
	})
	t.Run("a file far too large keeps the form", func(t *testing.T) {
		for _, size := range []int{300 << 10, 3 << 20} {
			got := b.appearance(t, make([]byte, size), "kommune", "Et annet navn", "versjon", "1")
			page := got.page(t)
			if said := page.Find("#logo-s, .ds-error-summary").Text(); got.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(said, "høyst 128 kB") || page.Find("[name=kommune]").AttrOr("value", "") != "Et annet navn" {
				t.Errorf("%d bytes: got %d, %q, and the name is %q", size, got.StatusCode, said, page.Find("[name=kommune]").AttrOr("value", ""))
			}
		}
		got := b.appearance(t, make([]byte, 5<<20), "versjon", "1")
		if says := got.page(t).Find("main").Text(); got.StatusCode != http.StatusRequestEntityTooLarge || !strings.Contains(says, "Velg en mindre fil") {
			t.Errorf("past all limits: got %d, %q", got.StatusCode, says)
		}
	})
	t.Run("the logo stays until it is removed", func(t *testing.T) {
		b.appearance(t, nil, "kommune", "Fjordvik", "versjon", "1")
		if page := visitor.get("/hjelp").page(t); page.Find(".brand-logo").Length() != 1 || page.Find(`link[href^="/tema/"]`).Length() != 0 {
			t.Error("the logo is gone, or the colours are still there")
		}
		b.appearance(t, nil, "fjern", "true", "versjon", "2")
		if page := visitor.get("/hjelp").page(t); page.Find(".brand-logo").Length() != 0 || page.Find(".brand small").Text() == "Fjordvik" {
			t.Error("the logo or the name is still there")
		}
		if got := visitor.get(logo).StatusCode; got != http.StatusNotFound {
			t.Errorf("the logo's address answers %d", got)
		}
	})
}
