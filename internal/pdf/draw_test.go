package pdf

import (
	"bytes"
	"image/png"
	"testing"

	"github.com/google/go-cmp/cmp"

	"utsending/internal/dispatch"
	"utsending/internal/pdf/pdftest"
)

const none = dispatch.NoInk

// boxes is a file of three pages: a box in the middle, one at the edge where printers put their barcode, and nothing.
func boxes() []byte {
	box := func(x, y, width, height float64) pdftest.Page {
		return pdftest.Page{Content: pdftest.Box(x, y, width, height)}
	}
	return pdftest.File{Pages: []pdftest.Page{box(20, 30, 100, 50), box(5, 100, 10, 10), {}}}.Bytes()
}

func TestTellsWhereTheInkIs(t *testing.T) {
	t.Parallel()
	i := New(child(t, partReal, Options{}))
	want := []dispatch.InkBounds{{200, 300, 900, 2170, none}, {50, 1000, 1950, 1870, 50}, {none, none, none, none, none}}
	near := cmp.Comparer(func(a, b int) bool { return a-b <= 10 && b-a <= 10 })
	if diff := cmp.Diff(want, inspect(t, i, boxes()).Reading.Ink, near); diff != "" {
		t.Error(diff)
	}
	if many := inspect(t, i, pdftest.Make(120)).Reading.Ink; len(many) != 120 {
		t.Errorf("drew %d pages of 120", len(many))
	}
	if scan := inspect(t, i, pdftest.Scan(1)).Reading.Ink; len(scan) != 1 || scan[0][0] != 0 {
		t.Errorf("a picture in JPEG 2000 has its ink at %v", scan)
	}
}

// A file's reading is reported although its pages cannot be drawn.
func TestGoesOnWithoutADrawing(t *testing.T) {
	t.Parallel()
	i := New(child(t, partUndrawn, Options{}))
	if got := inspect(t, i, pdftest.Make(2)); got.Pages != 2 || got.Reading == nil || len(got.Reading.Ink) > 0 {
		t.Errorf("got %+v", got)
	}
}

func TestDrawsPictures(t *testing.T) {
	t.Parallel()
	i := New(child(t, partReal, Options{}))
	file := boxes()
	var dark []bool
	err := i.Pictures(t.Context(), bytes.NewReader(file), int64(len(file)), Drawing{First: 2, Count: 5}, func(content []byte) error {
		picture, err := png.Decode(bytes.NewReader(content))
		if err != nil {
			return err
		}
		if size := picture.Bounds().Size(); size.X != 320 || size.Y != 453 {
			t.Errorf("the picture is %v", size)
		}
		r, _, _, _ := picture.At(15, 160).RGBA()
		dark = append(dark, r == 0)
		return nil
	})
	if want := []bool{true, false}; err != nil || !cmp.Equal(dark, want) {
		t.Errorf("pages 2 and 3 have a box: %v, %v; want %v", dark, err, want)
	}
	first, err := png.Decode(bytes.NewReader(inspect(t, i, file).First))
	if err != nil {
		t.Fatalf("the picture that comes with the report: %v", err)
	}
	if r, _, _, _ := first.At(60, 80).RGBA(); r != 0 || first.Bounds().Dx() != 320 {
		t.Error("the first page is not the one with a box in the middle")
	}
	err = i.Pictures(t.Context(), bytes.NewReader(file), int64(len(file)), Drawing{First: 1, Count: 1, Width: WidePicture}, func(content []byte) error {
		picture, err := png.DecodeConfig(bytes.NewReader(content))
		if picture.Width != WidePicture || picture.Height != 1810 {
			t.Errorf("a wide picture is %d × %d", picture.Width, picture.Height)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if err := i.Pictures(t.Context(), bytes.NewReader(file), int64(len(file)), Drawing{First: 1, Count: 1, Width: WidePicture + 1}, nil); err == nil {
		t.Error("a picture may be wider than the widest")
	}
	err = i.Pictures(t.Context(), bytes.NewReader(file[:100]), 100, Drawing{First: 1, Count: 1}, func([]byte) error { t.Error("a picture of half a file"); return nil })
	if err != nil {
		t.Error(err)
	}
}
