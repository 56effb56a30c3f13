package compose

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// JobNewPage takes a list of recipients, for a new job or to replace a draft's list.
type JobNewPage struct {
	views.Page
	Key    string
	Action string
	Pasted string         // the list as pasted, when the form is shown again
	Draft  dispatch.JobID // an unfinished draft; empty: none
}

// JobForm is the form of a job's text, as typed.
type JobForm struct {
	Text string
	dispatch.SecondText
	Mode dispatch.JobMode
	Hide bool

	Chosen   string               // template selected in the list
	Template dispatch.TemplateUse // template that the text was written from
	dispatch.TimingFields
}

// JobFormOf returns the form that shows a job's text again.
func JobFormOf(j dispatch.Job) JobForm {
	return JobForm{Text: j.Text, SecondText: j.SecondText, Mode: j.Mode, Hide: j.HideInReport, TimingFields: TimingOf(j.Timing),
		Chosen: ChoiceValue(j.Template.ID, j.Template.Form), Template: j.Template}
}

// OtherJob compares the form posted from here with the version saved from another tab.
func OtherJob(here, there JobForm, path string) views.Other {
	o := views.Other{Path: path, More: here.Mode != there.Mode || here.Hide != there.Hide || here.TimingFields != there.TimingFields}
	o.Compare(dispatch.FieldText, "sms.text", here.Text, there.Text)
	o.Compare(dispatch.FieldNynorsk, "job.nynorsk", here.Nynorsk, there.Nynorsk)
	o.More = o.More || here.Otherwise != there.Otherwise
	return o
}

// JobEditPage is a draft: a summary of its list, and the text.
type JobEditPage struct {
	views.Page
	Job      dispatch.Job
	Form     JobForm
	Choice   TemplateChoice
	Seen     string      // revision of the draft that the form was made from
	Other    views.Other // version saved from another tab meanwhile
	Contacts dispatch.ContactForecast
	Last     dispatch.Approval // the last request for approval; zero: there was none

	Unreached []UnreachedLine // the first rows of a draft to those whom an earlier job did not reach

	Autosave                    views.Autosave
	Measured, Nynorsk           Measured
	Warnings                    []JobWarning // one page of the warnings
	FirstWarnings, NextWarnings string       // addresses of the other pages; empty: there are none
}

// JobWarning is a warning about a row of the list.
type JobWarning struct {
	Row int
	dispatch.RowWarning
}

// text is the warning with its row.
func (w JobWarning) text(ctx context.Context) string {
	if w.Column == "" {
		return i18n.T(ctx, "job.warnings.row", "Row", w.Row, "Hint", i18n.T(ctx, w.Key))
	}
	return i18n.T(ctx, "job.warnings.column", "Row", w.Row, "Column", w.Column, "Hint", i18n.T(ctx, w.Key))
}

// sendableRows is how many rows of the list can be sent the text as it is typed: not those that lack one of its fields.
func sendableRows(j dispatch.Job, texts ...Measured) int {
	unfit, typed := 0, false
	for _, m := range texts {
		if m.Many != nil && m.Text != "" {
			unfit, typed = unfit+m.Many.Unfit, true
		}
	}
	if !typed {
		unfit = j.List.Unfit
	}
	return max(j.List.Valid-unfit-j.Replaced, 0)
}

// takeIn is the address of the page where rows that were left out are taken in again.
func (p JobEditPage) takeIn() string {
	if p.Job.Again {
		return p.PathTo("jobber", string(p.Job.ID), "ikke-nadd")
	}
	return p.PathTo("jobber", string(p.Job.ID), "feil")
}

// withPhones tells how many of the recipients have a phone number in the list, which the fast mode needs.
func (p JobEditPage) withPhones(ctx context.Context) string {
	if p.Job.AllLeftOut() || p.Job.Replaced > 0 { // it is not known of how many that can be sent to
		return ""
	}
	l := p.Job.List
	switch {
	case l.Phone == l.Valid && l.Phone > 0:
		return i18n.T(ctx, "job.mode.fast.all", "N", l.Phone)
	case l.Valid == 1:
		return i18n.T(ctx, "job.mode.fast.without")
	}
	return i18n.T(ctx, "job.mode.fast.n", "N", l.Phone)
}

// twoTexts tells whether a second text, in nynorsk, is offered: the list has a column with the written form.
func (p JobEditPage) twoTexts() bool {
	return p.Form.Both() || dispatch.FormColumn(p.Job.Columns) >= 0
}

// formColumn is the heading of the column with the written form.
func (p JobEditPage) formColumn() string {
	if i := dispatch.FormColumn(p.Job.Columns); i >= 0 {
		return p.Job.Columns[i]
	}
	return ""
}

