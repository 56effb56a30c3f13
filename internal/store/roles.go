package store

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
)

// ServerRole is the database role of the server. It does not own the tables: in the event log and its chain it may
// only read and append.
type ServerRole struct{ Name, Password string }

var userOfDSN = regexp.MustCompile(`(?:^|\s)user=([A-Za-z0-9_-]+)`)

// ServerRoleOf reads the role from the server's database address.
func ServerRoleOf(address string) (ServerRole, error) {
	if !isURL(address) {
		if m := userOfDSN.FindStringSubmatch(address); m != nil {
			return ServerRole{Name: m[1]}, nil
		}
		return ServerRole{}, errors.New("the server's database address names no user")
	}
	u, err := url.Parse(address)
	if err != nil || u.User == nil || u.User.Username() == "" {
		return ServerRole{}, errors.New("the server's database address names no user")
	}
	password, _ := u.User.Password()
	return ServerRole{u.User.Username(), password}, nil
}

// ErrRoleMissing says that the server's role does not exist and we may not create it.
var ErrRoleMissing = errors.New("the server's role does not exist")

// GrantServer grants a role the rights that the server needs, and revokes others. We must own the tables. A missing
// role is created. If the role is our own, nothing is done.
func (s *Store) GrantServer(ctx context.Context, r ServerRole) error {
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(hashtext('grant_server'))`); err != nil {
			return err
		}
		var ours bool
		if err := tx.GetContext(ctx, &ours, `SELECT current_user = $1`, r.Name); err != nil || ours {
			return err
		}
		var owns bool // else PostgreSQL would only warn that nothing was granted
		err := tx.GetContext(ctx, &owns, `SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = 'audit_events'::regclass`)
		if err == nil && !owns {
			err = errors.New("grant rights to the server: we do not own the tables")
		}
		if err != nil {
			return err
		}
		if err := makeRole(ctx, tx, r); err != nil {
			return err
		}
		role := pq.QuoteIdentifier(r.Name)
		for _, statement := range grants {
			if _, err := tx.ExecContext(ctx, strings.ReplaceAll(statement, "ROLE", role)); err != nil {
				return fmt.Errorf("grant rights to the server: %w", err)
			}
		}
		return nil
	})
}

// makeRole creates a role that can log in, unless it exists.
func makeRole(ctx context.Context, tx *sqlx.Tx, r ServerRole) error {
	var exists, mayMake bool
	err := tx.QueryRowxContext(ctx, `
		SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1), rolcreaterole OR rolsuper FROM pg_roles WHERE rolname = current_user`, r.Name).Scan(&exists, &mayMake)
	switch {
	case err != nil || exists:
		return err
	case !mayMake:
		return ErrRoleMissing
	}
	statement := `CREATE ROLE ` + pq.QuoteIdentifier(r.Name) + ` LOGIN`
	if r.Password != "" {
		statement += ` PASSWORD ` + pq.QuoteLiteral(r.Password)
	}
	_, err = tx.ExecContext(ctx, statement)
	return err
}

// grants are repeated at each migration: a new table has no rights until then, so that the next append-only table is
// not writable by default.
var grants = []string{
	`GRANT USAGE ON SCHEMA public TO ROLE`,
	`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ROLE`,
	`GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO ROLE`,
	`REVOKE ALL ON audit_events, audit_chain, audit_anchors, statuses, signing_statuses, causes, applied_code, goose_db_version FROM ROLE`,
	`GRANT SELECT ON audit_events, audit_chain, audit_anchors, statuses, signing_statuses, causes, applied_code, goose_db_version TO ROLE`,
	`GRANT INSERT (position, audit_id, hash, form) ON audit_chain TO ROLE`,
	`GRANT EXECUTE ON FUNCTION ` + writeAudit + ` TO ROLE`,
}

// writeAudit is the function that writes lines of the event log.
const writeAudit = `write_audit(text, uuid, uuid, text, uuid, jsonb, text)`

// AuditProtected tells whether our role can neither change nor delete lines of the event log and its chain.
func (s *Store) AuditProtected(ctx context.Context) (bool, error) {
	var free bool
	err := s.DB.GetContext(ctx, &free, `
		SELECT bool_or(has_table_privilege(c.oid, 'UPDATE, DELETE, TRUNCATE') OR has_any_column_privilege(c.oid, 'UPDATE')
		               OR pg_has_role(c.relowner, 'MEMBER'))
		FROM pg_class c
		WHERE c.relnamespace = 'public'::regnamespace AND c.relname IN ('audit_events', 'audit_chain', 'audit_anchors')`)
	return !free, err
}
