package items

import (
	"context"
	"errors"
	"slices"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// ErrRoom: all files of a list together are too large.
var ErrRoom = errors.New("too large together")

// Use gives each row of one's own draft the file that it names in a column, instead of slices of a divided file. Files
// uploaded before stay.
func (s OwnFiles) Use(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, by store.Actor, column string) error {
	fresh, err := store.NewID()
	if err != nil {
		return err
	}
	return In(s.Store).Jobs.changeJobDraft(ctx, account, id, by, func(tx *sqlx.Tx, j dispatch.Job) error {
		if j.Division.By != dispatch.DivideByFiles {
			of := dispatch.Division{Document: dispatch.DocumentID(fresh), By: dispatch.DivideByFiles}
			if err := useSlices(ctx, tx, account, id, of, nil, nil); err != nil {
				return err
			}
		}
		if j.Division.Column == column {
			return nil
		}
		j.Division.Column = column
		return In(s.Store).Jobs.saveColumns(ctx, tx, j)
	})
}

// OwnUpload is a file for one row of a list, being uploaded.
type OwnUpload struct {
	Upload
	Job dispatch.JobID
	Row int // row that gets the file, replacing its own; 0: the row that names it
}

func (u OwnUpload) key() string { return dispatch.FileKey(u.FileName) }

// Add streams a file for a row into one's own draft, like Documents.Add. ErrName when a file has an equivalent name, ErrFull
// and ErrRoom when a limit is reached, ErrStale when rows no longer have own files.
func (s OwnFiles) Add(ctx context.Context, u OwnUpload, by store.Actor) (dispatch.Document, error) {
	fresh, err := store.NewID()
	if err != nil {
		return dispatch.Document{}, err
	}
	id := dispatch.DocumentID(fresh)
	if err := In(s.Store).Jobs.changeJobDraft(ctx, u.Account, u.Job, by, func(tx *sqlx.Tx, j dispatch.Job) error { return s.beginOwn(ctx, tx, j, id, u) }); err != nil {
		return dispatch.Document{}, err
	}
	ctx, end := context.WithCancel(ctx)
	defer end()
	go In(s.Store).Documents.keepAlive(ctx, id)
	d, err := In(s.Store).Documents.receiveAs(ctx, id, u.Upload, func(d dispatch.Document) error {
		return In(s.Store).Jobs.changeJobDraft(ctx, u.Account, u.Job, by, func(tx *sqlx.Tx, j dispatch.Job) error { return s.completeOwn(ctx, tx, j, d, u) })
	})
	if err != nil {
		In(s.Store).Documents.forget(id)
	}
	if store.Violates(err, "documents_own_name_idx") {
		err = ErrName
	}
	return d, err
}

// ownRoom makes sure that one more file fits, counting files whose upload has not ended.
func ownRoom(ctx context.Context, tx *sqlx.Tx, j dispatch.Job, size int64) error {
	var row struct {
		N    int   `db:"n"`
		Size int64 `db:"size"`
	}
	err := tx.GetContext(ctx, &row, `SELECT count(*) AS n, coalesce(sum(size), 0)::bigint AS size FROM documents WHERE job_id = $1 AND account_id = $2 AND own_name <> ''`, j.ID, j.AccountID)
	return errors.Join(err, when(row.N >= dispatch.OwnFilesMax && size == 0, ErrFull), when(row.Size+size > dispatch.OwnFilesSizeMax, ErrRoom))
}

func (s OwnFiles) beginOwn(ctx context.Context, tx *sqlx.Tx, j dispatch.Job, id dispatch.DocumentID, u OwnUpload) error {
	if j.Division.By != dispatch.DivideByFiles {
		return store.ErrStale
	}
	former, err := s.fileOfRow(ctx, tx, j, u.Row)
	if err != nil {
		return err
	}
	var taken bool
	err = tx.GetContext(ctx, &taken, `
		SELECT EXISTS (SELECT FROM documents WHERE job_id = $1 AND account_id = $2 AND own_name = $3 AND complete AND id::text <> $4)`, j.ID, j.AccountID, u.key(), former)
	if err := errors.Join(err, when(taken, ErrName)); err != nil {
		return err
	}
	if err := ownRoom(ctx, tx, j, 0); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `
		INSERT INTO documents (id, job_id, account_id, position, file_name, renamed_from, own_name, part) VALUES ($1, $2, $3, 0, $4, $5, $6, -1)`,
		id, j.ID, j.AccountID, u.FileName, u.Renamed, u.key())
	return err
}

