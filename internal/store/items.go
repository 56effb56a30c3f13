package store

import (
	"context"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
)

// MayHaveArrived selects ended attempts after which the message may or may not have been sent (dispatch.Result);
// doubted is the part of them that an earlier release took as proof that it was not.
const (
	MayHaveArrived = `(p.outcome = 'uncertain' OR ` + doubted + `)`
	// Decided selects uncertain attempts that a person took for unsent, without proof.
	Decided = `p.outcome = 'uncertain' AND p.resolution = 'not_sent' AND p.resolved_by IS NOT NULL`

	doubted = `p.outcome = 'unavailable' AND p.sent_at IS NOT NULL AND NOT p.proven`
)

// InDoubt is the condition that an item it that ended unsent may have arrived after all, as Item.MayHaveArrived and Item.Doubted tell.
const InDoubt = `EXISTS (SELECT FROM attempts p WHERE p.item_id = it.id AND (` + Decided + ` OR ` + doubted + ` AND p.http_status = 503))`

// Replacing selects what was sent instead of an item, as follow_up_of does; the items table's alias is it.
const Replacing = `SELECT ` + FromReplacing

// FromReplacing is the rest of such a query; the replacement's alias is n.
const FromReplacing = `FROM items n WHERE n.origin_id = it.id AND n.origin_kind = 'replaces' AND n.account_id = it.account_id AND n.state NOT IN ('draft', 'cancelled')`

// Untouched is the condition on a draft of a shipment that it was opened and left: nothing has been filled in or uploaded, and it was made
// from nothing but a template. It is no draft to its user. The parameters are the aliases of its rows of items and of shipments.
func Untouched(item, shipment string) string {
	return strings.NewReplacer("{it}", item, "{h}", shipment).Replace(`{h}.version = 1 AND ({h}.template_id IS NOT NULL OR {h}.title = '' AND {h}.recipient_name = '')
	AND {it}.origin_id IS NULL AND {h}.handed_by IS NULL
	AND NOT EXISTS (SELECT FROM documents d WHERE d.item_id = {it}.id) AND NOT EXISTS (SELECT FROM jobs j WHERE j.draft_id = {it}.id)`)
}

// UntouchedDraft is the condition that an id is that of such a draft.
func UntouchedDraft(id string) string {
	return `EXISTS (SELECT FROM shipments left_h JOIN items left_it ON left_it.id = left_h.item_id WHERE left_h.item_id = ` + id +
		` AND left_it.state = 'draft' AND ` + Untouched("left_it", "left_h") + `)`
}

// DraftToMany is the condition that a job is a draft of SMS to many, whose list is read. The jobs table's alias is j. A draft of a shipment
// to many is an item.
const DraftToMany = `j.state = 'draft' AND j.kind = 'sms' AND j.rows_read > 0`

// Bare is the condition that files of a sent shipment are gone: it cannot be sent as it is. The items table's alias is it.
const Bare = `(NOT EXISTS (` + filesOf + `) OR EXISTS (` + filesOf + ` AND d.size > 0 AND NOT EXISTS (SELECT FROM document_chunks c WHERE c.document_id = d.id)))`

// filesOf selects a shipment's files: its own, and those that all shipments of its job share.
const filesOf = `SELECT FROM documents d WHERE d.account_id = it.account_id AND d.complete AND (d.item_id = it.id OR d.job_id = it.job_id AND d.part = 0)`

// UnknownUpstream returns the service's ids that no item has. The integration is ignored: an account may have moved
// between two of one service.
func (s *Store) UnknownUpstream(ctx context.Context, ids []string) ([]string, error) {
	var unknown []string
	err := s.Select(ctx, &unknown, `
		SELECT id::text FROM unnest($1::uuid[]) AS u (id)
		WHERE NOT EXISTS (SELECT FROM items it WHERE it.upstream_id = u.id)`, pq.Array(ids))
	return unknown, err
}

