package main_test

import (
	"strings"
	"testing"
	"time"

	"utsending/internal/store"
	"utsending/internal/store/registry"
	"utsending/internal/store/storetest"
)

// verifiesLog chains two lines, and verifies noted positions that are right, wrong, and purged.
func verifiesLog(t *testing.T, env map[string]string) {
	t.Parallel()
	database := storetest.Database(t)
	env = copyOf(env, "DATABASE_URL", database)
	if out, errs, err := program(env, "audit", "verify"); err != nil || !strings.Contains(out, "0 lines") || strings.Contains(out, "Write this down") {
		t.Errorf("with nothing in the log: %q, %q, %v", out, errs, err)
	}
	s := storetest.Open(t, database)
	for range 2 {
		if err := s.Record(t.Context(), store.Audit{Action: "sms.send"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := registry.In(s).Audit.Chain(t.Context(), time.Time{}); err != nil {
		t.Fatal(err)
	}
	out, errs, err := program(env, "audit", "verify")
	_, place, _ := strings.Cut(strings.TrimSpace(out), "next verification: ")
	if err != nil || !strings.HasPrefix(place, "2:") {
		t.Fatalf("got %q, %q, %v", out, errs, err)
	}
	if out, errs, err := program(env, "audit", "verify", place); err != nil {
		t.Errorf("with the place of before: %q, %q, %v", out, errs, err)
	}
	if out, _, err := program(env, "audit", "verify", "1"+place[1:]); err == nil || !strings.Contains(out, "not the one that was written down") {
		t.Errorf("with another place: %q, %v", out, err)
	}
	execute(t, database, `INSERT INTO audit_anchors (position, hash) VALUES (2, ''); DELETE FROM audit_chain; DELETE FROM audit_events`)
	if out, _, err := program(env, "audit", "verify", "1"+place[1:]); err == nil || !strings.Contains(out, "said to have been purged") {
		t.Errorf("with everything called purged: %q, %v", out, err)
	}
}

// execute runs statements as the owner of a database.
func execute(t *testing.T, database, statements string) {
	t.Helper()
	if _, err := storetest.DB(t, database).ExecContext(t.Context(), statements); err != nil {
		t.Fatal(err)
	}
}
