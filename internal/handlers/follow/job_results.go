package follow

import (
	"io"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/i18n"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/table"
	"utsending/internal/views"
	"utsending/internal/views/compose"
)

// CSV sends the result of a job as CSV, one row per recipient.
func (s *JobResults) CSV(c echo.Context, v frame.Visit) error {
	return s.result(c, v, frame.KindCSV, "resultat.csv", table.NewCSV)
}

// XLSX sends the result of a job as a workbook.
func (s *JobResults) XLSX(c echo.Context, v frame.Visit) error {
	return s.result(c, v, frame.KindXLSX, "resultat.xlsx", table.NewXLSX)
}

// result streams the file while its rows are read. A failure after the beginning aborts the connection: a truncated
// file must not pass as complete.
func (s *JobResults) result(c echo.Context, v frame.Visit, kind, name string, begin func(io.Writer) (table.Writer, error)) error {
	j, err := s.jobs.sentJob(c, v)
	if err != nil {
		return err
	}
	if j.State == dispatch.JobDraft {
		return store.ErrNotFound
	}
	err = s.Store.Record(frame.Context(c), store.Audit{Actor: v.User.ID, Account: v.Account.ID, Action: "job.export", Object: string(j.ID), Origin: frame.Origin(c)})
	if err != nil {
		return err
	}
	frame.LongDownload(c)
	frame.Attach(c, kind, name)
	out, err := begin(c.Response())
	if err == nil {
		err = s.writeResult(c, v, j, out)
	}
	if err != nil {
		s.BreakOff(c, err)
	}
	return nil
}

func (s *JobResults) writeResult(c echo.Context, v frame.Visit, j dispatch.Job, out table.Writer) error {
	own := j.CreatedBy == v.User.ID
	if j.Shipments() {
		return s.writeShipmentResult(c, v, j, out)
	}
	var headings []string
	for _, column := range []string{"row", "recipient", "state", "reason", "parts", "handed_over", "changed", "text"} {
		headings = append(headings, i18n.T(frame.Context(c), "job.result."+column))
	}
	if !own {
		headings = headings[:len(headings)-1]
	}
	if err := out.Row(headings...); err != nil {
		return err
	}
	for r, err := range items.In(s.Store).Jobs.EachItem(frame.Context(c), v.Account.ID, j.ID) {
		if err != nil {
			return err
		}
		if err := out.Row(s.resultRow(c, r, own)...); err != nil {
			return err
		}
	}
	return out.Close()
}

// writeShipmentResult writes the result of a job of shipments. Names are in the account's lists too; numbers are
// masked, since a file is kept and passed on, and the creator has the numbers anyway.
func (s *JobResults) writeShipmentResult(c echo.Context, v frame.Visit, j dispatch.Job, out table.Writer) error {
	var headings []string
	for _, key := range []string{"job.result.row", "shipment.name", "shipments.number", "job.result.state", "job.result.reason", "job.result.handed_over", "job.result.changed"} {
		headings = append(headings, i18n.T(frame.Context(c), key))
	}
	if err := out.Row(headings...); err != nil {
		return err
	}
	for r, err := range items.In(s.Store).ShipmentJobs.EachShipment(frame.Context(c), v.Account.ID, j.ID) {
		if err != nil {
			return err
		}
		number := string(r.Recipient.Digital.OrganizationNumber)
		if id := r.Recipient.Digital.NationalID; id != "" {
			number = id.Masked()
		}
		word, reason := compose.ItemWords(frame.Context(c), r.Item, s.Now())
		if err := out.Row(strconv.Itoa(r.Position), r.Recipient.Postal.Name, number, word, reason, stamp(r.AcceptedAt), stamp(r.StatusAt)); err != nil {
			return err
		}
	}
	return out.Close()
}

// resultRow is one recipient: the number masked, the text for its author only.
func (s *JobResults) resultRow(c echo.Context, r items.JobResult, own bool) []string {
	text := ""
	if own {
		text = r.Text
	}
	if r.HideInReport {
		text = i18n.T(frame.Context(c), "sms.text.hidden")
	}
	word, reason := compose.ItemWords(frame.Context(c), r.Item, s.Now())
	row := []string{strconv.Itoa(r.Position), r.Recipient.Masked(), word, reason, strconv.Itoa(r.Segments.Count), stamp(r.AcceptedAt), stamp(r.StatusAt)}
	if own {
		row = append(row, text)
	}
	return row
}

// stamp formats a time in a file; empty for the zero time.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return views.FileTime(t)
}
