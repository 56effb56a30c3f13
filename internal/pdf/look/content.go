package look

import (
	"slices"
	"strings"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/pdf"
	"utsending/internal/pdf/pdfium"
)

const (
	// contentTime, with what pages add, and mostContentTime are the processor time for going through the pages; those that
	// are left count as unread. The child as a whole gets more: what is unread is better than no answer.
	contentTime     = 3 * time.Second
	mostContentTime = 6 * time.Second
	// pictured is the part of a page that a picture covers at least for the page to be a scanned one.
	pictured = 0.4
	// sampled is how many characters of a page tell whether it can be read.
	sampled = 200
)

// timeForPages returns a function that tells whether the processor time for reading pages is used up. Load by other
// processes does not count.
func (f *file) timeForPages() (over func() bool) {
	ends := spent() + min(contentTime+pdf.PagesCPU(f.pages), mostContentTime)
	return func() bool { return spent() > ends }
}

// read reads the pages: the first one for its words and its ink, the others for whether they hold text, or for a
// possible address.
func (f *file) read(r *dispatch.FileReading, later bool) {
	over := f.timeForPages()
	for n := range f.pages {
		var err error
		switch {
		case over():
			r.Unread.Add(n + 1)
			continue
		case n == 0:
			err = f.readFirst(r)
		case later:
			err = f.readLater(r, n)
		default:
			err = f.sample(r, n)
		}
		if err != nil {
			r.Unread.Add(n + 1)
		}
	}
}

// readFirst reads the page that shows in the window. It is drawn as printed; ink outside words is recorded.
func (f *file) readFirst(r *dispatch.FileReading) error {
	v, err := f.view(0)
	if err != nil {
		return err
	}
	d, err := f.draw(0, v, fine)
	if err != nil {
		return err
	}
	t, err := f.text(0, v, d.prints, func(words []assembled) ([]bool, error) { return f.covered(0, d, words) })
	if err != nil {
		return err
	}
	r.Text, r.Words = t.legible(), t.words
	r.Wordless = append(f.undecoded(d, v), d.wordless(t)...)
	r.Wordless = r.Wordless[:min(len(r.Wordless), dispatch.MaxInkAreas)]
	if !r.Text && f.pictured(0, v) {
		r.Scanned.Add(1)
	}
	return nil
}

// wordsOf are the words of the upper part of a page, whether something lies over them or not.
func (f *file) wordsOf(index int) ([]dispatch.Word, error) {
	v, err := f.view(index)
	if err != nil {
		return nil, err
	}
	t, err := f.text(index, v, func(rect) bool { return true }, func(words []assembled) ([]bool, error) { return make([]bool, len(words)), nil })
	return t.words, err
}

// readLater reads a later page of a slice.
func (f *file) readLater(r *dispatch.FileReading, index int) error {
	v, err := f.view(index)
	if err != nil {
		return err
	}
	t, err := f.text(index, v, func(rect) bool { return true }, func(words []assembled) ([]bool, error) { return make([]bool, len(words)), nil })
	if err != nil {
		return err
	}
	if !t.legible() && f.pictured(index, v) {
		r.Scanned.Add(index + 1)
	}
	addLater(r, index+1, aroundCodes(t.words))
	return nil
}

// sample only determines whether a page holds text, or is a picture of text.
func (f *file) sample(r *dispatch.FileReading, index int) error {
	shown, unknown, err := f.doc.Page(index).Sample(sampled)
	if err != nil || shown > 0 && unknown*2 < shown {
		return err
	}
	v, err := f.view(index)
	if err == nil && f.pictured(index, v) {
		r.Scanned.Add(index + 1)
	}
	return err
}

// undecoded are the rectangles of pictures on the first page that cannot be decoded. They count as ink without words.
func (f *file) undecoded(d drawing, v view) []dispatch.InkArea {
	blank := func(b pdfium.Box) bool { _, found := d.within(v.rect(b)); return !found }
	var all []dispatch.InkArea
	for _, b := range f.doc.Page(0).Undecoded(blank) {
		at := v.rect(b)
		left, top, right, bottom := max(0, at.left), max(0, at.top), min(at.right, v.width), min(at.bottom, v.height)
		if left < right && top < bottom {
			all = append(all, dispatch.InkArea{X: tenths(left), Y: tenths(top), Width: tenths(right - left), Height: tenths(bottom - top)})
		}
	}
	return all
}

// pictured tells whether pictures cover so much of a page that it is a scan.
func (f *file) pictured(index int, v view) bool {
	area := 0.
	for _, b := range f.doc.Page(index).Pictures() {
		at := v.rect(b)
		area += max(0, min(at.right, v.width)-max(at.left, 0)) * max(0, min(at.bottom, v.height)-max(at.top, 0))
	}
	return area > pictured*v.width*v.height
}

// addLater adds a possible address on a later page: only the first words, since addresses are at the top.
func addLater(r *dispatch.FileReading, page int, found []dispatch.Word) {
	switch {
	case len(found) == 0:
	case len(r.Later) == dispatch.MaxLaterPages:
		r.Unread.Add(page)
	default:
		r.Later = append(r.Later, dispatch.PageWords{Page: page, Words: found[:min(len(found), dispatch.MaxLaterWords)]})
	}
}

// aroundCodes returns the words of lines with four digits at the left of the page, where addresses are, and of the
// lines below those.
func aroundCodes(all []dispatch.Word) []dispatch.Word {
	const left = 140 // mm: no address window reaches further
	keep := map[int]bool{}
	for _, w := range all {
		if code := strings.TrimLeft(strings.TrimRight(w.Text, ","), "NO-"); len(code) == 4 && strings.Trim(code, "0123456789") == "" && w.X < left {
			keep[w.Line], keep[w.Line+1] = true, true
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(w dispatch.Word) bool { return !keep[w.Line] || w.X >= left })
}
