package lists

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// Search is a search as stored: words as typed and as normalized, and the keyed hashes of numbers with their masked
// form.
type Search struct {
	Shown     string          `json:"shown"`
	Person    bool            `json:"person,omitempty"`
	Words     []string        `json:"words,omitempty"`
	LastThree []byte          `json:"last_three,omitempty"`
	Numbers   [][]byte        `json:"numbers,omitempty"`
	ID        dispatch.ItemID `json:"id,omitempty"`
	Purpose   string          `json:"purpose,omitempty"` // of looking at everything sent to one person; empty: only searched
}

// wordsMost limits the words of a search.
const wordsMost = 10

// searchLife is how long a search can be opened again.
const searchLife = 8 * time.Hour

// Save stores a user's search and records it in the event log: never its words, but for a number the items
// found. It returns the id of the search. A user who has searched for too many numbers within the hour gets a
// problem, unless they give a reason, and nothing is stored.
func (s Searches) Save(ctx context.Context, account dispatch.AccountID, by store.Actor, wanted dispatch.Search) (id string, refused *dispatch.Problem, err error) {
	kept, err := s.searchOf(ctx, wanted)
	if err != nil {
		return "", nil, err
	}
	a := store.Audit{Actor: by.User, Account: account, Action: "list.search", Details: map[string]any{"person": kept.Person}, Origin: by.Origin}
	return s.keep(ctx, kept, by, a)
}

// keep stores a search, with its line in the event log.
func (s Searches) keep(ctx context.Context, kept Search, by store.Actor, a store.Audit) (id string, refused *dispatch.Problem, err error) {
	plain, err := json.Marshal(kept)
	if err != nil {
		return "", nil, fmt.Errorf("keep a search: %w", err)
	}
	random, err := uuid.NewRandom()
	if err != nil {
		return "", nil, fmt.Errorf("keep a search: %w", err)
	}
	sealed, err := s.Keys.Seal(plain, store.SearchPlace(random.String()))
	if err != nil {
		return "", nil, err
	}
	if by.Reason != "" {
		a.Details["reason"] = by.Reason
	}
	err = s.InTx(ctx, func(tx *sqlx.Tx) error {
		if kept.Person {
			_, refused, err = store.SearchNumbers(ctx, tx, []dispatch.AccountID{a.Account}, kept.Numbers, a)
		} else {
			err = store.Record(ctx, tx, a)
		}
		if err != nil || refused != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `
			INSERT INTO searches (id, account_id, user_id, content, expires_at) VALUES ($1, $2, $3, $4, now() + $5 * interval '1 second')`,
			random.String(), a.Account, by.User, sealed, searchLife.Seconds())
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `
			DELETE FROM searches WHERE id IN (SELECT id FROM searches WHERE user_id = $1 ORDER BY expires_at DESC, id OFFSET $2)`, by.User, dispatch.SearchesKept)
		return err
	})
	if err != nil || refused != nil {
		return "", refused, err
	}
	return random.String(), nil, nil
}

// searchOf converts a search for storage.
func (s Searches) searchOf(ctx context.Context, wanted dispatch.Search) (kept Search, err error) {
	kept = Search{Shown: wanted.Words, ID: wanted.ID, Person: wanted.Person()}
	if kept.ID != "" {
		kept.Shown = string(kept.ID)
	}
	if kept.Person {
		kept.Shown = wanted.Masked()
		kept.Numbers, err = s.NumberHashes(wanted)
		return kept, err
	}
	if kept.Words, err = s.words(ctx, wanted.Words); err != nil || wanted.LastThree == "" {
		return kept, err
	}
	kept.LastThree, err = s.Keys.Hash("last_three", wanted.LastThree)
	return kept, err
}

// words splits and normalizes a text like the indexed ones.
func (s Searches) words(ctx context.Context, text string) ([]string, error) {
	var words string
	err := s.Get(ctx, &words, `SELECT list_words($1)`, text)
	all := strings.Fields(words)
	return all[:min(len(all), wordsMost)], err
}

// ByID returns a user's search on an account; ErrNotFound for anybody else, and after it has expired.
func (s Searches) ByID(ctx context.Context, account dispatch.AccountID, user dispatch.UserID, id string) (Search, error) {
	if !store.ValidID(id) {
		return Search{}, store.ErrNotFound
	}
	var sealed []byte
	err := s.Get(ctx, &sealed, `
		SELECT content FROM searches WHERE id = $1 AND account_id = $2 AND user_id = $3 AND expires_at > now()`, id, account, user)
	if err != nil {
		return Search{}, store.NotFound(err)
	}
	plain, err := s.Keys.Open(sealed, store.SearchPlace(strings.ToLower(id)))
	if err != nil {
		return Search{}, store.ErrNotFound // sealed with keys that are gone: the user types it again
	}
	var kept Search
	if err := json.Unmarshal(plain, &kept); err != nil {
		return Search{}, fmt.Errorf("read a search: %w", err)
	}
	return kept, nil
}

// ofSMS tells whether the search can find SMS, whose words are sealed.
func (q *Search) ofSMS() bool { return q == nil || q.Person || q.ID != "" || q.LastThree != nil }

// ofShipments tells whether the search can find shipments.
func (q *Search) ofShipments() bool { return q == nil || q.Person || q.ID != "" || len(q.Words) > 0 }

// sms are the search's conditions on an SMS.
func (q *Search) sms(l *listQuery) []string {
	switch {
	case q == nil:
		return nil
	case q.ID != "":
		return []string{byID(l, q.ID)}
	case q.Person:
		return []string{"m.account_id = $1", "m.recipient_hash = ANY(" + l.add(pq.ByteaArray(q.Numbers)) + ")"}
	}
	return []string{"m.account_id = $1", "m.last_three_hash = " + l.add(q.LastThree)}
}

// shipments are the search's conditions on a shipment.
func (q *Search) shipments(l *listQuery) []string {
	switch {
	case q == nil:
		return nil
	case q.ID != "":
		return []string{byID(l, q.ID)}
	case q.Person:
		return []string{"h.number_hash = ANY(" + l.add(pq.ByteaArray(q.Numbers)) + ")"}
	}
	where := []string{"h.words <> ''"}
	for _, word := range shortFirst(q.Words) {
		column := "h.words"
		if slices.Contains(l.frequent, word) {
			column += " || ''" // keeps the planner from using the index
		}
		where = append(where, column+" LIKE "+l.add("% "+word+"%"))
	}
	return where
}

// shortFirst puts short words first, in which order the GIN index is scanned fastest: it steps through the entries of
// the first word, and a short word has fewer trigrams to compare.
func shortFirst(words []string) []string {
	return slices.SortedStableFunc(slices.Values(words), func(a, b string) int { return cmp.Compare(len(a), len(b)) })
}

func byID(l *listQuery, id dispatch.ItemID) string {
	return "(it.id = " + l.add(id) + " OR it.upstream_id = " + l.add(id) + ")"
}
