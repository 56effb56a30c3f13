package store_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/registry"
)

// version reads the version of rights as a request does: with a session.
func (r rig) version(t *testing.T) store.RightsVersion {
	t.Helper()
	if err := registry.In(r.s).Sessions.CommitCtx(t.Context(), "request", []byte("x"), time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	read, err := registry.In(r.s).Sessions.Read(t.Context(), "request")
	if err != nil || read.Rights == "" {
		t.Fatalf("got version %q, %v", read.Rights, err)
	}
	return read.Rights
}

// TestKnownUser: each change of rights takes effect at the next request, and no query is made in between.
func TestKnownUser(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	if err := r.s.MapRole(t.Context(), "oppvekst", r.Account.ID, dispatch.RoleCaseworker); err != nil {
		t.Fatal(err)
	}
	claims, login := []string{"oppvekst"}, dispatch.User{ID: r.User, Name: "Kari Nordmann"}
	at := func(v store.RightsVersion) dispatch.User {
		t.Helper()
		u, err := r.s.UserAt(t.Context(), v, login, claims)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	for _, change := range []string{
		`UPDATE accounts SET name = 'Et annet navn' WHERE id = $1`,
		`INSERT INTO role_mappings (claim_value, account_id, role) VALUES ('oppvekst', $1, 'team_lead')`,
		`UPDATE role_mappings SET role = 'auditor' WHERE account_id = $1 AND role = 'team_lead'`,
		`UPDATE integrations SET environment = CASE environment WHEN 'test' THEN 'production' ELSE 'test' END
		 WHERE id IN (SELECT sms_integration_id FROM accounts WHERE id = $1)`,
		`DELETE FROM role_mappings WHERE account_id = $1`,
	} {
		before := at(r.version(t))
		r.exec(t, change, r.Account.ID)
		now, err := r.s.User(t.Context(), login.ID, login.Name, claims)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(now, at(r.version(t))); diff != "" {
			t.Errorf("%s\nis not seen: %s", change, diff)
		}
		if cmp.Equal(now, before) {
			t.Errorf("%s\nchanges nothing", change)
		}
	}
}

func TestKnownUserIsNotAskedFor(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	if err := r.s.MapRole(t.Context(), "oppvekst", r.Account.ID, dispatch.RoleCaseworker); err != nil {
		t.Fatal(err)
	}
	v := r.version(t)
	kari, ola := dispatch.User{ID: r.User, Name: "Kari Nordmann"}, dispatch.User{ID: "0193aaaa-0000-7000-8000-000000000001", Name: "Ola Nordmann"}
	if _, err := r.s.UserAt(t.Context(), v, kari, []string{"oppvekst"}); err != nil {
		t.Fatal(err)
	}
	if err := r.s.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := r.s.UserAt(t.Context(), v, ola, []string{"oppvekst"})
	if err != nil || got.Name != ola.Name || got.ID != ola.ID || !got.May(dispatch.RightSendSMS, r.Account.ID) {
		t.Errorf("got %+v, %v: want what is known, for who asks", got, err)
	}
	for _, other := range []struct {
		version store.RightsVersion
		claims  []string
	}{{"", []string{"oppvekst"}}, {"another", []string{"oppvekst"}}, {v, []string{"oppvekst", "ledere"}}, {v, []string{`oppvekst" "ledere`}}} {
		if _, err := r.s.UserAt(t.Context(), other.version, kari, other.claims); err == nil {
			t.Errorf("%+v is known", other)
		}
	}
}
