package items

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// Resend is an item to send again.
type Resend struct {
	Account dispatch.Account
	ID      dispatch.ItemID
	Kind    dispatch.Kind
	Paper   bool      // a copy may be printed, although the original must not be
	Now     time.Time // today, for checking dates
}

// Resend sends an item again that certainly did not arrive: a failed one as it is, otherwise a copy, which belongs to the actor. A
// colleague's takes a reason. ErrChanged when it may have arrived, or a replacement was sent; ErrFaulty when a copy has problems;
// otherwise the errors of SMS.Queue and Drafts.Queue. A refused copy is deleted.
func (s Resends) Resend(ctx context.Context, r Resend, by store.Actor) error {
	err := In(s.Store).Decisions.SendAgain(ctx, r.Account.ID, r.ID, by)
	if !errors.Is(err, store.ErrChanged) {
		return err
	}
	if r.Kind == dispatch.KindSMS {
		return s.resendSMS(ctx, r, by)
	}
	return s.resendShipment(ctx, r, by)
}

// resendKey is the form key of the copy of an item: it is copied once.
func resendKey(id dispatch.ItemID) string {
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte("resend/"+string(id))).String()
}

// lockFailed locks an item that ended badly and has no replacement; otherwise ErrChanged. The check is a statement of its own after
// the lock: a statement that waited for the lock would not see what was committed meanwhile.
func lockFailed(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.ItemID) error {
	var row store.ItemRow
	err := tx.GetContext(ctx, &row, `SELECT kind, state, status FROM items WHERE id = $1 AND account_id = $2 FOR UPDATE`, id, account)
	if err != nil {
		return store.NotFound(err)
	}
	var not bool
	err = tx.GetContext(ctx, &not, `
		SELECT `+store.HasReplacement+` OR EXISTS (SELECT FROM attempts p WHERE p.item_id = it.id AND p.resolution <> 'not_sent' AND `+store.MayHaveArrived+`)
		FROM items it WHERE it.id = $1 AND it.account_id = $2`, id, account)
	return errors.Join(err, when(not || !row.Domain().EndedBadly(), store.ErrChanged))
}

