package registry

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"maps"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// Current returns the retention of each category.
func (s Retention) Current(ctx context.Context) (dispatch.Retention, error) {
	return retention(ctx, s.DB)
}

func retention(ctx context.Context, db sqlx.QueryerContext) (dispatch.Retention, error) {
	var rows []struct {
		Keeping dispatch.Keeping `db:"keeping"`
		Days    int              `db:"days"`
	}
	r := dispatch.DefaultRetention()
	err := sqlx.SelectContext(ctx, db, &rows, `SELECT keeping, days FROM retention`)
	for _, row := range rows {
		r[row.Keeping] = row.Days
	}
	return r, err
}

// ErrSecond says that another administrator has to approve it. Nothing was changed.
var ErrSecond = errors.New("another administrator has to approve it")

// Save changes the retention, from the next night on. ErrStale when it is no longer as it was read, ErrSecond when it
// gets shorter.
func (s Retention) Save(ctx context.Context, read, r dispatch.Retention, by store.Actor) error {
	if r.Shortens(read) {
		return ErrSecond
	}
	return s.InTx(ctx, func(tx *sqlx.Tx) error { return saveRead(ctx, tx, read, r, "", by) })
}

// Ask saves the times that get longer, and asks another administrator to approve the shorter ones. ErrStale when the
// retention is no longer as it was read, ErrTaken when shorter times are asked for already.
func (s Retention) Ask(ctx context.Context, read, r dispatch.Retention, now time.Time, by store.Actor) error {
	longer := read.Longest(r)
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		// Locks the request before the retention, as an approval does.
		id, err := askAct(ctx, tx, dispatch.ActRequest{Act: dispatch.ActRetention, Before: longer, After: r}, now, by)
		if err != nil {
			return err
		}
		return saveRead(ctx, tx, read, longer, id, by)
	})
}

// SaveApproved changes the times of a request, in the transaction in which another administrator approves it. ErrStale
// when one of them is no longer as it was.
func (s Retention) SaveApproved(ctx context.Context, tx *sqlx.Tx, r dispatch.ActRequest, by store.Actor) error {
	now, err := lockedRetention(ctx, tx)
	if err != nil {
		return err
	}
	changed, ok := r.Changed(now)
	if !ok {
		return store.ErrStale
	}
	return saveTimes(ctx, tx, now, changed, r.ID, by)
}

// saveRead changes the retention that a page has shown, in the same act as a request if one is given. ErrStale when it is no longer so.
func saveRead(ctx context.Context, tx *sqlx.Tx, read, r dispatch.Retention, request dispatch.ActRequestID, by store.Actor) error {
	now, err := lockedRetention(ctx, tx)
	switch {
	case err != nil:
		return err
	case !maps.Equal(now, read):
		return store.ErrStale
	case maps.Equal(now, r):
		return nil
	}
	return saveTimes(ctx, tx, now, r, request, by)
}

// lockedRetention returns the retention, which nobody else changes until the transaction ends.
func lockedRetention(ctx context.Context, tx *sqlx.Tx) (dispatch.Retention, error) {
	if _, err := tx.ExecContext(ctx, `LOCK TABLE retention IN SHARE ROW EXCLUSIVE MODE`); err != nil {
		return nil, err
	}
	return retention(ctx, tx)
}

// saveTimes changes the retention. The line in the event log has the old and the new periods, and the id of the request, if there is one.
func saveTimes(ctx context.Context, tx *sqlx.Tx, now, r dispatch.Retention, request dispatch.ActRequestID, by store.Actor) error {
	for _, k := range dispatch.Keepings() {
		_, err := tx.ExecContext(ctx, `
			INSERT INTO retention AS r (keeping, days, changed_by) VALUES ($1, $2, $3)
			ON CONFLICT (keeping) DO UPDATE SET days = excluded.days, changed_by = excluded.changed_by, changed_at = now()
			WHERE r.days <> excluded.days`, k, r[k], by.User)
		if err != nil {
			return err
		}
	}
	details := by.Details("values", r.ChangesFrom(now))
	return store.Record(ctx, tx, store.Audit{Actor: by.User, Action: "retention.save", Object: string(request), Details: details, Origin: by.Origin})
}

