package compose

import (
	"encoding/csv"
	"errors"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/recipients"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/views"
	"utsending/internal/views/compose"
)

// New shows the form in which a list is pasted or chosen.
func (s *SMSLists) New(c echo.Context, v frame.Visit) error {
	draft, err := items.In(s.Store).Jobs.LatestDraft(frame.Context(c), v.Account.ID, v.User.ID)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	return s.showNewJob(c, v, received{key: uuid.NewString(), draft: draft}, nil)
}

func (s *SMSLists) showNewJob(c echo.Context, v frame.Visit, r received, ps dispatch.Problems) error {
	p := compose.JobNewPage{Page: s.Page(c, v, "job.new.title"), Key: r.key, Pasted: r.pasted, Draft: r.draft, Action: views.AccountPath(v.Account, "sms", "ny", "flere")}
	if id := c.Param("id"); id != "" {
		p.Action = frame.JobPath(v, dispatch.JobID(id), "liste")
	}
	p.Section, p.Narrow, p.Problems = views.SectionJobs, true, ps
	status := http.StatusOK
	if len(ps) > 0 {
		status = http.StatusUnprocessableEntity
	}
	return frame.Show(c, status, compose.JobNew(p))
}

// Create reads a list into a new draft and leads to it. The form's key is an idempotency key: posting it again
// fills the same draft.
func (s *SMSLists) Create(c echo.Context, v frame.Visit) error {
	return s.intake.takeList(c, v, s.smsIntake(c, v, func(key string) (dispatch.JobID, error) {
		return items.In(s.Store).Jobs.Create(frame.Context(c), v.Account.ID, frame.Actor(c, v.User), key)
	}))
}

func (s *SMSLists) smsIntake(c echo.Context, v frame.Visit, job func(string) (dispatch.JobID, error)) intake {
	return intake{job: job, fill: s.fillJob,
		refused: func(r received, ps dispatch.Problems) error { return s.showNewJob(c, v, r, ps) },
		done:    func(id dispatch.JobID) error { return frame.SeeOther(c, frame.JobPath(v, id, "endre")) },
	}
}

// Replace replaces the list of a draft.
func (s *SMSLists) Replace(c echo.Context, v frame.Visit) error {
	j, err := s.jobs.jobDraft(c, v)
	if err != nil {
		return s.jobs.jobGone(c, v, err)
	}
	return s.intake.takeList(c, v, s.smsIntake(c, v, func(string) (dispatch.JobID, error) { return j.ID, nil }))
}

// fillJob reads a stored list into the rows of a draft.
func (s *SMSLists) fillJob(c echo.Context, v frame.Visit, id dispatch.JobID, list listAs) error {
	l, err := recipients.OpenAs(list.in, list.size, list.choice)
	if err != nil {
		return err
	}
	_, err = items.In(s.Store).Rows.Fill(frame.Context(c), v.Account.ID, id, frame.Actor(c, v.User), items.List{Again: list.again, Columns: l.Fields(), Reading: l.Reading, Rows: func(do func(dispatch.JobRow) error) error {
		_, err := l.Each(recipients.Pass{MaxRows: dispatch.JobRowsMax}, func(r recipients.Row) error { return do(v.Account.CheckRow(jobRow(l, r))) })
		return err
	}})
	return err
}

// jobRow converts a row of a list to a row of a job.
func jobRow(l *recipients.List, r recipients.Row) dispatch.JobRow {
	row := dispatch.JobRow{Position: r.Line, Recipient: r.Recipient, Phone: r.Phone, Fields: l.FieldValues(r.Cells)}
	cell := func(column int) string {
		if column < 0 || column >= len(r.Cells) {
			return ""
		}
		return r.Cells[column]
	}
	row.Typed = cell(l.Columns.NationalID)
	if r.Recipient.ByPhone() || strings.TrimSpace(row.Typed) == "" {
		row.Typed = cell(l.Columns.Phone)
	}
	if !r.OK() {
		p := r.Problems[0]
		row.Problem, row.Column = p.Problem, p.Name
		if p.Column >= 0 && (p.Column == l.Columns.NationalID || p.Column == l.Columns.Phone) {
			row.Typed = cell(p.Column) // other problems keep the recipient's cell chosen above
		}
	}
	for _, w := range r.Warnings {
		row.Warnings = append(row.Warnings, dispatch.RowWarning{Key: w.Key, Column: w.Name})
	}
	return row
}

