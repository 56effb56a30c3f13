package items

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// ErrRepeated: the same text was sent to the same list earlier today.
var ErrRepeated = errors.New("sent before today")

// ErrEmpty: the list has no valid row.
var ErrEmpty = errors.New("no recipients")

// SendJob sends one's own draft: its items are made in the background and are due after the account's undo window, at the job's own
// time or when the account's daytime begins, whichever is last. seen is the revision that was reviewed: ErrStale when the draft has
// another one. ErrQuota when its segments exceed this month's quota; ErrRepeated, unless anyway is set, when the same was sent
// earlier today; ErrChanged when it is no longer a draft; ErrApproval when a colleague must approve it.
func (s *Store) SendJob(ctx context.Context, account dispatch.Account, id dispatch.JobID, seen string, by store.Actor, anyway bool) error {
	return s.changeJobDraft(ctx, account.ID, id, by, func(tx *sqlx.Tx, j dispatch.Job) error {
		fingerprint, err := s.readyJob(ctx, tx, j, seen, anyway)
		if err != nil {
			return err
		}
		if err := s.mayGo(ctx, tx, account.ID, j.Sending(account.Prices)); err != nil {
			return err
		}
		return sendJob(ctx, tx, account, j, by, fingerprint)
	})
}

// readyJob makes sure that a locked draft can be sent as it was reviewed, and returns its fingerprint.
func (s *Store) readyJob(ctx context.Context, tx *sqlx.Tx, j dispatch.Job, seen string, anyway bool) ([]byte, error) {
	if j.Revision != seen {
		return nil, store.ErrStale
	}
	if j.List.Recipients(j.Mode) == 0 {
		return nil, ErrEmpty
	}
	if err := mayReach(ctx, tx, j); err != nil {
		return nil, err
	}
	fingerprint, err := s.fingerprint(ctx, tx, j)
	if err != nil {
		return nil, err
	}
	before, err := sameToday(ctx, tx, j, fingerprint)
	return fingerprint, errors.Join(err, when(before != "" && !anyway, ErrRepeated))
}

