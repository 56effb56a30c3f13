package session

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/store/registry"
)

// KeepLookup stores a look-up beside the session, sealed like it. It is not part of the session, which is read at
// every request: five thousand answers are some hundred thousand characters.
func (m *Manager) KeepLookup(ctx context.Context, account dispatch.AccountID, l dispatch.Lookup) error {
	return registry.In(m.o.Store).Sessions.KeepLookup(ctx, m.tokenHash(ctx), account, l)
}

// Lookup returns the session's look-up on an account; store.ErrNotFound after it was deleted.
func (m *Manager) Lookup(ctx context.Context, account dispatch.AccountID, now time.Time) (dispatch.Lookup, error) {
	return registry.In(m.o.Store).Sessions.Lookup(ctx, m.tokenHash(ctx), account, now)
}

// ForgetLookup deletes the session's look-up on an account.
func (m *Manager) ForgetLookup(ctx context.Context, account dispatch.AccountID) error {
	return registry.In(m.o.Store).Sessions.ForgetLookup(ctx, m.tokenHash(ctx), account)
}

// tokenHash is the key under which scs stores the session.
func (m *Manager) tokenHash(ctx context.Context) string {
	hash := sha256.Sum256([]byte(m.scs.Token(ctx)))
	return base64.RawURLEncoding.EncodeToString(hash[:])
}
