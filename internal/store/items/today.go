package items

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// SentToday is an item that the recipient of a draft was sent today, or will be.
type SentToday struct {
	ID        dispatch.ItemID `db:"id"`
	Kind      dispatch.Kind   `db:"kind"`
	CreatedBy dispatch.UserID `db:"created_by"`
	Creator   string          `db:"creator"`
	At        time.Time       `db:"at"`    // in the future: planned
	Title     string          `db:"title"` // of a shipment
	Waits     bool            `db:"waits"` // it has not gone yet
	Doubt     bool            `db:"doubt"` // it may have gone
}

// sentTodayMost is the most items returned.
const sentTodayMost = 3

// todayAt is when it was handed over or may have been, else when it is or was due.
var todayAt = `coalesce(it.accepted_at, CASE WHEN it.state NOT IN ('queued', 'sending') THEN ` + lastUncertain("it") + ` END, it.due_since, it.created_at)`

// reaches selects items that were sent or are to be, except those whose status says that the recipient will not get them. What
// ended unsent counts if an earlier attempt may have arrived.
const reaches = `(it.state IN ('queued', 'sending', 'accepted', 'uncertain')
	     OR it.state IN ('rejected', 'failed', 'cancelled') AND ` + store.InDoubt + `)
	AND NOT (it.state = 'accepted' AND EXISTS (SELECT FROM statuses d WHERE d.kind = it.kind AND d.status = it.status AND d.bad))`

// goesToday selects, of what reaches selects, the items that were sent today or are planned for today.
var goesToday = reaches + `
	AND (` + todayAt + ` AT TIME ZONE 'Europe/Oslo')::date = (now() AT TIME ZONE 'Europe/Oslo')::date`

// doubtToday is, of such an item, that it may have gone.
const doubtToday = `it.state NOT IN ('queued', 'sending', 'accepted')`

// ToNumber returns what an account has sent to a number today in either channel, newest first, except the draft itself. It counts
// as a search for the number unless the same user sends to it: otherwise drafts would reveal whom colleagues have sent to. Too many
// searches return a problem.
func (s Today) ToNumber(ctx context.Context, account dispatch.AccountID, wanted dispatch.Search, draft dispatch.ItemID, by store.Actor) (list []SentToday, refused *dispatch.Problem, err error) {
	if !wanted.Person() {
		return nil, nil, nil
	}
	hashes, err := s.NumberHashes(wanted)
	if err != nil {
		return nil, nil, err
	}
	a := store.Audit{Actor: by.User, Account: account, Action: store.ActToday, Object: string(draft), Details: map[string]any{}, Origin: by.Origin}
	err = s.InTx(ctx, func(tx *sqlx.Tx) error {
		if refused, err = store.MaySearch(ctx, tx, hashes, a); err != nil || refused != nil {
			return err
		}
		err := tx.SelectContext(ctx, &list, `
			SELECT it.id, it.kind, it.created_by, u.name AS creator, `+todayAt+` AS at, f.title,
			       it.state = 'queued' AS waits, `+doubtToday+` AS doubt
			FROM (SELECT m.item_id, '' AS title FROM sms m WHERE m.account_id = $1 AND m.recipient_hash = ANY($2)
			      UNION ALL
			      SELECT h.item_id, h.title FROM shipments h WHERE h.account_id = $1 AND h.number_hash = ANY($2)) f
			JOIN items it ON it.id = f.item_id
			JOIN users u ON u.id = it.created_by
			WHERE it.id <> $3 AND `+goesToday+`
			  AND NOT EXISTS (SELECT FROM protected_numbers n WHERE n.account_id = $1 AND n.number_hash = ANY($2)
			      AND NOT EXISTS (SELECT FROM protected_viewers w WHERE w.person_id = n.person_id AND w.user_id = $5))
			ORDER BY at DESC, it.id DESC
			LIMIT $4`, account, pq.ByteaArray(hashes), draft, sentTodayMost, by.User)
		if err != nil {
			return err
		}
		found := make([]string, len(list))
		for i, it := range list {
			found[i] = string(it.ID)
		}
		_, err = store.RecordSearch(ctx, tx, hashes, found, a)
		return err
	})
	return list, refused, err
}

