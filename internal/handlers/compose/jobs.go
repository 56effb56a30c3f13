package compose

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/i18n"
	"utsending/internal/store/items"
	"utsending/internal/views"
	"utsending/internal/views/compose"
)

// EditJob shows a draft: a summary of its list, and the text.
func (s *Pages) EditJob(c echo.Context, v frame.Visit) error {
	j, err := s.jobDraft(c, v)
	if err != nil {
		return s.jobGone(c, v, err)
	}
	if j.AwaitsApproval {
		return frame.SeeOther(c, frame.JobPath(v, j.ID, "kontroll"))
	}
	last, err := items.In(s.Store).LastJobApproval(frame.Context(c), v.Account.ID, j.ID)
	if err != nil {
		return err
	}
	f, typed, err := s.typedJob(c, v, j)
	if err != nil {
		return err
	}
	return s.showJobForm(c, v, compose.JobEditPage{Job: j, Form: f, Seen: j.Revision, Last: last, Autosave: typed}, late(j.Timing, s.Now()))
}

func (s *Pages) showJobDraft(c echo.Context, v frame.Visit, j dispatch.Job, f compose.JobForm, ps dispatch.Problems) error {
	return s.showJobForm(c, v, compose.JobEditPage{Job: j, Form: f, Seen: c.FormValue(views.FieldSeen)}, ps)
}

func (s *Pages) showJobForm(c echo.Context, v frame.Visit, p compose.JobEditPage, ps dispatch.Problems) error {
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
	if err := s.offerTemplates(c, v, p.Form.Template, &p.Choice); err != nil {
		return err
	}
	if frame.Fragment(c) == "mal-valg" {
		return frame.Show(c, frame.FormStatus(ps), compose.TemplateFilled(p.TemplateField()))
	}
	err := s.warn(c, v, &p)
	if err == nil {
		p.Contacts, err = s.contactForecast(c, v, p.Job)
	}
	if err == nil {
		p.Unreached, err = s.unreached(c, v, &p.Job)
	}
	if p.Job.AllReplaced { // the page has no form
		p.Problems, ps = nil, nil
	}
	if err == nil {
		p.Measured, p.Nynorsk, err = s.measuredTexts(c, v, p.Job, p.Form)
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

// warnings is how many rows with a warning a page shows.
const warnings = 20

// warn adds one page of rows with a warning to the page of a draft.
func (s *Pages) warn(c echo.Context, v frame.Visit, p *compose.JobEditPage) error {
	if p.Job.List.Warned == 0 {
		return nil
	}
	after := position(c.QueryParam("etter"))
	rows, more, err := items.In(s.Store).JobRows(frame.Context(c), v.Account.ID, p.Job.ID, items.RowsWarned, after, warnings)
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

// DiscardJob discards a job that was not sent.
func (s *Pages) DiscardJob(c echo.Context, v frame.Visit) error {
	if err := items.In(s.Store).DiscardJob(frame.Context(c), v.Account.ID, dispatch.JobID(c.Param("id")), frame.Actor(c, v.User)); err != nil {
		return s.jobGone(c, v, err)
	}
	return s.FlashTo(c, views.AccountPath(v.Account, "jobber"), "flash.discarded", 0)
}
