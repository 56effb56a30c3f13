package look

import (
	"reflect"
	"slices"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// tags are what of a file's structure tree changes when fields become content: screen readers find a field by a reference to
// it, and content by a number on its page.
type tags struct {
	owners map[int]types.IndirectRef // elements by the object number of the annotation that they are of
	pages  map[uintptr]types.IndirectRef
	tree   map[int]types.Object // the parent tree: elements by the numbers of pages and annotations
	root   types.Dict
	marked bool
}

// identity tells dictionaries apart.
func identity(d types.Dict) uintptr { return reflect.ValueOf(d).Pointer() }

// readTags reads the tags; nil when the file has none that can be read.
func readTags(c *cleaner) *tags {
	root, _ := c.w.dict(c.catalog, "StructTreeRoot")
	if root == nil {
		return nil
	}
	t := &tags{owners: map[int]types.IndirectRef{}, pages: map[uintptr]types.IndirectRef{}, tree: map[int]types.Object{}, root: root}
	for number, entry := range c.w.objects.Table {
		if entry == nil || entry.Free {
			continue
		}
		d, ok := entry.Object.(types.Dict)
		switch {
		case !ok:
		case c.w.name(d, "Type") == "Page":
			t.pages[identity(d)] = reference(number)
		case c.w.element(d):
			for _, of := range c.w.objectsOf(d) {
				t.owners[of] = reference(number)
			}
		}
	}
	if o, found := root.Find("ParentTree"); !found || !c.w.numberTree(o, t.tree) {
		return nil
	}
	return t
}

// element tells whether a dictionary is an element of the structure tree.
func (w *walker) element(d types.Dict) bool {
	if w.name(d, "Type") == "StructElem" {
		return true
	}
	_, parent := d.Find("P")
	_, kids := d.Find("K")
	return parent && kids && w.name(d, "S") != ""
}

// objectsOf are the object numbers of the annotations that are an element's own.
func (w *walker) objectsOf(element types.Dict) (numbers []int) {
	for _, o := range w.kids(element) {
		if number, is := w.annotationOf(o); is {
			numbers = append(numbers, number)
		}
	}
	return numbers
}

// kids are what an element consists of.
func (w *walker) kids(element types.Dict) types.Array {
	o, found := element.Find("K")
	if !found {
		return nil
	}
	if list, err := w.objects.DereferenceArray(o); err == nil {
		return list
	}
	return types.Array{o}
}

// annotationOf is the object number of the annotation that a part of an element refers to.
func (w *walker) annotationOf(o types.Object) (int, bool) {
	d, err := w.objects.DereferenceDict(o)
	if err != nil || d == nil {
		return 0, false
	}
	ref, is := d["Obj"].(types.IndirectRef)
	return int(ref.ObjectNumber), is
}

// numberTree reads a tree of numbers, and tells whether it is one.
func (w *walker) numberTree(o types.Object, into map[int]types.Object) bool {
	waiting, left := []types.Object{o}, 100_000
	for len(waiting) > 0 {
		node, err := w.objects.DereferenceDict(waiting[0])
		if waiting, left = waiting[1:], left-1; err != nil || node == nil || left < 0 {
			return false
		}
		pairs, _ := w.array(node, "Nums")
		for i := 0; i+1 < len(pairs); i += 2 {
			number, ok := w.finite(pairs[i])
			if !ok {
				return false
			}
			into[int(number)] = pairs[i+1]
		}
		kids, _ := w.array(node, "Kids")
		waiting = append(waiting, kids...)
	}
	return true
}

// mark gives the content that an annotation becomes a number on its page, and returns what leads from the element to it; nil when
// no element is of it.
func (t *tags) mark(c *cleaner, node types.Dict, annotation int) (int, *types.Dict) {
	owner, owned := t.owners[annotation]
	page, known := t.pages[identity(node)]
	if !owned || !known {
		return 0, nil
	}
	key, numbered := c.w.number(node, "StructParents")
	if !numbered {
		highest := -1
		for n := range t.tree {
			highest = max(highest, n)
		}
		key = float64(highest + 1)
		node["StructParents"] = types.Integer(key)
	}
	elements, err := c.w.objects.DereferenceArray(t.tree[int(key)])
	if err != nil {
		return 0, nil
	}
	id := len(elements)
	t.tree[int(key)] = append(slices.Clone(elements), owner)
	t.marked = true
	return id, &types.Dict{"Type": types.Name("MCR"), "Pg": page, "MCID": types.Integer(id)}
}

// store writes the parent tree, where it has changed.
func (t *tags) store(c *cleaner) {
	if !t.marked {
		return
	}
	var pairs types.Array
	highest := 0
	for _, n := range sortedKeys(t.tree) {
		pairs, highest = append(pairs, types.Integer(n), t.tree[n]), n
	}
	t.root["ParentTree"] = c.add(types.Dict{"Nums": pairs})
	t.root["ParentTreeNextKey"] = types.Integer(highest + 1)
}

func sortedKeys(m map[int]types.Object) []int {
	keys := make([]int, 0, len(m))
	for n := range m {
		keys = append(keys, n)
	}
	slices.Sort(keys)
	return keys
}

// untag replaces, in an element, annotations that are gone by the content that they became.
func (c *cleaner) untag(element types.Dict) {
	all := c.w.kids(element)
	var kept types.Array
	for _, o := range all {
		number, is := c.w.annotationOf(o)
		tag, gone := c.gone[number]
		switch {
		case !is || !gone:
			kept = append(kept, o)
		case tag != nil:
			kept = append(kept, *tag)
		}
	}
	if delete(element, "K"); len(kept) > 0 {
		element["K"] = kept
	}
}
