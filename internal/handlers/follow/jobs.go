package follow

import (
	"context"
	"errors"
	"net/http"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/views"
	"utsending/internal/views/compose"
	"utsending/internal/views/follow"
)

// List shows one page of the account's jobs, newest first.
func (s *Jobs) List(c echo.Context, v frame.Visit) error {
	top, at := cursor(c.QueryParam(fieldTop)), cursor(c.QueryParam("eldre"))
	if !top.Zero() {
		at = top
	}
	jobs, more, err := items.In(s.Store).Jobs.List(frame.Context(c), v.Account.ID, v.User.ID, items.JobCursor{At: at.At, ID: dispatch.JobID(at.ID), Including: !top.Zero()}, frame.PageSize)
	if err != nil {
		return err
	}
	if err := s.drafts.typedTexts(c, v, jobs); err != nil {
		return err
	}
	p := compose.JobListPage{Page: s.Page(c, v, "job.list.title"), Jobs: jobs}
	p.Section = views.SectionJobs
	for i := range p.Jobs {
		if err := s.blocks.block(c, v, &p.Jobs[i]); err != nil {
			return err
		}
	}
	if p.Counts, err = items.In(s.Store).Jobs.CountsOf(frame.Context(c), v.Account.ID, over(jobs)); err != nil {
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
	if frame.Fragment(c) == "jobber" {
		return frame.Show(c, http.StatusOK, follow.JobListLive(p))
	}
	return frame.Show(c, http.StatusOK, follow.JobList(p))
}

// over are the ended jobs, whose counts are shown in the list.
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

// liveJobs is the address from which the page refreshes its rows: from its top row on.
func liveJobs(c echo.Context, v frame.Visit, jobs []dispatch.Job, first bool) string {
	top := onTop(c, jobs, placeOfJob)
	if top.Zero() {
		return ""
	}
	return views.AccountPath(v.Account, "jobber") + "?" + fieldTop + "=" + cursorText(top) + firstText(first)
}

// newerJobs tells whether there are jobs above a row of the list.
func (s *Jobs) newerJobs(c echo.Context, v frame.Visit, top store.Cursor) (bool, error) {
	newest, _, err := items.In(s.Store).Jobs.List(frame.Context(c), v.Account.ID, v.User.ID, items.JobCursor{}, 1)
	return len(newest) > 0 && newest[0].CreatedAt.After(top.At), err
}

// sentJob returns the sent job in the address. A draft is visible to its creator only, and has a page of its own.
func (s *Jobs) sentJob(c echo.Context, v frame.Visit) (dispatch.Job, error) {
	j, err := items.In(s.Store).Jobs.ByID(frame.Context(c), v.Account.ID, dispatch.JobID(c.Param("id")))
	if err == nil && j.State == dispatch.JobDraft && j.CreatedBy != v.User.ID {
		err = store.ErrNotFound
	}
	return j, err
}

// Show shows a job's progress.
func (s *Jobs) Show(c echo.Context, v frame.Visit) error {
	return s.showJobWith(c, v, http.StatusOK, nil)
}

func (s *Jobs) showJobWith(c echo.Context, v frame.Visit, status int, ps dispatch.Problems) error {
	j, err := s.sentJob(c, v)
	if err != nil {
		return err
	}
	switch {
	case j.State == dispatch.JobDraft && j.Shipments():
		return frame.SeeOther(c, frame.DraftPath(v, j.Draft, "flere"))
	case j.State == dispatch.JobDraft:
		return frame.SeeOther(c, frame.JobPath(v, j.ID, "endre"))
	}
	title := "job.title"
	if j.Shipments() {
		title = "shipments.job.title"
	}
	reach, err := s.Reach(c, v, j.CreatedBy)
	if err != nil {
		return err
	}
	p := compose.JobPage{Page: s.Page(c, v, title, "N", j.Recipients), Job: j, Reach: reach, CopyKey: uuid.NewString()}
	p.Section, p.Problems = views.SectionJobs, ps
	if p.Counts, err = items.In(s.Store).Jobs.Counts(frame.Context(c), v.Account.ID, j.ID); err != nil {
		return err
	}
	if p.Unreached, err = items.In(s.Store).Jobs.CountUnreached(frame.Context(c), j, v.User.ID); err != nil {
		return err
	}
	if u := p.Unreached; u.Left+u.Drafted+u.Resent > 0 {
		if p.Successors, err = items.In(s.Store).Origins.Successors(frame.Context(c), j, v.User.ID); err != nil {
			return err
		}
	}
	if p.Failed, err = s.Store.FailedMaking(frame.Context(c), v.Account.ID, j.ID); err != nil {
		return err
	}
	if err := s.blocks.block(c, v, &p.Job); err != nil {
		return err
	}
	if p.TemplateName, err = s.templateName(c, v, j.Template); err != nil {
		return err
	}
	if frame.Fragment(c) == "jobb" {
		return frame.Show(c, status, follow.JobLive(p))
	}
	return frame.Show(c, status, follow.JobShow(p))
}

// templateName is the name of the template version that a text was written from; empty for none.
func (s *Jobs) templateName(c echo.Context, v frame.Visit, u dispatch.TemplateUse) (string, error) {
	if u.ID == "" {
		return "", nil
	}
	used, err := items.In(s.Store).Templates.UsedVersion(frame.Context(c), v.Account.ID, u)
	return used.Name, err
}

// Act changes a sent job and redirects to its page.
func (s *Jobs) Act(do func(context.Context, dispatch.AccountID, dispatch.JobID, store.Actor) error, done string) func(echo.Context, frame.Visit) error {
	return func(c echo.Context, v frame.Visit) error {
		j, err := s.sentJob(c, v)
		if err != nil {
			return err
		}
		err = do(frame.Context(c), v.Account.ID, j.ID, frame.Actor(c, v.User))
		if errors.Is(err, store.ErrChanged) {
			return s.FlashTo(c, frame.JobPath(v, j.ID), "flash.too_late", 0)
		}
		if err != nil {
			return err
		}
		s.Wake()
		return s.FlashTo(c, frame.JobPath(v, j.ID), done, 0)
	}
}

// EditTime shows the form of a scheduled job's time.
func (s *Jobs) EditTime(c echo.Context, v frame.Visit) error {
	j, err := s.sentJob(c, v)
	if err != nil {
		return err
	}
	return s.showJobTime(c, v, j, compose.TimingOf(j.Timing), nil)
}

func (s *Jobs) showJobTime(c echo.Context, v frame.Visit, j dispatch.Job, f dispatch.TimingFields, ps dispatch.Problems) error {
	if !j.Scheduled(s.Now()) {
		return s.FlashTo(c, frame.JobPath(v, j.ID), "flash.too_late", 0)
	}
	p := compose.JobTimePage{Page: s.Page(c, v, "sms.time.title"), Job: j, Form: f}
	p.Section, p.Narrow, p.Problems = views.SectionItems, true, ps
	return frame.Show(c, frame.FormStatus(ps), follow.JobTime(p))
}

// ChangeTime changes a scheduled job's time; with none, it goes as if it were sent now.
func (s *Jobs) ChangeTime(c echo.Context, v frame.Visit) error {
	j, err := s.sentJob(c, v)
	if err != nil {
		return err
	}
	f, err := frame.ReadTiming(c)
	if err != nil {
		return err
	}
	timing, ps := f.Parse(s.Now())
	if len(ps) == 0 && j.Shipments() && j.Scheduled(s.Now()) {
		switch problem, err := s.keepsFrom(c, v, j, timing); {
		case err != nil:
			return err
		case problem != nil:
			ps = dispatch.Problems{*problem}
		}
	}
	if len(ps) > 0 {
		return s.showJobTime(c, v, j, f, ps)
	}
	return s.Act(func(ctx context.Context, _ dispatch.AccountID, id dispatch.JobID, by store.Actor) error {
		return items.In(s.Store).Jobs.Reschedule(ctx, v.Account, id, timing, by)
	}, "flash.rescheduled")(c, v)
}

// keepsFrom is what keeps a job's shipments from going at a time: a deadline, or a certificate that ends before.
func (s *Jobs) keepsFrom(c echo.Context, v frame.Visit, j dispatch.Job, t dispatch.Timing) (*dispatch.Problem, error) {
	content, err := items.In(s.Store).ShipmentJobs.Common(frame.Context(c), v.Account.ID, j.ID)
	if content.SendAt = t.SendAt; err != nil {
		return nil, err
	}
	return v.Account.ValidateSendAt(content, s.Now()), nil
}

// Decide applies one decision to all uncertain messages of a job.
func (s *Jobs) Decide(c echo.Context, v frame.Visit) error {
	j, err := s.sentJob(c, v)
	if err != nil {
		return err
	}
	d := dispatch.Decision(c.FormValue("valg"))
	if !d.Known() {
		return s.showJobWith(c, v, http.StatusUnprocessableEntity, dispatch.Problems{{Field: "valg", Key: "problem.decision.empty"}})
	}
	n, err := items.In(s.Store).Jobs.Resolve(frame.Context(c), v.Account, j.ID, d, frame.Actor(c, v.User))
	if errors.Is(err, store.ErrChanged) {
		return s.FlashTo(c, frame.JobPath(v, j.ID), "flash.too_late", 0)
	}
	if err != nil {
		return err
	}
	s.Wake()
	return s.FlashTo(c, frame.JobPath(v, j.ID), "flash.resolved_many", n)
}

// Repeat creates a draft with the recipients that a job did not reach.
func (s *Jobs) Repeat(c echo.Context, v frame.Visit) error {
	j, err := s.sentJob(c, v)
	if err != nil {
		return err
	}
	return s.ToCopy(c, v, frame.JobContent(v, j), func(reason string) error { return s.repeatJob(c, v, reason) }, "nokkel")
}

func (s *Jobs) repeatJob(c echo.Context, v frame.Visit, reason string) error {
	id, err := items.In(s.Store).Repeats.Again(frame.Context(c), v.Account.ID, dispatch.JobID(c.Param("id")), frame.Because(c, v.User, reason), frame.FormKey(c.FormValue("nokkel")))
	switch {
	case errors.Is(err, store.ErrChanged):
		return s.FlashTo(c, frame.JobPath(v, id), "flash.job_already_sent", 0)
	case errors.Is(err, items.ErrEmpty):
		return s.FlashTo(c, frame.JobPath(v, dispatch.JobID(c.Param("id"))), "flash.job_nobody", 0)
	case err != nil:
		return err
	}
	return frame.SeeOther(c, frame.JobPath(v, id, "endre"))
}
