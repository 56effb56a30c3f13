package compose

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

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

// previews is how many messages of a job are shown before it is sent.
const previews = 3

// jobDraft returns one's own draft. What has been sent meanwhile is ErrChanged.
func (s *Pages) jobDraft(c echo.Context, v frame.Visit) (dispatch.Job, error) {
	j, err := items.In(s.Store).Job(frame.Context(c), v.Account.ID, dispatch.JobID(c.Param("id")))
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

// jobGone leads to the page of a job that is no longer a draft.
func (s *Pages) jobGone(c echo.Context, v frame.Visit, err error) error {
	if errors.Is(err, store.ErrChanged) {
		return s.FlashTo(c, frame.JobPath(v, dispatch.JobID(c.Param("id"))), notChanged(err, "flash.job_already_sent"), 0)
	}
	return err
}

// EditJob shows a draft: what its list holds, and the text.
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

// warnings is how many rows with something to be looked at a page shows.
const warnings = 20

// warn puts a window of the rows that are to be looked at on the page of a draft.
func (s *Pages) warn(c echo.Context, v frame.Visit, p *compose.JobEditPage) error {
	if p.Job.List.Warned == 0 {
		return nil
	}
	after := position(c.QueryParam("etter"))
	rows, more, err := items.In(s.Store).JobRows(frame.Context(c), v.Account.ID, p.Job.ID, items.RowsWarned, after, warnings)
	for _, r := range rows {
		for _, w := range r.Warnings {
			p.Warnings = append(p.Warnings, compose.JobWarning{Row: r.Position, RowWarning: w})
		}
	}
	at := frame.JobPath(v, p.Job.ID, "endre")
	if more {
		p.NextWarnings = at + "?etter=" + strconv.Itoa(rows[len(rows)-1].Position) + "#se-over"
	}
	if after > 0 {
		p.FirstWarnings = at + "#se-over"
	}
	return err
}

// jobForm reads the form of a job's text as typed.
func jobForm(c echo.Context) (compose.JobForm, error) {
	values, err := c.FormParams()
	if err != nil {
		return compose.JobForm{}, frame.BadForm(err)
	}
	return jobFormOf(values), nil
}

func jobFormOf(values url.Values) compose.JobForm {
	return compose.JobForm{
		Text: dispatch.NormalizeText(values.Get(dispatch.FieldText)), Mode: dispatch.JobMode(values.Get(views.FieldMode)), Hide: values.Get("skjul") == "true",
		Chosen: values.Get("mal"), Template: compose.ParseUse(values.Get("mal-brukt")), TimingForm: frame.TimingForm(values),
		SecondText: dispatch.SecondText{Nynorsk: dispatch.NormalizeText(values.Get(dispatch.FieldNynorsk)), Otherwise: dispatch.WrittenForm(values.Get(dispatch.FieldOtherwise))},
	}
}

// SaveJobText keeps the text of a draft, looks over what every recipient would get, and leads to the review.
func (s *Pages) SaveJobText(c echo.Context, v frame.Visit) error {
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
	switch c.FormValue(compose.FieldReplace) {
	case "":
	case dispatch.FieldNynorsk:
		f.Nynorsk = dispatch.Plain(f.Nynorsk)
		return s.showJobDraft(c, v, j, f, nil)
	default:
		f.Text = dispatch.Plain(f.Text)
		return s.showJobDraft(c, v, j, f, nil)
	}
	text, ps := s.parseJobText(j, f)
	if len(ps) > 0 {
		return s.showJobDraft(c, v, j, f, ps)
	}
	if text.Template, err = s.knownTemplate(c, v, f.Template); err != nil {
		return err
	}
	text.Seen, text.Typed = c.FormValue(views.FieldSeen), true
	same := func(other url.Values) bool { return !compose.OtherJob(f, jobFormOf(other), "").Differs() }
	other, err := s.handIn(c, v, same, func(saved int) error {
		text.Saved = saved
		return s.lookOver(c, v, j, text)
	})
	if other != nil {
		p := compose.JobEditPage{Job: j, Form: f, Seen: text.Seen, Other: compose.OtherJob(f, jobFormOf(other.values), frame.JobPath(v, j.ID, "endre"))}
		p.Other.Typed, p.Autosave.Version = true, other.version
		return s.showJobForm(c, v, p, nil)
	}
	if errors.Is(err, store.ErrStale) {
		return s.showBothJobs(c, v, f)
	}
	if err != nil {
		return s.jobGone(c, v, err)
	}
	return frame.SeeOther(c, frame.JobPath(v, j.ID, "kontroll"))
}

// showBothJobs shows what is typed here beside what another tab has saved. Saving again keeps what is typed.
func (s *Pages) showBothJobs(c echo.Context, v frame.Visit, typed compose.JobForm) error {
	j, err := s.jobDraft(c, v)
	if err != nil {
		return s.jobGone(c, v, err)
	}
	p := compose.JobEditPage{Job: j, Form: typed, Seen: j.Revision}
	p.Other = compose.OtherJob(typed, compose.JobFormOf(j), frame.JobPath(v, j.ID, "endre"))
	return s.showJobForm(c, v, p, nil)
}

// fillJobText shows the form of a job's text again with the text of the chosen template. Its fields are filled by the
// list's columns.
func (s *Pages) fillJobText(c echo.Context, v frame.Visit, j dispatch.Job, typed compose.JobForm) error {
	f := filling{Text: typed.Text, Chosen: typed.Chosen, Used: typed.Template, Nynorsk: typed.Nynorsk, Pairs: dispatch.FormColumn(j.Columns) >= 0}
	if err := s.fillFromTemplate(c, v, &f); err != nil {
		return err
	}
	typed.Text, typed.Nynorsk, typed.Chosen, typed.Template = f.Text, f.Nynorsk, f.Chosen, f.Used
	return s.showJobForm(c, v, compose.JobEditPage{Job: j, Form: typed, Choice: f.Choice, Seen: c.FormValue(views.FieldSeen)}, f.Problems)
}

// parseJobText turns the form into a text with the problems that stop it.
func (s *Pages) parseJobText(j dispatch.Job, f compose.JobForm) (items.JobText, dispatch.Problems) {
	text := items.JobText{Text: f.Text, SecondText: f.SecondText, Mode: f.Mode, Hide: f.Hide}
	if strings.TrimSpace(text.Nynorsk) == "" {
		text.Nynorsk = ""
	}
	ps := jobProblems(j, text)
	var p *dispatch.Problem
	if text.Timing, p = f.TimingForm.Parse(s.Now()); p != nil {
		ps = append(ps, *p)
	}
	return text, ps
}

// textOf is the text of a draft as it stands.
func textOf(j dispatch.Job) items.JobText {
	return items.JobText{Text: j.Text, SecondText: j.SecondText, Mode: j.Mode, Hide: j.HideInReport, Timing: j.Timing, Template: j.Template, Seen: j.Revision}
}

// jobProblems is what keeps a text from being sent to a list at all.
func jobProblems(j dispatch.Job, f items.JobText) dispatch.Problems {
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

// textProblems is what keeps one of a job's texts from being sent to its list.
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
	if written := t.Stray(j.Columns); written != "" {
		ps = append(ps, dispatch.Problem{Field: field, Key: "problem.list.written", Args: dispatch.Args{"Name": written}})
	}
	if len(t.Names()) == 0 { // else each recipient's own text counts
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

// lookOver writes every recipient's text, counts its parts and finds those that cannot be sent, and keeps all that.
func (s *Pages) lookOver(c echo.Context, v frame.Visit, j dispatch.Job, text items.JobText) error {
	j.Text, j.SecondText = text.Text, text.SecondText
	text.Segments, text.Unfit, text.Forms = 0, nil, dispatch.FormCounts{}
	if t := recipients.ParseTemplate(text.Text); len(t.Names()) == 0 && !text.Both() {
		list := j.List
		list.Unfit = 0
		text.Segments = list.Recipients(text.Mode) * t.Segments(text.Text)
		return items.In(s.Store).SaveJobText(frame.Context(c), v.Account.ID, j.ID, frame.Actor(c, v.User), text)
	}
	m := recipients.MessageOf(j)
	for r, err := range items.In(s.Store).EachJobRow(frame.Context(c), v.Account.ID, j.ID, items.RowsValid) {
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
	return items.In(s.Store).SaveJobText(frame.Context(c), v.Account.ID, j.ID, frame.Actor(c, v.User), text)
}

// rowText writes one recipient's text, with what stops it. Problems of a personal field name its place among the columns.
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

// ReviewJob shows a draft in sentences before it is sent.
func (s *Pages) ReviewJob(c echo.Context, v frame.Visit) error {
	return s.showJobReview(c, v, nil)
}

func (s *Pages) showJobReview(c echo.Context, v frame.Visit, ps dispatch.Problems) error {
	j, err := s.jobDraft(c, v)
	if err != nil {
		return s.jobGone(c, v, err)
	}
	if len(jobProblems(j, textOf(j))) > 0 && !j.AwaitsApproval {
		return frame.SeeOther(c, frame.JobPath(v, j.ID, "endre"))
	}
	if j.Segments == 0 && !j.AwaitsApproval { // rows have changed since the text was looked over
		if j, err = s.lookOverFixed(c, v); err != nil {
			return s.jobGone(c, v, err)
		}
	}
	if j.List.Recipients(j.Mode) == 0 {
		return frame.SeeOther(c, frame.JobPath(v, j.ID, "feil"))
	}
	p, err := s.jobReviewPage(c, v, j, ps)
	if err != nil {
		return err
	}
	if p.Previews, _, err = s.previews(c, v, j, -1, previews); err != nil {
		return err
	}
	if p.Typed, err = s.typedSince(c, v, string(j.ID)); err != nil {
		return err
	}
	if p.Approving, err = s.jobApproving(c, v, j.ID, j.Sending(v.Account.Prices)); err != nil {
		return err
	}
	if p.Contacts, err = s.contactForecast(c, v, j); err != nil {
		return err
	}
	status := http.StatusOK
	if len(ps) > 0 {
		status = http.StatusUnprocessableEntity
	}
	return frame.Show(c, status, compose.JobReview(p))
}

// jobReviewPage is the page of a draft in sentences, whoever looks at it, without messages.
func (s *Pages) jobReviewPage(c echo.Context, v frame.Visit, j dispatch.Job, ps dispatch.Problems) (compose.JobReviewPage, error) {
	p := compose.JobReviewPage{Page: s.Page(c, v, "job.review.title"), Job: j}
	p.Section, p.Narrow, p.Problems = views.SectionJobs, true, ps
	var err error
	if p.Held, err = s.Store.Block(frame.Context(c), v.Account.ID, dispatch.KindSMS); err != nil {
		return p, err
	}
	if p.Before, err = items.In(s.Store).SameJobToday(frame.Context(c), j); err != nil {
		return p, err
	}
	if p.Today, err = s.listToday(c, v, j); err != nil {
		return p, err
	}
	p.Measured, p.Nynorsk, err = s.measuredTexts(c, v, j, compose.JobFormOf(j))
	if p.Measured.Many != nil && p.Nynorsk.Many != nil {
		p.Measured.Many.Forecast.Merge(p.Nynorsk.Many.Forecast) // what is paid for in all
	}
	return p, err
}

// previews are so many messages of a draft as they will be sent, from after a row, and the row that more follow; 0: none do.
func (s *Pages) previews(c echo.Context, v frame.Visit, j dispatch.Job, after, most int) (list []compose.JobPreview, next int, err error) {
	which := items.RowsFit
	if j.Mode == dispatch.ModeFast {
		which = items.RowsWithPhone
	}
	rows, more, err := items.In(s.Store).JobRows(frame.Context(c), v.Account.ID, j.ID, which, after, most)
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
		list[i] = compose.JobPreview{Number: r.Recipient.Masked(), Text: text, Form: m.Form(r)}
		if j.Mode == dispatch.ModeFast {
			list[i].Number = r.Phone.Masked()
		}
	}
	return list, next, nil
}

// SendJob sends the draft. A second click, a reload or Back finds it sent and leads to it.
func (s *Pages) SendJob(c echo.Context, v frame.Visit) error {
	j, err := s.jobDraft(c, v)
	if err != nil {
		return s.jobGone(c, v, err)
	}
	if j.Late(s.Now()) {
		return frame.SeeOther(c, frame.JobPath(v, j.ID, "endre"))
	}
	if j.Segments == 0 || len(jobProblems(j, textOf(j))) > 0 {
		return s.showJobReview(c, v, unseen)
	}
	flash, seen, by, anyway := "flash.job_sent", c.FormValue(views.FieldSeen), frame.Sender(c, v), c.FormValue(views.FieldAnyway) == "true"
	if asksApproval(c) {
		flash, err = "flash.asked", items.In(s.Store).AskJob(frame.Context(c), v.Account, j.ID, seen, by, anyway)
	} else {
		err = items.In(s.Store).SendJob(frame.Context(c), v.Account, j.ID, seen, by, anyway)
	}
	switch {
	case errors.Is(err, items.ErrApproval):
		return s.showJobReview(c, v, unapproved)
	case errors.Is(err, items.ErrProtected):
		ps, err := s.protectedRows(c, v, j)
		if err != nil {
			return err
		}
		return s.showJobReview(c, v, ps)
	case errors.Is(err, store.ErrStale):
		return s.showJobReview(c, v, unseen)
	case errors.Is(err, items.ErrRepeated):
		return s.showJobReview(c, v, dispatch.Problems{{Field: views.FieldAnyway, Key: "problem.job.repeated"}})
	case errors.Is(err, items.ErrBudget):
		return s.showJobReview(c, v, overBudget(err, v.Account))
	case errors.Is(err, items.ErrQuota):
		return s.showJobReview(c, v, dispatch.Problems{{Field: "kvote", Key: "problem.job.quota"}})
	case errors.Is(err, items.ErrEmpty):
		return frame.SeeOther(c, frame.JobPath(v, j.ID, "feil"))
	case err != nil:
		return s.jobGone(c, v, err)
	}
	s.Wake()
	return s.ToSent(c, v, frame.JobPath(v, j.ID), flash, j.Timing)
}

// DiscardJob discards a job that was not sent.
func (s *Pages) DiscardJob(c echo.Context, v frame.Visit) error {
	if err := items.In(s.Store).DiscardJob(frame.Context(c), v.Account.ID, dispatch.JobID(c.Param("id")), frame.Actor(c, v.User)); err != nil {
		return s.jobGone(c, v, err)
	}
	return s.FlashTo(c, views.AccountPath(v.Account, "jobber"), "flash.discarded", 0)
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
	text := i18n.T(frame.Context(c), p.Key, args...)
	if column == "" {
		return text
	}
	return i18n.T(frame.Context(c), "job.faults.in_column", "Column", column, "Problem", text)
}
