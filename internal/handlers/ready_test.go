package handlers_test

import (
	"net/http"
	"testing"
)

// TestReady: a process whose database has an older schema than its own must get no requests; a newer one does not matter.
func TestReady(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, nobody)
	for _, step := range []struct {
		name, statement string
		want            int
		says            string
	}{
		{"with our schema", `SELECT 1`, http.StatusOK, "ready\n"},
		{"with a newer schema", `INSERT INTO goose_db_version (version_id, is_applied) VALUES (999999, true)`, http.StatusOK, "ready\n"},
		{"with an older schema", `DELETE FROM goose_db_version WHERE version_id > 1`, http.StatusServiceUnavailable, "database is not migrated\n"},
		{"without a schema", `ALTER TABLE goose_db_version RENAME TO elsewhere`, http.StatusServiceUnavailable, "database is not migrated\n"},
	} {
		s.run(t, step.statement)
		if got := b.get("/readyz"); got.StatusCode != step.want || got.body != step.says {
			t.Errorf("%s: got %d %q, want %d %q", step.name, got.StatusCode, got.body, step.want, step.says)
		}
	}
	if got := b.get("/healthz"); got.StatusCode != http.StatusOK {
		t.Errorf("got %d from a process that lives", got.StatusCode)
	}
}
