// Package storetest gives each test a migrated database of its own without rows, on a real PostgreSQL.
package storetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"

	"utsending/internal/seal"
	"utsending/internal/store"
	"utsending/internal/store/pgserver"
)

// cluster is the server shared by all tests of a test program.
type cluster struct {
	url     func(database string) string
	pooler  *pooler
	pooled  func(database string) string // url through the pooler
	admin   *sql.DB
	keys    []byte
	emptied emptying
	err     error

	mu   sync.Mutex
	free []string // databases that are as good as new
}

var (
	shared = sync.OnceValue(startCluster)
	serial atomic.Int64
)

const (
	template = "utsending_template"
	ours     = "test_" // begins the names of the tests' databases; a process id follows
)

// New returns a store on a database of its own.
func New(t testing.TB) *store.Store {
	t.Helper()
	return Open(t, Database(t))
}

// Open returns a store on a database made by Database; several stores may share one.
func Open(t testing.TB, address string) *store.Store {
	t.Helper()
	return open(t, address, conns)
}

// Narrow is Open with one connection in each pool. Whoever asks a pool for a second connection while their transaction holds the
// first waits until the test fails: in production, as many of them at once as a pool has connections would stop it.
func Narrow(t testing.TB, address string) *store.Store {
	t.Helper()
	return open(t, address, 1)
}

func open(t testing.TB, address string, conns int) *store.Store {
	t.Helper()
	keys, err := seal.Parse(Keys(t))
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(store.Options{URL: address, Keys: keys, MaxOpenConns: conns, MaxIdleTime: idle})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// Connections of each test's store. All test programs share the server's max_connections, and each connection is a
// process that prepares all plans anew: starting one costs more than most tests' statements together.
const (
	conns = 2
	idle  = 5 * time.Second // so that waiting tests hold none
)

// Keys returns the key set file of the test program.
func Keys(t testing.TB) []byte {
	t.Helper()
	return running(t).keys
}

// Database returns the address of a migrated database without rows. After the test, another one may get it, emptied.
func Database(t testing.TB) string {
	t.Helper()
	c := running(t)
	name, err := c.database()
	if err != nil {
		t.Fatal(err)
	}
	address := as(serverRole, c.pooled(name))
	owner := openOwner(t, address)
	owners.Store(Owner(address), owner)
	t.Cleanup(func() {
		owners.Delete(Owner(address))
		_ = owner.Close()
		if err := c.giveBack(context.Background(), name); err != nil {
			t.Log(err) // the server ends with the test program anyway
		}
	})
	return address
}

// serverRole is the role of stores in tests: as in production, it does not own the database.
const serverRole = "utsending_server"

// EndSessions makes sessions of a database by Database end with their connections, as they do without the pooler.
func EndSessions(t testing.TB, address string) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	running(t).pooler.keep(strings.TrimPrefix(u.Path, "/"), false)
}

// as is a database's address for another role.
func as(role, address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address // valid: pgserver made it
	}
	u.User = url.User(role)
	return u.String()
}

// Owner is the address of a database for the role that owns it.
func Owner(address string) string { return as("postgres", address) }

// owners are the owners' connection pools, by address.
var owners sync.Map

