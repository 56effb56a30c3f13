package items

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// ErrProtected is store.ErrProtected.
var ErrProtected = store.ErrProtected

// asProtected turns the database's refusal into ErrProtected.
func asProtected(err error) error {
	if q, ok := errors.AsType[*pq.Error](err); ok && q.Constraint == "protected_sender" {
		return ErrProtected
	}
	return err
}

// protectedItem is the item $2 of the account $1, if its recipient is protected.
const protectedItem = `(
	SELECT protected_id FROM sms WHERE item_id = $2 AND account_id = $1 AND protected_id IS NOT NULL
	UNION ALL
	SELECT protected_id FROM shipments WHERE item_id = $2 AND account_id = $1 AND protected_id IS NOT NULL) o`

// named tells whether a user is among those who may see the person o.protected_id.
var named = store.Names("o.protected_id", "$3")

// Sight tells what a user may see of an item whose recipient may be protected.
type Sight struct {
	Protected bool `db:"protected"` // and the item is not the user's own draft
	Hidden    bool `db:"hidden"`    // to be treated as not found
}

// SightOf returns a user's Sight of an item; zero for the user's own draft, and for an unknown id.
func (s Protected) SightOf(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, user dispatch.UserID) (seen Sight, err error) {
	if !store.ValidID(id) {
		return seen, nil
	}
	err = s.Get(ctx, &seen, `
		SELECT count(*) > 0 AS protected, coalesce(bool_or(NOT `+named+`), false) AS hidden
		FROM `+protectedItem+` JOIN items it ON it.id = $2 AND NOT (it.state = 'draft' AND it.created_by = $3)`, account, id, user)
	return seen, err
}

// NoteLook logs that a named user opened an item of a protected person. Team leads are notified.
func (s Protected) NoteLook(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, by store.Actor) error {
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		_, err := tx.ExecContext(ctx, `
			INSERT INTO protected_looks (account_id, person_id, user_id, item_id)
			SELECT $1, o.protected_id, $3, $2
			FROM `+protectedItem, account, id, by.User)
		if err != nil {
			return err
		}
		return store.Record(ctx, tx, store.Audit{Actor: by.User, Account: account, Action: "protection.opened", Object: string(id), Origin: by.Origin})
	})
}

// protectedRows selects the rows of a list, given as a placeholder, that go to a protected person n.person_id.
func protectedRows(job string) string {
	return `
		FROM job_rows r JOIN jobs j ON j.id = r.job_id
		JOIN protected_numbers n ON n.account_id = j.account_id AND n.number_hash IN (r.recipient_hash, r.phone_hash, r.number_hash)
		WHERE r.job_id = ` + job + ` AND r.problem = ''`
}

// hiddenRows selects those of the list $1 that the user $2 may not send to.
var hiddenRows = protectedRows("$1") + ` AND NOT EXISTS (SELECT FROM protected_viewers w WHERE w.person_id = n.person_id AND w.user_id = $2)`

// mayReach returns ErrProtected if a list has a protected person to whom a user may not send.
func mayReach(ctx context.Context, tx *sqlx.Tx, job dispatch.JobID, user dispatch.UserID) error {
	var hidden bool
	err := tx.GetContext(ctx, &hidden, `SELECT EXISTS (SELECT `+hiddenRows+`)`, job, user)
	return errors.Join(err, when(hidden, ErrProtected))
}

// mayOwn returns ErrProtected if a draft, or a row of its list, goes to a protected person to whom a user may not send. Only its
// form knows the recipient of a shipment that was never reviewed.
func (s Protected) mayOwn(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.ItemID, user dispatch.UserID) error {
	var draft struct {
		Form []byte         `db:"form"`
		Job  dispatch.JobID `db:"job"`
	}
	err := tx.GetContext(ctx, &draft, `
		SELECT h.form, coalesce((SELECT j.id::text FROM jobs j WHERE j.draft_id = h.item_id AND j.account_id = $2), '') AS job
		FROM shipments h WHERE h.item_id = $1 AND h.account_id = $2`, id, account)
	switch {
	case errors.Is(err, sql.ErrNoRows): // an SMS: its recipient is always known
		return mayShow(ctx, tx, account, id, user)
	case err != nil:
		return err
	}
	fields, err := s.openFields(draft.Form, store.FormPlace(id))
	if err != nil {
		return err
	}
	if err := s.nameRecipient(ctx, tx, account, id, dispatch.Address{Digital: fields.Whom()}); err != nil {
		return err
	}
	if err := mayShow(ctx, tx, account, id, user); err != nil || draft.Job == "" {
		return err
	}
	return mayReach(ctx, tx, draft.Job, user)
}