// SetOrigin stores the origin of one's own draft.
func SetOrigin(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.ItemID, by Actor, o dispatch.Origin) error {
	_, err := tx.ExecContext(ctx, `
		UPDATE items SET origin_id = $4, origin_kind = $5
		WHERE id = $1 AND account_id = $2 AND created_by = $3 AND state = 'draft'
		  AND EXISTS (SELECT FROM items o WHERE o.id = $4 AND o.account_id = $2)`, id, account, by.User, o.Item, o.Kind)
	return err
}

// ItemRow is a row of items with its block and its owner's name.
type ItemRow struct {
	ID               dispatch.ItemID    `db:"id"`
	AccountID        dispatch.AccountID `db:"account_id"`
	Kind             dispatch.Kind      `db:"kind"`
	State            dispatch.State     `db:"state"`
	CreatedAt        time.Time          `db:"created_at"`
	CreatedBy        dispatch.UserID    `db:"created_by"`
	Creator          string             `db:"creator"`
	Restored         bool               `db:"restored"`
	DueAt            *time.Time         `db:"due_at"`
	DueSince         *time.Time         `db:"due_since"`
	Block            dispatch.Block     `db:"hold"`
	ReasonKey        string             `db:"reason_key"`
	ReasonStatus     int                `db:"reason_status"`
	ReasonErrorID    string             `db:"reason_error_id"`
	ReasonAt         *time.Time         `db:"reason_at"`
	RecoverAt        *time.Time         `db:"recover_at"`
	UpstreamID       string             `db:"upstream_id"`
	AcceptedAt       *time.Time         `db:"accepted_at"`
	Status           dispatch.Status    `db:"status"`
	StatusAt         *time.Time         `db:"status_at"`
	CheckedAt        *time.Time         `db:"checked_at"`
	NextCheckAt      *time.Time         `db:"next_check_at"`
	CheckErrorKey    string             `db:"check_error_key"`
	CheckErrorStatus int                `db:"check_error_status"`
	CheckErrorID     string             `db:"check_error_id"`
	CheckErrorAt     *time.Time         `db:"check_error_at"`
	MissingReads     int                `db:"missing_reads"`
	JobID            dispatch.JobID     `db:"job_id"`
	MayHaveArrived   bool               `db:"may_be_there"`
	Doubted          bool               `db:"doubted"`
	AwaitsApproval   bool               `db:"awaits_approval"`
	StopAskedAt      *time.Time         `db:"stop_asked_at"`
	StopAskedBy      string             `db:"stop_asked_by"`
}

// Domain converts the row.
func (r ItemRow) Domain() dispatch.Item {
	return dispatch.Item{
		ID: r.ID, AccountID: r.AccountID, Kind: r.Kind, State: r.State, CreatedAt: r.CreatedAt, CreatedBy: r.CreatedBy,
		Creator: r.Creator, Restored: r.Restored, DueAt: Deref(r.DueAt), DueSince: Deref(r.DueSince), Block: r.Block,
		Reason:    dispatch.Reason{Key: r.ReasonKey, HTTPStatus: r.ReasonStatus, ErrorID: r.ReasonErrorID, At: Deref(r.ReasonAt)},
		RecoverAt: Deref(r.RecoverAt), UpstreamID: r.UpstreamID, AcceptedAt: Deref(r.AcceptedAt), Status: r.Status, StatusAt: Deref(r.StatusAt),
		CheckedAt: Deref(r.CheckedAt), NextCheck: Deref(r.NextCheckAt),
		CheckError: dispatch.Reason{Key: r.CheckErrorKey, HTTPStatus: r.CheckErrorStatus, ErrorID: r.CheckErrorID, At: Deref(r.CheckErrorAt)},
		Missing:    r.MissingReads, JobID: r.JobID, MayHaveArrived: r.MayHaveArrived, Doubted: r.Doubted, AwaitsApproval: r.AwaitsApproval,
		StopAskedAt: Deref(r.StopAskedAt), StopAskedBy: r.StopAskedBy,
	}
}

