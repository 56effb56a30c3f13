package look

import (
	"image"
	"math"

	"utsending/internal/dispatch"
	"utsending/internal/pdf"
	"utsending/internal/pdf/pdfium"
)

// Pixels per millimetre: coarse suffices for margins, and is many times faster; fine shows whether a word is printed.
const (
	coarse = 1
	fine   = 4
)

// maxPixels is the longest side of a drawn page: larger pages are scaled down.
const maxPixels = 7000

// paper is the lightness from which a pixel counts as paper: a light shade at an edge is not ink.
const paper = 225

// drawing is a page as printed.
type drawing struct {
	dark          []bool
	width, height int     // in pixels
	scale         float64 // pixels per millimetre
}

// draw draws a page at a resolution in pixels per millimetre.
func (f *file) draw(index int, v view, scale float64) (drawing, error) {
	if longest := max(v.width, v.height) * scale; longest > maxPixels {
		scale *= maxPixels / longest
	}
	width, height := max(1, int(math.Round(v.width*scale))), max(1, int(math.Round(v.height*scale)))
	picture, err := f.doc.Page(index).Draw(width, height)
	if err != nil {
		return drawing{}, err
	}
	return drawing{darkness(picture), width, height, scale}, nil
}

// darkness tells which pixels are ink.
func darkness(picture *image.RGBA) []bool {
	dark := make([]bool, len(picture.Pix)/4)
	for i := range dark {
		p := picture.Pix[4*i:]
		dark[i] = (299*int(p[0])+587*int(p[1])+114*int(p[2]))/1000 < paper
	}
	return dark
}

// Ink implements pdf.Pages. It returns fewer pages than the file has when they are many, or drawing takes too long.
func (f *file) Ink() []dispatch.InkBounds {
	var all []dispatch.InkBounds
	over := f.timeForPages()
	for n := range min(f.pages, dispatch.MaxInkPages) {
		v, err := f.view(n)
		if err != nil || over() {
			return all
		}
		d, err := f.draw(n, v, coarse)
		if err != nil {
			return all
		}
		all = append(all, d.bounds())
	}
	return all
}

// bounds are the distances of the outermost ink from the edges.
func (d drawing) bounds() dispatch.InkBounds {
	b := dispatch.InkBounds{dispatch.NoInk, dispatch.NoInk, dispatch.NoInk, dispatch.NoInk, dispatch.NoInk}
	tenths := func(pixels int) int { return int(float64(pixels) * 10 / d.scale) }
	for y := range d.height {
		left, right := edges(d.dark[y*d.width : (y+1)*d.width])
		if left < 0 {
			continue
		}
		b[0], b[2] = min(b[0], tenths(left)), min(b[2], tenths(right))
		b[1], b[3] = min(b[1], tenths(y)), tenths(d.height-1-y)
		if at := tenths(y) / 10; at >= dispatch.BarcodeTop && at < dispatch.BarcodeBottom {
			b[4] = min(b[4], tenths(left))
		}
	}
	return b
}

// edges returns how many pixels of paper a row begins and ends with; negative for a row without ink.
func edges(row []bool) (left, right int) {
	for left < len(row) && !row[left] {
		left++
	}
	if left == len(row) {
		return -1, -1
	}
	for !row[len(row)-1-right] {
		right++
	}
	return left, right
}

// pixels converts a rectangle to pixels, clipped to the page.
func (d drawing) pixels(r rect) (left, top, right, bottom int) {
	within := func(mm float64, most int) int { return min(max(int(mm*d.scale), 0), most) }
	return within(r.left, d.width), within(r.top, d.height), within(r.right+1/d.scale, d.width), within(r.bottom+1/d.scale, d.height)
}

// prints tells whether there is ink in a rectangle.
func (d drawing) prints(r rect) bool {
	left, top, right, bottom := d.pixels(r)
	for y := top; y < bottom; y++ {
		for x := left; x < right; x++ {
			if d.dark[y*d.width+x] {
				return true
			}
		}
	}
	return false
}

// covered tells which words are under something opaque.
func (f *file) covered(index int, d drawing, words []assembled) ([]bool, error) {
	seen := make([]pdfium.Seen, len(words))
	for i, w := range words {
		seen[i] = pdfium.Seen{Char: w.first, At: image.Rect(d.pixels(w.at))}
	}
	return f.doc.Page(index).Covered(seen, d.width, d.height)
}

// cell is the side of the squares by which ink outside words is recorded, in millimetres.
const cell = 5

