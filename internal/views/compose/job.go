package compose

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// JobNewPage is where a list is pasted or chosen, for a new job or in place of the one that a draft has.
type JobNewPage struct {
	views.Page
	Key    string
	Action string
	Pasted string         // the list as it was pasted, when it is shown again
	Draft  dispatch.JobID // a draft that was left; empty: none
}

// JobForm is the form of a job's text, as typed.
type JobForm struct {
	Text string
	dispatch.SecondText
	Mode dispatch.JobMode
	Hide bool

	Chosen   string               // the template in the list
	Template dispatch.TemplateUse // the text was written from it
	views.TimingForm
}

// JobFormOf returns the form that shows a job's text again.
func JobFormOf(j dispatch.Job) JobForm {
	return JobForm{Text: j.Text, SecondText: j.SecondText, Mode: j.Mode, Hide: j.HideInReport, TimingForm: TimingOf(j.Timing),
		Chosen: ChoiceValue(j.Template.ID, j.Template.Form), Template: j.Template}
}

// OtherJob compares the form of a job's text as it is typed here with what another tab has saved.
func OtherJob(here, there JobForm, path string) views.Other {
	o := views.Other{Path: path, More: here.Mode != there.Mode || here.Hide != there.Hide || here.TimingForm != there.TimingForm}
	o.Compare(dispatch.FieldText, "sms.text", here.Text, there.Text)
	o.Compare(dispatch.FieldNynorsk, "job.nynorsk", here.Nynorsk, there.Nynorsk)
	o.More = o.More || here.Otherwise != there.Otherwise
	return o
}

// JobEditPage is a draft: what its list holds, and the text.
type JobEditPage struct {
	views.Page
	Job      dispatch.Job
	Form     JobForm
	Choice   TemplateChoice
	Seen     string      // revision of the draft that the form was made from
	Other    views.Other // what another tab has saved meanwhile
	Contacts dispatch.ContactForecast
	Last     dispatch.Approval // the last time that others were asked to approve it; zero: they never were

	Autosave                    views.Autosave
	Measured, Nynorsk           Measured
	Warnings                    []JobWarning // one window of them
	FirstWarnings, NextWarnings string       // addresses of the other windows; empty: there are none
}

// JobWarning is what a person should look at in a row of the list.
type JobWarning struct {
	Row int
	dispatch.RowWarning
}

// text says where the warning is, and what it is.
func (w JobWarning) text(ctx context.Context) string {
	if w.Column == "" {
		return i18n.T(ctx, "job.warnings.row", "Row", w.Row, "Hint", i18n.T(ctx, w.Key))
	}
	return i18n.T(ctx, "job.warnings.column", "Row", w.Row, "Column", w.Column, "Hint", i18n.T(ctx, w.Key))
}

// twoTexts tells whether there may be a text in nynorsk too: the list says in which written form people want theirs.
func (p JobEditPage) twoTexts() bool {
	return p.Form.Both() || dispatch.FormColumn(p.Job.Columns) >= 0
}

// formColumn is the heading of the column that says the written form.
func (p JobEditPage) formColumn() string {
	if i := dispatch.FormColumn(p.Job.Columns); i >= 0 {
		return p.Job.Columns[i]
	}
	return ""
}

// counted are the names of what the counter asks with.
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

// otherwise is what those get of whom the list says nothing.
func (p JobEditPage) otherwise() dispatch.WrittenForm {
	if p.Form.Otherwise == dispatch.FormNynorsk {
		return dispatch.FormNynorsk
	}
	return dispatch.FormBokmal
}

// fieldList is the names of the list's columns as placeholders.
func (p JobEditPage) fieldList() []string {
	list := make([]string, len(p.Job.Columns))
	for i, name := range p.Job.Columns {
		list[i] = "((" + name + "))"
	}
	return list
}

// JobFault is a row that will not be sent to, as its form shows it.
type JobFault struct {
	dispatch.JobRow
	Problems dispatch.Problems
	Measured Measured // its own text; zero: there is none
}

// countedFields are the names of what its own text is counted by.
func (f JobFault) countedFields(columns []string) string {
	names := []string{"rad"}
	for i := range columns {
		names = append(names, f.FieldName(i))
	}
	return strings.Join(names, " ")
}

// RecipientName is the name of a row's recipient in the form.
func (f JobFault) RecipientName() string { return "mottaker-" + strconv.Itoa(f.Position) }

// FieldName is the name of a personal field of a row in the form.
func (f JobFault) FieldName(i int) string {
	return "felt-" + strconv.Itoa(f.Position) + "-" + strconv.Itoa(i)
}

// JobFaultsPage lists the rows that will not be sent to, to be put right.
type JobFaultsPage struct {
	views.Page
	Job    dispatch.Job
	Faults []JobFault
	More   string // address of the next ones; empty: there are none
}

// JobPreview is one recipient's message as it will be sent.
type JobPreview struct {
	Number string // masked
	Text   string
	Form   dispatch.WrittenForm
}

