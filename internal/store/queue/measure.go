package queue

import (
	"context"
	"database/sql"

	"utsending/internal/dispatch"
)

// Queue measures the queue of one kind of item.
type Queue struct {
	Kind      dispatch.Kind `db:"kind"`
	Due       int           `db:"due"`        // due by now, retries included
	OldestDue float64       `db:"oldest_due"` // seconds since the oldest of them was first due
	Uncertain int           `db:"uncertain"`
}

// Queues measures the queues that are not empty.
func (s Gauges) Queues(ctx context.Context) ([]Queue, error) {
	var queues []Queue
	err := s.DB.SelectContext(ctx, &queues, `
		SELECT kind, sum(due) AS due, sum(oldest_due) AS oldest_due, sum(uncertain) AS uncertain
		FROM (
			SELECT kind, count(*) AS due, extract(epoch FROM now() - min(due_since)) AS oldest_due, 0 AS uncertain
			FROM items WHERE state = 'queued' AND due_since <= now() GROUP BY kind
			UNION ALL
			SELECT kind, 0, 0, count(*) FROM items WHERE state = 'uncertain' GROUP BY kind
		) q
		GROUP BY kind`)
	return queues, err
}

// BlockedIntegration is an integration to which delivery is blocked.
type BlockedIntegration struct {
	Integration dispatch.IntegrationID `db:"id"`
	Because     string                 `db:"because"` // "uncertain": too many uncertain outcomes in a row; "person": stopped by a person; "refused": its credentials are refused
}

// BlockedIntegrations returns the blocked integrations, by id.
func (s Gauges) BlockedIntegrations(ctx context.Context) ([]BlockedIntegration, error) {
	var list []BlockedIntegration
	err := s.Select(ctx, &list, `
		SELECT id, CASE WHEN stopped_at IS NULL THEN 'refused' WHEN stopped_by = '' THEN 'uncertain' ELSE 'person' END AS because
		FROM integrations WHERE stopped_at IS NOT NULL OR refused_at IS NOT NULL ORDER BY id`)
	return list, err
}

// Pools returns the statistics of the connection pools by name.
func (s Gauges) Pools() map[string]sql.DBStats {
	return map[string]sql.DBStats{"pages": s.DB.Stats(), "files": s.Bulk.Stats(), "lists": s.Lists.Stats(), "queue": s.Queue.Stats()}
}
