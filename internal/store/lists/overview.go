package lists

import (
	"context"
	"time"

	"utsending/internal/dispatch"
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
