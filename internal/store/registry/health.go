package registry

import (
	"context"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// OldestDue returns the due time of the oldest due item of each integration.
func (s Health) OldestDue(ctx context.Context) (map[dispatch.IntegrationID]time.Time, error) {
	var rows []struct {
		Integration dispatch.IntegrationID `db:"integration_id"`
		Since       time.Time              `db:"since"`
	}
	err := s.Select(ctx, &rows, `
		SELECT `+store.ItemIntegration+` AS integration_id,
		       min(it.due_since) AS since
		FROM items it JOIN accounts a ON a.id = it.account_id
		WHERE it.state = 'queued' AND it.due_since <= now() AND (it.pinned_integration_id IS NOT NULL
		      OR CASE it.kind WHEN 'sms' THEN a.sms_integration_id ELSE a.shipment_integration_id END IS NOT NULL)
		GROUP BY 1`)
	oldest := make(map[dispatch.IntegrationID]time.Time, len(rows))
	for _, r := range rows {
		oldest[r.Integration] = r.Since
	}
	return oldest, err
}

// Storage is the size of the database on disk, in bytes.
type Storage struct {
	All   int64 `db:"all_bytes"`
	Files int64 `db:"file_bytes"` // uploaded files and lists, sealed
	Log   int64 `db:"log_bytes"`  // the event log
}

// Storage measures the database.
func (s Health) Storage(ctx context.Context) (Storage, error) {
	var size Storage
	err := s.DB.GetContext(ctx, &size, `
		SELECT pg_database_size(current_database()) AS all_bytes,
		       pg_total_relation_size('document_chunks') + pg_total_relation_size('list_chunks') AS file_bytes,
		       pg_total_relation_size('audit_events') AS log_bytes`)
	return size, err
}

// Processes counts the delivering processes.
func (s Health) Processes(ctx context.Context) (int, error) {
	var n int
	err := s.DB.GetContext(ctx, &n, `SELECT count(*) FROM workers WHERE `+store.Living)
	return n, err
}
