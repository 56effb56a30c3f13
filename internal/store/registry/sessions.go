package registry

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// FindCtx returns the data of a session that has not expired.
func (s Sessions) FindCtx(ctx context.Context, token string) ([]byte, bool, error) {
	found, err := s.Read(ctx, token)
	return found.Data, found.Data != nil, err
}

// ReadSession is a session as read, with the version of rights at that moment.
type ReadSession struct {
	Data   []byte              // nil: no session
	Rights store.RightsVersion // for UserAt
}

// Read returns a session that has not expired.
func (s Sessions) Read(ctx context.Context, token string) (ReadSession, error) {
	var row struct {
		Data   []byte              `db:"data"`
		Rights store.RightsVersion `db:"rights"`
	}
	err := s.Get(ctx, &row, `
		SELECT data, (SELECT version FROM rights_version) AS rights FROM sessions WHERE token_hash = $1 AND expires_at > now()`, token)
	if errors.Is(err, sql.ErrNoRows) {
		return ReadSession{}, nil
	}
	if err != nil {
		return ReadSession{}, err
	}
	data, err := s.Keys.Open(row.Data, "session/"+token)
	if err != nil {
		return ReadSession{}, nil // sealed with keys that are gone: the user logs in again
	}
	return ReadSession{data, row.Rights}, nil
}

// SavedSession is a session to write.
type SavedSession struct {
	Token       string // its hash
	Data        []byte
	Expires     time.Time
	Issuer, SID string // the login provider and its session id; empty if it gave none
	Replace     bool   // only if it still exists: a session ended meanwhile stays ended
}

// CommitCtx writes a session.
func (s Sessions) CommitCtx(ctx context.Context, token string, data []byte, expiry time.Time) error {
	return s.Save(ctx, SavedSession{Token: token, Data: data, Expires: expiry})
}

// Save writes a session, with the id by which the login provider can end it.
func (s Sessions) Save(ctx context.Context, w SavedSession) error {
	sealed, err := s.Keys.Seal(w.Data, "session/"+w.Token)
	if err != nil {
		return err
	}
	sid, err := s.hashSID(w.Issuer, w.SID)
	if err != nil {
		return err
	}
	statement := `
		INSERT INTO sessions (token_hash, data, expires_at, sid_hash) VALUES ($1, $2, $3, $4)
		ON CONFLICT (token_hash) DO UPDATE SET data = excluded.data, expires_at = excluded.expires_at, sid_hash = excluded.sid_hash`
	if w.Replace {
		statement = `UPDATE sessions SET data = $2, expires_at = $3, sid_hash = $4 WHERE token_hash = $1`
	}
	_, err = s.DB.ExecContext(ctx, statement, w.Token, sealed, w.Expires, sid)
	return err
}

// hashSID is the keyed hash of a provider's session id; nil for none.
func (s Sessions) hashSID(issuer, sid string) ([]byte, error) {
	if sid == "" {
		return nil, nil
	}
	return s.Keys.Hash("session/sid", issuer+"\x00"+sid)
}

// EndBySID ends the sessions with a login provider's session id, with a line in the event log for each.
func (s Sessions) EndBySID(ctx context.Context, issuer, sid, origin string) error {
	hash, err := s.hashSID(issuer, sid)
	if err != nil || hash == nil {
		return err
	}
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		var ended []string
		err := tx.SelectContext(ctx, &ended, `DELETE FROM sessions WHERE sid_hash = $1 RETURNING token_hash`, hash)
		for _, token := range ended {
			if err == nil {
				err = logOut(ctx, tx, token, dispatch.EndingProvider, origin)
			}
		}
		return err
	})
}

// DeleteCtx ends a session.
func (s Sessions) DeleteCtx(ctx context.Context, token string) error {
	_, err := s.DB.ExecContext(ctx, `DELETE FROM sessions WHERE token_hash = $1`, token)
	return err
}

// Find implements the interface of scs without a context.
func (s Sessions) Find(token string) ([]byte, bool, error) {
	return s.FindCtx(context.Background(), token)
}

// Commit implements the interface of scs without a context.
func (s Sessions) Commit(token string, data []byte, expiry time.Time) error {
	return s.CommitCtx(context.Background(), token, data, expiry)
}

// Delete implements the interface of scs without a context.
func (s Sessions) Delete(token string) error { return s.DeleteCtx(context.Background(), token) }

// Purge deletes expired sessions, look-ups and searches, and logins older than a year.
func (s Sessions) Purge(ctx context.Context) error {
	for _, statement := range []string{`DELETE FROM session_lookups WHERE expires_at <= now()`, `DELETE FROM searches WHERE expires_at <= now()`,
		`DELETE FROM sign_ins WHERE started_at < now() - interval '1 year'`} {
		if _, err := s.DB.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	_, err := s.DB.ExecContext(ctx, `DELETE FROM sessions WHERE expires_at <= now()`)
	return err
}