// JobReviewPage shows a draft in sentences before it is sent.
type JobReviewPage struct {
	views.Page
	Job      dispatch.Job
	Previews []JobPreview
	Before   dispatch.JobID // has sent the same today; empty: none
	Today    ListToday      // whom of them something was sent today
	Held     dispatch.Block
	Measured Measured
	Nynorsk  Measured // of the text in nynorsk
	Contacts dispatch.ContactForecast

	Approving   Approving
	First, More string // addresses of other windows of the previews; empty: there are none

	Typed time.Time // when changes were typed that are not in the draft; zero: there are none
}

// recipients is how many are sent to.
func (p JobReviewPage) recipients() int { return p.Job.List.Recipients(p.Job.Mode) }

// planned is when the job goes if it is sent now.
func (p JobReviewPage) planned() time.Time { return p.Account.Planned(p.Job.Timing, p.Now) }

// postponed tells whether the account's daytime makes it wait.
func (p JobReviewPage) postponed() bool { return p.Account.Postponed(p.Job.Timing, p.Now) }

// formSentence says how many get their text in each written form, and of how many the list does not say it.
func (p JobReviewPage) formSentence(ctx context.Context) string {
	return formSentence(ctx, p.Job.Forms, p.Job.Otherwise)
}

func formSentence(ctx context.Context, n dispatch.FormCounts, otherwise dispatch.WrittenForm) string {
	return withUnsaid(ctx, i18n.T(ctx, "job.forms", "Bokmal", views.Number(n.Bokmal), "Nynorsk", views.Number(n.Nynorsk)), n, otherwise)
}

// titleSentence is formSentence of a shipment's title.
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

// leftOut is how many rows of the list are not sent to.
func (p JobReviewPage) leftOut() int { return p.Job.List.Read - p.recipients() }

// JobPage shows a job that was sent and what became of it.
type JobPage struct {
	views.Page
	Job     dispatch.Job
	Counts  dispatch.JobCounts
	Held    dispatch.Block
	Failed  dispatch.SetAside // why its messages cannot be made; its queue is empty when they can
	CopyKey string
	Reach   dispatch.Reach // of the viewer, into its content

	TemplateName string // of what the text was written from; empty: nothing
}

// Own tells whether the viewer made the job.
func (p JobPage) Own() bool { return p.Job.CreatedBy == p.User.ID }

// SendRight is the right that sending again asks for.
func (p JobPage) SendRight() dispatch.Right {
	if p.Job.Shipments() {
		return dispatch.RightSendShipments
	}
	return dispatch.RightSendSMS
}

// HandedOver is how many are handed over or have ended otherwise.
func (p JobPage) HandedOver() int { return p.Job.Recipients - p.Counts.Left() }

// GroupPath is the list behind a count.
func (p JobPage) GroupPath(g dispatch.JobGroup) string {
	return p.PathTo(JobKey(p.Job, "sms", "forsendelser")) + "?jobb=" + string(p.Job.ID) + "&gruppe=" + GroupName(g)
}

// LiveAfter is how many seconds the page waits before it asks again; empty: nothing more happens by itself.
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

// JobTimePage is where a job that waits for its time gets another one.
type JobTimePage struct {
	views.Page
	Job  dispatch.Job
	Form views.TimingForm
}

// groupNames are the groups of a job in addresses.
var groupNames = map[dispatch.JobGroup]string{
	dispatch.JobWaiting: "venter", dispatch.JobSending: "sendes", dispatch.JobHandedOver: "overlevert", dispatch.JobUntracked: "ikke-sporbar",
	dispatch.JobOnItsWay: "underveis", dispatch.JobArrived: "levert", dispatch.JobNotDelivered: "ikke-levert", dispatch.JobNotSent: "ikke-sendt",
	dispatch.JobUncertain: "uavklart", dispatch.JobCancelled: "avbrutt", dispatch.JobClosed: "avsluttet",
}

// GroupName is a group of a job in addresses.
func GroupName(g dispatch.JobGroup) string { return groupNames[g] }

// GroupNamed is the group that an address names; empty: none.
func GroupNamed(name string) dispatch.JobGroup {
	for g, n := range groupNames {
		if n == name {
			return g
		}
	}
	return ""
}

// groupLooks are the looks of the groups of a job.
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

// GroupLook is the tag of a group of a job's recipients.
func GroupLook(ctx context.Context, g dispatch.JobGroup) views.Look {
	l := groupLooks[g]
	l.Word = i18n.T(ctx, "job.group."+string(g))
	return l
}

// jobLooks are the looks of a job's states.
var jobLooks = map[dispatch.JobState]views.Look{
	dispatch.JobDraft:   {Color: "neutral", Icon: "PencilLine"},
	dispatch.JobRunning: {Color: "info", Icon: "Paperplane"},
	dispatch.JobPaused:  {Color: "warning", Icon: "Clock"},
	dispatch.JobStopped: {Color: "neutral", Icon: "LinkBroken"},
	dispatch.JobDone:    {Color: "neutral", Icon: "Checkmark"}, // says nothing of what became of them
}

