package compose

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/i18n"
	"utsending/internal/recipients"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/views"
	"utsending/internal/views/compose"
)

// jobDraft returns the visitor's own draft, or ErrChanged if it has been sent meanwhile.
func (s *smsJobDrafts) jobDraft(c echo.Context, v frame.Visit) (dispatch.Job, error) {
	j, err := items.In(s.Store).Jobs.ByID(frame.Context(c), v.Account.ID, dispatch.JobID(c.Param("id")))
	switch {
	case err != nil:
		return j, err
	case j.CreatedBy != v.User.ID, j.Shipments() && j.State == dispatch.JobDraft:
		return j, store.ErrNotFound
	case j.State != dispatch.JobDraft:
		return j, store.ErrChanged
	}
	return j, nil
}

// jobGone redirects to the page of a job that is no longer a draft.
func (s *smsJobDrafts) jobGone(c echo.Context, v frame.Visit, err error) error {
	if errors.Is(err, store.ErrChanged) {
		return s.FlashTo(c, frame.JobPath(v, dispatch.JobID(c.Param("id"))), notChanged(err, "flash.job_already_sent"), 0)
	}
	return err
}

// recheckTexts checks the text of a draft whose rows have changed, and returns the updated draft. If another tab changes it
// meanwhile, it starts again.
func (s *smsJobDrafts) recheckTexts(c echo.Context, v frame.Visit) (dispatch.Job, error) {
	for {
		j, err := s.jobDraft(c, v)
		if err != nil || j.Text == "" {
			return j, err
		}
		switch err := s.checkTexts(c, v, j, textOf(j)); {
		case err == nil:
			return s.jobDraft(c, v)
		case !errors.Is(err, store.ErrStale):
			return j, err
		}
	}
}

// checkTexts fills in every recipient's message, counts segments, finds the rows without a valid message, and stores the result.
func (s *smsJobDrafts) checkTexts(c echo.Context, v frame.Visit, j dispatch.Job, text items.JobText) error {
	j.Text, j.SecondText = text.Text, text.SecondText
	text.Segments, text.Unfit, text.Forms = 0, nil, dispatch.FormCounts{}
	if t := recipients.ParseTemplate(text.Text); len(t.Names()) == 0 && !text.Both() {
		list := j.List
		list.Unfit = 0
		text.Segments = list.Recipients(text.Mode) * t.Segments(text.Text)
		return items.In(s.Store).Rows.SaveText(frame.Context(c), v.Account.ID, j.ID, frame.Actor(c, v.User), text)
	}
	m := recipients.MessageOf(j)
	for r, err := range items.In(s.Store).Rows.Each(frame.Context(c), v.Account.ID, j.ID, items.RowsValid) {
		if err != nil {
			return err
		}
		own, problems := rowText(m, j, r)
		if len(problems) > 0 {
			text.Unfit = append(text.Unfit, r.Position)
			continue
		}
		if text.Segments += m.Of(r).Segments(own); text.Both() {
			text.Forms.Add(text.SecondText, m.Said(r))
		}
	}
	return items.In(s.Store).Rows.SaveText(frame.Context(c), v.Account.ID, j.ID, frame.Actor(c, v.User), text)
}

func (s *smsJobDrafts) showJobForm(c echo.Context, v frame.Visit, p compose.JobEditPage, ps dispatch.Problems) error {
	p.Page = s.Page(c, v, "job.new.title")
	if p.Job.Again {
		p.Title = i18n.T(frame.Context(c), "job.edit.again.title")
	}
	p.Section, p.Narrow, p.Problems = views.SectionJobs, true, ps
	if !p.Other.Typed {
		p.Autosave.Path = frame.JobPath(v, p.Job.ID, "lagre")
	}
	if p.Autosave.Version == 0 {
		p.Autosave.Version = savedVersion(c)
	}
	if err := s.choice.offerTemplates(c, v, p.Form.Template, &p.Choice); err != nil {
		return err
	}
	if frame.Fragment(c) == "mal-valg" {
		return frame.Show(c, frame.FormStatus(ps), compose.TemplateFilled(p.TemplateField()))
	}
	err := s.warn(c, v, &p)
	if err == nil {
		p.Contacts, err = s.contacts.contactForecast(c, v, p.Job)
	}
	if err == nil {
		p.Unreached, err = unreached(c, s.Frame, v, &p.Job)
	}
	if p.Job.AllReplaced { // the page has no form
		p.Problems, ps = nil, nil
	}
	if err == nil {
		p.Measured, p.Nynorsk, err = s.measure.measuredTexts(c, v, p.Job, p.Form)
	}
	if err != nil {
		return err
	}
	status := frame.FormStatus(ps)
	if p.Other.There() {
		status, p.Title = http.StatusConflict, i18n.T(frame.Context(c), "error.stale.title")
		if p.Other.Typed {
			p.Title = i18n.T(frame.Context(c), "both.title")
		}
	}
	return frame.Show(c, status, compose.JobEdit(p))
}

