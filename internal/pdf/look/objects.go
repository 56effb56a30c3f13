package look

import (
	"math"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// number returns an entry that is a finite number.
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

// name returns an entry that is a name, else an empty string.
func (w *walker) name(d types.Dict, key string) string {
	o, _ := d.Find(key)
	o, _ = w.objects.Dereference(o)
	name, _ := o.(types.Name)
	return string(name)
}

// stream decodes a stream. The result is not cached.
func (w *walker) stream(o types.Object) ([]byte, bool) {
	sd, ok := w.streamDict(o)
	if !ok || sd.DecodeWithLimit(maxDecoded) != nil {
		return nil, false
	}
	return sd.Content, true
}

// streamDict returns a copy of a stream's dictionary. The parser's own function marks the object as validated.
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

// contents returns the streams of a page's content.
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

// lost tells whether a page's content is in the file but cannot be read: the parser drops such objects, and the page
// would be blank. A reference to an object that does not exist is a blank page by the specification.
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
		return false // not an array: one stream
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
