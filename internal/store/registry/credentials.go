package registry

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// sealedCredentials is the plaintext of the sealed column; its secrets are plain strings because dispatch.Secret
// refuses to be marshalled.
type sealedCredentials struct {
	Method              dispatch.AuthMethod         `json:"method,omitempty"`
	ClientID            string                      `json:"client_id,omitempty"`
	ClientSecret        string                      `json:"client_secret,omitempty"`
	Scope               string                      `json:"scope,omitempty"`
	PrivateKey          string                      `json:"private_key,omitempty"`
	KeyID               string                      `json:"key_id,omitempty"`
	Certificates        string                      `json:"certificates,omitempty"`
	ConsumerOrg         dispatch.OrganizationNumber `json:"consumer_org,omitempty"`
	IntegrationID       string                      `json:"integration_id,omitempty"`
	IntegrationPassword string                      `json:"integration_password,omitempty"`
}

func (s Credentials) sealCredentials(id dispatch.IntegrationID, c dispatch.Credentials) ([]byte, error) {
	plain, err := json.Marshal(sealedCredentials{
		c.Method, c.ClientID, c.ClientSecret.Reveal(), c.Scope, c.PrivateKey.Reveal(), c.KeyID, c.Certificates, c.ConsumerOrg,
		c.IntegrationID, c.IntegrationPassword.Reveal(),
	})
	if err != nil {
		return nil, err
	}
	return s.Keys.Seal(plain, store.CredentialsPlace(id))
}

func (s Credentials) openCredentials(id dispatch.IntegrationID, sealed []byte) (dispatch.Credentials, error) {
	plain, err := s.Keys.Open(sealed, store.CredentialsPlace(id))
	if err != nil {
		return dispatch.Credentials{}, err
	}
	var c sealedCredentials
	if err := json.Unmarshal(plain, &c); err != nil {
		return dispatch.Credentials{}, fmt.Errorf("credentials of integration %s: %w", id, err)
	}
	return dispatch.Credentials{
		Method: c.Method, ClientID: c.ClientID, ClientSecret: dispatch.Secret(c.ClientSecret), Scope: c.Scope,
		PrivateKey: dispatch.Secret(c.PrivateKey), KeyID: c.KeyID, Certificates: c.Certificates, ConsumerOrg: c.ConsumerOrg,
		IntegrationID: c.IntegrationID, IntegrationPassword: dispatch.Secret(c.IntegrationPassword),
	}, nil
}

// Usable is the credential set to log in with now, and until when it surely is the right one; zero: until a change.
type Usable struct {
	CredentialUse
	Until time.Time
	dispatch.Credentials
}

// CredentialUse tells which of an integration's sets is used, and when a set was last added or activated.
type CredentialUse struct {
	ID      dispatch.CredentialID `db:"id"`
	Changed time.Time             `db:"changed"`
}

const usableCredentials = `SELECT id, sealed, ` + store.CredentialsChanged + ` AS changed FROM credentials
	WHERE integration_id = $1 AND state <> 'wiped'` + store.ByUse

// InUse returns the credentials to log in with now. ErrNotFound when the integration has none.
func (s Credentials) InUse(ctx context.Context, id dispatch.IntegrationID) (Usable, error) {
	var row struct {
		CredentialUse
		Sealed []byte `db:"sealed"`
	}
	if err := s.Get(ctx, &row, usableCredentials, id); err != nil {
		return Usable{}, store.NotFound(err)
	}
	c, err := s.openCredentials(id, row.Sealed)
	if err != nil {
		return Usable{}, err
	}
	u := Usable{CredentialUse: row.CredentialUse, Credentials: c}
	var next *time.Time
	err = s.Get(ctx, &next, `SELECT min(switch_at) FROM credentials WHERE integration_id = $1 AND state = 'next' AND switch_at > now()`, id)
	u.Until = store.Deref(next)
	return u, err
}

