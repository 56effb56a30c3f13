package items

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// ErrFaulty: something must be corrected first, either rows of a list that are not left out, or problems of a copy. ErrUnseen: a
// doubtful slice was not looked at.
var (
	ErrFaulty = errors.New("something has to be corrected first")
	ErrUnseen = errors.New("a part in doubt was not looked at")
)

// Create creates the job of one's own draft of a shipment, or returns the existing one.
func (s ShipmentJobs) Create(ctx context.Context, account dispatch.AccountID, draft dispatch.ItemID, by store.Actor) (dispatch.JobID, error) {
	fresh, err := store.NewID()
	if err != nil {
		return "", err
	}
	var id dispatch.JobID
	return id, s.InTx(ctx, func(tx *sqlx.Tx) error {
		if err := lockOwn(ctx, tx, account, draft, by.User, dispatch.KindShipment); err != nil {
			return err
		}
		return tx.GetContext(ctx, &id, `
			INSERT INTO jobs (id, account_id, created_by, form_key, kind, draft_id) VALUES ($1, $2, $3, $4, 'shipment', $4)
			ON CONFLICT (account_id, created_by, form_key, kind) DO UPDATE SET form_key = excluded.form_key
			RETURNING id`, fresh, account, by.User, draft)
	})
}

// ByID returns the job created for one's own draft of a shipment, even after it has been sent; ErrNotFound
// without one.
func (s ShipmentJobs) ByID(ctx context.Context, account dispatch.AccountID, draft dispatch.ItemID, user dispatch.UserID) (dispatch.Job, error) {
	if !store.ValidID(draft) {
		return dispatch.Job{}, store.ErrNotFound
	}
	var row jobRow
	err := s.Get(ctx, &row, selectJob+` WHERE j.form_key = $1 AND j.account_id = $2 AND j.created_by = $3 AND j.kind = 'shipment'`, draft, account, user)
	if err != nil {
		return dispatch.Job{}, store.NotFound(err)
	}
	return s.openJob(row)
}