// counted are the names of the fields that the live analysis needs.
func (p JobEditPage) counted() string {
	names := dispatch.FieldText + " " + views.FieldMode
	if p.twoTexts() {
		names += " " + dispatch.FieldNynorsk + " " + dispatch.FieldOtherwise
	}
	return names
}

// textLabel is the label of the text.
func (p JobEditPage) textLabel() string {
	if p.twoTexts() {
		return "job.bokmal"
	}
	return "sms.text"
}

// otherwise is the written form for rows that name none.
func (p JobEditPage) otherwise() dispatch.WrittenForm {
	if p.Form.Otherwise == dispatch.FormNynorsk {
		return dispatch.FormNynorsk
	}
	return dispatch.FormBokmal
}

// fieldList is the list's columns as placeholders.
func (p JobEditPage) fieldList() []string {
	list := make([]string, len(p.Job.Columns))
	for i, name := range p.Job.Columns {
		list[i] = "((" + name + "))"
	}
	return list
}

// JobPreview is one recipient's message as it will be sent.
type JobPreview struct {
	Row    int
	Number string // masked
	Text   string
	Form   dispatch.WrittenForm
}

// JobReviewPage shows a draft in sentences before it is sent.
type JobReviewPage struct {
	views.Page
	Job      dispatch.Job
	Previews []JobPreview
	Before   dispatch.SameJob // with the same text
	Today    ListToday        // recipients who were sent something today already
	Held     dispatch.Block
	Measured Measured
	Nynorsk  Measured // of the text in nynorsk
	Contacts dispatch.ContactForecast

	Warnings     []JobWarning // the first of them
	MoreWarnings bool

	Approving   Approving
	First, More string // addresses of other pages of previews; empty: there are none

	Typed time.Time // when changes were typed that the draft lacks; zero: there are none

	Unreached []UnreachedLine // the first rows of a draft to those whom an earlier job did not reach
}

// planned is when the job would start if it were sent now.
func (p JobReviewPage) planned() time.Time { return p.Account.Planned(p.Job.Timing, p.Now) }

// postponed tells whether sending waits for the account's daytime.
func (p JobReviewPage) postponed() bool { return p.Account.Postponed(p.Job.Timing, p.Now) }

// waits tells whether the reader would send it now, and it would wait because the account cannot deliver.
func (p JobReviewPage) waits() bool {
	return p.Approving.waits(p.Held, !p.Job.SendAt.IsZero() || p.postponed())
}

// same tells whether all get one message, which is shown once. An approver sees each recipient.
func (p JobReviewPage) same() bool {
	return p.Measured.Many != nil && p.Measured.Many.Row == 0 && len(p.Measured.Many.Unknown) == 0 && !p.Job.Both() && !p.Approving.Deciding
}

// each are the messages that are shown with their recipients.
func (p JobReviewPage) each() []JobPreview {
	if p.same() || blocked(p.Job, p.Approving) {
		return nil
	}
	return p.Previews
}

// longest is the analysis of the longest message, if it is that of this row.
func (p JobReviewPage) longest(row int) (Measured, bool) {
	for _, m := range []Measured{p.Measured, p.Nynorsk} {
		if m.Many != nil && m.Many.Row == row && row > 0 {
			return m, true
		}
	}
	return Measured{}, false
}

// previewed tells whether the message of a row is among those shown.
func (p JobReviewPage) previewed(row int) bool {
	return slices.ContainsFunc(p.each(), func(m JobPreview) bool { return m.Row == row })
}

// formSentence tells how many get which written form, and how many rows name none.
func (p JobReviewPage) formSentence(ctx context.Context) string {
	return formSentence(ctx, p.Job.Forms, p.Job.Otherwise)
}

func formSentence(ctx context.Context, n dispatch.FormCounts, otherwise dispatch.WrittenForm) string {
	return withUnsaid(ctx, i18n.T(ctx, "job.forms", "Bokmal", views.Number(n.Bokmal), "Nynorsk", views.Number(n.Nynorsk)), n, otherwise)
}

// titleSentence is formSentence for the title of a shipment.
func titleSentence(ctx context.Context, n dispatch.FormCounts, otherwise dispatch.WrittenForm) string {
	return withUnsaid(ctx, i18n.T(ctx, "shipments.forms", "Bokmal", views.Number(n.Bokmal), "Nynorsk", views.Number(n.Nynorsk)), n, otherwise)
}

func withUnsaid(ctx context.Context, text string, n dispatch.FormCounts, otherwise dispatch.WrittenForm) string {
	if n.Unsaid == 0 {
		return text
	}
	form := i18n.T(ctx, "written_form."+string(cmp.Or(otherwise, dispatch.FormBokmal)))
	return text + " " + i18n.T(ctx, "job.forms.unsaid", "N", n.Unsaid, "Form", strings.ToLower(form))
}