// mayShow returns ErrProtected if a draft is about to be shown to colleagues, and a user may not send to its recipient.
func mayShow(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.ItemID, user dispatch.UserID) error {
	var hidden bool
	err := tx.GetContext(ctx, &hidden, `SELECT EXISTS (SELECT FROM `+protectedItem+` WHERE NOT `+named+`)`, account, id, user)
	return errors.Join(err, when(hidden, ErrProtected))
}

// nameRecipient stores the keyed hash of a draft's recipient before colleagues are shown the draft: the recipient may be protected.
func (s Protected) nameRecipient(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.ItemID, to dispatch.Address) error {
	hash, err := s.hashNumber(to)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE shipments SET number_hash = $3 WHERE item_id = $1 AND account_id = $2`, id, account, store.NullBytes(hash))
	return err
}

// HiddenRows returns the positions of rows that the viewer may not send to, at most so many, and the names of those who may.
func (s Protected) HiddenRows(ctx context.Context, j dispatch.Job, viewer dispatch.UserID, most int) (rows []int, who []dispatch.ProtectedViewer, err error) {
	err = s.DB.SelectContext(ctx, &rows, `SELECT DISTINCT r.position `+hiddenRows+` ORDER BY r.position LIMIT $3`, j.ID, viewer, most)
	if err != nil || len(rows) == 0 {
		return nil, nil, err
	}
	err = s.DB.SelectContext(ctx, &who, `
		SELECT u.id, u.name FROM users u WHERE u.id IN (
			SELECT w.user_id FROM protected_viewers w WHERE w.person_id IN (SELECT n.person_id `+hiddenRows+`)) ORDER BY u.name, u.id`, j.ID, viewer)
	return rows, who, err
}

// MaySendTo tells whether a user may send to a recipient, given as a search for their numbers; if not, it returns the names of
// those who may.
func (s Protected) MaySendTo(ctx context.Context, account dispatch.AccountID, to dispatch.Search, user dispatch.UserID) (may bool, who []dispatch.ProtectedViewer, err error) {
	hashes, err := s.NumberHashes(to)
	if err != nil || len(hashes) == 0 {
		return true, nil, err
	}
	err = s.Select(ctx, &who, `
		SELECT DISTINCT u.id, u.name FROM protected_numbers n JOIN protected_viewers w ON w.person_id = n.person_id JOIN users u ON u.id = w.user_id
		WHERE n.account_id = $1 AND n.number_hash = ANY($2) ORDER BY u.name, u.id`, account, pq.ByteaArray(hashes))
	may = len(who) == 0
	for _, w := range who {
		may = may || w.ID == user
	}
	return may, who, err
}

// sealNumbers seals the numbers of a protected person.
func (s Protected) sealNumbers(id dispatch.ProtectedID, p dispatch.Protection) ([]byte, error) {
	return s.SealText(p.Number.Reveal()+" "+p.Phone.Reveal(), store.ProtectedPlace(id))
}

func (s Protected) openNumbers(id dispatch.ProtectedID, sealed []byte) (n dispatch.NationalID, p dispatch.Phone, err error) {
	text, err := s.OpenText(sealed, store.ProtectedPlace(id))
	if err != nil {
		return n, p, fmt.Errorf("open the numbers of a protected person: %w", err)
	}
	n = dispatch.NationalID(text[:min(len(text), dispatch.NationalIDLength)])
	if len(text) > dispatch.NationalIDLength+1 {
		p = dispatch.Phone(text[dispatch.NationalIDLength+1:])
	}
	return n, p, nil
}

// Protect marks a person as protected, also on items sent earlier. ErrTaken when a number is marked already, ErrNotFound when a
// named user does not work on the account.
func (s Protected) Protect(ctx context.Context, account dispatch.AccountID, p dispatch.Protection, by store.Actor) error {
	id := dispatch.ProtectedID(uuid.Must(uuid.NewV7()).String())
	sealed, err := s.sealNumbers(id, p)
	if err != nil {
		return err
	}
	hashes, err := s.NumberHashes(dispatch.Search{NationalID: p.Number, Phone: p.Phone})
	if err != nil {
		return err
	}
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO protected_people (id, account_id, numbers, set_by) VALUES ($1, $2, $3, $4)`, id, account, sealed, by.User)
		if err != nil {
			return err
		}
		if err := setViewers(ctx, tx, account, id, p.Viewers, by.User); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO protected_numbers (account_id, number_hash, person_id) SELECT $1, h, $3 FROM unnest($2::bytea[]) h`,
			account, pq.ByteaArray(hashes), id)
		if err != nil {
			return store.Taken(err, "protected_numbers_pkey")
		}
		for _, table := range []string{"sms SET protected_id = $1 WHERE account_id = $2 AND recipient_hash", "shipments SET protected_id = $1 WHERE account_id = $2 AND number_hash"} {
			if _, err := tx.ExecContext(ctx, `UPDATE `+table+` = ANY($3)`, id, account, pq.ByteaArray(hashes)); err != nil {
				return err
			}
		}
		if err := remakeExports(ctx, tx, account); err != nil {
			return err
		}
		if err := freeFollowUps(ctx, tx, account, id); err != nil {
			return err
		}
		return recordProtected(ctx, tx, "protection.set", account, id, p, by)
	})
}

// freeFollowUps takes the follow-ups about a protected person from owners who may no longer see them. They are locked first: whoever
// assigns one meanwhile has done so before, or asks again afterwards.
func freeFollowUps(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.ProtectedID) error {
	const theirs = `f.account_id = $2 AND f.item_id IN (SELECT item_id FROM sms WHERE protected_id = $1 UNION ALL SELECT item_id FROM shipments WHERE protected_id = $1)`
	if _, err := tx.ExecContext(ctx, `SELECT FROM follow_ups f WHERE `+theirs+` ORDER BY f.item_id FOR UPDATE`, id, account); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `UPDATE follow_ups f SET owner_id = NULL WHERE `+theirs+` AND f.owner_id IS NOT NULL AND NOT `+store.Names("$1", "f.owner_id"), id, account)
	return err
}

// remakeExports has an account's exports made anew, since they may name a person who is protected from now on. The attempt is a
// fencing token: an export that is being made fails when it is stored.
func remakeExports(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID) error {
	_, err := tx.ExecContext(ctx, `
		WITH again AS (
			UPDATE exports SET done_at = NULL, lease_until = NULL, attempt = attempt + 1, rows = 0, size = 0, sha256 = ''
			WHERE account_id = $1 AND failed_at IS NULL AND attempt > 0 RETURNING id
		)
		DELETE FROM export_chunks c USING again a WHERE c.export_id = a.id`, account)
	return err
}

// recordProtected logs an act on a protected person, who is named by id only.
func recordProtected(ctx context.Context, tx *sqlx.Tx, action string, account dispatch.AccountID, id dispatch.ProtectedID, p dispatch.Protection, by store.Actor) error {
	details := map[string]any{"reason": p.Reason}
	if len(p.Viewers) > 0 {
		details["viewers"] = p.Viewers
	}
	return store.Record(ctx, tx, store.Audit{Actor: by.User, Account: account, Action: action, Object: string(id), Details: details, Origin: by.Origin})
}

// setViewers replaces the named users: colleagues who work on the account, those named before, and the actor.
func setViewers(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.ProtectedID, viewers []dispatch.UserID, by dispatch.UserID) error {
	var before []dispatch.UserID
	if err := tx.SelectContext(ctx, &before, `DELETE FROM protected_viewers WHERE person_id = $1 RETURNING user_id`, id); err != nil {
		return err
	}
	known := map[dispatch.UserID]bool{by: true}
	for _, u := range before {
		known[u] = true
	}
	for _, u := range viewers {
		works := known[u]
		if !works {
			var err error
			if works, err = worksOn(ctx, tx, account, u, dispatch.Kinds...); err != nil {
				return err
			}
		}
		if !works {
			return store.ErrNotFound
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO protected_viewers (person_id, user_id) VALUES ($1, $2)`, id, u); err != nil {
			return err
		}
	}
	return nil
}

