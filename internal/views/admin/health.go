package admin

import (
	"cmp"
	"context"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// HealthPage tells administrators how the program and its integrations are. It shows no content and nobody's name.
type HealthPage struct {
	views.Page
	Paused       bool
	Processes    int // that have been seen of late
	Integrations []HealthRow
	Storage      Sizes
	Checks       []HealthCheck
	Aside        []dispatch.SetAside
}

// HealthRow is one integration.
type HealthRow struct {
	IntegrationRow
	Oldest time.Time // since when the first in line should have gone; zero: none
	Token  dispatch.TokenState
}

// Sizes is what the database takes, in bytes.
type Sizes struct{ All, Files, Log int64 }

// HealthCheck is one thing that holds or does not hold on this machine: catalogue keys.
type HealthCheck struct {
	Name, Means string
	Holds       bool
}

// tokenWords tells what this process holds of an integration's tokens.
func (r HealthRow) tokenWords(ctx context.Context, now time.Time) string {
	switch {
	case r.Kind == dispatch.IntegrationShipmentV1:
		return i18n.T(ctx, "health.token.none")
	case !r.Token.Held:
		return i18n.T(ctx, "health.token.unfetched")
	case r.Token.Until.IsZero():
		return i18n.T(ctx, "health.token.fixed")
	}
	return i18n.T(ctx, "health.token.held", "When", views.Near(ctx, r.Token.Until, now))
}

// StatusPage tells anybody who is logged in whether what they send goes out now.
type StatusPage struct {
	views.Page
	Paused   bool
	Channels []ChannelStatus
	Aside    []dispatch.SetAside // of one's accounts
}

// ChannelStatus is one way out of one account.
type ChannelStatus struct {
	Account dispatch.Account
	Kind    dispatch.Kind
	Row     IntegrationRow // with the refusals of the account only
	Oldest  time.Time
}

// look is the state of a channel as a tag, and the sentence beside it.
func (c ChannelStatus) look(ctx context.Context, now time.Time) (views.Look, string) {
	key, color, icon := c.Row.state()
	word, why := key, "status.working"
	switch {
	case !c.Row.StoppedAt.IsZero():
		why = "status.stopped"
	case !c.Row.RefusedAt.IsZero() || len(c.Row.Refusals) > 0:
		word, color, icon, why = "status.waiting.word", "warning", "Clock", "status.waiting"
	case c.Row.LastSuccessAt.IsZero():
		why = "status.untried"
	case !c.Oldest.IsZero() && now.Sub(c.Oldest) > slow:
		word, color, icon, why = "status.slow.word", "warning", "Clock", "status.slow"
	}
	return views.Look{Word: i18n.T(ctx, word), Color: color, Icon: icon}, i18n.T(ctx, why, "When", views.Near(ctx, cmp.Or(c.Oldest, now), now))
}

// slow is how long the first in line may wait before people are told.
const slow = 10 * time.Minute
