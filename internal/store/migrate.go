package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"utsending/internal/dispatch"
	"utsending/migrations"
)

// Migrate brings the database to this program's schema and returns how many migrations it applied: first tables, then
// functions, triggers and views, then the rows of statuses. Concurrent calls wait for each other.
func (s *Store) Migrate(ctx context.Context) (int, error) {
	carried, err := s.carryOver(ctx)
	if err != nil {
		return 0, fmt.Errorf("migrate: %w", err)
	}
	p, err := s.migrator()
	if err != nil {
		return carried, err
	}
	results, err := p.Up(ctx)
	n := carried + len(results)
	if err != nil {
		return n, fmt.Errorf("migrate: %w", err)
	}
	err = s.InTx(ctx, func(tx *sqlx.Tx) error {
		if err := lockMigration(ctx, tx); err != nil {
			return err
		}
		return renewCode(ctx, tx)
	})
	if err != nil {
		return n, fmt.Errorf("migrate: %w", err)
	}
	return n, nil
}

// Migrated tells whether the database has this program's schema. It does not use goose, which takes several queries
// and creates its table when it is missing.
func (s *Store) Migrated(ctx context.Context) (bool, error) {
	wanted, err := versions()
	if err != nil {
		return false, err
	}
	hash, err := codeHash()
	if err != nil {
		return false, err
	}
	var pending bool
	err = s.DB.GetContext(ctx, &pending, `
		SELECT EXISTS (SELECT unnest($1::bigint[]) EXCEPT SELECT version_id FROM goose_db_version WHERE is_applied)
		    OR NOT EXISTS (SELECT FROM applied_code WHERE hash = $2)`, pq.Array(wanted), hash)
	var e *pq.Error
	if errors.As(err, &e) && e.Code.Name() == "undefined_table" {
		return false, nil
	}
	return err == nil && !pending, err
}

// versions returns the numbers of our migrations.
func versions() ([]int64, error) {
	names, err := fs.Glob(migrations.FS, "*.sql")
	numbers := make([]int64, len(names))
	for i, name := range names {
		if err == nil {
			numbers[i], err = goose.NumericComponent(name)
		}
	}
	return numbers, err
}

func (s *Store) migrator() (*goose.Provider, error) {
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 300)) // poll every second, for five minutes
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(goose.DialectPostgres, s.DB.DB, migrations.FS, goose.WithSessionLocker(locker), goose.WithLogger(goose.NopLogger()))
}