// NameViewers replaces the users named for a protected person. ErrNotFound when the actor may not change it.
func (s Protected) NameViewers(ctx context.Context, account dispatch.AccountID, id dispatch.ProtectedID, p dispatch.Protection, by store.Actor) error {
	return s.changeProtected(ctx, account, id, by, func(tx *sqlx.Tx) error {
		if err := setViewers(ctx, tx, account, id, p.Viewers, by.User); err != nil {
			return err
		}
		if err := freeFollowUps(ctx, tx, account, id); err != nil {
			return err
		}
		return recordProtected(ctx, tx, "protection.named", account, id, p, by)
	})
}

// End ends a protection. ErrNotFound when the actor may not change it.
func (s Protected) End(ctx context.Context, account dispatch.AccountID, id dispatch.ProtectedID, reason string, by store.Actor) error {
	return s.changeProtected(ctx, account, id, by, func(tx *sqlx.Tx) error {
		for _, change := range []string{
			`DELETE FROM protected_viewers w USING protected_people p WHERE w.person_id = p.id AND p.id = $1 AND p.account_id = $2`,
			`UPDATE protected_people SET ended_at = now() WHERE id = $1 AND account_id = $2`,
			`DELETE FROM protected_numbers WHERE person_id = $1 AND account_id = $2`,
			`UPDATE sms SET protected_id = NULL WHERE protected_id = $1 AND account_id = $2`,
			`UPDATE shipments SET protected_id = NULL WHERE protected_id = $1 AND account_id = $2`,
		} {
			if _, err := tx.ExecContext(ctx, change, id, account); err != nil {
				return err
			}
		}
		return recordProtected(ctx, tx, "protection.ended", account, id, dispatch.Protection{Reason: reason}, by)
	})
}

