package store

import (
	"context"
	"errors"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
)

// reopenJobOf lets an ended job hand over again because one of its items is to be sent once more. The job is locked
// before the item, in the same order everywhere, which prevents deadlocks.
func reopenJobOf(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.ItemID) error {
	_, err := tx.ExecContext(ctx, `
		UPDATE jobs SET state = CASE WHEN state IN ('done', 'stopped') THEN 'running' ELSE state END, done_at = NULL
		WHERE account_id = $2 AND id = (SELECT job_id FROM items WHERE id = $1 AND account_id = $2)`, id, account)
	return err
}

// BatchItem is one item of a batch.
type BatchItem struct {
	Item  dispatch.ItemID
	Phone dispatch.Phone
}

// ErrSlice says that a recipient's slice is missing. No shipment is made without it.
var ErrSlice = errors.New("a part of the file is missing")

// GroupClause selects the items of a group, as dispatch.JobGroupOf does; the items table's alias is it. Empty for no
// group.
func GroupClause(kind dispatch.Kind, g dispatch.JobGroup) string {
	if clause, ok := stateClauses[g]; ok {
		return clause
	}
	switch {
	case g == "":
		return ""
	case g == dispatch.JobUntracked && kind == dispatch.KindShipment:
		return `false`
	case g == dispatch.JobUntracked:
		return `it.state = 'accepted' AND it.upstream_id IS NULL`
	case kind == dispatch.KindShipment:
		return `it.state = 'accepted' AND ` + statusClause(kind, g)
	}
	return `it.state = 'accepted' AND it.upstream_id IS NOT NULL AND ` + statusClause(kind, g)
}

// statusClause selects the accepted items of a group: without a status they are just handed over, with an unknown
// status on their way.
func statusClause(kind dispatch.Kind, g dispatch.JobGroup) string {
	known := `ARRAY(SELECT s.status FROM statuses s WHERE s.kind = '` + string(kind) + `' AND s.job_group `
	switch g {
	case dispatch.JobHandedOver:
		return `(it.status = '' OR it.status = ANY(` + known + `= '` + string(g) + `')))`
	case dispatch.JobOnItsWay:
		return `it.status <> '' AND it.status <> ALL(` + known + `<> '` + string(g) + `'))`
	}
	return `it.status = ANY(` + known + `= '` + string(g) + `'))`
}

// stateClauses select the groups that depend on our state only.
var stateClauses = map[dispatch.JobGroup]string{
	dispatch.JobWaiting:   `it.state IN ('draft', 'queued')`,
	dispatch.JobSending:   `it.state = 'sending'`,
	dispatch.JobNotSent:   `it.state IN ('rejected', 'failed')`,
	dispatch.JobUncertain: `it.state = 'uncertain'`,
	dispatch.JobCancelled: `it.state = 'cancelled'`,
}
