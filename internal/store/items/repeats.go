package items

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// AboutMost is how many shipments one SMS to many can be about.
const AboutMost = 10_000

// About is an SMS to the recipients of shipments.
type About struct {
	Key            string // form key
	Items          []dispatch.ItemID
	Text           string
	DeadlineColumn string // name of the column with each shipment's signing deadline; empty: none
}

// About makes a draft of an SMS to the recipients of shipments, one row per shipment; ErrEmpty when none has a national identity
// number. Opening colleagues' content is logged with the reason. The form key is an idempotency key: a repeated form gets the same
// draft as it is by then, or, once that has been sent, ErrChanged.
func (s Repeats) About(ctx context.Context, account dispatch.AccountID, a About, by store.Actor) (made dispatch.JobID, err error) {
	err = s.InTx(ctx, func(tx *sqlx.Tx) error {
		var fresh bool
		var err error
		if made, fresh, err = createJob(ctx, tx, account, by, a.Key); err != nil || !fresh {
			return err
		}
		rows, err := s.aboutRows(ctx, tx, account, a, by)
		if err != nil {
			return err
		}
		j := dispatch.Job{ID: made, AccountID: account}
		if a.DeadlineColumn != "" {
			j.Columns = []string{dispatch.PlaceholderKey(a.DeadlineColumn)}
		}
		n, err := In(s.Store).Rows.fillJob(ctx, tx, j, List{Columns: j.Columns, Rows: func(do func(dispatch.JobRow) error) error {
			for _, r := range rows {
				if err := do(r); err != nil {
					return err
				}
			}
			return nil
		}})
		if err == nil && n.Read == 0 {
			err = ErrEmpty
		}
		if err != nil {
			return err
		}
		if err := In(s.Store).Rows.saveJobText(ctx, tx, j, JobText{Text: a.Text, Mode: dispatch.ModeTraceable}); err != nil {
			return err
		}
		return store.Record(ctx, tx, store.Audit{Actor: by.User, Account: account, Action: "job.about", Object: string(made), Details: map[string]any{"shipments": len(rows)}, Origin: by.Origin})
	})
	return made, err
}