// sendJob starts a locked draft.
func sendJob(ctx context.Context, tx *sqlx.Tx, account dispatch.Account, j dispatch.Job, by store.Actor, fingerprint []byte) error {
	if err := checkJobQuota(ctx, tx, j); err != nil {
		return err
	}
	if err := spend(ctx, tx, account, by, account.Prices.SMS.Times(j.Segments).Ore); err != nil {
		return err
	}
	var now time.Time
	if err := tx.GetContext(ctx, &now, `SELECT now()`); err != nil {
		return err
	}
	n, after := j.List.Recipients(j.Mode), account.Planned(j.Timing, now).Sub(now)
	_, err := tx.ExecContext(ctx, `
		UPDATE jobs SET state = 'running', sent_at = now(), due_at = now() + $3 * interval '1 second', recipients = $4, fingerprint = $5, restored_at = NULL
		WHERE id = $1 AND account_id = $2`, j.ID, account.ID, after.Seconds(), n, fingerprint)
	if err != nil {
		return err
	}
	if err := markRepeats(ctx, tx, j); err != nil {
		return err
	}
	if err := dropSentList(ctx, tx, j.ID); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM unfinished_forms WHERE job_id = $1 AND account_id = $2`, j.ID, account.ID); err != nil {
		return err
	}
	return store.Record(ctx, tx, store.Audit{Actor: by.User, Account: account.ID, Action: "job.send", Object: string(j.ID),
		Details: map[string]any{"recipients": n, "mode": j.Mode}, Origin: by.Origin})
}

// markRepeats marks the rows of a fast job that share a phone number with an earlier row.
func markRepeats(ctx context.Context, tx *sqlx.Tx, j dispatch.Job) error {
	if j.Mode != dispatch.ModeFast {
		return nil
	}
	_, err := tx.ExecContext(ctx, `
		UPDATE job_rows r SET repeats = true
		FROM (SELECT position, row_number() OVER (PARTITION BY phone_hash ORDER BY position) AS nth
		      FROM job_rows WHERE job_id = $1 AND problem = '' AND phone_hash IS NOT NULL) o
		WHERE r.job_id = $1 AND r.position = o.position AND o.nth > 1`, j.ID)
	return err
}

func when(condition bool, err error) error {
	if condition {
		return err
	}
	return nil
}

// SameJobToday returns a job that has sent the same text to the same list today, if the viewer may know; empty: none.
func (s *Store) SameJobToday(ctx context.Context, j dispatch.Job) (dispatch.JobID, error) {
	fingerprint, err := s.fingerprint(ctx, s.DB, j)
	if err != nil {
		return "", err
	}
	return sameToday(ctx, s.DB, j, fingerprint)
}

// fingerprint is the keyed hash of a job's texts and the recipients of its list, in any order.
func (s *Store) fingerprint(ctx context.Context, db sqlx.ExtContext, j dispatch.Job) ([]byte, error) {
	var list string
	err := sqlx.GetContext(ctx, db, &list, `
		SELECT coalesce(encode(sha256(string_agg(recipient_hash, ''::bytea ORDER BY recipient_hash)), 'hex'), '')
		FROM job_rows WHERE job_id = $1 AND problem = ''`, j.ID)
	if err != nil {
		return nil, err
	}
	text := j.Text
	if j.Both() {
		text += "\x00" + j.Nynorsk + "\x00" + string(j.Otherwise)
	}
	return s.Keys.Hash("job", list+"\x00"+text)
}

// tellsFrom is the smallest list whose repetition is revealed if the first job was a colleague's: with fewer recipients, guessing
// numbers would reveal whom a colleague has sent to.
const tellsFrom = 5

// sameToday returns a job with the same content today: the sender's own, or a colleague's with enough recipients.
func sameToday(ctx context.Context, db sqlx.ExtContext, j dispatch.Job, fingerprint []byte) (dispatch.JobID, error) {
	var id dispatch.JobID
	err := sqlx.GetContext(ctx, db, &id, `
		SELECT id FROM jobs
		WHERE account_id = $1 AND fingerprint = $2 AND (created_by = $3 OR recipients >= $4)
		  AND sent_at >= date_trunc('day', now() AT TIME ZONE 'Europe/Oslo') AT TIME ZONE 'Europe/Oslo'
		ORDER BY sent_at DESC
		LIMIT 1`, j.AccountID, fingerprint, j.CreatedBy, tellsFrom)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return id, err
}

// madeAtOnce is how many items one transaction creates: it bounds memory, and the work that a crash loses.
const madeAtOnce = 1000

// Merge returns the function that fills in each recipient's text of a job.
type Merge func(dispatch.Job) func(dispatch.JobRow) string

// MakeItems creates the next items of one sent job, and returns how many rows it handled; 0: nothing to create. A job
// that was stopped meanwhile gets cancelled items, and a restored one uncertain items, since they may have been
// created and sent after the backup. A job whose items cannot be created is set aside.
func (s *Store) MakeItems(ctx context.Context, merge Merge) (int, error) {
	var waiting bool
	err := s.Get(ctx, &waiting, `SELECT EXISTS (SELECT FROM jobs WHERE sent_at IS NOT NULL AND made_at IS NULL)`)
	if err != nil || !waiting {
		return 0, err
	}
	id, n, err := s.makeNext(ctx, merge)
	switch {
	case id == "":
		return n, err
	case err == nil:
		return n, s.ClearSetAside(ctx, dispatch.QueueMake, string(id))
	}
	if err := s.endStopped(ctx, id, err); err != nil {
		return 0, err
	}
	return 0, s.SetAside(ctx, dispatch.QueueMake, string(id), err)
}

// endStopped ends the creation of a stopped job's items that failed for a reason of its own: its other rows count as
// cancelled without items.
func (s *Store) endStopped(ctx context.Context, id dispatch.JobID, failed error) error {
	if !store.OwnFault(ctx, failed) {
		return nil
	}
	_, err := s.DB.ExecContext(ctx, `UPDATE jobs SET made_at = now() WHERE id = $1 AND stopped_at IS NOT NULL AND made_at IS NULL`, id)
	return err
}

// makeNext creates the next items of one job, which it returns.
func (s *Store) makeNext(ctx context.Context, merge Merge) (id dispatch.JobID, n int, err error) {
	err = s.InTx(ctx, func(tx *sqlx.Tx) error {
		var row jobRow
		err := tx.GetContext(ctx, &row, selectJob+`
			WHERE j.sent_at IS NOT NULL AND j.made_at IS NULL AND `+store.GuardHolds+` AND NOT `+store.SkippedNow(dispatch.QueueMake, "j.id")+`
			ORDER BY j.made_to, j.sent_at
			LIMIT 1
			FOR UPDATE OF j SKIP LOCKED`)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		id = row.ID
		j, err := s.openJob(row)
		if err != nil {
			return err
		}
		if j.Shipments() {
			n, err = s.makeShipments(ctx, tx, j, row.MadeTo)
			return err
		}
		n, err = s.makeSome(ctx, tx, j, row.MadeTo, merge(j))
		return err
	})
	return id, n, err
}

func (s *Store) makeSome(ctx context.Context, tx *sqlx.Tx, j dispatch.Job, after int, text func(dispatch.JobRow) string) (int, error) {
	rows, err := s.rowsToSend(ctx, tx, j, after)
	if err != nil {
		return 0, err
	}
	items := make([]madeItem, len(rows))
	for i, r := range rows {
		if items[i], err = s.makeItem(j, r, text(r)); err != nil {
			return 0, err
		}
	}
	if len(items) > 0 {
		after = rows[len(rows)-1].Position
		if err := copyItems(ctx, tx, j, items); err != nil {
			return 0, err
		}
		if state, _, _ := beginsAs(j); state == dispatch.StateQueued {
			if err := countMade(ctx, tx, j.AccountID, idsOf(items)); err != nil {
				return 0, err
			}
		}
	}
	return max(len(items), 1), noteMade(ctx, tx, j.ID, len(items), after)
}

// rowsToSend returns the next rows of a job that get an item: of several with one phone number, a fast job takes the
// first.
func (s *Store) rowsToSend(ctx context.Context, tx *sqlx.Tx, j dispatch.Job, after int) ([]dispatch.JobRow, error) {
	which := ` AND NOT r.unfit`
	if j.Mode == dispatch.ModeFast {
		which = ` AND r.phone_hash IS NOT NULL AND NOT r.repeats`
	}
	var list []listRow
	err := tx.SelectContext(ctx, &list, `
		SELECT `+listColumns+` FROM job_rows r
		WHERE r.job_id = $1 AND r.position > $2 AND r.problem = ''`+which+`
		ORDER BY r.position
		LIMIT $3`, j.ID, after, madeAtOnce)
	if err != nil {
		return nil, err
	}
	rows := make([]dispatch.JobRow, len(list))
	for i, r := range list {
		if rows[i], err = s.openRow(j.ID, r); err != nil {
			return nil, err
		}
		if j.Mode == dispatch.ModeFast {
			rows[i].Recipient = dispatch.SMSRecipient{Phone: rows[i].Phone}
		}
	}
	return rows, nil
}

// madeItem is a new item of a job as columns.
type madeItem struct {
	id       dispatch.ItemID
	position int // each row gets one item at most (unique index items_job_idx)
	hide     bool
	form     dispatch.WrittenForm // written form of the template that the text was written from
	sealed   sealedSMS
}

func idsOf(items []madeItem) []dispatch.ItemID {
	ids := make([]dispatch.ItemID, len(items))
	for i, m := range items {
		ids[i] = m.id
	}
	return ids
}

func (s *Store) makeItem(j dispatch.Job, r dispatch.JobRow, text string) (m madeItem, err error) {
	if m, err = newMadeItem(r.Position); err != nil {
		return m, err
	}
	if m.hide, m.form = j.HideInReport, j.Template.Form; j.Template.ID != "" && j.Both() {
		m.form = j.SecondText.Of(dispatch.FormOf(j.Columns, r.Fields))
	}
	m.sealed, err = s.sealSMS(m.id, dispatch.SMS{Recipient: r.Recipient, Text: text, HideInReport: j.HideInReport})
	return m, err
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
	return copyIn(ctx, tx, items, func(m madeItem) []any {
		return []any{string(m.id), string(j.AccountID), string(kind), string(j.CreatedBy)}
	}, "events", "item_id", "account_id", "kind", "actor_id")
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
