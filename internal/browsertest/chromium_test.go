package browsertest

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestFindChromium(t *testing.T) {
	t.Setenv("CHROMIUM", "")
	t.Setenv("PATH", "/nowhere")
	t.Run("says what to install when there is nothing", func(t *testing.T) {
		_, err := npmChromium(t.Context(), t.TempDir())
		if !errors.Is(err, errNoChromium) || strings.Contains(err.Error(), "\n") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("prefers the environment, then the system", func(t *testing.T) {
		bin := t.TempDir()
		path := filepath.Join(bin, "chromium")
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		t.Setenv("PATH", bin)
		if got, err := findChromium(t.Context(), t.TempDir()); err != nil || got.path != path {
			t.Errorf("got %+v, %v, want %s", got, err, path)
		}
		t.Setenv("CHROMIUM", "/bin/sh")
		if got, err := findChromium(t.Context(), t.TempDir()); err != nil || got.path != "/bin/sh" {
			t.Errorf("got %+v, %v", got, err)
		}
		t.Setenv("CHROMIUM", filepath.Join(bin, "missing"))
		if got, err := findChromium(t.Context(), t.TempDir()); err == nil {
			t.Errorf("passed over a wrong CHROMIUM, got %+v", got)
		}
	})
}

func TestMakeOnce(t *testing.T) {
	t.Parallel()
	home := filepath.Join(t.TempDir(), "cache", "browser")
	fill := func(stage string) error { return os.WriteFile(filepath.Join(stage, "a"), []byte("1"), 0o600) }
	if err := makeOnce(home, func(string) error { return os.ErrInvalid }); !errors.Is(err, os.ErrInvalid) {
		t.Errorf("got %v", err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if err := makeOnce(home, fill); err != nil {
				t.Error(err)
			}
			if _, err := os.Stat(filepath.Join(home, "a")); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if left, _ := filepath.Glob(home + ".*"); len(left) != 0 {
		t.Errorf("left behind: %q", left)
	}
}
