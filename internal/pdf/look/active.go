package look

import (
	"slices"
	"strings"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"utsending/internal/dispatch"
)

// describe reads the file's own properties.
func (w *walker) describe(r *dispatch.FileReading) {
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
}

// search looks for active and hidden content: in every reachable object, since actions may be in many places, and new
// versions of the format add more.
type search struct {
	w       *walker
	r       *dispatch.FileReading
	seen    map[int]bool // by object number
	waiting []types.Object
	page    int
}

// active searches the pages first, so that findings on a page have its number, and then the rest.
func (w *walker) active(r *dispatch.FileReading) {
	catalog, err := w.objects.Catalog()
	if err != nil {
		return
	}
	s := &search{w: w, r: r, seen: map[int]bool{}}
	s.passPages()
	for _, p := range w.list {
		s.page = p.number
		s.all(p.node)
	}
	s.page = 0
	s.author()
	s.catalog(catalog)
	s.all(catalog)
}

// passPages keeps links between pages from being followed.
func (s *search) passPages() {
	for number := range s.w.seen {
		s.seen[number] = true
	}
	for number, entry := range s.w.objects.Table {
		if entry == nil || entry.Free {
			continue
		}
		if d, ok := entry.Object.(types.Dict); ok && s.w.name(d, "Type") == "Page" {
			s.seen[number] = true
		}
	}
}

// all visits everything below an object.
func (s *search) all(o types.Object) {
	for s.waiting = append(s.waiting, o); len(s.waiting) > 0; {
		last := len(s.waiting) - 1
		o := s.waiting[last]
		s.waiting = s.waiting[:last]
		s.one(o)
	}
}

func (s *search) one(o types.Object) {
	switch o := o.(type) {
	case types.IndirectRef:
		number := int(o.ObjectNumber)
		entry, found := s.w.objects.FindTableEntryForIndRef(&o)
		if found && !entry.Free && !s.seen[number] {
			s.seen[number] = true
			s.one(entry.Object)
		}
	case types.Array:
		s.waiting = append(s.waiting, o...)
	case types.Dict:
		s.dict(o)
	case types.StreamDict:
		s.dict(o.Dict)
	}
}

func (s *search) dict(d types.Dict) {
	s.action(d)
	s.annotation(d)
	if files, err := s.w.array(d, "AF"); err == nil && len(files) > 0 {
		s.found(dispatch.ActiveFile)
	}
	if _, embeds := d.Find("EF"); embeds {
		s.found(dispatch.ActiveFile)
	}
	for key, o := range d {
		if key != "Parent" || s.w.name(d, "Type") != "Page" {
			s.waiting = append(s.waiting, o)
		}
	}
}

// action records actions. Other entries of this name have other values.
func (s *search) action(d types.Dict) {
	switch s.w.name(d, "S") {
	case "JavaScript":
		s.found(dispatch.ActiveScript)
	case "Launch", "GoToE", "ImportData":
		s.found(dispatch.ActiveLaunch)
	case "Rendition":
		s.found(dispatch.ActiveMedia)
		if _, script := d.Find("JS"); script {
			s.found(dispatch.ActiveScript)
		}
	case "Movie", "Sound", "RichMediaExecute", "GoTo3DView":
		s.found(dispatch.ActiveMedia)
	case "SubmitForm":
		s.found(dispatch.ActiveForm)
	case "URI":
		uri, _ := d.Find("URI")
		if text, err := s.w.objects.DereferenceText(uri); err == nil && strings.HasPrefix(strings.ToLower(strings.TrimSpace(text)), "javascript:") {
			s.found(dispatch.ActiveScript)
		}
	}
}

// annotation records what is on a page.
func (s *search) annotation(d types.Dict) {
	if _, placed := d.Find("Rect"); !placed {
		return
	}
	switch s.w.name(d, "Subtype") {
	case "FileAttachment":
		s.found(dispatch.ActiveFile)
	case "Widget":
		s.found(dispatch.ActiveForm)
	case "Movie", "Sound", "Screen", "3D", "RichMedia":
		s.found(dispatch.ActiveMedia)
	case "Text", "FreeText", "Line", "Square", "Circle", "Polygon", "PolyLine", "Highlight", "Underline", "Squiggly", "StrikeOut", "Stamp", "Caret", "Ink", "Redact":
		s.found(dispatch.ActiveComment)
	}
}

// author records that the file names who wrote it.
func (s *search) author() {
	name, err := s.w.objects.DereferenceText(s.w.info("Author"))
	if err == nil && strings.TrimSpace(name) != "" || property(s.w.description(), "dc:creator") != "" {
		s.found(dispatch.ActiveAuthor)
	}
}

// catalog records what only the catalogue has.
func (s *search) catalog(catalog types.Dict) {
	names, _ := s.w.dict(catalog, "Names")
	if _, found := names.Find("JavaScript"); found {
		s.found(dispatch.ActiveScript)
	}
	if tree, _ := s.w.dict(names, "EmbeddedFiles"); len(tree) > 0 {
		s.found(dispatch.ActiveFile)
	}
	if _, found := catalog.Find("Collection"); found {
		s.found(dispatch.ActivePortfolio)
	}
	form, _ := s.w.dict(catalog, "AcroForm")
	if fields, err := s.w.array(form, "Fields"); err == nil && len(fields) > 0 {
		s.found(dispatch.ActiveForm)
	}
	if _, found := form.Find("XFA"); found {
		s.found(dispatch.ActiveXFA)
	}
	const signatures = 1 // bit of the flags: the file holds one
	if flags, ok := s.w.number(form, "SigFlags"); ok && int(flags)&signatures != 0 {
		s.found(dispatch.ActiveSigned)
	}
}

func (s *search) found(kind dispatch.ActiveKind) {
	if !slices.ContainsFunc(s.r.Active, func(f dispatch.Active) bool { return f.Kind == kind }) {
		s.r.Active = append(s.r.Active, dispatch.Active{Kind: kind, Page: s.page})
	}
}
