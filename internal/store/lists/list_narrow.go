package lists

import (
	"strings"

	"utsending/internal/dispatch"
)

// narrow tells whether the narrow table alone tells which rows the list has: nothing is chosen by what only items,
// shipments or SMS say.
func (q *listQuery) narrow() bool {
	f := q.filter
	if q.search != nil || q.state != "" || f.Group == dispatch.GroupPlanned || f.Group == dispatch.GroupWorking {
		return false
	}
	return f.Status == "" && f.Job == "" && f.Template == "" && f.BillingCode == "" && f.Type == "" && f.Signing == "" && f.Outcome != dispatch.OutcomeSent
}

// untold says that more is to be told of an item than the narrow table has: in the other groups all are accepted, and wait
// for nothing of ours.
const untold = `l.list_group <> 'arrived' AND l.list_group <> 'on_its_way'`

// narrowed reads the list's rows in the narrow table, and only of those that are shown what else is shown of them. OFFSET
// keeps each of these readings by itself, so that it is left out where its row has nothing there.
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

// pick reads the places of a kind's rows.
func (q *listQuery) pick(kind dispatch.Kind) string {
	where := strings.Join(q.common(byNarrow, groupParts[q.filter.Group][0], kind), " AND ")
	return `SELECT l.item_id, l.kind, l.list_group, l.created_by, l.status, l.created_at FROM ` + byNarrow.from + ` WHERE ` + where +
		q.window.Order(byNarrow.at, byNarrow.id) + q.window.LimitClause()
}

// beside reads columns of the rows in a list that have something there, by their id.
func beside(as, columns, table, id, has string) string {
	return ` LEFT JOIN LATERAL (
		SELECT ` + columns + ` FROM ` + table + ` WHERE ` + id + ` = l.item_id AND ` + as + `.account_id = $1 AND ` + has + ` OFFSET 0) ` + as + ` ON true`
}
