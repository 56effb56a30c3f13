package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
)

// statusRow is a row of the table statuses.
type statusRow struct {
	Kind     dispatch.Kind     `db:"kind"`
	Status   string            `db:"status"`
	Group    dispatch.Group    `db:"list_group"`
	JobGroup dispatch.JobGroup `db:"job_group"`
	Route    dispatch.Route    `db:"route"`
	Ended    bool              `db:"ended"`
	Bad      bool              `db:"bad"`
	Unread   bool              `db:"unread"`
	Read     bool              `db:"read"`
}

// statusRowsOf returns the rows of a kind: statuses, one for any other value, and outcomes of ours.
func statusRowsOf(k dispatch.Kind) (rows []statusRow) {
	for _, r := range append(dispatch.StatusRows(k), dispatch.Status("").Of(k)) {
		rows = append(rows, statusRow{Kind: k, Status: string(r.Status), Group: r.Group(), JobGroup: r.JobGroup(), Route: r.Route(), Ended: r.Ended(), Bad: r.EndedBadly(),
			Unread: r.Meaning == dispatch.MeaningNotified, Read: r.Meaning == dispatch.MeaningRead})
	}
	for _, o := range dispatch.OutcomeRows() {
		rows = append(rows, statusRow{Kind: k, Status: o.Outcome, Group: o.Group, Route: dispatch.RouteOf(k, o.Outcome), Ended: o.Group == dispatch.GroupStopped, Bad: o.Bad})
	}
	return rows
}

// fillStatuses writes the domain's statuses and causes into their tables. Where a status changes its meaning, or had
// no row, denormalized columns of its items are updated in the same transaction.
func fillStatuses(ctx context.Context, tx *sqlx.Tx) error {
	var have []statusRow
	if err := tx.SelectContext(ctx, &have, `SELECT * FROM statuses`); err != nil {
		return fmt.Errorf("read statuses: %w", err)
	}
	var changed []statusRow
	for _, r := range slices.Concat(statusRowsOf(dispatch.KindSMS), statusRowsOf(dispatch.KindShipment)) {
		if !slices.Contains(have, r) {
			changed = append(changed, r)
		}
	}
	write := func() error { return writeStatuses(ctx, tx, changed) }
	var err error
	switch {
	case len(have) == 0:
		err = write()
	case len(changed) > 0:
		err = regroup(ctx, tx, changed, write)
	}
	if err != nil {
		return fmt.Errorf("fill statuses: %w", err)
	}
	if err := writeSigningStatuses(ctx, tx); err != nil {
		return fmt.Errorf("fill signing statuses: %w", err)
	}
	if err := writeCauses(ctx, tx); err != nil {
		return fmt.Errorf("fill causes: %w", err)
	}
	return nil
}

func writeCauses(ctx context.Context, tx *sqlx.Tx) error {
	for place, c := range dispatch.Causes() {
		_, err := tx.ExecContext(ctx, `
			INSERT INTO causes (cause, place, stays) VALUES ($1, $2, $3)
			ON CONFLICT (cause) DO UPDATE SET place = excluded.place, stays = excluded.stays`, c, place, c.HoldsWhenReplaced())
		if err != nil {
			return err
		}
	}
	return nil
}

func writeStatuses(ctx context.Context, tx *sqlx.Tx, rows []statusRow) error {
	for _, r := range rows {
		_, err := tx.NamedExecContext(ctx, `
			INSERT INTO statuses (kind, status, list_group, job_group, route, ended, bad, unread, read)
			VALUES (:kind, :status, :list_group, :job_group, :route, :ended, :bad, :unread, :read)
			ON CONFLICT (kind, status) DO UPDATE SET list_group = excluded.list_group, job_group = excluded.job_group, route = excluded.route,
			    ended = excluded.ended, bad = excluded.bad, unread = excluded.unread, read = excluded.read`, r)
		if err != nil {
			return err
		}
	}
	return nil
}

