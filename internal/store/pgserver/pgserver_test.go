package pgserver

import (
	"database/sql"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

const nodeModules = "../../../node_modules"

// dataDir is a directory that the server's account can reach; t.TempDir is closed to all but us.
func dataDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "pgserver-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o711); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "data")
}

func start(t *testing.T, o Options) *Server {
	t.Helper()
	o.NPMDir = nodeModules
	s, err := Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func execute(t *testing.T, s *Server, query string) {
	t.Helper()
	db := open(t, s)
	if _, err := db.ExecContext(t.Context(), query); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

func scalar(t *testing.T, s *Server, query string) string {
	t.Helper()
	var got string
	if err := open(t, s).QueryRowContext(t.Context(), query).Scan(&got); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return got
}

func open(t *testing.T, s *Server) *sql.DB {
	t.Helper()
	db, err := sql.Open("postgres", s.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func TestStart(t *testing.T) {
	t.Parallel()
	a, b := start(t, Options{Fast: true}), start(t, Options{Fast: true})
	t.Run("starts from nothing and answers on a socket only", func(t *testing.T) {
		for query, want := range map[string]string{
			"SHOW listen_addresses":     "",
			"SHOW server_encoding":      "UTF8",
			"SHOW fsync":                "off",
			"SHOW full_page_writes":     "off",
			"SHOW max_connections":      "500",
			"SELECT lower('ÆØÅ Ä')":     "æøå ä",
			"SELECT current_user::text": "postgres",
		} {
			if got := scalar(t, a, query); got != want {
				t.Errorf("%s = %q, want %q", query, got, want)
			}
		}
		info, err := os.Stat(a.socket)
		if err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("socket directory: %v, %v, want mode 0700", info, err)
		}
	})
	t.Run("serves two directories at once", func(t *testing.T) {
		execute(t, a, "CREATE TABLE only_in_a ()")
		if got := scalar(t, b, "SELECT count(*) FROM pg_tables WHERE tablename = 'only_in_a'"); got != "0" {
			t.Error("two servers share their data")
		}
	})
	t.Run("leaves nothing temporary behind", func(t *testing.T) {
		if err := a.Stop(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(a.socket); !os.IsNotExist(err) {
			t.Errorf("after Stop %s: %v, want it gone", a.socket, err)
		}
		if err := a.Restart(t.Context()); err == nil {
			t.Error("restarted without its data")
		}
	})
}

func TestPersistence(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := start(t, Options{Dir: dir, Fast: true})
	execute(t, s, "CREATE TABLE kept AS SELECT 1 AS n")
	url := s.URL("postgres")

	t.Run("refuses a second start on the same data", func(t *testing.T) {
		_, err := Start(t.Context(), Options{Dir: dir, NPMDir: nodeModules})
		if err == nil || !strings.Contains(err.Error(), "is in use") {
			t.Errorf("got %v, want a refusal", err)
		}
	})
	t.Run("restarts at the same address while it runs", func(t *testing.T) {
		if err := s.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := scalar(t, s, "SELECT n FROM kept"); got != "1" || s.URL("postgres") != url {
			t.Errorf("got %s at %s, want 1 at %s", got, s.URL("postgres"), url)
		}
	})
	t.Run("recovers after Kill", func(t *testing.T) {
		execute(t, s, "SET synchronous_commit = on; INSERT INTO kept VALUES (2)")
		if err := s.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := open(t, s).Ping(); err == nil {
			t.Error("answers after Kill")
		}
		if err := s.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := scalar(t, s, "SELECT sum(n) FROM kept"); got != "3" {
			t.Errorf("after Kill the sum is %s, want 3", got)
		}
	})
	t.Run("restarts after Stop", func(t *testing.T) {
		// A program that is being started at this moment has a copy of the lock's file.
		held, err := syscall.Dup(int(s.lock.Fd()))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = syscall.Close(held) }()
		if err := s.Stop(); err != nil {
			t.Fatal(err)
		}
		if err := s.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := scalar(t, s, "SELECT sum(n) FROM kept"); got != "3" {
			t.Errorf("after Stop the sum is %s, want 3", got)
		}
	})
	t.Run("starts anew beside a stale postmaster.pid", func(t *testing.T) {
		if err := s.Stop(); err != nil {
			t.Fatal(err)
		}
		// Our own process stands in for a program that got the dead postmaster's number.
		pid := strconv.Itoa(os.Getpid()) + "\n" + dir + "\n"
		if err := os.WriteFile(filepath.Join(dir, "postmaster.pid"), []byte(pid), 0o600); err != nil {
			t.Fatal(err)
		}
		again := start(t, Options{Dir: dir, Fast: true})
		if got := scalar(t, again, "SELECT sum(n) FROM kept"); got != "3" {
			t.Errorf("the sum is %s, want 3", got)
		}
	})
}

// TestTemplate: a server starts with the data of its template. Later changes of one are not in the other.
func TestTemplate(t *testing.T) {
	t.Parallel()
	model := start(t, Options{Fast: true})
	execute(t, model, "CREATE TABLE kept AS SELECT 1 AS n")
	if err := model.Halt(); err != nil {
		t.Fatal(err)
	}
	copied := start(t, Options{Fast: true, Template: model})
	execute(t, copied, "INSERT INTO kept VALUES (2)")
	if err := model.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	if ours, theirs := scalar(t, model, "SELECT count(*) FROM kept"), scalar(t, copied, "SELECT count(*) FROM kept"); ours != "1" || theirs != "2" {
		t.Errorf("the model has %s rows, its copy %s, want 1 and 2", ours, theirs)
	}
}

func TestDataDirectory(t *testing.T) {
	t.Parallel()
	t.Run("refuses a directory with something else in it", func(t *testing.T) {
		t.Parallel()
		dir := dataDir(t)
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "thesis.txt"), []byte("dear"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Start(t.Context(), Options{Dir: dir, NPMDir: nodeModules})
		if err == nil || !strings.Contains(err.Error(), "neither empty nor a PostgreSQL cluster") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("makes again what was left half made", func(t *testing.T) {
		t.Parallel()
		dir := dataDir(t)
		if err := os.MkdirAll(filepath.Join(dir, unfinished, "base"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(filepath.Join(dir, "global"), 0o700); err != nil {
			t.Fatal(err)
		}
		s := start(t, Options{Dir: dir, Fast: true})
		if got := scalar(t, s, "SELECT 1"); got != "1" {
			t.Error(got)
		}
	})
	t.Run("names the parent that keeps the server out", func(t *testing.T) {
		t.Parallel()
		if os.Geteuid() != 0 {
			t.Skip("only root hands the server to another user")
		}
		dir := t.TempDir()
		_, err := Start(t.Context(), Options{Dir: filepath.Join(dir, "data"), NPMDir: nodeModules})
		if err == nil || !strings.Contains(err.Error(), "`chmod o+x "+filepath.Dir(dir)+"`") {
			t.Errorf("got %v, want the directory to open", err)
		}
	})
	t.Run("names the version that made the data", func(t *testing.T) {
		t.Parallel()
		dir := dataDir(t)
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "PG_VERSION"), []byte("9\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Start(t.Context(), Options{Dir: dir, NPMDir: nodeModules})
		if err == nil || !strings.Contains(err.Error(), "made by PostgreSQL 9") {
			t.Errorf("got %v", err)
		}
	})
}
