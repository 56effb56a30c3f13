package items

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

const smsColumns = `m.by_phone, m.recipient, m.text, m.hide_in_report, m.encoding, m.parts, m.send_at, m.urgent, m.revision::text AS revision, ` + templateUseColumns

const selectSMS = `
	SELECT ` + store.ItemColumns + `, ` + smsColumns + `
	FROM items it
	JOIN sms m ON m.item_id = it.id` + store.ItemJoins

// SaveDraft stores a valid SMS as a draft. The form key is an idempotency key: a repeated form changes the same
// draft, or, once that has been sent, gets ErrChanged with its id.
func (s SMS) SaveDraft(ctx context.Context, account dispatch.AccountID, by store.Actor, formKey string, m dispatch.SMS) (dispatch.ItemID, error) {
	return s.saveSMSDraft(ctx, account, by, formKey, m, MadeFrom{}, anyVersion)
}

// HandIn is SaveDraft for a form that knows an autosaved version; a TypedError when another tab has autosaved since, in the
// form or in the draft made from it.
func (s SMS) HandIn(ctx context.Context, account dispatch.AccountID, by store.Actor, formKey string, m dispatch.SMS, saved int) (dispatch.ItemID, error) {
	return s.saveSMSDraft(ctx, account, by, formKey, m, MadeFrom{}, saved)
}

// SaveDraftFrom is SaveDraft for a draft with a source.
func (s SMS) SaveDraftFrom(ctx context.Context, account dispatch.AccountID, by store.Actor, formKey string, m dispatch.SMS, from MadeFrom) (dispatch.ItemID, error) {
	return s.saveSMSDraft(ctx, account, by, formKey, m, from, anyVersion)
}

func (s SMS) saveSMSDraft(ctx context.Context, account dispatch.AccountID, by store.Actor, formKey string, m dispatch.SMS, from MadeFrom, saved int) (dispatch.ItemID, error) {
	fresh, err := store.NewID()
	if err != nil {
		return "", err
	}
	id := dispatch.ItemID(fresh)
	err = s.InTx(ctx, func(tx *sqlx.Tx) error {
		_, err := tx.ExecContext(ctx, `
			INSERT INTO items (id, account_id, kind, created_by, form_key) VALUES ($1, $2, 'sms', $3, $4)`,
			id, account, by.User, formKey)
		if err != nil {
			return err
		}
		if err := s.insertSMS(ctx, tx, account, id, m); err != nil {
			return err
		}
		if err := store.AddEvent(ctx, tx, store.Event{Item: id, Account: account, Kind: dispatch.EventCreated, Actor: by.User}); err != nil {
			return err
		}
		if err := store.RoomForDraft(ctx, tx, account, by.User, dispatch.KindSMS); err != nil {
			return err
		}
		if err := dropUnfinished(ctx, tx, account, by.User, formKey, saved); err != nil {
			return err
		}
		return noteFrom(ctx, tx, account, id, by, from)
	})
	if !store.Violates(err, "items_form_key") {
		return id, err
	}
	err = s.DB.GetContext(ctx, &id, `SELECT id FROM items WHERE account_id = $1 AND created_by = $2 AND form_key = $3 AND kind = 'sms' AND job_id IS NULL`, account, by.User, formKey)
	if err != nil {
		return "", err
	}
	if err := s.changeSMSDraft(ctx, account, id, by, m, from, "", saved); err != nil {
		return id, err
	}
	return id, In(s.Store).Forms.Drop(ctx, account, by.User, formKey)
}

func (s SMS) insertSMS(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.ItemID, m dispatch.SMS) error {
	c, err := s.sealSMS(id, m)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `
		INSERT INTO sms (item_id, account_id, by_phone, recipient, recipient_hash, last_three_hash, text, hide_in_report, encoding, parts,
		                 template_id, template_version, template_form, send_at, urgent)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, nullif($12, 0), $13, $14, $15)
		ON CONFLICT (item_id) DO UPDATE SET by_phone = excluded.by_phone, recipient = excluded.recipient,
		    recipient_hash = excluded.recipient_hash, last_three_hash = excluded.last_three_hash, text = excluded.text,
		    hide_in_report = excluded.hide_in_report, encoding = excluded.encoding, parts = excluded.parts,
		    template_id = excluded.template_id, template_version = excluded.template_version, template_form = excluded.template_form,
		    send_at = excluded.send_at, urgent = excluded.urgent`,
		id, account, c.byPhone, c.recipient, c.recipientHash, c.lastThree, c.text, m.HideInReport, c.segments.Encoding, c.segments.Count,
		store.Null(m.Template.ID), m.Template.Version, m.Template.Form, store.NullTime(m.SendAt), m.Urgent)
	return err
}

