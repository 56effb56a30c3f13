package lists

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// ListQuery is what a list shows: what was chosen, and what was searched for. Drafts of others are never in it.
type ListQuery struct {
	Viewer dispatch.UserID
	Filter dispatch.ListFilter
	Search *Search        // nil: nothing was searched for
	State  dispatch.State // empty: all
	Page   store.Page
}

// List returns one window of an account's items, and whether older or newer ones follow.
func (s *Store) List(ctx context.Context, account dispatch.AccountID, lq ListQuery) (rows []dispatch.ListRow, older, newer bool, err error) {
	q := lq.query(account)
	if q.frequent, err = s.commonWords(ctx, account, lq.Search); err != nil {
		return nil, false, false, err
	}
	return s.listed(ctx, account, q, q.streams())
}

// query begins the statement of a list.
func (lq ListQuery) query(account dispatch.AccountID) *listQuery {
	q := newListQuery(account)
	q.window, q.viewer, q.filter, q.search, q.state = lq.Page, lq.Viewer, lq.Filter, lq.Search, lq.State
	return q
}

// listQuery writes the statement of a list. Its streams are read side by side, each in the list's order and by an index
// of its own; only their first rows are put together.
type listQuery struct {
	viewer    dispatch.UserID
	filter    dispatch.ListFilter
	search    *Search
	frequent  []string // words of the search that are compared without the index
	state     dispatch.State
	window    store.Page
	arguments []any
}

// newListQuery begins a statement whose first argument is the account.
func newListQuery(account dispatch.AccountID) *listQuery {
	return &listQuery{arguments: []any{account}}
}

// add takes an argument and returns its place in the text.
func (q *listQuery) add(value any) string {
	q.arguments = append(q.arguments, value)
	return fmt.Sprintf("$%d", len(q.arguments))
}

// streams are the SELECTs that the list is put together of, with the columns of listedRow: each kind, and of a group that
// holds two kinds of state each of them. What the narrow table alone chooses is one.
func (q *listQuery) streams() (streams []string) {
	if q.narrow() {
		return q.narrowed()
	}
	for _, part := range groupParts[q.filter.Group] {
		if q.holds(dispatch.KindSMS) {
			streams = append(streams, q.sms(part))
		}
		if q.holds(dispatch.KindShipment) {
			streams = append(streams, q.shipments(part))
		}
	}
	return streams
}

// holds tells whether items of a kind can be in the list.
func (q *listQuery) holds(k dispatch.Kind) bool {
	found := k == dispatch.KindSMS && q.search.ofSMS() || k == dispatch.KindShipment && q.search.ofShipments()
	return found && q.filter.OfKind(k)
}

// source is what a stream is read by, and the columns that order it.
type source struct{ from, at, id, of string }

// What a stream is read by: the narrow table of lists, an item's own indexes, or those of shipments.
var (
	byListed    = source{"listed l JOIN items it ON it.id = l.item_id AND it.account_id = $1", "l.created_at", "l.item_id", "l"}
	byNarrow    = source{"listed l", "l.created_at", "l.item_id", "l"}
	byItems     = source{"items it", "it.created_at", "it.id", "it"}
	byShipments = source{"items it", "h.created_at", "h.item_id", "it"}
	byTemplate  = source{"items it", "m.created_at", "m.item_id", "it"}
)

// withListed adds the narrow table to a source that does not have it.
func (by source) withListed() source {
	if by.of != "l" {
		by.from, by.of = by.from+" JOIN listed l ON l.item_id = it.id AND it.account_id = $1", "l"
	}
	return by
}

const (
	inDrafts = `{}.list_group = 'draft'`
	// later says of a queued item that it waits for its time.
	later = `it.state = 'queued' AND it.due_since > now()`
)

