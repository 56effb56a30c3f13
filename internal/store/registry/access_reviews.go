package registry

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// Holdings returns every role mapping with the users whose latest login had its claim value, the system's first, then
// by account. Logins are kept for a year. Logging in and out are no acts: they show no use of a role.
func (s Roles) Holdings(ctx context.Context) ([]dispatch.Holding, error) {
	var rows []struct {
		store.AccountRow
		Claim   string        `db:"claim_value"`
		Role    dispatch.Role `db:"role"`
		GivenAt time.Time     `db:"given_at"`
		Person  string        `db:"person"`
		LoginAt *time.Time    `db:"login_at"`
		ActAt   *time.Time    `db:"act_at"`
	}
	err := s.Select(ctx, &rows, `
		WITH latest AS (
			SELECT DISTINCT ON (user_id) user_id, claims, started_at FROM sign_ins ORDER BY user_id, started_at DESC
		)
		SELECT m.claim_value, m.role, m.created_at AS given_at, coalesce(u.name, '') AS person, l.started_at AS login_at,
			(SELECT max(e.at) FROM audit_events e
			 WHERE e.actor_id = u.id AND e.action NOT LIKE 'session.%' AND (m.account_id IS NULL OR e.account_id = m.account_id)) AS act_at,
			`+store.AccountColumns+`
		FROM role_mappings m
		LEFT JOIN accounts a ON a.id = m.account_id
		LEFT JOIN latest l ON m.claim_value = ANY(l.claims)
		LEFT JOIN users u ON u.id = l.user_id
		ORDER BY a.name NULLS FIRST, m.role, person, m.claim_value`)
	if err != nil {
		return nil, err
	}
	list := make([]dispatch.Holding, len(rows))
	for i, r := range rows {
		list[i] = dispatch.Holding{Claim: r.Claim, Role: r.Role, GivenAt: r.GivenAt, Person: r.Person, LoginAt: store.Deref(r.LoginAt), ActAt: store.Deref(r.ActAt)}
		if r.ID != "" {
			list[i].Account = r.Domain()
		}
	}
	return list, nil
}

// SignReview stores that an administrator has reviewed all roles.
func (s Roles) SignReview(ctx context.Context, people int, note string, by store.Actor) error {
	id, err := store.NewID()
	if err != nil {
		return err
	}
	sealed, err := s.Keys.Seal([]byte(note), store.ReviewPlace(id))
	if err != nil {
		return err
	}
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO access_reviews (id, user_id, people, note) VALUES ($1, $2, $3, $4)`, id, by.User, people, sealed)
		if err != nil {
			return err
		}
		return store.Record(ctx, tx, store.Audit{Actor: by.User, Action: "access.reviewed", Object: id, Details: map[string]any{"people": people}, Origin: by.Origin})
	})
}

// Reviews returns the latest reviews, newest first.
func (s Roles) Reviews(ctx context.Context) ([]dispatch.AccessReview, error) {
	var rows []struct {
		ID     string    `db:"id"`
		At     time.Time `db:"at"`
		By     string    `db:"name"`
		People int       `db:"people"`
		Note   []byte    `db:"note"`
	}
	err := s.Select(ctx, &rows, `
		SELECT r.id, r.at, u.name, r.people, r.note FROM access_reviews r JOIN users u ON u.id = r.user_id ORDER BY r.at DESC LIMIT 50`)
	if err != nil {
		return nil, err
	}
	list := make([]dispatch.AccessReview, len(rows))
	for i, r := range rows {
		note, err := s.Keys.Open(r.Note, store.ReviewPlace(r.ID))
		if err != nil {
			return nil, err
		}
		list[i] = dispatch.AccessReview{At: r.At, By: r.By, People: r.People, Note: string(note)}
	}
	return list, nil
}