// OfSet returns one set, such as for a trial before it is used.
func (s Credentials) OfSet(ctx context.Context, id dispatch.IntegrationID, set dispatch.CredentialID) (dispatch.Credentials, error) {
	if !store.ValidID(id) || !store.ValidID(set) {
		return dispatch.Credentials{}, store.ErrNotFound
	}
	var sealed []byte
	err := s.Get(ctx, &sealed, `SELECT sealed FROM credentials WHERE integration_id = $1 AND id = $2 AND state <> 'wiped'`, id, set)
	if err != nil {
		return dispatch.Credentials{}, store.NotFound(err)
	}
	return s.openCredentials(id, sealed)
}

// Sets returns all sets of an integration, newest first, without their secrets.
func (s Credentials) Sets(ctx context.Context, id dispatch.IntegrationID) ([]dispatch.CredentialSet, error) {
	all, err := s.credentialSets(ctx, `WHERE c.integration_id = $1`, id)
	return all[id], err
}

// AllSets returns the sets of all integrations, as Sets does those of one.
func (s Credentials) AllSets(ctx context.Context) (map[dispatch.IntegrationID][]dispatch.CredentialSet, error) {
	return s.credentialSets(ctx, ``)
}

func (s Credentials) credentialSets(ctx context.Context, which string, args ...any) (map[dispatch.IntegrationID][]dispatch.CredentialSet, error) {
	var rows []struct {
		Of         dispatch.IntegrationID   `db:"integration_id"`
		ID         dispatch.CredentialID    `db:"id"`
		State      dispatch.CredentialState `db:"state"`
		Method     dispatch.AuthMethod      `db:"method"`
		CreatedAt  time.Time                `db:"created_at"`
		CreatedBy  string                   `db:"created_by"`
		SwitchAt   *time.Time               `db:"switch_at"`
		ExpiresAt  *time.Time               `db:"expires_at"`
		ReplacedAt *time.Time               `db:"replaced_at"`
		WipedAt    *time.Time               `db:"wiped_at"`
		WorkedAt   *time.Time               `db:"worked_at"`
		DeniedAt   *time.Time               `db:"denied_at"`
		TriedAt    *time.Time               `db:"tried_at"`
		Failed     dispatch.TrialStep       `db:"tried_failed"`
		RefusedAt  *time.Time               `db:"refused_at"`
		Key        string                   `db:"refused_key"`
		Status     int                      `db:"refused_status"`
		ErrorID    string                   `db:"refused_error_id"`
	}
	err := s.Select(ctx, &rows, `
		SELECT c.integration_id, c.id, c.state, c.method, c.created_at, coalesce(u.name, '') AS created_by, c.switch_at, c.expires_at, c.replaced_at, c.wiped_at, c.worked_at, c.denied_at, c.tried_at, c.tried_failed,
		       c.refused_at, c.refused_key, c.refused_status, c.refused_error_id
		FROM credentials c LEFT JOIN users u ON u.id = c.created_by `+which+` ORDER BY c.created_at DESC, c.id DESC`, args...)
	sets := map[dispatch.IntegrationID][]dispatch.CredentialSet{}
	for _, r := range rows {
		sets[r.Of] = append(sets[r.Of], dispatch.CredentialSet{
			ID: r.ID, State: r.State, Method: r.Method, CreatedAt: r.CreatedAt, CreatedBy: r.CreatedBy, SwitchAt: store.Deref(r.SwitchAt),
			ExpiresAt: store.Deref(r.ExpiresAt), ReplacedAt: store.Deref(r.ReplacedAt), WipedAt: store.Deref(r.WipedAt), WorkedAt: store.Deref(r.WorkedAt), DeniedAt: store.Deref(r.DeniedAt),
			TriedAt: store.Deref(r.TriedAt), TriedFailed: r.Failed,
			Refusal: dispatch.Reason{Key: r.Key, HTTPStatus: r.Status, ErrorID: r.ErrorID, At: store.Deref(r.RefusedAt)},
		})
	}
	return sets, err
}

// NewCredentials is a set that an administrator enters.
type NewCredentials struct {
	dispatch.Credentials
	ExpiresAt time.Time // zero: not known
	SwitchAt  time.Time // zero: at once
}

