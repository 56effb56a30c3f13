package queue

import (
	"context"
	"errors"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"github.com/lib/pq"

	"utsending/migrations"
)

// Schema returns the number of the database's last migration, 0 without any, and of the program's last. It changes
// nothing.
func (s Examinations) Schema(ctx context.Context) (have, want int, err error) {
	if want, err = lastMigration(); err != nil {
		return 0, 0, err
	}
	err = s.DB.GetContext(ctx, &have, `SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`)
	var e *pq.Error
	if errors.As(err, &e) && e.Code.Name() == "undefined_table" {
		return 0, want, nil
	}
	return have, want, err
}

func lastMigration() (int, error) {
	names, err := fs.Glob(migrations.FS, "*.sql")
	last := 0
	for _, name := range names {
		number, _, _ := strings.Cut(name, "_")
		n, err := strconv.Atoi(number)
		if err != nil {
			return 0, err
		}
		last = max(last, n)
	}
	return last, err
}

// Examination is what the database server reports about itself and about our role's rights.
type Examination struct {
	Version string    `db:"version"`
	Number  int       `db:"number"` // such as 150004
	Standby bool      `db:"standby"`
	Now     time.Time `db:"now"`
	Missing []string  `db:"-"` // rights, as in a GRANT
}

// Examine queries the server's facts. It changes nothing.
func (s Examinations) Examine(ctx context.Context) (Examination, error) {
	var e Examination
	err := s.DB.GetContext(ctx, &e, `
		SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
		       pg_is_in_recovery() AS standby, clock_timestamp() AS now`)
	if err != nil {
		return e, err
	}
	err = s.DB.SelectContext(ctx, &e.Missing, `
		SELECT r.needed || ' ON ' || c.relname
		FROM pg_class c, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS r(needed)
		WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace AND NOT has_table_privilege(c.oid, r.needed)
		  AND (c.relname NOT IN ('goose_db_version', 'applied_code', 'statuses', 'signing_statuses', 'causes', 'audit_anchors', 'audit_events', 'audit_chain') OR r.needed = 'SELECT')
		UNION ALL
		SELECT 'INSERT ON audit_chain' FROM pg_class c
		WHERE c.relname = 'audit_chain' AND c.relnamespace = current_schema()::regnamespace AND NOT has_column_privilege(c.oid, 'hash', 'INSERT')
		UNION ALL
		SELECT 'EXECUTE ON FUNCTION write_audit' FROM pg_proc p
		WHERE p.proname = 'write_audit' AND p.pronamespace = current_schema()::regnamespace AND NOT has_function_privilege(p.oid, 'EXECUTE')
		UNION ALL
		SELECT 'USAGE ON SEQUENCE ' || c.relname FROM pg_class c
		WHERE c.relnamespace = current_schema()::regnamespace AND CASE WHEN c.relkind = 'S' THEN NOT has_sequence_privilege(c.oid, 'USAGE') END
		UNION ALL
		SELECT 'EXECUTE ON FUNCTION ' || f FROM unnest(ARRAY['pg_control_system()', 'pg_current_wal_lsn()', 'pg_walfile_name(pg_lsn)']) AS f
		WHERE NOT has_function_privilege(f, 'EXECUTE')
		ORDER BY 1`)
	return e, err
}

// VerifyKeys verifies our keys against the database: it opens all credentials of integrations, or else a session. It
// returns how many it opened, and an error for the first that does not open.
func (s Examinations) VerifyKeys(ctx context.Context) (int, error) {
	var sealed []struct {
		Place string `db:"place"`
		Data  []byte `db:"data"`
	}
	err := s.DB.SelectContext(ctx, &sealed, `
		SELECT 'integration/' || integration_id || '/credentials' AS place, sealed AS data FROM credentials WHERE sealed IS NOT NULL
		UNION ALL
		(SELECT 'session/' || token_hash, data FROM sessions
		 WHERE NOT EXISTS (SELECT FROM credentials WHERE sealed IS NOT NULL) ORDER BY expires_at DESC LIMIT 1)`)
	if err != nil {
		return 0, err
	}
	for _, one := range sealed {
		if _, err := s.Keys.Open(one.Data, one.Place); err != nil {
			return 0, ErrOtherKeys
		}
	}
	return len(sealed), nil
}

// ErrOtherKeys says that the database's values were sealed with other keys.
var ErrOtherKeys = errors.New("sealed with other keys")

// HasAdministrator tells whether any value of the rights claim gives the role of system administrator.
func (s Examinations) HasAdministrator(ctx context.Context) (bool, error) {
	found := false
	err := s.DB.GetContext(ctx, &found, `SELECT EXISTS (SELECT FROM role_mappings WHERE role = 'system_admin')`)
	return found, err
}
