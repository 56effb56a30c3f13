package compose

import (
	"net/url"
	"strconv"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/recipients"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/views"
	"utsending/internal/views/compose"
)

// unreachedFirst is how many of those whom an earlier job did not reach are shown beside the draft to them.
const unreachedFirst = 5

// unreachedDraft returns the visitor's own draft to those whom an earlier job did not reach.
func (s *SMSLists) unreachedDraft(c echo.Context, v frame.Visit) (dispatch.Job, error) {
	j, err := s.jobs.jobDraft(c, v)
	if err == nil && !j.Again {
		err = store.ErrNotFound
	}
	return j, err
}

// ShowUnreached lists the rows of such a draft, each with why it was not reached, to be corrected or left out.
func (s *SMSLists) ShowUnreached(c echo.Context, v frame.Visit) error {
	j, err := s.unreachedDraft(c, v)
	if err != nil {
		return s.jobs.jobGone(c, v, err)
	}
	if j.AllReplaced { // the page of the draft says so
		return frame.SeeOther(c, frame.JobPath(v, j.ID, "endre"))
	}
	return s.showUnreached(c, v, j, position(c.QueryParam("etter")), nil, nil)
}

func (s *SMSLists) showUnreached(c echo.Context, v frame.Visit, j dispatch.Job, after int, typed url.Values, ps dispatch.Problems) error {
	rows, more, err := items.In(s.Store).Rows.Unreached(frame.Context(c), v.Account.ID, j.ID, items.RowsChosen, after, frame.PageSize)
	if err != nil {
		return err
	}
	if j.OnlyStopped, j.Doubted, err = items.In(s.Store).Origins.OfRows(frame.Context(c), v.Account.ID, j.ID); err != nil {
		return err
	}
	p := compose.JobUnreachedPage{Page: s.Page(c, v, "job.unreached.title"), Job: j, Lines: unreachedLines(j, rows), After: after}
	p.Section, p.Narrow, p.Problems = views.SectionJobs, true, ps
	at := frame.JobPath(v, j.ID, "ikke-nadd")
	if after > 0 {
		p.First = at
	}
	if more {
		p.More = at + "?etter=" + strconv.Itoa(rows[len(rows)-1].Position)
	}
	ticked := c.QueryParam(compose.FieldTicked)
	for i, l := range p.Lines {
		p.Lines[i].LeaveOut = l.LeaveOut || ticked == strconv.Itoa(l.Row)
		if typed != nil {
			p.Lines[i].Typed, p.Lines[i].LeaveOut = typed.Get(compose.UnreachedNumber(l.Row)), typed.Get(compose.UnreachedOut(l.Row)) == "true"
		}
	}
	return frame.Show(c, frame.FormStatus(ps), compose.JobUnreached(p))
}

// FixUnreached corrects and leaves out rows, all that were changed, or none if a number is wrong.
func (s *SMSLists) FixUnreached(c echo.Context, v frame.Visit) error {
	values, err := c.FormParams()
	if err != nil {
		return frame.BadForm(err)
	}
	j, err := s.unreachedDraft(c, v)
	if err != nil {
		return s.jobs.jobGone(c, v, err)
	}
	var out, corrected []dispatch.JobRow
	var done rowsChanged
	var ps dispatch.Problems
	for _, text := range values["rad"][:min(len(values["rad"]), frame.PageSize)] {
		r, differs, wasOut, err := s.typedUnreached(c, v, j, position(text), values)
		if err != nil {
			return err
		}
		if key := r.Problem.Key; differs && key != "" && key != dispatch.ProblemLeftOut {
			ps = append(ps, dispatch.Problem{Field: compose.UnreachedNumber(r.Position), Key: key, Args: r.Problem.Args})
		}
		switch {
		case !differs:
			continue
		case r.Problem.Key == dispatch.ProblemLeftOut:
			out = append(out, r)
		default:
			corrected = append(corrected, r)
		}
		done.add(wasOut, r.Problem.Key == dispatch.ProblemLeftOut)
	}
	if len(ps) > 0 {
		return s.showUnreached(c, v, j, position(values.Get("etter")), values, ps)
	}
	if changed := append(out, corrected...); len(changed) > 0 { // a corrected row may have the number of one that is left out
		if err := items.In(s.Store).Rows.Fix(frame.Context(c), v.Account.ID, j.ID, frame.Actor(c, v.User), changed...); err != nil {
			return s.jobs.jobGone(c, v, err)
		}
		if _, err := s.jobs.recheckTexts(c, v); err != nil {
			return s.jobs.jobGone(c, v, err)
		}
	}
	return s.intake.rowsFixed(c, frame.JobPath(v, j.ID, "endre"), done)
}

// typedUnreached is a row as the form has it, whether that differs from the row in the list, and whether that one is left out.
func (s *SMSLists) typedUnreached(c echo.Context, v frame.Visit, j dispatch.Job, at int, values url.Values) (r dispatch.JobRow, differs, wasOut bool, err error) {
	rows, _, err := items.In(s.Store).Rows.Read(frame.Context(c), v.Account.ID, j.ID, items.RowsChosen, at-1, 1)
	if err != nil || len(rows) == 0 || rows[0].Position != at {
		return r, false, false, err // the list was replaced meanwhile
	}
	r = rows[0]
	out := values.Get(compose.UnreachedOut(at)) == "true"
	wasOut = r.Problem.Key == dispatch.ProblemLeftOut
	differs = out != wasOut
	r.Problem = dispatch.Problem{}
	if typed := values.Get(compose.UnreachedNumber(at)); views.Filled(typed) && !j.Found && !out {
		fresh := recipients.Recipient(typed)
		differs = differs || fresh.Problem.Key != "" || fresh.Recipient != r.Recipient || fresh.Phone != r.Phone
		r.Typed, r.Recipient, r.Problem, r.Column, r.Warnings, r.Phone = typed, fresh.Recipient, fresh.Problem, "", fresh.Warnings, fresh.Phone
		r = v.Account.CheckRow(r)
	}
	if out {
		r.Problem = dispatch.Problem{Field: dispatch.FieldRecipient, Key: dispatch.ProblemLeftOut}
	}
	return r, differs, wasOut, nil
}
