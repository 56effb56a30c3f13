package lists

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// Selection is a choice of items: ticked ones, or all of a list or of the worklist.
type Selection struct {
	Viewer    dispatch.UserID
	Items     []dispatch.ItemID // ticked; not nil: these only
	List      ListQuery
	FollowUps *FollowUpFilter // not nil: the worklist
	Until     time.Time       // what came later is not in it
}

// query selects the ids of the selection. Another account's items, colleagues' drafts, and items of protected people whom the viewer may
// not see are never in it.
func (sel Selection) query(ctx context.Context, s rows, account dispatch.AccountID, most int) (string, []any, error) {
	chosen, arguments, err := sel.chosen(ctx, s, account, most)
	arguments = append(arguments, sel.Viewer)
	viewer := fmt.Sprintf("$%d", len(arguments))
	return `SELECT s.id FROM (` + chosen + `) s WHERE NOT ` + hidden("sms", viewer) + ` AND NOT ` + hidden("shipments", viewer), arguments, err
}

// hidden is the condition that s.id has content in a table to a protected person whom a viewer, given as a placeholder, may not see.
// The few protected ones are read, not all that are chosen.
func hidden(table, viewer string) string {
	return `EXISTS (SELECT FROM ` + table + ` o WHERE o.item_id = s.id AND o.protected_id IS NOT NULL AND NOT ` + maySee("o", viewer) + `)`
}

func (sel Selection) chosen(ctx context.Context, s rows, account dispatch.AccountID, most int) (string, []any, error) {
	limit := fmt.Sprintf(" LIMIT %d", most)
	switch {
	case sel.Items != nil:
		return `SELECT it.id FROM items it WHERE it.account_id = $1 AND it.id = ANY($2::uuid[]) AND (it.state <> 'draft' OR it.created_by = $3)` + limit,
			[]any{account, pq.Array(sel.Items), sel.Viewer}, nil
	case sel.FollowUps != nil:
		clause, arguments := sel.FollowUps.clause([]any{account, sel.Until})
		return `SELECT f.item_id AS id FROM follow_ups f
			WHERE f.account_id = $1 AND f.ended_at IS NULL AND f.done_at IS NULL AND f.since <= $2` + clause + ` ORDER BY f.since, f.item_id` + limit, arguments, nil
	}
	lq := sel.List
	lq.Viewer, lq.Page = sel.Viewer, store.Page{Limit: most, Oldest: lq.Page.Oldest}
	if end := sel.Until.Add(time.Microsecond); lq.Filter.To.IsZero() || end.Before(lq.Filter.To) {
		lq.Filter.To = end
	}
	q := lq.query(account)
	var err error
	if q.frequent, err = s.commonWords(ctx, account, lq.Search); err != nil {
		return "", nil, err
	}
	streams := q.ids()
	if len(streams) == 0 {
		return `SELECT it.id FROM items it WHERE it.account_id = $1 AND false`, []any{account}, nil
	}
	return `SELECT id FROM (` + strings.Join(streams, " UNION ALL ") + `) chosen` + limit, q.arguments, nil
}

// BulkGroup is a number of chosen items that an act treats alike.
type BulkGroup struct {
	dispatch.BulkItem
	N      int
	Oldest time.Time // when the first of them was created
}

// bulkRow is what decides whether an act applies to an item.
type bulkRow struct {
	ID            dispatch.ItemID        `db:"id"`
	Kind          dispatch.Kind          `db:"kind"`
	State         dispatch.State         `db:"state"`
	Status        dispatch.Status        `db:"status"`
	UpstreamID    string                 `db:"upstream_id"` // only Selections.Items
	CreatedBy     dispatch.UserID        `db:"created_by"`
	MaybeThere    bool                   `db:"may_be_there"`
	Purged        bool                   `db:"purged"`
	Bare          bool                   `db:"bare"`
	Replaced      bool                   `db:"replaced"`
	Signs         bool                   `db:"signs"`
	SigningStatus dispatch.SigningStatus `db:"signing_status"`
	Looking       bool                   `db:"looking"`
	Numbered      bool                   `db:"numbered"`
	Cause         dispatch.Cause         `db:"cause"`
	N             int                    `db:"n"`
	Oldest        time.Time              `db:"oldest"`
}

func (r bulkRow) item(account dispatch.AccountID) dispatch.BulkItem {
	return dispatch.BulkItem{
		Item:  dispatch.Item{ID: r.ID, AccountID: account, Kind: r.Kind, State: r.State, Status: r.Status, UpstreamID: r.UpstreamID, CreatedBy: r.CreatedBy, MayHaveArrived: r.MaybeThere},
		Signs: r.Signs, SigningStatus: r.SigningStatus, Looking: r.Looking, Numbered: r.Numbered, Purged: r.Purged, Bare: r.Bare, Replaced: r.Replaced, Cause: r.Cause,
	}
}

