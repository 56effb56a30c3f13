package gallery

import (
	"slices"
	"time"

	"utsending/internal/dispatch"
)

// state is a state of an item.
type state struct {
	name, says string
	change     func(*dispatch.Item)
	events     []dispatch.Event
}

func ago(d time.Duration) time.Time { return galleryNow.Add(-d) }

// sampleSMS is a caseworker's queued SMS.
func sampleSMS(n int) dispatch.SMSItem {
	text := "Foreldremøte torsdag 26. november kl. 18.00 i gymsalen. Ta kontakt med skolen hvis du ikke kan komme."
	return dispatch.SMSItem{
		Item: dispatch.Item{
			ID: dispatch.ItemID(sampleID(n)), AccountID: sampleAccount(0).ID, Kind: dispatch.KindSMS, State: dispatch.StateQueued,
			CreatedAt: ago(time.Duration(n) * 7 * time.Minute), CreatedBy: "kari", Creator: "Kari Nordmann", DueAt: ago(time.Second), DueSince: ago(time.Second),
		},
		SMS:      dispatch.SMS{Recipient: dispatch.SMSRecipient{Phone: "90000123"}, Text: text},
		Segments: dispatch.Segment(text),
	}
}

// smsStates are all states of a sent SMS: every stage, then every status.
func smsStates() []state {
	return slices.Concat(stageStates(), readingStates(dispatch.StatusSent), told(
		dispatch.StatusCreated, dispatch.StatusSent, dispatch.StatusDelivered, dispatch.StatusNotSent, dispatch.StatusNotDelivered,
		dispatch.StatusUnknown, "NY_STATUS",
	))
}

func stageStates() []state {
	states := []state{
		{"scheduled", "within the undo window: it can be stopped", func(it *dispatch.Item) {
			it.DueAt, it.DueSince = galleryNow.Add(8*time.Second), galleryNow.Add(8*time.Second)
		}, nil},
		{"queued", "due now", func(*dispatch.Item) {}, nil},
		{"queued-again", "the service was busy: the next attempt is planned", func(it *dispatch.Item) {
			it.DueSince, it.DueAt, it.Reason = ago(9*time.Minute), galleryNow.Add(4*time.Minute), because("reason.busy")
		}, nil},
		{"queued-restored", "came out of a backup, and is to be sent all the same", func(it *dispatch.Item) { it.Restored = true }, nil},
		{"asking", "waited for more than a day: a person confirms", func(it *dispatch.Item) {
			it.DueSince, it.Block, it.Reason = ago(26*time.Hour), dispatch.BlockRefused, because("reason.unauthorized")
		}, nil},
		{"sending", "the call runs", func(it *dispatch.Item) { it.State = dispatch.StateSending }, nil},
		{"accepted", "taken, no status read yet", func(it *dispatch.Item) { accept(it); it.Status, it.CheckedAt = "", time.Time{} }, nil},
		{"accepted-untracked", "taken as far as a person knows; there is no id", func(it *dispatch.Item) {
			it.State, it.AcceptedAt = dispatch.StateAccepted, ago(time.Hour)
		}, nil},
		{"rejected", "the service did not take it", ended(dispatch.StateRejected, "reason.rejected"), nil},
		{"rejected-by-us", "our own rules stopped it at hand-over", ended(dispatch.StateRejected, "reason.invalid"), nil},
		{"failed", "given up after a day", ended(dispatch.StateFailed, "reason.unreachable"), nil},
		{"uncertain", "a person decides", ended(dispatch.StateUncertain, "reason.timeout"), nil},
		{"failed-unsure", "given up after a day, and a call came all the way", unsure(ended(dispatch.StateFailed, "reason.busy")), nil},
		{"cancelled-unsure", "stopped by a person, after a call that came all the way", unsure(ended(dispatch.StateCancelled, "")), []dispatch.Event{act(dispatch.EventCancelled, "")}},
		{"cancelled-doubted", "sent again without knowing, and stopped by a person", doubted(ended(dispatch.StateCancelled, "")), []dispatch.Event{act(dispatch.EventCancelled, "")}},
		{"cancelled", "stopped by a person", ended(dispatch.StateCancelled, ""), []dispatch.Event{act(dispatch.EventCancelled, "")}},
		{"cancelled-asked", "stopped because a person had asked for it while it was under way", func(it *dispatch.Item) {
			ended(dispatch.StateCancelled, "")(it)
			it.StopAskedBy, it.StopAskedAt = "Kari Nordmann", ago(time.Hour)
		}, []dispatch.Event{{At: ago(time.Minute), Kind: dispatch.EventCancelled}}},
		{"cancelled-unknown", "stopped, and the timeline does not say by whom", ended(dispatch.StateCancelled, ""), nil},
		{"dropped", "uncertain, and left unsent by a person", ended(dispatch.StateCancelled, ""), []dispatch.Event{act(dispatch.EventResolved, "drop")}},
	}
	for _, hold := range []dispatch.Block{dispatch.BlockRefused, dispatch.BlockAccount, dispatch.BlockStopped, dispatch.BlockMissing, dispatch.BlockPaused, dispatch.BlockDisabled, dispatch.BlockJob} {
		states = append(states, state{"waiting-" + string(hold), "held back", func(it *dispatch.Item) { it.Block = hold }, nil})
	}
	return states
}

