package items

import (
	"context"
	"strconv"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

func recordTemplate(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.TemplateID, by store.Actor, action string, version int) error {
	return store.Record(ctx, tx, store.Audit{Actor: by.User, Account: account, Action: "template." + action, Object: string(id), Details: map[string]any{"version": version}, Origin: by.Origin})
}

// versionSeen is the version that an approval is about.
func versionSeen(a dispatch.Approval) int {
	n, _ := strconv.Atoi(a.Seen) // a trigger ensures that it is a number
	return n
}

// noteApproval writes an act to the draft's timeline, if it has one, and to the event log. The note is in neither.
func noteApproval(ctx context.Context, tx *sqlx.Tx, a dispatch.Approval, kind dispatch.EventKind, by store.Actor) error {
	if a.Item != "" {
		if err := store.AddEvent(ctx, tx, store.Event{Item: a.Item, Account: a.AccountID, Kind: kind, Actor: by.User}); err != nil {
			return err
		}
	}
	if a.Template != "" {
		return recordTemplate(ctx, tx, a.AccountID, a.Template, by, string(kind), versionSeen(a))
	}
	object := string(a.Item)
	if a.Job != "" {
		object = string(a.Job)
	}
	return store.Record(ctx, tx, store.Audit{Actor: by.User, Account: a.AccountID, Action: "approval." + string(kind), Object: object,
		Details: map[string]any{"recipients": a.Recipients, "reasons": a.Reasons}, Origin: by.Origin})
}

// propose requests approval of a stored version of a locked template.
func propose(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.TemplateID, by store.Actor, version int) error {
	approval, err := store.NewID()
	if err != nil {
		return err
	}
	a := dispatch.Approval{ID: dispatch.ApprovalID(approval), AccountID: account, Template: id, Seen: strconv.Itoa(version)}
	_, err = tx.ExecContext(ctx, `
		INSERT INTO approvals (id, account_id, template_id, seen, recipients, reasons, asked_by) VALUES ($1, $2, $3, $4, 0, $5, $6)`,
		a.ID, account, id, a.Seen, pq.Array([]dispatch.ApprovalReason{dispatch.ApprovalChange}), by.User)
	if err != nil {
		return err
	}
	return noteApproval(ctx, tx, a, dispatch.EventApprovalAsked, by)
}

// proposeChange requests approval of a stored version. A template that is not in use yet is named by its newest version.
func proposeChange(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, t dispatch.Template, by store.Actor, v dispatch.TemplateVersion) error {
	var err error
	if t.Unused {
		_, err = tx.ExecContext(ctx, `UPDATE templates SET name = $3 WHERE account_id = $1 AND id = $2`, account, t.ID, v.Name)
	} else {
		err = nameFree(ctx, tx, account, t.ID, v.Name)
	}
	if err != nil {
		return err
	}
	return propose(ctx, tx, account, t.ID, by, v.Number)
}

// withdrawProposal withdraws the pending approval of a template that is being archived.
func withdrawProposal(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, t dispatch.Template, by store.Actor) error {
	if !t.Waits() {
		return nil
	}
	_, err := tx.ExecContext(ctx, `
		UPDATE approvals SET state = 'withdrawn', decided_by = $3, decided_at = now() WHERE account_id = $1 AND template_id = $2 AND state = 'waiting'`, account, t.ID, by.User)
	if err != nil {
		return err
	}
	return recordTemplate(ctx, tx, account, t.ID, by, string(dispatch.EventApprovalWithdrawn), t.Newest)
}

// changesWait tells whether new and changed templates of an account need approval. It reads the account's rules anew.
func changesWait(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID) (bool, error) {
	var rule store.ApprovalRule
	err := tx.GetContext(ctx, &rule, `SELECT approval_rule FROM accounts WHERE id = $1`, account)
	return rule.Templates, store.NotFound(err)
}

// nameFree returns ErrTaken if another template in use has the name. The index refuses it later, when the name is taken.
func nameFree(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.TemplateID, name string) error {
	var taken bool
	err := tx.GetContext(ctx, &taken, `
		SELECT EXISTS (SELECT FROM templates WHERE account_id = $1 AND id <> $2 AND lower(name) = lower($3) AND archived_at IS NULL)`, account, id, name)
	if err == nil && taken {
		err = store.ErrTaken
	}
	return err
}