// JobPage shows a sent job and its progress.
type JobPage struct {
	views.Page
	Job    dispatch.Job
	Counts dispatch.JobCounts

	Unreached  dispatch.Unreached   // those whom it did not reach
	Successors []dispatch.Successor // jobs to those whom it did not reach

	Failed  dispatch.SetAside // why messages cannot be made now
	CopyKey string
	Reach   dispatch.Reach // how much of the content the viewer may see

	TemplateName string // template of the text; empty: none
}

// Drafts are the viewer's drafts to those whom it did not reach.
func (p JobPage) Drafts() (list []dispatch.Successor) {
	for _, n := range p.Successors {
		if n.Draft {
			list = append(list, n)
		}
	}
	return list
}

// Sent are the jobs to those whom this one did not reach that are no drafts, and have somebody in them.
func (p JobPage) Sent() (list []dispatch.Successor) {
	for _, n := range p.Successors {
		if !n.Draft && n.N > 0 {
			list = append(list, n)
		}
	}
	return list
}

// ResentSingly is how many of those whom the job did not reach are in none of those jobs, but got a sending of their own.
func (p JobPage) ResentSingly() int {
	n := p.Unreached.Resent
	for _, to := range p.Sent() {
		n -= to.N
	}
	return max(n, 0)
}

// Again chooses between the catalogue keys of a sentence about sending again, and of its like where nothing was sent the first time.
func (p JobPage) Again(again, first string) string {
	if p.Counts.OnlyCancelled() {
		return first
	}
	return again
}

// SendsAgain tells whether the viewer may send to those whom the job did not reach.
func (p JobPage) SendsAgain() bool {
	return !p.Job.Purged && p.Reach != dispatch.ReachNone && p.May(p.SendRight())
}

// Own tells whether the viewer made the job.
func (p JobPage) Own() bool { return p.Job.CreatedBy == p.User.ID }

// SendRight is the right needed to send again.
func (p JobPage) SendRight() dispatch.Right {
	if p.Job.Shipments() {
		return dispatch.RightSendShipments
	}
	return dispatch.RightSendSMS
}

// HandedOver is the number of items that are handed over or have ended otherwise.
func (p JobPage) HandedOver() int { return p.Job.Recipients - p.Counts.Left() }

// GroupPath is the address of the list behind a count.
func (p JobPage) GroupPath(g dispatch.JobGroup) string {
	return p.PathTo(JobKey(p.Job, "sms", "forsendelser")) + "?jobb=" + string(p.Job.ID) + "&gruppe=" + GroupName(g)
}

// LiveAfter is the number of seconds until the page refreshes itself; empty: it does not.
func (p JobPage) LiveAfter() string {
	switch {
	case p.Job.Scheduled(p.Now) && p.Job.DueAt.Sub(p.Now) > time.Minute && !p.Job.MadeAt.IsZero():
		return "30"
	case p.Job.State == dispatch.JobRunning && p.Job.DueAt.After(p.Now):
		return "5"
	case p.Job.State == dispatch.JobRunning, p.Counts[dispatch.JobSending] > 0, p.Job.MadeAt.IsZero():
		return "2"
	case p.Job.State == dispatch.JobPaused, p.Counts[dispatch.JobHandedOver]+p.Counts[dispatch.JobOnItsWay] > 0:
		return "30"
	}
	return ""
}

// SecondsLeft is JobSecondsLeft.
func (p JobPage) SecondsLeft() int { return JobSecondsLeft(p.Job, p.Now) }

// Warns tells whether a warning says that the account cannot send: where JobWhy says something else.
func (p JobPage) Warns() bool {
	return p.Job.Block != dispatch.BlockNone && p.Job.Active() && !heldBack(p.Job, p.Now)
}

// Context says who made the job and when, and when it started.
func (p JobPage) Context(ctx context.Context) string {
	made := i18n.T(ctx, "sms.item.context", "When", views.Near(ctx, p.Job.CreatedAt, p.Now), "Who", p.Job.Creator)
	if !p.Job.Started(p.Now) || heldBack(p.Job, p.Now) && p.HandedOver() == 0 {
		return made
	}
	return made + ". " + i18n.T(ctx, "job.context.started", "When", views.Near(ctx, p.Job.DueAt, p.Now))
}

// Faulty tells whether the viewer can have the rows that were left out as a file: their own list is still stored.
func (p JobPage) Faulty() bool {
	l := p.Job.List
	return p.Own() && !p.Job.Shipments() && !p.Job.Purged && l.Read > l.Valid-l.Unfit
}

// JobTimePage changes the time of a planned job.
type JobTimePage struct {
	views.Page
	Job  dispatch.Job
	Form dispatch.TimingFields
}