// groupParts are the conditions that make up each group, as dispatch.Item.Group does; {} is what it is read by.
var groupParts = map[dispatch.Group][]string{
	"":                      {""},
	dispatch.GroupPlanned:   {inDrafts, `{}.list_group = 'working' AND ` + later},
	dispatch.GroupWorking:   {`{}.list_group = 'working' AND NOT (` + later + `)`},
	dispatch.GroupOnItsWay:  {`{}.list_group = 'on_its_way'`},
	dispatch.GroupArrived:   {`{}.list_group = 'arrived'`},
	dispatch.GroupStopped:   {`{}.list_group = 'stopped'`},
	dispatch.GroupUncertain: {`{}.list_group = 'uncertain'`},
}

// listedColumns are those that an SMS and a shipment have in common, but for the time.
const listedColumns = `it.id, it.kind, it.state, it.created_by, it.due_since, it.status`

// Columns of an SMS and of a shipment, what stands for them in the other one's stream, and both in a stream of both.
const (
	listedSMS         = `m.by_phone, m.recipient, m.text, m.hide_in_report`
	listedNoSMS       = `false AS by_phone, NULL::bytea AS recipient, NULL::bytea AS text, false AS hide_in_report`
	listedAnySMS      = `, coalesce(m.by_phone, false), m.recipient, m.text, coalesce(m.hide_in_report, false)`
	listedShipment    = `h.title, h.recipient_name, h.external_reference, h.digital_only, h.signing_status, h.sign_by`
	listedNoShipment  = `'' AS title, '' AS recipient_name, '' AS external_reference, false AS digital_only, '' AS signing_status, NULL::timestamptz AS sign_by`
	listedAnyShipment = `, coalesce(h.title, ''), coalesce(h.recipient_name, ''), coalesce(h.external_reference, ''), coalesce(h.digital_only, false), coalesce(h.signing_status, ''), h.sign_by`
)

// micros is a time in microseconds since 1970: read several times as fast as a time's text.
func micros(at string) string { return "(date_part('epoch', " + at + ") * 1e6)::bigint AS created_at" }

// columns are those of a stream of a kind: of the list's kinds, each has its own and nothing for the others.
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

// sms reads SMS of a part of a group.
func (q *listQuery) sms(part string) string {
	by := q.source()
	if q.filter.Template != "" {
		by = byTemplate
	}
	if q.counted() || q.indexed() {
		by = by.withListed()
	}
	where := append(q.common(by, part, dispatch.KindSMS), q.search.sms(q)...)
	if t := q.filter.Template; t != "" {
		where = append(where, "m.account_id = $1", "m.template_id = "+q.add(t))
	}
	return `
		SELECT ` + q.columns(by, dispatch.KindSMS) + `
		FROM ` + by.from + ` JOIN sms m ON m.item_id = it.id
		WHERE ` + strings.Join(where, " AND ") + q.window.Order(by.at, by.id) + q.window.LimitClause()
}

// shipments reads shipments of a part of a group. What is chosen by what a shipment says is read in the order of the
// shipments' own indexes.
func (q *listQuery) shipments(part string) string {
	by := q.source()
	own := append(q.ofShipments(), q.search.shipments(q)...)
	if len(own) > 0 {
		by, own = byShipments, append(own, "h.account_id = $1")
	}
	if q.counted() || q.indexed() {
		by = by.withListed()
	}
	where := append(q.common(by, part, dispatch.KindShipment), own...)
	return `
		SELECT ` + q.columns(by, dispatch.KindShipment) + `
		FROM ` + by.from + ` JOIN shipments h ON h.item_id = it.id
		WHERE ` + strings.Join(where, " AND ") + q.window.Order(by.at, by.id) + q.window.LimitClause()
}

// source is what the list is read by where shipments' own indexes do not order it.
func (q *listQuery) source() source {
	if q.search != nil || q.filter.Job != "" {
		return byItems
	}
	return byListed
}

// stateGroups are the groups of the states that a list can be narrowed to.
var stateGroups = map[dispatch.State]string{dispatch.StateQueued: "working", dispatch.StateFailed: "stopped"}

