package lists

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// ListQuery selects the rows of a list by filter and search. Colleagues' drafts are never in it.
type ListQuery struct {
	Viewer dispatch.UserID
	Filter dispatch.ListFilter
	Order  dispatch.ListOrder // Page.Oldest says the direction of times and texts
	Search *Search            // nil: no search
	Items  []dispatch.ItemID  // these only; nil: any
	Page   store.Page

	underAll bool // one value of the list of all groups, which has no drafts of shipments
}

// List returns one page of an account's items, and whether older or newer ones follow.
func (s Items) List(ctx context.Context, account dispatch.AccountID, lq ListQuery) (rows []dispatch.ListRow, older, newer bool, err error) {
	if lq.Order.By.Few() {
		return s.listByValue(ctx, account, lq)
	}
	q := lq.query(account)
	if q.frequent, err = s.commonWords(ctx, account, lq.Search); err != nil {
		return nil, false, false, err
	}
	return s.listed(ctx, account, q, q.streams())
}

// query begins the statement of a list.
func (lq ListQuery) query(account dispatch.AccountID) *listQuery {
	q := newListQuery(account)
	q.window, q.viewer, q.filter, q.search, q.items, q.underAll = lq.Page, lq.Viewer, lq.Filter, lq.Search, lq.Items, lq.underAll
	q.key = textKeys[lq.Order.By]
	return q
}

// listQuery builds the statement of a list: a merge (UNION ALL) of streams, each read in the list's order by an index
// of its own and limited to the page.
type listQuery struct {
	viewer    dispatch.UserID
	filter    dispatch.ListFilter
	search    *Search
	frequent  []string // words of the search that are compared without the index
	items     []dispatch.ItemID
	underAll  bool
	key       string // of the text by which the list is sorted; empty: by time
	window    store.Page
	arguments []any
}

// newListQuery begins a statement whose first parameter is the account.
func newListQuery(account dispatch.AccountID) *listQuery {
	return &listQuery{arguments: []any{account}}
}

// add adds a parameter and returns its placeholder.
func (q *listQuery) add(value any) string {
	q.arguments = append(q.arguments, value)
	return fmt.Sprintf("$%d", len(q.arguments))
}

// streams are the SELECTs to merge, with the columns of listedRow: one for each kind and, in a group of two kinds of
// state, for each of those. If the narrow table suffices, there is one only.
func (q *listQuery) streams() (streams []string) {
	if q.narrow() {
		return q.narrowed()
	}
	if q.key != "" { // one stream: the parts of a group are not merged in this order
		return q.sorted()
	}
	for _, part := range q.parts() {
		if q.holds(dispatch.KindSMS) {
			streams = append(streams, q.sms(part))
		}
		if q.holds(dispatch.KindShipment) && !(q.underAll && part == inDrafts) {
			streams = append(streams, q.shipments(part))
		}
	}
	return streams
}

// parts are the streams of the group. What is handed over has two of its own, as its outcomes are those of a partial index.
func (q *listQuery) parts() (parts []string) {
	of := groupParts[q.filter.Group]
	if q.filter.Status != dispatch.StatusHandedOver {
		return of
	}
	for _, outcome := range []string{dispatch.OutcomeOpen, dispatch.OutcomeUntracked} {
		for _, part := range of {
			handedOver := "l.outcome = '" + outcome + "'"
			if part != "" {
				handedOver += " AND (" + part + ")"
			}
			parts = append(parts, handedOver)
		}
	}
	return parts
}

// holds tells whether the list can hold items of a kind.
func (q *listQuery) holds(k dispatch.Kind) bool {
	found := k == dispatch.KindSMS && q.search.ofSMS() || k == dispatch.KindShipment && q.search.ofShipments()
	return found && q.filter.OfKind(k)
}

// source is the FROM clause of a stream, and the columns that order it.
type source struct{ from, at, id, of string }

// The sources: the narrow table of lists, an item's own indexes, or those of shipments.
var (
	byListed    = source{"listed l JOIN items it ON it.id = l.item_id AND it.account_id = $1", "l.created_at", "l.item_id", "l"}
	byNarrow    = source{"listed l", "l.created_at", "l.item_id", "l"}
	byItems     = source{"items it", "it.created_at", "it.id", "it"}
	byShipments = source{"items it", "h.created_at", "h.item_id", "it"}
	byTemplate  = source{"items it", "m.created_at", "m.item_id", "it"}
)

// withListed joins the narrow table, unless the source has it.
func (by source) withListed() source {
	if by.of != "l" {
		by.from, by.of = by.from+" JOIN listed l ON l.item_id = it.id AND it.account_id = $1", "l"
	}
	return by
}

