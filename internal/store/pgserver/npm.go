package pgserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// npmDir is where the npm package for this machine keeps its binaries, below node_modules.
func npmDir(modules string) string {
	if modules == "" {
		return ""
	}
	arch := map[string]string{"amd64": "x64"}[runtime.GOARCH]
	if arch == "" {
		arch = runtime.GOARCH
	}
	dir, err := filepath.Abs(filepath.Join(modules, "@embedded-postgres", runtime.GOOS+"-"+arch, "native", "bin"))
	if err != nil {
		return ""
	}
	return dir
}

// usable makes binaries executable for the server's account and returns their directory. Only those from npm need it:
// npm packs no symbolic links, and node_modules is often in a home directory that the account cannot enter.
func (s *Server) usable(bin string) (string, error) {
	native := filepath.Dir(bin)
	if _, err := os.Stat(filepath.Join(native, linksFile)); err != nil {
		return bin, s.account.canReach("the program directory", bin)
	}
	err := fs.ErrPermission
	if !s.account.dropped {
		err = linkLibraries(native)
	}
	if errors.Is(err, fs.ErrPermission) {
		native, err = publicCopy(native)
	}
	if err != nil {
		return "", fmt.Errorf("prepare PostgreSQL of node_modules: %w", err)
	}
	bin = filepath.Join(native, "bin")
	return bin, s.account.canReach("the program directory", bin)
}

// linksFile lists the links that the package's install script makes, if npm is allowed to run it.
const linksFile = "pg-symlinks.json"

// linkLibraries makes the links that are missing.
func linkLibraries(native string) error {
	list, err := os.ReadFile(filepath.Join(native, linksFile))
	if err != nil {
		return err
	}
	var links []struct{ Source, Target string }
	if err := json.Unmarshal(list, &links); err != nil {
		return fmt.Errorf("%s: %w", linksFile, err)
	}
	for _, l := range links {
		// Both begin with "native/".
		source, target := filepath.Join(filepath.Dir(native), l.Source), filepath.Join(filepath.Dir(native), l.Target)
		if _, err := os.Stat(target); err == nil {
			continue
		}
		relative, err := filepath.Rel(filepath.Dir(target), source)
		if err != nil {
			return err
		}
		if err := os.Symlink(relative, target); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return nil
}

// cacheRoots are tried in order for copies that every account may read. Root owns the first.
var cacheRoots = []string{"/var/cache", os.TempDir()}

// publicCopy copies a package's native directory, once per version, and returns the copy.
func publicCopy(native string) (string, error) {
	version, err := packageVersion(native)
	if err != nil {
		return "", err
	}
	var errs []error
	for _, root := range cacheRoots {
		home := filepath.Join(root, "utsending-postgresql-"+version)
		err := copyOnce(native, home)
		if err == nil {
			return filepath.Join(home, "native"), nil
		}
		errs = append(errs, err)
	}
	return "", errors.Join(errs...)
}

func packageVersion(native string) (string, error) {
	text, err := os.ReadFile(filepath.Join(filepath.Dir(native), "package.json"))
	if err != nil {
		return "", err
	}
	var p struct{ Version string }
	if err := json.Unmarshal(text, &p); err != nil || p.Version == "" {
		return "", fmt.Errorf("no version in package.json beside %s", native)
	}
	return p.Version, nil
}

// copyOnce fills a directory beside the wanted one and renames it, so that processes that start together see all of
// it or nothing.
func copyOnce(native, home string) error {
	if err := ours(home); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	stage, err := os.MkdirTemp(filepath.Dir(home), filepath.Base(home)+".*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(stage)
	copied := filepath.Join(stage, "native")
	if err := os.CopyFS(copied, os.DirFS(native)); err != nil {
		return err
	}
	if err := linkLibraries(copied); err != nil {
		return err
	}
	if err := openToAll(stage); err != nil {
		return err
	}
	if err := os.Rename(stage, home); err != nil {
		return ours(home) // another process was faster
	}
	return nil
}

// openToAll lets everybody read, and run what its owner may run, regardless of the umask.
func openToAll(dir string) error {
	return filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.Type()&fs.ModeSymlink != 0 {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		mode := fs.FileMode(0o644)
		if info.Mode()&0o100 != 0 {
			mode = 0o755
		}
		return os.Chmod(path, mode)
	})
}

// ours refuses a copy that another user could have put there: we are about to run it.
func ours(home string) error {
	info, err := os.Lstat(home)
	if err != nil {
		return err
	}
	st := info.Sys().(*syscall.Stat_t)
	if !info.IsDir() || int(st.Uid) != os.Geteuid() || info.Mode()&0o022 != 0 {
		return fmt.Errorf("%s exists and is not ours: remove it", home)
	}
	return nil
}
