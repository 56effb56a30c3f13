package compose

import (
	"context"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// Today is what the recipient of a draft was sent on the same day.
type Today struct {
	Sent    []SentToday
	Unknown bool // the viewer has asked about too many numbers to be told
}

// SentToday is one of those items, as far as the viewer may be told.
type SentToday struct {
	Kind dispatch.Kind
	At   time.Time
	Own  bool
	By   string // empty: somebody on the account
	What string // title, or first words; empty: not told
	Path string // of one's own
}

// sentence tells of it. What is handed over is sent; whether it arrived is not known here.
func (s SentToday) sentence(ctx context.Context, now time.Time) string {
	if s.At.After(now) {
		return i18n.T(ctx, "today.later."+string(s.Kind), "When", views.Clock(ctx, s.At))
	}
	by := s.By
	switch {
	case s.Own:
		by = i18n.T(ctx, "today.you")
	case by == "":
		by = i18n.T(ctx, "today.somebody")
	}
	if s.What == "" {
		return i18n.T(ctx, "today.kind."+string(s.Kind), "When", views.Clock(ctx, s.At), "By", by)
	}
	return i18n.T(ctx, "today.what."+string(s.Kind), "When", views.Clock(ctx, s.At), "By", by, "What", s.What)
}

// ListToday is what the recipients of a list were sent on the same day.
type ListToday struct {
	N    int // how many of them, as far as the viewer may be told
	Own  int // by the viewer
	Rows []TodayRow
}

// TodayRow is a recipient whom the viewer has sent something.
type TodayRow struct {
	Row  int // of the list
	To   string
	Kind dispatch.Kind
	At   time.Time // in the future: it is planned
	Path string
}

// when tells in which channel, and when.
func (r TodayRow) when(ctx context.Context, now time.Time) string {
	if r.At.After(now) {
		return i18n.T(ctx, "today.list.later."+string(r.Kind), "When", views.Clock(ctx, r.At))
	}
	return i18n.T(ctx, "today.list.sent."+string(r.Kind), "When", views.Clock(ctx, r.At))
}