const (
	inDrafts = `{}.list_group = 'draft'`
	// later is the condition that a queued item waits for its time.
	later = `it.state = 'queued' AND it.due_since > now()`
)

// groupParts are the conditions that make up each group, as dispatch.Item.Group does; {} is the source's alias.
var groupParts = map[dispatch.Group][]string{
	"":                      {""},
	dispatch.GroupPlanned:   {inDrafts, `{}.list_group = 'working' AND ` + later},
	dispatch.GroupWorking:   {`{}.list_group = 'working' AND NOT (` + later + `)`},
	dispatch.GroupOnItsWay:  {`{}.list_group = 'on_its_way'`},
	dispatch.GroupArrived:   {`{}.list_group = 'arrived'`},
	dispatch.GroupStopped:   {`{}.list_group = 'stopped'`},
	dispatch.GroupUncertain: {`{}.list_group = 'uncertain'`},
}

// listedColumns are the common columns of SMS and shipments, except the time.
const listedColumns = `it.id, it.kind, it.state, it.created_by, it.due_since, it.status`

// The columns of an SMS and of a shipment, their placeholders in the other kind's stream, and both in a stream of
// both.
const (
	listedSMS = `m.by_phone, m.recipient, m.text, m.hide_in_report, m.protected_id,
		coalesce((SELECT t.name FROM templates t WHERE t.id = m.template_id AND t.account_id = $1), '') AS template`
	listedNoSMS    = `false AS by_phone, NULL::bytea AS recipient, NULL::bytea AS text, false AS hide_in_report, NULL::uuid AS protected_id, '' AS template`
	listedAnySMS   = `, coalesce(m.by_phone, false), m.recipient, m.text, coalesce(m.hide_in_report, false), m.protected_id, coalesce(m.template, '')`
	listedShipment = `h.title, h.recipient_name, h.external_reference, h.digital_only,
		h.number_hash IS NULL AND h.recipient_name <> '' AS unnumbered, h.signing_status, h.sign_by, h.protected_id AS protected`
	listedNoShipment  = `'' AS title, '' AS recipient_name, '' AS external_reference, false AS digital_only, false AS unnumbered, '' AS signing_status, NULL::timestamptz AS sign_by, NULL::uuid AS protected`
	listedAnyShipment = `, coalesce(h.title, ''), coalesce(h.recipient_name, ''), coalesce(h.external_reference, ''), coalesce(h.digital_only, false), coalesce(h.unnumbered, false), coalesce(h.signing_status, ''), h.sign_by, h.protected`
)

// micros selects a time in microseconds since 1970, which is several times as fast to read as text.
func micros(at string) string { return "(date_part('epoch', " + at + ") * 1e6)::bigint AS created_at" }

// columns are those of a kind's stream: its own, and placeholders for the list's other kinds.
func (q *listQuery) columns(by source, kind dispatch.Kind) string {
	columns := listedColumns + ", " + micros(by.at)
	for _, one := range []struct {
		of        dispatch.Kind
		own, none string
	}{{dispatch.KindSMS, listedSMS, listedNoSMS}, {dispatch.KindShipment, listedShipment, listedNoShipment}} {
		switch {
		case one.of == kind:
			columns += ", " + one.own
		case q.holds(one.of):
			columns += ", " + one.none
		}
	}
	return columns
}

// sms reads SMS of one part of a group.
func (q *listQuery) sms(part string) string {
	by := q.source()
	if q.filter.Template != "" {
		by = byTemplate
	}
	if q.counted() || q.indexed() {
		by = by.withListed()
	}
	where := append(q.common(by, part, dispatch.KindSMS), q.search.sms(q)...)
	where = append(where, q.findable("m")...)
	if t := q.filter.Template; t != "" {
		where = append(where, "m.account_id = $1", "m.template_id = "+q.add(t))
	}
	return `
		SELECT ` + q.columns(by, dispatch.KindSMS) + `
		FROM ` + by.from + ` JOIN sms m ON m.item_id = it.id
		WHERE ` + strings.Join(where, " AND ") + q.window.Order(by.at, by.id) + q.window.LimitClause()
}

// shipments reads shipments of one part of a group. Filters on a shipment's own columns are read in the order of the
// shipments' indexes.
func (q *listQuery) shipments(part string) string {
	by := q.source()
	own := append(q.ofShipments(), q.search.shipments(q)...)
	if len(own) > 0 || q.key != "" {
		by, own = byShipments, append(own, "h.account_id = $1")
	}
	if q.counted() || q.indexed() {
		by = by.withListed()
	}
	where := append(q.common(by, part, dispatch.KindShipment), own...)
	where = append(where, q.findable("h")...)
	return `
		SELECT ` + q.columns(by, dispatch.KindShipment) + `
		FROM ` + by.from + ` JOIN shipments h ON h.item_id = it.id
		WHERE ` + strings.Join(where, " AND ") + q.window.Order(q.orderedBy(by), by.id) + q.window.LimitClause()
}

