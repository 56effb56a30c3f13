package queue

import (
	"context"

	"utsending/internal/store"
)

// Heartbeat is a delivering process's heartbeat. beat is its number, higher than that of each earlier one, also of one
// whose answer was lost: a process that was taken for dead and comes back goes on counting. Heartbeat returns how many
// processes are alive, since each takes its share of the integrations' parallelism and rate, and whether the guard
// holds: otherwise the heartbeat proves nothing about the database that delivered. Processes dead for a minute are
// forgotten.
func (s Workers) Heartbeat(ctx context.Context, worker string, beat int64) (alive int, held bool, err error) {
	var row struct {
		Alive int  `db:"alive"`
		Held  bool `db:"held"`
	}
	err = s.DB.GetContext(ctx, &row, `
		WITH held AS (
			SELECT n.timeline FROM delivery_guard g, (`+store.Identity+`) n WHERE `+store.SameDatabase+`
		), me AS (
			INSERT INTO workers (id, beat, vouches)
			VALUES ($1, CASE WHEN EXISTS (SELECT FROM held) THEN $2::bigint ELSE 0 END, coalesce((SELECT timeline FROM held), ''))
			ON CONFLICT (id) DO UPDATE SET seen_at = now(), beat = greatest(workers.beat, excluded.beat),
			    vouches = CASE excluded.vouches WHEN '' THEN workers.vouches ELSE excluded.vouches END
		), gone AS (
			DELETE FROM workers WHERE seen_at < now() - interval '1 minute' AND id <> $1 AND EXISTS (SELECT FROM held)
		)
		SELECT (SELECT count(*) + 1 FROM workers WHERE `+store.Living+` AND id <> $1) AS alive,
		       EXISTS (SELECT FROM held) AS held`, worker, beat)
	return row.Alive, row.Held, err
}

// Remove removes a stopped process.
func (s Workers) Remove(ctx context.Context, worker string) error {
	_, err := s.DB.ExecContext(ctx, `DELETE FROM workers WHERE id = $1`, worker)
	return err
}