// told is what the event log tells of the set.
func (n NewCredentials) told(id string) map[string]any {
	details := map[string]any{"credentials": id}
	if !n.SwitchAt.IsZero() {
		details["switch_at"] = n.SwitchAt.Format(time.RFC3339)
	}
	if !n.ExpiresAt.IsZero() {
		details["until"] = n.ExpiresAt.In(dispatch.Oslo).Format(time.DateOnly)
	}
	return details
}

// Add stores a set, active at once or from its switch time on. The set that it replaces stays as a
// fallback; a next set that was never activated is wiped.
func (s Credentials) Add(ctx context.Context, id dispatch.IntegrationID, n NewCredentials, by store.Actor) (dispatch.CredentialID, error) {
	fresh, err := store.NewID()
	if err != nil {
		return "", err
	}
	sealed, err := s.sealCredentials(id, n.Credentials)
	if err != nil {
		return "", err
	}
	a := store.Audit{Actor: by.User, Action: "integration.credentials.add", Origin: by.Origin, Details: n.told(fresh)}
	return dispatch.CredentialID(fresh), s.Operate(ctx, id, a, func(tx *sqlx.Tx) (int64, error) {
		if err := lockCredentials(ctx, tx, id); err != nil {
			return 0, err
		}
		if err := wipeNext(ctx, tx, id, by); err != nil {
			return 0, err
		}
		if n.SwitchAt.IsZero() {
			if err := retireActive(ctx, tx, id); err != nil {
				return 0, err
			}
		}
		if err := unblock(ctx, tx, id); err != nil {
			return 0, err
		}
		return store.Affected(tx.ExecContext(ctx, `
			INSERT INTO credentials (id, integration_id, state, method, sealed, created_by, switch_at, expires_at)
			VALUES ($1, $2, CASE WHEN $6::timestamptz IS NULL THEN 'active' ELSE 'next' END, $3, $4, $5, $6, $7)`,
			fresh, id, n.Method, sealed, by.User, store.NullTime(n.SwitchAt), store.NullTime(n.ExpiresAt)))
	})
}

// errNoSwitch rolls back a switch that another process has done.
var errNoSwitch = errors.New("switched already")

// lockCredentials serializes changes of an integration's sets.
func lockCredentials(ctx context.Context, tx *sqlx.Tx, id dispatch.IntegrationID) error {
	var locked dispatch.IntegrationID
	return store.NotFound(tx.GetContext(ctx, &locked, `SELECT id FROM integrations WHERE id = $1 FOR UPDATE`, id))
}

// wipe deletes the secrets of sets; a condition on the state follows. An active one was replaced when it was refused.
const wipe = `UPDATE credentials SET state = 'wiped', sealed = NULL, wiped_at = now(), refused_at = NULL,
	    replaced_at = coalesce(replaced_at, refused_at) WHERE integration_id = $1`

// wipeNext wipes the set that was to take over, if there is one, and records it.
func wipeNext(ctx context.Context, tx *sqlx.Tx, id dispatch.IntegrationID, by store.Actor) error {
	var sets []dispatch.CredentialID
	if err := tx.SelectContext(ctx, &sets, wipe+` AND state = 'next' RETURNING id`, id); err != nil {
		return err
	}
	for _, set := range sets {
		a := store.Audit{Actor: by.User, Action: "integration.credentials.wipe", Object: string(id), Origin: by.Origin, Details: by.Details("credentials", set)}
		if err := store.Record(ctx, tx, a); err != nil {
			return err
		}
	}
	return nil
}

// retireActive keeps the active set as a fallback. That the service refused it is not forgotten.
func retireActive(ctx context.Context, tx *sqlx.Tx, id dispatch.IntegrationID) error {
	_, err := tx.ExecContext(ctx, `UPDATE credentials SET state = 'retiring', replaced_at = now() WHERE integration_id = $1 AND state = 'active'`, id)
	return err
}

