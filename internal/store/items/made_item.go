package items

import (
	"context"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// madeItem is a new item of a job as columns.
type madeItem struct {
	id       dispatch.ItemID
	position int // each row gets one item at most (unique index items_job_idx)
	hide     bool
	form     dispatch.WrittenForm // written form of the template that the text was written from
	sealed   sealedSMS
}

func newMadeItem(position int) (m madeItem, err error) {
	fresh, err := store.NewID()
	return madeItem{id: dispatch.ItemID(fresh), position: position}, err
}

func idsOf(items []madeItem) []dispatch.ItemID {
	ids := make([]dispatch.ItemID, len(items))
	for i, m := range items {
		ids[i] = m.id
	}
	return ids
}

// beginsAs returns the first state of a job's item, its event, and why it is not queued.
func beginsAs(j dispatch.Job) (dispatch.State, dispatch.EventKind, string) {
	switch {
	case !j.StoppedAt.IsZero():
		return dispatch.StateCancelled, dispatch.EventCancelled, ""
	case j.Restored:
		return dispatch.StateUncertain, dispatch.EventRestored, "reason.restored"
	}
	return dispatch.StateQueued, dispatch.EventQueued, ""
}

// copyBareItems writes new items of a job without their content, with their events.
func copyBareItems(ctx context.Context, tx *sqlx.Tx, j dispatch.Job, items []madeItem) error {
	state, kind, reason := beginsAs(j)
	var restored, since *time.Time
	if j.Restored {
		now := time.Now()
		restored, since = &now, &now
	}
	err := copyIn(ctx, tx, items, func(m madeItem) []any {
		return []any{string(m.id), string(j.AccountID), string(j.Kind), string(state), string(j.CreatedBy), j.DueAt, j.DueAt, string(j.ID), m.position,
			restored, reason, since}
	}, "items", "id", "account_id", "kind", "state", "created_by", "due_at", "due_since", "job_id", "job_position", "restored_at", "reason_key", "reason_at")
	if err != nil {
		return err
	}
	err = copyIn(ctx, tx, items, func(m madeItem) []any {
		return []any{string(m.id), string(j.AccountID), string(kind), string(j.CreatedBy)}
	}, "events", "item_id", "account_id", "kind", "actor_id")
	if err != nil {
		return err
	}
	return replaceRows(ctx, tx, j, items)
}

func copyItems(ctx context.Context, tx *sqlx.Tx, j dispatch.Job, items []madeItem) error {
	if err := copyBareItems(ctx, tx, j, items); err != nil {
		return err
	}
	template, version := columnsOf(j.Template)
	return copyIn(ctx, tx, items, func(m madeItem) []any {
		c := m.sealed
		return []any{string(m.id), string(j.AccountID), c.byPhone, c.recipient, c.recipientHash, store.NullBytes(c.lastThree), c.text, m.hide, string(c.segments.Encoding), c.segments.Count,
			store.NullTime(j.SendAt), j.Urgent, template, version, string(m.form)}
	}, "sms", "item_id", "account_id", "by_phone", "recipient", "recipient_hash", "last_three_hash", "text", "hide_in_report", "encoding", "parts",
		"send_at", "urgent", "template_id", "template_version", "template_form")
}

// noteMade stores how many of a job's items are made.
func noteMade(ctx context.Context, tx *sqlx.Tx, id dispatch.JobID, n, to int) error {
	_, err := tx.ExecContext(ctx, `
		UPDATE jobs SET made = made + $2, made_to = $3, made_at = CASE WHEN $4 THEN now() END,
		    recipients = CASE WHEN $4 THEN made + $2 ELSE recipients END
		WHERE id = $1`, id, n, to, n < madeAtOnce)
	return err
}

// copyIn writes one row for each element of list with COPY.
func copyIn[T any](ctx context.Context, tx *sqlx.Tx, list []T, row func(T) []any, table string, columns ...string) error {
	in, err := tx.PrepareContext(ctx, copyInto(table, columns...))
	if err != nil {
		return err
	}
	defer in.Close() // after the last row its error tells nothing
	for _, one := range list {
		if _, err := in.ExecContext(ctx, row(one)...); err != nil {
			return err
		}
	}
	_, err = in.ExecContext(ctx)
	return err
}

// copyInto is the COPY statement; the names are ours, so they need no quoting.
func copyInto(table string, columns ...string) string {
	return "COPY " + table + " (" + strings.Join(columns, ", ") + ") FROM STDIN"
}

// madeAtOnce is how many items one transaction creates: it bounds memory, and the work that a crash loses.
const madeAtOnce = 1000

// sealedSMS is the content of an SMS as columns.
type sealedSMS struct {
	byPhone                                   bool
	recipient, recipientHash, lastThree, text []byte
	segments                                  dispatch.Segmentation
}

// replaceRows stores of new items of a job what they are sent in place of.
func replaceRows(ctx context.Context, tx *sqlx.Tx, j dispatch.Job, items []madeItem) error {
	_, err := tx.ExecContext(ctx, `
		UPDATE items n SET origin_id = r.replaces, origin_kind = $3 FROM job_rows r
		WHERE r.job_id = $1 AND r.replaces IS NOT NULL AND n.job_id = r.job_id AND n.job_position = r.position AND n.id = ANY($2)
		    AND EXISTS (SELECT FROM items it WHERE it.id = r.replaces AND it.account_id = n.account_id)`, j.ID, pq.Array(idsOf(items)), dispatch.OriginReplaces)
	return err
}
