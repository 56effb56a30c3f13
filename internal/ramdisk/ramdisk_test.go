package ramdisk

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestSweep removes what is old and not locked, and nothing else.
func TestSweep(t *testing.T) {
	t.Parallel()
	dir, old := t.TempDir(), time.Now().Add(-time.Hour)
	for _, name := range []string{"mine-left", "mine-held", "mine-young", "other-left"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Join(path, "data"), 0o700); err != nil {
			t.Fatal(err)
		}
		if name != "mine-young" {
			if err := os.Chtimes(path, old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	held, err := os.Open(filepath.Join(dir, "mine-held", "data"))
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	if err := syscall.Flock(int(held.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	Sweep(dir, "mine-*", "data")
	for name, stays := range map[string]bool{"mine-left": false, "mine-held": true, "mine-young": true, "other-left": true} {
		if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != stays {
			t.Errorf("%s: %v, want it to stay: %v", name, err, stays)
		}
	}
}