// ShowFaults lists the faulty rows of a draft, to which nothing is sent.
func (s *SMSLists) ShowFaults(c echo.Context, v frame.Visit) error {
	j, err := s.jobs.jobDraft(c, v)
	if err != nil {
		return s.jobs.jobGone(c, v, err)
	}
	which, after := items.RowsFaulty, position(c.QueryParam("etter"))
	if j.Again { // rows that are left out are on the page ikke-nadd
		which = items.RowsWrong
	}
	rows, more, err := items.In(s.Store).Rows.Read(frame.Context(c), v.Account.ID, j.ID, which, after, frame.PageSize)
	if err != nil {
		return err
	}
	if j.Again && len(rows) == 0 && after == 0 {
		return frame.SeeOther(c, frame.JobPath(v, j.ID, "ikke-nadd"))
	}
	p := compose.JobFaultsPage{Page: s.Page(c, v, "job.faults.title"), Job: j}
	p.Section, p.Narrow = views.SectionJobs, true
	m := recipients.MessageOf(j)
	for _, r := range rows {
		f := fault(m, j, r)
		if j.Text != "" && (r.Unfit || r.Misshapen()) {
			f.Measured = s.measure.measuredRow(v, m, r)
		}
		p.Faults = append(p.Faults, f)
	}
	if more {
		p.More = frame.JobPath(v, j.ID, "feil") + "?etter=" + strconv.Itoa(rows[len(rows)-1].Position)
	}
	return frame.Show(c, http.StatusOK, compose.JobFaults(p))
}

// fault is a faulty row as its form shows it, each problem at its field.
func fault(m recipients.Message, j dispatch.Job, r dispatch.JobRow) compose.JobFault {
	f := compose.JobFault{JobRow: r}
	if f.LeftOut() {
		f.Number = shownNumber(j, r)
		return f
	}
	if p := r.Problem; p.Key != "" {
		p.Field = f.RecipientName()
		f.Problems = append(f.Problems, p)
		return f
	}
	_, ps := rowText(m, j, r)
	for _, p := range ps {
		if i, err := strconv.Atoi(p.Field); err == nil {
			p.Field = f.FieldName(i)
		} else {
			p.Field = f.RecipientName()
		}
		f.Problems = append(f.Problems, p)
	}
	return f
}

// FixFaults saves corrections of faulty rows. Rows that are still faulty stay on the page.
func (s *SMSLists) FixFaults(c echo.Context, v frame.Visit) error {
	values, err := c.FormParams()
	if err != nil {
		return frame.BadForm(err)
	}
	j, err := s.jobs.jobDraft(c, v)
	if err != nil {
		return s.jobs.jobGone(c, v, err)
	}
	before, fixed := j.List.Valid-j.List.Unfit, false
	var done rowsChanged
	for _, text := range values["rad"][:min(len(values["rad"]), frame.PageSize)] {
		ok, err := s.fixRow(c, v, j, position(text), values)
		if err != nil {
			return s.jobs.jobGone(c, v, err)
		}
		taken, err := s.takeIn(c, v, j, position(text), values)
		if err != nil {
			return s.jobs.jobGone(c, v, err)
		}
		if taken {
			done.in++
		}
		fixed = fixed || ok || taken
	}
	if fixed {
		if j, err = s.jobs.recheckTexts(c, v); err != nil {
			return s.jobs.jobGone(c, v, err)
		}
	}
	done.fixed = j.List.Valid - j.List.Unfit - before - done.in
	return s.intake.rowsFixed(c, frame.JobPath(v, j.ID, "feil"), done)
}

// fixRow saves the correction of a faulty row, and tells whether its recipient is valid now.
func (s *SMSLists) fixRow(c echo.Context, v frame.Visit, j dispatch.Job, at int, values url.Values) (bool, error) {
	rows, _, err := items.In(s.Store).Rows.Read(frame.Context(c), v.Account.ID, j.ID, items.RowsFaulty, at-1, 1)
	if err != nil || len(rows) == 0 || rows[0].Position != at {
		return false, err // another request has corrected it meanwhile
	}
	if rows[0].Problem.Key == dispatch.ProblemLeftOut {
		return false, nil
	}
	f := compose.JobFault{JobRow: rows[0]}
	changed := typeFields(&f, j, values)
	r := f.JobRow
	// A misread row has no recipient: it is parsed again once any field is corrected. In a list filled from the register, other
	// people's phones are hidden, and comparing a typed number with them would reveal them.
	if typed := values.Get(f.RecipientName()); !j.Found && (typed != r.Typed || changed && r.Misshapen()) {
		changed = true
		fresh := recipients.Recipient(typed)
		r.Typed, r.Recipient, r.Problem, r.Column, r.Warnings = typed, fresh.Recipient, fresh.Problem, "", fresh.Warnings
		if fresh.Phone != "" {
			r.Phone = fresh.Phone
		}
	}
	if !changed {
		return false, nil
	}
	r = v.Account.CheckRow(r)
	err = items.In(s.Store).Rows.Fix(frame.Context(c), v.Account.ID, j.ID, frame.Actor(c, v.User), r)
	return err == nil && r.Problem.Key == "", err
}

