package store

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/lib/pq"

	"utsending/internal/dispatch"
)

// AuditLine is one line of the event log as it is read.
type AuditLine struct {
	ID          int64
	At          time.Time
	Actor       dispatch.UserID
	ActorName   string // as it was then; empty: the program itself, or an operator at a terminal
	Account     dispatch.AccountID
	AccountName string
	AccountSlug string
	Action      string
	Object      string
	Kind        dispatch.Kind // of the item that the object is, if it is one
	Details     map[string]any
	Origin      string
}

// AuditKey is a place in the log: reading goes on with what is older.
type AuditKey struct {
	At time.Time
	ID int64
}

// auditRow is a line of the log as it stands in the tables.
type auditRow struct {
	ID          int64              `db:"id"`
	At          time.Time          `db:"at"`
	Actor       dispatch.UserID    `db:"actor_id"`
	ActorName   string             `db:"actor_name"`
	Account     dispatch.AccountID `db:"account_id"`
	AccountName string             `db:"account_name"`
	AccountSlug string             `db:"account_slug"`
	Action      string             `db:"action"`
	Object      string             `db:"object_id"`
	Kind        dispatch.Kind      `db:"kind"`
	Details     []byte             `db:"details"`
	Origin      string             `db:"origin"`
}

func (r auditRow) line() (AuditLine, error) {
	l := AuditLine{ID: r.ID, At: r.At, Actor: r.Actor, ActorName: r.ActorName, Account: r.Account, AccountName: r.AccountName, AccountSlug: r.AccountSlug,
		Action: r.Action, Object: r.Object, Kind: r.Kind, Origin: r.Origin}
	if err := json.Unmarshal(r.Details, &l.Details); err != nil {
		return l, fmt.Errorf("details of line %d: %w", r.ID, err)
	}
	return l, nil
}

const selectAudit = `
	SELECT e.id, e.at, coalesce(e.actor_id::text, '') AS actor_id, coalesce(nullif(e.actor_name, ''), u.name, '') AS actor_name,
	       coalesce(e.account_id::text, '') AS account_id, coalesce(nullif(e.account_name, ''), a.name, '') AS account_name, coalesce(a.slug, '') AS account_slug,
	       e.action, coalesce(e.object_id::text, '') AS object_id, coalesce(it.kind, '') AS kind, e.details, e.origin
	FROM audit_events e
	LEFT JOIN users u ON u.id = e.actor_id
	LEFT JOIN accounts a ON a.id = e.account_id
	LEFT JOIN items it ON it.id = e.object_id AND it.account_id = e.account_id`

// auditConditions are what a filter asks of a line, and of whose acts it may be at all.
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
		add("e.object_id = ?", f.Object)
	}
	if before != nil {
		add("(e.at, e.id) < (?, ?)", before.At, before.ID)
	}
	if len(conditions) == 0 {
		return "", nil
	}
	return " WHERE " + strings.Join(conditions, " AND "), args
}

// AuditLog returns the newest lines of the log that a filter asks for, of those before a place, and whether there are more.
func (s *Store) AuditLog(ctx context.Context, scope dispatch.AuditScope, f dispatch.AuditFilter, before *AuditKey, limit int) (lines []AuditLine, more bool, err error) {
	where, args := auditConditions(scope, f, before)
	var rows []auditRow
	err = s.db.SelectContext(ctx, &rows, selectAudit+where+fmt.Sprintf(` ORDER BY e.at DESC, e.id DESC LIMIT %d`, limit+1), args...)
	if err != nil {
		return nil, false, err
	}
	for _, r := range rows[:min(len(rows), limit)] {
		l, err := r.line()
		if err != nil {
			return nil, false, err
		}
		lines = append(lines, l)
	}
	return lines, len(rows) > limit, nil
}

// EachAudit goes through the whole log that a filter asks for, newest first, many lines with one question.
func (s *Store) EachAudit(ctx context.Context, scope dispatch.AuditScope, f dispatch.AuditFilter) iter.Seq2[AuditLine, error] {
	return func(yield func(AuditLine, error) bool) {
		for before := (*AuditKey)(nil); ; {
			lines, more, err := s.AuditLog(ctx, scope, f, before, 1000)
			if err != nil {
				yield(AuditLine{}, err)
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

// Auditee is somebody whose acts stand in the log.
type Auditee struct {
	ID   dispatch.UserID `db:"id"`
	Name string          `db:"name"`
}

// Auditees returns those whose acts somebody may see, by name.
func (s *Store) Auditees(ctx context.Context, scope dispatch.AuditScope) ([]Auditee, error) {
	var list []Auditee
	err := s.list(ctx, &list, `
		SELECT u.id, u.name
		FROM users u
		WHERE $1 OR EXISTS (SELECT FROM audit_events e WHERE e.actor_id = u.id AND e.account_id = ANY($2))
		ORDER BY u.name, u.id`, scope.All, pq.Array(scope.Accounts))
	return list, err
}
