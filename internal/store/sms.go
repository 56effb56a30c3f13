package store

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
)

// SMSRow is an SMS as read from items and sms.
type SMSRow struct {
	ItemRow
	ByPhone      bool              `db:"by_phone"`
	Recipient    []byte            `db:"recipient"`
	Text         []byte            `db:"text"`
	HideInReport bool              `db:"hide_in_report"`
	Encoding     dispatch.Encoding `db:"encoding"`
	Parts        int               `db:"parts"`
	SendAt       *time.Time        `db:"send_at"`
	Urgent       bool              `db:"urgent"`
	Revision     string            `db:"revision"`
	TemplateUseRow
}

// OpenSMS opens the sealed columns of an SMS.
func (s *Store) OpenSMS(r SMSRow) (dispatch.SMSItem, error) {
	it := dispatch.SMSItem{Item: r.Domain(), Segments: dispatch.Segmentation{Encoding: r.Encoding, Count: r.Parts}}
	it.HideInReport, it.Template = r.HideInReport, r.Use()
	it.SendAt, it.Urgent, it.Revision = Deref(r.SendAt), r.Urgent, r.Revision
	var err error
	it.Recipient, it.Text, err = s.OpenMessage(r.ID, r.ByPhone, r.Recipient, r.Text)
	return it, err
}

// OpenMessage opens the sealed recipient and text of an SMS.
func (s *Store) OpenMessage(id dispatch.ItemID, byPhone bool, recipient, text []byte) (to dispatch.SMSRecipient, plain string, err error) {
	if recipient != nil { // NULL after purging
		number, err := s.Keys.Open(recipient, RecipientPlace(id))
		if err != nil {
			return to, "", err
		}
		if byPhone {
			to.Phone = dispatch.Phone(number)
		} else {
			to.NationalID = dispatch.NationalID(number)
		}
	}
	if text == nil {
		return to, "", nil
	}
	open, err := s.Keys.Open(text, TextPlace(id))
	return to, string(open), err
}

// Queue makes an item due after a while, if it is in the given state, and returns whether it was (1) or not (0). A request to stop it
// stops it instead, unless a person withdraws that first.
func Queue(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.ItemID, from dispatch.State, after time.Duration) (int64, error) {
	if err := reopenJobOf(ctx, tx, account, id); err != nil {
		return 0, err
	}
	return Affected(tx.ExecContext(ctx, `
		UPDATE items
		SET state = 'queued', due_at = now() + $4 * interval '1 second', due_since = now() + $4 * interval '1 second',
		    unavailable_count = 0, reason_key = '', reason_status = 0, reason_error_id = '', reason_at = NULL
		WHERE id = $1 AND account_id = $2 AND state = $3
		  AND NOT EXISTS (SELECT FROM sms m WHERE m.item_id = items.id AND m.text IS NULL) -- what was purged cannot go again
		  AND NOT EXISTS (SELECT FROM shipments h WHERE h.item_id = items.id AND h.content = '')`, id, account, from, after.Seconds()))
}

// TemplateUseRow is the template use of an SMS, as stored.
type TemplateUseRow struct {
	TemplateID      dispatch.TemplateID  `db:"template_id"`
	TemplateVersion int                  `db:"template_version"`
	WrittenForm     dispatch.WrittenForm `db:"template_form"`
}

// Use converts the row.
func (r TemplateUseRow) Use() dispatch.TemplateUse {
	return dispatch.TemplateUse{ID: r.TemplateID, Version: r.TemplateVersion, Form: r.WrittenForm}
}
