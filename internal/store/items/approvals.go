package items

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// Reasons returns why a colleague must approve it before it is sent; none: no approval is needed.
func (s Approvals) Reasons(ctx context.Context, account dispatch.AccountID, of dispatch.Sending) ([]dispatch.ApprovalReason, error) {
	return In(s.Store).reviews.approvalReasons(ctx, s.DB, account, of)
}

// AskSMS requests approval of one's own draft, which cannot be changed until that is decided. Errors are those of SMS.Queue.
func (s Approvals) AskSMS(ctx context.Context, account dispatch.Account, id dispatch.ItemID, seen string, by store.Actor) error {
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		of, err := lockReviewedSMS(ctx, tx, account, id, seen, by)
		if err != nil {
			return err
		}
		if err := mayReplaceOne(ctx, tx, account.ID, id, by.Anyway); err != nil {
			return err
		}
		if err := mayShow(ctx, tx, account.ID, id, by.User); err != nil {
			return err
		}
		return s.ask(ctx, tx, asking{account: account.ID, item: id, seen: seen, of: of, anyway: by.Anyway}, by)
	})
}

// AskShipment requests approval of one's own draft with its parsed content. Errors are those of Drafts.Queue.
func (s Approvals) AskShipment(ctx context.Context, account dispatch.Account, id dispatch.ItemID, by store.Actor, version int, content dispatch.Shipment) error {
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		of, err := lockReviewedShipment(ctx, tx, account, id, by, version, content)
		if err != nil {
			return err
		}
		if err := mayReplaceOne(ctx, tx, account.ID, id, by.Anyway); err != nil {
			return err
		}
		if err := In(s.Store).Protected.nameRecipient(ctx, tx, account.ID, id, content.Recipient); err != nil {
			return err
		}
		if err := mayShow(ctx, tx, account.ID, id, by.User); err != nil {
			return err
		}
		return s.ask(ctx, tx, asking{account: account.ID, item: id, seen: fmt.Sprint(version), of: of, anyway: by.Anyway}, by)
	})
}

// AskJob requests approval of one's own draft of a job. Errors are those of SMSJobs.Send.
func (s Approvals) AskJob(ctx context.Context, account dispatch.Account, id dispatch.JobID, seen string, by store.Actor, anyway bool) error {
	return In(s.Store).Jobs.changeJobDraft(ctx, account.ID, id, by, func(tx *sqlx.Tx, j dispatch.Job) error {
		if _, err := In(s.Store).SMSJobs.readyJob(ctx, tx, j, seen, anyway); err != nil {
			return err
		}
		return s.ask(ctx, tx, asking{account: account.ID, job: id, seen: seen, of: j.Sending(account.Prices), anyway: anyway}, by)
	})
}

// AskShipments requests approval of one's own draft of a shipment to many. Errors are those of ShipmentJobs.Send.
func (s Approvals) AskShipments(ctx context.Context, account dispatch.Account, id dispatch.JobID, by store.Actor, l Shipment, anyway bool) error {
	return In(s.Store).Jobs.changeJobDraft(ctx, account.ID, id, by, func(tx *sqlx.Tx, j dispatch.Job) error {
		if _, err := In(s.Store).ShipmentJobs.readyShipments(ctx, tx, j, l, anyway); err != nil {
			return err
		}
		of, err := shipmentsSending(ctx, tx, account, j, l.Content)
		if err != nil {
			return err
		}
		return s.ask(ctx, tx, asking{account: account.ID, job: id, draft: j.Draft, seen: j.Revision, of: of, anyway: anyway}, by)
	})
}

// asking is a request for approval.
type asking struct {
	account dispatch.AccountID
	item    dispatch.ItemID // or
	job     dispatch.JobID
	draft   dispatch.ItemID // the common draft of a job of shipments
	seen    string
	of      dispatch.Sending
	anyway  bool // although the same was sent to the same list today, or something in place of the same item
}

