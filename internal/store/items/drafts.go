package items

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// Create creates a draft. The form key is an idempotency key.
func (s Drafts) Create(ctx context.Context, account dispatch.AccountID, by store.Actor, formKey string, fields dispatch.DraftFields) (dispatch.ItemID, error) {
	return s.beginShipment(ctx, account, by, formKey, fields, dispatch.TemplateUse{}, MadeFrom{})
}

// CreateFrom is Create for a draft with a source.
func (s Drafts) CreateFrom(ctx context.Context, account dispatch.AccountID, by store.Actor, formKey string, fields dispatch.DraftFields, from MadeFrom) (dispatch.ItemID, error) {
	return s.beginShipment(ctx, account, by, formKey, fields, dispatch.TemplateUse{}, from)
}

// Begin is Create for a draft with the choices of a template.
func (s Drafts) Begin(ctx context.Context, account dispatch.AccountID, by store.Actor, formKey string, fields dispatch.DraftFields, use dispatch.TemplateUse) (dispatch.ItemID, error) {
	return s.beginShipment(ctx, account, by, formKey, fields, use, MadeFrom{})
}

func (s Drafts) beginShipment(ctx context.Context, account dispatch.AccountID, by store.Actor, formKey string, fields dispatch.DraftFields, use dispatch.TemplateUse, from MadeFrom) (dispatch.ItemID, error) {
	fresh, err := store.NewID()
	if err != nil {
		return "", err
	}
	id := dispatch.ItemID(fresh)
	sealed, err := s.sealFields(fields, store.FormPlace(id))
	if err != nil {
		return "", err
	}
	err = s.InTx(ctx, func(tx *sqlx.Tx) error {
		return insertShipment(ctx, tx, account, by, newShipment{id, formKey, sealed, fields.OwnTitle(), fields.RecipientName(), use, from})
	})
	if store.Violates(err, "items_form_key") {
		err = s.DB.GetContext(ctx, &id, `SELECT id FROM items WHERE account_id = $1 AND created_by = $2 AND form_key = $3 AND kind = 'shipment' AND job_id IS NULL`, account, by.User, formKey)
	}
	return id, err
}

// newShipment is a draft to be stored.
type newShipment struct {
	id          dispatch.ItemID
	key         string // form key
	fields      []byte // sealed
	title, name string // of the recipient
	use         dispatch.TemplateUse
	from        MadeFrom
}

