package registry

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// AuditKey is a position in the log: reading continues with older lines.
type AuditKey struct {
	At time.Time
	ID int64
}

// auditConditions are the SQL conditions of a filter within a scope.
func auditConditions(scope dispatch.AuditScope, f dispatch.AuditFilter, before *AuditKey) (where string, args []any) {
	var conditions []string
	add := func(condition string, values ...any) {
		for _, v := range values {
			args = append(args, v)
			condition = strings.Replace(condition, "?", fmt.Sprintf("$%d", len(args)), 1)
		}
		conditions = append(conditions, condition)
	}
	if !scope.All {
		add("e.account_id = ANY(?)", pq.Array(scope.Accounts))
	}
	if !f.From.IsZero() {
		add("e.at >= ?", f.From)
	}
	if !f.To.IsZero() {
		add("e.at < ?", f.To)
	}
	if f.Actor != "" {
		add("e.actor_id = ?", f.Actor)
	}
	if f.Account != "" {
		add("e.account_id = ?", f.Account)
	}
	if f.Group != "" {
		add("e.action = ANY(?)", pq.Array(f.Group.Actions()))
	}
	if f.Object != "" {
		// Requests about an integration, and rights on an account, are objects of their own. A shipment to several has another id as a draft.
		add(`e.id IN (
			SELECT id FROM audit_events WHERE object_id = ?
			UNION ALL
			SELECT asked.id FROM act_requests r JOIN audit_events asked ON asked.object_id = r.id WHERE r.object_id = ?
			UNION ALL
			SELECT id FROM audit_events WHERE details ->> 'made' = ?
			UNION ALL
			SELECT id FROM audit_events WHERE details ->> 'draft' = ?
			UNION ALL
			SELECT id FROM audit_events WHERE account_id = ? AND action IN ('role_mapping.add', 'role_mapping.remove'))`, f.Object, f.Object, f.Object, f.Object, f.Object)
	}
	if before != nil {
		add("(e.at, e.id) < (?, ?)", before.At, before.ID)
	}
	if len(conditions) == 0 {
		return "", nil
	}
	return " WHERE " + strings.Join(conditions, " AND "), args
}

// List returns the newest lines that match a filter, before a position, and whether there are more.
func (s Audit) List(ctx context.Context, scope dispatch.AuditScope, f dispatch.AuditFilter, before *AuditKey, limit int) (lines []store.AuditLine, more bool, err error) {
	where, args := auditConditions(scope, f, before)
	var rows []store.AuditRow
	err = s.DB.SelectContext(ctx, &rows, store.SelectAudit+where+fmt.Sprintf(` ORDER BY e.at DESC, e.id DESC LIMIT %d`, limit+1), args...)
	if err != nil {
		return nil, false, err
	}
	for _, r := range rows[:min(len(rows), limit)] {
		l, err := r.Line()
		if err != nil {
			return nil, false, err
		}
		lines = append(lines, l)
	}
	return lines, len(rows) > limit, nil
}

// Each iterates over all lines that match a filter, newest first, in batches.
func (s Audit) Each(ctx context.Context, scope dispatch.AuditScope, f dispatch.AuditFilter) iter.Seq2[store.AuditLine, error] {
	return func(yield func(store.AuditLine, error) bool) {
		for before := (*AuditKey)(nil); ; {
			lines, more, err := s.List(ctx, scope, f, before, 1000)
			if err != nil {
				yield(store.AuditLine{}, err)
				return
			}
			for _, l := range lines {
				if !yield(l, nil) {
					return
				}
				before = &AuditKey{l.At, l.ID}
			}
			if !more {
				return
			}
		}
	}
}

// Auditee is a user with acts in the log.
type Auditee struct {
	ID   dispatch.UserID `db:"id"`
	Name string          `db:"name"`
}

// Auditees returns the users with acts in a scope, by name.
func (s Audit) Auditees(ctx context.Context, scope dispatch.AuditScope) ([]Auditee, error) {
	var list []Auditee
	err := s.Select(ctx, &list, `
		SELECT u.id, u.name
		FROM users u
		WHERE $1 OR EXISTS (SELECT FROM audit_events e WHERE e.actor_id = u.id AND e.account_id = ANY($2))
		ORDER BY u.name, u.id`, scope.All, pq.Array(scope.Accounts))
	return list, err
}

// AuditNames are the names of users, integrations and templates in the log, by id, and which integrations and jobs there still are.
type AuditNames struct {
	Of                 map[string]string
	Integrations, Jobs map[string]bool
	Entered            map[string]time.Time // of credentials, which have no name: when they were entered
}

// Names finds names by ids. A deleted integration has the name that the log kept, if it did.
func (s Audit) Names(ctx context.Context, ids []string) (AuditNames, error) {
	names := AuditNames{map[string]string{}, map[string]bool{}, map[string]bool{}, map[string]time.Time{}}
	var rows []struct {
		ID   string    `db:"id"`
		Name string    `db:"name"`
		Kind string    `db:"kind"`
		At   time.Time `db:"at"`
	}
	err := s.DB.SelectContext(ctx, &rows, `
		SELECT id::text AS id, name, '' AS kind, created_at AS at FROM users WHERE id = ANY($1::uuid[])
		UNION ALL
		SELECT id::text, '', 'credentials', created_at FROM credentials WHERE id = ANY($1::uuid[])
		UNION ALL
		SELECT id::text, name, 'integration', now() FROM integrations WHERE id = ANY($1::uuid[])
		UNION ALL
		SELECT id::text, '', 'job', now() FROM jobs WHERE id = ANY($1::uuid[])
		UNION ALL
		SELECT id::text, name, '', now() FROM templates WHERE id = ANY($1::uuid[])
		UNION ALL
		(SELECT DISTINCT ON (e.object_id) e.object_id::text, e.details->>'name', '', e.at
		 FROM audit_events e
		 WHERE e.object_id = ANY($1::uuid[]) AND e.action IN ('integration.create', 'integration.update', 'integration.delete') AND e.details->>'name' <> ''
		   AND NOT EXISTS (SELECT FROM integrations i WHERE i.id = e.object_id)
		 ORDER BY e.object_id, e.at DESC, e.id DESC)`, pq.Array(ids))
	for _, r := range rows {
		names.Of[r.ID] = r.Name
		switch r.Kind {
		case "credentials":
			names.Entered[r.ID] = r.At
		case "integration":
			names.Integrations[r.ID] = true
		case "job":
			names.Jobs[r.ID] = true
		}
	}
	return names, err
}
