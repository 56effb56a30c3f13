package look

import (
	"slices"
	"strings"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"utsending/internal/dispatch"
)

// fonts finds the fonts that are not embedded.
func (w *walker) fonts(r *dispatch.FileReading) {
	seen := map[string]bool{}
	for _, p := range w.list {
		w.eachFont(p.resources, seen, 0, func(o types.Object) { w.fontUse(r, o, p.number) })
	}
}

// eachFont calls f with the fonts of a page's resources, and of the forms in them, each once.
func (w *walker) eachFont(resources types.Dict, seen map[string]bool, depth int, f func(types.Object)) {
	fonts, _ := w.dict(resources, "Font")
	for _, name := range names(fonts) {
		if o := fonts[name]; first(seen, o) {
			f(o)
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
			w.eachFont(own, seen, depth+1, f)
		}
	}
}

// first tells whether an object has not been visited. Direct objects always count as new.
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
	composite := kind == "Type0"
	if composite {
		below, err := w.array(d, "DescendantFonts")
		if err != nil || len(below) == 0 {
			return
		}
		if d, err = w.objects.DereferenceDict(below[0]); err != nil || d == nil {
			return
		}
	}
	// The glyphs of a composite font are numbers, which are another font's in the next printer.
	if kind == "Type3" || !composite && everywhere(name) || w.embedded(d) {
		return
	}
	if name = clean(name); name == "" {
		name = "?"
	}
	if !slices.ContainsFunc(r.Fonts, func(f dispatch.FontUse) bool { return f.Name == name }) {
		r.Fonts = append(r.Fonts, dispatch.FontUse{Name: name, Page: page})
	}
}

// mute tells which fonts of a page lack character codes: their codes denote only glyphs of the font itself, without a
// map to Unicode. nil: none.
func (f *file) mute(index int) func(font string) bool {
	if f.objects == nil {
		return nil
	}
	w, silent := f.objects, map[string]bool{}
	w.eachFont(f.objects.list[index].resources, map[string]bool{}, 0, func(o types.Object) {
		if d, err := w.objects.DereferenceDict(o); err == nil && w.silent(d) {
			silent[bareName(w.name(d, "BaseFont"))] = true
		}
	})
	if len(silent) == 0 {
		return nil
	}
	return func(font string) bool { return silent[bareName(font)] }
}

// silent tells whether a font has only symbols of its own.
func (w *walker) silent(font types.Dict) bool {
	const symbolic = 1 << 2
	descriptor, _ := w.dict(font, "FontDescriptor")
	flags, _ := w.number(descriptor, "Flags")
	_, mapped := font.Find("ToUnicode")
	_, encoded := font.Find("Encoding")
	return w.name(font, "Subtype") == "TrueType" && int(flags)&symbolic != 0 && !mapped && !encoded && w.embedded(font)
}

// bareName is a font's name without its subset prefix.
func bareName(name string) string {
	if len(name) > 7 && name[6] == '+' {
		return name[7:]
	}
	return name
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

// everywhere tells whether every printer has a font: the fourteen standard fonts, and Arial, which replaces Helvetica
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
