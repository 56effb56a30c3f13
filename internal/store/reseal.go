package store

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/seal"
)

// sealedColumn is a column with sealed values. place is the seal's context, as an SQL expression that equals the Go
// code's; few: values may be as large as a chunk.
type sealedColumn struct {
	table, column, place string
	few                  bool
}

// sealedColumns are all of them; a test compares them with the tables.
var sealedColumns = []sealedColumn{
	{table: "credentials", column: "sealed", place: `'integration/' || integration_id || '/credentials'`},
	{table: "sessions", column: "data", place: `'session/' || token_hash`},
	{table: "session_lookups", column: "data", place: `'session/' || token_hash || '/lookup/' || account_id`},
	{table: "searches", column: "content", place: `'search/' || id`},
	{table: "sms", column: "recipient", place: `'sms/' || item_id || '/recipient'`},
	{table: "sms", column: "text", place: `'sms/' || item_id || '/text'`},
	{table: "shipments", column: "form", place: `'shipment/' || item_id || '/form'`},
	{table: "shipments", column: "content", place: `'shipment/' || item_id || '/content'`},
	{table: "shipments", column: "fault", place: `'shipment/' || item_id || '/fault'`},
	{table: "service_reports", column: "report", place: `'shipment/' || item_id || '/' || source`},
	{table: "documents", column: "reading", place: `'document/' || id || '/reading'`},
	{table: "document_chunks", column: "data", place: `'document/' || document_id || '/' || position`, few: true},
	{table: "jobs", column: "content", place: `'job/' || id || '/content'`},
	{table: "jobs", column: "pattern", place: `'job/' || id || '/pattern'`},
	{table: "jobs", column: "pattern_form", place: `'job/' || id || '/form'`},
	{table: "job_rows", column: "content", place: `'job/' || job_id || '/row/' || position`},
	{table: "list_chunks", column: "data", place: `'document/list/' || job_id || '/' || position`, few: true},
	{table: "exports", column: "query", place: `'export/' || id`},
	{table: "bulk_acts", column: "terms", place: `'bulk/' || id`},
	{table: "export_chunks", column: "data", place: `'document/export/' || export_id || '/' || attempt || '/' || position`, few: true},
	{table: "template_versions", column: "choices", place: `'template/' || template_id || '/' || version`},
	{table: "follow_ups", column: "note", place: `'follow_up/' || item_id || '/note'`},
	{table: "answers", column: "sealed", place: `'item/' || item_id || '/answer'`},
	{table: "holds", column: "sealed", place: `'hold/' || item_id`},
	{table: "unfinished_forms", column: "fields", place: `'unfinished/' || account_id || '/' || user_id || '/' || id`},
	{table: "mail_choices", column: "address", place: `'mail/' || user_id`},
	{table: "account_alarms", column: "chat", place: `'account/' || account_id || '/chat'`},
	{table: "protected_people", column: "numbers", place: `'protected/' || id`},
	{table: "approvals", column: "note", place: `'approval/' || id`},
	{table: "access_reviews", column: "note", place: `'access-review/' || id`},
	{table: "follow_ups", column: "reason", place: `'follow_up/' || item_id || '/reason'`},
}

const (
	// resealBlocks is how many blocks of a table are scanned at a time.
	resealBlocks = 256
	resealMany   = 200
	resealFew    = 4
)

// Rotation tells how far the key rotation is.
func (s *Store) Rotation() seal.Rotation { return s.Keys.Rotation() }

// Reseal reseals values of older keys with the current one, a few at a time, with pauses as long as the work, and
// returns how many it resealed and how many it left for another run: those that are locked, and those that do not
// open. It never undoes a concurrent change.
func (s *Store) Reseal(ctx context.Context) (sealed, left int, err error) {
	for _, c := range sealedColumns {
		if err := s.resealColumn(ctx, c, &sealed); err != nil {
			return sealed, 0, fmt.Errorf("seal %s.%s anew: %w", c.table, c.column, err)
		}
	}
	if err := s.resealObjects(ctx, &sealed); err != nil {
		return sealed, 0, fmt.Errorf("seal objects anew: %w", err)
	}
	left, err = s.SealedBefore(ctx)
	return sealed, left, err
}

