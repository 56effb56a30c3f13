package session_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"time"

	"utsending/internal/store/registry"
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

// TestPendingSession: anybody can start a login, so its state is short-lived.
func TestPendingSession(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	db := storetest.DB(t, r.database)
	left := func() time.Duration {
		t.Helper()
		var end time.Time
		if err := db.QueryRow(`SELECT expires_at FROM sessions`).Scan(&end); err != nil {
			t.Fatal(err)
		}
		return time.Until(end)
	}
	b := r.browser(t)
	back := b.choose(b.start("/logg-inn"), "person", "kari")
	if got := left(); got > 15*time.Minute || got < 14*time.Minute {
		t.Errorf("a login that has begun is kept for %s", got)
	}
	b.get(back)
	if got := left(); got < lifetime-time.Minute {
		t.Errorf("the session that came of it ends in %s", got)
	}
	b.start("/logg-inn")
	if got := left(); got < lifetime-time.Minute {
		t.Errorf("the session ends in %s after another login was begun", got)
	}
}

// TestEndedMeanwhile: a request in progress does not restore a session that ends meanwhile.
func TestEndedMeanwhile(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	b := r.browser(t)
	b.login("kari")
	sid := r.onlySID(t)
	pages := r.site.Config.Handler
	r.site.Config.Handler = r.manager.Load(fail)(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		r.manager.SetFlash(req.Context(), "flash.display", 0)
		if err := r.manager.EndByProvider(req.Context(), r.issuer, sid, "192.0.2.8"); err != nil {
			t.Error(err)
		}
	}))
	b.get("/")
	r.site.Config.Handler = pages
	if got := b.get("/hvem").StatusCode; got != http.StatusUnauthorized {
		t.Errorf("got %d, want 401", got)
	}
	b.get(b.back(b.visit(b.start("/logg-inn")))) // with the cookie of the session that has ended
	if got := b.get("/hvem").StatusCode; got != http.StatusOK {
		t.Errorf("got %d after a new login, want 200", got)
	}
}

// TestAnotherPerson finds nothing of the one before.
func TestAnotherPerson(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	b := r.browser(t)
	b.login("kari")
	b.get("/konto?sett=oppvekst")
	b.get(b.choose(b.start("/logg-inn/igjen"), "person", "kari"))
	if got := b.get("/konto").body; got != "oppvekst" {
		t.Errorf("got %q for the same person", got)
	}
	b.get(b.choose(b.start("/logg-inn/igjen"), "person", "ola"))
	if got := b.get("/konto").body; got != "" {
		t.Errorf("got %q for another", got)
	}
}

// TestStoredSession: the database contains nothing with which a reader could take over a session.
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

// TestSessionNotSaved: if the session cannot be saved, the answer is the error, even if the page was ready.
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

// TestASessionOfAnEarlierVersion: it is over, and the person logs in again.
func TestASessionOfAnEarlierVersion(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	b := r.browser(t)
	b.login("kari")
	var token string
	if err := storetest.DB(t, r.database).QueryRow(`SELECT token_hash FROM sessions`).Scan(&token); err != nil {
		t.Fatal(err)
	}
	for _, data := range []string{"", "\x2c\xff\x81\x03\x01\x01"} {
		if err := registry.In(r.store).Sessions.CommitCtx(t.Context(), token, []byte(data), time.Now().Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		if got := b.get("/hvem").StatusCode; got != http.StatusUnauthorized {
			t.Errorf("got %d for a session of %d bytes, want 401", got, len(data))
		}
	}
}
