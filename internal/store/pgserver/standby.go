package pgserver

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// ErrNoBaseBackup says that pg_basebackup is not installed; the binaries of npm come without it.
var ErrNoBaseBackup = errors.New("pg_basebackup is missing: install PostgreSQL's client programs (apt-get install postgresql)")

// Follow makes the server a standby of another: its data is replaced by a copy of the primary's, from which it streams on.
// Its URL stays.
func (s *Server) Follow(ctx context.Context, primary *Server) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.copyOf(ctx, primary, "--write-recovery-conf"); err != nil {
		return err
	}
	return s.launch(ctx)
}

// Back takes a base backup of another server in place of the server's data, and leaves it stopped until RecoverTo.
func (s *Server) Back(ctx context.Context, other *Server) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.copyOf(ctx, other)
}

// copyOf stops the server and replaces its data.
func (s *Server) copyOf(ctx context.Context, other *Server, options ...string) error {
	program, err := s.baseBackup()
	if err != nil {
		return err
	}
	if err := s.halt(); err != nil {
		return err
	}
	if err := emptyDirectory(s.data); err != nil {
		return fmt.Errorf("data directory: %w", err)
	}
	options = append([]string{"-D", s.data, "-h", other.socket, "-p", port, "-U", superuser, "--wal-method=stream", "--checkpoint=fast"}, options...)
	cmd := exec.CommandContext(ctx, program, options...)
	s.asServer(cmd)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("copy the other server: %w: %s", err, out)
	}
	return nil
}

// RecoverTo starts the server on the base backup that Back took, and brings it to a point in time with what the other server
// archived.
func (s *Server) RecoverTo(ctx context.Context, other *Server, at string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	settings := fmt.Sprintf("restore_command = 'cp \"%s/%%f\" \"%%p\"'\nrecovery_target_time = '%s'\nrecovery_target_action = promote\n", other.archive(), at)
	for name, text := range map[string]string{"postgresql.auto.conf": settings, "recovery.signal": ""} {
		if err := os.WriteFile(filepath.Join(s.data, name), []byte(text), 0o644); err != nil {
			return fmt.Errorf("data directory: %w", err)
		}
	}
	if err := s.account.own(s.data); err != nil {
		return err
	}
	return s.launch(ctx)
}

// archive is where the server keeps its write-ahead log, see Options.Archive.
func (s *Server) archive() string { return filepath.Join(s.socket, "archive") }

// Archived returns when all that the server has committed is in its archive.
func (s *Server) Archived(ctx context.Context) error {
	db, err := sql.Open("postgres", s.URL("postgres"))
	if err != nil {
		return err
	}
	defer db.Close()
	var last string
	if err := db.QueryRowContext(ctx, `SELECT pg_walfile_name(pg_switch_wal())`).Scan(&last); err != nil {
		return err
	}
	for !isFile(filepath.Join(s.archive(), last)) {
		if err := wait(ctx, pollEvery); err != nil {
			return fmt.Errorf("the write-ahead log is not archived: %w", err)
		}
	}
	return nil
}

// baseBackup finds pg_basebackup, beside the server or in the PATH.
func (s *Server) baseBackup() (string, error) {
	const name = "pg_basebackup"
	if beside := filepath.Join(s.bin, name); isFile(beside) {
		return beside, nil
	}
	found, err := exec.LookPath(name)
	if err != nil {
		return "", ErrNoBaseBackup
	}
	return found, nil
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func emptyDirectory(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// Promote makes a standby the primary, and returns when it takes writes.
func (s *Server) Promote(ctx context.Context) error {
	db, err := sql.Open("postgres", s.URL("postgres"))
	if err != nil {
		return err
	}
	defer db.Close()
	var done bool
	if err := db.QueryRowContext(ctx, `SELECT pg_promote(true, 60)`).Scan(&done); err != nil || !done {
		return fmt.Errorf("promote the standby: done %t, %w", done, err)
	}
	return nil
}

// SocketDir is where the server's socket lies.
func (s *Server) SocketDir() string { return s.socket }
