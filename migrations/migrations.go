// Package migrations embeds the SQL that makes and changes the database. Its tables are numbered files, which only go forward:
// the previous release must still run on the new schema. Its functions, triggers and views are files in code, which each
// version writes anew. What both make stands in schema.sql.
package migrations

import "embed"

// FS holds the tables.
//
//go:embed [0-9]*.sql
var FS embed.FS

// Baseline is the last number of the tables as they were first made from files by noun.
const Baseline = 212

// Code holds functions, triggers and views, one file for each noun. Views and triggers name functions of their own file only,
// so that the order of the files does not matter.
//
//go:embed code/*.sql
var Code embed.FS

// Carry changes the tables of a database that the migrations before the baseline have made.
//
//go:embed carry.sql
var Carry string

// Former are the last numbers of those migrations from which a database can be carried over, with how many they are.
var Former = map[int64]int{102: 59, 110: 60}
