package lists

import (
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

const (
	bulkLife  = 24 * time.Hour   // how long one can see what an act came to
	bulkLease = 30 * time.Second // lease without a renewal
	bulksMost = 5                // unfinished acts of a user on an account
)

// BulkTerms are what somebody wants with an act.
type BulkTerms struct {
	Reason   string            // for opening colleagues' content
	Creators []dispatch.UserID // the colleagues whose content the user may open for the reason
	Handling dispatch.Handling // of assign and done
	Decision dispatch.Decision
	Paper    bool // a copy may be printed, although the original must not be
	Shown    int  // to how many it applied when the user confirmed it
}

// Opens tells whether a colleague's content may be opened.
func (t BulkTerms) Opens(creator dispatch.UserID) bool {
	return t.Reason != "" && slices.Contains(t.Creators, creator)
}

// BulkOrder is an order for an act on a selection.
type BulkOrder struct {
	Account   dispatch.AccountID
	By        store.Actor
	FormKey   string // the same form orders one act
	Act       dispatch.BulkAct
	Terms     BulkTerms
	Selection Selection
	Chosen    []string // names of the chosen filters, for the event log
}

// Bulk is an ordered act.
type Bulk struct {
	dispatch.Bulk
	Terms   BulkTerms
	By      store.Actor
	attempt int
}

// Order stores an order with the items as they are chosen now, and returns its id: the earlier one's where the form was posted
// before. ErrChanged: the user has too many unfinished ones.
func (s BulkOrders) Order(ctx context.Context, o BulkOrder) (id string, err error) {
	id = uuid.NewString()
	plain, err := json.Marshal(o.Terms)
	if err != nil {
		return "", fmt.Errorf("order an act: %w", err)
	}
	sealed, err := s.Keys.Seal(plain, store.BulkPlace(id))
	if err != nil {
		return "", err
	}
	chosen, arguments, err := o.Selection.query(ctx, s.rows, o.Account, dispatch.BulkMost)
	if err != nil {
		return "", err
	}
	err = s.InTx(ctx, func(tx *sqlx.Tx) error {
		// Locked, so that two concurrent orders cannot both take the last place.
		if _, err := tx.ExecContext(ctx, store.LockUser, o.By.User); err != nil {
			return err
		}
		var before []string
		err := tx.SelectContext(ctx, &before, `SELECT id FROM bulk_acts WHERE account_id = $1 AND user_id = $2 AND form_key = $3`, o.Account, o.By.User, o.FormKey)
		if err != nil || len(before) > 0 {
			id = strings.Join(before, "")
			return err
		}
		n, err := store.Affected(tx.ExecContext(ctx, `
			INSERT INTO bulk_acts (id, account_id, user_id, form_key, act, terms, origin, lead, expires_at)
			SELECT $1, $2, $3, $4, $5, $6, $7, $8, now() + $9 * interval '1 second'
			WHERE (SELECT count(*) FROM bulk_acts WHERE account_id = $2 AND user_id = $3 AND done_at IS NULL) < $10`,
			id, o.Account, o.By.User, o.FormKey, o.Act, sealed, o.By.Origin, o.By.Lead, bulkLife.Seconds(), bulksMost))
		if err != nil {
			return err
		}
		if n == 0 {
			return store.ErrChanged
		}
		return orderItems(ctx, tx, id, o, chosen, arguments)
	})
	return id, err
}

func orderItems(ctx context.Context, tx *sqlx.Tx, id string, o BulkOrder, chosen string, arguments []any) error {
	arguments = append(arguments, id)
	n, err := store.Affected(tx.ExecContext(ctx, fmt.Sprintf(`
		INSERT INTO bulk_items (bulk_id, position, item_id) SELECT $%d::uuid, row_number() OVER (), c.id FROM (%s) c`, len(arguments), chosen), arguments...))
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE bulk_acts SET total = $2 WHERE id = $1`, id, n); err != nil {
		return err
	}
	details := map[string]any{"act": o.Act, "total": n}
	if o.Selection.Items == nil { // all of a list
		details["chosen"] = o.Chosen
	}
	if o.Terms.Reason != "" {
		details["reason"] = o.Terms.Reason
	}
	switch h := o.Terms.Handling; h.Owner {
	case dispatch.OwnerMe:
		details["owner"] = o.By.User
	case dispatch.OwnerOther:
		details["owner"] = h.To
	case dispatch.OwnerNobody:
		details["owner"] = h.Owner
	}
	return store.Record(ctx, tx, store.Audit{Actor: o.By.User, Account: o.Account, Action: "list.bulk", Object: id, Origin: o.By.Origin, Details: details})
}

type bulkActRow struct {
	ID      string             `db:"id"`
	Account dispatch.AccountID `db:"account_id"`
	User    dispatch.UserID    `db:"user_id"`
	Act     dispatch.BulkAct   `db:"act"`
	Terms   []byte             `db:"terms"`
	Origin  string             `db:"origin"`
	Lead    bool               `db:"lead"`
	Total   int                `db:"total"`
	Created time.Time          `db:"created_at"`
	Attempt int                `db:"attempt"`
	Done    *time.Time         `db:"done_at"`
}

const bulkActColumns = `id, account_id, user_id, act, terms, origin, lead, total, created_at, attempt, done_at`

func (s BulkOrders) openBulk(r bulkActRow) (Bulk, error) {
	b := Bulk{Bulk: dispatch.Bulk{ID: r.ID, Act: r.Act, Account: r.Account, User: r.User, Total: r.Total, CreatedAt: r.Created, Done: r.Done != nil},
		By: store.Actor{User: r.User, Origin: r.Origin, Lead: r.Lead}, attempt: r.Attempt}
	plain, err := s.Keys.Open(r.Terms, store.BulkPlace(r.ID))
	if err == nil {
		err = json.Unmarshal(plain, &b.Terms)
	}
	b.Shown = b.Terms.Shown
	return b, err
}

// ByID returns a user's act on an account with what it has come to; ErrNotFound for anybody else, and after it has expired.
func (s BulkOrders) ByID(ctx context.Context, account dispatch.AccountID, user dispatch.UserID, id string) (dispatch.Bulk, error) {
	if !store.ValidID(id) {
		return dispatch.Bulk{}, store.ErrNotFound
	}
	var r bulkActRow
	err := s.Get(ctx, &r, `SELECT `+bulkActColumns+` FROM bulk_acts WHERE id = $1 AND account_id = $2 AND user_id = $3 AND expires_at > now()`, id, account, user)
	if err != nil {
		return dispatch.Bulk{}, store.NotFound(err)
	}
	b, err := s.openBulk(r)
	if err != nil {
		return b.Bulk, err
	}
	var counts []struct {
		Result dispatch.BulkResult `db:"result"`
		N      int                 `db:"n"`
	}
	err = s.DB.SelectContext(ctx, &counts, `SELECT result, count(*) AS n FROM bulk_items WHERE bulk_id = $1 GROUP BY 1`, id)
	b.Results = map[dispatch.BulkResult]int{}
	for _, c := range counts {
		if c.Result == "" {
			b.Left = c.N
		} else {
			b.Results[c.Result] = c.N
		}
	}
	return b.Bulk, err
}

// Made returns the items that a user's act of sending again has queued, in the order of the chosen ones: the copies, and what went as it is.
func (s BulkOrders) Made(ctx context.Context, account dispatch.AccountID, user dispatch.UserID, id string, most int) (ids []dispatch.ItemID, err error) {
	err = s.DB.SelectContext(ctx, &ids, `
		SELECT coalesce(n.id, i.item_id) FROM bulk_acts b JOIN bulk_items i ON i.bulk_id = b.id
		LEFT JOIN items n ON n.origin_id = i.item_id AND n.origin_kind = 'replaces' AND n.account_id = b.account_id AND n.created_by = b.user_id
		    AND n.state <> 'draft' AND n.created_at >= b.created_at
		WHERE b.id = $1 AND b.account_id = $2 AND b.user_id = $3 AND i.result = $4 ORDER BY i.position LIMIT $5`, id, account, user, dispatch.BulkDid, most)
	return ids, err
}

// OfForm returns the id of the act that a user's form has ordered; empty: none.
func (s BulkOrders) OfForm(ctx context.Context, account dispatch.AccountID, user dispatch.UserID, formKey string) (id string, err error) {
	err = s.Get(ctx, &id, `SELECT coalesce((SELECT id::text FROM bulk_acts WHERE account_id = $1 AND user_id = $2 AND form_key = $3), '')`, account, user, formKey)
	return id, err
}

// Claim claims an act; nil: there is none that nobody has. Where no id is given, it is of the account for which fewest were begun of
// those still kept, and of those the one that had fewest turns: neither one account's many nor a large one keep another waiting.
func (s BulkOrders) Claim(ctx context.Context, id string) (*Bulk, error) {
	var rows []bulkActRow
	err := s.DB.SelectContext(ctx, &rows, `
		UPDATE bulk_acts SET attempt = attempt + 1, lease_until = now() + $1 * interval '1 second'
		WHERE id = (SELECT id FROM bulk_acts
		            WHERE done_at IS NULL AND ($2 = '' OR id::text = $2) AND (lease_until IS NULL OR lease_until < now())
		            AND NOT `+store.SkippedNow(dispatch.QueueBulk, "bulk_acts.id")+`
		            ORDER BY (SELECT count(*) FROM bulk_acts o WHERE o.account_id = bulk_acts.account_id AND o.attempt > 0), attempt, created_at LIMIT 1 FOR UPDATE SKIP LOCKED)
		RETURNING `+bulkActColumns, bulkLease.Seconds(), id)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	b, err := s.openBulk(rows[0])
	if err != nil {
		return nil, s.SetAside(ctx, dispatch.QueueBulk, rows[0].ID, err)
	}
	return &b, nil
}

// Remaining returns the next items of a claimed act, in their order; none: all are done.
func (s BulkOrders) Remaining(ctx context.Context, b *Bulk, limit int) (ids []dispatch.ItemID, err error) {
	err = s.DB.SelectContext(ctx, &ids, fmt.Sprintf(`SELECT item_id FROM bulk_items WHERE bulk_id = $1 AND result = '' ORDER BY position LIMIT %d`, limit), b.ID)
	return ids, err
}

// Keep stores results of a claimed act and renews its lease. ErrChanged: another process has it.
func (s BulkOrders) Keep(ctx context.Context, b *Bulk, results map[dispatch.ItemID]dispatch.BulkResult) error {
	ids, came := make([]string, 0, len(results)), make([]string, 0, len(results))
	for id, result := range results {
		ids, came = append(ids, string(id)), append(came, string(result))
	}
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		n, err := store.Affected(tx.ExecContext(ctx, `
			UPDATE bulk_acts SET lease_until = now() + $3 * interval '1 second' WHERE id = $1 AND attempt = $2 AND done_at IS NULL`, b.ID, b.attempt, bulkLease.Seconds()))
		if err != nil {
			return err
		}
		if n == 0 {
			return fmt.Errorf("act %s: %w", b.ID, store.ErrChanged)
		}
		_, err = tx.ExecContext(ctx, `
			UPDATE bulk_items i SET result = r.result FROM unnest($2::uuid[], $3::text[]) AS r (id, result)
			WHERE i.bulk_id = $1 AND i.item_id = r.id AND i.result = ''`, b.ID, pq.Array(ids), pq.Array(came))
		return err
	})
}

// GiveBack gives a claimed act back, which is over or goes on later.
func (s BulkOrders) GiveBack(ctx context.Context, b *Bulk, done bool) error {
	_, err := s.DB.ExecContext(ctx, `
		UPDATE bulk_acts SET lease_until = NULL, done_at = CASE WHEN $3 THEN now() END WHERE id = $1 AND attempt = $2 AND done_at IS NULL`, b.ID, b.attempt, done)
	return err
}

// Purge deletes expired acts.
func (s BulkOrders) Purge(ctx context.Context) error {
	_, err := s.DB.ExecContext(ctx, `DELETE FROM bulk_acts WHERE expires_at <= now()`)
	return err
}