func lockMigration(ctx context.Context, tx *sqlx.Tx) error {
	_, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(hashtext('migrate'))`)
	return err
}

// carryOver migrates a database made by the migrations before the baseline, in one transaction, and returns the
// number of steps. A database that is not at the end of those is left as it is.
func (s *Store) carryOver(ctx context.Context) (steps int, err error) {
	err = s.InTx(ctx, func(tx *sqlx.Tx) error {
		if err := lockMigration(ctx, tx); err != nil {
			return err
		}
		var made bool
		if err := tx.GetContext(ctx, &made, `SELECT to_regclass('goose_db_version') IS NOT NULL`); err != nil || !made {
			return err
		}
		var former struct {
			Last  int64 `db:"last"`
			Count int   `db:"count"`
		}
		err := tx.GetContext(ctx, &former, `
			SELECT coalesce(max(version_id), 0) AS last, count(DISTINCT version_id) AS count FROM goose_db_version WHERE is_applied AND version_id BETWEEN 1 AND 200`)
		switch {
		case err != nil || former.Count == 0:
			return err
		case migrations.Former[former.Last] != former.Count:
			return fmt.Errorf("the database is at migration %d of an earlier version, and can only be carried over from number 102: migrate it with that version first", former.Last)
		}
		steps = 1
		return carry(ctx, tx)
	})
	return steps, err
}

func carry(ctx context.Context, tx *sqlx.Tx) error {
	hash, err := codeHash()
	if err != nil {
		return err
	}
	grants, err := dropCode(ctx, tx)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, migrations.Carry); err != nil {
		return fmt.Errorf("carry over: %w", err)
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM goose_db_version WHERE version_id > 0`); err != nil {
		return err
	}
	names, err := fs.Glob(migrations.FS, "*.sql")
	if err != nil {
		return err
	}
	for _, name := range names {
		version, err := goose.NumericComponent(name)
		if err != nil {
			return err
		}
		if version > migrations.Baseline { // the code below may need it
			if err := execFile(ctx, tx, migrations.FS, name); err != nil {
				return err
			}
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO goose_db_version (version_id, is_applied) VALUES ($1, true)`, version); err != nil {
			return err
		}
	}
	return writeCode(ctx, tx, hash, grants)
}

// renewCode recreates functions, triggers and views if they differ from this version's, and the rows of statuses.
// Those of a later version are left alone.
func renewCode(ctx context.Context, tx *sqlx.Tx) error {
	hash, err := codeHash()
	if err != nil {
		return err
	}
	var applied bool
	if err := tx.GetContext(ctx, &applied, `SELECT EXISTS (SELECT FROM applied_code WHERE hash = $1)`, hash); err != nil || applied {
		return err
	}
	grants, err := dropCode(ctx, tx)
	if err != nil {
		return err
	}
	return writeCode(ctx, tx, hash, grants)
}

// writeCode recreates functions, triggers and views, restores the rights on them, and records their hash.
func writeCode(ctx context.Context, tx *sqlx.Tx, hash string, grants []string) error {
	names, err := fs.Glob(migrations.Code, "code/*.sql")
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `SET LOCAL check_function_bodies = off`); err != nil { // they refer to each other
		return err
	}
	for _, name := range names {
		if err := execFile(ctx, tx, migrations.Code, name); err != nil {
			return err
		}
	}
	for _, grant := range grants {
		if err := regrant(ctx, tx, grant); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, countShipmentCosts); err != nil {
		return fmt.Errorf("count the costs of shipments: %w", err)
	}
	if err := fillStatuses(ctx, tx); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, countShipmentsOfTemplates); err != nil {
		return fmt.Errorf("count shipments by template: %w", err)
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO applied_code (hash) VALUES ($1)`, hash)
	return err
}

// countShipmentsOfTemplates counts the shipments that began with a template and were made by releases that did not count them so.
// Nothing changes meanwhile: the triggers that count are new in this transaction. Where some are counted, all are.
const countShipmentsOfTemplates = `
	INSERT INTO stats (account_id, day, kind, dimension, value, n, arrived, stopped, parts)
	SELECT f.account_id, f.day, f.kind, 'template', f.template_id::text, count(*), count(*) FILTER (WHERE r.list_group = 'arrived'),
	       count(*) FILTER (WHERE r.list_group = 'stopped'), 0
	FROM stat_facts f LEFT JOIN statuses r ON r.kind = f.kind AND r.status = f.outcome
	WHERE f.kind = 'shipment' AND f.template_id IS NOT NULL
	  AND NOT EXISTS (SELECT FROM stat_all WHERE kind = 'shipment' AND dimension = 'template')
	GROUP BY 1, 2, 3, 4, 5`

// countShipmentCosts counts the costs of shipments sent by releases that did not count them, in the same way. It runs before the
// statuses are filled, which counts anew what a changed status costs.
const countShipmentCosts = `
	INSERT INTO shipment_usage (account_id, month, ore)
	SELECT account_id, month, sum(ore) FROM shipment_costs WHERE NOT EXISTS (SELECT FROM shipment_usage) GROUP BY 1, 2`

