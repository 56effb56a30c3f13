package compose

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/views"
	"utsending/internal/views/compose"
)

// SaveText saves the text of a draft, checks the message of every recipient, and redirects to the review.
func (s *SMSJobs) SaveText(c echo.Context, v frame.Visit) error {
	f, err := jobForm(c)
	if err != nil {
		return err
	}
	j, err := s.jobs.jobDraft(c, v)
	if err != nil {
		return s.jobs.jobGone(c, v, err)
	}
	if choosesTemplate(c, f.Chosen, f.Text) {
		return s.fillJobText(c, v, j, f)
	}
	switch c.FormValue(compose.FieldReplace) {
	case "":
	case dispatch.FieldNynorsk:
		f.Nynorsk = dispatch.Plain(f.Nynorsk)
		return s.jobs.showJobDraft(c, v, j, f, nil)
	default:
		f.Text = dispatch.Plain(f.Text)
		return s.jobs.showJobDraft(c, v, j, f, nil)
	}
	text, ps := s.parseJobText(j, f)
	if len(ps) > 0 {
		return s.jobs.showJobDraft(c, v, j, f, ps)
	}
	if text.Template, err = s.choice.knownTemplate(c, v, f.Template); err != nil {
		return err
	}
	text.Seen, text.Typed = c.FormValue(views.FieldSeen), true
	same := func(other url.Values) bool { return !compose.OtherJob(f, jobFormOf(other), "").Differs() }
	other, err := s.unfinished.handIn(c, v, same, func(saved int) error {
		text.Saved = saved
		return s.jobs.checkTexts(c, v, j, text)
	})
	if other != nil {
		p := compose.JobEditPage{Job: j, Form: f, Seen: text.Seen, Other: compose.OtherJob(f, jobFormOf(other.values), frame.JobPath(v, j.ID, "endre"))}
		p.Other.Typed, p.Autosave.Version = true, other.version
		return s.jobs.showJobForm(c, v, p, nil)
	}
	if errors.Is(err, store.ErrStale) {
		return s.showBothJobs(c, v, f)
	}
	if err != nil {
		return s.jobs.jobGone(c, v, err)
	}
	return frame.SeeOther(c, frame.JobPath(v, j.ID, "kontroll"))
}

// showBothJobs shows the posted form beside the version saved from another tab. Saving again keeps the posted one.
func (s *SMSJobs) showBothJobs(c echo.Context, v frame.Visit, typed compose.JobForm) error {
	j, err := s.jobs.jobDraft(c, v)
	if err != nil {
		return s.jobs.jobGone(c, v, err)
	}
	p := compose.JobEditPage{Job: j, Form: typed, Seen: j.Revision}
	p.Other = compose.OtherJob(typed, compose.JobFormOf(j), frame.JobPath(v, j.ID, "endre"))
	return s.jobs.showJobForm(c, v, p, nil)
}

// fillJobText shows the form again with the text of the chosen template, whose placeholders the list's columns fill.
func (s *SMSJobs) fillJobText(c echo.Context, v frame.Visit, j dispatch.Job, typed compose.JobForm) error {
	f := filling{Text: typed.Text, Chosen: typed.Chosen, Used: typed.Template, Nynorsk: typed.Nynorsk, Pairs: dispatch.FormColumn(j.Columns) >= 0}
	if err := s.choice.fillFromTemplate(c, v, &f); err != nil {
		return err
	}
	typed.Text, typed.Nynorsk, typed.Chosen, typed.Template = f.Text, f.Nynorsk, f.Chosen, f.Used
	return s.jobs.showJobForm(c, v, compose.JobEditPage{Job: j, Form: typed, Choice: f.Choice, Seen: c.FormValue(views.FieldSeen)}, f.Problems)
}

// parseJobText turns the form into a text and its problems.
func (s *SMSJobs) parseJobText(j dispatch.Job, f compose.JobForm) (items.JobText, dispatch.Problems) {
	text := items.JobText{Text: f.Text, SecondText: f.SecondText, Mode: f.Mode, Hide: f.Hide}
	if strings.TrimSpace(text.Nynorsk) == "" {
		text.Nynorsk = ""
	}
	ps := jobProblems(j, text)
	timing, wrong := f.TimingFields.Parse(s.Now())
	text.Timing = timing
	return text, append(ps, wrong...)
}

// Count answers the live analysis of a text to many.
func (s *SMSJobs) Count(c echo.Context, v frame.Visit) error {
	f, err := jobForm(c)
	if err != nil {
		return err
	}
	j, err := s.jobs.jobDraft(c, v)
	if err != nil {
		return err
	}
	m, nynorsk, err := s.measure.measuredTexts(c, v, j, f)
	if err != nil {
		return err
	}
	return frame.Show(c, http.StatusOK, compose.JobCounted(s.Page(c, v, "sms.new.title"), j, m, nynorsk))
}
