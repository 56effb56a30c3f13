package store

import (
	"context"
	"slices"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
)

// Login identifies a user by the identity provider's issuer and subject.
type Login struct {
	Issuer, Subject, Name string
}

// SaveLogin records a login and returns the user's id, which is the same at every login.
func (s *Store) SaveLogin(ctx context.Context, l Login) (dispatch.UserID, error) {
	fresh, err := NewID()
	if err != nil {
		return "", err
	}
	var id dispatch.UserID
	err = s.DB.GetContext(ctx, &id, `
		INSERT INTO users (id, issuer, subject, name) VALUES ($1, $2, $3, $4)
		ON CONFLICT ON CONSTRAINT users_issuer_subject_key DO UPDATE SET name = excluded.name, last_login_at = now()
		RETURNING id`, fresh, l.Issuer, l.Subject, l.Name)
	return id, err
}

// User returns a user with the roles that the login's claim values give now.
func (s *Store) User(ctx context.Context, id dispatch.UserID, name string, claims []string) (dispatch.User, error) {
	var rows []grantRow
	if err := s.Select(ctx, &rows, selectGrants, pq.Array(claims)); err != nil {
		return dispatch.User{}, err
	}
	return granted(dispatch.User{ID: id, Name: name}, rows), nil
}

// UserIn is User in a transaction, without a name: see OpenShipmentIn.
func UserIn(ctx context.Context, q sqlx.QueryerContext, id dispatch.UserID, claims []string) (dispatch.User, error) {
	var rows []grantRow
	if err := sqlx.SelectContext(ctx, q, &rows, selectGrants, pq.Array(claims)); err != nil {
		return dispatch.User{}, err
	}
	return granted(dispatch.User{ID: id}, rows), nil
}

const selectGrants = `
	SELECT DISTINCT m.role, m.account_id IS NULL AS everywhere, ` + AccountColumns + `
	FROM role_mappings m
	LEFT JOIN accounts a ON a.id = m.account_id OR m.account_id IS NULL AND m.role = 'auditor' -- of the whole system: of every account
	WHERE m.claim_value = ANY($1)
	ORDER BY name, id, role`

type grantRow struct {
	AccountRow
	Role       dispatch.Role `db:"role"`
	Everywhere bool          `db:"everywhere"`
}

func granted(u dispatch.User, rows []grantRow) dispatch.User {
	for _, r := range rows {
		if r.Everywhere && !slices.Contains(u.System, r.Role) {
			u.System = append(u.System, r.Role)
		}
		if r.ID != "" && !slices.Contains(u.RolesOn(r.ID), r.Role) {
			u.Grants = append(u.Grants, dispatch.Grant{Account: r.Domain(), Role: r.Role})
		}
	}
	return u
}

// MapRole lets a value of the rights claim give a role; without an account, in the whole system.
func (s *Store) MapRole(ctx context.Context, claim string, account dispatch.AccountID, role dispatch.Role) error {
	_, err := s.DB.ExecContext(ctx, `
		INSERT INTO role_mappings (claim_value, account_id, role) VALUES ($1, $2, $3)
		ON CONFLICT ON CONSTRAINT role_mappings_key DO NOTHING`, claim, Null(account), role)
	return err
}
