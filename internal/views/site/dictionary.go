package site

import (
	"context"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// DictionaryPage explains every status, in the words that tags and sentences use.
type DictionaryPage struct{ views.Page }

// chapter is one kind of status; entry is one value.
type chapter struct {
	Name    string // catalogue key of its title, and its anchor
	Entries []entry
}

type entry struct {
	views.Look
	ID, Value          string
	Means, Cause, Next string
}

// chapters are all described statuses, in their usual order.
func (p DictionaryPage) chapters(ctx context.Context) []chapter {
	return []chapter{
		{"stage", stageEntries(ctx)},
		{"shipment", statusEntries(ctx, dispatch.KindShipment)},
		{"sms", statusEntries(ctx, dispatch.KindSMS)},
		{"signing", signingEntries(ctx)},
		{"contact", contactEntries(ctx)},
	}
}

// Our own stages and the contact statuses in the order of the page; a test checks that none is missing.
var (
	stageOrder = []dispatch.Stage{dispatch.StageDraft, dispatch.StageApproval, dispatch.StageScheduled, dispatch.StageQueued, dispatch.StageWaiting, dispatch.StageAsking,
		dispatch.StageSending, dispatch.StageAccepted, dispatch.StageRejected, dispatch.StageFailed, dispatch.StageUncertain, dispatch.StageCancelled}
	contactOrder = []dispatch.ContactStatus{dispatch.ContactValid, dispatch.ContactInvalid, dispatch.ContactNotFound}
)

func stageEntries(ctx context.Context) []entry {
	var entries []entry
	for _, s := range stageOrder {
		entries = append(entries, stageEntry(ctx, views.StageLooks[s], string(s)))
		if s == dispatch.StageScheduled { // its tag shortly before the time
			entries = append(entries, stageEntry(ctx, views.StageLooks[s], views.AboutToGo))
		}
	}
	return entries
}

func stageEntry(ctx context.Context, l views.Look, name string) entry {
	key := "stage." + name
	l.Word = i18n.T(ctx, key)
	return entry{l, views.Place("stage", name), "", i18n.T(ctx, key+".means"), i18n.T(ctx, key+".cause"), i18n.T(ctx, key+".next")}
}

func statusEntries(ctx context.Context, k dispatch.Kind) []entry {
	rows := dispatch.StatusRows(k)
	entries := make([]entry, len(rows))
	for i, r := range rows {
		s, key := r.Status, views.StatusKey(k, r.Status)
		entries[i] = entry{views.StatusLook(ctx, k, s), views.Place(string(k), string(s)), string(s), i18n.T(ctx, key+".why"), i18n.T(ctx, key+".cause"), i18n.T(ctx, key+".next")}
	}
	return entries
}

func signingEntries(ctx context.Context) []entry {
	rows := dispatch.SigningRows()
	entries := make([]entry, len(rows))
	for i, r := range rows {
		s, key := r.Status, "signing."+string(r.Status)
		entries[i] = entry{views.SigningLook(ctx, s), views.Place("signing", string(s)), string(s), i18n.T(ctx, key+".means"), i18n.T(ctx, key+".cause"), i18n.T(ctx, key+".next")}
	}
	return entries
}

func contactEntries(ctx context.Context) []entry {
	entries := make([]entry, len(contactOrder))
	for i, s := range contactOrder {
		l, key := views.ContactLooks[s], "contact."+string(s)
		l.Word = i18n.T(ctx, key)
		entries[i] = entry{l, views.Place("contact", string(s)), string(s), i18n.T(ctx, key+".means"), "", i18n.T(ctx, key+".next")}
	}
	return entries
}