// unblock makes blocked items of an integration due for a try: its credentials have changed, or work.
func unblock(ctx context.Context, tx *sqlx.Tx, id dispatch.IntegrationID) error {
	_, err := tx.ExecContext(ctx, `
		UPDATE integrations SET refused_at = NULL, refused_key = '', refused_status = 0, refused_error_id = '', next_probe_at = NULL, unproven = true
		WHERE id = $1`, id)
	return err
}

// Activate makes a set the active one: the next one ahead of its time, a replaced one, or the active one that the
// service refused. Its own refusal is forgotten, no other's.
func (s Credentials) Activate(ctx context.Context, id dispatch.IntegrationID, set dispatch.CredentialID, by store.Actor) error {
	a := store.Audit{Actor: by.User, Action: "integration.credentials.activate", Origin: by.Origin, Details: map[string]any{"credentials": set}}
	return s.changeSet(ctx, id, set, a, func(tx *sqlx.Tx) (int64, error) {
		// The set that is used until now is retired: the active one, or the former one that stands in for it.
		_, err := tx.ExecContext(ctx, `
			UPDATE credentials SET state = 'retiring', replaced_at = now()
			WHERE integration_id = $1 AND id <> $2 AND (state = 'active' OR state = 'retiring' AND id = `+store.UsedSet+`)`, id, set)
		if err != nil {
			return 0, err
		}
		if err := unblock(ctx, tx, id); err != nil {
			return 0, err
		}
		return store.Affected(tx.ExecContext(ctx, `
			UPDATE credentials SET state = 'active', switch_at = NULL, replaced_at = NULL, refused_at = NULL
			WHERE integration_id = $1 AND id = $2 AND (state IN ('next', 'retiring') OR state = 'active' AND refused_at IS NOT NULL)`, id, set))
	})
}

// Wipe deletes the secrets of a set that is not used now. After an active one, that was refused, the former set
// that is used instead becomes the active one.
func (s Credentials) Wipe(ctx context.Context, id dispatch.IntegrationID, set dispatch.CredentialID, by store.Actor) error {
	a := store.Audit{Actor: by.User, Action: "integration.credentials.wipe", Origin: by.Origin, Details: by.Details("credentials", set)}
	return s.changeSet(ctx, id, set, a, func(tx *sqlx.Tx) (int64, error) {
		n, err := store.Affected(tx.ExecContext(ctx, wipe+` AND id = $2 AND state <> 'wiped' AND id IS DISTINCT FROM `+store.UsedSet, id, set))
		if err != nil || n == 0 {
			return n, err
		}
		_, err = tx.ExecContext(ctx, `
			UPDATE credentials SET state = 'active', replaced_at = NULL
			WHERE integration_id = $1 AND state = 'retiring' AND id = `+store.UsedSet+`
			  AND NOT EXISTS (SELECT FROM credentials WHERE integration_id = $1 AND state = 'active')`, id)
		return n, err
	})
}

func (s Credentials) changeSet(ctx context.Context, id dispatch.IntegrationID, set dispatch.CredentialID, a store.Audit, change func(tx *sqlx.Tx) (int64, error)) error {
	if !store.ValidID(set) {
		return store.ErrNotFound
	}
	return s.Operate(ctx, id, a, func(tx *sqlx.Tx) (int64, error) {
		if err := lockCredentials(ctx, tx, id); err != nil {
			return 0, err
		}
		return change(tx)
	})
}

// Switch activates the sets whose switch time has come.
func (s Credentials) Switch(ctx context.Context) error {
	var due []dispatch.IntegrationID
	if err := s.Select(ctx, &due, `SELECT integration_id FROM credentials WHERE state = 'next' AND switch_at <= now()`); err != nil {
		return err
	}
	for _, id := range due {
		err := s.InTx(ctx, func(tx *sqlx.Tx) error {
			if err := lockCredentials(ctx, tx, id); err != nil {
				return err
			}
			if err := retireActive(ctx, tx, id); err != nil {
				return err
			}
			// Another process may have been faster: then the update above retired the set that it activated.
			var set dispatch.CredentialID
			err := tx.GetContext(ctx, &set, `
				UPDATE credentials SET state = 'active', switch_at = NULL, refused_at = NULL WHERE integration_id = $1 AND state = 'next' AND switch_at <= now()
				RETURNING id`, id)
			if errors.Is(err, sql.ErrNoRows) {
				return errNoSwitch
			}
			if err != nil {
				return err
			}
			if err := unblock(ctx, tx, id); err != nil {
				return err
			}
			return store.Record(ctx, tx, store.Audit{Action: "integration.credentials.activate", Object: string(id), Details: map[string]any{"credentials": set}})
		})
		if err != nil && err != errNoSwitch {
			return err
		}
	}
	return nil
}

