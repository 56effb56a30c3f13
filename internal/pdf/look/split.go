package look

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"utsending/internal/dispatch"
	"utsending/internal/pdf"
)

// Split divides a file into slices where cut says, in order, and passes each to take. A slice holds its pages and what they
// show, and nothing else of the file, since each goes to another person. What cannot be divided safely is a problem.
func Split(file []byte, cut dispatch.Cut, take func(slice []byte) error) (problem pdf.Problem, err error) {
	defer func() {
		if recover() != nil {
			problem = pdf.ProblemBroken
		}
	}()
	if !complete(file) {
		return pdf.ProblemBroken, nil
	}
	w, err := walk(file)
	switch {
	case errors.Is(err, pdfcpu.ErrWrongPassword), errors.Is(err, pdfcpu.ErrUnsupportedEncryptionFeature):
		return pdf.ProblemPassword, nil
	case err != nil:
		return pdf.ProblemBroken, nil
	case w.doc.E != nil:
		return pdf.ProblemProtected, nil
	case cut.Pages > 0 && w.pages%cut.Pages != 0:
		return pdf.ProblemUneven, nil
	}
	for _, p := range w.list {
		if w.marked(p.node) {
			return pdf.ProblemMarked, nil
		}
	}
	begins, problem := beginnings(file, cut, w.pages)
	if problem != "" {
		return problem, nil
	}
	for i, first := range begins[:len(begins)-1] {
		slice, err := w.slice(w.list[first:begins[i+1]])
		if err != nil {
			return pdf.ProblemBroken, nil
		}
		if err := take(slice); err != nil {
			return "", err
		}
	}
	return "", nil
}

// beginnings are the pages, from 0, on which slices begin, and the number of pages at the end. Pages before the first letter are
// a slice of their own, unless the file is divided at a mark: then the first page has it.
func beginnings(file []byte, cut dispatch.Cut, pages int) ([]int, pdf.Problem) {
	var at []int
	if cut.Pages > 0 {
		for first := 0; first < pages; first += cut.Pages {
			at = append(at, first)
		}
		return append(at, pages), ""
	}
	f, report := open(file)
	if f == nil {
		return nil, report.Problem
	}
	defer f.Close()
	if f.pages != pages {
		return nil, pdf.ProblemBroken // readers do not agree on its pages
	}
	address, found := "", false
	for n := range pages {
		words, err := f.wordsOf(n)
		if err != nil {
			return nil, pdf.ProblemBroken
		}
		var begins bool
		address, begins = cut.Begins(words, address)
		if found = found || begins; begins || n == 0 && cut.Mark == "" {
			at = append(at, n)
		}
	}
	if !found || at[0] != 0 {
		return nil, pdf.ProblemNoBeginning
	}
	return append(at, pages), ""
}

// marked tells whether a page has annotations other than links: fields and comments belong to the whole file.
func (w *walker) marked(page types.Dict) bool {
	all, _ := w.array(page, "Annots")
	for _, o := range all {
		d, err := w.objects.DereferenceDict(o)
		if err != nil {
			return true
		}
		if d != nil && w.name(d, "Subtype") != "Link" {
			return true
		}
	}
	return false
}

// slice writes a file of some pages.
func (w *walker) slice(pages []page) ([]byte, error) {
	c := &copier{w: w, numbers: map[int]int{}, objects: make([]types.Object, 2)}
	kids := types.Array{}
	for _, p := range pages {
		made, err := c.page(p)
		if err != nil {
			return nil, err
		}
		kids = append(kids, c.add(made))
	}
	root := types.Dict{"Type": types.Name("Catalog"), "Pages": reference(2)}
	catalog, err := w.objects.Catalog()
	if err != nil {
		return nil, err
	}
	for _, key := range []string{"Lang", "OCProperties"} {
		if o, found := catalog.Find(key); found {
			root[key] = c.copy(o)
		}
	}
	c.objects[0], c.objects[1] = root, types.Dict{"Type": types.Name("Pages"), "Kids": kids, "Count": types.Integer(len(pages))}
	if err := c.finish(); err != nil {
		return nil, err
	}
	return c.write(w.objects.VersionString(), ""), nil
}

func reference(number int) types.IndirectRef { return *types.NewIndirectRef(number, 0) }

// copier copies the objects that pages show to a new file. It follows no reference to other pages.
type copier struct {
	w       *walker
	numbers map[int]int // new object numbers by old ones
	waiting []int       // old objects that are referenced and not yet copied
	objects []types.Object
	whole   bool // everything that is referenced is copied
	err     error
}

func (c *copier) add(o types.Object) types.IndirectRef {
	c.objects = append(c.objects, o)
	return reference(len(c.objects))
}

