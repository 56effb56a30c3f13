package pdfium

import (
	"strings"
	"unicode"

	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
)

// Box is a rectangle in the page's own points.
type Box struct{ Left, Bottom, Right, Top float64 }

// Page is a page of an open document.
type Page struct {
	d     *Document
	index int
}

// Page returns a page, from 0. Only the last one is kept in memory.
func (d *Document) Page(index int) *Page { return &Page{d, index} }

func (p *Page) request() requests.Page {
	return requests.Page{ByIndex: &requests.PageByIndex{Document: p.d.ref, Index: p.index}}
}

// Shown is the visible area of the page before rotation: the intersection of crop box and media box.
func (p *Page) Shown() (Box, error) {
	b, err := p.d.i.FPDF_GetPageBoundingBox(&requests.FPDF_GetPageBoundingBox{Page: p.request()})
	if err != nil {
		return Box{}, p.d.keep(err)
	}
	return Box{float64(b.Rect.Left), float64(b.Rect.Bottom), float64(b.Rect.Right), float64(b.Rect.Top)}, nil
}

// Quarters is the page's clockwise rotation in quarter turns.
func (p *Page) Quarters() (int, error) {
	r, err := p.d.i.FPDFPage_GetRotation(&requests.FPDFPage_GetRotation{Page: p.request()})
	if err != nil {
		return 0, p.d.keep(err)
	}
	return int(r.PageRotation), nil
}

// settle flattens the printed annotations and fields into the page's content, once: PDFium otherwise reads and draws
// no fields. Fields without an appearance get one when the page is drawn.
func (p *Page) settle() error {
	if p.d.settled[p.index] {
		return nil
	}
	p.d.settled[p.index] = true
	n, err := p.d.i.FPDFPage_GetAnnotCount(&requests.FPDFPage_GetAnnotCount{Page: p.request()})
	if err != nil || n.Count == 0 {
		return p.d.keep(err)
	}
	if _, err := p.paint(1, 1); err != nil {
		return err
	}
	if err := p.ownBox(); err != nil {
		return err
	}
	_, err = p.d.i.FPDFPage_Flatten(&requests.FPDFPage_Flatten{Page: p.request(), Usage: requests.FPDFPage_FlattenUsagePrint})
	return p.d.keep(err)
}

// ownBox gives a page that inherits its size one of its own: flattening takes a page without one for US Letter, and moves what is on it.
func (p *Page) ownBox() error {
	if _, err := p.d.i.FPDFPage_GetMediaBox(&requests.FPDFPage_GetMediaBox{Page: p.request()}); err == nil {
		return nil
	}
	b, err := p.Shown()
	if err != nil {
		return err
	}
	_, err = p.d.i.FPDFPage_SetMediaBox(&requests.FPDFPage_SetMediaBox{Page: p.request(), Left: float32(b.Left), Bottom: float32(b.Bottom), Right: float32(b.Right), Top: float32(b.Top)})
	return p.d.keep(err)
}

// Dress gives fields without an appearance one, as drawing the page does.
func (p *Page) Dress() error {
	_, err := p.paint(1, 1)
	return err
}

// Char is a character of a page's text.
type Char struct {
	Text    string // a blank at the end of a word or line
	Box     Box
	Unknown bool // without a mapping to Unicode
}

// maxChars is how many characters of a page are read.
const maxChars = 50_000

// Chars returns the characters of a page in PDFium's reading order. Those of a mute font are unknown, whatever PDFium
// reads; nil: no font is mute.
func (p *Page) Chars(mute func(font string) bool) ([]Char, error) {
	text, n, err := p.text()
	if err != nil {
		return nil, err
	}
	defer p.closeText(text)
	all := make([]Char, 0, min(n, maxChars))
	for i := range min(n, maxChars) {
		c := Char{Text: p.char(text, i)}
		if strings.TrimSpace(c.Text) != "" || c.Text == "" {
			c.Unknown = unknown(c.Text) || p.unmapped(text, i) || mute != nil && mute(p.font(text, i))
		}
		box, err := p.d.i.FPDFText_GetLooseCharBox(&requests.FPDFText_GetLooseCharBox{TextPage: text, Index: i})
		if err == nil {
			r := box.Rect
			c.Box = Box{float64(min(r.Left, r.Right)), float64(min(r.Bottom, r.Top)), float64(max(r.Left, r.Right)), float64(max(r.Bottom, r.Top))}
		}
		all = append(all, c)
	}
	return all, nil
}

// Sample counts the first characters of a page, and those among them without a mapping to Unicode.
func (p *Page) Sample(most int) (shown, unmapped int, err error) {
	text, n, err := p.text()
	if err != nil {
		return 0, 0, err
	}
	defer p.closeText(text)
	for i := 0; i < n && shown < most; i++ {
		c := p.char(text, i)
		if c != "" && strings.TrimSpace(c) == "" {
			continue
		}
		shown++
		if unknown(c) || p.unmapped(text, i) {
			unmapped++
		}
	}
	return shown, unmapped, nil
}

