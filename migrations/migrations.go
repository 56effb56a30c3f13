// Package migrations embeds the numbered SQL files that make and change the database. They only go forward, and the
// previous release must still run on the new schema.
package migrations

import "embed"

// FS holds the migrations.
//
//go:embed *.sql
var FS embed.FS
