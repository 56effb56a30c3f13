package items

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"golang.org/x/sync/errgroup"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// Filled is an item to fill in: an SMS or a shipment, with its state and history.
type Filled struct {
	At       time.Time // creation time
	By       dispatch.UserID
	SMS      *dispatch.SMS
	Shipment *dispatch.Shipment // nil: an SMS
	State    dispatch.State
	Status   dispatch.Status
	Signing  dispatch.SigningStatus
}

// fillAtOnce is how many items one transaction writes.
const fillAtOnce = 20_000

// Fill writes items into an account as if they had been sent before, sealed and hashed like real ones, until next has
// no more. They have no files and no timeline. It is for development and benchmarks.
func (s Filler) Fill(ctx context.Context, account dispatch.AccountID, next func() (Filled, bool)) error {
	group, ctx := errgroup.WithContext(ctx)
	batches := make(chan []filledItem, 1) // one is sealed while another is written
	group.Go(func() error {
		defer close(batches)
		for {
			batch, err := s.sealBatch(account, next)
			if err != nil || len(batch) == 0 {
				return err
			}
			select {
			case batches <- batch:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	})
	group.Go(func() error {
		for batch := range batches {
			if err := s.InTx(ctx, func(tx *sqlx.Tx) error { return copyFilled(ctx, tx, batch) }); err != nil {
				return err
			}
		}
		return nil
	})
	return group.Wait()
}

func (s Filler) sealBatch(account dispatch.AccountID, next func() (Filled, bool)) ([]filledItem, error) {
	batch := make([]filledItem, 0, fillAtOnce)
	for len(batch) < fillAtOnce {
		f, more := next()
		if !more {
			break
		}
		one, err := s.sealFilled(account, f)
		if err != nil {
			return nil, err
		}
		batch = append(batch, one)
	}
	return batch, nil
}

// WithoutWords drops the index of words while fill runs, and creates it again: that takes a tenth of the time.
// Searches must wait.
func (s Filler) WithoutWords(ctx context.Context, fill func() error) error {
	var definition string
	if err := s.DB.GetContext(ctx, &definition, `SELECT pg_get_indexdef('shipments_words_idx'::regclass)`); err != nil {
		return err
	}
	if _, err := s.DB.ExecContext(ctx, `DROP INDEX shipments_words_idx`); err != nil {
		return err
	}
	err := fill()
	_, made := s.DB.ExecContext(ctx, definition)
	return errors.Join(err, made)
}

// filledItem is an item as columns of its two tables.
type filledItem struct {
	sms           bool
	item, content []any
}

func (s Filler) sealFilled(account dispatch.AccountID, f Filled) (one filledItem, err error) {
	fresh, err := store.NewID()
	if err != nil {
		return one, err
	}
	id, kind := dispatch.ItemID(fresh), dispatch.KindShipment
	if one.sms = f.SMS != nil; one.sms {
		kind = dispatch.KindSMS
		one.content, err = s.fillSMS(account, id, f)
	} else {
		one.content, err = s.fillShipment(account, id, f)
	}
	var upstream, accepted any
	if f.State == dispatch.StateAccepted {
		upstream, accepted = uuid.NewString(), f.At
	}
	one.item = []any{fresh, string(account), string(kind), string(f.State), f.At, string(f.By), uuid.NewString(), upstream, accepted, string(f.Status), accepted}
	return one, err
}

func (s Filler) fillSMS(account dispatch.AccountID, id dispatch.ItemID, f Filled) ([]any, error) {
	m := *f.SMS
	c, err := s.sealSMS(id, m)
	return []any{string(id), string(account), c.byPhone, c.recipient, c.recipientHash, store.NullBytes(c.lastThree), c.text, m.HideInReport, string(c.segments.Encoding), c.segments.Count, f.At}, err
}

func (s Filler) fillShipment(account dispatch.AccountID, id dispatch.ItemID, f Filled) ([]any, error) {
	h := *f.Shipment
	sealed, hash, err := s.sealShipment(id, h)
	if err != nil {
		return nil, err
	}
	form, err := s.Keys.Seal([]byte("{}"), store.FormPlace(id))
	return []any{string(id), string(account), h.Title, h.Recipient.Postal.Name, h.SourceSystem, h.BillingCode, h.ExternalReference, h.DigitalOnly, store.NullBytes(hash),
		form, sealed, store.NullTime(h.SignBy), string(f.Signing), store.NullTime(signedAt(f)), h.Type, f.At, h.CorrelationID}, err
}

// signedAt is when signing reached its status; zero: nothing to sign.
func signedAt(f Filled) time.Time {
	if f.Signing == "" {
		return time.Time{}
	}
	return f.At
}

func copyFilled(ctx context.Context, tx *sqlx.Tx, batch []filledItem) error {
	item := func(one filledItem) []any { return one.item }
	content := func(one filledItem) []any { return one.content }
	var messages, shipments []filledItem
	for _, one := range batch {
		if one.sms {
			messages = append(messages, one)
		} else {
			shipments = append(shipments, one)
		}
	}
	err := copyIn(ctx, tx, batch, item, "items", "id", "account_id", "kind", "state", "created_at", "created_by", "form_key", "upstream_id", "accepted_at", "status", "status_at")
	if err != nil {
		return fmt.Errorf("fill items: %w", err)
	}
	err = copyIn(ctx, tx, messages, content, "sms", "item_id", "account_id", "by_phone", "recipient", "recipient_hash", "last_three_hash", "text", "hide_in_report", "encoding", "parts", "created_at")
	if err != nil {
		return fmt.Errorf("fill sms: %w", err)
	}
	err = copyIn(ctx, tx, shipments, content, "shipments", "item_id", "account_id", "title", "recipient_name", "source_system", "billing_code", "external_reference", "digital_only",
		"number_hash", "form", "content", "sign_by", "signing_status", "signing_at", "shipment_type", "created_at", "correlation_id")
	if err != nil {
		return fmt.Errorf("fill shipments: %w", err)
	}
	return nil
}
