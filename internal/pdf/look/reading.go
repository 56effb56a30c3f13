package look

import (
	"slices"
	"strings"
	"time"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"utsending/internal/dispatch"
	"utsending/internal/pdf"
)

// read finds out what a file holds, beyond its pages. What it does not understand it leaves unread.
func (w *walker) read(later bool) *dispatch.FileReading {
	r := &dispatch.FileReading{Version: w.objects.VersionString(), Restricted: w.objects.E != nil, Sizes: w.sizes, LaterRead: later}
	readable := safely(func() { w.readCatalog(r) })
	readable = safely(func() { w.readResources(r) }) && readable
	readable = safely(func() { w.readContent(r) }) && readable
	if !readable && r.Unread.Count == 0 {
		for _, p := range w.list {
			r.Unread.Add(p.number)
		}
	}
	return r
}

// safely runs what a file may make fail, and tells whether it did not.
func safely(f func()) (ok bool) {
	defer func() { ok = recover() == nil }()
	f()
	return true
}

func (w *walker) readCatalog(r *dispatch.FileReading) {
	catalog, err := w.objects.Catalog()
	if err != nil {
		return
	}
	marks, _ := w.dict(catalog, "MarkInfo")
	marked, _ := marks.Find("Marked")
	yes, _ := w.objects.DereferenceBoolean(marked, 0)
	_, tree := catalog.Find("StructTreeRoot")
	r.Tagged = tree && yes != nil && yes.Value()
	language, _ := catalog.Find("Lang")
	text, err := w.objects.DereferenceText(language)
	r.Language = language != nil && err == nil && strings.TrimSpace(text) != ""

	a := active{w: w, r: r, seen: map[string]bool{}}
	a.document(catalog)
	for _, p := range w.list {
		a.page(p)
	}
}

// readContent goes through the pages: the first one for its words, the others until there is a word, or for what may be an
// address.
func (w *walker) readContent(r *dispatch.FileReading) {
	b := &budget{ends: time.Now().Add(min(contentTime+pdf.PagesCPU(w.pages), mostContentTime)), bytes: contentBytes}
	for _, p := range w.list {
		painter := newPainter(w, b, p)
		painter.all = p.number == 1 || r.LaterRead
		if b.spent() || !safely(painter.paint) {
			painter.gaveUp = true
		}
		legible := painter.shown > 0 && painter.unknown*2 < painter.shown
		switch {
		case painter.gaveUp:
			r.Unread.Add(p.number)
		case !legible && painter.pictures > pictured:
			r.Scanned.Add(p.number)
		}
		if p.number == 1 && !painter.gaveUp && legible {
			r.Text, r.Words = true, words(painter.glyphs)
		}
		if p.number > 1 && r.LaterRead {
			addLater(r, p.number, aroundCodes(words(painter.glyphs)))
		}
	}
}

// addLater adds what may be an address on a later page: the first words of it, since addresses stand at the top.
func addLater(r *dispatch.FileReading, page int, found []dispatch.Word) {
	switch {
	case len(found) == 0:
	case len(r.Later) == dispatch.MaxLaterPages:
		r.Unread.Add(page)
	default:
		r.Later = append(r.Later, dispatch.PageWords{Page: page, Words: found[:min(len(found), dispatch.MaxLaterWords)]})
	}
}

// aroundCodes are the words of lines with four digits in the left part of the page, where addresses stand, and of the lines
// below those.
func aroundCodes(all []dispatch.Word) []dispatch.Word {
	const left = 140 // mm: no window reaches further
	keep := map[int]bool{}
	for _, w := range all {
		if code := strings.TrimLeft(strings.TrimRight(w.Text, ","), "NO-"); len(code) == 4 && strings.Trim(code, "0123456789") == "" && w.X < left {
			keep[w.Line], keep[w.Line+1] = true, true
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(w dispatch.Word) bool { return !keep[w.Line] || w.X >= left })
}

// readResources finds the fonts that are not embedded.
func (w *walker) readResources(r *dispatch.FileReading) {
	seen := map[string]bool{}
	for _, p := range w.list {
		w.fontsOf(r, p.resources, p.number, seen, 0)
	}
}

func (w *walker) fontsOf(r *dispatch.FileReading, resources types.Dict, page int, seen map[string]bool, depth int) {
	fonts, _ := w.dict(resources, "Font")
	for _, name := range names(fonts) {
		o := fonts[name]
		if first(seen, o) {
			w.fontUse(r, o, page)
		}
	}
	if depth > maxForms {
		return
	}
	xobjects, _ := w.dict(resources, "XObject")
	for _, name := range names(xobjects) {
		o := xobjects[name]
		if !first(seen, o) {
			continue
		}
		if sd, ok := w.streamDict(o); ok && w.name(sd.Dict, "Subtype") == "Form" {
			own, _ := w.dict(sd.Dict, "Resources")
			w.fontsOf(r, own, page, seen, depth+1)
		}
	}
}

// first tells whether an object has not been met before. What is no reference is always new.
func first(seen map[string]bool, o types.Object) bool {
	ref, ok := o.(types.IndirectRef)
	if !ok {
		return true
	}
	key := ref.String()
	new := !seen[key]
	seen[key] = true
	return new
}

func names(d types.Dict) []string {
	var all []string
	for name := range d {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

func (w *walker) fontUse(r *dispatch.FileReading, o types.Object, page int) {
	d, err := w.objects.DereferenceDict(o)
	if err != nil || d == nil || len(r.Fonts) >= dispatch.MaxFonts {
		return
	}
	kind, name := w.name(d, "Subtype"), w.name(d, "BaseFont")
	if kind == "Type0" {
		below, err := w.array(d, "DescendantFonts")
		if err != nil || len(below) == 0 {
			return
		}
		if d, err = w.objects.DereferenceDict(below[0]); err != nil || d == nil {
			return
		}
	}
	if kind == "Type3" || everywhere(name) || w.embedded(d) {
		return
	}
	if name = clean(name); name == "" {
		name = "?"
	}
	if !slices.ContainsFunc(r.Fonts, func(f dispatch.FontUse) bool { return f.Name == name }) {
		r.Fonts = append(r.Fonts, dispatch.FontUse{Name: name, Page: page})
	}
}

func (w *walker) embedded(font types.Dict) bool {
	descriptor, err := w.dict(font, "FontDescriptor")
	if err != nil {
		return false
	}
	for _, key := range []string{"FontFile", "FontFile2", "FontFile3"} {
		if o, found := descriptor.Find(key); found {
			_, ok := w.streamDict(o)
			return ok
		}
	}
	return false
}

// everywhere tells whether every printer has a font: the fourteen of the format, and Arial, which takes Helvetica's place
// (product facts: Norwegian print rules).
func everywhere(name string) bool {
	for _, family := range []string{"Helvetica", "Courier", "Times", "Symbol", "ZapfDingbats", "Arial", "TimesNewRoman", "CourierNew"} {
		rest, found := strings.CutPrefix(name, family)
		if found && (rest == "" || rest[0] == '-' || rest[0] == ',' || rest == "MT" || rest == "PSMT" || strings.HasPrefix(rest, "PS-")) {
			return true
		}
	}
	return false
}
