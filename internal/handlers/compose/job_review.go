package compose

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/recipients"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/views"
	"utsending/internal/views/compose"
)

// previews is how many messages are shown in a review.
const previews = 3

// Review shows a draft in sentences before it is sent.
func (s *SMSJobs) Review(c echo.Context, v frame.Visit) error {
	return s.showReview(c, v, nil)
}

func (s *SMSJobs) showReview(c echo.Context, v frame.Visit, ps dispatch.Problems) error {
	j, err := s.jobs.jobDraft(c, v)
	if err != nil {
		return s.jobs.jobGone(c, v, err)
	}
	if len(jobProblems(j, textOf(j))) > 0 && !j.AwaitsApproval {
		return s.review.leadBack(c, frame.JobPath(v, j.ID, "endre"))
	}
	if j.Segments == 0 && !j.AwaitsApproval { // rows have changed since the text was checked
		if j, err = s.jobs.recheckTexts(c, v); err != nil {
			return s.jobs.jobGone(c, v, err)
		}
	}
	if j.List.Recipients(j.Mode) == 0 {
		return s.review.leadBack(c, frame.JobPath(v, j.ID, "feil"))
	}
	p, err := s.reviewPage(c, v, j, ps)
	if err != nil {
		return err
	}
	if p.Previews, _, err = s.previews(c, v, j, -1, previews); err != nil {
		return err
	}
	if p.Unreached, err = unreached(c, s.Frame, v, &p.Job); err != nil {
		return err
	}
	if p.Typed, err = s.unfinished.typedSince(c, v, string(j.ID)); err != nil {
		return err
	}
	if p.Approving, err = s.review.jobApproving(c, v, j.ID, j.Sending(v.Account.Prices)); err != nil {
		return err
	}
	p.Title = reviewTitle(c, p.Approving, p.Title)
	if p.Contacts, err = s.contacts.contactForecast(c, v, j); err != nil {
		return err
	}
	status := http.StatusOK
	if len(ps) > 0 {
		status = http.StatusUnprocessableEntity
	}
	return frame.Show(c, status, compose.JobReview(p))
}

// reviewPage is the page of a draft in sentences, for its sender or an approver, without previews.
func (s *SMSJobs) reviewPage(c echo.Context, v frame.Visit, j dispatch.Job, ps dispatch.Problems) (compose.JobReviewPage, error) {
	p := compose.JobReviewPage{Page: s.Page(c, v, "job.review.title"), Job: j}
	p.Section, p.Narrow, p.Problems = views.SectionJobs, true, ps
	var err error
	if p.Held, err = s.Store.Block(frame.Context(c), v.Account.ID, dispatch.KindSMS); err != nil {
		return p, err
	}
	if p.Before, err = items.In(s.Store).SMSJobs.SameToday(frame.Context(c), j); err != nil {
		return p, err
	}
	if p.Today, err = s.review.listToday(c, v, j); err != nil {
		return p, err
	}
	if p.Warnings, p.MoreWarnings, err = s.jobWarnings(c, v, j); err != nil {
		return p, err
	}
	p.Measured, p.Nynorsk, err = s.measure.measuredTexts(c, v, j, compose.JobFormOf(j))
	if p.Measured.Many != nil && p.Nynorsk.Many != nil {
		p.Measured.Many.Forecast.Merge(p.Nynorsk.Many.Forecast) // the total to pay for
	}
	return p, err
}

// warned is how many rows with a warning are shown in a review.
const warned = 5

// jobWarnings are the warnings about the first rows that have one, and whether there are others.
func (s *SMSJobs) jobWarnings(c echo.Context, v frame.Visit, j dispatch.Job) (list []compose.JobWarning, more bool, err error) {
	if j.List.Warned == 0 {
		return nil, false, nil
	}
	rows, more, err := items.In(s.Store).Rows.Read(frame.Context(c), v.Account.ID, j.ID, items.RowsWarned, -1, warned)
	return warningsOf(rows), more, err
}

