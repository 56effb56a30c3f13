package admin

import (
	"cmp"
	"context"
	"slices"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// HealthPage shows administrators the health of the program and its integrations. It shows no content and no names of
// people.
type HealthPage struct {
	views.Page
	Paused       bool
	Processes    int // with a recent heartbeat
	Integrations []HealthRow
	Storage      Sizes
	Checks       []HealthCheck
	Aside        []dispatch.SetAside
}

// HealthRow is one integration.
type HealthRow struct {
	IntegrationRow
	Token dispatch.TokenState
}

// Sizes are the sizes of the database in bytes.
type Sizes struct{ All, Files, Log int64 }

// HealthCheck is a check of this machine: catalogue keys.
type HealthCheck struct {
	Name, Means string
	Holds       bool
}

// tokenWords describes this process's cached token of the integration.
func (r HealthRow) tokenWords(ctx context.Context, now time.Time) string {
	switch {
	case r.State(r.Sets, now) == dispatch.IntegrationBare:
		return i18n.T(ctx, bareWord)
	case r.Kind.Row().Basic:
		return i18n.T(ctx, "health.token.none")
	case !r.Token.Held:
		return i18n.T(ctx, "health.token.unfetched")
	case r.Token.Until.IsZero():
		return i18n.T(ctx, "health.token.fixed")
	}
	return i18n.T(ctx, "health.token.held", "When", views.Near(ctx, r.Token.Until, now))
}

// StatusPage shows any logged-in user whether their items can be sent now.
type StatusPage struct {
	views.Page
	Paused   bool
	Channels []ChannelStatus
	Aside    []dispatch.SetAside // of one's accounts
}

// ChannelStatus is the state of one channel of one account.
type ChannelStatus struct {
	Account dispatch.Account
	Kind    dispatch.Kind
	Row     IntegrationRow // with the refusals of this account only
}

// look is a channel's state as a tag, with the sentence beside it. An administrator's trial in vain says nothing about what
// accounts send with a login that has worked. While all is paused a channel tells that, unless it must be mended besides.
func (c ChannelStatus) look(ctx context.Context, paused bool, now time.Time) (views.Look, string) {
	c.Row.Sets = slices.Clone(c.Row.Sets)
	for i, s := range c.Row.Sets {
		if s.TriedFailed != "" && !s.WorkedAt.IsZero() {
			c.Row.Sets[i].TriedAt, c.Row.Sets[i].TriedFailed = time.Time{}, ""
		}
	}
	key, color, icon := c.Row.state(now)
	word, why := key, "status.working"
	switch {
	case !c.Row.StoppedAt.IsZero():
		why = "status.stopped"
	case !c.Row.RefusedAt.IsZero() || len(c.Row.Refusals) > 0:
		word, color, icon, why = "status.waiting.word", "warning", "Clock", "status.waiting"
	case key == bareWord:
		why = "status.bare"
	case paused:
		word, color, icon, why = "delivery.paused", "warning", "LinkBroken", "status.queued"
	case key == retriedWord:
		why = "status.retried"
	case key == deniedWord:
		color, icon, why = "warning", "Clock", "status.denied"
		if dispatch.HasReserve(c.Row.Sets, now) {
			why = "status.denied.reserve"
		}
	case key == failedWord:
		color, icon, why = "warning", "Clock", "status.failed"
	case key == untriedWord && (!c.Row.LastSuccessAt.IsZero() || !dispatch.LastTried(c.Row.Sets).TriedAt.IsZero()):
		why = "status.untried.login"
	case key == untriedWord:
		why = "status.untried"
	case key == slowWord:
		why = "status.slow"
	}
	return views.Look{Word: i18n.T(ctx, word), Color: color, Icon: icon}, i18n.T(ctx, why, "When", views.Near(ctx, cmp.Or(c.Row.Oldest, now), now))
}