// common are the conditions on what an SMS and a shipment have in common.
func (q *listQuery) common(by source, part string, kind dispatch.Kind) []string {
	where := []string{by.of + ".account_id = $1", by.of + ".kind = '" + string(kind) + "'"}
	if part == "" {
		where = append(where, q.seen(by, kind))
	} else {
		where = append(where, "("+strings.ReplaceAll(part, "{}", by.of)+")")
	}
	if part == inDrafts {
		where = append(where, by.of+".created_by = "+q.add(q.viewer))
	}
	if q.state != "" {
		where = append(where, "it.state = "+q.add(q.state), by.of+".list_group = '"+stateGroups[q.state]+"'")
	}
	return append(append(where, q.chosen(by)...), q.place(by.at, by.id)...)
}

// chosen are the conditions of the filter.
func (q *listQuery) chosen(by source) (where []string) {
	f := q.filter
	if f.Status != "" {
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
	where = append(where, q.countedAs()...)
	if !f.From.IsZero() {
		where = append(where, by.at+" >= "+q.add(f.From))
	}
	if !f.To.IsZero() {
		where = append(where, by.at+" < "+q.add(f.To))
	}
	return where
}

// counted tells whether the filter chooses by what numbers count by.
func (q *listQuery) counted() bool {
	f := q.filter
	return f.Outcome != "" || f.Route != "" || f.Read != 0 || f.Signed != 0
}

// indexed tells whether the filter chooses by what the narrow table has an index for: so that it can be read by that one
// where fewer have it than what else is chosen. A search and a job have indexes of their own.
func (q *listQuery) indexed() bool {
	f := q.filter
	return q.search == nil && f.Job == "" && (f.Group != "" || f.Status != "" || f.Sender != "" || q.state != "")
}

// countedAs are the conditions of the filter on what numbers count by. Outcomes that have an index of their own stand in
// the text, so that it is known to be theirs.
func (q *listQuery) countedAs() (where []string) {
	f := q.filter
	switch {
	case f.Outcome == dispatch.OutcomeSent:
		where = append(where, "it.state <> 'draft'")
	case slices.Contains(dispatch.ListOutcomes(), f.Outcome):
		where = append(where, "l.outcome = '"+f.Outcome+"'")
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

// seen leaves out drafts, but for one's own of SMS: those of shipments have a page.
func (q *listQuery) seen(by source, kind dispatch.Kind) string {
	sent := by.of + ".list_group <> 'draft'"
	if kind == dispatch.KindShipment {
		return sent
	}
	return "(" + sent + " OR " + by.of + ".created_by = " + q.add(q.viewer) + ")"
}

// place is where the window begins.
func (q *listQuery) place(at, id string) []string {
	cursor, sign := q.window.Before, "<"
	if !q.window.After.Zero() {
		cursor, sign = q.window.After, ">"
	}
	if cursor.Zero() {
		return nil
	}
	return []string{fmt.Sprintf("(%s, %s) %s (%s, %s)", at, id, sign, q.add(cursor.At), q.add(cursor.ID))}
}

// ofShipments are the conditions on what a shipment says.
func (q *listQuery) ofShipments() (where []string) {
	if code := q.filter.BillingCode; code != "" {
		where = append(where, "h.billing_code <> '' AND h.billing_code = "+q.add(code))
	}
	if t := q.filter.Type; t != "" {
		where = append(where, "h.shipment_type <> '' AND h.shipment_type = "+q.add(t))
	}
	if status := q.filter.Signing; status != "" {
		where = append(where, "h.sign_by IS NOT NULL AND h.signing_status = "+q.add(status))
	}
	return where
}

// countMost is how many items of a group are counted where no count is kept.
const countMost = 1000

// ListCounts returns how many items of an account there are in each group, the viewer's own drafts among them.
func (s *Store) ListCounts(ctx context.Context, account dispatch.AccountID, viewer dispatch.UserID, kind dispatch.Kind) (dispatch.GroupCounts, error) {
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

// groupCounts turns what is counted into what is shown: of those that work, the ones that are due later are planned.
// Where more are planned than are counted, nobody knows how many are due.
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
