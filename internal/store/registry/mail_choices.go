package registry

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// MailChoice is how somebody wants to be told by e-mail; without an address not at all.
type MailChoice struct {
	Address        string
	Digest, Alarms bool
}

// Of returns a person's choice.
func (s MailChoices) Of(ctx context.Context, user dispatch.UserID) (MailChoice, error) {
	var row struct {
		Address []byte `db:"address"`
		Digest  bool   `db:"digest"`
		Alarms  bool   `db:"alarms"`
	}
	err := s.Get(ctx, &row, `SELECT address, digest, alarms FROM mail_choices WHERE user_id = $1`, user)
	if errors.Is(err, sql.ErrNoRows) {
		return MailChoice{}, nil
	}
	if err != nil {
		return MailChoice{}, err
	}
	address, err := s.OpenText(row.Address, store.MailPlace(user))
	return MailChoice{address, row.Digest, row.Alarms}, err
}

// Save stores a person's choice, and sends a trial notice to a new address. The address is not in the event log.
func (s MailChoices) Save(ctx context.Context, by store.Actor, m MailChoice) (fresh bool, err error) {
	before, err := s.Of(ctx, by.User)
	if err != nil {
		return false, err
	}
	sealed, err := s.SealText(m.Address, store.MailPlace(by.User))
	if err != nil {
		return false, err
	}
	fresh = m.Address != "" && m.Address != before.Address
	return fresh, s.InTx(ctx, func(tx *sqlx.Tx) error {
		statement, args := `DELETE FROM mail_choices WHERE user_id = $1`, []any{by.User}
		if m.Address != "" {
			statement, args = `
				INSERT INTO mail_choices (user_id, address, digest, alarms) VALUES ($1, $2, $3, $4)
				ON CONFLICT (user_id) DO UPDATE SET address = excluded.address, digest = excluded.digest, alarms = excluded.alarms, changed_at = now()`,
				append(args, sealed, m.Digest, m.Alarms)
		}
		if _, err := tx.ExecContext(ctx, statement, args...); err != nil {
			return err
		}
		if fresh {
			if err := try(ctx, tx, by.User, ChannelPerson); err != nil {
				return err
			}
		}
		details := map[string]any{"mail": m.Address != "", "digest": m.Digest, "alarms": m.Alarms}
		return store.Record(ctx, tx, store.Audit{Actor: by.User, Action: "notices.chosen", Details: details, Origin: by.Origin})
	})
}

// Digests returns what a person has to follow up on each account where they may, as their latest login says.
func (s MailChoices) Digests(ctx context.Context, user dispatch.UserID, since, today time.Time) ([]dispatch.Digest, error) {
	var claims pq.StringArray
	err := s.Get(ctx, &claims, `SELECT l.claims FROM (SELECT $1::uuid AS user_id) m CROSS JOIN LATERAL (`+latestLogin+`) l`, user)
	if err != nil {
		return nil, store.NotFound(err)
	}
	u, err := s.User(ctx, user, "", claims)
	if err != nil {
		return nil, err
	}
	var list []dispatch.Digest
	for _, a := range u.Accounts() {
		if !u.May(dispatch.RightFollowUp, a.ID) {
			continue
		}
		d, err := s.digest(ctx, a, user, since, today)
		if err != nil {
			return nil, err
		}
		if !d.Nothing() {
			list = append(list, d)
		}
	}
	return list, nil
}

// digest counts what a person has to follow up on an account: what they sent and nobody else has taken, and what they have taken, unless they
// are away; and what absent colleagues have whom they stand in for.
func (s MailChoices) digest(ctx context.Context, a dispatch.Account, user dispatch.UserID, since, today time.Time) (dispatch.Digest, error) {
	var row struct {
		Failed int `db:"failed"`
		Open   int `db:"open"`
		Due    int `db:"due"`
		Others int `db:"others"`
	}
	err := s.Get(ctx, &row, `
		SELECT count(*) FILTER (WHERE theirs AND cause = ANY($3) AND since >= $4) AS failed, count(*) AS open, count(*) FILTER (WHERE due_on <= $5::date) AS due,
		       (SELECT count(*) FROM absences b JOIN follow_ups f ON f.account_id = b.account_id JOIN items it ON it.id = f.item_id
		        WHERE b.account_id = $1 AND b.deputy_id = $2 AND b.until >= $5::date AND f.ended_at IS NULL AND f.done_at IS NULL
		          AND b.user_id = coalesce(f.owner_id, it.created_by)) AS others
		FROM (SELECT f.cause, f.since, f.due_on, it.created_by = $2 AS theirs FROM follow_ups f JOIN items it ON it.id = f.item_id
		      WHERE f.account_id = $1 AND f.ended_at IS NULL AND f.done_at IS NULL AND (f.owner_id = $2 OR f.owner_id IS NULL AND it.created_by = $2)
		        AND NOT EXISTS (SELECT FROM absences b WHERE b.account_id = $1 AND b.user_id = $2 AND b.until >= $5::date)
		      LIMIT `+strconv.Itoa(dispatch.DigestMost)+`) found`,
		a.ID, user, pq.Array(dispatch.FailureCauses()), since, today.Format(time.DateOnly))
	return dispatch.Digest{Account: a, Failed: row.Failed, Open: row.Open, Due: row.Due, Others: min(row.Others, dispatch.DigestMost)}, err
}
