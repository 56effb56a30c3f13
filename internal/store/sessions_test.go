package store_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"utsending/internal/store/registry"
)

func TestSessions(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	sessions := registry.In(r.s).Sessions
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

// TestEndBySID: a login provider ends sessions by its own id of them.
func TestEndBySID(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	sessions := registry.In(r.s).Sessions
	save := func(token, issuer, sid string, replace bool) {
		t.Helper()
		if err := sessions.Save(t.Context(), registry.SavedSession{Token: token, Data: []byte(token + "!"), Expires: time.Now().Add(time.Hour),
			Issuer: issuer, SID: sid, Replace: replace}); err != nil {
			t.Fatal(err)
		}
	}
	alive := func() []string {
		t.Helper()
		return strings.Fields(read[string](t, r, `SELECT coalesce(string_agg(token_hash, ' ' ORDER BY token_hash), '') FROM sessions`))
	}
	end := func(issuer, sid string, want ...string) {
		t.Helper()
		before := alive()
		err := sessions.EndBySID(t.Context(), issuer, sid, "10.0.0.1")
		after := alive()
		got := slices.DeleteFunc(before, func(token string) bool { return slices.Contains(after, token) })
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s at %s ended %q, %v; want %q", sid, issuer, got, err, want)
		}
	}
	save("phone", "https://login.example", "s1", false)
	save("desk", "https://login.example", "s1", false)
	save("other", "https://login.example", "s2", false)
	save("elsewhere", "https://other.example", "s1", false)
	save("none", "https://login.example", "", false)
	if sid := read[string](t, r, `SELECT encode(sid_hash, 'escape') FROM sessions WHERE token_hash = 'other'`); sid == "s2" || len(sid) < 32 {
		t.Errorf("the provider's id lies open as %q", sid)
	}

	end("https://login.example", "s3")
	end("https://login.example", "")
	end("https://login.example", "s1", "desk", "phone")
	end("https://login.example", "s1")
	t.Run("ends them for good, also when a request was on its way", func(t *testing.T) {
		save("desk", "https://login.example", "s1", true)
		save("other", "https://login.example", "s4", true)
		end("https://login.example", "s1")
		end("https://login.example", "s2")
		end("https://login.example", "s4", "other")
	})
	if left := alive(); !slices.Equal(left, []string{"elsewhere", "none"}) {
		t.Errorf("got %q left", left)
	}
}