func insertShipment(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, by store.Actor, n newShipment) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO items (id, account_id, kind, created_by, form_key) VALUES ($1, $2, 'shipment', $3, $4)`,
		n.id, account, by.User, n.key)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `
		INSERT INTO shipments (item_id, account_id, form, template_id, template_version, title, recipient_name) VALUES ($1, $2, $3, $4, nullif($5, 0), $6, $7)`,
		n.id, account, n.fields, store.Null(n.use.ID), n.use.Version, n.title, n.name); err != nil {
		return err
	}
	if err := dropUntouched(ctx, tx, account, by.User); err != nil {
		return err
	}
	if err := store.AddEvent(ctx, tx, store.Event{Item: n.id, Account: account, Kind: dispatch.EventCreated, Actor: by.User}); err != nil {
		return err
	}
	if err := store.RoomForDraft(ctx, tx, account, by.User, dispatch.KindShipment); err != nil {
		return err
	}
	return noteFrom(ctx, tx, account, n.id, by, n.from)
}

// ByID returns one's own draft; ErrChanged when it has been sent.
func (s Drafts) ByID(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, user dispatch.UserID) (dispatch.Draft, error) {
	if !store.ValidID(id) {
		return dispatch.Draft{}, store.ErrNotFound
	}
	var row struct {
		store.ItemRow
		Version  int             `db:"version"`
		Saved    *time.Time      `db:"saved_at"`
		Form     []byte          `db:"form"`
		CopyOf   dispatch.ItemID `db:"copy_of"`
		HandedBy string          `db:"handed_by"`
		HandedAt *time.Time      `db:"handed_at"`
		shipmentTemplateRow
	}
	err := s.Get(ctx, &row, `
		SELECT `+store.ItemColumns+`, h.version, CASE WHEN h.version > 1 THEN h.changed_at END AS saved_at, h.form, coalesce(h.copy_of::text, '') AS copy_of,
		       coalesce((SELECT g.name FROM users g WHERE g.id = h.handed_by), '') AS handed_by, h.handed_at, `+shipmentTemplateColumns+`
		FROM items it JOIN shipments h ON h.item_id = it.id`+store.ItemJoins+shipmentTemplateJoin+`
		WHERE it.id = $1 AND it.account_id = $2 AND it.created_by = $3`, id, account, user)
	if err != nil {
		return dispatch.Draft{}, store.NotFound(err)
	}
	d := dispatch.Draft{Item: row.Domain(), Version: row.Version, SavedAt: store.Deref(row.Saved), CopyOf: row.CopyOf, Template: row.use(), TemplateName: row.TemplateName,
		HandedBy: row.HandedBy, HandedAt: store.Deref(row.HandedAt)}
	if d.Item.State != dispatch.StateDraft {
		return d, store.ErrChanged
	}
	if d.Fields, err = s.openFields(row.Form, store.FormPlace(id)); err != nil {
		return d, err
	}
	d.Documents, err = s.Documents(ctx, account, id)
	return d, err
}

// Save stores the form of one's own draft, and its source. ErrStale when its version is no longer the
// one that was read: another tab has saved.
func (s Drafts) Save(ctx context.Context, account dispatch.AccountID, d *dispatch.Draft, by store.Actor) error {
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		if err := lockOwn(ctx, tx, account, d.Item.ID, by.User, dispatch.KindShipment); err != nil {
			return err
		}
		return s.saveShipmentDraft(ctx, tx, account, d)
	})
}

// saveShipmentDraft stores the form of a locked draft, and updates its version. ErrStale when another page has changed the draft since the
// version sent. A save that changes nothing keeps the version: a browser may send the same fields twice when it leaves a page, and
// that must not be a conflict for a page opened since.
func (s Drafts) saveShipmentDraft(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, d *dispatch.Draft) error {
	page := d.By.Page
	if !store.ValidID(page) {
		page = ""
	}
	var stored struct {
		Version int             `db:"version"`
		Form    []byte          `db:"form"`
		CopyOf  dispatch.ItemID `db:"copy_of"`
	}
	err := tx.GetContext(ctx, &stored, `
		SELECT version, form, coalesce(copy_of::text, '') AS copy_of FROM shipments
		WHERE item_id = $1 AND account_id = $2 AND (version = $3 OR version = saved_version AND saved_by = $4 AND saved_number < $5)`,
		d.Item.ID, account, d.Version, store.Null(page), d.By.Number)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return store.ErrStale
	case err != nil:
		return err
	}
	d.Version = stored.Version
	if equal, err := s.equalFields(stored.Form, d); err != nil || equal && stored.CopyOf == d.CopyOf {
		return err
	}
	sealed, err := s.sealFields(d.Fields, store.FormPlace(d.Item.ID))
	if err != nil {
		return err
	}
	return tx.GetContext(ctx, &d.Version, `
		UPDATE shipments SET form = $3, title = $4, recipient_name = $5, copy_of = $6, version = version + 1, changed_at = now(),
		    saved_by = $7, saved_number = $8, saved_version = version + 1
		WHERE item_id = $1 AND account_id = $2
		RETURNING version`,
		d.Item.ID, account, sealed, d.Fields.OwnTitle(), d.Fields.RecipientName(), store.Null(d.CopyOf), store.Null(page), d.By.Number)
}

// equalFields reports whether the sealed form of a draft holds the fields that it is about to be saved with.
func (s Drafts) equalFields(sealed []byte, d *dispatch.Draft) (bool, error) {
	stored, err := s.openFields(sealed, store.FormPlace(d.Item.ID))
	if err != nil {
		return false, err
	}
	before, err := json.Marshal(stored.Lean())
	if err != nil {
		return false, err
	}
	after, err := json.Marshal(d.Fields.Lean())
	return bytes.Equal(before, after), err
}

// saveOptions stores the choices for a file.
func saveOptions(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.ItemID, d dispatch.Document) error {
	pages := d.GiroPages
	if pages == nil {
		pages = []int{}
	}
	_, err := tx.ExecContext(ctx, `
		UPDATE documents SET giro_pages = $4, exclude_from_print = $5, sensitive = $6, document_type = $7
		WHERE id = $1 AND item_id = $2 AND account_id = $3`, d.ID, id, account, pq.Array(pages), d.ExcludeFromPrint, d.Sensitive, d.Type)
	return err
}

// untouched is store.Untouched for a draft it, h.
var untouched = store.Untouched("it", "h")

// untouchedMost bounds the untouched drafts of a user on an account, which no list shows: the oldest is deleted.
const untouchedMost = 20

// dropUntouched deletes the user's oldest untouched drafts. One that is being saved is locked, and skipped.
func dropUntouched(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, user dispatch.UserID) error {
	_, err := tx.ExecContext(ctx, fmt.Sprintf(`
		DELETE FROM items WHERE account_id = $1 AND id IN (
			SELECT it.id FROM items it JOIN shipments h ON h.item_id = it.id
			WHERE it.account_id = $1 AND it.kind = 'shipment' AND it.created_by = $2 AND it.state = 'draft' AND %s
			ORDER BY it.created_at DESC, it.id DESC OFFSET %d
			FOR UPDATE OF it, h SKIP LOCKED)`, untouched, untouchedMost), account, user)
	return err
}

// DraftRow is a draft in a list.
type DraftRow struct {
	store.DraftList
	ID            dispatch.ItemID `db:"id"`
	ChangedAt     time.Time       `db:"changed_at"`
	Files         int             `db:"files"`
	FirstFile     string          `db:"first_file"`
	HandedBy      string          `db:"handed_by"` // name of the colleague who handed it over; empty: nobody
	Title         string          `db:"title"`
	RecipientName string          `db:"recipient_name"`

	Waiting    bool   `db:"waiting"`     // for approval
	ReturnedBy string `db:"returned_by"` // name of the colleague who did not approve it
}

// List returns a user's drafts on an account, last changed first, without those that were opened and left.
func (s Drafts) List(ctx context.Context, account dispatch.AccountID, user dispatch.UserID) ([]DraftRow, error) {
	var rows []DraftRow
	err := s.Select(ctx, &rows, `
		SELECT it.id, h.title, h.recipient_name, coalesce((SELECT g.name FROM users g WHERE g.id = h.handed_by), '') AS handed_by,
		       greatest(h.changed_at, h.handed_at, f.last) AS changed_at, f.files, f.first_file,
		       `+store.DraftListColumns+`,
		       EXISTS (SELECT FROM approvals p WHERE p.state = 'waiting' AND (`+store.ApprovalOfDraft+`)) AS waiting, `+store.ReturnedBy(store.ApprovalOfDraft)+` AS returned_by
		FROM items it JOIN shipments h ON h.item_id = it.id
		CROSS JOIN LATERAL (
			SELECT count(*) AS files, max(d.created_at) AS last, coalesce((array_agg(d.file_name ORDER BY d.position))[1], '') AS first_file
			FROM documents d WHERE d.item_id = it.id AND d.complete) f`+store.DraftListJoin+`
		WHERE it.account_id = $1 AND it.kind = 'shipment' AND it.created_by = $2 AND it.state = 'draft' AND NOT (`+untouched+`)
		ORDER BY changed_at DESC, it.id DESC
		LIMIT 500`, account, user) // more than the limit on drafts, since colleagues hand drafts over
	return rows, err
}

// Queue sends one's own draft with its parsed content: it is due after the account's undo window, or at its own time if
// that is later. ErrStale when the draft has changed since its review, ErrChanged when it was sent before, ErrMany when it has a
// list, ErrSecond when the recipient would get two, ErrApproval when a colleague must approve it.
func (s Drafts) Queue(ctx context.Context, account dispatch.Account, id dispatch.ItemID, by store.Actor, version int, content dispatch.Shipment) error {
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		of, err := lockReviewedShipment(ctx, tx, account, id, by, version, content)
		if err != nil {
			return err
		}
		if err := mayReplaceOne(ctx, tx, account.ID, id, by.Anyway); err != nil {
			return err
		}
		if err := In(s.Store).reviews.mayGo(ctx, tx, account.ID, of); err != nil {
			return err
		}
		return asProtected(s.sendShipment(ctx, tx, account, id, by, version, content))
	})
}

// sendShipment queues a locked draft with its parsed content.
func (s Drafts) sendShipment(ctx context.Context, tx *sqlx.Tx, account dispatch.Account, id dispatch.ItemID, by store.Actor, version int, content dispatch.Shipment) error {
	cost := account.Prices.OfShipment(content)
	err := spend(ctx, tx, account, by, cost.Most())
	if err != nil {
		return err
	}
	if content.ExternalReference, err = fillReference(ctx, tx, account, content.ExternalReference); err != nil {
		return err
	}
	sealed, hash, err := s.sealShipment(id, content)
	if err != nil {
		return err
	}
	n, err := store.Affected(tx.ExecContext(ctx, `
		UPDATE shipments SET content = $4, title = $5, recipient_name = $6, source_system = $7, billing_code = $8,
		    external_reference = $9, digital_only = $10, number_hash = $11, sign_by = $12, send_at = $13, shipment_type = $14,
		    correlation_id = $15, cost_print = $16, cost_digital = $17, cost_month = `+thisMonth+`
		WHERE item_id = $1 AND account_id = $2 AND version = $3`,
		id, account.ID, version, sealed, content.Title, content.Recipient.Postal.Name, content.SourceSystem, content.BillingCode,
		content.ExternalReference, content.DigitalOnly, hash, store.NullTime(content.SignBy), store.NullTime(content.SendAt), content.Type, content.CorrelationID,
		cost.Print.Ore, cost.Digital.Ore))
	if err != nil {
		return err
	}
	if n == 0 {
		return store.ErrStale
	}
	for _, d := range content.Documents {
		if err := saveOptions(ctx, tx, account.ID, id, d); err != nil {
			return err
		}
	}
	if err := dropOriginals(ctx, tx, account.ID, id); err != nil {
		return err
	}
	if _, err := queueShipment(ctx, tx, account, id, dispatch.StateDraft, content.SendAt); err != nil {
		return err
	}
	if err := store.AddEvent(ctx, tx, store.Event{Item: id, Account: account.ID, Kind: dispatch.EventQueued, Actor: by.User}); err != nil {
		return err
	}
	return store.Record(ctx, tx, store.Audit{Actor: by.User, Account: account.ID, Action: "shipment.send", Object: string(id), Origin: by.Origin})
}

// Discard deletes one's own draft of a kind; ErrChanged when it is no longer a draft.
func (s Drafts) Discard(ctx context.Context, account dispatch.AccountID, kind dispatch.Kind, id dispatch.ItemID, by store.Actor) error {
	if !store.ValidID(id) {
		return store.ErrNotFound
	}
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		if err := lockShipmentJob(ctx, tx, account, id); err != nil { // its list is deleted too
			return err
		}
		if err := lockOwn(ctx, tx, account, id, by.User, kind); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM items WHERE id = $1 AND account_id = $2 AND state = 'draft'`, id, account); err != nil {
			return err
		}
		return store.Record(ctx, tx, store.Audit{Actor: by.User, Account: account, Action: "item.discard", Object: string(id), Origin: by.Origin})
	})
}

