package queue

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

const (
	reconcileLease = 2 * time.Minute
	reconcileTries = 5  // attempts before what is left counts as unanswered
	reconcileKept  = 10 // comparisons of an account that are kept
)

// Order orders the comparison of an account with its services. ErrChanged: one is going on.
func (s Reconciliations) Order(ctx context.Context, account dispatch.AccountID, by store.Actor) (id string, err error) {
	id = uuid.NewString()
	return id, s.InTx(ctx, func(tx *sqlx.Tx) error {
		n, err := store.Affected(tx.ExecContext(ctx, `
			INSERT INTO reconciliations (id, account_id, ordered_by) VALUES ($1, $2, $3) ON CONFLICT (account_id) WHERE done_at IS NULL DO NOTHING`, id, account, by.User))
		if err != nil {
			return err
		}
		if n == 0 {
			return store.ErrChanged
		}
		_, err = tx.ExecContext(ctx, `
			DELETE FROM reconciliations WHERE id IN (SELECT id FROM reconciliations WHERE account_id = $1 ORDER BY ordered_at DESC OFFSET $2)`, account, reconcileKept)
		if err != nil {
			return err
		}
		return store.Record(ctx, tx, store.Audit{Actor: by.User, Account: account, Action: "account.compared", Object: id, Origin: by.Origin})
	})
}

// Reconciling is a claimed comparison.
type Reconciling struct {
	ID       string             `db:"id"`
	Account  dispatch.AccountID `db:"account_id"`
	Attempt  int                `db:"attempt"`  // fencing token
	Gathered bool               `db:"gathered"` // its questions are stored
}

// Claim claims the oldest comparison that nobody has; nil: there is none.
func (s Reconciliations) Claim(ctx context.Context) (*Reconciling, error) {
	var claimed []Reconciling
	err := s.Select(ctx, &claimed, `
		UPDATE reconciliations SET attempt = attempt + 1, lease_until = now() + $1 * interval '1 second'
		WHERE id = (SELECT id FROM reconciliations WHERE done_at IS NULL AND (lease_until IS NULL OR lease_until < now()) ORDER BY ordered_at LIMIT 1 FOR UPDATE SKIP LOCKED)
		RETURNING id, account_id, attempt, gathered_at IS NOT NULL AS gathered`, reconcileLease.Seconds())
	if err != nil || len(claimed) == 0 {
		return nil, err
	}
	return &claimed[0], nil
}

// Exhausted tells whether a comparison was begun too often without coming to its end.
func (r *Reconciling) Exhausted() bool { return r.Attempt > reconcileTries }

// hold renews the lease of a claimed comparison. ErrChanged: another process has it.
func (r *Reconciling) hold(ctx context.Context, tx *sqlx.Tx) error {
	n, err := store.Affected(tx.ExecContext(ctx, `
		UPDATE reconciliations SET lease_until = now() + $3 * interval '1 second' WHERE id = $1 AND attempt = $2 AND done_at IS NULL`, r.ID, r.Attempt, reconcileLease.Seconds()))
	if err == nil && n == 0 {
		return store.ErrChanged
	}
	return err
}

// openAtService selects, of a kind, what an account holds for open at its service, the newest first.
const openAtService = `
	SELECT it.id, 'status', it.integration_id, coalesce(service_id_at(it.account_id, it.kind, it.accepted_at)::text, '')
	FROM listed l JOIN items it ON it.id = l.item_id
	WHERE l.account_id = $2 AND l.kind = $3 AND l.list_group IN ('working', 'on_its_way')
	  AND it.state = 'accepted' AND it.upstream_id IS NOT NULL AND it.integration_id IS NOT NULL
	ORDER BY l.created_at DESC LIMIT $4`

// mayBeSent selects the shipments of an account that may have been sent without our knowing, by what they can be asked
// for. Attempts are read without an index: one on their outcome would cost each call of delivery a write.
const mayBeSent = `
	SELECT DISTINCT ON (it.id, q.question) it.id, q.question, p.integration_id, coalesce(service_id_at(it.account_id, 'shipment', p.started_at)::text, '')
	FROM attempts p JOIN items it ON it.id = p.item_id AND it.kind = 'shipment' AND it.state <> 'sending'
	CROSS JOIN LATERAL (VALUES ('reserved', p.reserved_id IS NOT NULL AND it.state <> 'accepted'), ('reference', p.reference IS NOT NULL)) q (question, asks)
	WHERE p.account_id = $2 AND p.started_at > now() - $3 * interval '1 second' AND p.integration_id IS NOT NULL AND q.asks AND ` + store.MayHaveArrived + `
	ORDER BY it.id DESC, q.question, p.ordinal DESC LIMIT $4`

// Gather stores the questions of a comparison.
func (s Reconciliations) Gather(ctx context.Context, r *Reconciling) error {
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		if err := r.hold(ctx, tx); err != nil {
			return err
		}
		cut := false
		for _, g := range []struct {
			from string
			by   any
			most int64
		}{
			{openAtService, dispatch.KindShipment, dispatch.ReconcileShipments},
			{openAtService, dispatch.KindSMS, dispatch.ReconcileSMS},
			{mayBeSent, dispatch.ReconcileBack.Seconds(), dispatch.ReconcileReferences},
		} {
			n, err := store.Affected(tx.ExecContext(ctx, `
				INSERT INTO reconciled_items (reconciliation_id, item_id, question, integration_id, service_id)
				SELECT $1::uuid, f.* FROM (`+g.from+`) f`, r.ID, r.Account, g.by, g.most))
			if err != nil {
				return err
			}
			cut = cut || n == g.most
		}
		r.Gathered = true
		_, err := tx.ExecContext(ctx, `UPDATE reconciliations SET gathered_at = now(), cut = $2 WHERE id = $1`, r.ID, cut)
		return err
	})
}

