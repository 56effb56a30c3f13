package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// SessionStore keeps login sessions, sealed, under the hash of their token. It is what scs asks for.
type SessionStore struct{ s *Store }

// Sessions returns the session store.
func (s *Store) Sessions() SessionStore { return SessionStore{s} }

// FindCtx returns the data of a session that has not expired.
func (ss SessionStore) FindCtx(ctx context.Context, token string) ([]byte, bool, error) {
	var sealed []byte
	err := ss.s.get(ctx, &sealed, `SELECT data FROM sessions WHERE token_hash = $1 AND expires_at > now()`, token)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	data, err := ss.s.keys.open(sealed, "session/"+token)
	if err != nil {
		return nil, false, nil // sealed with keys that are gone: the person logs in again
	}
	return data, true, nil
}

// CommitCtx writes a session.
func (ss SessionStore) CommitCtx(ctx context.Context, token string, data []byte, expiry time.Time) error {
	sealed, err := ss.s.keys.seal(data, "session/"+token)
	if err != nil {
		return err
	}
	_, err = ss.s.db.ExecContext(ctx, `
		INSERT INTO sessions (token_hash, data, expires_at) VALUES ($1, $2, $3)
		ON CONFLICT (token_hash) DO UPDATE SET data = excluded.data, expires_at = excluded.expires_at`, token, sealed, expiry)
	return err
}

// DeleteCtx ends a session.
func (ss SessionStore) DeleteCtx(ctx context.Context, token string) error {
	_, err := ss.s.db.ExecContext(ctx, `DELETE FROM sessions WHERE token_hash = $1`, token)
	return err
}

// Find is FindCtx without a context, as the interface demands.
func (ss SessionStore) Find(token string) ([]byte, bool, error) {
	return ss.FindCtx(context.Background(), token)
}

// Commit is CommitCtx without a context, as the interface demands.
func (ss SessionStore) Commit(token string, data []byte, expiry time.Time) error {
	return ss.CommitCtx(context.Background(), token, data, expiry)
}

// Delete is DeleteCtx without a context, as the interface demands.
func (ss SessionStore) Delete(token string) error { return ss.DeleteCtx(context.Background(), token) }

// PurgeSessions deletes the sessions that have expired.
func (s *Store) PurgeSessions(ctx context.Context) error {
	_, err := s.db.ExecContext(ctx, `DELETE FROM sessions WHERE expires_at <= now()`)
	return err
}