func (s *smsJobDrafts) showJobDraft(c echo.Context, v frame.Visit, j dispatch.Job, f compose.JobForm, ps dispatch.Problems) error {
	return s.showJobForm(c, v, compose.JobEditPage{Job: j, Form: f, Seen: c.FormValue(views.FieldSeen)}, ps)
}

// warn adds one page of rows with a warning to the page of a draft.
func (s *smsJobDrafts) warn(c echo.Context, v frame.Visit, p *compose.JobEditPage) error {
	if p.Job.List.Warned == 0 {
		return nil
	}
	after := position(c.QueryParam("etter"))
	rows, more, err := items.In(s.Store).Rows.Read(frame.Context(c), v.Account.ID, p.Job.ID, items.RowsWarned, after, warnings)
	p.Warnings = warningsOf(rows)
	at := frame.JobPath(v, p.Job.ID, "endre")
	if more {
		p.NextWarnings = at + "?etter=" + strconv.Itoa(rows[len(rows)-1].Position) + "#se-over"
	}
	if after > 0 {
		p.FirstWarnings = at + "#se-over"
	}
	return err
}

// rowText is a recipient's message and its problems. The field of a problem is the index of its column.
func rowText(m recipients.Message, j dispatch.Job, r dispatch.JobRow) (string, dispatch.Problems) {
	text, missing := m.Fill(r)
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

// textOf is the text of a draft as it is stored.
func textOf(j dispatch.Job) items.JobText {
	return items.JobText{Text: j.Text, SecondText: j.SecondText, Mode: j.Mode, Hide: j.HideInReport, Timing: j.Timing, Template: j.Template, Seen: j.Revision}
}

// jobProblems are the problems that block a text for the whole list.
func jobProblems(j dispatch.Job, f items.JobText) dispatch.Problems {
	var ps dispatch.Problems
	t := recipients.ParseTemplate(f.Text)
	switch {
	case !f.Mode.Known():
		ps = append(ps, dispatch.Problem{Field: views.FieldMode, Key: "problem.job.mode"})
	case f.Mode == dispatch.ModeFast && j.List.Phone == 0 && j.List.Valid > 0:
		ps = append(ps, dispatch.Problem{Field: views.FieldMode, Key: "problem.job.no_phones"})
	case j.AllLeftOut():
		ps = append(ps, dispatch.Problem{Field: views.FieldMode, Key: "problem.job.all_left_out", Args: dispatch.Args{"N": j.List.LeftOut}})
	case j.List.Valid == 0:
		ps = append(ps, dispatch.Problem{Field: views.FieldMode, Key: "problem.job.no_recipients"})
	case f.Mode == dispatch.ModeFast && len(t.Names()) > 0:
		ps = append(ps, dispatch.Problem{Field: dispatch.FieldText, Key: "problem.list.placeholder_fast"})
	}
	ps = append(ps, textProblems(j, dispatch.FieldText, t, f.Text)...)
	switch {
	case !f.Both():
		return ps
	case f.Mode == dispatch.ModeFast:
		ps = append(ps, dispatch.Problem{Field: dispatch.FieldNynorsk, Key: "problem.job.nynorsk_fast"})
	case dispatch.FormColumn(j.Columns) < 0:
		ps = append(ps, dispatch.Problem{Field: dispatch.FieldNynorsk, Key: "problem.job.nynorsk_column"})
	}
	if f.Otherwise != "" && f.Otherwise != dispatch.FormBokmal && f.Otherwise != dispatch.FormNynorsk {
		ps = append(ps, dispatch.Problem{Field: dispatch.FieldOtherwise, Key: "problem.written_form"})
	}
	return append(ps, textProblems(j, dispatch.FieldNynorsk, recipients.ParseTemplate(f.Nynorsk), f.Nynorsk)...)
}

// textProblems are the problems of one of a job's texts.
func textProblems(j dispatch.Job, field string, t recipients.Template, text string) (ps dispatch.Problems) {
	for _, name := range t.Names() {
		if !contains(j.Columns, name) {
			key := "problem.list.placeholder"
			if contains(j.Reading.Unusable, name) {
				key = "problem.list.placeholder_twice"
			}
			ps = append(ps, dispatch.Problem{Field: field, Key: key, Args: dispatch.Args{"Name": name}})
		}
	}
	if p := t.Stray(field, j.Columns); p != nil {
		ps = append(ps, *p)
	}
	if len(t.Names()) == 0 { // otherwise each recipient's own text is measured
		if p := dispatch.TextProblem(field, text); p != nil {
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

// warningsOf are the warnings about rows of a list.
func warningsOf(rows []dispatch.JobRow) (list []compose.JobWarning) {
	for _, r := range rows {
		for _, w := range r.Warnings {
			list = append(list, compose.JobWarning{Row: r.Position, RowWarning: w})
		}
	}
	return list
}
