package look

import (
	"bytes"
	"errors"

	// Not pkg/api: it links a package that allocates 2 MB of character widths before main, in 20-40 ms.
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/validate"

	"utsending/internal/pdf/parser"
)

const (
	// maxDecoded limits the inflated size of a stream.
	maxDecoded = 64 << 20
	maxDepth   = 100
	maxForms   = 12 // nested in each other
)

// walker walks the objects of a file. list is its pages in order.
type walker struct {
	doc     *model.Context
	objects *model.XRefTable
	seen    map[int]bool // inner nodes of the page tree, by object number
	pages   int
	list    []page
}

// page is a page with its inherited entries.
type page struct {
	number          int
	node, resources types.Dict
	unit            float64
}

// walk reads the objects of a file and walks its page tree. The parser's own walk lets a page inherit from the page
// before it.
func walk(file []byte) (w *walker, err error) {
	defer func() {
		if recover() != nil {
			w, err = nil, errors.New("the parser did not understand the file")
		}
	}()
	doc, err := pdfcpu.Read(bytes.NewReader(file), configuration())
	if err != nil {
		return nil, err
	}
	w = &walker{doc: doc, objects: doc.XRefTable, seen: map[int]bool{}}
	catalog, err := w.objects.Catalog()
	if err != nil {
		return nil, err
	}
	node, _ := catalog.Find("Pages")
	if err := w.walk(node, nil, 0); err != nil {
		return nil, err
	}
	root, err := w.objects.DereferenceDict(node)
	if err != nil {
		return nil, err
	}
	if count, ok := w.number(root, "Count"); !ok || int(count) != w.pages {
		return nil, errors.New("readers would not agree on the number of pages")
	}
	return w, nil
}

// configuration limits the inflated size of a stream.
func configuration() *model.Configuration {
	c := parser.Configuration()
	c.Cmd = model.LISTINFO
	c.Limits.MaxDecodeBytes = maxDecoded
	return c
}

// strict tells whether the file passes strict validation. It must be called last, since the parser replaces missing
// pages by blank ones.
func (w *walker) strict() (holds bool) {
	defer func() { holds = recover() == nil && holds }()
	return validate.XRefTable(w.doc) == nil
}

func (w *walker) walk(o types.Object, resources types.Dict, depth int) error {
	node, err := w.objects.DereferenceDict(o)
	if err != nil {
		return err
	}
	if node == nil || depth > maxDepth {
		return errors.New("page tree: missing or too deep node")
	}
	if own, err := w.dict(node, "Resources"); err == nil && own != nil {
		resources = own
	}
	if _, inner := node.Find("Kids"); !inner {
		w.page(node, resources)
		return nil
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
		if err := w.walk(kid, resources, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) page(node, resources types.Dict) {
	unit, ok := w.number(node, "UserUnit")
	if !ok || unit <= 0 {
		unit = 1
	}
	w.pages++
	w.list = append(w.list, page{w.pages, node, resources, unit})
}