// completeOwn completes a file. For a given row, it replaces the row's file, and the row names it.
func (s OwnFiles) completeOwn(ctx context.Context, tx *sqlx.Tx, j dispatch.Job, d dispatch.Document, u OwnUpload) error {
	if j.Division.By != dispatch.DivideByFiles {
		return store.ErrStale
	}
	if err := ownRoom(ctx, tx, j, d.Size); err != nil {
		return err
	}
	reading, err := s.sealReading(d)
	if err != nil {
		return err
	}
	if u.Row > 0 {
		if err := s.renameRowFile(ctx, tx, j, u); err != nil {
			return err
		}
	}
	n, err := store.Affected(tx.ExecContext(ctx, `
		UPDATE documents SET complete = true, mime_type = $3, size = $4, sha256 = $5, pages = $6, found = $7, reading = $8
		WHERE id = $1 AND account_id = $2`, d.ID, u.Account, d.MimeType, d.Size, d.SHA256, d.Pages, d.Found, store.NullBytes(reading)))
	if err := errors.Join(err, when(err == nil && n == 0, store.ErrSlice)); err != nil { // removed by Documents.Purge, which considered this process dead
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE jobs SET looked = '' WHERE id = $1 AND account_id = $2`, j.ID, j.AccountID)
	return err
}

// fileOfRow returns the file that a row has; empty: none.
func (s OwnFiles) fileOfRow(ctx context.Context, tx *sqlx.Tx, j dispatch.Job, position int) (id string, err error) {
	if position == 0 {
		return "", nil
	}
	row, err := s.rowAt(ctx, tx, j, position)
	if err != nil {
		return "", err
	}
	err = tx.GetContext(ctx, &id, `
		SELECT coalesce(min(d.id::text), '') FROM documents d
		WHERE d.job_id = $1 AND d.account_id = $2 AND d.own_name = $3 AND d.own_name <> '' AND d.complete
		  AND d.part = (SELECT count(*) FROM job_rows r WHERE r.job_id = $1 AND r.position <= $4)`, j.ID, j.AccountID, dispatch.FileKey(fileNamed(j, row)), position)
	return id, err
}

func (s OwnFiles) rowAt(ctx context.Context, tx *sqlx.Tx, j dispatch.Job, position int) (dispatch.JobRow, error) {
	var row listRow
	if err := tx.GetContext(ctx, &row, `SELECT `+listColumns+` FROM job_rows r WHERE r.job_id = $1 AND r.position = $2`, j.ID, position); err != nil {
		return dispatch.JobRow{}, store.NotFound(err)
	}
	return s.openRow(j.ID, row)
}

// fileNamed is the file that a row names.
func fileNamed(j dispatch.Job, r dispatch.JobRow) string {
	if i := slices.Index(j.Columns, j.Division.Column); i >= 0 && i < len(r.Fields) {
		return r.Fields[i]
	}
	return ""
}

func (s OwnFiles) renameRowFile(ctx context.Context, tx *sqlx.Tx, j dispatch.Job, u OwnUpload) error {
	former, err := s.fileOfRow(ctx, tx, j, u.Row)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM documents WHERE job_id = $1 AND account_id = $2 AND id::text = $3`, j.ID, j.AccountID, former); err != nil {
		return err
	}
	row, err := s.rowAt(ctx, tx, j, u.Row)
	if err != nil {
		return err
	}
	i := slices.Index(j.Columns, j.Division.Column)
	if i < 0 || i >= len(row.Fields) {
		return store.ErrStale
	}
	row.Fields[i] = u.FileName
	return In(s.Store).Rows.writeRow(ctx, tx, j.ID, row)
}

