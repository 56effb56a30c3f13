package compose

import (
	"context"
	"strings"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// jobLooks are colour and icon of a job's states.
var jobLooks = map[dispatch.JobState]views.Look{
	dispatch.JobDraft:   {Color: "neutral", Icon: "PencilLine"},
	dispatch.JobRunning: {Color: "info", Icon: "Paperplane"},
	dispatch.JobPaused:  {Color: "warning", Icon: "Clock"},
	dispatch.JobStopped: {Color: "neutral", Icon: "LinkBroken"},
	dispatch.JobDone:    {Color: "neutral", Icon: "Checkmark"}, // neutral: done does not mean delivered
}

// JobSecondsLeft is how many seconds are left to undo a job that was just sent; 0 for others, and where the account cannot send.
func JobSecondsLeft(j dispatch.Job, now time.Time) int {
	if j.State != dispatch.JobRunning || j.Block != dispatch.BlockNone {
		return 0
	}
	return views.UndoSeconds(j.DueAt, now)
}

// heldBack tells whether all that a running job waits for is that its account can send. A time of its own is told first.
func heldBack(j dispatch.Job, now time.Time) bool {
	return j.State == dispatch.JobRunning && j.Block != dispatch.BlockNone && (!j.Scheduled(now) || views.UndoSeconds(j.DueAt, now) > 0)
}

func jobLook(ctx context.Context, j dispatch.Job, now time.Time) views.Look {
	stage := func(s dispatch.Stage) views.Look {
		l := views.StageLooks[s]
		l.Word = i18n.T(ctx, "stage."+string(s))
		return l
	}
	switch {
	case j.AwaitsApproval:
		return stage(dispatch.StageApproval)
	case j.State == dispatch.JobDraft && j.ReturnedBy != "":
		return views.ReturnedLook(ctx, j.ReturnedBy)
	case heldBack(j, now):
		return stage(dispatch.StageWaiting)
	case JobSecondsLeft(j, now) > 0:
		l := stage(dispatch.StageScheduled)
		l.Word = i18n.T(ctx, "stage.soon")
		return l
	case j.State == dispatch.JobRunning && j.Scheduled(now):
		return stage(dispatch.StageScheduled)
	case j.State == dispatch.JobDone && j.Uncertain:
		return GroupLook(ctx, dispatch.JobUncertain, j.Kind)
	}
	l := jobLooks[j.State]
	l.Word = i18n.T(ctx, "job.state."+string(j.State))
	return l
}

// ResultLook is jobLook with the result of a finished job: "Ferdig: 3 kom frem, 2 kom ikke frem". It is not finished to its
// reader while statuses are still to come.
func ResultLook(ctx context.Context, j dispatch.Job, c dispatch.JobCounts, now time.Time) views.Look {
	l, counts := Result(ctx, j, c, now)
	if counts != "" {
		l.Word = i18n.T(ctx, "job.state.result", "State", l.Word, "Counts", counts)
	}
	return l
}

// Result is the look of a job, and in words how many of a finished one came to what; empty for others.
func Result(ctx context.Context, j dispatch.Job, c dispatch.JobCounts, now time.Time) (l views.Look, counts string) {
	l = jobLook(ctx, j, now)
	if !j.Over() || j.State == dispatch.JobStopped && c.OnlyCancelled() { // "Stoppet: 3 stoppet" says it twice
		return l, ""
	}
	var parts []string
	add := func(key string, n int) {
		if n > 0 {
			parts = append(parts, i18n.T(ctx, "job.over."+key, "N", n))
		}
	}
	state, left := string(j.State), "untold"
	if j.StatusesCome(c, now) {
		left = "awaited"
		if j.State == dispatch.JobDone {
			state = "sent"
		}
	}
	add(views.ArrivedKey("arrived", j.Kind), c[dispatch.JobArrived])
	add(left, c.Awaited())
	add("sent", c[dispatch.JobUntracked]+c[dispatch.JobClosed])
	add("missed", c[dispatch.JobNotDelivered])
	add("unsent", c[dispatch.JobNotSent])
	add("doubted", c[dispatch.JobUncertain])
	add("cancelled", c[dispatch.JobCancelled])
	if len(parts) == 0 {
		return l, ""
	}
	if c.Resendable() > 0 && l.Color == "neutral" {
		l.Color, l.Icon = "warning", "ExclamationmarkTriangle"
	}
	l.Word = i18n.T(ctx, "job.state."+state)
	return l, strings.Join(parts, ", ")
}

// JobWhy is the sentence under the state, after who paused or stopped the job.
func JobWhy(ctx context.Context, j dispatch.Job, c dispatch.JobCounts, now time.Time) string {
	why := jobWhy(ctx, j, c, now)
	switch {
	case j.HaltedBy != "" && j.State == dispatch.JobStopped:
		return i18n.T(ctx, "job.halted.stopped", "Name", j.HaltedBy, "When", views.Near(ctx, j.HaltedAt, now)) + " " + why
	case j.HaltedBy != "" && j.State == dispatch.JobPaused:
		return i18n.T(ctx, "job.halted.paused", "Name", j.HaltedBy, "When", views.Near(ctx, j.HaltedAt, now)) + " " + why
	}
	return why
}

func jobWhy(ctx context.Context, j dispatch.Job, c dispatch.JobCounts, now time.Time) string {
	switch {
	case heldBack(j, now):
		return i18n.T(ctx, JobKey(j, "job.held", "shipments.job.held"))
	case j.State == dispatch.JobRunning && j.Scheduled(now):
		return i18n.T(ctx, JobKey(j, "job.state.scheduled.why", "shipments.state.scheduled.why"), "When", views.Soon(ctx, j.DueAt, now))
	case j.AwaitsApproval:
		return i18n.T(ctx, "stage.approval.why")
	case j.State == dispatch.JobStopped && c.OnlyCancelled():
		return i18n.T(ctx, JobKey(j, "job.state.stopped.nobody.why", "shipments.state.stopped.nobody.why"))
	case j.State == dispatch.JobDone && !j.Uncertain && j.StatusesCome(c, now):
		return i18n.T(ctx, JobKey(j, "job.state.sent.why", "shipments.state.sent.why"))
	}
	state := string(j.State)
	if j.Uncertain && !j.Active() {
		state += ".uncertain"
	}
	return i18n.T(ctx, JobKey(j, "job.state."+state+".why", "shipments.state."+state+".why"), "N", max(c[dispatch.JobUncertain], 1))
}