// writeSigningStatuses does not recount: no value is expected to change to "signed".
func writeSigningStatuses(ctx context.Context, tx *sqlx.Tx) error {
	for _, r := range append(dispatch.SigningRows(), dispatch.SigningStatus("").Row()) {
		_, err := tx.ExecContext(ctx, `
			INSERT INTO signing_statuses AS g (status, awaited, settled, signed) VALUES ($1, $2, $3, $4)
			ON CONFLICT (status) DO UPDATE SET awaited = excluded.awaited, settled = excluded.settled, signed = excluded.signed
			WHERE (g.awaited, g.settled, g.signed) <> (excluded.awaited, excluded.settled, excluded.signed)`, r.Status, r.Status.Awaited(), r.Settled(), r.Signed())
		if err != nil {
			return err
		}
	}
	return nil
}

// regroup changes rows of statuses, and the denormalized data of the items that have them.
func regroup(ctx context.Context, tx *sqlx.Tx, changed []statusRow, write func() error) error {
	var kinds, statuses []string
	for _, r := range changed {
		if r.Status != "" { // drafts have no status either
			kinds, statuses = append(kinds, string(r.Kind)), append(statuses, r.Status)
		}
	}
	// Concurrent counting waits: what was counted in under the old rows must be counted out under them.
	if _, err := tx.ExecContext(ctx, `LOCK TABLE stat_changes, list_counts, shipment_usage IN EXCLUSIVE MODE`); err != nil {
		return err
	}
	all := func(statements []string) error {
		for _, statement := range statements {
			if _, err := tx.ExecContext(ctx, statement, pq.Array(kinds), pq.Array(statuses)); err != nil {
				return err
			}
		}
		return nil
	}
	if err := all(beforeRegrouping); err != nil {
		return err
	}
	if err := write(); err != nil {
		return err
	}
	return all(afterRegrouping)
}

// changedStatuses are the changed rows, and regrouped the listed items that have one of them.
const (
	changedStatuses = `unnest($1::text[], $2::text[]) AS c (kind, status)`
	regrouped       = changedStatuses + ` JOIN listed l ON l.kind = c.kind AND l.outcome = c.status`
)

// countRegrouped adds or subtracts those items in the statistics, countListed in the counts of groups, and countCosts in
// what was spent.
func countRegrouped(sign string) string {
	return `INSERT INTO stat_changes (account_id, day, kind, outcome, sender, template_id, billing_code, read_band, hour, sign_band, n, parts)
		SELECT f.account_id, f.day, f.kind, f.outcome, f.sender, f.template_id, f.billing_code, f.read_band, f.hour, f.sign_band, ` + sign + `count(*), ` + sign + `sum(f.parts)
		FROM ` + regrouped + ` JOIN stat_facts f ON f.item_id = l.item_id GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10`
}

func countListed(sign string) string {
	return `INSERT INTO list_counts (account_id, kind, list_group, n)
		SELECT l.account_id, l.kind, l.list_group, ` + sign + `count(*) FROM ` + regrouped + ` GROUP BY 1, 2, 3`
}

func countCosts(sign string) string {
	return `INSERT INTO shipment_usage (account_id, month, ore)
		SELECT u.account_id, u.month, ` + sign + `sum(u.ore) FROM ` + regrouped + ` JOIN shipment_costs u ON u.item_id = l.item_id GROUP BY 1, 2`
}

var (
	beforeRegrouping = []string{
		countCosts("-"),
		countRegrouped("-"),
		`SELECT fold_stats_of(ARRAY(SELECT s.id FROM stat_changes s JOIN ` + changedStatuses + ` ON c.kind = s.kind AND c.status = s.outcome))`,
		countListed("-"),
	}
	afterRegrouping = []string{
		`UPDATE items it SET list_group = r.list_group
		 FROM ` + regrouped + ` JOIN statuses r ON r.kind = c.kind AND r.status = c.status WHERE it.id = l.item_id`,
		`UPDATE listed l SET list_group = r.list_group, route = r.route,
		     read_band = CASE WHEN it.state = 'accepted' AND r.read THEN stat_band(it.status_at - it.accepted_at) END
		 FROM ` + changedStatuses + ` JOIN statuses r ON r.kind = c.kind AND r.status = c.status, items it
		 WHERE l.kind = c.kind AND l.outcome = c.status AND it.id = l.item_id`,
		countListed("+"),
		countRegrouped("+"),
		countCosts("+"),
		`SELECT keep_follow_up(l.item_id) FROM ` + regrouped,
	}
)