// PurgeCounts counts what is purged, by category.
type PurgeCounts map[dispatch.Keeping]int

// previewMost bounds what a preview counts in each category.
const previewMost = 100_000

// Preview counts what would be purged at a time, in each category up to a bound.
func (s Retention) Preview(ctx context.Context, r dispatch.Retention, at time.Time) (PurgeCounts, error) {
	counts := PurgeCounts{}
	for k, due := range dueOf {
		var n int
		err := s.DB.GetContext(ctx, &n, `SELECT count(*) FROM (SELECT FROM items it WHERE `+due+` LIMIT $3) q`, at, r[k], previewMost)
		if err != nil {
			return nil, err
		}
		counts[k] = n
	}
	var jobs int
	err := s.DB.GetContext(ctx, &jobs, `SELECT count(*) FROM (SELECT FROM jobs j WHERE `+jobDrafts+` LIMIT $3) q`, at, r[dispatch.KeepDrafts], previewMost)
	if err != nil {
		return nil, err
	}
	counts[dispatch.KeepDrafts] = min(counts[dispatch.KeepDrafts]+jobs, previewMost)
	var lines int
	err = s.DB.GetContext(ctx, &lines, `SELECT count(*) FROM (SELECT FROM audit_events WHERE at < `+keptSince+` LIMIT $3) q`,
		at, r[dispatch.KeepLog], previewMost)
	counts[dispatch.KeepLog] = lines
	return counts, err
}

// dueOf are the conditions by which items' parts are due at the time $1 with a retention of $2 days, shared by
// preview and purge. They are plain conditions, not database functions, and the cheapest comes first: most old items
// have been purged long ago.
var dueOf = map[dispatch.Keeping]string{
	dispatch.KeepDrafts: `it.state = 'draft' AND it.created_at < ` + keptSince + ` AND ` + quietSince(`true`) + `
		AND NOT EXISTS (SELECT FROM shipments s WHERE s.item_id = it.id AND s.changed_at >= ` + keptSince + `)
		AND NOT EXISTS (SELECT FROM jobs l WHERE l.draft_id = it.id AND l.changed_at >= ` + keptSince + `)`,
	dispatch.KeepContent: ended + ` AND ` + quietIf(`m.text IS NOT NULL`, `s.content <> ''`),
	dispatch.KeepIdentity: ended + ` AND ` +
		quietIf(`m.recipient IS NOT NULL`, `s.number_hash IS NOT NULL OR s.recipient_name <> '' OR s.title <> ''`),
	dispatch.KeepRows: ended + ` AND ` + quietSince(unlooked),
}

const (
	keptSince = `$1::timestamptz - $2::int * interval '1 day'`

	// ended is an item that ended before the retention began, without a legal hold.
	ended = `it.created_at < ` + keptSince + ` AND ` + over + ` AND ` + lastChange + ` < ` + keptSince + ` AND ` + unheld

	// over is an item that has ended: not while it may be sent, is being sent, is uncertain, or its status is still read. That somebody
	// has to follow it up keeps nothing: its page and the worklist tell when its content goes (ContentEnds).
	over       = `CASE it.state WHEN 'accepted' THEN it.next_check_at IS NULL ELSE it.state IN ('rejected', 'failed', 'cancelled') END`
	lastChange = `greatest(it.accepted_at, it.status_at, it.settled_at, it.reason_at, it.created_at)`
	unheld     = `NOT EXISTS (SELECT FROM holds h WHERE h.item_id = it.id)`

	// unlooked are events other than views of the item, which change nothing.
	unlooked = `e.kind NOT IN ('revealed', 'opened')`
)

// quietSince is the condition that an item has had no such event within the retention.
func quietSince(events string) string {
	return `coalesce((SELECT max(e.at) FROM events e WHERE e.item_id = it.id AND ` + events + `), it.created_at) < ` + keptSince
}