// Drop removes the list from one's own draft of a shipment.
func (s ShipmentJobs) Drop(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, by store.Actor) error {
	return In(s.Store).Jobs.changeJobDraft(ctx, account, id, by, func(tx *sqlx.Tx, _ dispatch.Job) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM jobs WHERE id = $1 AND account_id = $2`, id, account)
		return err
	})
}

// Checks are the results of checking the rows of a draft against its shipment.
type Checks struct {
	As   string            // version of the shipment and the rules
	Rows []dispatch.JobRow // whose result changed, and those with a doubtful slice
	Giro map[int][]int     // giro pages by number of the slice, if a column of the list has them
}

// KeepChecks stores the results of checking the rows of one's own draft. revision is that of the job when its rows were read:
// ErrStale when it has changed since.
func (s ShipmentJobs) KeepChecks(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, by store.Actor, revision string, c Checks) error {
	return In(s.Store).Jobs.changeJobDraft(ctx, account, id, by, func(tx *sqlx.Tx, j dispatch.Job) error {
		if j.Revision != revision {
			return store.ErrStale
		}
		if err := In(s.Store).Slices.keepDoubts(ctx, tx, id, c.Rows); err != nil {
			return err
		}
		if err := keepGiro(ctx, tx, j, c.Giro); err != nil {
			return err
		}
		for _, r := range c.Rows {
			if err := In(s.Store).Rows.writeRow(ctx, tx, id, r); err != nil {
				return err
			}
		}
		if err := countRows(ctx, tx, id); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `UPDATE jobs SET looked = $2 WHERE id = $1`, id, c.As)
		return err
	})
}

// LeaveOutFaulty leaves out all faulty rows of one's own draft.
func (s ShipmentJobs) LeaveOutFaulty(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, by store.Actor) error {
	return In(s.Store).Jobs.changeJobDraft(ctx, account, id, by, func(tx *sqlx.Tx, j dispatch.Job) error {
		_, err := tx.ExecContext(ctx, `UPDATE job_rows SET problem = $2 WHERE job_id = $1 AND problem NOT IN ('', $2)`, id, dispatch.ProblemLeftOut)
		if err != nil {
			return err
		}
		return rowsChanged(ctx, tx, j)
	})
}

// Shipment is the common part of all shipments of a job: the content without a recipient, and the form.
type Shipment struct {
	Content       dispatch.Shipment
	Fields        dispatch.DraftFields
	ChecksVersion string // version of the shipment and rules against which the rows were checked
}

// print distinguishes shipments to the same list.
func (l Shipment) print() string {
	words := []string{l.Content.Title}
	for _, d := range l.Content.Documents {
		words = append(words, d.SHA256)
	}
	return strings.Join(words, "\x00")
}

// SameToday returns a job that has sent the same shipment to the same list today, if the viewer may know; zero: none.
func (s ShipmentJobs) SameToday(ctx context.Context, j dispatch.Job, l Shipment) (dispatch.SameJob, error) {
	j.Text = l.print()
	return In(s.Store).SMSJobs.SameToday(ctx, j)
}

// Send sends one's own draft: its files and form become the job's, the draft is deleted, and shipments are made in the
// background. They are due after the account's undo window, or at their own time if that is later. ErrFaulty when a faulty row is
// not left out; ErrUnseen when a doubtful slice was not looked at; ErrStale when something has changed since rows were checked;
// unless anyway is set, ErrRepeated when the same was sent earlier today and ErrSecond when its original was replaced; ErrChanged when
// it is no longer a draft; ErrApproval when a colleague must approve it.
func (s ShipmentJobs) Send(ctx context.Context, account dispatch.Account, id dispatch.JobID, by store.Actor, l Shipment, anyway bool) error {
	return In(s.Store).Jobs.changeJobDraft(ctx, account.ID, id, by, func(tx *sqlx.Tx, j dispatch.Job) error {
		fingerprint, err := s.readyShipments(ctx, tx, j, l, anyway)
		if err != nil {
			return err
		}
		of, err := shipmentsSending(ctx, tx, account, j, l.Content)
		if err != nil {
			return err
		}
		if err := In(s.Store).reviews.mayGo(ctx, tx, account.ID, of); err != nil {
			return err
		}
		return s.sendShipments(ctx, tx, account, j, by, l, fingerprint)
	})
}

// readyShipments makes sure that a locked draft can be sent as it was checked, locks the common draft, and returns the fingerprint.
func (s ShipmentJobs) readyShipments(ctx context.Context, tx *sqlx.Tx, j dispatch.Job, l Shipment, anyway bool) ([]byte, error) {
	switch {
	case j.List.Valid == 0:
		return nil, ErrEmpty
	case j.ChecksVersion == "" || j.ChecksVersion != l.ChecksVersion:
		return nil, store.ErrStale
	case j.List.Faulty() > 0:
		return nil, ErrFaulty
	}
	if n, _, err := unseenSlices(ctx, tx, j.AccountID, j.ID); err != nil || n > 0 {
		return nil, errors.Join(err, when(n > 0, ErrUnseen))
	}
	if err := eachHasOne(ctx, tx, j); err != nil {
		return nil, err
	}
	if err := errors.Join(mayReach(ctx, tx, j.ID, j.CreatedBy), mayReplace(ctx, tx, j), mayReplaceOne(ctx, tx, j.AccountID, j.Draft, anyway)); err != nil {
		return nil, err
	}
	if err := lockOwn(ctx, tx, j.AccountID, j.Draft, j.CreatedBy, dispatch.KindShipment); err != nil {
		return nil, err
	}
	named := j
	named.Text = l.print()
	fingerprint, err := In(s.Store).SMSJobs.fingerprint(ctx, tx, named)
	if err != nil {
		return nil, err
	}
	before, err := sameToday(ctx, tx, j, fingerprint)
	return fingerprint, errors.Join(err, when(before.ID != "" && !anyway, ErrRepeated))
}

// sendShipments starts a locked draft.
func (s ShipmentJobs) sendShipments(ctx context.Context, tx *sqlx.Tx, account dispatch.Account, j dispatch.Job, by store.Actor, l Shipment, fingerprint []byte) error {
	if err := s.takeDraft(ctx, tx, j, l); err != nil {
		return err
	}
	return s.startShipments(ctx, tx, account, j, by, l, fingerprint)
}

// takeDraft moves a draft's files to its job, and deletes the draft. ErrStale when the files are not those of the shipment.
func (s ShipmentJobs) takeDraft(ctx context.Context, tx *sqlx.Tx, j dispatch.Job, l Shipment) error {
	var ids []dispatch.DocumentID
	err := tx.SelectContext(ctx, &ids, `SELECT id FROM documents WHERE item_id = $1 AND account_id = $2 AND complete ORDER BY position, id`, j.Draft, j.AccountID)
	if err != nil {
		return err
	}
	for _, d := range l.Content.Documents {
		if i := slices.Index(ids, d.ID); i >= 0 {
			ids = slices.Delete(ids, i, i+1)
		} else if d.ID != j.Division.Document || !j.Division.Absent() {
			return store.ErrStale
		}
		if err := saveOptions(ctx, tx, j.AccountID, j.Draft, d); err != nil {
			return err
		}
		if d.ID == j.Division.Document {
			if err := saveSliceOptions(ctx, tx, j, d); err != nil {
				return err
			}
		}
	}
	if len(ids) > 0 {
		return store.ErrStale
	}
	if err := dropOriginals(ctx, tx, j.AccountID, j.Draft); err != nil {
		return err
	}
	for _, statement := range []string{
		`UPDATE documents SET item_id = NULL, job_id = $1 WHERE item_id = $2 AND account_id = $3 AND complete AND id IS DISTINCT FROM (SELECT split_document FROM jobs WHERE id = $1)`,
		`UPDATE jobs j SET draft_id = NULL, template_id = h.template_id, template_version = h.template_version FROM shipments h
		 WHERE j.id = $1 AND j.draft_id = $2 AND j.account_id = $3 AND h.item_id = j.draft_id AND h.account_id = j.account_id`,
		`DELETE FROM items WHERE id = $2 AND account_id = $3 AND state = 'draft' AND $1::uuid IS NOT NULL`,
	} {
		if _, err := tx.ExecContext(ctx, statement, j.ID, j.Draft, j.AccountID); err != nil {
			return err
		}
	}
	return nil
}

// saveSliceOptions applies the choices for a divided file to its slices. Giro pages from the list are stored already.
func saveSliceOptions(ctx context.Context, tx *sqlx.Tx, j dispatch.Job, d dispatch.Document) error {
	_, err := tx.ExecContext(ctx, `
		UPDATE documents SET giro_pages = CASE WHEN $7 THEN giro_pages ELSE $3::integer[] END, exclude_from_print = $4, sensitive = $5, document_type = $6
		WHERE job_id = $1 AND account_id = $2 AND part > 0`,
		j.ID, j.AccountID, pq.Array(append([]int{}, d.GiroPages...)), d.ExcludeFromPrint, d.Sensitive, d.Type, j.Division.Giro != "")
	return err
}

// startShipments starts a job of shipments.
func (s ShipmentJobs) startShipments(ctx context.Context, tx *sqlx.Tx, account dispatch.Account, j dispatch.Job, by store.Actor, l Shipment, fingerprint []byte) error {
	var now time.Time
	if err := tx.GetContext(ctx, &now, `SELECT now()`); err != nil {
		return err
	}
	cost, err := listCost(ctx, tx, account, j, l.Content)
	if err != nil {
		return err
	}
	if err := spend(ctx, tx, account, by, cost.Most); err != nil {
		return err
	}
	if err := keepCosts(ctx, tx, j.ID, cost); err != nil {
		return err
	}
	all := account.Prices.OfShipment(l.Content)
	if !l.Fields.ReferenceEach { // otherwise references are generated when the shipments are made
		reference, err := fillReference(ctx, tx, account, l.Content.ExternalReference)
		if err != nil {
			return err
		}
		if reference != l.Content.ExternalReference {
			l.Content.ExternalReference, l.Fields.ExternalReference = reference, reference
		}
	}
	plain, err := store.MarshalShipment(l.Content)
	if err != nil {
		return fmt.Errorf("shipment of a job: %w", err)
	}
	pattern, err := s.Keys.Seal(plain, store.PatternPlace(j.ID))
	if err != nil {
		return err
	}
	form, err := s.sealFields(l.Fields, store.PatternFormPlace(j.ID))
	if err != nil {
		return err
	}
	content, err := s.sealJob(j.ID, jobContent{Text: l.Content.Title, Columns: j.Columns, Reading: j.Reading.Recipients(), Column: j.Division.Column, Giro: j.Division.Giro})
	if err != nil {
		return err
	}
	due := account.Planned(dispatch.Timing{SendAt: l.Content.SendAt, Urgent: true}, now) // an account's daytime is for SMS
	_, err = tx.ExecContext(ctx, `
		UPDATE jobs SET state = 'running', sent_at = now(), due_at = now() + $3 * interval '1 second', recipients = $4, fingerprint = $5, restored_at = NULL,
		    pattern = $6, pattern_form = $7, content = $8, send_at = $9, cost_print = $10, cost_digital = $11,
		    reference_pattern = $12, reference_unit = $13
		WHERE id = $1 AND account_id = $2`, j.ID, account.ID, due.Sub(now).Seconds(), j.List.Valid, fingerprint, pattern, form, content, store.NullTime(l.Content.SendAt),
		all.Print.Ore, all.Digital.Ore, account.References.Pattern, account.References.Unit)
	if err != nil {
		return err
	}
	if err := dropSentList(ctx, tx, j.ID); err != nil {
		return err
	}
	return store.Record(ctx, tx, store.Audit{Actor: by.User, Account: account.ID, Action: "job.send", Object: string(j.ID),
		Details: map[string]any{"recipients": j.List.Valid, "kind": dispatch.KindShipment, "draft": j.Draft}, Origin: by.Origin})
}

// Common is what all shipments of a sent job have in common; of files, only ids.
func (s ShipmentJobs) Common(ctx context.Context, account dispatch.AccountID, id dispatch.JobID) (content dispatch.Shipment, err error) {
	j, err := In(s.Store).Jobs.ByID(ctx, account, id)
	if err != nil {
		return content, err
	}
	return content, s.InTx(ctx, func(tx *sqlx.Tx) error {
		p, err := s.openPattern(ctx, tx, j)
		content = p.content
		return err
	})
}

// openPattern opens what all shipments of a job have in common. The divided file has the id that the form uses.
func (s ShipmentJobs) openPattern(ctx context.Context, tx *sqlx.Tx, j dispatch.Job) (p pattern, err error) {
	var sealed struct {
		Pattern []byte `db:"pattern"`
		Form    []byte `db:"pattern_form"`
		Slices  []byte `db:"slice_costs"`
		shipmentCost
	}
	if err := tx.GetContext(ctx, &sealed, `SELECT pattern, pattern_form, slice_costs, cost_print, cost_digital, (`+thisMonth+`)::text AS month FROM jobs WHERE id = $1`, j.ID); err != nil {
		return p, err
	}
	if p.cost = sealed.shipmentCost; json.Unmarshal(sealed.Slices, &p.slices) != nil {
		return p, fmt.Errorf("costs of job %s cannot be read", j.ID)
	}
	plain, err := s.Keys.Open(sealed.Pattern, store.PatternPlace(j.ID))
	if err != nil {
		return p, err
	}
	if p.form, err = s.Keys.Open(sealed.Form, store.PatternFormPlace(j.ID)); err != nil {
		return p, err
	}
	if err := json.Unmarshal(p.form, &p.fields); err != nil {
		return p, fmt.Errorf("form of job %s: %w", j.ID, err)
	}
	var documents []dispatch.Document
	err = tx.SelectContext(ctx, &documents, `SELECT id FROM documents WHERE job_id = $1 AND part = 0`, j.ID)
	p.divided = -1
	if j.Division.Document != "" {
		p.divided = len(documents)
		documents = append(documents, dispatch.Document{ID: j.Division.Document})
	}
	if err == nil {
		p.content, err = store.UnmarshalShipment(plain, documents)
	}
	return p, err
}
