package session

import (
	"context"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/registry"
)

// End is when the session ends unless it is used, and whether that is its maximum lifetime.
func (m *Manager) End(ctx context.Context) (at time.Time, last bool) {
	at = time.Unix(int64(m.scs.GetInt(ctx, keySeen)), 0).Add(m.o.Idle)
	if deadline := m.scs.Deadline(ctx); deadline.Before(at) {
		return deadline, true
	}
	return at, false
}

// SignIns returns the user's latest logins, newest first.
func (m *Manager) SignIns(ctx context.Context, user dispatch.UserID, now time.Time) ([]dispatch.SignIn, error) {
	return registry.In(m.o.Store).Sessions.SignIns(ctx, user, m.tokenHash(ctx), now.Add(-m.o.Idle))
}

// EndOthers ends all other sessions of the user, and returns how many.
func (m *Manager) EndOthers(ctx context.Context, by store.Actor) (int, error) {
	return registry.In(m.o.Store).Sessions.EndOthers(ctx, m.tokenHash(ctx), by)
}