// DB is a database as its owner, for statements without a method of the store, such as moving times back. Each
// database has one such pool until it is dropped.
func DB(t testing.TB, address string) *sql.DB {
	t.Helper()
	if db, ok := owners.Load(Owner(address)); ok {
		return db.(*sql.DB)
	}
	db := openOwner(t, address)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// openOwner opens a pool. It connects at the first use.
func openOwner(t testing.TB, address string) *sql.DB {
	t.Helper()
	db, err := sql.Open("postgres", Owner(address))
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxIdleConns(1)
	db.SetConnMaxIdleTime(idle)
	return db
}

// database returns a migrated database without rows.
func (c *cluster) database() (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if last := len(c.free) - 1; last >= 0 {
		name := c.free[last]
		c.free = c.free[:last]
		return name, nil
	}
	name := fmt.Sprintf("%s%d_%d", ours, os.Getpid(), serial.Add(1))
	// Copying the files costs half of writing them to the WAL, and includes the caches that the first connection
	// needs.
	if _, err := c.admin.Exec(`CREATE DATABASE ` + name + ` TEMPLATE ` + template + ` STRATEGY FILE_COPY`); err != nil {
		return "", err
	}
	c.pooler.keep(name, true)
	return name, nil
}

// giveBack clears a database for the next test. It is dropped when it cannot be as good as new.
func (c *cluster) giveBack(ctx context.Context, name string) error {
	again, err := c.pooler.settle(ctx, name, c.admin)
	if err == nil && again {
		again, err = c.emptied.run(ctx, c.pooled(name))
		_, ended := c.pooler.settle(ctx, name, c.admin) // the session that emptied it
		err = errors.Join(err, ended)
	}
	if err != nil || !again {
		c.pooler.keep(name, false)
		_, dropped := c.admin.ExecContext(ctx, `DROP DATABASE `+name+` WITH (FORCE)`)
		return errors.Join(err, dropped)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.free = append(c.free, name)
	return nil
}

// dropLeft drops the databases of test programs that have ended: they could not do it themselves.
func (c *cluster) dropLeft(ctx context.Context) error {
	var left []string
	if err := sqlx.SelectContext(ctx, sqlx.NewDb(c.admin, "postgres"), &left, `SELECT datname FROM pg_database WHERE starts_with(datname, $1)`, ours); err != nil {
		return err
	}
	for _, name := range left {
		var pid int
		if _, err := fmt.Sscanf(name, ours+"%d_", &pid); err != nil || syscall.Kill(pid, 0) == nil {
			continue
		}
		if _, err := c.admin.ExecContext(ctx, `DROP DATABASE IF EXISTS `+name+` WITH (FORCE)`); err != nil {
			return err
		}
	}
	return nil
}

// readEmptying finds out, by a first database, how databases are emptied.
func (c *cluster) readEmptying(ctx context.Context) error {
	name, err := c.database()
	if err == nil {
		c.emptied, err = newEmptying(ctx, c.pooled(name))
	}
	if err == nil {
		err = c.giveBack(ctx, name)
	}
	return err
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
	c := &cluster{url: pgserver.Shared()}
	if c.url == nil {
		pg, err := pgserver.Start(context.Background(), pgserver.Options{NPMDir: filepath.Join(root(), "node_modules"), Fast: true})
		if err != nil {
			return &cluster{err: err}
		}
		c.url = pg.URL
	}
	if c.keys, c.err = seal.New(); c.err == nil {
		c.admin, c.err = sql.Open("postgres", c.url("postgres"))
	}
	if c.err == nil {
		c.err = c.makeTemplate(context.Background())
	}
	if c.err == nil {
		c.err = c.dropLeft(context.Background())
	}
	if c.err == nil {
		c.pooler, c.pooled, c.err = startPooler(c.url("postgres"))
	}
	if c.err == nil {
		c.err = c.readEmptying(context.Background())
	}
	return c
}

// makeTemplate creates the template unless another test program has. A complete one is marked as a template.
func (c *cluster) makeTemplate(ctx context.Context) error {
	conn, err := c.admin.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, `SELECT pg_advisory_lock(1)`); err != nil {
		return err
	}
	defer conn.ExecContext(ctx, `SELECT pg_advisory_unlock(1)`)
	var finished bool
	const asked = `SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1 AND datistemplate)`
	if err := conn.QueryRowContext(ctx, asked, template).Scan(&finished); err != nil || finished {
		return err
	}
	for _, statement := range []string{`DROP DATABASE IF EXISTS ` + template, `CREATE DATABASE ` + template} {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	if err := fillTemplate(ctx, c.url(template)); err != nil {
		return err
	}
	_, err = conn.ExecContext(ctx, `ALTER DATABASE `+template+` IS_TEMPLATE true`)
	return err
}

func fillTemplate(ctx context.Context, address string) error {
	s, err := store.Open(store.Options{URL: address})
	if err != nil {
		return err
	}
	defer s.Close()
	if _, err := s.Migrate(ctx); err != nil {
		return err
	}
	return s.GrantServer(ctx, store.ServerRole{Name: serverRole})
}

// root is the directory of go.mod, above the package under test.
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
