package handlers

import (
	"context"
	"errors"
	"net/http"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/views"
)

// listJobs shows one window of the account's jobs, newest first.
func (s *server) listJobs(c echo.Context, v visit) error {
	top, at := cursor(c.QueryParam(fieldTop)), cursor(c.QueryParam("eldre"))
	if !top.Zero() {
		at = store.From(top, store.Window{}).Before
	}
	jobs, more, err := s.o.Store.Jobs(ctx(c), v.Account.ID, v.User.ID, store.JobCursor{At: at.At, ID: dispatch.JobID(at.ID)}, pageSize)
	if err != nil {
		return err
	}
	p := views.JobListPage{Page: s.page(c, v, "job.list.title"), Jobs: jobs}
	p.Section = views.SectionJobs
	if p.Counts, err = s.o.Store.JobsCounts(ctx(c), v.Account.ID, over(jobs)); err != nil {
		return err
	}
	if more {
		p.Older = views.AccountPath(v.Account, "jobber") + "?eldre=" + cursorText(placeOfJob(jobs[len(jobs)-1]))
	}
	first := at.Zero() || c.QueryParam(fieldFirst) != ""
	p.Live = liveJobs(c, v, jobs, first)
	if !top.Zero() && first {
		if p.News, err = s.newerJobs(c, v, top); err != nil {
			return err
		}
	}
	if fragment(c) == "jobber" {
		return show(c, http.StatusOK, views.JobListLive(p))
	}
	return show(c, http.StatusOK, views.JobList(p))
}

// over are the jobs that nothing more is sent of, whose counts stand in the list.
func over(jobs []dispatch.Job) (ids []dispatch.JobID) {
	for _, j := range jobs {
		if j.Over() {
			ids = append(ids, j.ID)
		}
	}
	return ids
}

func placeOfJob(j dispatch.Job) store.Cursor {
	return store.Cursor{At: j.CreatedAt, ID: dispatch.ItemID(j.ID)}
}

// liveJobs is where the rows of the list are asked for again: from the one that was on top.
func liveJobs(c echo.Context, v visit, jobs []dispatch.Job, first bool) string {
	top := onTop(c, jobs, placeOfJob)
	if top.Zero() {
		return ""
	}
	return views.AccountPath(v.Account, "jobber") + "?" + fieldTop + "=" + cursorText(top) + firstText(first)
}

// newerJobs tells whether there are jobs above a place of the list.
func (s *server) newerJobs(c echo.Context, v visit, top store.Cursor) (bool, error) {
	newest, _, err := s.o.Store.Jobs(ctx(c), v.Account.ID, v.User.ID, store.JobCursor{}, 1)
	return len(newest) > 0 && newest[0].CreatedAt.After(top.At), err
}

// sentJob returns the job of the address, which was sent. A draft is its maker's alone, and has another page.
func (s *server) sentJob(c echo.Context, v visit) (dispatch.Job, error) {
	j, err := s.o.Store.Job(ctx(c), v.Account.ID, dispatch.JobID(c.Param("id")))
	if err == nil && j.State == dispatch.JobDraft && j.CreatedBy != v.User.ID {
		err = store.ErrNotFound
	}
	return j, err
}

// showJob shows how far a job has come.
func (s *server) showJob(c echo.Context, v visit) error {
	return s.showJobWith(c, v, http.StatusOK, nil)
}

func (s *server) showJobWith(c echo.Context, v visit, status int, ps dispatch.Problems) error {
	j, err := s.sentJob(c, v)
	if err != nil {
		return err
	}
	switch {
	case j.State == dispatch.JobDraft && j.Letters():
		return seeOther(c, draftPath(v, j.Draft, "flere"))
	case j.State == dispatch.JobDraft:
		return seeOther(c, jobPath(v, j.ID, "endre"))
	}
	title := "job.title"
	if j.Letters() {
		title = "letters.job.title"
	}
	p := views.JobPage{Page: s.page(c, v, title, "N", j.Recipients), Job: j, CopyKey: uuid.NewString()}
	p.Section, p.Problems = views.SectionJobs, ps
	if p.Counts, err = s.o.Store.JobCounts(ctx(c), v.Account.ID, j.ID); err != nil {
		return err
	}
	if p.Failed, err = s.o.Store.FailedMaking(ctx(c), v.Account.ID, j.ID); err != nil {
		return err
	}
	if p.Held, err = s.o.Store.Hold(ctx(c), v.Account.ID, j.Kind); err != nil {
		return err
	}
	if p.TemplateName, err = s.templateName(c, v, j.Template); err != nil {
		return err
	}
	if fragment(c) == "jobb" {
		return show(c, status, views.JobLive(p))
	}
	return show(c, status, views.JobShow(p))
}