// page copies a page, with only those entries that are known to belong to it.
func (c *copier) page(p page) (types.Dict, error) {
	made := types.Dict{"Type": types.Name("Page"), "Parent": reference(2)}
	for _, key := range []string{"MediaBox", "CropBox", "Rotate"} {
		if o := c.w.inherited(p.node, key); o != nil {
			made[key] = c.copy(o)
		}
	}
	for _, key := range []string{"UserUnit", "Contents", "Group"} {
		if o, found := p.node.Find(key); found {
			made[key] = c.copy(o)
		}
	}
	used := nameSet{}
	for _, o := range c.w.contents(p.node) {
		if o == nil {
			continue
		}
		content, ok := c.w.stream(o)
		if !ok && !c.w.missing(o) {
			return nil, errors.New("content cannot be read")
		}
		used.from(content)
	}
	made["Resources"] = c.resources(p.resources, used)
	if links := c.links(p.node); len(links) > 0 {
		made["Annots"] = links
	}
	return made, nil
}

// missing tells whether an object is a reference to one that does not exist, which is a blank by the specification.
func (w *walker) missing(o types.Object) bool {
	ref, ok := o.(types.IndirectRef)
	if !ok {
		return false
	}
	entry, found := w.objects.FindTableEntryForIndRef(&ref)
	return !found || entry.Free
}

// inherited returns an entry of a page, or of the nodes above it.
func (w *walker) inherited(node types.Dict, key string) types.Object {
	for range maxDepth {
		if o, found := node.Find(key); found {
			return o
		}
		parent, err := w.dict(node, "Parent")
		if err != nil || parent == nil {
			return nil
		}
		node = parent
	}
	return nil
}

// links returns the page's links to URIs. Other links lead to other pages.
func (c *copier) links(page types.Dict) types.Array {
	var made types.Array
	all, _ := c.w.array(page, "Annots")
	for _, o := range all {
		d, err := c.w.objects.DereferenceDict(o)
		if err != nil || d == nil {
			continue
		}
		action, err := c.w.dict(d, "A")
		if err != nil || c.w.name(action, "S") != "URI" {
			continue
		}
		uri, _ := action.Find("URI")
		rect, _ := d.Find("Rect")
		made = append(made, types.Dict{
			"Type": types.Name("Annot"), "Subtype": types.Name("Link"), "Rect": c.copy(rect), "Border": types.Array{types.Integer(0), types.Integer(0), types.Integer(0)},
			"A": types.Dict{"S": types.Name("URI"), "URI": c.copy(uri)},
		})
	}
	return made
}

// resources copies the resources that a content names.
func (c *copier) resources(from types.Dict, used nameSet) types.Dict {
	c.below(from, used, map[string]bool{}, 0)
	made := types.Dict{}
	for _, kind := range names(from) {
		named, err := c.w.objects.DereferenceDict(from[kind])
		if err != nil || named == nil {
			continue // ProcSet, which is obsolete
		}
		kept := types.Dict{}
		for _, name := range names(named) {
			if used[name] {
				kept[name] = c.copy(named[name])
			}
		}
		if len(kept) > 0 {
			made[kind] = kept
		}
	}
	return made
}

// below adds the names in forms and Type 3 glyphs without resources of their own: they use the page's.
func (c *copier) below(from types.Dict, used nameSet, seen map[string]bool, depth int) {
	if depth > maxForms {
		return
	}
	for _, kind := range []string{"XObject", "Pattern", "Font"} {
		named, _ := c.w.dict(from, kind)
		for name, o := range named {
			if key := kind + "/" + name; used[name] && !seen[key] {
				seen[key] = true
				if c.borrowed(o, used) {
					c.below(from, used, seen, depth+1)
				}
			}
		}
	}
}

// borrowed adds the names of the page's resources in one object, and tells whether it may use them.
func (c *copier) borrowed(o types.Object, used nameSet) bool {
	if sd, ok := c.w.streamDict(o); ok {
		if _, own := sd.Dict.Find("Resources"); own || c.w.name(sd.Dict, "Subtype") == "Image" {
			return false
		}
		content, _ := c.w.stream(o)
		used.from(content)
		return true
	}
	d, err := c.w.objects.DereferenceDict(o)
	if err != nil || c.w.name(d, "Subtype") != "Type3" {
		return false
	}
	if _, own := d.Find("Resources"); own {
		return false
	}
	used.fromGlyphs(c.w, d)
	return true
}

// copy copies an object. Objects that it references are queued.
func (c *copier) copy(o types.Object) types.Object {
	switch o := o.(type) {
	case types.IndirectRef:
		return c.refer(o)
	case types.Dict:
		return c.dict(o, nil)
	case types.Array:
		made := make(types.Array, len(o))
		for i := range o {
			made[i] = c.copy(o[i])
		}
		return made
	case nil, types.Name, types.Integer, types.Float, types.Boolean, types.StringLiteral, types.HexLiteral:
		return o
	}
	c.err = fmt.Errorf("object of a kind that is not copied: %T", o)
	return nil
}

