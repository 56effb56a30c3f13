package look

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

func newEntry(o types.Object) *model.XRefTableEntry { return model.NewXRefTableEntryGen0(o) }

// flattened are annotations that are part of what the page says: they become part of the page. Assumption: text, stamps and
// handwriting laid upon a letter belong to it, while notes, highlights and shapes are remarks about it.
var flattened = []string{"Widget", "FreeText", "Stamp", "Ink", "Watermark", "Screen", "RichMedia", "3D", "Movie", "Sound", "PrinterMark", "TrapNet"}

// printedFlag and hiddenFlag are bits of an annotation's flags.
const (
	hiddenFlag  = 2
	printedFlag = 4
)

// page takes everything but links off a page. What is printed of fields becomes part of its content.
func (c *cleaner) page(index int, p page) error {
	all, err := c.w.array(p.node, "Annots")
	if err != nil {
		return err
	}
	var kept types.Array
	d := &stamper{c: c, page: p}
	for _, o := range all {
		a, err := c.w.objects.DereferenceDict(o)
		if err != nil {
			return err
		}
		kind := c.w.name(a, "Subtype")
		switch {
		case a == nil:
			continue
		case kind == "Link", kind == "Widget" && c.held:
			kept = append(kept, o)
			continue
		}
		c.touched[index] = true
		var tag *types.Dict
		if c.stays(kind, a) {
			tag, err = d.stamp(o, a)
			if err != nil {
				return err
			}
		}
		if kind == "Widget" {
			c.drawnOn[index] = true
		}
		if ref, ok := o.(types.IndirectRef); ok {
			c.gone[int(ref.ObjectNumber)] = tag
		}
	}
	if delete(p.node, "Annots"); len(kept) > 0 {
		p.node["Annots"] = kept
	}
	d.finish()
	return nil
}

// stays tells whether an annotation becomes part of the page.
func (c *cleaner) stays(kind string, a types.Dict) bool {
	return slices.Contains(flattened, kind) && c.w.prints(a) && !(kind == "FreeText" && c.w.name(a, "IT") == "FreeTextCallout")
}

// prints tells whether an annotation is printed.
func (w *walker) prints(a types.Dict) bool {
	flags, _ := w.number(a, "F")
	return int(flags)&hiddenFlag == 0 && int(flags)&printedFlag != 0
}

// appearance returns what an annotation looks like now; nil when it has none.
func (w *walker) appearance(a types.Dict) types.Object {
	looks, _ := w.dict(a, "AP")
	normal, found := looks.Find("N")
	if !found {
		return nil
	}
	if _, is := w.streamDict(normal); is {
		return normal
	}
	states, err := w.objects.DereferenceDict(normal)
	if err != nil {
		return nil
	}
	if o, found := states.Find(w.name(a, "AS")); found {
		if _, is := w.streamDict(o); is {
			return o
		}
	}
	return nil
}

// unseen tells whether a field with a value that is printed has no appearance, so that its value would be lost.
func (w *walker) unseen() bool {
	for _, p := range w.list {
		all, _ := w.array(p.node, "Annots")
		for _, o := range all {
			a, err := w.objects.DereferenceDict(o)
			if err == nil && w.name(a, "Subtype") == "Widget" && w.prints(a) && w.appearance(a) == nil && w.filled(a) {
				return true
			}
		}
	}
	return false
}

// filled tells whether a field of text or choice has a value.
func (w *walker) filled(field types.Dict) bool {
	kind, value := w.inherited(field, "FT"), w.inherited(field, "V")
	kind, _ = w.objects.Dereference(kind)
	if name, ok := kind.(types.Name); !ok || name != "Tx" && name != "Ch" {
		return false
	}
	text, err := w.objects.DereferenceText(value)
	return value != nil && (err != nil || strings.TrimSpace(text) != "")
}

// stamper draws the appearances of annotations onto a page.
type stamper struct {
	c       *cleaner
	page    page
	content strings.Builder
	forms   types.Dict
}