// templateName is what a template was called when a text was written from it; empty for no template.
func (s *server) templateName(c echo.Context, v visit, u dispatch.TemplateUse) (string, error) {
	if u.ID == "" {
		return "", nil
	}
	used, err := s.o.Store.TemplateUsed(ctx(c), v.Account.ID, u)
	return used.Name, err
}

// actOnJob does one thing to a job that was sent and leads back to its page.
func (s *server) actOnJob(do func(context.Context, dispatch.AccountID, dispatch.JobID, store.Actor) error, done string) func(echo.Context, visit) error {
	return func(c echo.Context, v visit) error {
		j, err := s.sentJob(c, v)
		if err != nil {
			return err
		}
		err = do(ctx(c), v.Account.ID, j.ID, by(c, v.User))
		if errors.Is(err, store.ErrChanged) {
			return s.flashTo(c, jobPath(v, j.ID), "flash.too_late", 0)
		}
		if err != nil {
			return err
		}
		s.wake()
		return s.flashTo(c, jobPath(v, j.ID), done, 0)
	}
}

// editJobTime shows when a job goes that waits for its time, to be changed.
func (s *server) editJobTime(c echo.Context, v visit) error {
	j, err := s.sentJob(c, v)
	if err != nil {
		return err
	}
	return s.showJobTime(c, v, j, views.TimingOf(j.Timing), nil)
}

func (s *server) showJobTime(c echo.Context, v visit, j dispatch.Job, f views.TimingForm, ps dispatch.Problems) error {
	if !j.Scheduled(s.o.Now()) || j.Letters() {
		return s.flashTo(c, jobPath(v, j.ID), "flash.too_late", 0)
	}
	p := views.JobTimePage{Page: s.page(c, v, "sms.time.title"), Job: j, Form: f}
	p.Section, p.Narrow, p.Problems = views.SectionJobs, true, ps
	return show(c, formStatus(ps), views.JobTime(p))
}

// changeJobTime gives a job another time, or none: then it goes as if it were sent now.
func (s *server) changeJobTime(c echo.Context, v visit) error {
	j, err := s.sentJob(c, v)
	if err != nil {
		return err
	}
	values, err := c.FormParams()
	if err != nil {
		return badForm(err)
	}
	f := timingForm(values)
	timing, problem := f.Parse(s.o.Now())
	if problem != nil {
		return s.showJobTime(c, v, j, f, dispatch.Problems{*problem})
	}
	return s.actOnJob(func(ctx context.Context, _ dispatch.AccountID, id dispatch.JobID, by store.Actor) error {
		return s.o.Store.RescheduleJob(ctx, v.Account, id, timing, by)
	}, "flash.rescheduled")(c, v)
}

// decideJob applies one decision to all uncertain messages of a job.
func (s *server) decideJob(c echo.Context, v visit) error {
	j, err := s.sentJob(c, v)
	if err != nil {
		return err
	}
	d := dispatch.Decision(c.FormValue("valg"))
	if !d.Known() {
		return s.showJobWith(c, v, http.StatusUnprocessableEntity, dispatch.Problems{{Field: "valg", Key: "problem.decision.empty"}})
	}
	n, err := s.o.Store.ResolveJob(ctx(c), v.Account, j.ID, d, by(c, v.User))
	if errors.Is(err, store.ErrChanged) {
		return s.flashTo(c, jobPath(v, j.ID), "flash.too_late", 0)
	}
	if err != nil {
		return err
	}
	s.wake()
	return s.flashTo(c, jobPath(v, j.ID), "flash.resolved_many", n)
}

// repeatJob makes a new draft with those that a job did not reach.
func (s *server) repeatJob(c echo.Context, v visit) error {
	id, err := s.o.Store.JobAgain(ctx(c), v.Account.ID, dispatch.JobID(c.Param("id")), by(c, v.User), formKey(c.FormValue("nokkel")))
	switch {
	case errors.Is(err, store.ErrChanged):
		return s.flashTo(c, jobPath(v, id), "flash.job_already_sent", 0)
	case errors.Is(err, store.ErrEmpty):
		return s.flashTo(c, jobPath(v, dispatch.JobID(c.Param("id"))), "flash.job_nobody", 0)
	case err != nil:
		return err
	}
	return seeOther(c, jobPath(v, id, "endre"))
}