// resendSMS sends a copy of an SMS, in one transaction.
func (s Resends) resendSMS(ctx context.Context, r Resend, by store.Actor) error {
	it, err := In(s.Store).SMS.ByID(ctx, r.Account.ID, r.ID)
	if err != nil {
		return err
	}
	it.SendAt = time.Time{} // the planned time was the original's
	switch {
	case it.Purged() || it.CreatedBy != by.User && by.Reason == "":
		return store.ErrChanged
	case len(it.Validate()) > 0 || dispatch.Unfilled(it.Text) != nil:
		return ErrFaulty
	}
	fresh, err := store.NewID()
	if err != nil {
		return err
	}
	id := dispatch.ItemID(fresh)
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		if err := lockFailed(ctx, tx, r.Account.ID, r.ID); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO items (id, account_id, kind, created_by, form_key) VALUES ($1, $2, 'sms', $3, $4)`, id, r.Account.ID, by.User, resendKey(r.ID))
		if err != nil {
			return err
		}
		if err := In(s.Store).SMS.insertSMS(ctx, tx, r.Account.ID, id, it.SMS); err != nil {
			return err
		}
		if err := store.AddEvent(ctx, tx, store.Event{Item: id, Account: r.Account.ID, Kind: dispatch.EventCreated, Actor: by.User}); err != nil {
			return err
		}
		if err := noteFrom(ctx, tx, r.Account.ID, id, by, MadeFrom{Source: r.ID, Origin: dispatch.OriginReplaces}); err != nil {
			return err
		}
		of, err := smsSending(ctx, tx, r.Account, id)
		if err != nil {
			return err
		}
		if err := In(s.Store).reviews.mayGo(ctx, tx, r.Account.ID, of); err != nil {
			return err
		}
		return asProtected(sendSMS(ctx, tx, r.Account, id, by))
	})
}

// resendShipment sends a copy of a shipment. Its files are copied first, into a draft that is discarded if it cannot be sent.
func (s Resends) resendShipment(ctx context.Context, r Resend, by store.Actor) error {
	it, err := In(s.Store).Shipments.ByID(ctx, r.Account.ID, r.ID)
	if err != nil {
		return err
	}
	if it.Purged || !it.EndedBadly() || it.CreatedBy != by.User && by.Reason == "" {
		return store.ErrChanged
	}
	c := Copy{Of: r.ID, Key: resendKey(r.ID), Origin: dispatch.OriginReplaces, Paper: r.Paper}
	if it.JobID != "" {
		c.To = &it.Recipient
	}
	if err := s.copyWouldGo(ctx, r, it, c, by); err != nil {
		return err
	}
	made, err := In(s.Store).Shipments.Copy(ctx, r.Account.ID, by, c)
	if err != nil {
		return err
	}
	if err := s.sendCopy(ctx, r, made, by); err != nil {
		return errors.Join(err, discarded(In(s.Store).Drafts.Discard(context.WithoutCancel(ctx), r.Account.ID, dispatch.KindShipment, made, by)))
	}
	return nil
}

// copyWouldGo is ErrFaulty where a copy of a shipment would have problems. It is asked before anything is copied: the history of one that is
// left as it is shall not tell of an opening.
func (s Resends) copyWouldGo(ctx context.Context, r Resend, it dispatch.ShipmentItem, c Copy, by store.Actor) error {
	sent, err := In(s.Store).Shipments.SentFields(ctx, r.Account.ID, r.ID, by)
	if err != nil {
		return err
	}
	files := map[dispatch.DocumentID]dispatch.DocumentID{}
	for _, d := range it.Documents {
		files[d.ID] = d.ID
		if d.Slice > 0 { // the form knows it as the divided file
			divided, err := In(s.Store).Shipments.dividedFor(ctx, r.Account.ID, r.ID)
			if err != nil {
				return err
			}
			files[divided] = d.ID
		}
	}
	_, err = r.parse(c.fields(sent, files), it.Documents)
	return err
}

// parse is the content of a copy; ErrFaulty if it has a problem, or a warning that needs a decision.
func (r Resend) parse(f dispatch.DraftFields, documents []dispatch.Document) (dispatch.Shipment, error) {
	content, ps := f.Parse(r.Account.Generation(), documents, r.Now)
	ps = append(append(append(ps, r.Account.ValidateHealth(content)...), r.Account.ValidateEncryption(content, r.Now)...), content.Stopped(r.Account.Rules())...)
	altered := slices.ContainsFunc(content.Documents, func(d dispatch.Document) bool { return d.Altered() })
	return content, when(altered || len(ps)+len(f.Unfilled(nil)) > 0, ErrFaulty)
}

// discarded is the error of discarding a draft; nil if it has been sent.
func discarded(err error) error {
	if errors.Is(err, store.ErrChanged) || errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
}

// sendCopy sends the draft of a copy without a review: any problem or warning that needs a decision stops it.
func (s Resends) sendCopy(ctx context.Context, r Resend, made dispatch.ItemID, by store.Actor) error {
	d, err := In(s.Store).Drafts.ByID(ctx, r.Account.ID, made, by.User)
	if err != nil {
		return err
	}
	content, err := r.parse(d.Fields, d.Documents)
	if err != nil {
		return err
	}
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		if err := lockFailed(ctx, tx, r.Account.ID, r.ID); err != nil {
			return err
		}
		of, err := lockReviewedShipment(ctx, tx, r.Account, made, by, d.Version, content)
		if err != nil {
			return err
		}
		if err := In(s.Store).reviews.mayGo(ctx, tx, r.Account.ID, of); err != nil {
			return err
		}
		return asProtected(In(s.Store).Drafts.sendShipment(ctx, tx, r.Account, made, by, d.Version, content))
	})
}