// quietIf is quietSince, asked only of an SMS or a shipment that still has the part.
func quietIf(sms, shipment string) string {
	return `CASE WHEN CASE it.kind WHEN 'sms' THEN (SELECT ` + sms + ` FROM sms m WHERE m.item_id = it.id)
		ELSE (SELECT ` + shipment + ` FROM shipments s WHERE s.item_id = it.id) END THEN ` + quietSince(unlooked) + ` END`
}

// ContentEnds returns when the content of some items is deleted, or that it is. Items that have not ended, or are held, are missing.
func (s Retention) ContentEnds(ctx context.Context, account dispatch.AccountID, ids []dispatch.ItemID) (map[dispatch.ItemID]dispatch.ContentEnd, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	kept, err := s.Current(ctx)
	if err != nil {
		return nil, err
	}
	var rows []struct {
		ID    dispatch.ItemID `db:"id"`
		Gone  bool            `db:"gone"`
		Ended *time.Time      `db:"ended"`
	}
	err = s.DB.SelectContext(ctx, &rows, `
		SELECT it.id, it.state <> 'draft' AND CASE it.kind WHEN 'sms' THEN m.text IS NULL ELSE coalesce(s.content, '') = '' OR `+store.Bare+` END AS gone,
		       CASE WHEN `+over+` AND `+unheld+` THEN greatest(`+lastChange+`, (SELECT max(e.at) FROM events e WHERE e.item_id = it.id AND `+unlooked+`)) END AS ended
		FROM items it LEFT JOIN sms m ON m.item_id = it.id LEFT JOIN shipments s ON s.item_id = it.id
		WHERE it.account_id = $1 AND it.id = ANY($2::uuid[])`, account, pq.Array(ids))
	ends := make(map[dispatch.ItemID]dispatch.ContentEnd, len(rows))
	for _, r := range rows {
		switch {
		case r.Gone:
			ends[r.ID] = dispatch.ContentEnd{Gone: true}
		case r.Ended != nil:
			ends[r.ID] = dispatch.ContentEnd{At: dispatch.NextPurge(r.Ended.AddDate(0, 0, kept[dispatch.KeepContent]))}
		}
	}
	return ends, err
}

// removals purge a part of some items. $1 are their ids.
var removals = map[dispatch.Keeping][]string{
	dispatch.KeepDrafts: {`DELETE FROM items WHERE id = ANY($1)`},
	dispatch.KeepContent: {
		`UPDATE sms SET text = NULL WHERE item_id = ANY($1)`,
		`DELETE FROM document_chunks c USING documents d WHERE d.id = c.document_id AND d.item_id = ANY($1)`,
		`UPDATE documents SET reading = NULL WHERE item_id = ANY($1)`,
		`UPDATE shipments SET content = '', form = '', fault = NULL WHERE item_id = ANY($1)`,
		`DELETE FROM answers WHERE item_id = ANY($1)`,
		`UPDATE approvals SET note = NULL WHERE item_id = ANY($1)`,
	},
	// The random pseudonym is the item's alone: two items of one person cannot be linked, nor found by the number.
	dispatch.KeepIdentity: {
		`UPDATE sms SET recipient = NULL, recipient_hash = uuid_send(gen_random_uuid()), last_three_hash = NULL WHERE item_id = ANY($1)`,
		`UPDATE shipments SET recipient_name = '', title = '', number_hash = NULL WHERE item_id = ANY($1)`,
		`DELETE FROM documents WHERE item_id = ANY($1)`,
		`DELETE FROM service_reports WHERE item_id = ANY($1)`,
		`UPDATE follow_ups SET note = NULL, reason = NULL WHERE item_id = ANY($1)`,
	},
	dispatch.KeepRows: {`DELETE FROM items WHERE id = ANY($1)`},
}

// jobDue are jobs all of whose items are purged, and that still have content themselves; $1 is the time, $2 the days.
const jobDue = `j.state IN ('done', 'stopped') AND j.created_at < ` + keptSince + ` AND (j.content IS NOT NULL OR j.pattern IS NOT NULL)
	AND NOT EXISTS (SELECT FROM items it LEFT JOIN sms m ON m.item_id = it.id LEFT JOIN shipments s ON s.item_id = it.id
	                WHERE it.job_id = j.id AND (m.text IS NOT NULL OR s.content <> ''))`

