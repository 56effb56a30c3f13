package views

import (
	"context"
	"math"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
)

// Look is the appearance of a stage or status: word, colour and icon.
type Look struct {
	Word, Color, Icon string
}

// StageLooks are the looks of our own states (ui-spec 7.0); words are in the catalogue.
var StageLooks = map[dispatch.Stage]Look{
	dispatch.StageDraft:     {Color: "neutral", Icon: "PencilLine"},
	dispatch.StageApproval:  {Color: "info", Icon: "Eye"},
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

// meaningLooks are the looks of the services' statuses (ui-spec 7.1, 7.2), by what they mean.
var meaningLooks = map[dispatch.Meaning]Look{
	dispatch.MeaningReceived:     {Color: "neutral", Icon: "Inbox"},
	dispatch.MeaningAccepted:     {Color: "neutral", Icon: "Checkmark"},
	dispatch.MeaningReady:        {Color: "info", Icon: "Clock"},
	dispatch.MeaningNotified:     {Color: "info", Icon: "Bell"},
	dispatch.MeaningSent:         {Color: "info", Icon: "Paperplane"},
	dispatch.MeaningSentToPrint:  {Color: "info", Icon: "PrinterSmall"},
	dispatch.MeaningUnknown:      {Color: "warning", Icon: "QuestionmarkCircle"},
	dispatch.MeaningDelivered:    {Color: "success", Icon: "CheckmarkCircle"},
	dispatch.MeaningRead:         {Color: "success", Icon: "EnvelopeOpen"},
	dispatch.MeaningInMailbox:    {Color: "success", Icon: "InboxDown"},
	dispatch.MeaningPrinted:      {Color: "success", Icon: "PrinterSmall"},
	dispatch.MeaningRefused:      {Color: "danger", Icon: "XMarkOctagon"},
	dispatch.MeaningNotDelivered: {Color: "danger", Icon: "ExclamationmarkTriangle"},
	dispatch.MeaningHandled:      {Color: "neutral", Icon: "HandFinger"},
	dispatch.MeaningDeleted:      {Color: "neutral", Icon: "Trash"},
}

// signingLooks are the looks of the signing statuses (ui-spec 7.3).
var signingLooks = map[dispatch.SigningMeaning]Look{
	dispatch.SigningMeansWaiting: {Color: "info", Icon: "Clock"},
	dispatch.SigningMeansSigned:  {Color: "success", Icon: "PencilLine"},
	dispatch.SigningMeansRefused: {Color: "danger", Icon: "XMarkOctagon"},
	dispatch.SigningMeansExpired: {Color: "danger", Icon: "ClockDashed"},
}

// LookOf returns how an item is shown now.
func LookOf(ctx context.Context, it dispatch.Item, now time.Time) Look {
	stage := it.Stage(now)
	if stage == dispatch.StageStatus {
		return StatusLook(ctx, it.Kind, it.Status)
	}
	l := StageLooks[stage]
	l.Word = i18n.T(ctx, "stage."+string(stage))
	if stage == dispatch.StageDraft && it.ReturnedBy != "" {
		return ReturnedLook(ctx, it.ReturnedBy)
	}
	if SecondsLeft(it, now) > 0 {
		l.Word = i18n.T(ctx, "stage.soon")
	}
	return l
}

// ReturnedLook is how a draft is shown that a colleague did not approve.
func ReturnedLook(ctx context.Context, by string) Look {
	return Look{Word: i18n.T(ctx, "stage.returned", "Name", by), Color: "warning", Icon: "PencilLine"}
}

// SecondsLeft is how many seconds are left to stop an item that is sent within the countdown; 0 for others, and for those whose
// sending is blocked.
func SecondsLeft(it dispatch.Item, now time.Time) int {
	if it.Stage(now) != dispatch.StageScheduled || it.Block != dispatch.BlockNone {
		return 0
	}
	return UndoSeconds(it.DueSince, now)
}

// UndoSeconds is how many seconds are left of the countdown to a time; 0: it is not near, or it is over.
func UndoSeconds(due, now time.Time) int {
	left := due.Sub(now)
	if left > dispatch.Countdown {
		return 0
	}
	return max(int(math.Ceil(left.Seconds())), 0)
}

// ItemLooks are the tags of an item with its signing. A signing that failed comes first, and nothing beside it looks like success.
func ItemLooks(ctx context.Context, it dispatch.Item, signing dispatch.SigningStatus, now time.Time) []Look {
	looks := []Look{LookOf(ctx, it, now)}
	if signing == "" {
		return looks
	}
	if !signing.Row().Failed() {
		return append(looks, SigningLook(ctx, signing))
	}
	if looks[0].Color == "success" {
		looks[0].Color = "neutral"
	}
	return []Look{SigningLook(ctx, signing), looks[0]}
}

// StatusLook returns how a status is shown: the same value can have other words for an SMS than for a shipment. One that
// is not described yet is shown as it is.
func StatusLook(ctx context.Context, k dispatch.Kind, s dispatch.Status) Look {
	if s == dispatch.StatusHandedOver {
		l := StageLooks[dispatch.StageAccepted]
		l.Word = i18n.T(ctx, "stage.accepted")
		return l
	}
	l, ok := meaningLooks[s.Of(k).Meaning]
	if !ok {
		return Look{Word: string(s), Color: "neutral", Icon: "QuestionmarkCircle"}
	}
	l.Word = i18n.T(ctx, StatusKey(k, s))
	return l
}

// described tells whether we have words for a status of an item.
func described(it dispatch.Item) bool { return it.Status.Of(it.Kind).Meaning != dispatch.MeaningNew }

// StatusKey is the catalogue key of a status: status.sms.SENDT, status.shipment.VARSLET.
func StatusKey(k dispatch.Kind, s dispatch.Status) string {
	return "status." + string(k) + "." + string(s)
}

// SigningLook returns how a signing status is shown.
func SigningLook(ctx context.Context, s dispatch.SigningStatus) Look {
	l, ok := signingLooks[s.Row().Meaning]
	if !ok {
		return Look{Word: string(s), Color: "neutral", Icon: "QuestionmarkCircle"}
	}
	l.Word = i18n.T(ctx, "signing."+string(s))
	return l
}

// ofShipments maps texts about an SMS to those about a shipment.
var ofShipments = map[string]string{
	"stage.waiting.missing":         "stage.waiting.missing.shipment",
	"stage.accepted.untracked":      "stage.accepted.untracked.shipment",
	"sms.item.lost":                 "shipment.item.lost",
	"sms.item.restored":             "shipment.item.restored",
	"sms.item.decide":               "shipment.item.decide",
	"sms.item.decide_hint":          "shipment.item.decide_hint",
	"decision.sent.hint":            "decision.sent.hint.shipment",
	"decision.send_again.hint":      "decision.send_again.hint.shipment",
	"decision.drop.hint":            "decision.drop.hint.shipment",
	"sms.item.decide.many":          "shipment.item.decide.many",
	"sms.item.decide_hint.many":     "shipment.item.decide_hint.many",
	"decision.sent.hint.many":       "decision.sent.hint.many.shipment",
	"decision.send_again.hint.many": "decision.send_again.hint.many.shipment",
	"decision.drop.hint.many":       "decision.drop.hint.many.shipment",
	"event.missing":                 "event.missing.shipment",
	"reason.rejected":               "reason.rejected.shipment",
	"reason.invalid":                "reason.invalid.shipment",
	"reason.too_large":              "reason.too_large.shipment",
	"reason.early_error":            "reason.early_error.shipment",
	"reason.lease_lost":             "reason.lease_lost.shipment",
	"reason.wrong_address":          "reason.wrong_address.shipment",
	"reason.restored":               "reason.restored.shipment",
}

// Worded returns the key of a text for a kind of item.
func Worded(k dispatch.Kind, key string) string {
	if other, ok := ofShipments[key]; ok && k == dispatch.KindShipment {
		return other
	}
	return key
}

// ArrivedKey is the catalogue key for a number of items that arrived. If letters can be among them, its text says delivered or printed: the
// service does not tell whether a printed letter reached its recipient.
func ArrivedKey(key string, k dispatch.Kind) string {
	if k == dispatch.KindSMS {
		return key + ".sms"
	}
	return key
}

// GroupKey is the catalogue key of a group of a list of one kind of items; empty: of all.
func GroupKey(g dispatch.Group, k dispatch.Kind) string {
	if g == dispatch.GroupArrived {
		return ArrivedKey("list.group.arrived", k)
	}
	return "list.group." + string(g)
}

// Why is the sentence under the tag: what the status means, and what happens next.
func Why(ctx context.Context, it dispatch.Item, events []dispatch.Event, now time.Time) string {
	said := why(ctx, it, events, now)
	if it.Doubted && it.State != dispatch.StateCancelled { // whyCancelled tells it where nobody has said so
		said += " " + Told(ctx, "stage.doubted")
	}
	return said
}

func why(ctx context.Context, it dispatch.Item, events []dispatch.Event, now time.Time) string {
	switch stage := it.Stage(now); stage {
	case dispatch.StageStatus:
		return WhyStatus(ctx, it)
	case dispatch.StageScheduled:
		return Told(ctx, "stage.scheduled.why", "When", Soon(ctx, it.DueSince, now))
	case dispatch.StageQueued:
		return whyQueued(ctx, it, now)
	case dispatch.StageWaiting:
		return Told(ctx, Worded(it.Kind, "stage.waiting."+string(it.Block)))
	case dispatch.StageAsking:
		return Told(ctx, "stage.asking.why", "When", Near(ctx, it.DueSince, now))
	case dispatch.StageAccepted:
		switch {
		case it.UpstreamID == "":
			return Told(ctx, Worded(it.Kind, "stage.accepted.untracked"))
		case it.Lost():
			return Told(ctx, "stage.accepted.lost")
		}
	case dispatch.StageRejected:
		return Told(ctx, Worded(it.Kind, it.Reason.Key))
	case dispatch.StageUncertain:
		if it.Kind == dispatch.KindShipment {
			return whyUncertain(ctx, it, now)
		}
	case dispatch.StageCancelled:
		return whyCancelled(ctx, it, events)
	case dispatch.StageFailed:
		switch {
		case it.MayHaveArrived:
			return unsure(ctx, "stage.failed.gave_up")
		case it.Doubted:
			return Told(ctx, "stage.failed.gave_up")
		}
	}
	return Told(ctx, "stage."+string(it.Stage(now))+".why")
}

// WhyStatus is the sentence that explains the service's status.
func WhyStatus(ctx context.Context, it dispatch.Item) string {
	if !described(it) {
		return Told(ctx, "status.unknown.why")
	}
	return Told(ctx, StatusKey(it.Kind, it.Status)+".why")
}

// whyUncertain tells when an uncertain item is looked up next, or that a person must decide.
func whyUncertain(ctx context.Context, it dispatch.Item, now time.Time) string {
	switch {
	case it.RecoverAt.IsZero():
		return Told(ctx, "stage.uncertain.shipment.decide")
	case it.RecoverAt.After(now):
		return Told(ctx, "stage.uncertain.shipment.later", "When", Soon(ctx, it.RecoverAt, now))
	}
	return Told(ctx, "stage.uncertain.shipment.now")
}

func whyQueued(ctx context.Context, it dispatch.Item, now time.Time) string {
	if it.Reason.Key == "" || !it.DueAt.After(now) {
		return Told(ctx, "stage.queued.why")
	}
	return Told(ctx, "stage.queued.again", "When", Soon(ctx, it.DueAt, now), "Reason", Told(ctx, Worded(it.Kind, it.Reason.Key)))
}

func whyCancelled(ctx context.Context, it dispatch.Item, events []dispatch.Event) string {
	for _, e := range events {
		asked := e.Kind == dispatch.EventCancelled && e.Actor == "" && it.StopAskedBy != ""
		if asked {
			e.Actor = it.StopAskedBy
		}
		switch {
		case e.Kind == dispatch.EventCancelled && e.Actor != "" && it.MayHaveArrived:
			return unsure(ctx, "stage.cancelled.by", "Name", e.Actor)
		case e.Kind == dispatch.EventCancelled && e.Actor != "" && it.Doubted:
			return Told(ctx, "stage.cancelled.by", "Name", e.Actor) + " " + Told(ctx, "stage.doubted")
		case asked:
			return Told(ctx, "stage.cancelled.asked", "Name", e.Actor)
		case e.Kind == dispatch.EventCancelled && e.Actor != "":
			return Told(ctx, "stage.cancelled.why", "Name", e.Actor)
		case e.Kind == dispatch.EventResolved && e.Actor != "":
			return Told(ctx, "stage.dropped.why", "Name", e.Actor)
		}
	}
	switch {
	case it.MayHaveArrived:
		return Told(ctx, "stage.unsure")
	case it.Doubted:
		return Told(ctx, "stage.doubted")
	}
	return Told(ctx, "stage.cancelled.unknown")
}

// unsure adds that an item that ended may have arrived nevertheless.
func unsure(ctx context.Context, key string, args ...any) string {
	return Told(ctx, key, args...) + " " + Told(ctx, "stage.unsure")
}

// Reason is a further sentence about the item's reason, empty if Why says it.
func Reason(ctx context.Context, it dispatch.Item, now time.Time) string {
	ofIntegration := it.Reason.Key == "reason.token_refused" || it.Reason.Key == "reason.unauthorized"
	switch it.Stage(now) {
	case dispatch.StageWaiting, dispatch.StageAsking:
		if ofIntegration {
			return "" // what blocks the item tells whether that still is so; its account may have moved since
		}
	case dispatch.StageUncertain, dispatch.StageFailed:
	default:
		return ""
	}
	if it.Reason.Key == "" {
		return ""
	}
	return Told(ctx, Worded(it.Kind, it.Reason.Key))
}

// askAgain is how many seconds the page waits before it refreshes the item; 0: settled. The interval grows with the
// item's age.
func askAgain(it dispatch.Item, now time.Time) int {
	switch {
	case it.Settled():
		return 0
	case it.State == dispatch.StateUncertain, it.Block != dispatch.BlockNone && !it.DueSince.After(now), it.Overdue(now):
		return 30
	case it.DueAt.Sub(now) > time.Minute:
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
