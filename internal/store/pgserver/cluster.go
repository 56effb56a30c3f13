package pgserver

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"utsending/internal/ramdisk"
)

const (
	superuser = "postgres"
	port      = "5432" // only part of the socket's file name: nothing listens on TCP

	// socketPathLimit is the maximum length of a socket's path: 107 bytes on Linux, 103 elsewhere.
	socketPathLimit = 103

	// unfinished is the directory in which initdb works, inside the data directory. While it exists without
	// PG_VERSION beside it, it is the remains of an interrupted start of ours.
	unfinished = ".initdb"
)

// socketDirs is the prefix of every server's own directory.
const socketDirs = "utsending-pg-"

// root is the parent of the server's own directory: in memory if its data need not last.
func (s *Server) root() string {
	if dir := ramdisk.Dir(); s.o.Fast && s.o.Dir == "" && dir != "" {
		return dir
	}
	return os.TempDir()
}

// makeSocketDir makes the directory that only the server's account (and root) may enter: access to the socket is
// access to the database.
func (s *Server) makeSocketDir() error {
	root := s.root()
	ramdisk.Sweep(root, socketDirs+"*", "data")
	if len(root)+len("/"+socketDirs+"4294967295/.s.PGSQL."+port) > socketPathLimit {
		root = "/tmp"
	}
	dir, err := os.MkdirTemp(root, socketDirs) // mode 0700
	if err != nil {
		return fmt.Errorf("socket directory: %w", err)
	}
	s.socket = dir
	if err := s.account.own(dir); err != nil {
		return fmt.Errorf("socket directory: %w", err)
	}
	return s.account.canReach("the socket", dir)
}

// takeDataDir makes the data directory when missing and locks it for this Server. The kernel drops the lock when we
// die, however we die.
func (s *Server) takeDataDir() error {
	if err := os.MkdirAll(filepath.Dir(s.data), 0o755); err != nil {
		return fmt.Errorf("data directory: %w", err)
	}
	if err := os.Mkdir(s.data, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("data directory: %w", err)
	}
	if err := s.account.canReach("the data directory", s.data); err != nil {
		return err
	}
	f, err := os.Open(s.data)
	if err != nil {
		return fmt.Errorf("data directory: %w", err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = f.Close() // the lock's error tells more
		return fmt.Errorf("data directory %s is in use: another PostgreSQL of ours serves it", s.data)
	}
	s.lock = f
	return nil
}

// clusterVersion is the major version of the data, 0 without any.
func clusterVersion(data string) (int, error) {
	text, err := os.ReadFile(filepath.Join(data, "PG_VERSION"))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("data directory: %w", err)
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return 0, fmt.Errorf("data directory %s: PG_VERSION: %w", data, err)
	}
	return n, nil
}

// createCluster runs initdb, or copies another server's data, unless the data directory holds a cluster. It works in a directory of its own and moves
// the result up, PG_VERSION last, so that an interrupted start is recognized and repeated.
func (s *Server) createCluster(ctx context.Context) error {
	version, err := clusterVersion(s.data)
	if err != nil {
		return err
	}
	stage := filepath.Join(s.data, unfinished)
	if version == 0 {
		if err := s.clear(stage); err != nil {
			return err
		}
		if err := s.account.own(s.data); err != nil {
			return err
		}
		if err := s.fill(ctx, stage); err != nil {
			return err
		}
		if err := moveUp(stage); err != nil {
			return fmt.Errorf("data directory: %w", err)
		}
	}
	if err := os.RemoveAll(stage); err != nil {
		return fmt.Errorf("data directory: %w", err)
	}
	return s.account.own(s.data)
}

// clear empties a data directory after an interrupted start of ours, and refuses one with anything else in it.
func (s *Server) clear(stage string) error {
	entries, err := os.ReadDir(s.data)
	if err != nil {
		return fmt.Errorf("data directory: %w", err)
	}
	if _, err := os.Stat(stage); err != nil && len(entries) > 0 {
		return fmt.Errorf("data directory %s is neither empty nor a PostgreSQL cluster: choose another", s.data)
	}
	for _, e := range entries {
		if e.Name() == unfinished {
			continue // last, because it proves that the rest is ours
		}
		if err := os.RemoveAll(filepath.Join(s.data, e.Name())); err != nil {
			return fmt.Errorf("data directory: %w", err)
		}
	}
	return os.RemoveAll(stage)
}

// locales are tried in order. C.UTF-8 folds æ, ø and å; from version 17 PostgreSQL brings its own where the system
// has none.
var locales = [][]string{
	{"--locale=C.UTF-8"},
	{"--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"},
	{"--locale=C"},
}

// fill makes a cluster in a directory.
func (s *Server) fill(ctx context.Context, dir string) error {
	if s.o.Template == nil {
		return s.initdb(ctx, dir)
	}
	if err := os.CopyFS(dir, os.DirFS(s.o.Template.data)); err != nil {
		return fmt.Errorf("copy the data of another server: %w", err)
	}
	return s.account.own(dir)
}

func (s *Server) initdb(ctx context.Context, dir string) error {
	args := []string{"-D", dir, "--username=" + superuser, "--auth=trust", "--encoding=UTF8"}
	if s.o.Fast {
		args = append(args, "--no-sync")
	}
	var errs []error
	for _, locale := range locales {
		cmd := exec.CommandContext(ctx, filepath.Join(s.bin, "initdb"), append(locale, args...)...)
		s.asServer(cmd)
		out, err := cmd.CombinedOutput()
		if err == nil {
			return nil
		}
		errs = append(errs, fmt.Errorf("initdb %s: %w: %s", locale[0], err, out))
		if !strings.Contains(string(out), "locale") || ctx.Err() != nil {
			break
		}
		_ = os.RemoveAll(dir) // initdb normally removes it itself
	}
	return errors.Join(errs...)
}

func moveUp(stage string) error {
	entries, err := os.ReadDir(stage)
	if err != nil {
		return err
	}
	up := func(name string) error {
		return os.Rename(filepath.Join(stage, name), filepath.Join(filepath.Dir(stage), name))
	}
	for _, e := range entries {
		if e.Name() == "PG_VERSION" {
			continue
		}
		if err := up(e.Name()); err != nil {
			return err
		}
	}
	return up("PG_VERSION")
}
