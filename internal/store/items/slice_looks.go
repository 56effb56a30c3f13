package items

import (
	"context"
	"encoding/hex"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// SliceLook is a doubtful slice that a person must look at.
type SliceLook struct {
	Key  string // keyed hash of slice and recipient: changes with either
	Seen bool   // a person has looked at it
}

// keepDoubts stores the rows with a doubtful slice; rows not given have none.
func (s Slices) keepDoubts(ctx context.Context, tx *sqlx.Tx, id dispatch.JobID, rows []dispatch.JobRow) error {
	var positions []int
	var looks [][]byte
	for _, r := range rows {
		if len(r.Doubts) == 0 {
			continue
		}
		to, err := s.hashShipment(*r.Shipment)
		if err != nil {
			return err
		}
		look, err := s.Keys.Hash("part", r.SliceHash+"\x00"+string(to))
		if err != nil {
			return err
		}
		positions, looks = append(positions, r.Position), append(looks, look)
	}
	_, err := tx.ExecContext(ctx, `
		UPDATE job_rows r SET look_hash = new.look
		FROM job_rows o LEFT JOIN unnest($2::integer[], $3::bytea[]) AS new (position, look) ON new.position = o.position
		WHERE o.job_id = $1 AND r.job_id = $1 AND r.position = o.position AND r.look_hash IS DISTINCT FROM new.look`, id, pq.Array(positions), pq.ByteaArray(looks))
	return err
}

// Looks returns the doubtful slices of some rows of a job's draft, by row.
func (s Slices) Looks(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, positions []int) (map[int]SliceLook, error) {
	var rows []struct {
		Position int    `db:"position"`
		Look     []byte `db:"look_hash"`
		Seen     bool   `db:"seen"`
	}
	err := s.Select(ctx, &rows, `
		SELECT r.position, r.look_hash, l.look_hash IS NOT NULL AS seen
		FROM job_rows r LEFT JOIN part_looks l ON l.job_id = r.job_id AND l.look_hash = r.look_hash
		WHERE r.job_id = (SELECT id FROM jobs WHERE id = $1 AND account_id = $2) AND r.position = ANY($3) AND r.look_hash IS NOT NULL`, id, account, pq.Array(positions))
	by := map[int]SliceLook{}
	for _, r := range rows {
		by[r.Position] = SliceLook{Key: hex.EncodeToString(r.Look), Seen: r.Seen}
	}
	return by, err
}

// Unseen counts the doubtful slices of a job's draft that nobody has looked at, and returns the row of the
// first.
func (s Slices) Unseen(ctx context.Context, account dispatch.AccountID, id dispatch.JobID) (n, first int, err error) {
	return unseenSlices(ctx, s.DB, account, id)
}

func unseenSlices(ctx context.Context, db sqlx.QueryerContext, account dispatch.AccountID, id dispatch.JobID) (n, first int, err error) {
	err = db.QueryRowxContext(ctx, `
		SELECT count(*), coalesce(min(r.position), 0) FROM job_rows r
		WHERE r.job_id = (SELECT id FROM jobs WHERE id = $1 AND account_id = $2) AND r.problem = '' AND r.look_hash IS NOT NULL
		  AND NOT EXISTS (SELECT FROM part_looks l WHERE l.job_id = r.job_id AND l.look_hash = r.look_hash)`, id, account).Scan(&n, &first)
	return n, first, err
}

// See records that a person has looked at slices of one's own draft. Keys that are no longer part of it are
// ignored.
func (s Slices) See(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, by store.Actor, keys []string) error {
	looks := make([][]byte, 0, len(keys))
	for _, key := range keys {
		if look, err := hex.DecodeString(key); err == nil {
			looks = append(looks, look)
		}
	}
	return In(s.Store).Jobs.changeJobDraft(ctx, account, id, by, func(tx *sqlx.Tx, _ dispatch.Job) error {
		n, err := store.Affected(tx.ExecContext(ctx, `
			INSERT INTO part_looks (job_id, look_hash, user_id)
			SELECT DISTINCT job_id, look_hash, $3::uuid FROM job_rows WHERE job_id = $1 AND look_hash = ANY($2)
			ON CONFLICT DO NOTHING`, id, pq.ByteaArray(looks), by.User))
		if err != nil || n == 0 {
			return err
		}
		return store.Record(ctx, tx, store.Audit{Actor: by.User, Account: account, Action: "job.parts_seen", Object: string(id), Details: map[string]any{"parts": n}, Origin: by.Origin})
	})
}

// copyLooks copies confirmations of an earlier job for slices that are sent to the same people again.
func copyLooks(ctx context.Context, tx *sqlx.Tx, from, to dispatch.JobID) error {
	_, err := tx.ExecContext(ctx, `
		INSERT INTO part_looks (job_id, look_hash, user_id, looked_at) SELECT $2, look_hash, user_id, looked_at FROM part_looks WHERE job_id = $1
		ON CONFLICT DO NOTHING`, from, to)
	return err
}