// aboutRows are the recipients with a national identity number.
func (s Repeats) aboutRows(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, a About, by store.Actor) (rows []dispatch.JobRow, err error) {
	var found []struct {
		ID      dispatch.ItemID `db:"item_id"`
		Content []byte          `db:"content"`
		By      dispatch.UserID `db:"created_by"`
		SignBy  *time.Time      `db:"sign_by"`
	}
	err = tx.SelectContext(ctx, &found, `
		SELECT h.item_id, h.content, it.created_by, h.sign_by FROM shipments h JOIN items it ON it.id = h.item_id
		WHERE it.account_id = $1 AND it.id = ANY($2::uuid[]) AND it.state <> 'draft' AND h.content <> '' AND (it.created_by = $3 OR $4 <> '')
		ORDER BY it.created_at, it.id`, account, pq.Array(a.Items), by.User, by.Reason)
	if err != nil {
		return nil, err
	}
	for _, f := range found {
		to, err := s.recipientOf(f.ID, f.Content)
		if err != nil {
			return nil, err
		}
		number := to.Digital.NationalID
		if number == "" {
			continue
		}
		row := dispatch.JobRow{Position: len(rows) + 1, Recipient: dispatch.SMSRecipient{NationalID: number}, Typed: number.Reveal()}
		if a.DeadlineColumn != "" && f.SignBy != nil {
			row.Fields = []string{f.SignBy.In(dispatch.Oslo).Format("02.01.2006")}
		}
		rows = append(rows, row)
		if f.By == by.User {
			continue
		}
		if err := noteCopied(ctx, tx, account, f.ID, by, map[string]any{}); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// Again creates a draft of one's own job, or a colleague's for a reason, with the recipients that it did not reach: rejected, failed, not
// delivered, or cancelled when it was stopped. Uncertain ones are not among them, nor those in a draft that the actor has: ErrEmpty when nobody is left. The form key is an idempotency key: a repeated form gets the same
// draft, as it is by then. The draft, its list and the line in the event log are one transaction.
func (s Repeats) Again(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, by store.Actor, formKey string) (dispatch.JobID, error) {
	old, err := In(s.Store).Jobs.ByID(ctx, account, id)
	if err != nil {
		return "", err
	}
	if old.CreatedBy != by.User && by.Reason == "" || old.State == dispatch.JobDraft || old.Shipments() {
		return "", store.ErrNotFound
	}
	if old.Purged {
		return "", ErrEmpty
	}
	var made dispatch.JobID
	err = s.InTx(ctx, func(tx *sqlx.Tx) error {
		var fresh bool
		var err error
		if made, fresh, err = createJob(ctx, tx, account, by, formKey); err != nil || !fresh {
			return err
		}
		n, err := In(s.Store).Rows.fillJob(ctx, tx, dispatch.Job{ID: made, AccountID: account}, List{Columns: old.Columns, Found: old.Found, Former: id, Rows: func(do func(dispatch.JobRow) error) error {
			return s.eachFailed(ctx, account, old, by.User, do)
		}})
		if err == nil && n.Read == 0 {
			err = ErrEmpty
		}
		if err != nil {
			return err
		}
		text := JobText{Text: old.Text, SecondText: old.SecondText, Mode: old.Mode, Hide: old.HideInReport, Template: old.Template}
		if err := In(s.Store).Rows.saveJobText(ctx, tx, dispatch.Job{ID: made, AccountID: account, Columns: old.Columns}, text); err != nil {
			return err
		}
		return store.Record(ctx, tx, jobCopied(account, id, by, string(made)))
	})
	return made, err
}

// eachFailed iterates over the rows of a job that were missed, have nothing in their place and are in no draft of the user, each with the item that it replaces. It
// reads with connections of the lists: the caller's transaction holds one of the pages', and many at once could hold them all.
func (s Repeats) eachFailed(ctx context.Context, account dispatch.AccountID, j dispatch.Job, user dispatch.UserID, do func(dispatch.JobRow) error) error {
	for after := -1; ; {
		var list []listRow
		err := s.OfLists.Select(ctx, &list, `
			SELECT r.position, r.content, r.problem, r.unfit, it.id AS replaces FROM job_rows r
			JOIN items it ON it.job_id = r.job_id AND it.job_position = r.position
			WHERE r.job_id = $1 AND it.account_id = $2 AND r.position > $3 AND `+missed(j)+` AND NOT `+store.HasReplacement+` AND NOT `+fmt.Sprintf(drafted, "$4")+`
			ORDER BY r.position
			LIMIT 1000`, j.ID, account, after, user)
		if err != nil || len(list) == 0 {
			return err
		}
		for _, r := range list {
			row, err := s.openRow(j.ID, r)
			if err != nil {
				return err
			}
			row.Unfit = false
			if err := do(row); err != nil {
				return err
			}
			after = r.Position
		}
	}
}

// ShipmentsAgain creates a draft from one's own job, or a colleague's for a reason, to the recipients that it did not reach, with
// copies of the files; ErrEmpty when there are none that the actor's drafts do not have, or their content was purged. The form key is an idempotency key: a repeated
// form gets the same draft, or, once that has been sent, ErrNotFound with its id. On failure no half draft remains, and no draft
// exists without its line in the event log.
func (s Repeats) ShipmentsAgain(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, by store.Actor, formKey string) (dispatch.ItemID, error) {
	old, err := In(s.Store).Jobs.ByID(ctx, account, id)
	if err != nil {
		return "", err
	}
	if old.CreatedBy != by.User && by.Reason == "" || old.State == dispatch.JobDraft || !old.Shipments() {
		return "", store.ErrNotFound
	}
	if old.Purged {
		return "", ErrEmpty
	}
	sent, err := s.patternFields(ctx, old)
	if err != nil {
		return "", err
	}
	made, err := In(s.Store).Drafts.beginShipment(ctx, account, by, formKey, dispatch.DraftFields{}, old.Template, MadeFrom{Job: id})
	if err != nil {
		return made, err
	}
	d, err := In(s.Store).Drafts.ByID(ctx, account, made, by.User)
	if err != nil || d.Version > 1 {
		return made, err // sent, or created before
	}
	if err := s.fillAgain(ctx, old, by, d, sent); err != nil && !errors.Is(err, store.ErrStale) {
		return "", errors.Join(err, In(s.Store).Drafts.Discard(context.WithoutCancel(ctx), account, dispatch.KindShipment, made, by))
	}
	return made, nil
}

// fillAgain adds the files of the old job, the rows that it did not reach with their slices, and last the form: if it
// fails before that, the draft has no recipient and no title and cannot be sent. ErrStale when a concurrent post of
// the same form was faster.
func (s Repeats) fillAgain(ctx context.Context, old dispatch.Job, by store.Actor, d dispatch.Draft, sent dispatch.DraftFields) error {
	files, err := s.copyShared(ctx, old, by, d.Item.ID)
	if err != nil {
		return err
	}
	if old.Division.Document != "" {
		files[old.Division.Document] = old.Division.Document
	}
	d.Fields = sent.Copied(files)
	d.Fields.ReferenceEach = sent.ReferenceEach
	if err := s.listAgain(ctx, old, by, d.Item.ID); err != nil {
		return err
	}
	return In(s.Store).Drafts.saveCopy(ctx, old.AccountID, d, by, sent.ExternalReference)
}

// listAgain adds the rows that the old job did not reach, with their slices.
func (s Repeats) listAgain(ctx context.Context, old dispatch.Job, by store.Actor, draft dispatch.ItemID) error {
	fresh, err := In(s.Store).ShipmentJobs.Create(ctx, old.AccountID, draft, by)
	if err != nil {
		return err
	}
	var rows []int
	n, err := In(s.Store).Rows.Fill(ctx, old.AccountID, fresh, by, List{Columns: old.Columns, Reading: old.Reading.Recipients, Former: old.ID, Rows: func(do func(dispatch.JobRow) error) error {
		return s.eachFailed(ctx, old.AccountID, old, by.User, func(r dispatch.JobRow) error {
			rows = append(rows, r.Position)
			return do(r)
		})
	}})
	if err == nil && n.Read == 0 {
		err = ErrEmpty
	}
	if err != nil || old.Division.Document == "" {
		return err
	}
	of := dispatch.Division{Document: old.Division.Document, Pages: old.Division.Pages, Kept: true}
	if old.Division.By == dispatch.DivideByFiles { // they can be replaced
		of = dispatch.Division{Document: old.Division.Document, By: dispatch.DivideByFiles}
		err = In(s.Store).OwnFiles.Use(ctx, old.AccountID, fresh, by, old.Division.Column)
	}
	if err == nil {
		err = In(s.Store).Slices.ChooseGiro(ctx, old.AccountID, fresh, by, old.Division.Giro)
	}
	if err != nil {
		return err
	}
	err = In(s.Store).Slices.Divide(ctx, old.AccountID, fresh, by, of, func(add AddSlice) error { return s.copySlices(ctx, old, rows, add) })
	if err != nil {
		return err
	}
	return s.InTx(ctx, func(tx *sqlx.Tx) error { return copyLooks(ctx, tx, old.ID, fresh) })
}

func (s Repeats) patternFields(ctx context.Context, j dispatch.Job) (f dispatch.DraftFields, err error) {
	var sealed []byte
	if err := s.Get(ctx, &sealed, `SELECT pattern_form FROM jobs WHERE id = $1 AND account_id = $2`, j.ID, j.AccountID); err != nil {
		return f, err
	}
	return s.openFields(sealed, store.PatternFormPlace(j.ID))
}

// copySlices adds the slices of a job's shipments, by row of its list.
func (s Repeats) copySlices(ctx context.Context, j dispatch.Job, positions []int, add AddSlice) error {
	for _, position := range positions {
		var rows []store.DocumentRow
		err := s.Select(ctx, &rows, `
			SELECT `+store.DocumentColumns+` FROM documents d JOIN items it ON it.id = d.item_id
			WHERE it.job_id = $1 AND it.account_id = $2 AND it.job_position = $3 AND d.part > 0`, j.ID, j.AccountID, position)
		parts, err := s.OpenDocuments(rows, err)
		if err == nil && len(parts) != 1 {
			err = store.ErrSlice
		}
		if err != nil {
			return err
		}
		content := s.Content(ctx, j.AccountID, parts[0])
		parts[0].Slice = 0 // they follow each other in the new list
		err = add(content, parts[0])
		_ = content.Close() // waits for pending reads
		if err != nil {
			return err
		}
	}
	return nil
}

// copyShared copies the files that a job's shipments share to a draft, and maps each to its copy.
func (s Repeats) copyShared(ctx context.Context, j dispatch.Job, by store.Actor, to dispatch.ItemID) (map[dispatch.DocumentID]dispatch.DocumentID, error) {
	var rows []store.DocumentRow
	err := s.Select(ctx, &rows, `
		SELECT `+store.DocumentColumns+` FROM documents d WHERE d.job_id = $1 AND d.account_id = $2 AND d.part = 0 AND d.complete ORDER BY d.position, d.id`, j.ID, j.AccountID)
	documents, err := s.OpenDocuments(rows, err)
	if err != nil {
		return nil, err
	}
	for _, document := range documents {
		if err := In(s.Store).Shipments.copyDocument(ctx, j.AccountID, to, by, document); err != nil && !errors.Is(err, ErrName) { // copied before
			return nil, err
		}
	}
	copies, err := s.Documents(ctx, j.AccountID, to)
	return sameNames(documents, copies), err
}
