package lists

import (
	"context"
	"slices"
	"strings"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// textKey is the expression by which a text of a shipment is sorted, as its index has it (migration 0244): small letters in the order
// of the Norwegian alphabet, whatever the database's locale. The text of a protected person comes first: its place would tell who.
func textKey(column string) string {
	return `(CASE WHEN h.protected_id IS NULL THEN translate(lower(left(h.` + column + `, 60)), 'ÆØÅÄÖæøåäöÀÁÂÉÈÊÓÒÔÜàáâéèêóòôü', '{|}{|{|}{|aaaeeeoooyaaaeeeoooy') ELSE '' END COLLATE "C")`
}

// textKeys are the expressions of the texts by which lists are sorted.
var textKeys = map[dispatch.ListSort]string{
	dispatch.SortTitle: textKey("title"), dispatch.SortRecipient: textKey("recipient_name"), dispatch.SortReference: textKey("external_reference"),
}

// orderedBy is the first expression of the list's order; the id is the second.
func (q *listQuery) orderedBy(by source) string {
	if q.key != "" {
		return q.key
	}
	return by.at
}

// boundText is the text of the cursor's row, given by its placeholder, in a list sorted by text: no text is in an address.
func (q *listQuery) boundText(id string) string {
	if q.key == "" {
		return ""
	}
	return `(SELECT ` + q.key + ` FROM shipments h WHERE h.item_id = ` + id + ` AND h.account_id = $1)`
}

// sorted reads shipments in the order of a text, all parts of the group at once.
func (q *listQuery) sorted() []string {
	if !q.holds(dispatch.KindShipment) {
		return nil
	}
	parts := slices.Clone(q.parts())
	for i, part := range parts {
		if part == inDrafts {
			parts[i] = "(" + part + " AND {}.created_by = " + q.add(q.viewer) + " AND NOT " + store.UntouchedDraft("{id}") + ")"
		}
	}
	return []string{q.shipments(strings.Join(parts, " OR "))}
}

// valued is the part of a list that has one value in the column by which it is sorted.
type valued struct {
	value  string // in cursors
	filter dispatch.ListFilter
}

// values are the parts of a list sorted by a column of few values, in order.
func (s Items) values(ctx context.Context, account dispatch.AccountID, lq ListQuery) (parts []valued, err error) {
	if lq.Order.By == dispatch.SortStatus {
		for _, g := range dispatch.GroupsByStatus() {
			one := valued{string(g), lq.Filter}
			one.filter.Group = g
			if lq.Filter.Group == "" || lq.Filter.Group == g {
				parts = append(parts, one)
			}
		}
	} else {
		var senders []Sender
		if err := s.Select(ctx, &senders, selectSenders, account); err != nil {
			return nil, err
		}
		for _, sender := range senders {
			one := valued{string(sender.ID), lq.Filter}
			one.filter.Sender = sender.ID
			if lq.Filter.Sender == "" || lq.Filter.Sender == sender.ID {
				parts = append(parts, one)
			}
		}
	}
	if lq.Order.Reversed {
		slices.Reverse(parts)
	}
	return parts, nil
}

// listByValue returns a page of a list sorted by a column of few values: the lists of each value in turn, newest first. So it needs no
// index but those of the filters. An unknown value in the cursor is the start.
func (s Items) listByValue(ctx context.Context, account dispatch.AccountID, lq ListQuery) (rows []dispatch.ListRow, older, newer bool, err error) {
	parts, err := s.values(ctx, account, lq)
	if err != nil {
		return nil, false, false, err
	}
	cursor, _ := lq.Page.Bound()
	up := !lq.Page.After.Zero()
	at := slices.IndexFunc(parts, func(one valued) bool { return one.value == cursor.Value })
	switch {
	case cursor.Zero() || at < 0:
		cursor, up = store.Cursor{}, false
	case up:
		parts = parts[:at+1]
		slices.Reverse(parts)
	default:
		parts = parts[at:]
	}
	for i, one := range parts {
		read, err := s.listOne(ctx, account, lq, one, lq.Page.Limit+1-len(rows), up, i == 0 && !cursor.Zero())
		if err != nil {
			return nil, false, false, err
		}
		if up {
			rows = append(read, rows...)
		} else {
			rows = append(rows, read...)
		}
		if len(rows) > lq.Page.Limit {
			break
		}
	}
	more := len(rows) > lq.Page.Limit
	if up {
		return rows[max(0, len(rows)-lq.Page.Limit):], true, more, nil
	}
	return rows[:min(len(rows), lq.Page.Limit)], more, !cursor.Zero(), nil
}

// listOne returns up to limit rows of one value, newest first: from the cursor on, or from the end where the page begins.
func (s Items) listOne(ctx context.Context, account dispatch.AccountID, lq ListQuery, one valued, limit int, up, placed bool) ([]dispatch.ListRow, error) {
	part := lq
	part.Order, part.Filter, part.underAll = dispatch.ListOrder{}, one.filter, lq.Filter.Group == ""
	part.Page.Limit = limit
	if !placed {
		part.Page = store.Page{Limit: limit, Oldest: up}
	}
	rows, _, _, err := s.List(ctx, account, part)
	if part.Page.Oldest {
		slices.Reverse(rows)
	}
	for i := range rows {
		rows[i].Value = one.value
	}
	return rows, err
}