// ChangeDraft replaces the content of one's own draft; ErrChanged when it is no longer a draft.
func (s SMS) ChangeDraft(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, by store.Actor, m dispatch.SMS) error {
	return s.changeSMSDraft(ctx, account, id, by, m, MadeFrom{}, "", anyVersion)
}

// ChangeSeenDraft changes one's own draft if it still has the revision seen: ErrStale when another tab has saved it since, a
// TypedError when one has autosaved since this version. An empty revision matches any.
func (s SMS) ChangeSeenDraft(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, by store.Actor, seen string, m dispatch.SMS, saved int) error {
	return s.changeSMSDraft(ctx, account, id, by, m, MadeFrom{}, seen, saved)
}

func (s SMS) changeSMSDraft(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, by store.Actor, m dispatch.SMS, from MadeFrom, seen string, saved int) error {
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		if err := lockOwn(ctx, tx, account, id, by.User, dispatch.KindSMS); err != nil {
			return err
		}
		if seen != "" {
			if err := seenSMS(ctx, tx, account, id, seen); err != nil {
				return err
			}
		}
		if err := s.insertSMS(ctx, tx, account, id, m); err != nil {
			return err
		}
		if err := dropUnfinished(ctx, tx, account, by.User, string(id), saved); err != nil {
			return err
		}
		if err := store.AddEvent(ctx, tx, store.Event{Item: id, Account: account, Kind: dispatch.EventEdited, Actor: by.User}); err != nil {
			return err
		}
		return noteFrom(ctx, tx, account, id, by, from)
	})
}

// Queue sends one's own draft: it is due after the account's undo window, at its own time or when the account's daytime begins,
// whichever is last. seen is the revision that was reviewed: ErrStale when the draft has another one, ErrChanged when it was sent
// before, ErrSecond when the recipient would get two, ErrQuota when its segments exceed this month's quota, ErrBudget when its cost
// exceeds the budget, ErrApproval when a colleague must approve it.
func (s SMS) Queue(ctx context.Context, account dispatch.Account, id dispatch.ItemID, seen string, by store.Actor) error {
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		of, err := lockReviewedSMS(ctx, tx, account, id, seen, by)
		if err != nil {
			return err
		}
		if err := mayReplaceOne(ctx, tx, account.ID, id, by.Anyway); err != nil {
			return err
		}
		if err := In(s.Store).reviews.mayGo(ctx, tx, account.ID, of); err != nil {
			return err
		}
		return asProtected(sendSMS(ctx, tx, account, id, by))
	})
}