// Asking is a question of a comparison, to one integration about one item.
type Asking struct {
	Item        dispatch.ItemID        `db:"item_id"`
	Question    dispatch.Question      `db:"question"`
	Integration dispatch.IntegrationID `db:"integration_id"`
	Service     string                 `db:"service"`
	ServiceID   string                 `db:"service_id"`
	RatePerSec  float64                `db:"rate_per_second"`
	Kind        dispatch.Kind          `db:"kind"`
	State       dispatch.State         `db:"state"`
	Status      dispatch.Status        `db:"status"`
	UpstreamID  string                 `db:"upstream_id"` // accepted or reserved
	References  pq.StringArray         `db:"sent"`
}

// NextQuestions returns the next questions of a comparison that can be asked together; none: all are asked. What was
// purged or resent since is not asked about.
func (s Reconciliations) NextQuestions(ctx context.Context, r *Reconciling, most int) ([]Asking, error) {
	var list []Asking
	err := s.DB.SelectContext(ctx, &list, `
		WITH first AS (
			SELECT integration_id, service_id, question FROM reconciled_items WHERE reconciliation_id = $1 AND finding = '' ORDER BY 1, 2, 3 LIMIT 1
		), gone AS (
			DELETE FROM reconciled_items q USING first f WHERE q.reconciliation_id = $1 AND q.finding = '' AND q.integration_id = f.integration_id
			AND NOT EXISTS (SELECT FROM items it WHERE it.id = q.item_id AND it.account_id = $2 AND it.state <> 'sending')
		)
		SELECT q.item_id, q.question, q.integration_id, q.service_id, coalesce(i.service, '') AS service, coalesce(i.rate_per_second, 1) AS rate_per_second, it.kind, it.state, it.status,
		       coalesce(CASE q.question WHEN 'status' THEN it.upstream_id ELSE it.reserved_id END::text, '') AS upstream_id,
		       ARRAY(SELECT DISTINCT p.reference FROM attempts p WHERE p.item_id = it.id AND p.reference IS NOT NULL AND q.question = 'reference') AS sent
		FROM first f JOIN reconciled_items q ON q.reconciliation_id = $1 AND q.finding = '' AND q.integration_id = f.integration_id AND q.service_id = f.service_id AND q.question = f.question
		JOIN items it ON it.id = q.item_id AND it.account_id = $2 AND it.state <> 'sending'
		LEFT JOIN integrations i ON i.id = q.integration_id
		ORDER BY it.kind, it.created_at DESC LIMIT $3`, r.ID, r.Account, most)
	return list, err
}

// Answered is what came of a question.
type Answered struct {
	Asking
	Verdict   dispatch.Verdict
	Strangers []string
	Why       dispatch.Reason // where it is unanswered
}

// KeepAnswers stores answers and renews the lease. The status of what has another one at the service is read at once.
func (s Reconciliations) KeepAnswers(ctx context.Context, r *Reconciling, list []Answered) error {
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		if err := r.hold(ctx, tx); err != nil {
			return err
		}
		for _, a := range list {
			_, err := tx.ExecContext(ctx, `
				UPDATE reconciled_items SET finding = $4, strangers = coalesce($5::text[], '{}'), reason_key = $6, reason_error_id = $7
				WHERE reconciliation_id = $1 AND item_id = $2 AND question = $3`,
				r.ID, a.Item, a.Question, a.Verdict, pq.Array(a.Strangers), a.Why.Key, a.Why.ErrorID)
			if err == nil && a.Verdict == dispatch.VerdictBehind {
				_, err = tx.ExecContext(ctx, `UPDATE items SET next_check_at = now() WHERE id = $1 AND account_id = $2 AND state = 'accepted' AND upstream_id IS NOT NULL`, a.Item, r.Account)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// GiveUpAsking ends the questions that are left to an integration, or to all where none is named: it does not answer.
func (s Reconciliations) GiveUpAsking(ctx context.Context, r *Reconciling, in dispatch.IntegrationID, why dispatch.Reason) error {
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		if err := r.hold(ctx, tx); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `
			UPDATE reconciled_items SET finding = $5, reason_key = $3, reason_error_id = $4
			WHERE reconciliation_id = $1 AND finding = '' AND ($2 = '' OR integration_id::text = $2)`, r.ID, string(in), why.Key, why.ErrorID, dispatch.VerdictUnanswered)
		return err
	})
}

// End ends a comparison: items without a discrepancy are counted and their rows deleted.
func (s Reconciliations) End(ctx context.Context, r *Reconciling) error {
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		if err := r.hold(ctx, tx); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `
			WITH quiet AS (DELETE FROM reconciled_items WHERE reconciliation_id = $1 AND finding IN ($2, $3) RETURNING finding)
			UPDATE reconciliations SET done_at = now(), lease_until = NULL, agreed = (SELECT count(*) FROM quiet WHERE finding = $2),
			    behind = (SELECT count(*) FROM quiet WHERE finding = $3) WHERE id = $1`, r.ID, dispatch.VerdictAgrees, dispatch.VerdictBehind)
		return err
	})
}

// Leave gives a comparison back that another process is to go on with.
func (s Reconciliations) Leave(ctx context.Context, r *Reconciling) error {
	_, err := s.DB.ExecContext(ctx, `UPDATE reconciliations SET lease_until = NULL, attempt = attempt - 1 WHERE id = $1 AND attempt = $2 AND done_at IS NULL`, r.ID, r.Attempt)
	return err
}
