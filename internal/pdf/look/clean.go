package look

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"image"
	"math"
	"slices"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"utsending/internal/dispatch"
	"utsending/internal/pdf"
)

// Clean returns a copy of a file without comments, author, attachments, scripts and media, and with its fields made part of the
// page. Its text and tags stay. The copy is written from what the catalogue and the pages lead to, so that nothing that was
// removed is left in the bytes, and its pages are compared with those of the file: where nothing lay on them, they are the same.
func Clean(content []byte) (made []byte, done dispatch.Cleaning, problem pdf.Problem) {
	defer func() {
		if recover() != nil {
			made, problem = nil, pdf.ProblemBroken
		}
	}()
	f, report := open(content)
	if f == nil {
		return nil, done, report.Problem
	}
	defer f.Close()
	before, problem := f.cleanable()
	if problem != "" {
		return nil, done, problem
	}
	w, err := f.dressed()
	if err != nil {
		return nil, done, pdf.ProblemBroken
	}
	c := newCleaner(w)
	if err := c.clean(); err != nil {
		return nil, done, pdf.ProblemBroken
	}
	if made, err = c.write(); err != nil {
		return nil, done, pdf.ProblemBroken
	}
	done, problem = f.compare(made, c)
	for _, k := range dispatch.Cleanable() {
		if slices.Contains(before, k) && !slices.Contains(done.Kept, k) {
			done.Removed = append(done.Removed, k)
		}
	}
	if problem == "" && len(done.Removed) == 0 {
		problem = pdf.ProblemUnchanged
	}
	return made, done, problem
}

// cleanable returns the kinds of content in a file that may be changed.
func (f *file) cleanable() ([]dispatch.ActiveKind, pdf.Problem) {
	if f.objects == nil {
		return nil, pdf.ProblemBroken
	}
	kinds, searched := f.kinds()
	has := func(all ...dispatch.ActiveKind) bool {
		return slices.ContainsFunc(all, func(k dispatch.ActiveKind) bool { return slices.Contains(kinds, k) })
	}
	switch {
	case !searched:
		return nil, pdf.ProblemBroken
	case f.doc.Restricted():
		return nil, pdf.ProblemProtected
	case has(dispatch.ActiveSigned), f.objects.signed():
		return nil, pdf.ProblemSigned
	case has(dispatch.ActiveXFA, dispatch.ActivePortfolio):
		return nil, pdf.ProblemBound
	}
	return kinds, ""
}

// kinds returns the kinds of active content that a file has.
func (f *file) kinds() (kinds []dispatch.ActiveKind, searched bool) {
	var r dispatch.FileReading
	if f.objects == nil || !safely(func() { f.objects.active(&r) }) {
		return nil, false
	}
	for _, a := range r.Active {
		kinds = append(kinds, a.Kind)
	}
	return kinds, true
}

// signed tells whether any object is a signature: its flag in the form may be missing.
func (w *walker) signed() bool {
	for _, entry := range w.objects.Table {
		if entry == nil || entry.Free {
			continue
		}
		if d, ok := entry.Object.(types.Dict); ok {
			if _, found := d.Find("ByteRange"); found {
				return true
			}
		}
	}
	return false
}

// dressed returns the objects of the file, where fields that are drawn have an appearance: PDFium makes those that are missing.
func (f *file) dressed() (*walker, error) {
	if !f.objects.bare() {
		return f.objects, nil
	}
	for n, p := range f.objects.list {
		if fields, _ := f.objects.array(p.node, "Annots"); len(fields) > 0 {
			if err := f.doc.Page(n).Dress(); err != nil {
				return nil, err
			}
		}
	}
	copied, err := f.doc.Copy(maxCopy)
	if err != nil {
		return nil, err
	}
	return walk(copied)
}

// bare tells whether a field may lack its appearance.
func (w *walker) bare() bool {
	catalog, _ := w.objects.Catalog()
	form, _ := w.dict(catalog, "AcroForm")
	needs, _ := form.Find("NeedAppearances")
	if yes, err := w.objects.DereferenceBoolean(needs, 0); err == nil && yes != nil && yes.Value() {
		return true
	}
	for _, p := range w.list {
		all, _ := w.array(p.node, "Annots")
		for _, o := range all {
			d, err := w.objects.DereferenceDict(o)
			if err != nil || w.name(d, "Subtype") != "Widget" {
				continue
			}
			if look, _ := w.dict(d, "AP"); look["N"] == nil {
				return true
			}
		}
	}
	return false
}

