package lists

import (
	"strings"

	"utsending/internal/dispatch"
)

// narrow tells whether the narrow table alone determines the list's rows: no filter on columns of items, shipments or
// SMS.
func (q *listQuery) narrow() bool {
	f := q.filter
	if q.key != "" || q.search != nil || q.items != nil || f.Group == dispatch.GroupPlanned || f.Group == dispatch.GroupWorking {
		return false
	}
	return f.Status == "" && f.Job == "" && f.Template == "" && f.BillingCode == "" && f.Type == "" && f.Signing == "" && f.Outcome != dispatch.OutcomeSent && f.Watch == ""
}

// untold is the condition that the narrow table lacks columns to show: in the other groups all items are accepted and
// none is blocked.
const untold = `l.list_group <> 'arrived' AND l.list_group <> 'on_its_way'`

// narrowed selects the list's rows in the narrow table, and joins further columns only for the rows of the page.
// OFFSET 0 keeps each lateral subquery separate, so that it is not run for rows that have nothing there.
func (q *listQuery) narrowed() []string {
	var picks []string
	from, columns := "", `l.item_id AS id, l.kind, coalesce(it.state, 'accepted') AS state, l.created_by, it.due_since, l.status, `+micros("l.created_at")
	if q.holds(dispatch.KindSMS) {
		picks, from, columns = append(picks, q.pick(dispatch.KindSMS)), from+beside("m", listedSMS, "sms m", "m.item_id", "l.kind = 'sms'"), columns+listedAnySMS
	}
	if q.holds(dispatch.KindShipment) {
		picks, from, columns = append(picks, q.pick(dispatch.KindShipment)), from+beside("h", listedShipment, "shipments h", "h.item_id", "l.kind = 'shipment'"), columns+listedAnyShipment
	}
	if len(picks) == 0 {
		return nil
	}
	from += beside("it", "it.state, it.due_since", "items it", "it.id", untold)
	return []string{`SELECT ` + columns + ` FROM (` + q.merged(picks, "item_id") + `) l` + from + q.window.Order("l.created_at", "l.item_id")}
}

// ids selects the ids of the list's rows, one SELECT for each stream. The narrow table has them by itself: joining what the rows show
// took most of the time of a hundred thousand.
func (q *listQuery) ids() (selects []string) {
	if !q.narrow() {
		for _, one := range q.streams() {
			selects = append(selects, "(SELECT id FROM ("+one+") part)")
		}
		return selects
	}
	var picks []string
	for _, kind := range []dispatch.Kind{dispatch.KindSMS, dispatch.KindShipment} {
		if q.holds(kind) {
			picks = append(picks, q.pick(kind))
		}
	}
	if len(picks) == 0 {
		return nil
	}
	return []string{"(SELECT item_id AS id FROM (" + q.merged(picks, "item_id") + ") part)"}
}

// pick selects a kind's rows in the narrow table.
func (q *listQuery) pick(kind dispatch.Kind) string {
	where := strings.Join(q.common(byNarrow, groupParts[q.filter.Group][0], kind), " AND ")
	return `SELECT l.item_id, l.kind, l.list_group, l.created_by, l.status, l.created_at FROM ` + byNarrow.from + ` WHERE ` + where +
		q.window.Order(byNarrow.at, byNarrow.id) + q.window.LimitClause()
}

// beside joins columns for rows that have something there, by id.
func beside(as, columns, table, id, has string) string {
	return ` LEFT JOIN LATERAL (
		SELECT ` + columns + ` FROM ` + table + ` WHERE ` + id + ` = l.item_id AND ` + as + `.account_id = $1 AND ` + has + ` OFFSET 0) ` + as + ` ON true`
}
