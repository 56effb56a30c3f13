package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
)

// KeepAnswer replaces the stored error answer of the items of a call; an empty answer removes it.
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

// AnswerOf returns the service's error answer to an item's submission or, for an accepted item, to a status read;
// none if a later call ended otherwise.
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