// saveCopy stores the form of a copy. If the original's reference (of) was generated, the copy gets the next one, unless it gets
// one when it is sent.
func (s Drafts) saveCopy(ctx context.Context, id dispatch.AccountID, d dispatch.Draft, by store.Actor, of string) error {
	account, drawn, err := s.drawnReference(ctx, id, of)
	switch {
	case err != nil:
		return err
	case drawn:
		d.Fields.ExternalReference = ""
	}
	if drawn && !account.References.Fill && !d.Fields.ReferenceEach {
		return s.SaveWithReference(ctx, account, &d, by)
	}
	return s.Save(ctx, id, &d, by)
}

// SaveWithReference is Save with a generated reference if none is typed. The number is taken now: if the draft is
// discarded, it is skipped.
func (s Drafts) SaveWithReference(ctx context.Context, account dispatch.Account, d *dispatch.Draft, by store.Actor) error {
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		if err := lockOwn(ctx, tx, account.ID, d.Item.ID, by.User, dispatch.KindShipment); err != nil {
			return err
		}
		if account.References.Makes() && strings.TrimSpace(d.Fields.ExternalReference) == "" {
			drawn, err := drawReferences(ctx, tx, account.ID, account.References, 1)
			if err != nil {
				return err
			}
			d.Fields.ExternalReference = drawn[0]
		}
		return s.saveShipmentDraft(ctx, tx, account.ID, d)
	})
}

// drawnReference tells whether a reference was generated by the account's pattern, and returns the current account.
//
// Assumption: a reference by a former pattern counts as typed.
func (s Drafts) drawnReference(ctx context.Context, id dispatch.AccountID, reference string) (account dispatch.Account, drawn bool, err error) {
	var row store.AccountRow
	if err := s.Get(ctx, &row, `SELECT `+store.AccountColumns+` FROM accounts a WHERE a.id = $1`, id); err != nil {
		return account, false, store.NotFound(err)
	}
	account = row.Domain()
	year, number, ok := account.References.Number(strings.TrimSpace(reference))
	if !ok {
		return account, false, nil
	}
	err = s.Get(ctx, &drawn, `SELECT EXISTS (SELECT FROM reference_numbers WHERE account_id = $1 AND year = $2 AND last >= $3)`, id, year, number)
	return account, drawn, err
}
