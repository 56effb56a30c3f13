package registry

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// SignedIn records a login, in the event log too; replaces is the browser's former session, if any.
func (s Sessions) SignedIn(ctx context.Context, in dispatch.SignIn, replaces string) error {
	id, err := store.NewID()
	if err != nil {
		return err
	}
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		if err := endSignIn(ctx, tx, replaces, dispatch.EndingAgain); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `
			INSERT INTO sign_ins (id, user_id, session_hash, claims, origin, browser, started_at, seen_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $7)`,
			id, in.User, in.Session, pq.Array(append([]string{}, in.Claims...)), in.Origin, in.Browser, in.StartedAt)
		if err != nil {
			return err
		}
		return store.Record(ctx, tx, store.Audit{Actor: in.User, Action: "session.login", Origin: in.Origin, Session: in.Session})
	})
}

// Seen records that a session is in use.
func (s Sessions) Seen(ctx context.Context, token string, at time.Time) error {
	_, err := s.DB.ExecContext(ctx, `UPDATE sign_ins SET seen_at = $2 WHERE session_hash = $1 AND ended_at IS NULL`, token, at)
	return err
}

// LoggedOut ends a session on logout, with a line in the event log.
func (s Sessions) LoggedOut(ctx context.Context, token, origin string) error {
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM sessions WHERE token_hash = $1`, token); err != nil {
			return err
		}
		return logOut(ctx, tx, token, dispatch.EndingLogout, origin)
	})
}

// logOut ends the login of a session, with a line in the event log of its user.
func logOut(ctx context.Context, tx *sqlx.Tx, token string, how dispatch.Ending, origin string) error {
	var users []dispatch.UserID
	err := tx.SelectContext(ctx, &users, `
		UPDATE sign_ins SET ended_at = now(), ended_how = $2 WHERE session_hash = $1 AND ended_at IS NULL RETURNING user_id`, token, how)
	for _, user := range users {
		if err == nil {
			err = store.Record(ctx, tx, store.Audit{Actor: user, Action: "session.logout", Origin: origin, Session: token})
		}
	}
	return err
}

// SignedOut records how a session ends. The caller ends it.
func (s Sessions) SignedOut(ctx context.Context, token string, how dispatch.Ending) error {
	return endSignIn(ctx, s.DB, token, how)
}

func endSignIn(ctx context.Context, db sqlx.ExecerContext, token string, how dispatch.Ending) error {
	_, err := db.ExecContext(ctx, `UPDATE sign_ins SET ended_at = now(), ended_how = $2 WHERE session_hash = $1 AND ended_at IS NULL`, token, how)
	return err
}

// EndOthers ends all other sessions of a user, and returns how many.
func (s Sessions) EndOthers(ctx context.Context, keep string, by store.Actor) (n int, err error) {
	err = s.InTx(ctx, func(tx *sqlx.Tx) error {
		n, err = endSessions(ctx, tx, dispatch.EndingElsewhere, `user_id = $2 AND session_hash <> $3`, by.User, keep)
		if err != nil || n == 0 {
			return err
		}
		return store.Record(ctx, tx, store.Audit{Actor: by.User, Action: "session.end_others", Details: map[string]any{"sessions": n}, Origin: by.Origin})
	})
	return n, err
}

// endSessions ends the sessions whose logins match a condition, and returns how many. Its parameters are numbered
// from $2.
func endSessions(ctx context.Context, tx *sqlx.Tx, how dispatch.Ending, chosen string, args ...any) (int, error) {
	n := 0
	err := tx.GetContext(ctx, &n, `
		WITH ended AS (
			UPDATE sign_ins SET ended_at = now(), ended_how = $1 WHERE ended_at IS NULL AND `+chosen+` RETURNING session_hash
		), gone AS (
			DELETE FROM sessions WHERE token_hash IN (SELECT session_hash FROM ended) RETURNING token_hash
		)
		SELECT count(*) FROM gone`, append([]any{how}, args...)...)
	return n, err
}

// endSessionsWithoutRights ends the sessions whose last right came from a claim value.
func endSessionsWithoutRights(ctx context.Context, tx *sqlx.Tx, claim string) (int, error) {
	return endSessions(ctx, tx, dispatch.EndingRights,
		`$2 = ANY(claims) AND NOT EXISTS (SELECT FROM role_mappings m WHERE m.claim_value = ANY(claims))`, claim)
}

// SignIns returns a user's latest logins, newest first. One whose session is gone without a record has expired; if it
// was not used since usedSince, it was idle for too long.
func (s Sessions) SignIns(ctx context.Context, user dispatch.UserID, current string, usedSince time.Time) ([]dispatch.SignIn, error) {
	var rows []struct {
		Session string           `db:"session_hash"`
		Origin  string           `db:"origin"`
		Browser dispatch.Browser `db:"browser"`
		Started time.Time        `db:"started_at"`
		Seen    time.Time        `db:"seen_at"`
		Ended   *time.Time       `db:"ended_at"`
		How     dispatch.Ending  `db:"ended_how"`
		Alive   bool             `db:"alive"`
	}
	err := s.Select(ctx, &rows, `
		SELECT i.session_hash, i.origin, i.browser, i.started_at, i.seen_at, i.ended_at, i.ended_how,
			EXISTS (SELECT FROM sessions s WHERE s.token_hash = i.session_hash AND s.expires_at > now()) AS alive
		FROM sign_ins i WHERE i.user_id = $1 ORDER BY i.started_at DESC, i.id DESC LIMIT 100`, user)
	if err != nil {
		return nil, err
	}
	list := make([]dispatch.SignIn, len(rows))
	for i, r := range rows {
		in := dispatch.SignIn{User: user, Session: r.Session, Origin: r.Origin, Browser: r.Browser, StartedAt: r.Started, SeenAt: r.Seen,
			EndedAt: store.Deref(r.Ended), Ending: r.How, Current: r.Session == current}
		switch {
		case in.Ending != dispatch.EndingNone || in.Current:
		case in.SeenAt.Before(usedSince):
			in.Ending, in.EndedAt = dispatch.EndingIdle, in.SeenAt
		case !r.Alive:
			in.Ending, in.EndedAt = dispatch.EndingExpired, in.SeenAt
		}
		list[i] = in
	}
	return list, nil
}
