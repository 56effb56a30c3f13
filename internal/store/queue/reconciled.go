package queue

import (
	"context"
	"time"

	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

type reconciliationRow struct {
	ID       string             `db:"id"`
	Account  dispatch.AccountID `db:"account_id"`
	Name     string             `db:"name"`
	Slug     string             `db:"slug"`
	By       string             `db:"by"`
	Ordered  time.Time          `db:"ordered_at"`
	Done     *time.Time         `db:"done_at"`
	Cut      bool               `db:"cut"`
	Gathered bool               `db:"gathered"`
	Agreed   int                `db:"agreed"`
	Behind   int                `db:"behind"`
}

const reconciliationColumns = `r.id, r.account_id, a.name, a.slug, u.name AS by, r.ordered_at, r.done_at, r.cut, r.gathered_at IS NOT NULL AS gathered, r.agreed, r.behind`

// reconciliations counts the verdicts of comparisons, in the order of the rows.
func (s Reconciliations) reconciliations(ctx context.Context, rows ...reconciliationRow) ([]dispatch.Reconciliation, error) {
	list, at := make([]dispatch.Reconciliation, len(rows)), map[string]*dispatch.Reconciliation{}
	var ids []string
	for i, r := range rows {
		list[i] = dispatch.Reconciliation{ID: r.ID, Account: dispatch.Account{ID: r.Account, Name: r.Name, Slug: r.Slug}, By: r.By, OrderedAt: r.Ordered, DoneAt: store.Deref(r.Done),
			Cut: r.Cut, Gathered: r.Gathered, Counts: map[dispatch.Verdict]int{dispatch.VerdictAgrees: r.Agreed, dispatch.VerdictBehind: r.Behind}}
		ids, at[r.ID] = append(ids, r.ID), &list[i]
	}
	var counts []struct {
		ID      string           `db:"reconciliation_id"`
		Verdict dispatch.Verdict `db:"finding"`
		N       int              `db:"n"`
	}
	err := s.DB.SelectContext(ctx, &counts, `
		SELECT reconciliation_id, finding, count(*) AS n FROM reconciled_items WHERE reconciliation_id = ANY($1::uuid[]) GROUP BY 1, 2`, pq.Array(ids))
	for _, f := range counts {
		if f.Verdict == "" {
			at[f.ID].Left = f.N
		} else {
			at[f.ID].Counts[f.Verdict] += f.N
		}
	}
	return list, err
}

// Latest returns the latest comparison of each account.
func (s Reconciliations) Latest(ctx context.Context) (map[dispatch.AccountID]dispatch.Reconciliation, error) {
	var rows []reconciliationRow
	err := s.DB.SelectContext(ctx, &rows, `
		SELECT DISTINCT ON (r.account_id) `+reconciliationColumns+` FROM reconciliations r JOIN accounts a ON a.id = r.account_id JOIN users u ON u.id = r.ordered_by
		ORDER BY r.account_id, r.ordered_at DESC`)
	if err != nil {
		return nil, err
	}
	list, err := s.reconciliations(ctx, rows...)
	latest := make(map[dispatch.AccountID]dispatch.Reconciliation, len(rows))
	for _, r := range list {
		latest[r.Account.ID] = r
	}
	return latest, err
}

// ReconciledShown is how many findings a page shows.
const ReconciledShown = 200

// ByID returns a comparison with its gravest findings, and the services that did not answer.
func (s Reconciliations) ByID(ctx context.Context, id string) (dispatch.Reconciliation, error) {
	if !store.ValidID(id) {
		return dispatch.Reconciliation{}, store.ErrNotFound
	}
	var row reconciliationRow
	err := s.Get(ctx, &row, `SELECT `+reconciliationColumns+` FROM reconciliations r JOIN accounts a ON a.id = r.account_id JOIN users u ON u.id = r.ordered_by WHERE r.id = $1`, id)
	if err != nil {
		return dispatch.Reconciliation{}, store.NotFound(err)
	}
	list, err := s.reconciliations(ctx, row)
	if err != nil {
		return dispatch.Reconciliation{}, err
	}
	c := list[0]
	var found []struct {
		dispatch.ReconciledItem
		Strangers pq.StringArray `db:"strangers"`
	}
	err = s.DB.SelectContext(ctx, &found, `
		SELECT q.item_id AS id, q.finding, q.strangers, coalesce(it.kind, '') AS kind, coalesce(it.state, '') AS state, coalesce(it.status, '') AS status,
		       coalesce(coalesce(it.upstream_id, it.reserved_id)::text, '') AS upstream_id, coalesce(it.created_at, 'epoch') AS created_at, it.id IS NULL AS gone
		FROM reconciled_items q LEFT JOIN items it ON it.id = q.item_id AND it.account_id = $2
		WHERE q.reconciliation_id = $1 AND q.finding = ANY($4)
		ORDER BY array_position($4::text[], q.finding), it.created_at DESC, q.item_id LIMIT $3`, id, row.Account, ReconciledShown, pq.Array(dispatch.Discrepancies()))
	if err != nil {
		return c, err
	}
	for _, f := range found {
		f.ReconciledItem.Strangers = f.Strangers
		c.Rows = append(c.Rows, f.ReconciledItem)
	}
	err = s.DB.SelectContext(ctx, &c.Silent, `
		SELECT coalesce(i.name, '') AS name, q.reason_key, max(q.reason_error_id) AS error_id, count(*) AS n
		FROM reconciled_items q LEFT JOIN integrations i ON i.id = q.integration_id
		WHERE q.reconciliation_id = $1 AND q.finding = $2 GROUP BY 1, 2 ORDER BY 4 DESC`, id, dispatch.VerdictUnanswered)
	return c, err
}
