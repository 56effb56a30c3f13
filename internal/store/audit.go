package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
)

// Audit is an act for the event log: actor, action, object and origin. It holds nothing personal about recipients.
type Audit struct {
	Actor   dispatch.UserID
	Account dispatch.AccountID
	Action  string
	Object  string // id of an item, integration or account; empty: none
	Details map[string]any
	Origin  string // address of the client
	Session string // hash of the actor's session; empty: that of the context
}

type viewerKey struct{}

// WithViewer returns a context of a user who is shown what is read.
func WithViewer(ctx context.Context, id dispatch.UserID) context.Context {
	return context.WithValue(ctx, viewerKey{}, id)
}

// Viewer is the user of WithViewer; empty: nobody.
func Viewer(ctx context.Context) dispatch.UserID {
	id, _ := ctx.Value(viewerKey{}).(dispatch.UserID)
	return id
}

type sessionKey struct{}

// WithSession returns a context whose acts are attributed to the session with that hash.
func WithSession(ctx context.Context, hash string) context.Context {
	return context.WithValue(ctx, sessionKey{}, hash)
}

// session returns the hash of the session to which the act is attributed; empty: none.
func (a Audit) session(ctx context.Context) string {
	own, _ := ctx.Value(sessionKey{}).(string)
	return cmp.Or(a.Session, own)
}

// Actor is the user who makes a change, with origin and, where required, reason; every change takes one.
type Actor struct {
	User   dispatch.UserID
	Origin string
	Reason string
	Lead   bool // may spend beyond a budget that asks for a lead
	Anyway bool // sends a draft although something was sent in place of the same item
}

// Details are what the event log says of an act besides the act itself: the reason, and more.
func (a Actor) Details(more ...any) map[string]any {
	details := map[string]any{}
	if a.Reason != "" {
		details["reason"] = a.Reason
	}
	for i := 0; i+1 < len(more); i += 2 {
		details[more[i].(string)] = more[i+1]
	}
	return details
}

// Record writes an entry to the audit log, outside a transaction.
func (s *Store) Record(ctx context.Context, a Audit) error { return Record(ctx, s.DB, a) }

// Record writes a line to the event log, in the caller's transaction if db is one.
func Record(ctx context.Context, db sqlx.ExtContext, a Audit) error {
	_, err := RecordLine(ctx, db, a)
	return err
}

// RecordLine does what Record does and returns the line's number.
func RecordLine(ctx context.Context, db sqlx.ExtContext, a Audit) (line int64, err error) {
	details := []byte("{}")
	if len(a.Details) > 0 {
		if details, err = json.Marshal(a.Details); err != nil {
			return 0, fmt.Errorf("audit details: %w", err)
		}
	}
	session := a.session(ctx)
	if a.Actor == "" {
		session = "" // the program acts
	}
	err = db.QueryRowxContext(ctx, `SELECT write_audit($1, $2, $3, $4, $5, $6, $7)`,
		session, Null(a.Actor), Null(a.Account), a.Action, Null(a.Object), string(details), a.Origin).Scan(&line)
	return line, err
}

// AuditLine is a line of the event log.
type AuditLine struct {
	ID          int64
	At          time.Time
	Actor       dispatch.UserID
	ActorName   string // as of the act; empty: the program itself, or an operator at a terminal
	Account     dispatch.AccountID
	AccountName string
	AccountSlug string
	Action      string
	Object      string
	Kind        dispatch.Kind // of the object, if it is an item
	Details     map[string]any
	Origin      string
}

// AuditRow is a line of the event log as read from the tables.
type AuditRow struct {
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

// Line converts the row and decodes its details.
func (r AuditRow) Line() (AuditLine, error) {
	l := AuditLine{ID: r.ID, At: r.At, Actor: r.Actor, ActorName: r.ActorName, Account: r.Account, AccountName: r.AccountName, AccountSlug: r.AccountSlug,
		Action: r.Action, Object: r.Object, Kind: r.Kind, Origin: r.Origin}
	if err := json.Unmarshal(r.Details, &l.Details); err != nil {
		return l, fmt.Errorf("details of line %d: %w", r.ID, err)
	}
	return l, nil
}

// SelectAudit selects lines of the event log with their actors' names; conditions follow.
const SelectAudit = `
	SELECT e.id, e.at, coalesce(e.actor_id::text, '') AS actor_id, coalesce(nullif(e.actor_name, ''), u.name, '') AS actor_name,
	       coalesce(e.account_id::text, '') AS account_id, coalesce(nullif(e.account_name, ''), a.name, '') AS account_name, coalesce(a.slug, '') AS account_slug,
	       e.action, coalesce(e.object_id::text, '') AS object_id, CASE WHEN it.state = 'draft' THEN '' ELSE coalesce(it.kind, '') END AS kind, e.details, e.origin
	FROM audit_events e
	LEFT JOIN users u ON u.id = e.actor_id
	LEFT JOIN accounts a ON a.id = e.account_id
	LEFT JOIN items it ON it.id = e.object_id AND it.account_id = e.account_id`
