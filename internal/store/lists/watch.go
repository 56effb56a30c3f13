package lists

import (
	"context"
	"fmt"
	"time"

	"github.com/lib/pq"

	"utsending/internal/dispatch"
)

// failures are the causes that say that an item surely or perhaps did not arrive, as follow_ups_failed_idx has them.
const failures = `f.account_id = $1 AND f.ended_at IS NULL AND f.cause IN ('uncertain', 'rejected', 'failed', 'not_delivered')`

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

// Waits is how many wait in one place, and since when.
type Waits struct {
	N     int
	Above bool // there are more than N
	Since time.Time
}

// Now is what a team lead asks first of an account.
type Now struct {
	Failed     Waits // see WatchFailed; since the first of them
	FailedOpen int   // those that nobody has marked as followed up
	Unread     Waits // see WatchUnread; the oldest by when it was sent
	SMS        Waits // see WatchQueued
	Shipments  Waits // the same
	Uncertain  Waits // of any age
	Silent     Waits // at the service, and no news for long
	Unknown    Waits // at the service, which does not know them
	Ready      Waits // in a receiving organisation's system, unread, for the service without a limit in time
	Approvals  Waits // for somebody to approve them
}

// nowMost bounds each count of Now.
const nowMost = 10_000

// Now answers a team lead's first questions: each from an index of what it counts, and no further than nowMost.
func (s *Store) Now(ctx context.Context, account dispatch.Account, now time.Time) (n Now, err error) {
	var rows []struct {
		What  string     `db:"what"`
		N     int        `db:"n"`
		Since *time.Time `db:"since"`
	}
	// Planned for its values each time, as the counts reach from none to very many.
	err = s.DB.SelectContext(ctx, &rows, selectNow, account.ID, account.WatchAt(dispatch.WatchFailed, now), account.WatchAt(dispatch.WatchUnread, now), now,
		pq.Array(dispatch.UnreadInAltinn()), string(dispatch.StatusReadyToFetch))
	into := map[string]*Waits{"failed": &n.Failed, "unread": &n.Unread, "sms": &n.SMS, "shipment": &n.Shipments, "uncertain": &n.Uncertain,
		"silent": &n.Silent, "missing": &n.Unknown, "ready": &n.Ready, "approval": &n.Approvals}
	for _, r := range rows {
		if r.What == "open" {
			n.FailedOpen = r.N
			continue
		}
		w := into[r.What]
		*w = Waits{N: min(r.N, nowMost), Above: r.N > nowMost}
		if r.Since != nil {
			w.Since = *r.Since
		}
	}
	return n, err
}

// selectNow counts, of the account $1: failures since $2, unread shipments notified at $3 or before, and what is due at $4.
var selectNow = fmt.Sprintf(`
	SELECT 'failed' AS what, count(*) AS n, min(since) AS since FROM (
		SELECT f.since FROM follow_ups f WHERE %[2]s AND f.since >= $2 LIMIT %[1]d) x
	UNION ALL
	SELECT 'open', count(*), NULL FROM (
		SELECT FROM follow_ups f WHERE %[2]s AND f.since >= $2 AND f.done_at IS NULL LIMIT %[1]d) x
	UNION ALL
	SELECT 'unread', count(*), min(created_at) FROM (
		SELECT l.created_at FROM listed l JOIN items it ON it.id = l.item_id AND it.account_id = l.account_id
		WHERE l.account_id = $1 AND l.kind = 'shipment' AND l.status <> '' AND l.status = ANY($5) AND l.created_at <= $3
		  AND it.state = 'accepted' AND it.status_at <= $3
		LIMIT %[1]d) x
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
		SELECT it.created_at AS since FROM items it WHERE it.account_id = $1 AND it.kind = k.kind AND it.state = 'uncertain' LIMIT %[1]d) x ON true
	UNION ALL
	SELECT k.cause, count(x.since), min(x.since) FROM (VALUES ('silent'), ('missing')) k (cause)
	LEFT JOIN LATERAL (
		SELECT f.since FROM follow_ups f WHERE f.account_id = $1 AND f.cause = k.cause AND f.ended_at IS NULL AND f.done_at IS NULL LIMIT %[1]d) x ON true
	GROUP BY k.cause
	UNION ALL
	SELECT 'ready', count(*), min(created_at) FROM (
		SELECT l.created_at FROM listed l WHERE l.account_id = $1 AND l.kind = 'shipment' AND l.status <> '' AND l.status = $6 LIMIT %[1]d) x
	UNION ALL
	SELECT 'approval', count(*), min(asked_at) FROM (
		SELECT p.asked_at FROM approvals p WHERE p.account_id = $1 AND p.state = 'waiting' LIMIT %[1]d) x`, nowMost+1, failures)
