// Package storetest gives each test a fresh, migrated database of a real PostgreSQL, cloned from a template.
package storetest

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"utsending/internal/seal"
	"utsending/internal/store"
	"utsending/internal/store/pgserver"
)

// cluster is the server that all tests of one test program share.
type cluster struct {
	url   func(database string) string
	admin *sql.DB
	keys  []byte
	err   error
}

var (
	shared = sync.OnceValue(startCluster)
	serial atomic.Int64
)

const template = "utsending_template"

// New returns a store on a database of the test's own.
func New(t testing.TB) *store.Store {
	t.Helper()
	return Open(t, Database(t))
}

// Open returns a store on a database that Database made; several may share one.
func Open(t testing.TB, address string) *store.Store {
	t.Helper()
	keys, err := seal.Parse(Keys(t))
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(store.Options{URL: address, Keys: keys})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// Keys returns the key set file that all tests of one test program share.
func Keys(t testing.TB) []byte {
	t.Helper()
	return running(t).keys
}

// Database makes a migrated database and returns its address; it is dropped when the test ends.
func Database(t testing.TB) string {
	t.Helper()
	c := running(t)
	name := fmt.Sprintf("test_%d_%d", os.Getpid(), serial.Add(1))
	// Copying the files costs half of writing them to the log, and brings the caches that the first connection needs.
	if _, err := c.admin.Exec(`CREATE DATABASE ` + name + ` TEMPLATE ` + template + ` STRATEGY FILE_COPY`); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := c.admin.Exec(`DROP DATABASE ` + name + ` WITH (FORCE)`); err != nil {
			t.Log(err) // the server goes away with the test program in any case
		}
	})
	return as(serverRole, c.url(name))
}

// serverRole is what stores work as in tests: as in production, it does not own what it works on.
const serverRole = "utsending_server"

// as is a database's address for another role.
func as(role, address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address // pgserver makes them
	}
	u.User = url.User(role)
	return u.String()
}

// Owner is the address of a database that Database made, for the role that owns it.
func Owner(address string) string { return as("postgres", address) }

// DB opens a database as its owner, for statements that the store has no method for, such as moving times back.
func DB(t testing.TB, address string) *sql.DB {
	t.Helper()
	db, err := sql.Open("postgres", Owner(address))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func running(t testing.TB) *cluster {
	t.Helper()
	c := shared()
	if c.err != nil {
		t.Fatalf("tests need PostgreSQL: %v", c.err)
	}
	return c
}

func startCluster() *cluster {
	pg, err := pgserver.Start(context.Background(), pgserver.Options{NPMDir: filepath.Join(root(), "node_modules"), Fast: true})
	if err != nil {
		return &cluster{err: err}
	}
	c := &cluster{url: pg.URL}
	if c.keys, c.err = seal.New(); c.err == nil {
		c.admin, c.err = makeTemplate(pg)
	}
	return c
}

func makeTemplate(pg *pgserver.Server) (*sql.DB, error) {
	admin, err := sql.Open("postgres", pg.URL("postgres"))
	if err != nil {
		return nil, err
	}
	if _, err := admin.Exec(`CREATE DATABASE ` + template); err != nil {
		return nil, err
	}
	s, err := store.Open(store.Options{URL: pg.URL(template)})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if _, err = s.Migrate(context.Background()); err != nil {
		return nil, err
	}
	return admin, s.GrantServer(context.Background(), store.ServerRole{Name: serverRole})
}

// root is the folder of go.mod, above the package under test.
func root() string {
	dir, err := os.Getwd()
	if err != nil {
		return "."
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
	}
	return "."
}
