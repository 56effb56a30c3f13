package lists

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/lib/pq"

	"utsending/internal/dispatch"
)

// failures are the open follow-ups whose cause says that the item surely or perhaps did not arrive. The planner uses follow_ups_failed_idx only
// if the causes stand here as literals, and are those of the index: TestFailuresAreThoseOfTheIndex.
var failures = `f.account_id = $1 AND f.ended_at IS NULL AND f.cause IN (` + literals(dispatch.FailureCauses()) + `)`

// literals writes values of ours as SQL literals.
func literals(causes []dispatch.Cause) string {
	quoted := make([]string, len(causes))
	for i, c := range causes {
		quoted[i] = pq.QuoteLiteral(string(c))
	}
	return strings.Join(quoted, ", ")
}

// watched are the filter's conditions for a question of a team lead. A stream of them has the narrow table.
//
// Assumption: a shipment in Altinn was notified when we first saw its status: the service does not tell when.
func (q *listQuery) watched() []string {
	f := q.filter
	if f.Watch == "" {
		return nil
	}
	at := q.add(f.WatchAt)
	switch f.Watch {
	case dispatch.WatchFailed:
		return []string{"l.item_id = ANY(ARRAY(SELECT f.item_id FROM follow_ups f WHERE " + failures + " AND f.since >= " + at + "))"}
	case dispatch.WatchUnread:
		return []string{"it.state = 'accepted'", "l.status = ANY(" + q.add(pq.Array(dispatch.UnreadInAltinn())) + ")", "l.created_at <= " + at, "it.status_at <= " + at}
	}
	return []string{"l.outcome = 'open'", "it.state = 'queued'", "it.due_since <= " + at}
}

// standingMost bounds each count of a Standing.
const standingMost = 10_000

// Standing answers a team lead's first questions: each from an index of what it counts, and no further than standingMost.
func (s Statistics) Standing(ctx context.Context, account dispatch.Account, now time.Time) (n dispatch.Standing, err error) {
	var rows []struct {
		What  string     `db:"what"`
		N     int        `db:"n"`
		Since *time.Time `db:"since"`
	}
	// Planned for its values each time, as the counts reach from none to very many.
	err = s.DB.SelectContext(ctx, &rows, selectStanding, account.ID, account.WatchAt(dispatch.WatchFailed, now), account.WatchAt(dispatch.WatchUnread, now), now,
		pq.Array(dispatch.UnreadInAltinn()), string(dispatch.StatusReadyToFetch))
	into := map[string]*dispatch.Waits{"failed": &n.Failed, "unread": &n.Unread, "sms": &n.SMS, "shipment": &n.Shipments, "uncertain": &n.Uncertain,
		"silent": &n.Silent, "missing": &n.Missing, "ready": &n.Ready, "approval": &n.Approvals}
	for _, r := range rows {
		switch r.What {
		case "open":
			n.FailedOpen = r.N
			continue
		case "sought":
			n.Sought = min(r.N, standingMost)
			continue
		}
		w := into[r.What]
		*w = dispatch.Waits{N: min(r.N, standingMost), Above: r.N > standingMost}
		if r.Since != nil {
			w.Since = *r.Since
		}
	}
	return n, err
}

// selectStanding counts, each by an index (OFFSET 0 keeps the planner from reading all items to join a few), of the account $1: failures since $2, unread shipments notified at $3 or before, and what is due at $4.
var selectStanding = fmt.Sprintf(`
	SELECT 'failed' AS what, count(*) AS n, min(since) AS since FROM (
		SELECT f.since FROM follow_ups f WHERE %[2]s AND f.since >= $2 LIMIT %[1]d) x
	UNION ALL
	SELECT 'open', count(*), NULL FROM (
		SELECT FROM follow_ups f WHERE %[2]s AND f.since >= $2 AND f.done_at IS NULL LIMIT %[1]d) x
	UNION ALL
	SELECT 'sought', count(*), NULL FROM (
		SELECT FROM items it WHERE it.account_id = $1 AND it.kind = 'shipment' AND it.state = 'uncertain'
		AND it.recover_at IS NOT NULL AND coalesce(it.reason_at, it.created_at) >= $2 LIMIT %[1]d) x
	UNION ALL
	SELECT 'unread', count(x.since), min(x.since) FROM unnest($5::text[]) k (status)
	CROSS JOIN LATERAL (
		SELECT l.created_at AS since FROM listed l
		CROSS JOIN LATERAL (SELECT FROM items it WHERE it.id = l.item_id AND it.account_id = $1 AND it.state = 'accepted' AND it.status_at <= $3 OFFSET 0) it
		WHERE l.account_id = $1 AND l.kind = 'shipment' AND l.status <> '' AND l.status = k.status AND l.created_at <= $3
		ORDER BY l.created_at LIMIT %[1]d) x
	UNION ALL
	SELECT k.kind, count(x.since), min(x.since) FROM (VALUES ('sms'), ('shipment')) k (kind)
	LEFT JOIN LATERAL (
		SELECT it.due_since AS since FROM items it
		WHERE it.account_id = $1 AND it.kind = k.kind AND it.state = 'queued' AND it.due_since <= $4
		ORDER BY it.due_since LIMIT %[1]d) x ON true
	GROUP BY k.kind
	UNION ALL
	SELECT 'uncertain', count(x.since), min(x.since) FROM (VALUES ('sms'), ('shipment')) k (kind)
	LEFT JOIN LATERAL (
		SELECT coalesce(it.reason_at, it.created_at) AS since FROM items it WHERE it.account_id = $1 AND it.kind = k.kind AND it.state = 'uncertain' LIMIT %[1]d) x ON true
	UNION ALL
	SELECT 'silent', count(*), min(since) FROM (
		SELECT f.since FROM follow_ups f WHERE f.account_id = $1 AND f.cause = 'silent' AND f.ended_at IS NULL AND f.done_at IS NULL LIMIT %[1]d) x
	UNION ALL
	SELECT 'missing', count(*), min(since) FROM (
		SELECT f.since FROM follow_ups f WHERE f.account_id = $1 AND f.cause = 'missing' AND f.ended_at IS NULL AND f.done_at IS NULL LIMIT %[1]d) x
	UNION ALL
	SELECT 'ready', count(*), min(created_at) FROM (
		SELECT l.created_at FROM listed l WHERE l.account_id = $1 AND l.kind = 'shipment' AND l.status <> '' AND l.status = $6 LIMIT %[1]d) x
	UNION ALL
	SELECT 'approval', count(*), min(asked_at) FROM (
		SELECT p.asked_at FROM approvals p WHERE p.account_id = $1 AND p.state = 'waiting' LIMIT %[1]d) x`, standingMost+1, failures)
