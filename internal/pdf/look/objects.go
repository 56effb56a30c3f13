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

// box reads a media box's width and height in points. One that makes no sense counts as none, as in readers.
func (w *walker) box(d types.Dict) (width, height float64, ok bool) {
	corners, err := w.array(d, "MediaBox")
	if err != nil || len(corners) != 4 {
		return 0, 0, false
	}
	var at [4]float64
	for i, corner := range corners {
		if at[i], ok = w.finite(corner); !ok {
			return 0, 0, false
		}
	}
	width, height = math.Abs(at[2]-at[0]), math.Abs(at[3]-at[1])
	return width, height, width > 0 && height > 0
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
