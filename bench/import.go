package main

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"mime/multipart"
	"net/http"
	"path"
	"time"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store/items"
)

const (
	importRows   = "import"
	importMemory = "import-memory"
	// manyRows is the longest list, fewRows the one that its memory is compared with.
	manyRows = 50_000
	fewRows  = 1_000
	// importLimit is the goal for the memory of the longest list over the short one, in MiB.
	importLimit = 32
)

// measureImport imports a CSV file through web, which parses, validates, finds duplicates, seals and stores it; the reference
// copies the same rows into a table without indexes.
func measureImport(ctx context.Context, s *stage) ([]figure, error) {
	web, v, err := s.visit(ctx)
	if err != nil {
		return nil, err
	}
	defer web.stop()
	if _, err := s.importOnce(ctx, v, manyRows); err != nil { // the rows to copy
		return nil, err
	}
	sealed, err := s.sealedRows(ctx)
	if err != nil {
		return nil, err
	}
	p, err := inTurn(importRows, s.o.runs,
		func() (float64, error) { return s.importOnce(ctx, v, manyRows) },
		func() (float64, error) { return s.copyOnce(ctx, sealed) })
	if err != nil {
		return nil, err
	}
	return []figure{p.figure(importRows, "rows/s", atLeast(0.3))}, nil
}

// measureImportMemory imports a short and a long list, each in a fresh process.
func measureImportMemory(ctx context.Context, s *stage) ([]figure, error) {
	var over []float64
	for i := range s.o.runs {
		few, err := s.importAlone(ctx, fewRows)
		if err != nil {
			return nil, err
		}
		many, err := s.importAlone(ctx, manyRows)
		if err != nil {
			return nil, err
		}
		over = append(over, many-few)
		progress("%s %d/%d: %.1f", importMemory, i+1, s.o.runs, many-few)
	}
	s.note("%s is the highest RSS of a web process that takes %d rows in over that of one that takes %d.", importMemory, manyRows, fewRows)
	return []figure{against(importLimit, over).figure(importMemory, "MiB", atMost(1))}, nil
}

// importAlone returns the peak memory of a process that imports one list.
func (s *stage) importAlone(ctx context.Context, rows int) (float64, error) {
	web, v, err := s.visit(ctx)
	if err != nil {
		return 0, err
	}
	defer web.stop()
	if _, err := s.importOnce(ctx, v, rows); err != nil {
		return 0, err
	}
	_, most, err := web.memory()
	return most, err
}

// importOnce posts a list as the page does and returns rows per second, until the answer.
func (s *stage) importOnce(ctx context.Context, v *visitor, rows int) (float64, error) {
	if _, err := s.db.ExecContext(ctx, `TRUNCATE jobs, job_rows CASCADE`); err != nil {
		return 0, err
	}
	if err := s.settle(ctx); err != nil {
		return 0, err
	}
	list := listForm(rows)
	began := time.Now()
	a, err := v.do(ctx, http.MethodPost, s.address+"/k/"+slug+"/sms/ny/flere", list)
	if err != nil {
		return 0, err
	}
	took := time.Since(began)
	id := path.Base(path.Dir(a.Header.Get("Location")))
	j, err := items.In(s.store).Jobs.ByID(ctx, s.sample.account.ID, dispatch.JobID(id))
	if err == nil && (j.List.Read != rows || j.List.Valid != rows) {
		err = fmt.Errorf("got %d rows, %d of them valid, from %d", j.List.Read, j.List.Valid, rows)
	}
	return float64(rows) / took.Seconds(), err
}

// listForm is the form with a CSV file whose every row is a valid recipient with two personal fields.
func listForm(rows int) form {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	_ = w.WriteField("nokkel", uuid.NewString()) // into a buffer, which has no errors
	file, _ := w.CreateFormFile("fil", "liste.csv")
	fmt.Fprintln(file, "mobil;fornavn;time")
	for i := range rows {
		fmt.Fprintf(file, "9%07d;Fornavn %d;kl. %02d.%02d\n", i, i, i%24, i%60)
	}
	_ = w.Close()
	return form{&b, w.FormDataContentType(), int64(b.Len())}
}

// sealedRow is a row as it is stored.
type sealedRow struct {
	job                       string
	position                  int
	content, recipient, phone []byte
	foreign                   bool
	problem                   string
}

// sealedRows reads what was imported, and makes a table without indexes for it.
func (s *stage) sealedRows(ctx context.Context) ([]sealedRow, error) {
	_, err := s.db.ExecContext(ctx, `CREATE TABLE bare_rows AS SELECT job_id, position, content, recipient_hash, phone_hash, foreign_number, problem FROM job_rows WHERE false`)
	if err != nil {
		return nil, err
	}
	rows, err := s.db.QueryContext(ctx, `SELECT job_id, position, content, recipient_hash, phone_hash, foreign_number, problem FROM job_rows ORDER BY position`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []sealedRow
	for rows.Next() {
		var r sealedRow
		if err := rows.Scan(&r.job, &r.position, &r.content, &r.recipient, &r.phone, &r.foreign, &r.problem); err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	if len(all) != manyRows {
		err = fmt.Errorf("got %d rows, want %d", len(all), manyRows)
	}
	return all, errors.Join(err, rows.Err())
}

// copyOnce copies the rows in one transaction and returns rows per second.
func (s *stage) copyOnce(ctx context.Context, all []sealedRow) (float64, error) {
	if _, err := s.db.ExecContext(ctx, `TRUNCATE bare_rows`); err != nil {
		return 0, err
	}
	if err := s.settle(ctx); err != nil {
		return 0, err
	}
	began := time.Now()
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	if err := copyRows(ctx, tx, all); err != nil {
		return 0, errors.Join(err, tx.Rollback())
	}
	err = tx.Commit()
	return float64(len(all)) / time.Since(began).Seconds(), err
}

func copyRows(ctx context.Context, tx *sql.Tx, all []sealedRow) error {
	in, err := tx.PrepareContext(ctx, `COPY bare_rows (job_id, position, content, recipient_hash, phone_hash, foreign_number, problem) FROM STDIN`)
	if err != nil {
		return err
	}
	for _, r := range all {
		if _, err := in.ExecContext(ctx, r.job, r.position, r.content, r.recipient, r.phone, r.foreign, r.problem); err != nil {
			return err
		}
	}
	if _, err := in.ExecContext(ctx); err != nil {
		return err
	}
	return in.Close()
}
