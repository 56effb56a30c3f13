package look

import (
	"math"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// number reads an entry that is a finite number.
func (w *walker) number(d types.Dict, key string) (float64, bool) {
	o, found := d.Find(key)
	if !found {
		return 0, false
	}
	return w.finite(o)
}

func (w *walker) finite(o types.Object) (float64, bool) {
	n, err := w.objects.DereferenceNumber(o)
	return n, err == nil && !math.IsNaN(n) && !math.IsInf(n, 0)
}

func (w *walker) array(d types.Dict, key string) (types.Array, error) {
	o, _ := d.Find(key)
	return w.objects.DereferenceArray(o)
}

func (w *walker) dict(d types.Dict, key string) (types.Dict, error) {
	o, _ := d.Find(key)
	return w.objects.DereferenceDict(o)
}

// name reads an entry that is a name; empty when there is none.
func (w *walker) name(d types.Dict, key string) string {
	o, _ := d.Find(key)
	o, _ = w.objects.Dereference(o)
	name, _ := o.(types.Name)
	return string(name)
}

// stream gives what a stream holds, and does not keep it.
func (w *walker) stream(o types.Object) ([]byte, bool) {
	sd, ok := w.streamDict(o)
	if !ok || sd.DecodeWithLimit(maxDecoded) != nil {
		return nil, false
	}
	return sd.Content, true
}

// streamDict gives a copy of a stream's dictionary. The parser has a function for it too, but that one marks the object
// as validated.
func (w *walker) streamDict(o types.Object) (types.StreamDict, bool) {
	if ref, ok := o.(types.IndirectRef); ok {
		entry, found := w.objects.FindTableEntryForIndRef(&ref)
		if !found || entry.Free {
			return types.StreamDict{}, false
		}
		o = entry.Object
	}
	sd, ok := o.(types.StreamDict)
	return sd, ok
}

// contents are the streams of a page's content.
func (w *walker) contents(page types.Dict) []types.Object {
	o, found := page.Find("Contents")
	if !found {
		return nil
	}
	if parts, err := w.objects.DereferenceArray(o); err == nil {
		return parts
	}
	return []types.Object{o}
}

// lost reports whether a page's content is somewhere in the file but could not be read there: the parser leaves such
// objects out, and the page would come out blank. A reference to an object that the file does not have is a blank page
// by the rules.
func (w *walker) lost(page types.Dict) bool {
	contents, found := page.Find("Contents")
	if !found {
		return false
	}
	if w.unread(contents) {
		return true
	}
	parts, err := w.objects.DereferenceArray(contents)
	if err != nil {
		return false // no array: one stream
	}
	for _, part := range parts {
		if w.unread(part) {
			return true
		}
	}
	return false
}

func (w *walker) unread(o types.Object) bool {
	ref, ok := o.(types.IndirectRef)
	if !ok {
		return false
	}
	entry, found := w.objects.FindTableEntryForIndRef(&ref)
	return found && !entry.Free && entry.Object == nil
}
