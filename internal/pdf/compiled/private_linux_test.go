package compiled

import (
	"os"
	"path/filepath"
	"testing"
)

// Compiled code in a directory that others can write to, or behind a link, is not used.
func TestTakesNoDirectoryOfOthers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	open := filepath.Join(dir, "open")
	if err := os.Mkdir(open, 0o700); err != nil {
		t.Fatal(err)
	}
	if !private(open) || private(link) {
		t.Error("a directory of its own is taken, and a link to one is not")
	}
	if err := os.Chmod(open, 0o777); err != nil {
		t.Fatal(err)
	}
	if private(open) {
		t.Error("a directory that all can write is taken")
	}
}