// orphaned tells whether none of the users named for the person p has logged in for a month: then team leads may name others.
const orphaned = `NOT EXISTS (SELECT FROM protected_viewers w JOIN sign_ins l ON l.user_id = w.user_id WHERE w.person_id = p.id AND l.started_at > now() - interval '30 days')`

func (s Protected) changeProtected(ctx context.Context, account dispatch.AccountID, id dispatch.ProtectedID, by store.Actor, change func(*sqlx.Tx) error) error {
	if !store.ValidID(id) {
		return store.ErrNotFound
	}
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		var may bool
		err := tx.GetContext(ctx, &may, `
			SELECT EXISTS (SELECT FROM protected_viewers w WHERE w.person_id = p.id AND w.user_id = $3) OR `+orphaned+`
			FROM protected_people p WHERE p.id = $1 AND p.account_id = $2 AND p.ended_at IS NULL FOR UPDATE`, id, account, by.User)
		if err != nil {
			return store.NotFound(err)
		}
		if !may {
			return store.ErrNotFound
		}
		return change(tx)
	})
}

// People returns the protected people of an account, newest first. Numbers are included only where the viewer is named.
func (s Protected) People(ctx context.Context, account dispatch.AccountID, viewer dispatch.UserID) (list []dispatch.Protected, err error) {
	var rows []struct {
		ID       dispatch.ProtectedID `db:"id"`
		SetBy    string               `db:"set_by"`
		SetAt    time.Time            `db:"set_at"`
		Numbers  []byte               `db:"numbers"`
		Orphaned bool                 `db:"orphaned"`
		IDs      pq.StringArray       `db:"ids"`
		Names    pq.StringArray       `db:"names"`
	}
	err = s.DB.SelectContext(ctx, &rows, `
		SELECT p.id, u.name AS set_by, p.set_at, p.numbers, `+orphaned+` AS orphaned, v.ids, v.names
		FROM protected_people p JOIN users u ON u.id = p.set_by
		CROSS JOIN LATERAL (
			SELECT coalesce(array_agg(w.user_id::text ORDER BY n.name, n.id), '{}') AS ids, coalesce(array_agg(n.name ORDER BY n.name, n.id), '{}') AS names
			FROM protected_viewers w JOIN users n ON n.id = w.user_id WHERE w.person_id = p.id) v
		WHERE p.account_id = $1 AND p.ended_at IS NULL ORDER BY p.set_at DESC, p.id DESC LIMIT 1000`, account)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		p := dispatch.Protected{ID: r.ID, AccountID: account, SetBy: r.SetBy, SetAt: r.SetAt, Orphaned: r.Orphaned}
		for i, id := range r.IDs {
			p.Viewers = append(p.Viewers, dispatch.ProtectedViewer{ID: dispatch.UserID(id), Name: r.Names[i]})
		}
		if p.Known = p.Names(viewer); p.Known {
			if p.Number, p.Phone, err = s.openNumbers(r.ID, r.Numbers); err != nil {
				return nil, err
			}
		}
		list = append(list, p)
	}
	return list, nil
}

// looksMost is the most views that a page shows.
const looksMost = 100

// Looks returns who opened messages to protected people of an account, newest first. The person is included only where the
// viewer is named.
func (s Protected) Looks(ctx context.Context, account dispatch.AccountID, viewer dispatch.UserID) (list []dispatch.ProtectedLook, err error) {
	var rows []struct {
		At      time.Time            `db:"at"`
		By      string               `db:"name"`
		Person  dispatch.ProtectedID `db:"person_id"`
		Numbers []byte               `db:"numbers"`
		Named   bool                 `db:"named"`
		Item    dispatch.ItemID      `db:"item_id"`
		Kind    dispatch.Kind        `db:"kind"`
	}
	err = s.DB.SelectContext(ctx, &rows, `
		SELECT l.at, u.name, l.person_id, p.numbers, l.item_id, coalesce(it.kind, '') AS kind,
		       EXISTS (SELECT FROM protected_viewers w WHERE w.person_id = l.person_id AND w.user_id = $2) AS named
		FROM protected_looks l JOIN users u ON u.id = l.user_id JOIN protected_people p ON p.id = l.person_id LEFT JOIN items it ON it.id = l.item_id
		WHERE l.account_id = $1 ORDER BY l.at DESC, l.id DESC LIMIT $3`, account, viewer, looksMost)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		look := dispatch.ProtectedLook{At: r.At, By: r.By}
		if r.Named {
			look.Person, look.Item, look.Kind = r.Person, r.Item, r.Kind
			if look.Number, _, err = s.openNumbers(r.Person, r.Numbers); err != nil {
				return nil, err
			}
		}
		list = append(list, look)
	}
	return list, nil
}