// findable leaves out, of a search, items of protected people whom the viewer may not see: that one is found would tell whose it is.
func (q *listQuery) findable(of string) []string {
	if q.search == nil {
		return nil
	}
	return []string{maySee(of, q.add(store.Null(q.viewer)))}
}

// source is the list's source where the shipments' indexes do not order it.
func (q *listQuery) source() source {
	if q.search != nil || q.filter.Job != "" || q.items != nil {
		return byItems
	}
	return byListed
}

// common are the conditions on columns that SMS and shipments share.
func (q *listQuery) common(by source, part string, kind dispatch.Kind) []string {
	where := []string{by.of + ".account_id = $1", by.of + ".kind = '" + string(kind) + "'"}
	if part == "" {
		where = append(where, q.seen(by, kind))
	} else {
		where = append(where, "("+strings.NewReplacer("{}", by.of, "{id}", by.id).Replace(part)+")")
	}
	if part == inDrafts {
		where = append(where, by.of+".created_by = "+q.add(q.viewer))
		if kind == dispatch.KindShipment {
			where = append(where, "NOT "+store.UntouchedDraft(by.id))
		}
	}
	if q.items != nil {
		where = append(where, by.id+" = ANY("+q.add(pq.Array(q.items))+"::uuid[])")
	}
	return append(append(where, q.chosen(by)...), q.place(by)...)
}

// chosen are the conditions of the filter.
func (q *listQuery) chosen(by source) (where []string) {
	f := q.filter
	if f.Status == dispatch.StatusHandedOver {
		where = append(where, "it.state = 'accepted' AND it.status = ''")
	} else if f.Status != "" {
		where = append(where, by.of+".status <> '' AND "+by.of+".status = "+q.add(f.Status), "it.state = 'accepted'")
	}
	if f.Sender != "" {
		where = append(where, by.of+".created_by = "+q.add(f.Sender))
	}
	if f.Job != "" {
		where = append(where, "it.job_id = "+q.add(f.Job))
	}
	if f.Job != "" && f.JobGroup != "" {
		where = append(where, fmt.Sprintf("CASE it.kind WHEN 'sms' THEN %s ELSE %s END",
			store.GroupClause(dispatch.KindSMS, f.JobGroup), store.GroupClause(dispatch.KindShipment, f.JobGroup)))
	}
	if f.Held {
		where = append(where, "EXISTS (SELECT FROM holds kept WHERE kept.item_id = "+by.id+" AND kept.account_id = $1)")
	}
	where = append(where, q.countedAs()...)
	where = append(where, q.watched()...)
	if !f.From.IsZero() {
		where = append(where, by.at+" >= "+q.add(f.From))
	}
	if !f.To.IsZero() {
		where = append(where, by.at+" < "+q.add(f.To))
	}
	return where
}

// counted tells whether the filter uses a dimension of the statistics.
func (q *listQuery) counted() bool {
	f := q.filter
	return f.Status == dispatch.StatusHandedOver || f.Outcome != "" || f.Route != "" || f.Read != 0 || f.Signed != 0 || f.Watch != "" || f.Unarchived
}

// indexed tells whether the filter uses a column for which the narrow table has an index, so that the planner can
// choose that index if it is more selective. A search and a job have indexes of their own.
func (q *listQuery) indexed() bool {
	f := q.filter
	return q.search == nil && f.Job == "" && q.items == nil && (f.Group != "" || f.Status != "" || f.Sender != "")
}

// countedAs are the filter's conditions on dimensions of the statistics. Outcomes with a partial index of their own
// are literals, so that the planner can use it.
func (q *listQuery) countedAs() (where []string) {
	f := q.filter
	switch {
	case f.Outcome == dispatch.OutcomeSent:
		where = append(where, "it.state <> 'draft'")
	case slices.Contains(dispatch.ListOutcomes(), f.Outcome):
		where = append(where, "l.outcome = '"+f.Outcome+"'")
	}
	if f.Unarchived {
		where = append(where, "NOT l.archived") // a literal, for the partial index
	}
	if f.Route != "" {
		where = append(where, "l.route = "+q.add(f.Route))
	}
	if f.Read != 0 {
		where = append(where, "l.read_band = "+q.add(f.Read-1))
	}
	if f.Signed != 0 {
		where = append(where, "l.sign_band = "+q.add(f.Signed-1))
	}
	return where
}

