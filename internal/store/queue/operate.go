package queue

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// ClearRefusal unblocks a refused integration because a person says that it is mended. With an account, it clears
// only that account's refusal. A refusal of a call already in progress does not count, see notOutdated. It tells whether
// anything waits: without, nothing would be tried, so the refusal stays, and the next item is tried at once.
func (s Operations) ClearRefusal(ctx context.Context, id dispatch.IntegrationID, account dispatch.AccountID, by store.Actor) (waits bool, err error) {
	a := store.Audit{Actor: by.User, Account: account, Action: "integration.clear_refusal", Origin: by.Origin}
	err = s.Operate(ctx, id, a, func(tx *sqlx.Tx) (int64, error) {
		if err := tx.GetContext(ctx, &waits, anyWaits, id, store.Null(account)); err != nil {
			return 0, err
		}
		if !waits {
			return probeNext(ctx, tx, id, account)
		}
		if account == "" {
			return store.Affected(tx.ExecContext(ctx, `
				UPDATE integrations SET refused_at = NULL, refused_key = '', refused_status = 0, refused_error_id = '', next_probe_at = NULL,
				    refusal_cleared_at = clock_timestamp()
				WHERE id = $1 AND refused_at IS NOT NULL`, id))
		}
		n, err := store.Affected(tx.ExecContext(ctx, `DELETE FROM account_refusals WHERE integration_id = $1 AND account_id = $2`, id, account))
		if err != nil || n == 0 {
			return n, err
		}
		_, err = tx.ExecContext(ctx, `UPDATE integrations SET refusal_cleared_at = clock_timestamp() WHERE id = $1`, id)
		return n, err
	})
	return waits, err
}

// anyWaits tells whether an item is due at integration $1, of account $2 or of all, or is on its way to it.
const anyWaits = `SELECT EXISTS (SELECT FROM items it JOIN accounts a ON a.id = it.account_id
	WHERE $1 = ` + store.ItemIntegration + ` AND (it.state = 'sending' OR it.state = 'queued' AND it.due_since <= now()) AND it.account_id = coalesce($2, it.account_id))`

// probeNext lets the next item be tried at once though the integration, or the account at it, is refused.
func probeNext(ctx context.Context, tx *sqlx.Tx, id dispatch.IntegrationID, account dispatch.AccountID) (int64, error) {
	if account == "" {
		return store.Affected(tx.ExecContext(ctx, `UPDATE integrations SET next_probe_at = now() WHERE id = $1 AND refused_at IS NOT NULL`, id))
	}
	return store.Affected(tx.ExecContext(ctx, `UPDATE account_refusals SET next_probe_at = now() WHERE integration_id = $1 AND account_id = $2`, id, account))
}

// StopIntegration blocks an integration until OpenIntegration; nothing is claimed for it. name is the user's.
func (s Operations) StopIntegration(ctx context.Context, id dispatch.IntegrationID, by store.Actor, name string) error {
	return s.Operate(ctx, id, store.Audit{Actor: by.User, Action: "integration.stop", Origin: by.Origin, Details: by.Details()}, func(tx *sqlx.Tx) (int64, error) {
		return store.Affected(tx.ExecContext(ctx, `
			UPDATE integrations SET stopped_at = now(), stopped_by = $2 WHERE id = $1 AND stopped_at IS NULL`, id, name))
	})
}

const unstop = `UPDATE integrations SET stopped_at = NULL, stopped_by = '', uncertain_streak = 0 WHERE id = $1 AND stopped_at IS NOT NULL `

// OpenIntegration unblocks a stopped integration that is not of production.
func (s Operations) OpenIntegration(ctx context.Context, id dispatch.IntegrationID, by store.Actor) error {
	return s.Operate(ctx, id, opened(by), func(tx *sqlx.Tx) (int64, error) {
		return store.Affected(tx.ExecContext(ctx, unstop+`AND environment <> 'production'`, id))
	})
}

// OpenApproved unblocks an integration as another administrator has asked, and only while the stop is the one that they
// asked about.
func (s Operations) OpenApproved(ctx context.Context, tx *sqlx.Tx, r dispatch.ActRequest, by store.Actor) error {
	return store.OperateIn(ctx, tx, r.Object, opened(by), func(tx *sqlx.Tx) (int64, error) {
		return store.Affected(tx.ExecContext(ctx, unstop+`AND (extract(epoch FROM stopped_at) * 1000000)::bigint::text = $2`, r.Object, r.Seen))
	})
}

