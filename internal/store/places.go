package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
)

// ReviewPlace is where the note of an access review is sealed for.
func ReviewPlace(id string) string { return "access-review/" + id }

func answerPlace(id dispatch.ItemID) string { return "item/" + string(id) + "/answer" }

// KeepAnswer keeps what the service said about the items of a call in place of what it said before, also where that is nothing.
func (s *Store) KeepAnswer(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, ids []string, a dispatch.Answer) error {
	if a == (dispatch.Answer{}) {
		_, err := tx.ExecContext(ctx, `DELETE FROM answers WHERE item_id = ANY($1::uuid[]) AND account_id = $2`, pq.Array(ids), account)
		return err
	}
	plain, err := json.Marshal(a)
	if err != nil {
		return err
	}
	sealed := make([][]byte, len(ids))
	for i, id := range ids {
		if sealed[i], err = s.Keys.Seal(plain, answerPlace(dispatch.ItemID(id))); err != nil {
			return err
		}
	}
	_, err = tx.ExecContext(ctx, `
		INSERT INTO answers (item_id, account_id, sealed) SELECT a.item, $2, a.sealed FROM unnest($1::uuid[], $3::bytea[]) a (item, sealed)
		ON CONFLICT (item_id) DO UPDATE SET sealed = excluded.sealed, at = now() WHERE answers.account_id = $2`,
		pq.Array(ids), account, pq.ByteaArray(sealed))
	return err
}

// AnswerOf is what the service said about an item that it did not take, or, of one that it took, when its status could not be
// read; none where another call has come to something else.
func (s *Store) AnswerOf(ctx context.Context, it dispatch.Item) (a dispatch.Answer, err error) {
	failed := it.Reason
	if it.State == dispatch.StateAccepted {
		failed = it.CheckError
	}
	if failed.HTTPStatus == 0 {
		return a, nil
	}
	var sealed []byte
	err = s.Get(ctx, &sealed, `SELECT sealed FROM answers WHERE item_id = $1 AND account_id = $2`, it.ID, it.AccountID)
	if errors.Is(err, sql.ErrNoRows) {
		return a, nil
	}
	if err != nil {
		return a, err
	}
	plain, err := s.Keys.Open(sealed, answerPlace(it.ID))
	if err != nil {
		return a, err
	}
	return a, json.Unmarshal(plain, &a)
}

// CredentialsPlace is where an integration's credentials are sealed for.
func CredentialsPlace(id dispatch.IntegrationID) string {
	return "integration/" + string(id) + "/credentials"
}

// CredentialsChanged is when the sets of the integration $1 last changed: what was refused before that says nothing of them now.
const CredentialsChanged = `(SELECT max(greatest(created_at, replaced_at)) FROM credentials WHERE integration_id = $1)`

// ExportPlace is where the query of an export is sealed for.
func ExportPlace(id string) string { return "export/" + id }

// ExportFile names an attempt at an export the way its pieces are sealed.
func ExportFile(id string, attempt int) dispatch.DocumentID {
	return dispatch.DocumentID(fmt.Sprintf("export/%s/%d", id, attempt))
}

// From is the window that follows a row in the list's order.
func (w Window) From(c Cursor) Window {
	if w.Oldest {
		w.After = c
	} else {
		w.Before = c
	}
	return w
}

// NotePlace is where the note of a follow-up is sealed for.
func NotePlace(id dispatch.ItemID) string { return "follow_up/" + string(id) + "/note" }

// ReasonPlace is where the reason of a follow-up is sealed for.
func ReasonPlace(id dispatch.ItemID) string { return "follow_up/" + string(id) + "/reason" }

// OpenText opens a sealed text; NULL is empty.
func (s *Store) OpenText(sealed []byte, place string) (string, error) {
	if sealed == nil {
		return "", nil
	}
	plain, err := s.Keys.Open(sealed, place)
	return string(plain), err
}

// SealText seals a text; an empty one is NULL.
func (s *Store) SealText(text, place string) ([]byte, error) {
	if text = strings.TrimSpace(text); text == "" {
		return nil, nil
	}
	return s.Keys.Seal([]byte(text), place)
}

// SetOrigin notes what one's own draft was made from.
func SetOrigin(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.ItemID, by Actor, o dispatch.Origin) error {
	_, err := tx.ExecContext(ctx, `
		UPDATE items SET origin_id = $4, origin_kind = $5
		WHERE id = $1 AND account_id = $2 AND created_by = $3 AND state = 'draft'
		  AND EXISTS (SELECT FROM items o WHERE o.id = $4 AND o.account_id = $2)`, id, account, by.User, o.Item, o.Kind)
	return err
}

// HoldPlace is where the reason of a legal hold is sealed for.
func HoldPlace(id dispatch.ItemID) string { return "hold/" + string(id) }

// ListFile names a list as it was received the way its pieces are sealed.
func ListFile(id dispatch.JobID) dispatch.DocumentID {
	return dispatch.DocumentID("list/" + string(id))
}

// RowPlace is where a row of a job is sealed for.
func RowPlace(job dispatch.JobID, position int) string {
	return "job/" + string(job) + "/row/" + strconv.Itoa(position)
}

// NullBytes turns no bytes into NULL: lib/pq writes a nil slice as an empty value.
func NullBytes(b []byte) any {
	if b == nil {
		return nil
	}
	return b
}

// PatternPlace is where the shipment that a job is made from is sealed for.
func PatternPlace(id dispatch.JobID) string { return "job/" + string(id) + "/pattern" }

// PatternFormPlace is where the form of that shipment is sealed for.
func PatternFormPlace(id dispatch.JobID) string { return "job/" + string(id) + "/form" }

// LookupPlace is where a session's look-up is sealed for.
func LookupPlace(token string, account dispatch.AccountID) string {
	return "session/" + token + "/lookup/" + string(account)
}

// SearchPlace is where a search is sealed for.
func SearchPlace(id string) string { return "search/" + id }

// NumberHashes are the hashes, by each key, of the numbers that a search may mean.
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

// FaultPlace is where the service's fault of a shipment is sealed for.
func FaultPlace(id dispatch.ItemID) string { return "shipment/" + string(id) + "/fault" }

// ErrStale says that a draft has been changed since it was read: in another tab.
var ErrStale = errors.New("draft was changed in another tab")

// FormPlace is where a draft's form is sealed for.
func FormPlace(id dispatch.ItemID) string { return "shipment/" + string(id) + "/form" }

// ContentPlace is where a shipment's content is sealed for.
func ContentPlace(id dispatch.ItemID) string { return "shipment/" + string(id) + "/content" }