// readingStates are the ways in which reading a status may fail.
func readingStates(last dispatch.Status) []state {
	return []state{
		{"status-first", "just handed over: the first read is to come", func(it *dispatch.Item) {
			accept(it)
			it.Status, it.StatusAt, it.CheckedAt = "", time.Time{}, time.Time{}
		}, nil},
		{"status-not-read", "the last read failed; the old status is shown with its age", func(it *dispatch.Item) {
			accept(it)
			it.Status, it.CheckError = last, because("reason.busy")
		}, nil},
		{"status-never-known", "the service took it, and has never known it since", func(it *dispatch.Item) {
			accept(it)
			it.Status, it.StatusAt, it.CheckedAt = "", time.Time{}, time.Time{}
			it.CheckError, it.Missing, it.NextCheck = because("reason.not_known"), 3, time.Time{}
		}, nil},
		{"status-not-known", "the service does not know it, for the first time", func(it *dispatch.Item) {
			accept(it)
			it.Status, it.CheckError, it.Missing = last, because("reason.not_known"), 1
		}, nil},
		{"status-lost", "the service has said three times that it does not know it; nothing more is read", func(it *dispatch.Item) {
			accept(it)
			it.Status, it.CheckError, it.Missing, it.NextCheck = last, because("reason.not_known"), 3, time.Time{}
		}, nil},
	}
}

// told are accepted items with these statuses.
func told(statuses ...dispatch.Status) []state {
	var states []state
	for _, status := range statuses {
		states = append(states, state{"status-" + string(status), "as the service tells it", func(it *dispatch.Item) {
			accept(it)
			it.Status = status
		}, []dispatch.Event{{At: ago(time.Minute), Kind: dispatch.EventStatus, Detail: string(status)}}})
	}
	return states
}

func because(key string) dispatch.Reason {
	return dispatch.Reason{Key: key, HTTPStatus: 503, ErrorID: sampleID(7), At: ago(5 * time.Minute)}
}

func ended(s dispatch.State, key string) func(*dispatch.Item) {
	return func(it *dispatch.Item) {
		if it.State = s; key != "" {
			it.Reason = because(key)
		}
	}
}

// sampleAnswer is a service's error with every field.
func sampleAnswer() dispatch.Answer {
	return dispatch.Answer{
		At: ago(3 * time.Minute), Status: 400, Error: "Bad Request", ErrorID: sampleID(9), Path: "/api/v2/meldinger", OriginalPath: "/meldinger",
		Message: "Mottakeren 128478 ••••• kan ikke nås", ErrorCode: "MOTTAKER_UGYLDIG", ErrorJSON: `{"felt":"mottaker","detaljer":"ikke i registeret"}`,
	}
}

