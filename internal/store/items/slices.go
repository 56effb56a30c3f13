package items

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// AddSlice stores one slice of a file that is being divided, with its reading.
type AddSlice func(content io.Reader, d dispatch.Document) error

// Divided is the result of a division besides its slices.
type Divided struct {
	Unassigned []dispatch.UnassignedSlice // pages that no slice has
	Dropped    []int                      // slices that do not count after all
}

// DivideShipment replaces the slices of one's own draft by those that divide adds, in order. On any failure the
// former ones stay. Only a few chunks of one slice are in memory at a time.
func (s *Store) DivideShipment(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, by store.Actor, of dispatch.Division, divide func(AddSlice) error) error {
	return s.MatchSlices(ctx, account, id, by, of, "", func(add AddSlice) (Divided, error) { return Divided{}, divide(add) })
}

// MatchSlices is DivideShipment with slices that name their row; others follow in order. revision is that of the job whose rows
// were read: ErrStale when they have changed since. Empty: unchecked.
func (s *Store) MatchSlices(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, by store.Actor, of dispatch.Division, revision string, divide func(AddSlice) (Divided, error)) error {
	var ids []string
	places := map[string]int{}
	got, err := divide(func(content io.Reader, d dispatch.Document) error {
		fresh, err := store.NewID()
		if err != nil {
			return err
		}
		ids = append(ids, fresh)
		if d.ID = dispatch.DocumentID(fresh); d.Slice == 0 {
			d.Slice = len(ids)
		}
		places[fresh] = d.Slice
		return s.addSlice(ctx, account, id, d, content)
	})
	kept := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return slices.Contains(got.Dropped, places[id]) })
	if err == nil {
		of.Slices = len(kept)
		err = s.changeJobDraft(ctx, account, id, by, func(tx *sqlx.Tx, j dispatch.Job) error {
			if revision != "" && j.Revision != revision {
				return store.ErrStale
			}
			return useSlices(ctx, tx, account, id, of, kept, got.Unassigned)
		})
	}
	if err != nil || len(kept) < len(ids) {
		s.discardSlices(ids)
	}
	return err
}

// addSlice stores a slice of a division that has not ended.
func (s *Store) addSlice(ctx context.Context, account dispatch.AccountID, job dispatch.JobID, d dispatch.Document, content io.Reader) error {
	_, err := s.DB.ExecContext(ctx, `
		INSERT INTO documents (id, job_id, account_id, position, file_name, part, own_name) SELECT $1, id, account_id, 0, $4, $5, $6 FROM jobs WHERE id = $2 AND account_id = $3`,
		d.ID, job, account, d.FileName, d.Slice, ownName(d))
	if err != nil {
		return err
	}
	if d.Size, d.SHA256, err = s.WriteChunks(ctx, d.ID, content); err != nil {
		return fmt.Errorf("part %d of a file: %w", d.Slice, err)
	}
	reading, err := s.sealReading(d)
	if err != nil {
		return err
	}
	_, err = s.DB.ExecContext(ctx, `UPDATE documents SET mime_type = $3, size = $4, sha256 = $5, pages = $6, found = $7, reading = $8 WHERE id = $1 AND account_id = $2`,
		d.ID, account, d.MimeType, d.Size, d.SHA256, d.Pages, d.Found, store.NullBytes(reading))
	return err
}

// ownName is the name of a row's own file in comparable form; empty: it is a slice.
func ownName(d dispatch.Document) string {
	if !d.Own {
		return ""
	}
	return dispatch.FileKey(d.FileName)
}

