package compose

import (
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store/items"
	"utsending/internal/views"
	"utsending/internal/views/compose"
)

// Edit shows a draft: a summary of its list, and the text.
func (s *SMSJobs) Edit(c echo.Context, v frame.Visit) error {
	j, err := s.jobs.jobDraft(c, v)
	if err != nil {
		return s.jobs.jobGone(c, v, err)
	}
	if j.AwaitsApproval {
		return frame.SeeOther(c, frame.JobPath(v, j.ID, "kontroll"))
	}
	last, err := items.In(s.Store).Approvals.LastOfJob(frame.Context(c), v.Account.ID, j.ID)
	if err != nil {
		return err
	}
	f, typed, err := s.typedJob(c, v, j)
	if err != nil {
		return err
	}
	return s.jobs.showJobForm(c, v, compose.JobEditPage{Job: j, Form: f, Seen: j.Revision, Last: last, Autosave: typed}, late(j.Timing, s.Now()))
}

// warnings is how many rows with a warning a page shows.
const warnings = 20

// Discard discards a job that was not sent.
func (s *SMSJobs) Discard(c echo.Context, v frame.Visit) error {
	if err := items.In(s.Store).Jobs.Discard(frame.Context(c), v.Account.ID, dispatch.JobID(c.Param("id")), frame.Actor(c, v.User)); err != nil {
		return s.jobs.jobGone(c, v, err)
	}
	return s.FlashTo(c, views.AccountPath(v.Account, "jobber"), "flash.discarded", 0)
}

// Autosave autosaves the text of a job.
func (s *SMSJobs) Autosave(c echo.Context, v frame.Visit) error {
	return s.unfinished.keep(c, v, items.Unfinished{ID: c.Param("id"), Of: items.UnfinishedJob, Seen: c.FormValue(views.FieldSeen)})
}

// typedJob is SMS.typedSMS for a job.
func (s *SMSJobs) typedJob(c echo.Context, v frame.Visit, j dispatch.Job) (compose.JobForm, views.Autosave, error) {
	values, a, err := s.unfinished.unfinishedOf(c, v, string(j.ID))
	if values == nil {
		return compose.JobFormOf(j), a, err
	}
	return jobFormOf(values), a, err
}
