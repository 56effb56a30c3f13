package handlers

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/recipients"
	"utsending/internal/store"
	"utsending/internal/views"
)

// previews is how many messages of a job are shown before it is sent.
const previews = 3

func jobPath(v visit, id dispatch.JobID, more ...string) string {
	return views.AccountPath(v.Account, append([]string{"jobber", string(id)}, more...)...)
}

// jobDraft returns one's own draft. What has been sent meanwhile is ErrChanged.
func (s *server) jobDraft(c echo.Context, v visit) (dispatch.Job, error) {
	j, err := s.o.Store.Job(ctx(c), v.Account.ID, dispatch.JobID(c.Param("id")))
	switch {
	case err != nil:
		return j, err
	case j.CreatedBy != v.User.ID, j.Letters() && j.State == dispatch.JobDraft:
		return j, store.ErrNotFound
	case j.State != dispatch.JobDraft:
		return j, store.ErrChanged
	}
	return j, nil
}

// jobGone leads to the page of a job that is no longer a draft.
func (s *server) jobGone(c echo.Context, v visit, err error) error {
	if errors.Is(err, store.ErrChanged) {
		return s.flashTo(c, jobPath(v, dispatch.JobID(c.Param("id"))), "flash.job_already_sent", 0)
	}
	return err
}

// editJob shows a draft: what its list holds, and the text.
func (s *server) editJob(c echo.Context, v visit) error {
	j, err := s.jobDraft(c, v)
	if err != nil {
		return s.jobGone(c, v, err)
	}
	return s.showJobForm(c, v, views.JobEditPage{Job: j, Form: views.JobFormOf(j), Seen: j.Revision}, late(j.Timing, s.o.Now()))
}

func (s *server) showJobDraft(c echo.Context, v visit, j dispatch.Job, f views.JobForm, ps dispatch.Problems) error {
	return s.showJobForm(c, v, views.JobEditPage{Job: j, Form: f, Seen: c.FormValue(views.FieldSeen)}, ps)
}

func (s *server) showJobForm(c echo.Context, v visit, p views.JobEditPage, ps dispatch.Problems) error {
	p.Page = s.page(c, v, "job.new.title")
	p.Section, p.Narrow, p.Problems = views.SectionJobs, true, ps
	if err := s.offerTemplates(c, v, p.Form.Template, &p.Choice); err != nil {
		return err
	}
	if fragment(c) == "mal-valg" {
		return show(c, formStatus(ps), views.TemplateFilled(p.TemplateField()))
	}
	if err := s.warn(c, v, &p); err != nil {
		return err
	}
	status := formStatus(ps)
	if p.Other.There() {
		status, p.Title = http.StatusConflict, s.o.Catalogue.Text("error.stale.title")
	}
	return show(c, status, views.JobEdit(p))
}

// warnings is how many rows with something to be looked at a page shows.
const warnings = 20

// warn puts a window of the rows that are to be looked at on the page of a draft.
func (s *server) warn(c echo.Context, v visit, p *views.JobEditPage) error {
	if p.Job.List.Warned == 0 {
		return nil
	}
	after := position(c.QueryParam("etter"))
	rows, more, err := s.o.Store.JobRows(ctx(c), v.Account.ID, p.Job.ID, store.RowsWarned, after, warnings)
	for _, r := range rows {
		for _, w := range r.Warnings {
			p.Warnings = append(p.Warnings, views.JobWarning{Row: r.Position, RowWarning: w})
		}
	}
	at := jobPath(v, p.Job.ID, "endre")
	if more {
		p.NextWarnings = at + "?etter=" + strconv.Itoa(rows[len(rows)-1].Position) + "#se-over"
	}
	if after > 0 {
		p.FirstWarnings = at + "#se-over"
	}
	return err
}

// jobForm reads the form of a job's text as typed.
func jobForm(c echo.Context) (views.JobForm, error) {
	values, err := c.FormParams()
	if err != nil {
		return views.JobForm{}, badForm(err)
	}
	return views.JobForm{
		Text: dispatch.NormalizeText(values.Get(dispatch.FieldText)), Mode: dispatch.JobMode(values.Get(views.FieldMode)), Hide: values.Get("skjul") == "true",
		Chosen: values.Get("mal"), Template: views.ParseUse(values.Get("mal-brukt")), TimingForm: timingForm(values),
	}, nil
}

