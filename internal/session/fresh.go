package session

import (
	"context"
	"time"
)

// Fresh tells whether the login is recent enough to change secrets.
func (m *Manager) Fresh(ctx context.Context, now time.Time) bool {
	return m.fresh(m.proved(ctx), now)
}

// FreshEnough tells whether at least half of that time is left, for filling in a form.
func (m *Manager) FreshEnough(ctx context.Context, now time.Time) bool {
	return m.fresh(m.proved(ctx), now.Add(m.o.FreshFor/2))
}

func (m *Manager) fresh(proved, now time.Time) bool {
	return !proved.IsZero() && now.Sub(proved) <= m.o.FreshFor
}

func (m *Manager) proved(ctx context.Context) time.Time {
	if at := m.scs.GetInt(ctx, keyProved); at != 0 {
		return time.Unix(int64(at), 0)
	}
	return time.Time{}
}

func (m *Manager) putProved(ctx context.Context, at time.Time) {
	if at.IsZero() {
		m.scs.Remove(ctx, keyProved)
		return
	}
	m.scs.Put(ctx, keyProved, int(at.Unix()))
}
