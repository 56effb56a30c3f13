package registry

import (
	"context"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// RoleMapping maps a value of the rights claim to a role on an account, or in the whole system.
type RoleMapping struct {
	ID      string             `db:"id"` // of a stored one
	Claim   string             `db:"claim_value"`
	Account dispatch.AccountID `db:"account_id"` // empty: the whole system
	Role    dispatch.Role      `db:"role"`
}

// Mappings returns all mappings, the system's first, then by account.
func (s Roles) Mappings(ctx context.Context) ([]RoleMapping, error) {
	var list []RoleMapping
	err := s.Select(ctx, &list, `
		SELECT m.id, m.claim_value, coalesce(m.account_id::text, '') AS account_id, m.role
		FROM role_mappings m LEFT JOIN accounts a ON a.id = m.account_id
		ORDER BY a.name NULLS FIRST, m.role, m.claim_value`)
	return list, err
}

// AddMapping adds a mapping, effective from the next request. ErrTaken when it exists.
func (s Roles) AddMapping(ctx context.Context, m RoleMapping, by store.Actor) error {
	return s.changeMapping(ctx, m, by, "role_mapping.add", store.ErrTaken, `
		INSERT INTO role_mappings (claim_value, account_id, role) VALUES ($1, $2, $3)
		ON CONFLICT ON CONSTRAINT role_mappings_key DO NOTHING`)
}

// RemoveMapping removes a mapping, effective from the next request; sessions without any right left are ended.
// ErrInUse when it is the last one that gives the role of system administrator, ErrChanged when it does not exist.
func (s Roles) RemoveMapping(ctx context.Context, m RoleMapping, by store.Actor) error {
	unchanged := store.ErrChanged
	if m.Role == dispatch.RoleSystemAdmin {
		others := false
		err := s.Get(ctx, &others, `SELECT EXISTS (SELECT FROM role_mappings WHERE role = 'system_admin' AND claim_value <> $1)`, m.Claim)
		if err != nil {
			return err
		}
		if !others {
			unchanged = ErrInUse
		}
	}
	return s.changeMapping(ctx, m, by, "role_mapping.remove", unchanged, `
		DELETE FROM role_mappings WHERE claim_value = $1 AND account_id IS NOT DISTINCT FROM $2 AND role = $3
		AND ($3 <> 'system_admin' OR (SELECT count(*) FROM role_mappings WHERE role = 'system_admin') > 1)`)
}

func (s Roles) changeMapping(ctx context.Context, m RoleMapping, by store.Actor, action string, unchanged error, statement string) error {
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		// Serialized: two administrators must not remove each other's last mapping.
		if _, err := tx.ExecContext(ctx, `LOCK TABLE role_mappings IN SHARE ROW EXCLUSIVE MODE`); err != nil {
			return err
		}
		n, err := store.Affected(tx.ExecContext(ctx, statement, m.Claim, store.Null(m.Account), m.Role))
		if err != nil {
			return err
		}
		if n == 0 {
			return unchanged
		}
		ended, err := endSessionsWithoutRights(ctx, tx, m.Claim)
		if err != nil {
			return err
		}
		details := by.Details("claim", m.Claim, "role", m.Role)
		if ended > 0 {
			details["sessions_ended"] = ended
		}
		return store.Record(ctx, tx, store.Audit{Actor: by.User, Account: m.Account, Action: action, Origin: by.Origin, Details: details})
	})
}
