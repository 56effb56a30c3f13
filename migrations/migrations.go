// Package migrations embeds the numbered SQL files that make and change the database. They only go forward, and the
// previous release must still run on the new schema. What they make stands in schema.sql, to be read.
package migrations

import "embed"

// FS holds the migrations.
//
//go:embed [0-9]*.sql
var FS embed.FS
