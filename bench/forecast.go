package main

import (
	"bytes"
	"context"
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

const forecastRows = "forecast"

// measureForecast stores the contact register's answers about a whole list and counts them; the reference reads the list, opening
// each row as sending does. The register's own time is not included.
func measureForecast(ctx context.Context, s *stage) ([]figure, error) {
	web, v, err := s.visit(ctx)
	if err != nil {
		return nil, err
	}
	defer web.stop()
	id, err := s.importPeople(ctx, v)
	if err != nil {
		return nil, err
	}
	p, err := inTurn(forecastRows, s.o.runs,
		func() (float64, error) { return s.forecastOnce(ctx, id) },
		func() (float64, error) { return s.readOnce(ctx, id) })
	if err != nil {
		return nil, err
	}
	return []figure{p.figure(forecastRows, "rows/s", atLeast(0.1))}, nil
}

// importPeople imports a list of manyRows people.
func (s *stage) importPeople(ctx context.Context, v *visitor) (dispatch.JobID, error) {
	if _, err := s.db.ExecContext(ctx, `TRUNCATE jobs, job_rows CASCADE`); err != nil {
		return "", err
	}
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	_ = w.WriteField("nokkel", uuid.NewString()) // into a buffer, which has no errors
	file, _ := w.CreateFormFile("fil", "liste.csv")
	fmt.Fprintln(file, "fødselsnummer;fornavn")
	for i := range manyRows {
		fmt.Fprintf(file, "0181%07d;Fornavn %d\n", 5_000_000+i, i)
	}
	_ = w.Close()
	a, err := v.do(ctx, http.MethodPost, s.address+"/k/"+slug+"/sms/ny/flere", form{&b, w.FormDataContentType(), int64(b.Len())})
	if err != nil {
		return "", err
	}
	id := dispatch.JobID(path.Base(path.Dir(a.Header.Get("Location"))))
	j, err := items.In(s.store).Jobs.ByID(ctx, s.sample.account.ID, id)
	if err == nil && j.List.Read != manyRows {
		err = fmt.Errorf("got %d rows of %d", j.List.Read, manyRows)
	}
	return id, err
}

// forecastOnce keeps answers about all rows, and counts them; it returns rows per second.
func (s *stage) forecastOnce(ctx context.Context, id dispatch.JobID) (float64, error) {
	if _, err := s.db.ExecContext(ctx, `TRUNCATE row_contacts`); err != nil {
		return 0, err
	}
	if err := s.settle(ctx); err != nil {
		return 0, err
	}
	of, account := items.In(s.store), s.sample.account.ID
	began, asked := time.Now(), 0
	for after := 0; ; {
		rows, more, err := of.Rows.Read(ctx, account, id, items.RowsUnasked, after, dispatch.LookupMax)
		if err != nil {
			return 0, err
		}
		n, err := of.Rows.KeepContacts(ctx, account, id, s.sample.actor, rows, func(r dispatch.JobRow) dispatch.LookupGroup {
			return []dispatch.LookupGroup{dispatch.GroupValid, dispatch.GroupNotFound}[r.Position%2]
		})
		if err != nil {
			return 0, err
		}
		if asked += n; !more || len(rows) == 0 {
			break
		}
		after = rows[len(rows)-1].Position
	}
	f, err := of.Rows.ContactForecast(ctx, account, id)
	took := time.Since(began)
	if err == nil && (asked < manyRows || f.Valid+f.NotFound != asked) {
		err = fmt.Errorf("%d answers, and the forecast is %+v", asked, f)
	}
	return float64(asked) / took.Seconds(), err
}

// readOnce reads a list and returns rows per second.
func (s *stage) readOnce(ctx context.Context, id dispatch.JobID) (float64, error) {
	if err := s.settle(ctx); err != nil {
		return 0, err
	}
	began, n := time.Now(), 0
	for _, err := range items.In(s.store).Rows.Each(ctx, s.sample.account.ID, id, items.RowsAll) {
		if err != nil {
			return 0, err
		}
		n++
	}
	took := time.Since(began)
	if n != manyRows {
		return 0, errors.New("not every row was read")
	}
	return float64(n) / took.Seconds(), nil
}
