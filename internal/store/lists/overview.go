package lists

import (
	"context"
	"fmt"
	"strings"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// Own returns a user's figures on an account for a period, by day and outcome; to is exclusive. It counts
// the user's rows in the index of lists, whose number is that of a user's days, not of the account's years.
func (s Statistics) Own(ctx context.Context, account dispatch.AccountID, user dispatch.UserID, from, to time.Time) (dispatch.Statistics, error) {
	var rows []struct {
		Day     string        `db:"day"`
		Kind    dispatch.Kind `db:"kind"`
		Outcome string        `db:"outcome"`
		Band    *int          `db:"read_band"`
		N       int           `db:"n"`
		Arrived int           `db:"arrived"`
		Stopped int           `db:"stopped"`
	}
	err := s.Select(ctx, &rows, `
		SELECT (created_at AT TIME ZONE 'Europe/Oslo')::date::text AS day, kind, outcome, read_band, count(*) AS n,
		       count(*) FILTER (WHERE list_group = 'arrived') AS arrived, count(*) FILTER (WHERE list_group = 'stopped') AS stopped
		FROM listed
		WHERE account_id = $1 AND kind IN ('sms', 'shipment') AND created_by = $2 AND created_at >= $3 AND created_at < $4 AND outcome <> ''
		GROUP BY 1, 2, 3, 4
		ORDER BY 1, 2, 3, 4`, account, user, from, to)
	st := dispatch.Statistics{From: from, To: to}
	for _, r := range rows {
		day, err := time.ParseInLocation(time.DateOnly, r.Day, dispatch.Oslo)
		if err != nil {
			return st, err
		}
		st.Outcomes = append(st.Outcomes, dispatch.OfOutcome{Day: day, Kind: r.Kind, Outcome: r.Outcome, Tally: dispatch.Tally{N: r.N, Arrived: r.Arrived, Stopped: r.Stopped}})
		if r.Band != nil && *r.Band < len(st.Read) {
			st.Read[*r.Band] += r.N
		}
	}
	return st, err
}

// Sent is one of the latest items sent, or the job that it belongs to.
type Sent struct {
	Item dispatch.ItemID
	Job  dispatch.JobID // empty: it stands alone
}

// sentRow is an item in time.
type sentRow struct {
	ID  dispatch.ItemID `db:"id"`
	At  time.Time       `db:"created_at"`
	Job dispatch.JobID  `db:"job"`
}

const (
	latestRead  = 300 // items read at once
	latestReads = 5   // how often, at most
)

// Latest returns the latest items that a user, or if empty anybody, has sent on an account, of each job one only. Where jobs are larger
// than what is read at once, what was sent while they were made may be left out.
func (s Statistics) Latest(ctx context.Context, account dispatch.AccountID, sender dispatch.UserID, most int) (list []Sent, err error) {
	known, before := map[dispatch.JobID]bool{}, store.Cursor{}
	for range latestReads {
		rows, err := s.sentBefore(ctx, account, sender, before)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			if r.Job != "" && known[r.Job] {
				continue
			}
			known[r.Job] = true
			if list = append(list, Sent{r.ID, r.Job}); len(list) == most {
				return list, nil
			}
		}
		if len(rows) < latestRead {
			return list, nil
		}
		if before, err = s.beforeJob(ctx, rows[len(rows)-1]); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// sentBefore reads the latest items sent before a place.
func (s Statistics) sentBefore(ctx context.Context, account dispatch.AccountID, sender dispatch.UserID, before store.Cursor) (rows []sentRow, err error) {
	arguments := []any{account}
	where := ""
	if sender != "" {
		arguments = append(arguments, sender)
		where += fmt.Sprintf(` AND l.created_by = $%d`, len(arguments))
	}
	if !before.Zero() {
		arguments = append(arguments, before.At, before.ID)
		where += fmt.Sprintf(` AND (l.created_at, l.item_id) < ($%d, $%d::uuid)`, len(arguments)-1, len(arguments))
	}
	var parts []string
	for _, kind := range dispatch.Kinds {
		parts = append(parts, fmt.Sprintf(`(SELECT l.item_id, l.created_at FROM listed l WHERE l.account_id = $1 AND l.kind = '%s' AND l.outcome <> ''%s
			ORDER BY l.created_at DESC, l.item_id DESC LIMIT %d)`, kind, where, latestRead))
	}
	err = s.Select(ctx, &rows, fmt.Sprintf(`
		SELECT l.item_id AS id, l.created_at, coalesce(it.job_id::text, '') AS job
		FROM (%s) l JOIN items it ON it.id = l.item_id AND it.account_id = $1
		ORDER BY l.created_at DESC, l.item_id DESC LIMIT %d`, strings.Join(parts, " UNION ALL "), latestRead), arguments...)
	return rows, err
}

// beforeJob is the place before an item, or before the first item of its job.
func (s Statistics) beforeJob(ctx context.Context, r sentRow) (store.Cursor, error) {
	at := store.Cursor{At: r.At, ID: r.ID}
	if r.Job == "" {
		return at, nil
	}
	var first []sentRow
	err := s.Select(ctx, &first, `SELECT id, created_at FROM items WHERE job_id = $1 ORDER BY job_position LIMIT 1`, r.Job)
	if len(first) > 0 && first[0].At.Before(at.At) {
		at = store.Cursor{At: first[0].At, ID: first[0].ID}
	}
	return at, err
}