// ReturnedBy selects who did not approve a draft when its sender last asked; empty: nobody. of is the condition on approvals p.
func ReturnedBy(of string) string {
	return `coalesce((SELECT CASE WHEN p.state = 'returned' THEN (SELECT w.name FROM users w WHERE w.id = p.decided_by) END
	    FROM approvals p WHERE ` + of + ` ORDER BY p.asked_at DESC, p.id DESC LIMIT 1), '')`
}

// ApprovalOfDraft is the condition on approvals p of the draft that is item it: its own, or its list's.
const ApprovalOfDraft = `p.item_id = it.id OR p.job_id IN (SELECT d.id FROM jobs d WHERE d.draft_id = it.id)`

// ToUnreached is whether a job goes to those whom an earlier one did not reach: then each of its rows replaces one of that, also the
// first. The jobs table's alias is j.
const ToUnreached = `coalesce((SELECT r.replaces IS NOT NULL FROM job_rows r WHERE r.job_id = j.id ORDER BY r.position LIMIT 1), false)`

// ItemColumns and ItemJoins read an ItemRow; the items table's alias is it.
const (
	ItemColumns = `
	it.id, it.account_id, it.kind, it.state, it.created_at, it.created_by, u.name AS creator, it.restored_at IS NOT NULL AS restored,
	it.due_at, it.due_since, it.recover_at, it.reason_key, it.reason_status, it.reason_error_id, it.reason_at,
	coalesce(it.upstream_id::text, '') AS upstream_id, it.accepted_at, it.status, it.status_at, it.checked_at, it.next_check_at,
	it.check_error_key, it.check_error_status, it.check_error_id, it.check_error_at, it.missing_reads,
	coalesce(it.job_id::text, '') AS job_id,
	it.stop_asked_at, coalesce((SELECT w.name FROM users w WHERE w.id = it.stop_asked_by), '') AS stop_asked_by,
	it.state IN ('failed', 'cancelled') AND EXISTS (SELECT FROM attempts p WHERE p.item_id = it.id AND ` + doubted + ` AND p.http_status = 503) AS may_be_there,
	it.state IN ('rejected', 'failed', 'cancelled') AND EXISTS (SELECT FROM attempts p WHERE p.item_id = it.id AND ` + Decided + `) AS doubted,
	it.state = 'draft' AND EXISTS (SELECT FROM approvals p WHERE p.state = 'waiting' AND (` + ApprovalOfDraft + `)) AS awaits_approval,
	` + blockedBy + ` AS hold`
	ItemJoins = `
	JOIN users u ON u.id = it.created_by
	` + blockedByJoins
)

// blockedBy is the reason why an item is blocked, the most general first (dispatch.Block); the items table's alias is
// it. blockedByJoins joins what may block: the job, the account, its integration.
const (
	blockedBy = `CASE WHEN it.state <> 'queued' THEN ''
	     WHEN g.paused_at IS NOT NULL THEN 'paused'
	     WHEN j.state = 'paused' THEN 'job'
	     WHEN a.disabled_at IS NOT NULL THEN 'disabled'
	     WHEN i.id IS NULL THEN 'missing'
	     WHEN i.stopped_at IS NOT NULL THEN 'stopped'
	     WHEN i.refused_at IS NOT NULL THEN 'refused'
	     WHEN r.refused_at IS NOT NULL THEN 'account'
	     ELSE '' END`
	blockedByJoins = `
	JOIN accounts a ON a.id = it.account_id
	LEFT JOIN integrations i ON i.id = coalesce(it.pinned_integration_id,
	    CASE it.kind WHEN 'sms' THEN CASE WHEN a.sms_account_id IS NOT NULL THEN a.sms_integration_id END ELSE a.shipment_integration_id END)
	LEFT JOIN account_refusals r ON r.account_id = a.id AND r.integration_id = i.id
	LEFT JOIN delivery_guard g ON g.single
	LEFT JOIN jobs j ON j.id = it.job_id`
)

