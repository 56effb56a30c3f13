// Package migrations embeds the SQL of the database. Tables are numbered files that only go forward: the previous release must
// still run on the new schema. Functions, triggers and views are the files in code, which each release recreates. The resulting
// schema is schema.sql.
package migrations

import "embed"

// FS holds the tables.
//
//go:embed [0-9]*.sql
var FS embed.FS

// Baseline is the last number of the first table files.
const Baseline = 212

// Code holds functions, triggers and views, one file per noun. Views and triggers use functions of their own file only, so that the
// order of files does not matter.
//
//go:embed code/*.sql
var Code embed.FS

// Carry converts the tables of a database made by the migrations before the baseline.
//
//go:embed carry.sql
var Carry string

// Former maps the last number of those migrations that can be carried over to how many they are.
var Former = map[int64]int{102: 59, 110: 60}