// FaultsFile returns the faulty rows of a draft as CSV, which can be corrected and read as a list again.
func (s *SMSLists) FaultsFile(c echo.Context, v frame.Visit) error {
	j, err := s.jobs.jobDraft(c, v)
	if errors.Is(err, store.ErrChanged) && !j.Shipments() {
		err = nil // it was sent: its sender still has to write to those who were left out
	}
	if err != nil {
		return s.jobs.jobGone(c, v, err)
	}
	if err := s.intake.exportFaults(c, v, j.ID); err != nil {
		return err
	}
	frame.LongDownload(c)
	frame.Attach(c, "text/csv; charset=utf-8", "rader-med-feil.csv")
	headings := append([]string{s.Languages.Default.Text("job.faults.heading.recipient")}, j.Columns...)
	out, err := recipients.NewBadRows(c.Response(), &recipients.List{Headings: headings}, s.Languages.Default.Text("job.faults.heading"))
	if err != nil {
		return err
	}
	m := recipients.MessageOf(j)
	for r, err := range items.In(s.Store).Rows.Each(frame.Context(c), v.Account.ID, j.ID, items.RowsFaulty) {
		if err != nil {
			return err
		}
		if r.Problem.Key == dispatch.ProblemLeftOut {
			continue
		}
		what := ""
		if ps := fault(m, j, r).Problems; len(ps) > 0 {
			what = sentence(c, r.Column, ps[0])
		}
		if err := out.Add(append([]string{r.Typed}, r.Fields...), what); err != nil {
			return err
		}
	}
	return out.Close()
}

// CountRow answers the live analysis of the message of one row, with its fields as typed.
func (s *SMSLists) CountRow(c echo.Context, v frame.Visit) error {
	values, err := c.FormParams()
	if err != nil {
		return frame.BadForm(err)
	}
	j, err := s.jobs.jobDraft(c, v)
	if err != nil {
		return err
	}
	at := position(values.Get("rad"))
	rows, _, err := items.In(s.Store).Rows.Read(frame.Context(c), v.Account.ID, j.ID, items.RowsFaulty, at-1, 1)
	if err != nil {
		return err
	}
	if len(rows) == 0 || rows[0].Position != at {
		return store.ErrNotFound
	}
	f := compose.JobFault{JobRow: rows[0]}
	typeFields(&f, j, values)
	m := s.measure.measuredRow(v, recipients.MessageOf(j), f.JobRow)
	return frame.Show(c, http.StatusOK, compose.SMSRow(s.Page(c, v, "job.faults.title"), m))
}

// ReadAgain reads a draft's list with a person's choices: another sheet, other columns.
func (s *SMSLists) ReadAgain(c echo.Context, v frame.Visit) error {
	j, err := s.jobs.jobDraft(c, v)
	if err != nil {
		return s.jobs.jobGone(c, v, err)
	}
	p, err := s.intake.fillAgain(c, v, j.ID, s.fillJob)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return s.FlashTo(c, frame.JobPath(v, j.ID, "endre"), "flash.list_gone", 0)
	case err != nil:
		return s.jobs.jobGone(c, v, err)
	case p != nil:
		return s.jobs.showJobDraft(c, v, j, compose.JobFormOf(j), dispatch.Problems{*p})
	}
	return frame.SeeOther(c, frame.JobPath(v, j.ID, "endre"))
}

// Sample returns a sample list with semicolons and a byte order mark, as Norwegian spreadsheets write it.
func (s *SMSLists) Sample(c echo.Context, _ frame.Visit) error {
	name := path.Base(c.Path())
	var b strings.Builder
	b.WriteString("\ufeff")
	w := csv.NewWriter(&b)
	w.Comma, w.UseCRLF = ';', true
	if err := w.WriteAll(sampleLists[name]); err != nil {
		return err
	}
	frame.Attach(c, "text/csv; charset=utf-8", name)
	return c.String(http.StatusOK, b.String())
}

// sampleLists are sample lists by file name, with people who do not exist.
var sampleLists = map[string][][]string{
	"eksempel-sms.csv": {
		{"Fødselsnummer", "Fornavn", "Dag", "Klokkeslett"},
		{"12847800155", "Ola", "torsdag 3. desember", "18.00"},
		{"02813299990", "Kari", "fredag 4. desember", "17.30"},
	},
	"eksempel-brev.csv": {
		{"Fødselsnummer", "Navn", "Adresse", "Postnummer", "Poststed", "Saksnummer"},
		{"12847800155", "Ola Testesen", "Storgata 1", "7713", "Steinkjer", "2026/12"},
		{"02813299990", "Kari Testesen", "Kirkegata 2", "7713", "Steinkjer", "2026/13"},
	},
}

// takeIn takes a row in again that a person had left out, if the form says so.
func (s *SMSLists) takeIn(c echo.Context, v frame.Visit, j dispatch.Job, at int, values url.Values) (bool, error) {
	if values.Get((compose.JobFault{JobRow: dispatch.JobRow{Position: at}}).TakeInName()) != "true" {
		return false, nil
	}
	rows, _, err := items.In(s.Store).Rows.Read(frame.Context(c), v.Account.ID, j.ID, items.RowsFaulty, at-1, 1)
	if err != nil || len(rows) == 0 || rows[0].Position != at || rows[0].Problem.Key != dispatch.ProblemLeftOut {
		return false, err
	}
	r := rows[0]
	r.Problem = dispatch.Problem{}
	err = items.In(s.Store).Rows.Fix(frame.Context(c), v.Account.ID, j.ID, frame.Actor(c, v.User), v.Account.CheckRow(r))
	return err == nil, err
}
