package pdfium

import (
	"image"

	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/structs"
)

// Seen is a word to check for being covered: one of its characters, and its place in the drawing.
type Seen struct {
	Char int
	At   image.Rectangle
}

// inked is a word's text object, with its original colour and mode.
type inked struct {
	object references.FPDF_PAGEOBJECT
	fill   structs.FPDF_COLOR
	mode   enums.FPDF_TEXT_RENDERMODE
}

// sharp draws without antialiasing, so that colours are exact.
const sharp = printed | enums.FPDF_RENDER_FLAG_RENDER_NO_SMOOTHTEXT | enums.FPDF_RENDER_FLAG_RENDER_NO_SMOOTHPATH

// Covered tells which words lie entirely under something opaque. The page is drawn with a signal colour for each
// word. Words whose colour is not found are drawn again without other texts, since a text may lie under a copy of
// itself, for boldness; those whose place then looks as without any text are covered. Text in the invisible mode, as
// behind a scan, is not checked.
func (p *Page) Covered(words []Seen, width, height int) ([]bool, error) {
	covered := make([]bool, len(words))
	text, _, err := p.text()
	if err != nil {
		return nil, err
	}
	defer p.closeText(text)
	objects := make([]inked, len(words))
	defer func() {
		for _, o := range objects {
			p.restore(o)
		}
	}()
	for i, w := range words {
		objects[i] = p.inked(text, w.Char)
	}
	for i, o := range objects {
		p.colour(o, signal(i))
	}
	coloured, err := p.paintWith(width, height, sharp)
	if err != nil {
		return nil, err
	}
	missed := false
	for i, w := range words {
		if objects[i].object == "" {
			continue
		}
		own, err := p.d.i.FPDFPageObj_GetFillColor(&requests.FPDFPageObj_GetFillColor{PageObject: objects[i].object})
		covered[i] = err == nil && !holds(coloured, w.At, own.FillColor)
		missed = missed || covered[i]
	}
	if !missed {
		return covered, nil
	}
	return covered, p.alone(words, objects, covered, width, height)
}

// alone draws the page without its texts, and with only the texts that seem covered. Those that then show are not
// covered.
func (p *Page) alone(words []Seen, objects []inked, covered []bool, width, height int) error {
	var texts []inked
	defer func() {
		for _, o := range texts {
			p.render(o, o.mode)
		}
	}()
	all, whole := p.texts()
	for _, o := range all {
		mode, err := p.d.i.FPDFTextObj_GetTextRenderMode(&requests.FPDFTextObj_GetTextRenderMode{PageObject: o})
		if err == nil && mode.TextRenderMode != enums.FPDF_TEXTRENDERMODE_INVISIBLE {
			texts = append(texts, inked{object: o, mode: mode.TextRenderMode})
		}
	}
	for _, o := range texts {
		p.render(o, enums.FPDF_TEXTRENDERMODE_INVISIBLE)
	}
	without, err := p.paintWith(width, height, sharp)
	if err != nil {
		return err
	}
	for i, o := range objects {
		if covered[i] {
			p.render(o, o.mode)
		}
	}
	with, err := p.paintWith(width, height, sharp)
	if err != nil {
		return err
	}
	for i, w := range words {
		covered[i] = whole && covered[i] && same(with, without, w.At)
	}
	return nil
}

// Limits of the search for text objects.
const (
	maxTexts     = 5000
	maxFormDepth = 8
)

// texts returns the text objects of a page, including those in forms, and whether they are all.
func (p *Page) texts() (all []references.FPDF_PAGEOBJECT, whole bool) {
	n, err := p.d.i.FPDFPage_CountObjects(&requests.FPDFPage_CountObjects{Page: p.request()})
	if err != nil {
		return nil, false
	}
	left := maxTexts
	for i := range min(n.Count, maxTexts) {
		if o, err := p.d.i.FPDFPage_GetObject(&requests.FPDFPage_GetObject{Page: p.request(), Index: i}); err == nil {
			all = p.textsIn(all, o.PageObject, 0, &left)
		}
	}
	return all, n.Count <= maxTexts && left > 0
}

