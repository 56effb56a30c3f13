package look

import (
	"utsending/internal/pdf/pdfium"
)

// view converts a page's own points to millimetres from the upper left corner of the page as shown.
type view struct {
	shown         pdfium.Box
	quarters      int
	scale         float64 // millimetres per point
	width, height float64 // as shown
}

// rect is a rectangle in millimetres from the upper left corner.
type rect struct{ left, top, right, bottom float64 }

func (f *file) view(index int) (view, error) {
	p := f.doc.Page(index)
	shown, err := p.Shown()
	if err != nil {
		return view{}, err
	}
	quarters, err := p.Quarters()
	if err != nil {
		return view{}, err
	}
	v := view{shown: shown, quarters: quarters, scale: mmPerPoint * f.unit(index)}
	v.width, v.height = (shown.Right-shown.Left)*v.scale, (shown.Top-shown.Bottom)*v.scale
	if quarters%2 == 1 {
		v.width, v.height = v.height, v.width
	}
	return v, nil
}

// point converts a point of the page to its place as shown.
func (v view) point(x, y float64) (float64, float64) {
	right, down := (x-v.shown.Left)*v.scale, (v.shown.Top-y)*v.scale
	switch v.quarters {
	case 1: // clockwise
		return v.width - down, right
	case 2:
		return v.width - right, v.height - down
	case 3:
		return down, v.height - right
	}
	return right, down
}

func (v view) rect(b pdfium.Box) rect {
	x1, y1 := v.point(b.Left, b.Top)
	x2, y2 := v.point(b.Right, b.Bottom)
	return rect{min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)}
}

// sees tells whether the middle of a rectangle is on the page as shown.
func (v view) sees(r rect) bool {
	x, y := (r.left+r.right)/2, (r.top+r.bottom)/2
	return x >= 0 && y >= 0 && x <= v.width && y <= v.height
}
