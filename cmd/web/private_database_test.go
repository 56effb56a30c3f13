package main_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"utsending/internal/store/storetest"
)

// nameColumns are the columns in which names, titles, references and file names may be in clear: lists are searched
// by them. All other columns, and all other values in these, are searched like a log.
var nameColumns = []string{"documents.file_name", "shipments.title", "shipments.recipient_name", "shipments.external_reference", "shipments.correlation_id", "shipments.words"}

// inNoColumn are values that no database may contain besides those that tests register: the secret of the services'
// clients, and any PDF.
var inNoColumn = []string{storetest.ClientSecret, "%PDF-1"}

// wantSealed fails the test for every private value that its database contains in clear, in any column of any table.
func (s *stack) wantSealed(t *testing.T) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context()) // the test is ending
	db, err := sql.Open("postgres", storetest.Owner(s.database))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	found, err := searchDatabase(ctx, db, append(forbidden.list(), inNoColumn...), forbidden.named())
	if err != nil {
		t.Errorf("search the database: %v", err)
	}
	for _, line := range found {
		t.Errorf("the database holds in clear: %s", line)
	}
}

// table is a table that has rows, and those of its columns that can hold text or numbers.
type table struct {
	columns   []string // with the table's name: items.reason_key
	statement string   // reads their values as bytes
}

// tables are those that have ever had a row: the file of the others is empty.
func tables(ctx context.Context, db *sql.DB) (all []table, err error) {
	rows, err := db.QueryContext(ctx, `
		SELECT c.oid::regclass::text, string_agg(format('%s.%s', c.relname, a.attname), ',' ORDER BY a.attnum),
			string_agg(format(CASE a.atttypid WHEN 'bytea'::regtype THEN '%I' ELSE 'convert_to(%I::text, ''UTF8'')' END, a.attname), ', ' ORDER BY a.attnum)
		FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
		WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND pg_relation_size(c.oid) > 0 AND a.attnum > 0 AND NOT a.attisdropped
			AND a.atttypid <> ALL ('{uuid,boolean,date,timestamptz}'::regtype[])
		GROUP BY c.oid`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var name, columns, values string
		if err := rows.Scan(&name, &columns, &values); err != nil {
			return nil, err
		}
		all = append(all, table{strings.Split(columns, ","), `SELECT ` + values + ` FROM ` + name})
	}
	return all, rows.Err()
}

// searchDatabase returns a line for each column and value found in it.
func searchDatabase(ctx context.Context, db *sql.DB, values, names []string) (found []string, err error) {
	all, err := tables(ctx, db)
	if err != nil {
		return nil, err
	}
	every := newNeedles(values)
	nameless := newNeedles(slices.DeleteFunc(slices.Clone(values), func(v string) bool { return slices.Contains(names, v) }))
	for _, one := range all {
		in, err := one.search(ctx, db, every, nameless)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", one.statement, err)
		}
		found = append(found, in...)
	}
	return found, nil
}

// search looks in all rows: for every value, but in nameColumns only for those that are no names.
func (t table) search(ctx context.Context, db *sql.DB, every, nameless needles) (found []string, err error) {
	rows, err := db.QueryContext(ctx, t.statement)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	values, into := make([]sql.RawBytes, len(t.columns)), make([]any, len(t.columns))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		for i, column := range t.columns {
			n := every
			if slices.Contains(nameColumns, column) {
				n = nameless
			}
			for _, v := range n.in(values[i]) {
				found = append(found, fmt.Sprintf("%s holds %q: %.200q", column, v, values[i]))
			}
		}
	}
	return found, rows.Err()
}

// needles are values in all spellings, by their first bytes, so that thousands are looked for in one go.
type needles map[[needleKey]byte][]needle

const needleKey = 5

type needle struct{ value, spelling string }

func newNeedles(values []string) needles {
	n := needles{}
	for _, value := range values {
		all := spellings(value)
		if d := strings.TrimLeft(value, "+"); digitsOnly(d) {
			all = append(all, "47"+d, "+47"+d, "0047"+d)
		}
		for _, s := range all {
			if len(s) >= needleKey {
				key := [needleKey]byte([]byte(s[:needleKey]))
				n[key] = append(n[key], needle{value, s})
			}
		}
	}
	return n
}

// in returns the values that a text or bytes contain. Digits count only if no other digit is adjacent: eight of them
// in a row occur by chance in hexadecimal hashes.
func (n needles) in(content []byte) (values []string) {
	for i := 0; i+needleKey <= len(content); i++ {
		for _, one := range n[[needleKey]byte(content[i:i+needleKey])] {
			if !bytes.HasPrefix(content[i:], []byte(one.spelling)) || slices.Contains(values, one.value) {
				continue
			}
			if digitsOnly(one.spelling) && !alone(content, i, i+len(one.spelling)) {
				continue
			}
			values = append(values, one.value)
		}
	}
	return values
}

func digitsOnly(s string) bool { return strings.Trim(s, "0123456789") == "" }

func alone(content []byte, from, to int) bool {
	const hexadecimal = "0123456789abcdef"
	return (from == 0 || !strings.ContainsRune(hexadecimal, rune(content[from-1]))) &&
		(to == len(content) || !strings.ContainsRune(hexadecimal, rune(content[to])))
}

// TestDatabaseSearch: the search finds values in a column, as text and as bytes, and allows names in their columns.
func TestDatabaseSearch(t *testing.T) {
	t.Parallel()
	db := storetest.DB(t, storetest.Database(t))
	const phone, fnr, text, name = "40120567", "12889912345", "QABCDEFGHIJK", "Ola QLMNOPQRSTUV"
	search := func() []string {
		t.Helper()
		found, err := searchDatabase(t.Context(), db, []string{phone, fnr, text, name}, []string{name})
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	if found := search(); len(found) > 0 {
		t.Errorf("found where nothing is: %s", found)
	}
	if _, err := db.Exec(`CREATE TABLE planted (words text, raw bytea, details jsonb, n bigint, "searched for" text)`); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		column string
		value  any
	}{
		{"words", "to " + phone + " at noon"}, {"words", "+47" + phone}, {"words", "Hei " + text}, {"words", fmt.Sprintf("%x", text)},
		{"words", "401 20 567"}, {"words", "401%2020%20567"}, {"raw", []byte("\x01\x02" + text + "\xff")}, {"raw", []byte(fnr)},
		{"details", `{"mottaker":` + strconv.Quote(fnr) + `}`}, {"n", 40120567}, {`"searched for"`, name},
	} {
		if _, err := db.Exec(`INSERT INTO planted (`+tt.column+`) VALUES ($1)`, tt.value); err != nil {
			t.Fatal(err)
		}
		if found := search(); len(found) != 1 {
			t.Errorf("%v in %s: got %q", tt.value, tt.column, found)
		}
		if _, err := db.Exec(`DELETE FROM planted`); err != nil {
			t.Fatal(err)
		}
	}
}