// ofJobs purge that content; $3 are jobs.
var ofJobs = []string{
	`DELETE FROM job_rows r USING jobs j WHERE j.id = r.job_id AND j.id = ANY($3::uuid[]) AND ` + jobDue,
	`DELETE FROM part_looks l USING jobs j WHERE j.id = l.job_id AND j.id = ANY($3::uuid[]) AND ` + jobDue,
	`DELETE FROM document_chunks c USING documents d, jobs j
		WHERE d.id = c.document_id AND d.job_id = j.id AND j.id = ANY($3::uuid[]) AND ` + jobDue,
	`UPDATE documents d SET reading = NULL FROM jobs j WHERE d.job_id = j.id AND j.id = ANY($3::uuid[]) AND ` + jobDue,
	`UPDATE approvals a SET note = NULL FROM jobs j WHERE a.job_id = j.id AND j.id = ANY($3::uuid[]) AND ` + jobDue,
	`UPDATE jobs j SET content = NULL, pattern = NULL, pattern_form = NULL, fingerprint = NULL WHERE j.id = ANY($3::uuid[]) AND ` + jobDue,
}

// jobDrafts are drafts of jobs that are due, and jobsOver ended jobs without items; $1 is the time, $2 the days. The list of a
// shipment's draft goes with that draft.
const (
	jobDrafts = `j.state = 'draft' AND j.draft_id IS NULL AND j.changed_at < ` + keptSince + `
		AND NOT EXISTS (SELECT FROM approvals a WHERE a.job_id = j.id AND a.state = 'waiting')`
	jobsOver = `j.state IN ('done', 'stopped') AND j.created_at < ` + keptSince + ` AND NOT EXISTS (SELECT FROM items it WHERE it.job_id = j.id)`
)

// purgedAtOnce is how many items one transaction purges.
const purgedAtOnce = 500

// Purge purges what is due at a time, in batches, and returns the counts. Each batch has its line in the event log,
// in its own transaction. The event log itself is only purged by its owner. Items that cannot be purged are set
// aside, and their error is returned after everything else is done.
func (s Retention) Purge(ctx context.Context, r dispatch.Retention, at time.Time) (PurgeCounts, error) {
	counts := PurgeCounts{}
	var failed error
	for _, k := range []dispatch.Keeping{dispatch.KeepDrafts, dispatch.KeepContent, dispatch.KeepIdentity, dispatch.KeepRows} {
		n, err := s.purgeItems(ctx, k, r[k], at)
		if counts[k], failed = n, errors.Join(failed, err); err != nil && !store.OwnFault(ctx, err) {
			return counts, failed
		}
	}
	drafts, err := s.purgeJobs(ctx, r, at)
	counts[dispatch.KeepDrafts] += drafts
	failed = errors.Join(failed, err)
	protected, err := s.AuditProtected(ctx)
	if err == nil && !protected {
		counts[dispatch.KeepLog], err = s.purgeAudit(ctx, at.AddDate(0, 0, -r[dispatch.KeepLog]))
	}
	return counts, errors.Join(failed, err, s.PurgeSetAside(ctx))
}

func (s Retention) purgeItems(ctx context.Context, k dispatch.Keeping, days int, at time.Time) (int, error) {
	after, all, failed := "00000000-0000-0000-0000-000000000000", 0, error(nil)
	for {
		var ids []string
		err := s.DB.SelectContext(ctx, &ids, `
			SELECT it.id FROM items it WHERE it.id > $3 AND `+dueOf[k]+` AND NOT `+store.SkippedNow(dispatch.QueuePurge, "it.id")+` ORDER BY it.id LIMIT $4`,
			at, days, after, purgedAtOnce)
		if err != nil || len(ids) == 0 {
			return all, errors.Join(failed, err)
		}
		after = ids[len(ids)-1]
		err = s.Bisect(ctx, dispatch.QueuePurge, ids, func(ctx context.Context, ids []string) error {
			n, err := s.purgeThese(ctx, k, days, at, ids)
			all += n
			return err
		})
		if failed = errors.Join(failed, err); err != nil && !store.OwnFault(ctx, err) {
			return all, failed
		}
	}
}

