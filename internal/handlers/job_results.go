package handlers

import (
	"io"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/table"
	"utsending/internal/views"
)

// The files that a job's result comes as.
const (
	kindCSV  = "text/csv; charset=utf-8"
	kindXLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
)

// resultCSV and resultXLSX give what became of a job's messages, one row for each recipient.
func (s *server) resultCSV(c echo.Context, v visit) error {
	return s.result(c, v, kindCSV, "resultat.csv", table.NewCSV)
}

func (s *server) resultXLSX(c echo.Context, v visit) error {
	return s.result(c, v, kindXLSX, "resultat.xlsx", table.NewXLSX)
}

// result streams the file while its rows are read. What breaks off after the beginning ends the connection: half a file
// must not pass for a whole one.
func (s *server) result(c echo.Context, v visit, kind, name string, begin func(io.Writer) (table.Writer, error)) error {
	j, err := s.sentJob(c, v)
	if err != nil {
		return err
	}
	if j.State == dispatch.JobDraft {
		return store.ErrNotFound
	}
	err = s.o.Store.Record(ctx(c), store.Audit{Actor: v.User.ID, Account: v.Account.ID, Action: "job.export", Object: string(j.ID), Origin: origin(c)})
	if err != nil {
		return err
	}
	longDownload(c)
	attach(c, kind, name)
	out, err := begin(c.Response())
	if err == nil {
		err = s.writeResult(c, v, j, out)
	}
	if err != nil {
		s.breakOff(c, err)
	}
	return nil
}

func (s *server) writeResult(c echo.Context, v visit, j dispatch.Job, out table.Writer) error {
	own := j.CreatedBy == v.User.ID
	if j.Letters() {
		return s.writeLetterResult(c, v, j, out)
	}
	var headings []string
	for _, column := range []string{"row", "recipient", "state", "reason", "parts", "handed_over", "changed", "text"} {
		headings = append(headings, s.o.Catalogue.Text("job.result."+column))
	}
	if !own {
		headings = headings[:len(headings)-1]
	}
	if err := out.Row(headings...); err != nil {
		return err
	}
	for r, err := range s.o.Store.EachJobItem(ctx(c), v.Account.ID, j.ID) {
		if err != nil {
			return err
		}
		if err := out.Row(s.resultRow(c, r, own)...); err != nil {
			return err
		}
	}
	return out.Close()
}

// writeLetterResult writes the result of a job of letters. Names stand in the account's lists too; numbers are masked: a
// file is kept and passed on, and whoever made the list has them.
func (s *server) writeLetterResult(c echo.Context, v visit, j dispatch.Job, out table.Writer) error {
	var headings []string
	for _, key := range []string{"job.result.row", "shipment.name", "letters.number", "job.result.state", "job.result.reason", "job.result.handed_over", "job.result.changed"} {
		headings = append(headings, s.o.Catalogue.Text(key))
	}
	if err := out.Row(headings...); err != nil {
		return err
	}
	for r, err := range s.o.Store.EachJobLetter(ctx(c), v.Account.ID, j.ID) {
		if err != nil {
			return err
		}
		number := string(r.Recipient.Digital.OrganizationNumber)
		if id := r.Recipient.Digital.NationalID; id != "" {
			number = id.Masked()
		}
		word, reason := views.ItemWords(ctx(c), r.Item, s.o.Now())
		if err := out.Row(strconv.Itoa(r.Position), r.Recipient.Postal.Name, number, word, reason, stamp(r.AcceptedAt), stamp(r.StatusAt)); err != nil {
			return err
		}
	}
	return out.Close()
}

// resultRow is one recipient: the number masked, the text only to its writer.
func (s *server) resultRow(c echo.Context, r store.JobResult, own bool) []string {
	text := ""
	if own {
		text = r.Text
	}
	if r.HideInReport {
		text = s.o.Catalogue.Text("sms.text.hidden")
	}
	word, reason := views.ItemWords(ctx(c), r.Item, s.o.Now())
	row := []string{strconv.Itoa(r.Position), r.Recipient.Masked(), word, reason, strconv.Itoa(r.Segments.Parts), stamp(r.AcceptedAt), stamp(r.StatusAt)}
	if own {
		row = append(row, text)
	}
	return row
}

// stamp is a time in a file; empty where there is none.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return views.FileTime(t)
}
