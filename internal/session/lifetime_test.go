package session_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"time"

	"utsending/internal/store/storetest"
)

func TestIdleLimit(t *testing.T) {
	t.Parallel()
	type step struct {
		after      time.Duration
		background bool
		want       int
	}
	tests := []struct {
		name  string
		steps []step
	}{
		{"ends a session that nobody uses", []step{{idle + time.Second, false, 401}}},
		{"keeps one that is used just in time", []step{{idle, false, 200}}},
		{"counts from the last use", []step{{29 * time.Minute, false, 200}, {29 * time.Minute, false, 200}, {29 * time.Minute, false, 200}, {idle + time.Second, false, 401}}},
		{"is not put off by what the page does by itself", []step{{29 * time.Minute, true, 200}, {2 * time.Minute, false, 401}}},
		{"counts for what the page does by itself too", []step{{idle + time.Second, true, 401}}},
		{"ends the session for good", []step{{idle + time.Second, false, 401}, {-idle, false, 401}}},
		{"lets a use count by the minute", []step{{30 * time.Second, false, 200}, {idle - 30*time.Second, false, 200}, {idle, false, 200}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			b := r.browser(t)
			b.login("kari")
			for i, s := range test.steps {
				r.later(s.after)
				var headers []string
				if s.background {
					headers = []string{"Background", "yes"}
				}
				if got := b.get("/hvem", headers...).StatusCode; got != s.want {
					t.Fatalf("step %d: got %d, want %d", i+1, got, s.want)
				}
			}
		})
	}
}

func TestAbsoluteLimit(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	db := storetest.DB(t, r.database)
	end := func() (at time.Time) {
		t.Helper()
		if err := db.QueryRow(`SELECT expires_at FROM sessions`).Scan(&at); err != nil {
			t.Fatal(err)
		}
		return at
	}
	b := r.browser(t)
	b.login("kari")
	first := end()
	if d := time.Until(first); d > lifetime || d < lifetime-time.Minute {
		t.Errorf("the session ends in %s, want %s", d, lifetime)
	}
	r.later(20 * time.Minute)
	if got := b.get("/hvem").StatusCode; got != http.StatusOK {
		t.Fatalf("got %d, want 200", got)
	}
	if got := end(); !got.Equal(first) {
		t.Errorf("use moved the end from %s to %s", first, got)
	}
	if _, err := db.Exec(`UPDATE sessions SET expires_at = now()`); err != nil {
		t.Fatal(err)
	}
	if got := b.get("/hvem").StatusCode; got != http.StatusUnauthorized {
		t.Errorf("got %d at the end, want 401", got)
	}
}

// TestStoredSession: what lies in the database is of no use to who can only read it.
func TestStoredSession(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	b := r.browser(t)
	b.login("kari")
	db := storetest.DB(t, r.database)
	var hash string
	var data []byte
	if err := db.QueryRow(`SELECT token_hash, data FROM sessions`).Scan(&hash, &data); err != nil {
		t.Fatal(err)
	}
	if hash == b.token() || bytes.Contains(data, []byte("Kari")) || bytes.Contains(data, []byte("oppvekst")) {
		t.Error("the session lies open in the database")
	}
	if got := r.browser(t).get("/hvem", "Cookie", "__Host-utsending="+hash).StatusCode; got != http.StatusUnauthorized {
		t.Errorf("got %d with the hash for a cookie, want 401", got)
	}
	t.Run("that cannot be opened logs out", func(t *testing.T) {
		if _, err := db.Exec(`UPDATE sessions SET data = '\x00'`); err != nil {
			t.Fatal(err)
		}
		if got := b.get("/hvem").StatusCode; got != http.StatusUnauthorized {
			t.Errorf("got %d, want 401", got)
		}
	})
}

// TestSessionNotSaved: the failure is the whole answer, also when the page was ready.
func TestSessionNotSaved(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	b := r.browser(t)
	b.login("kari")
	_, err := storetest.DB(t, r.database).Exec(`
		CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$;
		CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON sessions FOR EACH ROW EXECUTE FUNCTION refuse()`)
	if err != nil {
		t.Fatal(err)
	}
	r.later(2 * time.Minute) // the use is to be noted
	got := b.get("/hvem")
	if got.StatusCode != http.StatusInternalServerError || strings.Contains(got.body, "Kari") {
		t.Errorf("got %d with %q, want 500 and nothing of the page", got.StatusCode, got.body)
	}
}
