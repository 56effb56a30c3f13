package queue

import (
	"context"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// Witness is what a delivering process knows to be committed. The zero value knows nothing.
type Witness struct {
	Worker string
	Beat   int64 // its last heartbeat, see Heartbeat
	// Attempts are those that it has begun since that heartbeat. Earlier ones need no proof of their own: the
	// write-ahead log is replayed in order, so a standby that has the heartbeat has what was committed before it.
	// A batch has one id.
	Attempts []dispatch.AttemptID
}

// promotion is the result of comparing a database with the one that last delivered. Its text goes to the log.
type promotion string

const (
	restored    promotion = "it is no promoted standby"
	lacking     promotion = "it is a promoted standby that lacks what this process had begun"
	silent      promotion = "it is a promoted standby, and a process did not tell within 20 seconds whether it lacks anything"
	unwitnessed promotion = "it is a promoted standby, and no process that delivered can tell whether it lacks anything"
	doubtful    promotion = "it is a promoted standby, and some processes have not told yet whether it lacks anything"
	complete    promotion = "it is a promoted standby that lacks nothing that any process had begun"
)

// promoted asks whether a promoted standby lacks anything. Only the processes that delivered can tell: each vouches
// for the new timeline when it finds its last heartbeat and the attempts it has begun since. It is complete when all of
// them have vouched. It is taken for a restored backup when one misses something, when one has not told within 20 seconds
// (it died with what it knew), or when there is none.
func promoted(ctx context.Context, tx *sqlx.Tx, g guardRow, w Witness) (promotion, error) {
	if w.Beat > 0 {
		found, err := vouch(ctx, tx, g.Timeline, w)
		if err != nil || !found {
			return lacking, err
		}
	}
	var told struct {
		Vouched int `db:"vouched"`
		Silent  int `db:"silent"`
	}
	err := tx.GetContext(ctx, &told, `
		SELECT count(*) FILTER (WHERE vouches = $1) AS vouched, count(*) FILTER (WHERE vouches NOT IN ('', $1)) AS silent FROM workers`, g.Timeline)
	switch {
	case err != nil:
		return unwitnessed, err
	case told.Silent == 0 && told.Vouched > 0:
		return complete, nil
	case told.Silent == 0:
		return unwitnessed, nil
	case g.Overdue:
		return silent, nil
	}
	_, err = tx.ExecContext(ctx, `UPDATE delivery_guard SET promoted_at = coalesce(promoted_at, now())`)
	return doubtful, err
}

// vouch notes that a process misses nothing; false: it does.
func vouch(ctx context.Context, tx *sqlx.Tx, timeline string, w Witness) (bool, error) {
	ids := make([]string, len(w.Attempts))
	for i, id := range w.Attempts {
		ids[i] = string(id)
	}
	n, err := store.Affected(tx.ExecContext(ctx, `
		UPDATE workers SET vouches = $2
		WHERE id = $1 AND beat >= $3 AND vouches <> '' AND NOT EXISTS (
			SELECT FROM unnest($4::uuid[]) begun (id)
			WHERE NOT EXISTS (SELECT FROM attempts a WHERE a.id = begun.id) AND NOT EXISTS (SELECT FROM attempts a WHERE a.part_id = begun.id))`,
		w.Worker, timeline, w.Beat, pq.Array(ids)))
	return n == 1, err
}

// acceptPromotion makes the promoted standby the database that delivers.
func acceptPromotion(ctx context.Context, tx *sqlx.Tx) error {
	if _, err := tx.ExecContext(ctx, `UPDATE delivery_guard g SET timeline = n.timeline, promoted_at = NULL FROM (`+store.Identity+`) n`); err != nil {
		return err
	}
	return store.Record(ctx, tx, store.Audit{Action: "delivery.promoted"})
}
