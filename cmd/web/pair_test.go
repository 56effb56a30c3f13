package main_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"utsending/internal/store/pgserver"
	"utsending/internal/store/storetest"
)

// pair is a primary and a standby, which change places at each failover.
type pair struct {
	t        *testing.T
	primary  *pgserver.Server
	standby  *pgserver.Server
	database string // address that leads to whichever is the primary
}

// newPair starts a primary with a synchronous standby.
func newPair(t *testing.T) *pair {
	t.Helper()
	p := &pair{t: t, primary: startDurable(t), standby: bare(t, otherClock()...)}
	p.database = socketsAddress(p.primary.SocketDir(), p.standby.SocketDir())
	p.follow()
	return p
}

// skew is how far the standby's clock is ahead.
const skew = 4 * time.Second

// otherClock is the environment of a server whose clock is ahead, where Debian's faketime is installed.
func otherClock() []string {
	libraries, _ := filepath.Glob("/usr/lib/*/faketime/libfaketimeMT.so.1") // the pattern is valid
	if len(libraries) == 0 {
		return nil
	}
	return []string{"LD_PRELOAD=" + libraries[0], fmt.Sprintf("FAKETIME=+%ds", int(skew.Seconds())), "FAKETIME_DONT_FAKE_MONOTONIC=1"}
}

// startDurable starts a server with fsync for one test. Its database is migrated.
func startDurable(t *testing.T) *pgserver.Server {
	t.Helper()
	return startServer(t, pgserver.Options{Template: migrated(t)})
}

func startServer(t *testing.T, o pgserver.Options) *pgserver.Server {
	t.Helper()
	o.NPMDir = modules
	pg, err := pgserver.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = pg.Stop() })
	return pg
}

// bare is a server that waits for another's data.
func bare(t *testing.T, env ...string) *pgserver.Server {
	t.Helper()
	pg, err := pgserver.Bare(t.Context(), pgserver.Options{NPMDir: modules, Env: env})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = pg.Stop() })
	return pg
}

var modules = filepath.Join("..", "..", "node_modules")

// migrated is a halted server with a migrated database, the template of durable ones: to run initdb and to migrate takes two
// seconds. It is nil if a former release is to migrate.
func migrated(t *testing.T) *pgserver.Server {
	t.Helper()
	if os.Getenv("FORMER_WEB") != "" {
		return nil
	}
	pg, err := makeMigrated()
	if err != nil {
		t.Fatal(err)
	}
	return pg
}

var makeMigrated = sync.OnceValues(func() (*pgserver.Server, error) {
	pg, err := pgserver.Start(context.Background(), pgserver.Options{NPMDir: modules})
	if err != nil {
		return nil, err
	}
	made.migrated = pg
	out, errs, err := programAt(made.web, map[string]string{"DATABASE_URL": pg.URL("postgres")}, "migrate")
	if err != nil {
		return pg, fmt.Errorf("migrate: %w: %s%s", err, out, errs)
	}
	return pg, pg.Halt()
})

// follow makes the standby a copy of the primary, and has the primary wait for it at each commit.
func (p *pair) follow() {
	p.t.Helper()
	err := p.standby.Follow(p.t.Context(), p.primary)
	if errors.Is(err, pgserver.ErrNoBaseBackup) {
		p.t.Skip(err)
	}
	if err != nil {
		p.t.Fatal(err)
	}
	p.setting(p.primary, `synchronous_standby_names = '*'`)
	db := p.open(p.primary)
	eventually(p.t, "the standby has what is committed", func() bool {
		var n int
		return db.QueryRowContext(p.t.Context(), `SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'`).Scan(&n) == nil && n == 1
	})
}

// failOver kills the primary, as a power cut does, and promotes the standby. There is no standby until follow.
func (p *pair) failOver() {
	p.t.Helper()
	if err := p.primary.Kill(); err != nil {
		p.t.Fatal(err)
	}
	if err := p.standby.Promote(p.t.Context()); err != nil {
		p.t.Fatal(err)
	}
	p.primary, p.standby = p.standby, p.primary
}

// lag stops replication: a later promotion loses all later commits.
func (p *pair) lag() {
	p.t.Helper()
	p.setting(p.primary, `synchronous_standby_names = ''`)
	p.setting(p.standby, `primary_conninfo = ''`)
	db := p.open(p.primary)
	eventually(p.t, "the standby is cut off", func() bool {
		var n int
		return db.QueryRowContext(p.t.Context(), `SELECT count(*) FROM pg_stat_replication`).Scan(&n) == nil && n == 0
	})
}

func (p *pair) open(s *pgserver.Server) *sql.DB { return storetest.DB(p.t, s.URL("postgres")) }

func (p *pair) setting(s *pgserver.Server, setting string) {
	p.t.Helper()
	for _, statement := range []string{`ALTER SYSTEM SET ` + setting, `SELECT pg_reload_conf()`} {
		if _, err := p.open(s).ExecContext(p.t.Context(), statement); err != nil && !strings.Contains(err.Error(), "terminating") {
			p.t.Fatal(err)
		}
	}
}
