package pdf

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"utsending/internal/dispatch"
	"utsending/internal/pdf/pdftest"
)

func TestDividesInTheChild(t *testing.T) {
	t.Parallel()
	i := New(child(t, partReal, Options{}))
	file := pdftest.Make(6)
	var sizes []int64
	problem, err := i.Split(t.Context(), bytes.NewReader(file), int64(len(file)), dispatch.Cut{Pages: 2}, func(part io.Reader, size int64, found Report) error {
		content, err := io.ReadAll(part)
		if err != nil || int64(len(content)) != size || found.Pages != 2 || !bytes.HasPrefix(content, []byte("%PDF-")) {
			t.Errorf("part of %d bytes, said to be %d, with %d pages: %v", len(content), size, found.Pages, err)
		}
		sizes = append(sizes, size)
		return err
	})
	if err != nil || problem != "" || len(sizes) != 3 {
		t.Fatalf("%d parts, problem %q, error %v; want 3 parts", len(sizes), problem, err)
	}
}

func TestDivisionFailsClearly(t *testing.T) {
	t.Parallel()
	file, full := pdftest.Make(3), errors.New("full")
	none := func(io.Reader, int64, Report) error { t.Error("a part was handed over"); return nil }
	for _, c := range []struct {
		name, part string
		each       int
		take       func(io.Reader, int64, Report) error
		problem    Problem
		err        error
	}{
		{"uneven", partReal, 2, none, ProblemUneven, nil},
		{"fewer than no pages", partReal, -1, none, ProblemUneven, nil},
		{"a child that cannot confine itself", partRefuse, 1, none, "", ErrUnavailable},
		{"a child that dies of the file", partCrash, 1, none, ProblemBroken, nil},
		{"a child that says what cannot be", partLiar, 1, none, ProblemBroken, nil},
		{"a child that never ends a line", partEndless, 1, none, ProblemBroken, nil},
		{"who takes has no room", partReal, 1, func(io.Reader, int64, Report) error { return full }, "", full},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			problem, err := New(child(t, c.part, Options{})).Split(t.Context(), bytes.NewReader(file), int64(len(file)), dispatch.Cut{Pages: c.each}, c.take)
			if problem != c.problem || !errors.Is(err, c.err) || (err == nil) != (c.err == nil) {
				t.Errorf("got %q and %v, want %q and %v", problem, err, c.problem, c.err)
			}
		})
	}
}