// useSlices replaces the former slices by the new ones, at the position of the divided file.
func useSlices(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.JobID, of dispatch.Division, ids []string, left []dispatch.UnassignedSlice) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM documents WHERE job_id = $1 AND account_id = $2 AND part <> 0 AND complete`, id, account)
	if err != nil {
		return err
	}
	n, err := store.Affected(tx.ExecContext(ctx, `
		UPDATE documents SET complete = true, position = coalesce((SELECT d.position FROM documents d WHERE d.id = nullif($3, '')::uuid), position)
		WHERE job_id = $1 AND id = ANY($2::uuid[]) AND account_id = $4`, id, pq.Array(ids), of.Document, account))
	if err == nil && n != int64(len(ids)) {
		err = store.ErrSlice // removed by PurgeUploads, which considered this process dead
	}
	if err != nil {
		return err
	}
	plain, err := json.Marshal(append([]dispatch.UnassignedSlice{}, left...))
	if err != nil {
		return fmt.Errorf("unassigned slices: %w", err)
	}
	_, err = tx.ExecContext(ctx, `
		UPDATE jobs SET split_document = nullif($3, '')::uuid, split_pages = $4, split_parts = $5, split_kept = $6, split_by = $7, split_mark = $8, split_left = $9, looked = ''
		WHERE id = $1 AND account_id = $2`, id, account, of.Document, of.Pages, of.Slices, of.Kept, cmp.Or(of.By, dispatch.DivideByPages), of.Mark, plain)
	return err
}

// dropMatched removes slices matched with rows of a list that was replaced.
func dropMatched(ctx context.Context, tx *sqlx.Tx, j dispatch.Job) error {
	if !j.Division.By.Matched() {
		return nil
	}
	_, err := tx.ExecContext(ctx, `DELETE FROM documents WHERE job_id = $1 AND account_id = $2 AND part > 0 AND complete`, j.ID, j.AccountID)
	if err == nil {
		_, err = tx.ExecContext(ctx, `UPDATE jobs SET split_parts = 0, split_left = '[]' WHERE id = $1 AND account_id = $2`, j.ID, j.AccountID)
	}
	return err
}

// discardSlices removes slices of a failed division. If even that fails, PurgeUploads does it later.
func (s *Store) discardSlices(ids []string) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	_, _ = s.DB.ExecContext(ctx, `DELETE FROM documents WHERE id = ANY($1::uuid[]) AND NOT complete`, pq.Array(ids))
}

// LongestSlice returns the slice with the most pages.
func (s *Store) LongestSlice(ctx context.Context, account dispatch.AccountID, id dispatch.JobID) (dispatch.Document, error) {
	part := 0
	err := s.Get(ctx, &part, `SELECT part FROM documents WHERE job_id = $1 AND account_id = $2 AND part > 0 AND complete ORDER BY pages DESC, part LIMIT 1`, id, account)
	if err != nil {
		return dispatch.Document{}, store.NotFound(err)
	}
	return s.Slice(ctx, account, id, part)
}

// Slice returns one slice of one's own draft.
func (s *Store) Slice(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, part int) (dispatch.Document, error) {
	parts, err := s.slicesIn(ctx, s.DB, account, id, part, part)
	if err != nil {
		return dispatch.Document{}, err
	}
	if parts[part] == nil {
		return dispatch.Document{}, store.ErrNotFound
	}
	return *parts[part], nil
}

// Slices returns some slices of a draft, by number.
func (s *Store) Slices(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, from, to int) (map[int]*dispatch.Document, error) {
	return s.slicesIn(ctx, s.DB, account, id, from, to)
}

func (s *Store) slicesIn(ctx context.Context, db sqlx.ExtContext, account dispatch.AccountID, id dispatch.JobID, from, to int) (map[int]*dispatch.Document, error) {
	var rows []store.DocumentRow
	err := sqlx.SelectContext(ctx, db, &rows, `
		SELECT `+store.DocumentColumns+` FROM documents d
		WHERE d.job_id = $1 AND d.account_id = $2 AND d.part > 0 AND d.part BETWEEN $3 AND $4 AND d.complete`, id, account, from, to)
	list, err := s.OpenDocuments(rows, err)
	by := map[int]*dispatch.Document{}
	for i := range list {
		by[list[i].Slice] = &list[i]
	}
	return by, err
}

// ShipmentsAgain creates a draft from one's own job, or a colleague's for a reason, to the recipients that it did not reach, with
// copies of the files; ErrEmpty when there are none that the actor's drafts do not have, or their content was purged. The form key is an idempotency key: a repeated
// form gets the same draft, or, once that has been sent, ErrNotFound with its id. On failure no half draft remains, and no draft
// exists without its line in the event log.
func (s *Store) ShipmentsAgain(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, by store.Actor, formKey string) (dispatch.ItemID, error) {
	old, err := s.Job(ctx, account, id)
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
	made, err := s.beginShipment(ctx, account, by, formKey, dispatch.DraftFields{}, old.Template, MadeFrom{Job: id})
	if err != nil {
		return made, err
	}
	d, err := s.ShipmentDraft(ctx, account, made, by.User)
	if err != nil || d.Version > 1 {
		return made, err // sent, or created before
	}
	if err := s.fillAgain(ctx, old, by, d, sent); err != nil && !errors.Is(err, store.ErrStale) {
		return "", errors.Join(err, s.DiscardDraft(context.WithoutCancel(ctx), account, dispatch.KindShipment, made, by))
	}
	return made, nil
}

func (s *Store) patternFields(ctx context.Context, j dispatch.Job) (f dispatch.DraftFields, err error) {
	var sealed []byte
	if err := s.Get(ctx, &sealed, `SELECT pattern_form FROM jobs WHERE id = $1 AND account_id = $2`, j.ID, j.AccountID); err != nil {
		return f, err
	}
	return s.openFields(sealed, store.PatternFormPlace(j.ID))
}

// fillAgain adds the files of the old job, the rows that it did not reach with their slices, and last the form: if it
// fails before that, the draft has no recipient and no title and cannot be sent. ErrStale when a concurrent post of
// the same form was faster.
func (s *Store) fillAgain(ctx context.Context, old dispatch.Job, by store.Actor, d dispatch.Draft, sent dispatch.DraftFields) error {
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
	return s.saveCopy(ctx, old.AccountID, d, by, sent.ExternalReference)
}

// listAgain adds the rows that the old job did not reach, with their slices.
func (s *Store) listAgain(ctx context.Context, old dispatch.Job, by store.Actor, draft dispatch.ItemID) error {
	fresh, err := s.CreateShipmentJob(ctx, old.AccountID, draft, by)
	if err != nil {
		return err
	}
	var rows []int
	n, err := s.FillJob(ctx, old.AccountID, fresh, by, List{Columns: old.Columns, Reading: old.Reading.Recipients, Former: old.ID, Rows: func(do func(dispatch.JobRow) error) error {
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
		err = s.UseOwnFiles(ctx, old.AccountID, fresh, by, old.Division.Column)
	}
	if err == nil {
		err = s.ChooseGiro(ctx, old.AccountID, fresh, by, old.Division.Giro)
	}
	if err != nil {
		return err
	}
	err = s.DivideShipment(ctx, old.AccountID, fresh, by, of, func(add AddSlice) error { return s.copySlices(ctx, old, rows, add) })
	if err != nil {
		return err
	}
	return s.InTx(ctx, func(tx *sqlx.Tx) error { return copyLooks(ctx, tx, old.ID, fresh) })
}

// copyShared copies the files that a job's shipments share to a draft, and maps each to its copy.
func (s *Store) copyShared(ctx context.Context, j dispatch.Job, by store.Actor, to dispatch.ItemID) (map[dispatch.DocumentID]dispatch.DocumentID, error) {
	var rows []store.DocumentRow
	err := s.Select(ctx, &rows, `
		SELECT `+store.DocumentColumns+` FROM documents d WHERE d.job_id = $1 AND d.account_id = $2 AND d.part = 0 AND d.complete ORDER BY d.position, d.id`, j.ID, j.AccountID)
	documents, err := s.OpenDocuments(rows, err)
	if err != nil {
		return nil, err
	}
	for _, document := range documents {
		if err := s.copyDocument(ctx, j.AccountID, to, by, document); err != nil && !errors.Is(err, ErrName) { // copied before
			return nil, err
		}
	}
	copies, err := s.Documents(ctx, j.AccountID, to)
	return sameNames(documents, copies), err
}

// copySlices adds the slices of a job's shipments, by row of its list.
func (s *Store) copySlices(ctx context.Context, j dispatch.Job, positions []int, add AddSlice) error {
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