// compare holds a copy against the file, and returns what is left in it and which pages look different. Pages on which nothing
// was changed have to look the same.
func (f *file) compare(made []byte, c *cleaner) (done dispatch.Cleaning, problem pdf.Problem) {
	copied, _ := open(made)
	if copied == nil {
		return done, pdf.ProblemBroken
	}
	defer copied.Close()
	kept, searched := copied.kinds()
	if copied.pages != f.pages || copied.copied || !searched {
		return done, pdf.ProblemBroken
	}
	for n := range f.pages {
		same, err := f.same(copied, n)
		switch {
		case err != nil:
			return done, pdf.ProblemBroken
		case !same && !c.touched[n]:
			return done, pdf.ProblemAltered
		case !same, c.drawnOn[n]:
			done.Changed.Add(n + 1)
		}
	}
	for _, k := range dispatch.Cleanable() {
		if slices.Contains(kept, k) {
			done.Kept = append(done.Kept, k)
		}
	}
	return done, ""
}

// same tells whether a page looks as it did.
func (f *file) same(copied *file, index int) (bool, error) {
	before, err := f.small(index)
	if err != nil {
		return false, err
	}
	after, err := copied.small(index)
	if err != nil {
		return false, err
	}
	return before.Rect == after.Rect && bytes.Equal(before.Pix, after.Pix), nil
}

// small draws a page in a size in which a word that is missing can be seen.
func (f *file) small(index int) (*image.RGBA, error) {
	const scale = 1.5
	v, err := f.view(index)
	if err != nil {
		return nil, err
	}
	size := func(mm float64) int { return min(max(1, int(math.Round(mm*scale))), maxPixels/10) }
	return f.doc.Page(index).Draw(size(v.width), size(v.height))
}

// cleaner changes the objects of a file in place.
type cleaner struct {
	w       *walker
	catalog types.Dict
	next    int                 // the next free object number
	tags    *tags               // nil: the file is not tagged
	gone    map[int]*types.Dict // annotations by object number, with what stands for each in the tags, if anything does
	touched map[int]bool        // pages, from 0, off which something was taken
	drawnOn map[int]bool        // pages, from 0, onto which fields were drawn
	meta    *types.IndirectRef  // description of the file
	title   types.Object
	held    bool // the form is kept, since a field has no appearance
}

func newCleaner(w *walker) *cleaner {
	c := &cleaner{w: w, gone: map[int]*types.Dict{}, touched: map[int]bool{}, drawnOn: map[int]bool{}}
	for number := range w.objects.Table {
		c.next = max(c.next, number+1)
	}
	return c
}

// add adds an object.
func (c *cleaner) add(o types.Object) types.IndirectRef {
	number := c.next
	c.next++
	c.w.objects.Table[number] = newEntry(o)
	return reference(number)
}

func (c *cleaner) addStream(entries types.Dict, content string) types.IndirectRef {
	d := types.Dict{"Length": types.Integer(len(content))}
	for key, o := range entries {
		d[key] = o
	}
	return c.add(types.StreamDict{Dict: d, Raw: []byte(content)})
}

func (c *cleaner) clean() (err error) {
	if c.catalog, err = c.w.objects.Catalog(); err != nil {
		return err
	}
	c.held = c.w.unseen()
	c.tags = readTags(c)
	for n, p := range c.w.list {
		if err := c.page(n, p); err != nil {
			return err
		}
	}
	if c.tags != nil {
		c.tags.store(c)
	}
	c.describe()
	c.root()
	c.sweep()
	for number := range c.gone { // nothing leads to what was in them
		c.w.objects.Table[number].Object = nil
	}
	return nil
}

// rootKeys are the entries of the catalogue that stay.
var rootKeys = []string{"Type", "Version", "Extensions", "Pages", "PageLabels", "Names", "Dests", "ViewerPreferences", "PageLayout", "Outlines", "OpenAction",
	"StructTreeRoot", "MarkInfo", "Lang", "OutputIntents", "OCProperties", "URI"}

func (c *cleaner) root() {
	for _, key := range names(c.catalog) {
		if !slices.Contains(rootKeys, key) && !(c.held && key == "AcroForm") {
			delete(c.catalog, key)
		}
	}
	if named, _ := c.w.dict(c.catalog, "Names"); named != nil {
		kept := types.Dict{}
		if o, found := named.Find("Dests"); found {
			kept["Dests"] = o
		}
		c.catalog["Names"] = kept
	}
	if c.meta != nil {
		c.catalog["Metadata"] = *c.meta
	}
}

// write writes what the catalogue leads to.
func (c *cleaner) write() ([]byte, error) {
	out := &copier{w: c.w, whole: true, numbers: map[int]int{}, objects: make([]types.Object, 1)}
	if root := c.w.objects.Root; root != nil {
		out.numbers[int(root.ObjectNumber)] = 1
	}
	out.objects[0] = out.copy(c.catalog)
	trailer := ""
	if c.title != nil {
		trailer = fmt.Sprintf(" /Info %s", out.add(types.Dict{"Title": out.copy(c.title)}).PDFString())
	}
	if err := out.finish(); err != nil {
		return nil, err
	}
	version := c.w.objects.VersionString()
	sum := sha256.Sum256(out.write(version, trailer))
	return out.write(version, fmt.Sprintf("%s /ID [<%x> <%x>]", trailer, sum[:16], sum[:16])), nil
}
