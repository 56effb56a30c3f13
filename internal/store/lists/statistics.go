package lists

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// selectStatistics sums outcomes by day and the other dimensions by value.
const selectStatistics = `
	SELECT t.*, CASE t.dimension WHEN 'sender' THEN (SELECT name FROM users u WHERE u.id = t.value::uuid)
	                 WHEN 'template' THEN (SELECT name FROM templates p WHERE p.id = t.value::uuid AND p.account_id = $1) ELSE '' END AS name
	FROM (
		SELECT dimension, CASE dimension WHEN 'outcome' THEN day END AS day, kind, value, sum(n) AS n, sum(arrived) AS arrived, sum(stopped) AS stopped, sum(parts) AS parts
		FROM stat_all
		WHERE account_id = $1 AND day >= $2::date AND day < $3::date
		GROUP BY 1, 2, 3, 4
		HAVING sum(n) <> 0
	) t`

// OfAccount returns an account's figures for items created from a day to before another. It reads aggregates only.
func (s Statistics) OfAccount(ctx context.Context, account dispatch.AccountID, from, to time.Time) (dispatch.Statistics, error) {
	var rows []struct {
		Dimension string        `db:"dimension"`
		Day       *time.Time    `db:"day"`
		Kind      dispatch.Kind `db:"kind"`
		Value     string        `db:"value"`
		Name      string        `db:"name"`
		N         int           `db:"n"`
		Arrived   int           `db:"arrived"`
		Stopped   int           `db:"stopped"`
		Parts     int           `db:"parts"`
	}
	err := s.Select(ctx, &rows, selectStatistics, account, from.In(dispatch.Oslo).Format(time.DateOnly), to.In(dispatch.Oslo).Format(time.DateOnly))
	st := dispatch.Statistics{From: from, To: to}
	for _, r := range rows {
		t := dispatch.Tally{N: r.N, Arrived: r.Arrived, Stopped: r.Stopped, Segments: r.Parts}
		v := dispatch.OfValue{Kind: r.Kind, Value: r.Value, Name: r.Name, Tally: t}
		switch r.Dimension {
		case "outcome":
			y, m, d := r.Day.Date()
			st.Outcomes = append(st.Outcomes, dispatch.OfOutcome{Day: time.Date(y, m, d, 0, 0, 0, 0, dispatch.Oslo), Kind: r.Kind, Outcome: r.Value, Tally: t})
		case "sender":
			st.Senders = append(st.Senders, v)
		case "template":
			st.Templates = append(st.Templates, v)
		case "billing":
			st.Billing = append(st.Billing, v)
		case "read":
			addBand(&st.Read, r.Value, r.N)
		case "hour":
			addHour(&st.Hours, r.Value, r.N)
		case "sign":
			addBand(&st.Sign, r.Value, r.N)
		}
	}
	for _, list := range [][]dispatch.OfValue{st.Senders, st.Templates, st.Billing} {
		slices.SortFunc(list, mostFirst)
	}
	return st, err
}

// Outcomes returns an account's outcomes by day for items created from a day to before another, of aggregates only.
func (s Statistics) Outcomes(ctx context.Context, account dispatch.AccountID, from, to time.Time) (dispatch.Statistics, error) {
	var rows []struct {
		Day     string        `db:"day"`
		Kind    dispatch.Kind `db:"kind"`
		Outcome string        `db:"value"`
		N       int           `db:"n"`
		Arrived int           `db:"arrived"`
		Stopped int           `db:"stopped"`
		Parts   int           `db:"parts"`
	}
	err := s.Select(ctx, &rows, `
		SELECT day::text AS day, kind, value, sum(n)::bigint AS n, sum(arrived)::bigint AS arrived, sum(stopped)::bigint AS stopped, sum(parts)::bigint AS parts
		FROM stat_all
		WHERE account_id = $1 AND day >= $2::date AND day < $3::date AND dimension = 'outcome'
		GROUP BY 1, 2, 3
		HAVING sum(n) <> 0`, account, from.In(dispatch.Oslo).Format(time.DateOnly), to.In(dispatch.Oslo).Format(time.DateOnly))
	st := dispatch.Statistics{From: from, To: to}
	for _, r := range rows {
		day, err := time.ParseInLocation(time.DateOnly, r.Day, dispatch.Oslo)
		if err != nil {
			return st, err
		}
		st.Outcomes = append(st.Outcomes, dispatch.OfOutcome{Day: day, Kind: r.Kind, Outcome: r.Outcome, Tally: dispatch.Tally{N: r.N, Arrived: r.Arrived, Stopped: r.Stopped, Segments: r.Parts}})
	}
	return st, err
}