// groupNames are the groups of a job's items, as addresses name them.
var groupNames = map[dispatch.JobGroup]string{
	dispatch.JobWaiting: "venter", dispatch.JobSending: "sendes", dispatch.JobHandedOver: "overlevert", dispatch.JobUntracked: "ikke-sporbar",
	dispatch.JobOnItsWay: "underveis", dispatch.JobArrived: "levert", dispatch.JobNotDelivered: "ikke-levert", dispatch.JobNotSent: "ikke-sendt",
	dispatch.JobUncertain: "uavklart", dispatch.JobCancelled: "avbrutt", dispatch.JobClosed: "avsluttet",
}

// GroupName is a group as addresses name it.
func GroupName(g dispatch.JobGroup) string { return groupNames[g] }

// GroupNamed is the inverse of GroupName; empty: no such group.
func GroupNamed(name string) dispatch.JobGroup {
	for g, n := range groupNames {
		if n == name {
			return g
		}
	}
	return ""
}

// groupLooks are colour and icon of the groups.
var groupLooks = map[dispatch.JobGroup]views.Look{
	dispatch.JobWaiting:      {Color: "neutral", Icon: "Clock"},
	dispatch.JobSending:      {Color: "info", Icon: "Paperplane"},
	dispatch.JobHandedOver:   {Color: "info", Icon: "Checkmark"},
	dispatch.JobUntracked:    {Color: "info", Icon: "Checkmark"},
	dispatch.JobOnItsWay:     {Color: "info", Icon: "Paperplane"},
	dispatch.JobArrived:      {Color: "success", Icon: "CheckmarkCircle"},
	dispatch.JobNotDelivered: {Color: "danger", Icon: "ExclamationmarkTriangle"},
	dispatch.JobNotSent:      {Color: "danger", Icon: "XMarkOctagon"},
	dispatch.JobUncertain:    {Color: "warning", Icon: "QuestionmarkCircle"},
	dispatch.JobCancelled:    {Color: "neutral", Icon: "LinkBroken"},
	dispatch.JobClosed:       {Color: "neutral", Icon: "HandFinger"},
}

// GroupLook is the tag of a group.
func GroupLook(ctx context.Context, g dispatch.JobGroup, k dispatch.Kind) views.Look {
	l := groupLooks[g]
	key := "job.group." + string(g)
	if g == dispatch.JobArrived {
		key = views.ArrivedKey(key, k)
	}
	l.Word = i18n.T(ctx, key)
	return l
}

// JobLine names a job in a list: by the beginning of the viewer's own text, else by its sender.
func JobLine(ctx context.Context, j dispatch.Job, viewer dispatch.UserID) string {
	return views.ManyName(ctx, jobName(ctx, j, viewer), j)
}

func jobName(ctx context.Context, j dispatch.Job, viewer dispatch.UserID) string {
	switch {
	case j.Shipments(): // the name of one goes on with how many
		return cmp.Or(j.Text, j.DraftTitle, i18n.T(ctx, "drafts.untitled"))
	case j.HideInReport:
		return i18n.T(ctx, "sms.text.hidden")
	case j.CreatedBy != viewer && j.TemplateName != "":
		return j.TemplateName
	case j.CreatedBy != viewer && j.Again: // the name goes on with how many
		return i18n.T(ctx, "job.list.from", "Name", j.Creator)
	case j.CreatedBy != viewer:
		return i18n.T(ctx, "job.list.others", "Name", j.Creator, "N", j.To())
	case j.Text == "":
		return i18n.T(ctx, "job.list.empty_text")
	}
	return views.Excerpt(j.Text, 60)
}

// JobListPage is one page of an account's jobs.
type JobListPage struct {
	views.Page
	Jobs   []dispatch.Job
	Counts map[dispatch.JobID]dispatch.JobCounts // of finished jobs
	Older  string                                // address; empty: there are none
	Live   string                                // address that refreshes these rows; empty: they do not refresh
	News   bool                                  // newer jobs were added to an empty page since it was shown
}

// LiveAfter is the number of seconds until the rows refresh while a job is running.
func (p JobListPage) LiveAfter() string {
	if slices.ContainsFunc(p.Jobs, dispatch.Job.Active) {
		return "5"
	}
	return "60"
}

// ItemWords are state and reason of an item as text, for exported files.
func ItemWords(ctx context.Context, it dispatch.Item, now time.Time) (state, why string) {
	if it.Stage(now) == dispatch.StageRejected && it.Reason.Key != "" {
		return views.LookOf(ctx, it, now).Word, i18n.T(ctx, it.Reason.Key)
	}
	return views.LookOf(ctx, it, now).Word, views.Reason(ctx, it, now)
}
