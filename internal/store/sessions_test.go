package store_test

import (
	"testing"
	"time"
)

func TestSessions(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	sessions := r.s.Sessions()
	find := func(t *testing.T, token, want string) {
		t.Helper()
		data, ok, err := sessions.Find(token)
		if err != nil || ok != (want != "") || string(data) != want {
			t.Errorf("got %q, %t, %v; want %q", data, ok, err, want)
		}
	}
	commit := func(t *testing.T, token, data string, life time.Duration) {
		t.Helper()
		if err := sessions.Commit(token, []byte(data), time.Now().Add(life)); err != nil {
			t.Fatal(err)
		}
	}
	commit(t, "a", "innlogget", time.Hour)
	t.Run("is found by its token alone", func(t *testing.T) {
		find(t, "a", "innlogget")
		find(t, "b", "")
		find(t, "", "")
		find(t, "%", "")
	})
	t.Run("is replaced by the next commit", func(t *testing.T) {
		commit(t, "a", "innlogget på nytt", time.Hour)
		find(t, "a", "innlogget på nytt")
	})
	t.Run("does not open under another token", func(t *testing.T) {
		commit(t, "c", "en annen", time.Hour)
		r.exec(t, `UPDATE sessions SET data = o.data FROM sessions o WHERE sessions.token_hash = 'c' AND o.token_hash = 'a'`)
		find(t, "c", "")
	})
	t.Run("ends at its time", func(t *testing.T) {
		commit(t, "d", "kort", time.Hour)
		r.exec(t, `UPDATE sessions SET expires_at = now() WHERE token_hash = 'd'`)
		find(t, "d", "")
	})
	t.Run("that has ended lives again when it is committed anew", func(t *testing.T) {
		commit(t, "d", "på ny", time.Hour)
		find(t, "d", "på ny")
	})
	t.Run("ends when it is deleted, and deleting twice does nothing", func(t *testing.T) {
		for range 2 {
			if err := sessions.Delete("a"); err != nil {
				t.Fatal(err)
			}
		}
		find(t, "a", "")
		find(t, "d", "på ny")
	})
}