// ListToday counts the recipients of a draft's list who were sent something today, or will be.
type ListToday struct {
	N       int  // by anybody, as far as the viewer may know
	Sent    int  // of these, to whom something has gone
	Doubt   int  // or may have gone
	Later   int  // or is to go
	Own     int  // of these, by the viewer
	Items   int  `db:"items"` // of the viewer
	OwnOnly bool `db:"-"`     // colleagues' are not counted: the list is short
	Rows    []TodayRow
}

// TodayRow is a recipient of the list to whom the viewer has sent something today, with one such item.
type TodayRow struct {
	Row  dispatch.JobRow
	Sent SentToday
}

// todayRowsMost is the most rows returned.
const todayRowsMost = 20

// rowsToday joins the rows of a job ($1 of the account $2) with what their recipients were sent today in either channel. For SMS,
// the number is the hash of the row's recipient.
var rowsToday = `
	FROM job_rows r
	CROSS JOIN LATERAL (
		SELECT m.item_id, '' AS title FROM sms m WHERE m.account_id = $2 AND m.recipient_hash IN (coalesce(r.number_hash, r.recipient_hash), r.phone_hash)
		UNION ALL
		SELECT h.item_id, h.title FROM shipments h WHERE h.account_id = $2 AND h.number_hash = coalesce(r.number_hash, r.recipient_hash)) f
	JOIN items it ON it.id = f.item_id AND it.account_id = $2
	JOIN users u ON u.id = it.created_by
	WHERE r.job_id = (SELECT id FROM jobs WHERE id = $1 AND account_id = $2) AND r.problem = '' AND ` + goesToday

// ToList returns how many recipients of a job's list were sent something today. Rows are named only for the viewer's own
// items, so that it is no search for persons. Colleagues' items are counted, but not for short lists: with few rows, guessing
// numbers would reveal whom they have sent to.
func (s Today) ToList(ctx context.Context, j dispatch.Job, viewer dispatch.UserID) (t ListToday, err error) {
	short := j.List.Valid < tellsFrom
	err = s.Get(ctx, &t, `
		SELECT count(DISTINCT r.position) AS n, count(DISTINCT r.position) FILTER (WHERE it.created_by = $3) AS own, count(*) FILTER (WHERE it.created_by = $3) AS items,
		       count(DISTINCT r.position) FILTER (WHERE it.state IN ('sending', 'accepted')) AS sent,
		       count(DISTINCT r.position) FILTER (WHERE `+doubtToday+`) AS doubt,
		       count(DISTINCT r.position) FILTER (WHERE it.state = 'queued') AS later`+rowsToday+`
		  AND (it.created_by = $3 OR NOT $4)`, j.ID, j.AccountID, viewer, short)
	t.OwnOnly = short
	if err != nil || t.Own == 0 {
		return t, err
	}
	var rows []struct {
		listRow
		SentToday
	}
	err = s.Select(ctx, &rows, `
		SELECT `+listColumns+`, it.id, it.kind, it.created_by, u.name AS creator, `+todayAt+` AS at, f.title,
		       it.state = 'queued' AS waits, `+doubtToday+` AS doubt`+rowsToday+`
		  AND it.created_by = $3
		ORDER BY r.position, at DESC, it.id DESC
		LIMIT $4`, j.ID, j.AccountID, viewer, todayRowsMost)
	for _, r := range rows {
		row, openErr := s.openRow(j.ID, r.listRow)
		if openErr != nil {
			return t, openErr
		}
		t.Rows = append(t.Rows, TodayRow{row, r.SentToday})
	}
	return t, err
}
