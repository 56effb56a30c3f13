package storetest

import (
	"context"
	"database/sql"
	"errors"
	"strings"
)

// emptying brings a database back to its template's state when only rows were changed.
type emptying struct {
	back  string // statements that set the sequences back
	read  string // a query for a digest of the tables that the template has filled, the database's size, and statements that empty the other tables
	given string // that digest in the template
	size  int64  // that size in the template, in bytes
}

// growth is how many bytes a database may have grown: what many rows leave behind changes plans.
const growth = 4 << 20

// newEmptying reads a database that is as its template.
func newEmptying(ctx context.Context, address string) (e emptying, err error) {
	db, err := sql.Open("postgres", address)
	if err != nil {
		return e, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	empty, full, err := tables(ctx, db)
	if err != nil {
		return e, err
	}
	var digests []string
	for _, table := range full {
		// Each change of a row makes a new version of it, at another place. Reading the rows themselves takes longer.
		digests = append(digests, `(SELECT md5(string_agg(concat(r.ctid, r.xmin), ' ' ORDER BY r.ctid)) FROM `+table+` r)`)
	}
	const sequences = `SELECT string_agg(format('SELECT setval(%L, %s, %L)', oid::regclass, coalesce(pg_sequence_last_value(oid), 1),
		pg_sequence_last_value(oid) IS NOT NULL), ';') FROM pg_class WHERE relkind = 'S'`
	if err := db.QueryRowContext(ctx, sequences).Scan(&e.back); err != nil {
		return e, err
	}
	// A table whose file is empty has never had a row.
	e.read = `SELECT concat(` + strings.Join(digests, `, `) + `), pg_database_size(current_database()), (
		SELECT coalesce(string_agg('DELETE FROM ' || name, '; '), '') FROM unnest('{` + strings.Join(empty, `,`) + `}'::text[]) name
		WHERE pg_relation_size(name::regclass) > 0)`
	var none string
	err = db.QueryRowContext(ctx, e.read).Scan(&e.given, &e.size, &none)
	return e, err
}

// tables are the names of the tables without rows, and of those with.
func tables(ctx context.Context, db *sql.DB) (empty, full []string, err error) {
	// The row of rights_version has a random value, which any value may replace.
	rows, err := db.QueryContext(ctx, `SELECT oid::regclass::text FROM pg_class
		WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> 'rights_version'`)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var table string
		if err := rows.Scan(&table); err != nil {
			return nil, nil, err
		}
		var some bool
		if err := db.QueryRowContext(ctx, `SELECT EXISTS (SELECT FROM `+table+`)`).Scan(&some); err != nil {
			return nil, nil, err
		}
		if some {
			full = append(full, table)
		} else {
			empty = append(empty, table)
		}
	}
	return empty, full, rows.Err()
}

// run empties a database, unless it cannot be as its template by that.
func (e emptying) run(ctx context.Context, address string) (done bool, err error) {
	db, err := sql.Open("postgres", address)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	var given, deletes string
	var size int64
	if err := db.QueryRowContext(ctx, e.read).Scan(&given, &size, &deletes); err != nil {
		return false, err
	}
	if given != e.given || size > e.size+growth {
		return false, nil
	}
	const quietly = `BEGIN; SET LOCAL session_replication_role = replica; ` // without triggers
	_, err = db.ExecContext(ctx, quietly+deletes+`; `+e.back+`; COMMIT`)
	return err == nil, err
}
