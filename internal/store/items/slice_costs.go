package items

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// Sizes counts the slices of recipients by how they are printed; none where everybody gets the same files.
func (s Slices) Sizes(ctx context.Context, account dispatch.AccountID, id dispatch.JobID) ([]dispatch.SliceSize, error) {
	return sliceSizes(ctx, s.DB, account, id)
}

func sliceSizes(ctx context.Context, db sqlx.ExtContext, account dispatch.AccountID, id dispatch.JobID) ([]dispatch.SliceSize, error) {
	var rows []struct {
		Pages int           `db:"pages"`
		Giro  pq.Int64Array `db:"giro_pages"`
		N     int           `db:"n"`
	}
	err := sqlx.SelectContext(ctx, db, &rows, `
		SELECT d.pages, d.giro_pages, count(*) AS n
		FROM (SELECT problem, row_number() OVER (ORDER BY position) AS place FROM job_rows WHERE job_id = $1) r
		JOIN documents d ON d.job_id = $1 AND d.account_id = $2 AND d.part = r.place AND d.part > 0 AND d.complete
		WHERE r.problem = ''
		GROUP BY d.pages, d.giro_pages
		ORDER BY d.pages, d.giro_pages`, id, account)
	sizes := make([]dispatch.SliceSize, len(rows))
	for i, r := range rows {
		sizes[i] = dispatch.SliceSize{Pages: r.Pages, Giro: ints(r.Giro), N: r.N}
	}
	return sizes, err
}

func ints(a pq.Int64Array) (list []int) {
	for _, n := range a {
		list = append(list, int(n))
	}
	return list
}

// listCost is what the shipments of a locked draft cost.
func listCost(ctx context.Context, tx *sqlx.Tx, account dispatch.Account, j dispatch.Job, content dispatch.Shipment) (dispatch.ListCost, error) {
	sizes, err := sliceSizes(ctx, tx, account.ID, j.ID)
	return account.Prices.OfList(content, j.Division, sizes, j.List.Valid), err
}

// sliceCost is the cost of a shipment with a slice, as it is stored.
type sliceCost struct {
	Pages   int   `json:"p"`
	Giro    []int `json:"g,omitempty"`
	Print   int   `json:"print"`
	Digital int   `json:"digital"`
}

// keepCosts stores the costs of a job that is being sent: of each slice, and the total of shipments that are not made yet.
func keepCosts(ctx context.Context, tx *sqlx.Tx, id dispatch.JobID, c dispatch.ListCost) error {
	list := make([]sliceCost, len(c.By))
	for i, o := range c.By {
		list[i] = sliceCost{o.Pages, o.SliceSize.Giro, o.Print.Ore, o.Digital.Ore}
	}
	plain, err := json.Marshal(list)
	if err != nil {
		return fmt.Errorf("costs of job %s: %w", id, err)
	}
	_, err = tx.ExecContext(ctx, `UPDATE jobs SET slice_costs = $2, cost_left = $3 WHERE id = $1`, id, plain, c.Most)
	return err
}

// costOf is the cost of a shipment with this slice; the common cost if there is no slice, or the job was sent by a release that
// stored none.
func (p pattern) costOf(part slicePart) shipmentCost {
	cost := p.cost
	for _, o := range p.slices {
		if (dispatch.SliceSize{Pages: o.Pages, Giro: o.Giro}).Same(dispatch.SliceSize{Pages: part.Pages, Giro: ints(part.Giro)}) {
			cost.Print, cost.Digital = o.Print, o.Digital
		}
	}
	return cost
}

// spendMade moves the cost of new shipments from their job's remaining total to the shipments themselves.
func spendMade(ctx context.Context, tx *sqlx.Tx, id dispatch.JobID, made []madeShipment) error {
	ore := 0
	for _, m := range made {
		ore += max(m.cost.Print, m.cost.Digital)
	}
	_, err := store.Affected(tx.ExecContext(ctx, `UPDATE jobs SET cost_left = greatest(cost_left - $2, 0) WHERE id = $1`, id, ore))
	return err
}
