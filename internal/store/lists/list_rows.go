package lists

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// listedRow is what a list reads of an item.
type listedRow struct {
	row       *dispatch.ListRow // destination
	created   int64             // microseconds since 1970
	dueSince  sql.NullTime
	byPhone   bool
	recipient []byte // sealed
	text      []byte // sealed
	signBy    sql.NullTime
	protected [2]sql.NullString // as an SMS, and as a shipment
}

// columns are the scan destinations of a stream's columns, in order. Scanning by name and through types of our own
// would take as long as rendering the page.
func (r *listedRow) columns(q *listQuery, columns []any) []any {
	it := &r.row.Item
	columns = append(columns[:0], (*string)(&it.ID), (*string)(&it.Kind), (*string)(&it.State), (*string)(&it.CreatedBy), &r.dueSince, (*string)(&it.Status), &r.created)
	if q.holds(dispatch.KindSMS) {
		columns = append(columns, &r.byPhone, &r.recipient, &r.text, &r.row.HideInReport, &r.protected[0], &r.row.Template)
	}
	if q.holds(dispatch.KindShipment) {
		columns = append(columns, &r.row.Title, &r.row.RecipientName, &r.row.ExternalReference, &r.row.DigitalOnly, &r.row.Unnumbered, (*string)(&r.row.SigningStatus), &r.signBy, &r.protected[1])
	}
	return columns
}

// openListed opens the sealed columns and fills in the list's row.
func (s rows) openListed(account dispatch.AccountID, r *listedRow) (err error) {
	row := r.row
	row.AccountID, row.CreatedAt = account, time.UnixMicro(r.created)
	if row.State == dispatch.StateQueued {
		row.DueSince = r.dueSince.Time
	}
	row.Protected = dispatch.ProtectedID(cmp.Or(r.protected[0].String, r.protected[1].String))
	if row.Kind != dispatch.KindSMS {
		row.SignBy = r.signBy.Time
		return nil
	}
	if row.Recipient, row.Text, err = s.OpenMessage(row.ID, r.byPhone, r.recipient, r.text); err != nil {
		return fmt.Errorf("list items: %w", err)
	}
	return nil
}

// listed reads the streams of a list.
func (s rows) listed(ctx context.Context, account dispatch.AccountID, q *listQuery, streams []string) (items []dispatch.ListRow, older, newer bool, err error) {
	if len(streams) == 0 {
		return nil, false, false, nil
	}
	rows, err := s.readStreams(ctx, account, q, streams)
	if err != nil {
		return nil, false, false, err
	}
	items, older, newer = store.TrimPage(q.window, rows)
	if err := s.addHold(ctx, account, items); err != nil {
		return nil, false, false, err
	}
	if err := s.hideProtected(ctx, items); err != nil {
		return nil, false, false, err
	}
	if err := s.addDrafts(ctx, account, items); err != nil {
		return nil, false, false, err
	}
	return items, older, newer, s.AddCreators(ctx, items)
}

// queryList reads rows of a list. A search, and a combination of filters, is planned for its values each time, as is one of a list sorted by text: their
// selectivity decides the index. A single filter has its own index, so one generic plan serves all: for accounts of
// different sizes, PostgreSQL would estimate custom plans to be cheaper and plan at every execution, which takes
// longer than reading.
func (s rows) queryList(ctx context.Context, q *listQuery, query string) (*sqlx.Rows, error) {
	if q.key != "" || q.search != nil || q.items != nil || q.filter.Choices() > 1 || q.filter.Watch != "" {
		return s.DB.QueryxContext(ctx, query, q.arguments...)
	}
	stmt, err := s.OfLists.Prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	return stmt.QueryxContext(ctx, q.arguments...)
}

// merged merges the streams, each of which is in the list's order and no longer than the page.
func (q *listQuery) merged(parts []string, id string) string {
	if len(parts) == 1 {
		return parts[0]
	}
	return "(" + strings.Join(parts, ") UNION ALL (") + ")" + q.window.Order("created_at", id) + q.window.LimitClause()
}

// readStreams reads the page from the merged streams.
func (s rows) readStreams(ctx context.Context, account dispatch.AccountID, q *listQuery, streams []string) ([]dispatch.ListRow, error) {
	found, err := s.queryList(ctx, q, q.merged(streams, "id"))
	if err != nil {
		return nil, err
	}
	defer found.Close()
	rows := make([]dispatch.ListRow, 0, q.window.Limit+2)
	var columns []any
	for found.Next() {
		rows = append(rows, dispatch.ListRow{})
		r := listedRow{row: &rows[len(rows)-1]}
		columns = r.columns(q, columns)
		if err := found.Scan(columns...); err != nil {
			return nil, err
		}
		if err := s.openListed(account, &r); err != nil {
			return nil, err
		}
	}
	return rows, found.Err()
}

// addHold fills in what blocks queued items. Most lists have no queued items.
func (s rows) addHold(ctx context.Context, account dispatch.AccountID, items []dispatch.ListRow) error {
	var queued []string
	for _, it := range items {
		if it.State == dispatch.StateQueued {
			queued = append(queued, string(it.ID))
		}
	}
	if len(queued) == 0 {
		return nil
	}
	held, err := s.BlockedItems(ctx, account, queued)
	if err != nil {
		return err
	}
	for i := range items {
		items[i].Block = held[items[i].ID]
	}
	return nil
}

// addDrafts fills in what became of requests to approve drafts, and how many a shipment is to go to. Most lists have no drafts.
func (s rows) addDrafts(ctx context.Context, account dispatch.AccountID, items []dispatch.ListRow) error {
	drafts := map[dispatch.ItemID]*dispatch.ListRow{}
	var ids []string
	for i := range items {
		if it := &items[i]; it.State == dispatch.StateDraft {
			drafts[it.ID], ids = it, append(ids, string(it.ID))
		}
	}
	if len(ids) == 0 {
		return nil
	}
	var found []struct {
		ID         dispatch.ItemID `db:"id"`
		Waits      bool            `db:"waits"`
		ReturnedBy string          `db:"returned_by"`
		store.DraftList
	}
	err := s.Select(ctx, &found, `
		SELECT it.id, EXISTS (SELECT FROM approvals p WHERE p.state = 'waiting' AND (`+store.ApprovalOfDraft+`)) AS waits, `+store.ReturnedBy(store.ApprovalOfDraft)+` AS returned_by,
		       `+store.DraftListColumns+`
		FROM items it`+store.DraftListJoin+`
		WHERE it.account_id = $1 AND it.id = ANY($2::uuid[])`, account, pq.Array(ids))
	for _, f := range found {
		it := drafts[f.ID]
		it.AwaitsApproval, it.ReturnedBy = f.Waits, f.ReturnedBy
		if !it.Hidden {
			it.Many = f.Many()
		}
	}
	return err
}
