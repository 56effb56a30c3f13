package pdf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"utsending/internal/dispatch"
	"utsending/internal/pdf/pdftest"
)

// drawer makes options with which a part of this program draws. The real one is what the environment names.
func drawer(t *testing.T, part string) Options {
	t.Helper()
	o := child(t, partReal, Options{Timeout: 20 * time.Second})
	o.Drawer = []string{o.Command[0], part}
	return o
}

func draw(t *testing.T, o Options, file []byte) []dispatch.InkBounds {
	t.Helper()
	ink, err := New(o).Draw(t.Context(), bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	return ink
}

const none = dispatch.NoInk

func TestTellsWhereTheInkIs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, pages string
		want        []dispatch.InkBounds
	}{
		{"on no page", "", nil},
		{"on a blank page", grey(4, 3, ""), []dispatch.InkBounds{{none, none, none, none, none}}},
		{"in a corner", grey(4, 3, "x"), []dispatch.InkBounds{{0, 0, 30, 20, none}}},
		{"in the middle", grey(4, 3, "     x"), []dispatch.InkBounds{{10, 10, 20, 10, none}}},
		{"beside the barcode", grey(2, 300, strings.Repeat("  ", 120)+" x"), []dispatch.InkBounds{{10, 1200, 0, 1790, 10}}},
		{"not in shades of paper", grey(2, 1, ".."), []dispatch.InkBounds{{none, none, none, none, none}}},
		{"on two pages", grey(2, 1, "x ") + grey(2, 1, " x"), []dispatch.InkBounds{{0, 0, 10, 0, none}, {10, 0, 0, 0, none}}},
		{"on the pages before one that breaks off", grey(2, 1, "x ") + grey(2, 9, "x")[:15], []dispatch.InkBounds{{0, 0, 10, 0, none}}},
		{"on the pages before nonsense", grey(2, 1, "x ") + "P5\n99999 1\n255\n", []dispatch.InkBounds{{0, 0, 10, 0, none}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := draw(t, drawer(t, partDraws), []byte(c.pages+"%PDF"))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// grey is a page as drawing programs write it: ink where there is an x, a light shade for a point.
func grey(width, height int, marks string) string {
	marks += strings.Repeat(" ", width*height-len(marks))
	return fmt.Sprintf("P5\n%d %d\n255\n", width, height) + strings.NewReplacer(" ", "\xff", ".", "\xe6", "x", "\x00").Replace(marks)
}

func TestGoesOnWithoutADrawing(t *testing.T) {
	t.Parallel()
	file := pdftest.Make(2)
	for name, o := range map[string]Options{
		"where nothing draws":             {Command: child(t, partReal, Options{}).Command, Drawer: []string{"/nowhere/pdftoppm"}},
		"where there is no child":         {Command: []string{"/nowhere/inspectpdf"}, Drawer: []string{"/bin/true"}},
		"where the child refuses":         {Command: child(t, partRefuse, Options{}).Command, Drawer: []string{"/bin/true"}},
		"when the program dies":           drawer(t, partCrash),
		"when the program draws for ever": func() Options { o := drawer(t, partHangs); o.Timeout = 200 * time.Millisecond; return o }(),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if ink := draw(t, o, file); len(ink) > 0 {
				t.Errorf("got %v", ink)
			}
		})
	}
	t.Run("but not without the file", func(t *testing.T) {
		t.Parallel()
		broken := errors.New("the disk is gone")
		if _, err := New(drawer(t, partDraws)).Draw(t.Context(), iotest.ErrReader(broken), 100); !errors.Is(err, broken) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("nor when nobody waits any more", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := New(drawer(t, partDraws)).Draw(ctx, bytes.NewReader(file), int64(len(file))); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}

// TestDraws needs poppler: installed, or as DRAWER names it, with words between that come first.
func TestDraws(t *testing.T) {
	t.Parallel()
	o := child(t, partReal, Options{Drawer: strings.Fields(os.Getenv("DRAWER"))})
	if New(o).CanDraw() == "" {
		t.Skip("pdftoppm is not installed")
	}
	box := func(x, y, width, height float64) pdftest.Page {
		return pdftest.Page{Content: pdftest.Box(x, y, width, height)}
	}
	file := pdftest.File{Pages: []pdftest.Page{box(20, 30, 100, 50), box(5, 100, 10, 10), {}}}.Bytes()
	want := []dispatch.InkBounds{{200, 300, 900, 2170, none}, {50, 1000, 1950, 1870, 50}, {none, none, none, none, none}}
	got := draw(t, o, file)
	near := cmp.Comparer(func(a, b int) bool { return a-b <= 10 && b-a <= 10 })
	if diff := cmp.Diff(want, got, near); diff != "" {
		t.Error(diff)
	}
	if many := draw(t, o, pdftest.Make(120)); len(many) != 120 {
		t.Errorf("drew %d pages of 120", len(many))
	}
}