func jobLook(ctx context.Context, j dispatch.Job, now time.Time) views.Look {
	l := jobLooks[j.State]
	if j.AwaitsApproval {
		l = views.StageLooks[dispatch.StageApproval]
		l.Word = i18n.T(ctx, "stage.approval")
		return l
	}
	if j.State == dispatch.JobRunning && j.Scheduled(now) {
		return views.Look{Word: i18n.T(ctx, "stage.scheduled"), Color: "neutral", Icon: "Clock"}
	}
	if j.State == dispatch.JobDone && j.Uncertain {
		return GroupLook(ctx, dispatch.JobUncertain)
	}
	l.Word = i18n.T(ctx, "job.state."+string(j.State))
	return l
}

// ResultLook is jobLook with what became of a job that is over: "Ferdig: 5 sendt, 2 kom ikke frem".
func ResultLook(ctx context.Context, j dispatch.Job, c dispatch.JobCounts, now time.Time) views.Look {
	l := jobLook(ctx, j, now)
	if !j.Over() {
		return l
	}
	var parts []string
	add := func(key string, n int) {
		if n > 0 {
			parts = append(parts, i18n.T(ctx, "job.over."+key, "N", n))
		}
	}
	add("sent", c[dispatch.JobHandedOver]+c[dispatch.JobUntracked]+c[dispatch.JobOnItsWay]+c[dispatch.JobArrived]+c[dispatch.JobNotDelivered]+c[dispatch.JobClosed])
	add("missed", c[dispatch.JobNotDelivered])
	add("unsent", c[dispatch.JobNotSent])
	add("doubted", c[dispatch.JobUncertain])
	add("cancelled", c[dispatch.JobCancelled])
	if len(parts) == 0 {
		return l
	}
	if c.Resendable() > 0 && l.Color == "neutral" {
		l.Color, l.Icon = "warning", "ExclamationmarkTriangle"
	}
	l.Word = i18n.T(ctx, "job.state.result", "State", i18n.T(ctx, "job.state."+string(j.State)), "Counts", strings.Join(parts, ", "))
	return l
}

// JobWhy is the sentence under the state.
func JobWhy(ctx context.Context, j dispatch.Job, now time.Time) string {
	if j.State == dispatch.JobRunning && j.Scheduled(now) {
		return i18n.T(ctx, JobKey(j, "job.state.scheduled.why", "shipments.state.scheduled.why"), "When", views.Soon(ctx, j.DueAt, now))
	}
	state := string(j.State)
	if j.AwaitsApproval {
		return i18n.T(ctx, "stage.approval.why")
	}
	if j.Uncertain && !j.Active() {
		state += ".uncertain"
	}
	return i18n.T(ctx, JobKey(j, "job.state."+state+".why", "shipments.state."+state+".why"))
}

// JobLine names a job in a list: the beginning of one's own text, else who made it.
func JobLine(ctx context.Context, j dispatch.Job, viewer dispatch.UserID) string {
	switch {
	case j.Shipments() && j.Text == "":
		return i18n.T(ctx, "shipments.list.draft")
	case j.Shipments():
		return j.Text
	case j.HideInReport:
		return i18n.T(ctx, "sms.text.hidden")
	case j.CreatedBy != viewer:
		return i18n.T(ctx, "job.list.others", "Name", j.Creator)
	case j.Text == "":
		return i18n.T(ctx, "job.list.empty_text")
	}
	return views.Excerpt(j.Text, 60)
}

// JobListPage is one window of an account's jobs.
type JobListPage struct {
	views.Page
	Jobs   []dispatch.Job
	Counts map[dispatch.JobID]dispatch.JobCounts // of those that are over
	Older  string                                // address; empty: there are none
	Live   string                                // where these rows are asked for again; empty: they are not
	News   bool                                  // there are newer ones than those, where there were none when the page came
}

// LiveAfter is how many seconds the page waits before it asks for the rows again: a job that is under way comes further.
func (p JobListPage) LiveAfter() string {
	if slices.ContainsFunc(p.Jobs, dispatch.Job.Active) {
		return "5"
	}
	return "60"
}

// value is a personal field of the row; empty where the row is short.
func (f JobFault) value(i int) string {
	if i >= len(f.Fields) {
		return ""
	}
	return f.Fields[i]
}

// ItemWords are the state of an item and the reason for it, as files tell them.
func ItemWords(ctx context.Context, it dispatch.Item, now time.Time) (state, why string) {
	if it.Stage(now) == dispatch.StageRejected && it.Reason.Key != "" {
		return views.LookOf(ctx, it, now).Word, i18n.T(ctx, it.Reason.Key)
	}
	return views.LookOf(ctx, it, now).Word, views.Reason(ctx, it, now)
}
