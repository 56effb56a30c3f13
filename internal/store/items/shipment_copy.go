package items

import (
	"context"
	"errors"
	"io"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// Copy describes a copy to make.
type Copy struct {
	Of     dispatch.ItemID
	Key    string              // form key (idempotency key)
	Origin dispatch.OriginKind // relation to the original; empty: none that is stored
	Paper  bool                // it may be printed, although the original must not be
	To     *dispatch.Address   // recipient, if the original is of a job, whose form has none
}

// fields returns the form of the copy.
func (c Copy) fields(of dispatch.DraftFields, files map[dispatch.DocumentID]dispatch.DocumentID) dispatch.DraftFields {
	f := of.Copied(files)
	f.DigitalOnly = f.DigitalOnly && !c.Paper
	if c.To != nil {
		f = f.WithAddress(*c.To)
	}
	return f
}

// Copy creates a draft from one's own sent shipment, with copies of its files. The form key is an idempotency
// key: a repeated form gets the same draft as it is by then, or, once that has been sent, ErrChanged with its id. On
// failure no half draft remains.
func (s Shipments) Copy(ctx context.Context, account dispatch.AccountID, by store.Actor, c Copy) (dispatch.ItemID, error) {
	sent, err := s.SentFields(ctx, account, c.Of, by)
	if err != nil {
		return "", err
	}
	use, err := s.templateUsed(ctx, account, c.Of)
	if err != nil {
		return "", err
	}
	// A draft whose files are still to be copied is empty: if copying fails, it has no recipient and cannot be sent.
	made, err := In(s.Store).Drafts.beginShipment(ctx, account, by, c.Key, dispatch.DraftFields{}, use, MadeFrom{Source: c.Of, Origin: c.Origin})
	if err != nil {
		return made, err
	}
	d, err := In(s.Store).Drafts.ByID(ctx, account, made, by.User)
	if err != nil || d.Version > 1 {
		return made, err // sent, or created before
	}
	if err := s.fillCopy(ctx, account, by, d, sent, c); err != nil && !errors.Is(err, store.ErrStale) {
		return "", errors.Join(err, In(s.Store).Drafts.Discard(context.WithoutCancel(ctx), account, dispatch.KindShipment, made, by))
	}
	return made, nil
}

// SentFields returns the form of a sent shipment: one's own, or a colleague's for a reason.
func (s Shipments) SentFields(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, by store.Actor) (f dispatch.DraftFields, err error) {
	if !store.ValidID(id) {
		return f, store.ErrNotFound
	}
	var sealed []byte
	err = s.Get(ctx, &sealed, `
		SELECT h.form FROM items it JOIN shipments h ON h.item_id = it.id
		WHERE it.id = $1 AND it.account_id = $2 AND (it.created_by = $3 OR $4 <> '') AND it.state <> 'draft' AND h.content <> ''`, id, account, by.User, by.Reason)
	if err != nil {
		return f, store.NotFound(err)
	}
	return s.formOf(ctx, account, id, sealed)
}

// formOf opens the form of a sent shipment. If none is stored, it is what the shipment itself tells.
func (s Shipments) formOf(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, sealed []byte) (dispatch.DraftFields, error) {
	f, err := s.openFields(sealed, store.FormPlace(id))
	if err != nil || !f.Blank() {
		return f, err
	}
	it, err := s.ByID(ctx, account, id)
	return dispatch.FieldsOf(it.Shipment), err
}

// CopiedFields returns the form of the shipment of which one's own draft is a copy, whoever created the draft: it may
// have been handed over, and its form is a copy of that one anyway.
func (s Shipments) CopiedFields(ctx context.Context, account dispatch.AccountID, draft dispatch.ItemID, user dispatch.UserID) (f dispatch.DraftFields, err error) {
	var from struct {
		ID   dispatch.ItemID `db:"id"`
		Form []byte          `db:"form"`
	}
	err = s.Get(ctx, &from, `
		SELECT o.item_id AS id, o.form
		FROM items it JOIN shipments h ON h.item_id = it.id JOIN shipments o ON o.item_id = h.copy_of AND o.account_id = it.account_id
		WHERE it.id = $1 AND it.account_id = $2 AND it.created_by = $3 AND it.state = 'draft' AND o.content <> ''`, draft, account, user)
	if err != nil {
		return f, store.NotFound(err)
	}
	return s.formOf(ctx, account, from.ID, from.Form)
}

// fillCopy gives a copy its files and its form. ErrStale when a concurrent post of the same form was faster.
func (s Shipments) fillCopy(ctx context.Context, account dispatch.AccountID, by store.Actor, d dispatch.Draft, sent dispatch.DraftFields, c Copy) error {
	documents, err := s.Documents(ctx, account, c.Of)
	if err != nil {
		return err
	}
	for _, document := range documents {
		if err := s.copyDocument(ctx, account, d.Item.ID, by, document); err != nil && !errors.Is(err, ErrName) {
			return err
		}
	}
	copies, err := s.Documents(ctx, account, d.Item.ID)
	if err != nil {
		return err
	}
	files := sameNames(documents, copies)
	for _, document := range documents {
		if document.Slice > 0 { // the form knows it as the divided file
			divided, err := s.dividedFor(ctx, account, c.Of)
			if err != nil {
				return err
			}
			files[divided] = files[document.ID]
		}
	}
	var reference string // as it was sent: a generated reference is not in the form
	if err := s.Get(ctx, &reference, `SELECT external_reference FROM shipments WHERE item_id = $1 AND account_id = $2`, c.Of, account); err != nil {
		return store.NotFound(err)
	}
	d.Fields, d.CopyOf = c.fields(sent, files), c.Of
	return In(s.Store).Drafts.saveCopy(ctx, account, d, by, reference)
}

// copyDocument seals a file once more, for its copy. The reading is copied too.
func (s Shipments) copyDocument(ctx context.Context, account dispatch.AccountID, to dispatch.ItemID, by store.Actor, document dispatch.Document) error {
	content := s.Content(ctx, account, document)
	defer content.Close()
	_, err := In(s.Store).Documents.Add(ctx, Upload{
		Account: account, Item: to, User: by.User, FileName: document.FileName, Content: content,
		Inspect: func(context.Context, func() io.Reader, int64) (dispatch.Document, error) { return document, nil },
	})
	return err
}

// dividedFor returns the file that was divided for the job of a shipment.
func (s Shipments) dividedFor(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID) (divided dispatch.DocumentID, err error) {
	err = s.Get(ctx, &divided, `
		SELECT j.split_document FROM items it JOIN jobs j ON j.id = it.job_id
		WHERE it.id = $1 AND it.account_id = $2 AND j.split_document IS NOT NULL`, id, account)
	return divided, err
}

// sameNames maps each document to its copy by name, which is unique within a shipment.
func sameNames(documents, copies []dispatch.Document) map[dispatch.DocumentID]dispatch.DocumentID {
	byName := map[string]dispatch.DocumentID{}
	for _, c := range copies {
		byName[c.FileName] = c.ID
	}
	of := map[dispatch.DocumentID]dispatch.DocumentID{}
	for _, d := range documents {
		of[d.ID] = byName[d.FileName]
	}
	return of
}

// templateUsed is the template of a shipment: its rules, such as approval, apply to a copy too.
func (s Shipments) templateUsed(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID) (dispatch.TemplateUse, error) {
	var row shipmentTemplateRow
	err := s.Get(ctx, &row, `SELECT `+shipmentTemplateColumns+` FROM shipments h`+shipmentTemplateJoin+` WHERE h.item_id = $1 AND h.account_id = $2`, id, account)
	return row.use(), store.NotFound(err)
}
