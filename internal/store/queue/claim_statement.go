package queue

import (
	"strconv"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// ClaimAtMost is how many items one statement claims.
const ClaimAtMost = 64

// claimStatement claims due items of a lane and begins their attempts: both are committed before any call. The lane's
// properties are in the statement's text, not in parameters: with parameters, PostgreSQL would plan anew each time,
// which costs more than running the statement.
func claimStatement(lane Lane) string {
	which := ` AND it.job_id IS NULL`
	if lane.Job != "" {
		which = ` AND it.job_id = $6 AND ` + jobRuns("$6")
	}
	claim := claimPicks(lane.Channel) + which + claimFirst
	if lane.Channel == dispatch.KindSMS {
		return claim + claimAttempt + `, false, NULL` + claimAttempted + claimSMS
	}
	return claim + claimAttempt + `, ` + strconv.FormatBool(lane.Reserves()) + `, ` + sentReference(lane) + claimAttempted + claimShipment
}

// claimPicks begins the statement: the items that may be claimed. It first checks whether anything of the account may
// go to the integration, and only then reads items, so that the first in FIFO order is found without reading the
// queue. The item's integration is a CASE: of any other condition PostgreSQL assumes that few items meet it, and
// would read them all.
func claimPicks(channel dispatch.Kind) string {
	return `
	WITH picked AS (
		SELECT it.ctid
		FROM items it
		WHERE it.account_id = $1 AND it.kind = '` + string(channel) + `' AND it.state = 'queued' AND it.due_at <= now()
		  AND it.due_since > now() - max_wait()
		  AND ` + laneIsOpen + `
		  AND CASE WHEN it.pinned_integration_id IS NULL THEN (SELECT a.` + string(channel) + `_integration_id FROM accounts a WHERE a.id = $1) = $2
		      ELSE it.pinned_integration_id = $2 END
		  AND ` + store.GuardHolds
}

const (
	laneIsOpen = `EXISTS (
		      SELECT FROM accounts a
		      JOIN integrations i ON i.id = $2 AND i.stopped_at IS NULL
		      LEFT JOIN account_refusals r ON r.account_id = a.id AND r.integration_id = i.id
		      WHERE a.id = $1 AND a.disabled_at IS NULL AND ($3 OR i.refused_at IS NULL AND r.refused_at IS NULL))`
)

// sentReference is the external reference that is sent when only it can find the shipment again, so it must be
// unique. V1 has no other field for the user's own reference, which therefore stands before it; the others
// have korrelasjonsid for that.
func sentReference(lane Lane) string {
	switch {
	case lane.Reserves():
		return `NULL`
	case !lane.Kind.Row().OwnReference:
		return `(SELECT concat_ws(' ', nullif(h.external_reference, ''), c.id) FROM shipments h WHERE h.item_id = c.id)`
	}
	return `c.id::text`
}

// jobRuns is the condition that the job, given as a parameter, is neither paused nor stopped.
func jobRuns(argument string) string {
	return `EXISTS (SELECT FROM jobs j WHERE j.id = ` + argument + ` AND j.state = 'running')`
}

// claimFirst claims the first of them, at most $5; no more are read and locked than ClaimAtMost. They are locked, so
// their ctid cannot change before the update; one lease token serves all, since it is compared together with the
// item.
var claimFirst = `
		ORDER BY it.due_at
		LIMIT ` + strconv.Itoa(ClaimAtMost) + `
		FOR UPDATE OF it SKIP LOCKED
	), claimed AS (
		UPDATE items it
		SET state = 'sending', lease_token = (SELECT gen_random_uuid()), lease_until = now() + $4 * interval '1 second', recover_at = NULL, restored_at = NULL
		FROM (SELECT ctid FROM picked LIMIT $5) AS first
		WHERE it.ctid = first.ctid
		RETURNING it.id, it.account_id, it.unavailable_count, it.reserved_id, it.lease_token, gen_random_uuid() AS attempt
	)`

// The rest of the statement, by kind of item.
const (
	claimAttempt = `, attempt AS (
		INSERT INTO attempts (id, item_id, account_id, integration_id, reserved_id, reserves, reference)
		SELECT c.attempt, c.id, c.account_id, $2, c.reserved_id`
	claimAttempted = ` FROM claimed c
		RETURNING id, reference
	)`

	claimSMS = `
	SELECT c.id, c.attempt, c.lease_token AS token, c.unavailable_count, m.by_phone, m.recipient, m.text, m.hide_in_report
	FROM claimed c
	JOIN sms m ON m.item_id = c.id`

	claimShipment = `
	SELECT c.id, c.attempt, c.lease_token AS token, c.unavailable_count, coalesce(c.reserved_id::text, '') AS reserved_id,
	       coalesce(a.reference, '') AS reference, h.content
	FROM claimed c
	JOIN attempt a ON a.id = c.attempt
	JOIN shipments h ON h.item_id = c.id`
)

// Lane is a queue of due items of one kind, account and integration. Claims go round-robin over the lanes, so that an
// account's thousands do not delay another's.
type Lane struct {
	Account     dispatch.AccountID       `db:"account_id"`
	Channel     dispatch.Kind            `db:"channel"`
	ServiceID   string                   `db:"service_id"` // the account's kontoId at the service; V1 shipments need none
	Integration dispatch.IntegrationID   `db:"integration_id"`
	Kind        dispatch.IntegrationKind `db:"kind"`
	Service     string                   `db:"service"`
	Parallelism int                      `db:"parallelism"`
	RatePerSec  float64                  `db:"rate_per_second"`
	ReserveIDs  bool                     `db:"reserve_ids"`
	Refused     bool                     `db:"refused"` // blocked by a refusal: only a probe is claimed
	Job         dispatch.JobID           `db:"job_id"`  // empty: items outside jobs
	Fast        bool                     `db:"fast"`    // a fast job: batches
	Workers     int                      `db:"workers"` // delivering processes, which share the integration's parallelism and rate
}

// Reserves tells whether shipments of the lane get an id reserved at the service, and stored, before they are sent.
func (l Lane) Reserves() bool {
	return l.Channel == dispatch.KindShipment && l.Kind.Row().Reserves && l.ReserveIDs
}