// Block returns the block of a new item of a kind on an account, outside a job.
func (s *Store) Block(ctx context.Context, account dispatch.AccountID, kind dispatch.Kind) (dispatch.Block, error) {
	var hold dispatch.Block
	err := s.Get(ctx, &hold, `
		SELECT `+blockedBy+`
		FROM (SELECT $1::uuid AS account_id, $2::text AS kind, 'queued' AS state, NULL::uuid AS pinned_integration_id, NULL::uuid AS job_id) it`+
		blockedByJoins, account, kind)
	return hold, NotFound(err)
}

// BlockedItems returns the blocks of an account's items; items that are not blocked are missing.
func (s *Store) BlockedItems(ctx context.Context, account dispatch.AccountID, ids []string) (map[dispatch.ItemID]dispatch.Block, error) {
	var rows []struct {
		ID    dispatch.ItemID `db:"id"`
		Block dispatch.Block  `db:"hold"`
	}
	err := s.Select(ctx, &rows, `
		SELECT it.id, `+blockedBy+` AS hold FROM items it`+blockedByJoins+`
		WHERE it.account_id = $1 AND it.id = ANY($2)`, account, pq.Array(ids))
	held := map[dispatch.ItemID]dispatch.Block{}
	for _, row := range rows {
		held[row.ID] = row.Block
	}
	return held, err
}

// Event is a line to write to an item's timeline.
type Event struct {
	Item    dispatch.ItemID
	Account dispatch.AccountID
	Kind    dispatch.EventKind
	Actor   dispatch.UserID
	Detail  string
	Reason  dispatch.Reason
}

// AddEvent writes an event to an item's timeline.
func AddEvent(ctx context.Context, tx sqlx.ExtContext, e Event) error {
	_, err := tx.ExecContext(ctx, `
		INSERT INTO events (item_id, account_id, kind, actor_id, detail, reason_key, reason_status, error_id)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		e.Item, e.Account, e.Kind, Null(e.Actor), e.Detail, e.Reason.Key, e.Reason.HTTPStatus, e.Reason.ErrorID)
	return err
}

// Events returns an item's timeline, newest first.
func (s *Store) Events(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID) ([]dispatch.Event, error) {
	var rows []struct {
		At           time.Time          `db:"at"`
		Kind         dispatch.EventKind `db:"kind"`
		Actor        string             `db:"actor"`
		Detail       string             `db:"detail"`
		ReasonKey    string             `db:"reason_key"`
		ReasonStatus int                `db:"reason_status"`
		ErrorID      string             `db:"error_id"`
	}
	err := s.Select(ctx, &rows, `
		SELECT CASE WHEN e.kind IN ('handed_over', 'assigned') AND e.detail <> '' THEN coalesce((SELECT t.name FROM users t WHERE t.id::text = e.detail), e.detail) ELSE e.detail END AS detail,
		       e.at, e.kind, coalesce(u.name, '') AS actor, e.reason_key, e.reason_status, e.error_id
		FROM events e
		LEFT JOIN users u ON u.id = e.actor_id
		WHERE e.item_id = $1 AND e.account_id = $2
		ORDER BY e.id DESC
		LIMIT 200`, id, account)
	if err != nil {
		return nil, err
	}
	events := make([]dispatch.Event, len(rows))
	for i, r := range rows {
		events[i] = dispatch.Event{At: r.At, Kind: r.Kind, Actor: r.Actor, Detail: r.Detail,
			Reason: dispatch.Reason{Key: r.ReasonKey, HTTPStatus: r.ReasonStatus, ErrorID: r.ErrorID, At: r.At}}
	}
	return events, nil
}
