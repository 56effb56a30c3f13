package store_test

import (
	"errors"
	"fmt"
	"net/url"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/seal"
	"utsending/internal/store"
	"utsending/internal/store/queue"
	"utsending/internal/store/storetest"
)

// TestDumpAndRestore takes a backup and restores it as docs/operations.md says, with pg_dump and pg_restore: the schema is the
// same, nothing is sent unasked, what was sent after the backup is not sent again, and only the right keys are taken.
func TestDumpAndRestore(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	wantPrograms(t, r)
	waiting, sentLater, draft := r.queued(t), r.queued(t), r.in(t, dispatch.StateDraft)
	want := schemaOf(t, r.db)
	file := filepath.Join(t.TempDir(), "utsending.dump")
	from := onServer(t, r.url)
	tool(t, "pg_dump", "-Fc", "-f", file, from.String())

	for range 2 { // one of them is the one sent after the backup; which does not matter
		c := r.claim(t)
		r.finish(t, c, accepted(uuid.NewString()))
	}
	to := *from
	to.Path += "_dump"
	if _, err := r.db.Exec(`CREATE DATABASE ` + pq.QuoteIdentifier(to.Path[1:])); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dropDatabase(t, from, to.Path[1:]) })
	tool(t, "pg_restore", "--clean", "--if-exists", "-d", to.String(), file)
	owner := storetest.Open(t, to.String())
	if n, err := owner.Migrate(t.Context()); n != 0 || err != nil {
		t.Errorf("migrating what was restored applies %d migrations, %v", n, err)
	}
	server := to
	server.User = url.User("utsending_server")
	r.url, r.s, r.db = server.String(), storetest.Open(t, server.String()), storetest.DB(t, to.String())
	bare := strings.NewReplacer("(", "", ")", "") // PostgreSQL writes some more of them into what it dumps
	if diff := cmp.Diff(strings.Split(bare.Replace(want), "\n"), strings.Split(bare.Replace(schemaOf(t, r.db)), "\n")); diff != "" {
		t.Error(diff)
	}
	if c := r.tryClaim(t, r.lane()); c != nil {
		t.Error("a restored copy sends before anybody looks")
	}
	if g := r.checkGuard(t); !g.Restored || !g.Paused {
		t.Errorf("the guard says %+v", g)
	}
	for _, id := range []dispatch.ItemID{waiting, sentLater} {
		if got := r.state(t, id); got != dispatch.StateUncertain {
			t.Errorf("what may have been sent after the backup is %s", got)
		}
	}
	if it := r.Item(t, r.s, draft); it.State != dispatch.StateDraft || !it.Restored {
		t.Errorf("the draft is %s, restored %t", it.State, it.Restored)
	}
	r.resume(t)
	if c := r.tryClaim(t, r.lane()); c != nil {
		t.Error("what may have been sent goes when delivery is resumed")
	}
	wantItsKeys(t, r)
}

// wantItsKeys checks that the right keys open what was restored, and others are refused.
func wantItsKeys(t *testing.T, r rig) {
	t.Helper()
	if n, err := queue.In(r.s).Examinations.VerifyKeys(t.Context()); err != nil || n == 0 {
		t.Errorf("its own keys open %d values, %v", n, err)
	}
	file, err := seal.New()
	if err != nil {
		t.Fatal(err)
	}
	keys, err := seal.Parse(file)
	if err != nil {
		t.Fatal(err)
	}
	other, err := store.Open(store.Options{URL: r.url, Keys: keys})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := queue.In(other).Examinations.VerifyKeys(t.Context()); !errors.Is(err, queue.ErrOtherKeys) {
		t.Errorf("keys of another backup: got %v", err)
	}
}

// onServer is a database's address as its owner, without the pooler of these tests.
func onServer(t *testing.T, address string) *url.URL {
	t.Helper()
	u, err := url.Parse(storetest.Owner(address))
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	q.Set("host", filepath.Dir(q.Get("host")))
	u.RawQuery = q.Encode()
	return u
}

func dropDatabase(t *testing.T, server *url.URL, name string) {
	t.Helper()
	admin := *server
	admin.Path = "/postgres"
	if _, err := storetest.DB(t, admin.String()).Exec(`DROP DATABASE ` + pq.QuoteIdentifier(name) + ` WITH (FORCE)`); err != nil {
		t.Log(err) // it ends with the server
	}
}

func tool(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
}

// wantPrograms skips the test where pg_dump is missing or not of the server's version.
func wantPrograms(t *testing.T, r rig) {
	t.Helper()
	out, _ := exec.Command("pg_dump", "--version").Output() // without it, nothing
	major := fmt.Sprint(read[int](t, r, `SELECT current_setting('server_version_num')::int / 10000`))
	if m := regexp.MustCompile(`\) (\d+)`).FindSubmatch(out); m == nil || string(m[1]) != major {
		t.Skipf("pg_dump of PostgreSQL %s is missing: apt-get install postgresql-client", major)
	}
}