// stamp draws one, and returns what stands for it in the tags of the page; nil when it is not tagged.
func (s *stamper) stamp(o types.Object, a types.Dict) (tag *types.Dict, err error) {
	look := s.c.w.appearance(a)
	if look == nil {
		return nil, nil
	}
	sd, _ := s.c.w.streamDict(look)
	place, ok := s.place(a, sd.Dict)
	if !ok {
		return nil, nil
	}
	sd.Dict["Subtype"] = types.Name("Form")
	if layer, found := a.Find("OC"); found && sd.Dict["OC"] == nil {
		sd.Dict["OC"] = layer
	}
	if s.forms == nil {
		s.forms = types.Dict{}
	}
	name := s.free()
	s.forms[name] = look
	begin, end := "", ""
	if ref, is := o.(types.IndirectRef); is && s.c.tags != nil {
		if id, t := s.c.tags.mark(s.c, s.page.node, int(ref.ObjectNumber)); t != nil {
			begin, end, tag = fmt.Sprintf("/%s << /MCID %d >> BDC\n", "Form", id), "EMC\n", t
		}
	}
	fmt.Fprintf(&s.content, "%sq %s cm /%s Do Q\n%s", begin, place, name, end)
	return tag, nil
}

// free is a name that no form on the page has.
func (s *stamper) free() string {
	named, _ := s.c.w.dict(s.page.resources, "XObject")
	for n := len(s.forms); ; n++ {
		name := "Felt" + strconv.Itoa(n)
		if named[name] == nil && s.forms[name] == nil {
			return name
		}
	}
}

// place is the matrix that brings an appearance to its annotation's rectangle (ISO 32000, 12.5.5).
func (s *stamper) place(a, look types.Dict) (string, bool) {
	rect, ok := s.c.w.numbers(a, "Rect", 4)
	box, boxed := s.c.w.numbers(look, "BBox", 4)
	if !ok || !boxed {
		return "", false
	}
	m, turned := s.c.w.numbers(look, "Matrix", 6)
	if !turned {
		m = []float64{1, 0, 0, 1, 0, 0}
	}
	left, bottom, right, top := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, x := range []float64{box[0], box[2]} {
		for _, y := range []float64{box[1], box[3]} {
			left, right = min(left, m[0]*x+m[2]*y+m[4]), max(right, m[0]*x+m[2]*y+m[4])
			bottom, top = min(bottom, m[1]*x+m[3]*y+m[5]), max(top, m[1]*x+m[3]*y+m[5])
		}
	}
	if right <= left || top <= bottom {
		return "", false
	}
	wide, high := math.Abs(rect[2]-rect[0])/(right-left), math.Abs(rect[3]-rect[1])/(top-bottom)
	n := func(f float64) string { return strconv.FormatFloat(f, 'f', 5, 64) }
	return strings.Join([]string{n(wide), "0 0", n(high), n(min(rect[0], rect[2]) - left*wide), n(min(rect[1], rect[3]) - bottom*high)}, " "), true
}

// numbers returns an entry that is an array of so many numbers.
func (w *walker) numbers(d types.Dict, key string, n int) ([]float64, bool) {
	list, err := w.array(d, key)
	if err != nil || len(list) != n {
		return nil, false
	}
	all := make([]float64, n)
	for i, o := range list {
		var ok bool
		if all[i], ok = w.finite(o); !ok {
			return nil, false
		}
	}
	return all, true
}

// finish appends to the page's content what was drawn. Resources may be shared with other pages, so the page gets its own.
func (s *stamper) finish() {
	if s.content.Len() == 0 {
		return
	}
	resources := maps.Clone(s.page.resources)
	if resources == nil {
		resources = types.Dict{}
	}
	named, _ := s.c.w.dict(resources, "XObject")
	if named = maps.Clone(named); named == nil {
		named = types.Dict{}
	}
	maps.Copy(named, s.forms)
	resources["XObject"] = named
	node := s.page.node
	node["Resources"] = resources
	contents := types.Array{s.c.addStream(nil, "q\n")}
	contents = append(contents, s.c.w.contents(node)...)
	node["Contents"] = append(contents, s.c.addStream(nil, "\nQ\n"+s.content.String()))
}