// mostFirst orders values by kind and by descending count.
func mostFirst(a, b dispatch.OfValue) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(b.N, a.N), cmp.Compare(a.Value, b.Value))
}

func addBand(b *dispatch.Bands, band string, n int) {
	if i, err := strconv.Atoi(band); err == nil && i >= 0 && i < len(b) {
		b[i] += n
	}
}

// addHour adds what was read of an hour, of a value like "09-2": the hour and the band.
func addHour(hours *dispatch.Hours, value string, n int) {
	hour, band, _ := strings.Cut(value, "-")
	if h, err := strconv.Atoi(hour); err == nil && h >= 0 && h < len(hours) {
		addBand(&hours[h], band, n)
	}
}

// foldedAtOnce bounds one transaction that folds changes.
const foldedAtOnce = 5000

// Fold folds the changes since the last time into the counts. Nobody waits for it, and the sums are the
// same before and after.
func (s Statistics) Fold(ctx context.Context) error {
	for {
		var n int
		err := s.DB.GetContext(ctx, &n, `SELECT fold_stats($1)`, foldedAtOnce)
		if store.OwnFault(ctx, err) {
			return s.foldApart(ctx)
		}
		if err != nil || n < foldedAtOnce {
			return err
		}
	}
}

// foldApart folds one by one where a change cannot be folded: that one is set aside, and none is lost.
func (s Statistics) foldApart(ctx context.Context) error {
	var changes []string
	err := s.DB.SelectContext(ctx, &changes, `
		SELECT c.id::text FROM stat_changes c WHERE NOT `+store.SkippedNow(dispatch.QueueNumbers, "c.id")+` ORDER BY c.id LIMIT $1`, foldedAtOnce)
	if err != nil {
		return err
	}
	return s.Bisect(ctx, dispatch.QueueNumbers, changes, func(ctx context.Context, changes []string) error {
		_, err := s.DB.ExecContext(ctx, `SELECT fold_stats_of($1::bigint[])`, pq.Array(changes))
		return err
	})
}

// Drift counts counters that differ from the items: zero expected. It reads all items.
func (s Statistics) Drift(ctx context.Context) (int, error) {
	var n int
	err := s.DB.GetContext(ctx, &n, `
		WITH said AS (
			SELECT f.account_id, f.day, f.kind, d.dimension, d.value, count(*) AS n, count(*) FILTER (WHERE r.list_group = 'arrived') AS arrived,
			       count(*) FILTER (WHERE r.list_group = 'stopped') AS stopped, sum(f.parts) AS parts
			FROM stat_facts f LEFT JOIN statuses r ON r.kind = f.kind AND r.status = f.outcome
			CROSS JOIN LATERAL stat_values(f.outcome, f.sender, f.template_id, f.billing_code, f.read_band, f.hour, f.sign_band) d
			GROUP BY 1, 2, 3, 4, 5
		), counted AS (
			SELECT account_id, day, kind, dimension, value, sum(n) AS n, sum(arrived) AS arrived, sum(stopped) AS stopped, sum(parts) AS parts
			FROM stat_all GROUP BY 1, 2, 3, 4, 5
		)
		SELECT count(*) FROM said FULL JOIN counted USING (account_id, day, kind, dimension, value)
		WHERE (coalesce(said.n, 0), coalesce(said.arrived, 0), coalesce(said.stopped, 0), coalesce(said.parts, 0))
		   <> (coalesce(counted.n, 0), coalesce(counted.arrived, 0), coalesce(counted.stopped, 0), coalesce(counted.parts, 0))`)
	return n, err
}
