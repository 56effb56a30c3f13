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
	cmd := exec.CommandContext(ctx, program, "-D", s.data, "-h", primary.socket, "-p", port, "-U", superuser,
		"--write-recovery-conf", "--wal-method=stream", "--checkpoint=fast")
	s.asServer(cmd)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("copy the primary: %w: %s", err, out)
	}
	return s.launch(ctx)
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