// List returns the own files of a draft's rows, by name.
func (s OwnFiles) List(ctx context.Context, account dispatch.AccountID, id dispatch.JobID) ([]dispatch.OwnFile, error) {
	var rows []struct {
		ID    dispatch.DocumentID `db:"id"`
		Name  string              `db:"file_name"`
		Key   string              `db:"own_name"`
		Part  int                 `db:"part"`
		Pages int                 `db:"pages"`
		Size  int64               `db:"size"`
	}
	err := s.Select(ctx, &rows, `
		SELECT id, file_name, own_name, part, pages, size FROM documents WHERE job_id = $1 AND account_id = $2 AND own_name <> '' AND complete
		ORDER BY own_name`, id, account)
	files := make([]dispatch.OwnFile, len(rows))
	for i, r := range rows {
		files[i] = dispatch.OwnFile{ID: r.ID, FileName: r.Name, Key: r.Key, Slice: r.Part, Pages: r.Pages, Size: r.Size}
	}
	return files, err
}

// Assign assigns files to rows by their place in the list; other files belong to no row. ErrStale when rows or files have
// changed since the revision given.
func (s OwnFiles) Assign(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, by store.Actor, revision string, places map[dispatch.DocumentID]int) error {
	ids, at := make([]string, 0, len(places)), make([]int, 0, len(places))
	for document, place := range places {
		ids, at = append(ids, string(document)), append(at, place)
	}
	return In(s.Store).Jobs.changeJobDraft(ctx, account, id, by, func(tx *sqlx.Tx, j dispatch.Job) error {
		if j.Revision != revision || j.Division.By != dispatch.DivideByFiles {
			return store.ErrStale
		}
		_, err := tx.ExecContext(ctx, `
			UPDATE documents d SET part = coalesce(new.place, -1)
			FROM documents o LEFT JOIN unnest($3::uuid[], $4::integer[]) AS new (id, place) ON new.id = o.id
			WHERE o.job_id = $1 AND o.account_id = $2 AND o.own_name <> '' AND o.complete AND d.id = o.id AND d.part IS DISTINCT FROM coalesce(new.place, -1)`,
			id, account, pq.Array(ids), pq.Array(at))
		if err == nil {
			_, err = tx.ExecContext(ctx, `UPDATE jobs SET split_parts = $3, looked = '' WHERE id = $1 AND account_id = $2`, id, account, len(places))
		}
		return err
	})
}

// Remove removes own files from one's own draft, and returns their number. Unknown ids are ignored.
func (s OwnFiles) Remove(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, by store.Actor, files []dispatch.DocumentID) (int, error) {
	ids := make([]string, 0, len(files))
	for _, f := range files {
		if store.ValidID(f) {
			ids = append(ids, string(f))
		}
	}
	return s.removeOwn(ctx, account, id, by, `id = ANY($3::uuid[])`, pq.Array(ids))
}

// RemoveSurplus removes the files that no row uses.
func (s OwnFiles) RemoveSurplus(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, by store.Actor, revision string) (int, error) {
	return s.removeOwn(ctx, account, id, by, `part < 0 AND $3 = (SELECT revision::text FROM jobs WHERE jobs.id = $1)`, revision)
}

func (s OwnFiles) removeOwn(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, by store.Actor, which string, arg any) (int, error) {
	var n int64
	err := In(s.Store).Jobs.changeJobDraft(ctx, account, id, by, func(tx *sqlx.Tx, _ dispatch.Job) error {
		var err error
		n, err = store.Affected(tx.ExecContext(ctx, `DELETE FROM documents WHERE job_id = $1 AND account_id = $2 AND own_name <> '' AND complete AND `+which, id, account, arg))
		if err != nil || n == 0 {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE jobs SET looked = '' WHERE id = $1 AND account_id = $2`, id, account)
		return err
	})
	return int(n), err
}

// eachHasOne makes sure that each valid row has exactly one slice or own file, if rows have such. It is the last check before a job
// starts.
func eachHasOne(ctx context.Context, tx *sqlx.Tx, j dispatch.Job) error {
	if j.Division.Document == "" {
		return nil
	}
	n := 0
	err := tx.GetContext(ctx, &n, `
		SELECT count(*) FROM (SELECT problem, row_number() OVER (ORDER BY position) AS place FROM job_rows WHERE job_id = $1) r
		WHERE r.problem = '' AND (SELECT count(*) FROM documents d WHERE d.job_id = $1 AND d.account_id = $2 AND d.part = r.place AND d.complete) <> 1`, j.ID, j.AccountID)
	return errors.Join(err, when(n > 0, ErrFaulty))
}
