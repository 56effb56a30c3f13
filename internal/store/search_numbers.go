package store

import (
	"bytes"
	"context"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
)

// NumberHashes returns the hashes, by each key, of the numbers that a search may mean.
func (s *Store) NumberHashes(wanted dispatch.Search) (hashes [][]byte, err error) {
	for _, one := range []struct{ kind, value string }{
		{"national_id", wanted.NationalID.Reveal()}, {"organization", string(wanted.Number)}, {"phone", wanted.Phone.Comparable()},
	} {
		if one.value == "" || one.kind == "phone" && wanted.Phone == "" {
			continue
		}
		hash, err := s.Keys.Hash(one.kind, one.value)
		if err != nil {
			return nil, err
		}
		hashes = append(hashes, hash)
	}
	return hashes, nil
}

// foundMost is how many found items the event log names; their total number is recorded too.
const foundMost = 100

// SearchNumbers records a user's search for a number, given as its keyed hashes, in the event log, with the items
// found on the accounts. It returns the id of that line. A user who gave no reason and has searched for too many numbers
// within the last hour gets a problem, and nothing is recorded.
func SearchNumbers(ctx context.Context, tx *sqlx.Tx, accounts []dispatch.AccountID, hashes [][]byte, a Audit) (line int64, refused *dispatch.Problem, err error) {
	if refused, err = MaySearch(ctx, tx, hashes, a); err != nil || refused != nil {
		return 0, refused, err
	}
	found := []string{}
	err = tx.SelectContext(ctx, &found, `
		SELECT it.id
		FROM (SELECT m.item_id FROM sms m WHERE m.account_id = ANY($1) AND m.recipient_hash = ANY($2)
		      UNION ALL
		      SELECT h.item_id FROM shipments h WHERE h.account_id = ANY($1) AND h.number_hash = ANY($2)) f
		JOIN items it ON it.id = f.item_id
		WHERE it.state <> 'draft'
		ORDER BY it.created_at DESC, it.id DESC`, pq.Array(accounts), pq.ByteaArray(hashes))
	if err != nil {
		return 0, nil, err
	}
	line, err = RecordSearch(ctx, tx, hashes, found, a)
	return line, nil, err
}

// MaySearch returns a problem if a user who gave no reason has searched for too many numbers within the last hour.
func MaySearch(ctx context.Context, tx *sqlx.Tx, hashes [][]byte, a Audit) (refused *dispatch.Problem, err error) {
	// Locked, so that two concurrent searches cannot both take the last place.
	if _, err := tx.ExecContext(ctx, `SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE`, a.Actor); err != nil {
		return nil, err
	}
	use, err := numberUse(ctx, tx, a.Actor, hashes)
	if err != nil || a.Details["reason"] != nil {
		return nil, err
	}
	return use.Refuse(), nil
}

// RecordSearch records a search for a number and what it found. It returns the id of the line.
func RecordSearch(ctx context.Context, tx *sqlx.Tx, hashes [][]byte, found []string, a Audit) (line int64, err error) {
	a.Details["found"], a.Details["found_n"] = found[:min(len(found), foundMost)], len(found)
	if line, err = RecordLine(ctx, tx, a); err != nil {
		return 0, err
	}
	return line, NoteNumbers(ctx, tx, line, hashes)
}

// ActToday is the act of looking what the recipient of a draft was sent on the same day.
const ActToday = "recipient.today"

// searched tells whether a line e with its number l counts as a search: such a look does not at a number that the user has sent
// to since.
const searched = `(e.action <> '` + ActToday + `' OR NOT EXISTS (
	SELECT FROM items it LEFT JOIN sms m ON m.item_id = it.id LEFT JOIN shipments h ON h.item_id = it.id
	WHERE it.id = e.object_id AND it.state <> 'draft' AND coalesce(m.recipient_hash, h.number_hash) = l.number_hash))`

// numberUse counts the different numbers that a user has searched for within the last hour, on all accounts. Nine
// digits have two hashes and are one number.
func numberUse(ctx context.Context, tx *sqlx.Tx, user dispatch.UserID, hashes [][]byte) (dispatch.NumberUse, error) {
	var row struct {
		Numbers int       `db:"numbers"`
		Known   bool      `db:"known"`
		Oldest  time.Time `db:"oldest"`
	}
	err := tx.GetContext(ctx, &row, `
		SELECT count(*) AS numbers, coalesce(bool_or(hashes = $2), false) AS known, coalesce(min(latest), now()) AS oldest
		FROM (
			SELECT hashes, max(at) AS latest
			FROM (SELECT e.at, array_agg(l.number_hash ORDER BY l.number_hash) AS hashes
			      FROM audit_events e JOIN looked_up l ON l.event_id = e.id
			      WHERE e.actor_id = $1 AND e.action IN ('list.search', 'citizen.report', 'recipient.today') AND `+searched+` AND e.at > now() - interval '1 hour'
			      GROUP BY e.id) one
			GROUP BY hashes
		) numbers`, user, pq.ByteaArray(slices.SortedFunc(slices.Values(hashes), bytes.Compare)))
	return dispatch.NumberUse{Numbers: row.Numbers, Known: row.Known, Oldest: row.Oldest}, err
}

// NoteNumbers stores the keyed hashes of numbers with the line of the event log about their use.
func NoteNumbers(ctx context.Context, tx *sqlx.Tx, line int64, hashes [][]byte) error {
	_, err := tx.ExecContext(ctx, `
		INSERT INTO looked_up (number_hash, event_id) SELECT h, $2 FROM unnest($1::bytea[]) h ON CONFLICT DO NOTHING`, pq.ByteaArray(hashes), line)
	return err
}

// NumberSearchers returns the users who searched for unusually many different numbers on a day of the last month on
// an account, newest day first.
func (s *Store) NumberSearchers(ctx context.Context, account dispatch.AccountID) ([]dispatch.NumberSearcher, error) {
	var rows []struct {
		Day     time.Time `db:"day"`
		Name    string    `db:"name"`
		Numbers int       `db:"numbers"`
	}
	err := s.Select(ctx, &rows, `
		SELECT q.day, u.name, q.numbers
		FROM (
			SELECT actor_id, day, count(DISTINCT hashes) AS numbers
			FROM (SELECT e.actor_id, (e.at AT TIME ZONE 'Europe/Oslo')::date AS day, array_agg(l.number_hash ORDER BY l.number_hash) AS hashes
			      FROM audit_events e JOIN looked_up l ON l.event_id = e.id
			      WHERE e.account_id = $1 AND e.action IN ('list.search', 'recipient.today') AND `+searched+` AND e.at > now() - interval '30 days'
			      GROUP BY e.id) one
			GROUP BY 1, 2
			HAVING count(DISTINCT hashes) >= $2
		) q
		JOIN users u ON u.id = q.actor_id
		ORDER BY q.day DESC, q.numbers DESC, u.name LIMIT 100`, account, dispatch.NumbersUnusual)
	if err != nil {
		return nil, err
	}
	list := make([]dispatch.NumberSearcher, len(rows))
	for i, r := range rows {
		list[i] = dispatch.NumberSearcher(r)
	}
	return list, nil
}
