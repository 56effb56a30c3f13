package compose

import (
	"context"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// Today lists what the recipient of a draft was sent earlier the same day.
type Today struct {
	Sent    []SentToday
	Unknown bool // the viewer has asked about too many numbers to get an answer
}

// SentToday is one such item, as far as the viewer may see it.
type SentToday struct {
	Kind  dispatch.Kind
	At    time.Time
	Waits bool // it has not gone yet
	Doubt bool // it may have gone
	Own   bool
	By    string // empty: a colleague
	What  string // title, or first words; empty: hidden from the viewer
	Path  string // address, if it is the viewer's own
}

// sentence describes it. A handed-over item is called sent; whether it arrived is not known here.
func (s SentToday) sentence(ctx context.Context, now time.Time) string {
	by := s.By
	switch {
	case s.Own:
		by = i18n.T(ctx, "today.you")
	case by == "":
		by = i18n.T(ctx, "today.somebody")
	}
	kind, clock := string(s.Kind), views.Clock(ctx, s.At)
	switch {
	case s.Doubt && s.What != "":
		return i18n.T(ctx, "today.doubt.what."+kind, "When", clock, "By", by, "What", s.What)
	case s.Doubt:
		return i18n.T(ctx, "today.doubt."+kind, "When", clock, "By", by)
	case s.At.After(now) && s.What != "":
		return i18n.T(ctx, "today.later.what."+kind, "When", clock, "By", by, "What", s.What)
	case s.At.After(now):
		return i18n.T(ctx, "today.later."+kind, "When", clock, "By", by)
	case s.Waits:
		return i18n.T(ctx, "today.waits."+kind, "When", clock, "By", by)
	case s.What != "":
		return i18n.T(ctx, "today.what."+kind, "When", clock, "By", by, "What", s.What)
	}
	return i18n.T(ctx, "today.kind."+kind, "When", clock, "By", by)
}

// ListToday counts the recipients of a list who were sent something earlier the same day.
type ListToday struct {
	All     int  // recipients of the list
	N       int  // how many of them, as far as the viewer may know
	Sent    int  // of these, to whom something has gone
	Doubt   int  // or may have gone
	Later   int  // or is to go
	Own     int  // of these, by the viewer
	Items   int  // of the viewer
	OwnOnly bool // nothing is told of what colleagues sent: the list is short
	Rows    []TodayRow
}

// sentences tell how many were sent something, and by whom.
func (t ListToday) sentences(ctx context.Context) string {
	own := i18n.T(ctx, "today.list.own", "N", t.Own)
	switch t.Own {
	case 0:
		own = i18n.T(ctx, "today.list.others")
	case t.N:
		own = i18n.T(ctx, "today.list.own.only")
	}
	return t.has(ctx) + " " + own
}

// repeatedWords say that the same went to the same list today, and how many have got it or may.
func repeatedWords(ctx context.Context, same dispatch.SameJob, kind dispatch.Kind) string {
	words := i18n.T(ctx, "job.review.repeated")
	if kind == dispatch.KindShipment {
		words = i18n.T(ctx, "shipments.review.repeated")
	}
	if same.Reached >= same.All {
		return words + " " + i18n.T(ctx, "job.review.repeated.all")
	}
	return words + " " + i18n.T(ctx, "job.review.repeated.some", "N", same.Reached, "All", same.All)
}

// has tells what became of it: one sentence for all if it is the same.
func (t ListToday) has(ctx context.Context) string {
	to := i18n.T(ctx, "today.list.to", "N", t.N)
	if t.All == 1 {
		to = i18n.T(ctx, "today.list.to.only")
	}
	switch {
	case t.Doubt == 0 && t.Later == 0:
		return i18n.T(ctx, "today.list.has.sent", "To", to)
	case t.Sent == 0 && t.Later == 0:
		return i18n.T(ctx, "today.list.has.doubt", "To", to)
	case t.Sent == 0 && t.Doubt == 0:
		return i18n.T(ctx, "today.list.has.later", "To", to)
	}
	return i18n.T(ctx, "today.list.has.mixed", "To", to)
}

// TodayRow is a recipient to whom the viewer has sent something.
type TodayRow struct {
	Row   int // row of the list
	To    string
	Kind  dispatch.Kind
	At    time.Time // in the future: planned
	Waits bool      // it has not gone yet
	Doubt bool      // it may have gone
	Path  string
}

// when tells channel and time.
func (r TodayRow) when(ctx context.Context, now time.Time) string {
	if r.Doubt {
		return i18n.T(ctx, "today.list.doubt."+string(r.Kind), "When", views.Clock(ctx, r.At))
	}
	if r.At.After(now) {
		return i18n.T(ctx, "today.list.later."+string(r.Kind), "When", views.Clock(ctx, r.At))
	}
	if r.Waits {
		return i18n.T(ctx, "today.list.waits."+string(r.Kind), "When", views.Clock(ctx, r.At))
	}
	return i18n.T(ctx, "today.list.sent."+string(r.Kind), "When", views.Clock(ctx, r.At))
}