// codeHash identifies what renewCode writes, and the tables that it is written for.
func codeHash() (string, error) {
	hash := sha256.New()
	names, err := fs.Glob(migrations.Code, "code/*.sql")
	if err != nil {
		return "", err
	}
	for _, name := range names {
		text, err := fs.ReadFile(migrations.Code, name)
		if err != nil {
			return "", err
		}
		_, _ = fmt.Fprintf(hash, "%s %d\n%s", name, len(text), text) // a hash's Write never fails
	}
	numbers, err := versions()
	_, _ = fmt.Fprintln(hash, numbers, statusRowsOf(dispatch.KindSMS), statusRowsOf(dispatch.KindShipment), dispatch.SigningRows())
	for _, c := range dispatch.Causes() {
		_, _ = fmt.Fprintln(hash, c, c.HoldsWhenReplaced())
	}
	return hex.EncodeToString(hash.Sum(nil)), err
}

// execFile runs all statements of a file.
func execFile(ctx context.Context, tx *sqlx.Tx, files fs.FS, name string) error {
	text, err := fs.ReadFile(files, name)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, string(text)); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// ourCode selects our functions and views, not those of an extension or of another owner.
const ourCode = `
	functions AS (
		SELECT p.oid, p.oid::regprocedure::text AS name, p.proacl AS acl, p.proowner AS owner FROM pg_proc p
		WHERE p.pronamespace = current_schema()::regnamespace AND p.proowner = (SELECT relowner FROM pg_class WHERE oid = 'goose_db_version'::regclass)
		  AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
	),
	views AS (
		SELECT c.oid, c.oid::regclass::text AS name, c.relacl AS acl, c.relowner AS owner FROM pg_class c
		WHERE c.relkind = 'v' AND c.relnamespace = current_schema()::regnamespace AND c.relowner = (SELECT relowner FROM pg_class WHERE oid = 'goose_db_version'::regclass)
		  AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
	)`

// dropCode drops our functions, triggers and views, and returns the rights that others had on them. It locks the
// tables first, in the order of their creation, as most transactions do, to prevent deadlocks.
func dropCode(ctx context.Context, tx *sqlx.Tx) (grants []string, err error) {
	if err := tx.SelectContext(ctx, &grants, grantsOnCode); err != nil {
		return nil, err
	}
	var statements []string
	err = tx.SelectContext(ctx, &statements, `WITH`+ourCode+`,
	triggers AS (
		SELECT t.tgname AS name, t.tgrelid AS of FROM pg_trigger t JOIN functions f ON f.oid = t.tgfoid WHERE NOT t.tgisinternal
	)
		SELECT statement FROM (
			SELECT 0 AS place, of, format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', of::regclass) AS statement FROM triggers GROUP BY of
			UNION ALL
			SELECT 1, 0, format('DROP VIEW IF EXISTS %s CASCADE', name) FROM views
			UNION ALL
			SELECT 2, of, format('DROP TRIGGER %I ON %s', name, of::regclass) FROM triggers
			UNION ALL
			SELECT 3, 0, format('DROP FUNCTION %s', name) FROM functions
		) drops ORDER BY place, of, statement`)
	if err != nil || len(statements) == 0 {
		return nil, err
	}
	_, err = tx.ExecContext(ctx, strings.Join(statements, ";\n"))
	return grants, err
}

// grantsOnCode selects those rights, as GRANT statements.
const grantsOnCode = `WITH` + ourCode + `
	SELECT format('GRANT EXECUTE ON FUNCTION %s TO %I', f.name, r.rolname) FROM functions f, aclexplode(f.acl) a JOIN pg_roles r ON r.oid = a.grantee WHERE a.grantee <> f.owner
	UNION ALL
	SELECT format('GRANT %s ON %s TO %I', a.privilege_type, v.name, r.rolname) FROM views v, aclexplode(v.acl) a JOIN pg_roles r ON r.oid = a.grantee WHERE a.grantee <> v.owner`

// regrant restores a right, unless its object no longer exists.
func regrant(ctx context.Context, tx *sqlx.Tx, grant string) error {
	if _, err := tx.ExecContext(ctx, `SAVEPOINT regrant`); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, grant)
	var e *pq.Error
	if errors.As(err, &e) && (e.Code.Name() == "undefined_function" || e.Code.Name() == "undefined_table") {
		_, err = tx.ExecContext(ctx, `ROLLBACK TO SAVEPOINT regrant`)
	}
	return err
}