// unsure makes an item uncertain: the call reached the service, which then reported that it was unavailable.
func unsure(change func(*dispatch.Item)) func(*dispatch.Item) {
	return func(it *dispatch.Item) {
		change(it)
		it.MayHaveArrived = true
	}
}

// doubted makes an item one that a person sent again without knowing whether it had arrived.
func doubted(change func(*dispatch.Item)) func(*dispatch.Item) {
	return func(it *dispatch.Item) {
		change(it)
		it.Doubted = true
	}
}

func accept(it *dispatch.Item) {
	it.State, it.UpstreamID, it.AcceptedAt = dispatch.StateAccepted, sampleID(8), ago(20*time.Minute)
	it.StatusAt, it.CheckedAt, it.NextCheck = ago(time.Minute), ago(time.Minute), galleryNow.Add(time.Hour)
}

func act(kind dispatch.EventKind, detail string) dispatch.Event {
	return dispatch.Event{At: ago(2 * time.Minute), Kind: kind, Detail: detail, Actor: "Ingrid Lunde"}
}

// everything is a timeline with a line of every kind and every reason.
func everything() []dispatch.Event {
	events := []dispatch.Event{{At: ago(time.Minute), Kind: dispatch.EventMissing, Reason: because("reason.wrong_address")}}
	for _, kind := range []dispatch.EventKind{
		dispatch.EventTakenBack, dispatch.EventRevealed, dispatch.EventOpened, dispatch.EventCopied, dispatch.EventRequeued, dispatch.EventConfirmed, dispatch.EventCancelled, dispatch.EventRescheduled, dispatch.EventQueued,
		dispatch.EventApprovalAsked, dispatch.EventApprovalApproved, dispatch.EventApprovalReturned, dispatch.EventApprovalWithdrawn, dispatch.EventEdited, dispatch.EventCreated, dispatch.EventFollowedUp, dispatch.EventAssigned, dispatch.EventLookAgain,
	} {
		events = append(events, act(kind, ""))
	}
	events = append(events, act(dispatch.EventHandedOver, "Kari Nordmann"), act(dispatch.EventAssigned, "Kari Nordmann"), act(dispatch.EventAssigned, string(dispatch.OwnerNobody)))
	for _, d := range []dispatch.Decision{dispatch.DecisionSent, dispatch.DecisionSendAgain, dispatch.DecisionDrop} {
		events = append(events, act(dispatch.EventResolved, string(d)))
	}
	for _, o := range []struct {
		outcome dispatch.Outcome
		reasons []string
	}{
		{dispatch.OutcomeAccepted, []string{""}},
		{dispatch.OutcomeRejected, []string{"reason.rejected", "reason.invalid", "reason.real_number", "reason.too_large", "reason.blocked"}},
		{dispatch.OutcomeUnavailable, []string{"reason.unreachable", "reason.busy", "reason.early_error", "reason.lease_lost", "reason.token_unavailable", "reason.integration_unreadable", "reason.credentials_refused", "reason.sealed"}},
		{dispatch.OutcomeRefused, []string{"reason.token_refused", "reason.token_key", "reason.token_scope", "reason.token_skew", "reason.unauthorized", "reason.forbidden", "reason.account_id", "reason.account_unknown", "reason.redirect", "reason.wrong_address"}},
		{dispatch.OutcomeUncertain, []string{"reason.no_answer", "reason.timeout", "reason.server_error", "reason.not_understood", "reason.not_its_own", "reason.blocked", "reason.perhaps_too_large", "reason.died"}},
	} {
		for _, key := range o.reasons {
			events = append(events, dispatch.Event{At: ago(time.Hour), Kind: dispatch.EventOutcome, Detail: string(o.outcome), Reason: dispatch.Reason{Key: key}})
		}
	}
	return append(events, dispatch.Event{At: ago(2 * time.Hour), Kind: dispatch.EventGaveUp},
		dispatch.Event{At: ago(2 * time.Hour), Kind: dispatch.EventRestored, Reason: dispatch.Reason{Key: "reason.restored"}})
}
