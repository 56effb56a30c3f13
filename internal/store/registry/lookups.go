package registry

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// Begin records in the event log that a user is about to look up so many numbers, so many of them people's, and
// the purpose, before the call: nobody is looked up without a line in the log. A user who has looked up too many
// within the last hour gets a problem, and nothing is recorded.
func (s Lookups) Begin(ctx context.Context, account dispatch.AccountID, by store.Actor, l dispatch.Lookup, again bool) (*dispatch.Problem, error) {
	return s.beginLookup(ctx, account, by, again, func(dispatch.LookupUse) dispatch.Lookup { return l })
}

// BeginList is Begin for a list: of a long one, as many numbers are looked up as the user's hour has room for.
// It returns the look-up of those.
func (s Lookups) BeginList(ctx context.Context, account dispatch.AccountID, by store.Actor, l dispatch.Lookup, again bool) (dispatch.Lookup, *dispatch.Problem, error) {
	refused, err := s.beginLookup(ctx, account, by, again, func(use dispatch.LookupUse) dispatch.Lookup {
		if most := min(use.Left(), dispatch.LookupMax); most > 0 {
			l.Entries = l.Entries[:min(most, len(l.Entries))]
		}
		return l
	})
	return l, refused, err
}

// beginLookup records the look-up that is made of what the user has looked up before.
func (s Lookups) beginLookup(ctx context.Context, account dispatch.AccountID, by store.Actor, again bool, of func(dispatch.LookupUse) dispatch.Lookup) (*dispatch.Problem, error) {
	var refused *dispatch.Problem
	err := s.InTx(ctx, func(tx *sqlx.Tx) error {
		// Locked, so that two concurrent look-ups cannot both take the last place.
		if _, err := tx.ExecContext(ctx, `SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE`, by.User); err != nil {
			return err
		}
		use, err := lookupUse(ctx, tx, by.User)
		if err != nil {
			return err
		}
		l := of(use)
		asked := len(l.Unanswered())
		if refused = use.Refuse(asked); refused != nil {
			return nil
		}
		hashes, err := s.lookupHashes(l.Unanswered())
		if err != nil {
			return err
		}
		line, err := store.RecordLine(ctx, tx, store.Audit{Actor: by.User, Account: account, Action: "lookup", Object: string(l.Job), Origin: by.Origin, Details: map[string]any{
			"asked": asked, "persons": persons(l.Unanswered()), "purpose": l.Purpose, "again": again,
		}})
		if err != nil {
			return err
		}
		return store.NoteNumbers(ctx, tx, line, hashes)
	})
	return refused, err
}

// lookupHashes are the keyed hashes of a look-up's numbers.
func (s Lookups) lookupHashes(numbers []dispatch.LookupNumber) (hashes [][]byte, err error) {
	for _, n := range numbers {
		kind := "organization"
		if n.Person() {
			kind = "national_id"
		}
		hash, err := s.Keys.Hash(kind, n.Reveal())
		if err != nil {
			return nil, err
		}
		hashes = append(hashes, hash)
	}
	return hashes, nil
}

func persons(numbers []dispatch.LookupNumber) int {
	n := 0
	for _, number := range numbers {
		if number.Person() {
			n++
		}
	}
	return n
}

// lookupUse reads a user's look-ups within the last hour, on all accounts.
func lookupUse(ctx context.Context, tx *sqlx.Tx, user dispatch.UserID) (dispatch.LookupUse, error) {
	var row struct {
		Lookups int       `db:"lookups"`
		Numbers int       `db:"numbers"`
		Oldest  time.Time `db:"oldest"`
	}
	err := tx.GetContext(ctx, &row, `
		SELECT count(*) AS lookups, coalesce(sum((details->>'asked')::int), 0) AS numbers, coalesce(min(at), now()) AS oldest
		FROM audit_events
		WHERE actor_id = $1 AND action = 'lookup' AND at > now() - interval '1 hour'`, user)
	return dispatch.LookupUse{Lookups: row.Lookups, Numbers: row.Numbers, Oldest: row.Oldest}, err
}