// saveJobText keeps the text of a draft, looks over what every recipient would get, and leads to the review.
func (s *server) saveJobText(c echo.Context, v visit) error {
	f, err := jobForm(c)
	if err != nil {
		return err
	}
	j, err := s.jobDraft(c, v)
	if err != nil {
		return s.jobGone(c, v, err)
	}
	if choosesTemplate(c, f.Chosen, f.Text) {
		return s.fillJobText(c, v, j, f)
	}
	text, ps := s.parseJobText(j, f)
	if len(ps) > 0 {
		return s.showJobDraft(c, v, j, f, ps)
	}
	if text.Template, err = s.knownTemplate(c, v, f.Template); err != nil {
		return err
	}
	text.Seen = c.FormValue(views.FieldSeen)
	err = s.lookOver(c, v, j, text)
	if errors.Is(err, store.ErrStale) {
		return s.showBothJobs(c, v, f)
	}
	if err != nil {
		return s.jobGone(c, v, err)
	}
	return seeOther(c, jobPath(v, j.ID, "kontroll"))
}

// showBothJobs shows what is typed here beside what another tab has saved. Saving again keeps what is typed.
func (s *server) showBothJobs(c echo.Context, v visit, typed views.JobForm) error {
	j, err := s.jobDraft(c, v)
	if err != nil {
		return s.jobGone(c, v, err)
	}
	p := views.JobEditPage{Job: j, Form: typed, Seen: j.Revision}
	p.Other = views.OtherJob(typed, views.JobFormOf(j), jobPath(v, j.ID, "endre"))
	return s.showJobForm(c, v, p, nil)
}

// fillJobText shows the form of a job's text again with the text of the chosen template. Its fields are filled by the
// list's columns.
func (s *server) fillJobText(c echo.Context, v visit, j dispatch.Job, typed views.JobForm) error {
	f := filling{Text: typed.Text, Chosen: typed.Chosen, Used: typed.Template}
	if err := s.fillFromTemplate(c, v, &f); err != nil {
		return err
	}
	typed.Text, typed.Chosen, typed.Template = f.Text, f.Chosen, f.Used
	return s.showJobForm(c, v, views.JobEditPage{Job: j, Form: typed, Choice: f.Choice, Seen: c.FormValue(views.FieldSeen)}, f.Problems)
}

// parseJobText turns the form into a text with the problems that stop it.
func (s *server) parseJobText(j dispatch.Job, f views.JobForm) (store.JobText, dispatch.Problems) {
	text := store.JobText{Text: f.Text, Mode: f.Mode, Hide: f.Hide}
	ps := jobProblems(j, text)
	var p *dispatch.Problem
	if text.Timing, p = f.TimingForm.Parse(s.o.Now()); p != nil {
		ps = append(ps, *p)
	}
	return text, ps
}

// textOf is the text of a draft as it stands.
func textOf(j dispatch.Job) store.JobText {
	return store.JobText{Text: j.Text, Mode: j.Mode, Hide: j.HideInReport, Timing: j.Timing, Template: j.Template}
}

