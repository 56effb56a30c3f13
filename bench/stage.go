package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	_ "github.com/lib/pq" // for what the store has no method for: vacuum, checkpoint

	"utsending/internal/seal"
	"utsending/internal/session/devidp"
	"utsending/internal/store"
	"utsending/internal/store/pgserver"
)

// databaseSettings are typical settings for production. With the defaults, a large upload waits for new WAL segments, and for a
// checkpoint in its midst.
var databaseSettings = []string{"shared_buffers=1GB", "max_wal_size=4GB", "min_wal_size=2GB"}

// stage is the environment of all measurements: a durable PostgreSQL, a development login, web and the bare program, on one disk.
type stage struct {
	o         options
	dir       string
	web       string // the program
	inspector string // the child that reads PDFs
	bare      string // the reference program
	address   string // where web listens
	issuer    string // the login provider
	database  string
	riverURL  string // of River's database
	keyFile   string
	db        *sql.DB
	store     *store.Store
	sample    sample
	content   content
	notes     []string
	closers   []func()
}

func newStage(ctx context.Context, o options) (*stage, error) {
	s := &stage{o: o, content: newContent(o.size)}
	for _, step := range []func(context.Context) error{s.makeDir, s.buildBare, s.startDatabase, s.startLogin, s.openStore, s.seed} {
		if err := step(ctx); err != nil {
			s.close()
			return nil, err
		}
	}
	return s, nil
}

// close tears the stage down in reverse order.
func (s *stage) close() {
	for i := len(s.closers) - 1; i >= 0; i-- {
		s.closers[i]()
	}
}

func (s *stage) later(f func()) { s.closers = append(s.closers, f) }

// makeDir makes a directory for database and files in .testout, since /tmp may be in memory.
func (s *stage) makeDir(context.Context) (err error) {
	if s.web, err = filepath.Abs(s.o.web); err != nil {
		return err
	}
	s.inspector = filepath.Join(filepath.Dir(s.web), "inspectpdf")
	for _, program := range []string{s.web, s.inspector} {
		if _, err := os.Stat(program); err != nil {
			return fmt.Errorf("the programs to measure: %w (`make bench` builds them)", err)
		}
	}
	if err := os.MkdirAll(".testout", 0o755); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(".testout", "bench-")
	if err != nil {
		return err
	}
	if s.dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	s.later(func() { _ = os.RemoveAll(s.dir) }) // `make clean` removes what stays
	return os.Chmod(s.dir, 0o755)               // the database's user must traverse it
}

func (s *stage) buildBare(ctx context.Context) error {
	s.bare = filepath.Join(s.dir, "bare")
	out, err := exec.CommandContext(ctx, "go", "build", "-C", "bench", "-trimpath", "-o", s.bare, "./bare").CombinedOutput()
	if err != nil {
		return fmt.Errorf("build the bare program: %w: %s", err, out)
	}
	return nil
}

func (s *stage) startDatabase(ctx context.Context) error {
	pg, err := pgserver.Start(ctx, pgserver.Options{Dir: filepath.Join(s.dir, "postgresql"), NPMDir: "node_modules", Settings: databaseSettings})
	if err != nil {
		return err
	}
	s.later(func() { _ = pg.Stop() })
	s.database, s.riverURL = pg.URL("postgres"), pg.URL(riverDatabase)
	if s.db, err = sql.Open("postgres", s.database); err != nil {
		return err
	}
	s.later(func() { _ = s.db.Close() })
	return nil
}

// startLogin serves the login provider, and chooses web's port.
func (s *stage) startLogin(context.Context) error {
	login, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	web, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return errors.Join(err, login.Close())
	}
	s.issuer, s.address = "http://"+login.Addr().String(), "http://"+web.Addr().String()
	claims := map[string]any{"groups": []string{group}}
	people := []devidp.Person{{Subject: subject, Name: personName, Claims: claims}}
	for i := range s.o.people {
		people = append(people, devidp.Person{Subject: crowdSubject(i), Name: fmt.Sprintf("Person %d", i+1), Claims: claims})
	}
	idp, err := devidp.New(devidp.Options{
		Issuer: s.issuer, People: people,
		Clients: []devidp.Client{{ID: clientID, Secret: clientSecret, RedirectURIs: []string{s.address + "/oidc/retur"}}},
	})
	if err := errors.Join(err, web.Close()); err != nil {
		return errors.Join(err, login.Close())
	}
	server := &http.Server{Handler: idp, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(login) }() // ends with Close
	s.later(func() { _ = server.Close() })
	return nil
}

func (s *stage) openStore(ctx context.Context) error {
	text, err := seal.New()
	if err != nil {
		return err
	}
	s.keyFile = filepath.Join(s.dir, "keys.json")
	if err := os.WriteFile(s.keyFile, text, 0o600); err != nil {
		return err
	}
	if s.store, err = openStore(s.database, s.keyFile); err != nil {
		return err
	}
	s.later(func() { _ = s.store.Close() })
	_, err = s.store.Migrate(ctx)
	return err
}

func openStore(database, keyFile string) (*store.Store, error) {
	text, err := seal.ReadFile(keyFile)
	if err != nil {
		return nil, err
	}
	keys, err := seal.Parse(text)
	if err != nil {
		return nil, err
	}
	return store.Open(store.Options{URL: database, Keys: keys})
}

// settle flushes disk and database, so that a measurement does not pay for the one before it.
func (s *stage) settle(ctx context.Context) error {
	for _, statement := range []string{`VACUUM (ANALYZE)`, `CHECKPOINT`} {
		if _, err := s.db.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	syscall.Sync()
	return nil
}
