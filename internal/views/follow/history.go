package follow

import (
	"context"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// line is one line of a timeline, from any source.
type line struct {
	views.Look
	At     time.Time
	Said   string // the service's timestamp, if it cannot be parsed
	Text   string // a sentence under the heading
	Source string
	From   Origin

	Observed  bool            // a change that we observed; the service's own line repeats it
	Theirs    string          // the status in the service's language, where the page has another; empty: as Word
	Status    dispatch.Status // status that the line reports; empty: none, or free text from the service
	Signing   bool            // of the signing
	Technical bool            // of no interest to somebody who waits for the recipient
	Seen      time.Time       // when we observed the service's event; zero: together with its line
	Times     int             // number of consecutive repetitions, if more than one
	First     time.Time       // time of the first of these
	Late      string          // sentence about a late event; empty: it was not late
}

// eventLines are our own events and the changes that we observed at the service, newest first as they come.
func eventLines(ctx context.Context, k dispatch.Kind, events []dispatch.Event) []line {
	lines := make([]line, len(events))
	for i, e := range events {
		lines[i] = line{Look: eventLook(ctx, k, e), At: e.At, Source: source(ctx, k, e), From: originOf(e), Observed: e.FromService(),
			Signing: e.Kind == dispatch.EventSigning, Technical: technical(e)}
		if e.Kind == dispatch.EventStatus {
			lines[i].Status = dispatch.Status(e.Detail)
		}
		switch {
		case e.Reason.Key != "":
			lines[i].Text = i18n.T(ctx, views.Worded(k, e.Reason.Key))
		case e.Kind == dispatch.EventArchived:
			lines[i].Text = i18n.T(ctx, "archive.in", "Case", e.Detail)
		case e.Kind == dispatch.EventMarkedRead:
			lines[i].Text = i18n.T(ctx, "event.marked_read.where", "System", e.Detail)
		case e.Kind == dispatch.EventDeletedDocuments:
			lines[i].Text = i18n.T(ctx, "deletion."+e.Detail+".done")
		}
	}
	return lines
}

// serviceLines are a history from the service. Its text is free text, so it is shown and never interpreted as a
// status.
func serviceLines(ctx context.Context, events []dispatch.ServiceEvent) []line {
	lines := make([]line, len(events))
	for i, e := range events {
		lines[i] = line{Look: views.Look{Word: e.Text, Color: "neutral", Icon: "EnvelopeClosed"}, At: e.At, Said: e.Said, Source: i18n.T(ctx, "event.source.service"), From: OriginService}
		if e.Status != "" {
			lines[i].Look, lines[i].Text = views.SigningLook(ctx, e.Status), e.Text
		}
	}
	return lines
}

// merged merges histories, newest first. Lines of the same moment keep their order.
func merged(histories ...[]line) []line {
	return dispatch.NewestFirst(func(l line) time.Time { return l.At }, histories...)
}

// eventLook is the appearance of one of our own events.
func eventLook(ctx context.Context, k dispatch.Kind, e dispatch.Event) views.Look {
	switch e.Kind {
	case dispatch.EventStatus:
		return views.StatusLook(ctx, k, dispatch.Status(e.Detail))
	case dispatch.EventSigning:
		return views.SigningLook(ctx, dispatch.SigningStatus(e.Detail))
	case dispatch.EventOutcome:
		l := outcomeLooks[dispatch.Outcome(e.Detail)]
		l.Word = i18n.T(ctx, "event.outcome."+e.Detail)
		return l
	case dispatch.EventHandedOver:
		return views.Look{Word: i18n.T(ctx, "event.handed_over", "Name", e.Detail), Color: "neutral", Icon: "PersonGroup"}
	case dispatch.EventAssigned:
		l := views.Look{Word: i18n.T(ctx, "event.assigned"), Color: "neutral", Icon: "HandFinger"}
		switch e.Detail {
		case "": // only its deadline or its note
		case string(dispatch.OwnerNobody):
			l.Word = i18n.T(ctx, "event.assigned.nobody")
		default:
			l.Word = i18n.T(ctx, "event.assigned.to", "Name", e.Detail)
		}
		return l
	case dispatch.EventLookedUp:
		return lookUpLook(ctx, dispatch.Outcome(e.Detail))
	case dispatch.EventResolved:
		return views.Look{Word: i18n.T(ctx, "event.resolved."+e.Detail), Color: "neutral", Icon: "HandFinger"}
	}
	l, ok := eventLooks[e.Kind]
	if !ok {
		l = views.Look{Color: "neutral", Icon: "PencilLine"}
	}
	l.Word = i18n.T(ctx, views.Worded(k, "event."+string(e.Kind)))
	return l
}

// lookUpLook is the appearance of a look-up's result: found, or certainly not there and to be sent again.
func lookUpLook(ctx context.Context, o dispatch.Outcome) views.Look {
	if o == dispatch.OutcomeAccepted {
		return views.Look{Word: i18n.T(ctx, "event.looked_up.found"), Color: "info", Icon: "Checkmark"}
	}
	return views.Look{Word: i18n.T(ctx, "event.looked_up.absent"), Color: "neutral", Icon: "MagnifyingGlass"}
}

var outcomeLooks = map[dispatch.Outcome]views.Look{
	dispatch.OutcomeAccepted:    {Color: "info", Icon: "Checkmark"},
	dispatch.OutcomeRejected:    {Color: "danger", Icon: "XMarkOctagon"},
	dispatch.OutcomeUnavailable: {Color: "warning", Icon: "ClockDashed"},
	dispatch.OutcomeRefused:     {Color: "warning", Icon: "ShieldLock"},
	dispatch.OutcomeUncertain:   {Color: "warning", Icon: "QuestionmarkCircle"},
}

var eventLooks = map[dispatch.EventKind]views.Look{
	dispatch.EventQueued:    {Color: "neutral", Icon: "Paperplane"},
	dispatch.EventRequeued:  {Color: "neutral", Icon: "Paperplane"},
	dispatch.EventConfirmed: {Color: "neutral", Icon: "Checkmark"},
	dispatch.EventCancelled: {Color: "neutral", Icon: "LinkBroken"},
	dispatch.EventStopAsked: {Color: "neutral", Icon: "LinkBroken"},
	dispatch.EventGaveUp:    {Color: "danger", Icon: "XMarkOctagon"},
	dispatch.EventMissing:   {Color: "warning", Icon: "QuestionmarkCircle"},
	dispatch.EventRestored:  {Color: "warning", Icon: "ExclamationmarkTriangle"},
	dispatch.EventRevealed:  {Color: "neutral", Icon: "Eye"},
	dispatch.EventOpened:    {Color: "neutral", Icon: "Eye"},
	dispatch.EventCopied:    {Color: "neutral", Icon: "Files"},

	dispatch.EventFollowedUp: {Color: "neutral", Icon: "Checkmark"},
	dispatch.EventLookAgain:  {Color: "neutral", Icon: "MagnifyingGlass"},
	dispatch.EventMarkedRead: {Color: "neutral", Icon: "EnvelopeOpen"},

	dispatch.EventArchived:   {Color: "neutral", Icon: "ClipboardCheckmark"},
	dispatch.EventUnarchived: {Color: "neutral", Icon: "ClipboardCheckmark"},

	dispatch.EventDeletedDocuments: {Color: "neutral", Icon: "Trash"},
}

// source names the source of a line. As a shipment has a history at the service too, a status that we observed is
// named differently from that.
func source(ctx context.Context, k dispatch.Kind, e dispatch.Event) string {
	switch {
	case e.FromService() && k == dispatch.KindShipment:
		return i18n.T(ctx, "event.source.observed")
	case e.FromService():
		return i18n.T(ctx, "event.source.service")
	case e.Actor != "":
		return i18n.T(ctx, "event.source.own_by", "Name", e.Actor)
	}
	return i18n.T(ctx, "event.source.own")
}
