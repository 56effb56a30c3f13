package registry

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// integrationRow is a row of integrations, with zero values for NULL.
type integrationRow struct {
	ID              dispatch.IntegrationID   `db:"id"`
	Name            string                   `db:"name"`
	Kind            dispatch.IntegrationKind `db:"kind"`
	Service         string                   `db:"service"`
	Parallelism     int                      `db:"parallelism"`
	RatePerSecond   float64                  `db:"rate_per_second"`
	RefusedAt       *time.Time               `db:"refused_at"`
	RefusedKey      string                   `db:"refused_key"`
	RefusedStatus   int                      `db:"refused_status"`
	RefusedErrorID  string                   `db:"refused_error_id"`
	ClearedAt       *time.Time               `db:"refusal_cleared_at"`
	NextProbeAt     *time.Time               `db:"next_probe_at"`
	StoppedAt       *time.Time               `db:"stopped_at"`
	StoppedBy       string                   `db:"stopped_by"`
	Wire            string                   `db:"wire"`
	ReserveIDs      bool                     `db:"reserve_ids"`
	UncertainStreak int                      `db:"uncertain_streak"`
	LastUsedAt      *time.Time               `db:"last_used_at"`
	LastSuccessAt   *time.Time               `db:"last_success_at"`
	Environment     dispatch.Environment     `db:"environment"`
	Version         int                      `db:"version"`
	Certificate     string                   `db:"certificate"`
	KeyTransport    dispatch.KeyTransport    `db:"key_transport"`
}

const selectIntegrations = `
	SELECT id, name, kind, service, parallelism, rate_per_second, refused_at, refused_key, refused_status, refused_error_id,
	       refusal_cleared_at, next_probe_at, stopped_at, stopped_by, wire, reserve_ids, uncertain_streak, last_used_at, last_success_at,
	       environment, version, certificate, key_transport
	FROM integrations`

func (r integrationRow) domain() dispatch.Integration {
	in := dispatch.Integration{
		ID: r.ID, Name: r.Name, Kind: r.Kind, Service: r.Service, Wire: r.Wire, ReserveIDs: r.ReserveIDs, Parallelism: r.Parallelism, RatePerSec: r.RatePerSecond,
		RefusedAt: store.Deref(r.RefusedAt), StoppedAt: store.Deref(r.StoppedAt), StoppedBy: r.StoppedBy, UncertainStreak: r.UncertainStreak,
		ClearedAt: store.Deref(r.ClearedAt), NextProbeAt: store.Deref(r.NextProbeAt), LastUsedAt: store.Deref(r.LastUsedAt), LastSuccessAt: store.Deref(r.LastSuccessAt),
		Environment: r.Environment, Version: r.Version,
		Encryption: dispatch.Encryption{Certificate: r.Certificate, Transport: r.KeyTransport},
	}
	if r.RefusedAt != nil {
		in.Refusal = dispatch.Reason{Key: r.RefusedKey, HTTPStatus: r.RefusedStatus, ErrorID: r.RefusedErrorID, At: *r.RefusedAt}
	}
	return in
}

// ErrInUse says that something still refers to the object.
var ErrInUse = errors.New("in use")

// Save creates an integration, or changes the one with the same name, and replaces its credentials.
// Refusals and stops stay.
func (s Integrations) Save(ctx context.Context, in dispatch.Integration, c dispatch.Credentials) (dispatch.IntegrationID, error) {
	var id dispatch.IntegrationID
	err := s.InTx(ctx, func(tx *sqlx.Tx) (err error) {
		fresh, err := store.NewID()
		if err != nil {
			return err
		}
		err = tx.GetContext(ctx, &id, `
			INSERT INTO integrations (id, name, kind, service, environment, parallelism, rate_per_second, wire, reserve_ids)
			VALUES ($1, $2, $3, $4, $5, $6, $7, coalesce(nullif($8, ''), 'spec'), $9)
			ON CONFLICT (name) DO UPDATE SET kind = excluded.kind, service = excluded.service, environment = excluded.environment,
			    parallelism = excluded.parallelism, rate_per_second = excluded.rate_per_second, wire = excluded.wire, reserve_ids = excluded.reserve_ids,
			    version = integrations.version + 1
			RETURNING id`,
			fresh, in.Name, in.Kind, in.Service, in.Environment, in.Parallelism, in.RatePerSec, in.Wire, in.ReserveIDs)
		if err != nil {
			return err
		}
		return In(s.Store).Credentials.replaceCredentials(ctx, tx, id, c)
	})
	if err != nil {
		return "", fmt.Errorf("save integration: %w", err)
	}
	return id, nil
}

