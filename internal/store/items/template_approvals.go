package items

import (
	"context"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// LastOfTemplate returns the last request to approve a version of a template; zero if there was none.
func (s Approvals) LastOfTemplate(ctx context.Context, account dispatch.AccountID, id dispatch.TemplateID) (dispatch.Approval, error) {
	if !store.ValidID(id) {
		return dispatch.Approval{}, store.ErrNotFound
	}
	return ifAny(s.oneApproval(ctx, selectApprovals+` AND p.template_id = $2 ORDER BY p.asked_at DESC, p.id DESC LIMIT 1`, account, id))
}

// ApproveTemplate takes a colleague's version of a template into use. ErrChanged when it was decided before, ErrNotFound when it is
// the actor's own or not about a template, ErrTaken when another template has got its name meanwhile.
func (s Approvals) ApproveTemplate(ctx context.Context, account dispatch.AccountID, id dispatch.ApprovalID, by store.Actor) error {
	return store.Taken(s.decide(ctx, approved(account, id, by), func(tx *sqlx.Tx, a dispatch.Approval) error {
		n, err := store.Affected(tx.ExecContext(ctx, `UPDATE templates SET name = $3, version = $4 WHERE account_id = $1 AND id = $2`, account, store.Null(a.Template), a.Name, versionSeen(a)))
		if err == nil && n == 0 {
			err = store.ErrNotFound
		}
		return err
	}), "templates_name_key")
}