// sendSMS queues a locked draft.
func sendSMS(ctx context.Context, tx *sqlx.Tx, account dispatch.Account, id dispatch.ItemID, by store.Actor) error {
	after, err := waits(ctx, tx, account, id)
	if err != nil {
		return err
	}
	n, err := store.Queue(ctx, tx, account.ID, id, dispatch.StateDraft, after)
	if err != nil || n == 0 {
		return errors.Join(err, when(n == 0, store.ErrChanged))
	}
	if err := spendSMS(ctx, tx, account, by, id); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM unfinished_forms WHERE item_id = $1 AND account_id = $2`, id, account.ID); err != nil {
		return err
	}
	if err := countSegments(ctx, tx, account.ID, []dispatch.ItemID{id}); err != nil {
		return err
	}
	if err := store.AddEvent(ctx, tx, store.Event{Item: id, Account: account.ID, Kind: dispatch.EventQueued, Actor: by.User}); err != nil {
		return err
	}
	return store.Record(ctx, tx, store.Audit{Actor: by.User, Account: account.ID, Action: "sms.send", Object: string(id), Origin: by.Origin})
}

// waits returns the time until an SMS that is sent now becomes due.
func waits(ctx context.Context, tx *sqlx.Tx, account dispatch.Account, id dispatch.ItemID) (time.Duration, error) {
	var row struct {
		Now    time.Time  `db:"now"`
		SendAt *time.Time `db:"send_at"`
		Urgent bool       `db:"urgent"`
	}
	err := tx.GetContext(ctx, &row, `SELECT now() AS now, send_at, urgent FROM sms WHERE item_id = $1 AND account_id = $2`, id, account.ID)
	return account.Planned(dispatch.Timing{SendAt: store.Deref(row.SendAt), Urgent: row.Urgent}, row.Now).Sub(row.Now), store.NotFound(err)
}

// Reschedule changes the time of a queued SMS that is not due yet; ErrChanged when it is too late.
func (s SMS) Reschedule(ctx context.Context, account dispatch.Account, id dispatch.ItemID, t dispatch.Timing, by store.Actor) error {
	return s.Act(ctx, store.Act{Account: account.ID, ID: id, By: by, Kind: dispatch.EventRescheduled}, func(tx *sqlx.Tx) (int64, error) {
		n, err := store.Affected(tx.ExecContext(ctx, `
			SELECT FROM items WHERE id = $1 AND account_id = $2 AND kind = 'sms' AND state = 'queued' AND due_since > now() FOR UPDATE`, id, account.ID))
		if n == 0 || err != nil {
			return n, err
		}
		_, err = tx.ExecContext(ctx, `UPDATE sms SET send_at = $3, urgent = $4 WHERE item_id = $1 AND account_id = $2`, id, account.ID, store.NullTime(t.SendAt), t.Urgent)
		if err != nil {
			return 0, err
		}
		after, err := waits(ctx, tx, account, id)
		if err != nil {
			return 0, err
		}
		return store.Queue(ctx, tx, account.ID, id, dispatch.StateQueued, after)
	})
}

// ByID returns one SMS of an account with its content.
func (s SMS) ByID(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID) (dispatch.SMSItem, error) {
	if !store.ValidID(id) {
		return dispatch.SMSItem{}, store.ErrNotFound
	}
	var row store.SMSRow
	if err := s.Get(ctx, &row, selectSMS+` WHERE it.id = $1 AND it.account_id = $2 AND it.kind = 'sms'`, id, account); err != nil {
		return dispatch.SMSItem{}, store.NotFound(err)
	}
	it, err := s.OpenSMS(row)
	if err == nil {
		it.Answer, err = s.AnswerOf(ctx, it.Item)
	}
	return it, err
}

// LatestDraft returns a user's newest draft on an account; ErrNotFound without one.
func (s SMS) LatestDraft(ctx context.Context, account dispatch.AccountID, user dispatch.UserID) (dispatch.ItemID, error) {
	var id dispatch.ItemID
	err := s.Get(ctx, &id, `
		SELECT id FROM items
		WHERE account_id = $1 AND kind = 'sms' AND created_by = $2 AND state = 'draft'
		ORDER BY created_at DESC, id DESC
		LIMIT 1`, account, user)
	return id, store.NotFound(err)
}

// Drafts returns a user's drafts on an account, newest first.
func (s SMS) Drafts(ctx context.Context, account dispatch.AccountID, user dispatch.UserID) ([]dispatch.SMSItem, error) {
	var rows []struct {
		store.SMSRow
		ReturnedBy string `db:"returned_by"`
	}
	err := s.Select(ctx, &rows, `
		SELECT `+store.ItemColumns+`, `+smsColumns+`, `+store.ReturnedBy("p.item_id = it.id")+` AS returned_by
		FROM items it
		JOIN sms m ON m.item_id = it.id`+store.ItemJoins+`
		WHERE it.account_id = $1 AND it.kind = 'sms' AND it.created_by = $2 AND it.state = 'draft'
		ORDER BY it.created_at DESC, it.id DESC
		LIMIT 500`, account, user) // more than the limit on drafts, since colleagues hand drafts over
	if err != nil {
		return nil, err
	}
	drafts := make([]dispatch.SMSItem, len(rows))
	for i, r := range rows {
		it, err := s.OpenSMS(r.SMSRow)
		if err != nil {
			return nil, fmt.Errorf("list drafts of sms: %w", err)
		}
		it.ReturnedBy = r.ReturnedBy
		drafts[i] = it
	}
	return drafts, nil
}

// Uncertain returns the newest uncertain SMS of an account, and whether there are more.
func (s SMS) Uncertain(ctx context.Context, account dispatch.AccountID, limit int) (items []dispatch.SMSItem, more bool, err error) {
	var rows []store.SMSRow
	err = s.Select(ctx, &rows, selectSMS+fmt.Sprintf(`
		WHERE it.account_id = $1 AND it.kind = 'sms' AND it.state = 'uncertain'
		ORDER BY it.created_at DESC, it.id DESC
		LIMIT %d`, limit+1), account)
	if err != nil {
		return nil, false, err
	}
	for _, r := range rows[:min(len(rows), limit)] {
		it, err := s.OpenSMS(r)
		if err != nil {
			return nil, false, fmt.Errorf("list uncertain sms: %w", err)
		}
		items = append(items, it)
	}
	return items, len(rows) > limit, nil
}
