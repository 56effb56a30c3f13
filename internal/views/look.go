package views

import (
	"context"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
)

// look is how a stage or a status is shown, everywhere the same: word, colour and icon.
type look struct {
	Word, Color, Icon string
}

// stageLooks are the looks of our own states (ui-spec 7.0); words are in the catalogue.
var stageLooks = map[dispatch.Stage]look{
	dispatch.StageDraft:     {Color: "neutral", Icon: "PencilLine"},
	dispatch.StageScheduled: {Color: "neutral", Icon: "Clock"},
	dispatch.StageQueued:    {Color: "neutral", Icon: "Clock"},
	dispatch.StageWaiting:   {Color: "warning", Icon: "Clock"},
	dispatch.StageAsking:    {Color: "warning", Icon: "QuestionmarkCircle"},
	dispatch.StageSending:   {Color: "info", Icon: "Paperplane"},
	dispatch.StageAccepted:  {Color: "info", Icon: "Checkmark"},
	dispatch.StageRejected:  {Color: "danger", Icon: "XMarkOctagon"},
	dispatch.StageFailed:    {Color: "danger", Icon: "XMarkOctagon"},
	dispatch.StageUncertain: {Color: "warning", Icon: "QuestionmarkCircle"},
	dispatch.StageCancelled: {Color: "neutral", Icon: "LinkBroken"},
}

// smsLooks are the looks of the SMS service's statuses (ui-spec 7.2).
var smsLooks = map[dispatch.Status]look{
	dispatch.StatusCreated:      {Color: "neutral", Icon: "Inbox"},
	dispatch.StatusSent:         {Color: "info", Icon: "Paperplane"},
	dispatch.StatusDelivered:    {Color: "success", Icon: "CheckmarkCircle"},
	dispatch.StatusNotSent:      {Color: "danger", Icon: "XMarkOctagon"},
	dispatch.StatusNotDelivered: {Color: "danger", Icon: "ExclamationmarkTriangle"},
	dispatch.StatusUnknown:      {Color: "warning", Icon: "QuestionmarkCircle"},
}

// lookOf returns how an item is shown now.
func lookOf(ctx context.Context, it dispatch.Item, now time.Time) look {
	stage := it.Stage(now)
	if stage == dispatch.StageStatus {
		return statusLook(ctx, it.Status)
	}
	l := stageLooks[stage]
	l.Word = i18n.T(ctx, "stage."+string(stage))
	return l
}

// statusLook returns how a status is shown; one that is not described yet is shown as it is.
func statusLook(ctx context.Context, s dispatch.Status) look {
	l, ok := smsLooks[s]
	if !ok {
		return look{Word: string(s), Color: "neutral", Icon: "QuestionmarkCircle"}
	}
	l.Word = i18n.T(ctx, "status.sms."+string(s))
	return l
}

// why is the sentence under the tag: what it means, and what happens next.
func why(ctx context.Context, it dispatch.Item, events []dispatch.Event, now time.Time) string {
	switch stage := it.Stage(now); stage {
	case dispatch.StageStatus:
		if _, ok := smsLooks[it.Status]; !ok {
			return i18n.T(ctx, "status.unknown.why")
		}
		return i18n.T(ctx, "status.sms."+string(it.Status)+".why")
	case dispatch.StageScheduled:
		return i18n.T(ctx, "stage.scheduled.why", "When", soon(ctx, it.DueSince, now))
	case dispatch.StageQueued:
		return whyQueued(ctx, it, now)
	case dispatch.StageWaiting:
		return i18n.T(ctx, "stage.waiting."+string(it.Hold))
	case dispatch.StageAsking:
		return i18n.T(ctx, "stage.asking.why", "When", near(ctx, it.DueSince, now))
	case dispatch.StageAccepted:
		if it.UpstreamID == "" {
			return i18n.T(ctx, "stage.accepted.untracked")
		}
	case dispatch.StageRejected:
		return i18n.T(ctx, it.Reason.Key)
	case dispatch.StageCancelled:
		return whyCancelled(ctx, events)
	}
	return i18n.T(ctx, "stage."+string(it.State)+".why")
}

func whyQueued(ctx context.Context, it dispatch.Item, now time.Time) string {
	if it.Reason.Key == "" || !it.DueAt.After(now) {
		return i18n.T(ctx, "stage.queued.why")
	}
	return i18n.T(ctx, "stage.queued.again", "When", soon(ctx, it.DueAt, now), "Reason", i18n.T(ctx, it.Reason.Key))
}

