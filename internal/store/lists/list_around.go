package lists

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// ListAround is the data of a list's page besides its rows.
type ListAround struct {
	FollowUps int                  // see FollowUps.Badge
	Counts    dispatch.GroupCounts // see Items.Counts; nil: not asked for
	Saved     []SavedFilter        // the viewer's own, by name
}

// AroundQuery selects the data besides the rows.
type AroundQuery struct {
	Viewer  dispatch.UserID
	Kind    dispatch.Kind // empty: all
	Counted bool          // counts of groups are wanted
}

// Around returns the data of a list's page besides its rows, in one statement, which saves round trips.
func (s Items) Around(ctx context.Context, account dispatch.AccountID, q AroundQuery) (ListAround, error) {
	query, arguments := selectAround, []any{account, q.Viewer}
	if q.Counted {
		query, arguments = selectCounts+" UNION ALL "+selectAround, append(arguments, pq.Array(kindsOf(q.Kind)))
	}
	var rows []aroundRow
	err := s.Select(ctx, &rows, query, arguments...)
	return readAround(rows), err
}

// aroundRow is one piece of that data: what tells which columns it uses.
type aroundRow struct {
	What string `db:"what"`
	SavedFilter
	N int `db:"n"` // a count, or a filter's rank by name
}

const (
	aroundGroup    = "group"
	aroundFollowUp = "follow_up"
)

// noID is the id of rows that are not filters.
const noID = `'00000000-0000-0000-0000-000000000000'::uuid`

// selectCounts counts the groups of a list, for the account $1, the viewer $2 and the kinds $3. A draft of SMS to many counts as one.
var selectCounts = fmt.Sprintf(`
	SELECT 'group' AS what, %[2]s AS id, list_group AS name, '' AS query, sum(n)::bigint AS n
	FROM list_counts WHERE account_id = $1 AND kind = ANY($3) GROUP BY list_group
	UNION ALL
	SELECT 'group', %[2]s, 'draft', '', count(*) FROM (
		SELECT FROM items it WHERE account_id = $1 AND created_by = $2 AND kind = ANY($3) AND state = 'draft' AND NOT %[3]s LIMIT %[1]d) own
	UNION ALL
	SELECT 'group', %[2]s, 'draft', '', count(*) FROM (
		SELECT FROM jobs j WHERE account_id = $1 AND created_by = $2 AND kind = ANY($3) AND %[4]s LIMIT %[1]d) many
	UNION ALL
	SELECT 'group', %[2]s, 'later', '', count(*) FROM (
		SELECT FROM items WHERE account_id = $1 AND kind = ANY($3) AND state = 'queued' AND due_since > now() LIMIT %[1]d) later`, countMost+1, noID, store.UntouchedDraft("it.id"), store.DraftToMany)

var selectAround = `
	SELECT 'follow_up' AS what, ` + noID + ` AS id, '' AS name, '' AS query, count(*) AS n FROM (` + openFollowUps + `) found
	UNION ALL
	SELECT 'filter', id, name, query, row_number() OVER (ORDER BY lower(name))
	FROM saved_filters WHERE account_id = $1 AND user_id = $2`

// readAround assembles the rows.
func readAround(rows []aroundRow) (a ListAround) {
	groups := map[string]int{}
	slices.SortStableFunc(rows, func(x, y aroundRow) int { return cmp.Compare(x.N, y.N) })
	for _, r := range rows {
		switch r.What {
		case aroundGroup:
			groups[r.Name] += r.N
		case aroundFollowUp:
			a.FollowUps = r.N
		default:
			a.Saved = append(a.Saved, r.SavedFilter)
		}
	}
	if len(groups) > 0 {
		a.Counts = groupCounts(groups)
	}
	return a
}
