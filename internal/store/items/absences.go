package items

import (
	"cmp"
	"context"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// Worker is a user who works on an account.
type Worker struct {
	ID   dispatch.UserID `db:"id"`
	Name string          `db:"name"`
}

// works selects users u who made an item on the account $1 in the last year, of one of the kinds $2. Rights come with each
// login and are not stored, so this is the best available evidence that somebody works there.
const works = `
	EXISTS (SELECT FROM listed l WHERE l.account_id = $1 AND l.kind = ANY($2) AND l.created_by = u.id AND l.created_at > now() - interval '1 year')`

// Workers returns the users who work with these kinds of items on an account, by name.
func (s Absences) Workers(ctx context.Context, account dispatch.AccountID, kinds ...dispatch.Kind) ([]Worker, error) {
	var list []Worker
	err := s.Select(ctx, &list, `SELECT u.id, u.name FROM users u WHERE `+works+` ORDER BY lower(u.name), u.id LIMIT 1000`, account, pq.Array(kinds))
	return list, err
}

// worksOn tells whether a user is among the Workers.
func worksOn(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, user dispatch.UserID, kinds ...dispatch.Kind) (known bool, err error) {
	if store.ValidID(user) {
		err = tx.GetContext(ctx, &known, `SELECT EXISTS (SELECT FROM users u WHERE u.id = $3 AND `+works+`)`, account, pq.Array(kinds), user)
	}
	return known, err
}

// today is the date in Oslo.
func today(now time.Time) string { return now.In(dispatch.Oslo).Format(time.DateOnly) }

// List returns the absences on an account that have not ended, by name.
func (s Absences) List(ctx context.Context, account dispatch.AccountID, now time.Time) ([]dispatch.Absence, error) {
	var rows []struct {
		User       dispatch.UserID `db:"user_id"`
		Name       string          `db:"name"`
		Deputy     dispatch.UserID `db:"deputy_id"`
		DeputyName string          `db:"deputy_name"`
		Until      string          `db:"until"`
	}
	err := s.Select(ctx, &rows, `
		SELECT a.user_id, u.name, coalesce(a.deputy_id::text, '') AS deputy_id, coalesce(d.name, '') AS deputy_name, a.until::text AS until
		FROM absences a JOIN users u ON u.id = a.user_id LEFT JOIN users d ON d.id = a.deputy_id
		WHERE a.account_id = $1 AND a.until >= $2::date ORDER BY lower(u.name), u.id`, account, today(now))
	list := make([]dispatch.Absence, len(rows))
	for i, r := range rows {
		until, err := time.ParseInLocation(time.DateOnly, r.Until, dispatch.Oslo)
		if err != nil {
			return nil, err
		}
		list[i] = dispatch.Absence{User: r.User, Name: r.Name, Deputy: r.Deputy, DeputyName: r.DeputyName, Until: until}
	}
	return list, err
}

// StandsIn tells whether a user stands in for another on an account today.
func (s Absences) StandsIn(ctx context.Context, account dispatch.AccountID, user, absent dispatch.UserID, now time.Time) (yes bool, err error) {
	err = s.Get(ctx, &yes, `
		SELECT EXISTS (SELECT FROM absences WHERE account_id = $1 AND user_id = $3 AND deputy_id = $2 AND until >= $4::date)`, account, user, absent, today(now))
	return yes, err
}

// Save stores a user's absence from an account. ErrTaken when the user or the deputy does not work there, or the deputy
// is away themselves.
func (s Absences) Save(ctx context.Context, account dispatch.AccountID, a dispatch.Absence, by store.Actor, now time.Time) error {
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		if err := s.mayBeAway(ctx, tx, account, a, by, now); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `
			INSERT INTO absences (account_id, user_id, deputy_id, until, set_by) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (account_id, user_id) DO UPDATE SET deputy_id = excluded.deputy_id, until = excluded.until, set_by = excluded.set_by, set_at = now()`,
			account, a.User, store.Null(a.Deputy), a.Until.Format(time.DateOnly), by.User)
		if err != nil {
			return err
		}
		details := map[string]any{"until": a.Until.Format(time.DateOnly), "deputy": a.Deputy}
		return store.Record(ctx, tx, store.Audit{Actor: by.User, Account: account, Action: "absence.set", Object: string(a.User), Details: details, Origin: by.Origin})
	})
}

func (s Absences) mayBeAway(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, a dispatch.Absence, by store.Actor, now time.Time) error {
	if a.User != by.User {
		if known, err := worksOn(ctx, tx, account, a.User, dispatch.Kinds...); err != nil || !known {
			return cmp.Or(err, store.ErrTaken)
		}
	}
	if a.Deputy == "" {
		return nil
	}
	if known, err := worksOn(ctx, tx, account, a.Deputy, dispatch.Kinds...); err != nil || !known || a.Deputy == a.User {
		return cmp.Or(err, store.ErrTaken)
	}
	var away bool
	err := tx.GetContext(ctx, &away, `SELECT EXISTS (SELECT FROM absences WHERE account_id = $1 AND user_id = $2 AND until >= $3::date)`, account, a.Deputy, today(now))
	if err == nil && away {
		err = store.ErrTaken
	}
	return err
}

// End ends a user's absence; ErrNotFound when they are not away.
func (s Absences) End(ctx context.Context, account dispatch.AccountID, user dispatch.UserID, by store.Actor) error {
	if !store.ValidID(user) {
		return store.ErrNotFound
	}
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		n, err := store.Affected(tx.ExecContext(ctx, `DELETE FROM absences WHERE account_id = $1 AND user_id = $2`, account, user))
		if err != nil {
			return err
		}
		if n == 0 {
			return store.ErrNotFound
		}
		return store.Record(ctx, tx, store.Audit{Actor: by.User, Account: account, Action: "absence.ended", Object: string(user), Origin: by.Origin})
	})
}