// bulkColumns are those of items in a bulkRow, whose table's alias is it; bulkContent are what their content adds, and bulkCause the
// open follow-up.
const (
	bulkColumns = `it.created_at AS oldest, it.kind, it.state, it.status, it.created_by, it.recover_at IS NOT NULL AS looking, `
	bulkContent = `it.state IN ('failed', 'rejected') AND EXISTS (SELECT FROM attempts p WHERE p.item_id = it.id AND ` + store.MayHaveArrived + ` AND p.resolution <> 'not_sent') AS may_be_there,
	m.item_id IS NOT NULL AND m.text IS NULL OR h.item_id IS NOT NULL AND h.content = '' AND it.state <> 'draft' AS purged,
	CASE WHEN h.content <> '' AND (it.state IN ('rejected', 'failed') OR it.state = 'accepted' AND EXISTS (SELECT FROM statuses r WHERE r.kind = it.kind AND r.status = it.status AND r.bad))
	     THEN ` + store.Bare + ` ELSE false END AS bare,
	EXISTS (` + store.Replacing + `) AS replaced,
	h.sign_by IS NOT NULL AS signs, coalesce(h.signing_status, '') AS signing_status, h.number_hash IS NOT NULL AS numbered`
	bulkCause     = `coalesce(f.cause, '') AS cause`
	bulkFollowUps = `
	LEFT JOIN follow_ups f ON f.item_id = it.id AND f.ended_at IS NULL AND f.done_at IS NULL`
)

// bulkAsked are the columns that decide about an act, and the joins for them. Of a hundred thousand items, it takes long to read all
// that any act asks. OFFSET 0 makes each item's content be read by its id: the planner would rather read all tables from end to end.
func bulkAsked(act dispatch.BulkAct) (columns, joins string) {
	content := `false AS may_be_there, false AS purged, false AS bare, false AS replaced, false AS signs, '' AS signing_status, false AS numbered, `
	cause := `'' AS cause`
	switch act {
	case dispatch.BulkAgain, dispatch.BulkSMS, dispatch.BulkRemind:
		content = `d.may_be_there, d.purged, d.bare, d.replaced, d.signs, d.signing_status, d.numbered, `
		joins = `
	LEFT JOIN LATERAL (SELECT ` + bulkContent + `
		FROM (SELECT it.id) one LEFT JOIN sms m ON m.item_id = one.id LEFT JOIN shipments h ON h.item_id = one.id OFFSET 0) d ON true`
	case dispatch.BulkAssign, dispatch.BulkDone, dispatch.BulkDecide, dispatch.BulkLook:
		cause, joins = bulkCause, bulkFollowUps
	}
	return bulkColumns + content + cause, joins
}

// Groups counts a selection by what decides about the act, up to dispatch.BulkMost, and tells whether there are more. What the act
// does not ask about is empty.
func (s Selections) Groups(ctx context.Context, account dispatch.AccountID, act dispatch.BulkAct, sel Selection) (groups []BulkGroup, more bool, err error) {
	chosen, arguments, err := sel.query(ctx, s.rows, account, dispatch.BulkMost+1)
	if err != nil {
		return nil, false, err
	}
	columns, joins := bulkAsked(act)
	var rows []bulkRow
	err = s.DB.SelectContext(ctx, &rows, `
		SELECT c.kind, c.state, c.status, c.created_by, c.may_be_there, c.purged, c.bare, c.replaced, c.signs, c.signing_status, c.numbered, c.cause, c.looking, count(*) AS n, min(c.oldest) AS oldest
		FROM (SELECT `+columns+` FROM (`+chosen+`) c
		      JOIN LATERAL (SELECT * FROM items i WHERE i.id = c.id AND i.account_id = $1 OFFSET 0) it ON true`+joins+`) c
		GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13`, arguments...)
	total := 0
	for _, r := range rows {
		groups, total = append(groups, BulkGroup{r.item(account), r.N, r.Oldest}), total+r.N
	}
	return groups, total > dispatch.BulkMost, err
}

// Items returns what decides about items of an account, by id. Those that are gone, or that the viewer may not see, are missing.
func (s Selections) Items(ctx context.Context, account dispatch.AccountID, viewer dispatch.UserID, ids []dispatch.ItemID) (map[dispatch.ItemID]dispatch.BulkItem, error) {
	var rows []bulkRow
	err := s.DB.SelectContext(ctx, &rows, `
		SELECT it.id, coalesce(it.upstream_id::text, '') AS upstream_id, `+bulkColumns+bulkContent+`, `+bulkCause+`
		FROM items it LEFT JOIN sms m ON m.item_id = it.id LEFT JOIN shipments h ON h.item_id = it.id`+bulkFollowUps+`
		WHERE it.id = ANY($2::uuid[]) AND it.account_id = $1 AND `+maySee("m", "$3")+` AND `+maySee("h", "$3"), account, pq.Array(ids), viewer)
	found := make(map[dispatch.ItemID]dispatch.BulkItem, len(rows))
	for _, r := range rows {
		found[r.ID] = r.item(account)
	}
	return found, err
}

// Selected returns the ids of a selection, up to a limit.
func (s Selections) Selected(ctx context.Context, account dispatch.AccountID, sel Selection, most int) (ids []dispatch.ItemID, err error) {
	chosen, arguments, err := sel.query(ctx, s.rows, account, most)
	if err == nil {
		err = s.DB.SelectContext(ctx, &ids, chosen, arguments...)
	}
	return ids, err
}