// Refused records that the service refuses a set, and tells whether there is another to try, among those in
// use when the caller read them. Without another one, all refusals are cleared, to start again, and the caller marks
// the integration. A refusal from before the last change of the sets is ignored.
func (s Credentials) Refused(ctx context.Context, id dispatch.IntegrationID, use CredentialUse, r dispatch.Reason) (bool, error) {
	another, set := false, use.ID
	err := s.InTx(ctx, func(tx *sqlx.Tx) error {
		if err := lockCredentials(ctx, tx, id); err != nil {
			return err
		}
		if err := tx.GetContext(ctx, &another, `SELECT $2 < `+store.CredentialsChanged, id, use.Changed); err != nil || another {
			return err
		}
		err := tx.GetContext(ctx, &another, `
			SELECT EXISTS (SELECT FROM credentials WHERE integration_id = $1 AND id <> $2 AND state <> 'wiped' AND refused_at IS NULL)`, id, set)
		if err != nil {
			return err
		}
		if err := noteDenied(ctx, tx, id, set); err != nil {
			return err
		}
		if !another {
			_, err = tx.ExecContext(ctx, `UPDATE credentials SET refused_at = NULL WHERE integration_id = $1`, id)
			return err
		}
		n, err := store.Affected(tx.ExecContext(ctx, `
			UPDATE credentials SET refused_at = now(), refused_key = $3, refused_status = $4, refused_error_id = $5
			WHERE integration_id = $1 AND id = $2 AND refused_at IS NULL`, id, set, r.Key, r.HTTPStatus, r.ErrorID))
		if err != nil {
			return err
		}
		if n > 0 {
			a := store.Audit{Action: "integration.credentials.refused", Object: string(id), Details: map[string]any{"credentials": set}}
			if err := store.Record(ctx, tx, a); err != nil {
				return err
			}
		}
		// A probe of a refused integration is not over before every set was tried.
		_, err = tx.ExecContext(ctx, `UPDATE integrations SET next_probe_at = now() WHERE id = $1 AND refused_at IS NOT NULL`, id)
		return err
	})
	return another, err
}

// noteDenied notes that the service refuses a set: it has not worked since.
func noteDenied(ctx context.Context, tx *sqlx.Tx, id dispatch.IntegrationID, set dispatch.CredentialID) error {
	_, err := tx.ExecContext(ctx, `UPDATE credentials SET denied_at = now(), worked_at = NULL WHERE integration_id = $1 AND id = $2`, id, set)
	if err == nil {
		_, err = tx.ExecContext(ctx, `UPDATE integrations SET unproven = true WHERE id = $1`, id)
	}
	return err
}

// replaceCredentials replaces all sets of an integration by one.
func (s Credentials) replaceCredentials(ctx context.Context, tx *sqlx.Tx, id dispatch.IntegrationID, c dispatch.Credentials) error {
	fresh, err := store.NewID()
	if err != nil {
		return err
	}
	sealed, err := s.sealCredentials(id, c)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM credentials WHERE integration_id = $1`, id); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `
		INSERT INTO credentials (id, integration_id, state, method, sealed) VALUES ($1, $2, 'active', $3, $4)`, fresh, id, c.Method, sealed)
	if err == nil {
		_, err = tx.ExecContext(ctx, `UPDATE integrations SET unproven = true WHERE id = $1`, id)
	}
	return err
}
