package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"utsending/internal/dispatch"
)

// integrationRow is an integration as it stands in the table, with zero values for NULL.
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
	NextProbeAt     *time.Time               `db:"next_probe_at"`
	StoppedAt       *time.Time               `db:"stopped_at"`
	StoppedBy       string                   `db:"stopped_by"`
	Wire            string                   `db:"wire"`
	ReserveIDs      bool                     `db:"reserve_ids"`
	UncertainStreak int                      `db:"uncertain_streak"`
	LastUsedAt      *time.Time               `db:"last_used_at"`
	LastSuccessAt   *time.Time               `db:"last_success_at"`
}

const selectIntegrations = `
	SELECT id, name, kind, service, parallelism, rate_per_second, refused_at, refused_key, refused_status, refused_error_id,
	       next_probe_at, stopped_at, stopped_by, wire, reserve_ids, uncertain_streak, last_used_at, last_success_at
	FROM integrations`

func (r integrationRow) domain() dispatch.Integration {
	in := dispatch.Integration{
		ID: r.ID, Name: r.Name, Kind: r.Kind, Service: r.Service, Wire: r.Wire, ReserveIDs: r.ReserveIDs, Parallelism: r.Parallelism, RatePerSec: r.RatePerSecond,
		RefusedAt: deref(r.RefusedAt), StoppedAt: deref(r.StoppedAt), StoppedBy: r.StoppedBy, UncertainStreak: r.UncertainStreak,
		NextProbeAt: deref(r.NextProbeAt), LastUsedAt: deref(r.LastUsedAt), LastSuccessAt: deref(r.LastSuccessAt),
	}
	if r.RefusedAt != nil {
		in.Refusal = dispatch.Reason{Key: r.RefusedKey, HTTPStatus: r.RefusedStatus, ErrorID: r.RefusedErrorID, At: *r.RefusedAt}
	}
	return in
}

func deref(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}

// sealedCredentials is the plain form of the sealed column; its secrets are strings because dispatch.Secret refuses to
// be marshalled.
type sealedCredentials struct {
	ClientID            string `json:"client_id,omitempty"`
	ClientSecret        string `json:"client_secret,omitempty"`
	Scope               string `json:"scope,omitempty"`
	IntegrationID       string `json:"integration_id,omitempty"`
	IntegrationPassword string `json:"integration_password,omitempty"`
}

// SaveIntegration makes an integration, or changes the one with the same name, and returns its id. Marks stay.
func (s *Store) SaveIntegration(ctx context.Context, in dispatch.Integration, c dispatch.Credentials) (dispatch.IntegrationID, error) {
	var id dispatch.IntegrationID
	err := s.db.GetContext(ctx, &id, `SELECT id FROM integrations WHERE name = $1`, in.Name)
	if notFound(err) == ErrNotFound {
		var fresh string
		fresh, err = newID()
		id = dispatch.IntegrationID(fresh)
	}
	if err != nil {
		return "", err
	}
	sealed, err := s.sealCredentials(id, c)
	if err != nil {
		return "", err
	}
	_, err = s.db.ExecContext(ctx, `
		INSERT INTO integrations (id, name, kind, service, credentials, parallelism, rate_per_second, wire, reserve_ids)
		VALUES ($1, $2, $3, $4, $5, $6, $7, coalesce(nullif($8, ''), 'spec'), $9)
		ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, service = excluded.service, credentials = excluded.credentials,
		    parallelism = excluded.parallelism, rate_per_second = excluded.rate_per_second, wire = excluded.wire, reserve_ids = excluded.reserve_ids`,
		id, in.Name, in.Kind, in.Service, sealed, in.Parallelism, in.RatePerSec, in.Wire, in.ReserveIDs)
	if err != nil {
		return "", fmt.Errorf("save integration: %w", err)
	}
	return id, nil
}

func (s *Store) sealCredentials(id dispatch.IntegrationID, c dispatch.Credentials) ([]byte, error) {
	plain, err := json.Marshal(sealedCredentials{c.ClientID, c.ClientSecret.Reveal(), c.Scope, c.IntegrationID, c.IntegrationPassword.Reveal()})
	if err != nil {
		return nil, err
	}
	return s.keys.seal(plain, credentialsPlace(id))
}

func credentialsPlace(id dispatch.IntegrationID) string {
	return "integration/" + string(id) + "/credentials"
}

// Credentials returns what an integration logs in with.
func (s *Store) Credentials(ctx context.Context, id dispatch.IntegrationID) (dispatch.Credentials, error) {
	var sealed []byte
	if err := s.get(ctx, &sealed, `SELECT credentials FROM integrations WHERE id = $1`, id); err != nil {
		return dispatch.Credentials{}, notFound(err)
	}
	plain, err := s.keys.open(sealed, credentialsPlace(id))
	if err != nil {
		return dispatch.Credentials{}, err
	}
	var c sealedCredentials
	if err := json.Unmarshal(plain, &c); err != nil {
		return dispatch.Credentials{}, fmt.Errorf("credentials of integration %s: %w", id, err)
	}
	return dispatch.Credentials{
		ClientID: c.ClientID, ClientSecret: dispatch.Secret(c.ClientSecret), Scope: c.Scope,
		IntegrationID: c.IntegrationID, IntegrationPassword: dispatch.Secret(c.IntegrationPassword),
	}, nil
}

// Integration returns one integration.
func (s *Store) Integration(ctx context.Context, id dispatch.IntegrationID) (dispatch.Integration, error) {
	var row integrationRow
	err := s.get(ctx, &row, selectIntegrations+` WHERE id = $1`, id)
	return row.domain(), notFound(err)
}

// Integrations returns all integrations by name.
func (s *Store) Integrations(ctx context.Context) ([]dispatch.Integration, error) {
	var rows []integrationRow
	if err := s.list(ctx, &rows, selectIntegrations+` ORDER BY name, id`); err != nil {
		return nil, err
	}
	list := make([]dispatch.Integration, len(rows))
	for i, r := range rows {
		list[i] = r.domain()
	}
	return list, nil
}