// Create creates an integration without credentials. ErrTaken when another has its name.
func (s Integrations) Create(ctx context.Context, in dispatch.Integration, by store.Actor) (dispatch.IntegrationID, error) {
	id, err := store.NewID()
	if err != nil {
		return "", err
	}
	return dispatch.IntegrationID(id), store.Taken(s.Operate(ctx, dispatch.IntegrationID(id), store.Audit{Actor: by.User, Action: "integration.create", Origin: by.Origin, Details: by.Details("name", in.Name)}, func(tx *sqlx.Tx) (int64, error) {
		return store.Affected(tx.ExecContext(ctx, `
			INSERT INTO integrations (id, name, kind, service, environment, parallelism, rate_per_second, wire, reserve_ids)
			VALUES ($1, $2, $3, $4, $5, $6, $7, coalesce(nullif($8, ''), 'spec'), $9)`,
			id, in.Name, in.Kind, in.Service, in.Environment, in.Parallelism, in.RatePerSec, in.Wire, in.ReserveIDs))
	}), "integrations_name_key")
}

// Update changes an integration, except its service, where sent items are read. ErrStale when another
// administrator was faster, ErrTaken when another has its name.
func (s Integrations) Update(ctx context.Context, in dispatch.Integration, by store.Actor, changed ...dispatch.SettingChange) error {
	err := s.Operate(ctx, in.ID, store.Audit{Actor: by.User, Action: "integration.update", Origin: by.Origin, Details: by.Details("name", in.Name, "values", changed)}, func(tx *sqlx.Tx) (int64, error) {
		return store.Affected(tx.ExecContext(ctx, `
			UPDATE integrations SET name = $3, parallelism = $4, rate_per_second = $5, wire = coalesce(nullif($6, ''), 'spec'), reserve_ids = $7,
			    version = version + 1
			WHERE id = $1 AND version = $2`, in.ID, in.Version, in.Name, in.Parallelism, in.RatePerSec, in.Wire, in.ReserveIDs))
	})
	return store.Taken(stale(err), "integrations_name_key")
}

// SaveEncryption stores the service's certificate of the integration, or removes it when e has none. ErrStale when
// the integration was changed since that version.
func (s Integrations) SaveEncryption(ctx context.Context, id dispatch.IntegrationID, version int, e dispatch.Encryption, by store.Actor) error {
	shown, has := e.Shown()
	a := store.Audit{Actor: by.User, Action: "integration.certificate.save", Origin: by.Origin, Details: map[string]any{"fingerprint": shown.Fingerprint, "transport": e.Transport}}
	if !has {
		e = dispatch.Encryption{Transport: dispatch.TransportOAEP}
		a = store.Audit{Actor: by.User, Action: "integration.certificate.remove", Origin: by.Origin, Details: by.Details()}
	}
	return stale(s.Operate(ctx, id, a, func(tx *sqlx.Tx) (int64, error) {
		return store.Affected(tx.ExecContext(ctx, `
			UPDATE integrations SET certificate = $3, key_transport = $4, certificate_expires_at = $5, version = version + 1
			WHERE id = $1 AND version = $2`, id, version, e.Certificate, e.Transport, store.NullTime(shown.ExpiresAt)))
	}))
}

// usedIntegration is whether an account uses an integration, or anything was sent over it.
const usedIntegration = `SELECT EXISTS (SELECT FROM items WHERE integration_id = $1) OR EXISTS (SELECT FROM attempts WHERE integration_id = $1 AND finished_at IS NULL)
	OR EXISTS (SELECT FROM accounts WHERE $1 IN (sms_integration_id, shipment_integration_id))`

// Used tells whether an integration cannot be deleted.
func (s Integrations) Used(ctx context.Context, id dispatch.IntegrationID) (used bool, err error) {
	err = s.Get(ctx, &used, usedIntegration, id)
	return used, err
}

// Delete deletes an integration with its credentials, in the transaction in which another administrator approves it. ErrInUse while an account uses it or anything was
// sent over it: its status is still read there.
func (s Integrations) Delete(ctx context.Context, tx *sqlx.Tx, id dispatch.IntegrationID, by store.Actor) error {
	details := by.Details()
	err := store.OperateIn(ctx, tx, id, store.Audit{Actor: by.User, Action: "integration.delete", Origin: by.Origin, Details: details}, func(tx *sqlx.Tx) (int64, error) {
		var used bool
		err := tx.GetContext(ctx, &used, usedIntegration, id)
		if err != nil {
			return 0, err
		}
		if used {
			return 0, ErrInUse
		}
		var name string
		if err := tx.GetContext(ctx, &name, `DELETE FROM integrations WHERE id = $1 RETURNING name`, id); err != nil {
			return 0, store.NotFound(err)
		}
		details["name"] = name // the log is the only place that still knows it
		return 1, nil
	})
	if store.IsForeignKey(err) {
		return ErrInUse
	}
	return err
}