// sealedLookup is the plaintext of a sealed look-up: the domain's numbers would be marshalled as redacted.
type sealedLookup struct {
	Key      string          `json:"key"`
	Purpose  string          `json:"purpose"`
	At       time.Time       `json:"at"`
	Entries  []sealedContact `json:"entries"`
	Repeated int             `json:"repeated,omitempty"`
	Extra    int             `json:"extra,omitempty"`
	Strange  int             `json:"strange,omitempty"`
	Failure  dispatch.Reason `json:"failure"`
	Answer   dispatch.Answer `json:"answer"`
}

type sealedContact struct {
	Line   int                    `json:"l"`
	Number string                 `json:"n"`
	Answer dispatch.LookupAnswer  `json:"a,omitempty"`
	Phone  string                 `json:"p,omitempty"`
	Status dispatch.ContactStatus `json:"s,omitempty"`
}

// KeepLookup stores a look-up with the session of the given token hash, until it expires or the session ends. It
// replaces the former one on the account. ErrNotFound says that the session is gone.
func (s Sessions) KeepLookup(ctx context.Context, token string, account dispatch.AccountID, l dispatch.Lookup) error {
	data, err := json.Marshal(sealable(l))
	if err != nil {
		return fmt.Errorf("keep a look-up: %w", err)
	}
	sealed, err := s.Keys.Seal(data, store.LookupPlace(token, account))
	if err != nil {
		return err
	}
	_, err = s.DB.ExecContext(ctx, `
		INSERT INTO session_lookups (token_hash, account_id, data, expires_at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (token_hash, account_id) DO UPDATE SET data = excluded.data, expires_at = excluded.expires_at`,
		token, account, sealed, l.Until())
	if store.IsForeignKey(err) {
		return store.ErrNotFound
	}
	return err
}

func sealable(l dispatch.Lookup) sealedLookup {
	w := sealedLookup{Key: l.Key, Purpose: l.Purpose, At: l.At, Repeated: l.Repeated, Extra: l.Extra, Strange: l.Strange, Failure: l.Failure, Answer: l.Answer}
	for _, e := range l.Entries {
		w.Entries = append(w.Entries, sealedContact{e.Line, e.Number.Reveal(), e.Answer, e.Phone.Reveal(), e.Status})
	}
	return w
}

// Lookup returns a session's look-up on an account; ErrNotFound without one, and after it has expired.
func (s Sessions) Lookup(ctx context.Context, token string, account dispatch.AccountID, now time.Time) (dispatch.Lookup, error) {
	var sealed []byte
	err := s.Get(ctx, &sealed, `
		SELECT data FROM session_lookups
		WHERE token_hash = $1 AND account_id = $2 AND expires_at > $3`, token, account, now)
	if err != nil {
		return dispatch.Lookup{}, store.NotFound(err)
	}
	data, err := s.Keys.Open(sealed, store.LookupPlace(token, account))
	if err != nil {
		return dispatch.Lookup{}, store.ErrNotFound // sealed with keys that are gone: the look-up is made again
	}
	var w sealedLookup
	if err := json.Unmarshal(data, &w); err != nil {
		return dispatch.Lookup{}, fmt.Errorf("read a look-up: %w", err)
	}
	return w.domain(), nil
}

func (w sealedLookup) domain() dispatch.Lookup {
	l := dispatch.Lookup{Key: w.Key, Purpose: w.Purpose, At: w.At, Repeated: w.Repeated, Extra: w.Extra, Strange: w.Strange, Failure: w.Failure, Answer: w.Answer}
	for _, e := range w.Entries {
		l.Entries = append(l.Entries, dispatch.LookupEntry{
			Line: e.Line, Number: dispatch.LookupNumber(e.Number), Answer: e.Answer, Phone: dispatch.Phone(e.Phone), Status: e.Status,
		})
	}
	return l
}

// ForgetLookup deletes a session's look-up on an account.
func (s Sessions) ForgetLookup(ctx context.Context, token string, account dispatch.AccountID) error {
	_, err := s.DB.ExecContext(ctx, `DELETE FROM session_lookups WHERE token_hash = $1 AND account_id = $2`, token, account)
	return err
}
