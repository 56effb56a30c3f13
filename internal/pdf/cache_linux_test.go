package pdf

import (
	"os"
	"path/filepath"
	"testing"

	"utsending/internal/pdf/pdftest"
	"utsending/internal/tier"
)

// TestWorksWithoutACache: without cached code, answers are only slower.
func TestWorksWithoutACache(t *testing.T) {
	tier.Long(t)
	t.Parallel()
	i := New(child(t, partReal, Options{Cache: "/proc/nowhere"}))
	if got := inspect(t, i, pdftest.Make(3)); got.Pages != 3 {
		t.Errorf("got %+v, want three pages", got)
	}
}

// TestFillsTheCache: a child without a file writes it, and others only read.
func TestFillsTheCache(t *testing.T) {
	tier.Long(t)
	t.Parallel()
	dir := t.TempDir()
	i := New(child(t, partReal, Options{Cache: dir}))
	i.Prepare(t.Context())
	before := tree(t, dir)
	if len(before) < 4 {
		t.Errorf("the cache holds %q", before)
	}
	if got := inspect(t, i, pdftest.Make(3)); got.Pages != 3 {
		t.Errorf("got %+v, want three pages", got)
	}
	if after := tree(t, dir); len(after) != len(before) {
		t.Errorf("a child has written: %q, %q before", after, before)
	}
}

func tree(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		names = append(names, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