// SaveTrial stores the result of an administrator's trial of an integration with a set of credentials; failed is the failed
// step, or empty. Success clears the refusal of the integration, which unblocks its items, and that of the set.
func (s Integrations) SaveTrial(ctx context.Context, id dispatch.IntegrationID, set dispatch.CredentialID, failed dispatch.TrialStep, by store.Actor) error {
	return s.Operate(ctx, id, tried(set, failed, by), func(tx *sqlx.Tx) (int64, error) {
		if failed == "" {
			if err := unblock(ctx, tx, id); err != nil {
				return 0, err
			}
			if _, err := tx.ExecContext(ctx, `UPDATE credentials SET refused_at = NULL, denied_at = NULL, worked_at = now() WHERE integration_id = $1 AND id = $2`, id, set); err != nil {
				return 0, err
			}
		}
		return noteTrial(ctx, tx, id, set, failed)
	})
}

// SaveTrialFor stores the result of a trial for one account, which says nothing about other accounts: it clears no refusal,
// and a refused account is no fault of the integration.
func (s Integrations) SaveTrialFor(ctx context.Context, id dispatch.IntegrationID, set dispatch.CredentialID, failed dispatch.TrialStep, by store.Actor) error {
	return s.Operate(ctx, id, tried(set, failed, by), func(tx *sqlx.Tx) (int64, error) {
		if failed == dispatch.TrialAccount {
			failed = ""
		}
		return noteTrial(ctx, tx, id, set, failed)
	})
}

// SaveSpareTrial stores the result of a trial of a set in reserve. The refusals and the set in use stay as they are.
func (s Integrations) SaveSpareTrial(ctx context.Context, id dispatch.IntegrationID, set dispatch.CredentialID, failed dispatch.TrialStep, by store.Actor) error {
	return s.Operate(ctx, id, tried(set, failed, by), func(tx *sqlx.Tx) (int64, error) { return noteTrial(ctx, tx, id, set, failed) })
}

func tried(set dispatch.CredentialID, failed dispatch.TrialStep, by store.Actor) store.Audit {
	return store.Audit{Actor: by.User, Action: "integration.tried", Origin: by.Origin, Details: map[string]any{"credentials": set, "failed": failed != "", "step": failed}}
}

// noteTrial notes a trial. After one in vain, the next acceptance is to say that the set in use works again.
func noteTrial(ctx context.Context, tx *sqlx.Tx, id dispatch.IntegrationID, set dispatch.CredentialID, failed dispatch.TrialStep) (int64, error) {
	if _, err := tx.ExecContext(ctx, `UPDATE credentials SET tried_at = now(), tried_failed = $3 WHERE integration_id = $1 AND id = $2`, id, set, failed); err != nil {
		return 0, err
	}
	return store.Affected(tx.ExecContext(ctx, `UPDATE integrations SET unproven = unproven OR $2 <> '' WHERE id = $1`, id, failed))
}

// stale turns ErrChanged into ErrStale: another administrator has changed the row's version.
func stale(err error) error {
	if errors.Is(err, store.ErrChanged) {
		return store.ErrStale
	}
	return err
}

// ByID returns one integration. ErrNotFound also for what cannot be an id.
func (s Integrations) ByID(ctx context.Context, id dispatch.IntegrationID) (dispatch.Integration, error) {
	var row integrationRow
	if !store.ValidID(id) {
		return dispatch.Integration{}, store.ErrNotFound
	}
	err := s.Get(ctx, &row, selectIntegrations+` WHERE id = $1`, id)
	return row.domain(), store.NotFound(err)
}

// List returns all integrations by name.
func (s Integrations) List(ctx context.Context) ([]dispatch.Integration, error) {
	var rows []integrationRow
	if err := s.Select(ctx, &rows, selectIntegrations+` ORDER BY name, id`); err != nil {
		return nil, err
	}
	list := make([]dispatch.Integration, len(rows))
	for i, r := range rows {
		list[i] = r.domain()
	}
	return list, nil
}