// ask stores a request for approval of a locked draft. It is allowed although no rule demands approval: the rule may have been
// turned off since the page was made.
func (s Approvals) ask(ctx context.Context, tx *sqlx.Tx, a asking, by store.Actor) error {
	reasons, err := In(s.Store).reviews.approvalReasons(ctx, tx, a.account, a.of)
	if err != nil {
		return err
	}
	id, err := store.NewID()
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `
		INSERT INTO approvals (id, account_id, item_id, job_id, seen, recipients, reasons, asked_by, anyway) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
		id, a.account, store.Null(a.item), store.Null(a.job), a.seen, a.of.Recipients, pq.Array(append([]dispatch.ApprovalReason{}, reasons...)), by.User, a.anyway)
	if err != nil {
		return err
	}
	return noteApproval(ctx, tx, dispatch.Approval{ID: dispatch.ApprovalID(id), AccountID: a.account, Item: cmp.Or(a.item, a.draft), Job: a.job, Reasons: reasons, Recipients: a.of.Recipients},
		dispatch.EventApprovalAsked, by)
}

// approvalRow is a row of approvals with facts about its draft.
type approvalRow struct {
	ID         dispatch.ApprovalID    `db:"id"`
	AccountID  dispatch.AccountID     `db:"account_id"`
	Kind       dispatch.Kind          `db:"kind"`
	Item       dispatch.ItemID        `db:"item_id"`
	Job        dispatch.JobID         `db:"job_id"`
	Template   dispatch.TemplateID    `db:"template_id"`
	Name       string                 `db:"template_name"`
	New        bool                   `db:"template_new"`
	State      dispatch.ApprovalState `db:"state"`
	Reasons    pq.StringArray         `db:"reasons"`
	Recipients int                    `db:"recipients"`
	Seen       string                 `db:"seen"`
	AskedBy    dispatch.UserID        `db:"asked_by"`
	Asker      string                 `db:"asker"`
	AskedAt    time.Time              `db:"asked_at"`
	Decider    string                 `db:"decider"`
	DecidedAt  *time.Time             `db:"decided_at"`
	Note       []byte                 `db:"note"`
	Anyway     bool                   `db:"anyway"`
}

const selectApprovals = `
	SELECT p.id, p.account_id, coalesce(it.kind, j.kind, t.kind) AS kind, coalesce(p.item_id::text, j.draft_id::text, '') AS item_id, coalesce(p.job_id::text, '') AS job_id,
	       coalesce(p.template_id::text, '') AS template_id, coalesce(tv.name, '') AS template_name, coalesce(t.version = 0, false) AS template_new,
	       p.state, p.reasons, p.recipients, p.seen, p.asked_by, asker.name AS asker, p.asked_at, coalesce(decider.name, '') AS decider, p.decided_at, p.note, p.anyway
	FROM approvals p
	LEFT JOIN items it ON it.id = p.item_id
	LEFT JOIN jobs j ON j.id = p.job_id
	LEFT JOIN templates t ON t.account_id = p.account_id AND t.id = p.template_id
	LEFT JOIN template_versions tv ON tv.account_id = p.account_id AND tv.template_id = p.template_id AND tv.version::text = p.seen
	JOIN users asker ON asker.id = p.asked_by
	LEFT JOIN users decider ON decider.id = p.decided_by
	WHERE p.account_id = $1`

func (s Approvals) openApproval(r approvalRow) (dispatch.Approval, error) {
	a := dispatch.Approval{ID: r.ID, AccountID: r.AccountID, Kind: r.Kind, Item: r.Item, Job: r.Job, Template: r.Template, Name: r.Name, New: r.New, State: r.State, Recipients: r.Recipients, Seen: r.Seen,
		AskedBy: r.AskedBy, Asker: r.Asker, AskedAt: r.AskedAt, Decider: r.Decider, DecidedAt: store.Deref(r.DecidedAt), Anyway: r.Anyway}
	for _, reason := range r.Reasons {
		a.Reasons = append(a.Reasons, dispatch.ApprovalReason(reason))
	}
	var err error
	a.Note, err = s.OpenText(r.Note, store.ApprovalPlace(r.ID))
	return a, err
}

// approvalsShown bounds the list: they are decided, the oldest first, and do not pile up.
const approvalsShown = 200

// Waiting returns the pending approvals of an account, oldest first, without content.
func (s Approvals) Waiting(ctx context.Context, account dispatch.AccountID) ([]dispatch.Approval, error) {
	var rows []approvalRow
	err := s.Select(ctx, &rows, selectApprovals+fmt.Sprintf(` AND p.state = 'waiting' ORDER BY p.asked_at, p.id LIMIT %d`, approvalsShown), account)
	if err != nil {
		return nil, err
	}
	list := make([]dispatch.Approval, len(rows))
	for i, r := range rows {
		if list[i], err = s.openApproval(r); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// CountFor counts the pending approvals that a user may decide, up to a hundred.
func (s Approvals) CountFor(ctx context.Context, account dispatch.AccountID, user dispatch.UserID) (int, error) {
	var n int
	err := s.Get(ctx, &n, `
		SELECT count(*) FROM (SELECT FROM approvals WHERE account_id = $1 AND state = 'waiting' AND asked_by <> $2 LIMIT 100) q`, account, user)
	return n, err
}

// ByID returns one approval of an account.
func (s Approvals) ByID(ctx context.Context, account dispatch.AccountID, id dispatch.ApprovalID) (dispatch.Approval, error) {
	if !store.ValidID(id) {
		return dispatch.Approval{}, store.ErrNotFound
	}
	return s.oneApproval(ctx, selectApprovals+` AND p.id = $2`, account, id)
}

func (s Approvals) oneApproval(ctx context.Context, query string, arguments ...any) (dispatch.Approval, error) {
	var row approvalRow
	if err := s.Get(ctx, &row, query, arguments...); err != nil {
		return dispatch.Approval{}, store.NotFound(err)
	}
	return s.openApproval(row)
}

// Last returns the last request for approval of an item's draft, or of its list; zero if there was none.
func (s Approvals) Last(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID) (dispatch.Approval, error) {
	if !store.ValidID(id) {
		return dispatch.Approval{}, store.ErrNotFound
	}
	return ifAny(s.oneApproval(ctx, selectApprovals+`
		AND (p.item_id = $2 OR p.job_id IN (SELECT d.id FROM jobs d WHERE d.draft_id = $2)) ORDER BY p.asked_at DESC, p.id DESC LIMIT 1`, account, id))
}

// LastOfJob is Last of a job.
func (s Approvals) LastOfJob(ctx context.Context, account dispatch.AccountID, id dispatch.JobID) (dispatch.Approval, error) {
	if !store.ValidID(id) {
		return dispatch.Approval{}, store.ErrNotFound
	}
	return ifAny(s.oneApproval(ctx, selectApprovals+` AND p.job_id = $2 ORDER BY p.asked_at DESC, p.id DESC LIMIT 1`, account, id))
}

func ifAny(a dispatch.Approval, err error) (dispatch.Approval, error) {
	if errors.Is(err, store.ErrNotFound) {
		return dispatch.Approval{}, nil
	}
	return a, err
}

// decision is a decision about an approval, and its author.
type decision struct {
	account dispatch.AccountID
	id      dispatch.ApprovalID
	to      dispatch.ApprovalState
	kind    dispatch.EventKind
	note    []byte
	by      store.Actor
}

// decide stores a decision while the draft is locked, and then calls then. ErrNotFound when the actor may not decide: the sender
// withdraws, others approve and return. ErrChanged when it was decided before.
func (s Approvals) decide(ctx context.Context, d decision, then func(tx *sqlx.Tx, a dispatch.Approval) error) error {
	before, err := s.ByID(ctx, d.account, d.id)
	if err != nil {
		return err
	}
	if (before.AskedBy == d.by.User) != (d.to == dispatch.ApprovalWithdrawn) {
		return store.ErrNotFound
	}
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		// Lock order: the job before its draft, and they or the template before the approval.
		for _, query := range []string{
			`SELECT FROM jobs WHERE (id = $1 OR draft_id = $2) AND account_id = $3 FOR UPDATE`,
			`SELECT FROM items WHERE id = $2 AND account_id = $3 AND $1::uuid IS NOT DISTINCT FROM $1 FOR UPDATE`,
		} {
			if _, err := tx.ExecContext(ctx, query, store.Null(before.Job), store.Null(before.Item), d.account); err != nil {
				return err
			}
		}
		if _, err := tx.ExecContext(ctx, `SELECT FROM templates WHERE id = $1 AND account_id = $2 FOR UPDATE`, store.Null(before.Template), d.account); err != nil {
			return err
		}
		n, err := store.Affected(tx.ExecContext(ctx, `
			UPDATE approvals SET state = $3, decided_by = $4, decided_at = now(), note = $5 WHERE id = $1 AND account_id = $2 AND state = 'waiting'`,
			d.id, d.account, d.to, d.by.User, store.NullBytes(d.note)))
		if err != nil {
			return err
		}
		if n == 0 {
			return store.ErrChanged
		}
		if err := noteApproval(ctx, tx, before, d.kind, d.by); err != nil {
			return err
		}
		return then(tx, before)
	})
}

// Withdraw turns one's own draft that awaits approval into an ordinary draft; ErrChanged when it was decided before.
func (s Approvals) Withdraw(ctx context.Context, account dispatch.AccountID, id dispatch.ApprovalID, by store.Actor) error {
	return s.decide(ctx, decision{account: account, id: id, to: dispatch.ApprovalWithdrawn, kind: dispatch.EventApprovalWithdrawn, by: by},
		func(*sqlx.Tx, dispatch.Approval) error { return nil })
}

// Return returns a draft to its sender with a note; ErrChanged when it was decided before, ErrNotFound when it is the actor's own.
func (s Approvals) Return(ctx context.Context, account dispatch.AccountID, id dispatch.ApprovalID, note string, by store.Actor) error {
	sealed, err := s.SealText(note, store.ApprovalPlace(id))
	if err != nil {
		return err
	}
	return s.decide(ctx, decision{account: account, id: id, to: dispatch.ApprovalReturned, kind: dispatch.EventApprovalReturned, note: sealed, by: by},
		func(*sqlx.Tx, dispatch.Approval) error { return nil })
}

func approved(account dispatch.AccountID, id dispatch.ApprovalID, by store.Actor) decision {
	return decision{account: account, id: id, to: dispatch.ApprovalApproved, kind: dispatch.EventApprovalApproved, by: by}
}

// ApproveSMS approves and sends a colleague's draft in one transaction. ErrChanged when it was decided before, ErrNotFound when it
// is the actor's own, ErrStale when the draft has changed, ErrQuota and ErrSecond as for SMS.Queue.
func (s Approvals) ApproveSMS(ctx context.Context, account dispatch.Account, id dispatch.ApprovalID, by store.Actor) error {
	return s.decide(ctx, approved(account.ID, id, by), func(tx *sqlx.Tx, a dispatch.Approval) error {
		if err := seenSMS(ctx, tx, account.ID, a.Item, a.Seen); err != nil {
			return err
		}
		if err := mayReplaceOne(ctx, tx, account.ID, a.Item, a.Anyway); err != nil {
			return err
		}
		return sendSMS(ctx, tx, account, a.Item, by)
	})
}

// ApproveShipment is ApproveSMS for a shipment, with its parsed content.
func (s Approvals) ApproveShipment(ctx context.Context, account dispatch.Account, id dispatch.ApprovalID, by store.Actor, content dispatch.Shipment) error {
	return s.decide(ctx, approved(account.ID, id, by), func(tx *sqlx.Tx, a dispatch.Approval) error {
		version := 0
		if _, err := fmt.Sscan(a.Seen, &version); err != nil {
			return fmt.Errorf("version of approval %s: %w", id, err)
		}
		if err := lockShipmentDraft(ctx, tx, account.ID, a.Item, a.AskedBy, version); err != nil {
			return err
		}
		if err := mayReplaceOne(ctx, tx, account.ID, a.Item, a.Anyway); err != nil {
			return err
		}
		return In(s.Store).Drafts.sendShipment(ctx, tx, account, a.Item, by, version, content)
	})
}

// ApproveJob is ApproveSMS for a job. ErrRepeated when the same was sent today and the sender has not confirmed that.
func (s Approvals) ApproveJob(ctx context.Context, account dispatch.Account, id dispatch.ApprovalID, by store.Actor) error {
	return s.approveJob(ctx, account, id, by, func(tx *sqlx.Tx, j dispatch.Job, a dispatch.Approval) error {
		fingerprint, err := In(s.Store).SMSJobs.readyJob(ctx, tx, j, a.Seen, a.Anyway)
		if err != nil {
			return err
		}
		return sendJob(ctx, tx, account, j, by, fingerprint)
	})
}

// ApproveShipments is ApproveJob for a shipment to many, with its parsed content.
func (s Approvals) ApproveShipments(ctx context.Context, account dispatch.Account, id dispatch.ApprovalID, by store.Actor, l Shipment) error {
	return s.approveJob(ctx, account, id, by, func(tx *sqlx.Tx, j dispatch.Job, a dispatch.Approval) error {
		if j.Revision != a.Seen {
			return store.ErrStale
		}
		fingerprint, err := In(s.Store).ShipmentJobs.readyShipments(ctx, tx, j, l, a.Anyway)
		if err != nil {
			return err
		}
		return In(s.Store).ShipmentJobs.sendShipments(ctx, tx, account, j, by, l, fingerprint)
	})
}

func (s Approvals) approveJob(ctx context.Context, account dispatch.Account, id dispatch.ApprovalID, by store.Actor, send func(*sqlx.Tx, dispatch.Job, dispatch.Approval) error) error {
	return s.decide(ctx, approved(account.ID, id, by), func(tx *sqlx.Tx, a dispatch.Approval) error {
		var row jobRow
		if err := tx.GetContext(ctx, &row, selectJob+` WHERE j.id = $1 AND j.account_id = $2 AND j.state = 'draft'`, a.Job, account.ID); err != nil {
			return store.NotFound(err)
		}
		j, err := s.openJob(row)
		if err != nil {
			return err
		}
		return send(tx, j, a)
	})
}