// seen excludes drafts except one's own of SMS: those of shipments have a page of their own.
func (q *listQuery) seen(by source, kind dispatch.Kind) string {
	sent := by.of + ".list_group <> 'draft'"
	if kind == dispatch.KindShipment {
		return sent
	}
	return "(" + sent + " OR " + by.of + ".created_by = " + q.add(q.viewer) + ")"
}

// place is the condition by which the page begins.
func (q *listQuery) place(by source) []string {
	cursor, operator := q.window.Bound()
	if cursor.Zero() {
		return nil
	}
	id := q.add(cursor.ID)
	at := q.boundText(id)
	if at == "" {
		at = q.add(cursor.At)
	}
	return []string{fmt.Sprintf("(%s, %s) %s (%s, %s)", q.orderedBy(by), by.id, operator, at, id)}
}

// ofShipments are the conditions on a shipment's own columns.
func (q *listQuery) ofShipments() (where []string) {
	if code := q.filter.BillingCode; code != "" {
		where = append(where, "h.billing_code <> '' AND h.billing_code = "+q.add(code))
	}
	if t := q.filter.Type; t != "" {
		where = append(where, "h.shipment_type <> '' AND h.shipment_type = "+q.add(t))
	}
	if t := q.filter.Template; t != "" {
		where = append(where, "h.template_id = "+q.add(t))
	}
	if status := q.filter.Signing; status != "" {
		where = append(where, "h.sign_by IS NOT NULL AND h.signing_status = "+q.add(status))
	}
	return where
}

// countMost bounds counting where no count is maintained.
const countMost = 1000

// Counts counts an account's items in each group, the viewer's own drafts included.
func (s Items) Counts(ctx context.Context, account dispatch.AccountID, viewer dispatch.UserID, kind dispatch.Kind) (dispatch.GroupCounts, error) {
	var rows []aroundRow
	if err := s.Select(ctx, &rows, selectCounts, account, viewer, pq.Array(kindsOf(kind))); err != nil {
		return nil, err
	}
	return readAround(rows).Counts, nil
}

// kindsOf are the kinds that a list holds.
func kindsOf(kind dispatch.Kind) []string {
	if kind != "" {
		return []string{string(kind)}
	}
	return []string{string(dispatch.KindSMS), string(dispatch.KindShipment)}
}

// groupCounts converts stored counts to those shown: items in work that are due later count as planned. If more are
// planned than were counted, the number in work is unknown.
func groupCounts(n map[string]int) dispatch.GroupCounts {
	planned := n["draft"] + n["later"]
	counts := dispatch.GroupCounts{dispatch.GroupPlanned: {N: min(planned, countMost), Above: planned > countMost}}
	if n["later"] <= countMost {
		counts[dispatch.GroupWorking] = dispatch.GroupCount{N: max(n["working"]-n["later"], 0)}
	}
	for _, g := range []dispatch.Group{dispatch.GroupOnItsWay, dispatch.GroupArrived, dispatch.GroupStopped, dispatch.GroupUncertain} {
		counts[g] = dispatch.GroupCount{N: n[string(g)]}
	}
	return counts
}

// Each iterates over all rows of a list in its order, page by page.
func (s Items) Each(ctx context.Context, account dispatch.AccountID, lq ListQuery) iter.Seq2[dispatch.ListRow, error] {
	return func(yield func(dispatch.ListRow, error) bool) {
		lq.Page = store.Page{Limit: exportWindow, Oldest: lq.Page.Oldest}
		for {
			rows, older, newer, err := s.List(ctx, account, lq)
			if err != nil {
				yield(dispatch.ListRow{}, err)
				return
			}
			for _, r := range rows {
				if r.Protected != "" { // never in a file
					continue
				}
				if !yield(r, nil) {
					return
				}
			}
			more := older
			if lq.Page.Oldest {
				more = newer
			}
			if !more || len(rows) == 0 {
				return
			}
			last := rows[len(rows)-1]
			lq.Page = lq.Page.From(store.Cursor{At: last.CreatedAt, ID: last.ID})
		}
	}
}

// Count counts the rows of a list, up to a limit.
func (s Items) Count(ctx context.Context, account dispatch.AccountID, lq ListQuery, most int) (dispatch.GroupCount, error) {
	lq.Page = store.Page{Limit: most}
	q := lq.query(account)
	streams := q.streams()
	if len(streams) == 0 {
		return dispatch.GroupCount{}, nil
	}
	parts := make([]string, len(streams))
	for i, one := range streams {
		parts[i] = "(SELECT id FROM (" + one + ") AS part)"
	}
	var n int
	err := s.DB.GetContext(ctx, &n, `SELECT count(*) FROM (`+strings.Join(parts, " UNION ALL ")+`) AS listed_rows`, q.arguments...)
	return dispatch.GroupCount{N: min(n, most), Above: n > most}, err
}
