package look

import (
	"errors"
	"math"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"utsending/internal/dispatch"
)

const (
	maxDepth     = 100
	mmPerPoint   = 25.4 / 72
	longestPage  = 1e6 // mm
	letterWidth  = 612 // points: what readers assume of a page that does not tell its size
	letterHeight = 792
)

// walker goes through the page tree. The parser has one too, but it lets a page inherit the size of the page before it.
type walker struct {
	objects *model.XRefTable
	seen    map[int]bool // inner nodes, by object number
	pages   int
	sizes   []dispatch.PageSize
	list    []page
	fonts   map[string]*font // by reference
}

// page is one page with what it takes from the tree above it, in points.
type page struct {
	number                      int
	node, resources             types.Dict
	left, bottom, width, height float64
	rotate                      int
	unit                        float64
}

// inherited is what a page takes from the nodes above it.
type inherited struct {
	left, bottom, width, height float64 // points
	rotate                      int     // degrees
	resources                   types.Dict
}

func walkPages(objects *model.XRefTable) (*walker, error) {
	w := &walker{objects: objects, seen: map[int]bool{}, fonts: map[string]*font{}}
	catalog, err := objects.Catalog()
	if err != nil {
		return nil, err
	}
	node, _ := catalog.Find("Pages")
	if err := w.walk(node, inherited{width: letterWidth, height: letterHeight}, 0); err != nil {
		return nil, err
	}
	root, err := objects.DereferenceDict(node)
	if err != nil {
		return nil, err
	}
	if count, ok := w.number(root, "Count"); !ok || int(count) != w.pages {
		return nil, errors.New("readers would not agree on the number of pages")
	}
	return w, nil
}

func (w *walker) walk(o types.Object, from inherited, depth int) error {
	node, err := w.objects.DereferenceDict(o)
	if err != nil {
		return err
	}
	if node == nil || depth > maxDepth {
		return errors.New("page tree: missing or too deep node")
	}
	from = w.inherit(node, from)
	if _, inner := node.Find("Kids"); !inner {
		return w.page(node, from)
	}
	if ref, ok := o.(types.IndirectRef); ok {
		if w.seen[int(ref.ObjectNumber)] {
			return errors.New("page tree: node in two places")
		}
		w.seen[int(ref.ObjectNumber)] = true
	}
	kids, err := w.array(node, "Kids")
	if err != nil {
		return err
	}
	for _, kid := range kids {
		if err := w.walk(kid, from, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) inherit(node types.Dict, from inherited) inherited {
	if left, bottom, width, height, ok := w.box(node); ok {
		from.left, from.bottom, from.width, from.height = left, bottom, width, height
	}
	if resources, err := w.dict(node, "Resources"); err == nil && resources != nil {
		from.resources = resources
	}
	if degrees, ok := w.number(node, "Rotate"); ok {
		from.rotate = int(degrees)
	}
	return from
}

func (w *walker) page(node types.Dict, from inherited) error {
	if w.lost(node) {
		return errors.New("page: content cannot be read")
	}
	unit, ok := w.number(node, "UserUnit")
	if !ok || unit <= 0 {
		unit = 1
	}
	width, height := from.width*unit, from.height*unit
	if quarter := from.rotate % 180; quarter == 90 || quarter == -90 {
		width, height = height, width
	}
	w.pages++
	w.list = append(w.list, page{w.pages, node, from.resources, from.left, from.bottom, from.width, from.height, from.rotate, unit})
	w.count(millimetres(width), millimetres(height))
	return nil
}

func (w *walker) count(width, height float64) {
	for i := range w.sizes {
		if s := &w.sizes[i]; s.Width == width && s.Height == height {
			s.Pages++
			return
		}
	}
	if len(w.sizes) < dispatch.MaxPageSizes {
		w.sizes = append(w.sizes, dispatch.PageSize{Width: width, Height: height, First: w.pages, Pages: 1})
	}
}

func millimetres(points float64) float64 {
	mm := math.Round(points*mmPerPoint*10) / 10
	return min(max(mm, 0.1), longestPage)
}