// jobProblems is what keeps a text from being sent to a list at all.
func jobProblems(j dispatch.Job, f store.JobText) dispatch.Problems {
	var ps dispatch.Problems
	t := recipients.ParseTemplate(f.Text)
	switch {
	case !f.Mode.Known():
		ps = append(ps, dispatch.Problem{Field: views.FieldMode, Key: "problem.job.mode"})
	case f.Mode == dispatch.ModeFast && j.List.Phone == 0 && j.List.Valid > 0:
		ps = append(ps, dispatch.Problem{Field: views.FieldMode, Key: "problem.job.no_phones"})
	case j.List.Valid == 0:
		ps = append(ps, dispatch.Problem{Field: views.FieldMode, Key: "problem.job.no_recipients"})
	case f.Mode == dispatch.ModeFast && len(t.Names()) > 0:
		ps = append(ps, dispatch.Problem{Field: dispatch.FieldText, Key: "problem.list.placeholder_fast"})
	}
	for _, name := range t.Names() {
		if !contains(j.Columns, name) {
			key := "problem.list.placeholder"
			if contains(j.Reading.Unusable, name) {
				key = "problem.list.placeholder_twice"
			}
			ps = append(ps, dispatch.Problem{Field: dispatch.FieldText, Key: key, Args: dispatch.Args{"Name": name}})
		}
	}
	if written := t.Stray(j.Columns); written != "" {
		ps = append(ps, dispatch.Problem{Field: dispatch.FieldText, Key: "problem.list.written", Args: dispatch.Args{"Name": written}})
	}
	if len(t.Names()) == 0 { // else each recipient's own text counts
		if p := (dispatch.SMS{Text: f.Text}).Validate().For(dispatch.FieldText); p != nil {
			ps = append(ps, *p)
		}
	}
	return ps
}

func contains(list []string, s string) bool {
	for _, one := range list {
		if one == s {
			return true
		}
	}
	return false
}

// lookOver writes every recipient's text, counts its parts and finds those that cannot be sent, and keeps all that.
func (s *server) lookOver(c echo.Context, v visit, j dispatch.Job, text store.JobText) error {
	t := recipients.ParseTemplate(text.Text)
	text.Parts, text.Unfit = 0, nil
	if len(t.Names()) == 0 {
		list := j.List
		list.Unfit = 0
		text.Parts = list.Recipients(text.Mode) * t.Parts(text.Text)
		return s.o.Store.SaveJobText(ctx(c), v.Account.ID, j.ID, by(c, v.User), text)
	}
	for r, err := range s.o.Store.EachJobRow(ctx(c), v.Account.ID, j.ID, store.RowsValid) {
		if err != nil {
			return err
		}
		own, problems := rowText(t, j, r)
		if len(problems) > 0 {
			text.Unfit = append(text.Unfit, r.Position)
			continue
		}
		text.Parts += t.Parts(own)
	}
	return s.o.Store.SaveJobText(ctx(c), v.Account.ID, j.ID, by(c, v.User), text)
}

// rowText writes one recipient's text, with what stops it. Problems of a personal field name its place among the columns.
func rowText(t recipients.Template, j dispatch.Job, r dispatch.JobRow) (string, dispatch.Problems) {
	text, missing := t.Fill(recipients.Values(j.Columns, r.Fields))
	var ps dispatch.Problems
	for _, name := range missing {
		for i, column := range j.Columns {
			if column == name {
				ps = append(ps, dispatch.Problem{Field: strconv.Itoa(i), Key: "problem.row.field", Args: dispatch.Args{"Name": name}})
			}
		}
	}
	if p := (dispatch.SMS{Text: text}).Validate().For(dispatch.FieldText); p != nil && len(missing) == 0 {
		ps = append(ps, *p)
	}
	return text, ps
}

// reviewJob shows a draft in sentences before it is sent.
func (s *server) reviewJob(c echo.Context, v visit) error {
	return s.showJobReview(c, v, nil)
}

func (s *server) showJobReview(c echo.Context, v visit, ps dispatch.Problems) error {
	j, err := s.jobDraft(c, v)
	if err != nil {
		return s.jobGone(c, v, err)
	}
	if len(jobProblems(j, textOf(j))) > 0 {
		return seeOther(c, jobPath(v, j.ID, "endre"))
	}
	if j.Parts == 0 { // rows have changed since the text was looked over
		if err := s.lookOver(c, v, j, textOf(j)); err != nil {
			return s.jobGone(c, v, err)
		}
		if j, err = s.jobDraft(c, v); err != nil {
			return s.jobGone(c, v, err)
		}
	}
	if j.List.Recipients(j.Mode) == 0 {
		return seeOther(c, jobPath(v, j.ID, "feil"))
	}
	p := views.JobReviewPage{Page: s.page(c, v, "job.review.title"), Job: j}
	p.Section, p.Narrow, p.Problems = views.SectionJobs, true, ps
	if p.Held, err = s.o.Store.Hold(ctx(c), v.Account.ID, dispatch.KindSMS); err != nil {
		return err
	}
	if p.Before, err = s.o.Store.SameJobToday(ctx(c), j); err != nil {
		return err
	}
	if p.Previews, err = s.previews(c, v, j); err != nil {
		return err
	}
	status := http.StatusOK
	if len(ps) > 0 {
		status = http.StatusUnprocessableEntity
	}
	return show(c, status, views.JobReview(p))
}