func opened(by store.Actor) store.Audit {
	return store.Audit{Actor: by.User, Action: "integration.open", Origin: by.Origin, Details: by.Details()}
}

// AccountRefusal is a service's refusal of an account.
type AccountRefusal struct {
	Account     dispatch.AccountID
	Integration dispatch.IntegrationID
	Reason      dispatch.Reason
}

// AccountRefusals returns all refused accounts.
func (s Operations) AccountRefusals(ctx context.Context) ([]AccountRefusal, error) {
	var rows []struct {
		Account     dispatch.AccountID     `db:"account_id"`
		Integration dispatch.IntegrationID `db:"integration_id"`
		At          time.Time              `db:"refused_at"`
		Key         string                 `db:"refused_key"`
		Status      int                    `db:"refused_status"`
		ErrorID     string                 `db:"refused_error_id"`
	}
	err := s.Select(ctx, &rows, `
		SELECT r.account_id, r.integration_id, r.refused_at, r.refused_key, r.refused_status, r.refused_error_id
		FROM account_refusals r JOIN accounts a ON a.id = r.account_id
		ORDER BY a.name`)
	list := make([]AccountRefusal, len(rows))
	for i, r := range rows {
		list[i] = AccountRefusal{r.Account, r.Integration, dispatch.Reason{Key: r.Key, HTTPStatus: r.Status, ErrorID: r.ErrorID, At: r.At}}
	}
	return list, err
}

// Waiting counts an integration's work: due items, retries included; items blocked for more than a day, which a
// person must confirm; uncertain items, at the integration that was called.
type Waiting struct {
	Due       int `db:"due"`
	Overdue   int `db:"asking"`
	Uncertain int `db:"uncertain"`
}

// WaitingOn counts the work of every integration, each count up to 10 000.
func (s Operations) WaitingOn(ctx context.Context) (map[dispatch.IntegrationID]Waiting, error) {
	var rows []struct {
		Integration dispatch.IntegrationID `db:"id"`
		Waiting
	}
	err := s.Select(ctx, &rows, `
		SELECT i.id,
		       (SELECT count(*) FROM (SELECT FROM items it JOIN accounts a ON a.id = it.account_id
		        WHERE i.id = `+store.ItemIntegration+` AND it.state = 'queued' AND it.due_since <= now() AND it.due_since > now() - max_wait() LIMIT 10000) q) AS due,
		       (SELECT count(*) FROM (SELECT FROM items it JOIN accounts a ON a.id = it.account_id
		        WHERE i.id = `+store.ItemIntegration+` AND it.state = 'queued' AND it.due_since <= now() - max_wait() LIMIT 10000) q) AS asking,
		       (SELECT count(*) FROM (SELECT FROM items it JOIN accounts a ON a.id = it.account_id
		        WHERE i.id = coalesce(`+lastCalled+`, `+store.ItemIntegration+`) AND it.state = 'uncertain' LIMIT 10000) q) AS uncertain
		FROM integrations i`)
	counts := map[dispatch.IntegrationID]Waiting{}
	for _, r := range rows {
		counts[r.Integration] = r.Waiting
	}
	return counts, err
}

// PauseDelivery pauses all delivery until Resume.
func (s Operations) PauseDelivery(ctx context.Context, by store.Actor, name string) error {
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		if _, err := tx.ExecContext(ctx, noteIdentity); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `UPDATE delivery_guard SET paused_at = now(), paused_by = $1 WHERE paused_at IS NULL`, name)
		if err != nil {
			return err
		}
		return store.Record(ctx, tx, store.Audit{Actor: by.User, Action: "delivery.pause", Origin: by.Origin, Details: by.Details()})
	})
}

// ResumeDelivery resumes delivery. It does not vouch for the database: an undetected copy stays blocked by the identity.
func (s Operations) ResumeDelivery(ctx context.Context, by store.Actor) error {
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		if _, err := tx.ExecContext(ctx, `UPDATE delivery_guard SET paused_at = NULL, paused_by = ''`); err != nil {
			return err
		}
		return store.Record(ctx, tx, store.Audit{Actor: by.User, Action: "delivery.resume", Origin: by.Origin})
	})
}
