package items

import (
	"context"
	"errors"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// templateOf is the template of a shipment's draft; empty: none.
func templateOf(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, draft dispatch.ItemID) (dispatch.TemplateID, error) {
	var id dispatch.TemplateID
	err := tx.GetContext(ctx, &id, `SELECT coalesce(template_id::text, '') FROM shipments WHERE item_id = $1 AND account_id = $2`, draft, account)
	return id, store.NotFound(err)
}

// lockReviewedSMS locks one's own draft in the revision that was reviewed, and returns what sending it would be.
func lockReviewedSMS(ctx context.Context, tx *sqlx.Tx, account dispatch.Account, id dispatch.ItemID, seen string, by store.Actor) (dispatch.Sending, error) {
	if err := lockOwn(ctx, tx, account.ID, id, by.User, dispatch.KindSMS); err != nil {
		return dispatch.Sending{}, err
	}
	if err := seenSMS(ctx, tx, account.ID, id, seen); err != nil {
		return dispatch.Sending{}, err
	}
	return smsSending(ctx, tx, account, id)
}

// smsSending is a draft as the rules of approval see it.
func smsSending(ctx context.Context, tx *sqlx.Tx, account dispatch.Account, id dispatch.ItemID) (dispatch.Sending, error) {
	var row struct {
		Hide     bool                `db:"hide_in_report"`
		Segments int                 `db:"parts"`
		Template dispatch.TemplateID `db:"template_id"`
	}
	err := tx.GetContext(ctx, &row, `SELECT hide_in_report, parts, coalesce(template_id::text, '') AS template_id FROM sms WHERE item_id = $1 AND account_id = $2`, id, account.ID)
	return dispatch.SMS{HideInReport: row.Hide, Template: dispatch.TemplateUse{ID: row.Template}}.Sending(account.Prices, row.Segments), store.NotFound(err)
}

// lockReviewedShipment is lockReviewedSMS for a shipment to one recipient.
func lockReviewedShipment(ctx context.Context, tx *sqlx.Tx, account dispatch.Account, id dispatch.ItemID, by store.Actor, version int, content dispatch.Shipment) (dispatch.Sending, error) {
	if err := lockShipmentDraft(ctx, tx, account.ID, id, by.User, version); err != nil {
		return dispatch.Sending{}, err
	}
	template, err := templateOf(ctx, tx, account.ID, id)
	return content.Sending(account.Prices.OfOne(content), template), err
}

// shipmentsSending is what sending a shipment to a list would be.
func shipmentsSending(ctx context.Context, tx *sqlx.Tx, account dispatch.Account, j dispatch.Job, content dispatch.Shipment) (dispatch.Sending, error) {
	template, err := templateOf(ctx, tx, account.ID, j.Draft)
	if err != nil {
		return dispatch.Sending{}, err
	}
	cost, err := listCost(ctx, tx, account, j, content)
	return content.Sending(cost, template).ToList(j.ID), err
}

// ErrApproval: a colleague must approve it first. Nothing was changed.
var ErrApproval = errors.New("somebody else has to approve it first")

// approvalReasons reads the account's rules anew: they may have changed since the request began.
func (s reviews) approvalReasons(ctx context.Context, db sqlx.QueryerContext, account dispatch.AccountID, of dispatch.Sending) ([]dispatch.ApprovalReason, error) {
	hash, err := s.hashNumber(dispatch.Address{Digital: dispatch.DigitalAddress{NationalID: of.To}})
	if err != nil {
		return nil, err
	}
	var row struct {
		Rule      store.ApprovalRule `db:"approval_rule"`
		Template  bool               `db:"template"`
		Protected bool               `db:"protected"`
	}
	err = sqlx.GetContext(ctx, db, &row, `
		SELECT a.approval_rule, EXISTS (SELECT FROM templates t WHERE t.account_id = a.id AND t.id = $2 AND t.needs_approval) AS template,
		       EXISTS (SELECT FROM protected_numbers n WHERE n.account_id = a.id AND n.number_hash = $3) OR EXISTS (SELECT `+protectedRows("$4")+`) AS protected
		FROM accounts a WHERE a.id = $1`, account, store.Null(of.Template), store.NullBytes(hash), store.Null(of.Job))
	return dispatch.ApprovalRule(row.Rule).Reasons(of, row.Template, row.Protected), store.NotFound(err)
}

// mayGo returns ErrApproval if approval is needed.
func (s reviews) mayGo(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, of dispatch.Sending) error {
	reasons, err := s.approvalReasons(ctx, tx, account, of)
	return errors.Join(err, when(len(reasons) > 0, ErrApproval))
}