// previews returns the messages of at most so many rows, as they will be sent, and the row after which the next page begins; 0:
// none.
func (s *SMSJobs) previews(c echo.Context, v frame.Visit, j dispatch.Job, after, most int) (list []compose.JobPreview, next int, err error) {
	which := items.RowsFit
	if j.Mode == dispatch.ModeFast {
		which = items.RowsWithPhone
	}
	rows, more, err := items.In(s.Store).Rows.Read(frame.Context(c), v.Account.ID, j.ID, which, after, most)
	if err != nil {
		return nil, 0, err
	}
	if more {
		next = rows[len(rows)-1].Position
	}
	m := recipients.MessageOf(j)
	list = make([]compose.JobPreview, len(rows))
	for i, r := range rows {
		text, _ := m.Fill(r) // fit rows have all fields
		list[i] = compose.JobPreview{Row: r.Position, Number: r.Recipient.Masked(), Text: text, Form: m.Form(r)}
		if j.Mode == dispatch.ModeFast {
			list[i].Number = r.Phone.Masked()
		}
	}
	return list, next, nil
}

// changed is the problem of a list that has changed since its review: rows of it must be left out, or it is unseen.
func changed(j dispatch.Job) dispatch.Problems {
	if j.Replaced > 0 {
		return dispatch.Problems{{Field: "neste", Key: "problem.job.replaced", Args: dispatch.Args{"N": j.Replaced}}}
	}
	return unseen
}

// changed shows why a draft that has changed since its review was not sent.
func (s *SMSJobs) changed(c echo.Context, v frame.Visit) error {
	j, err := s.jobs.jobDraft(c, v)
	if err != nil {
		return s.jobs.jobGone(c, v, err)
	}
	if j.NobodyLeft() || j.AllLeftOut() {
		return s.FlashTo(c, frame.JobPath(v, j.ID, "endre"), "flash.nobody_left", 0)
	}
	return s.showReview(c, v, changed(j))
}

// Send sends the draft. A repeated request finds it sent and redirects to it.
func (s *SMSJobs) Send(c echo.Context, v frame.Visit) error {
	j, err := s.jobs.jobDraft(c, v)
	if err != nil {
		return s.jobs.jobGone(c, v, err)
	}
	if j.Late(s.Now()) {
		return s.review.notSent(c, frame.JobPath(v, j.ID, "endre"))
	}
	if j.Segments == 0 || len(jobProblems(j, textOf(j))) > 0 {
		return s.changed(c, v)
	}
	flash, seen, by, anyway := "flash.job_sent", c.FormValue(views.FieldSeen), frame.Sender(c, v), c.FormValue(views.FieldAnyway) == "true"
	if asksApproval(c) {
		flash, err = "flash.asked", items.In(s.Store).Approvals.AskJob(frame.Context(c), v.Account, j.ID, seen, by, anyway)
	} else {
		err = items.In(s.Store).SMSJobs.Send(frame.Context(c), v.Account, j.ID, seen, by, anyway)
	}
	switch {
	case errors.Is(err, items.ErrApproval):
		return s.showReview(c, v, unapproved)
	case errors.Is(err, items.ErrProtected):
		ps, err := s.review.protectedRows(c, v, j)
		if err != nil {
			return err
		}
		return s.showReview(c, v, ps)
	case errors.Is(err, store.ErrStale), errors.Is(err, items.ErrReplaced):
		return s.changed(c, v)
	case errors.Is(err, items.ErrRepeated):
		return s.showReview(c, v, dispatch.Problems{{Field: views.FieldAnyway, Key: "problem.job.repeated"}})
	case errors.Is(err, items.ErrBudget):
		return s.showReview(c, v, overBudget(err, v.Account))
	case errors.Is(err, items.ErrQuota):
		return s.showReview(c, v, dispatch.Problems{{Field: "kvote", Key: "problem.job.quota"}})
	case errors.Is(err, items.ErrEmpty):
		return s.review.notSent(c, frame.JobPath(v, j.ID, "feil"))
	case err != nil:
		return s.jobs.jobGone(c, v, err)
	}
	s.Wake()
	return s.ToSent(c, v, frame.JobPath(v, j.ID), flash, j.Timing)
}
