package items

import (
	"cmp"
	"context"
	"errors"
	"strconv"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// HandedAtOnce bounds one hand-over of each kind; the page offers another for the rest.
const HandedAtOnce = 500

const (
	// theirFollowUps are the open follow-ups of a user ($2) on an account ($1): those assigned to the user, and unassigned ones of
	// items that the user sent.
	theirFollowUps = `
		SELECT f.item_id FROM follow_ups f JOIN items it ON it.id = f.item_id
		WHERE f.account_id = $1 AND f.ended_at IS NULL AND f.done_at IS NULL AND (f.owner_id = $2 OR f.owner_id IS NULL AND it.created_by = $2)`
)

// theirDrafts are the user's drafts, including lists. A draft that awaits approval stays with its sender, as one does that was opened and left.
var theirDrafts = `
	SELECT it.id, it.kind::text AS kind FROM items it WHERE it.account_id = $1 AND it.created_by = $2 AND it.state = 'draft'
	    AND NOT EXISTS (SELECT FROM shipments h WHERE h.item_id = it.id AND ` + untouched + `)
	    AND NOT EXISTS (SELECT FROM approvals p WHERE p.state = 'waiting' AND (p.item_id = it.id OR p.job_id IN (SELECT j.id FROM jobs j WHERE j.draft_id = it.id)))
	UNION ALL
	SELECT j.id, 'job' FROM jobs j WHERE j.account_id = $1 AND j.created_by = $2 AND j.state = 'draft' AND j.draft_id IS NULL
	    AND NOT EXISTS (SELECT FROM approvals p WHERE p.state = 'waiting' AND p.job_id = j.id)`

// TheirOpen counts a user's open follow-ups and drafts on an account, each up to HandedAtOnce.
func (s HandOvers) TheirOpen(ctx context.Context, account dispatch.AccountID, user dispatch.UserID) (dispatch.HandOverCounts, error) {
	var row struct {
		FollowUps int `db:"follow_ups"`
		Drafts    int `db:"drafts"`
	}
	limit := ` LIMIT ` + strconv.Itoa(HandedAtOnce)
	err := s.Get(ctx, &row, `
		SELECT (SELECT count(*) FROM (`+theirFollowUps+limit+`) f) AS follow_ups, (SELECT count(*) FROM (`+theirDrafts+limit+`) d) AS drafts`, account, user)
	return dispatch.HandOverCounts{FollowUps: row.FollowUps, Drafts: row.Drafts}, err
}

// GiveAll gives a user's open follow-ups and drafts to a colleague, up to HandedAtOnce of each, and returns how many. ErrTaken
// when the colleague does not work there. Each draft is a transaction. A draft stays if it
// is sent meanwhile, or if the colleague may not see its recipient.
func (s HandOvers) GiveAll(ctx context.Context, account dispatch.AccountID, from, to dispatch.UserID, what dispatch.HandOverCounts, by store.Actor) (done dispatch.HandOverCounts, err error) {
	if !store.ValidID(from) || from == to {
		return done, store.ErrTaken
	}
	err = s.InTx(ctx, func(tx *sqlx.Tx) error {
		if known, err := worksOn(ctx, tx, account, to, dispatch.Kinds...); err != nil || !known {
			return cmp.Or(err, store.ErrTaken)
		}
		if what.FollowUps == 0 {
			return nil
		}
		done.FollowUps, err = assignAll(ctx, tx, account, from, to, by)
		return err
	})
	if err != nil || what.Drafts == 0 {
		return done, err
	}
	var drafts []struct {
		ID   string `db:"id"`
		Kind string `db:"kind"`
	}
	if err := s.Select(ctx, &drafts, theirDrafts+` LIMIT `+strconv.Itoa(HandedAtOnce), account, from); err != nil {
		return done, err
	}
	for _, d := range drafts {
		err := s.InTx(ctx, func(tx *sqlx.Tx) error {
			if d.Kind == "job" {
				return giveJob(ctx, tx, account, dispatch.JobID(d.ID), from, to, by)
			}
			return s.giveDraft(ctx, tx, ownership{account, dispatch.ItemID(d.ID), to, dispatch.EventHandedOver, string(to)}, from, dispatch.Kind(d.Kind), by)
		})
		switch {
		case err == nil:
			done.Drafts++
		case !errors.Is(err, store.ErrChanged) && !errors.Is(err, store.ErrNotFound) && !errors.Is(err, ErrWaiting) && !errors.Is(err, ErrProtected):
			return done, err
		}
	}
	return done, nil
}

// assignAll assigns a user's open follow-ups to a colleague, but for those of recipients who are protected from the colleague. They are
// locked before that is asked: see freeFollowUps.
func assignAll(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, from, to dispatch.UserID, by store.Actor) (int, error) {
	var open, given []dispatch.ItemID
	err := tx.SelectContext(ctx, &open, theirFollowUps+` AND `+store.ShownTo("it.id", "$3")+` ORDER BY f.since LIMIT `+strconv.Itoa(HandedAtOnce)+` FOR UPDATE OF f`, account, from, to)
	if err != nil {
		return 0, err
	}
	err = tx.SelectContext(ctx, &given, `
		UPDATE follow_ups f SET owner_id = $3 WHERE f.account_id = $1 AND f.item_id = ANY($2::uuid[]) AND `+store.ShownTo("f.item_id", "$3")+` RETURNING f.item_id`,
		account, pq.Array(open), to)
	for _, id := range given {
		if err != nil {
			break
		}
		err = store.AddEvent(ctx, tx, store.Event{Item: id, Account: account, Kind: dispatch.EventAssigned, Actor: by.User, Detail: string(to)})
		if err == nil {
			a := store.Audit{Actor: by.User, Account: account, Action: "item." + string(dispatch.EventAssigned), Object: string(id), Details: map[string]any{"owner": to, "from": from}, Origin: by.Origin}
			err = store.Record(ctx, tx, a)
		}
	}
	return len(given), err
}

// giveDraft gives a draft to a colleague.
func (s HandOvers) giveDraft(ctx context.Context, tx *sqlx.Tx, o ownership, from dispatch.UserID, kind dispatch.Kind, by store.Actor) error {
	if kind == dispatch.KindShipment {
		if err := lockShipmentJob(ctx, tx, o.account, o.id); err != nil {
			return err
		}
	}
	if err := lockOwn(ctx, tx, o.account, o.id, from, kind); err != nil {
		return err
	}
	return s.changeOwner(ctx, tx, o, by)
}

// giveJob gives a draft of a job to a colleague.
func giveJob(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.JobID, from, to dispatch.UserID, by store.Actor) error {
	n, err := store.Affected(tx.ExecContext(ctx, `
		UPDATE jobs SET created_by = $4 WHERE id = $1 AND account_id = $2 AND created_by = $3 AND state = 'draft' AND draft_id IS NULL`, id, account, from, to))
	if err != nil || n == 0 {
		return cmp.Or(err, store.ErrNotFound)
	}
	if err := notWaiting(ctx, tx, jobWaitsForApproval, id); err != nil {
		return err
	}
	if err := mayReach(ctx, tx, id, to); err != nil {
		return err
	}
	return store.Record(ctx, tx, store.Audit{Actor: by.User, Account: account, Action: "job.handed_over", Object: string(id), Details: map[string]any{"to": to, "from": from}, Origin: by.Origin})
}