func whyCancelled(ctx context.Context, events []dispatch.Event) string {
	for _, e := range events {
		switch {
		case e.Kind == dispatch.EventCancelled && e.Actor != "":
			return i18n.T(ctx, "stage.cancelled.why", "Name", e.Actor)
		case e.Kind == dispatch.EventResolved && e.Actor != "":
			return i18n.T(ctx, "stage.dropped.why", "Name", e.Actor)
		}
	}
	return i18n.T(ctx, "stage.cancelled.unknown")
}

// reason is a further sentence about why an item is where it is, empty if the sentence above said it.
func reason(ctx context.Context, it dispatch.Item, now time.Time) string {
	switch it.Stage(now) {
	case dispatch.StageUncertain, dispatch.StageFailed, dispatch.StageWaiting, dispatch.StageAsking:
		if it.Reason.Key != "" {
			return i18n.T(ctx, it.Reason.Key)
		}
	}
	return ""
}

// eventLook is how a line of the timeline is shown.
func eventLook(ctx context.Context, e dispatch.Event) look {
	switch e.Kind {
	case dispatch.EventStatus:
		return statusLook(ctx, dispatch.Status(e.Detail))
	case dispatch.EventOutcome:
		l := outcomeLooks[dispatch.Outcome(e.Detail)]
		l.Word = i18n.T(ctx, "event.outcome."+e.Detail)
		return l
	case dispatch.EventResolved:
		return look{Word: i18n.T(ctx, "event.resolved."+e.Detail), Color: "neutral", Icon: "HandFinger"}
	}
	l, ok := eventLooks[e.Kind]
	if !ok {
		l = look{Color: "neutral", Icon: "PencilLine"}
	}
	l.Word = i18n.T(ctx, "event."+string(e.Kind))
	return l
}

var outcomeLooks = map[dispatch.Outcome]look{
	dispatch.OutcomeAccepted:    {Color: "info", Icon: "Checkmark"},
	dispatch.OutcomeRejected:    {Color: "danger", Icon: "XMarkOctagon"},
	dispatch.OutcomeUnavailable: {Color: "warning", Icon: "ClockDashed"},
	dispatch.OutcomeRefused:     {Color: "warning", Icon: "ShieldLock"},
	dispatch.OutcomeUncertain:   {Color: "warning", Icon: "QuestionmarkCircle"},
}

var eventLooks = map[dispatch.EventKind]look{
	dispatch.EventQueued:    {Color: "neutral", Icon: "Paperplane"},
	dispatch.EventRequeued:  {Color: "neutral", Icon: "Paperplane"},
	dispatch.EventConfirmed: {Color: "neutral", Icon: "Checkmark"},
	dispatch.EventCancelled: {Color: "neutral", Icon: "LinkBroken"},
	dispatch.EventGaveUp:    {Color: "danger", Icon: "XMarkOctagon"},
	dispatch.EventMissing:   {Color: "warning", Icon: "QuestionmarkCircle"},
	dispatch.EventRestored:  {Color: "warning", Icon: "ExclamationmarkTriangle"},
	dispatch.EventRevealed:  {Color: "neutral", Icon: "Eye"},
}

// source says where a line of the timeline comes from.
func source(ctx context.Context, e dispatch.Event) string {
	switch {
	case e.FromService():
		return i18n.T(ctx, "event.source.service")
	case e.Actor != "":
		return i18n.T(ctx, "event.source.own_by", "Name", e.Actor)
	}
	return i18n.T(ctx, "event.source.own")
}

// askAgain is how many seconds the page waits before it asks for the item again; 0 means that it is settled. It slows
// down with the age of what it waits for.
func askAgain(it dispatch.Item, now time.Time) int {
	switch {
	case it.Settled():
		return 0
	case it.State == dispatch.StateUncertain, it.Hold != dispatch.HoldNone, it.Overdue(now):
		return 30
	case it.State != dispatch.StateAccepted:
		return 2
	case now.Sub(it.AcceptedAt) < 2*time.Minute:
		return 3
	case now.Sub(it.AcceptedAt) < 15*time.Minute:
		return 10
	}
	return 60
}
