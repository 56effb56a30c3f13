package views

import (
	"context"
	"strconv"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
)

// SignInsPage shows users their own logins.
type SignInsPage struct {
	Page
	SignIns []dispatch.SignIn
}

// others tells whether the user has another open session.
func (p SignInsPage) others() bool {
	for _, in := range p.SignIns {
		if !in.Current && in.Ending == dispatch.EndingNone {
			return true
		}
	}
	return false
}

// signInLook is the appearance of a login: current, open, or how it ended.
func signInLook(ctx context.Context, in dispatch.SignIn) Look {
	switch {
	case in.Current:
		return Look{i18n.T(ctx, "sign_in.current"), "success", "CheckmarkCircle"}
	case in.Ending == dispatch.EndingNone:
		return Look{i18n.T(ctx, "sign_in.open"), "info", "PersonCircle"}
	}
	return Look{i18n.T(ctx, "sign_in.ended."+string(in.Ending)), "neutral", "Leave"}
}

// lasted is how long a login lasted: "6 t 12 min".
func lasted(ctx context.Context, in dispatch.SignIn) string {
	minutes := int(in.Until().Sub(in.StartedAt).Minutes())
	switch {
	case in.Ending == dispatch.EndingNone:
		return i18n.T(ctx, "sign_in.goes_on")
	case minutes < 1:
		return i18n.T(ctx, "duration.short")
	case minutes < 60:
		return i18n.T(ctx, "duration.minutes", "M", minutes)
	}
	return i18n.T(ctx, "duration.hours", "H", minutes/60, "M", minutes%60)
}

// secondsLeft is how long the session lasts if it is not used.
func (p *Page) secondsLeft() string {
	return strconv.Itoa(max(int(p.Ends.Sub(p.Now).Seconds()), 0))
}

// idleKey is the catalogue key of the warning before the session ends.
func idleKey(p Page) string {
	if p.EndsForGood {
		return "idle.last"
	}
	return "idle.when"
}