// previews are the first messages of a draft as they will be sent.
func (s *server) previews(c echo.Context, v visit, j dispatch.Job) ([]views.JobPreview, error) {
	which := store.RowsFit
	if j.Mode == dispatch.ModeFast {
		which = store.RowsWithPhone
	}
	rows, _, err := s.o.Store.JobRows(ctx(c), v.Account.ID, j.ID, which, -1, previews)
	if err != nil {
		return nil, err
	}
	t := recipients.ParseTemplate(j.Text)
	list := make([]views.JobPreview, len(rows))
	for i, r := range rows {
		text, _ := t.Fill(recipients.Values(j.Columns, r.Fields)) // fit rows have all fields
		list[i] = views.JobPreview{Number: r.Recipient.Masked(), Text: text}
		if j.Mode == dispatch.ModeFast {
			list[i].Number = r.Phone.Masked()
		}
	}
	return list, nil
}

// sendJob sends the draft. A second click, a reload or Back finds it sent and leads to it.
func (s *server) sendJob(c echo.Context, v visit) error {
	j, err := s.jobDraft(c, v)
	if err != nil {
		return s.jobGone(c, v, err)
	}
	if j.Late(s.o.Now()) {
		return seeOther(c, jobPath(v, j.ID, "endre"))
	}
	if j.Parts == 0 || len(jobProblems(j, textOf(j))) > 0 {
		return s.showJobReview(c, v, unseen)
	}
	err = s.o.Store.SendJob(ctx(c), v.Account, j.ID, c.FormValue(views.FieldSeen), by(c, v.User), c.FormValue(views.FieldAnyway) == "true")
	switch {
	case errors.Is(err, store.ErrStale):
		return s.showJobReview(c, v, unseen)
	case errors.Is(err, store.ErrRepeated):
		return s.showJobReview(c, v, dispatch.Problems{{Field: views.FieldAnyway, Key: "problem.job.repeated"}})
	case errors.Is(err, store.ErrQuota):
		return s.showJobReview(c, v, dispatch.Problems{{Field: "kvote", Key: "problem.job.quota"}})
	case errors.Is(err, store.ErrEmpty):
		return seeOther(c, jobPath(v, j.ID, "feil"))
	case err != nil:
		return s.jobGone(c, v, err)
	}
	s.wake()
	return s.flashTo(c, jobPath(v, j.ID), "flash.job_sent", 0)
}

func (s *server) discardJob(c echo.Context, v visit) error {
	if err := s.o.Store.DiscardJob(ctx(c), v.Account.ID, dispatch.JobID(c.Param("id")), by(c, v.User)); err != nil {
		return s.jobGone(c, v, err)
	}
	return s.flashTo(c, views.AccountPath(v.Account, "jobber"), "flash.discarded", 0)
}

// number of a row in a form; 0 when it is none.
func position(text string) int {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// sentence is what is wrong with a row, with the name of its column.
func sentence(c echo.Context, column string, p dispatch.Problem) string {
	var args []any
	for name, value := range p.Args {
		args = append(args, name, value)
	}
	text := i18n.T(ctx(c), p.Key, args...)
	if column == "" {
		return text
	}
	return i18n.T(ctx(c), "job.faults.in_column", "Column", column, "Problem", text)
}

// longDownload gives the answer time: a file of 50 000 rows takes seconds.
func longDownload(c echo.Context) {
	_ = http.NewResponseController(c.Response()).SetWriteDeadline(time.Now().Add(10 * time.Minute)) // without it the server's own deadline holds
}