// purgeThese purges a part of those items for which it is still due.
func (s Retention) purgeThese(ctx context.Context, k dispatch.Keeping, days int, at time.Time, ids []string) (int, error) {
	var due []string
	err := s.InTx(ctx, func(tx *sqlx.Tx) error {
		// A concurrent sending of one of them is waited for, and the item stays.
		err := tx.SelectContext(ctx, &due, `
			SELECT it.id FROM items it WHERE it.id = ANY($3::uuid[]) AND `+dueOf[k]+` ORDER BY it.id FOR UPDATE`, at, days, pq.Array(ids))
		if err != nil || len(due) == 0 {
			return err
		}
		if _, err := each(ctx, tx, removals[k], pq.Array(due)); err != nil {
			return err
		}
		return recordPurge(ctx, tx, string(k), int64(len(due)))
	})
	if err != nil {
		return 0, err
	}
	return len(due), nil
}

// recordPurge records in the event log what a transaction purged, if anything.
func recordPurge(ctx context.Context, tx *sqlx.Tx, what string, n int64) error {
	if n == 0 {
		return nil
	}
	return store.Record(ctx, tx, store.Audit{Action: "retention.purge", Details: map[string]any{what: n}})
}

// purgeJobs purges the lists and shipments of ended jobs, drafts of jobs, and jobs without items. It returns how many drafts.
func (s Retention) purgeJobs(ctx context.Context, r dispatch.Retention, at time.Time) (int, error) {
	const drop = `DELETE FROM jobs j WHERE j.id = ANY($3::uuid[]) AND `
	_, content := s.purgeTheseJobs(ctx, jobDue, ofJobs, at, r[dispatch.KeepContent])
	drafts, draft := s.purgeTheseJobs(ctx, jobDrafts, []string{drop + jobDrafts}, at, r[dispatch.KeepDrafts])
	_, over := s.purgeTheseJobs(ctx, jobsOver, []string{drop + jobsOver}, at, r[dispatch.KeepRows])
	return drafts, errors.Join(content, draft, over, s.purgeOld(ctx, "lookups", `DELETE FROM looked_up WHERE at < `, at, r[dispatch.KeepLog]),
		s.purgeOld(ctx, "unfinished", `DELETE FROM unfinished_forms WHERE saved_at < `, at, r[dispatch.KeepDrafts]))
}

// purgeOld runs a statement on what is older than so many days, and records what it purged.
func (s Retention) purgeOld(ctx context.Context, what, statement string, at time.Time, days int) error {
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		n, err := store.Affected(tx.ExecContext(ctx, statement+keptSince, at, days))
		if err != nil {
			return err
		}
		return recordPurge(ctx, tx, what, n)
	})
}

// purgeTheseJobs runs statements on jobs that are due, and returns on how many.
func (s Retention) purgeTheseJobs(ctx context.Context, due string, statements []string, at time.Time, days int) (all int, err error) {
	var ids []string
	err = s.DB.SelectContext(ctx, &ids, `SELECT j.id FROM jobs j WHERE `+due+` AND NOT `+store.SkippedNow(dispatch.QueuePurge, "j.id"), at, days)
	if err != nil {
		return 0, err
	}
	err = s.Bisect(ctx, dispatch.QueuePurge, ids, func(ctx context.Context, ids []string) error {
		var n int64
		err := s.InTx(ctx, func(tx *sqlx.Tx) (err error) {
			if n, err = each(ctx, tx, statements, at, days, pq.Array(ids)); err != nil {
				return err
			}
			return recordPurge(ctx, tx, "jobs", n)
		})
		if err == nil {
			all += int(n)
		}
		return err
	})
	return all, err
}

// each runs statements, and returns how many rows the last one changed.
func each(ctx context.Context, tx *sqlx.Tx, statements []string, args ...any) (n int64, err error) {
	for _, statement := range statements {
		if n, err = store.Affected(tx.ExecContext(ctx, statement, args...)); err != nil {
			return n, err
		}
	}
	return n, nil
}