// refer returns a reference to the copy of an object, and queues the object.
func (c *copier) refer(ref types.IndirectRef) types.Object {
	if c.w.missing(ref) {
		return nil
	}
	old := int(ref.ObjectNumber)
	if made, there := c.numbers[old]; there {
		return reference(made)
	}
	made := c.add(nil)
	c.numbers[old] = int(made.ObjectNumber)
	c.waiting = append(c.waiting, old)
	return made
}

// finish copies the queued objects, and those that they reference.
func (c *copier) finish() error {
	for len(c.waiting) > 0 && c.err == nil {
		old := c.waiting[0]
		c.waiting = c.waiting[1:]
		ref := reference(old)
		entry, _ := c.w.objects.FindTableEntryForIndRef(&ref)
		if sd, ok := entry.Object.(types.StreamDict); ok {
			c.objects[c.numbers[old]-1] = c.streamOf(ref, sd)
			continue
		}
		c.objects[c.numbers[old]-1] = c.copy(entry.Object)
	}
	return c.err
}

func (c *copier) streamOf(ref types.IndirectRef, sd types.StreamDict) types.Object {
	if sd.Raw == nil {
		c.err = errors.New("stream cannot be read")
	}
	var used nameSet
	if _, own := sd.Dict.Find("Resources"); own && !c.whole {
		content, ok := c.w.stream(ref)
		if !ok {
			c.err = errors.New("content of a form cannot be read")
		}
		used = nameSet{}
		used.from(content)
	}
	made := c.dict(sd.Dict, used)
	delete(made, "F") // a stream is never in another file
	made["Length"] = types.Integer(len(sd.Raw))
	return types.StreamDict{Dict: made, Raw: sd.Raw}
}

// aside are entries that lead outside what a page shows: other pages, the structure tree, attachments.
var aside = []string{"Parent", "StructParent", "StructParents", "Metadata", "PieceInfo", "Dest", "Thumb", "AA", "Annots", "Next", "Prev", "Popup", "IRT", "AF", "Ref", "OPI", "LastModified"}

// dict copies a dictionary. Where the used resources are known, others are dropped.
func (c *copier) dict(d types.Dict, used nameSet) types.Dict {
	if c.whole {
		made := types.Dict{}
		for _, key := range names(d) {
			made[key] = c.copy(d[key])
		}
		return made
	}
	switch c.w.name(d, "Type") {
	case "Page", "Pages", "Catalog", "Template":
		return types.Dict{} // a reference to another page
	}
	if used == nil && c.w.name(d, "Subtype") == "Type3" {
		used = nameSet{}
		used.fromGlyphs(c.w, d)
	}
	made := types.Dict{}
	for _, key := range names(d) {
		switch {
		case slices.Contains(aside, key):
		case key == "Resources" && used != nil:
			from, _ := c.w.objects.DereferenceDict(d[key])
			made[key] = c.resources(from, used)
		default:
			made[key] = c.copy(d[key])
		}
	}
	return made
}

// nameSet are the names in a content: those of resources, and possibly others, which are harmless.
type nameSet map[string]bool

// from adds the names in a content.
func (n nameSet) from(content []byte) {
	for i := 0; i < len(content); i++ {
		if content[i] != '/' {
			continue
		}
		end := i + 1
		for end < len(content) && !bytes.ContainsRune([]byte("\x00\t\n\f\r ()<>[]{}/%"), rune(content[end])) {
			end++
		}
		name := string(content[i+1 : end])
		n[name] = true
		if decoded, err := types.DecodeName(name); err == nil {
			n[decoded] = true
		}
		i = end - 1
	}
}

// fromGlyphs adds the names in the glyphs of a Type 3 font.
func (n nameSet) fromGlyphs(w *walker, font types.Dict) {
	letters, _ := w.dict(font, "CharProcs")
	for _, o := range letters {
		content, _ := w.stream(o)
		n.from(content)
	}
}

// write writes the file, with further entries of the trailer.
func (c *copier) write(version, trailer string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%%PDF-%s\n%%\xe2\xe3\xcf\xd3\n", version)
	starts := make([]int, len(c.objects))
	for i, o := range c.objects {
		starts[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n", i+1)
		switch o := o.(type) {
		case nil:
			b.WriteString("null")
		case types.StreamDict:
			b.WriteString(o.Dict.PDFString() + "\nstream\n")
			b.Write(o.Raw)
			b.WriteString("\nendstream")
		default:
			b.WriteString(o.PDFString())
		}
		b.WriteString("\nendobj\n")
	}
	table := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(starts)+1)
	for _, start := range starts {
		fmt.Fprintf(&b, "%010d 00000 n \n", start)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R%s >>\nstartxref\n%d\n%%%%EOF\n", len(starts)+1, trailer, table)
	return b.Bytes()
}