// text opens the text of a page, and returns how many characters it has.
func (p *Page) text() (references.FPDF_TEXTPAGE, int, error) {
	if err := p.settle(); err != nil {
		return "", 0, err
	}
	text, err := p.d.i.FPDFText_LoadPage(&requests.FPDFText_LoadPage{Page: p.request()})
	if err != nil {
		return "", 0, p.d.keep(err)
	}
	n, err := p.d.i.FPDFText_CountChars(&requests.FPDFText_CountChars{TextPage: text.TextPage})
	if err != nil {
		return "", 0, p.d.keep(err)
	}
	return text.TextPage, n.Count, nil
}

// char returns a character, or an empty string if it is none.
func (p *Page) char(text references.FPDF_TEXTPAGE, index int) string {
	c, err := p.d.i.FPDFText_GetUnicode(&requests.FPDFText_GetUnicode{TextPage: text, Index: index})
	if err != nil || c.Unicode == 0 {
		return ""
	}
	return string(rune(uint32(c.Unicode)))
}

func (p *Page) closeText(text references.FPDF_TEXTPAGE) {
	_, err := p.d.i.FPDFText_ClosePage(&requests.FPDFText_ClosePage{TextPage: text})
	_ = p.d.keep(err)
}

// unmapped tells whether PDFium found no mapping to Unicode for a character's code.
func (p *Page) unmapped(text references.FPDF_TEXTPAGE, index int) bool {
	m, err := p.d.i.FPDFText_HasUnicodeMapError(&requests.FPDFText_HasUnicodeMapError{TextPage: text, Index: index})
	return err != nil || m.HasUnicodeMapError
}

// font is the name of a character's font.
func (p *Page) font(text references.FPDF_TEXTPAGE, index int) string {
	f, err := p.d.i.FPDFText_GetFontInfo(&requests.FPDFText_GetFontInfo{TextPage: text, Index: index})
	if err != nil {
		return ""
	}
	return f.FontName
}

// unknown tells whether a text has no characters other than U+FFFD, those of private use, and NUL.
func unknown(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r != unicode.ReplacementChar && !unicode.Is(unicode.Co, r) && r != 0 }) < 0
}

// Pictures returns the boxes of pictures, and of forms, which may contain pictures.
func (p *Page) Pictures() []Box {
	return p.pictures(func(int, Box) bool { return true })
}

// pictures returns the boxes of the wanted ones.
func (p *Page) pictures(wanted func(index int, at Box) bool) []Box {
	n, err := p.d.i.FPDFPage_CountObjects(&requests.FPDFPage_CountObjects{Page: p.request()})
	if err != nil {
		return nil
	}
	var all []Box
	for index := range min(n.Count, 1000) {
		if b, ok := p.picture(index); ok && wanted(index, b) {
			all = append(all, b)
		}
	}
	return all
}

func (p *Page) picture(index int) (Box, bool) {
	o, err := p.d.i.FPDFPage_GetObject(&requests.FPDFPage_GetObject{Page: p.request(), Index: index})
	if err != nil {
		return Box{}, false
	}
	kind, err := p.d.i.FPDFPageObj_GetType(&requests.FPDFPageObj_GetType{PageObject: o.PageObject})
	if err != nil || kind.Type != enums.FPDF_PAGEOBJ_IMAGE && kind.Type != enums.FPDF_PAGEOBJ_FORM {
		return Box{}, false
	}
	b, err := p.d.i.FPDFPageObj_GetBounds(&requests.FPDFPageObj_GetBounds{PageObject: o.PageObject})
	if err != nil {
		return Box{}, false
	}
	return Box{float64(b.Left), float64(b.Bottom), float64(b.Right), float64(b.Top)}, true
}

// Undecoded returns the boxes of pictures that PDFium cannot decode. Decoding is slow, so only pictures at blank
// places are tried.
func (p *Page) Undecoded(blank func(Box) bool) []Box {
	return p.pictures(func(index int, at Box) bool { return blank(at) && !p.decodes(index) })
}

// decodes tells whether a picture can be decoded. Other objects count as decoded.
func (p *Page) decodes(index int) bool {
	o, err := p.d.i.FPDFPage_GetObject(&requests.FPDFPage_GetObject{Page: p.request(), Index: index})
	if err != nil {
		return false
	}
	kind, err := p.d.i.FPDFPageObj_GetType(&requests.FPDFPageObj_GetType{PageObject: o.PageObject})
	if err != nil || kind.Type != enums.FPDF_PAGEOBJ_IMAGE {
		return err == nil
	}
	picture, err := p.d.i.FPDFImageObj_GetBitmap(&requests.FPDFImageObj_GetBitmap{ImageObject: o.PageObject})
	if err != nil {
		return false
	}
	_, err = p.d.i.FPDFBitmap_Destroy(&requests.FPDFBitmap_Destroy{Bitmap: picture.Bitmap})
	return err == nil
}

// Empty tells whether PDFium finds no object on a page.
func (p *Page) Empty() bool {
	n, err := p.d.i.FPDFPage_CountObjects(&requests.FPDFPage_CountObjects{Page: p.request()})
	return err != nil || n.Count == 0
}