// purgeAudit purges the beginning of the event log, up to the first younger line, and stores the last purged link.
// Unchained lines stay.
func (s Retention) purgeAudit(ctx context.Context, before time.Time) (int, error) {
	for all := 0; ; {
		var n int64
		err := s.InTx(ctx, func(tx *sqlx.Tx) error {
			last, err := purgeable(ctx, tx, before)
			if err != nil || last.Position == 0 {
				return err
			}
			if _, err := tx.ExecContext(ctx, `INSERT INTO audit_anchors (position, hash) VALUES ($1, $2)`, last.Position, last.Hash); err != nil {
				return err
			}
			n, err = store.Affected(tx.ExecContext(ctx, `
				WITH gone AS (DELETE FROM audit_chain WHERE position <= $1 RETURNING audit_id)
				DELETE FROM audit_events e USING gone WHERE e.id = gone.audit_id`, last.Position))
			if err != nil {
				return err
			}
			return recordPurge(ctx, tx, string(dispatch.KeepLog), n)
		})
		if all += int(n); err != nil || n == 0 {
			return all, err
		}
	}
}

// purgeable is the last link that may be purged now: before the first line that is too young, and bounded in number.
func purgeable(ctx context.Context, tx *sqlx.Tx, before time.Time) (Link, error) {
	var l Link
	err := tx.QueryRowxContext(ctx, `
		WITH first AS (SELECT min(position) AS position FROM audit_chain),
		young AS (
			SELECT min(c.position) AS position FROM audit_chain c LEFT JOIN audit_events e ON e.id = c.audit_id
			WHERE e.id IS NULL OR e.at >= $1 -- what was removed is told by the verification, and not passed over
		)
		SELECT c.position, c.hash FROM audit_chain c, first, young
		WHERE c.position < coalesce(young.position, c.position + 1) AND c.position < first.position + 10000
		ORDER BY c.position DESC LIMIT 1`, before).Scan(&l.Position, &l.Hash)
	if errors.Is(err, sql.ErrNoRows) {
		return Link{}, nil
	}
	return l, err
}

// BeginPurge claims tonight's purge; false when another process does it, or has.
func (s Retention) BeginPurge(ctx context.Context, night, now time.Time) (bool, error) {
	n, err := store.Affected(s.DB.ExecContext(ctx, `
		INSERT INTO purges AS p (night, started_at) VALUES ($1, $2)
		ON CONFLICT (night) DO UPDATE SET started_at = excluded.started_at
		WHERE p.ended_at IS NULL AND p.started_at < excluded.started_at - interval '1 hour'`, night, now))
	return n == 1, err
}

// EndPurge stores the counts of a night's purge. The event log has them already, see Purge.
func (s Retention) EndPurge(ctx context.Context, night, now time.Time, counts PurgeCounts) error {
	plain, err := json.Marshal(counts)
	if err != nil {
		return err
	}
	_, err = s.DB.ExecContext(ctx, `
		INSERT INTO purges (night, started_at, ended_at, counts) VALUES ($1, $2, $2, $3)
		ON CONFLICT (night) DO UPDATE SET ended_at = excluded.ended_at, counts = excluded.counts`, night, now, string(plain))
	return err
}

// Purged is a night's purge.
type Purged struct {
	Night   time.Time
	EndedAt time.Time // zero: it is running, or was interrupted
	Counts  PurgeCounts
}

// Purges returns the latest nights' purges, newest first.
func (s Retention) Purges(ctx context.Context, limit int) ([]Purged, error) {
	var rows []struct {
		Night   time.Time  `db:"night"`
		EndedAt *time.Time `db:"ended_at"`
		Counts  []byte     `db:"counts"`
	}
	if err := s.Select(ctx, &rows, `SELECT night, ended_at, counts FROM purges ORDER BY night DESC LIMIT $1`, limit); err != nil {
		return nil, err
	}
	list := make([]Purged, len(rows))
	for i, r := range rows {
		list[i] = Purged{Night: r.Night, EndedAt: store.Deref(r.EndedAt)}
		if err := json.Unmarshal(r.Counts, &list[i].Counts); err != nil {
			return nil, err
		}
	}
	return list, nil
}