// wordless finds the ink in the upper part of the page outside all words: pictures, lines, and unreadable text.
func (d drawing) wordless(t text) []dispatch.InkArea {
	all := unknownText(t.unknown)
	d.erase(t)
	for top := 0.; top < min(upper, float64(d.height)/d.scale); top += cell {
		all = append(all, d.row(top)...)
	}
	return all[:min(len(all), dispatch.MaxInkAreas)]
}

// unknownText joins adjacent characters.
func unknownText(chars []rect) []dispatch.InkArea {
	var all []dispatch.InkArea
	for i, at := range chars {
		if at.top > upper {
			continue
		}
		if n := len(all) - 1; i > 0 && n >= 0 && at.top < chars[i-1].bottom && at.bottom > chars[i-1].top && at.left >= chars[i-1].left && at.left-chars[i-1].right < cell {
			all[n].Width = tenths(at.right - all[n].X)
			continue
		}
		all = append(all, dispatch.InkArea{X: tenths(at.left), Y: tenths(at.top), Width: tenths(at.right - at.left), Height: tenths(at.bottom - at.top), Text: true})
	}
	return all
}

// erase removes the ink of words and of recorded text.
func (d drawing) erase(t text) {
	const slack = 0.5 // mm that letters may stand out of their boxes
	for _, w := range t.words {
		d.clear(rect{w.X - slack, w.Y - slack, w.X + w.Width + slack, w.Y + w.Height + slack})
	}
	for _, at := range t.unknown {
		d.clear(rect{at.left - slack, at.top - slack, at.right + slack, at.bottom + slack})
	}
}

func (d drawing) clear(r rect) {
	left, top, right, bottom := d.pixels(r)
	for y := top; y < bottom; y++ {
		clear(d.dark[y*d.width+left : y*d.width+max(left, right)])
	}
}

// row finds the ink in one row of squares; adjacent squares become one area.
func (d drawing) row(top float64) []dispatch.InkArea {
	var all []dispatch.InkArea
	joined := false
	for left := 0.; left*d.scale < float64(d.width); left += cell {
		area, found := d.within(rect{left, top, left + cell - 1/d.scale, top + cell - 1/d.scale})
		if n := len(all) - 1; found && joined {
			all[n] = union(all[n], area)
		} else if found {
			all = append(all, area)
		}
		joined = found
	}
	return all
}

// within is the bounding box of the ink in a square.
func (d drawing) within(r rect) (dispatch.InkArea, bool) {
	left, top, right, bottom := d.pixels(r)
	x1, y1, x2, y2 := right, bottom, left, top
	for y := top; y < bottom; y++ {
		for x := left; x < right; x++ {
			if d.dark[y*d.width+x] {
				x1, y1, x2, y2 = min(x1, x), min(y1, y), max(x2, x+1), max(y2, y+1)
			}
		}
	}
	if x1 >= x2 {
		return dispatch.InkArea{}, false
	}
	mm := func(pixels int) float64 { return tenths(float64(pixels) / d.scale) }
	return dispatch.InkArea{X: mm(x1), Y: mm(y1), Width: mm(x2 - x1), Height: mm(y2 - y1)}, true
}

func union(a, b dispatch.InkArea) dispatch.InkArea {
	x, y := min(a.X, b.X), min(a.Y, b.Y)
	return dispatch.InkArea{X: x, Y: y, Width: tenths(max(a.X+a.Width, b.X+b.Width) - x), Height: tenths(max(a.Y+a.Height, b.Y+b.Height) - y)}
}

// Draw draws pages. It needs no objects, whose reading takes long.
func Draw(content []byte, d pdf.Drawing, take func(*image.RGBA) error) error {
	if !complete(content) {
		return nil
	}
	doc, err := pdfium.Open(content)
	if err != nil {
		return nil
	}
	f := &file{doc: doc}
	defer f.Close()
	if f.pages, err = doc.Pages(); err != nil {
		return nil
	}
	pdf.Grant(f.pages)
	for n := d.First - 1; n < min(d.First-1+d.Count, f.pages); n++ {
		picture, err := f.picture(n, d.Width)
		if err != nil {
			return nil // it cannot be seen, and those after it hardly
		}
		if err := take(picture); err != nil {
			return err
		}
	}
	return nil
}

// First implements pdf.Pages.
func (f *file) First() *image.RGBA {
	picture, err := f.picture(0, pdf.PictureWidth)
	if err != nil {
		return nil
	}
	return picture
}

// picture draws a page as it is shown to people, so many pixels wide.
func (f *file) picture(n, width int) (*image.RGBA, error) {
	v, err := f.view(n)
	if err != nil {
		return nil, err
	}
	height := min(max(1, int(math.Round(float64(width)*v.height/v.width))), 3*width)
	return f.doc.Page(n).Draw(width, height)
}
