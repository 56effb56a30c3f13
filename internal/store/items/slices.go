package items

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
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

// Divide replaces the slices of one's own draft by those that divide adds, in order. On any failure the
// former ones stay. Only a few chunks of one slice are in memory at a time.
func (s Slices) Divide(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, by store.Actor, of dispatch.Division, divide func(AddSlice) error) error {
	return s.Match(ctx, account, id, by, of, "", func(add AddSlice) (Divided, error) { return Divided{}, divide(add) })
}

// Match is Divide with slices that name their row; others follow in order. revision is that of the job whose rows
// were read: ErrStale when they have changed since. Empty: unchecked.
func (s Slices) Match(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, by store.Actor, of dispatch.Division, revision string, divide func(AddSlice) (Divided, error)) error {
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
		err = In(s.Store).Jobs.changeJobDraft(ctx, account, id, by, func(tx *sqlx.Tx, j dispatch.Job) error {
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
func (s Slices) addSlice(ctx context.Context, account dispatch.AccountID, job dispatch.JobID, d dispatch.Document, content io.Reader) error {
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
		err = store.ErrSlice // removed by Documents.Purge, which considered this process dead
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

// discardSlices removes slices of a failed division. If even that fails, Documents.Purge does it later.
func (s Slices) discardSlices(ids []string) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	_, _ = s.DB.ExecContext(ctx, `DELETE FROM documents WHERE id = ANY($1::uuid[]) AND NOT complete`, pq.Array(ids))
}

// Longest returns the slice with the most pages.
func (s Slices) Longest(ctx context.Context, account dispatch.AccountID, id dispatch.JobID) (dispatch.Document, error) {
	part := 0
	err := s.Get(ctx, &part, `SELECT part FROM documents WHERE job_id = $1 AND account_id = $2 AND part > 0 AND complete ORDER BY pages DESC, part LIMIT 1`, id, account)
	if err != nil {
		return dispatch.Document{}, store.NotFound(err)
	}
	return s.ByID(ctx, account, id, part)
}

// ByID returns one slice of one's own draft.
func (s Slices) ByID(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, part int) (dispatch.Document, error) {
	parts, err := s.slicesIn(ctx, s.DB, account, id, part, part)
	if err != nil {
		return dispatch.Document{}, err
	}
	if parts[part] == nil {
		return dispatch.Document{}, store.ErrNotFound
	}
	return *parts[part], nil
}

// List returns some slices of a draft, by number.
func (s Slices) List(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, from, to int) (map[int]*dispatch.Document, error) {
	return s.slicesIn(ctx, s.DB, account, id, from, to)
}

func (s Slices) slicesIn(ctx context.Context, db sqlx.ExtContext, account dispatch.AccountID, id dispatch.JobID, from, to int) (map[int]*dispatch.Document, error) {
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

// ChooseGiro stores which column of the list of one's own draft of shipments has the giro pages of each row's slice.
func (s Slices) ChooseGiro(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, by store.Actor, giro string) error {
	return In(s.Store).Jobs.changeJobDraft(ctx, account, id, by, func(tx *sqlx.Tx, j dispatch.Job) error {
		if j.Division.Giro == giro {
			return nil
		}
		j.Division.Giro = giro
		return In(s.Store).Jobs.saveColumns(ctx, tx, j)
	})
}

// keepGiro stores the giro pages of each slice; slices that giro does not name have none.
func keepGiro(ctx context.Context, tx *sqlx.Tx, j dispatch.Job, giro map[int][]int) error {
	if j.Division.Giro == "" {
		return nil
	}
	var parts []int
	var pages []string
	for part, list := range giro {
		parts, pages = append(parts, part), append(pages, "{"+strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ","), "[]")+"}")
	}
	_, err := tx.ExecContext(ctx, `
		UPDATE documents d SET giro_pages = coalesce(new.pages::integer[], '{}')
		FROM documents o LEFT JOIN unnest($3::integer[], $4::text[]) AS new (part, pages) ON new.part = o.part
		WHERE o.job_id = $1 AND o.account_id = $2 AND o.part > 0 AND o.complete AND d.id = o.id
		  AND d.giro_pages IS DISTINCT FROM coalesce(new.pages::integer[], '{}')`, j.ID, j.AccountID, pq.Array(parts), pq.Array(pages))
	return err
}