// textsIn adds a text object, or those in a form.
func (p *Page) textsIn(all []references.FPDF_PAGEOBJECT, o references.FPDF_PAGEOBJECT, depth int, left *int) []references.FPDF_PAGEOBJECT {
	*left--
	kind, err := p.d.i.FPDFPageObj_GetType(&requests.FPDFPageObj_GetType{PageObject: o})
	switch {
	case err != nil || *left <= 0:
		return all
	case kind.Type == enums.FPDF_PAGEOBJ_TEXT:
		return append(all, o)
	case kind.Type != enums.FPDF_PAGEOBJ_FORM:
		return all
	case depth == maxFormDepth:
		*left = 0
		return all
	}
	n, err := p.d.i.FPDFFormObj_CountObjects(&requests.FPDFFormObj_CountObjects{PageObject: o})
	if err != nil {
		return all
	}
	for i := 0; i < n.Count && *left > 0; i++ {
		inner, err := p.d.i.FPDFFormObj_GetObject(&requests.FPDFFormObj_GetObject{PageObject: o, Index: uint64(i)})
		if err == nil {
			all = p.textsIn(all, inner.PageObject, depth+1, left)
		}
	}
	return all
}

// inked returns the text object of a character; empty if it is in the invisible mode, or not found.
func (p *Page) inked(text references.FPDF_TEXTPAGE, char int) inked {
	o, err := p.d.i.FPDFText_GetTextObject(&requests.FPDFText_GetTextObject{TextPage: text, Index: char})
	if err != nil {
		return inked{}
	}
	mode, err := p.d.i.FPDFTextObj_GetTextRenderMode(&requests.FPDFTextObj_GetTextRenderMode{PageObject: o.TextObject})
	if err != nil || mode.TextRenderMode != enums.FPDF_TEXTRENDERMODE_FILL && mode.TextRenderMode != enums.FPDF_TEXTRENDERMODE_FILL_STROKE {
		return inked{}
	}
	fill, err := p.d.i.FPDFPageObj_GetFillColor(&requests.FPDFPageObj_GetFillColor{PageObject: o.TextObject})
	if err != nil {
		return inked{}
	}
	return inked{o.TextObject, fill.FillColor, mode.TextRenderMode}
}

func (p *Page) colour(o inked, c structs.FPDF_COLOR) {
	if o.object != "" {
		_, err := p.d.i.FPDFPageObj_SetFillColor(&requests.FPDFPageObj_SetFillColor{PageObject: o.object, FillColor: c})
		_ = p.d.keep(err)
	}
}

func (p *Page) render(o inked, mode enums.FPDF_TEXT_RENDERMODE) {
	if o.object != "" {
		_, err := p.d.i.FPDFTextObj_SetTextRenderMode(&requests.FPDFTextObj_SetTextRenderMode{PageObject: o.object, TextRenderMode: mode})
		_ = p.d.keep(err)
	}
}

// restore restores a text. All words of one object restore the same values.
func (p *Page) restore(o inked) {
	p.colour(o, o.fill)
	p.render(o, o.mode)
}

// signal is a word's colour: far from grey, and from those of other words.
func signal(i int) structs.FPDF_COLOR {
	return structs.FPDF_COLOR{R: 255, G: uint(8 * (i % 32)), B: uint(8 * (i / 32 % 32)), A: 255}
}

// holds tells whether a colour is in an area of a drawing.
func holds(picture *image.RGBA, at image.Rectangle, c structs.FPDF_COLOR) bool {
	at = at.Intersect(picture.Rect)
	for y := at.Min.Y; y < at.Max.Y; y++ {
		for x := at.Min.X; x < at.Max.X; x++ {
			if q := picture.Pix[picture.PixOffset(x, y):]; near(q[0], c.R) && near(q[1], c.G) && near(q[2], c.B) {
				return true
			}
		}
	}
	return false
}

func near(got uint8, want uint) bool { return int(got)-int(want) <= 3 && int(want)-int(got) <= 3 }

func same(a, b *image.RGBA, at image.Rectangle) bool {
	at = at.Intersect(a.Rect)
	for y := at.Min.Y; y < at.Max.Y; y++ {
		from, to := a.PixOffset(at.Min.X, y), a.PixOffset(at.Max.X, y)
		if string(a.Pix[from:to]) != string(b.Pix[from:to]) {
			return false
		}
	}
	return true
}