// SealedBefore counts the values sealed with older keys.
func (s *Store) SealedBefore(ctx context.Context) (int, error) {
	prefix, all := s.Keys.Prefix(), 0
	if err := s.DB.GetContext(ctx, &all, `SELECT count(*) FROM document_chunks WHERE object_seal <> $1`, prefix); err != nil {
		return 0, err
	}
	for _, c := range sealedColumns {
		var n int
		err := s.DB.GetContext(ctx, &n, `SELECT count(*) FROM `+c.table+` WHERE substring(`+c.column+` FROM 1 FOR 5) NOT IN ($1, '')`, prefix)
		if err != nil {
			return 0, err
		}
		all += n
	}
	return all, nil
}

func (s *Store) resealColumn(ctx context.Context, c sealedColumn, sealed *int) error {
	var blocks int64
	err := s.DB.GetContext(ctx, &blocks, `SELECT pg_relation_size($1::regclass) / current_setting('block_size')::bigint`, c.table)
	for from := int64(0); from < blocks && err == nil; from += resealBlocks {
		err = s.resealRange(ctx, c, from, sealed)
	}
	return err
}

// resealRange reseals the values in a range of blocks.
func (s *Store) resealRange(ctx context.Context, c sealedColumn, from int64, sealed *int) error {
	most := resealMany
	if c.few {
		most = resealFew
	}
	for {
		began := time.Now()
		n, seen, err := s.resealSome(ctx, c, from, most)
		*sealed += n
		switch {
		case OwnFault(ctx, err) && most > 1:
			most = 1 // one by one, to find the value that fails
		case err != nil || seen == 0:
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Since(began)):
		}
	}
}

// resealSome reseals some values of a range with their rows locked, and returns how many it resealed and how many it
// saw. Values that do not open or cannot be stored are set aside.
func (s *Store) resealSome(ctx context.Context, c sealedColumn, from int64, most int) (n, seen int, err error) {
	prefix, at := s.Keys.Prefix(), ""
	failed := map[string]error{}
	err = s.InTx(ctx, func(tx *sqlx.Tx) error {
		if _, err := tx.ExecContext(ctx, `SET LOCAL utsending.resealing = 'on'`); err != nil { // triggers must not count it as a change of a draft
			return err
		}
		var rows []struct {
			At    string `db:"at"`
			Place string `db:"place"`
			Data  []byte `db:"data"`
		}
		err := tx.SelectContext(ctx, &rows, `
			SELECT ctid::text AS at, `+c.place+` AS place, `+c.column+` AS data FROM `+c.table+`
			WHERE ctid >= $1::tid AND ctid < $2::tid AND substring(`+c.column+` FROM 1 FOR 5) NOT IN ($3, '') -- an empty one has been purged
			  AND NOT `+SkippedNow(dispatch.QueueReseal, "("+c.place+")")+`
			LIMIT $4 FOR NO KEY UPDATE SKIP LOCKED`,
			fmt.Sprintf("(%d,0)", from), fmt.Sprintf("(%d,0)", from+resealBlocks), prefix, most)
		if err != nil {
			return err
		}
		seen = len(rows)
		for _, r := range rows {
			at = r.Place
			data, err := s.resealed(r.Data, r.Place)
			if err != nil {
				failed[r.Place] = err // counted as left
				continue
			}
			if _, err := tx.ExecContext(ctx, `UPDATE `+c.table+` SET `+c.column+` = $1 WHERE ctid = $2::tid`, data, r.At); err != nil {
				return err
			}
			n++
		}
		return nil
	})
	if err != nil {
		n = 0
	}
	if most == 1 && OwnFault(ctx, err) {
		failed[at], err = err, nil
	}
	for place, cause := range failed {
		_ = s.SetAside(ctx, dispatch.QueueReseal, place, cause) // counted as left, whether or not this succeeds
	}
	return n, seen, err
}

func (s *Store) resealed(sealed []byte, place string) ([]byte, error) {
	clear, err := s.Keys.Open(sealed, place)
	if err != nil {
		return nil, err
	}
	return s.Keys.Seal(clear, place)
}

// SealedColumns names all columns with sealed values, as table.column.
func SealedColumns() []string {
	names := make([]string, len(sealedColumns))
	for i, c := range sealedColumns {
		names[i] = c.table + "." + c.column
	}
	return names
}
